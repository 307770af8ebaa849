"""Games in, ratings by Elo's rule on Davidson's model of wins, draws and losses out.

Source: Szczecinski and Djebbi, Understanding draws in Elo rating algorithm, Journal of
Quantitative Analysis in Sports 16 (2020); Davidson, Journal of the American Statistical
Association 65 (1970).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import logsumexp

from edo.core.scale import ELO_PER_NAT
from edo.systems.careers import careers_of
from edo.systems.forwards import Period, rated_forwards
from edo.systems.games import Floats, Games, Ints
from edo.systems.system import Rated, System, parameter

_SONAS = "Sonas, The Sonas Rating Formula - Better than Elo? (2002)"
_RECIPE = "Szczecinski and Djebbi (2020): that of equals who draw as often as all do, here 30.5 %"

DRAWN = 0.305  # of the games of this history whose draws are known


def kappa_of(share: float) -> float:
    """Return the kappa at which equals draw a `share` of their games, from 0 to less than 1."""
    return 2.0 * share / (1.0 - share)


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of Elo-Davidson."""

    k: float = parameter(
        24.0, "Elo per point", "K, how fast ratings move", _SONAS,
        tried=(10.0, 16.0, 24.0, 32.0),
    )  # fmt: skip
    white: float = parameter(
        35.0, "Elo", "what having White is worth", _SONAS, tried=(0.0, 20.0, 35.0, 50.0)
    )
    kappa: float = parameter(
        round(kappa_of(DRAWN), 2),
        "",
        "how frequent draws are",
        _RECIPE,
        tried=(0.25, 0.5, 1.0, 2.0, 3.0),
    )
    start: float = parameter(
        2200.0, "Elo", "rating of newcomers, which only shifts the scale", "ours"
    )


@dataclass(frozen=True, slots=True)
class Davidson:
    """The chances of a game at a given difference; `kappa` 0 is without draws, 2 is Elo's curve."""

    kappa: float
    white: float

    @property
    def scale(self) -> float:
        """Return the [Elo] to a nat at which even strength is worth what it is on Elo's curve."""
        return 4.0 * ELO_PER_NAT / (2.0 + self.kappa)

    def chances(self, difference: Floats, colour: Floats) -> tuple[Floats, Floats, Floats]:
        """Return the chances (m,) of a win, a draw and a loss at differences [Elo] and colours."""
        win, draw, loss = np.exp(self.log_chances(difference, colour))
        return win, draw, loss

    def log_chances(self, difference: Floats, colour: Floats) -> Floats:
        """Return the natural logarithms (3, m) of the chances, those too small for a number too."""
        x = (difference + self.white * colour) / self.scale
        tie = np.log(self.kappa) if self.kappa else -np.inf
        terms = np.stack([x, np.full_like(x, tie), -x])
        return np.asarray(terms - logsumexp(terms, axis=0))

    def score(self, difference: Floats, colour: Floats) -> Floats:
        """Return the expected scores per game (m,) at differences [Elo] and colours."""
        win, draw, _ = self.chances(difference, colour)
        return np.asarray(win + draw / 2.0)


@dataclass(frozen=True, slots=True, eq=False)
class Chances:
    """Expects what Davidson's model says."""

    rating: Floats
    model: Davidson

    def __call__(self, first: Ints, second: Ints, colour: Floats, /) -> Floats:
        """Return the expected scores per game (m,)."""
        return self.model.score(self.rating[first] - self.rating[second], colour)


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """Ratings (n,) [Elo] and the logarithm of the chance [nat] of all results so far."""

    rating: Floats
    log_evidence: float


def rate(games: Games, parameters: Parameters) -> Rated:
    """Return the ratings of all who played; games at odds do not count."""
    games = games.even()
    careers = careers_of(games)
    model = Davidson(parameters.kappa, parameters.white)
    newcomers = Standing(np.full(len(games.players), parameters.start), 0.0)
    rating, last = rated_forwards(
        games, careers, games.by_event(), newcomers, lambda p, s: event(p, s, parameters.k, model)
    )
    unknown = np.full(len(rating), np.nan)
    return Rated(careers, rating, unknown, Chances(rating, model), last.log_evidence)


def event(period: Period, standing: Standing, k: float, model: Davidson) -> Standing:
    """Return the standing after an event; `k` [Elo per point]."""
    difference = standing.rating[period.player] - standing.rating[period.opponent]
    logs = model.log_chances(difference, period.colour)
    win, draw, _ = np.exp(logs)
    surplus = period.score - period.count * (win + draw / 2.0)
    wins = period.score - period.draws / 2.0
    losses = period.count - period.score - period.draws / 2.0
    counts = np.stack([wins, period.draws, losses])
    seen = np.multiply(counts, logs, where=counts != 0, out=np.zeros_like(logs))
    return Standing(
        standing.rating + k * period.summed(surplus),
        standing.log_evidence + float(seen.sum()) / 2.0,  # each game is seen from either side
    )


DAVIDSON = System(
    "elo-davidson",
    "Elo-Davidson",
    "Szczecinski and Djebbi",
    2020,
    "forwards",
    Parameters(),
    rate,
    uses=("colours", "draws"),
)
