"""Lookup of players, places and sources by name or id, for drafts of new events.

Names are found in any spelling; ids of new entries are made from names.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from edo.core.model import Dataset, Place, Player, Series, Source
from edo.core.problems import EdoError
from edo.core.text import fold, kebab, person_kebab, words
from edo.core.yaml import Plain
from edo.history.field_types import REGISTRIES, Registry
from edo.history.reading import Known
from edo.history.values import MAX_ID, RESERVED_ID, InvalidValue, nearest

ENTRY_FIELDS: Mapping[Registry, tuple[str, ...]] = {
    "players": ("name", "born", "died", "country"),
    "places": ("name", "country"),
    "sources": ("title", "author", "published", "url"),
}
"""The fields of a new entry of each registry; the first is required, the rest where known."""


class DraftRefused(EdoError):
    """The draft cannot be written as requested; nothing was written."""


@dataclass(frozen=True, slots=True)
class Lookup:
    """The records that an event file can name: the history, and new entries of this draft."""

    dataset: Dataset
    added: dict[Registry, dict[str, dict[str, Plain]]] = field(default_factory=dict)

    def ids(self, registry: Registry) -> set[str]:
        """Return the ids of a registry."""
        return {*getattr(self.dataset, registry), *self.added.get(registry, ())}

    def known(self) -> Known:
        """Return the ids of all registries, as reading takes them."""
        return Known({registry: self.ids(registry) for registry in REGISTRIES})

    def names(self, registry: Registry, id_: str) -> tuple[str, ...]:
        """Return the names of a record, first the one that pages show."""
        if id_ in self.added.get(registry, {}):
            return (str(self.added[registry][id_][ENTRY_FIELDS[registry][0]]),)
        record = getattr(self.dataset, registry)[id_]
        if isinstance(record, Player):
            return (record.name, *record.spellings)
        return (record.title, record.author or "") if isinstance(record, Source) else (record.name,)

    def label(self, registry: Registry, id_: str) -> str:
        """Return a record on one line, to tell it from others."""
        record: Player | Place | Source | Series | None = getattr(self.dataset, registry).get(id_)
        parts = [self.names(registry, id_)[0]]
        if isinstance(record, Player) and (record.born or record.died):
            parts.append(f"{record.born or '?'} – {record.died or '?'}")
        if isinstance(record, Source) and record.author:
            parts.append(record.author)
        if isinstance(record, Player | Place) and record.country:
            parts.append(record.country)
        return f"{id_} ({', '.join(parts)})"

    def find(self, registry: Registry, typed: str) -> list[str]:
        """Return the ids of the records with a name that holds words beginning like these."""
        wanted = words(typed)
        return [
            id_
            for id_ in sorted(self.ids(registry))
            if any(_holds(name, wanted) for name in (*self.names(registry, id_), id_))
        ]

    def resolve(self, registry: Registry, typed: str) -> str:
        """Return the id of the record called so; raises InvalidValue for none or several."""
        if typed in self.ids(registry):
            return typed
        same = [
            id_
            for id_ in sorted(self.ids(registry))
            if any(fold(name) == fold(typed) for name in self.names(registry, id_))
        ]
        if len(same) == 1:
            return same[0]
        near = [self.label(registry, id_) for id_ in (same or self.find(registry, typed))[:5]]
        word = registry[:-1] if registry != "series" else registry
        message = f"`{typed}` is {'several' if same else 'no'} {word}{'s' if same else ''}"
        if near:
            raise InvalidValue(message, f"write the id, perhaps of {'; '.join(near)}")
        hint = nearest(kebab(typed), self.ids(registry), "write the id")
        joint = " else" if hint.endswith("?") else ", or"
        raise InvalidValue(message, f"{hint}{joint} make an entry with `--new-{word}`")

    def propose(self, registry: Registry, name: str) -> str:
        """Return a free id for a new entry with this name or title."""
        wanted = person_kebab(name) if registry == "players" else kebab(name)
        return free_id(wanted, {*self.ids(registry), *self._former(registry)})

    def add(self, registry: Registry, answers: Mapping[str, str]) -> str:
        """Make an entry of a registry of its answered fields; return its new id."""
        names = ENTRY_FIELDS[registry]
        id_ = self.propose(registry, answers[names[0]])
        entry: dict[str, Plain] = {name: answers[name] for name in names if answers.get(name)}
        self.added.setdefault(registry, {})[id_] = entry
        return id_

    def _former(self, registry: Registry) -> set[str]:
        records = self.dataset.players.values() if registry == "players" else ()
        return {former for record in records for former in record.former_ids}

    def event_ids(self) -> set[str]:
        """Return the ids that events have or had: an id is an address for good."""
        events = self.dataset.events.values()
        return {*self.dataset.events, *(id_ for event in events for id_ in event.former_ids)}


def _holds(name: str, wanted: Sequence[str]) -> bool:
    there = words(name)
    return bool(wanted) and all(any(word.startswith(w) for word in there) for w in wanted)


def free_id(wanted: str, taken: Collection[str]) -> str:
    """Return the id, cut where it is too long, with the first free number where it is taken."""
    wanted = wanted[:MAX_ID].strip("-")
    if not wanted:
        raise DraftRefused("no id can be made of a name without Latin letters; give one with --id")
    if wanted not in taken and wanted != RESERVED_ID:
        return wanted
    numbered = (f"{wanted[: MAX_ID - 5]}-{number}" for number in range(2, 10_000))
    return next(id_ for id_ in numbered if id_ not in taken)
