"""TrueSkill: ratings at the end of each year from earlier games only.

The games of one event, whose order is seldom known, are weighed together (the paper's remedy for
the first weakness of TrueSkill); events follow each other in the given order. With one game an
event this is TrueSkill itself. The drift is added at the turn of a year.

Sources: Herbrich, Minka & Graepel, TrueSkill: A Bayesian Skill Rating System (2007);
Dangauthier, Herbrich, Minka & Graepel, TrueSkill Through Time (2007), section 3.1.
"""

from __future__ import annotations

import numpy as np

from edo.systems.expectation_propagation import Normal, chains_of, outcomes_of, propagate
from edo.systems.games import Games, Ints
from edo.systems.player_years import PlayerYears, player_years_of
from edo.systems.system import Rated, System
from edo.systems.ttt import Parameters, Skills, rated

_UNKNOWN = -1  # the player-year of somebody who has not played yet


def skills(games: Games, parameters: Parameters) -> Skills:
    """Return the skills at the end of each year; raises NotConverged. Odds do not count."""
    games = games.without_odds()
    player_years, play = player_years_of(games), parameters.play
    ends = Normal(*np.full((2, len(player_years.year)), np.nan))
    last = np.full(len(games.players), _UNKNOWN)
    log_evidence, sweeps = 0.0, 0
    for rows in games.by_event():
        players, side = np.unique([games.first[rows], games.second[rows]], return_inverse=True)
        nodes = player_years.nodes(players, games.year[rows.start : rows.start + 1])
        before = _drifted(player_years, ends, last[players], nodes, parameters)
        alone = chains_of(np.arange(len(players) + 1), before, drift=0.0)
        after = propagate(outcomes_of(games, side.reshape(2, -1), rows), alone, play)
        ends.mean[nodes], ends.variance[nodes] = after.nodes
        last[players] = nodes
        log_evidence, sweeps = log_evidence + after.log_evidence, sweeps + after.sweeps
    carried = _carried(player_years, ends, parameters)
    return Skills(player_years, play, carried, log_evidence, sweeps)


def _drifted(
    player_years: PlayerYears, ends: Normal, last: Ints, nodes: Ints, parameters: Parameters
) -> Normal:
    """Return the skills at player-years (m,) of players who last played at others."""
    years = player_years.year[nodes] - player_years.year[last]
    new = last == _UNKNOWN
    variance = ends.variance[last] + parameters.drift**2 * years
    return Normal(
        np.where(new, 0.0, ends.mean[last]), np.where(new, parameters.spread**2, variance)
    )


def _carried(player_years: PlayerYears, ends: Normal, parameters: Parameters) -> Normal:
    """Return the skills of all player-years, those without games included."""
    nodes = np.arange(len(player_years.year))
    last = np.maximum.accumulate(np.where(np.isnan(ends.mean), 0, nodes))
    return _drifted(player_years, ends, last, nodes, parameters)


def rate(games: Games, parameters: Parameters) -> Rated:
    """Return the ratings; raises NotConverged."""
    return rated(skills(games, parameters), parameters)


TRUESKILL = System(
    "trueskill", "TrueSkill", "Ralf Herbrich, Tom Minka, Thore Graepel", 2007,
    "forwards", Parameters(), rate, uses=("draws",),
)  # fmt: skip
