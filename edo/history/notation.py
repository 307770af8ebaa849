"""Notation of scores, games, crosstable cells and dates: parsing and writing."""

from __future__ import annotations

import calendar
import datetime
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from edo.core.model import Colour, DateSpan, Mark, MarkValue, PartialDate
from edo.history.values import (
    NUMBER_PATTERN,
    YEARS,
    InvalidValue,
    matched,
    number,
    plain_hyphens,
    shown,
)

TOLERANCE = 1e-9  # [points] sums of halves are exact; this only allows for decimal soft scores

_MAX_SCORE = 40  # [characters] keeps the matching of blanks short

MAX_GAMES = 300  # [games] of one list or cell; the longest of the first 800 events has 32

_GAME = r"[10=½+-][wb]?"
_COUNTS_FORM = r"(\+[0-9]{1,5})?\s*(-[0-9]{1,5})?\s*(=[0-9]{1,5})?"
SCORE_PATTERN = rf"\s*({NUMBER_PATTERN})\s*-\s*({NUMBER_PATTERN})\s*|(?=[-+=]){_COUNTS_FORM}"
PROPORTION_PATTERN = rf"({NUMBER_PATTERN})/({NUMBER_PATTERN})"
GAMES_PATTERN = rf"\s*({_GAME}\s*)+"

_POINTS = re.compile(rf"\s*({NUMBER_PATTERN})\s*-\s*({NUMBER_PATTERN})\s*")
_COUNTS = re.compile(rf"\s*(?=[-+=]){_COUNTS_FORM}\s*")
_ONE_GAME = re.compile(r"([10=½+-])([wb])?")
_HOW_GAMES = (
    "write games in order, each `1` (won), `0` (lost), `=` (drawn), `+` or `-` (without play) with "
    "`w` or `b` behind"
)
_AS_PRINTED = {"1-0", "0-1", "½-½", "=-="}  # else read as three games, one of them a default
_OPPOSITE: dict[str, str] = {"1": "0", "0": "1", "=": "=", "+": "-", "-": "+", "w": "b", "b": "w"}


@dataclass(frozen=True, slots=True)
class Score:
    """Points of the first-named and of the second [points], and the draws where they are stated."""

    first: float
    second: float
    draws: float | None = None


@dataclass(frozen=True, slots=True)
class Proportion:
    """A share of the points as a source gives it; `share` is from 0 to 1."""

    text: str
    share: float


@dataclass(frozen=True, slots=True)
class Cell:
    """What a crosstable says of a pair, from the row's player's side.

    `played` is False for the empty mark. `unknown` says that some game's result is not known.
    """

    marks: tuple[Mark, ...] = ()
    unknown: bool = False
    played: bool = True

    def __str__(self) -> str:
        """Return the cell as the files write it."""
        if not self.played:
            return "_"
        return "".join(map(mark_text, self.marks)) + ("?" if self.unknown else "")


@plain_hyphens
def parse_score(text: str) -> Score:
    """Return the score that `8-3` (points) or `+7 -2 =2` (wins, losses, draws) states.

    Raises InvalidValue for any other form.
    """
    short = text if len(text) <= _MAX_SCORE else ""
    if match := _POINTS.fullmatch(short):
        return Score(number(match[1]), number(match[3]))
    match = _COUNTS.fullmatch(short)
    if match is None:
        raise InvalidValue(f"{shown(text)} is not a score", "write it like `8-3` or `+7 -2 =2`")
    wins, losses, draws = (int(count[1:]) if count else 0 for count in match.groups())
    return Score(wins + draws / 2, losses + draws / 2, float(draws))


@plain_hyphens
def parse_proportion(text: str) -> Proportion:
    """Return the proportion that `400/600` (points of games) states; raises InvalidValue."""
    matched(PROPORTION_PATTERN, text, "a proportion", "write it like `400/600`")
    points, games = map(number, text.split("/"))
    if games == 0 or points > games:
        message = f"{number_text(points)} points of {number_text(games)} games"
        raise InvalidValue(message, "write the points of the first-named, then the games")
    return Proportion(text, points / games)


@plain_hyphens
def parse_games(text: str) -> tuple[Mark, ...]:
    """Return the games of a list like `1w 0b = +`, blanks left aside; raises InvalidValue."""
    words = text.split()
    joined, apart = "".join(words), " ".join(words)
    if printed := next((word for word in (joined, *words) if word in _AS_PRINTED), None):
        raise _one_result(printed)
    counts = _COUNTS.fullmatch(apart)
    if any(map(_POINTS.fullmatch, (apart, *words))) or (counts and counts.groups().count(None) < 2):
        hint = "write a score as `score`, and games with their colours, like `1w 0b`"
        raise InvalidValue(f"{shown(text)} could be a score or games", hint)
    marks = _marks(joined)
    if not marks:
        raise InvalidValue(f"{shown(text)} is not a list of games", _HOW_GAMES)
    return marks


@lru_cache(maxsize=4096)  # a table repeats few different cells many times
@plain_hyphens
def parse_cell(text: str) -> Cell:
    """Return what one cell of a crosstable says (not the diagonal's); raises InvalidValue."""
    if text == "_":
        return Cell(played=False)
    if text in _AS_PRINTED:
        raise _one_result(text)
    unknown = text.endswith("?")
    marks = _marks(text[:-1] if unknown else text)
    if marks is None or not (marks or unknown):
        hint = f"{_HOW_GAMES}, or `_` for not played, `?` for unknown"
        raise InvalidValue(f"{shown(text)} is not a cell", hint)
    return Cell(marks, unknown)


