"""Hierarchical Bradley-Terry fit: strengths of player-years, form at events, shared effects.

A player-year has a strength u, a participation in an event a form v around it, and a few numbers c
(effects of age, colour, country ...) are shared by all; all in natural log-odds. A row of n games
has the log-likelihood (s x - n log(1 + e^x)) / phi, where s are the points and
x = v_i - v_j + Z c + odds. The prior is normal, a sum of squares of linear combinations, called
residuals, with precisions that depend on a few hyperparameters:

- form: v - u, with deviation `form`;
- steps: u of a year less u of the year before, with deviation `step`;
- levels: each of a player's n years, u - X c, with variance n sigma^2, where
  ln sigma = ln `spread` + `spread_power` (ln n - 1);
- groups of shared numbers, each with a deviation of its own, and fixed weak priors.

The hyperparameters maximise Laplace's approximation of the evidence, with weak priors for histories
that say little of them. Its gradient is exact: with H
minus the Hessian at the maximum, P the precision of the prior, r a residual of precision w and f
the derivative of -ln w / 2, it is sum of f w (r^2 + var_H(r) - var_P(r) - r R s), where R is the
row of the residual and H s the gradient of ln det H.

Source: Bradley, Terry, Rank analysis of incomplete block designs, Biometrika 39 (1952); Tierney,
Kadane, Accurate approximations for posterior moments and marginal densities, JASA 81 (1986);
Rasmussen, Williams, Gaussian Processes for Machine Learning (2006), section 5.5.1 (gradient).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array, vstack
from scipy.special import expit

from edo.core.problems import NotConverged
from edo.rating.fit.cholesky import Cholesky
from edo.rating.fit.elimination_tree import EliminationTree
from edo.rating.fit.newton import backtrack
from edo.rating.fit.selected_inverse import SelectedInverse, selected_inverse
from edo.systems.games import Floats, Ints
from edo.systems.player_years import PlayerYears

TOLERANCE = 1e-5  # [nat] of the last step, 0.002 Elo
NEAR = 0.5  # [nat] a step after which the matrix of Newton's method may stay the same
SHRINKS = 0.3  # by how much steps with the same matrix must shrink
MAX_STEPS = 60
LARGEST_STEP = 4.0  # [nat], so that a first step that is far too long comes back
STUCK = "no part of a Newton step raised the log posterior"
ROUNDING = 1e-9  # relative error of an evidence
AT_ONCE = 256  # right sides solved at a time


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Shared numbers with one unknown deviation: of `rows` (r, c) times c; `name` says which."""

    name: str
    rows: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """The structure of a history of k player-years, p participations and c shared numbers.

    `of` (p,) is the player-year of each participation, `i` and `j` (m,) the participations of each
    row with points `score` in `games`; `odds` (m,) [nat]; `shared` (m, c) is Z, `weight` (m,) is
    1 / phi. `level` (k, c) is X; `weak` (c,) the fixed precisions of the shared numbers.
    """

    player_years: PlayerYears
    of: Ints
    i: Ints
    j: Ints
    score: Floats
    games: Floats
    odds: Floats
    shared: csr_array
    weight: Floats
    level: csr_array
    weak: Floats
    groups: tuple[Group, ...]

    @property
    def years(self) -> Floats:
        """Return the number of years (k,) of the player of each player-year."""
        start = self.player_years.start
        return np.diff(start)[self.player_years.player].astype(np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Hyper:
    """Deviations [nat] of form, step and level, the power of the level, and of each group."""

    form: float
    step: float
    spread: float
    spread_power: float
    groups: tuple[float, ...]

    def numbers(self) -> Floats:
        """Return them as numbers (4 + groups,) without limits: logarithms of deviations."""
        logs = np.log([self.form, self.step, self.spread, *self.groups])
        return np.insert(logs, 3, self.spread_power)

    @classmethod
    def of_numbers(cls, numbers: Floats) -> Hyper:
        """Return the hyperparameters of such numbers."""
        form, step, spread = np.exp(numbers[:3]).tolist()
        groups = tuple(np.exp(numbers[4:]).tolist())
        return cls(form, step, spread, float(numbers[3]), groups)


@dataclass(frozen=True, slots=True, eq=False)
class WeakPrior:
    """Independent normal priors of `Hyper.numbers()`: `mean` and `precision` (h,)."""

    mean: Floats
    precision: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """Strengths `u` (k,), forms `v` (p,) and shared numbers `c` [nat]."""

    u: Floats
    v: Floats
    c: Floats


class Bordered:
    """The inverse of a sparse positive definite matrix with a narrow dense border, where needed.

    H = [[A, B], [B', C]]. With W = inv(A) B and S = C - B' W, a linear combination with the sparse
    coefficients a of the first block and z of the border has the variance
    a' inv(A) a + (z - W' a)' inv(S) (z - W' a).
    """

    def __init__(self, n: int, rows: Ints, columns: Ints) -> None:
        """Analyse the (m,) places of A below its diagonal; a place may occur several times."""
        low, high = np.minimum(rows, columns), np.maximum(rows, columns)
        places, self._place = np.unique(high * n + low, return_inverse=True)
        self._n, self._places = n, len(places)
        self._factor = Cholesky(n, places // n, places % n)
        self._inverse: SelectedInverse | None = None
        self._tree: tuple[EliminationTree, Ints] | None = None
        self.is_factorised = False

    def factorise(
        self, diagonal: Floats, entries: Floats, border: csr_array, corner: Floats
    ) -> None:
        """Factorise A of `diagonal` (n,) and `entries` (m,), `border` (n, c), `corner` (c, c)."""
        off_diagonal = np.bincount(self._place, entries, self._places).astype(np.float64)
        self._factor.factorise(diagonal, off_diagonal)
        self._inverse, self._tree, self.is_factorised = None, None, True
        self._border = border
        self._reach = self._factor.solve(border.toarray())
        self._schur = corner - border.T @ self._reach

    def solve(self, right: Floats, corner: Floats) -> tuple[Floats, Floats]:
        """Return x, y with A x + B y = `right` (n, ...) and B' x + C y = `corner` (c, ...)."""
        inner = self._factor.solve(right)
        y = np.asarray(np.linalg.solve(self._schur, corner - self._border.T @ inner), np.float64)
        return inner - self._reach @ y, y

    def log_determinant(self) -> float:
        """Return the logarithm of the determinant of H."""
        return float(self._factor.log_determinant() + np.linalg.slogdet(self._schur)[1])

    def variances(self, first: Ints, second: Ints | None, shared: csr_array | None) -> Floats:
        """Return the variances (m,) of x[first] - x[second] + shared y; the pairs are in A."""
        if self._inverse is None:
            self._inverse = selected_inverse(self._factor.lower())
            self._diagonal = self._inverse.diagonal()
        inner, outer = self._diagonal[first], -self._reach[first]
        if second is not None:
            between = self._inverse.entries(first, second)
            inner = inner + self._diagonal[second] - 2 * between
            outer += self._reach[second]
        if shared is not None:
            outer += shared
        return np.asarray(inner + np.sum(outer @ np.linalg.inv(self._schur) * outer, axis=1))

    def any_variances(self, first: Ints, second: Ints, shared: Floats) -> Floats:
        """Return the variances (m,) of x[first] - x[second] + shared y, of any pairs."""
        found = np.empty(len(first))
        precise = np.linalg.inv(self._schur)
        for begin in range(0, len(first), AT_ONCE):
            part = slice(begin, begin + AT_ONCE)
            i, j, z = first[part], second[part], shared[part]
            columns = np.arange(len(i))
            right = np.zeros((self._n, len(i)))
            right[i, columns] += 1.0
            right[j, columns] -= 1.0
            solved = self._factor.solve(right)
            outer = z - self._reach[i] + self._reach[j]
            inner = solved[i, columns] - solved[j, columns]
            found[part] = inner + np.sum(outer @ precise * outer, axis=1)
        return found

    def covariance(self, items: Ints, shared: Floats) -> Floats:
        """Return the covariances (m, m) of x[items] + shared y; the items are distinct."""
        if self._tree is None:
            lower = self._factor.lower()
            self._tree = EliminationTree(lower), np.argsort(lower.permutation)
        tree, number = self._tree[0], self._tree[1][items]
        order = np.argsort(number)
        outer = shared - self._reach[items]
        found = outer @ np.linalg.inv(self._schur) @ outer.T
        found[np.ix_(order, order)] += tree.covariance(number[order])
        return np.asarray(found)

    def shared_covariance(self) -> Floats:
        """Return the covariance (c, c) of the border's numbers."""
        return np.asarray(np.linalg.inv(self._schur))


class Posterior:
    """The log posterior of a model, its maximum, and the evidence of the hyperparameters."""

    def __init__(self, model: Model) -> None:
        self.model, years = model, model.player_years
        self.k, self.p, self.c = len(years.year), len(model.of), model.level.shape[1]
        self.later, self.n = years.later, self.k + self.p
        own = self.k + np.arange(self.p)
        i, j = self.k + model.i, self.k + model.j
        self.information = Bordered(
            self.n, np.r_[i, own, self.later], np.r_[j, model.of, self.later - 1]
        )
        self._walks = Bordered(self.k, self.later, self.later - 1)
        m = len(i)
        signs = np.repeat([1.0, -1.0], m)
        self._between = csr_array(
            (signs, (np.r_[i, j], np.tile(np.arange(m), 2))), shape=(self.n, m)
        )
        self._log_years = np.log(model.years) - 1
        self._padded = csr_array(vstack([model.level, csr_array((self.p, self.c))]))

    def start(self) -> Point:
        """Return a point to start from."""
        return Point(np.zeros(self.k), np.zeros(self.p), np.zeros(self.c))

    def differences(self, at: Point) -> Floats:
        """Return x (m,) of each row."""
        model = self.model
        return np.asarray(at.v[model.i] - at.v[model.j] + model.shared @ at.c + model.odds)

    def difference_variances(self, at: Point, hyper: Hyper) -> Floats:
        """Return the posterior variances (m,) of x."""
        found = self.factorised(at, hyper)
        return found.variances(self.k + self.model.i, self.k + self.model.j, self.model.shared)

    def _precisions(self, hyper: Hyper) -> tuple[float, float, Floats]:
        """Return the precisions of form, step and of each level (k,)."""
        sigma = hyper.spread * np.exp(hyper.spread_power * self._log_years)
        return hyper.form**-2, hyper.step**-2, 1 / (self.model.years * sigma**2)

    def _residuals(self, at: Point) -> tuple[Floats, Floats, Floats, list[Floats]]:
        """Return the residuals of form (p,), steps, levels (k,) and of each group."""
        model = self.model
        return (
            at.v - at.u[model.of],
            at.u[self.later] - at.u[self.later - 1],
            at.u - model.level @ at.c,
            [group.rows @ at.c for group in model.groups],
        )

    def _shared_precision(self, hyper: Hyper) -> Floats:
        total = np.diag(self.model.weak)
        for group, deviation in zip(self.model.groups, hyper.groups, strict=True):
            total = total + group.rows.T @ group.rows / deviation**2
        return total

    def log_posterior(self, at: Point, hyper: Hyper) -> float:
        """Return the log posterior [nat], up to a constant that depends on the hyperparameters."""
        model, x = self.model, self.differences(at)
        likelihood = model.weight @ (model.score * x - model.games * np.logaddexp(0.0, x))
        of_form, of_step, of_level = self._precisions(hyper)
        form, step, level, _ = self._residuals(at)
        squares = of_form * (form @ form) + of_step * (step @ step) + of_level @ level**2
        return float(likelihood - (squares + at.c @ self._shared_precision(hyper) @ at.c) / 2)

    def gradient(self, at: Point, hyper: Hyper) -> tuple[Floats, Floats]:
        """Return the gradient of the log posterior by u and v (k + p,), and by c (c,)."""
        model = self.model
        surplus = model.weight * (model.score - model.games * expit(self.differences(at)))
        of_form, of_step, of_level = self._precisions(hyper)
        form, step, level, _ = self._residuals(at)
        inner = self._between @ surplus
        inner[: self.k] += of_form * np.bincount(model.of, form, self.k) - of_level * level
        inner[self.k :] -= of_form * form
        inner[: self.k] -= self._at_ends(of_step * step)
        shared = model.shared.T @ surplus + model.level.T @ (of_level * level)
        return inner, shared - self._shared_precision(hyper) @ at.c

    def _at_ends(self, values: Floats, sign: int = -1) -> Floats:
        """Return sums (k,) of values of steps: added to the later year, to the earlier by sign."""
        total = np.zeros(self.k)
        total[self.later] += values
        total[self.later - 1] += sign * values
        return total

    def factorised(self, at: Point, hyper: Hyper) -> Bordered:
        """Return minus the Hessian at a point, factorised."""
        model, p = self.model, expit(self.differences(at))
        weight = model.weight * model.games * p * (1 - p)
        of_form, of_step, of_level = self._precisions(hyper)
        diagonal = abs(self._between) @ weight
        diagonal[: self.k] += of_form * np.bincount(model.of, minlength=self.k) + of_level
        diagonal[: self.k] += self._at_ends(np.full(len(self.later), of_step), 1)
        diagonal[self.k :] += of_form
        entries = np.r_[-weight, np.full(self.p, -of_form), np.full(len(self.later), -of_step)]
        weighted = model.shared.multiply(weight[:, None]).tocsr()
        levels = self._padded.multiply(np.r_[of_level, np.zeros(self.p)][:, None]).tocsr()
        border = self._between @ weighted - levels
        corner = (model.shared.T @ weighted + self._padded.T @ levels).toarray()
        self.information.factorise(
            diagonal, entries, border, corner + self._shared_precision(hyper)
        )
        return self.information

    def fit(self, hyper: Hyper, start: Point | None = None) -> Point:
        """Return the maximum by Newton's method; raises NotConverged where it was not reached.

        As long as its steps shrink fast, the matrix is that of an earlier point, perhaps of other
        hyperparameters.
        """
        at = start or self.start()

        def point(numbers: Floats) -> Point:
            return Point(numbers[: self.k], numbers[self.k : self.n], numbers[self.n :])

        def objective(numbers: Floats) -> float:
            return self.log_posterior(point(numbers), hyper)

        numbers = np.r_[at.u, at.v, at.c]
        value, before = objective(numbers), LARGEST_STEP if start is None else NEAR
        for _ in range(MAX_STEPS):
            if before > NEAR or not self.information.is_factorised:
                self.factorised(point(numbers), hyper)
            step = np.concatenate(self.information.solve(*self.gradient(point(numbers), hyper)))
            longest = float(np.abs(step).max())
            if longest <= TOLERANCE:
                return point(numbers + step)
            before = longest if longest <= SHRINKS * before else LARGEST_STEP
            step = np.clip(step, -LARGEST_STEP, LARGEST_STEP)
            numbers, value = backtrack(objective, numbers, value, step, STUCK)
        raise NotConverged(f"no maximum after {MAX_STEPS} steps; look for extreme scores")

    def evidence(self, at: Point, hyper: Hyper) -> tuple[float, Floats, Floats]:
        """Return the log evidence [nat] at the maximum just fitted, gradient and information.

        These are by `hyper.numbers()`. Constants of the games are left out. The information is that
        of residuals as if they were independent: less than the true one.
        """
        of_form, of_step, of_level = self._precisions(hyper)
        levels = self.model.level.multiply(of_level[:, None]).tocsr()
        corner = self._shared_precision(hyper) + (self.model.level.T @ levels).toarray()
        diagonal = of_level + self._at_ends(np.full(len(self.later), of_step), 1)
        self._walks.factorise(
            diagonal,
            np.full(len(self.later), -of_step),
            -levels,
            corner,
        )
        prior = self._walks.log_determinant() + self.p * np.log(of_form)
        self.factorised(at, hyper)
        value = self.log_posterior(at, hyper) + (prior - self.information.log_determinant()) / 2
        return value, *self._derivatives(at, hyper)

    def _derivatives(self, at: Point, hyper: Hyper) -> tuple[Floats, Floats]:
        model, found = self.model, self.information
        p = expit(self.differences(at))
        skew = model.weight * model.games * p * (1 - p) * (1 - 2 * p)
        spread = found.variances(self.k + model.i, self.k + model.j, model.shared)
        turn_inner, turn_shared = found.solve(
            self._between @ (skew * spread), model.shared.T @ (skew * spread)
        )
        turn = Point(turn_inner[: self.k], turn_inner[self.k :], turn_shared)
        own = self.k + np.arange(self.p)
        before, all_ = self.later - 1, np.arange(self.k)
        posterior = (
            found.variances(own, model.of, None),
            found.variances(self.later, before, None),
            found.variances(all_, None, -model.level),
        )
        walks = self._walks
        of_form, of_step, of_level = self._precisions(hyper)
        prior = (
            np.full(self.p, 1 / of_form),
            walks.variances(self.later, before, None),
            walks.variances(all_, None, -model.level),
        )
        residuals, turned = self._residuals(at), self._residuals(turn)
        of_residuals = (of_form, of_step, of_level)
        sums = [
            w * (r**2 + after - first - r * s)
            for w, r, s, after, first in zip(
                of_residuals, residuals[:3], turned[:3], posterior, prior, strict=True
            )
        ]
        gradient = [sums[0].sum(), sums[1].sum(), sums[2].sum(), self._log_years @ sums[2]]
        change = walks.shared_covariance() - found.shared_covariance()
        for group, deviation, r, s in zip(
            model.groups, hyper.groups, residuals[3], turned[3], strict=True
        ):
            share = group.rows @ change @ group.rows.T / deviation**2
            gradient.append(np.sum(r**2 - r * s) / deviation**2 - np.trace(share))
        weighted = [of_form * residuals[0], of_step * residuals[1], of_level * residuals[2]]
        groups = zip(model.groups, hyper.groups, residuals[3], strict=True)
        shared = [group.rows.T @ r / deviation**2 for group, deviation, r in groups]
        return np.array(gradient), self._information(weighted, shared, of_form)

    def _information(
        self, weighted: Sequence[Floats], shared: Sequence[Floats], of_form: float
    ) -> Floats:
        """Return the average information (h, h) of the hyperparameters.

        It is d' (inv(P) - inv(H)) d / 2, where d are the derivatives of the gradient of the log
        prior by each. Given are the residuals of form, steps and levels times their precisions, the
        same of each group as sums (c,), and the precision of form.
        """
        model, (form, step, level) = self.model, weighted
        levels = np.stack([level, self._log_years * level], axis=1)
        h = 4 + len(shared)
        d, of_forms, of_shared = np.zeros((self.k, h)), np.zeros((self.p, h)), np.zeros((self.c, h))
        d[:, 0], of_forms[:, 0] = -np.bincount(model.of, form, self.k), form
        d[:, 1], d[:, 2:4] = self._at_ends(step), levels
        of_shared[:, 2:4] = -(model.level.T @ levels)
        of_shared[:, 4:] = np.transpose(shared)
        after = self.information.solve(np.r_[d, of_forms], of_shared)
        to_year = csr_array((np.ones(self.p), (model.of, np.arange(self.p))), (self.k, self.p))
        with_forms = d + np.asarray(to_year @ of_forms)
        first = self._walks.solve(with_forms, of_shared)
        before = with_forms.T @ first[0] + of_shared.T @ first[1] + of_forms.T @ of_forms / of_form
        found = before - np.r_[d, of_forms].T @ after[0] - of_shared.T @ after[1]
        return np.asarray(2 * found)

    def most_evidence(
        self, start: Hyper, at: Point | None, weak: WeakPrior, gain: float
    ) -> tuple[Hyper, Point, float]:
        """Return the most probable hyperparameters, the maximum there, and the log evidence.

        The search starts at `start`. Its steps are by the average information; it ends where
        another is expected to gain no more than `gain` [nat].
        """
        hyper, point = start, self.fit(start, at)
        value, gradient, information = self.evidence(point, hyper)
        for _ in range(MAX_STEPS):
            numbers = hyper.numbers()
            away = weak.precision * (numbers - weak.mean)
            slope = gradient - away
            step = np.linalg.solve(information + np.diag(weak.precision), slope)
            ends, part = step @ slope <= 2 * gain, 1.0
            while True:
                hyper = Hyper.of_numbers(numbers + part * step)
                point = self.fit(hyper, point)
                if ends:
                    return hyper, point, value
                found, gradient, information = self.evidence(point, hyper)
                moved = part * step
                loss = away @ moved + moved @ (weak.precision * moved) / 2
                if found - loss >= value - ROUNDING * abs(value):
                    break
                part /= 2
            value = found
        raise NotConverged(f"no most probable hyperparameters after {MAX_STEPS} steps")
