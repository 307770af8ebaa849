"""Games in, ratings by Sonas' formula out: Elo's rule with a straight line and White's advantage.

Source: Jeff Sonas, The Sonas Rating Formula - Better than Elo? (2002).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from edo.core.scale import ELO_PER_NAT
from edo.rating.performance import LINE
from edo.systems.careers import careers_of
from edo.systems.forwards import Period, rated_forwards
from edo.systems.games import Floats, Games, Ints
from edo.systems.system import Rated, System, parameter

_SONAS = "Sonas, The Sonas Rating Formula - Better than Elo? (2002)"

EVEN = 0.541767  # of a game, what White expects of an equal; Sonas
BEST, WORST = 390.0, -460.0  # [Elo] White's advantage counts as no more and no less; Sonas
Control = Literal["classical", "modern", "rapid", "blitz"]
IMPORTANCE: dict[Control, float] = {"classical": 1.0, "modern": 0.83, "rapid": 0.29, "blitz": 0.18}
"""What a game at a time control counts for; Sonas."""
USUAL = 4.0 * LINE * ELO_PER_NAT  # points of Elo's logistic curve to a point of this line


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of Sonas' formula."""

    k: float = parameter(
        24.0, "Elo per point", "K, how fast ratings move", _SONAS,
        tried=(10.0, 16.0, 24.0, 32.0),
    )  # fmt: skip
    start: float = parameter(
        2200.0, "Elo", "rating of newcomers, which only shifts the scale", "ours"
    )


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """Ratings (n,) [Elo]."""

    rating: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """Expects what Sonas' line says; `rating` (k,) are points of this line."""

    rating: Floats

    def __call__(self, first: Ints, second: Ints, colour: Floats, /) -> Floats:
        """Return the expected scores per game (m,); half of White's and Black's where not known."""
        return expected_score(self.rating[first] - self.rating[second], colour)


def importance(control: Control) -> float:
    """Return what a game at a time control counts for, 1 for a classical one."""
    return IMPORTANCE[control]


def white_score(advantage: Floats) -> Floats:
    """Return White's expected scores per game at his rating advantages [Elo]."""
    return EVEN + LINE * np.clip(advantage, WORST, BEST)


def expected_score(difference: Floats, colour: Floats) -> Floats:
    """Return the expected scores per game at differences [Elo] and colours (1, -1 or 0) (m,)."""
    white, black = white_score(difference), 1.0 - white_score(-difference)
    return np.asarray(((1.0 + colour) * white + (1.0 - colour) * black) / 2.0)


def rate(games: Games, parameters: Parameters) -> Rated:
    """Return the ratings of all who played, on the usual scale; games at odds do not count.

    Every game here is taken for a classical one. Sonas' lists are monthly; as most events are
    known by their year only, a list is made after each event.
    """
    games = games.even()
    careers = careers_of(games)
    newcomers = Standing(np.full(len(games.players), parameters.start))
    k = parameters.k * importance("classical")
    own, _ = rated_forwards(
        games, careers, games.by_event(), newcomers, lambda p, s: event(p, s, k)
    )
    usual = parameters.start + USUAL * (own - parameters.start)
    return Rated(careers, usual, np.full(len(own), np.nan), Line(own))


def event(period: Period, standing: Standing, k: float) -> Standing:
    """Return the standing after an event; `k` [Elo per point]."""
    difference = standing.rating[period.player] - standing.rating[period.opponent]
    expected = expected_score(difference, period.colour)
    return Standing(standing.rating + k * period.summed(period.score - period.count * expected))


SONAS = System(
    "sonas", "Sonas", "Jeff Sonas", 2002, "forwards", Parameters(), rate, uses=("colours",)
)
