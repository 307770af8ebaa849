"""Snapshots of the history for comparison, from a built site or from event files just rated.

Both kinds hold the tables of the data files as text. A site may have been written by another
version of the program, so users of a snapshot must allow for missing tables and columns.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar, get_args

from edo.core.problems import EdoError
from edo.export import files
from edo.export.table import History, Table
from edo.history.unknown_games import Basis
from edo.history.values import YEAR_PATTERN
from edo.rating.pairings import Pairing, Side, all_pairings

T = TypeVar("T")
K = TypeVar("K", bound=Any)
Row = Mapping[str, str]
PlayerYear = tuple[str, int]

COMPARED_TABLES = (
    *("ratings", "pairings", "players", "places", "sources", "odds", "series", "citations"),
    *("events", "participants", "rounds", "open_pairs", "results", "games"),
)
TABLES: Mapping[str, Table] = {table.name: table for table in files.TABLES}


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's rating in a year with its standard error [Elo], and the rank in it, if any."""

    rating: float
    deviation: float
    rank: int | None


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """One state of the history; `name` is the site, folder or revision as the user named it.

    `tables` holds rows by table name, with empty text for absent values. `pairings` are all
    pairings that can be rated, None if the snapshot has no table of them.
    """

    name: str
    tables: Mapping[str, tuple[Row, ...]]
    ratings: Mapping[PlayerYear, Rating]
    pairings: tuple[Pairing, ...] | None

    def has(self, *tables: str) -> bool:
        """Whether the snapshot has all these tables."""
        return self.tables.keys() >= set(tables)

    def rows(self, table: str) -> tuple[Row, ...]:
        """Return the rows of a table, none if it is missing."""
        return self.tables.get(table, ())

    def by_id(self, table: str) -> dict[str, Row]:
        """Return the rows of a table by id."""
        return {row["id"]: row for row in self.rows(table) if "id" in row}

    def rated_pairings(self) -> tuple[Pairing, ...]:
        """Return the pairings between rated players, the only ones in a site's data files."""
        rated = {player for player, _ in self.ratings}
        return tuple(
            pairing
            for pairing in self.pairings or ()
            if pairing.first.player in rated and pairing.second.player in rated
        )


def is_site(folder: Path) -> bool:
    """Whether the folder is a built site."""
    return (folder / "data" / "ratings.csv").is_file()


def read_site(folder: Path, name: str) -> Snapshot:
    """Read the data files of a built site. Raises EdoError if they are invalid."""
    paths = {table: folder / "data" / f"{table}.csv" for table in COMPARED_TABLES}
    tables = {table: _read_csv(path) for table, path in paths.items() if path.is_file()}
    ratings = _converted(tables.get("ratings", ()), paths["ratings"], _rating)
    pairings = None
    if "pairings" in tables:
        pairings = tuple(_converted(tables["pairings"], paths["pairings"], _pairing))
    return Snapshot(name, tables, dict(ratings), pairings)


def from_history(history: History, name: str) -> Snapshot:
    """Return the snapshot of a rated history, with the same tables as its data files."""
    definitions = {table: TABLES[table] for table in COMPARED_TABLES}
    tables = {
        table: _parsed(files.csv_bytes(definition, definition.rows(history)).decode())
        for table, definition in definitions.items()
    }
    ratings = dict(_converted(tables["ratings"], name, _rating))
    return Snapshot(name, tables, ratings, all_pairings(history.dataset))


def with_new_ids(old: Snapshot, new: Snapshot) -> Snapshot:
    """Return the old snapshot with the ids that its players and events have in the new one."""
    changed = {kind: renamed_ids(old, new, kind) for kind in ("players", "events")}
    if not any(changed.values()):
        return old
    tables = {name: _renamed(name, rows, changed) for name, rows in old.tables.items()}
    players, events = changed["players"], changed["events"]
    pairings = old.pairings and tuple(
        replace(
            pairing,
            event=events.get(pairing.event, pairing.event),
            first=_renamed_side(pairing.first, players),
            second=_renamed_side(pairing.second, players),
        )
        for pairing in old.pairings
    )
    ratings = {(players.get(id_, id_), year): one for (id_, year), one in old.ratings.items()}
    return replace(old, tables=tables, ratings=ratings, pairings=pairings)


