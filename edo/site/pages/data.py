"""The page of the published data files, and the files themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from string import Template
from typing import NamedTuple

from edo.export.files import (
    DATABASE,
    DESCRIPTOR,
    LARGE,
    LICENCE_COVERS,
    TABLES,
    File,
    data_files,
    file_name,
    media_type,
    names,
)
from edo.export.sqlite import VIEWS
from edo.export.table import History
from edo.rating.edo import Ratings
from edo.site import metadata, urls
from edo.site.input import Page, SiteInput


@lru_cache(maxsize=1)
def _made(site: SiteInput) -> tuple[File, ...]:
    """Return every data file of the site, made once for the page and for the folder."""
    history = History(
        site.dataset,
        site.ratings,
        site.answers,
        site.systems,
        site.record_before,
        second=site.second,
    )
    homepage = None if site.base_url is None else urls.absolute(site.base_url, urls.DATA)
    return data_files(history, site.edition, homepage)


def files(site: SiteInput) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Yield the path of every data file and what makes it; all are made with the first."""
    for name in names():
        yield urls.data(name), partial(_content, name, site)
    _made.cache_clear()  # 600 MB at 12,500 players, and the page is there


def _content(name: str, site: SiteInput) -> bytes:
    return next(file.content for file in _made(site) if file.name == name)


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the page of the data files."""
    description = (
        "The whole dataset and everything computed from it, to download: as CSV, and as one "
        "SQLite database."
    )
    downloads = ((urls.data(name), media_type(name)) for name in names())
    yield Page(
        path=urls.DATA,
        template="data.html",
        view=partial(data_view, site),
        title="Data",
        description=description,
        about=metadata.dataset(site.edition, description, downloads, site.base_url),
    )


def data_view(site: SiteInput) -> Mapping[str, object]:
    """Return the page of the data files: their sizes [bytes], and the tables with their rows."""
    made = _made(site)
    return {
        "sizes": {file.name: len(file.content) for file in made},
        "tables": [(table, file_name(table)) for table in (*TABLES, *LARGE)],
        "rows": {file.table.name: file.rows for file in made if file.table is not None},
        "large": [table.name for table in LARGE],
        "queries": [(view.name, view.description) for view in VIEWS],
        "snippets": snippets(site.ratings),
        "edition": site.edition,
        "licence_covers": LICENCE_COVERS,
        "has_coordinates": any(place.coordinates for place in site.dataset.places.values()),
        "version": site.edition.number,
        "bibtex": metadata.how_to_cite(
            site.edition, "Title of the page", "page", site.base_url
        ).bibtex,
        "database": DATABASE,
        "descriptor": DESCRIPTOR,
    }


class Snippet(NamedTuple):
    """A few lines of a language."""

    title: str
    language: str
    code: str


SNIPPETS = (
    Snippet(
        "SQLite, in a terminal",
        "sh",
        """gunzip history.sqlite.gz
sqlite3 -header -column history.sqlite \\
  "SELECT rank, name, rating, deviation FROM best_of_year WHERE year = $year\"""",
    ),
    Snippet(
        "SQLite, in Python",
        "python",
        """import gzip
import sqlite3
from pathlib import Path

packed = Path("history.sqlite.gz")
packed.with_suffix("").write_bytes(gzip.decompress(packed.read_bytes()))
history = sqlite3.connect("history.sqlite")
record = history.execute(
    "SELECT opponent, games, points, won, drawn, lost FROM head_to_head "
    "WHERE player = ? ORDER BY games DESC LIMIT 10",
    ["$player"],
)
for row in record:
    print(*row)""",
    ),
    Snippet(
        "CSV, in pandas",
        "python",
        """import pandas

def read(name):  # only an empty cell means that nothing is known
    return pandas.read_csv(name, keep_default_na=False, na_values=[""])

ratings, players = read("ratings.csv"), read("players.csv")
listed = ratings.merge(players, left_on="player", right_on="id")
best = listed[listed.year == $year].nsmallest(10, "rank")
print(best[["rank", "name", "rating", "deviation"]])""",
    ),
    Snippet(
        "CSV, in R",
        "r",
        """ratings <- read.csv("ratings.csv", encoding = "UTF-8", na.strings = "")
players <- read.csv("players.csv", encoding = "UTF-8", na.strings = "")
listed <- merge(ratings, players, by.x = "player", by.y = "id")
best <- listed[listed$$year == $year, ]
head(best[order(best$$rank), c("rank", "name", "rating", "deviation")], 10)""",
    ),
)
"""The examples of the page of the data, in its order; `$year` and `$player` are of the history."""


def snippets(ratings: Ratings) -> list[Snippet]:
    """Return the examples, with the year of most ratings and the first of its list."""
    year = max(ratings.years, key=lambda one: (len(ratings.years[one]), one))
    values = {"year": year, "player": ratings.years[year][0].player}
    return [one._replace(code=Template(one.code).substitute(values)) for one in SNIPPETS]
