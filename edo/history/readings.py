"""An event file in, what was read of it out: read again only where something of it changed."""

from __future__ import annotations

import pickle
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from edo.core import cache, yaml
from edo.core.cache import Section, pickled
from edo.core.model import Event
from edo.core.problems import Problem
from edo.history.events import event_of
from edo.history.fieldtypes import Registry
from edo.history.reading import Known

Read = tuple[Event | None, list[Problem]]


class _Asked(Collection[str]):
    """Ids of a registry that remember which of them a file named."""

    def __init__(self, ids: Collection[str]) -> None:
        self.ids = ids
        self.named: set[str] = set()
        self.is_simple = True
        """Whether all ids that were asked for are there, and nothing else was asked."""

    def __contains__(self, id_: object) -> bool:
        if id_ not in self.ids:
            self.is_simple = False
        self.named.add(str(id_))
        return id_ in self.ids

    def __iter__(self) -> Iterator[str]:
        self.is_simple = False
        return iter(self.ids)

    def __len__(self) -> int:
        self.is_simple = False
        return len(self.ids)


@dataclass(slots=True)
class Readings:
    """Reads event files, and keeps on a shelf what it read.

    What is read of a file follows from its name, its text, the program, the reasons why odds are
    unrated, and from whether the ids that it names are known. Of ids, only files all of whose are
    known are kept; they are read again once one is no more.
    """

    section: Section
    files: int = 0
    """How many files were asked for."""

    def read(self, path: Path, shown_path: str, known: Known) -> Read:
        """Return the event of a file and the problems found, as `events.read_event` does."""
        self.files += 1
        text, problems = yaml.read_text(path, shown_path)
        if text is None:
            return None, problems
        where = (path.parent.name, path.name, shown_path)
        key = cache.digest(where, text, sorted(known.unrated_odds.items()))
        kept = self.section.get(key)
        if kept is not None:
            named, found = pickle.loads(kept)
            if all(_are_known(known, registry, ids) for registry, ids in named.items()):
                return found  # type: ignore[no-any-return]
        return self._read(key, text, path, shown_path, known)

    def _read(self, key: str, text: str, path: Path, shown_path: str, known: Known) -> Read:
        self.section.count_miss()
        asked = {kind: _Asked(ids) for kind, ids in known.ids.items() if ids is not None}
        watched = Known({**known.ids, **asked}, known.unrated_odds)
        found = event_of(yaml.parse(text, shown_path), path, shown_path, watched)
        if len(asked) == len(known.ids) and all(one.is_simple for one in asked.values()):
            named = {kind: sorted(one.named) for kind, one in asked.items() if one.named}
            self.section.put(key, pickled((named, found)))
        return found


def _are_known(known: Known, registry: Registry, named: list[str]) -> bool:
    ids = known.ids[registry]
    return ids is not None and all(id_ in ids for id_ in named)
