"""Lists of events, each with its winner where the results decide it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from edo.core import formats, urls
from edo.core.model import Dataset, Event
from edo.rating.pairings import Pairing
from edo.site.input import Link, Page, SiteInput, link_to
from edo.site.pages.lookups import Index


@dataclass(frozen=True, slots=True)
class Winner:
    """Who won: nobody where a match was drawn, several where the first place was shared.

    `score` is that of a match, both sides, or the points of the first place, or empty.
    """

    players: tuple[Link, ...]
    score: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class EventRow:
    """One event in a list; `rated_games` [games] entered the fit.

    `anchor` is the row's id on the page, where something leads to it.
    """

    event: Event
    place: Link | None
    rated_games: float
    winner: Winner | None
    anchor: str | None = None


@dataclass(frozen=True, slots=True)
class EventsView:
    """The list of all events in the order in which they were played, with links to the decades."""

    decades: tuple[Link, ...]
    rows: tuple[EventRow, ...]


def pages(site: SiteInput, index: Index) -> Iterator[Page]:
    """Yield the list of all events."""
    scripts = (urls.static("filters.js"),)
    view = partial(_view, site, index)
    yield Page(urls.EVENTS, "events.html", view, "Events", _summary(site), scripts)


def _view(site: SiteInput, index: Index) -> EventsView:
    events = [
        event for year in sorted(index.events_of_year) for event in index.events_of_year[year]
    ]
    rows = event_rows(events, site.dataset, index.pairings_of_event)
    firsts = {event.year // 10 * 10: place for place, event in reversed(list(enumerate(events)))}
    anchors = {place: f"d{decade}" for decade, place in firsts.items()}
    return EventsView(
        tuple(Link(f"{decade}s", f"{urls.EVENTS}#d{decade}") for decade in sorted(firsts)),
        tuple(replace(row, anchor=anchors.get(place)) for place, row in enumerate(rows)),
    )


def event_rows(
    events: Iterable[Event], dataset: Dataset, pairings: Mapping[str, tuple[Pairing, ...]]
) -> tuple[EventRow, ...]:
    """Return the rows of some events; `pairings` hold what entered the fit, by event."""
    return tuple(
        EventRow(
            brief(event),
            place_link(event, dataset),
            sum(pairing.games for pairing in pairings.get(event.id, ())),
            winner(event, dataset),
        )
        for event in events
    )


def brief(event: Event) -> Event:
    """Return an event with no more than lists show, so that other edits leave them as they are."""
    return Event(
        event.id,
        event.name,
        event.kind,
        event.year,
        event.path,
        completeness=event.completeness,
        players=event.players,
    )


def place_link(event: Event, dataset: Dataset) -> Link | None:
    """Return the link to the place of an event, None where it is not known."""
    return None if event.place is None else link_to(dataset.places[event.place])


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


def winner(event: Event, dataset: Dataset) -> Winner | None:
    """Return who won a complete event, or None where the results do not decide it.

    In a match the higher score wins; in an all-play-all those of most points share the first
    place; in a knock-out the winner is the one who stands first in the file's own list of players,
    or else the only one who lost to nobody.
    """
    if event.completeness != "complete" or event.kind == "team match" or event.unknown_games:
        return None
    if any(result.soft is not None for result in event.results):
        return None  # a score chosen by an editor must not be printed as one that was played
    found = _of_match(event) if event.kind == "match" else _of_tournament(event)
    if found is None:
        return None
    players, score = found
    return Winner(tuple(link_to(dataset.players[player]) for player in players), score)


_Found = tuple[tuple[str, ...], tuple[float, ...]]


def _of_match(event: Event) -> _Found | None:
    points = _points(event)
    if points.keys() != set(event.players):  # without any game that counts in the event
        return None
    best, other = sorted(event.players, key=lambda player: -points[player])
    is_drawn = points[best] == points[other]
    return () if is_drawn else (best,), (points[best], points[other])


def _of_tournament(event: Event) -> _Found | None:
    if event.rounds:
        first = event.players[:1] if "players" in event.lines else _unbeaten(event)
        return (first, ()) if len(first) == 1 else None
    points = _points(event)
    if not points or not (event.has_crosstable or event.games_per_pair):
        return None
    if event.draws_not_scored and {total.player for total in event.totals} != set(event.players):
        return None
    best = max(points.values())
    return tuple(player for player in event.players if points.get(player) == best), (best,)


def _unbeaten(event: Event) -> tuple[str, ...]:
    """Return those whose points against every opponent are more than the opponent's."""
    points: dict[tuple[str, str], float] = {}
    for result in event.results:
        for one, other, scored in (
            (result.first, result.second, result.points_first),
            (result.second, result.first, result.points_second),
        ):
            points[one, other] = points.get((one, other), 0.0) + scored
    beaten = {one for (one, other), scored in points.items() if scored <= points[other, one]}
    return tuple(player for player in event.players if player not in beaten)


def _points(event: Event) -> dict[str, float]:
    """Return everybody's points that count, defaults too; a published total goes before them."""
    points: dict[str, float] = {}
    for result in event.results:
        if result.uncounted is not None:
            continue
        points[result.first] = points.get(result.first, 0.0) + result.points_first
        points[result.second] = points.get(result.second, 0.0) + result.points_second
    points.update((total.player, total.points) for total in event.totals)
    return points
