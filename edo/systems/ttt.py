"""TrueSkill, and TrueSkill Through Time with one draw margin (TTT) or one per player-year (TTT-D).

Sources: Herbrich, Minka & Graepel, TrueSkill: A Bayesian Skill Rating System (2007);
Dangauthier, Herbrich, Minka & Graepel, TrueSkill Through Time: Revisiting the History of Chess
(2007). Skills are on the latter's scale; ratings on Elo's, see `Play.elo`. That paper (section
3.3) does not print the parameters of the margins that it found.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from edo.core.scale import Floats, Ints
from edo.rating.games import Games
from edo.systems.base import Rated, System, parameter
from edo.systems.expectation_propagation import (
    CommonMargin,
    Normal,
    Outcomes,
    OwnMargins,
    Play,
    chains_of,
    margin_of,
    outcomes_of,
)
from edo.systems.player_years import PlayerYears, player_years_of

_PAPER = "Dangauthier, Herbrich, Minka & Graepel 2007, section 4"
_OURS = "chosen here by the log evidence of this history"
_UNKNOWN = -1  # the player-year of somebody who has not played yet


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of the paper, of which only the ratios matter.

    Therefore the contest leaves the performance as it is and varies the other two.
    """

    performance: float = parameter(
        480.0, "points of skill", "standard deviation of a performance about the skill", _PAPER
    )
    drift: float = parameter(
        60.0, "points of skill", "standard deviation of a year's change of the skill", _PAPER,
        tried=(30.0, 60.0, 90.0),
    )  # fmt: skip
    mean: float = parameter(1200.0, "points of skill", "mean of a new player's skill", _PAPER)
    spread: float = parameter(
        400.0, "points of skill", "standard deviation of a new player's skill", _PAPER,
        tried=(200.0, 300.0, 400.0),
    )  # fmt: skip
    draws: float = parameter(0.303, "", "share of games that equals draw", _PAPER)

    @property
    def play(self) -> Play:
        """Return the outcome model."""
        return Play(self.performance, margin_of(self.draws, self.performance))


@dataclass(frozen=True, slots=True)
class MarginParameters(Parameters):
    """The parameters of TTT and those of the margins, whose mean is the margin of TTT."""

    margin_spread: float = parameter(
        120.0, "points of skill", "standard deviation of a new player's draw margin", _OURS,
        tried=(60.0, 120.0, 180.0),
    )  # fmt: skip
    margin_drift: float = parameter(
        40.0, "points of skill", "standard deviation of a year's change of the margin", _OURS,
        tried=(10.0, 40.0),
    )  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Skills:
    """Distributions of skills (k,) [points of skill above the mean of new players] and margins.

    `margin` (k,) [points of skill] is the draw margin of each player-year; one for all is certain.
    """

    player_years: PlayerYears
    play: Play
    skill: Normal
    log_evidence: float
    sweeps: int
    margin: Normal


@dataclass(frozen=True, slots=True, eq=False)
class MarginExpectation:
    """Expected scores from distributions of skills and margins; colours make no difference."""

    skill: Normal
    margin: Normal
    noise: float

    def __call__(self, first: Ints, second: Ints, colour: Floats, /) -> Floats:
        """Return the expected scores per game (m,) for any colours."""
        return np.asarray((1 + self.wins(first, second) - self.wins(second, first)) / 2)

    def wins(self, first: Ints, second: Ints) -> Floats:
        """Return the probability (m,) that the first exceeds the second by the latter's margin."""
        skill, margin = self.skill, self.margin
        variance = skill.variance[first] + skill.variance[second] + margin.variance[second]
        ahead = skill.mean[first] - skill.mean[second] - margin.mean[second]
        return np.asarray(ndtr(ahead / np.sqrt(variance + self.noise)))


def skills(games: Games, parameters: Parameters) -> Skills:
    """Return the skills of all player-years; raises NotConverged. Games at odds do not count."""
    games = games.without_odds()
    player_years, play = player_years_of(games), parameters.play
    prior = Normal(np.zeros(1), np.full(1, parameters.spread**2))
    chains = chains_of(player_years.start, prior, parameters.drift**2)
    marginals = CommonMargin(outcomes_of(games, player_years.sides(games)), chains, play).run()
    return Skills(player_years, play, *marginals, _common_margin(player_years, play))


def _common_margin(player_years: PlayerYears, play: Play) -> Normal:
    k = len(player_years.year)
    return Normal(np.full(k, play.margin), np.zeros(k))


