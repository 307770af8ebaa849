"""Games in; one fit of all years that knows the background of players, Edo integrated, out.

Every number that it supposes is estimated from the games: White's advantage, how strength goes up
and down over a career and grows with its length, together with the strengths; the spread of levels,
the step of a year and the drift of the mean by the evidence; the draws by their share.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, fields, replace

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

from edo.core.problems import DisconnectedNetwork
from edo.core.scale import elo_from_theta, expected_scores, theta_from_elo
from edo.systems.careers import Careers, careers_of
from edo.systems.games import Floats, Games, Ints
from edo.systems.levels import Levels, Point, Rows, Supposed
from edo.systems.system import Rated, System, parameter

DECADE = 10.0  # [years] the unit of time of drift and curve
LOOSE = 100.0  # [Elo] deviation of length, curve and White: much, but bounds tiny histories
MOST_DRAWS = 0.9  # of the games of equals, at any time
FIRST_SCALES = (110.0, 20.0, 15.0)  # [Elo] where the search for spread, step and drift begins
LEAST_SCALES, MOST_SCALES = (20.0, 3.0, 0.5), (1000.0, 300.0, 300.0)  # [Elo] where it may go
DIFFERENCE = 1e-3  # of the logarithms of the scales, by which slopes of the evidence are found
_OURS = "our convention"


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of Edo integrated; all that matters is estimated from the games."""

    knots: float = parameter(10.0, "years", "between the knots of the moving mean, at most", _OURS)
    colours: float = parameter(1.0, "", "1 where colours are used, 0 where not", _OURS)
    mean: float = parameter(
        2500.0, "Elo", "mean over all games, by which alone the level is set", _OURS
    )


@dataclass(frozen=True, slots=True, eq=False)
class WithWhite:
    """Expects the logistic share of the points, White being `advantage` [Elo] stronger."""

    rating: Floats
    advantage: float

    def __call__(self, first: Ints, second: Ints, colour: Floats, /) -> Floats:
        """Return the expected scores per game (m,)."""
        difference = self.rating[first] - self.rating[second] + self.advantage * colour
        return expected_scores(difference)


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """How the numbers `c` that all share enter: the mean's knots, length, curve, White, in order.

    `mean` (k, c) is what is supposed of a player-year's strength u, `shape` (k, c) is added to it
    to give its rating; `drift` (c, c) is the precision of the knots at a drift of 1, `years` apart.
    """

    careers: Careers
    mean: Floats
    shape: Floats
    drift: Floats

    def supposed(self, scales: Floats) -> Supposed:
        """Return what is supposed at a spread, step and drift [nat]."""
        precision = float(theta_from_elo(np.array(LOOSE))) ** -2
        loose = np.diag(np.where(self.drift.diagonal() > 0, 0.0, precision))
        return Supposed(
            float(scales[0]), float(scales[1]), self.mean, self.drift / scales[2] ** 2 + loose
        )


@dataclass(frozen=True, slots=True, eq=False)
class Integrated:
    """A fit: `scales` [nat] are spread, step and drift, `draws` the share of draws of equals
    in the middle of the time and its growth a decade; `evaluations` of the evidence were made."""

    design: Design
    levels: Levels
    point: Point
    scales: Floats
    draws: Floats
    evaluations: int

    @property
    def rating(self) -> Floats:
        """Return the ratings (k,) [Elo], of an arbitrary level."""
        return elo_from_theta(self.point.u + self.design.shape @ self.point.c)

    def deviation(self) -> Floats:
        """Return their exact deviations (k,) [Elo], the mean of all player-years being fixed."""
        k, shape = len(self.point.u), self.design.shape
        slope = self.levels.slope(self.point, self.design.supposed(self.scales))
        information = self.levels.information
        information.factorise(slope.diagonal, slope.entries, slope.border, slope.corner)
        with_mean = information.covariances(shape, np.full(k, 1 / k))
        variance = information.variances(shape) - 2 * with_mean + with_mean.mean()
        return elo_from_theta(np.sqrt(np.maximum(variance, 0.0)))


def design_of(careers: Careers, knots: float) -> Design:
    """Return how shared numbers enter; time has no direction in it."""
    years = np.diff(careers.start)[careers.player]
    hats, drift = _hats(careers.year, knots)
    n_knots = hats.shape[1]
    middle = careers.year[careers.start[careers.player]] + (years - 1) / 2
    curve = -(((careers.year - middle) / DECADE) ** 2)
    sums = np.bincount(careers.player, curve, len(careers.start) - 1)[careers.player]
    mean, shape = (np.zeros((len(years), n_knots + 3)) for _ in range(2))
    mean[:, :n_knots], mean[:, n_knots] = hats, np.log(years)
    shape[:, n_knots + 1] = curve - sums / years
    precision = np.zeros((n_knots + 3, n_knots + 3))
    precision[:n_knots, :n_knots] = drift
    return Design(careers, mean, shape, precision)


