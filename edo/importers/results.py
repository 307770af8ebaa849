"""A table of single results in, event and registry files in their canonical form out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

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
"""The kinds that are imported: published single games of other kinds are no whole scores."""

Row = TypeVar("Row", ResultRow, Standing)


class ImportRefused(EdoError):
    """Files with other content stand where the import would write; nothing was written."""


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did.

    `kept` are the events whose files were made by hand, `skipped` counts the events of other kinds.
    """

    events: int
    games: int
    players: int
    written: tuple[Path, ...]
    unchanged: int
    kept: tuple[str, ...]
    dropped: tuple[Dropped, ...]
    skipped: Mapping[str, int]

    def __str__(self) -> str:
        """Return the report as people read it."""
        lines = [
            f"{self.events} events, {self.games} games, {self.players} players",
            f"{len(self.written)} files written, {self.unchanged} unchanged",
        ]
        lines += [f"{event}: made by hand, kept as it is" for event in self.kept]
        lines += [f"{number} events of the kind {kind} left out"
                  for kind, number in sorted(self.skipped.items())]  # fmt: skip
        lines += [f"{d.row.event}: {d.row.white} - {d.row.black} dropped: {d.reason}"
                  for d in self.dropped]  # fmt: skip
        return "\n".join(lines)


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
class _Tables:
    results: Mapping[str, Sequence[ResultRow]]
    events: Mapping[str, EventRow]
    players: Mapping[str, PlayerRow]
    standings: Mapping[str, Sequence[Standing]]
    rules: Rules


def import_results(
    table: Path, out: Path, sources: Sources | None = None, *, replace: bool = False
) -> ImportReport:
    """Write an event file for every tournament, match and team match of a table of results.

    `table` and its side tables are described in `edo.importers.table`, the folder of rules in
    `edo.importers.rules`; without `sources` the files beside the table are taken. Event files go to
    `out/<year>/<id>.yaml`, the registries into `out`, where present entries stay. The same tables
    give the same bytes.
    Raises InputError for bad rows, and ImportRefused where an event file has other content
    already, unless `replace`.
    """
    tables = _tables(table, sources or beside(table))
    _check(table, tables)
    chosen = [e for e in tables.events.values() if e.kind in KINDS and tables.results.get(e.id)]
    treatments = {e.id: treated(tables.results[e.id], tables.rules) for e in chosen}
    games = {event: played for event, (played, _) in treatments.items()}
    paths = {e.id: out / str(e.year) / f"{e.id}.yaml" for e in chosen}
    kept = [e.id for e in chosen
            if "by hand" in tables.rules.of_event(e.id) and paths[e.id].exists()]  # fmt: skip
    files = {paths[e.id]: _text(e, games[e.id], tables) for e in chosen if e.id not in kept}
    if not replace:
        _refuse_conflicts(files)
    players = _named(games, tables)
    files |= _registries(out, chosen, games, players, tables)
    written = _write(files)
    skipped = Counter(e.kind for e in tables.events.values() if e.kind not in KINDS)
    return ImportReport(
        len(chosen), sum(map(len, games.values())), len(players), tuple(written),
        len(files) - len(written), tuple(kept),
        tuple(left for _, dropped in treatments.values() for left in dropped), skipped,
    )  # fmt: skip


def _tables(table: Path, sources: Sources) -> _Tables:
    results = read_results(table)
    return _Tables(
        _by_event(results),
        read_events(sources.events) if sources.events else _events_of(results),
        read_players(sources.players) if sources.players else _players_of(results),
        _by_event(read_standings(sources.standings) if sources.standings else ()),
        read_rules(sources.rules),
    )


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


def _check(path: Path, tables: _Tables) -> None:
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


def _text(event: EventRow, games: Sequence[Game], tables: _Tables) -> str:
    names = {player.id: player.name for player in tables.players.values()}
    return dump(compose(event, games, tables.standings.get(event.id, ()), tables.rules, names))


def _refuse_conflicts(files: Mapping[Path, str]) -> None:
    other = [
        path for path, text in files.items()
        if path.exists() and path.read_text(encoding="utf-8") != text
    ]  # fmt: skip
    if other:
        listed = "\n".join(f"  {path.as_posix()}" for path in sorted(other))
        raise ImportRefused(
            f"these files have other content than the import would write:\n{listed}\n"
            "keep one by the field `by hand` in the rules' events.csv, or import with --replace"
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
    source = rules.of_event("*").get("players")
    entries = ((player, player_entry(tables.players[player], source)) for player in named)
    places = {place.id: place_entry(place)
              for event in chosen if (place := rules.place(event.place))}  # fmt: skip
    cited = {
        citation.source: {"title": citation.source}
        for event in chosen
        for game in games[event.id]
        for citation in rules.citations(f"{game.row.source}: {game.row.note}", event)
    }
    known = {rule.source.id: source_entry(rule.source) for rule in rules.sources}
    return {
        **player_files(entries, out / "players"),
        out / "places.yaml": merged(out / "places.yaml", places),
        out / "sources.yaml": merged(out / "sources.yaml", {**cited, **known}),
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
