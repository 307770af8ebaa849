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
that say little of them. Its gradient is exact: with H minus the Hessian at the maximum, P the
precision of the prior, r a residual of precision w and f the derivative of -ln w / 2, it is sum of
f w (r^2 + var_H(r) - var_P(r) - r R s), where R is the row of the residual and H s the gradient of
ln det H. The search goes by the average information 2 q' (inv(P) - inv(H)) q, where q is the sum of
f w r R'.

Source: Bradley, Terry, Rank analysis of incomplete block designs, Biometrika 39 (1952); Tierney,
Kadane, Accurate approximations for posterior moments and marginal densities, JASA 81 (1986);
Rasmussen, Williams, Gaussian Processes for Machine Learning (2006), section 5.5.1 (gradient);
Gilmour, Thompson, Cullis, Average information REML, Biometrics 51 (1995).
"""

from __future__ import annotations

import math
from copy import copy
from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import csr_array
from scipy.special import expit

from edo.core.problems import NotConverged
from edo.core.scale import Floats, Ints
from edo.rating.fit.cholesky import Cholesky
from edo.rating.fit.elimination_tree import EliminationTree
from edo.rating.fit.laplacian import dissection
from edo.rating.fit.newton import SMALLEST_PART, backtrack
from edo.rating.fit.selected_inverse import selected_inverse
from edo.systems.player_years import PlayerYears

TOLERANCE = 1e-5  # [nat] of the last step, which leaves a small part of the error before it
SLOWEST = 2.0  # a factor is kept while each step is so many times shorter than the last
MAX_STEPS = 60  # of Newton's method, and of the search for hyperparameters
LARGEST_STEP = 4.0  # [nat], so that a first step that is far too long comes back
STUCK = "no part of a Newton step raised the log posterior"
LEAF = 10_000  # numbers in a part of time at most: smaller and larger ones fill the factor more
AT_ONCE = 256  # pairs compared at a time: those of an event or two, with few items
LONGEST = 1.0  # step of a hyperparameter: without it, where form is 0 its logarithm goes far
OVERSHOT = 0.5  # how steeply the way may fall behind a step, as a share of its rise before it
ROUNDING = 1e-9  # relative error of an evidence: a determinant of thousands of rows
LEVEL, POWER = 2, 3  # where spread and its power stand among the numbers of `Hyper`


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
    1 / phi. `level` (n_players, c) is X, the same in all years of a player; `weak` (c,) the fixed
    precisions of the shared numbers.
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
    level: Floats
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
    """A positive definite matrix H = [[A, B], [B', C]], and its inverse where needed.

    A is large and sparse, the border B is dense but narrow. The border is eliminated last: then it
    adds no more than its own rows to each column of the factor.
    """

    def __init__(self, order: Ints, rows: Ints, columns: Ints, c: int) -> None:
        """Analyse the (m,) places of A off its diagonal, of one half; they may repeat.

        `order` (n,) is one that fills the factor of A little.
        """
        self._n, self._c, self._ends = (n := len(order)), c, (rows, columns)
        rows, columns = np.maximum(rows, columns), np.minimum(rows, columns)
        border, self._corner = np.arange(n, n + c), np.tril_indices(c, -1)
        lower, upper = self._corner
        self._factor = Cholesky(
            n + c,
            np.r_[rows, np.tile(border, n), n + lower],
            np.r_[columns, np.repeat(np.arange(n), c), n + upper],
            np.r_[order, border],
            is_best=True,  # or CHOLMOD might eliminate the border earlier
        )
        self._is_selected = False
        self._tree: tuple[EliminationTree, Ints] | None = None
        self._values = np.empty(0)
        self._places: Ints | None = None

    @property
    def is_ready(self) -> bool:
        """Return whether there is a factor."""
        return len(self._values) > 0

    def factorise(self, diagonal: Floats, entries: Floats, border: Floats, corner: Floats) -> None:
        """Factorise A of `diagonal` (n,) and `entries` (m,), `border` (n, c), `corner` (c, c).

        What is the same as the last time is not computed again.
        """
        values = np.r_[diagonal, corner.diagonal(), entries, border.ravel(), corner[self._corner]]
        if not np.array_equal(values, self._values):
            self._factor.factorise(*np.split(values, [self._n + self._c]))
            self._values, self._is_selected, self._tree = values, False, None

    def solve(self, right: Floats, corner: Floats) -> tuple[Floats, Floats]:
        """Return x, y with A x + B y = `right` (n, ...) and B' x + C y = `corner` (c, ...)."""
        solved = self._factor.solve(np.concatenate([right, corner]))
        return solved[: self._n], solved[self._n :]

    def log_determinant(self) -> float:
        """Return the logarithm of the determinant of H."""
        return self._factor.log_determinant()

    def _select(self) -> None:
        """Compute what is needed of the inverse."""
        if not self._is_selected:
            inverse = selected_inverse(self._factor.lower())
            self._diagonal, self._border = inverse.diagonal(), inverse.last(self._c)
            if self._places is None:
                self._places = inverse.places(*self._ends)
            self._entries, self._is_selected = inverse.values[self._places], True

    def variances(self, items: Ints, shared: csr_array | Floats) -> Floats:
        """Return the variances (m,) of x[items] + shared y."""
        self._select()
        return self._diagonal[items] + self._of_shared(self._border[items], shared)

    def difference_variances(self, places: slice, shared: csr_array | None = None) -> Floats:
        """Return the variances (m,) of x[row] - x[column] + shared y at some places of A."""
        self._select()
        i, j = (end[places] for end in self._ends)
        variance = self._diagonal[i] + self._diagonal[j] - 2 * self._entries[places]
        if shared is None:
            return variance
        return variance + self._of_shared(self._border[i] - self._border[j], shared)

    def _of_shared(self, across: Floats, shared: csr_array | Floats) -> Floats:
        """Return what `shared` y adds to the variances (m,) of numbers x + shared y.

        `across` (m, c) are the covariances of x with y.
        """
        return np.asarray((shared * (2 * across + shared @ self.shared_covariance())).sum(axis=1))

    def any_variances(self, first: Ints, second: Ints, shared: Floats) -> Floats:
        """Return the variances (m,) of x[first] - x[second] + shared y, of any pairs.

        It is quick where pairs next to each other have items in common.
        """
        variances = np.empty(len(first))
        for begin in range(0, len(first), AT_ONCE):
            batch = slice(begin, begin + AT_ONCE)
            items, place = np.unique([first[batch], second[batch]], return_inverse=True)
            (i, j), m, z = place.reshape(2, -1), len(items), shared[batch]
            whole = self._with_shared(items)
            variances[batch] = whole[i, i] + whole[j, j] - 2 * whole[i, j]
            across = whole[i, m:] - whole[j, m:]
            variances[batch] += np.sum(z * (2 * across + z @ whole[m:, m:]), axis=1)
        return variances

    def covariance(self, items: Ints, shared: Floats) -> Floats:
        """Return the covariances (m, m) of x[items] + shared y; the items are distinct."""
        whole, m = self._with_shared(items), len(items)
        across = shared @ whole[m:, :m]
        return whole[:m, :m] + across + across.T + shared @ whole[m:, m:] @ shared.T

    def _with_shared(self, items: Ints) -> Floats:
        """Return the covariances (m + c, m + c) of x[items] and y."""
        if self._tree is None:
            lower = self._factor.lower()
            self._tree = EliminationTree(lower), np.argsort(lower.permutation)
        tree, number = self._tree[0], self._tree[1][np.r_[items, self._n : self._n + self._c]]
        order = np.argsort(number)
        whole = np.empty((len(order), len(order)))
        whole[np.ix_(order, order)] = tree.covariance(number[order])
        return whole

    def shared_covariance(self) -> Floats:
        """Return the covariance (c, c) of the border's numbers."""
        self._select()
        return self._border[self._n :]


@dataclass(frozen=True, slots=True, eq=False)
class LogEvidence:
    """The log evidence [nat], its gradient (h,) and average information (h, h).

    The derivatives are by `Hyper.numbers()`. `moves` (n + c, h) are the derivatives of the maximum
    of the posterior by these numbers. `variance` (m,) is that of x of each row.
    """

    value: float
    gradient: Floats
    information: Floats
    moves: Floats
    variance: Floats


@dataclass(frozen=True, slots=True)
class _Prior:
    """Figures of levels and steps by the prior alone, without any games.

    `log_determinant` is that of their precision. The others are expected values of sums of squared
    residuals, each times its precision: of `steps`, of `levels`, and of levels weighted by
    ln n - 1, where n is the number of the player's years.
    """

    log_determinant: float
    steps: float
    levels: float
    weighted_levels: float


class Posterior:
    """The log posterior of a model, its maximum, and the evidence of the hyperparameters."""

    def __init__(self, model: Model) -> None:
        self.model, years = model, model.player_years
        self.k, self.p, self.c = len(years.year), len(model.of), model.level.shape[1]
        self.later, self.n = years.later, self.k + self.p
        m, forms = len(model.i), self.k + np.arange(self.p)
        self._links = (
            np.r_[self.k + model.i, forms, self.later],
            np.r_[self.k + model.j, model.of, self.later - 1],
        )
        ends = np.cumsum([0, m, self.p, len(self.later)]).tolist()
        self._rows, self._forms, self._steps = map(slice, ends[:-1], ends[1:])
        time = np.r_[years.year, years.year[model.of]]
        order = dissection(*self._links, time, LEAF)
        self.information = Bordered(order, *self._links, self.c)
        signs, sides = np.repeat([1.0, -1.0], m), np.r_[model.i, model.j]
        self._between = csr_array((signs, (sides, np.tile(np.arange(m), 2))), shape=(self.p, m))
        self._log_years = np.log(model.years) - 1
        self._player = years.player
        self._walks = Cholesky(self.k, self.later, self.later - 1)

    def with_weight(self, weight: Floats) -> Posterior:
        """Return the posterior where the rows weigh otherwise (m,); both share the factor."""
        reweighted = copy(self)
        reweighted.model = replace(self.model, weight=weight)
        return reweighted

    def _point(self, numbers: Floats) -> Point:
        return Point(numbers[: self.k], numbers[self.k : self.n], numbers[self.n :])

    def differences(self, point: Point) -> Floats:
        """Return x (m,) of each row."""
        model = self.model
        return np.asarray(point.v[model.i] - point.v[model.j] + model.shared @ point.c + model.odds)

    def difference_variances(self, point: Point, hyper: Hyper) -> Floats:
        """Return the posterior variances (m,) of x."""
        inverse = self.factorised(point, hyper)
        return inverse.difference_variances(self._rows, self.model.shared)

    def _precisions(self, hyper: Hyper) -> tuple[float, float, Floats]:
        """Return the precisions of form, step and of each level (k,)."""
        sigma = hyper.spread * np.exp(hyper.spread_power * self._log_years)
        return hyper.form**-2, hyper.step**-2, 1 / (self.model.years * sigma**2)

    def _residuals(self, point: Point) -> tuple[Floats, Floats, Floats, list[Floats]]:
        """Return the residuals of form (p,), steps, levels (k,) and of each group."""
        model = self.model
        return (
            point.v - point.u[model.of],
            point.u[self.later] - point.u[self.later - 1],
            point.u - (model.level @ point.c)[self._player],
            [group.rows @ point.c for group in model.groups],
        )

    def _shared_precision(self, hyper: Hyper) -> Floats:
        total = np.diag(self.model.weak)
        for group, deviation in zip(self.model.groups, hyper.groups, strict=True):
            total = total + group.rows.T @ group.rows / deviation**2
        return total

    def log_posterior(self, point: Point, hyper: Hyper) -> float:
        """Return the log posterior [nat], up to a constant that depends on the hyperparameters."""
        model, x = self.model, self.differences(point)
        likelihood = model.weight @ (model.score * x - model.games * np.logaddexp(0.0, x))
        of_form, of_step, of_level = self._precisions(hyper)
        form, step, level, _ = self._residuals(point)
        squares = of_form * (form @ form) + of_step * (step @ step) + of_level @ level**2
        return float(likelihood - (squares + point.c @ self._shared_precision(hyper) @ point.c) / 2)

    def gradient(self, point: Point, hyper: Hyper) -> tuple[Floats, Floats]:
        """Return the gradient of the log posterior by u and v (k + p,), and by c (c,)."""
        model = self.model
        surplus = model.weight * (model.score - model.games * expit(self.differences(point)))
        inner, shared = self._pulls(point, hyper)
        counted = np.arange(inner.shape[1]) != POWER  # the level's pull is there already
        return (
            np.r_[np.zeros(self.k), self._between @ surplus] - inner @ counted,
            model.shared.T @ surplus - shared @ counted - model.weak * point.c,
        )

    def _pulls(self, point: Point, hyper: Hyper) -> tuple[Floats, Floats]:
        """Return q (n, h), (c, h) of each of `Hyper.numbers()`: how the prior pulls by it."""
        model, numbers = self.model, 4 + len(hyper.groups)
        of_form, of_step, of_level = self._precisions(hyper)
        form, step, level, groups = self._residuals(point)
        inner, shared = np.zeros((self.n, numbers)), np.zeros((self.c, numbers))
        inner[: self.k, 0] = -of_form * np.bincount(model.of, form, self.k)
        inner[self.k :, 0] = of_form * form
        inner[: self.k, 1] = self._at_ends(of_step * step)
        by_power = of_level * self._log_years * level
        for column, pull in ((LEVEL, of_level * level), (POWER, by_power)):
            inner[: self.k, column] = pull
            shared[:, column] = -model.level.T @ self._by_player(pull)
        for k, (group, deviation) in enumerate(zip(model.groups, hyper.groups, strict=True)):
            shared[:, 4 + k] = group.rows.T @ groups[k] / deviation**2
        return inner, shared

    def _by_player(self, values: Floats) -> Floats:
        """Return the sums (n_players,) of values (k,)."""
        return np.bincount(self._player, values, len(self.model.level)).astype(np.float64)

    def _at_ends(self, values: Floats, sign: int = -1) -> Floats:
        """Return sums (k,) of values of steps: added to the later year, to the earlier by sign."""
        total = np.zeros(self.k)
        total[self.later] += values
        total[self.later - 1] += sign * values
        return total

    def factorised(self, point: Point, hyper: Hyper) -> Bordered:
        """Return minus the Hessian at a point, factorised."""
        model, share = self.model, expit(self.differences(point))
        weight = model.weight * model.games * share * (1 - share)
        of_form, of_step, of_level = self._precisions(hyper)
        steps = np.full(len(self.later), of_step)
        strengths = of_form * np.bincount(model.of, minlength=self.k) + of_level
        strengths += self._at_ends(steps, 1)
        diagonal = np.r_[strengths, abs(self._between) @ weight + of_form]
        entries = np.r_[-weight, np.full(self.p, -of_form), -steps]  # in the order of the links
        weighted = model.shared.multiply(weight[:, None]).tocsr()
        # The shared numbers act on a player-year by its level X c, on a row of games by Z c.
        border = np.zeros((self.n, self.c))
        np.multiply(model.level[self._player], -of_level[:, None], out=border[: self.k])
        border[self.k :] = (self._between @ weighted).toarray()
        corner = model.level.T * self._by_player(of_level) @ model.level
        corner += self._shared_precision(hyper) + (model.shared.T @ weighted).toarray()
        self.information.factorise(diagonal, entries, border, corner)
        return self.information

    def fit(self, hyper: Hyper, start: Point | None = None) -> Point:
        """Return the maximum by Newton's method; raises NotConverged where it was not reached.

        A factor takes much longer than a step with it. So an old one is used as long as each step
        is `SLOWEST` times shorter than the one before.
        """
        as_point = self._point
        initial = start or as_point(np.zeros(self.n + self.c))

        def objective(numbers: Floats) -> float:
            return self.log_posterior(as_point(numbers), hyper)

        def step_at(numbers: Floats) -> Floats:
            gradient = self.gradient(as_point(numbers), hyper)
            return np.concatenate(self.information.solve(*gradient))

        numbers = np.r_[initial.u, initial.v, initial.c]
        value, size = objective(numbers), math.inf
        for _ in range(MAX_STEPS):
            step = step_at(numbers) if self.information.is_ready else None
            if step is None or np.abs(step).max() > size / SLOWEST:
                self.factorised(as_point(numbers), hyper)
                step = step_at(numbers)
            size = float(np.abs(step).max())
            if size <= TOLERANCE:
                return as_point(numbers + step)
            step = np.clip(step, -LARGEST_STEP, LARGEST_STEP)
            numbers, value = backtrack(objective, numbers, value, step, STUCK)
        raise NotConverged(f"no maximum after {MAX_STEPS} steps; look for extreme scores")

    def evidence(self, point: Point, hyper: Hyper) -> LogEvidence:
        """Return the log evidence at the maximum just fitted, with derivatives.

        Constants of the games are left out.
        """
        model, inverse = self.model, self.factorised(point, hyper)
        of_form, of_step, of_level = self._precisions(hyper)
        prior, of_shared = self._prior(hyper), self._shared_precision(hyper)
        determinant = prior.log_determinant + np.linalg.slogdet(of_shared)[1]
        value = self.log_posterior(point, hyper)
        value += (determinant - inverse.log_determinant() + self.p * np.log(of_form)) / 2
        inner, shared = self._pulls(point, hyper)
        moves = inverse.solve(inner, shared)
        of_posterior = inner.T @ moves[0] + shared.T @ moves[1]
        information = 2 * (self._before(inner, shared, hyper) - of_posterior)
        share = expit(self.differences(point))
        variance = inverse.difference_variances(self._rows, model.shared)
        # the gradient of ln det H by x of each row
        skew = model.weight * model.games * share * (1 - share) * (1 - 2 * share) * variance
        of_forms, of_numbers = self._between @ skew, model.shared.T @ skew
        of_curvature = of_forms @ moves[0][self.k :] + of_numbers @ moves[1]
        level = of_level * inverse.variances(np.arange(self.k), -model.level[self._player])
        variances = [
            of_form * inverse.difference_variances(self._forms).sum() - self.p,
            of_step * inverse.difference_variances(self._steps).sum() - prior.steps,
            level.sum() - prior.levels,
            level @ self._log_years - prior.weighted_levels,
        ]
        change = inverse.shared_covariance() - np.linalg.inv(of_shared)
        variances += [
            np.einsum("ij,jk,ik->", group.rows, change, group.rows) / deviation**2
            for group, deviation in zip(model.groups, hyper.groups, strict=True)
        ]
        squares = np.r_[point.u, point.v] @ inner + point.c @ shared  # the sums of f w r^2
        gradient = squares + np.array(variances) - of_curvature
        return LogEvidence(float(value), gradient, information, 2 * np.concatenate(moves), variance)

    def _before(self, inner: Floats, shared: Floats, hyper: Hyper) -> Floats:
        """Return q' inv(P) q (h, h) for `inner` (n, h), `shared` (c, h)."""
        model, (of_form, of_step, of_level) = self.model, self._precisions(hyper)
        steps = np.full(len(self.later), of_step)
        self._walks.factorise(of_level + self._at_ends(steps, 1), -steps)
        forms = inner[self.k :]
        to_year = csr_array((np.ones(self.p), (model.of, np.arange(self.p))), (self.k, self.p))
        years = inner[: self.k] + np.asarray(to_year @ forms)
        of_c = np.stack([self._by_player(column) for column in years.T], axis=1)
        of_c = shared + model.level.T @ of_c
        of_strengths = forms.T @ forms / of_form + years.T @ self._walks.solve(years)
        of_shared = of_c.T @ np.linalg.solve(self._shared_precision(hyper), of_c)
        return np.asarray(of_strengths + of_shared)

    def _prior(self, hyper: Hyper) -> _Prior:
        """Return the figures of levels and steps before the games.

        They do not depend on c, as X is the same in all years of a player. A career is a path,
        of which the eigenvectors are cosines.
        """
        _, of_step, _ = self._precisions(hyper)
        determinant = steps = levels = weighted = 0.0
        careers = np.diff(self.model.player_years.start)
        for n, players in zip(*np.unique(careers[careers > 0], return_counts=True), strict=True):
            log_years = np.log(n) - 1
            of_level = np.exp(-2 * hyper.spread_power * log_years) / (n * hyper.spread**2)
            walk = of_step * (2 - 2 * np.cos(np.pi * np.arange(n) / n))
            determinant += players * np.sum(np.log(of_level + walk))
            steps += players * np.sum(walk / (of_level + walk))
            levels += players * np.sum(of_level / (of_level + walk))
            weighted += players * log_years * np.sum(of_level / (of_level + walk))
        return _Prior(determinant, steps, levels, weighted)

    def most_evidence(
        self, start: Hyper, initial: Point | None, weak: WeakPrior, gain: float
    ) -> tuple[Hyper, Point, LogEvidence]:
        """Return the most probable hyperparameters, where the maximum is then, and the evidence.

        The search starts at the hyperparameters `start`, with `initial` as a first guess of the
        maximum. Its steps are by the average information. It ends after a step that was expected to
        gain no more than `gain` [nat]; the evidence is that before this step, from which the place
        of the maximum follows to first order. Raises NotConverged where it does not come to that.
        """
        hyper, point = start, self.fit(start, initial)
        evidence = self.evidence(point, hyper)
        for _ in range(MAX_STEPS):
            numbers, solution = hyper.numbers(), np.r_[point.u, point.v, point.c]
            off_prior = weak.precision * (numbers - weak.mean)
            slope = evidence.gradient - off_prior
            # where a deviation is next to 0, the gradient by its logarithm goes with its square
            bent = weak.precision + 2 * np.maximum(0.0, -evidence.gradient)
            step = np.linalg.solve(evidence.information + np.diag(bent), slope)
            is_last, fraction = step @ slope <= 2 * gain, 1.0
            while fraction > SMALLEST_PART:
                move = np.clip(fraction * step, -LONGEST, LONGEST)
                hyper = Hyper.of_numbers(numbers + move)
                # The maximum moves with the hyperparameters: the fit starts where it should be now.
                point = self._point(solution + evidence.moves @ move)
                if is_last:  # the evidence of so small a step need not be computed
                    return hyper, point, evidence
                point = self.fit(hyper, point)
                new_evidence, prior_pull = self.evidence(point, hyper), weak.precision * move
                gained = new_evidence.value - off_prior @ move - move @ prior_pull / 2
                new_slope = move @ (new_evidence.gradient - off_prior - prior_pull)
                is_no_loss = gained >= evidence.value - ROUNDING * abs(evidence.value)
                # A way that falls steeply behind the step says that the top was passed.
                if is_no_loss and new_slope >= -OVERSHOT * (move @ slope):
                    break
                fraction /= 2
            else:
                raise NotConverged("no part of a step of the hyperparameters raised the evidence")
            evidence = new_evidence
        raise NotConverged(f"no most probable hyperparameters after {MAX_STEPS} steps")
