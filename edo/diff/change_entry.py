"""What moved and `changes.yaml` in; the file with an entry that tells of it out.

The entry is put before all others and the rest of the file stays as it is, comments too.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from edo.core import formats, yaml
from edo.core import text as letters
from edo.core.problems import EdoError
from edo.core.yaml import Plain
from edo.diff import report
from edo.diff.compare import Move, Movement
from edo.history import values
from edo.history.change_list import NAME, Change, read_changes
from edo.history.values import InvalidValue

MOVES = 10  # ratings that an entry tells of
TOUCHED = 30  # events or players that an entry names: the page has them in one line
_HEAD = re.compile(r"^changes:[ \t]*\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Recorded:
    """The new content of the file, and the id of the entry that it gained."""

    id: str
    content: bytes


def entry(movement: Movement, title: str, date: datetime.date, folder: Path) -> Recorded:
    """Return the list of changes of a folder with an entry of what moved.

    Raises InputError where the list is in error; EdoError where nothing moved, the title is none,
    or the day is before that of the newest entry.
    """
    before = read_changes(folder)
    if movement.is_still:
        raise EdoError("nothing is different, so there is nothing to record")
    if before[0].date > date:
        raise EdoError(f"{folder / NAME}: the newest entry is of {before[0].date}, after {date}")
    try:
        title = values.text(title)
    except InvalidValue as refused:
        raise EdoError(f"the title: {refused.message}; {refused.hint}") from refused
    id_ = _id(title, before)
    text = (folder / NAME).read_text(encoding="utf-8")
    head = _HEAD.search(text)
    if head is None:
        raise EdoError(f"{folder / NAME}: write `changes:` on a line of its own, entries below")
    made = yaml.dump({"changes": [_entry(id_, title, date, movement)]}).partition("\n")[2]
    return Recorded(id_, (text[: head.end()] + made + text[head.end() :]).encode())


def _id(title: str, before: Iterable[Change]) -> str:
    """Return an id made of the title's words that no entry has yet."""
    base = (letters.kebab(title) or "change")[: values.MAX_ID - 4].strip("-")
    taken = {change.id for change in before} | {values.RESERVED_ID}
    return next(one for one in (base, *(f"{base}-{n}" for n in range(2, 1000))) if one not in taken)


def _entry(id_: str, title: str, date: datetime.date, movement: Movement) -> Mapping[str, Plain]:
    moves = list(_most_of_each(movement))[:MOVES]
    events = [
        edit.id for edit in movement.edits if edit.kind == "events" and edit.state != "removed"
    ]
    players = [e.id for e in movement.edits if e.kind == "players" and e.state != "removed"]
    return {
        "id": id_,
        "date": date.isoformat(),
        "title": title,
        "text": "\n".join(report.summary(movement)),
        "events": events[:TOUCHED] or None,
        "players": players[:TOUCHED] or None,
        "moves": [_moved(move) for move in moves] or None,
    }


def _most_of_each(movement: Movement) -> Iterator[Move]:
    """Yield of each player the year that moved most, the largest move first."""
    seen = set()
    for move in movement.moves:
        if move.player not in seen:
            seen.add(move.player)
            yield move


def _moved(move: Move) -> Mapping[str, Plain]:
    return {
        "player": move.player,
        "year": move.year,
        "old": _whole(move.old.rating),
        "new": _whole(move.new.rating),
        "event": move.causes[0].event if move.causes else None,
    }


def _whole(rating: float) -> str:
    """Return a rating as pages show it, with a hyphen for its minus sign."""
    return formats.rating(rating).replace(formats.MINUS, "-")
