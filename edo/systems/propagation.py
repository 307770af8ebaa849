"""Won and drawn games between nodes in; by expectation propagation, what is known of nodes out.

A player's performance in a game is normal about his skill; who is better by more than a margin
wins. Every game sends each of its players one normal message, such that mean and variance of
a player are those of his true distribution if all other messages are believed. All messages are
sent at once and again and again, until nothing changes: games of one year have no order.

Sources: Minka, A Family of Algorithms for Approximate Bayesian Inference (2001); Dangauthier,
Herbrich, Minka & Graepel, TrueSkill Through Time (2007).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri

from edo.core.problems import NotConverged
from edo.core.scale import ELO_PER_NAT
from edo.systems import truncated
from edo.systems.chains import Chains, Normal, log_integral
from edo.systems.games import Bools, Floats, Games, Ints
from edo.systems.truncated import Bend

TOLERANCE = 0.05  # [Elo] that a mean or a deviation may be from its end
MOST_SWEEPS = 5000
_SLOWEST = 0.9999  # by which changes shrink from one sweep to the next; more is no shrinking
_FASTEST = 0.98  # they will not shrink faster for long, as what is slow shows last
_SIGNS = np.array([[1.0], [-1.0]])  # with which the players' skills count in a game


@dataclass(frozen=True, slots=True)
class Play:
    """How games come out: the `performance` spread of a player in one game, the draw `margin`.

    Both are on the skill's own scale, which is free.
    """

    performance: float
    margin: float

    @property
    def noise(self) -> float:
        """Return the variance of a game's difference about that of the skills."""
        return 2 * self.performance**2

    @property
    def elo(self) -> float:
        """Return how many points [Elo] a point of skill is worth between equals.

        There the expected score must rise as steeply as on Elo's logistic curve.
        """
        spread = math.sqrt(self.noise)
        steepness = math.exp(-0.5 * (self.margin / spread) ** 2) / math.sqrt(2 * math.pi) / spread
        return 4 * ELO_PER_NAT * steepness


def margin_of(share: float, performance: float) -> float:
    """Return the draw margin at which equals draw a share of their games, at least 0, below 1."""
    return float(ndtri((1 + share) / 2)) * math.sqrt(2) * performance


@dataclass(frozen=True, slots=True, eq=False)
class Outcomes:
    """The (m,) games by outcome: `nodes` (2, m) are winner and loser, or both who drew.

    `count` (m,) says how many games of the two nodes came out so, in no order.
    """

    nodes: Ints
    count: Floats
    drawn: Bools

    @property
    def share(self) -> Floats:
        """Return how many of the `count` messages a game itself has sent, less than one if soft."""
        return np.minimum(self.count, 1.0)

    @classmethod
    def none(cls) -> Outcomes:
        """Return no games."""
        return cls(np.zeros((2, 0), np.int64), np.zeros(0), np.zeros(0, np.bool_))

    def where(self, mask: Bools) -> Outcomes:
        """Return the outcomes of a mask (m,)."""
        return Outcomes(self.nodes[:, mask], self.count[mask], self.drawn[mask])

    def total(self, messages: Floats, n: int) -> Floats:
        """Return the sums (n,) of the messages (2, m) that each of n nodes gets."""
        return summed(self.nodes.ravel(), (messages * self.count).ravel(), n)


def summed(nodes: Ints, weights: Floats, n: int) -> Floats:
    """Return the sums (n,) of the weights of each of n nodes."""
    # of nothing bincount makes integers
    return np.bincount(nodes, weights=weights, minlength=n).astype(np.float64, copy=False)


def outcomes_of(games: Games, nodes: Ints, rows: slice = slice(None)) -> Outcomes:
    """Return the outcomes of rows of games; `nodes` (2, m) are the players in that year."""
    first, second = nodes
    low, high = np.minimum(first, second), np.maximum(first, second)
    count = np.concatenate([games.wins[rows], games.losses[rows], games.draws[rows]])
    keys = np.stack([np.concatenate([first, second, low]), np.concatenate([second, first, high]),
                     np.repeat([0, 0, 1], len(first))])  # fmt: skip
    keys, count = keys[:, count > 0], count[count > 0]
    order = np.lexsort(keys[::-1])
    keys = keys[:, order]
    new = np.any(np.diff(keys, axis=1, prepend=-1), axis=0)
    return Outcomes(keys[:2, new], summed(np.cumsum(new) - 1, count[order], 0), keys[2, new] == 1)


@dataclass(frozen=True, slots=True, eq=False)
class Messages:
    """What games say of nodes: exp(shift x - precision x^2 / 2); both fields of one shape."""

    precision: Floats
    shift: Floats

    def towards(self, other: Messages, step: float) -> Messages:
        """Return messages that go part of the way to others; the whole way if `step` is 1."""
        return Messages(
            self.precision + step * (other.precision - self.precision),
            self.shift + step * (other.shift - self.shift),
        )

    def times(self, weight: Floats) -> Messages:
        """Return the messages sent so many times."""
        return Messages(self.precision * weight, self.shift * weight)


def silence(shape: tuple[int, ...]) -> Messages:
    """Return messages that say nothing."""
    return Messages(np.zeros(shape), np.zeros(shape))


def prior_of(outcomes: Outcomes, belief: Normal, said: Messages) -> Normal:
    """Return what is known (2, m) of the players of each game without what the game said."""
    there = Normal(belief.mean[outcomes.nodes], belief.variance[outcomes.nodes])
    return without(there, said.times(outcomes.share))


