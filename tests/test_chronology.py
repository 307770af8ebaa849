"""Events as exactly dated as they are in, the order in which pages list them out."""

from __future__ import annotations

from dataclasses import replace

from sample_history import ALDER, BIRCH, event

from edo.core.model import Event
from edo.history.notation import parse_span
from edo.site.index import chronological


def held(event_id: str, year: int, dates: str) -> Event:
    return replace(event(event_id, "tournament", year, (ALDER, BIRCH)), dates=parse_span(dates))


def order(*events: Event) -> list[str]:
    return [one.id for one in sorted(events, key=chronological)]


def test_days_and_months_come_before_what_is_known_only_by_its_year():
    assert order(
        held("a", 1896, "1896"), held("b", 1896, "1896-07"), held("c", 1896, "1896-07-02")
    ) == ["c", "b", "a"]


def test_what_began_the_year_before_opens_the_year():
    assert order(
        held("nuremberg", 1896, "1896"),
        held("london", 1896, "1896-01-05"),
        held("st-petersburg", 1896, "1895/1896"),
        held("hastings", 1895, "1895"),
    ) == ["hastings", "st-petersburg", "london", "nuremberg"]


def test_an_end_that_is_known_decides_also_where_the_year_before_saw_the_start():
    assert order(held("a", 1900, "1899/1900-06"), held("b", 1900, "1900-02")) == ["b", "a"]


def test_parts_of_an_event_stand_in_the_order_of_play():
    parts = ("ashby-1914-final", "ashby-1914-playoff", "ashby-1914-preliminary", "ashby-1914-b")
    assert order(*(held(part, 1914, "1914") for part in parts)) == [
        "ashby-1914-preliminary",
        "ashby-1914-final",
        "ashby-1914-b",
        "ashby-1914-playoff",
    ]
    after = ("candidates-1962-playoff", "candidates-1962-curacao")
    assert order(*(held(one, 1962, "1962") for one in after)) == list(after[::-1])
    groups = ("cup-1939-final-a", "cup-1939-preliminary-b", "cup-1939", "cup-1939-preliminary-a")
    assert order(*(held(part, 1939, "1939") for part in groups)) == [
        "cup-1939-preliminary-a",
        "cup-1939-preliminary-b",
        "cup-1939",
        "cup-1939-final-a",
    ]


def test_numbered_matches_of_two_players_stand_in_the_order_of_their_numbers():
    def match(event_id: str, name: str, *players: str) -> Event:
        return replace(event(event_id, "match", 1834, players), name=name)

    assert order(
        match("a-b-1834-3", "Alder – Birch match 3, London 1834", ALDER, BIRCH),
        match("b-a-1834-2", "Birch – Alder match 2, London 1834", BIRCH, ALDER),
        match("a-b-1834", "Alder – Birch match, London 1834", ALDER, BIRCH),
        match("b-a-1834-10", "Birch – Alder casual games (10), 1834", BIRCH, ALDER),
    ) == ["a-b-1834", "b-a-1834-2", "a-b-1834-3", "b-a-1834-10"]
