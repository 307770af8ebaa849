"""Edo integrated: one fit of all years with a prior that is itself estimated from the games.

White's advantage, how strength rises and falls over a career and how it grows with the career's
length are fitted together with the strengths; the spread of levels, the step of a year and the
drift of the mean maximise the evidence; draws are estimated from their share.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.special import expit

from edo.core.problems import DisconnectedNetwork, NotConverged
from edo.core.scale import elo_from_theta, theta_from_elo
from edo.systems.base import ByDifference, Rated, System, logistic_score, mean_parameter, parameter
from edo.systems.games import Floats, Games, Ints
from edo.systems.penalised_fit import Point, Posterior, Prior, Rows
from edo.systems.player_years import PlayerYears, player_years_of

DECADE = 10.0  # [years] the unit of time of drift and curve
WEAK = 100.0  # [Elo] prior deviation of length, curve and White: wide, but bounds tiny histories
MOST_DRAWS = 0.9  # of the games of equals, at any time
FIRST_SCALES = (110.0, 20.0, 15.0)  # [Elo] where the search for spread, step and drift begins
LEAST_SCALES, MOST_SCALES = (20.0, 3.0, 0.5), (1000.0, 300.0, 300.0)  # [Elo] its bounds
TOLERANCE = 2e-5  # [nat] twice what the last step gains, which squares the error before it
LONGEST = 1.0  # of the logarithms of the scales: the longest step
MAX_ROUNDS = 60
ROUNDING = 1e-10  # relative rounding error of the evidence
_OURS = "our convention"


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of Edo integrated; all that matters is estimated from the games."""

    knots: float = parameter(10.0, "years", "between the knots of the moving mean, at most", _OURS)
    colours: float = parameter(1.0, "", "1 where colours are used, 0 where not", _OURS)
    mean: float = mean_parameter()


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """How the shared numbers `c` enter: the mean's knots, length, curve and White, in order.

    `mean` (k, c) gives the prior mean of a player-year's strength u, `shape` (k, c) is added to it
    to give its rating; `drift` (c, c) is the precision of the knots at a drift of 1.
    """

    player_years: PlayerYears
    mean: Floats
    shape: Floats
    drift: Floats

    def prior(self, scales: Floats) -> Prior:
        """Return the prior at a spread, step and drift [nat]."""
        precision = float(theta_from_elo(np.array(WEAK))) ** -2
        weak = np.diag(np.where(self.drift.diagonal() > 0, 0.0, precision))
        return Prior(
            float(scales[0]), float(scales[1]), self.mean, self.drift / scales[2] ** 2 + weak
        )


@dataclass(frozen=True, slots=True, eq=False)
class Integrated:
    """A fit: `scales` [nat] are spread, step and drift, `draws` the share of draws of equals in the
    middle of the time and its growth a decade."""

    design: Design
    posterior: Posterior
    point: Point
    scales: Floats
    draws: Floats

    @property
    def rating(self) -> Floats:
        """Return the ratings (k,) [Elo], of an arbitrary level."""
        return elo_from_theta(self.point.u + self.design.shape @ self.point.c)

    def deviation(self) -> Floats:
        """Return their exact deviations (k,) [Elo], the mean of all player-years being fixed."""
        k, shape = len(self.point.u), self.design.shape
        found = self.posterior.derivatives(self.point, self.design.prior(self.scales))
        information = self.posterior.information
        information.factorise(found.diagonal, found.entries, found.border, found.corner)
        with_mean = information.covariances(shape, np.full(k, 1 / k))
        variance = information.variances(shape) - 2 * with_mean + with_mean.mean()
        return elo_from_theta(np.sqrt(np.maximum(variance, 0.0)))