def _one_result(text: str) -> InvalidValue:
    hint = f"write the first one's result of one game, `{text[0]}`, or three with their colours"
    return InvalidValue(f"{shown(text)} could be one game or three", hint)


def _marks(text: str) -> tuple[Mark, ...] | None:
    marks: list[Mark] = []
    place = 0
    if len(text) > 2 * MAX_GAMES:
        raise InvalidValue(f"more than {MAX_GAMES} games", "divide them")
    while match := _ONE_GAME.match(text, place):
        value = "=" if match[1] == "½" else match[1]
        marks.append(Mark(cast(MarkValue, value), cast("Colour | None", match[2])))
        place = match.end()
    return tuple(marks) if place == len(text) else None


def mark_text(mark: Mark) -> str:
    """Return one game as the files write it."""
    return mark.value + (mark.colour or "")


def number_text(value: float) -> str:
    """Return points as the files write them: `2½`, `3`, `½`, or decimals for soft scores."""
    whole, rest = divmod(value, 1)
    if rest == 0.5:
        return f"{whole:.0f}½" if whole else "½"
    return f"{value:.0f}" if rest == 0 else f"{value:.4f}".rstrip("0")


def opposite(mark: Mark) -> Mark:
    """Return the same game from the opponent's side; that of `-` is `+`."""
    colour = None if mark.colour is None else _OPPOSITE[mark.colour]
    return Mark(cast(MarkValue, _OPPOSITE[mark.value]), cast("Colour | None", colour))


@lru_cache(maxsize=4096)
def mirrors(cell: Cell, other: Cell) -> bool:
    """Whether the two cells of a pair agree game by game; `-` against `-`: both forfeited."""
    if (cell.played, cell.unknown) != (other.played, other.unknown):
        return False
    return len(cell.marks) == len(other.marks) and all(
        (back.value == _OPPOSITE[mark.value] or mark.value == back.value == "-")
        and back.colour == (mark.colour and _OPPOSITE[mark.colour])
        for mark, back in zip(cell.marks, other.marks, strict=True)
    )


DATE_PATTERN = r"[12][0-9]{3}(-[0-9]{2}(-[0-9]{2})?)?~?"
SPAN_PATTERN = rf"{DATE_PATTERN}(/{DATE_PATTERN})?"

_DATE = re.compile(r"([12][0-9]{3})(?:-([0-9]{2})(?:-([0-9]{2}))?)?(~)?")
_OTHER_YEAR = re.compile(r"[0-9]{1,6}(-[0-9]{2}){0,2}~?")
_DAY_FIRST = re.compile(r"\b[0-9]{1,2}/[0-9]{1,2}/[0-9]{2,4}\b")
_HOW = "write `1883`, `1883-04` or `1883-04-26`, with a `~` behind where it is only about"


@plain_hyphens
def parse_date(text: str) -> PartialDate:
    """Return a single date: `1883`, `1883-04`, `1883-04-26`, each perhaps with a trailing `~`.

    Raises InvalidValue for any other form and for days that never were.
    """
    match = _DATE.fullmatch(text)
    if match is None and _OTHER_YEAR.fullmatch(text):
        message = f"{shown(text)} is not a date in a year {YEARS}"
        raise InvalidValue(message, "correct the year; it has four digits")
    if match is None:
        raise InvalidValue(f"{shown(text)} is not a date", _HOW)
    year, month, day, about = match.groups()
    if month and not 1 <= int(month) <= 12:
        raise InvalidValue(f"{shown(text)} has the month {month}", "write a month from 01 to 12")
    days = calendar.monthrange(int(year), int(month))[1] if month else 31
    if day and not 1 <= int(day) <= days:
        hint = f"write a day from 01 to {days} or leave it out"
        raise InvalidValue(f"{shown(text)} is a day that never was", hint)
    parts = int(month) if month else None, int(day) if day else None
    return PartialDate(int(year), *parts, about is not None)


@plain_hyphens
def parse_span(text: str) -> DateSpan:
    """Return a date, or two joined by `/`; raises InvalidValue, also where they are exchanged."""
    if _DAY_FIRST.search(text):
        hint = "write the year first and hyphens, like `2024-01-14`"
        raise InvalidValue(f"{shown(text)} is not a date", hint)
    parts = [part.strip() for part in text.split("/")]
    if len(parts) > 2:
        hint = "write the first and the last day"
        raise InvalidValue(f"{shown(text)} joins more than two dates", hint)
    start, end = parse_date(parts[0]), parse_date(parts[-1])
    if first_day(start) > last_day(end):
        raise InvalidValue(f"{shown(text)} ends before it starts", "exchange the two dates")
    return DateSpan(start, end)


def first_day(date: PartialDate) -> datetime.date:
    """Return the earliest day that the date can mean (a `~` left aside)."""
    return datetime.date(date.year, date.month or 1, date.day or 1)


def last_day(date: PartialDate) -> datetime.date:
    """Return the latest day that the date can mean (a `~` left aside)."""
    month = date.month or 12
    return datetime.date(date.year, month, date.day or calendar.monthrange(date.year, month)[1])
