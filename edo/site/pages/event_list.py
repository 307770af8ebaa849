"""Events in; lists of them with place, size, state and winner, ready to show, out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from edo.core import formats, urls
from edo.core.model import Completeness, Dataset, Event
from edo.rating.pairings import Pairing
from edo.site.input import Link, Page, SiteInput
from edo.site.pages.index import Index
from edo.site.pages.winners import Winner, winner


@dataclass(frozen=True, slots=True)
class EventRow:
    """One event in a list; `games` are those that entered the fit, None where none did.

    `anchor` is the row's id on the page, where something leads to it.
    """

    year: Link
    event: Link
    place: Link | None
    kind: str
    players: str
    games: str | None
    completeness: Completeness
    winner: Winner | None
    anchor: str | None = None


@dataclass(frozen=True, slots=True)
class EventsView:
    """The list of all events in the order in which they were played, with ways to the decades."""

    summary: str
    jumps: tuple[Link, ...]
    rows: tuple[EventRow, ...]


def pages(site: SiteInput, index: Index) -> Iterator[Page]:
    """Yield the list of all events."""
    summary, view = _summary(site), partial(_view, site, index)
    scripts = (urls.static("filters.js"),)
    yield Page(urls.EVENTS, "events.html", view, "Events", summary, scripts)


def _view(site: SiteInput, index: Index) -> EventsView:
    events = [
        event for year in sorted(index.events_of_year) for event in index.events_of_year[year]
    ]
    rows = event_rows(events, site.dataset, index.pairings_of_event)
    firsts = {event.year // 10 * 10: place for place, event in reversed(list(enumerate(events)))}
    starts = {place: f"d{decade}" for decade, place in firsts.items()}
    return EventsView(
        _summary(site),
        tuple(Link(f"{decade}s", f"{urls.EVENTS}#d{decade}") for decade in sorted(firsts)),
        tuple(replace(row, anchor=starts.get(place)) for place, row in enumerate(rows)),
    )


def event_rows(
    events: Iterable[Event], dataset: Dataset, pairings: Mapping[str, tuple[Pairing, ...]]
) -> tuple[EventRow, ...]:
    """Return the rows of some events; `pairings` hold what entered the fit, by event."""
    return tuple(_row(event, dataset, pairings.get(event.id, ())) for event in events)


def _row(event: Event, dataset: Dataset, pairings: tuple[Pairing, ...]) -> EventRow:
    rated = sum(pairing.games for pairing in pairings)
    return EventRow(
        year=Link(str(event.year), urls.year(event.year)),
        event=Link(event.name, urls.event(event.id)),
        place=place_link(event, dataset),
        kind=event.kind,
        players=formats.count(len(event.players)),
        games=formats.score(rated) if rated else None,
        completeness=event.completeness,
        winner=winner(event, dataset),
    )


def place_link(event: Event, dataset: Dataset) -> Link | None:
    """Return the link to the place of an event, None where that is not known."""
    if event.place is None:
        return None
    return Link(dataset.places[event.place].name, urls.place(event.place))


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
