"""Chart of the expected and the actual scores of the players of an event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from edo.core import formats
from edo.site.charts.axis import Axis, Tick, step_of

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
    games = {player.games for player in players}
    is_share = len(games) > 1
    most = 100 if is_share else max(games)
    x = Axis(0.0, most, LEFT, WIDTH - RIGHT)
    step = step_of(most, STEPS, MOST_TICKS)

    def at(points: float, player: Scored) -> float:
        # Totals can ask for more than all points.
        return x.within(points / player.games * most)

    return ExpectedScores(
        lines=tuple(
            Line(
                _short(player.name),
                TOP + ROW * (place + 0.5),
                at(player.score, player),
                at(player.expected, player),
                formats.signed(player.score - player.expected, 1),
            )
            for place, player in enumerate(players)
        ),
        ticks=tuple(
            Tick(x.at(value), f"{value}%" if is_share else str(value))
            for value in x.multiples(step)
        ),
        is_share=is_share,
        height=TOP + ROW * len(players) + 6.0,
    )


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
