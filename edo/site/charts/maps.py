"""Maps of places: Europe enlarged and the world, in the equirectangular projection.

A place is on one of the two: on that of Europe where it lies within, else on that of the world.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from edo.core.model import Coordinates, Place
from edo.site.charts.axis import LETTER, Axis, Point, Rectangle, path

LAND = Path(__file__).parent / "coastline" / "land.json"
WIDTH = 520.0  # of each map, in units of its view box
PARALLELS = {"europe": 50.0, "world": 30.0}  # [degrees] at which both directions have one scale
LETTERS = 13.0  # the size of the names of places
MANY = 15  # [events] whose place may have its name over the circles of smaller ones


@dataclass(frozen=True, slots=True)
class Frame:
    """One of the two maps: its axes [degrees], its height, and its land as path of an SVG."""

    name: str
    longitudes: Axis
    latitudes: Axis
    height: float
    land: str

    def at(self, longitude: float, latitude: float) -> Point:
        """Return where a point of the earth lies on the map."""
        return self.longitudes.at(longitude), self.latitudes.at(latitude)

    def covers(self, point: Coordinates) -> bool:
        """Whether the point lies on the map."""
        return self.longitudes.holds(point.longitude) and self.latitudes.holds(point.latitude)


@dataclass(frozen=True, slots=True)
class Circle:
    """The places of one point with their numbers of events, those of most events first.

    `years` are those of the events. `label` is the name where there is room for it beside the
    circle, which is to its left where `is_left`.
    """

    x: float
    y: float
    radius: float
    places: tuple[tuple[Place, int], ...]
    years: tuple[int, ...]
    label: str = ""
    is_left: bool = False


@dataclass(frozen=True, slots=True)
class Map:
    """A frame with its circles, the largest first, so that the small ones lie on top."""

    frame: Frame
    circles: tuple[Circle, ...]


@cache
def frames() -> tuple[Frame, Frame]:
    """Return the maps of Europe and of the world, without places."""
    land = json.loads(LAND.read_text())
    europe, world = (_frame(name, **land[name]) for name in ("europe", "world"))
    return europe, world


def _frame(name: str, unit: float, box: Sequence[float], rings: Sequence[Sequence[int]]) -> Frame:
    west, south, east, north = box
    height = WIDTH * (north - south) / (east - west) / math.cos(math.radians(PARALLELS[name]))
    height = round(height, 1)
    empty = Frame(name, Axis(west, east, 0, WIDTH), Axis(south, north, height, 0), height, land="")
    return replace(empty, land="".join(_ring(empty, unit, ring) for ring in rings))


def _ring(frame: Frame, unit: float, ring: Sequence[int]) -> str:
    """Return an outline as a path."""
    points = [frame.at(x * unit, y * unit) for x, y in zip(ring[::2], ring[1::2], strict=True)]
    return f"{path(points)}z"


def spot(place: Place) -> tuple[Frame, float, float] | None:
    """Return the map that a place is on and where; None where its coordinates are not known."""
    if place.coordinates is None:
        return None
    europe, world = frames()
    frame = europe if europe.covers(place.coordinates) else world
    return frame, *frame.at(place.coordinates.longitude, place.coordinates.latitude)


def maps(
    places: Iterable[Place], years: Mapping[str, Sequence[int]], base: float, step: float
) -> tuple[Map, ...]:
    """Return both maps with circles for the places with events.

    `years` are those of each place's events, by id; the area of a circle beyond its `base` radius
    grows with their number, by `step` for the square root.
    """
    points: dict[tuple[Frame, float, float], list[Place]] = {}
    for place in places:
        at = spot(place)
        if at is not None and years.get(place.id):
            points.setdefault(at, []).append(place)
    circles: dict[str, list[Circle]] = {frame.name: [] for frame in frames()}
    for (frame, x, y), there in points.items():
        counted = sorted(
            ((place, len(years[place.id])) for place in there),
            key=lambda row: (-row[1], row[0].id),
        )
        of_point = tuple(sorted(year for place in there for year in years[place.id]))
        radius = round(base + step * math.sqrt(len(of_point)), 1)
        circles[frame.name].append(Circle(x, y, radius, tuple(counted), of_point))
    return tuple(Map(frame, tuple(_labelled(circles[frame.name]))) for frame in frames())


def _labelled(circles: Sequence[Circle]) -> Iterator[Circle]:
    """Yield the circles, the largest first, each with its name where nothing larger is."""
    ordered = sorted(circles, key=lambda circle: (-len(circle.years), circle.places[0][0].id))
    discs = [
        Rectangle(c.x - c.radius, c.y - c.radius, c.x + c.radius, c.y + c.radius) for c in ordered
    ]
    names: list[Rectangle] = []
    for k, circle in enumerate(ordered):
        smaller = [] if len(circle.years) >= MANY else discs[k + 1 :]
        yield _named(circle, [*discs[:k], *smaller, *names], names)


def _named(circle: Circle, taken: Sequence[Rectangle], names: list[Rectangle]) -> Circle:
    """Return the circle with its name where that covers nothing `taken`; adds it to `names`."""
    name = circle.places[0][0].name
    for is_left in (False, True):
        beside = _beside(circle, name, is_left)
        is_within = beside.left >= 0 and beside.right <= WIDTH
        if is_within and not any(map(beside.overlaps, taken)):
            names.append(beside)
            return replace(circle, label=name, is_left=is_left)
    return circle


def _beside(circle: Circle, name: str, is_left: bool) -> Rectangle:
    """Return the room of a name beside its circle."""
    width, gap = LETTER * LETTERS * len(name), circle.radius + 3
    left = circle.x - gap - width if is_left else circle.x + gap
    return Rectangle(left, circle.y - LETTERS / 2, left + width, circle.y + LETTERS / 2)
