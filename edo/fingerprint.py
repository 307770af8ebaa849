"""Folders in, one short hash of all that is in them out: by it a page says which data made it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

LENGTH = 12  # [hex digits] enough to tell any two states of the data apart


def fingerprint(folders: Iterable[Path]) -> str:
    """Return the hash of every file's path and bytes, the same in whatever order they are read."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(p for p in folder.rglob("*") if p.is_file()):
            for part in (path.relative_to(folder).as_posix().encode(), path.read_bytes()):
                digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()[:LENGTH]
