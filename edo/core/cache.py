"""Content-addressed build cache: results are kept under the digest of what they follow from.

Values with the same digest are the same. The reverse need not hold: then something is computed
twice. The files are pickles, so a cache must be as trusted as the program itself.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import io
import json
import os
import pickle
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

import zstandard

from edo.core.files import FileState, input_files

T = TypeVar("T")

_PROGRAM = Path(__file__).parents[1]
_SETS = frozenset({set, frozenset})
_SHA256_BYTES = 32


def digest(*values: object) -> str:
    """Return the digest of records, mappings, sequences, arrays, texts and numbers.

    Raises pickle.PicklingError for anything else, such as a lambda.
    """
    file = io.BytesIO()
    _DigestPickler(file).dump(values)
    return hashlib.sha256(file.getbuffer()).hexdigest()


class _Reducers(dict[type, Callable[[Any], Any]]):
    """How pickle writes values, by their type: records by their fields, which is fastest."""

    def __missing__(self, kind: type) -> Callable[[Any], Any]:
        if not dataclasses.is_dataclass(kind):
            raise KeyError(kind)
        fields_of = _field_getter(kind)

        def reduced(record: Any) -> tuple[Any, ...]:
            fields = fields_of(record)
            return kind, (fields if _SETS.isdisjoint(map(type, fields)) else _ordered(fields),)

        self[kind] = reduced
        return reduced


_REDUCERS = _Reducers({MappingProxyType: lambda value: (dict, (dict(value),))})


class _DigestPickler(pickle.Pickler):
    """Writes equal values as equal bytes, whether or not parts of them are the same object."""

    def __init__(self, file: io.BytesIO, reducers: _Reducers = _REDUCERS) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self.fast = True  # no references back to what was written before
        self.dispatch_table = reducers


class Digests:
    """Digests of values in which the same records of some kinds occur again and again."""

    def __init__(self, *kinds: type) -> None:
        self._reducers = _Reducers(_REDUCERS)
        for kind in kinds:
            self._reducers[kind] = lambda record: (str, (self.of_record(record),))
        self._known: dict[int, tuple[object, str]] = {}

    def of(self, value: object) -> str:
        """Return the digest of a value, in which records of these kinds stand by their digests."""
        file = io.BytesIO()
        _DigestPickler(file, self._reducers).dump(value)
        return hashlib.sha256(file.getbuffer()).hexdigest()

    def of_record(self, record: object) -> str:
        """Return the digest of a record of these kinds."""
        known = self._known.get(id(record))
        if known is None:  # the record is kept too, so that no other has the same place
            known = self._known[id(record)] = record, digest(record)
        return known[1]


@functools.cache
def _field_getter(record: type) -> Callable[[Any], Any]:
    names = [field.name for field in dataclasses.fields(record)]
    if len(names) > 1:
        return attrgetter(*names)
    return lambda value: tuple(getattr(value, name) for name in names)


def _ordered(fields: Iterable[Any]) -> list[Any]:
    """Return the fields with sets in an order that is the same in every run."""
    return [_members(f) if type(f) in _SETS else f for f in fields]


def _members(values: Iterable[Any]) -> list[str]:
    """Return the digests of a set's members, sorted; the members may be sets themselves."""
    return sorted(digest(_members(v) if type(v) in _SETS else v) for v in values)


def digest_of_folders(*folders: Path) -> str:
    """Return the digest of paths and bytes of all files in these folders; some may be files."""
    return digest(
        [[_file(folder, path) for path in sorted(input_files(folder))] for folder in folders]
    )


def _file(folder: Path, path: Path) -> tuple[str, bool, str | None]:
    """Return path, whether it is a link, and the digest of the bytes where they can be read."""
    content = None
    if path.is_file():
        with suppress(OSError), path.open("rb") as file:
            content = hashlib.file_digest(file, "sha256").hexdigest()
    return os.fspath(path.relative_to(folder)), path.is_symlink(), content


@functools.cache
def digest_of_program() -> str:
    """Return the digest of everything besides the input that a result depends on.

    That is the source of this program, and the versions of Python and of installed packages.
    """
    import sqlite3  # noqa: PLC0415 - not needed to check files

    sources = sorted(p for p in _PROGRAM.rglob("*.*") if p.suffix in (".py", ".json"))
    return digest(
        [(path.relative_to(_PROGRAM).as_posix(), path.read_bytes()) for path in sources],
        sorted(_installed(sys.path)),
        (sys.version, sys.platform, os.uname().machine),
        sorted((k, v) for k, v in os.environ.items() if k.startswith(("OPENBLAS", "OMP_"))),
        (sqlite3.sqlite_version, zlib.ZLIB_RUNTIME_VERSION),
    )


