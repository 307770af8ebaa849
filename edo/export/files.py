"""Every data file of the site: each table as CSV, one SQLite database, and their descriptor.

The largest are compressed by gzip, which statistical programs read as they are. From
`pairings.csv.gz` alone the ratings can be fitted again: the years of a player run from the first to
the last year in it, and every other number of the computation is in the settings. By the descriptor
`datapackage.json`, programs find and read the files.
Source: Data Package 2.0 and Table Schema (https://datapackage.org).
"""

from __future__ import annotations

import csv
import datetime
import gzip
import hashlib
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from edo.core.model import Source
from edo.core.text import kebab
from edo.export import ratings, records
from edo.export.ratings import (
    EFFECTS,
    SYSTEM_RATINGS,
    SYSTEMS,
)
from edo.export.sqlite import Database
from edo.export.table import Column, History, Row, Table, Value, by_column
from edo.history.project import LICENCE
from edo.history.settings import DEFAULT

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
"""The tables of the database, in the order in which the page explains them."""

LARGE = (ratings.INFLUENCE, SYSTEM_RATINGS)
"""Tables that are not in the database, since they are larger than all others together."""

COMPRESSED = (
    *(records.RESULTS, records.GAMES, records.PARTICIPANTS, records.CITATIONS, records.OPEN_PAIRS),
    *(ratings.PAIRINGS, ratings.SUPERIORITY, ratings.RIVALS, ratings.BEST_YEARS, *LARGE),
)
"""Tables that programs read rather than people, six times as large as when they are compressed."""
LEVEL = 4  # of compression; 6 takes twice as long for a twentieth less

LICENCE_COVERS = (
    "Results, dates and names are facts, which belong to nobody. The licence covers what was made "
    "of them here: their selection and arrangement, the ids, the notes, and all that is computed."
)
DESCRIPTOR = "datapackage.json"
DATABASE = "history.sqlite.gz"
DATABASE_DESCRIPTION = "All tables but the largest in one SQLite database, with keys and views."


@dataclass(frozen=True, slots=True)
class Edition:
    """The name of the site, which data and program made it, and the licence of the data.

    `date` is the day of the newest entry among the published changes, None without any; `game` is
    what was played, `method` what it was rated by. `author`, `publisher` and the publisher's
    `address` are those of `site.yaml`.
    """

    site: str
    fingerprint: str
    version: str
    licence: str = LICENCE
    date: datetime.date | None = None
    game: str = "chess"
    method: str = DEFAULT.method
    author: str | None = None
    publisher: str | None = None
    address: str | None = None

    @property
    def by(self) -> str:
        """Return whom citations name as author: without one, the publisher or the site."""
        return self.author or self.publisher or self.site

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

MEDIA_TYPES: Mapping[str, str] = {
    "csv": "text/csv",
    "gz": "application/gzip",
    "json": "application/json",
    "sqlite": "application/vnd.sqlite3",
}
"""The media types of data files, by the ends of their names."""


def media_type(name: str) -> str:
    """Return the media type of a data file."""
    return MEDIA_TYPES[name.rpartition(".")[2]]


def data_files(history: History, edition: Edition, homepage: str | None) -> tuple[File, ...]:
    """Return every data file: each table as CSV, one database, and the descriptor."""
    files, database = [], Database()
    for table in TABLES:
        rows = table.rows(history)
        database.add(table, rows)
        files.append(_file(table, csv_bytes(table, rows), len(rows)))
    for table in LARGE:
        content = csv_bytes(table, table.source(history))  # all of its numbers have decimals
        n_rows = content.count(b"\n") - 1  # no text in it has several lines
        files.append(_file(table, content, n_rows))
    content = database.finished(_about(edition, homepage))
    files.append(File(DATABASE, compressed(content)))
    sources = history.dataset.sources.values()
    return (*files, File(DESCRIPTOR, descriptor(edition, sources, files, homepage)))


def names() -> Iterator[str]:
    """Yield the names of the data files, in the order in which they are made."""
    for table in TABLES:
        yield file_name(table)
    yield from map(file_name, LARGE)
    yield from (DATABASE, DESCRIPTOR)


