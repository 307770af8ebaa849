"""The data files of a built site, read back, and the bytes of all its files."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path


def csv_rows(site: Path, name: str) -> list[dict[str, str]]:
    """Return the rows of a CSV file in `data/`."""
    path = site / "data" / name
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def files(folder: Path) -> dict[str, bytes]:
    """Return the bytes of all files by their paths."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
