"""The figure of the page on the record: rated games by decade, in whole events and in others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from edo.rating.record import Record, RecordLine
from edo.site.charts.figures import (
    FAINT,
    INK,
    LINES,
    SIZES,
    Canvas,
    Drawing,
    described,
    drawn,
)

NAME = "record"
FEW = 6  # decades whose names fit next to each other
_ALT = (
    "A bar for each decade: the rated games in events that are whole, at the bottom, and in events "
    "known in part. The table has the numbers."
)
_BEFORE = " A short line is the number in the edition before."


def record_files(lines: Sequence[RecordLine], before: Record | None) -> Iterator[tuple[str, bytes]]:
    """Yield path and SVG of the figure in each shape."""
    yield from drawn(NAME, SIZES, partial(_draw, lines=lines, before=before))


def record_drawing(before: Record | None) -> Drawing:
    """Return what the page needs to show the figure."""
    return described(NAME, SIZES, _ALT if before is None else _ALT + _BEFORE)


def _draw(axes: Canvas, lines: Sequence[RecordLine], before: Record | None, shape: str) -> None:
    decades = [(one.decade, one) for one in lines if one.decade is not None and one.games]
    years = [decade for decade, _ in decades]
    whole = [line.whole_games for _, line in decades]
    part = [line.games - line.whole_games for _, line in decades]
    axes.bar(years, whole, width=7, color=LINES[0], linewidth=0, label="whole events")
    axes.bar(years, part, width=7, bottom=whole, color=FAINT, linewidth=0, label="known in part")
    old = {line.decade: line.games for line in before.lines} if before is not None else {}
    marked = [year for year in years if year in old]
    if marked:
        axes.hlines([old[year] for year in marked], [year - 4.5 for year in marked],
                    [year + 4.5 for year in marked], color=INK, linewidth=1.5,
                    label="edition before")  # fmt: skip
    labelled = [year for year in years if year % 20 == 0] if len(years) > FEW else years
    axes.set_xticks(labelled, [f"{year}s" for year in labelled])
    highest = [line.games for _, line in decades] + [old[year] for year in marked]
    axes.set_ylim(0, max([1.0, *highest]) * 1.05)
    axes.legend(frameon=False, loc="upper left")
