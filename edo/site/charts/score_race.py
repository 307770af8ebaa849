"""The score race of two players: who was ahead by how many points, game by game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from edo.core import formats
from edo.site.charts.axis import Axis, Tick, polyline, step_of

# All lengths are in units of the SVG's view box.
WIDTH, HEIGHT = 480.0, 220.0
LEFT, RIGHT, TOP, BOTTOM = 34.0, 12.0, 26.0, 46.0
LEAST_LEAD = 3.0  # [points] the scale reaches so far, or a single draw would fill the plot
TICK_ROOM = 46.0  # from one year's label to the next, so that they do not touch
LABEL_ROOM = 36.0  # that a year's label needs before the right edge
LEAD_STEPS = (1, 2, 5, 10, 20, 50)  # [points]
MOST_LEAD_TICKS = 6


@dataclass(frozen=True, slots=True)
class Step:
    """One or more games; `lead` [points] is what they add to the first player's lead."""

    year: int
    games: float
    lead: float


@dataclass(frozen=True, slots=True)
class ScoreRace:
    """The first player's points less the second's, after each game; `line` as SVG writes points.

    `area` is what lies between that line and the level; `top_y` and `foot_y` are the base lines of
    the words above and below the plot.
    """

    zero: float
    line: str
    area: str
    lead_ticks: tuple[Tick, ...]
    year_ticks: tuple[Tick, ...]
    width: float = WIDTH
    height: float = HEIGHT
    left: float = LEFT
    right: float = WIDTH - RIGHT
    top: float = TOP
    bottom: float = HEIGHT - BOTTOM
    label_x: float = LEFT - 6
    label_y: float = HEIGHT - BOTTOM + 38
    top_y: float = TOP - 10
    foot_y: float = HEIGHT - BOTTOM + 17


def score_race(steps: Sequence[Step]) -> ScoreRace | None:
    """Return the chart, None where no games are given."""
    if sum(step.games for step in steps) <= 0:
        return None
    leads = list(accumulate((step.lead for step in steps), initial=0.0))
    played = list(accumulate((step.games for step in steps), initial=0.0))
    x = Axis(0.0, played[-1], LEFT, WIDTH - RIGHT)
    y = Axis(min(*leads, -LEAST_LEAD), max(*leads, LEAST_LEAD), HEIGHT - BOTTOM, TOP)
    xs, zero = list(map(x.at, played)), y.at(0.0)
    line = polyline(zip(xs, map(y.at, leads), strict=True))
    marks = y.multiples(step_of(y.high - y.low, LEAD_STEPS, MOST_LEAD_TICKS))
    return ScoreRace(
        zero=zero,
        line=line,
        area=f"{xs[0]:g},{zero:g} {line} {xs[-1]:g},{zero:g}",
        lead_ticks=tuple(Tick(y.at(lead), formats.signed(lead)) for lead in marks),
        year_ticks=_year_ticks(steps, xs),
    )


def _year_ticks(steps: Sequence[Step], xs: Sequence[float]) -> tuple[Tick, ...]:
    """Return where years begin; those too near to the one before, or to the edge, have no label."""
    ticks: list[Tick] = []
    before, room_from = None, LEFT
    for step, x in zip(steps, xs, strict=False):
        if step.year != before:
            is_free = room_from <= x <= WIDTH - LABEL_ROOM
            ticks.append(Tick(x, str(step.year) if is_free else ""))
            room_from = x + TICK_ROOM if is_free else room_from
        before = step.year
    return tuple(ticks)
