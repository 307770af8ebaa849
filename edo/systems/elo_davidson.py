"""Elo-Davidson: Elo's rule with Davidson's model of wins, draws and losses.

Source: Szczecinski and Djebbi, Understanding draws in Elo rating algorithm, Journal of Quantitative
Analysis in Sports 16 (2020); Davidson, Journal of the American Statistical Association 65 (1970).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import logsumexp

from edo.core.scale import ELO_PER_NAT, Floats
from edo.rating.games import Games
from edo.systems.base import ByDifference, Rated, System, parameter
from edo.systems.elo import State, rate_events
from edo.systems.player_years import Period

_SONAS = "Sonas, The Sonas Rating Formula - Better than Elo? (2002)"
_DAVIDSON = "Szczecinski and Djebbi (2020): that of equals who draw as often as all do, here 30.5 %"
_SHIFT = "rating of newcomers, which only shifts the scale"

DRAWN = 0.305  # of the games of this history whose draws are known


def kappa_of(share: float) -> float:
    """Return the kappa at which equals draw a `share` of their games, from 0 to less than 1."""
    return 2.0 * share / (1.0 - share)


@dataclass(frozen=True, slots=True)
class EloDavidson:
    """The parameters of Elo-Davidson."""

    k: float = parameter(
        24.0, "Elo per point", "K, how fast ratings move", _SONAS,
        tried=(10.0, 16.0, 24.0, 32.0),
    )  # fmt: skip
    white: float = parameter(
        35.0, "Elo", "what having White is worth", _SONAS, tried=(0.0, 20.0, 35.0, 50.0)
    )
    kappa: float = parameter(
        round(kappa_of(DRAWN), 2), "", "how frequent draws are", _DAVIDSON,
        tried=(0.25, 0.5, 1.0, 2.0, 3.0),
    )  # fmt: skip
    start: float = parameter(2200.0, "Elo", _SHIFT, "ours")


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


def rate_davidson(games: Games, parameters: EloDavidson) -> Rated:
    """Return the ratings of all who played; games at odds do not count."""
    model = Davidson(parameters.kappa, parameters.white)
    player_years, rating, final = rate_events(
        games, parameters.start, lambda p, s: davidson_event(p, s, parameters.k, model)
    )
    expected = ByDifference(rating, model.score)
    return Rated(player_years, rating, np.full_like(rating, np.nan), expected, final.log_evidence)


def davidson_event(period: Period, state: State, k: float, model: Davidson) -> State:
    """Return the state after an event; `k` [Elo per point]."""
    difference = state.rating[period.player] - state.rating[period.opponent]
    logs = model.log_chances(difference, period.colour)
    win, draw, _ = np.exp(logs)
    surplus = period.score - period.count * (win + draw / 2.0)
    wins = period.score - period.draws / 2.0
    losses = period.count - period.score - period.draws / 2.0
    counts = np.stack([wins, period.draws, losses])
    log_probabilities = np.multiply(counts, logs, where=counts != 0, out=np.zeros_like(logs))
    return replace(
        state,
        rating=state.rating + k * period.summed(surplus),
        log_evidence=state.log_evidence
        + float(log_probabilities.sum()) / 2.0,  # each game is in two rows
    )


DAVIDSON = System(
    "elo-davidson", "Elo-Davidson", "Szczecinski and Djebbi", 2020, "forwards",
    EloDavidson(), rate_davidson, uses=("colours", "draws"),
)  # fmt: skip
