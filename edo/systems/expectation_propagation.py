"""Expectation propagation: skills of player-years from won and drawn games.

A player's performance in a game is normally distributed about his skill; the better one wins if
the difference exceeds the draw margin. Each game sends each of its players a Gaussian message,
chosen so that the mean and variance of the player's skill are those of the exact distribution
given all other messages. All messages are updated in parallel, as games of one year have no order,
with damping, until the marginals stop changing; now and then they are extrapolated. Sums over the
years of a player are exact (Kalman filter and smoother), for all players at once.

Sources: Minka, A Family of Algorithms for Approximate Bayesian Inference (2001); Herbrich, Minka &
Graepel, TrueSkill: A Bayesian Skill Rating System (2007); Dangauthier, Herbrich, Minka & Graepel,
TrueSkill Through Time (2007), section 3.3 of which is about draw margins of each player's own;
Walker & Ni, Anderson Acceleration for Fixed-Point Iterations, SIAM J. Numer. Anal. 49 (2011).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import log_ndtr, ndtr, ndtri, owens_t

from edo.core.problems import NotConverged
from edo.core.scale import ELO_PER_NAT, Bools, Floats, Ints
from edo.rating.games import Games

TOLERANCE = 0.2  # [Elo] error allowed in the mean or standard deviation of a marginal
MAX_SWEEPS = 5000  # TTT takes 49 on the history of November 2026
# sweeps from one extrapolation to the next, and moves that it goes by; with one at every second
# or third sweep messages kept swinging
EVERY, REMEMBERED = 12, 8
MIXED = 0.7  # of the move that is left where the extrapolation leads: at 1 some messages swing
_SLOWEST = 0.9999  # ratio of successive changes above which they are not shrinking
_FASTEST = 0.98  # ratio assumed at least, since the slowest changes show last
ROUNDING = 1e-12  # relative, of moves that are all but combinations of others
_LOG_ROOT = 0.5 * math.log(2 * math.pi)
_TINY = 1e-300
_SIGNS = np.array([[1.0], [-1.0]])  # of the players' skills in the difference
_OWN_SIGNS = np.array([[1.0], [-1.0], [-1.0]])  # the winner's skill, the loser's, his margin


class Normal(NamedTuple):
    """Independent normal distributions, by `mean` and `variance` (any one shape)."""

    mean: Floats
    variance: Floats

    def at(self, nodes: Ints | slice) -> Normal:
        """Return the distributions of some nodes."""
        return Normal(self.mean[nodes], self.variance[nodes])


class Messages(NamedTuple):
    """Gaussian messages exp(shift x - precision x^2 / 2); both fields of one shape."""

    precision: Floats
    shift: Floats


class Derivatives(NamedTuple):
    """A log probability (m,) [nat] as a function of a mean t: value, slope, negative curvature.

    The slope is v and the curvature, between 0 and 1, is w in the papers on TrueSkill.
    """

    log_mass: Floats
    slope: Floats
    curvature: Floats


def positive(t: Floats) -> Derivatives:
    """Return the log probability of x > 0 for x ~ N(t, 1), t (m,)."""
    log_mass = np.asarray(log_ndtr(t))
    slope = np.exp(_log_density(t) - log_mass)
    return Derivatives(log_mass, slope, slope * (slope + t))


def within(t: Floats, margin: Floats) -> Derivatives:
    """Return the log probability of |x| <= margin for x ~ N(t, 1), both (m,)."""
    distance = np.abs(t)  # by symmetry; on this side the tails lose no digits
    upper, lower = margin - distance, -margin - distance
    log_upper = np.asarray(log_ndtr(upper))
    log_mass = log_upper + np.log1p(-np.exp(log_ndtr(lower) - log_upper))
    at_upper, at_lower = (np.exp(_log_density(x) - log_mass) for x in (upper, lower))
    slope = at_lower - at_upper
    curvature = slope**2 + upper * at_upper - lower * at_lower
    return Derivatives(log_mass, np.where(t < 0, -slope, slope), curvature)


class JointDerivatives(NamedTuple):
    """As `Derivatives`, for two correlated variables.

    Slopes (2, m) and curvatures (2, m) are by the mean of each, `mixed` (m,) by both.
    """

    log_mass: Floats
    slope: Floats
    curvature: Floats
    mixed: Floats


def both_positive(t: Floats, correlation: Floats, complement: Floats) -> JointDerivatives:
    """Return the log probability of x > 0 and y > 0 for unit variances and means t (2, m).

    `complement` (m,) is 1 - correlation^2, which would lose its digits if it were computed from
    a correlation near 1. Source: Owen, Tables for Computing Bivariate Normal Probabilities (1956).
    """
    t = np.where(t == 0, _TINY, t)  # Owen's formula divides by it
    other, root = t[::-1], np.sqrt(complement)
    owen = owens_t(t, (other / t - correlation) / root)
    mass = (0.5 * ndtr(t) - owen).sum(axis=0) - 0.5 * (t[0] * t[1] < 0)
    log_mass = np.log(np.maximum(mass, _TINY))  # the difference above may round to 0 or below
    slope = np.exp(_log_density(t) + log_ndtr((other - correlation * t) / root) - log_mass)
    square = (t[0] ** 2 - 2 * correlation * t[0] * t[1] + t[1] ** 2) / complement
    mixed_density = np.exp(-0.5 * square - 2 * _LOG_ROOT - log_mass) / root
    curvature = slope**2 + t * slope + correlation * mixed_density
    return JointDerivatives(log_mass, slope, curvature, slope[0] * slope[1] - mixed_density)


def _log_density(x: Floats) -> Floats:
    return -0.5 * x**2 - _LOG_ROOT


def log_integral(prior: Normal, messages: Messages) -> Floats:
    """Return the log of the integral of prior times message, elementwise [nat].

    Written without differences of large numbers, as a mean may be far from 0.
    """
    (mean, variance), (precision, shift) = prior, messages
    gain = 1 + variance * precision
    exponent = mean * shift - 0.5 * precision * mean**2 + 0.5 * variance * shift**2
    return (exponent / gain) - 0.5 * np.log(gain)


def messages_to(cavity: Normal, slope: Floats, curvature: Floats) -> Messages:
    """Return the messages by which cavity distributions get the exact moments, all of one shape.

    `slope` is that of the outcome's log probability by the cavity's mean, `curvature` its negative
    second derivative.
    """
    share = 1 - cavity.variance * curvature
    return Messages(curvature / share, (slope + curvature * cavity.mean) / share)


def summed(nodes: Ints, weights: Floats, n: int) -> Floats:
    """Return the sums (n,) of the weights of each of n nodes."""
    # bincount of nothing returns integers
    return np.bincount(nodes, weights=weights, minlength=n).astype(np.float64, copy=False)


@dataclass(frozen=True, slots=True, eq=False)
class Chains:
    """Random walks of nodes, numbered chain by chain.

    `first` (n_chains,) is the prior of each chain's first node, `drift` (n_chains,) the variance
    that a step adds. `order` lists the nodes step by step, and within a step by falling length of
    the chain, so that the nodes of the next step continue the first ones of this step; `ends`
    bounds the steps.
    """

    first: Normal
    drift: Floats
    order: Ints
    ends: Ints

    def posterior(self, messages: Messages) -> Normal:
        """Return the marginal of each node (k,) under messages (k,)."""
        messages = Messages(*(x[self.order] for x in messages))
        earlier, later = self._forwards(messages), self._backwards(messages)
        total = 1 / earlier.variance + messages.precision + later.precision
        mean = (earlier.mean / earlier.variance + messages.shift + later.shift) / total
        place = np.empty_like(self.order)
        place[self.order] = np.arange(len(place))
        return Normal(mean[place], (1 / total)[place])

    def log_integral(self, messages: Messages) -> float:
        """Return the log of the integral of the chains times messages (k,) [nat]."""
        messages = Messages(*(x[self.order] for x in messages))
        return float(log_integral(self._forwards(messages), messages).sum())

    def _steps(self) -> list[slice]:
        return list(map(slice, self.ends[:-1].tolist(), self.ends[1:].tolist()))

    def _forwards(self, messages: Messages) -> Normal:
        """Return the distribution of each node given the messages to earlier ones."""
        distributions = Normal(*(np.empty_like(x) for x in messages))
        mean, variance = self.first
        for step in self._steps():
            size = step.stop - step.start
            mean, variance = mean[:size], variance[:size]
            distributions.mean[step], distributions.variance[step] = mean, variance
            gain = 1 + variance * messages.precision[step]
            mean = (mean + variance * messages.shift[step]) / gain
            variance = variance / gain + self.drift[:size]
        return distributions

    def _backwards(self, messages: Messages) -> Messages:
        """Return the message to each node from later ones."""
        from_later = Messages(*(np.zeros_like(x) for x in messages))
        steps = self._steps()
        for step, later in zip(steps[-2::-1], steps[:0:-1], strict=True):
            size = later.stop - later.start
            precision, shift = (
                x[later] + y[later] for x, y in zip(messages, from_later, strict=True)
            )
            to = slice(step.start, step.start + size)
            loss = 1 + self.drift[:size] * precision
            from_later.precision[to], from_later.shift[to] = precision / loss, shift / loss
        return from_later


def chains_of(start: Ints, first: Normal, drift: Floats | float) -> Chains:
    """Return chains whose nodes `start` (n_chains + 1,) bounds; those without nodes are left out.

    `first` and `drift` have a value for each chain or one for all of them.
    """
    length = np.diff(start)
    step = np.arange(start[-1]) - np.repeat(start[:-1], length)
    order = np.lexsort((np.repeat(-length, length), step))
    longest = np.argsort(-length, kind="stable")[: np.count_nonzero(length)]
    ends = np.concatenate([[0], np.cumsum(np.bincount(step))]).astype(np.int64)
    mean, variance, added = (np.broadcast_to(x, length.shape)[longest] for x in (*first, drift))
    return Chains(Normal(mean, variance), added, order.astype(np.int64), ends)


@dataclass(frozen=True, slots=True)
class Play:
    """The outcome model: standard deviation of a `performance` in one game, and the draw `margin`.

    Both are on the skill's own scale, which is free.
    """

    performance: float
    margin: float

    @property
    def noise(self) -> float:
        """Return the variance of the difference of two performances given the skills."""
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
    """The (m,) games by outcome: `nodes` (2, m) are winner and loser, or the two who drew.

    `count` (m,) is the number of games between the two nodes with that outcome, in no order.
    """

    nodes: Ints
    count: Floats
    drawn: Bools

    @classmethod
    def none(cls) -> Outcomes:
        """Return no games."""
        return cls(np.zeros((2, 0), np.int64), np.zeros(0), np.zeros(0, np.bool_))

    def where(self, mask: Bools) -> Outcomes:
        """Return the outcomes of a mask (m,)."""
        return Outcomes(self.nodes[:, mask], self.count[mask], self.drawn[mask])


def outcomes_of(games: Games, nodes: Ints) -> Outcomes:
    """Return the outcomes of games; `nodes` (2, m) are the players in that year."""
    first, second = nodes
    low, high = np.minimum(first, second), np.maximum(first, second)
    count = np.concatenate([games.wins, games.losses, games.draws])
    keys = np.stack([np.concatenate([first, second, low]), np.concatenate([second, first, high]),
                     np.repeat([0, 0, 1], len(first))])  # fmt: skip
    keys, count = keys[:, count > 0], count[count > 0]
    order = np.lexsort(keys[::-1])
    keys = keys[:, order]
    is_new = np.any(np.diff(keys, axis=1, prepend=-1), axis=0)
    return Outcomes(
        keys[:2, is_new], summed(np.cumsum(is_new) - 1, count[order], 0), keys[2, is_new] == 1
    )


class Marginals(NamedTuple):
    """The result: the distribution of each node, the log evidence of all games [nat], `sweeps`."""

    nodes: Normal
    log_evidence: float
    sweeps: int


class Damping:
    """Step towards the new messages: shorter while changes grow, longer again afterwards, last 0.

    Each part of a graph has its own; `part` (k,) numbers that of each node.
    """

    def __init__(self, elo: float, part: Ints) -> None:
        self._elo, self._nodes = elo, np.argsort(part, kind="stable")
        parts, self.part = np.unique(part, return_inverse=True)
        self._starts = np.searchsorted(part[self._nodes], parts)
        self.step, self._change = np.ones(len(parts)), np.full(len(parts), math.inf)

    def has_converged(self, old: Normal, new: Normal) -> bool:
        """Whether all marginals are within the tolerance of their limit, extrapolating changes."""
        spread, goes_on = np.sqrt(new.variance) - np.sqrt(old.variance), self.step > 0
        changes = np.maximum(np.abs(new.mean - old.mean), np.abs(spread))[self._nodes]
        change = np.maximum.reduceat(np.append(changes, 0.0), self._starts)
        change *= self._elo / np.where(goes_on, self.step, 1.0)
        last_change = np.where(self._change > 0, self._change, math.inf)
        ratio, self._change = np.minimum(change / last_change, _SLOWEST), change
        # Shorter steps stop an oscillation; longer ones, up to whole messages, save sweeps.
        shorter, longer = np.maximum(self.step * 0.7, 0.1), np.minimum(self.step * 1.1, 1.0)
        goes_on &= ~(change / (1 - np.maximum(ratio, _FASTEST)) < TOLERANCE)  # not where it is NaN
        self.step = np.where(goes_on, np.where(ratio == _SLOWEST, shorter, longer), 0.0)
        return not goes_on.any()

    def failure(self) -> NotConverged:
        """Return the error of a propagation that takes too long."""
        return NotConverged(
            f"expectation propagation still moves a rating by {self._change.max():.3g} points after"
            f" {MAX_SWEEPS} sweeps; narrow the prior or let skills drift less"
        )


class Acceleration:
    """Anderson's extrapolation of messages to where the last moves say that they stop.

    Plain sweeps lose a few percent of the way each, as news goes from player to player.
    """

    def __init__(self) -> None:
        self._places: deque[Floats] = deque(maxlen=REMEMBERED + 1)
        self._moves: deque[Floats] = deque(maxlen=REMEMBERED + 1)

    def learn(self, messages: Messages, new: Messages) -> None:
        """Take in messages, and the new ones that a sweep makes of them."""
        self._places.append(np.stack(messages))
        self._moves.append(np.stack(new) - self._places[-1])

    def jump(self, marginals: Normal, totals: Callable[[Messages], Messages]) -> Messages:
        """Return the combination of the last messages whose move would be least.

        Moves are compared by what they are to the nodes, in units of their `marginals`.
        """
        unit = np.stack([marginals.variance, np.sqrt(marginals.variance)])
        moves = [(unit * totals(Messages(*move))).ravel() for move in self._moves]
        bends = np.diff(moves, axis=0)
        shares, *_ = np.linalg.lstsq(bends @ bends.T, bends @ moves[-1], rcond=ROUNDING)
        places = zip(self._places, self._moves, strict=True)
        steps = [place + MIXED * move for place, move in places]
        jumped = steps[-1] - np.tensordot(shares, np.diff(steps, axis=0), 1)
        return Messages(np.maximum(jumped[0], 0.0), jumped[1])  # no game makes anybody less certain


class Propagation(ABC):
    """A factor graph of chains and games; subclasses know what each outcome says.

    Edge e sends `copies[e]` equal messages to the node `nodes[e]`, both (n_edges,).
    """

    def __init__(self, chains: Chains, nodes: Ints, copies: Floats, elo: float) -> None:
        self._chains, self._nodes, self._copies, self._elo = chains, nodes, copies, elo
        # A game takes back its own message only: part of one if a soft result is less than a game.
        self._own = np.minimum(copies, 1.0)

    @abstractmethod
    def updates(self, cavity: Normal) -> tuple[Messages, float]:
        """Return new messages given cavities (n_edges,), and the log probability of all games."""

    def run(self, part: Ints | None = None) -> Marginals:
        """Return the marginals of all nodes, by default one `part` (k,); raises NotConverged.

        Several parts are not extrapolated, as each would need a combination of its own.
        """
        messages = Messages(*np.zeros((2, len(self._nodes))))
        marginals = self._chains.posterior(self._totals(messages))
        damping = Damping(self._elo, np.zeros_like(self._chains.order) if part is None else part)
        part_of_edge, acceleration = damping.part[self._nodes], Acceleration()
        for sweep in range(1, MAX_SWEEPS + 1):
            new, _ = self.updates(self._cavity(marginals, messages))
            if part is None:
                acceleration.learn(messages, new)
                if sweep % EVERY == 0:
                    jumped = acceleration.jump(marginals, self._totals)
                    after = self._chains.posterior(self._totals(jumped))
                    # a jump too far would leave a player less than nothing without one game
                    if np.all(self._cavity(after, jumped).variance > 0):
                        messages, marginals = jumped, after
                        continue
            step = damping.step[part_of_edge]
            messages = Messages(*(x + step * (y - x) for x, y in zip(messages, new, strict=True)))
            last_marginals, marginals = marginals, self._chains.posterior(self._totals(messages))
            if damping.has_converged(last_marginals, marginals):
                return Marginals(marginals, self._log_evidence(marginals, messages), sweep)
        raise damping.failure()

    def _totals(self, messages: Messages) -> Messages:
        """Return the product of all messages to each node."""
        n = len(self._chains.order)
        return Messages(*(summed(self._nodes, x * self._copies, n) for x in messages))

    def _cavity(self, marginals: Normal, messages: Messages) -> Normal:
        """Return the cavity distributions: marginals divided by one message of each edge."""
        mean, variance = marginals.at(self._nodes)
        precision = 1 / variance - messages.precision * self._own
        return Normal((mean / variance - messages.shift * self._own) / precision, 1 / precision)

    def _log_evidence(self, marginals: Normal, messages: Messages) -> float:
        cavity = self._cavity(marginals, messages)
        new, log_mass = self.updates(cavity)
        scale = log_mass - log_integral(cavity, new) @ self._copies
        return float(scale + self._chains.log_integral(self._totals(messages)))


class CommonMargin(Propagation):
    """Games whose draw margin is the same for all players."""

    def __init__(self, outcomes: Outcomes, chains: Chains, play: Play) -> None:
        won, drawn = outcomes.where(~outcomes.drawn), outcomes.where(outcomes.drawn)
        self._count, self._won = np.concatenate([won.count, drawn.count]), len(won.count)
        nodes, self._play = np.hstack([won.nodes, drawn.nodes]), play
        super().__init__(chains, nodes.ravel(), np.tile(self._count, 2), play.elo)

    def updates(self, cavity: Normal) -> tuple[Messages, float]:
        """Return new messages given cavities (2 m,), and the log probability of all games."""
        sides, n_won = Normal(*(x.reshape(2, -1) for x in cavity)), self._won
        total = sides.variance.sum(axis=0) + self._play.noise
        spread = np.sqrt(total)
        t, margin = (sides.mean[0] - sides.mean[1]) / spread, self._play.margin / spread
        by_outcome = positive(t[:n_won] - margin[:n_won]), within(t[n_won:], margin[n_won:])
        derivatives = Derivatives(*map(np.concatenate, zip(*by_outcome, strict=True)))
        new = messages_to(sides, _SIGNS * derivatives.slope / spread, derivatives.curvature / total)
        messages = Messages(*(x.ravel() for x in new))
        return messages, float(derivatives.log_mass @ self._count)


class OwnMargins(Propagation):
    """Games between nodes with a skill and a margin each.

    To win, a performance must exceed the opponent's by more than the opponent's margin: a margin
    is the ability to hold a draw. A draw therefore says two things at once: neither performance
    exceeded the other by too much. The paper weighs the two one after the other; here they are
    weighed jointly and exactly, because otherwise the log evidence of a draw is several percent
    too large.

    The chains hold n nodes of skills and then n of margins; `play` gives performance and scale
    only, not its common margin. Edges are those of won games (3, m), of drawn ones (4, m), to two
    skills and two margins, and one that keeps each margin above 0 (n,).
    """

    def __init__(self, outcomes: Outcomes, chains: Chains, play: Play) -> None:
        won, drawn = outcomes.where(~outcomes.drawn), outcomes.where(outcomes.drawn)
        n = len(chains.order) // 2
        nodes = np.concatenate([
            *won.nodes, won.nodes[1] + n, *drawn.nodes, *(drawn.nodes + n), np.arange(n, 2 * n)
        ])  # fmt: skip
        copies = np.concatenate([np.tile(won.count, 3), np.tile(drawn.count, 4), np.ones(n)])
        super().__init__(chains, nodes, copies, play.elo)
        self._won, self._drawn, self._noise = won.count, drawn.count, play.noise

    def updates(self, cavity: Normal) -> tuple[Messages, float]:
        """Return new messages given cavities (n_edges,), and the log probability of all games."""
        ends = np.cumsum([3 * len(self._won), 4 * len(self._drawn)])
        won, drawn, margins = zip(*(np.split(x, ends) for x in cavity), strict=True)
        parts = (
            _won(Normal(*(x.reshape(3, -1) for x in won)), self._noise),
            _drawn(Normal(*(x.reshape(4, -1) for x in drawn)), self._noise),
            _above_zero(Normal(*margins)),
        )
        precision, shift = (
            np.concatenate([messages[k].ravel() for messages, _ in parts]) for k in (0, 1)
        )
        log_mass = parts[0][1] @ self._won + parts[1][1] @ self._drawn + parts[2][1].sum()
        return Messages(precision, shift), float(log_mass)


def _won(cavity: Normal, noise: float) -> tuple[Messages, Floats]:
    """Return the messages of won games (3, m), and their log probabilities (m,)."""
    total = cavity.variance.sum(axis=0) + noise
    spread = np.sqrt(total)
    derivatives = positive((_OWN_SIGNS * cavity.mean).sum(axis=0) / spread)
    messages = messages_to(
        cavity, _OWN_SIGNS * derivatives.slope / spread, derivatives.curvature / total
    )
    return messages, derivatives.log_mass


def _drawn(cavity: Normal, noise: float) -> tuple[Messages, Floats]:
    """Return the messages of draws (4, m), and their log probabilities (m,)."""
    mean, variance = cavity
    ahead, apart = mean[0] - mean[1], variance[0] + variance[1] + noise
    # How far the first is from losing and the second: one plus, the other minus the difference.
    total = apart + variance[2:]
    spread = np.sqrt(total)
    product = spread[0] * spread[1]
    complement = (apart * variance[2:].sum(axis=0) + variance[2] * variance[3]) / product**2
    spare = np.stack([ahead + mean[2], mean[3] - ahead])
    derivatives = both_positive(spare / spread, -apart / product, complement)
    slope, curvature = derivatives.slope / spread, derivatives.curvature / total
    by_difference = slope[0] - slope[1]
    of_difference = curvature.sum(axis=0) - 2 * derivatives.mixed / product
    messages = messages_to(
        cavity,
        np.stack([by_difference, -by_difference, *slope]),
        np.stack([of_difference, of_difference, *curvature]),
    )
    return messages, derivatives.log_mass


def _above_zero(cavity: Normal) -> tuple[Messages, Floats]:
    """Return the messages that keep margins (n,) above 0, and the log probabilities (n,)."""
    spread = np.sqrt(cavity.variance)
    derivatives = positive(cavity.mean / spread)
    messages = messages_to(
        cavity, derivatives.slope / spread, derivatives.curvature / cavity.variance
    )
    return messages, derivatives.log_mass
