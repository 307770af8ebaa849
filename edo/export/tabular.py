"""What a table of the data is: columns with their meanings, keys, and rows made of the history."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal

from edo.core.model import Dataset
from edo.rating.edo import Ratings
from edo.rating.inference.answers import Answers
from edo.systems.alongside import Alongside

Kind = Literal["string", "integer", "number", "boolean"]
"""The types of columns, by their names in Table Schema (datapackage.org)."""

Value = str | int | float | bool | None
Row = tuple[Value, ...]

ID = r"[a-z0-9]+(-[a-z0-9]+)*"


@dataclass(frozen=True, slots=True)
class History:
    """All that the tables tell: what was read, the ratings, their answers, and the systems’."""

    dataset: Dataset
    ratings: Ratings
    answers: Answers = field(default_factory=Answers)
    systems: Alongside = field(default_factory=Alongside)


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name, the kind of its values and what it says, with its unit.

    `values` are the only ones that there can be, if there are few; `least` and `most` bound
    numbers; `pattern` is what the whole of a text matches. A number has `decimals`, where it is
    rounded. A `boolean` is true or absent.
    """

    name: str
    kind: Kind
    words: str
    required: bool = False
    values: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    pattern: str | None = None
    decimals: int | None = None


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
    makes the rows, whose numbers are not rounded yet.
    """

    name: str
    title: str
    words: str
    columns: tuple[Column, ...]
    source: Callable[[History], Iterable[Row]]
    key: tuple[str, ...] = ()
    references: tuple[Reference, ...] = ()

    @property
    def header(self) -> tuple[str, ...]:
        """Return the names of the columns."""
        return tuple(column.name for column in self.columns)

    def rows(self, history: History) -> list[Row]:
        """Return all rows; their values are str, int, float, True or None, numbers as published."""
        numbers = [(k, c.decimals) for k, c in enumerate(self.columns) if c.kind == "number"]
        rows = []
        for row in self.source(history):
            values = list(row)
            for k, decimals in numbers:
                if values[k] is not None:
                    values[k] = _published(values[k], decimals)
            rows.append(tuple(values))
        return rows


def reference(column: str, table: str) -> Reference:
    """Return that a column holds ids of a table."""
    return Reference((column,), table)


def text(name: str, words: str, **more: object) -> Column:
    """Return a column of texts."""
    return Column(name, "string", words, **more)  # type: ignore[arg-type]


def identifier(name: str, words: str, **more: object) -> Column:
    """Return a column of ids as the files use them."""
    return Column(name, "string", words, pattern=ID, **more)  # type: ignore[arg-type]


def whole(name: str, words: str, **more: object) -> Column:
    """Return a column of whole numbers."""
    return Column(name, "integer", words, **more)  # type: ignore[arg-type]


def number(name: str, words: str, decimals: int | None = None, **more: object) -> Column:
    """Return a column of numbers."""
    return Column(name, "number", words, decimals=decimals, **more)  # type: ignore[arg-type]


def flag(name: str, words: str) -> Column:
    """Return a column that is true where something is so, else empty."""
    return Column(name, "boolean", words)


def _published(value: Value, decimals: int | None) -> float:
    """Return a number rounded, one that is whole as an int."""
    exact = float(value or 0)
    if decimals is not None:
        exact = round(exact, decimals)
    return int(exact) if exact.is_integer() else exact
