"""The distribution of the score of a match: a bar for each score of the first player.

`templates/static/match_score.js` draws the same for any two players.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from edo.rating.hypothetical_match import MatchScore
from edo.site.charts.axis import Axis, Tick, step_of

# All lengths are in units of the SVG's view box.
WIDTH, HEIGHT = 480.0, 190.0
LEFT, RIGHT, TOP, BOTTOM = 16.0, 464.0, 34.0, 158.0
GAP = 0.2  # between bars, as a share of their distance
STEPS = (1, 2, 5, 10, 20)  # [points] between the lines of the axis
MOST_TICKS = 10


@dataclass(frozen=True, slots=True)
class MatchChart:
    """The bars of matches won, drawn and lost by the first, each as the `d` of an SVG path."""

    won: str
    drawn: str
    lost: str
    ticks: tuple[Tick, ...]
    width: float = WIDTH
    height: float = HEIGHT
    left: float = LEFT
    right: float = RIGHT
    bottom: float = BOTTOM
    words_y: float = 18.0
    label_y: float = HEIGHT - 10


def match_chart(score: MatchScore) -> MatchChart:
    """Return the chart of a distribution."""
    n = score.games
    x = Axis(-0.5, 2 * n + 0.5, LEFT, RIGHT)
    y = Axis(0.0, max(score.probability), BOTTOM, TOP)
    width = (RIGHT - LEFT) / (2 * n + 1) * (1 - GAP)

    def bars(first: int, last: int) -> Iterator[str]:
        for k in range(first, last + 1):
            height = round(BOTTOM - y.exact(score.probability[k]), 1)
            if height > 0:
                left = x.exact(k) - width / 2
                yield f"M{left:.1f} {BOTTOM:g}v-{height:g}h{width:.1f}v{height:g}z"

    step = step_of(n, STEPS, MOST_TICKS)
    return MatchChart(
        won="".join(bars(n + 1, 2 * n)),
        drawn="".join(bars(n, n)),
        lost="".join(bars(0, n - 1)),
        ticks=tuple(Tick(x.at(2 * points), str(points)) for points in range(0, n + 1, step)),
    )
