"""The history in, the numbers of each player, year and event as CSV, beside their pages, out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from edo.core import urls
from edo.export.answer_tables import NUMBER_ONE
from edo.export.datafiles import csv_bytes
from edo.export.rating_tables import PAIRINGS, RATINGS
from edo.export.tabular import Column, History, Row, Table
from edo.rating.inference.answers import RankProbabilities


def _year_list(history: History) -> Iterator[Row]:
    """Yield all ratings by year and rank, with the chances of first places where they are known."""
    rows = {row[:2]: row for row in RATINGS.source(history)}
    for year, ranking in sorted(history.ratings.years.items()):
        for one in ranking:
            yield (
                *rows[one.player, year],
                *_chance(history.answers.chances.get((one.player, year))),
            )


def _chance(chance: RankProbabilities | None) -> Row:
    if chance is None:
        return (None,) * 4
    return chance.first, chance.top_ten, chance.rank_low, chance.rank_high


YEAR_LISTS = replace(
    RATINGS, columns=(*RATINGS.columns, *NUMBER_ONE.columns[2:]), source=_year_list
)
"""The ratings once more, by year and rank, with the chances that the pages of years show."""


@dataclass(frozen=True, slots=True)
class Twin:
    """A table shared out among pages: the page of a row is that of the value in `column`."""

    table: Table
    column: str
    page: Callable[..., str]


def _named(table: Table, **players: str) -> Table:
    """Return the table with the names of its `players` too: by new column that of their ids."""
    at = [table.header.index(column) for column in players.values()]

    def rows(history: History) -> Iterator[Row]:
        known = history.dataset.players
        for row in table.source(history):
            yield (*row, *(known[str(row[i])].shown_name for i in at))

    names = (Column(name, "string", "as the pages show it", required=True) for name in players)
    return replace(table, columns=(*table.columns, *names), source=rows)


TWINS = (
    Twin(RATINGS, "player", urls.player),
    Twin(_named(YEAR_LISTS, name="player"), "year", urls.year),
    Twin(_named(PAIRINGS, name_a="player_a", name_b="player_b"), "event", urls.event),
)


def table_files(history: History) -> Iterator[tuple[str, bytes]]:
    """Yield the path and the bytes of each page's own rows, for every page that has any."""
    for twin in TWINS:
        at = twin.table.header.index(twin.column)
        rows_of: dict[object, list[Row]] = {}
        for row in twin.table.rows(history):
            rows_of.setdefault(row[at], []).append(row)
        for value, rows in rows_of.items():
            yield urls.table(twin.page(value)), csv_bytes(twin.table, rows)
