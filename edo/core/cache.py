"""Values, files and the program itself in, digests out: by these what was made once is found again.

Values with the same digest are the same. The reverse need not hold: then something is made twice.
"""

from __future__ import annotations

import dataclasses
import hashlib
import io
import json
import os
import pickle
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

_HERE = Path(__file__).parents[1]
_SETS = frozenset({set, frozenset})


class _Flat(pickle.Pickler):
    """Writes values as they are, whichever of them happen to be one object."""

    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self.fast = True  # no references back to what was written before

    def reducer_override(self, value: Any) -> Any:
        """Return how to write a value: a record by its fields, which is quicker than its own way.

        Read back it would not be one: these bytes are only for digests.
        """
        if isinstance(value, MappingProxyType):
            return dict, (dict(value),)
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            fields = _fields(type(value))(value)
            return type(value), (
                fields if _SETS.isdisjoint(map(type, fields)) else _sorted(fields),
            )
        return NotImplemented


@cache
def _fields(record: type) -> Callable[[Any], Any]:
    names = [field.name for field in dataclasses.fields(record)]
    if len(names) > 1:
        return attrgetter(*names)
    return lambda value: tuple(getattr(value, name) for name in names)


def _sorted(fields: Iterable[Any]) -> list[Any]:
    """Return the fields with sets in an order that is the same in every run."""
    return [sorted(map(of_values, f)) if type(f) in _SETS else f for f in fields]


def of_values(*values: object) -> str:
    """Return the digest of records, mappings, sequences, arrays, texts and numbers.

    Raises pickle.PicklingError for what is none of these, such as a lambda.
    """
    file = io.BytesIO()
    _Flat(file).dump(values)
    return hashlib.sha256(file.getbuffer()).hexdigest()


def of_folders(*folders: Path) -> str:
    """Return the digest of the paths and bytes of all files, and of what is no ordinary file."""
    return of_values(
        [[_file(folder, path) for path in sorted(_files(folder))] for folder in folders]
    )


def _files(folder: Path) -> Iterator[Path]:
    for here, _, names in os.walk(folder):
        yield from (Path(here, name) for name in names)


def _file(folder: Path, path: Path) -> tuple[str, bool, str | None]:
    """Return path, whether it is a link, and the digest of the bytes where they can be read."""
    content = None
    if path.is_file():
        with suppress(OSError), path.open("rb") as file:
            content = hashlib.file_digest(file, "sha256").hexdigest()
    return os.fspath(path.relative_to(folder)), path.is_symlink(), content


@cache
def of_program() -> str:
    """Return the digest of all that a result depends on beside its input.

    The sources of this program, and the versions of Python and of all that is installed beside it.
    """
    import sqlite3  # noqa: PLC0415 - who only checks files needs none

    return of_values(
        [(path.relative_to(_HERE).as_posix(), path.read_bytes()) for path in _sources()],
        sorted(_installed(sys.path)),
        (sys.version, sys.platform, os.uname().machine, os.uname().nodename),
        sorted((k, v) for k, v in os.environ.items() if k.startswith(("OPENBLAS", "OMP_"))),
        (sqlite3.sqlite_version, zlib.ZLIB_RUNTIME_VERSION),
    )


def _sources() -> list[Path]:
    return sorted(path for path in _HERE.rglob("*.*") if path.suffix in (".py", ".json"))


def _installed(folders: Iterable[str]) -> Iterator[str]:
    """Yield the names of the packages' descriptions, which hold their versions."""
    for folder in folders:
        if Path(folder).is_dir():
            names = os.listdir(folder or ".")  # noqa: PTH208 (strings are quicker than paths)
            yield from (name for name in names if name.endswith(("-info", ".pth")))


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
        return self.keyed(of_values(make.__module__, make.__qualname__, of), make, *of)

    def of(self, make: Callable[..., Made], *of: object) -> Made:
        """Return the record that `make` makes of these values and nothing else."""
        if not self.in_use:
            self.made += 1
            return make(*of)
        key = of_values(make.__module__, make.__qualname__, of)
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
    head = json.dumps([of_program(), listed]).encode() + b"\n"
    body = b"".join([head, *(content for _, content in kept.values())])
    return hashlib.sha256(body).digest() + body


def _unpacked(packed: bytes) -> dict[str, tuple[int, bytes]]:
    """Return what a file holds, nothing where it is broken or of another program."""
    if hashlib.sha256(memoryview(packed)[_DIGEST:]).digest() != packed[:_DIGEST]:
        return {}
    at = packed.index(b"\n", _DIGEST) + 1
    program, listed = json.loads(packed[_DIGEST:at])
    if program != of_program():
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
