"""Maps of places: Europe enlarged and the world, in the equirectangular projection.

A place is on one of the two: on that of Europe where it lies within, else on that of the world.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path

from edo.core.model import Coordinates, Place

LAND = Path(__file__).parent / "coastline" / "land.json"
WIDTH = 520.0  # of each map, in units of its view box
PARALLELS = {"europe": 50.0, "world": 30.0}  # [degrees] at which both directions have one scale
LETTERS = 13.0  # the size of the names of places
MANY = 15  # [events] whose place may have its name over the circles of smaller ones
_LETTER = 0.56  # the mean width of a letter, as a share of its size


@dataclass(frozen=True, slots=True)
class Frame:
    """One of the two maps: what it covers [degrees], its size, and its land as path of an SVG."""

    name: str
    west: float
    south: float
    east: float
    north: float
    height: float
    land: str

    def at(self, longitude: float, latitude: float) -> tuple[float, float]:
        """Return where a point of the earth lies on the map."""
        x = (longitude - self.west) / (self.east - self.west) * WIDTH
        y = (self.north - latitude) / (self.north - self.south) * self.height
        return round(x, 1), round(y, 1)

    def covers(self, point: Coordinates) -> bool:
        """Whether the point lies on the map."""
        return self.west < point.longitude < self.east and self.south < point.latitude < self.north


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
    empty = Frame(name, west, south, east, north, round(height, 1), land="")
    return replace(empty, land="".join(_ring(empty, unit, ring) for ring in rings))


def _ring(frame: Frame, unit: float, ring: Sequence[int]) -> str:
    """Return an outline as steps from point to point, which is shorter than the points."""
    points = [frame.at(x * unit, y * unit) for x, y in zip(ring[::2], ring[1::2], strict=True)]
    steps = (f"{x2 - x1:.1f} {y2 - y1:.1f}" for (x1, y1), (x2, y2) in pairwise(points))
    return f"M{points[0][0]:g} {points[0][1]:g}l{' '.join(steps)}z"


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
    found: dict[str, list[Circle]] = {frame.name: [] for frame in frames()}
    for (frame, x, y), there in points.items():
        counted = sorted(
            ((p, len(years[p.id])) for p in there), key=lambda one: (-one[1], one[0].id)
        )
        held = tuple(sorted(year for place in there for year in years[place.id]))
        radius = round(base + step * math.sqrt(len(held)), 1)
        found[frame.name].append(Circle(x, y, radius, tuple(counted), held))
    return tuple(Map(frame, tuple(_labelled(found[frame.name]))) for frame in frames())


def _labelled(circles: Sequence[Circle]) -> Iterator[Circle]:
    """Yield the circles, the largest first, each with its name where nothing larger is."""
    ordered = sorted(circles, key=lambda one: (-len(one.years), one.places[0][0].id))
    discs = [(c.x - c.radius, c.y - c.radius, c.x + c.radius, c.y + c.radius) for c in ordered]
    names: list[Rectangle] = []
    for k, circle in enumerate(ordered):
        others = discs[:k] + ([] if len(circle.years) >= MANY else discs[k + 1 :]) + names
        yield _named(circle, others, names)


def _named(circle: Circle, others: Sequence[Rectangle], names: list[Rectangle]) -> Circle:
    """Return the circle with its name where that covers none of the `others`; adds to `names`."""
    name = circle.places[0][0].name
    for is_left in (False, True):
        box = _beside(circle, name, is_left)
        if box[0] >= 0 and box[2] <= WIDTH and not any(_overlap(box, one) for one in others):
            names.append(box)
            return replace(circle, label=name, is_left=is_left)
    return circle


Rectangle = tuple[float, float, float, float]


def _beside(circle: Circle, name: str, is_left: bool) -> Rectangle:
    """Return left, top, right and bottom of a name beside its circle."""
    width, gap = _LETTER * LETTERS * len(name), circle.radius + 3
    left = circle.x - gap - width if is_left else circle.x + gap
    return left, circle.y - LETTERS / 2, left + width, circle.y + LETTERS / 2


def _overlap(one: Rectangle, other: Rectangle) -> bool:
    across = one[0] < other[2] and other[0] < one[2]
    return across and one[1] < other[3] and other[1] < one[3]
