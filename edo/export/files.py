"""Every data file of the site, and the CSV files beside the pages of players, years and events.

From `pairings.csv` alone the ratings can be fitted again: the years of a player run from the first
to the last year in it, and every other number of the computation is in the settings.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from edo.core import urls
from edo.export import ratings, registries, results
from edo.export.data_package import DESCRIPTION, LICENCE_URL, File, descriptor
from edo.export.ratings import LARGE, NUMBER_ONE, PAIRINGS, RATINGS
from edo.export.sqlite import sqlite_bytes
from edo.export.table import History, Row, Table, Value, text
from edo.history.content_files import LICENCE
from edo.site.metadata import Edition

TABLES: tuple[Table, ...] = (
    *ratings.TABLES,
    *ratings.PROBABILITY_TABLES,
    *registries.TABLES,
    *results.TABLES,
    *ratings.SYSTEM_TABLES,
)
"""Every table that is published in all formats, in the order in which the page explains them."""

DESCRIPTOR = "datapackage.json"
DATABASE = "history.sqlite"


def data_files(history: History, edition: Edition, base_url: str | None) -> tuple[File, ...]:
    """Return every data file: each table as CSV and JSON, one database, and the descriptor.

    Large tables as CSV only.
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
    """Yield the keys and values of the database's own description, the table `meta`."""
    yield "title", edition.site
    yield "description", DESCRIPTION
    yield "version", edition.number
    yield "program", edition.version
    yield "data", edition.fingerprint
    yield "licence", LICENCE
    yield "licence_url", LICENCE_URL
    if base_url is not None:
        yield "homepage", urls.absolute(base_url, urls.DATA)


def csv_bytes(table: Table, rows: Iterable[Row]) -> bytes:
    """Return rows of a table as CSV (RFC 4180, but `\\n` line ends) below a row of column names."""
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
    """Yield the cells of each row: fixed decimals, or the shortest text of the same number."""
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


def _year_list(history: History) -> Iterator[Row]:
    """Yield all ratings by year and rank, with the probabilities of ranks where they are known."""
    rows = {row[:2]: row for row in RATINGS.source(history)}
    for year, ranking in sorted(history.ratings.years.items()):
        for one in ranking:
            found = history.answers.chances.get((one.player, year))
            chances = (
                (None,) * 4
                if found is None
                else (found.first, found.top_ten, found.rank_low, found.rank_high)
            )
            yield (*rows[one.player, year], *chances)


def _with_names(table: Table, **players: str) -> Table:
    """Return the table with a column of names for each of the named columns of player ids."""
    at = [table.header.index(column) for column in players.values()]

    def rows(history: History) -> Iterator[Row]:
        known = history.dataset.players
        for row in table.source(history):
            yield (*row, *(known[str(row[i])].shown_name for i in at))

    names = (text(name, "name as shown on the pages", required=True) for name in players)
    return replace(table, columns=(*table.columns, *names), source=rows)


@dataclass(frozen=True, slots=True)
class PageTable:
    """A table divided among pages: a row belongs to the page of its value in `column`."""

    table: Table
    column: str
    page: Callable[..., str]


YEAR_LISTS = replace(
    RATINGS, columns=(*RATINGS.columns, *NUMBER_ONE.columns[2:]), source=_year_list
)
"""The ratings by year and rank, with the probabilities that the pages of years show."""

PAGE_TABLES = (
    PageTable(RATINGS, "player", urls.player),
    PageTable(_with_names(YEAR_LISTS, name="player"), "year", urls.year),
    PageTable(_with_names(PAIRINGS, name_a="player_a", name_b="player_b"), "event", urls.event),
)


def table_files(history: History) -> Iterator[tuple[str, bytes]]:
    """Yield the path and the bytes of each page's own rows, for every page that has any."""
    for one in PAGE_TABLES:
        at = one.table.header.index(one.column)
        rows_of: dict[object, list[Row]] = {}
        for row in one.table.rows(history):
            rows_of.setdefault(row[at], []).append(row)
        for value, rows in rows_of.items():
            yield urls.table(one.page(value)), csv_bytes(one.table, rows)
