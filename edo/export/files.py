"""Every data file of the site, and the CSV files of the pages of players, years and events.

From `pairings.csv` alone the ratings can be fitted again: the years of a player run from the first
to the last year in it, and every other number of the computation is in the settings. By the
descriptor `datapackage.json`, programs find and read the files.
Source: Data Package 2.0 and Table Schema (https://datapackage.org).
"""

from __future__ import annotations

import csv
import datetime
import hashlib
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from json.encoder import encode_basestring
from math import isfinite

from edo.core import urls
from edo.core.model import Source
from edo.core.settings import DEFAULT
from edo.core.text import kebab
from edo.export import ratings, records
from edo.export.ratings import (
    CHANCES,
    EFFECTS,
    NUMBER_ONE,
    PAIRINGS,
    RATINGS,
    SYSTEM_RATINGS,
    SYSTEMS,
)
from edo.export.sqlite import Database
from edo.export.table import Column, History, Kind, Row, Table, Value, by_column, text
from edo.history.project import LICENCE

PROFILE = "https://datapackage.org/profiles/2.0/datapackage.json"
DESCRIPTION = (
    "Historical {game} results as entered by the editors, with their sources, and the ratings of "
    "every player in every year, computed from them by {method}."
)
KEYWORDS = ("history", "ratings", "tournaments", "paired comparisons")

TABLES: tuple[Table, ...] = (
    *ratings.TABLES,
    *ratings.PROBABILITY_TABLES,
    *records.REGISTRY_TABLES,
    *records.EVENT_TABLES,
    SYSTEMS,
    EFFECTS,
)
"""Every table that is published in all formats, in the order in which the page explains them."""

LARGE = (SYSTEM_RATINGS,)
"""Tables published as CSV only, since they are larger than all others together."""

DESCRIPTOR = "datapackage.json"
DATABASE = "history.sqlite"


@dataclass(frozen=True, slots=True)
class Edition:
    """The name of the site, which data and program made it, and the licence of the data.

    `date` is the day of the newest entry among the published changes, None without any; `game` is
    what was played, `method` what it was rated by.
    """

    site: str
    fingerprint: str
    version: str
    licence: str = LICENCE
    date: datetime.date | None = None
    game: str = "chess"
    method: str = DEFAULT.method

    @property
    def number(self) -> str:
        """Return program and data in one, as a semantic version with build metadata."""
        return f"{self.version}+{self.fingerprint}"

    @property
    def licence_url(self) -> str:
        """Return where the text of the licence is."""
        return f"https://spdx.org/licenses/{self.licence}.html"


@dataclass(frozen=True, slots=True)
class File:
    """A data file: its name next to the descriptor, its bytes, and the table in it, if it is one.

    `rows` is how many the table has.
    """

    name: str
    content: bytes
    table: Table | None = None
    rows: int = 0


Json = dict[str, object]

FORMATS: Mapping[str, str] = {
    "csv": "text/csv",
    "json": "application/json",
    "sqlite": "application/vnd.sqlite3",
}
"""The kinds of files by the ends of their names, and their media types."""


def data_files(history: History, edition: Edition, base_url: str | None) -> tuple[File, ...]:
    """Return every data file: each table as CSV and JSON, one database, and the descriptor."""
    files, database = [], Database()
    for table in TABLES:
        rows = table.rows(history)
        database.add(table, rows)
        files.append(File(f"{table.name}.csv", csv_bytes(table, rows), table, len(rows)))
        files.append(File(f"{table.name}.json", json_bytes(table, rows), table, len(rows)))
    for table in LARGE:
        content = csv_bytes(table, table.source(history))  # all of its numbers have decimals
        n_rows = content.count(b"\n") - 1  # no text in it has several lines
        files.append(File(f"{table.name}.csv", content, table, n_rows))
    files.append(File(DATABASE, database.finished(_about(edition, base_url))))
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
    yield "description", DESCRIPTION.format(game=edition.game, method=edition.method)
    yield "version", edition.number
    yield "program", edition.version
    yield "data", edition.fingerprint
    yield "licence", edition.licence
    yield "licence_url", edition.licence_url
    if base_url is not None:
        yield "homepage", urls.absolute(base_url, urls.DATA)


def csv_bytes(table: Table, rows: Iterable[Row]) -> bytes:
    """Return rows of a table as CSV (RFC 4180, but `\\n` line ends) below a row of column names.

    Numbers have fixed decimals, or are the shortest text of the same number.
    """
    written = io.BytesIO()
    encoder = io.TextIOWrapper(written, "utf-8", newline="")
    writer = csv.writer(encoder, lineterminator="\n")
    writer.writerow(table.header)
    writer.writerows(by_column(rows, list(map(_in_csv, table.columns))))
    encoder.flush()
    return written.getvalue()


def _in_csv(column: Column) -> Callable[[Value], str] | None:
    if column.decimals is not None:
        return f"{{:z.{column.decimals}f}}".format  # z: no negative zero
    return (lambda value: "yes" if value else "") if column.kind == "boolean" else None


