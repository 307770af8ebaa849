"""A player's rating curve with its uncertainty band."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from edo.rating.edo import PlayerYear
from edo.site.charts.axis import Axis, Tick, polyline, step_of

# All lengths are in units of the SVG's view box: narrow, so that one drawing serves phones as well.
WIDTH = 480.0
LEFT, RIGHT, TOP, BOTTOM = 46.0, 16.0, 10.0, 28.0
PER_100_ELO = 44.0  # the same for every player, so that slopes and bands can be compared by eye
LEAST_YEARS = 10  # [years] a short career does not fill the whole width
LEAST_ELO = 300  # [Elo] a steady one does not fill the height
MOST_YEAR_TICKS = 10
YEAR_STEPS = (1, 2, 5, 10, 20, 50)  # [years]

Run = Sequence[tuple[int, float]]
"""The years of a player, ascending, with a rating [Elo] for each."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Neighbouring years of one kind: the line, and the outline of the band one deviation around.

    `line` and `band` are lists of points as SVG writes them: `x,y x,y ...`.
    """

    is_gap: bool
    line: str
    band: str


@dataclass(frozen=True, slots=True)
class Dot:
    """A year with results; `low` and `high` are the y of one deviation below and above."""

    year: int
    x: float
    y: float
    low: float
    high: float
    is_lone: bool


@dataclass(frozen=True, slots=True)
class RatingCurve:
    """Everything a template needs to draw the curve; it computes nothing.

    `label_x` is where the labels of ratings end, `label_y` the base line of those of years. `lines`
    are the curves under other systems, as lists of points.
    """

    width: float
    height: float
    right: float
    bottom: float
    label_x: float
    label_y: float
    year_ticks: tuple[Tick, ...]
    rating_ticks: tuple[Tick, ...]
    stretches: tuple[Stretch, ...]
    dots: tuple[Dot, ...] = ()
    lines: tuple[str, ...] = ()
    left: float = LEFT
    top: float = TOP


def rating_curve(years: Sequence[PlayerYear], second: Sequence[PlayerYear] = ()) -> RatingCurve:
    """Return the curve of a player's consecutive years, ascending, at least one.

    `second` are the years by another system, whose line is drawn over the same years. Raises
    ValueError when there is no year.
    """
    known = {year.year for year in years}
    line = [(year.year, year.rating) for year in second if year.year in known]
    x, y = _axes(years, [line], PER_100_ELO, WIDTH - RIGHT)
    return RatingCurve(
        width=WIDTH,
        height=y.start + BOTTOM,
        right=x.end,
        bottom=y.start,
        label_x=LEFT - 8.0,
        label_y=y.start + 21.0,
        year_ticks=_year_ticks(x),
        rating_ticks=y.ticks(100),
        stretches=tuple(_stretches(years, x, y)),
        dots=tuple(_dots(years, x, y)),
        lines=(_line(line, x, y),) if line else (),
    )


def _axes(
    years: Sequence[PlayerYear], runs: Sequence[Run], per_100: float, right: float
) -> tuple[Axis, Axis]:
    """Return the axes of years and of ratings, whole hundreds of Elo, `per_100` the height of each.

    They show at least LEAST_YEARS and LEAST_ELO.
    """
    shown = [year for run in runs for year, _ in run] + [year.year for year in years]
    if not shown:
        raise ValueError("a curve needs at least one year")
    ratings = [rating for run in runs for _, rating in run]
    ratings += [year.rating + way * year.deviation for year in years for way in (-1, 1)]
    first, last = min(shown), max(shown)
    lacking = max(0, LEAST_YEARS - (last - first))
    lowest, highest = math.floor(min(ratings) / 100.0), math.ceil(max(ratings) / 100.0)
    hundreds = max(0, LEAST_ELO // 100 - (highest - lowest))
    lowest, highest = lowest - (hundreds + 1) // 2, highest + hundreds // 2
    return (
        Axis(first - lacking // 2, last + lacking - lacking // 2, LEFT, right),
        Axis(100 * lowest, 100 * highest, TOP + (highest - lowest) * per_100, TOP),
    )


def _year_ticks(x: Axis) -> tuple[Tick, ...]:
    return x.ticks(step_of(x.high - x.low + 1, YEAR_STEPS, MOST_YEAR_TICKS))


def _line(run: Run, x: Axis, y: Axis) -> str:
    """Return the points of years with a rating each, as SVG writes them."""
    return polyline((x.at(year), y.at(rating)) for year, rating in run)


def runs_of(years: Sequence[PlayerYear]) -> Iterator[tuple[bool, list[PlayerYear]]]:
    """Yield the runs of years whose links are of one kind, and whether these are gaps.

    A link between two neighbouring years is a gap where either of them has no results. A run shares
    its end points with the next.
    """
    links = groupby(pairwise(years), lambda link: link[0].is_gap or link[1].is_gap)
    for is_gap, [link, *more] in links:
        yield is_gap, [*link, *(end for _, end in more)]


def is_lone(years: Sequence[PlayerYear], place: int) -> bool:
    """Whether neither the year before nor the year after this one has results."""
    neighbours = (*years[max(0, place - 1) : place], *years[place + 1 : place + 2])
    return all(neighbour.is_gap for neighbour in neighbours)


def _stretches(years: Sequence[PlayerYear], x: Axis, y: Axis) -> Iterator[Stretch]:
    for is_gap, run in runs_of(years):
        upper = [(year.year, year.rating + year.deviation) for year in run]
        lower = [(year.year, year.rating - year.deviation) for year in reversed(run)]
        line = [(year.year, year.rating) for year in run]
        yield Stretch(is_gap, _line(line, x, y), _line(upper + lower, x, y))


def _dots(years: Sequence[PlayerYear], x: Axis, y: Axis) -> Iterator[Dot]:
    for place, year in enumerate(years):
        if not year.is_gap:
            yield Dot(
                year=year.year,
                x=x.at(year.year),
                y=y.at(year.rating),
                low=y.at(year.rating - year.deviation),
                high=y.at(year.rating + year.deviation),
                is_lone=is_lone(years, place),
            )
