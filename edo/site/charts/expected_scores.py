"""Chart of the expected and the actual scores of the players of an event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from edo.core import formats
from edo.site.charts.rating_curve import Tick

# All lengths are in units of the SVG's view box: about a pixel on a phone.
WIDTH, LEFT, RIGHT, TOP, ROW = 360.0, 122.0, 52.0, 24.0, 19.0
LONGEST_NAME = 18  # [letters] that fit beside the plot
STEPS = (1, 2, 5, 10, 20, 50, 100, 200)  # [points]
MOST_TICKS = 6
LARGEST = 30  # [players]


@dataclass(frozen=True, slots=True)
class Scored:
    """What a player scored and was to score [points] in so many rated games."""

    name: str
    score: float
    expected: float
    games: float


@dataclass(frozen=True, slots=True)
class Line:
    """A player's line: x of the score and of the expected score, y, and what lies between."""

    name: str
    y: float
    score: float
    expected: float
    difference: str


@dataclass(frozen=True, slots=True)
class ExpectedScores:
    """The chart; it is of points, or of percentages where not all played as many games."""

    lines: tuple[Line, ...]
    ticks: tuple[Tick, ...]
    is_share: bool
    height: float
    width: float = WIDTH
    left: float = LEFT
    right: float = WIDTH - RIGHT
    top: float = TOP


def expected_scores(players: Sequence[Scored]) -> ExpectedScores | None:
    """Return the chart of three to thirty players, None of fewer or more."""
    if not 3 <= len(players) <= LARGEST:
        return None
    games = {one.games for one in players}
    is_share = len(games) > 1
    most = 100.0 if is_share else max(games)
    step = next((s for s in STEPS if most / s <= MOST_TICKS), STEPS[-1])
    inner = WIDTH - LEFT - RIGHT

    def x(points: float, of: float) -> float:
        share = min(max(points / of, 0.0), 1.0)  # totals can ask for more than all points
        return round(LEFT + share * inner, 1)

    return ExpectedScores(
        lines=tuple(
            Line(
                one.name if len(one.name) <= LONGEST_NAME else f"{one.name[: LONGEST_NAME - 1]}…",
                TOP + ROW * (place + 0.5),
                x(one.score, one.games),
                x(one.expected, one.games),
                formats.signed(one.score - one.expected, 1),
            )
            for place, one in enumerate(players)
        ),
        ticks=tuple(
            Tick(x(at, most), f"{at}%" if is_share else str(at))
            for at in range(0, int(most) + 1, step)
        ),
        is_share=is_share,
        height=TOP + ROW * len(players) + 6.0,
    )
