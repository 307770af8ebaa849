"""A player's rating curve with its uncertainty band."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from edo.rating.edo import PlayerYear

# All lengths are in units of the SVG's view box: narrow, so that one drawing serves phones as well.
WIDTH = 480.0
LEFT, RIGHT, TOP, BOTTOM = 46.0, 16.0, 10.0, 28.0
PER_100_ELO = 62.0  # the same for every player, so that slopes and bands can be compared by eye
LEAST_YEARS = 10  # [years] a short career does not fill the whole width
LEAST_ELO = 300  # [Elo] a steady one does not fill the height
MOST_YEAR_TICKS = 10
YEAR_STEPS = (1, 2, 5, 10, 20, 50)  # [years]

Run = Sequence[tuple[int, float]]
"""The years of a player, ascending, with a rating [Elo] for each."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A labelled grid line; `at` is its x (years) or y (ratings)."""

    at: float
    label: str


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


@dataclass(frozen=True, slots=True)
class Scale:
    """Where years and ratings lie in the plot; `per_100` is the height of 100 Elo."""

    first_year: int
    last_year: int
    lowest: int  # [Elo]
    highest: int  # [Elo]
    per_100: float
    right: float

    @property
    def bottom(self) -> float:
        """Return where the axis of the years lies."""
        return TOP + (self.highest - self.lowest) / 100.0 * self.per_100

    def x(self, year: float) -> float:
        """Return where a year lies."""
        share = (year - self.first_year) / (self.last_year - self.first_year)
        return round(LEFT + share * (self.right - LEFT), 1)

    def y(self, rating: float) -> float:
        """Return where a rating lies."""
        return round(TOP + (self.highest - rating) / 100.0 * self.per_100, 1)

    def lines(self, runs: Sequence[Run]) -> tuple[str, ...]:
        """Return the points of each run, a year and a rating each, as SVG writes them."""
        x = {year: f"{self.x(year):g}" for year in range(self.first_year, self.last_year + 1)}
        return tuple(" ".join([f"{x[year]},{self.y(elo):g}" for year, elo in run]) for run in runs)


def rating_curve(years: Sequence[PlayerYear], second: Sequence[PlayerYear] = ()) -> RatingCurve:
    """Return the curve of a player's consecutive years, ascending, at least one.

    `second` are the years by another system, whose line is drawn over the same years. Raises
    ValueError when there is no year.
    """
    known = {one.year for one in years}
    line = [(year.year, year.rating) for year in second if year.year in known]
    scale = _scale(years, [line], PER_100_ELO, WIDTH - RIGHT)
    return RatingCurve(
        width=WIDTH,
        height=scale.bottom + BOTTOM,
        right=scale.right,
        bottom=scale.bottom,
        label_x=LEFT - 8.0,
        label_y=scale.bottom + 21.0,
        year_ticks=_year_ticks(scale),
        rating_ticks=_rating_ticks(scale),
        stretches=tuple(_stretches(years, scale)),
        dots=tuple(_dots(years, scale)),
        lines=scale.lines([line] if line else []),
    )


def _scale(years: Sequence[PlayerYear], runs: Sequence[Run], per_100: float, right: float) -> Scale:
    """Return a scale of whole hundreds of Elo, at least LEAST_YEARS and LEAST_ELO."""
    at = [year for run in runs for year, _ in run] + [y.year for y in years]
    if not at:
        raise ValueError("a curve needs at least one year")
    ratings = [rating for run in runs for _, rating in run]
    ratings += [y.rating + way * y.deviation for y in years for way in (-1, 1)]
    first, last = min(at), max(at)
    lacking = max(0, LEAST_YEARS - (last - first))
    lowest = math.floor(min(ratings) / 100.0) * 100
    highest = math.ceil(max(ratings) / 100.0) * 100
    hundreds = max(0, LEAST_ELO - (highest - lowest)) // 100
    return Scale(
        first_year=first - lacking // 2,
        last_year=last + lacking - lacking // 2,
        lowest=lowest - (hundreds + 1) // 2 * 100,
        highest=highest + hundreds // 2 * 100,
        per_100=per_100,
        right=right,
    )


def _year_ticks(scale: Scale) -> tuple[Tick, ...]:
    """Return the labelled years, at whole steps."""
    first, last = scale.first_year, scale.last_year
    step = next((s for s in YEAR_STEPS if (last - first) / s < MOST_YEAR_TICKS), YEAR_STEPS[-1])
    years = range(math.ceil(first / step) * step, last + 1, step)
    return tuple(Tick(scale.x(year), str(year)) for year in years)


def _rating_ticks(scale: Scale) -> tuple[Tick, ...]:
    """Return the labelled ratings, at the hundreds."""
    hundreds = range(scale.lowest, scale.highest + 1, 100)
    return tuple(Tick(scale.y(rating), str(rating)) for rating in hundreds)


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


def _stretches(years: Sequence[PlayerYear], scale: Scale) -> Iterator[Stretch]:
    for is_gap, run in runs_of(years):
        upper = [(y.year, y.rating + y.deviation) for y in run]
        lower = [(y.year, y.rating - y.deviation) for y in reversed(run)]
        line = [(y.year, y.rating) for y in run]
        yield Stretch(is_gap, *scale.lines([line, upper + lower]))


def _dots(years: Sequence[PlayerYear], scale: Scale) -> Iterator[Dot]:
    for place, year in enumerate(years):
        if not year.is_gap:
            yield Dot(
                year=year.year,
                x=scale.x(year.year),
                y=scale.y(year.rating),
                low=scale.y(year.rating - year.deviation),
                high=scale.y(year.rating + year.deviation),
                is_lone=is_lone(years, place),
            )
