"""A built site or a history in; its tables as text and its pairings out, to be held to another.

Both become the tables of the data files: other versions of the program may have written a site,
so whoever reads an edition has to do without columns and tables that are not there.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import get_args

from edo.core.problems import EdoError
from edo.export import files
from edo.export.table import History, Table
from edo.history.values import YEAR_PATTERN
from edo.rating.from_totals import Basis
from edo.rating.pairings import Pairing, Side, all_pairings

Row = Mapping[str, str]

WANTED = (
    *("ratings", "pairings", "players", "places", "sources", "odds", "series", "citations"),
    *("events", "participants", "rounds", "byes", "open_pairs", "results", "games"),
)
TABLES: Mapping[str, Table] = {table.name: table for table in files.TABLES}
NEEDED = ("player", "year", "rating", "deviation", "rank")
"""Columns of the table of ratings, which every edition has had."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's rating of a year with its deviation [Elo], and his rank in the year's list."""

    rating: float
    deviation: float
    rank: int


@dataclass(frozen=True, slots=True, eq=False)
class Edition:
    """One state of the history, `name`d as whoever asked for it did.

    `tables` holds rows by the name of their table, the empty text standing for what is absent;
    `pairings` is all that can be rated, None where the edition does not tell.
    """

    name: str
    tables: Mapping[str, tuple[Row, ...]]
    ratings: Mapping[tuple[str, int], Rating]
    pairings: tuple[Pairing, ...] | None

    def has(self, table: str) -> bool:
        """Whether the edition has the table at all."""
        return table in self.tables

    def rows(self, table: str) -> tuple[Row, ...]:
        """Return the rows of a table, none where it is not there."""
        return self.tables.get(table, ())

    def rated_pairings(self) -> tuple[Pairing, ...]:
        """Return the pairings of those who are rated, which is all that sites tell of."""
        rated = {player for player, _ in self.ratings}
        return tuple(
            one
            for one in self.pairings or ()
            if one.first.player in rated and one.second.player in rated
        )

    def by_id(self, table: str) -> dict[str, Row]:
        """Return the rows of a table by their ids."""
        return {row["id"]: row for row in self.rows(table) if "id" in row}


def is_site(folder: Path) -> bool:
    """Whether the folder is a built site."""
    return (folder / "data" / "ratings.csv").is_file()


def read_site(folder: Path, name: str) -> Edition:
    """Return what the data files of a built site hold. Raises EdoError where they are broken."""
    tables = {}
    for table in WANTED:
        path = folder / "data" / f"{table}.csv"
        if path.is_file():
            tables[table] = _rows(path)
    source = folder / "data" / "ratings.csv"
    pairings = tables.get("pairings")
    return Edition(
        name,
        tables,
        _ratings(tables.get("ratings", ()), str(source)),
        None if pairings is None else _pairings(pairings, str(source.with_name("pairings.csv"))),
    )


def of_history(history: History, name: str) -> Edition:
    """Return a history just rated as its data files would tell it."""
    tables = {table: _parsed(_csv(TABLES[table], history)) for table in WANTED}
    ratings = _ratings(tables["ratings"], name)
    return Edition(name, tables, ratings, all_pairings(history.dataset))


def with_new_ids(old: Edition, new: Edition) -> Edition:
    """Return the old edition with the ids that its players and events bear in the new one."""
    changed = {kind: moved_ids(old, new, kind) for kind in ("players", "events")}
    if not any(changed.values()):
        return old
    tables = {name: _renamed(name, rows, changed) for name, rows in old.tables.items()}
    players, events = changed["players"], changed["events"]
    pairings = old.pairings and tuple(
        replace(
            one,
            event=events.get(one.event, one.event),
            first=replace(one.first, player=players.get(one.first.player, one.first.player)),
            second=replace(one.second, player=players.get(one.second.player, one.second.player)),
        )
        for one in old.pairings
    )
    ratings = {(players.get(id_, id_), year): one for (id_, year), one in old.ratings.items()}
    return replace(old, tables=tables, ratings=ratings, pairings=pairings)


def moved_ids(old: Edition, new: Edition, kind: str) -> dict[str, str]:
    """Return the new id of each record that the new edition says to have had an old one."""
    before, after = old.by_id(kind), new.by_id(kind)
    return {
        former: id_
        for id_, row in after.items()
        for former in filter(None, row.get("former_ids", "").split("|"))
        if former in before and former not in after and id_ not in before
    }


def _renamed(
    name: str, rows: Iterable[Row], changed: Mapping[str, Mapping[str, str]]
) -> tuple[Row, ...]:
    kinds = {column: r.table for r in TABLES[name].references for column in r.columns}
    if name in changed:
        kinds["id"] = name
    named = {column: changed[kind] for column, kind in kinds.items() if kind in changed}
    return tuple(
        {c: named[c].get(value, value) if c in named else value for c, value in row.items()}
        for row in rows
    )


def _csv(table: Table, history: History) -> str:
    return files.csv_bytes(table, table.rows(history)).decode()


def _rows(path: Path) -> tuple[Row, ...]:
    try:
        return _parsed(path.read_bytes().decode("utf-8-sig"))
    except (UnicodeDecodeError, csv.Error) as error:
        raise EdoError(f"{path}: is no CSV file of a site ({error}); build the site anew") from None


def _parsed(text: str) -> tuple[Row, ...]:
    """Return rows by column; a row cut short has the empty text for what it lacks."""
    lines = csv.reader(io.StringIO(text, newline=""), strict=True)
    header = next(lines, [])
    return tuple(
        dict(zip(header, [*line, *[""] * (len(header) - len(line))], strict=False))
        for line in lines
    )


def _ratings(rows: Iterable[Row], place: str) -> dict[tuple[str, int], Rating]:
    found = {}
    for number, row in enumerate(rows, start=2):
        try:
            player, year, rating, deviation, rank = (row[name] for name in NEEDED)
            found[player, _year(year)] = Rating(_finite(rating), _finite(deviation), int(rank))
        except (KeyError, ValueError) as error:
            raise _unreadable(place, number, error) from None
    return found


def _pairings(rows: Iterable[Row], place: str) -> tuple[Pairing, ...]:
    found = []
    for number, row in enumerate(rows, start=2):
        try:
            found.append(_pairing(row))
        except (KeyError, ValueError) as error:
            raise _unreadable(place, number, error) from None
    return tuple(found)


def _pairing(row: Row) -> Pairing:
    basis: Basis = next((b for b in get_args(Basis) if b == row.get("basis")), "results")
    first, second = (
        Side(row[f"player_{one}"], row[f"odds_{one}"] or None, _perhaps(row[f"odds_points_{one}"]))
        for one in ("a", "b")
    )
    score, games = _finite(row["score_a"]), _finite(row["games"])
    return Pairing(_year(row["year"]), row["event"], first, second, score, games, basis)


def _perhaps(text: str) -> float | None:
    return _finite(text) if text else None


def _year(text: str) -> int:
    if re.fullmatch(YEAR_PATTERN, text) is None:  # each year between two makes work
        raise ValueError(f"{text[:20]} is not a year")
    return int(text)


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is no number")
    return value


def _unreadable(place: str, line: int, error: Exception) -> EdoError:
    what = f"there is no column {error}" if isinstance(error, KeyError) else str(error)
    return EdoError(f"{place}:{line}: {what}; build the site anew")
