"""What a page looked up: its key in the cache, known without making its view.

A view is a function of what it looks up, and each look-up follows from those before it. So a page
is as it was where all that it looked up in the last build is as it was then.
"""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from edo.core.cache import Digests, compressed, decompressed, pickled

T = TypeVar("T")
Reads = dict[str, list[Any]]
"""The keys that were looked up, by table; `_WHOLE` stands for all of a table."""

_WHOLE = "*"
PART_OF = {"index.results_of": "dataset.events"}
"""Tables by event and player that hold parts of what another has by event."""

SHARED = {"index.events_of_year", "of_place", "of_series", "ratings.at"}
"""Tables of values that several pages look up, each digested once."""


class Log:
    """Hands out tables that note what is looked up in them, and the digests of what they hold.

    Records of the types `parts` are taken apart into their tables; those of the types `often` occur
    in many tables.
    """

    def __init__(self, parts: tuple[type, ...], often: tuple[type, ...]) -> None:
        self._parts = parts
        self._notes: dict[str, set[Any]] = {}
        self._held: dict[str, Any] = {}
        self._recorded: list[object] = []
        self._digests, self._known = Digests(*often), dict[tuple[str, Any], str]()

    def recorded(self, record: T, name: str = "") -> T:
        """Return the table, or a record with tables, that notes what is looked up."""
        if isinstance(record, Mapping):
            self._recorded.append(table := self._table(name, record))
            return table  # type: ignore[no-any-return]
        fields = {
            field.name: self._table(f"{name}{field.name}", getattr(record, field.name))
            for field in dataclasses.fields(record)  # type: ignore[arg-type]
        }
        done = type(record)(**fields)
        self._recorded.append(done)
        return done

    def _table(self, name: str, value: Any) -> Any:
        if name in self._held and isinstance(value, Mapping):
            return _Table(self._held[name], *self._notes_of(name))
        if isinstance(value, self._parts):
            return self.recorded(value, f"{name}.")
        self._held[name] = value
        notes, is_part = self._notes_of(name)
        return _Table(value, notes, is_part) if isinstance(value, Mapping) else _Whole(value, notes)

    def _notes_of(self, name: str) -> tuple[set[Any], bool]:
        return self._notes.setdefault(PART_OF.get(name, name), set()), name in PART_OF

    def begin(self) -> None:
        """Forget what was looked up before."""
        for notes in self._notes.values():
            notes.clear()

    def reads(self) -> Reads:
        """Return what was looked up since the beginning, always in the same order."""
        return {
            name: [_WHOLE] if _WHOLE in keys else sorted(keys, key=repr)
            for name, keys in self._notes.items()
            if keys
        }

    def digest_of(self, view: Callable[[], object], reads: Reads) -> str:
        """Return the digest of what a view, a `partial`, is given and of what it looked up."""
        arguments = getattr(view, "args", ())
        given = [one for one in arguments if not any(one is known for known in self._recorded)]
        found = [self._found(name, keys) for name, keys in reads.items()]
        return self._digests.of((given, reads, found))

    def _found(self, name: str, keys: list[Any]) -> list[Any]:
        """Return what a table holds for some keys, or the digests of what many pages look up."""
        held = self._held.get(name, {})
        if keys == [_WHOLE] or not isinstance(held, Mapping):
            return [self._digest(name, _WHOLE, held)]
        if name not in SHARED:
            return [*map(held.get, keys)]
        return [self._digest(name, key, held.get(key)) for key in keys]

    def _digest(self, name: str, key: Any, value: Any) -> str:
        known = self._known.get((name, key))
        if known is None:
            known = self._known[name, key] = self._digests.of(value)
        return known


class _Table(Mapping[Any, Any]):
    """A mapping that notes the keys looked up; `_WHOLE` where it is gone through."""

    __slots__ = ("_held", "_is_part", "_notes")

    def __init__(self, held: Mapping[Any, Any], notes: set[Any], is_part: bool) -> None:
        self._held, self._notes, self._is_part = held, notes, is_part

    def __getitem__(self, key: Any) -> Any:
        self._notes.add(key[0] if self._is_part else key)
        return self._held[key]

    def get(self, key: Any, default: Any = None) -> Any:
        """Return what is held for a key, the default where there is nothing."""
        self._notes.add(key[0] if self._is_part else key)
        return self._held.get(key, default)

    def __contains__(self, key: Any) -> bool:
        self._notes.add(key[0] if self._is_part else key)
        return key in self._held

    def __iter__(self) -> Iterator[Any]:
        self._notes.add(_WHOLE)
        return iter(self._held)

    def __len__(self) -> int:
        self._notes.add(_WHOLE)
        return len(self._held)


class _Whole:
    """Anything else, noted as a whole when something of it is asked for."""

    __slots__ = ("_notes", "_value")

    def __init__(self, value: object, notes: set[Any]) -> None:
        self._value, self._notes = value, notes

    def __getattr__(self, name: str) -> Any:
        self._notes.add(_WHOLE)
        return getattr(self._value, name)


def packed(reads: Reads) -> bytes:
    """Return the bytes of what was looked up, for the cache."""
    return compressed(pickled(reads))


def unpacked(kept: bytes) -> Reads:
    """Return what `packed` was given."""
    reads: Reads = pickle.loads(decompressed(kept))
    return reads
