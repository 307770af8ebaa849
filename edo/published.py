"""A published file and its bytes in, a stamp by which it is known again unread out."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from edo.store import Shelf

_LAST = "last"


class Stamp(NamedTuple):
    """Size [bytes], time of the last change [ns] and SHA-256 of a file."""

    size: int
    changed: int
    sha256: str


def stamp(path: Path, content: bytes) -> Stamp:
    """Return the stamp of a file that was just written."""
    return Stamp(len(content), path.stat().st_mtime_ns, hashlib.sha256(content).hexdigest())


def holds(path: Path, known: Stamp, content: bytes) -> bool:
    """Whether a file is untouched since it got its stamp, and held these bytes then."""
    if known.size != len(content) or known.sha256 != hashlib.sha256(content).hexdigest():
        return False
    try:
        about = path.lstat()
    except OSError:
        return False
    return _is_untouched(about, known)


def _is_untouched(about: os.stat_result, known: Stamp) -> bool:
    """Whether this is still the file; not where more than one name leads to it."""
    same = (about.st_size, about.st_mtime_ns) == (known.size, known.changed)
    return same and stat.S_ISREG(about.st_mode) and about.st_nlink == 1


def is_whole(out: Path, stamps: Mapping[str, Stamp], marker: str) -> bool:
    """Whether a folder holds just these files, untouched, and the marker."""
    left = dict(stamps)
    for path, entry in _files(out, ""):
        known = left.pop(path, None)
        about = entry.stat(follow_symlinks=False)
        is_marker = path == marker and about.st_size == 0
        if not is_marker and (known is None or not _is_untouched(about, known)):
            return False
    return not left and (out / marker).is_file()


def _files(folder: Path, prefix: str) -> Iterator[tuple[str, os.DirEntry[str]]]:
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                path = prefix + entry.name
                if entry.is_dir(follow_symlinks=False):
                    yield from _files(folder / entry.name, path + "/")
                else:
                    yield path, entry
    except OSError:
        return


def recall(shelf: Shelf) -> tuple[str, dict[str, Stamp]]:
    """Return the digest of the input of the last build, and the stamps of what it published."""
    kept = shelf.get(_LAST)
    if kept is None:
        return "", {}
    of, stamps = json.loads(kept)
    return of, {path: Stamp(*each) for path, each in stamps.items()}


def remember(shelf: Shelf, of: str, stamps: Mapping[str, Stamp]) -> None:
    """Keep for the next build what `recall` returns."""
    shelf.put(_LAST, json.dumps([of, stamps]).encode())
