"""Elo-Davidson: Elo's rule with Davidson's model of wins, draws and losses.

Source: Szczecinski and Djebbi, Understanding draws in Elo rating algorithm, Journal of
Quantitative Analysis in Sports 16 (2020); Davidson, Journal of the American Statistical
Association 65 (1970).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import logsumexp

from edo.core.scale import ELO_PER_NAT
from edo.systems import sonas
from edo.systems.games import Floats, Games
from edo.systems.player_years import Period, rate_events
from edo.systems.system import ByDifference, Rated, System, parameter

_RECIPE = "Szczecinski and Djebbi (2020): that of equals who draw as often as all do, here 30.5 %"

DRAWN = 0.305  # of the games of this history whose draws are known


def kappa_of(share: float) -> float:
    """Return the kappa at which equals draw a `share` of their games, from 0 to less than 1."""
    return 2.0 * share / (1.0 - share)


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of Elo-Davidson."""

    k: float = parameter(
        24.0, "Elo per point", "K, how fast ratings move", sonas.SOURCE,
        tried=(10.0, 16.0, 24.0, 32.0),
    )  # fmt: skip
    white: float = parameter(
        35.0, "Elo", "what having White is worth", sonas.SOURCE, tried=(0.0, 20.0, 35.0, 50.0)
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
    """Davidson's outcome model; `kappa` 0 is without draws, 2 gives Elo's curve."""

    kappa: float
    white: float

    @property
    def scale(self) -> float:
        """Return the [Elo] per nat that make the curve as steep as Elo's at even strength."""
        return 4.0 * ELO_PER_NAT / (2.0 + self.kappa)

    def log_chances(self, difference: Floats, colour: Floats) -> Floats:
        """Return the log probabilities (3, m) of win, draw and loss at differences [Elo]."""
        x = (difference + self.white * colour) / self.scale
        tie = np.log(self.kappa) if self.kappa else -np.inf
        terms = np.stack([x, np.full_like(x, tie), -x])
        return np.asarray(terms - logsumexp(terms, axis=0))

    def score(self, difference: Floats, colour: Floats) -> Floats:
        """Return the expected scores per game (m,) at differences [Elo] and colours."""
        win, draw, _ = np.exp(self.log_chances(difference, colour))
        return np.asarray(win + draw / 2.0)


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """Ratings (n,) [Elo] and the log probability [nat] of all results so far."""

    rating: Floats
    log_evidence: float


def rate(games: Games, parameters: Parameters) -> Rated:
    """Return the ratings of all who played; games at odds do not count."""
    model = Davidson(parameters.kappa, parameters.white)
    newcomers = State(np.full(len(games.players), parameters.start), 0.0)
    player_years, rating, last = rate_events(
        games, newcomers, lambda p, s: event(p, s, parameters.k, model)
    )
    unknown, expected = np.full(len(rating), np.nan), ByDifference(rating, model.score)
    return Rated(player_years, rating, unknown, expected, last.log_evidence)


def event(period: Period, state: State, k: float, model: Davidson) -> State:
    """Return the state after an event; `k` [Elo per point]."""
    difference = state.rating[period.player] - state.rating[period.opponent]
    logs = model.log_chances(difference, period.colour)
    win, draw, _ = np.exp(logs)
    surplus = period.score - period.count * (win + draw / 2.0)
    wins = period.score - period.draws / 2.0
    losses = period.count - period.score - period.draws / 2.0
    counts = np.stack([wins, period.draws, losses])
    seen = np.multiply(counts, logs, where=counts != 0, out=np.zeros_like(logs))
    return State(
        state.rating + k * period.summed(surplus),
        state.log_evidence + float(seen.sum()) / 2.0,  # each game is seen from either side
    )


DAVIDSON = System(
    "elo-davidson", "Elo-Davidson", "Szczecinski and Djebbi", 2020, "forwards",
    Parameters(), rate, uses=("colours", "draws"),
)  # fmt: skip
