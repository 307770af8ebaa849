"""Values, files and the program itself in, digests out: by these what was made once is found again.

Values with the same digest are the same. The reverse need not hold: then something is made twice.
"""

from __future__ import annotations

import dataclasses
import hashlib
import io
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
from typing import Any

_HERE = Path(__file__).parent
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
