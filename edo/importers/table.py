"""Tables of results to import: CSV in UTF-8, with commas, semicolons or tabs, and a header row.

Results: one row per pair of players, per game, or per player's total.
- event: any text that identifies the event, the same in all its rows and in the table of events
- player, opponent: names as printed, or ids; without an opponent the row is the player's total
- points, opponent_points: the score, like 2.5, 2,5, 2½ or 2 1/2; a total has no opponent_points
- games: the number of games; may stand for opponent_points; of a total: the games it counts
- draws: the number of drawn games, if known
- colour: w or b, the player's, in rows of one game
- round: the number or name of the round
- rank: the place of a total in the final table; by default totals are in the order of the rows
- team, opponent_team: in team matches
- odds_giver, odds: the player who gives odds, and their id or name in odds.yaml
- status: formal (the default), casual, soft, default, unrated or uncounted (such as a replayed
  draw); the reason may follow, like `soft: he won two games in three`, or stand in the note
- date: of the game; needed only without a table of events
- note: what else is known
- source, where: the id, title or address of a source, and the page

Events: one row per event. Without this table each event needs a year, in its text or in `date`.
- event: as in the results; name: if it is another
- kind: match, tournament, handicap or team match
- place; start and end: 1851, 1851-05, 1851-05-27, 27 May 1851, 27.05.1851, or 27/05/1851 where some
  date of the table has a day above 12; year: if not that of the end or,
  without dates, the last one in the name (1852 of `1851/52`)
- status: as above, for all games; format, series, note: text
- completeness: yes (the table has all pairs or all totals), no, ? (not known), or empty
- names: `surname first` or `surname last`, of names without comma; by default as most of them show
- win, draw: what they are worth, if not 1 and ½, such as 2 and 1 or 3 and 1
- missing: what is missing; players: how many took part; games_per_pair
- source, where: the main source; references: others, separated by ` | `, each `title; where`

Players: one row per printed name whose identity an editor has decided.
- name: as printed; id: of a player of the history or of a new one
- full_name, born, died, country: of a new player

Required are event, player and points in the results, event in the events, name and id in the
players. Other columns are ignored; classes of a handicap are written into the drafts.
"""

from __future__ import annotations

import csv
import re
from calendar import day_abbr, day_name, month_abbr, month_name
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeVar

from edo.history import notation as dates
from edo.history import values
from edo.history.reading import Known, ProblemLog
from edo.history.values import InvalidValue, shown
from edo.importers.known import span_of, years_in
from edo.importers.people import nobody

KINDS = {
    "match": "match", "tournament": "tournament", "handicap": "tournament",
    "team match": "team match",
}  # fmt: skip
STATUSES = ("formal", "casual", "soft", "default", "unrated", "uncounted")
COMPLETE = {
    "yes": "complete", "complete": "complete", "no": "incomplete", "incomplete": "incomplete",
    "": "", "?": "unverified", "unverified": "unverified",
}  # fmt: skip

ORDERS = {"": None, "surname first": True, "surname last": False}

_MONTHS = {name.lower(): number for number, name in enumerate(month_abbr) if name}
_WORDED = re.compile(
    r"(?:(?P<day>\d{1,2})(?:\.|st|nd|rd|th)? )?(?P<month>[A-Za-z]{3,9})\.?,? (?P<year>\d{4})"
)
_MONTH_FIRST = re.compile(
    r"(?P<month>[A-Za-z]{3,9})\.? (?P<day>\d{1,2})(?:st|nd|rd|th)?,? (?P<year>\d{4})"
)
_NUMBERED = re.compile(r"(\d{1,2})([/.])(\d{1,2})\2(\d{4})")
_SOME_MONTH = "|".join(month_name[1:]) + "|" + "|".join(month_abbr[1:])
_DAY = r"\d{1,2}(?:\.|st|nd|rd|th)?"
_NO_YEAR = re.compile(rf"{_DAY} (?:{_SOME_MONTH})\.?|(?:{_SOME_MONTH})\.? {_DAY}", re.I)
_WEEKDAY = re.compile(rf"^(?:{'|'.join(day_name)}|{'|'.join(day_abbr)})\b[.,]*", re.I)

