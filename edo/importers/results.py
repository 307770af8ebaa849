"""A table of single results in, event and registry files in their canonical form out."""

from __future__ import annotations

import argparse
import inspect
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from edo.core import files as writer
from edo.core.problems import EdoError
from edo.core.yaml import dump
from edo.importers import rules, table
from edo.importers.compose import compose
from edo.importers.games import Dropped, Game, by_default, players_of, treated
from edo.importers.inputs import Sources, Tables, beside, read_tables
from edo.importers.registers import (
    merged,
    place_entry,
    player_entry,
    player_files,
    series_entry,
    source_entry,
)
from edo.importers.table import EventRow

KINDS = ("tournament", "match", "team", "team match")
"""The kinds that are imported: published single games of other kinds are no whole scores."""


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


def import_results(
    table: Path, out: Path, sources: Sources | None = None, *, overwrite: bool = False
) -> ImportReport:
    """Write an event file for every tournament, match and team match of a table of results.

    `table` and its side tables are described in `edo.importers.table`, the folder of rules in
    `edo.importers.rules`; without `sources` the files beside the table are taken. Event files go to
    `out/<year>/<id>.yaml`, the registries into `out`, where present entries stay. The same tables
    give the same bytes.
    Raises InputError for bad rows, and ImportRefused where an event file has other content
    already, unless `overwrite`.
    """
    tables = read_tables(table, sources or beside(table))
    treatments = {
        event.id: treated(tables.results.get(event.id, ()), tables.rules)
        for event in tables.events.values()
        if event.kind in KINDS
    }
    games = {
        event: [*played, *by_default(tables.rules, event)]
        for event, (played, _) in treatments.items()
        if played
    }
    chosen = [tables.events[event] for event in games]
    by_hand = {e.id for e in chosen if "by hand" in tables.rules.of_event(e.id)}
    kept = [e.id for e in chosen if e.id in by_hand and _path(out, e).exists()]
    files = _event_files(out, [e for e in chosen if e.id not in kept], games, tables)
    if not overwrite:
        _refuse_conflicts(files)
    players = _named(games, tables)
    files |= _registries(out, chosen, games, players, tables)
    written = _write(files)
    skipped = Counter(e.kind for e in tables.events.values() if e.kind not in KINDS)
    played = sum(game.has_row for own in games.values() for game in own)
    return ImportReport(
        len(chosen), played, len(players), tuple(written), len(files) - len(written), tuple(kept),
        tuple(left for _, dropped in treatments.values() for left in dropped), skipped,
    )  # fmt: skip


def _path(out: Path, event: EventRow) -> Path:
    return out / str(event.year) / f"{event.id}.yaml"


def _event_files(
    out: Path, events: Sequence[EventRow], games: Mapping[str, Sequence[Game]], tables: Tables
) -> dict[Path, str]:
    names = {player.id: player.name for player in tables.players.values()}
    return {
        _path(out, e): dump(
            compose(e, games[e.id], tables.standings.get(e.id, ()), tables.rules, names)
        )
        for e in events
    }


def _refuse_conflicts(files: Mapping[Path, str]) -> None:
    other = [
        path for path, text in files.items()
        if path.exists() and path.read_bytes() != text.encode()
    ]  # fmt: skip
    if other:
        listed = "\n".join(f"  {path.as_posix()}" for path in sorted(other))
        raise ImportRefused(
            f"these files have other content than the import would write:\n{listed}\n"
            "keep one by the field `by hand` in the rules' events.csv, or import with --replace"
        )


def _named(games: Mapping[str, Sequence[Game]], tables: Tables) -> list[str]:
    ids = {player for own in games.values() for player in players_of(own)}
    ids |= {s.player for event in games for s in tables.standings.get(event, ())}
    return sorted(ids)


def _registries(
    out: Path, chosen: Sequence[EventRow], games: Mapping[str, Sequence[Game]],
    named: Sequence[str], tables: Tables,
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
        if game.has_row
        for citation in rules.citations(f"{game.row.source}: {game.row.note}", event)
    }
    named_series = {stated["series"] for event in chosen
                    if "series" in (stated := rules.of_event(event.id))}  # fmt: skip
    series = {one: series_entry(rules.series[one]) for one in named_series}
    known = {rule.source.id: source_entry(rule.source) for rule in rules.sources}
    return {
        **player_files(entries, out / "players"),
        out / "places.yaml": merged(out / "places.yaml", places),
        out / "sources.yaml": merged(out / "sources.yaml", {**cited, **known}),
        **({out / "series.yaml": merged(out / "series.yaml", series)} if series else {}),
    }


def _write(files: Mapping[Path, str]) -> list[Path]:
    """Write the files that are new or differ, and return them."""
    written = []
    for path, text in sorted(files.items()):
        content = text.encode()
        if not path.exists() or path.read_bytes() != content:
            writer.write_file(path, content)
            written.append(path)
    return written


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Give the verb `import-results` its arguments."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = f"{inspect.getdoc(table)}\n\n{inspect.getdoc(rules)}"
    parser.add_argument("table", type=Path, help="CSV: event_id, date, white_id, black_id, result")
    for name in ("events", "players", "standings"):
        parser.add_argument(f"--{name}", type=Path, help=f"default: {name}.csv beside the table")
    parser.add_argument("--rules", type=Path, help="default: the folder rules beside the table")
    parser.add_argument("--out", type=Path, default=Path("events"), help="the folder of the files")
    parser.add_argument("--replace", action="store_true", help="overwrite files that differ")


def run(options: argparse.Namespace) -> None:
    """Import as the arguments say, and print the report."""
    given = {
        name: getattr(options, name)
        for name in ("events", "players", "standings", "rules")
        if getattr(options, name) is not None
    }
    sources = replace(beside(options.table), **given)
    print(import_results(options.table, options.out, sources, overwrite=options.replace))
