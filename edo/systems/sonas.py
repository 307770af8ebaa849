"""The Sonas rating formula: Elo's rule with a straight line and White's advantage.

Source: Jeff Sonas, The Sonas Rating Formula - Better than Elo? (2002).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from edo.core.scale import ELO_PER_NAT
from edo.rating.performance import LINE
from edo.systems.games import Floats, Games
from edo.systems.player_years import Period, rate_events
from edo.systems.system import ByDifference, Rated, System, by_colour, parameter

SOURCE = "Sonas, The Sonas Rating Formula - Better than Elo? (2002)"

EVEN = 0.541767  # White's expected score per game against an equal; Sonas
BEST, WORST = 390.0, -460.0  # [Elo] limits of White's rating advantage; Sonas
USUAL = 4.0 * LINE * ELO_PER_NAT  # points of Elo's logistic curve to a point of this line


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of Sonas' formula."""

    k: float = parameter(
        24.0, "Elo per point", "K, how fast ratings move", SOURCE,
        tried=(10.0, 16.0, 24.0, 32.0),
    )  # fmt: skip
    start: float = parameter(
        2200.0, "Elo", "rating of newcomers, which only shifts the scale", "ours"
    )


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """Ratings (n,) [Elo]."""

    rating: Floats


def white_score(advantage: Floats) -> Floats:
    """Return White's expected scores per game at his rating advantages [Elo]."""
    return EVEN + LINE * np.clip(advantage, WORST, BEST)


def expected_score(difference: Floats, colour: Floats) -> Floats:
    """Return the expected scores per game at differences [Elo] and colours (1, -1 or 0) (m,)."""
    return by_colour(colour, white_score(difference), 1.0 - white_score(-difference))


def rate(games: Games, parameters: Parameters) -> Rated:
    """Return the ratings of all who played, on the usual scale; games at odds do not count.

    Every game counts as a classical one, for which Sonas' weight is 1. His lists are monthly; as
    most events are dated by their year only, a list is made after each event.
    """
    newcomers = State(np.full(len(games.players), parameters.start))
    player_years, own, _ = rate_events(games, newcomers, lambda p, s: event(p, s, parameters.k))
    usual = parameters.start + USUAL * (own - parameters.start)
    unknown = np.full(len(own), np.nan)
    return Rated(player_years, usual, unknown, ByDifference(own, expected_score))


def event(period: Period, state: State, k: float) -> State:
    """Return the ratings after an event; `k` [Elo per point]."""
    difference = state.rating[period.player] - state.rating[period.opponent]
    expected = expected_score(difference, period.colour)
    return State(state.rating + k * period.summed(period.score - period.count * expected))


SONAS = System(
    "sonas", "Sonas", "Jeff Sonas", 2002, "forwards", Parameters(), rate, uses=("colours",)
)
