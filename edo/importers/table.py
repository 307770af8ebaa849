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
- place; start and end: 1851, 1851-05, 1851-05-27 or 27 May 1851; year: if not that of the end or,
  without dates, the last one in the name (1852 of `1851/52`)
- status: as above, for all games; format, series, note: text
- completeness: yes (the table has all pairs or all totals), no, ? (not known), or empty
- names: `surname first` or `surname last`, of names without comma; by default as most of them show
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
from calendar import month_abbr
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
_WORDED = re.compile(r"(?:(\d{1,2})\.? )?([A-Za-z]{3,9})\.? (\d{4})")

Row = Mapping[str, str]
Item = TypeVar("Item")


class Status(NamedTuple):
    """How games were played or count (one of `STATUSES`), and the reason where one is given."""

    word: str = "formal"
    reason: str = ""


FORMAL = Status()


def _no_text() -> Row:
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
    text: Row = field(default_factory=_no_text)

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
    text: Row = field(default_factory=_no_text)


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
            for fields in () if missing else reader:
                row = {key: " ".join((value or "").split()) for key, value in fields.items() if key}
                try:
                    if any(row.values()):  # spreadsheets write rows of separators only
                        items.append(convert(reader.line_num, checked(row)))
                except InvalidValue as bad:
                    place = row.get("event") or row.get("name") or ""
                    log.error(reader.line_num, place, bad.message, bad.hint)
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
    if dates.parse_span(span).end.year != values.year(year):
        raise InvalidValue(f"the dates end in {span[-10:]}, but the year is {year}", "correct one")
    return EventRow(
        line, key, row["name"] or key, KINDS.get(kind, ""), values.year(year),
        span if start or end else None, COMPLETE[row["completeness"].lower()],
        _status(row["status"]), _whole(row, "players"), _whole(row, "games_per_pair"),
        ORDERS[row["names"].lower()], row,
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
    worded = _WORDED.fullmatch(text)
    if worded and worded[2][:3].lower() in _MONTHS:
        day = f"-{int(worded[1]):02d}" if worded[1] else ""
        text = f"{worded[3]}-{_MONTHS[worded[2][:3].lower()]:02d}{day}"
    if not text:
        return ""
    try:
        return str(dates.parse_date(text))
    except InvalidValue:
        raise InvalidValue(f"unknown date {shown(text)}",
                      "write 1883, 1883-04, 1883-04-26 or 26 Apr. 1883") from None  # fmt: skip
