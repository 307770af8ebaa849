"""The list of changes to the site, the file of content/ that has fields."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from edo.core import yaml
from edo.history.fields import MARKDOWN, PLAYER_ID, TEXT, YEAR, Field, Group, Scalar, Several
from edo.history.notation import parse_date
from edo.history.reading import Entry, Known, ProblemLog, plain_fields, read_group
from edo.history.values import InvalidValue, identifier, matched, shown

CHANGES_FILE = "changes.yaml"


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
_FILE = Group("file", (
    Field("changes", Several(_CHANGE), "All changes, the newest first.", "- id: ...",
          required=True),
))
# fmt: on