def design_of(player_years: PlayerYears, knots: float) -> Design:
    """Return how shared numbers enter; time has no direction in it."""
    player, year, start = player_years.player, player_years.year, player_years.start
    years = np.diff(start)[player]
    hats, drift = _hats(year, knots)
    n_knots = hats.shape[1]
    middle = year[start[player]] + (years - 1) / 2
    curve = -(((year - middle) / DECADE) ** 2)
    sums = np.bincount(player, curve, len(start) - 1)[player]
    mean, shape = np.zeros((2, len(years), n_knots + 3))
    mean[:, :n_knots], mean[:, n_knots] = hats, np.log(years)
    shape[:, n_knots + 1] = curve - sums / years
    precision = np.zeros((n_knots + 3, n_knots + 3))
    precision[:n_knots, :n_knots] = drift
    return Design(player_years, mean, shape, precision)


def fit(games: Games, parameters: Parameters) -> Integrated:
    """Return the most probable strengths of all player-years, at the scales of most evidence.

    Raises DisconnectedNetwork where there are no games, NotConverged where a fit fails.
    """
    if not len(games.first):
        raise DisconnectedNetwork("there are no games to rate; add results")
    player_years = player_years_of(games)
    design = design_of(player_years, parameters.knots)
    rows, drawn = _rows(games, design, bool(parameters.colours))
    scales = theta_from_elo(np.array(FIRST_SCALES))
    point = Posterior(player_years, rows(np.zeros(2))).fit(design.prior(scales))
    draws = drawn(point)
    posterior = Posterior(player_years, rows(draws))
    scales, point = _most_evidence(posterior, design, scales, point)
    return Integrated(design, posterior, point, scales, draws)


def rate(games: Games, parameters: Parameters) -> Rated:
    """Return the ratings of everybody with games; raises what `fit` raises."""
    games = in_order(games)
    found = fit(games, parameters)
    player_years, rating = found.design.player_years, found.rating
    i, j = player_years.sides(games)
    level = np.sum(games.count * (rating[i] + rating[j])) / (2 * games.count.sum())
    rating = rating - level + parameters.mean
    advantage = float(elo_from_theta(found.point.c[-1:])[0])
    expected = ByDifference(rating, partial(logistic_score, advantage=advantage))
    return Rated(player_years, rating, found.deviation(), expected, fitted=_fitted(found))


def in_order(games: Games) -> Games:
    """Return the rows in a canonical order, so that sums do not depend on the given order."""
    keys = (games.draws, games.score, games.count, games.odds, games.colour, games.year)
    return games.where(np.lexsort((*keys, games.second, games.first)))


def _fitted(found: Integrated) -> dict[str, float]:
    """Return the estimated numbers by the labels that pages show."""
    spread, step, drift = elo_from_theta(found.scales)
    length, curve, white = elo_from_theta(found.point.c[-3:])
    first, last = _ends(found.design.player_years.year)
    begin, end = _share(np.array([first, last]), (first + last) / 2, found.draws)
    return {
        "spread of the levels [Elo]": float(spread),
        "step from year to year [Elo]": float(step),
        "self-games worth that step": 2 / float(found.scales[1]) ** 2,
        "drift of the mean in ten years [Elo]": float(drift),
        "White's advantage [Elo]": float(white),
        "twice as many years on record [Elo]": float(length) * math.log(2),
        "ten years before or after the middle of a career [Elo]": -float(curve),
        f"draws of equals in {first}": float(begin),
        f"draws of equals in {last}": float(end),
    }


def _ends(year: Ints) -> tuple[int, int]:
    return int(year.min()), int(year.max())


def _hats(year: Ints, knots: float) -> tuple[Floats, Floats]:
    """Return how knots, evenly over the time, enter the mean (k, n), and the precision (n, n).

    Straight lines lead from knot to knot; the first is held at 0, as the level is free. The
    precision is that of a random walk of standard deviation 1 in ten years.
    """
    first, last = _ends(year)
    parts = math.ceil((last - first) / knots)
    if not parts:
        return np.zeros((len(year), 0)), np.zeros((0, 0))
    place = (year - first) * parts / (last - first)
    hats = np.maximum(0.0, 1 - np.abs(place[:, None] - np.arange(parts + 1)))
    steps = np.diff(np.eye(parts + 1), axis=0)[:, 1:]
    return hats[:, 1:], steps.T @ steps * (DECADE * parts / (last - first))


