"""Folders in, one short hash of all that is in them out: by it a page says which data made it."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

_PART = 1 << 20  # [bytes] read at a time: a folder may hold files of any size
LENGTH = 12  # [hex digits] enough to tell any two states of the data apart


def fingerprint(folders: Iterable[Path]) -> str:
    """Return the hash of every file's path and bytes, the same in whatever order they are read."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(p for p in folder.rglob("*") if p.is_file() and not p.is_symlink()):
            name = os.fsencode(path.relative_to(folder).as_posix())
            digest.update(len(name).to_bytes(8, "big") + name)
            digest.update(path.stat().st_size.to_bytes(8, "big"))
            with path.open("rb") as file:
                while part := file.read(_PART):
                    digest.update(part)
    return digest.hexdigest()[:LENGTH]
