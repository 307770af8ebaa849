"""The files of content/ that have fields: the changes to the site, and who claimed the throne."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from edo.core import yaml
from edo.history.fields import (
    MARKDOWN,
    PLAYER_ID,
    SERIES_ID,
    TEXT,
    URL,
    YEAR,
    Field,
    Group,
    Scalar,
    Several,
)
from edo.history.notation import parse_date
from edo.history.reading import Entry, Known, ProblemLog, plain_fields, read_group
from edo.history.values import InvalidValue, identifier, matched, shown

CHANGES_FILE = "changes.yaml"
THRONE_FILE = "throne.yaml"


def _read(path: Path, group: Group) -> tuple[ProblemLog, Entry | None]:
    node, problems = yaml.read(path, str(path))
    log = ProblemLog(str(path), Known({}), problems)
    return log, None if node is None else read_group(log, group, node)


@dataclass(frozen=True, slots=True)
class Moved:
    """A change of a player's rating [Elo] of a year, and the event that caused most of it."""

    player: str
    year: int
    old: int
    new: int
    event: str | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """One entry: `text` is Markdown; `events` and `players` are the ids of those it touches.

    `moves` are the ratings that it moved most, as they were shown on that day.
    """

    id: str
    date: datetime.date
    title: str
    text: str
    events: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    moves: tuple[Moved, ...] = ()


def read_changes(folder: Path) -> tuple[Change, ...]:
    """Return the changes, none without the file; raises InputError with all errors in it.

    Ids must be unique and the newest entry must come first. Events and players need not exist:
    other histories are built with the same texts.
    """
    if not (folder / CHANGES_FILE).exists():
        return ()
    log, whole = _read(folder / CHANGES_FILE, _FILE)
    items: list[Entry] = [] if whole is None else list(whole.all("changes"))
    lines: dict[str, int] = {}
    for item in items:
        if item.get("id") is not None:
            hint = "give each change an id of its own"
            log.check_once(lines, item.get("id"), item.at("id"), "the id", hint)
    for before, after in pairwise([item for item in items if item.get("date") is not None]):
        if after.get("date") > before.get("date"):
            message = f"{after.get('date')} is later than the entry before it"
            log.error(*after.at("date"), message, "put the newest change first")
    log.refuse()
    return tuple(
        Change(
            **plain_fields(item, _CHANGE),
            moves=tuple(Moved(**plain_fields(move, _MOVE)) for move in item.all("moves")),
        )
        for item in items
    )


@dataclass(frozen=True, slots=True)
class Claim:
    """Who was called the first player of the world, from when to when; what was said, and where."""

    player: str
    start: int
    end: int
    said: str
    where: str
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Passing:
    """A title that passed on without an event on record, to nobody where `player` is None."""

    series: str
    year: int
    said: str
    where: str
    player: str | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Throne:
    """What the page of the throne has beside the events: claims, and titles that passed on."""

    claims: tuple[Claim, ...] = ()
    passings: tuple[Passing, ...] = ()


def read_throne(folder: Path) -> Throne:
    """Return it, empty without the file; raises InputError with all errors in it.

    Players and series need not exist: other histories are built with the same texts.
    """
    if not (folder / THRONE_FILE).exists():
        return Throne()
    log, whole = _read(folder / THRONE_FILE, _THRONE)
    log.refuse()
    claims, changes = ([] if whole is None else whole.all(name) for name in ("claims", "changes"))
    return Throne(
        tuple(
            Claim(start=words.pop("from"), end=words.pop("to"), **words)
            for words in (plain_fields(claim, _CLAIM) for claim in claims)
        ),
        tuple(Passing(**plain_fields(change, _PASSING)) for change in changes),
    )


def _day(text: str) -> datetime.date:
    date = parse_date(text)
    if date.month is None or date.day is None or date.approximate:
        raise InvalidValue(f"{shown(text)} is not a day", "write it like `2026-11-21`")
    return datetime.date(date.year, date.month, date.day)


def _rating(text: str) -> int:
    return int(matched(r"-?[0-9]{1,4}", text, "a rating", "write it like `2763`"))


_EVENT_ID = Scalar("event id", identifier)
_RATING = Scalar("rating", _rating)
# fmt: off
_MOVE = Group("move", (
    Field("player", PLAYER_ID, "Whose rating changed.", "lipke-paul", required=True),
    Field("year", YEAR, "The year of the rating.", "1894", required=True),
    Field("old", _RATING, "The rating before, in whole points.", "2433", required=True),
    Field("new", _RATING, "The rating now.", "2451", required=True),
    Field("event", _EVENT_ID, "The event that changed it most.", "leipzig-1894"),
), known_by="player")
_CHANGE = Group("change", (
    Field("id", Scalar("id", identifier), "Names the change for good: feeds know it by this.",
          "leipzig-1894-whole", required=True),
    Field("date", Scalar("day", _day), "The day on which it was published.", "2026-11-21",
          required=True),
    Field("title", TEXT, "The change in a few words.", "Leipzig 1894 completed", required=True),
    Field("text", MARKDOWN, "What changed and why, in Markdown.", "The table is complete.",
          required=True),
    Field("events", Several(_EVENT_ID), "The events affected.", "[leipzig-1894]"),
    Field("players", Several(PLAYER_ID), "The players affected.", "[lipke-paul]"),
    Field("moves", Several(_MOVE), "The ratings that it changed most.",
          "[{player: lipke-paul, year: 1894, old: 2433, new: 2451}]"),
), known_by="id")
_SAID = Field("said", MARKDOWN, "What was said, in Markdown.", "Called champion.", required=True)
_WHERE = Field("where", TEXT, "Who says so.", "The Field, 1883, page 5", required=True)
_READ_AT = Field("url", URL, "Where it can be read.", "https://example.org/book")
_CLAIM = Group("claim", (
    Field("player", PLAYER_ID, "Who was called the first.", "castle-hugo", required=True),
    Field("from", YEAR, "Since when.", "1845", required=True),
    Field("to", YEAR, "Until when.", "1851", required=True),
    _SAID, _WHERE, _READ_AT,
), known_by="player")
_PASSING = Group("change", (
    Field("series", SERIES_ID, "The id of the series of the title.", "world-championship",
          required=True),
    Field("year", YEAR, "When it passed on.", "1975", required=True),
    Field("player", PLAYER_ID, "To whom; without it, to nobody.", "karpov-anatoly"),
    _SAID, _WHERE, _READ_AT,
), known_by="series")
_THRONE = Group("file", (
    Field("claims", Several(_CLAIM), "Who was called the first player of the world.",
          "- player: ..."),
    Field("changes", Several(_PASSING), "When a title passed on without an event on record.",
          "- series: ..."),
))
_FILE = Group("file", (
    Field("changes", Several(_CHANGE), "All changes, the newest first.", "- id: ...",
          required=True),
))
# fmt: on
