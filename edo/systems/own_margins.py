"""Won and drawn games in; what is known of each node's skill and of its own draw margin out.

To win, a performance must surpass the other's by more than the other's margin: a margin is the
ability to hold a draw. A draw so means two things at once: neither's performance surpassed the
other's by too much. The paper weighs the two one after the other; here they are weighed together,
exactly, for the log evidence would be too large by several percent of a draw's probability.

Source: Dangauthier, Herbrich, Minka & Graepel, TrueSkill Through Time (2007), section 3.3.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from edo.systems import truncated
from edo.systems.chains import Chains, Normal, log_integral
from edo.systems.games import Floats, Ints
from edo.systems.propagation import (
    MOST_SWEEPS,
    Messages,
    Outcomes,
    Pace,
    Play,
    reply,
    silence,
    summed,
    without,
)

_WON = np.array([[1.0], [-1.0], [-1.0]])  # the winner's skill, the loser's, the loser's margin


@dataclass(frozen=True, slots=True, eq=False)
class Told:
    """All messages: of games `won` (3, m), in the order of `_WON`, and `drawn` (4, m).

    A draw tells of two skills and then of two margins. `positive` (k,) keeps the margin of each
    node above 0.
    """

    won: Messages
    drawn: Messages
    positive: Messages

    def towards(self, other: Told, step: float) -> Told:
        """Return messages that go part of the way to others; the whole way if `step` is 1."""
        return Told(
            self.won.towards(other.won, step),
            self.drawn.towards(other.drawn, step),
            self.positive.towards(other.positive, step),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """What is known in the end of the skill and the margin of all nodes, in how many `sweeps`.

    `log_evidence` [nat] is that of the games and of all margins being above 0.
    """

    skill: Normal
    margin: Normal
    log_evidence: float
    sweeps: int


class Propagation:
    """The games between nodes, with the chains of the nodes' skills and of their margins."""

    def __init__(self, outcomes: Outcomes, skill: Chains, margin: Chains, play: Play) -> None:
        """Take the games; of the `play` only performance and scale, not its common margin."""
        self._won, self._drawn = outcomes.where(~outcomes.drawn), outcomes.where(outcomes.drawn)
        self._skill, self._margin, self._play = skill, margin, play
        # Skills and margins as one row of nodes: a node's margin stands n places after its skill.
        self._n = n = len(skill.order)
        self._of_won = np.concatenate([self._won.nodes, self._won.nodes[1:] + n])
        self._of_drawn = np.concatenate([self._drawn.nodes, self._drawn.nodes + n])

    def run(self) -> Known:
        """Return what all the games say of the nodes; raises NotConverged."""
        shapes = (self._of_won.shape, self._of_drawn.shape, (self._n,))
        told = Told(*map(silence, shapes))
        belief, pace = self._believed(told), Pace(self._play.elo)
        for sweep in range(1, MOST_SWEEPS + 1):
            told = told.towards(self._sweep(belief, told)[0], pace.step)
            last, belief = belief, self._believed(told)
            if pace.settled(last, belief):
                evidence = self._sweep(belief, told)[1] + self._log_chains(told)
                return Known(*self._parted(belief), evidence, sweep)
        raise pace.lost()

    def _parted(self, belief: Normal) -> tuple[Normal, Normal]:
        skill, margin = (slice(0, self._n), slice(self._n, None))
        return (Normal(belief.mean[skill], belief.variance[skill]),
                Normal(belief.mean[margin], belief.variance[margin]))  # fmt: skip

    def _believed(self, told: Told) -> Normal:
        """Return what is known of all skills and, after them, of all margins."""
        of = self._totals(told)
        skill = self._skill.posterior(of.precision[: self._n], of.shift[: self._n])
        margin = self._margin.posterior(of.precision[self._n :], of.shift[self._n :])
        return Normal(
            np.concatenate([skill.mean, margin.mean]),
            np.concatenate([skill.variance, margin.variance]),
        )

    def _log_chains(self, told: Told) -> float:
        of = self._totals(told)
        return self._skill.log_integral(
            of.precision[: self._n], of.shift[: self._n]
        ) + self._margin.log_integral(of.precision[self._n :], of.shift[self._n :])

    def _totals(self, told: Told) -> Messages:
        """Return what is told of each skill and each margin by all games."""
        margins = np.arange(self._n, 2 * self._n)
        nodes = np.concatenate([self._of_won.ravel(), self._of_drawn.ravel(), margins])

        def total(won: Floats, drawn: Floats, positive: Floats) -> Floats:
            told = ((won * self._won.count).ravel(), (drawn * self._drawn.count).ravel())
            weights = np.concatenate([*told, positive])
            return summed(nodes, weights, 2 * self._n)

        return Messages(
            total(told.won.precision, told.drawn.precision, told.positive.precision),
            total(told.won.shift, told.drawn.shift, told.positive.shift),
        )

    def _sweep(self, belief: Normal, told: Told) -> tuple[Told, float]:
        """Return all new messages, and what they are worth beyond their form [nat]."""
        of_won = _prior(belief, self._of_won, told.won.times(self._won.share))
        of_drawn = _prior(belief, self._of_drawn, told.drawn.times(self._drawn.share))
        won, won_worth = _tell_won(of_won, self._play.noise)
        drawn, drawn_worth = _tell_drawn(of_drawn, self._play.noise)
        positive, positive_worth = _tell_positive(without(self._parted(belief)[1], told.positive))
        worth = won_worth @ self._won.count + drawn_worth @ self._drawn.count
        return Told(won, drawn, positive), float(worth + positive_worth.sum())


