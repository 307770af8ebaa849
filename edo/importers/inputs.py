"""The paths of a results table and of its side tables in, everything read and checked out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from edo.core.problems import InputError, Problem
from edo.importers.rules import Rules, read_rules
from edo.importers.table import (
    EventRow,
    PlayerRow,
    ResultRow,
    Standing,
    read_events,
    read_players,
    read_results,
    read_standings,
)

Row = TypeVar("Row", ResultRow, Standing)


@dataclass(frozen=True, slots=True)
class Sources:
    """Where the tables beside the results are; None where there is no such table."""

    events: Path | None = None
    players: Path | None = None
    standings: Path | None = None
    rules: Path | None = None


def beside(table: Path) -> Sources:
    """Return the side tables in the folder of a results table, as far as they are there."""
    found = {name: table.with_name(f"{name}.csv") for name in ("events", "players", "standings")}
    rules = table.with_name("rules")
    return Sources(
        **{name: path for name, path in found.items() if path.exists() and path != table},
        rules=rules if rules.is_dir() else None,
    )


@dataclass(frozen=True, slots=True)
class Tables:
    """Everything read, the rows by event."""

    results: Mapping[str, Sequence[ResultRow]]
    events: Mapping[str, EventRow]
    players: Mapping[str, PlayerRow]
    standings: Mapping[str, Sequence[Standing]]
    rules: Rules


def read_tables(table: Path, sources: Sources) -> Tables:
    """Return everything read and checked. Raises InputError with every bad row."""
    results = read_results(table)
    tables = Tables(
        _by_event(results),
        read_events(sources.events) if sources.events else _events_of(results),
        read_players(sources.players) if sources.players else _players_of(results),
        _by_event(read_standings(sources.standings) if sources.standings else ()),
        read_rules(sources.rules),
    )
    _check(table, tables)
    return tables


def _by_event(rows: Iterable[Row]) -> dict[str, list[Row]]:
    grouped: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        grouped[row.event].append(row)
    return dict(grouped)


def _events_of(results: Sequence[ResultRow]) -> dict[str, EventRow]:
    """Return what the results alone say of their events: the id is the name."""
    events = {}
    for event, rows in _by_event(results).items():
        dates = sorted(row.date for row in rows if row.date) or ["0"]
        match = len({player for row in rows for player in (row.white, row.black)}) == 2
        kind, complete = ("match", "unverified") if match else ("tournament", "partial")
        events[event] = EventRow(event, kind, event, "", int(dates[-1][:4]), dates[0], dates[-1],
                                 complete, (), ())  # fmt: skip
    return events


def _players_of(results: Sequence[ResultRow]) -> dict[str, PlayerRow]:
    """Return players of whom only the id is known."""
    ids = {player for row in results for player in (row.white, row.black)}
    return {player: PlayerRow(player, player, "", "", "", ()) for player in ids}


def _check(path: Path, tables: Tables) -> None:
    problems = []
    for event, rows in tables.results.items():
        for message, hint in _about(event, rows, tables):
            problems.append(Problem(path.as_posix(), rows[0].line, event, message, hint))
        for row in rows:
            problems += [
                Problem(path.as_posix(), row.line, event, *_not_named(player))
                for player in (row.white, row.black)
                if player not in tables.players
            ]
    if problems:
        raise InputError(problems)


def _not_named(player: str) -> tuple[str, str]:
    return f"the player {player} is not in the table of players", "add him there"


def _about(event: str, rows: Sequence[ResultRow], tables: Tables) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with the event as a whole, and the remedy."""
    row = tables.events.get(event)
    if row is None:
        yield "the event is not in the table of events", "add it there"
        return
    stated = tables.rules.of_event(event)
    people = {player for row in rows for player in (row.white, row.black)}
    if not row.year:
        yield "no game of the event has a date", "write at least the year"
    if row.end and int(row.end[:4]) > row.year and "dates" not in stated:
        yield f"it ends in {row.end[:4]} but counts for {row.year}", "correct one of the two"
    if row.kind == "match" and len(people) != 2 and "kind" not in stated:
        yield f"a match of {len(people)} players", "correct the kind, or add it to the rules"
    for standing in tables.standings.get(event, ()):
        if standing.player not in tables.players:
            yield _not_named(standing.player)