def _rows(
    games: Games, design: Design, colours: bool
) -> tuple[Callable[[Floats], Rows], Callable[[Point], Floats]]:
    """Return functions for the rows at given draws and for the draws at given strengths."""
    player_years = design.player_years
    i, j = player_years.sides(games)
    shared = design.shape[i] - design.shape[j]
    shared[:, -1] = games.colour * colours
    odds, (first, last) = theta_from_elo(games.odds), _ends(player_years.year)
    middle = (first + last) / 2

    def rows(draws: Floats) -> Rows:
        weight = 1 / (1 - _share(games.year, middle, draws))
        return Rows(i, j, games.score, games.count, odds, shared, weight)

    def drawn(at: Point) -> Floats:
        p = expit(at.u[i] - at.u[j] + shared @ at.c + odds)
        by_time = np.stack([np.ones(len(i)), (games.year - middle) / DECADE])[:, even]
        equal = (4 * games.count * p * (1 - p))[even]
        return np.asarray(
            np.linalg.lstsq(by_time * equal @ by_time.T, by_time @ games.draws[even])[0]
        )

    even = games.played & (games.odds == 0)
    return rows, drawn


def _share(year: Ints, middle: float, draws: Floats) -> Floats:
    """Return the share of draws among equals in a year, by its straight line."""
    line = draws[0] + draws[1] * (year - middle) / DECADE
    return np.asarray(np.clip(line, 0.0, MOST_DRAWS))


def _most_evidence(
    posterior: Posterior, design: Design, scales: Floats, point: Point
) -> tuple[Floats, Point]:
    """Return the scales [nat] of most evidence and the maximum of the posterior there.

    By BFGS on their logarithms between bounds. Raises NotConverged where that fails.
    """
    low, high = (np.log(theta_from_elo(np.array(ends))) for ends in (LEAST_SCALES, MOST_SCALES))
    here, best, slope, most = np.log(scales), np.zeros(3), np.zeros(3), -math.inf
    hessian, step = np.zeros((3, 3)), np.zeros(3)
    for _ in range(MAX_ROUNDS):
        prior = design.prior(np.exp(here))
        point = posterior.fit(prior, point)
        evidence = posterior.log_evidence(point, prior)
        if evidence < most - ROUNDING * abs(most):
            step = step / 2
            here = best + step
            continue
        found = posterior.slope_of_evidence(point, prior, design.drift / np.exp(here[2]) ** 2)
        if most == -math.inf:
            hessian = np.diag(found.curvature)
        else:
            hessian = _updated(hessian, here - best, slope - found.slope)
        best, slope, most = here, found.slope, evidence
        free = ((here > low) | (slope > 0)) & ((here < high) | (slope < 0))
        step = np.zeros(3)
        step[free] = np.linalg.solve(hessian[np.ix_(free, free)], slope[free])
        here = np.clip(here + np.clip(step, -LONGEST, LONGEST), low, high)
        step = here - best
        point = Point(point.u + found.moves.u @ step, point.c + found.moves.c @ step)
        if abs(slope @ step) <= TOLERANCE:
            return np.exp(here), posterior.fit(design.prior(np.exp(here)), point)
    raise NotConverged(f"the scales of most evidence were not found in {MAX_ROUNDS} rounds")


def _updated(hessian: Floats, step: Floats, fall: Floats) -> Floats:
    """Return minus the Hessian (c, c) with the fall (c,) of the slope that a step brought."""
    if step @ fall <= 0:
        return hessian
    before = hessian @ step
    return np.asarray(
        hessian + np.outer(fall, fall) / (step @ fall) - np.outer(before, before) / (step @ before)
    )


EDO_INTEGRATED = System(
    "edo-integrated", "Edo integrated", "this site, after Rod Edwards", 2026, "all at once",
    Parameters(), rate, is_slow=True, uses=("colours", "draws", "odds"),
)  # fmt: skip
