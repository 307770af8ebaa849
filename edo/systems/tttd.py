"""Games in; the ratings of TrueSkill Through Time with a draw margin per player and year out.

Source: Dangauthier, Herbrich, Minka & Graepel, TrueSkill Through Time: Revisiting the History of
Chess (2007), section 3.3. The paper does not print the margins' parameters that it found.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import ndtr

from edo.systems import ttt
from edo.systems.careers import Careers, careers_of
from edo.systems.chains import Chains, Normal, chains_of
from edo.systems.games import Floats, Games, Ints
from edo.systems.own_margins import Known, Propagation
from edo.systems.propagation import Outcomes, Play, outcomes_of
from edo.systems.system import Rated, System, parameter

_OURS = "chosen here by the log evidence of this history"


@dataclass(frozen=True, slots=True)
class Parameters(ttt.Parameters):
    """The parameters of TTT and those of the margins, whose mean is the margin of TTT."""

    margin_spread: float = parameter(
        120.0, "points of skill", "standard deviation of a new player's draw margin", _OURS,
        tried=(60.0, 120.0, 180.0),
    )  # fmt: skip
    margin_drift: float = parameter(
        40.0, "points of skill", "standard deviation of a year's change of the margin", _OURS,
        tried=(10.0, 20.0, 40.0, 60.0),
    )  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Skills:
    """What is known of skills [points of skill above the mean of new players] and margins."""

    careers: Careers
    play: Play
    known: Known


@dataclass(frozen=True, slots=True, eq=False)
class OwnMargins:
    """Expects a score from what is known of skills and margins; colours change nothing here."""

    skill: Normal
    margin: Normal
    noise: float

    def __call__(self, first: Ints, second: Ints, colour: Floats, /) -> Floats:
        """Return the expected scores per game (m,) for any colours."""
        return np.asarray((1 + self.wins(first, second) - self.wins(second, first)) / 2)

    def wins(self, first: Ints, second: Ints) -> Floats:
        """Return the probability (m,) that the first surpasses the second by his margin."""
        skill, margin = self.skill, self.margin
        variance = skill.variance[first] + skill.variance[second] + margin.variance[second]
        ahead = skill.mean[first] - skill.mean[second] - margin.mean[second]
        return np.asarray(ndtr(ahead / np.sqrt(variance + self.noise)))


def skills(games: Games, parameters: Parameters) -> Skills:
    """Return skills and margins of all player-years; raises NotConverged. Odds do not count."""
    games = games.even()
    careers, play = careers_of(games), parameters.play
    skill = _chains(careers, 0.0, parameters.spread, parameters.drift)
    margin = _chains(careers, play.margin, parameters.margin_spread, parameters.margin_drift)
    known = Propagation(outcomes_of(games, careers.sides(games)), skill, margin, play).run()
    # All margins are above 0 whatever is played: that is given, not evidence.
    given = Propagation(Outcomes.none(), skill, margin, play).run().log_evidence
    return Skills(careers, play, replace(known, log_evidence=known.log_evidence - given))


def _chains(careers: Careers, mean: float, spread: float, drift: float) -> Chains:
    first = Normal(np.full(1, mean), np.full(1, spread**2))
    return chains_of(careers.start, first, drift**2)


def rate(games: Games, parameters: Parameters) -> Rated:
    """Return the ratings; raises NotConverged.

    A margin is worth half as much as skill in a score against an equal: who holds more draws loses
    less. So a rating is that of a player with the usual margin who scores as well.
    """
    found = skills(games, parameters)
    skill, margin, play = found.known.skill, found.known.margin, found.play
    worth = skill.mean + (margin.mean - play.margin) / 2
    return Rated(
        found.careers,
        parameters.mean + play.elo * worth,
        play.elo * np.sqrt(skill.variance + margin.variance / 4),
        OwnMargins(skill, margin, play.noise),
        found.known.log_evidence,
    )


TTT_D = System(
    "ttt-d", "TTT-D",
    "Pierre Dangauthier, Ralf Herbrich, Tom Minka, Thore Graepel", 2007, "all at once",
    Parameters(), rate, is_slow=True, uses=("draws",),
)  # fmt: skip