def file_name(table: Table) -> str:
    """Return the name of a table's file."""
    return f"{table.name}.csv{'.gz' if table in COMPRESSED else ''}"


def _file(table: Table, content: bytes, n_rows: int) -> File:
    packed = compressed(content) if table in COMPRESSED else content
    return File(file_name(table), packed, table, n_rows)


def compressed(content: bytes) -> bytes:
    """Return bytes compressed by gzip, without the time: the same each time."""
    return gzip.compress(content, LEVEL, mtime=0)


def _about(edition: Edition, homepage: str | None) -> Iterator[tuple[str, str]]:
    """Yield the keys and values of the database's own description, the table `meta`."""
    yield "title", edition.site
    yield "description", DESCRIPTION.format(game=edition.game, method=edition.method)
    yield "version", edition.number
    yield "program", edition.version
    yield "data", edition.fingerprint
    yield "licence", edition.licence
    yield "licence_url", edition.licence_url
    yield "licence_covers", LICENCE_COVERS
    if edition.author is not None:
        yield "author", edition.author
    if edition.publisher is not None:
        yield "publisher", edition.publisher
    if homepage is not None:
        yield "homepage", homepage


def csv_bytes(table: Table, rows: Iterable[Row]) -> bytes:
    """Return rows of a table as CSV (RFC 4180, but `\\n` line ends) below a row of column names.

    Numbers have fixed decimals, or are the shortest text of the same number.
    """
    content = io.StringIO(newline="")
    writer = csv.writer(content, lineterminator="\n")
    writer.writerow(table.header)
    writer.writerows(by_column(rows, list(map(_in_csv, table.columns))))
    return content.getvalue().encode()


def _in_csv(column: Column) -> Callable[[Sequence[Any]], Sequence[Value]] | None:
    """Return what shows the values of a column as texts, None where they are shown as they are."""
    if column.decimals is not None:
        return partial(_decimals, column.decimals)
    if column.kind == "boolean":
        return lambda values: ["yes" if value else "" for value in values]
    return None


def _decimals(n: int, values: Sequence[float | None]) -> list[str]:
    """Return numbers with n decimals, without a negative zero: at once, for there are millions."""
    known = [value for value in values if value is not None]
    texts = (f"%.{n}f\n" * len(known) % tuple(known)).split("\n")[:-1]
    zero = f"{0:.{n}f}"
    if f"-{zero}" in texts:
        texts = [zero if text == f"-{zero}" else text for text in texts]
    if len(known) == len(values):
        return texts
    shown = iter(texts)
    return ["" if value is None else next(shown) for value in values]


def descriptor(
    edition: Edition, sources: Iterable[Source], files: Iterable[File], homepage: str | None
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
    if homepage is not None:
        package["homepage"] = homepage
    package["licenses"] = [{"name": edition.licence, "path": edition.licence_url}]
    package["licence_covers"] = LICENCE_COVERS
    people = (("author", edition.author), ("publisher", edition.publisher))
    if named := [{"title": name, "role": role} for role, name in people if name is not None]:
        package["contributors"] = named
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
    stem, _, kind = file.name.removesuffix(".gz").rpartition(".")
    described: Json = {"name": stem if file.table is not None else f"{stem}-{kind}"}
    if file.table is not None:
        described["type"] = "table"
    described |= {
        "path": file.name,
        "title": "All tables" if file.table is None else file.table.title,
        "description": DATABASE_DESCRIPTION if file.table is None else file.table.description,
        "format": kind,
        "mediatype": MEDIA_TYPES[kind],
    }
    if file.name.endswith(".gz"):
        described["compression"] = "gz"
    if kind != "sqlite":
        described["encoding"] = "utf-8"
    described["bytes"] = len(file.content)
    described["hash"] = f"sha256:{hashlib.sha256(file.content).hexdigest()}"
    if file.table is not None:
        described["dialect"] = {"lineTerminator": "\n"}
        described["schema"] = schema(file.table)
    return described


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
                "fields": list(reference.columns),
                "reference": {
                    "resource": "" if reference.table == table.name else reference.table,
                    "fields": list(reference.to),
                },
            }
            for reference in table.references
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
