"""Games in time order in; TrueSkill's ratings at the end of each year, from earlier games, out.

The games of one event, whose order is seldom known, are weighed together until they agree (the
paper's remedy for the first weakness of TrueSkill); events follow each other in the given order.
With one game an event this is TrueSkill itself. The drift comes in at the turn of a year.

Sources: Herbrich, Minka & Graepel, TrueSkill: A Bayesian Skill Rating System (2007);
Dangauthier, Herbrich, Minka & Graepel, TrueSkill Through Time (2007), section 3.1.
"""

from __future__ import annotations

import numpy as np

from edo.systems.careers import Careers, careers_of
from edo.systems.chains import Normal, chains_of
from edo.systems.games import Games, Ints
from edo.systems.propagation import Belief, outcomes_of, propagate
from edo.systems.system import Rated, System
from edo.systems.ttt import Parameters, Skills, rated

_UNKNOWN = -1  # the player-year of who has not played


def skills(games: Games, parameters: Parameters) -> Skills:
    """Return the skills at the end of each year; raises NotConverged. Odds do not count."""
    games = games.even()
    careers, play = careers_of(games), parameters.play
    ends = Normal(*(np.full(len(careers.year), np.nan) for _ in range(2)))
    last = np.full(len(games.players), _UNKNOWN)
    log_evidence, sweeps = 0.0, 0
    for rows in games.by_event():
        players, side = np.unique([games.first[rows], games.second[rows]], return_inverse=True)
        nodes = careers.nodes(players, games.year[rows.start : rows.start + 1])
        before = _drifted(careers, ends, last[players], nodes, parameters)
        alone = chains_of(np.arange(len(players) + 1), before, drift=0.0)
        outcomes = outcomes_of(games, side.reshape(2, -1), rows)
        after = propagate(outcomes, alone, play)
        ends.mean[nodes], ends.variance[nodes] = after.nodes.mean, after.nodes.variance
        last[players] = nodes
        log_evidence, sweeps = log_evidence + after.log_evidence, sweeps + after.sweeps
    return Skills(careers, play, Belief(_carried(careers, ends, parameters), log_evidence, sweeps))


def _drifted(
    careers: Careers, ends: Normal, last: Ints, nodes: Ints, parameters: Parameters
) -> Normal:
    """Return what is known at player-years (m,) of those who last played in others."""
    years = careers.year[nodes] - careers.year[last]
    new = last == _UNKNOWN
    variance = ends.variance[last] + parameters.drift**2 * years
    return Normal(
        np.where(new, 0.0, ends.mean[last]), np.where(new, parameters.spread**2, variance)
    )


def _carried(careers: Careers, ends: Normal, parameters: Parameters) -> Normal:
    """Return what is known of all player-years, through those without games."""
    nodes = np.arange(len(careers.year))
    last = np.maximum.accumulate(np.where(np.isnan(ends.mean), 0, nodes))
    return _drifted(careers, ends, last, nodes, parameters)


def rate(games: Games, parameters: Parameters) -> Rated:
    """Return the ratings; raises NotConverged."""
    return rated(skills(games, parameters), parameters)


TRUESKILL = System(
    "trueskill", "TrueSkill", "Ralf Herbrich, Tom Minka, Thore Graepel", 2007,
    "forwards", Parameters(), rate, uses=("draws",),
)  # fmt: skip
