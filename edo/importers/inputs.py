"""The paths of a results table and of its side tables in, everything read and checked out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from edo.errors import InputError, Problem
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
    problems: list[Problem] = []
    for row in (row for rows in tables.results.values() for row in rows):
        where = (path.as_posix(), row.line, row.event)
        event = tables.events.get(row.event)
        if event is None:
            problems.append(Problem(*where, "the event is not in the table of events",
                                    "add it there"))  # fmt: skip
        elif not event.year:
            problems.append(Problem(*where, "no game of the event has a date",
                                    "write at least the year"))  # fmt: skip
        problems += [
            Problem(*where, f"the player {player} is not in the table of players", "add him there")
            for player in (row.white, row.black)
            if player not in tables.players
        ]
    if problems:
        raise InputError(problems)
