"""Games in; ratings that wander from year to year, Whole-History Rating, out.

A player's strength wanders: over t years it changes by a normal step of variance t w^2. In his
first year he also won and lost `prior` virtual games each against somebody of strength 0. Coulom
climbs to the maximum player by player; here all players take Newton's step together, which ends at
the same maximum. As published, the deviation of a player-year takes the opponents' strengths for
known: it comes from his own tridiagonal block of the information, not from the inverse of it all.

Source: Coulom, Whole-History Rating: a Bayesian rating system for players of time-varying
strength, Computers and Games (2008).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from edo.core.problems import DisconnectedNetwork, NotConverged
from edo.core.scale import elo_from_theta, theta_from_elo
from edo.rating.fit.newton import backtrack
from edo.systems.bordered import Bordered
from edo.systems.careers import Careers, careers_of
from edo.systems.classic import Logistic
from edo.systems.games import Floats, Games, Ints
from edo.systems.system import Rated, System, parameter

TOLERANCE = 1e-9  # [nat] of the last step
MAX_STEPS = 60
STUCK = "no part of a Newton step raised the log posterior"
LARGEST_STEP = 4.0  # [nat], so that a wild first step comes back
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


@dataclass(frozen=True, slots=True, eq=False)
class Wandering:
    """The log posterior of the strengths (k,) of all player-years: rows and their player-years."""

    games: Games
    careers: Careers
    i: Ints
    j: Ints
    w2: float
    prior: float

    @property
    def later(self) -> Ints:
        """Return the player-years whose player also has the year before."""
        return 1 + np.flatnonzero(np.diff(self.careers.player) == 0)

    @property
    def first(self) -> Ints:
        """Return the first year of each player with games."""
        start = self.careers.start
        return start[:-1][np.diff(start) > 0]

    def value(self, theta: Floats) -> float:
        """Return the log posterior [nat] but for a constant."""
        x, first = self._differences(theta), theta[self.first]
        steps = theta[self.later] - theta[self.later - 1]
        virtual = first - 2 * np.logaddexp(0.0, first)
        games = self.games.score * x - self.games.count * np.logaddexp(0.0, x)
        return float(games.sum() + self.prior * virtual.sum() - steps @ steps / (2 * self.w2))

    def gradient(self, theta: Floats) -> Floats:
        """Return its gradient (k,)."""
        surplus = self.games.score - self.games.count * expit(self._differences(theta))
        steps = (theta[self.later] - theta[self.later - 1]) / self.w2
        total = self._sums(surplus, -surplus)
        total[self.later] -= steps
        total[self.later - 1] += steps
        total[self.first] += self.prior * (1 - 2 * expit(theta[self.first]))
        return total

    def information(self, theta: Floats) -> tuple[Floats, Floats, Floats]:
        """Return minus its second derivatives: diagonal (k,), of games (m,) and of steps."""
        p, first = expit(self._differences(theta)), expit(theta[self.first])
        weight = self.games.count * p * (1 - p)
        ties = np.full(len(self.later), 1 / self.w2)
        diagonal = self._sums(weight, weight)
        diagonal[self.later] += ties
        diagonal[self.later - 1] += ties
        diagonal[self.first] += 2 * self.prior * first * (1 - first)
        return diagonal, -weight, -ties

    def _differences(self, theta: Floats) -> Floats:
        return np.asarray(theta[self.i] - theta[self.j] + theta_from_elo(self.games.odds))

    def _sums(self, of_first: Floats, of_second: Floats) -> Floats:
        size = len(self.careers.year)
        sums = np.bincount(self.i, of_first, size) + np.bincount(self.j, of_second, size)
        return np.asarray(sums, np.float64)


def rate(games: Games, parameters: Parameters) -> Rated:
    """Return the ratings of everybody with games.

    Raises DisconnectedNetwork where there are no games, NotConverged where the fit fails.
    """
    if not len(games.first):
        raise DisconnectedNetwork("there are no games to rate; add results")
    posterior = wandering(games, parameters)
    theta = fit(posterior)
    rating = elo_from_theta(theta)
    return Rated(
        posterior.careers, rating, elo_from_theta(deviation(posterior, theta)), Logistic(rating)
    )


def wandering(games: Games, parameters: Parameters) -> Wandering:
    """Return the log posterior of games."""
    careers = careers_of(games)
    i, j = careers.sides(games)
    w2 = float(theta_from_elo(np.sqrt(np.array(parameters.w2)))) ** 2
    return Wandering(games, careers, i, j, w2, parameters.prior)


def fit(posterior: Wandering) -> Floats:
    """Return the most probable strengths (k,) [nat]; raises NotConverged."""
    later, size = posterior.later, len(posterior.careers.year)
    matrix = Bordered(size, np.r_[posterior.i, later], np.r_[posterior.j, later - 1])
    theta, none = np.zeros(size), np.zeros(0)
    value = posterior.value(theta)
    for _ in range(MAX_STEPS):
        diagonal, games, ties = posterior.information(theta)
        matrix.factorise(diagonal, np.r_[games, ties], np.zeros((size, 0)), np.zeros((0, 0)))
        step, _ = matrix.solve(posterior.gradient(theta), none)
        if np.abs(step).max() <= TOLERANCE:
            return np.asarray(theta + step)
        step = np.clip(step, -LARGEST_STEP, LARGEST_STEP)
        theta, value = backtrack(posterior.value, theta, value, step, STUCK)
    raise NotConverged(f"no maximum after {MAX_STEPS} steps; look for wild scores")


def deviation(posterior: Wandering, theta: Floats) -> Floats:
    """Return the deviations (k,) [nat] of strengths, those of the opponents taken for known."""
    later, size = posterior.later, len(theta)
    diagonal, _, ties = posterior.information(theta)
    own = Bordered(size, later, later - 1)
    own.factorise(diagonal, ties, np.zeros((size, 0)), np.zeros((0, 0)))
    return np.sqrt(own.variances(np.zeros((size, 0))))


WHR = System(
    "whr", "Whole-History Rating", "Rémi Coulom", 2008, "all at once",
    Parameters(), rate, uses=("odds",),
)  # fmt: skip
