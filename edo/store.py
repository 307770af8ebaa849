"""What was made of which input in; what is made of the same again comes out without being made.

The keys are digests of all that goes into a thing, so that nothing is ever out of date; what is not
asked for in two builds is dropped. Files that are broken, or of another version of the program, are
taken for empty. They hold Python objects: whoever may write them may as well change the program.
"""

from __future__ import annotations

import hashlib
import io
import json
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from edo import digests

Made = TypeVar("Made")

_DIGEST = 32  # [bytes] of SHA-256


class Shelf:
    """Things of one kind that were made; a shelf that is not `in_use` keeps nothing."""

    def __init__(self, packed: bytes = b"", in_use: bool = True) -> None:
        self.in_use = in_use
        self.made = 0
        """How many things had to be made."""
        self._old, self._fresh = _unpacked(packed), set[str]()
        self._was = {key: unused for key, (unused, _) in self._old.items()}
        self._new: dict[str, bytes] = {}

    def bytes_of(self, make: Callable[..., bytes], *of: object) -> bytes:
        """Return what `make` makes of these values and nothing else."""
        if not self.in_use:
            self.made += 1
            return make(*of)
        return self.keyed(digests.of_values(make.__module__, make.__qualname__, of), make, *of)

    def of(self, make: Callable[..., Made], *of: object) -> Made:
        """Return the record that `make` makes of these values and nothing else."""
        if not self.in_use:
            self.made += 1
            return make(*of)
        key = digests.of_values(make.__module__, make.__qualname__, of)
        kept = self.get(key)
        made: Made
        if kept is not None:
            made = pickle.loads(kept)
        else:
            self.made += 1
            made = make(*of)
            self.put(key, pickled(made))
        return made

    def keyed(self, key: str, make: Callable[..., bytes], *of: object) -> bytes:
        """Return what is under the key, made if it is not there."""
        found = self.get(key)
        if found is None:
            self.made += 1
            found = make(*of)
            self.put(key, found)
        return found

    def get(self, key: str) -> bytes | None:
        """Return what is under the key, None where there is nothing."""
        found = self._new.get(key)
        if found is None and key in self._old:
            self._fresh.add(key)
            found = self._old[key][1]
        return found

    def put(self, key: str, content: bytes) -> None:
        """Keep something."""
        if self.in_use:
            self._new[key] = content

    def taken(self, before: int) -> tuple[set[str], dict[str, bytes], int]:
        """Return what a second process did with its copy of the shelf, for `take` of the first.

        It had made so many things `before` there was a second process.
        """
        return self._fresh, self._new, self.made - before

    def take(self, taken: tuple[set[str], dict[str, bytes], int]) -> None:
        """Do what a second process did with its copy of the shelf."""
        self._fresh |= taken[0]
        self._new |= taken[1]
        self.made += taken[2]

    def packed(self) -> bytes | None:
        """Return the file of what this build or the one before it used, None if it is as it was."""
        kept = {key: (0, content) for key, content in self._new.items()}
        for key, (unused, content) in self._old.items():
            if key not in kept and (key in self._fresh or not unused):
                kept[key] = (int(key not in self._fresh), content)
        as_it_was = {key: unused for key, (unused, _) in kept.items()} == self._was
        if not self.in_use or (as_it_was and not self._new):
            return None
        return _packed(kept)


class Store:
    """The shelves of one site in a folder, by name; without a folder nothing is kept."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._shelves: dict[str, Shelf] = {}

    def shelf(self, name: str) -> Shelf:
        """Return the shelf of that name, read when it is first asked for."""
        if name not in self._shelves:
            self._shelves[name] = self._read(name)
        return self._shelves[name]

    def _read(self, name: str) -> Shelf:
        if self.folder is None:
            return Shelf(in_use=False)
        try:
            content = (self.folder / name).read_bytes()
        except OSError:
            content = b""
        return Shelf(content)

    def files(self) -> Iterator[tuple[Path, bytes]]:
        """Yield path and bytes of each file that is to be written."""
        for name, shelf in self._shelves.items():
            content = shelf.packed()
            if content is not None and self.folder is not None:
                yield self.folder / name, content


def _packed(kept: dict[str, tuple[int, bytes]]) -> bytes:
    """Return a file: the digest of all that follows, the list of what is in it, and that."""
    listed = {key: (unused, len(content)) for key, (unused, content) in kept.items()}
    head = json.dumps([digests.of_program(), listed]).encode() + b"\n"
    body = b"".join([head, *(content for _, content in kept.values())])
    return hashlib.sha256(body).digest() + body


def _unpacked(packed: bytes) -> dict[str, tuple[int, bytes]]:
    """Return what a file holds, nothing where it is broken or of another program."""
    if hashlib.sha256(memoryview(packed)[_DIGEST:]).digest() != packed[:_DIGEST]:
        return {}
    at = packed.index(b"\n", _DIGEST) + 1
    program, listed = json.loads(packed[_DIGEST:at])
    if program != digests.of_program():
        return {}
    held = {}
    for key, (unused, length) in listed.items():
        held[key] = (unused, packed[at : at + length])
        at += length
    return held


def pickled(value: object) -> bytes:
    """Return the bytes from which `pickle.loads` makes the value again, mappings included."""
    file = io.BytesIO()
    _Pickler(file, pickle.HIGHEST_PROTOCOL).dump(value)
    return file.getvalue()


class _Pickler(pickle.Pickler):
    def reducer_override(self, value: Any) -> Any:
        """Return how to write what pickle does not know."""
        return (_proxy, (dict(value),)) if isinstance(value, MappingProxyType) else NotImplemented


def _proxy(held: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(held)


NO_SHELF = Shelf(in_use=False)
NO_STORE = Store(None)