def skills_forwards(games: Games, parameters: Parameters) -> Skills:
    """Return TrueSkill's skills at the end of each year, which know earlier games only.

    The games of one event, whose order is seldom known, are weighed together (section 3.1 of TTT,
    on the first weakness of TrueSkill); events follow each other in the given order. With one game
    an event this is TrueSkill itself. The drift is added at the turn of a year.
    Raises NotConverged. Games at odds do not count.
    """
    games = games.without_odds()
    player_years, play = player_years_of(games), parameters.play
    year_ends = Normal(*np.full((2, len(player_years.year)), np.nan))
    last_node = np.full(len(games.players), _UNKNOWN)
    log_evidence, sweeps = 0.0, 0
    for rows in games.turns():
        events = games.where(rows)
        sides = [events.first, events.second]
        players, row, side = np.unique(sides, return_index=True, return_inverse=True)
        nodes = player_years.nodes(players, np.tile(events.year, 2)[row])
        priors = _drifted(player_years, year_ends, last_node[players], nodes, parameters)
        alone = chains_of(np.arange(len(players) + 1), priors, drift=0.0)
        outcomes = outcomes_of(events, side.reshape(2, -1))
        marginals = CommonMargin(outcomes, alone, play).run(np.tile(events.event, 2)[row])
        year_ends.mean[nodes], year_ends.variance[nodes] = marginals.nodes
        last_node[players] = nodes
        log_evidence, sweeps = log_evidence + marginals.log_evidence, sweeps + marginals.sweeps
    every = np.arange(len(player_years.year))
    latest = np.maximum.accumulate(np.where(np.isnan(year_ends.mean), 0, every))
    carried = _drifted(player_years, year_ends, latest, every, parameters)
    margin = _common_margin(player_years, play)
    return Skills(player_years, play, carried, log_evidence, sweeps, margin)


def _drifted(
    player_years: PlayerYears,
    year_ends: Normal,
    last_node: Ints,
    nodes: Ints,
    parameters: Parameters,
) -> Normal:
    """Return the skills at player-years (m,) of players who last played at others."""
    years = player_years.year[nodes] - player_years.year[last_node]
    is_new = last_node == _UNKNOWN
    variance = year_ends.variance[last_node] + parameters.drift**2 * years
    return Normal(
        np.where(is_new, 0.0, year_ends.mean[last_node]),
        np.where(is_new, parameters.spread**2, variance),
    )


def skills_and_margins(games: Games, parameters: MarginParameters) -> Skills:
    """Return skills and margins of all player-years; raises NotConverged. Odds do not count."""
    games = games.without_odds()
    player_years, play = player_years_of(games), parameters.play
    start, players = player_years.start, len(games.players)
    mean, variance = [0.0, play.margin], [parameters.spread**2, parameters.margin_spread**2]
    chains = chains_of(
        np.concatenate([start, start[1:] + start[-1]]),
        Normal(np.repeat(mean, players), np.repeat(variance, players)),
        np.repeat([parameters.drift**2, parameters.margin_drift**2], players),
    )
    marginals = OwnMargins(outcomes_of(games, player_years.sides(games)), chains, play).run()
    # That all margins are above 0 is an assumption, not evidence.
    assumed = OwnMargins(Outcomes.none(), chains, play).run()
    log_evidence = marginals.log_evidence - assumed.log_evidence
    n = len(player_years.year)
    skill, margin = marginals.nodes.at(slice(0, n)), marginals.nodes.at(slice(n, None))
    return Skills(player_years, play, skill, log_evidence, marginals.sweeps, margin)


def rated(fitted: Skills, parameters: Parameters) -> Rated:
    """Return the ratings that follow from skills; a new player's is the mean of the prior.

    Half a margin is worth as much as skill in a score against an equal: who holds more draws loses
    less. So a rating is that of a player with the usual margin who scores as well.
    """
    skill, margin, play = fitted.skill, fitted.margin, fitted.play
    worth = skill.mean + (margin.mean - play.margin) / 2
    expected = MarginExpectation(skill, margin, play.noise)
    return Rated(
        fitted.player_years,
        parameters.mean + play.elo * worth,
        play.elo * np.sqrt(skill.variance + margin.variance / 4),
        expected,
        fitted.log_evidence,
        predictive=expected,
    )


def rate(games: Games, parameters: Parameters) -> Rated:
    """Return the ratings; raises NotConverged."""
    return rated(skills(games, parameters), parameters)


def rate_forwards(games: Games, parameters: Parameters) -> Rated:
    """Return the ratings by TrueSkill; raises NotConverged."""
    return rated(skills_forwards(games, parameters), parameters)


def rate_with_margins(games: Games, parameters: MarginParameters) -> Rated:
    """Return the ratings by TTT-D; raises NotConverged."""
    return rated(skills_and_margins(games, parameters), parameters)


TRUESKILL = System(
    "trueskill", "TrueSkill", "Ralf Herbrich, Tom Minka, Thore Graepel", 2007,
    "forwards", Parameters(), rate_forwards, uses=("draws",),
)  # fmt: skip
_AUTHORS = "Pierre Dangauthier, Ralf Herbrich, Tom Minka, Thore Graepel"
TTT = System("ttt", "TTT", _AUTHORS, 2007, "all at once", Parameters(), rate, uses=("draws",))
TTT_D = System(
    "ttt-d", "TTT-D", _AUTHORS, 2007, "all at once", MarginParameters(), rate_with_margins,
    is_slow=True, uses=("draws",),
)  # fmt: skip
