"""A condensed network in; by how much any two player-years may differ, those in gaps too, out.

In a gap theta lies on the straight line between the years at its ends, but for what the steps on
the way may have been: a walk of `k` steps that ends where it should, a Brownian bridge, whose
covariance of two years is r u (1 - v), r being the variance of the whole way and u <= v the parts
of it that they have behind them.
"""

from __future__ import annotations

import numpy as np

from edo.fitting.factor import Ints
from edo.inference.condensed import Condensed
from edo.network import ResultsNetwork
from edo.scale import Floats


class Lines:
    """Where each player-year of a network stands between two with results."""

    def __init__(self, network: ResultsNetwork, condensed: Condensed) -> None:
        played = network.games > 0
        self._covariance = condensed.covariance
        self._before = np.cumsum(played) - 1  # the condensed number: of itself if it has results
        self._after = self._before + ~played
        begin, end = condensed.node[self._before], condensed.node[self._after]
        self._part = (np.arange(len(played)) - begin) / np.maximum(end - begin, 1)
        links = condensed.links
        gap = np.flatnonzero(links.span > 1)
        self._loose = np.zeros(len(condensed.node))
        self._loose[links.j[gap]] = 1 / links.weights(condensed.theta)[gap]
        everyone = np.arange(len(played))
        self._variance = self._covariances(everyone, everyone)

    def variances(self, one: Ints, other: Ints) -> Floats:
        """Return the variances (m,) [nat^2] of the differences of player-years."""
        together = self._covariances(one, other)
        return np.asarray(self._variance[one] + self._variance[other] - 2 * together)

    def _covariances(self, one: Ints, other: Ints) -> Floats:
        """Return covariances (m,) [nat^2] of theta, in the gauge of the condensed network."""
        s, u, v = self._covariance, self._part[one], self._part[other]
        a, b, c, d = self._before[one], self._after[one], self._before[other], self._after[other]
        on_lines = (1 - u) * ((1 - v) * s[a, c] + v * s[a, d]) + u * (
            (1 - v) * s[b, c] + v * s[b, d]
        )
        bridge = self._loose[a] * np.minimum(u, v) * (1 - np.maximum(u, v))
        return np.asarray(on_lines + np.where(a == c, bridge, 0.0))
