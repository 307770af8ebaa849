"""The static Bradley-Terry model: one rating a player for all his years.

The baseline of all systems: nobody's strength changes. It uses games without odds only, and rates
the largest group of players in which everybody scored, through a chain of games, against everybody.

Source: Bradley, Terry, Rank analysis of incomplete block designs, Biometrika 39 (1952); Zermelo,
Math. Z. 29 (1929); Ford, Am. Math. Monthly 64 (1957), on when there is a maximum.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from edo.core.problems import DisconnectedNetwork
from edo.core.scale import Ints, elo_from_theta
from edo.rating.fit import bradley_terry
from edo.rating.fit.bradley_terry import Comparisons
from edo.rating.games import Games, among
from edo.rating.network import largest_strong_part
from edo.systems.base import Rated, System, logistic, mean_parameter
from edo.systems.player_years import player_years_of


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameter of the model, which only sets the level."""

    mean: float = mean_parameter()


def rate(games: Games, parameters: Parameters) -> Rated:
    """Return one rating for all years of each player who can be rated, NaN for the others.

    Raises DisconnectedNetwork where no two players can, NotConverged where the fit fails.
    """
    player_years, even = player_years_of(games), games.without_odds()
    who = strong_part(even)
    if len(who) < 2:
        raise DisconnectedNetwork(
            "no two players have points from each other; add results in which both scored"
        )
    inside = among(even, who)
    i, j = inside.first, inside.second
    fitted = bradley_terry.fit(Comparisons(len(who), i, j, inside.score, inside.count))
    theta = fitted.theta
    level = np.sum(inside.count * (theta[i] + theta[j])) / (2 * inside.count.sum())
    rating = player_years.in_all_years(who, elo_from_theta(theta - level) + parameters.mean)
    deviation = player_years.in_all_years(who, elo_from_theta(np.sqrt(fitted.variances())))
    return Rated(player_years, rating, deviation, logistic(rating))


def strong_part(games: Games) -> Ints:
    """Return the largest strongly connected group of players (p,), ascending."""
    n = len(games.players)
    won, lost = games.score > 0, games.score < games.count
    if not n:
        return np.zeros(0, np.int64)
    tail = np.concatenate([games.first[won], games.second[lost]])
    head = np.concatenate([games.second[won], games.first[lost]])
    return np.flatnonzero(largest_strong_part(n, tail, head))


BRADLEY_TERRY = System(
    "bradley-terry", "Bradley-Terry", "R. A. Bradley and M. E. Terry", 1952,
    "one rating for all years", Parameters(), rate,
)  # fmt: skip
