"""The tables of the lists: their columns, and the rows that are made beside them.

A list declares its columns once: what heads them, how their cells are printed, what they mean, what
readers may ask of them and whether a phone leaves them out. One template prints every list
(`templates/table.html`); the style sheet knows columns by their classes, never by their places.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from edo.core.formats import FILTERS
from edo.history.names import nearest
from edo.site.input import Link

Ask = Literal["contains", "choice", "span", "most", "least", "some"]
"""What readers may ask of a column (`static/filters.js`)."""

WINNER = "winner"
"""The filter of the column of an event's winner, which the template itself prints."""

_ASKED = {"contains": "{} contains", "span": "{} from", "least": "{} at least"}


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a list.

    `name` is the key of its cells in the rows; `heading` is what stands at its head, `full` the
    same in full where that is short. `filter` is the format of `edo.core.formats` by which its
    values are printed, or `winner`; without one they are texts. `meaning` says at the foot of the
    table more than `full` does. `css` is the class of its cells: `num` aligns them as numbers,
    `fixed` keeps them in one line. `is_name` marks the column whose cells name the rows. `hides`
    leaves it out on a phone; `is_largest_first` is how it sorts at the first press. `asks` is what
    readers may ask of it, in the address under `key` and with the words `label`.
    """

    name: str
    heading: str
    filter: str = ""
    full: str = ""
    meaning: str = ""
    css: str = ""
    is_name: bool = False
    hides: bool = False
    is_largest_first: bool = False
    asks: Ask | None = None
    key: str = ""
    label: str = ""

    @property
    def attributes(self) -> Mapping[str, str]:
        """Return the attributes of the column's head."""
        classes = [self.css, "name" if self.is_name else "", "less" if self.hides else ""]
        asked = self.asks or ""
        attributes = {
            "class": " ".join(filter(None, classes)),
            "data-first": "descending" if self.is_largest_first else "",
            "data-filter": asked,
            "data-key": (self.key or self.name.replace("_", "-")) if asked else "",
            "data-label": self.label or _ASKED.get(asked, "").format(self.heading),
        }
        return {name: value for name, value in attributes.items() if value}

    def printed(self, value: object) -> str:
        """Return a value as its cell shows it. Raises TypeError where a text is no text."""
        if self.filter:
            return FILTERS[self.filter](value)
        if value is None:
            return ""
        if not isinstance(value, str):
            raise TypeError(f"column {self.name}: {value!r} is no text; give the column a filter")
        return value


text = Column
name = partial(Column, is_name=True)
number = partial(Column, css="num")
amount = partial(number, is_largest_first=True)
"""A number of which readers look for the largest."""
minor = partial(amount, hides=True)
"""The same, left out on a phone."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell that is more than its value.

    `before` is what stands before the value, `target` the path that it leads to; `marks` are kinds
    of `edo.site.legend` that follow it, `aside` texts and links in small letters after these. `css`
    is a class of this cell alone, `sort` what it sorts by where its text does not tell.
    """

    value: object
    target: str | None = None
    before: str = ""
    marks: tuple[str, ...] = ()
    aside: tuple[Link, ...] = ()
    css: str = ""
    sort: str | None = None


Content = object
"""What a row has in a column: a Cell, a Link, a list of these, or a value to print."""


def cells_of(content: Content) -> list[Cell]:
    """Return the one or several cells that a content stands for."""
    if isinstance(content, list):
        return [cell for part in content for cell in cells_of(part)]
    if isinstance(content, Link):
        return [Cell(content.text, content.target)]
    return [content if isinstance(content, Cell) else Cell(content)]


@dataclass(frozen=True, slots=True)
class Row:
    """A row: its cells by the names of the columns, the id that leads to it, and its class."""

    cells: Mapping[str, Content]
    anchor: str | None = None
    css: str = ""

    def __getitem__(self, column: str) -> list[Cell]:
        """Return what stands in a column; several cells have semicolons between them."""
        return cells_of(self.cells[column])

    def attributes(self, column: Column) -> Mapping[str, str]:
        """Return the attributes of what stands in a column: its classes, and what it sorts by."""
        cells = self[column.name]
        classes = " ".join(filter(None, (column.css, *(cell.css for cell in cells))))
        sort = {"data-sort": cells[0].sort} if cells and cells[0].sort is not None else {}
        return {"class": classes} | sort if classes else sort


@dataclass(frozen=True, slots=True)
class Table:
    """A list as its page shows it.

    `label` names it for screen readers and `id` leads to it; `noun` is what its rows are called.
    A long table is laid out when it comes into sight; a wide one is wider than the text. Raises
    ValueError where a column names a filter that does not exist, and where a row has a cell without
    a column, or lacks one.
    """

    label: str
    columns: tuple[Column, ...]
    rows: Sequence[Row]
    id: str = "all"
    noun: str = "rows"
    caption: str = ""
    css: str = ""
    is_long: bool = False
    is_wide: bool = False

    def __post_init__(self) -> None:
        for column in self.columns:
            if column.filter not in ("", WINNER, *FILTERS):
                hint = nearest(column.filter, FILTERS, "take one of `edo.core.formats.FILTERS`")
                raise ValueError(
                    f"{self.label}: column {column.name}: no filter `{column.filter}`; {hint}"
                )
        names = {column.name for column in self.columns}
        for row in self.rows:
            if row.cells.keys() != names:
                differing = ", ".join(sorted(row.cells.keys() ^ names))
                raise ValueError(f"{self.label}: not both a column and a cell: {differing}")

    def without(self, names: Collection[str]) -> Table:
        """Return the table without some columns and their cells.

        Raises ValueError where it has no such column.
        """
        if unknown := sorted({*names} - {column.name for column in self.columns}):
            raise ValueError(f"{self.label}: no column {', '.join(unknown)} to leave out")
        return replace(
            self,
            columns=tuple(column for column in self.columns if column.name not in names),
            rows=[
                replace(row, cells={k: v for k, v in row.cells.items() if k not in names})
                for row in self.rows
            ],
        )

    @property
    def meanings(self) -> Iterator[tuple[str, str]]:
        """Yield heading and meaning of the columns whose headings do not say it all."""
        for column in self.columns:
            if column.meaning or column.full:
                in_full = f"{column.full[:1].lower()}{column.full[1:]}."
                yield column.heading, column.meaning or in_full
