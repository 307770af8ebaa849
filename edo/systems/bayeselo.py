"""Games in; one rating a player for all his years out, as Coulom's Bayeselo finds it.

With theta the ratings, a White's advantage and d the width of draws, all in natural log-odds, White
wins with chance s(x - d) and Black with s(-x - d), where x is White's theta less Black's plus a
and s the logistic function; what is left, (e^2d - 1) s(x - d) s(-x - d), is a draw. A draw thus
counts like a win of each, and the log-likelihood is concave in theta, a and d together.

Source: Coulom, Bayesian Elo Rating (2010); Hunter, MM algorithms for generalized Bradley-Terry
models, Ann. Statist. 32 (2004), whose iteration finds the same maximum as Newton's method here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from scipy.special import expit, log_expit, ndtr

from edo.core.problems import NotConverged
from edo.core.scale import elo_from_theta, theta_from_elo
from edo.rating.fit.laplacian import Laplacian
from edo.rating.fit.newton import backtrack
from edo.systems.careers import careers_of
from edo.systems.chances import Chances, Expected
from edo.systems.games import Floats, Games, Ints
from edo.systems.parts import largest_part
from edo.systems.system import Rated, System, parameter

TOLERANCE = 1e-9  # [nat] of the last step
MAX_STEPS = 60
STUCK = "Bayeselo found no better ratings along the step; allow a larger tolerance"
REACH = 2500.0  # [Elo] beyond the maximum no rating has any probability to speak of
CELLS = 2000  # in which the distribution of a rating is added up
_COULOM = "Coulom, Bayesian Elo Rating"


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of Bayeselo; White's advantage and the width of draws are estimated."""

    prior: float = parameter(
        2.0, "draws", "virtual, a half of them each player's own, among his opponents", _COULOM,
        tried=(1.0, 2.0, 4.0, 8.0, 16.0),
    )  # fmt: skip
    mean: float = parameter(
        2500.0, "Elo", "mean over all games, by which alone the level is set", "our convention"
    )