def json_bytes(table: Table, rows: Iterable[Row]) -> bytes:
    """Return rows of a table as a JSON array of objects, one a line; what is absent is null."""
    line = "\n{" + ",".join(f'"{name}":%s' for name in table.header) + "}"
    shown = by_column(rows, [_IN_JSON[column.kind] for column in table.columns], "null")
    lines, written = map(line.__mod__, shown), io.BytesIO()
    encoder = io.TextIOWrapper(written, "utf-8", newline="")
    encoder.write("[" + next(lines, ""))
    encoder.writelines("," + one for one in lines)
    encoder.write("\n]\n")
    encoder.flush()
    return written.getvalue()


def _number_in_json(value: float) -> str:
    if not isfinite(value):
        raise ValueError(f"{value} is no number of JSON")
    return repr(value)


_IN_JSON: Mapping[Kind, Callable[..., str]] = {
    "string": encode_basestring,
    "integer": repr,
    "number": _number_in_json,
    "boolean": lambda value: "true" if value else "false",
}


def _year_list(history: History) -> Iterator[Row]:
    """Yield all ratings by year and rank, with the probabilities of ranks where they are known."""
    rows = {row[:2]: row for row in RATINGS.source(history)}
    for year, ranking in sorted(history.ratings.years.items()):
        for one in ranking:
            found = history.answers.rank_probabilities.get((one.player, year))
            chances = [getattr(found, name, None) for name in CHANCES]
            yield (*rows[one.player, year], *chances)


def with_names(table: Table, **players: str) -> Table:
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
    PageTable(with_names(YEAR_LISTS, name="player"), "year", urls.year),
    PageTable(with_names(PAIRINGS, name_a="player_a", name_b="player_b"), "event", urls.event),
)


def table_files(history: History) -> Iterator[tuple[str, bytes]]:
    """Yield the path and the bytes of each page's own rows, for every page that has any."""
    for one in PAGE_TABLES:
        at = one.table.header.index(one.column)
        rows_of: dict[object, list[Row]] = {}
        for row in one.table.published(history):
            rows_of.setdefault(row[at], []).append(row)
        for value, rows in rows_of.items():
            yield urls.table(one.page(value)), csv_bytes(one.table, rows)


def descriptor(
    edition: Edition, sources: Iterable[Source], files: Iterable[File], base_url: str | None
) -> bytes:
    """Return the descriptor; it holds no time, so that the same data make the same bytes."""
    package: Json = {
        "$schema": PROFILE,
        "name": f"historical-{kebab(edition.game) or 'game'}-ratings",
        "title": edition.site,
        "description": DESCRIPTION.format(game=edition.game, method=edition.method),
        "version": edition.number,
        "keywords": [edition.game, *KEYWORDS],
    }
    if base_url is not None:
        package["homepage"] = urls.absolute(base_url, urls.DATA)
    package["licenses"] = [{"name": edition.licence, "path": edition.licence_url}]
    package["sources"] = [_source(source) for source in sources]
    package["resources"] = [_resource(file) for file in files]
    return (json.dumps(package, ensure_ascii=False, indent=1) + "\n").encode()


def _source(source: Source) -> Json:
    by = "" if source.author is None else f"{source.author}: "
    where = "" if source.published is None else f", {source.published}"
    path = {} if source.url is None else {"path": source.url}
    return {"title": f"{by}{source.title}{where}", **path}


def _resource(file: File) -> Json:
    """Return the description of a file; that of a table's CSV file holds the schema too."""
    stem, _, kind = file.name.rpartition(".")
    is_main = file.table is not None and kind == "csv"
    described: Json = {"name": stem if is_main else f"{stem}-{kind}"}
    if is_main:
        described["type"] = "table"
    described |= {
        "path": file.name,
        "title": "All tables" if file.table is None else file.table.title,
        "description": _description(file, kind),
        "format": kind,
        "mediatype": FORMATS[kind],
    }
    if kind != "sqlite":
        described["encoding"] = "utf-8"
    described["bytes"] = len(file.content)
    described["hash"] = f"sha256:{hashlib.sha256(file.content).hexdigest()}"
    if is_main and file.table is not None:
        described["dialect"] = {"lineTerminator": "\n"}
        described["schema"] = schema(file.table)
    return described


def _description(file: File, kind: str) -> str:
    if file.table is None:
        return "All tables in one SQLite database, with keys, indexes and views."
    if kind == "json":
        return f"The rows of {file.table.name}.csv as an array of objects; what is absent is null."
    return file.table.description


def schema(table: Table) -> Json:
    """Return the Table Schema of a table's CSV file."""
    described: Json = {
        "fields": [_field(column) for column in table.columns],
        "missingValues": [""],
    }
    if table.key:
        described["primaryKey"] = list(table.key)
    if table.references:
        described["foreignKeys"] = [
            {
                "fields": list(one.columns),
                "reference": {
                    "resource": "" if one.table == table.name else one.table,
                    "fields": list(one.to),
                },
            }
            for one in table.references
        ]
    return described


def _field(column: Column) -> Json:
    described: Json = {
        "name": column.name,
        "type": column.kind,
        "description": column.description,
    }
    if column.kind == "boolean":
        described |= {"trueValues": ["yes"], "falseValues": ["no"]}
    limits = {
        "required": column.required or None,
        "enum": list(column.values) or None,
        "minimum": column.least,
        "maximum": column.most,
        "pattern": column.pattern,
    }
    constraints = {name: limit for name, limit in limits.items() if limit is not None}
    return {**described, "constraints": constraints} if constraints else described
