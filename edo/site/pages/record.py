"""The page "The record": what is known and how exactly it is rated, decade by decade."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from edo.rating.record import Record, RecordLine, record_lines
from edo.site import markup, placeholders, urls
from edo.site.charts import figures
from edo.site.input import Page, SiteInput
from edo.site.pages.content_values import content_values
from edo.site.pages.method import RECORD

COLUMNS: tuple[tuple[str, str, int], ...] = (
    ("Events", "events", 0),
    ("By cells", "by_cells", 0),
    ("By totals", "by_totals", 0),
    ("Part", "part", 0),
    ("Games", "games", 0),
    ("Whole", "share", 0),
    ("Players", "players", 0),
    ("First ten", "first_ten", 1),
    ("First fifty", "first_fifty", 1),
)
"""Heading, field of a line, and the decimals with which it is shown."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A number, and by how much it differs from the edition before.

    `change` is None where either is not known, and empty on the page where nothing changed.
    """

    value: float | None
    change: float | None


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the page of the record."""
    values = content_values(site)
    title, lead, body = markup.split(
        placeholders.filled(site.content[RECORD], values, RECORD), RECORD
    )
    view = partial(_view, site, lead, body)
    yield Page(urls.RECORD, "record.html", view, title, markup.plain(lead))


def _view(site: SiteInput, lead: str, body: str) -> Mapping[str, object]:
    """Return the text, and the lines of this edition and of the one before as rows of cells."""
    before = site.record_before
    lines = record_lines(site.dataset, site.ratings)
    return {
        "lead": markup.inline(lead, urls.RECORD),
        "text": markup.article(body, urls.RECORD),
        "drawing": figures.drawing(RECORD, site),
        "columns": COLUMNS,
        "rows": [(line.decade, list(_cells(line, before))) for line in lines],
        "before": None if before is None else (before.label, before.day),
        "rows_before": [
            (line.decade, list(_cells(line, None))) for line in (before.lines if before else ())
        ],
    }


def _cells(line: RecordLine, before: Record | None) -> Iterator[Cell]:
    """Yield the cells of a line, with their changes if the edition before has the decade."""
    old = None if before is None else before.line(line.decade)
    for _, name, _ in COLUMNS:
        value: float | None = getattr(line, name)
        was: float | None = None if old is None else getattr(old, name)
        change = None if value is None or was is None else value - was
        yield Cell(value, change)
