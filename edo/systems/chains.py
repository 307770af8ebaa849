"""Normal messages about each year of careers in; what the chain of the years makes of them out.

A message is exp(shift x - precision x^2 / 2) about a node; all sums over the years of a career
are exact (Kalman's filter and its counterpart backwards), for all careers at once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from edo.systems.games import Floats, Ints


@dataclass(frozen=True, slots=True, eq=False)
class Normal:
    """Independent normal distributions, by `mean` and `variance` (any one shape)."""

    mean: Floats
    variance: Floats


def log_integral(prior: Normal, precision: Floats, shift: Floats) -> Floats:
    """Return log of the integral of prior times message, elementwise [nat].

    In the form without differences of large numbers: a mean may be far from 0.
    """
    mean, variance = prior.mean, prior.variance
    gain = 1 + variance * precision
    exponent = mean * shift - 0.5 * precision * mean**2 + 0.5 * variance * shift**2
    return (exponent / gain) - 0.5 * np.log(gain)


@dataclass(frozen=True, slots=True, eq=False)
class Chains:
    """Chains of nodes, numbered chain by chain, that drift from node to node.

    `first` (n_chains,) is the prior of each chain's first node, `drift` the variance that a step
    adds. `order` lists the nodes step by step, and within a step by falling length of the chain,
    so that the nodes of the next step follow upon the first of this one; `ends` bounds the steps.
    """

    first: Normal
    drift: float
    order: Ints
    ends: Ints

    def posterior(self, precision: Floats, shift: Floats) -> Normal:
        """Return the marginal of each node (k,) under messages (k,)."""
        precision, shift = precision[self.order], shift[self.order]
        before = self._forwards(precision, shift)
        after_precision, after_shift = self._backwards(precision, shift)
        total = 1 / before.variance + precision + after_precision
        mean = (before.mean / before.variance + shift + after_shift) / total
        place = np.empty_like(self.order)
        place[self.order] = np.arange(len(place))
        return Normal(mean[place], (1 / total)[place])

    def log_integral(self, precision: Floats, shift: Floats) -> float:
        """Return log of the integral of the chains times messages (k,) [nat]."""
        precision, shift = precision[self.order], shift[self.order]
        return float(log_integral(self._forwards(precision, shift), precision, shift).sum())

    def _steps(self) -> list[slice]:
        return list(map(slice, self.ends[:-1].tolist(), self.ends[1:].tolist()))

    def _forwards(self, precision: Floats, shift: Floats) -> Normal:
        """Return what the years before say of each node."""
        mean, variance = np.empty_like(precision), np.empty_like(precision)
        now_mean, now_variance = self.first.mean, self.first.variance
        for step in self._steps():
            size = step.stop - step.start
            now_mean, now_variance = now_mean[:size], now_variance[:size]
            mean[step], variance[step] = now_mean, now_variance
            gain = 1 + now_variance * precision[step]
            now_mean = (now_mean + now_variance * shift[step]) / gain
            now_variance = now_variance / gain + self.drift
        return Normal(mean, variance)

    def _backwards(self, precision: Floats, shift: Floats) -> tuple[Floats, Floats]:
        """Return what the years after say of each node, as messages."""
        after_precision, after_shift = np.zeros_like(precision), np.zeros_like(shift)
        steps = self._steps()
        for here, later in zip(steps[-2::-1], steps[:0:-1], strict=True):
            size = later.stop - later.start
            known = precision[later] + after_precision[later]
            told = shift[later] + after_shift[later]
            to = slice(here.start, here.start + size)
            loss = 1 + self.drift * known
            after_precision[to] = known / loss
            after_shift[to] = told / loss
        return after_precision, after_shift


def chains_of(start: Ints, first: Normal, drift: float) -> Chains:
    """Return chains; `start` (n_chains + 1,) bounds their nodes, chains without nodes are let go.

    `first` has a value for each chain or one for all of them.
    """
    length = np.diff(start)
    step = np.arange(start[-1]) - np.repeat(start[:-1], length)
    order = np.lexsort((np.repeat(-length, length), step))
    kept = np.argsort(-length, kind="stable")[: np.count_nonzero(length)]
    ends = np.concatenate([[0], np.cumsum(np.bincount(step))]).astype(np.int64)
    mean, variance = (np.broadcast_to(x, length.shape)[kept] for x in (first.mean, first.variance))
    return Chains(Normal(mean, variance), drift, order.astype(np.int64), ends)
