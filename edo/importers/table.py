"""CSV tables of single results in, checked rows out; every bad row is named with its line.

The tables are UTF-8 with a header row. Columns that are not listed here are ignored.

- results: `event_id, date, round, white_id, black_id, result` and perhaps `source, note`; `result`
  is White's score (1, 0.5, 0), `round` a number (`3`, `3.1`) or empty;
- events: `id, kind, name, year` and perhaps `place, start, end, complete, header_event,
  header_site`; kinds as in the table, chosen by the caller;
- players: `id, name` and perhaps `born, died, country, aliases` (aliases divided by `|`; the
  country `XXX` is unknown);
- standings: `event_id, player_id, score` and perhaps `games, source, note`, best first.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from edo.core.problems import InputError, Problem

UNKNOWN_COUNTRY = "XXX"  # as spelling files of chess databases write it

SCORES = {"1": 1.0, "0.5": 0.5, "½": 0.5, "1/2": 0.5, "0": 0.0}

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_DATE = re.compile(r"\d{4}(-\d{2}(-\d{2})?)?")
_ROUND = re.compile(r"\d+(\.\d+)?")

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One game of the table; `score` is White's [points]; `round` of `3.1` is (3, 1)."""

    event: str
    date: str
    round: tuple[int, ...]
    white: str
    black: str
    score: float
    source: str
    note: str
    line: int


@dataclass(frozen=True, slots=True)
class EventRow:
    """What the table of events says of one; `complete` is `full`, `partial` or `unverified`."""

    id: str
    kind: str
    name: str
    place: str
    year: int
    start: str
    end: str
    complete: str
    headers: tuple[str, ...]
    sites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """What the table of players says of one."""

    id: str
    name: str
    born: str
    died: str
    country: str
    spellings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """A published total [points]; `games` is empty where it is not stated."""

    event: str
    player: str
    points: str
    games: str
    source: str
    note: str


class _Bad(Exception):
    def __init__(self, place: str, message: str, hint: str) -> None:
        super().__init__(message)
        self.place, self.message, self.hint = place, message, hint


def read_results(path: Path) -> list[ResultRow]:
    """Return the games of a results table. Raises InputError with every bad row."""
    return _read(path, ("event_id", "date", "white_id", "black_id", "result"), _result)


def read_events(path: Path) -> dict[str, EventRow]:
    """Return the events of an events table by id. Raises InputError with every bad row."""
    return {row.id: row for row in _read(path, ("id", "kind", "name", "year"), _event)}


def read_players(path: Path) -> dict[str, PlayerRow]:
    """Return the players of a players table by id. Raises InputError with every bad row."""
    return {row.id: row for row in _read(path, ("id", "name"), _player)}


def read_standings(path: Path) -> list[Standing]:
    """Return the published totals in their order. Raises InputError with every bad row."""
    return _read(path, ("event_id", "player_id", "score"), _standing)


def read_rows(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the line and the fields of each row of a CSV file; absent fields are empty text.

    Raises InputError where the file cannot be read or lacks one of `columns`.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            missing = [name for name in columns if name not in (reader.fieldnames or ())]
            if missing:
                raise InputError(
                    [
                        _problem(
                            path,
                            1,
                            _Bad("", f"no column {', '.join(missing)}", "add it to the header row"),
                        )
                    ]
                )
            for row in reader:
                yield reader.line_num, {k: (v or "").strip() for k, v in row.items() if k}
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(
            [
                _problem(
                    path,
                    1,
                    _Bad("", f"the table cannot be read ({error})", "give a CSV file in UTF-8"),
                )
            ]
        ) from None


def _read(
    path: Path, columns: Sequence[str], convert: Callable[[int, Mapping[str, str]], Item]
) -> list[Item]:
    items, problems = [], []
    for line, row in read_rows(path, columns):
        try:
            items.append(convert(line, row))
        except _Bad as bad:
            problems.append(_problem(path, line, bad))
    if problems:
        raise InputError(problems)
    return items


def _problem(path: Path, line: int, bad: _Bad) -> Problem:
    return Problem(path.as_posix(), line, bad.place, bad.message, bad.hint)


def _result(line: int, row: Mapping[str, str]) -> ResultRow:
    event = _id(row["event_id"], "event_id")
    white, black = _id(row["white_id"], "white_id"), _id(row["black_id"], "black_id")
    if white == black:
        raise _Bad(event, f"{white} plays against himself", "correct one of the two players")
    if row["result"] not in SCORES:
        raise _Bad(event, f"unknown result {row['result']!r}", "write White's score: 1, 0.5 or 0")
    number = row.get("round", "")
    if number and not _ROUND.fullmatch(number):
        raise _Bad(event, f"unknown round {number!r}", "write a number or leave it empty")
    return ResultRow(
        event, _date(row["date"], event), tuple(int(n) for n in number.split(".") if n), white,
        black, SCORES[row["result"]], row.get("source", ""), row.get("note", ""), line,
    )  # fmt: skip


def _event(line: int, row: Mapping[str, str]) -> EventRow:
    event = _id(row["id"], "id")
    if not re.fullmatch(r"\d{4}", row["year"]):
        raise _Bad(event, f"unknown year {row['year']!r}", "write the four digits of the year")
    if not row["name"]:
        raise _Bad(event, "the event has no name", "name it")
    return EventRow(
        event, row["kind"], row["name"], row.get("place", ""), int(row["year"]),
        _date(row.get("start", ""), event), _date(row.get("end", ""), event),
        row.get("complete", ""), _names(row.get("header_event", "")),
        _names(row.get("header_site", "")),
    )  # fmt: skip


def _player(line: int, row: Mapping[str, str]) -> PlayerRow:
    player = _id(row["id"], "id")
    if not row["name"]:
        raise _Bad(player, "the player has no name", "name him")
    return PlayerRow(
        player, row["name"], _date(row.get("born", ""), player),
        _date(row.get("died", ""), player), _country(row.get("country", "")),
        tuple(name for name in _names(row.get("aliases", "")) if name != row["name"]),
    )  # fmt: skip


def _country(text: str) -> str:
    return "" if text == UNKNOWN_COUNTRY else text


def _standing(line: int, row: Mapping[str, str]) -> Standing:
    event = _id(row["event_id"], "event_id")
    for column in ("score", "games"):
        if row.get(column) and not re.fullmatch(r"\d+(\.\d+)?", row[column]):
            raise _Bad(event, f"unknown {column} {row[column]!r}", "write a number")
    return Standing(
        event, _id(row["player_id"], "player_id"), row["score"], row.get("games", ""),
        row.get("source", ""), row.get("note", ""),
    )  # fmt: skip


def _id(text: str, column: str) -> str:
    if not _ID.fullmatch(text):
        raise _Bad(column, f"{text!r} is no id", "write lower-case words divided by hyphens")
    return text


def _date(text: str, place: str) -> str:
    if text and not _DATE.fullmatch(text):
        raise _Bad(place, f"unknown date {text!r}", "write 1883, 1883-04 or 1883-04-26")
    return text


def _names(text: str) -> tuple[str, ...]:
    """Return the names of a list divided by `|`; `?` is the mark of headers for nothing known."""
    return tuple(dict.fromkeys(name.strip() for name in text.split("|") if name.strip() not in "?"))
