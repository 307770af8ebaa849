"""EloStat: one rating a player for all his years, from his opponents' mean rating.

A player's rating is the mean of his opponents' ratings, game by game, plus the difference at which
Elo's formula expects his score. The fixed point of that for all players is found here by solving
the linear equations instead of by iteration, which oscillates where there are two players.

Source: Coulom, Bayesian Elo Rating (2010), who reimplements EloStat next to his own method and
shows its tables.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from edo.core.scale import elo_from_theta, expected_score
from edo.rating.fit.laplacian import Laplacian
from edo.systems.bayeselo import Results, results_of
from edo.systems.games import Floats, Games, largest_part
from edo.systems.player_years import player_years_of
from edo.systems.system import Rated, System, logistic, mean_parameter, parameter

NORMAL_95 = 1.95996  # standard deviations to each side in a 95 % interval
_COULOM = "Coulom, Bayesian Elo Rating"


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of EloStat."""

    most: float = parameter(
        600.0, "Elo", "the difference that 100 % of the points are worth", _COULOM
    )
    mean: float = mean_parameter()


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """EloStat's columns (n,): ratings [Elo] of mean 0 over games, and each player's results.

    `above`, `below` [Elo] reach to the ends of the 95 % interval; they are 0 where all games had
    the same result. `games`; `score` and `draws` per game; `opposition` [Elo], the opponents' mean.
    """

    rating: Floats
    above: Floats
    below: Floats
    games: Floats
    score: Floats
    opposition: Floats
    draws: Floats


def tabulate(results: Results, most: float = 600.0) -> Table:
    """Return EloStat's table of connected results; it ignores colours."""
    games = results.totals(results.games)
    drawn = results.totals(results.draws.sum(axis=0)) / games
    lead = (results.wins[0] - results.losses[0] + results.losses[1] - results.wins[1]) / 2
    score = results.totals(lead, -1) / games + 0.5
    gain = _difference(score, most)
    rating = _fixed_point(results, games, gain)
    deviation = np.sqrt(_variance(score, drawn) / games)
    ends = [_difference(score + k * NORMAL_95 * deviation, most) - gain for k in (1, -1)]
    played = results.games
    opposition = (
        np.bincount(results.i, played * rating[results.j], results.n)
        + np.bincount(results.j, played * rating[results.i], results.n)
    ) / games
    return Table(rating, ends[0], -ends[1], games, score, opposition, drawn)


def _difference(score: Floats, most: float) -> Floats:
    """Return the differences (n,) [Elo] of scores per game, no larger than `most`."""
    least = expected_score(-most)
    bounded = np.clip(score, least, 1 - least)
    return elo_from_theta(np.log(bounded / (1 - bounded)))


def _variance(score: Floats, drawn: Floats) -> Floats:
    """Return the variance (n,) of a player's results about their mean, per game."""
    wins = score - drawn / 2
    return np.maximum(wins + drawn / 4 - score**2, 0.0)


def _fixed_point(results: Results, games: Floats, gain: Floats) -> Floats:
    """Return ratings (n,) [Elo] that are the opponents' mean plus the gain, up to a constant.

    The constant is the mean of the gains, which need not cancel out over all games.
    """
    network = Laplacian(results.n, results.i, results.j, ground=int(games.argmax()))
    network.factorise(results.games)
    rating = network.solve(games * (gain - np.average(gain, weights=games)))
    return np.asarray(rating - np.average(rating, weights=games))


def rate(games: Games, parameters: Parameters) -> Rated:
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


ELOSTAT = System(
    "elostat", "EloStat", "Frank Schubert, as imitated by Rémi Coulom", 2005,
    "one rating for all years", Parameters(), rate,
)  # fmt: skip
