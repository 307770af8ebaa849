"""A player's rating curve with its uncertainty band: coordinates ready for the template."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from edo.rating.edo import PlayerYear

# All lengths are in units of the SVG's view box: narrow, so that one drawing serves phones as well.
WIDTH = 480.0
LEFT, RIGHT, TOP, BOTTOM = 46.0, 16.0, 10.0, 28.0
PER_100_ELO = 62.0  # the same for every player, so that slopes and bands can be compared by eye
LEAST_YEARS = 10  # [years] a short career does not fill the whole width
LEAST_ELO = 300  # [Elo] a steady one does not fill the height
MOST_YEAR_TICKS = 10
YEAR_STEPS = (1, 2, 5, 10, 20, 50)  # [years]


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

    `label_x` is where the labels of ratings end, `label_y` the base line of those of years.
    """

    width: float
    height: float
    left: float
    right: float
    top: float
    bottom: float
    label_x: float
    label_y: float
    year_ticks: tuple[Tick, ...]
    rating_ticks: tuple[Tick, ...]
    stretches: tuple[Stretch, ...]
    dots: tuple[Dot, ...]


@dataclass(frozen=True, slots=True)
class Scale:
    """Where years and ratings lie in the plot; `per_100` is the height of 100 Elo."""

    first_year: int
    last_year: int
    lowest: int  # [Elo]
    highest: int  # [Elo]
    per_100: float = PER_100_ELO
    right: float = WIDTH - RIGHT

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


def rating_curve(years: Sequence[PlayerYear]) -> RatingCurve:
    """Return the curve of a player's consecutive years, ascending, at least one.

    A stretch between two neighbouring years is a gap where either of them has no results.

    Raises ValueError when there is no year.
    """
    if not years:
        raise ValueError("a curve needs at least one year")
    scale = _scale_of(years)
    return RatingCurve(
        width=WIDTH,
        height=scale.bottom + BOTTOM,
        left=LEFT,
        right=WIDTH - RIGHT,
        top=TOP,
        bottom=scale.bottom,
        label_x=LEFT - 8.0,
        label_y=scale.bottom + 21.0,
        year_ticks=year_ticks(scale),
        rating_ticks=rating_ticks(scale),
        stretches=tuple(stretches(years, scale)),
        dots=tuple(_dots(years, scale)),
    )


def _scale_of(years: Sequence[PlayerYear]) -> Scale:
    return scale_over(
        (years[0].year, years[-1].year),
        (min(y.rating - y.deviation for y in years), max(y.rating + y.deviation for y in years)),
    )


def scale_over(
    years: tuple[int, int],
    ratings: tuple[float, float],
    per_100: float = PER_100_ELO,
    right: float = WIDTH - RIGHT,
) -> Scale:
    """Return a scale of whole hundreds of Elo, at least LEAST_YEARS and LEAST_ELO.

    `years` are the first and the last, `ratings` the lowest and the highest that it shows [Elo].
    """
    (first, last), (low, high) = years, ratings
    lacking = max(0, LEAST_YEARS - (last - first))
    lowest = math.floor(low / 100.0) * 100
    highest = math.ceil(high / 100.0) * 100
    hundreds = max(0, LEAST_ELO - (highest - lowest)) // 100
    return Scale(
        first_year=first - lacking // 2,
        last_year=last + lacking - lacking // 2,
        lowest=lowest - (hundreds + 1) // 2 * 100,
        highest=highest + hundreds // 2 * 100,
        per_100=per_100,
        right=right,
    )


def year_ticks(scale: Scale) -> tuple[Tick, ...]:
    """Return the labelled years, at whole steps."""
    first, last = scale.first_year, scale.last_year
    step = next((s for s in YEAR_STEPS if (last - first) / s < MOST_YEAR_TICKS), YEAR_STEPS[-1])
    years = range(math.ceil(first / step) * step, last + 1, step)
    return tuple(Tick(scale.x(year), str(year)) for year in years)


def rating_ticks(scale: Scale) -> tuple[Tick, ...]:
    """Return the labelled ratings, at the hundreds."""
    hundreds = range(scale.lowest, scale.highest + 1, 100)
    return tuple(Tick(scale.y(rating), str(rating)) for rating in hundreds)


def stretches(years: Sequence[PlayerYear], scale: Scale) -> Iterator[Stretch]:
    """Yield the runs of links of one kind; a run shares its end points with the next."""
    start = 0
    for end in range(1, len(years)):
        is_gap = _is_gap(years, end)
        if end + 1 == len(years) or _is_gap(years, end + 1) != is_gap:
            yield _stretch(years[start : end + 1], is_gap, scale)
            start = end


def _is_gap(years: Sequence[PlayerYear], end: int) -> bool:
    """Return whether the link that ends at this place leads from or to a year without results."""
    return years[end - 1].is_gap or years[end].is_gap


def _stretch(run: Sequence[PlayerYear], is_gap: bool, scale: Scale) -> Stretch:
    upper = [(y.year, y.rating + y.deviation) for y in run]
    lower = [(y.year, y.rating - y.deviation) for y in reversed(run)]
    return Stretch(
        is_gap=is_gap,
        line=points([(y.year, y.rating) for y in run], scale),
        band=points(upper + lower, scale),
    )


def points(run: Sequence[tuple[int, float]], scale: Scale) -> str:
    """Return points, each a year and a rating, as SVG writes them."""
    return " ".join(f"{scale.x(year):g},{scale.y(rating):g}" for year, rating in run)


def _dots(years: Sequence[PlayerYear], scale: Scale) -> Iterator[Dot]:
    """Yield the years with results; one without a neighbour that has results too is lone."""
    for place, year in enumerate(years):
        if year.is_gap:
            continue
        neighbours = (*years[max(0, place - 1) : place], *years[place + 1 : place + 2])
        yield Dot(
            year=year.year,
            x=scale.x(year.year),
            y=scale.y(year.rating),
            low=scale.y(year.rating - year.deviation),
            high=scale.y(year.rating + year.deviation),
            is_lone=all(neighbour.is_gap for neighbour in neighbours),
        )
