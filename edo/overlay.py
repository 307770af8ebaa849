"""A player's ratings by several systems in, the ready coordinates of their curves out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from edo import charts
from edo.charts import BOTTOM, LEFT, TOP, WIDTH, Stretch, Tick
from edo.rating import PlayerYear

PER_100_ELO = 44.0  # less than for one curve alone: the systems lie far apart
RIGHT = 46.0  # room for the numbers at the ends of the lines
LEADER = 16.0  # from the end of a line to its number
APART = 12.0  # between two such numbers

Run = Sequence[tuple[int, float]]
"""The years of a player, ascending, with a rating [Elo] for each."""


@dataclass(frozen=True, slots=True)
class Line:
    """A system's curve, where it ends, and where its number stands.

    `kind` is its class in the stylesheet.
    """

    number: str
    kind: str
    title: str
    points: str
    end: tuple[float, float]
    at: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Overlay:
    """Everything a template needs to draw the curves; `edo` is the site's own, with its band."""

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
    lines: tuple[Line, ...]


def overlay(years: Sequence[PlayerYear], runs: Sequence[tuple[str, str, str, Run]]) -> Overlay:
    """Return the curves of a player: his years as the site rates them, perhaps none, and others.

    Each of the `runs` has number, kind, title and ratings, at least one. Raises ValueError where
    there is nothing to draw.
    """
    ratings = [rating for *_, run in runs for _, rating in run]
    ratings += [y.rating + way * y.deviation for y in years for way in (-1, 1)]
    at = [year for *_, run in runs for year, _ in run] + [y.year for y in years]
    if not at:
        raise ValueError("curves need at least one rating")
    scale = charts.scale_over(
        (min(at), max(at)), (min(ratings), max(ratings)), PER_100_ELO, WIDTH - RIGHT
    )
    ends = [(scale.x(run[-1][0]), scale.y(run[-1][1])) for *_, run in runs]
    places = _apart([y for _, y in ends], scale.bottom)
    return Overlay(
        width=WIDTH,
        height=scale.bottom + BOTTOM,
        left=LEFT,
        right=scale.right,
        bottom=scale.bottom,
        label_x=LEFT - 8.0,
        label_y=scale.bottom + 21.0,
        year_ticks=charts.year_ticks(scale),
        rating_ticks=charts.rating_ticks(scale),
        edo=tuple(charts.stretches(years, scale)),
        lines=tuple(
            Line(
                number, kind, title, charts.points(run, scale), end, (round(end[0] + LEADER, 1), y)
            )
            for (number, kind, title, run), end, y in zip(runs, ends, places, strict=True)
        ),
    )


def _apart(wanted: Sequence[float], bottom: float) -> list[float]:
    """Return heights near those wanted and APART from each other, as far as there is room."""
    order = sorted(range(len(wanted)), key=lambda k: (wanted[k], k))
    step = min(APART, (bottom - TOP) / max(1, len(wanted) - 1))
    places = [0.0] * len(wanted)
    floor = TOP
    for k in order:
        places[k] = max(wanted[k], floor)
        floor = places[k] + step
    ceiling = bottom
    for k in reversed(order):
        places[k] = min(places[k], ceiling)
        ceiling = places[k] - step
    return [round(place, 1) for place in places]
