"""A whole dataset comes in; entries of the registries that nothing names, and bare events, go out.

A list of odds is taken over whole from its source, so that most kinds of odds wait for a use.
"""

from __future__ import annotations

from collections.abc import Iterator

from edo.core.model import Citation, Dataset, Event
from edo.core.problems import Problem
from edo.history.checks import player_path


def unused_sources(dataset: Dataset) -> Iterator[Problem]:
    """A source that no event, result, total or player cites."""
    used = {citation.source for citation in _citations(dataset)}
    for id_, source in dataset.sources.items():
        if id_ not in used:
            yield _unused("events/sources.yaml", source.line, id_, "nothing cites this source")


def unused_places(dataset: Dataset) -> Iterator[Problem]:
    """A place of no event."""
    used = {event.place for event in dataset.events.values()}
    for id_, place in dataset.places.items():
        if id_ not in used:
            yield _unused("events/places.yaml", place.line, id_, "no event is at this place")


def unused_series(dataset: Dataset) -> Iterator[Problem]:
    """A series of no event."""
    used = {event.series for event in dataset.events.values()}
    for id_, series in dataset.series.items():
        if id_ not in used:
            yield _unused("events/series.yaml", series.line, id_, "no event is of this series")


def unused_players(dataset: Dataset) -> Iterator[Problem]:
    """A player of no event, unless an offhand identity of his is in one."""
    used = {id_ for event in dataset.events.values() for id_ in event.players}
    used |= {dataset.players[id_].offhand_of or id_ for id_ in used if id_ in dataset.players}
    for id_, player in dataset.players.items():
        if id_ not in used:
            yield _unused(player_path(id_), player.line, id_, "no event names this player")


def no_page(dataset: Dataset) -> Iterator[Problem]:
    """An event of which no source says where in it the results stand."""
    for event in dataset.events.values():
        if not any(citation.where for citation in _of_event(event)):
            yield Problem(
                event.path,
                event.lines.get("sources", 1),
                "sources",
                "no source says where in it this stands",
                "add `where`, like `where: p. 12`",
            ).as_warning("no page")


def _citations(dataset: Dataset) -> Iterator[Citation]:
    for event in dataset.events.values():
        yield from _of_event(event)
    for player in dataset.players.values():
        yield from player.sources


def _of_event(event: Event) -> Iterator[Citation]:
    yield from event.sources
    for result in event.results:
        yield from result.sources
    for total in event.totals:
        yield from total.sources


def _unused(path: str, line: int, id_: str, message: str) -> Problem:
    return Problem(path, line, id_, message, "use it, correct the id, or delete it", "warning")
