"""The whole input of the site in, the data files and the page that explains them out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial

from edo.core import formats, urls
from edo.export import datafiles
from edo.export.citation import Edition
from edo.export.datapackage import FORMATS, File
from edo.export.sqlitefile import VIEWS
from edo.export.tabular import Column, History, Kind, Table
from edo.history.site_config import LICENCE
from edo.site import metadata
from edo.site.input import Link, Page, SiteInput
from edo.site.pages.snippets import SNIPPETS, Snippet

_KINDS: Mapping[Kind, str] = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "yes or empty",
}


@dataclass(frozen=True, slots=True)
class Download:
    """A data file and how large it is."""

    target: Link
    size: str


@dataclass(frozen=True, slots=True)
class ColumnRow:
    """A column of a table, what it says, and the tables whose rows it names."""

    name: str
    kind: str
    words: str
    leads_to: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table, what is in it, its files and columns; `anchor` is its id on the page.

    `json` is None where there is the CSV file alone.
    """

    anchor: str
    here: Link
    title: str
    words: str
    rows: str
    key: str | None
    csv: Download
    json: Download | None
    columns: tuple[ColumnRow, ...]


@dataclass(frozen=True, slots=True)
class DataView:
    """The page of the data files."""

    database: Download
    descriptor: Download
    whole: str
    tables: tuple[TableRow, ...]
    questions: tuple[tuple[str, str], ...]
    snippets: tuple[Snippet, ...]
    licence: str
    version: str
    settings: Link
    changes: Link


@lru_cache(maxsize=1)
def data_files(site: SiteInput) -> tuple[File, ...]:
    """Return every data file of the site, made once for the page and for the folder."""
    edition = Edition(site.config.name, site.fingerprint, site.version)
    history = History(site.dataset, site.ratings, site.answers, site.systems)
    return datafiles.data_files(history, edition, site.base_url)


def files(site: SiteInput) -> Iterator[tuple[str, bytes]]:
    """Yield path and bytes of every data file."""
    for file in data_files(site):
        yield urls.data(file.name), file.content


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the page of the data files."""
    description = (
        "The whole dataset and all that was computed from it, to take away: as CSV, as JSON, and "
        "as one SQLite database."
    )
    yield Page(
        path=urls.DATA,
        template="data.html",
        view=partial(data_view, site),
        title="Data",
        description=description,
        about=metadata.dataset(
            site.config.name, description, site.fingerprint, _downloads(), site.base_url
        ),
    )


def _downloads() -> Iterator[tuple[str, str]]:
    """Yield path and media type of each file that holds what no other does in its format."""
    for name in datafiles.names():
        kind = name.rpartition(".")[2]
        if kind != "json" or name == datafiles.DESCRIPTOR:
            yield urls.data(name), FORMATS[kind]


def data_view(site: SiteInput) -> DataView:
    """Return the page of the data files."""
    by_name = {file.name: file for file in data_files(site)}
    return DataView(
        database=_download(by_name[datafiles.DATABASE]),
        descriptor=_download(by_name[datafiles.DESCRIPTOR]),
        whole=_size(sum(len(file.content) for file in by_name.values())),
        tables=tuple(_table(table, by_name) for table in (*datafiles.TABLES, *datafiles.LARGE)),
        questions=tuple((view.name, view.words) for view in VIEWS),
        snippets=SNIPPETS,
        licence=LICENCE,
        version=f"{site.version}+{site.fingerprint}",
        settings=Link("How the ratings are made", urls.method("ratings")),
        changes=Link("Changes", urls.CHANGES),
    )


def _table(table: Table, by_name: Mapping[str, File]) -> TableRow:
    csv, json = by_name[f"{table.name}.csv"], by_name.get(f"{table.name}.json")
    return TableRow(
        anchor=table.name,
        here=_section(table.name),
        title=table.title,
        words=table.words,
        rows=formats.count(csv.rows),
        key=" and ".join(table.key) or None,
        csv=_download(csv),
        json=None if json is None else _download(json),
        columns=tuple(_column(column, table) for column in table.columns),
    )


def _column(column: Column, table: Table) -> ColumnRow:
    named = dict.fromkeys(one.table for one in table.references if column.name in one.columns)
    links = tuple(_section(name) for name in named)
    return ColumnRow(column.name, _KINDS[column.kind], column.words, links)


def _section(table: str) -> Link:
    return Link(table, f"{urls.DATA}#{table}")


def _download(file: File) -> Download:
    return Download(Link(file.name, urls.data(file.name)), _size(len(file.content)))


def _size(length: int) -> str:
    """Return the size of a file, 416 KB or 3.4 MB."""
    if length < 1_000_000:
        return f"{formats.count(max(1, round(length / 1000)))} KB"
    return f"{length / 1_000_000:.1f} MB"
