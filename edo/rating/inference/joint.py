"""Joint normal distribution of all ratings.

The means are the adjusted ratings. The covariances are those of the raw ratings, scaled on both
sides by adjusted over raw deviation, so that correlations are those of the fit and deviations are
the published ones. Only blocks for a year or a player are computed, one after another.
This is Edo's way; `condense` and `blocks` are generic, and other models register their own.

The covariances are found in a condensed network without the years of gaps. In a gap the only
comparisons are self-pairings, so theta is linear there and the k self-pairings of the chain act as
one: of the same number of games, over `span` = k years, with a k-th of the difference in each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, ndtr

from edo.core.scale import ELO_PER_NAT, Floats, Ints
from edo.history.settings import Settings
from edo.rating.edo import FittedNetwork, RatedNetwork
from edo.rating.fit.elimination_tree import EliminationTree
from edo.rating.fit.laplacian import Laplacian, dissection
from edo.rating.network import ResultsNetwork

BATCH = 2000  # draws in memory at a time, so that they fit into the processor's cache
Joint = Any
"""What a model prepares once for `blocks` and for `leave_out_each`; for Edo a `Condensed`."""
EVERY = slice(None)
TOGETHER = 400  # player-years of small groups whose covariances are computed in one matrix


@dataclass(frozen=True, slots=True)
class Links:
    """The (m,) comparisons in a condensed network: i has `score` [points] of `games` against j.

    `span` [years] is 1 except for self-pairings across a gap. `offset` [nat] is a known advantage
    of i. Pairings are first, in their order.
    """

    i: Ints
    j: Ints
    score: Floats
    games: Floats
    span: Floats
    offset: Floats

    def subset(self, chosen: Ints) -> Links:
        """Return the chosen links."""
        return Links(*(getattr(self, name)[chosen] for name in self.__slots__))

    def differences(self, values: Floats) -> Floats:
        """Return the values (n,) at i minus those at j, (m,)."""
        return np.asarray(values[self.i] - values[self.j])

    def surplus(self, theta: Floats) -> Floats:
        """Return the points that i scored above expectation, (m,) [points]."""
        x = self.differences(theta) / self.span + self.offset
        return np.asarray(self.score - self.games * expit(x))

    def weights(self, theta: Floats) -> Floats:
        """Return the information of each link about its difference, (m,) [1 / nat^2]."""
        x = self.differences(theta) / self.span + self.offset
        return np.asarray(self.games * expit(x) * expit(-x) / self.span)


@dataclass(frozen=True, slots=True)
class Condensed:
    """A network without the years of gaps: its nodes, renumbered, and the links between them.

    The nodes are the player-years with results, then the ghosts. `node`, `owner`, `player` (n,)
    are each one's index in the full network, that of its player-year (for a ghost, the giver's)
    and its player's, `year` (n,) is its year; `theta` (n,) [nat] is from the fit. `tree` is that of
    the `information` matrix, `number` (n,) that of each node in it; `variance` (m,) [nat^2] is that
    of the difference between the ends of each link.
    """

    node: Ints
    owner: Ints
    player: Ints
    year: Ints
    theta: Floats
    links: Links
    information: Laplacian
    tree: EliminationTree
    number: Ints
    variance: Floats

    def covariance(self, nodes: Ints) -> Floats:
        """Return the covariances (k, k) [nat^2] of theta of distinct nodes, less a common one.

        They are those of the differences from one node, the ground of the factor.
        """
        inner = np.flatnonzero(self.number[nodes] >= 0)
        inner = inner[np.argsort(self.number[nodes[inner]])]
        covariance = np.zeros((len(nodes), len(nodes)))
        covariance[np.ix_(inner, inner)] = self.tree.covariance(
            self.number[nodes[inner]], single=True
        )
        return covariance


@singledispatch
def condense(fitted: RatedNetwork) -> Joint:
    """Return what `blocks` and `leave_out_each` need; each model registers its own way."""
    raise NotImplementedError


@condense.register
def _(fitted: FittedNetwork) -> Condensed:
    """Return the fitted network without the years of gaps."""
    net = fitted.network
    node = np.r_[np.flatnonzero(net.games > 0), np.arange(len(net.year), net.comparisons.n)]
    owner = net.owner[node]
    player = np.searchsorted(net.start, owner, side="right") - 1
    theta, links = fitted.fit.theta[node], _links(net, node, fitted.settings)
    low, high = np.minimum(links.i, links.j), np.maximum(links.i, links.j)
    year = net.year[owner]
    order = dissection(low, high, year)
    information = Laplacian(len(theta), low, high, ground=int(order[-1]), order=order)
    information.factorise(links.weights(theta))
    variance = information.inverse_between(low, high)
    return Condensed(
        node, owner, player, year, theta, links, information, *information.tree(), variance
    )


def _links(network: ResultsNetwork, node: Ints, settings: Settings) -> Links:
    """Return the pairings, the self-pairings of successive years with results, the ghosts' ties."""
    pairs, years = network.comparisons, len(network.year)
    number = np.full(pairs.n, -1)
    number[node] = np.arange(len(node))
    played = node[node < years]
    later = np.flatnonzero(~np.isin(played, network.start[:-1]))
    self_games = np.full(len(later), settings.self_games)
    m, ghosts = len(network.pairings), len(pairs.i) - (pairs.n - years)
    return Links(
        np.r_[number[pairs.i[:m]], later, number[pairs.i[ghosts:]]],
        np.r_[number[pairs.j[:m]], later - 1, number[pairs.j[ghosts:]]],
        np.r_[pairs.score[:m], self_games * settings.self_score, pairs.score[ghosts:]],
        np.r_[pairs.games[:m], self_games, pairs.games[ghosts:]],
        np.r_[np.ones(m), played[later] - played[later - 1], np.ones(len(pairs.i) - ghosts)],
        np.r_[pairs.offset[:m], np.zeros(len(later) + len(pairs.i) - ghosts)],
    )


