"""The history and its edition in, all data files beside the pages out: one registry of tables.

From `pairings.csv` alone the ratings can be fitted again: the years of a player run from the first
to the last year in it, and every other number of the pass is in the settings.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator

from edo.core import urls
from edo.export import (
    answer_tables,
    event_tables,
    rating_tables,
    registry_tables,
    result_tables,
    system_tables,
)
from edo.export.citation import Edition
from edo.export.datapackage import DESCRIPTION, LICENCE_URL, File, descriptor, number
from edo.export.sqlitefile import sqlite_bytes
from edo.export.tabular import History, Row, Table, Value
from edo.history.site_config import LICENCE

TABLES: tuple[Table, ...] = (
    *rating_tables.TABLES,
    *answer_tables.TABLES,
    *registry_tables.TABLES,
    *event_tables.TABLES,
    *result_tables.TABLES,
    *system_tables.TABLES,
)
"""Every table that stands in all forms, in the order in which the page explains them."""

LARGE: tuple[Table, ...] = system_tables.LARGE
"""The tables that stand as CSV alone, after the others."""

DESCRIPTOR = "datapackage.json"
DATABASE = "history.sqlite"


def data_files(history: History, edition: Edition, base_url: str | None) -> tuple[File, ...]:
    """Return every data file: each table as CSV and JSON, all in one database, the descriptor.

    The large ones as CSV alone.
    """
    made = [(table, table.rows(history)) for table in TABLES]
    files = [
        File(f"{table.name}.{kind}", write(table, rows), table, len(rows))
        for table, rows in made
        for kind, write in (("csv", csv_bytes), ("json", json_bytes))
    ]
    for table in LARGE:
        rows = table.rows(history)
        files.append(File(f"{table.name}.csv", csv_bytes(table, rows), table, len(rows)))
    files.append(File(DATABASE, sqlite_bytes(made, _about(edition, base_url))))
    sources = history.dataset.sources.values()
    return (*files, File(DESCRIPTOR, descriptor(edition, sources, files, base_url)))


def names() -> Iterator[str]:
    """Yield the names of the data files, in the order in which they are made."""
    for table in TABLES:
        yield from (f"{table.name}.{kind}" for kind in ("csv", "json"))
    yield from (f"{table.name}.csv" for table in LARGE)
    yield from (DATABASE, DESCRIPTOR)


def _about(edition: Edition, base_url: str | None) -> Iterator[tuple[str, str]]:
    """Yield what the database says of itself."""
    yield "title", edition.site
    yield "description", DESCRIPTION
    yield "version", number(edition)
    yield "program", edition.version
    yield "data", edition.fingerprint
    yield "licence", LICENCE
    yield "licence_url", LICENCE_URL
    if base_url is not None:
        yield "homepage", urls.absolute(base_url, urls.DATA)


def csv_bytes(table: Table, rows: Iterable[Row]) -> bytes:
    """Return rows of a table as CSV (RFC 4180, but `\\n` line ends) below a row of its columns."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(table.header)
    writer.writerows(_cells(table, rows))
    return written.getvalue().encode()


def json_bytes(table: Table, rows: Iterable[Row]) -> bytes:
    """Return rows of a table as a JSON array of objects, one a line; what is absent is null."""
    names = table.header
    encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
    lines = ("\n" + encode(dict(zip(names, row, strict=True))) for row in rows)
    return f"[{','.join(lines)}\n]\n".encode()


def _cells(table: Table, rows: Iterable[Row]) -> Iterator[list[Value]]:
    """Yield what stands in the cells: fixed decimals or the shortest text of the same number."""
    columns = list(enumerate(table.columns))
    fixed = [(k, f".{one.decimals}f") for k, one in columns if one.decimals is not None]
    flags = [k for k, one in columns if one.kind == "boolean"]
    for row in rows:
        cells = list(row)
        for k, places in fixed:
            if cells[k] is not None:
                cells[k] = format(cells[k], places)
        for k in flags:
            if cells[k]:
                cells[k] = "yes"
        yield cells