def fit(games: Games, parameters: Parameters) -> Integrated:
    """Return the most probable strengths of all player-years, at the most evident scales.

    Raises DisconnectedNetwork where there are no games, NotConverged where a fit fails.
    """
    if not len(games.first):
        raise DisconnectedNetwork("there are no games to rate; add results")
    careers = careers_of(games)
    design = design_of(careers, parameters.knots)
    rows, drawn = _rows(games, design, bool(parameters.colours))
    scales = theta_from_elo(np.array(FIRST_SCALES))
    point = Point(np.zeros(len(careers.year)), np.zeros(design.mean.shape[1]))
    point = Levels(careers, rows(np.zeros(2))).fit(design.supposed(scales), point)
    draws = drawn(point)
    levels = Levels(careers, rows(draws))
    scales, point, evaluations = _most_evident(levels, design, scales, point)
    return Integrated(design, levels, point, scales, draws, evaluations)


def rate(games: Games, parameters: Parameters) -> Rated:
    """Return the ratings of everybody with games; raises what `fit` raises."""
    games = _in_order(games)
    found = fit(games, parameters)
    careers, rating = found.design.careers, found.rating
    i, j = careers.sides(games)
    level = np.sum(games.count * (rating[i] + rating[j])) / (2 * games.count.sum())
    rating = rating - level + parameters.mean
    advantage = float(elo_from_theta(found.point.c[-1:])[0])
    expected = WithWhite(rating, advantage)
    return Rated(careers, rating, found.deviation(), expected, fitted=_fitted(found))


def _in_order(games: Games) -> Games:
    """Return the rows in an order that does not depend on theirs, so that sums do not either."""
    keys = (games.draws, games.score, games.count, games.odds, games.colour, games.year)
    order = np.lexsort((*keys, games.second, games.first))
    chosen = {name: getattr(games, name)[order] for name in _COLUMNS}
    return replace(games, **chosen)


_COLUMNS = tuple(f.name for f in fields(Games) if f.name not in ("players", "events"))


def _fitted(found: Integrated) -> dict[str, float]:
    """Return what was estimated, by the names that pages give it."""
    spread, step, drift = elo_from_theta(found.scales)
    length, curve, white = elo_from_theta(found.point.c[-3:])
    first, last = _ends(found.design.careers.year)
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

    Straight lines lead from knot to knot; the first is held at nought, the level being free. The
    precision is that of a random walk of deviation 1 in ten years.
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
    """Return what makes the rows at given draws, and what finds the draws of given strengths."""
    careers = design.careers
    i, j = careers.sides(games)
    shared = design.shape[i] - design.shape[j]
    shared[:, -1] = games.colour * colours
    odds, (first, last) = theta_from_elo(games.odds), _ends(careers.year)
    middle = (first + last) / 2

    def rows(draws: Floats) -> Rows:
        weight = 1 / (1 - _share(games.year, middle, draws))
        return Rows(i, j, games.score, games.count, odds, shared, weight)

    def drawn(at: Point) -> Floats:
        p = expit(at.u[i] - at.u[j] + shared @ at.c + odds)
        by_time = np.stack([np.ones(len(i)), (games.year - middle) / DECADE])[:, judges]
        equal = (4 * games.count * p * (1 - p))[judges]
        return np.asarray(
            np.linalg.lstsq(by_time * equal @ by_time.T, by_time @ games.draws[judges])[0]
        )

    judges = games.played & (games.odds == 0)
    return rows, drawn


def _share(year: Ints, middle: float, draws: Floats) -> Floats:
    """Return the share of draws among equals in a year, by its straight line."""
    line = draws[0] + draws[1] * (year - middle) / DECADE
    return np.asarray(np.clip(line, 0.0, MOST_DRAWS))


def _most_evident(
    levels: Levels, design: Design, scales: Floats, point: Point
) -> tuple[Floats, Point, int]:
    """Return the scales [nat] of most evidence, the maximum there, and how often it was asked."""
    at, asked = point, 0

    def against(logarithms: Floats) -> float:
        nonlocal at, asked
        asked += 1
        supposed = design.supposed(np.exp(logarithms))
        at = levels.fit(supposed, at)
        return -levels.log_evidence(at, supposed)

    low, high = (np.log(theta_from_elo(np.array(ends))) for ends in (LEAST_SCALES, MOST_SCALES))
    found = minimize(
        against, np.log(scales), method="L-BFGS-B", bounds=list(zip(low, high, strict=True)),
        options={"ftol": 1e-9, "gtol": 1e-2, "eps": DIFFERENCE},
    )  # fmt: skip
    scales = np.exp(found.x)
    return scales, levels.fit(design.supposed(scales), at), asked


EDO_INTEGRATED = System(
    "edo-integrated", "Edo integrated", "this site, after Rod Edwards", 2026, "all at once",
    Parameters(), rate, is_slow=True, uses=("colours", "draws", "odds"),
)  # fmt: skip
