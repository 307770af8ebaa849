"""Games and what is supposed of careers in; the most probable strengths of all player-years out.

With u the strength of a player-year and c the few numbers that all share, both in natural
log-odds, each row of games has the log-likelihood (s x - n log(1 + e^x)) / phi, where s are the
points of n games and x = u_i - u_j + Z c + odds. A player of n years has the prior
-sum(u - X c)^2 / (2 n spread^2) - sum(step of u)^2 / (2 step^2): each of his years carries an equal
part of what is supposed of his level, so that time has no direction and his mean strength has the
deviation `spread`, whatever n is. c has the prior -c' P c / 2. All of it is concave.

Source: Edwards' self-games, with a normal step in their place; Wedderburn, Quasi-likelihood
functions, generalized linear models, and the Gauss-Newton method, Biometrika 61 (1974).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.special import expit

from edo.core.problems import NotConverged
from edo.rating.fit.newton import backtrack
from edo.systems.bordered import Bordered
from edo.systems.careers import Careers
from edo.systems.games import Floats, Ints

TOLERANCE = 1e-6  # [nat] of the last step, which squares what was off before it
MAX_STEPS = 60
STUCK = "no part of a Newton step raised the log posterior"


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The (m,) rows of games between the player-years `i` and `j`.

    `score` [points] of the first in `games`; `odds` [nat] worth to him; `shared` (m, c) is Z;
    `weight` (m,) is 1 / phi, phi being the variance of a game as a share of p (1 - p).
    """

    i: Ints
    j: Ints
    score: Floats
    games: Floats
    odds: Floats
    shared: Floats
    weight: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Supposed:
    """What is supposed: `spread`, `step` [nat], `mean` (k, c) which is X, `precision` (c, c) P."""

    spread: float
    step: float
    mean: Floats
    precision: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """Strengths `u` (k,) and shared numbers `c` (c,) [nat]."""

    u: Floats
    c: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Slope:
    """The derivatives of the log posterior: first ones, and minus the second ones as `Bordered`."""

    u: Floats
    c: Floats
    diagonal: Floats
    entries: Floats
    border: Floats
    corner: Floats


class Levels:
    """The log posterior of all strengths, for one pattern of games and any suppositions."""

    def __init__(self, careers: Careers, rows: Rows) -> None:
        self.rows, self.size = rows, len(careers.year)
        self.later = 1 + np.flatnonzero(np.diff(careers.player) == 0)
        self.years = np.diff(careers.start)[careers.player].astype(np.float64)
        self._prior = Bordered(self.size, self.later, self.later - 1)
        m = len(rows.i)
        signs, places = np.repeat([1.0, -1.0], m), (np.r_[rows.i, rows.j], np.tile(range(m), 2))
        self._between = csr_array((signs, places), shape=(self.size, m))
        self.information = Bordered(
            self.size, np.r_[rows.i, self.later], np.r_[rows.j, self.later - 1]
        )

    def log_posterior(self, at: Point, supposed: Supposed) -> float:
        """Return the log posterior [nat] but for a constant of the suppositions."""
        rows, x = self.rows, self._differences(at)
        likelihood = rows.weight @ (rows.score * x - rows.games * np.logaddexp(0.0, x))
        level, steps = at.u - supposed.mean @ at.c, at.u[self.later] - at.u[self.later - 1]
        return float(
            likelihood
            - np.sum(level**2 / self.years) / (2 * supposed.spread**2)
            - np.sum(steps**2) / (2 * supposed.step**2)
            - at.c @ supposed.precision @ at.c / 2
        )

    def slope(self, at: Point, supposed: Supposed) -> Slope:
        """Return the derivatives of the log posterior."""
        rows, p = self.rows, expit(self._differences(at))
        surplus = rows.weight * (rows.score - rows.games * p)
        weight = rows.weight * rows.games * p * (1 - p)
        prior, tie = self._suppositions(supposed)
        level = prior * (at.u - supposed.mean @ at.c)
        steps = tie * (at.u[self.later] - at.u[self.later - 1])
        ends = np.full(len(self.later), tie)
        shared, mean = weight[:, None] * rows.shared, prior[:, None] * supposed.mean
        return Slope(
            u=self._between @ surplus - level - self._ties(steps, -1),
            c=rows.shared.T @ surplus + supposed.mean.T @ level - supposed.precision @ at.c,
            diagonal=abs(self._between) @ weight + prior + self._ties(ends, 1),
            entries=np.r_[-weight, -ends],
            border=self._between @ shared - mean,
            corner=rows.shared.T @ shared + supposed.mean.T @ mean + supposed.precision,
        )

    def fit(self, supposed: Supposed, start: Point) -> Point:
        """Return the maximum, by Newton's method; `information` is left factorised there.

        Raises NotConverged where it was not reached.
        """

        def climbed(at: Floats) -> float:
            return self.log_posterior(self._point(at), supposed)

        at = np.r_[start.u, start.c]
        value = climbed(at)
        for _ in range(MAX_STEPS):
            slope = self.slope(self._point(at), supposed)
            self.information.factorise(slope.diagonal, slope.entries, slope.border, slope.corner)
            step = np.concatenate(self.information.solve(slope.u, slope.c))
            if np.abs(step).max() <= TOLERANCE:
                return self._point(at + step)
            at, value = backtrack(climbed, at, value, step, STUCK)
        raise NotConverged(f"no maximum after {MAX_STEPS} steps; look for wild scores")

    def log_evidence(self, at: Point, supposed: Supposed) -> float:
        """Return Laplace's approximation [nat] of the log evidence, at the maximum just fitted.

        But for constants of the games. All that is supposed is one normal distribution of u and c.
        """
        weight, tie = self._suppositions(supposed)
        ties, mean = np.full(len(self.later), tie), supposed.mean
        self._prior.factorise(
            weight + self._ties(ties, 1),
            -ties,
            -weight[:, None] * mean,
            mean.T @ (weight[:, None] * mean) + supposed.precision,
        )
        value = self.log_posterior(at, supposed)
        difference = self._prior.log_determinant() - self.information.log_determinant()
        return float(value + difference / 2)

    def _suppositions(self, supposed: Supposed) -> tuple[Floats, float]:
        """Return the precisions of the level in each year (k,), and of a step."""
        return 1 / (self.years * supposed.spread**2), 1 / supposed.step**2

    def _point(self, numbers: Floats) -> Point:
        """Return strengths and shared numbers (k + c,) as a point."""
        return Point(numbers[: self.size], numbers[self.size :])

    def _differences(self, at: Point) -> Floats:
        rows = self.rows
        return np.asarray(at.u[rows.i] - at.u[rows.j] + rows.shared @ at.c + rows.odds)

    def _ties(self, values: Floats, sign: int) -> Floats:
        """Return sums (k,) of values of steps: added to the later year, to the earlier by sign."""
        total = np.zeros(self.size)
        total[self.later] += values
        total[self.later - 1] += sign * values
        return total
