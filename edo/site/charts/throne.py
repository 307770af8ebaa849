"""The strip of the throne: claimants, holders of titles, and the number ones with probability.

Time runs downwards, so that the names stand side by side on a phone as on a wide screen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from edo.site.charts.axis import Axis, Tick

# All lengths are in units of the SVG's view box.
WIDTH, TOP, BOTTOM = 464.0, 44.0, 14.0
YEAR = 5.0  # the height of a year
BAR = 10.0  # the width of a span of years
LINE = 14.0  # between two names
CERTAIN = 60.0  # the length of a number one's bar at probability 1
COLUMNS = (44.0, 176.0, 306.0)  # where claimants, holders and number ones begin
AT = (72.0, 206.0, 372.0)  # where their names begin
SHORT = 3  # years; shorter runs of number ones have no name of their own
STEP = 20  # years between the lines of the grid


@dataclass(frozen=True, slots=True)
class Reign:
    """Somebody's years, the last one without its end; `lane` is 1 for a title beside another."""

    player: str
    name: str
    start: int
    end: int
    lane: int = 0
    words: str = ""


@dataclass(frozen=True, slots=True)
class First:
    """The number one of a year, with the probability if it is known."""

    player: str
    name: str
    year: int
    chance: float | None


@dataclass(frozen=True, slots=True)
class Span:
    """A bar with the name beside it: the `d` of its path, where the name stands, and a leader.

    `leader` is the `d` of a line from a bar to a name that had to give way, if any.
    """

    player: str
    name: str
    words: str
    bar: str
    name_x: float
    name_y: float
    leader: str = ""


@dataclass(frozen=True, slots=True)
class ThroneStrip:
    """The drawing."""

    height: float
    ticks: tuple[Tick, ...]
    claims: tuple[Span, ...]
    holders: tuple[Span, ...]
    firsts: tuple[Span, ...]
    width: float = WIDTH
    columns: tuple[float, ...] = COLUMNS


def throne_strip(
    claims: Sequence[Reign], holders: Sequence[Reign], firsts: Sequence[First]
) -> ThroneStrip | None:
    """Return the drawing, None where there is nothing to show."""
    years = [year for one in (*claims, *holders) for year in (one.start, one.end)]
    years += [year for one in firsts for year in (one.year, one.year + 1)]
    if not years:
        return None
    first, last = min(years), max(years)
    y = Axis(first, last, TOP, TOP + YEAR * (last - first))
    columns = [tuple(_spans(claims, y, 0)), tuple(_spans(holders, y, 1)), tuple(_firsts(firsts, y))]
    lowest = max(span.name_y for spans in columns for span in spans)
    return ThroneStrip(
        max(y.end, lowest) + BOTTOM, y.ticks(STEP), columns[0], columns[1], columns[2]
    )


def _spans(reigns: Iterable[Reign], y: Axis, column: int) -> Iterator[Span]:
    """Yield the bars, each with its name as near its top as the name above leaves room."""
    free = TOP
    for one in sorted(reigns, key=lambda one: (one.start, one.lane, one.player)):
        left = COLUMNS[column] + one.lane * (BAR + 2)
        top, bottom = y.at(one.start), y.at(one.end)
        name_y = round(max(min(top + LINE, (top + bottom) / 2 + LINE / 3), free), 1)
        free = name_y + LINE
        middle, away = (top + bottom) / 2, name_y - LINE / 3
        is_beside = top <= away <= bottom
        end = AT[column] - 3
        yield Span(
            one.player,
            one.name,
            one.words,
            f"M{left:g} {top:g}h{BAR:g}V{max(bottom - 1, top + 1):g}h-{BAR:g}z",
            AT[column],
            name_y,
            "" if is_beside else f"M{left + BAR:g} {middle:.1f}L{end:g} {away:.1f}",
        )


def _firsts(firsts: Sequence[First], y: Axis) -> Iterator[Span]:
    """Yield the number ones, a bar of steps for each run of years."""
    free, left = TOP, COLUMNS[2]
    for _, group in groupby(firsts, lambda one: one.player):
        run = list(group)
        top, bottom = y.at(run[0].year), y.at(run[-1].year + 1)
        steps = "".join(
            f"M{left:g} {y.at(one.year):g}"
            f"h{max(CERTAIN * (0.0 if one.chance is None else one.chance), 1.0):.1f}"
            f"V{y.at(one.year + 1):g}H{left:g}z"
            for one in run
        )
        name_y = round(max((top + bottom) / 2 + LINE / 3, free), 1)
        is_named = len(run) >= SHORT and name_y <= bottom + LINE
        free = name_y + LINE if is_named else free
        years = f"{run[0].year}–{run[-1].year}" if len(run) > 1 else str(run[0].year)
        yield Span(
            run[0].player,
            run[0].name if is_named else "",
            f"{run[0].name}, {years}",
            steps,
            AT[2],
            name_y,
        )
