"""The pages of places and sources, against the made-up world."""

from __future__ import annotations

import re
from dataclasses import replace

import rendered
from sample_history import DATASET, RATINGS

from edo.core.model import Citation, Place, Source
from edo.site import render as house
from edo.site.input import SiteInput
from edo.site.pages import place, source

OAKHAM = DATASET.events["oakham-1851"]
WITH_WHERES = replace(
    OAKHAM,
    sources=(Citation("handbook", "p. 7"),),
    results=(
        replace(OAKHAM.results[0], sources=(Citation("handbook", "p. 9"), Citation("letters"))),
        replace(OAKHAM.results[1], sources=(Citation("handbook", "p. 7"),)),
        *OAKHAM.results[2:],
    ),
)
SITE = SiteInput(
    replace(
        DATASET,
        events={**DATASET.events, OAKHAM.id: WITH_WHERES},
        places={**DATASET.places, "ashby": Place("ashby", "Ashby", "ENG", "A *small* town.")},
        sources={
            **DATASET.sources,
            "annals": Source(
                "annals",
                "Annals",
                "zeder, Z.",
                "Elmham 1860",
                "https://example.org/annals",
                "Rare.",
            ),
        },
    ),
    RATINGS,
    {},
    None,
    "0",
    "0",
)
PLACES = {page.path: page for page in place.pages(SITE)}
SOURCES = {page.path: page for page in source.pages(SITE)}


def html_of(path: str) -> str:
    page = (PLACES | SOURCES)[path]
    return next(iter(house.render([page], SITE)))[1].decode()


def test_all_places_are_listed_by_name():
    assert rendered.tables(html_of("places/index.html"))["Places"] == [
        {"Place": "Ashby", "Country": "England", "Events": "0", "Years": ""},
        {"Place": "Oakham", "Country": "", "Events": "1", "Years": "1851"},
    ]


def test_a_place_lists_its_events():
    html = html_of("places/oakham.html")
    assert rendered.texts(html, "p", "lead") == ["1 event, 1851."]
    (row,) = rendered.tables(html)["Events in Oakham"]
    assert (row["Year"], row["Event"], row["Rated games"]) == ("1851", "Oakham 1851", "2")
    assert 'href="../events/oakham-1851.html"' in html


def test_a_place_without_events_has_its_page():
    html = html_of("places/ashby.html")
    assert rendered.texts(html, "h1") == ["Ashby England"]
    assert rendered.texts(html, "p", "lead") == ["0 events."]
    assert "A <em>small</em> town." in html
    assert "<table" not in html


def test_the_bibliography_is_sorted_by_author_or_title():
    rows = rendered.tables(html_of("sources/index.html"))["Sources"]
    assert [(row["Source"], row["Events"], row["Players"]) for row in rows] == [
        ("Collected Letters", "1", "1"),
        ("Handbook of Trees", "6", "0"),
        ("Annals", "0", "0"),
    ]


def test_a_source_lists_what_cites_it_and_every_place_in_it_once():
    view = SOURCES["sources/handbook.html"].view()
    wheres = {event.name: places for event, places in view["events"]}
    assert wheres["Oakham 1851"] == ("p. 7", "p. 9")
    assert wheres["Silent 1852"] == ("p. 7",)
    rows = rendered.tables(html_of("sources/handbook.html"))["Events that cite it"]
    assert [row["Year"] for row in rows] == [*("1850", "1851", "1851", "1852", "1853", "1853")]
    assert rows[1]["Where in the source"] == "p. 7; p. 9"
    alder = '<li><a href="../players/alder-anna.html">Alder, Anna</a></li>'
    assert alder in html_of("sources/letters.html")


def test_a_source_says_all_that_the_bibliography_does():
    html = html_of("sources/annals.html")
    for text in ("zeder, Z.", "Elmham 1860", 'href="https://example.org/annals"', "Rare."):
        assert text in html
    assert "No event cites it." in html


def test_no_page_has_an_id_twice_or_a_missing_value():
    for path in PLACES | SOURCES:
        html = html_of(path)
        ids = re.findall(r'\bid="([^"]+)"', html)
        assert len(ids) == len(set(ids)), path
        assert "None" not in html, path


def test_players_of_an_event_do_not_cite_its_sources():
    view = SOURCES["sources/handbook.html"].view()
    assert view["players"] == []
