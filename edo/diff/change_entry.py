"""Entries of `changes.yaml` that summarise a comparison.

A new entry goes before all others; the rest of the file is kept as it is, comments included.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from edo.core import formats, yaml
from edo.core.files import Replacement, read_text
from edo.core.problems import EdoError
from edo.core.text import kebab
from edo.core.yaml import YamlValue
from edo.diff import report
from edo.diff.compare import Comparison, RatingChange
from edo.history import values
from edo.history.content_files import CHANGES_FILE, Change, read_changes
from edo.history.values import InvalidValue

MAX_RATINGS = 10  # rating changes in an entry
MAX_RECORDS = 30  # events or players in an entry: the page lists them in one line
_LIST_START = re.compile(r"^changes:[ \t]*\n", re.MULTILINE)


def add_entry(
    comparison: Comparison, title: str, date: datetime.date, folder: Path
) -> tuple[str, Replacement]:
    """Return the id of a new entry, and the list of changes in a folder with that entry added.

    Raises InputError if the list is invalid; EdoError if there are no differences, the title is
    invalid, or the newest entry has a later date.
    """
    changes = read_changes(folder)
    path = folder / CHANGES_FILE
    if comparison.is_empty:
        raise EdoError("there are no differences to record")
    if changes and changes[0].date > date:
        raise EdoError(f"{path}: the newest entry is dated {changes[0].date}, later than {date}")
    try:
        title = values.text(title)
    except InvalidValue as refused:
        raise EdoError(f"the title: {refused}") from refused
    id_ = _new_id(title, changes)
    before = read_text(path) if path.exists() else None
    text = (before or "changes:\n").replace("\r\n", "\n")
    start = _LIST_START.search(text)
    if start is None:
        raise EdoError(f"{path}: put `changes:` on a line of its own, with the entries below it")
    entry = yaml.dump({"changes": [_entry(id_, title, date, comparison)]}).partition("\n")[2]
    return id_, Replacement(before, text[: start.end()] + entry + text[start.end() :])


def _new_id(title: str, changes: Iterable[Change]) -> str:
    """Return an unused id made of the title's words."""
    base = (kebab(title) or "change")[: values.MAX_ID - 4].strip("-")
    taken = {change.id for change in changes} | {values.RESERVED_ID}
    candidates = (base, *(f"{base}-{n}" for n in range(2, 1000)))
    return next(id_ for id_ in candidates if id_ not in taken)


def _entry(
    id_: str, title: str, date: datetime.date, comparison: Comparison
) -> Mapping[str, YamlValue]:
    edited = [edit for edit in comparison.edits if edit.state != "removed"]
    events, players = (
        [edit.id for edit in edited if edit.kind == kind][:MAX_RECORDS] or None
        for kind in ("events", "players")
    )
    changes = report.largest_of_each_player(comparison)[:MAX_RATINGS]
    return {
        "id": id_,
        "date": date.isoformat(),
        "title": title,
        "text": "\n".join(report.summary(comparison)),
        "events": events,
        "players": players,
        "moves": [_rating_change(change) for change in changes] or None,
    }


def _rating_change(change: RatingChange) -> Mapping[str, YamlValue]:
    old, new = (
        formats.rating(row.rating).replace(formats.MINUS, "-") for row in (change.old, change.new)
    )
    return {
        "player": change.player,
        "year": change.year,
        "old": old,
        "new": new,
        "event": change.causes[0].event if change.causes else None,
    }
