"""The events before and after one: of its year, place and series, and of its two players."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sample_history import ALDER, BIRCH, DATASET, RATINGS, event, games

from edo.core.model import Event, Series
from edo.site import index, urls
from edo.site.input import Link, SiteInput
from edo.site.pages.event import Neighbours, neighbours_of
from edo.site.pages.events import strength

LATER = event(
    "oakham-1852", "tournament", 1852, (BIRCH, ALDER), place="oakham", series="oakham-cup"
)
LAST = event("birch-alder-1853", "match", 1853, (BIRCH, ALDER), results=(games(BIRCH, ALDER, "1"),))
CHANGED = {
    "oakham-1851": replace(DATASET.events["oakham-1851"], series="oakham-cup"),
    LATER.id: LATER,
    LAST.id: LAST,
}
WORLD = replace(
    DATASET,
    events={**DATASET.events, **CHANGED},
    series={
        "oakham-cup": Series("oakham-cup", "Oakham Cup"),
    },
)


def around(one: Event) -> dict[str, Neighbours]:
    site = SiteInput(WORLD, RATINGS, {}, None, "0", "0")
    return {found.name: found for found in neighbours_of(one, site)}


def to(event_id: str) -> Link:
    return Link(WORLD.events[event_id].name, f"events/{event_id}.html")


def test_an_event_stands_in_its_year_its_place_and_its_series():
    found = around(WORLD.events["oakham-1851"])
    assert list(found) == ["Same year", "Same place", "Same series"]
    year, here, own = found.values()
    assert (year.whole, year.before, year.after) == (
        Link("1851", "years/1851.html"), None, to("offhand-1851"),
    )  # fmt: skip
    assert (here.whole, here.before, here.after) == (
        Link("Oakham", "places/oakham.html"), None, to("oakham-1852"),
    )  # fmt: skip
    assert (own.whole, own.before, own.after) == (
        Link("Oakham Cup", "series/oakham-cup.html"), None, to("oakham-1852"),
    )  # fmt: skip


def test_the_events_in_which_two_players_met_make_a_row(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(index, "MANY", 10)
    # The event of totals and that without results tell of no game between the two.
    found = around(WORLD.events["alder-birch-1853"])["Same opponents"]
    assert (found.before, found.after) == (to("oakham-1851"), to("birch-alder-1853"))
    # 3 + 1 + 5 + 1 games: the page of the two.
    assert found.whole == Link("Alder, Anna – Birch, Bo", "pairs/alder-anna-v-birch-bo.html")
    offhand = around(WORLD.events["offhand-1851"])["Same opponents"]
    assert offhand.whole == Link("Alder, Anna (offhand) – Birch, Bo, 1 event", None)


def test_the_strength_is_that_of_the_leading_four_or_both():
    # Of four only three have a rating in 1851; the two of 1850 have 2000.4 and 2000.
    assert strength(WORLD.events["oakham-1851"], RATINGS) is None
    match = strength(WORLD.events["alder-birch-1850"], RATINGS)
    assert match is not None
    assert abs(match - 2000.2) < 1e-9
    # Of a tournament of which only two players are known, these may not be the leading ones.
    known = replace(WORLD.events["alder-birch-1850"], kind="tournament")
    assert strength(known, RATINGS) is None


def test_series_and_pairs_belong_to_sections():
    assert urls.section("series/oakham-cup.html") == urls.EVENTS
    assert urls.section("pairs/a-v-b.html") == urls.PLAYERS
