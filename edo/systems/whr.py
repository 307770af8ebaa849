"""Whole-History Rating: strengths that change from year to year as a random walk.

Over t years a player's strength changes by a normal step of variance t w^2. In his first year he
also won and lost `prior` virtual games each against an opponent of strength 0. Coulom climbs to the
maximum player by player; here all players take Newton's step together, to the same maximum. As
published, the deviation of a player-year takes the opponents' strengths as known: it comes from the
player's own tridiagonal block of the information, not from the inverse of the whole.

Source: Coulom, Whole-History Rating: a Bayesian rating system for players of time-varying
strength, Computers and Games (2008).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from edo.core.problems import DisconnectedNetwork, NotConverged
from edo.core.scale import Floats, Ints, elo_from_theta, theta_from_elo
from edo.rating.fit.cholesky import Cholesky
from edo.rating.fit.newton import backtrack
from edo.rating.fit.selected_inverse import selected_inverse
from edo.rating.games import Games
from edo.systems.base import Rated, System, logistic, parameter
from edo.systems.player_years import player_years_of

TOLERANCE = 1e-6  # [nat] of the last step, which squares the error before it
MAX_STEPS = 60  # of Newton's method; 7 on the history of November 2026
LARGEST_STEP = 4.0  # [nat], so that a first step that is far too long comes back
STUCK = "no part of a Newton step raised the log posterior"
_COULOM = "Coulom, Whole-History Rating (2008)"


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of Whole-History Rating."""

    w2: float = parameter(
        300.0, "Elo² a year", "variance of the change of strength in a year",
        "the default of the programs after Coulom, whose time step is a day",
        tried=(150.0, 300.0, 600.0, 1200.0, 2400.0),
    )  # fmt: skip
    prior: float = parameter(
        1.0, "games", "virtual ones won, and as many lost, against 0 in the first year", _COULOM,
        tried=(0.5, 1.0, 2.0, 4.0, 8.0),
    )  # fmt: skip


def rate(games: Games, parameters: Parameters) -> Rated:
    """Return the ratings of everybody with games.

    Raises DisconnectedNetwork where there are no games, NotConverged where the fit fails.
    """
    if not len(games.first):
        raise DisconnectedNetwork("there are no games to rate; add results")
    posterior = Posterior(games, parameters)
    u = posterior.fit()
    rating, deviation = elo_from_theta(u), elo_from_theta(np.sqrt(posterior.own_variances(u)))
    return Rated(posterior.player_years, rating, deviation, logistic(rating))


class Posterior:
    """The log posterior of the strengths u (k,) [nat] of all player-years; it is concave."""

    def __init__(self, games: Games, parameters: Parameters) -> None:
        self.player_years = years = player_years_of(games)
        self._games, self._virtual = games, parameters.prior
        self._odds, self._later = theta_from_elo(games.odds), years.later
        self._first = years.start[:-1][np.diff(years.start) > 0]
        self._precision = float(theta_from_elo(np.sqrt(np.array(parameters.w2)))) ** -2
        self._i, self._j = years.sides(games)

    def value(self, u: Floats) -> float:
        """Return the log posterior [nat] up to a constant."""
        games, x, y = self._games, self._differences(u), u[self._first]
        likelihood = np.sum(games.score * x - games.count * np.logaddexp(0.0, x))
        virtual = self._virtual * np.sum(y - 2 * np.logaddexp(0.0, y))
        return float(likelihood + virtual - self._precision * np.sum(self._steps(u) ** 2) / 2)

    def gradient(self, u: Floats) -> Floats:
        """Return its first derivatives (k,)."""
        games = self._games
        surplus = games.score - games.count * expit(self._differences(u))
        walk = self._precision * self._steps(u)
        total = self._at_ends(self._i, self._j, surplus, -1)
        total -= self._at_ends(self._later, self._later - 1, walk, -1)
        total[self._first] += self._virtual * (1 - 2 * expit(u[self._first]))
        return total

    def information(self, u: Floats) -> tuple[Floats, Floats, Floats]:
        """Return minus its second derivatives: diagonal (k,), those of games (m,) and of steps."""
        p, y = expit(self._differences(u)), expit(u[self._first])
        weight = self._games.count * p * (1 - p)
        walk = np.full(len(self._later), self._precision)
        diagonal = self._at_ends(self._i, self._j, weight, 1)
        diagonal += self._at_ends(self._later, self._later - 1, walk, 1)
        diagonal[self._first] += 2 * self._virtual * y * (1 - y)
        return diagonal, -weight, -walk

    def fit(self) -> Floats:
        """Return the maximum (k,) by Newton's method; raises NotConverged where it fails."""
        u = np.zeros(len(self.player_years.year))
        value = self.value(u)
        ends = np.r_[self._i, self._later], np.r_[self._j, self._later - 1]
        factor = Cholesky(len(u), np.maximum(*ends), np.minimum(*ends))
        for _ in range(MAX_STEPS):
            diagonal, games, steps = self.information(u)
            factor.factorise(diagonal, np.r_[games, steps])
            step = factor.solve(self.gradient(u))
            if np.abs(step).max() <= TOLERANCE:
                return np.asarray(u + step)
            step = np.clip(step, -LARGEST_STEP, LARGEST_STEP)
            u, value = backtrack(self.value, u, value, step, STUCK)
        raise NotConverged(f"no maximum after {MAX_STEPS} steps; look for extreme scores")

    def own_variances(self, u: Floats) -> Floats:
        """Return the variances (k,) [nat^2] of strengths, given those of all other players."""
        diagonal, _, steps = self.information(u)
        factor = Cholesky(len(u), self._later, self._later - 1)
        factor.factorise(diagonal, steps)
        return selected_inverse(factor.lower()).diagonal()

    def _differences(self, u: Floats) -> Floats:
        return np.asarray(u[self._i] - u[self._j] + self._odds)

    def _steps(self, u: Floats) -> Floats:
        return np.asarray(u[self._later] - u[self._later - 1])

    def _at_ends(self, first: Ints, second: Ints, values: Floats, sign: int) -> Floats:
        """Return sums (k,) of values (m,) at the first ends, with a sign at the second."""
        k = len(self.player_years.year)
        return np.asarray(np.bincount(first, values, k) + sign * np.bincount(second, values, k))


WHR = System(
    "whr", "Whole-History Rating", "Rémi Coulom", 2008, "all at once",
    Parameters(), rate, uses=("odds",),
)  # fmt: skip