@dataclass(frozen=True, slots=True, eq=False)
class Belief:
    """What is known of the nodes in the end, in how many `sweeps`, and how likely all games were.

    `log_evidence` [nat].
    """

    nodes: Normal
    log_evidence: float
    sweeps: int


def without(belief: Normal, said: Messages) -> Normal:
    """Return beliefs (any shape) from which messages of that shape are taken back."""
    precision = 1 / belief.variance - said.precision
    return Normal((belief.mean / belief.variance - said.shift) / precision, 1 / precision)


def reply(prior: Normal, slope: Floats, curvature: Floats) -> Messages:
    """Return the messages of an outcome about what is known as `prior`, all of one shape.

    `slope` is that of the outcome's log probability by the prior mean, `curvature` its negative
    second derivative: then mean and variance come out as if the outcome itself were weighed.
    """
    rest = 1 - prior.variance * curvature
    return Messages(curvature / rest, (slope + curvature * prior.mean) / rest)


class Pace:
    """How far a sweep goes towards its new messages: less when changes grow, and again more."""

    def __init__(self, elo: float) -> None:
        self.step, self._elo, self._change = 1.0, elo, math.inf

    def settled(self, old: Normal, new: Normal) -> bool:
        """Whether nothing is further from its end than the tolerance, as changes have shrunk."""
        spread = np.sqrt(new.variance) - np.sqrt(old.variance)
        change = max(float(np.max(np.abs(x), initial=0.0)) for x in (new.mean - old.mean, spread))
        change *= self._elo / self.step
        ratio = min(change / self._change, _SLOWEST) if self._change else 0.0
        self.step = max(self.step * 0.7, 0.1) if ratio == _SLOWEST else min(self.step * 1.1, 1.0)
        self._change = change
        return change / (1 - max(ratio, _FASTEST)) < TOLERANCE

    def lost(self) -> NotConverged:
        """Return the error of a propagation that takes too long."""
        return NotConverged(
            f"expectation propagation still moves a rating by {self._change:.3g} points after"
            f" {MOST_SWEEPS} sweeps; narrow the prior or let skills drift less"
        )


def propagate(outcomes: Outcomes, chains: Chains, play: Play) -> Belief:
    """Return what all the games say of the nodes; raises NotConverged."""
    said = silence(outcomes.nodes.shape)
    belief = _believed(outcomes, chains, said)
    pace = Pace(play.elo)
    for sweep in range(1, MOST_SWEEPS + 1):
        new, _ = _sweep(outcomes, play, belief, said)
        said = said.towards(new, pace.step)
        last, belief = belief, _believed(outcomes, chains, said)
        if pace.settled(last, belief):
            return Belief(belief, _log_evidence(outcomes, chains, play, belief, said), sweep)
    raise pace.lost()


def _believed(outcomes: Outcomes, chains: Chains, said: Messages) -> Normal:
    return chains.posterior(*_totals(outcomes, chains, said))


def _totals(outcomes: Outcomes, chains: Chains, said: Messages) -> tuple[Floats, Floats]:
    n = len(chains.order)
    return outcomes.total(said.precision, n), outcomes.total(said.shift, n)


def _sweep(
    outcomes: Outcomes, play: Play, belief: Normal, said: Messages
) -> tuple[Messages, Floats]:
    """Return the new messages (2, m) and the log probability (m,) of a game of each outcome."""
    prior = prior_of(outcomes, belief, said)
    total = prior.variance.sum(axis=0) + play.noise
    spread = np.sqrt(total)
    t, margin = (prior.mean[0] - prior.mean[1]) / spread, play.margin / spread
    bend = _bend(t, margin, outcomes.drawn)
    return reply(prior, _SIGNS * bend.slope / spread, bend.curvature / total), bend.log_mass


def _bend(t: Floats, margin: Floats, drawn: Bools) -> Bend:
    won = truncated.positive((t - margin)[~drawn])
    even = truncated.small(t[drawn], margin[drawn])
    found = Bend(*(np.empty_like(t) for _ in range(3)))
    for column, of_won, of_even in zip(found, won, even, strict=True):
        column[~drawn], column[drawn] = of_won, of_even
    return found


def _log_evidence(
    outcomes: Outcomes, chains: Chains, play: Play, belief: Normal, said: Messages
) -> float:
    prior = prior_of(outcomes, belief, said)
    new, log_mass = _sweep(outcomes, play, belief, said)
    scale = log_mass - log_integral(prior, new.precision, new.shift).sum(axis=0)
    return float(scale @ outcomes.count) + chains.log_integral(*_totals(outcomes, chains, said))


@dataclass(frozen=True, slots=True, eq=False)
class Gaussian:
    """Expects a score from what is known of the skills; colours change nothing here."""

    skill: Normal
    play: Play

    def __call__(self, first: Ints, second: Ints, colour: Floats, /) -> Floats:
        """Return the expected scores per game (m,) for any colours."""
        mean, variance = self.skill.mean, self.skill.variance
        spread = np.sqrt(variance[first] + variance[second] + self.play.noise)
        ahead = mean[first] - mean[second]
        wins = ndtr((ahead - self.play.margin) / spread)
        losses = ndtr((-ahead - self.play.margin) / spread)
        return np.asarray((1 + wins - losses) / 2)
