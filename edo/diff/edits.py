"""The records that editors added, removed or changed between two editions.

Of a changed record the fields are named; `git diff` shows what changed in them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Literal

from edo.diff.edition import Edition

State = Literal["added", "removed", "changed"]

KINDS: Mapping[str, tuple[str, str]] = {
    "events": ("event", "events"),
    "players": ("player", "players"),
    "places": ("place", "places"),
    "sources": ("source", "sources"),
    "odds": ("kind of odds", "kinds of odds"),
    "series": ("series", "series"),
}
"""The kinds of records that editors write, with their singular and plural in sentences."""

NOT_CONTENT = frozenset({"id", "path", "line", "lines"})
"""Fields that say where a record stands, not what it says."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A record that was added, removed or changed; `kind` is one of `KINDS`.

    `fields` are the names of those that changed, `former` is the old id of a record that has a new
    one.
    """

    kind: str
    id: str
    name: str
    state: State
    fields: tuple[str, ...] = ()
    former: str | None = None


def edits(old: Edition, new: Edition, ids: Mapping[str, Mapping[str, str]]) -> tuple[Edit, ...]:
    """Return all edited records, events first, each kind in order of ids.

    `ids` are the new ids by kind and old id.
    """
    return tuple(edit for kind in KINDS for edit in _edits_of(kind, old, new, ids))


def _edits_of(
    kind: str, old: Edition, new: Edition, ids: Mapping[str, Mapping[str, str]]
) -> Iterator[Edit]:
    renamed = ids.get(kind, {})
    former = {new_id: old_id for old_id, new_id in renamed.items()}
    every_id = {old_id: new_id for of_kind in ids.values() for old_id, new_id in of_kind.items()}
    before = {renamed.get(id_, id_): record for id_, record in old.records(kind).items()}
    after = new.records(kind)
    for id_ in sorted(before.keys() | after.keys()):
        name = name_of(after.get(id_, before.get(id_)), id_)
        if id_ not in before or id_ not in after:
            yield Edit(kind, id_, name, "removed" if id_ in before else "added")
            continue
        was, now = content(before[id_], every_id), content(after[id_], {})
        changed = tuple(field for field in now if was[field] != now[field])
        if changed or id_ in former:
            yield Edit(kind, id_, name, "changed", changed, former.get(id_))


def name_of(record: Any, id_: str) -> str:
    """Return the name or the title of a record, its id where it has neither."""
    return getattr(record, "name", None) or getattr(record, "title", None) or id_


def content(value: Any, ids: Mapping[str, str]) -> Any:
    """Return what a record says, to be compared: its fields by name, with new ids for old ones."""
    if is_dataclass(value):
        names = [field.name for field in fields(value) if field.name not in NOT_CONTENT]
        return {name: content(getattr(value, name), ids) for name in names}
    if isinstance(value, Mapping):
        return {content(key, ids): content(inner, ids) for key, inner in value.items()}
    if isinstance(value, frozenset):
        return frozenset(content(inner, ids) for inner in value)
    if isinstance(value, tuple):
        return tuple(content(inner, ids) for inner in value)
    return ids.get(value, value) if isinstance(value, str) else value
