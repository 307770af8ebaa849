"""Sonas' formula: Elo's rule with a straight line and White's advantage.

Source: Sonas, The Sonas Rating Formula - Better than Elo? (2002).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from edo.core.scale import ELO_PER_NAT, Floats
from edo.rating.games import Games
from edo.rating.performance import LINE
from edo.systems.base import ByDifference, Rated, System, by_colour, parameter
from edo.systems.elo import State, rate_events
from edo.systems.player_years import Period

_SONAS = "Sonas, The Sonas Rating Formula - Better than Elo? (2002)"
_SHIFT = "rating of newcomers, which only shifts the scale"

EVEN = 0.541767  # White's expected score per game against an equal; Sonas
BEST, WORST = 390.0, -460.0  # [Elo] limits of White's rating advantage; Sonas
USUAL = 4.0 * LINE * ELO_PER_NAT  # points of Elo's logistic curve to a point of Sonas' line


@dataclass(frozen=True, slots=True)
class Sonas:
    """The parameters of Sonas' formula."""

    k: float = parameter(
        24.0, "Elo per point", "K, how fast ratings move", _SONAS,
        tried=(10.0, 16.0, 24.0, 32.0),
    )  # fmt: skip
    start: float = parameter(2200.0, "Elo", _SHIFT, "ours")


def white_score(advantage: Floats) -> Floats:
    """Return White's expected scores per game at his rating advantages [Elo]."""
    return EVEN + LINE * np.clip(advantage, WORST, BEST)


def sonas_score(difference: Floats, colour: Floats) -> Floats:
    """Return the expected scores per game at differences [Elo] and colours (1, -1 or 0) (m,)."""
    return by_colour(colour, white_score(difference), 1.0 - white_score(-difference))


def rate_sonas(games: Games, parameters: Sonas) -> Rated:
    """Return the ratings of all who played, on the usual scale; games at odds do not count.

    Every game counts as a classical one, for which Sonas' weight is 1. His lists are monthly; as
    most events are dated by their year only, a list is made after each event.
    """
    player_years, on_line, _ = rate_events(
        games, parameters.start, lambda p, s: sonas_event(p, s, parameters.k)
    )
    usual = parameters.start + USUAL * (on_line - parameters.start)
    return Rated(
        player_years, usual, np.full_like(on_line, np.nan), ByDifference(on_line, sonas_score)
    )


def sonas_event(period: Period, state: State, k: float) -> State:
    """Return the ratings after an event; `k` [Elo per point]."""
    difference = state.rating[period.player] - state.rating[period.opponent]
    surplus = period.summed(period.score - period.count * sonas_score(difference, period.colour))
    return replace(state, rating=state.rating + k * surplus)


SONAS = System(
    "sonas", "Sonas", "Jeff Sonas", 2002, "forwards", Sonas(), rate_sonas, uses=("colours",)
)
