"""A table of single results in, event and registry files in their canonical form out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from edo import writer
from edo.errors import EdoError, InputError, Problem
from edo.importers.compose import compose
from edo.importers.games import Dropped, Game, players_of, treated
from edo.importers.registers import (
    merged,
    place_entry,
    player_entry,
    player_files,
    source_entry,
    unknown_player,
)
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
from edo.yamlfile import dump

KINDS = ("tournament", "match", "team", "team match")
"""The kinds of events that are imported; published single games of other kinds are no whole scores."""

PLAYER_SOURCE = "players"
"""The field of the rules (event `*`) that names the source of players' dates and countries."""


class ImportRefused(EdoError):
    """Files with other content stand where the import would write; nothing was written."""


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did; `skipped` are the events of other kinds, by kind."""

    events: int
    games: int
    players: int
    written: tuple[Path, ...]
    unchanged: int
    dropped: tuple[Dropped, ...]
    skipped: Mapping[str, int]

    def __str__(self) -> str:
        """Return the report as people read it."""
        lines = [
            f"{self.events} events, {self.games} games, {self.players} players",
            f"{len(self.written)} files written, {self.unchanged} unchanged",
        ]
        lines += [f"{number} events of the kind {kind} left out"
                  for kind, number in sorted(self.skipped.items())]  # fmt: skip
        lines += [
            f"dropped: {d.row.event}: {d.row.white} - {d.row.black}: {d.reason}"
            for d in self.dropped
        ]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class _Tables:
    results: Sequence[ResultRow]
    events: Mapping[str, EventRow]
    players: Mapping[str, PlayerRow]
    standings: Mapping[str, Sequence[Standing]]
    rules: Rules


def import_results(
    table: Path,
    out: Path,
    *,
    events: Path | None = None,
    players: Path | None = None,
    standings: Path | None = None,
    rules: Path | None = None,
    replace: bool = False,
) -> ImportReport:
    """Write an event file for every tournament, match and team match of a table of results.

    `table`, `events`, `players` and `standings` are described in `edo.importers.table`, the folder
    `rules` in `edo.importers.rules`. Event files go to `out/<year>/<id>.yaml`, the registries into
    `out`; their present entries stay. The same tables give the same bytes.
    Raises InputError for bad rows, and ImportRefused where an event file has other content
    already, unless `replace`.
    """
    tables = _tables(table, events, players, standings, rules)
    _check(table, tables)
    rows: dict[str, list[ResultRow]] = defaultdict(list)
    for row in tables.results:
        rows[row.event].append(row)
    chosen = [e for e in tables.events.values() if e.kind in KINDS and rows.get(e.id)]
    games: dict[str, list[Game]] = {}
    dropped: list[Dropped] = []
    for event in chosen:
        games[event.id], left_out = treated(rows[event.id], tables.rules)
        dropped += left_out
    names = {player.id: player.name for player in tables.players.values()}
    files = {
        out / str(event.year) / f"{event.id}.yaml": dump(
            compose(
                event, games[event.id], tables.standings.get(event.id, ()), tables.rules, names
            )
        )
        for event in chosen
    }
    _refuse_conflicts(files, replace)
    named = _named(games, tables)
    files |= _registries(out, chosen, games, named, tables)
    written = _write(files)
    skipped: dict[str, int] = defaultdict(int)
    for event in tables.events.values():
        skipped[event.kind] += event.kind not in KINDS
    return ImportReport(
        len(chosen), sum(map(len, games.values())), len(named), tuple(written),
        len(files) - len(written), tuple(dropped), {k: n for k, n in skipped.items() if n},
    )  # fmt: skip


def _tables(
    table: Path, events: Path | None, players: Path | None, standings: Path | None,
    rules: Path | None,
) -> _Tables:  # fmt: skip
    results = read_results(table)
    by_event: dict[str, list[Standing]] = defaultdict(list)
    for standing in read_standings(standings) if standings else ():
        by_event[standing.event].append(standing)
    return _Tables(
        results,
        read_events(events) if events else _events_of(results),
        read_players(players) if players else _players_of(results),
        by_event,
        read_rules(rules),
    )


def _events_of(results: Sequence[ResultRow]) -> dict[str, EventRow]:
    """Return what the results alone say of their events: the id is the name."""
    rows: dict[str, list[ResultRow]] = defaultdict(list)
    for row in results:
        rows[row.event].append(row)
    events = {}
    for event, own in rows.items():
        dates = sorted(row.date for row in own)
        people = {player for row in own for player in (row.white, row.black)}
        events[event] = EventRow(
            event, "match" if len(people) == 2 else "tournament", event, "", int(dates[-1][:4]),
            dates[0], dates[-1], "unverified" if len(people) == 2 else "partial", (), (),
        )  # fmt: skip
    return events


def _players_of(results: Sequence[ResultRow]) -> dict[str, PlayerRow]:
    """Return players of whom only the id is known."""
    ids = {player for row in results for player in (row.white, row.black)}
    return {player: PlayerRow(player, player, "", "", "", ()) for player in ids}


def _check(path: Path, tables: _Tables) -> None:
    problems: list[Problem] = []
    for row in tables.results:
        if row.event not in tables.events:
            problems.append(Problem(path.as_posix(), row.line, row.event,
                                    "the event is not in the table of events", "add it there"))
        problems += [unknown_player(path, row.line, row.event, player)
                     for player in (row.white, row.black) if player not in tables.players]
        if not row.date and row.event not in tables.events:
            problems.append(Problem(path.as_posix(), row.line, row.event,
                                    "the game has no date", "write at least its year"))
    if problems:
        raise InputError(problems)


def _refuse_conflicts(files: Mapping[Path, str], replace: bool) -> None:
    other = [
        path for path, text in files.items()
        if path.exists() and path.read_text(encoding="utf-8") != text
    ]  # fmt: skip
    if other and not replace:
        listed = "\n".join(f"  {path.as_posix()}" for path in sorted(other))
        raise ImportRefused(
            f"these files have other content than the import would write:\n{listed}\n"
            "keep them by taking the events out of the table, or import with --replace"
        )


def _named(games: Mapping[str, Sequence[Game]], tables: _Tables) -> list[str]:
    ids = {player for own in games.values() for player in players_of(own)}
    ids |= {s.player for event in games for s in tables.standings.get(event, ())}
    return sorted(ids)


def _registries(
    out: Path, chosen: Sequence[EventRow], games: Mapping[str, Sequence[Game]],
    named: Sequence[str], tables: _Tables,
) -> dict[Path, str]:  # fmt: skip
    rules = tables.rules
    source = rules.fields.get("*", {}).get(PLAYER_SOURCE)
    entries = ((player, player_entry(tables.players[player], source)) for player in named)
    places = [rules.place(event.place) for event in chosen]
    known = {rule.source.id: source_entry(rule.source) for rule in rules.sources}
    cited = {
        citation.source
        for event in chosen
        for game in games[event.id]
        for citation in rules.citations(f"{game.row.source}: {game.row.note}", event)
    }
    return {
        **player_files(entries, out / "players"),
        out / "places.yaml": merged(
            out / "places.yaml", {place.id: place_entry(place) for place in places if place}
        ),
        out / "sources.yaml": merged(
            out / "sources.yaml", {**{s: {"title": s} for s in cited - known.keys()}, **known}
        ),
    }


def _write(files: Mapping[Path, str]) -> list[Path]:
    """Write the files that are new or differ, and return them."""
    written = []
    for path, text in sorted(files.items()):
        content = text.encode()
        if not path.exists() or path.read_bytes() != content:
            writer.save(path, content)
            written.append(path)
    return written
