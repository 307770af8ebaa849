"""Lists of events: the index of all, by decade where it is long, and the columns of every list."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby

from edo.core import formats
from edo.core.model import Event
from edo.rating.edo import Ratings
from edo.site import urls
from edo.site.index import Index
from edo.site.input import Link, Page, SiteInput, no_view
from edo.site.pages import long_lists
from edo.site.pages.annotations import COVERAGE_MARKS, coverage_mark
from edo.site.pages.event import place_link, winner
from edo.site.pages.long_lists import Group
from edo.site.pages.tables import Cell, Row, Table, minor, name, number, text

LEADING = 4  # [players] whose mean rating is the strength of an event
LONG = 200  # [rows] a longer table is laid out when it comes into sight

COLUMNS = (
    number("year", "Year", asks="span", label="From"),
    name("event", "Event", asks="contains", key="name", label="Name contains"),
    text("place", "Place", hides=True, asks="contains", label="Place"),
    text("kind", "Kind", hides=True, asks="choice", label="Kind"),
    minor("players", "Players", "count", asks="least"),
    minor(
        "strength",
        "Leading",
        "rating",
        "Mean rating of the four highest-rated participants, or of both players of a match",
    ),
    minor("rated_games", "Rated games", "score", meaning="the games used for the ratings."),
    text(
        "winner",
        "Winner",
        "winner",
        meaning="where what is known decides it; several names shared first place.",
    ),
)


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the list of all events in the order of time, by decade where it is long."""
    scripts = (urls.static("filters.js"),)
    whole = Page(urls.EVENTS, "events.html", no_view, "Events", _summary(site), scripts)
    yield from long_lists.pages(whole, decades(site.index), partial(_view, site))


def decades(index: Index) -> list[Group]:
    """Return the events of each decade in the order of time."""
    ordered = (
        event for year in sorted(index.events_of_year) for event in index.events_of_year[year]
    )
    groups = groupby(ordered, lambda event: event.year // 10 * 10)
    return [
        Group(f"{decade}s", f"d{decade}", [event.id for event in events])
        for decade, events in groups
    ]


def _view(site: SiteInput, groups: Sequence[Group]) -> Mapping[str, object]:
    """Return the events of some decades; the first of each has its anchor."""
    rows = [
        event_row(site.dataset.events[id_], site, None if place else group.anchor)
        for group in groups
        for place, id_ in enumerate(group.ids)
    ]
    table = events_table("Events", rows, "all", without=("strength",))
    return {"table": table, "marks": COVERAGE_MARKS}


def events_table(label: str, rows: Sequence[Row], id_: str, without: Collection[str]) -> Table:
    """Return the list of some events without some of the columns."""
    is_long = len(rows) > LONG
    table = Table(label, COLUMNS, rows, id_, "events", css="event-list", is_long=is_long)
    return table.without(without)


def event_row(event: Event, site: SiteInput, anchor: str | None = None) -> Row:
    """Return one event, with the mark that says what is not known of it."""
    mark = coverage_mark(event, site.dataset.odds)
    pairings = site.index.pairings_of_event.get(event.id, ())
    return Row(
        {
            "year": Link(str(event.year), urls.year(event.year)),
            "event": Cell(event.name, urls.event(event.id), marks=() if mark is None else (mark,)),
            "place": place_link(event, site.dataset) or "",
            "kind": event.kind,
            "players": len(event.players),
            "strength": strength(event, site.ratings),
            "rated_games": sum(pairing.games for pairing in pairings) or None,
            "winner": winner(event, site.dataset),
        },
        anchor,
    )


def strength(event: Event, ratings: Ratings) -> float | None:
    """Return the mean rating [Elo] of the four highest rated of the year who took part.

    Of both in a match; None where fewer are rated.
    """
    years = (ratings.of(player, event.year) for player in event.players)
    rated = sorted((year.rating for year in years if year is not None), reverse=True)
    needed = 2 if event.kind == "match" else LEADING
    return sum(rated[:needed]) / needed if len(rated) >= needed else None


def number_and_years(events: Sequence[Event]) -> str:
    """Return how many events there are, and from when to when: `3 events, 1851–1862.`."""
    years = f", {formats.years(events[0].year, events[-1].year)}" if events else ""
    return f"{formats.counted(len(events), 'event')}{years}."


def _summary(site: SiteInput) -> str:
    events = site.dataset.events.values()
    if not events:
        return "No events."
    counts = ", ".join(
        formats.counted(sum(event.kind == kind for event in events), kind, many)
        for kind, many in (
            ("tournament", "tournaments"),
            ("match", "matches"),
            ("team match", "team matches"),
        )
    )
    years = formats.years(min(e.year for e in events), max(e.year for e in events))
    return f"All events from {years}: {counts}."
