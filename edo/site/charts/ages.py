"""The ratings of players by age: a cloud of points, and bands between quantiles."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from edo.site.charts.axis import Axis, Tick, path

# All lengths are in units of the SVG's view box.
WIDTH, HEIGHT = 720.0, 420.0
LEFT, RIGHT, TOP, BOTTOM = 52.0, 12.0, 14.0, 40.0
AGE_STEP, RATING_STEP = 10, 200  # [years], [Elo] between the lines of the grid
EDGE = 50  # [Elo] of which the ends of the axis of ratings are multiples


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
    low, high = math.floor(min(ratings) / EDGE) * EDGE, math.ceil(max(ratings) / EDGE) * EDGE
    x = Axis(min(ages) - 1, max(ages) + 1, LEFT, WIDTH - RIGHT)
    y = Axis(low, high, HEIGHT - BOTTOM, TOP)
    # Whole units are fine enough for the dots, and many of them fall together.
    dots = sorted({(x.at(age), round(y.exact(rating))) for age, rating in points})
    lines = [
        [(x.at(age), y.at(rating)) for (age, _), rating in zip(quantiles, line, strict=True)]
        for line in zip(*(of_age for _, of_age in quantiles), strict=True)
    ]
    middle = len(lines) // 2
    return AgesChart(
        cloud="".join(f"M{x:g} {y}h0" for x, y in dots),
        bands=tuple(path([*lines[k], *reversed(lines[-1 - k])]) + "Z" for k in range(middle)),
        median=path(lines[middle]),
        age_ticks=x.ticks(AGE_STEP),
        rating_ticks=y.ticks(RATING_STEP),
    )
