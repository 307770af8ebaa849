"""Bayeselo and EloStat: one rating a player for all his years.

Bayeselo estimates White's advantage and the frequency of draws. With theta the ratings, a White's
advantage and d the draw elo, all in natural log-odds, White wins with probability s(x - d) and
Black with s(-x - d), where x is White's theta less Black's plus a and s the logistic function; the
rest, (e^2d - 1) s(x - d) s(-x - d), is a draw. A draw thus counts like a win of each, and the
log-likelihood is concave in theta, a and d together.

In EloStat a player's rating is the mean of his opponents' ratings, game by game, plus the
difference at which Elo's formula expects his score. The fixed point of that for all players is
found here by solving the linear equations instead of by iteration, which oscillates where there
are two players.

Sources: Rao, Kupper, Ties in paired-comparison experiments, J. Am. Stat. Assoc. 62 (1967);
Coulom, Bayesian Elo Rating (2010), who also imitates EloStat and shows its tables; Hunter, MM
algorithms for generalized Bradley-Terry models, Ann. Statist. 32 (2004), whose iteration finds the
same maximum as Newton's method here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.special import expit, log_expit

from edo.core.problems import NotConverged
from edo.core.scale import Floats, Ints, elo_from_theta, expected_score, theta_from_elo
from edo.rating.fit.laplacian import Laplacian
from edo.rating.fit.newton import backtrack
from edo.rating.games import Games, largest_part
from edo.systems.base import (
    ByDifference,
    Rated,
    System,
    by_colour,
    logistic,
    mean_parameter,
    parameter,
)
from edo.systems.player_years import player_years_of

WBEC_ADVANTAGE, WBEC_DRAW = 32.8, 97.3  # [Elo] Coulom, of 29,610 games of computers
TOLERANCE = 1e-9  # [nat] of the last step
MAX_STEPS = 60  # of Newton's method; 7 on the history of November 2026
NORMAL_95 = 1.95996  # standard deviations to each side in a 95 % interval
STUCK = "Bayeselo found no better ratings along the step; allow a larger tolerance"
_COULOM = "Coulom, Bayesian Elo Rating"


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of Bayeselo; White's advantage and the draw elo are estimated."""

    prior: float = parameter(
        2.0, "draws", "virtual, a half of them each player's own, among his opponents", _COULOM,
        tried=(1.0, 2.0, 4.0, 8.0, 16.0),
    )  # fmt: skip
    mean: float = mean_parameter()


@dataclass(frozen=True, slots=True)
class OutcomeModel:
    """Probabilities of win, draw and loss: `advantage` of White, `draw` elo (at least 0) [Elo].

    Differences are those of the model; on the usual scale they are `scale` times as large.
    """

    advantage: float = WBEC_ADVANTAGE
    draw: float = WBEC_DRAW

    @property
    def scale(self) -> float:
        """Return how steep the expected score is at even strength, 1 being Elo's logistic."""
        half = theta_from_elo(np.array(self.draw)) / 2
        return float(1 / np.cosh(half) ** 2)

    def probabilities(self, difference: Floats) -> tuple[Floats, Floats, Floats]:
        """Return win, draw and loss of White, any shape, at White's rating less Black's [Elo]."""
        x, draw = theta_from_elo(difference + self.advantage), theta_from_elo(np.array(self.draw))
        win, loss = np.asarray(expit(x - draw)), np.asarray(expit(-x - draw))
        return win, np.expm1(2 * draw) * win * loss, loss

    def score(self, difference: Floats) -> Floats:
        """Return White's expected score, any shape, at White's rating less Black's [Elo]."""
        win, _, loss = self.probabilities(difference)
        return (1 + win - loss) / 2

    def expected_score(self, difference: Floats, colour: Floats) -> Floats:
        """Return expected scores (m,) at differences [Elo, usual scale] and colours."""
        difference = difference / self.scale
        return by_colour(colour, self.score(difference), 1 - self.score(-difference))


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
        per_game = 1 / self.totals(games)
        draws = prior / 4 * games * (per_game[self.i] + per_game[self.j])
        return replace(self, draws=self.draws + draws)


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """The maximum: ratings `theta` (n,) [nat] of mean 0, and the `information` there."""

    theta: Floats
    model: OutcomeModel
    information: Laplacian
    steps: int

    @property
    def rating(self) -> Floats:
        """Return the ratings (n,) [Elo] of mean 0 on the usual scale."""
        return self.model.scale * elo_from_theta(self.theta)

    def deviation(self) -> Floats:
        """Return the standard errors (n,) [Elo] of `rating`, given the advantage and draw elo."""
        variance = self.information.inverse_diagonal()
        return self.model.scale * elo_from_theta(np.sqrt(variance))


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


