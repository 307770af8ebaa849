"""Most probable strengths of all player-years under a normal prior on levels and yearly steps.

With u the strength of a player-year and c the few numbers that all share, both in natural
log-odds, each row of games has the log-likelihood (s x - n log(1 + e^x)) / phi, where s are the
points of n games and x = u_i - u_j + Z c + odds. A player of n years has the log prior
-sum(u - X c)^2 / (2 n spread^2) - sum(step of u)^2 / (2 step^2): each of his years carries an equal
part of the prior on his level, so that time has no direction and his mean strength has the standard
deviation `spread`, whatever n is. c has the log prior -c' P c / 2. All of it is concave.

Source: Edwards' self-games, with a normal step in their place; Wedderburn, Quasi-likelihood
functions, generalized linear models, and the Gauss-Newton method, Biometrika 61 (1974). Bordered
matrices: Golub, Van Loan, Matrix Computations (2013), block elimination.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.special import expit

from edo.core.problems import NotConverged
from edo.rating.fit.cholesky import Cholesky
from edo.rating.fit.newton import backtrack
from edo.rating.fit.selected_inverse import selected_inverse
from edo.systems.games import Floats, Ints
from edo.systems.player_years import PlayerYears

TOLERANCE = 1e-6  # [nat] of the last step, which squares the error before it
MAX_STEPS = 60
LARGEST_STEP = 4.0  # [nat], so that a first step that is far too long comes back
STUCK = "no part of a Newton step raised the log posterior"
LEAST_TOLD = 0.1  # strengths that the games tell of, at least, where a step is to be chosen
NOBODY = -1  # an opponent of strength 0


class Bordered:
    """A sparse symmetric positive definite matrix with a narrow dense border.

    H = [[A, B], [B', C]], A sparse of n rows and C of a few; the pattern is fixed, values may
    change. With W = inv(A) B and the Schur complement S = C - B' W, the inverse is
    inv(A) + W inv(S) W' in the first block, -W inv(S) next to it and inv(S) in the corner.
    """

    def __init__(self, n: int, rows: Ints, columns: Ints) -> None:
        """Analyse the (m,) places of A below its diagonal; a place may occur several times."""
        low, high = np.minimum(rows, columns), np.maximum(rows, columns)
        places, self._place = np.unique(high * n + low, return_inverse=True)
        self._n, self._places = n, len(places)
        self._factor = Cholesky(n, places // n, places % n)

    def factorise(self, diagonal: Floats, entries: Floats, border: Floats, corner: Floats) -> None:
        """Factorise for `diagonal` (n,) and `entries` (m,) of A, `border` (n, c), `corner` (c, c).

        Entries of one place are added. Raises ArithmeticError where A is not positive definite.
        """
        off_diagonal = np.bincount(self._place, entries, self._places).astype(np.float64)
        self._factor.factorise(diagonal, off_diagonal)
        self._border = border
        self._reach = self._factor.solve(border) if border.shape[1] else border.copy()
        self._schur = corner - border.T @ self._reach

    def solve(self, right: Floats, corner: Floats) -> tuple[Floats, Floats]:
        """Return x, y with A x + B y = `right` (n,) and B' x + C y = `corner` (c,)."""
        inner = self._factor.solve(right)
        y = np.asarray(np.linalg.solve(self._schur, corner - self._border.T @ inner), np.float64)
        return inner - self._reach @ y, y

    def log_determinant(self) -> float:
        """Return the logarithm of the determinant of H."""
        return float(self._factor.log_determinant() + np.linalg.slogdet(self._schur)[1])

    def variances(self, shape: Floats) -> Floats:
        """Return the variances (n,) of x + `shape` y, `shape` (n, c), H being the information."""
        inner = selected_inverse(self._factor.lower()).diagonal()
        return inner + self.of_shared(shape)

    def variances_and_between(
        self, shape: Floats, i: Ints, j: Ints, between: Floats
    ) -> tuple[Floats, Floats]:
        """Return the `variances`, and those (m,) of x_i - x_j + `between` y at places of A.

        What is factorised has to be factorised again before it solves anything else.
        """
        selected, reach = selected_inverse(self._factor.lower()), self._reach
        own = selected.diagonal()
        apart = own[i] + own[j] - 2 * selected.entries(i, j)
        return (
            own + self.of_shared(shape),
            apart + self._spread(between - reach[i] + reach[j]),
        )

    def shared_covariance(self) -> Floats:
        """Return the covariance (c, c) of y."""
        return np.asarray(np.linalg.inv(self._schur))

    def of_shared(self, shape: Floats) -> Floats:
        """Return what y, and x as far as it follows y, add to the variances of x + `shape` y."""
        return self._spread(shape - self._reach)

    def _spread(self, effects: Floats) -> Floats:
        """Return the variances (m,) of `effects` (m, c) of y."""
        return np.asarray(np.sum(effects @ self.shared_covariance() * effects, axis=1))

    def covariances(self, shape: Floats, weights: Floats) -> Floats:
        """Return the covariances (n,) of x + `shape` y with its sum weighted by `weights` (n,)."""
        outer = shape - self._reach
        return np.asarray(
            self._factor.solve(weights) + outer @ np.linalg.solve(self._schur, outer.T @ weights)
        )


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The (m,) rows of games between the player-years `i` and `j`, which may be `NOBODY`.

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
class Prior:
    """The prior: `spread`, `step` [nat], `mean` (k, c) which is X, and `precision` (c, c) P."""

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
class Derivatives:
    """Of the log posterior: the gradient, and minus the Hessian as `Bordered` takes it."""

    u: Floats
    c: Floats
    diagonal: Floats
    entries: Floats
    border: Floats
    corner: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Slope:
    """Derivatives of the log evidence by the logarithms of three scales.

    `curvature` (3,) is about minus the second derivatives, always positive; `moves` is how the
    maximum of the posterior follows the scales, (k, 3) and (c, 3).
    """

    slope: Floats
    curvature: Floats
    moves: Point


class Posterior:
    """The log posterior of all strengths, for fixed games and any prior."""

    def __init__(self, player_years: PlayerYears, rows: Rows) -> None:
        self.rows, self.size, self.later = rows, len(player_years.year), player_years.later
        self.years = np.diff(player_years.start)[player_years.player].astype(np.float64)
        self._walks = Bordered(self.size, self.later, self.later - 1)
        m, self._met = len(rows.i), np.flatnonzero(rows.j != NOBODY)
        i, j = rows.i[self._met], rows.j[self._met]
        signs = np.repeat([1.0, -1.0], [m, len(j)])
        places = np.r_[rows.i, j], np.r_[np.arange(m), self._met]
        self._between = csr_array((signs, places), shape=(self.size, m))
        self.information = Bordered(self.size, np.r_[i, self.later], np.r_[j, self.later - 1])

    def log_posterior(self, at: Point, prior: Prior) -> float:
        """Return the log posterior [nat] up to a constant that depends on the prior."""
        rows, x = self.rows, self._differences(at)
        likelihood = rows.weight @ (rows.score * x - rows.games * np.logaddexp(0.0, x))
        level, steps = at.u - prior.mean @ at.c, at.u[self.later] - at.u[self.later - 1]
        return float(
            likelihood
            - np.sum(level**2 / self.years) / (2 * prior.spread**2)
            - np.sum(steps**2) / (2 * prior.step**2)
            - at.c @ prior.precision @ at.c / 2
        )

    def derivatives(self, at: Point, prior: Prior) -> Derivatives:
        """Return the first and second derivatives of the log posterior."""
        rows, p = self.rows, expit(self._differences(at))
        surplus = rows.weight * (rows.score - rows.games * p)
        weight = rows.weight * rows.games * p * (1 - p)
        of_level, of_step = self._precisions(prior)
        level = of_level * (at.u - prior.mean @ at.c)
        steps = of_step * (at.u[self.later] - at.u[self.later - 1])
        ends = np.full(len(self.later), of_step)
        shared, mean = weight[:, None] * rows.shared, of_level[:, None] * prior.mean
        return Derivatives(
            u=self._between @ surplus - level - self._at_ends(steps, -1),
            c=rows.shared.T @ surplus + prior.mean.T @ level - prior.precision @ at.c,
            diagonal=abs(self._between) @ weight + of_level + self._at_ends(ends, 1),
            entries=np.r_[-weight[self._met], -ends],
            border=self._between @ shared - mean,
            corner=rows.shared.T @ shared + prior.mean.T @ mean + prior.precision,
        )

    def fit(self, prior: Prior, start: Point | None = None) -> Point:
        """Return the maximum, by Newton's method; `information` is left factorised there.

        Raises NotConverged where it was not reached.
        """

        def objective(at: Floats) -> float:
            return self.log_posterior(self._point(at), prior)

        n_shared = prior.mean.shape[1]
        at = np.zeros(self.size + n_shared) if start is None else np.r_[start.u, start.c]
        value = objective(at)
        for _ in range(MAX_STEPS):
            found = self.derivatives(self._point(at), prior)
            self.information.factorise(found.diagonal, found.entries, found.border, found.corner)
            step = np.concatenate(self.information.solve(found.u, found.c))
            if np.abs(step).max() <= TOLERANCE:
                return self._point(at + step)
            step = np.clip(step, -LARGEST_STEP, LARGEST_STEP)
            at, value = backtrack(objective, at, value, step, STUCK)
        raise NotConverged(f"no maximum after {MAX_STEPS} steps; look for extreme scores")

    def log_evidence(self, at: Point, prior: Prior) -> float:
        """Return Laplace's approximation [nat] of the log evidence, at the maximum just fitted.

        Up to constants of the games. The whole prior is one normal distribution of u and c.
        """
        difference = self._log_determinant(prior) - self.information.log_determinant()
        return float(self.log_posterior(at, prior) + difference / 2)

    def slope_of_evidence(self, at: Point, prior: Prior, drift: Floats) -> Slope:
        """Return the derivatives of the log evidence that was found last.

        The scales are the spread, the step and a third one, whose square divides `drift` (c, c), a
        part of the prior's precision. The derivative of a log determinant is the trace of the
        inverse times the derivative of the matrix, which here is the expectation of a part of the
        prior. Everybody in the rows needs an opponent.
        """
        rows, later, m = self.rows, self.later, len(self.rows.i)
        of_level, of_step = self._precisions(prior)
        level, steps = at.u - prior.mean @ at.c, at.u[later] - at.u[later - 1]
        pull, none = 2 * of_level * level, np.zeros(self.size)
        by_u = np.stack([pull, self._at_ends(2 * of_step * steps, -1), none], axis=1)
        by_c = np.stack([-prior.mean.T @ pull, 0 * at.c, 2 * drift @ at.c], axis=1)
        moves = Point(*self.information.solve(by_u, by_c))
        covariance = self.information.shared_covariance()
        of_levels, between = self.information.variances_and_between(
            -prior.mean,
            np.r_[rows.i, later],
            np.r_[rows.j, later - 1],
            np.r_[rows.shared, np.zeros((len(later), len(at.c)))],
        )
        parts = [of_level @ level**2, of_step * np.sum(steps**2), at.c @ drift @ at.c]
        told = self._expected_of_prior(prior, drift) - np.array([
            of_level @ of_levels, of_step * np.sum(between[m:]), np.sum(drift * covariance)
        ])  # fmt: skip
        p = expit(self._differences(at))
        bend = rows.weight * rows.games * p * (1 - p) * (1 - 2 * p) * between[:m]
        of_games = bend @ (moves.u[rows.i] - moves.u[rows.j] + rows.shared @ moves.c)
        return Slope(parts - told - of_games / 2, 2 * np.maximum(told, LEAST_TOLD), moves)

    def _expected_of_prior(self, prior: Prior, drift: Floats) -> Floats:
        """Return what is to be expected of the parts of the prior (3,), whose log is -1/2 of each.

        The prior was factorised last. All of its parts together are to be expected as 1 for each
        of the strengths and shared numbers. Without these, a career of n years is a path, of which
        the eigenvectors are cosines.
        """
        of_level, of_step = self._precisions(prior)
        covariance = self._walks.shared_covariance()
        levels = of_level @ self._walks.of_shared(-prior.mean)
        years, counts = np.unique(self.years, return_counts=True)
        for n, players in zip(years.tolist(), counts / years, strict=True):
            walk = (2 - 2 * np.cos(np.pi * np.arange(n) / n)) * of_step * n * prior.spread**2
            levels += players * np.sum(1 / (1 + walk))
        rest = self.size + len(drift) - levels - np.sum(prior.precision * covariance)
        return np.array([levels, rest, np.sum(drift * covariance)])

    def _log_determinant(self, prior: Prior) -> float:
        """Return the logarithm of the determinant of the prior's precision of u and c."""
        of_level, of_step = self._precisions(prior)
        ends, mean = np.full(len(self.later), of_step), prior.mean
        weighted = of_level[:, None] * mean
        self._walks.factorise(
            of_level + self._at_ends(ends, 1), -ends, -weighted, mean.T @ weighted + prior.precision
        )
        return self._walks.log_determinant()

    def own_variances(self, at: Point, prior: Prior) -> Floats:
        """Return the variances (k,) [nat^2] of strengths, given those of all other players."""
        found, none = self.derivatives(at, prior), np.zeros((self.size, 0))
        steps = found.entries[len(self._met) :]
        self._walks.factorise(found.diagonal, steps, none, np.zeros((0, 0)))
        return self._walks.variances(none)

    def _precisions(self, prior: Prior) -> tuple[Floats, float]:
        """Return the precisions of the level in each year (k,), and of a step."""
        return 1 / (self.years * prior.spread**2), 1 / prior.step**2

    def _point(self, numbers: Floats) -> Point:
        """Return strengths and shared numbers (k + c,) as a point."""
        return Point(numbers[: self.size], numbers[self.size :])

    def _differences(self, at: Point) -> Floats:
        rows, u = self.rows, np.append(at.u, 0.0)  # where NOBODY is found
        return np.asarray(u[rows.i] - u[rows.j] + rows.shared @ at.c + rows.odds)

    def _at_ends(self, values: Floats, sign: int) -> Floats:
        """Return sums (k,) of values of steps: added to the later year, to the earlier by sign."""
        total = np.zeros(self.size)
        total[self.later] += values
        total[self.later - 1] += sign * values
        return total