def _prior(belief: Normal, nodes: Ints, said: Messages) -> Normal:
    return without(Normal(belief.mean[nodes], belief.variance[nodes]), said)


def _tell_won(prior: Normal, noise: float) -> tuple[Messages, Floats]:
    """Return what won games tell (3, m), and the logarithm of each one's constant (m,)."""
    total = prior.variance.sum(axis=0) + noise
    spread = np.sqrt(total)
    bend = truncated.positive((_WON * prior.mean).sum(axis=0) / spread)
    told = reply(prior, _WON * bend.slope / spread, bend.curvature / total)
    return told, bend.log_mass - _log_integrals(prior, told)


def _tell_drawn(prior: Normal, noise: float) -> tuple[Messages, Floats]:
    """Return what draws tell (4, m), and the logarithm of each one's constant (m,)."""
    mean, variance = prior.mean, prior.variance
    ahead, apart = mean[0] - mean[1], variance[0] + variance[1] + noise
    # What the first has to spare, and the second: the difference counts for one, against the other.
    total = apart + variance[2:]
    spread = np.sqrt(total)
    product = spread[0] * spread[1]
    rest = (apart * variance[2:].sum(axis=0) + variance[2] * variance[3]) / product**2
    spare = np.stack([ahead + mean[2], mean[3] - ahead])
    corner = truncated.both_positive(spare / spread, -apart / product, rest)
    slope, curvature = corner.slope / spread, corner.curvature / total
    by_difference = slope[0] - slope[1]
    of_difference = curvature.sum(axis=0) - 2 * corner.mixed / product
    told = reply(
        prior,
        np.stack([by_difference, -by_difference, *slope]),
        np.stack([of_difference, of_difference, *curvature]),
    )
    return told, corner.log_mass - _log_integrals(prior, told)


def _tell_positive(prior: Normal) -> tuple[Messages, Floats]:
    """Return what margins (k,) hear of being above 0, and the log constants (k,)."""
    spread = np.sqrt(prior.variance)
    bend = truncated.positive(prior.mean / spread)
    told = reply(prior, bend.slope / spread, bend.curvature / prior.variance)
    return told, bend.log_mass - log_integral(prior, told.precision, told.shift)


def _log_integrals(prior: Normal, said: Messages) -> Floats:
    return np.asarray(log_integral(prior, said.precision, said.shift).sum(axis=0))
