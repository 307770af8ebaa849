"""Maps of places: where points lie, what circles count, and the coordinates of the real places."""

from __future__ import annotations

import json
import math
from collections import Counter

import pytest
import yaml
from conftest import ROOT

from edo.core.model import Coordinates, Place
from edo.site.charts import maps

Point = tuple[float, float]


def place(id_: str, latitude: float, longitude: float) -> Place:
    return Place(id_, id_.title(), coordinates=Coordinates(latitude, longitude, 1))


def real_places() -> dict[str, Coordinates]:
    read = yaml.safe_load((ROOT / "events" / "places.yaml").read_text())
    return {id_: Coordinates(**one["coordinates"]) for id_, one in read.items() if len(one) > 1
            and "coordinates" in one}  # fmt: skip


def test_a_place_is_on_the_map_that_shows_it_larger():
    europe, world = maps.frames()
    assert maps.spot(Place("nowhere", "Nowhere")) is None
    frame, x, y = maps.spot(place("berlin", 52.5, 13.4)) or pytest.fail()
    assert frame is europe
    # as far from the edges as in degrees, with both directions to one scale at 50 degrees
    unit = 520 / (47 + 24.5)
    assert x == pytest.approx((13.4 + 24.5) * unit, abs=0.06)
    assert y == pytest.approx((66.5 - 52.5) * unit / math.cos(math.radians(50)), abs=0.06)
    frame, x, y = maps.spot(place("lima", -12.0, -77.0)) or pytest.fail()
    assert frame is world
    assert x == pytest.approx((180 - 77) * 520 / 360, abs=0.06)
    assert y == pytest.approx((78 + 12) * 520 / 360 / math.cos(math.radians(30)), abs=0.06)


def test_circles_count_the_events_of_a_point():
    places = [place("reval", 59.4, 24.7), place("tallinn", 59.4, 24.7), place("riga", 56.9, 24.1)]
    years = {"reval": (1902,), "tallinn": (1930, 1930, 1931), "riga": (1899,), "nowhere": (1900,)}
    europe, world = maps.maps(places, years, base=1.0, step=2.0)
    assert world.circles == ()
    large, small = europe.circles
    assert [(one.name, events) for one, events in large.places] == [("Tallinn", 3), ("Reval", 1)]
    assert (large.years, large.radius) == ((1902, 1930, 1930, 1931), 5.0)
    assert (small.label, small.radius) == ("Riga", 3.0)
    assert maps.maps([place("riga", 56.9, 24.1)], {}, 1.0, 2.0)[0].circles == ()


def test_names_cover_neither_each_other_nor_circles():
    places = [place(f"place-{k}", 50.0 + k % 3, 5.0 + k / 3) for k in range(12)]
    years = {one.id: (1900,) * (k % 4 + 1) for k, one in enumerate(places)}
    circles = maps.maps(places, years, 2.0, 1.0)[0].circles
    labelled = [one for one in circles if one.label]
    assert 1 < len(labelled) < len(circles)
    for one in labelled:
        ends = one.x + (one.radius + 3) * (-1 if one.is_left else 1)
        far = ends + 6.0 * len(one.label) * (-1 if one.is_left else 1)
        left, right = min(ends, far), max(ends, far)
        for other in circles:
            if other is not one and abs(other.y - one.y) < other.radius:
                assert other.x + other.radius <= left or right <= other.x - other.radius


def inside(x: float, y: float, ring: list[Point]) -> bool:
    """Whether a point lies within an outline: a ray to the right crosses it an odd time."""
    crossed = 0
    for (x1, y1), (x2, y2) in zip(ring, ring[1:] + ring[:1], strict=True):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) / (y2 - y1) * (x2 - x1):
            crossed += 1
    return crossed % 2 == 1


def test_all_places_lie_on_land_or_at_a_coast():
    """A sign or a digit that went wrong would put most places into the sea."""
    land = json.loads(maps.LAND.read_text())["world"]
    rings = [
        [(x * land["unit"], y * land["unit"]) for x, y in zip(r[::2], r[1::2], strict=True)]
        for r in land["rings"]
    ]
    around = [(0, 0), *((2.5 * math.cos(k), 2.5 * math.sin(k)) for k in range(6))]
    places = real_places()
    assert len(places) > 250
    at_sea = [
        id_
        for id_, at in places.items()
        if not any(
            inside(at.longitude + dx, at.latitude + dy, ring) for dx, dy in around for ring in rings
        )
    ]
    assert at_sea == ["las-palmas", "san-juan"]  # on islands smaller than the outlines show
    # one record of the gazetteer has one point
    points = {(at.geonames, at.latitude, at.longitude) for at in places.values()}
    assert max(Counter(record for record, _, _ in points).values()) == 1
