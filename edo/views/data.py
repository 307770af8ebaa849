"""The whole input of the site in, the page that explains the data files out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from edo import datafiles, formats, structured, urls
from edo.tabular import History, Table
from edo.views.site import Link, Page, SiteInput


@dataclass(frozen=True, slots=True)
class ColumnRow:
    """A column of a data file and what it says."""

    name: str
    words: str


@dataclass(frozen=True, slots=True)
class DataFile:
    """A table, what is in it and how many rows it has; `anchor` is its id on the page."""

    anchor: str
    target: Link
    words: str
    rows: str
    columns: tuple[ColumnRow, ...]


@dataclass(frozen=True, slots=True)
class DataView:
    """The page of the data files."""

    files: tuple[DataFile, ...]
    settings: Link


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the page of the data files."""
    view = data_view(site)
    description = (
        "All players, events, pairings and ratings, and what is answered from them, as CSV "
        "files for anyone to check."
    )
    yield Page(
        path=urls.DATA,
        template="data.html",
        view=view,
        title="Data",
        description=description,
        about=structured.dataset(
            site.imprint.name,
            description,
            site.fingerprint,
            [(urls.data(file.target.text), "text/csv") for file in view.files],
            site.base_url,
        ),
    )


def data_view(site: SiteInput) -> DataView:
    """Return the page of the data files."""
    history = History(site.dataset, site.ratings, site.answers)
    return DataView(
        files=tuple(_file(table, history) for table in datafiles.TABLES),
        settings=Link("How the ratings are made", urls.method("ratings")),
    )


def _file(table: Table, history: History) -> DataFile:
    return DataFile(
        anchor=table.name,
        target=Link(f"{table.name}.csv", urls.data(f"{table.name}.csv")),
        words=table.words,
        rows=formats.counted(len(table.rows(history)), "row"),
        columns=tuple(ColumnRow(column.name, column.words) for column in table.columns),
    )
