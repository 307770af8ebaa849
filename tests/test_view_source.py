"""The bibliography, and places and sources that nothing uses."""

from __future__ import annotations

from dataclasses import replace

import rendered
from sample_history import DATASET, RATINGS

from edo.core.model import Citation, Place, Source
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
PLACES = {**DATASET.places, "ashby": Place("ashby", "Ashby", "ENG", "A *small* town.")}
SOURCES = {
    **DATASET.sources,
    "annals": Source("annals", "Annals", "zeder, Z.", notes="Rare."),
    "periodical-cp": Source("periodical-cp", "[CP]"),
}
EVENTS = {**DATASET.events, OAKHAM.id: WITH_WHERES}
SITE = SiteInput(
    replace(DATASET, events=EVENTS, places=PLACES, sources=SOURCES), RATINGS, {}, None, "0", "0"
)  # fmt: skip


def table_of(path: str, label: str) -> list[dict[str, str]]:
    return rendered.tables(rendered.rendered(source.pages, SITE, path).html)[label]


def test_the_bibliography_is_sorted_by_author_or_title_and_ends_with_bare_abbreviations():
    rows = table_of("sources/index.html", "Sources")
    assert [(row["Source"], row["Events"], row["Players"]) for row in rows] == [
        ("Collected Letters", "1", "1"),
        ("Handbook of Trees", "6", "0"),
        ("Annals", "0", "0"),
        ("[CP]", "0", "0"),
    ]


def test_a_source_names_every_place_in_it_once():
    rows = table_of("sources/handbook.html", "Events that cite it")
    assert [row["Year"] for row in rows] == ["1850", "1851", "1851", "1852", "1853", "1853"]
    assert rows[1]["Where in the source"] == "p. 7; p. 9"


def test_places_and_sources_that_nothing_uses_have_their_pages():
    ashby = rendered.rendered(place.pages, SITE, "places/ashby.html").html
    assert rendered.texts(ashby, "p", "lead") == ["0 events."]
    assert "A <em>small</em> town." in ashby and "<table" not in ashby
    annals = rendered.rendered(source.pages, SITE, "sources/annals.html").html
    assert "No event cites it." in annals and "Rare." in annals