def _installed(folders: Iterable[str]) -> Iterator[str]:
    """Yield the names of packages' metadata folders, which contain their versions."""
    for folder in folders:
        if Path(folder).is_dir():
            names = os.listdir(folder or ".")  # noqa: PTH208 (strings are faster than paths)
            yield from (name for name in names if name.endswith(("-info", ".pth")))


@dataclasses.dataclass(slots=True)
class Changes:
    """What was done with a section: entries used and added, and results computed."""

    used: set[str] = dataclasses.field(default_factory=set)
    added: dict[str, bytes] = dataclasses.field(default_factory=dict)
    misses: int = 0

    def __ior__(self, other: Changes) -> Changes:
        self.used |= other.used
        self.added |= other.added
        self.misses += other.misses
        return self


def compressed(content: bytes) -> bytes:
    """Return the bytes compressed at level 1 of Zstandard, in a third of zlib's time."""
    return zstandard.compress(content, 1)


def decompressed(kept: bytes) -> bytes:
    """Return what `compressed` was given."""
    return zstandard.decompress(kept)


class Section:
    """Results of one kind by key. One that is not `enabled` keeps nothing.

    Entries that neither this build nor the one before it used are dropped.
    """

    def __init__(self, packed: bytes = b"", enabled: bool = True) -> None:
        self.enabled = enabled
        self._old = _unpack(packed)
        self._all, self._unreported = Changes(), Changes()

    @property
    def is_empty(self) -> bool:
        """Whether nothing was kept from an earlier build."""
        return not self._old

    @property
    def misses(self) -> int:
        """How many results had to be computed."""
        return self._all.misses

    def call(self, compute: Callable[..., T], *arguments: object) -> T:
        """Return what the function returns for these arguments, on which alone it depends."""
        if not self.enabled:
            self.count_miss()
            return compute(*arguments)
        key = digest(compute.__module__, compute.__qualname__, arguments)
        kept = self.get(key)
        if kept is not None:
            result: T = pickle.loads(kept)
            return result
        self.count_miss()
        result = compute(*arguments)
        self.put(key, pickled(result))
        return result

    def files(
        self, name: str, key: str, make: Callable[[], Iterable[tuple[str, bytes]]]
    ) -> Iterator[tuple[str, bytes]]:
        """Yield paths and bytes that are made, or were for the same name and key of the input.

        Nothing is kept where the key is empty.
        """
        if not self.enabled or not key:
            yield from make()
            return
        key = digest(name, key)
        kept = self.get(key)
        if kept is not None:
            yield from ((path, decompressed(packed)) for path, packed in pickle.loads(kept))
            return
        made = []
        for path, content in make():
            yield path, content
            made.append((path, compressed(content)))
        self.put(key, pickled(made))

    def get(self, key: str) -> bytes | None:
        """Return the entry of the key, None where there is none."""
        if key in self._all.added:
            return self._all.added[key]
        if key not in self._old:
            return None
        self._record(Changes(used={key}))
        return self._old[key][1]

    def put(self, key: str, content: bytes) -> None:
        """Add an entry."""
        if self.enabled:
            self._record(Changes(added={key: content}))

    def count_miss(self) -> None:
        """Count a result that had to be computed."""
        self._record(Changes(misses=1))

    def take_changes(self, keep: bool = False) -> Changes:
        """Return what was done since the last call: in a worker process, for `apply` here.

        The new entries are forgotten here unless `keep` says otherwise.
        """
        changes, self._unreported = self._unreported, Changes()
        for key in () if keep else changes.added:
            self._all.added.pop(key, None)
        return changes

    def apply(self, changes: Changes) -> None:
        """Do what another process did with its copy of this section."""
        self._all |= changes

    def _record(self, changes: Changes) -> None:
        self._all |= changes
        self._unreported |= changes

    def packed(self) -> bytes | None:
        """Return the bytes to keep for the next build, None where nothing changed."""
        kept = {key: (0, content) for key, content in self._all.added.items()}
        for key, (unused, content) in self._old.items():
            if key not in kept and (key in self._all.used or not unused):
                kept[key] = (int(key not in self._all.used), content)
        ages = {key: unused for key, (unused, _) in kept.items()}
        is_unchanged = ages == {key: unused for key, (unused, _) in self._old.items()}
        if not self.enabled or (is_unchanged and not self._all.added):
            return None
        return _pack(kept)