def renamed_ids(old: Snapshot, new: Snapshot, kind: str) -> dict[str, str]:
    """Return new ids by old id, of the records that list an old id under `former_ids`."""
    before, after = old.by_id(kind), new.by_id(kind)
    return {
        former: id_
        for id_, row in after.items()
        for former in filter(None, row.get("former_ids", "").split("|"))
        if former in before and former not in after and id_ not in before
    }


def differences(
    before: Mapping[K, T], after: Mapping[K, T]
) -> Iterator[tuple[K, T | None, T | None]]:
    """Yield sorted keys whose values differ, with both values, None where there is none."""
    for key in sorted(before.keys() | after.keys()):
        was, now = before.get(key), after.get(key)
        if was != now:
            yield key, was, now


def _renamed(
    name: str, rows: Iterable[Row], changed: Mapping[str, Mapping[str, str]]
) -> tuple[Row, ...]:
    kinds = {column: r.table for r in TABLES[name].references for column in r.columns}
    if name in changed:
        kinds["id"] = name
    new_ids = {column: changed[kind] for column, kind in kinds.items() if kind in changed}
    return tuple(
        {c: new_ids[c].get(value, value) if c in new_ids else value for c, value in row.items()}
        for row in rows
    )


def _renamed_side(side: Side, players: Mapping[str, str]) -> Side:
    return replace(side, player=players.get(side.player, side.player))


def _read_csv(path: Path) -> tuple[Row, ...]:
    try:
        return _parsed(path.read_bytes().decode("utf-8-sig"))
    except (UnicodeDecodeError, csv.Error) as error:
        raise EdoError(f"{path}: not a valid CSV file ({error}); rebuild the site") from None


def _parsed(text: str) -> tuple[Row, ...]:
    """Return rows by column; a row that is cut short gets empty text for the missing cells."""
    lines = csv.reader(io.StringIO(text, newline=""), strict=True)
    header = next(lines, [])
    return tuple(
        dict(zip(header, [*line, *[""] * (len(header) - len(line))], strict=False))
        for line in lines
    )


def _converted(rows: Iterable[Row], place: object, convert: Callable[[Row], T]) -> list[T]:
    """Convert the rows of a table; raises EdoError with place and line if one is invalid."""
    found = []
    for line, row in enumerate(rows, start=2):
        try:
            found.append(convert(row))
        except (KeyError, ValueError) as error:
            what = f"column {error} is missing" if isinstance(error, KeyError) else str(error)
            raise EdoError(f"{place}:{line}: {what}; rebuild the site") from None
    return found


def _rating(row: Row) -> tuple[PlayerYear, Rating]:
    known = _finite(row["rating"]), _finite(row["deviation"])
    rating = Rating(*known, int(row["rank"]) if row["rank"] else None)
    return (row["player"], _year(row["year"])), rating


def _pairing(row: Row) -> Pairing:
    basis: Basis = next((b for b in get_args(Basis) if b == row.get("basis")), "results")
    first, second = (_side(row, side) for side in ("a", "b"))
    score, games = _finite(row["score_a"]), _finite(row["games"])
    return Pairing(_year(row["year"]), row["event"], first, second, score, games, basis)


def _side(row: Row, side: str) -> Side:
    points = row[f"odds_points_{side}"]
    odds = row[f"odds_{side}"] or None
    return Side(row[f"player_{side}"], odds, _finite(points) if points else None)


def _year(text: str) -> int:
    # Each year between a player's first and last takes computing time, so limit them.
    if re.fullmatch(YEAR_PATTERN, text) is None:
        raise ValueError(f"{text[:20]} is not a year")
    return int(text)


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is not a finite number")
    return value
