"""Games in; the ratings of TrueSkill Through Time, smoothed forwards and backwards, out.

Source: Dangauthier, Herbrich, Minka & Graepel, TrueSkill Through Time: Revisiting the History of
Chess (2007). Skills are on the paper's scale; ratings on Elo's, see `Play.elo`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from edo.systems.careers import Careers, careers_of
from edo.systems.chains import Normal, chains_of
from edo.systems.games import Games
from edo.systems.propagation import Belief, Gaussian, Play, margin_of, outcomes_of, propagate
from edo.systems.system import Rated, System, parameter

_PAPER = "Dangauthier, Herbrich, Minka & Graepel 2007, section 4"


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of the paper, which only matter by their ratios.

    Therefore the contest leaves the performance as it is and varies the other two.
    """

    performance: float = parameter(
        480.0, "points of skill", "standard deviation of a performance about the skill", _PAPER
    )
    drift: float = parameter(
        60.0, "points of skill", "standard deviation of a year's change of the skill", _PAPER,
        tried=(15.0, 30.0, 60.0, 90.0, 120.0),
    )  # fmt: skip
    mean: float = parameter(1200.0, "points of skill", "mean of a new player's skill", _PAPER)
    spread: float = parameter(
        400.0, "points of skill", "standard deviation of a new player's skill", _PAPER,
        tried=(200.0, 250.0, 300.0, 400.0, 550.0),
    )  # fmt: skip
    draws: float = parameter(0.303, "", "share of games that equals draw", _PAPER)

    @property
    def play(self) -> Play:
        """Return how games come out."""
        return Play(self.performance, margin_of(self.draws, self.performance))


@dataclass(frozen=True, slots=True, eq=False)
class Skills:
    """What is known of the skills [points of skill above the mean of new players]."""

    careers: Careers
    play: Play
    belief: Belief


def skills(games: Games, parameters: Parameters) -> Skills:
    """Return the skills of all player-years; raises NotConverged. Games at odds do not count."""
    games = games.even()
    careers, play = careers_of(games), parameters.play
    first = Normal(np.zeros(1), np.full(1, parameters.spread**2))
    chains = chains_of(careers.start, first, parameters.drift**2)
    return Skills(careers, play, propagate(outcomes_of(games, careers.sides(games)), chains, play))


def rated(found: Skills, parameters: Parameters) -> Rated:
    """Return the ratings that follow from skills; a new player's is the mean of the prior."""
    nodes, play = found.belief.nodes, found.play
    return Rated(
        found.careers,
        parameters.mean + play.elo * nodes.mean,
        play.elo * np.sqrt(nodes.variance),
        Gaussian(nodes, play),
        found.belief.log_evidence,
    )


def rate(games: Games, parameters: Parameters) -> Rated:
    """Return the ratings; raises NotConverged."""
    return rated(skills(games, parameters), parameters)


TTT = System(
    "ttt", "TTT", "Pierre Dangauthier, Ralf Herbrich, Tom Minka, Thore Graepel",
    2007, "all at once", Parameters(), rate, uses=("draws",),
)  # fmt: skip
