"""Two editions in; what editors changed between them, field by field in words, out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from edo.movements import event_edits
from edo.movements.editions import TABLES, Edition, Row, moved_ids
from edo.movements.event_edits import FieldEdit

State = Literal["added", "removed", "changed"]

KINDS: Mapping[str, str] = {
    "events": "event",
    "players": "player",
    "places": "place",
    "sources": "source",
    "odds": "kind of odds",
    "series": "series",
}
"""The tables of records that editors write, and what one of them is called."""

COMPUTED: Mapping[str, frozenset[str]] = {
    "events": frozenset({"players", "rated_games", "unrated_reason", "file"}),
    "players": frozenset(
        {"first_rated_year", "last_rated_year", "peak_year", "peak_rating", "peak_deviation"}
        | {"unrated_reason"}
    ),
}
"""Columns that no editor wrote; all others are compared, those of later versions too."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A record that came, went or changed; `kind` is the name of its table.

    `fields` says what changed in it; `former` is the id that it had before, if another.
    """

    kind: str
    id: str
    name: str
    state: State
    fields: tuple[FieldEdit, ...] = ()
    former: str | None = None


def edits(old: Edition, new: Edition, original: Edition | None = None) -> tuple[Edit, ...]:
    """Return every record that changed, events first, each kind by id.

    `old` bears the ids of `new` (`editions.with_new_ids`); `original` is it with its own.
    Tables and columns that one of the two does not have are not compared.
    """
    found: list[Edit] = []
    for kind in KINDS:
        if old.has(kind) and new.has(kind):
            former = {} if original is None else _inverse(moved_ids(original, new, kind))
            found += _of_kind(kind, old, new, former)
    return tuple(found)


def names(edition: Edition, kind: str) -> dict[str, str]:
    """Return by id what each record of a kind is called."""
    return {
        id_: row.get("name") or row.get("title") or id_ for id_, row in edition.by_id(kind).items()
    }


def knows_results(old: Edition, new: Edition) -> bool:
    """Whether both tell what editors wrote of results, and not only what was rated of it."""
    return all(one.has(table) for one in (old, new) for table in ("results", "participants"))


def _inverse(moved: Mapping[str, str]) -> dict[str, str]:
    return {new: old for old, new in moved.items()}


def _of_kind(kind: str, old: Edition, new: Edition, former: Mapping[str, str]) -> Iterator[Edit]:
    before, after = old.by_id(kind), new.by_id(kind)
    called = {**names(old, kind), **names(new, kind)}
    shown = _Shown(old, new, kind)
    inside = event_edits.all_edits(old, new) if kind == "events" else {}
    cited = event_edits.citations(old, new) if kind == "players" else {}
    for id_ in sorted(before.keys() | after.keys()):
        was, now = before.get(id_), after.get(id_)
        if was is None or now is None:
            yield Edit(kind, id_, called[id_], "added" if was is None else "removed")
            continue
        fields = (
            *shown.fields(was, now),
            *inside.get(id_, ()),
            *cited.get(("", id_), ()),
        )
        if fields or id_ in former:
            yield Edit(kind, id_, called[id_], "changed", fields, former.get(id_))


class _Shown:
    """The fields of the records of a kind; other records are called by their names."""

    def __init__(self, old: Edition, new: Edition, kind: str) -> None:
        both = _columns(old.rows(kind)) & _columns(new.rows(kind))
        left_out = COMPUTED.get(kind, frozenset()) | {"id"}
        if old.has("citations") and new.has("citations"):
            left_out |= {"sources"}
        order = [*TABLES[kind].header, *sorted(both - set(TABLES[kind].header))]
        self._columns = [name for name in order if name in both and name not in left_out]
        self._names = {
            column: {**names(old, reference.table), **names(new, reference.table)}
            for reference in TABLES[kind].references
            for column in reference.columns
        }

    def fields(self, was: Row, now: Row) -> Iterator[FieldEdit]:
        """Yield each field that is not what it was."""
        for column in self._columns:
            if was[column] != now[column]:
                named = self._names.get(column, {})
                before, after = (named.get(row[column], row[column]) for row in (was, now))
                yield FieldEdit(column.replace("_", " "), before, after)


def _columns(rows: Iterable[Row]) -> set[str]:
    return set(next(iter(rows), {}))