def load_manifest(section: Section) -> tuple[str, dict[str, FileState]]:
    """Return the digest of the last build's input, and the states of the files it published."""
    if (kept := section.get("last")) is None:
        return "", {}
    digest_of_input, states = json.loads(kept)
    return digest_of_input, {path: FileState(*each) for path, each in states.items()}


def save_manifest(section: Section, digest_of_input: str, states: Mapping[str, FileState]) -> None:
    """Keep what `load_manifest` returns for the next build."""
    section.put("last", json.dumps([digest_of_input, states]).encode())


class Cache:
    """The sections of one site's cache, a file each in a folder; without one nothing is kept."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._sections: dict[str, Section] = {}

    def section(self, name: str) -> Section:
        """Return the section of that name, read when it is first asked for."""
        if name not in self._sections:
            self._sections[name] = self._read(name)
        return self._sections[name]

    def read_all(self) -> None:
        """Read every section now, so that processes forked later share its memory."""
        for path in () if self.folder is None else self.folder.glob("[!.]*"):
            self.section(path.name)

    def _read(self, name: str) -> Section:
        if self.folder is None:
            return Section(enabled=False)
        try:
            return Section((self.folder / name).read_bytes())
        except OSError:
            return Section()

    def take_changes(self, keep: bool = False) -> dict[str, Changes]:
        """Return what was done with each section since the last call."""
        return {name: section.take_changes(keep) for name, section in self._sections.items()}

    def apply(self, changes: dict[str, Changes]) -> None:
        """Do what a worker process did with its copy of the cache."""
        for name, change in changes.items():
            self.section(name).apply(change)

    def files(self) -> Iterator[tuple[Path, bytes]]:
        """Yield path and bytes of each file to write."""
        for name, section in self._sections.items():
            content = section.packed()
            if content is not None and self.folder is not None:
                yield self.folder / name, content


def _pack(kept: dict[str, tuple[int, bytes]]) -> bytes:
    """Return a file: the checksum of what follows, the list of entries, and their bytes.

    Each entry has the number of builds that have not used it.
    """
    listed = {key: (unused, len(content)) for key, (unused, content) in kept.items()}
    head = json.dumps([digest_of_program(), listed]).encode() + b"\n"
    parts, checksum = [head, *(content for _, content in kept.values())], hashlib.sha256()
    for part in parts:
        checksum.update(part)
    return b"".join([checksum.digest(), *parts])


def _unpack(packed: bytes) -> dict[str, tuple[int, bytes]]:
    """Return the entries of a file, none where it is damaged or of another program."""
    checksum, body = packed[:_SHA256_BYTES], memoryview(packed)[_SHA256_BYTES:]
    if hashlib.sha256(body).digest() != checksum:
        return {}
    start = packed.index(b"\n", _SHA256_BYTES) + 1
    program, listed = json.loads(packed[_SHA256_BYTES:start])
    if program != digest_of_program():
        return {}
    entries = {}
    for key, (unused, length) in listed.items():
        entries[key] = (unused, packed[start : start + length])
        start += length
    return entries


def pickled(value: object) -> bytes:
    """Return a pickle of the value, also where read-only mappings are part of it."""
    file = io.BytesIO()
    _Pickler(file, pickle.HIGHEST_PROTOCOL).dump(value)
    return file.getvalue()


class _Pickler(pickle.Pickler):
    def reducer_override(self, value: Any) -> Any:
        """Return how to write what pickle does not know, and records, faster than its own way."""
        if isinstance(value, MappingProxyType):
            return _proxy, (dict(value),)
        record: Any = type(value)
        return (record, _field_getter(record)(value)) if _is_positional(record) else NotImplemented


@functools.cache
def _is_positional(record: type) -> bool:
    """Whether a class makes the same record of the values of its fields in order."""
    params = getattr(record, "__dataclass_params__", None)
    if params is None or not params.frozen or hasattr(record, "__post_init__"):
        return False
    return all(field.init and not field.kw_only for field in dataclasses.fields(record))


def _proxy(held: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(held)


NO_SECTION = Section(enabled=False)
NO_CACHE = Cache(None)