Row = Mapping[str, str]
Item = TypeVar("Item")


class Status(NamedTuple):
    """How games were played or count (one of `STATUSES`), and the reason where one is given."""

    word: str = "formal"
    reason: str = ""


FORMAL = Status()


def no_text() -> defaultdict[str, str]:
    """Return a row without columns."""
    return defaultdict(str)


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A score of two players as printed, or the total of one (no `opponent`); points in [points].

    `text` has all columns, unchanged.
    """

    line: int
    event: str
    player: str
    opponent: str
    points: float
    opponent_points: float = 0.0
    games: float | None = None
    draws: int | None = None
    rank: float = 0.0
    date: str = ""
    status: Status = FORMAL
    colour: str = ""
    round: str = ""
    text: Row = field(default_factory=no_text)

    @property
    def players(self) -> list[str]:
        """Return the names in the row."""
        return [self.player, self.opponent] if self.opponent else [self.player]


@dataclass(frozen=True, slots=True)
class EventRow:
    """What is known of an event besides its results; `text` has all columns, unchanged."""

    line: int
    key: str
    name: str
    kind: str
    year: int
    dates: str | None
    completeness: str = ""
    status: Status = FORMAL
    players: int | None = None
    games_per_pair: int | None = None
    surname_first: bool | None = None
    likely_first: bool = False
    win: float | None = None
    draw: float | None = None
    text: Row = field(default_factory=no_text)


class PlayerRow(NamedTuple):
    """A printed name whose identity an editor has decided."""

    name: str
    id: str
    entry: Mapping[str, str | None]


def read_results(path: Path) -> list[ResultRow]:
    """Return the rows of a table of results. Raises InputError with every bad row."""
    return _read(path, ("event", "player", "points"), _result)


def read_events(path: Path) -> list[EventRow]:
    """Return the rows of a table of events. Raises InputError with every bad row."""
    found, log = _read(path, ("event",), event_row), ProblemLog(path.as_posix(), Known({}))
    first: dict[str, int] = {}
    for row in found:
        where = row.line, row.key
        log.check_once(first, row.key, where, "the event", "keep one of the two rows")
    log.refuse()
    return found


def read_players(path: Path) -> list[PlayerRow]:
    """Return the rows of a table of players. Raises InputError with every bad row."""
    return _read(path, ("name", "id"), _player)


def _read(path: Path, columns: Sequence[str], convert: Callable[[int, Row], Item]) -> list[Item]:
    items: list[Item] = []
    log = ProblemLog(path.as_posix(), Known({}))
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            head = file.readline()
            file.seek(0)
            reader = csv.DictReader(file, delimiter=max(",;\t", key=head.count))
            reader.fieldnames = [name.strip().lower() for name in reader.fieldnames or ()]
            if missing := [name for name in columns if name not in reader.fieldnames]:
                log.error(1, "", f"no column {', '.join(missing)}", "add it to the header row")
            rows: dict[int, Row] = {}
            for fields in () if missing else reader:
                cells = {
                    key: " ".join((value or "").split()) for key, value in fields.items() if key
                }
                if any(cells.values()):  # spreadsheets write rows of separators only
                    rows[reader.line_num] = cells
            for line, row in zip(rows, _dated([*rows.values()]), strict=True):
                try:
                    items.append(convert(line, checked(row)))
                except InvalidValue as bad:
                    place = row.get("event") or row.get("name") or ""
                    log.error(line, place, bad.message, bad.hint)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        log.error(1, "", f"the table cannot be read ({error})", "save it as CSV in UTF-8")
    log.refuse()
    return items


def checked(row: Row) -> Row:
    """Return the row as event files can hold it; raises InvalidValue. Keys of events are kept."""
    found = defaultdict(str, row)  # absent columns are empty
    for column, value in row.items():
        if value and column != "event":
            read = values.markdown if column in ("note", "references") else values.text
            found[column] = read(value)
    return found


def _result(line: int, row: Row) -> ResultRow:
    player, opponent = _needed(row, "player"), row["opponent"]
    _needed(row, "event")
    for name in filter(nobody, filter(None, (player, opponent))):
        text = f"{shown(name)} is not one person"
        raise InvalidValue(text, "write one id, or leave the row out")
    if player == opponent:
        text = f"{shown(player)} plays against himself"
        raise InvalidValue(text, "correct one of the two players")
    points, games = _number(row, "points"), _number(row, "games")
    against = _number(row, "opponent_points")
    if points is None:
        raise InvalidValue("no points", "write them, or leave the row out")
    if opponent and against is None:
        if games is None or games < points:
            missing = "neither the opponent's points nor enough games"
            raise InvalidValue(missing, "add one of the two")
        against = games - points
    status, draws = _status(row["status"]), _whole(row, "draws", least=0)
    made = points + (against or 0.0)
    giver, colour = row["odds_giver"], row["colour"]
    if opponent and games is not None and made != games and status.word != "default":
        score = f"{row['points']} and {row['opponent_points']} points"
        raise InvalidValue(f"{score} in {row['games']} games", "correct one of them")
    if colour not in ("", "w", "b") or (colour and made != 1):
        raise InvalidValue(f"colour {shown(colour)}", "write w or b, in rows of one game only")
    if giver and giver not in (player, opponent):
        text = f"{shown(giver)} gives odds but does not play"
        raise InvalidValue(text, "write one of the two players")
    if draws is not None and draws > 2 * min(points, against or 0.0):
        text = f"{draws} draws in {row['points']}-{row['opponent_points']}"
        raise InvalidValue(text, "correct them")
    return ResultRow(
        line, row["event"], player, opponent, points, against or 0.0, games, draws,
        _number(row, "rank") or 0.0, _date(row["date"]), status, colour, row["round"], row,
    )  # fmt: skip


def event_row(line: int, row: Row) -> EventRow:
    """Return the row of a table of events; raises InvalidValue."""
    key = _needed(row, "event")
    kind = row["kind"].lower()
    if kind and kind not in KINDS:
        raise InvalidValue(f"unknown kind {shown(row['kind'])}", f"write {', '.join(KINDS)}")
    if row["completeness"].lower() not in COMPLETE:
        raise InvalidValue(
            f"unknown completeness {shown(row['completeness'])}", "write yes, no or ?"
        )
    if row["names"].lower() not in ORDERS:
        hint = "write `surname first` or `surname last`"
        raise InvalidValue(f"unknown order of names {shown(row['names'])}", hint)
    start, end = _date(row["start"]), _date(row["end"])
    named = [str(year) for year in years_in(row["name"] or key)[-1:]]
    year = row["year"] or (end or start)[:4] or "".join(named)
    if not year:
        raise InvalidValue("no year", "write the year in which the event ended")
    span = span_of([start, end], values.year(year))
    if values.year(year) - dates.parse_span(span).end.year not in (0, 1):  # 1: in a season
        raise InvalidValue(f"the dates end in {span[-10:]}, but the year is {year}", "correct one")
    return EventRow(
        line, key, row["name"] or key, KINDS.get(kind, ""), values.year(year),
        span if start or end else None, COMPLETE[row["completeness"].lower()],
        _status(row["status"]), _whole(row, "players"), _whole(row, "games_per_pair"),
        ORDERS[row["names"].lower()], False, _number(row, "win"), _number(row, "draw"), row,
    )  # fmt: skip


def _player(line: int, row: Row) -> PlayerRow:
    born, died = _date(row["born"]), _date(row["died"])
    entry = {"name": row["full_name"] or row["name"], "born": born or None, "died": died or None,
             "country": values.country(row["country"]) if row["country"] else None}  # fmt: skip
    return PlayerRow(_needed(row, "name"), values.identifier(_needed(row, "id")), entry)


def _needed(row: Row, column: str) -> str:
    if not row[column]:
        raise InvalidValue(f"no {column}", "fill it in")
    return row[column]


def _number(row: Row, column: str) -> float | None:
    if not (text := row[column]):
        return None
    try:
        return values.number(re.sub(r",(\d\d?)$", r".\1", re.sub(" ?1/2$", "½", text)))
    except InvalidValue:
        raise InvalidValue(f"{column} {shown(text)}", "write a number like 2, 2.5 or 2½") from None


def _whole(row: Row, column: str, least: int = 1) -> int | None:
    number = _number(row, column)
    if number is not None and (number < least or number % 1):
        raise InvalidValue(f"{column} {shown(row[column])}", f"write a whole number from {least}")
    return None if number is None else int(number)


def _status(text: str) -> Status:
    word, _, reason = text.replace(",", ":").partition(":")
    first, _, rest = word.strip().partition(" ")
    if not text or first == "?":
        return Status()
    if first.lower() not in STATUSES:
        raise InvalidValue(f"unknown status {shown(text)}", f"write one of {', '.join(STATUSES)}")
    return Status(first.lower(), " ".join(f"{rest} {reason}".split()))


def _date(text: str) -> str:
    """Return the date in EDTF, `` where there is none; raises InvalidValue."""
    if not text:
        return ""
    try:
        return str(dates.parse_date(_iso(text)))
    except InvalidValue:
        if stroke := _NUMBERED.fullmatch(text):
            year = stroke[4]
            ways = [f"{year}-{int(stroke[at]):02d}-{int(stroke[4 - at]):02d}" for at in (3, 1)]
            hint = f"write {' or '.join(ways)}; no date of the table has a day above 12"
            if max(int(stroke[1]), int(stroke[3])) <= 12:
                raise InvalidValue(f"{shown(text)} may be two dates", hint) from None
        hint = "write 1883, 1883-04, 1883-04-26, 26 Apr. 1883 or 26/04/1883"
        raise InvalidValue(f"unknown date {shown(text)}", hint) from None


def _iso(text: str, day_first: bool | None = None) -> str:
    """Return a date with the year first; `day_first` of those with strokes, if it is known.

    A text that is no date stays as it is.
    """
    if worded := _WORDED.fullmatch(text) or _MONTH_FIRST.fullmatch(text):
        day, month, year = (worded[name] for name in ("day", "month", "year"))
        if number := _MONTHS.get(month[:3].lower()):
            return f"{year}-{number:02d}" + (f"-{int(day):02d}" if day else "")
    if match := _NUMBERED.fullmatch(text):
        first, second = int(match[1]), int(match[3])
        if match[2] == ".":
            day_first = True
        elif max(first, second) > 12 or first == second:
            day_first = first > 12
        if day_first is not None:
            day, month = (first, second) if day_first else (second, first)
            return f"{match[4]}-{month:02d}-{day:02d}"
    return text


def date_in(text: str) -> str | None:
    """Return the date that a line of a list is, `` of one without a year, None if it is no date."""
    bare = _WEEKDAY.sub("", text).strip(" ,:")
    if _NO_YEAR.fullmatch(bare) or not bare:
        return ""
    if not re.search(r"\d", bare) or re.fullmatch(r"\d{4}", bare):
        return None
    try:
        return _date(bare)
    except InvalidValue:
        return None


def _dated(rows: Sequence[Row]) -> list[Row]:
    """Return the rows with dates that have the year first, as far as the table tells the order."""
    columns = ("date", "start", "end")
    found = [_NUMBERED.fullmatch(row.get(column, "")) for row in rows for column in columns]
    strokes = [match for match in found if match and match[2] == "/"]
    orders = {int(m[1]) > 12 for m in strokes if max(int(m[1]), int(m[3])) > 12}
    order = orders.pop() if len(orders) == 1 else None
    return [
        {name: _iso(text, order) if name in columns else text for name, text in row.items()}
        for row in rows
    ]
