"""The descriptor `datapackage.json`, by which programs find and read the data files.

Source: Data Package 2.0 and Table Schema (https://datapackage.org).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from edo.core import urls
from edo.core.model import Source
from edo.export.table import Column, Reference, Table
from edo.history.content_files import LICENCE
from edo.site.metadata import Edition

PROFILE = "https://datapackage.org/profiles/2.0/datapackage.json"
NAME = "historical-chess-ratings"
DESCRIPTION = (
    "Historical chess results as entered by the editors, with their sources, and the ratings of "
    "every player in every year, computed from them by Rod Edwards’ Edo method."
)
KEYWORDS = ("chess", "history", "ratings", "tournaments", "paired comparisons")
LICENCE_NAME = "GNU General Public License, version 3 or later"
LICENCE_URL = "https://www.gnu.org/licenses/gpl-3.0.html"

Json = dict[str, object]


@dataclass(frozen=True, slots=True)
class File:
    """A data file: its name beside the descriptor, its bytes, and the table in it, if it is one.

    `rows` is how many the table has.
    """

    name: str
    content: bytes
    table: Table | None = None
    rows: int = 0


FORMATS: Mapping[str, str] = {
    "csv": "text/csv",
    "json": "application/json",
    "sqlite": "application/vnd.sqlite3",
}
"""The kinds of files by the ends of their names, and their media types."""


def descriptor(
    edition: Edition, sources: Iterable[Source], files: Iterable[File], base_url: str | None
) -> bytes:
    """Return the descriptor; it holds no time, so that the same data make the same bytes."""
    package: Json = {
        "$schema": PROFILE,
        "name": NAME,
        "title": edition.site,
        "description": DESCRIPTION,
        "version": edition.number,
        "keywords": list(KEYWORDS),
    }
    if base_url is not None:
        package["homepage"] = urls.absolute(base_url, urls.DATA)
    package["licenses"] = [{"name": LICENCE, "title": LICENCE_NAME, "path": LICENCE_URL}]
    package["sources"] = [_source(source) for source in sources]
    package["resources"] = [_resource(file) for file in files]
    return (json.dumps(package, ensure_ascii=False, indent=1) + "\n").encode()


def _source(source: Source) -> Json:
    by = "" if source.author is None else f"{source.author}: "
    where = "" if source.published is None else f", {source.published}"
    described: Json = {"title": f"{by}{source.title}{where}"}
    return described if source.url is None else {**described, "path": source.url}


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
        described["foreignKeys"] = [_foreign_key(one, table) for one in table.references]
    return described


def _field(column: Column) -> Json:
    described: Json = {"name": column.name, "type": column.kind, "description": column.description}
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


def _foreign_key(one: Reference, table: Table) -> Json:
    resource = "" if one.table == table.name else one.table
    return {
        "fields": list(one.columns),
        "reference": {"resource": resource, "fields": list(one.to)},
    }