def fit(results: Results, model: OutcomeModel | None = None) -> Fit:
    """Return the most probable ratings; `results` include the prior's draws and are connected.

    Without a `model` White's advantage and the draw elo are estimated too.

    Raises NotConverged where the maximum does not exist or was not reached.
    """
    games = results.totals(results.games)
    information = Laplacian(results.n, results.i, results.j, ground=int(games.argmax()))
    start = model or OutcomeModel()
    state = np.r_[np.zeros(results.n), theta_from_elo(np.array([start.advantage, start.draw]))]
    objective = partial(_log_likelihood, results)
    value = objective(state)
    for steps in range(1, MAX_STEPS + 1):
        step = _newton_step(results, state, information, free=model is None)
        state, value = backtrack(objective, state, value, step, STUCK)
        if np.abs(step).max() <= TOLERANCE:
            theta, (advantage, draw) = state[:-2] - state[:-2].mean(), elo_from_theta(state[-2:])
            estimated = OutcomeModel(float(advantage), float(draw))
            return Fit(theta, model or estimated, information, steps)
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
    """Return Newton's step (n + 2,)."""
    x, draw = _differences(results, state), state[-1]
    won, lost = results.wins + results.draws, results.losses + results.draws
    no_win, no_loss = expit(draw - x), expit(draw + x)
    slope = won * no_win - lost * no_loss
    of_won, of_lost = won * no_win * (1 - no_win), lost * no_loss * (1 - no_loss)
    curvature, mixed = of_won + of_lost, of_lost - of_won
    try:
        information.factorise(curvature.sum(axis=0))
    except ArithmeticError as error:
        raise NotConverged("Bayeselo has no maximum: the results need a larger prior") from error
    right = results.totals(slope[0] - slope[1], -1)
    if not free:
        return np.append(information.solve(right), [0.0, 0.0])
    draws = results.draws.sum()
    border = np.stack([results.totals(v[0] - v[1], -1) for v in (curvature, mixed)], axis=1)
    diagonal, off_diagonal = curvature.sum(), mixed.sum()
    corner = np.array([[diagonal, off_diagonal], [off_diagonal, diagonal]])
    corner[1, 1] += 4 * draws * math.exp(-2 * draw) / math.expm1(-2 * draw) ** 2
    ends = np.array([slope.sum(), -np.sum(won * no_win + lost * no_loss)])
    ends[1] -= 2 * draws / math.expm1(-2 * draw)
    solved = information.solve(np.c_[right, border])
    corner -= border.T @ solved[:, 1:]
    ends -= border.T @ solved[:, 0]
    try:
        effects = np.linalg.solve(corner, ends)
    except np.linalg.LinAlgError as error:
        raise NotConverged("Bayeselo cannot tell White's advantage and draws from these") from error
    return np.append(solved[:, 0] - solved[:, 1:] @ effects, effects)


def rate(games: Games, parameters: Parameters) -> Rated:
    """Return the same rating for all years of a player; games at odds are left out.

    Players outside the largest connected group have no rating. Where there is no maximum, as in a
    few games without an upset, the program's own advantage and draw elo are used. Raises what `fit`
    raises.
    """
    inside, players = largest_part(games.without_odds())
    results = results_of(inside)
    with_prior = results.with_prior(parameters.prior)
    try:
        fitted = fit(with_prior)
    except NotConverged:
        fitted = fit(with_prior, OutcomeModel())
    mean = np.average(fitted.rating, weights=results.totals(results.games))
    player_years, model = player_years_of(games), fitted.model
    rating = player_years.in_all_years(players, float(parameters.mean - mean) + fitted.rating)
    return Rated(
        player_years,
        rating,
        player_years.in_all_years(players, fitted.deviation()),
        ByDifference(rating, model.expected_score),
        fitted={"White's advantage": model.advantage, "draw Elo": model.draw},
    )


@dataclass(frozen=True, slots=True)
class EloStat:
    """The parameters of EloStat."""

    most: float = parameter(
        600.0, "Elo", "the difference that 100 % of the points are worth", _COULOM
    )
    mean: float = mean_parameter()


class EloStatTable(NamedTuple):
    """EloStat's ratings (n,) [Elo] of mean 0 over games, with 95 % intervals.

    `above`, `below` [Elo] reach to their ends; they are 0 where all games had the same result.
    """

    rating: Floats
    above: Floats
    below: Floats


def tabulate(results: Results, most: float = 600.0) -> EloStatTable:
    """Return EloStat's table of connected results; it ignores colours."""
    games = results.totals(results.games)
    drawn = results.totals(results.draws.sum(axis=0)) / games
    lead = (results.wins[0] - results.losses[0] + results.losses[1] - results.wins[1]) / 2
    score = results.totals(lead, -1) / games + 0.5
    gain = _difference(score, most)
    network = Laplacian(results.n, results.i, results.j, ground=int(games.argmax()))
    network.factorise(results.games)
    # The mean of the gains is taken off, as they need not cancel out over all games.
    rating = network.solve(games * (gain - np.average(gain, weights=games)))
    wins = score - drawn / 2
    deviation = np.sqrt(np.maximum(wins + drawn / 4 - score**2, 0.0) / games)
    ends = [_difference(score + k * NORMAL_95 * deviation, most) - gain for k in (1, -1)]
    return EloStatTable(rating - np.average(rating, weights=games), ends[0], -ends[1])


def _difference(score: Floats, most: float) -> Floats:
    """Return the differences (n,) [Elo] of scores per game, no larger than `most`."""
    least = expected_score(-most)
    bounded = np.clip(score, least, 1 - least)
    return elo_from_theta(np.log(bounded / (1 - bounded)))


def rate_elostat(games: Games, parameters: EloStat) -> Rated:
    """Return the same rating for all years of a player; games at odds are left out.

    Players outside the largest connected group have no rating. Players whose games all had the
    same result have no deviation, which EloStat would give as 0.
    """
    inside, who = largest_part(games.without_odds())
    table = tabulate(results_of(inside), parameters.most)
    player_years = player_years_of(games)
    spread = (table.above + table.below) / (2 * NORMAL_95)
    rating = player_years.in_all_years(who, parameters.mean + table.rating)
    deviation = player_years.in_all_years(who, np.where(spread > 0, spread, np.nan))
    return Rated(player_years, rating, deviation, logistic(rating))


BAYESELO = System(
    "bayeselo", "Bayeselo", "Rémi Coulom", 2005, "one rating for all years",
    Parameters(), rate, uses=("colours", "draws"),
)  # fmt: skip
ELOSTAT = System(
    "elostat", "EloStat", "Frank Schubert, as imitated by Rémi Coulom", 2005,
    "one rating for all years", EloStat(), rate_elostat,
)  # fmt: skip
