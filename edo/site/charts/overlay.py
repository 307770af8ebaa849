"""Overlaid curves of one player under several rating systems, all on one scale.

A small drawing for each system shows its curve among those of all the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from edo.rating.edo import PlayerYear
from edo.site.charts import rating_curve
from edo.site.charts.rating_curve import BOTTOM, LEFT, Stretch, Tick

WIDTH = 240.0  # of one small drawing: two fit side by side on a phone
RIGHT = 20.0
PER_100_ELO = 32.0  # less than for a single curve
MOST_YEARS, MOST_RATINGS = 3, 5  # labels on the axes of a small drawing

Run = Sequence[tuple[int, float]]
"""The years of a player, ascending, with a rating [Elo] for each."""


@dataclass(frozen=True, slots=True)
class Overlay:
    """What all the small drawings have in common, and the `lines` of the systems in their order.

    `edo` is the site's own curve with its band; a line is a list of points as SVG writes them.
    """

    width: float
    height: float
    left: float
    right: float
    bottom: float
    label_x: float
    label_y: float
    year_ticks: tuple[Tick, ...]
    rating_ticks: tuple[Tick, ...]
    edo: tuple[Stretch, ...]
    lines: tuple[str, ...]


def overlay(years: Sequence[PlayerYear], runs: Sequence[Run]) -> Overlay:
    """Return the curves of a player: the site's own ratings, if any, and those of other systems.

    Each of the `runs` has at least one rating. Raises ValueError where there is nothing to draw.
    """
    ratings = [rating for run in runs for _, rating in run]
    ratings += [y.rating + way * y.deviation for y in years for way in (-1, 1)]
    at = [year for run in runs for year, _ in run] + [y.year for y in years]
    if not at:
        raise ValueError("curves need at least one rating")
    scale = rating_curve.scale_over(
        (min(at), max(at)), (min(ratings), max(ratings)), PER_100_ELO, WIDTH - RIGHT
    )
    return Overlay(
        width=WIDTH,
        height=scale.bottom + BOTTOM,
        left=LEFT,
        right=scale.right,
        bottom=scale.bottom,
        label_x=LEFT - 6.0,
        label_y=scale.bottom + 21.0,
        year_ticks=_few(rating_curve.year_ticks(scale), MOST_YEARS),
        rating_ticks=_few(rating_curve.rating_ticks(scale), MOST_RATINGS),
        edo=tuple(rating_curve.stretches(years, scale)),
        lines=tuple(rating_curve.points(run, scale) for run in runs),
    )


def _few(ticks: tuple[Tick, ...], most: int) -> tuple[Tick, ...]:
    """Return every second tick, or third..., so that there are no more than so many."""
    return ticks[:: -(-len(ticks) // most)]
