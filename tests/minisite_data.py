"""The minisite's data files, read back from CSV and SQLite."""

from __future__ import annotations

import csv
import gzip
import io
import sqlite3
from collections.abc import Iterator
from functools import cache

from conftest import MINISITE, real_settings

from edo.export.files import Edition, data_files
from edo.export.table import History, Row, Table, Value
from edo.history.dataset import load
from edo.rating import edo
from edo.rating.games import games_of
from edo.rating.inference.posterior import answer

EDITION = Edition("Invented Ratings", "0123456789ab", "1.2.3")


@cache
def history() -> History:
    """Return the minisite's events with their ratings and answers."""
    dataset = load(MINISITE / "events")
    pairings = games_of(dataset)
    done = edo.run(pairings, real_settings())
    answers = answer(done)
    return History(dataset, edo.publish(dataset, done), answers)


@cache
def files() -> dict[str, bytes]:
    """Return its data files by name."""
    made = data_files(history(), EDITION, "https://example.org/chess/data/index.html")
    return {file.name: file.content for file in made}


@cache
def unpacked() -> dict[str, bytes]:
    """Return its data files by name, those with `.gz` unpacked and without it."""
    return {
        name.removesuffix(".gz"): gzip.decompress(content) if name.endswith(".gz") else content
        for name, content in files().items()
    }


def from_csv(table: Table) -> Iterator[Row]:
    """Yield the rows of a table's CSV file, converted by the types of its columns."""
    rows = csv.reader(io.StringIO(unpacked()[f"{table.name}.csv"].decode()))
    assert tuple(next(rows)) == table.header
    read = {"string": str, "integer": int, "number": float, "boolean": {"yes": True}.__getitem__}
    for row in rows:
        yield tuple(
            None if cell == "" else read[column.kind](cell)
            for column, cell in zip(table.columns, row, strict=True)
        )


def database(content: bytes) -> sqlite3.Connection:
    """Open an SQLite file from memory."""
    opened = sqlite3.connect(":memory:")
    opened.deserialize(content)
    return opened


def in_order(rows: Iterator[Row]) -> list[Row]:
    """Return the rows sorted, absent values first."""
    return sorted(rows, key=lambda row: [_sortable(value) for value in row])


def _sortable(value: Value) -> tuple[str, Value]:
    if value is None:
        return "", 0
    return ("text" if isinstance(value, str) else "number"), value