class Surroundings:
    """The years with results around each player-year, and where it lies between them.

    `before`, `after` (n_player_years,) are their condensed numbers; a year with results is its own.
    `fraction` (n_player_years,) is how far the year is on the way from one to the other.
    """

    def __init__(self, network: ResultsNetwork, node: Ints) -> None:
        played = network.games > 0
        self.before = np.cumsum(played) - 1
        self.after = self.before + ~played
        begin, end = node[self.before], node[self.after]
        self.fraction = (np.arange(len(played)) - begin) / np.maximum(end - begin, 1)

    def interpolated(self, values: Floats, years: Ints | slice = EVERY) -> Floats:
        """Return values of all or some `years` (m,) from those (n,) of the condensed nodes."""
        start = values[self.before[years]]
        return np.asarray(start + self.fraction[years] * (values[self.after[years]] - start))


class GapInterpolation:
    """Variances of differences between any player-years, those in gaps included.

    In a gap theta is interpolated linearly between the years with results at its ends; around that
    line it varies like a Brownian bridge.
    """

    def __init__(self, network: ResultsNetwork, condensed: Condensed) -> None:
        self._condensed, self._around = condensed, Surroundings(network, condensed.node)
        links = condensed.links
        gap = np.flatnonzero(links.span > 1)
        self._gap_variance = np.zeros(len(condensed.node))
        # by the year before the gap, which is the second end of its self-pairing
        self._gap_variance[links.j[gap]] = 1 / links.weights(condensed.theta)[gap]

    def variances(self, nodes: Ints) -> Floats:
        """Return the variances (k, k) [nat^2] of the differences between player-years."""
        fraction, begin = self._around.fraction[nodes], self._around.before[nodes]
        ends, positions = np.unique(np.r_[begin, self._around.after[nodes]], return_inverse=True)
        start, end = positions.reshape(2, -1)
        at_ends = self._condensed.covariance(ends)
        rows = at_ends[start] * (1 - fraction)[:, None] + at_ends[end] * fraction[:, None]
        covariance = rows[:, start] * (1 - fraction) + rows[:, end] * fraction
        i, j = np.nonzero((begin[:, None] == begin) & (fraction > 0))  # in the same gap
        bridge = np.minimum(fraction[i], fraction[j]) * (1 - np.maximum(fraction[i], fraction[j]))
        covariance[i, j] += self._gap_variance[begin[i]] * bridge
        variance = covariance.diagonal()
        return np.asarray(variance[:, None] + variance - 2 * covariance)


