"""Digests of files and of the program, by which a build knows that nothing has changed."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from edo.core.files import input_files

PROGRAM = Path(__file__).parents[1]


def digest(*values: object) -> str:
    """Return the SHA-256 of values that JSON can hold, in hexadecimal."""
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()


def digest_of_folders(*folders: Path) -> str:
    """Return the digest of paths and bytes of all input files in these folders.

    Some may be files, or not be there. The order in which the system lists files changes nothing.
    """
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


@cache
def digest_of_program() -> str:
    """Return the digest of everything besides the input that a build depends on.

    That is the source of this program, and the versions of Python and of installed packages.
    """
    import sqlite3  # noqa: PLC0415 - not needed to check files

    threads = (item for item in os.environ.items() if item[0].startswith(("OPENBLAS", "OMP_")))
    return digest(
        [_file(PROGRAM, path) for path in sorted(PROGRAM.rglob("*.py"))],
        [_file(PROGRAM, path) for path in sorted(PROGRAM.rglob("*.json"))],
        sorted(_installed(sys.path)),
        [sys.version, sys.platform, os.uname().machine],
        sorted(threads),
        [sqlite3.sqlite_version, zlib.ZLIB_RUNTIME_VERSION],
    )


def _installed(folders: Iterable[str]) -> Iterator[str]:
    """Yield the names of packages' metadata folders, which contain their versions."""
    for folder in folders:
        if Path(folder).is_dir():
            names = os.listdir(folder or ".")  # noqa: PTH208 (strings are faster than paths)
            yield from (name for name in names if name.endswith(("-info", ".pth")))
