"""Tables of the published data: columns with their meanings, keys, and where the rows come from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from operator import attrgetter
from typing import Any, Literal

from edo.core.model import Dataset
from edo.rating.edo import NOBODY, Ratings
from edo.rating.inference.answers import Answers
from edo.rating.record import Record
from edo.systems.all_ratings import AllRatings

Kind = Literal["string", "integer", "number", "boolean"]
"""The types of columns, by their names in Table Schema (datapackage.org)."""

EXACT = 12  # decimals of points and games, which may be shares
PART = 10_000  # rows turned into columns at a time: of more, memory would grow with the table
EXACT_SUM = 9  # decimals of their sums, which are exact but for the last digits

Value = str | int | float | bool | None
Row = tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class History:
    """All that the tables are made from: records, ratings, probabilities and other systems.

    `record_before` is the record by decade of the edition to compare with; `second` are the ratings
    by the second system that can lead.
    """

    dataset: Dataset
    ratings: Ratings
    answers: Answers = field(default_factory=Answers)
    systems: AllRatings = field(default_factory=AllRatings)
    record_before: Record | None = None
    second: Ratings = NOBODY


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name, the kind of its values and what it says, with its unit.

    `values` are the only ones that there can be, if there are few; `least` and `most` bound
    numbers; `pattern` is what the whole of a text matches. A number has `decimals`, where it is
    rounded, and `EXACT` of them at most. A `boolean` is true or absent. A column of ids names rows
    of the table `to`.
    """

    name: str
    description: str
    decimals: int | None = None
    kind: Kind = "string"
    required: bool = False
    values: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    pattern: str | None = None
    to: str | None = None

    def rounded(self, values: Sequence[float | None]) -> list[Value]:
        """Return numbers as published; a whole one as `int` unless it has decimals."""
        n = self.decimals
        if n is not None:
            return [None if one is None else round(float(one), n) + 0.0 for one in values]
        exact = [None if one is None else round(float(one), EXACT) for one in values]
        return [int(one) if one is not None and one.is_integer() else one for one in exact]


text = partial(Column, kind="string")
identifier = partial(Column, kind="string", pattern=r"[a-z0-9]+(-[a-z0-9]+)*")
whole = partial(Column, kind="integer")
number = partial(Column, kind="number")
flag = partial(Column, kind="boolean")
probability = partial(number, decimals=4, required=True, least=0, most=1)
standard_error = partial(number, decimals=3, required=True, least=0)

EVENT = identifier("event", "id of the event", to="events", required=True)
PLAYER = identifier("player", "id of the player", to="players", required=True)
PLAYER_A = identifier("player_a", "id of the first player", to="players", required=True)
PLAYER_B = identifier("player_b", "id of the second player", to="players", required=True)
YEAR = whole("year", "calendar year", required=True)
NAME = text("name", "name as shown on the pages", required=True)
NOTES = text("notes", "note by the editors, in Markdown")
NOTE = replace(NOTES, name="note")


def summed(value: float) -> float:
    """Return a sum of points or games without the noise of its last digits."""
    return round(value, EXACT_SUM)


@dataclass(frozen=True, slots=True)
class Reference:
    """Columns that name a row of another table by its columns `to`."""

    columns: tuple[str, ...]
    table: str
    to: tuple[str, ...] = ("id",)


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the data; its name is that of its files and never changes.

    New columns come after the old ones. `key` are the columns that tell its rows apart; `source`
    makes the rows, whose numbers are not rounded yet. `joint_references` are those of several
    columns together.
    """

    name: str
    title: str
    description: str
    columns: tuple[Column, ...]
    source: Callable[[History], Iterable[Row]]
    key: tuple[str, ...] = ()
    joint_references: tuple[Reference, ...] = ()

    @property
    def header(self) -> tuple[str, ...]:
        """Return the names of the columns."""
        return tuple(column.name for column in self.columns)

    @property
    def references(self) -> tuple[Reference, ...]:
        """Return all references to other tables."""
        joint = {column for reference in self.joint_references for column in reference.columns}
        return self.joint_references + tuple(
            Reference((column.name,), column.to)
            for column in self.columns
            if column.to is not None and column.name not in joint
        )

    def leads_to(self, column: str) -> list[str]:
        """Return the names of the tables whose rows a column names."""
        leading = [reference for reference in self.references if column in reference.columns]
        return list(dict.fromkeys(reference.table for reference in leading))

    def rows(self, history: History) -> list[Row]:
        """Return all rows; their values are str, int, float, True or None, numbers as published."""
        return list(self.published(history))

    def published(self, history: History) -> Iterator[Row]:
        """Yield all rows, as `rows` returns them."""
        shown = [column.rounded if column.kind == "number" else None for column in self.columns]
        return by_column(self.source(history), shown)


def by_column(
    rows: Iterable[Row], shown: Sequence[Callable[[Sequence[Any]], Sequence[Value]] | None]
) -> Iterator[Row]:
    """Yield rows with the columns as functions show them, where there is one for a column.

    In parts that fit in memory: a third faster than row by row.
    """
    rows = iter(rows)
    while batch := list(islice(rows, PART)):
        columns: list[Sequence[Value]] = list(zip(*batch, strict=True))
        for k, show in enumerate(shown):
            if show is not None:
                columns[k] = show(columns[k])
        yield from zip(*columns, strict=True)


def rows_of(
    records: Callable[[History], Iterable[object]], *fields: str
) -> Callable[[History], Iterable[Row]]:
    """Return the source of a table whose rows are these fields of records."""
    return lambda history: map(attrgetter(*fields), records(history))