@dataclass(frozen=True, slots=True)
class Block:
    """The joint distribution of some ratings.

    `nodes` (k,) are player-years of the network, `mean` (k,) [Elo], `covariance` (k, k) [Elo^2].
    """

    nodes: Ints
    mean: Floats
    covariance: Floats

    def part(self, chosen: Ints) -> Block:
        """Return the marginal distribution of the ratings at these positions in the block."""
        covariance = self.covariance[np.ix_(chosen, chosen)]
        return Block(self.nodes[chosen], self.mean[chosen], covariance)

    def deviations(self) -> Floats:
        """Return the deviation of each difference, (k, k) [Elo], 0 on the diagonal."""
        variance = self.covariance.diagonal()
        squares = variance[:, None] + variance - 2 * self.covariance
        return np.asarray(np.sqrt(np.maximum(squares, 0.0)))  # below 0 only by rounding

    def deviations_between(self, i: Ints, j: Ints) -> Floats:
        """Return the deviations (m,) [Elo] of the differences between these positions."""
        variance = self.covariance.diagonal()
        return np.asarray(np.sqrt(variance[i] + variance[j] - 2 * self.covariance[i, j]))

    def superiority(self) -> Floats:
        """Return the probability (k, k) that each was stronger than each, 1/2 on the diagonal."""
        difference = self.mean[:, None] - self.mean
        deviation = self.deviations()
        np.fill_diagonal(deviation, 1.0)  # 0 / 1 gives the 1/2 there, 0 / 0 would give NaN
        return np.asarray(ndtr(difference / deviation))

    def draws(self, seed: Sequence[int], n: int) -> Iterator[NDArray[np.float32]]:
        """Yield n joint draws (batch, k) [Elo] in batches; the same seed gives the same draws.

        The second half of a batch mirrors the first at the mean (antithetic variates), which halves
        the cost. Single precision is accurate to 0.0003 Elo, and faster. The square root of the
        covariance is the symmetric one: it exists where a block is singular, as that of all
        player-years is, and does not jump with the rounding of the covariances.
        """
        values, vectors = np.linalg.eigh(self.covariance)
        # rounding leaves some of the eigenvalues that are 0 slightly negative
        root = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
        mean, root = self.mean.astype(np.float32), root.astype(np.float32)
        random = np.random.default_rng(np.random.SeedSequence(list(seed)))
        for begin in range(0, n, BATCH):
            size = min(BATCH, n - begin)
            half = -(-size // 2)
            away = random.standard_normal((half, len(root)), np.float32) @ root
            draws = np.empty((2 * half, len(root)), np.float32)
            np.add(mean, away, out=draws[:half])
            np.subtract(mean, away, out=draws[half:])
            yield draws[:size]


@singledispatch
def blocks(fitted: RatedNetwork, joint: Joint, groups: Iterable[Ints]) -> Iterator[Block]:
    """Yield the joint distribution of each group of distinct player-years."""
    raise NotImplementedError


@blocks.register
def _(fitted: FittedNetwork, condensed: Condensed, groups: Iterable[Ints]) -> Iterator[Block]:
    """Yield the joint distribution of each group.

    Cov(x, y) = (Var x + Var y - Var(x - y)) / 2, because only differences do not depend on how
    theta is centred.
    """
    gaps = GapInterpolation(fitted.network, condensed)
    unit = fitted.settings.variance_factor * ELO_PER_NAT**2
    variance, scale = fitted.raw_deviation**2, fitted.deviation / fitted.raw_deviation

    def covariance(nodes: Ints) -> Floats:
        raw_variance, factor = variance[nodes], scale[nodes]
        differences = unit * gaps.variances(nodes)
        raw_covariance = (raw_variance[:, None] + raw_variance - differences) / 2
        return np.asarray(raw_covariance * factor * factor[:, None])

    yield from blocks_of(fitted.rating, covariance, groups)


def blocks_of(
    rating: Floats, covariance: Callable[[Ints], Floats], groups: Iterable[Ints]
) -> Iterator[Block]:
    """Yield the blocks of groups, given the covariances (k, k) [Elo^2] of any player-years (k,)."""
    for batch in _together(groups):
        nodes, positions = np.unique(np.concatenate(batch), return_inverse=True)
        block = Block(nodes, rating[nodes], _symmetric(covariance(nodes)))
        for part in np.split(positions, np.cumsum([len(group) for group in batch])[:-1]):
            yield block.part(part)


def _together(groups: Iterable[Ints]) -> Iterator[list[Ints]]:
    """Yield successive groups together, as long as they are small."""
    batch: list[Ints] = []
    for group in groups:
        if batch and sum(map(len, batch)) + len(group) > TOGETHER:
            yield batch
            batch = []
        batch.append(group)
    if batch:
        yield batch


def _symmetric(matrix: Floats) -> Floats:
    """Return the matrix with the rounding differences between its two triangles averaged out."""
    return (matrix + matrix.T) / 2
