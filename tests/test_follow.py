"""The events before and after one: of its year, place and series, and of its two players."""

from __future__ import annotations

from dataclasses import replace

import html5lib
import rendered
from sample_history import ALDER, BIRCH, DATASET, RATINGS, event, games

from edo.core import urls
from edo.core.model import Event, Series
from edo.site import render as house
from edo.site.input import Link, SiteInput
from edo.site.pages import event as event_view
from edo.site.pages import place
from edo.site.pages.event import EventSequences, Neighbours
from edo.site.pages.events import strength
from edo.site.pages.lookups import Index

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
        "oakham-cup": Series("oakham-cup", "Oakham Cup", "Of *silver*."),
        "ashby-cup": Series("ashby-cup", "Ashby Cup"),
    },
)
SITE = SiteInput(WORLD, RATINGS, {}, None, "0", "0")


def neighbours_of(one: Event) -> dict[str, Neighbours]:
    sequences = EventSequences.of(WORLD, Index.of(WORLD, RATINGS))
    return {found.name: found for found in sequences.around(one)}


def to(event_id: str) -> Link:
    return Link(WORLD.events[event_id].name, f"events/{event_id}.html")


def test_an_event_stands_in_its_year_its_place_and_its_series():
    found = neighbours_of(WORLD.events["oakham-1851"])
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


def test_the_events_in_which_two_players_met_make_a_row():
    # The event of totals and that without results tell of no game between the two.
    found = neighbours_of(WORLD.events["alder-birch-1853"])["Same opponents"]
    assert (found.before, found.after) == (to("oakham-1851"), to("birch-alder-1853"))
    # 3 + 1 + 5 + 1 games: the page of the two.
    assert found.whole == Link("Alder, Anna – Birch, Bo", "pairs/alder-anna-v-birch-bo.html")
    offhand = neighbours_of(WORLD.events["offhand-1851"])["Same opponents"]
    assert offhand.whole == Link("Alder, Anna (offhand) – Birch, Bo, 1 event", None)


def test_the_page_of_an_event_shows_its_rows():
    made = {page.path: page for page in event_view.pages(SITE)}
    ((_, html),) = house.render([made["events/oakham-1852.html"]], SITE)
    text = html.decode()
    html5lib.HTMLParser(strict=True).parse(text)
    assert '<dt>Same series</dt><dd class="whole"><a href="../series/oakham-cup.html">' in text
    assert text.count('<a class="before" href="oakham-1851.html">') == 2  # place and series
    assert "<dt>Series</dt>" in text
    ((_, html),) = house.render([made["events/offhand-1851.html"]], SITE)
    assert "Same series" not in html.decode()


def test_a_series_lists_its_events_in_order():
    made = {page.path: page for page in place.pages(SITE)}
    assert list(made)[:3] == [urls.ALL_SERIES, "series/ashby-cup.html", "series/oakham-cup.html"]
    html = {path: text.decode() for path, text in house.render(made.values(), SITE)}
    cup = html["series/oakham-cup.html"]
    assert rendered.texts(cup, "p", "lead") == ["2 events, 1851–1852."]
    assert "<p>Of <em>silver</em>.</p>" in cup
    rows = rendered.tables(cup)["Events of the series Oakham Cup"]
    assert [(row["Event"], row["Players"]) for row in rows] == [
        ("Oakham 1851", "4"),
        ("Oakham 1852 part", "2"),  # nothing but who played is known
    ]
    assert [row["Winner"] for row in rows] == ["Alder, Anna 2½", ""]
    assert '<th scope="row"><a href="../events/oakham-1851.html">Oakham 1851</a>' in cup
    ashby = html["series/ashby-cup.html"]
    assert rendered.texts(ashby, "p", "lead") == ["0 events."]
    assert rendered.tables(ashby) == {}
    assert rendered.tables(html[urls.ALL_SERIES])["All series"] == [
        {"Series": "Ashby Cup", "Events": "0", "From": "", "To": ""},
        {"Series": "Oakham Cup", "Events": "2", "From": "1851", "To": "1852"},
    ]
    for text in html.values():
        html5lib.HTMLParser(strict=True).parse(text)


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
