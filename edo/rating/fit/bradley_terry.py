"""Maximum likelihood fit of Bradley-Terry strengths, with exact variances.

The expected score of item i against j is 1 / (1 + exp(theta_j - theta_i - offset)); the offset is a
known advantage of i. A common shift of all theta does not change the likelihood; they are centred,
so that they add up to zero.

Source: David, The Method of Paired Comparisons (1988); Hunter, MM algorithms for generalized
Bradley-Terry models, Annals of Statistics 32 (2004).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.special import expit

from edo.core.problems import DisconnectedNetwork, NotConverged
from edo.core.scale import Floats, Ints
from edo.rating.fit.laplacian import Laplacian
from edo.rating.fit.newton import backtrack

TOLERANCE = 1e-10  # [nat], 2e-8 Elo; rounding alone moves a hard network by 1e-13
MAX_STEPS = 200  # 8 to 12 are usual; networks of wild upsets take up to 60
LONGEST_STEP = 3.0  # [nat], 520 Elo; longer ones can end where every expected score is 0 or 1
# It is enough to bound the differences of pairs, on which alone the likelihood depends: the ends of
# a chain of hundreds of players, each stronger than the next, are hundreds of nat apart.
ROUNDING = 1e-9  # [points] that a sum of fractional scores may be off
STUCK = "no part of a Newton step raised the likelihood; look for wild scores"


@dataclass(frozen=True, slots=True)
class Comparisons:
    """The (m,) comparisons of n items: i took `score` [points] of the `games` against j.

    A pair may occur any number of times, in either order. Scores and games may be fractional.
    `offset` [nat] is a known advantage of i; by default there is none.

    Raises ValueError if the arrays are inconsistent.
    """

    n: int
    i: Ints
    j: Ints
    score: Floats
    games: Floats
    offset: Floats = field(default_factory=lambda: np.zeros(0))

    def __post_init__(self) -> None:
        if not len(self.offset):
            object.__setattr__(self, "offset", np.zeros(len(self.i)))
        columns = (self.j, self.score, self.games, self.offset)
        if any(len(column) != len(self.i) for column in columns):
            raise ValueError("i, j, score, games and offset must have the same length")
        if self.n < 2 or not len(self.i):
            raise ValueError("at least two items and one comparison are needed")
        if min(self.i.min(), self.j.min()) < 0 or max(self.i.max(), self.j.max()) >= self.n:
            raise ValueError(f"items are numbered from 0 to {self.n - 1}")
        if np.any(self.i == self.j):
            raise ValueError("an item cannot be compared with itself")
        if not np.all((self.games > 0) & np.isfinite(self.games) & np.isfinite(self.score)):
            raise ValueError("every comparison needs games > 0 and a finite score")
        if np.any((self.score < -ROUNDING) | (self.score > self.games + ROUNDING)):
            raise ValueError("every score must lie between 0 and its games")
        if not np.all(np.isfinite(self.offset)):
            raise ValueError("every offset must be finite")

    def aggregated(self) -> Comparisons:
        """Return the same data with one comparison per pair and offset, i < j, sorted.

        Sums are taken in sorted order, so the order of the comparisons does not change a bit.
        """
        i, j = np.minimum(self.i, self.j), np.maximum(self.i, self.j)
        score = np.where(self.i < self.j, self.score, self.games - self.score)
        offset = np.where(self.i < self.j, self.offset, -self.offset)
        order = np.lexsort((score, self.games, offset, j, i))
        i, j, offset = i[order], j[order], offset[order]
        differ = (i[1:] != i[:-1]) | (j[1:] != j[:-1]) | (offset[1:] != offset[:-1])
        begins = np.flatnonzero(np.r_[True, differ])
        score, games = (np.add.reduceat(part[order], begins) for part in (score, self.games))
        return Comparisons(self.n, i[begins], j[begins], score, games, offset[begins])

    def differences(self, theta: Floats) -> Floats:
        """Return how much stronger (m,) [nat] i is than j, with the offset."""
        return np.asarray(theta[self.i] - theta[self.j] + self.offset)


@dataclass(frozen=True, slots=True)
class Fit:
    """The maximum of the likelihood: `theta` (n,) [nat], centred, and the information there."""

    theta: Floats
    steps: int
    log_likelihood: float
    information: Laplacian

    def variances(self) -> Floats:
        """Return the exact variances (n,) [nat^2] of theta, from the inverse information."""
        return self.information.inverse_diagonal()


def log_likelihood(comparisons: Comparisons, theta: Floats) -> float:
    """Return the log-likelihood [nat], up to a constant."""
    x = comparisons.differences(theta)
    return float(np.sum(comparisons.score * x - comparisons.games * np.logaddexp(0.0, x)))


def gradient(comparisons: Comparisons, theta: Floats) -> Floats:
    """Return the gradient of the log-likelihood (n,) [points]: score minus expected score."""
    i, j = comparisons.i, comparisons.j
    surplus = comparisons.score - comparisons.games * expit(comparisons.differences(theta))
    return _totals(comparisons.n, i, surplus) - _totals(comparisons.n, j, surplus)


def weights(comparisons: Comparisons, theta: Floats) -> Floats:
    """Return the information (m,) [1 / nat^2] of each comparison about its difference.

    They are the weights of the graph whose Laplacian is the information matrix, that is minus the
    second derivative of the log-likelihood.
    """
    x = comparisons.differences(theta)
    return np.asarray(comparisons.games * expit(x) * expit(-x))


def fit(comparisons: Comparisons, tolerance: float = TOLERANCE, max_steps: int = MAX_STEPS) -> Fit:
    """Return the maximum of the likelihood, by Newton's method.

    It stops after the first step that moves no theta by more than `tolerance` [nat]. That bounds
    the error of theta; a bound on the gradient would not, because along a chain of items tiny
    residuals of the same sign add up.

    Raises DisconnectedNetwork if there is no maximum, NotConverged if it was not reached.
    """
    pairs = comparisons.aggregated()
    check_maximum_exists(pairs)
    information = Laplacian(pairs.n, pairs.i, pairs.j, ground=busiest(pairs))
    theta, steps = maximise(pairs, information, tolerance, max_steps)
    return Fit(theta, steps, log_likelihood(pairs, theta), information)


class Information(Protocol):
    """The information matrix, a Laplacian: both ways to solve the equations of a Newton step."""

    def factorise(self, weights: Floats) -> None: ...  # noqa: D102

    def solve(self, right: Floats) -> Floats: ...  # noqa: D102


def maximise(
    pairs: Comparisons, information: Information, tolerance: float, max_steps: int = MAX_STEPS
) -> tuple[Floats, int]:
    """Return the maximum (n,) of the likelihood [nat], centred, and the number of Newton steps.

    Raises NotConverged if it was not reached.
    """
    theta, objective = np.zeros(pairs.n), partial(log_likelihood, pairs)
    value = objective(theta)
    for steps in range(1, max_steps + 1):
        step = _newton_step(pairs, theta, information)
        if np.abs(step).max() <= tolerance:
            theta = theta + step
            theta -= theta.mean()
            return theta, steps
        differences = np.abs(step[pairs.i] - step[pairs.j])
        length = min(np.abs(step).max(), differences.max())
        step *= LONGEST_STEP / max(length, LONGEST_STEP)
        theta, value = backtrack(objective, theta, value, step, STUCK)
    raise NotConverged(
        f"the fit still moved by {np.abs(step).max():.2g} nat after {max_steps} steps, "
        f"tolerance {tolerance:g}; allow more steps, or look for scores of almost 0 % or 100 %"
    )


def busiest(pairs: Comparisons) -> int:
    """Return the item with most games."""
    games = _totals(pairs.n, pairs.i, pairs.games) + _totals(pairs.n, pairs.j, pairs.games)
    return int(games.argmax())


def check_maximum_exists(comparisons: Comparisons) -> None:
    """Raise DisconnectedNetwork unless the graph of who scored against whom is strongly connected.

    Source: Ford, Solution of a ranking problem from binary comparisons, Am. Math. Monthly 64
    (1957).
    """
    i, j, n = comparisons.i, comparisons.j, comparisons.n
    pieces = _components(n, i, j, "weak")
    if pieces > 1:
        raise DisconnectedNetwork(
            f"the {n} items fall into {pieces} parts that no comparison links; fit only one of them"
        )
    won, lost = comparisons.score > 0, comparisons.score < comparisons.games
    pieces = _components(n, np.r_[i[won], j[lost]], np.r_[j[won], i[lost]], "strong")
    if pieces > 1:
        raise DisconnectedNetwork(
            f"the likelihood has no maximum: the {n} items fall into {pieces} parts between which "
            "one side took every point; keep only one strongly connected part"
        )


def _totals(n: int, items: Ints, values: Floats) -> Floats:
    return np.bincount(items, values, n).astype(np.float64)


def _components(n: int, tail: Ints, head: Ints, connection: str) -> int:
    graph = coo_array((np.ones(len(tail)), (tail, head)), shape=(n, n))
    pieces = connected_components(graph, connection=connection, return_labels=False)
    return int(pieces)


def _newton_step(pairs: Comparisons, theta: Floats, information: Information) -> Floats:
    try:
        information.factorise(weights(pairs, theta))
    except ArithmeticError as error:
        raise NotConverged(
            "the information matrix is numerically singular; look for scores of almost 0 % or 100 %"
        ) from error
    return information.solve(gradient(pairs, theta))
