"""A pass in; its network without the years of gaps, and the inverse information there, out.

In a gap nothing but self-pairings pulls, so that theta lies on a straight line and the k ties of
the chain act as one: a tie of the same games over `span` = k years, on which each year has a k-th
of the difference. All that a fit says of the years with results is kept.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from edo.core.scale import Floats
from edo.core.settings import Settings
from edo.rating.edo import Pass
from edo.rating.fit.laplacian import Laplacian
from edo.rating.network import ResultsNetwork

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Links:
    """The (m,) comparisons of the nodes that are left: i has `score` [points] of `games` against j.

    `span` [years] is 1 but for the ties across a gap. The pairings are the first, in their order.
    """

    i: Ints
    j: Ints
    score: Floats
    games: Floats
    span: Floats

    def chosen(self, links: Ints) -> Links:
        """Return some of the links."""
        return Links(*(getattr(self, name)[links] for name in self.__slots__))

    def differences(self, of: Floats) -> Floats:
        """Return `of` (n,) at i less that at j, (m,)."""
        return np.asarray(of[self.i] - of[self.j])

    def surplus(self, theta: Floats) -> Floats:
        """Return what i scored beyond expectation, (m,) [points]."""
        x = self.differences(theta) / self.span
        return np.asarray(self.score - self.games * expit(x))

    def weights(self, theta: Floats) -> Floats:
        """Return the information of each link about its difference, (m,) [1 / nat^2]."""
        x = self.differences(theta) / self.span
        return np.asarray(self.games * expit(x) * expit(-x) / self.span)


@dataclass(frozen=True, slots=True)
class Condensed:
    """The player-years with results, then the ghosts, numbered anew, and the links between them.

    `node`, `home`, `player` (n,) are each one's number in the fit, that of his player-year (a
    ghost's giver) and his player's; `theta` (n,) [nat] the fit's; `covariance` (n, n) [nat^2] that
    of the distances from the mean of these n.
    """

    node: Ints
    home: Ints
    player: Ints
    theta: Floats
    covariance: Floats
    links: Links

    def number(self, player_years: Ints) -> Ints:
        """Return the numbers here of player-years with results."""
        return np.searchsorted(self.node, player_years)

    def variances(self, links: Links) -> Floats:
        """Return the variances [nat^2] of the differences between the ends of the links."""
        i, j, s = links.i, links.j, self.covariance
        return np.asarray(s[i, i] + s[j, j] - 2 * s[i, j])


def condense(done: Pass) -> Condensed:
    """Return the network of a pass without the years of gaps."""
    net = done.network
    node = np.r_[np.flatnonzero(net.games > 0), np.arange(len(net.year), net.comparisons.n)]
    home = home_nodes(net)[node]
    player = np.searchsorted(net.start, home, side="right") - 1
    theta, links = done.fit.theta[node], _links(net, node, done.settings)
    return Condensed(node, home, player, theta, _covariance(links, theta), links)


def home_nodes(network: ResultsNetwork) -> Ints:
    """Return the player-year of each node (n_nodes,), for a ghost that of the giver of odds."""
    home = np.arange(network.comparisons.n)
    ghosts = network.comparisons.n - len(network.year)
    if ghosts:  # their ties are the last of the comparisons
        home[network.comparisons.j[-ghosts:]] = network.comparisons.i[-ghosts:]
    return home


def _covariance(links: Links, theta: Floats) -> Floats:
    n, low, high = len(theta), np.minimum(links.i, links.j), np.maximum(links.i, links.j)
    places, place = np.unique(low * n + high, return_inverse=True)
    busiest = int(np.bincount(np.r_[low, high]).argmax())
    information = Laplacian(n, places // n, places % n, ground=busiest)
    weights = np.asarray(np.bincount(place, links.weights(theta)), np.float64)
    information.factorise(weights)
    return information.inverse()


def _links(network: ResultsNetwork, node: Ints, settings: Settings) -> Links:
    """Return the pairings, the ties between each two years with results, those of the ghosts."""
    pairs, years = network.comparisons, len(network.year)
    number = np.full(pairs.n, -1)
    number[node] = np.arange(len(node))
    played = node[node < years]
    later = np.flatnonzero(~np.isin(played, network.start[:-1]))
    tie = np.full(len(later), settings.self_games)
    m, ghosts = len(network.pairings), len(pairs.i) - (pairs.n - years)
    return Links(
        np.r_[number[pairs.i[:m]], later, number[pairs.i[ghosts:]]],
        np.r_[number[pairs.j[:m]], later - 1, number[pairs.j[ghosts:]]],
        np.r_[pairs.score[:m], tie * settings.self_score, pairs.score[ghosts:]],
        np.r_[pairs.games[:m], tie, pairs.games[ghosts:]],
        np.r_[np.ones(m), played[later] - played[later - 1], np.ones(len(pairs.i) - ghosts)],
    )


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