@dataclass(frozen=True, slots=True, eq=False)
class Results:
    """Results of n players in the (m,) distinct pairs `i` < `j`.

    `wins`, `draws`, `losses` (2, m) [games] are White's: of `i` in the first row, of `j` below.
    """

    n: int
    i: Ints
    j: Ints
    wins: Floats
    draws: Floats
    losses: Floats

    @property
    def games(self) -> Floats:
        """Return the games (m,) of each pair."""
        return np.asarray((self.wins + self.draws + self.losses).sum(axis=0))

    def totals(self, values: Floats, sign: int = 1) -> Floats:
        """Return sums (n,) of values (m,): added to `i`, and to `j` with the sign."""
        return np.asarray(
            np.bincount(self.i, values, self.n) + sign * np.bincount(self.j, values, self.n)
        )

    def with_prior(self, prior: float) -> Results:
        """Add virtual draws, half with each colour.

        Each player hands out a half of `prior` among his opponents in proportion to the games.
        """
        games = self.games
        each = 1 / self.totals(games)
        draws = prior / 4 * games * (each[self.i] + each[self.j])
        return replace(self, draws=self.draws + draws)


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Ratings `theta` (n,) [nat] of mean 0 of the most probable fit, and its `information`."""

    theta: Floats
    chances: Chances
    information: Laplacian
    steps: int

    @property
    def rating(self) -> Floats:
        """Return the ratings (n,) [Elo] of mean 0 on the usual scale."""
        return self.chances.scale * elo_from_theta(self.theta)

    def deviation(self) -> Floats:
        """Return the standard errors (n,) [Elo] of `rating`, advantage and draws taken as known."""
        variance = self.information.inverse_diagonal()
        return self.chances.scale * elo_from_theta(np.sqrt(variance))

    def covariance(self, players: Ints) -> Floats:
        """Return the covariances (k, k) [Elo^2] of the ratings of some players."""
        unit = self.chances.scale * float(elo_from_theta(np.array(1.0)))
        return np.asarray(unit**2 * self.information.inverse()[np.ix_(players, players)])

    def superiority(self, players: Ints) -> Floats:
        """Return the likelihood (k, k) that the row's player is stronger than the column's."""
        covariance, rating = self.covariance(players), self.rating[players]
        own = covariance.diagonal()
        variance = own[:, None] + own - 2 * covariance
        np.fill_diagonal(variance, 1.0)
        return np.asarray(ndtr((rating[:, None] - rating) / np.sqrt(variance)))


def results_of(games: Games) -> Results:
    """Return the results of games by pairs; those of unknown colour count half with each."""
    n = len(games.players)
    keys, pair = np.unique(
        np.minimum(games.first, games.second) * n + np.maximum(games.first, games.second),
        return_inverse=True,
    )
    white, black = (1 + games.colour) / 2, (1 - games.colour) / 2
    lower = games.first < games.second
    side = np.where(lower, 0, 1)

    def added(as_white: Floats, as_black: Floats) -> Floats:
        total = np.zeros((2, len(keys)))
        np.add.at(total, (side, pair), white * as_white)
        np.add.at(total, (1 - side, pair), black * as_black)
        return total

    wins, losses = np.maximum(games.wins, 0.0), np.maximum(games.losses, 0.0)
    return Results(
        n,
        i=keys // n,
        j=keys % n,
        wins=added(wins, losses),
        draws=added(games.draws, games.draws),
        losses=added(losses, wins),
    )


def fit(results: Results, chances: Chances | None = None) -> Fit:
    """Return the most probable ratings; `results` hold the prior's draws and hang together.

    Without `chances` White's advantage and the width of draws are estimated too.

    Raises NotConverged where the maximum does not exist or was not reached.
    """
    games = results.totals(results.games)
    information = Laplacian(results.n, results.i, results.j, ground=int(games.argmax()))
    start = Chances() if chances is None else chances
    state = np.r_[np.zeros(results.n), theta_from_elo(np.array([start.advantage, start.draw]))]
    climbed = partial(_log_likelihood, results)
    value = climbed(state)
    for steps in range(1, MAX_STEPS + 1):
        step = _newton_step(results, state, information, free=chances is None)
        state, value = backtrack(climbed, state, value, step, STUCK)
        if np.abs(step).max() <= TOLERANCE:
            theta, (advantage, draw) = state[:-2] - state[:-2].mean(), elo_from_theta(state[-2:])
            found = Chances(float(advantage), float(draw)) if chances is None else chances
            return Fit(theta, found, information, steps)
    raise NotConverged(
        f"Bayeselo still moved by {np.abs(step).max():.2g} nat after {MAX_STEPS} steps; "
        "there may be no maximum without both draws and wins, or without a prior"
    )


def _log_likelihood(results: Results, state: Floats) -> float:
    x, draw = _differences(results, state), state[-1]
    if draw <= 0:
        return -math.inf
    won, lost = results.wins + results.draws, results.losses + results.draws
    either = results.draws.sum() * (2 * draw + math.log(-math.expm1(-2 * draw)))
    return float(np.sum(won * log_expit(x - draw) + lost * log_expit(-x - draw)) + either)


def _differences(results: Results, state: Floats) -> Floats:
    """Return White's theta less Black's plus the advantage (2, m) [nat]."""
    lead = state[results.i] - state[results.j]
    return np.asarray(np.stack([lead, -lead]) + state[-2])


def _newton_step(results: Results, state: Floats, information: Laplacian, free: bool) -> Floats:
    """Return the step (n + 2,) to where the quadratic that fits here is highest."""
    x, draw = _differences(results, state), state[-1]
    won, lost = results.wins + results.draws, results.losses + results.draws
    no_win, no_loss = expit(draw - x), expit(draw + x)
    slope = won * no_win - lost * no_loss
    bend_won, bend_lost = won * no_win * (1 - no_win), lost * no_loss * (1 - no_loss)
    bend, skew = bend_won + bend_lost, bend_lost - bend_won
    try:
        information.factorise(bend.sum(axis=0))
    except ArithmeticError as error:
        raise NotConverged("Bayeselo has no maximum: the results need a larger prior") from error
    right = results.totals(slope[0] - slope[1], -1)
    if not free:
        return np.append(information.solve(right), [0.0, 0.0])
    draws = results.draws.sum()
    border = np.stack([results.totals(v[0] - v[1], -1) for v in (bend, skew)], axis=1)
    corner = np.array([[bend.sum(), skew.sum()], [skew.sum(), bend.sum()]])
    corner[1, 1] += 4 * draws * math.exp(-2 * draw) / math.expm1(-2 * draw) ** 2
    ends = np.array([slope.sum(), -np.sum(won * no_win + lost * no_loss)])
    ends[1] -= 2 * draws / math.expm1(-2 * draw)
    solved = information.solve(np.c_[right, border])
    corner -= border.T @ solved[:, 1:]
    ends -= border.T @ solved[:, 0]
    try:
        two = np.linalg.solve(corner, ends)
    except np.linalg.LinAlgError as error:
        raise NotConverged("Bayeselo cannot tell White's advantage and draws from these") from error
    return np.append(solved[:, 0] - solved[:, 1:] @ two, two)


def interval(results: Results, fit: Fit, player: int, confidence: float = 0.95) -> Floats:
    """Return how far (2,) [Elo, usual scale] a rating may lie above and below, from its likelihood.

    The others keep their differences and move so that the mean stays: Bayeselo's `exactdist`.
    `results` are those of the fit.
    """
    mine = (results.i == player) | (results.j == player)
    own = replace(
        results,
        **{name: getattr(results, name)[..., mine] for name in ("i", "j", *_COUNTS)},
    )
    steps = (np.arange(CELLS) + 0.5) / CELLS * 2 * REACH - REACH
    state = np.r_[fit.theta, theta_from_elo(np.array([fit.chances.advantage, fit.chances.draw]))]
    moves = np.full(len(state), -1.0 / (results.n - 1))
    moves[player], moves[-2:] = 1.0, 0.0
    logs = np.array([_log_likelihood(own, state + t * moves) for t in theta_from_elo(steps)])
    below = np.cumsum(np.exp(logs - logs.max()))
    ends = np.interp([(1 + confidence) / 2, (1 - confidence) / 2], below / below[-1], steps)
    half_a_cell = REACH / CELLS
    return np.asarray(fit.chances.scale * (np.array([1.0, -1.0]) * (ends + half_a_cell)))


_COUNTS = ("wins", "draws", "losses")


def rate_part(games: Games, parameters: Parameters) -> tuple[Fit, Ints, float]:
    """Return the fit of the largest part that even games link, who they are, and where 0 is [Elo].

    Where nothing is most probable, as in a few games without an upset, White's advantage and the
    draws are taken as the program has them. Raises what `fit` raises.
    """
    inside, who = largest_part(games.even())
    results = results_of(inside)
    given = results.with_prior(parameters.prior)
    try:
        found = fit(given)
    except NotConverged:
        found = fit(given, Chances())
    mean = np.average(found.rating, weights=results.totals(results.games))
    return found, who, float(parameters.mean - mean)


def rate(games: Games, parameters: Parameters) -> Rated:
    """Return the same rating for all years of a player; games at odds are left out.

    Who is not linked to the largest part has no rating. Raises what `fit` raises.
    """
    found, who, level = rate_part(games, parameters)
    careers = careers_of(games)
    rating = careers.throughout(who, level + found.rating)
    return Rated(
        careers,
        rating,
        careers.throughout(who, found.deviation()),
        Expected(rating, found.chances),
        fitted={"White's advantage": found.chances.advantage, "draw Elo": found.chances.draw},
    )


BAYESELO = System(
    "bayeselo",
    "Bayeselo",
    "Rémi Coulom",
    2005,
    "one rating for all years",
    Parameters(),
    rate,
    uses=("colours", "draws"),
)
