"""Whole-History Rating: strengths that change from year to year as a random walk.

Over t years a player's strength changes by a normal step of variance t w^2. In his first year he
also won and lost `prior` virtual games each against an opponent of strength 0. Coulom climbs to the
maximum player by player; here all players take Newton's step together, to the same maximum. As
published, the deviation of a player-year takes the opponents' strengths as known: it comes from the
player's own tridiagonal block of the information, not from the inverse of the whole.

Source: Coulom, Whole-History Rating: a Bayesian rating system for players of time-varying
strength, Computers and Games (2008).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from edo.core.problems import DisconnectedNetwork
from edo.core.scale import elo_from_theta, theta_from_elo
from edo.systems.base import Rated, System, logistic, parameter
from edo.systems.games import Floats, Games
from edo.systems.penalised_fit import NOBODY, Posterior, Prior, Rows
from edo.systems.player_years import PlayerYears, player_years_of

_COULOM = "Coulom, Whole-History Rating (2008)"


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of Whole-History Rating."""

    w2: float = parameter(
        300.0, "Elo² a year", "variance of the change of strength in a year",
        "the default of the programs after Coulom, whose time step is a day",
        tried=(150.0, 300.0, 600.0, 1200.0, 2400.0),
    )  # fmt: skip
    prior: float = parameter(
        1.0, "games", "virtual ones won, and as many lost, against 0 in the first year", _COULOM,
        tried=(0.5, 1.0, 2.0, 4.0, 8.0),
    )  # fmt: skip


def rate(games: Games, parameters: Parameters) -> Rated:
    """Return the ratings of everybody with games.

    Raises DisconnectedNetwork where there are no games, NotConverged where the fit fails.
    """
    if not len(games.first):
        raise DisconnectedNetwork("there are no games to rate; add results")
    player_years = player_years_of(games)
    posterior, prior = random_walk(games, player_years, parameters)
    found = posterior.fit(prior)
    rating = elo_from_theta(found.u)
    deviation = elo_from_theta(np.sqrt(posterior.own_variances(found, prior)))
    return Rated(player_years, rating, deviation, logistic(rating))


def random_walk(
    games: Games, player_years: PlayerYears, parameters: Parameters
) -> tuple[Posterior, Prior]:
    """Return the log posterior of games and virtual games, and the prior of the steps."""
    start = player_years.start
    first = start[:-1][np.diff(start) > 0]
    i, j = player_years.sides(games)

    def with_virtual(of_games: Floats, of_virtual: float) -> Floats:
        return np.concatenate([of_games, np.full(len(first), of_virtual)])

    rows = Rows(
        i=np.r_[i, first],
        j=np.r_[j, np.full(len(first), NOBODY)],
        score=with_virtual(games.score, parameters.prior),
        games=with_virtual(games.count, 2 * parameters.prior),
        odds=with_virtual(theta_from_elo(games.odds), 0.0),
        shared=np.zeros((len(i) + len(first), 0)),
        weight=np.ones(len(i) + len(first)),
    )
    step = float(theta_from_elo(np.sqrt(np.array(parameters.w2))))
    prior = Prior(math.inf, step, np.zeros((len(player_years.year), 0)), np.zeros((0, 0)))
    return Posterior(player_years, rows), prior


WHR = System(
    "whr", "Whole-History Rating", "Rémi Coulom", 2008, "all at once",
    Parameters(), rate, uses=("odds",),
)  # fmt: skip
