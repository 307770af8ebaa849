"""The ratings of players by age: a cloud of points, and bands between quantiles."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from edo.site.charts.rating_curve import Tick

# All lengths are in units of the SVG's view box.
WIDTH, HEIGHT = 720.0, 420.0
LEFT, RIGHT, TOP, BOTTOM = 52.0, 12.0, 14.0, 40.0
YEARS, POINTS, EDGE = 10, 200, 50  # the grid: ages [years], ratings [Elo], edges [Elo]


@dataclass(frozen=True, slots=True)
class AgesChart:
    """The chart: `cloud` has a dot for each rating; `bands` are areas, the outer one first."""

    cloud: str
    bands: tuple[str, ...]
    median: str
    age_ticks: tuple[Tick, ...]
    rating_ticks: tuple[Tick, ...]
    width: float = WIDTH
    height: float = HEIGHT
    left: float = LEFT
    right: float = WIDTH - RIGHT
    top: float = TOP
    bottom: float = HEIGHT - BOTTOM


def ages_chart(
    points: Iterable[tuple[int, float]], quantiles: Sequence[tuple[int, Sequence[float]]]
) -> AgesChart | None:
    """Return the chart of ages and ratings [Elo], None where there are no quantiles of any age.

    `quantiles` holds for each age an odd number of ratings [Elo], ascending.
    """
    points = list(points)
    if not quantiles:
        return None
    ages, ratings = zip(*points, strict=True)
    x_of = _scale(min(ages) - 1, max(ages) + 1, LEFT, WIDTH - RIGHT)
    low, high = (
        math.floor(min(ratings) / EDGE) * EDGE,
        math.ceil(max(ratings) / EDGE) * EDGE,
    )
    y_of = _scale(low, high, HEIGHT - BOTTOM, TOP)
    dots = sorted({(round(x_of(age), 1), round(y_of(rating))) for age, rating in points})
    many = len(quantiles[0][1])
    lines = [[(x_of(age), y_of(found[k])) for age, found in quantiles] for k in range(many)]
    return AgesChart(
        cloud="".join(f"M{x:g} {y}h0" for x, y in dots),
        bands=tuple(
            _path([*lines[k], *reversed(lines[many - 1 - k])]) + "Z" for k in range(many // 2)
        ),
        median=_path(lines[many // 2]),
        age_ticks=tuple(
            Tick(round(x_of(age), 1), str(age))
            for age in range(math.ceil(min(ages) / YEARS) * YEARS, max(ages) + 1, YEARS)
        ),
        rating_ticks=tuple(
            Tick(round(y_of(rating), 1), str(rating))
            for rating in range(math.ceil(low / POINTS) * POINTS, high + 1, POINTS)
        ),
    )


def _scale(low: float, high: float, start: float, end: float) -> Callable[[float], float]:
    return lambda value: start + (value - low) / (high - low) * (end - start)


def _path(line: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in line)
