"""Games in; one rating a player for all his years, by Bradley and Terry, out.

The floor under all systems: nobody changes. Only games at even play are known to it, and only the
largest part of the players is rated in which everybody scored, in a chain, against everybody.

Source: Bradley, Terry, Rank analysis of incomplete block designs, Biometrika 39 (1952); Zermelo,
Math. Z. 29 (1929); Ford, Am. Math. Monthly 64 (1957), on when there is a maximum.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from edo.core.problems import DisconnectedNetwork
from edo.core.scale import elo_from_theta
from edo.rating.fit import bradley_terry
from edo.rating.fit.bradley_terry import Comparisons
from edo.rating.network import largest_strong_part
from edo.systems.careers import careers_of
from edo.systems.classic import Logistic
from edo.systems.games import Games, Ints
from edo.systems.system import Rated, System, parameter


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameter of the model, which only sets the level."""

    mean: float = parameter(
        2500.0, "Elo", "mean over all games, by which alone the level is set", "our convention"
    )


def rate(games: Games, parameters: Parameters) -> Rated:
    """Return one rating for all years of each player who can be rated, NaN for the others.

    Raises DisconnectedNetwork where no two players can, NotConverged where the fit fails.
    """
    careers, even = careers_of(games), games.even()
    who = strong_part(even)
    if len(who) < 2:
        raise DisconnectedNetwork(
            "no two players have points from each other; add results in which both scored"
        )
    number = np.full(len(games.players), -1)
    number[who] = np.arange(len(who))
    inside = even.where((number[even.first] >= 0) & (number[even.second] >= 0))
    i, j = number[inside.first], number[inside.second]
    found = bradley_terry.fit(Comparisons(len(who), i, j, inside.score, inside.count))
    theta = found.theta
    level = np.sum(inside.count * (theta[i] + theta[j])) / (2 * inside.count.sum())
    rating = careers.throughout(who, elo_from_theta(theta - level) + parameters.mean)
    deviation = careers.throughout(who, elo_from_theta(np.sqrt(found.variances())))
    return Rated(careers, rating, deviation, Logistic(rating))


def strong_part(games: Games) -> Ints:
    """Return the most players of whom each scored, in a chain of games, against each other."""
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
