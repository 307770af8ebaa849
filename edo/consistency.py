"""Ratings in, the level of each year out: means of the leading players, and how many are weak."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from edo.rating import PlayerYear, Ratings

BELOW = 2200.0  # [Elo]


@dataclass(frozen=True, slots=True)
class YearLevel:
    """A year's adjusted ratings in a few numbers, the years of a gap included.

    `rated` players; the mean rating [Elo] of the first five, ten and twenty, None where there are
    not so many; the share of all whose rating is below 2200.
    """

    year: int
    rated: int
    top5: float | None
    top10: float | None
    top20: float | None
    share_below: float


def levels(ratings: Ratings) -> tuple[YearLevel, ...]:
    """Return the level of each year, ascending."""
    return tuple(
        YearLevel(
            year,
            len(ranking),
            _mean(ranking, 5),
            _mean(ranking, 10),
            _mean(ranking, 20),
            sum(p.rating < BELOW for p in ranking) / len(ranking),
        )
        for year, ranking in sorted(ratings.years.items())
    )


def _mean(ranking: Sequence[PlayerYear], top: int) -> float | None:
    if len(ranking) < top:
        return None
    return sum(p.rating for p in ranking[:top]) / top
