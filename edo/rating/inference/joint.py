"""A pass in, the joint normal distribution of the published ratings out, block by block.

The means are the adjusted ratings. The covariances are those of the raw ratings, scaled on both
sides by adjusted over raw deviation, so that correlations are those of the fit and deviations are
the published ones. Only blocks are made, of a year or of a player: never all by all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from edo.core.model import Dataset
from edo.core.scale import ELO_PER_NAT, Floats
from edo.rating.edo import Pass
from edo.rating.fit.cholesky import Ints
from edo.rating.inference.answers import Correlated, Correlations
from edo.rating.inference.condensed import Condensed, Lines
from edo.rating.network import ResultsNetwork

BATCH = 2000  # draws held at a time: few enough for the processor's cache


@dataclass(frozen=True, slots=True)
class Block:
    """The joint distribution of some ratings.

    `nodes` (k,) are player-years of the network, `mean` (k,) [Elo], `covariance` (k, k) [Elo^2].
    """

    nodes: Ints
    mean: Floats
    covariance: Floats

    def part(self, chosen: Ints) -> Block:
        """Return the distribution of the `chosen` ones alone, by their places in the block."""
        covariance = self.covariance[np.ix_(chosen, chosen)]
        return Block(self.nodes[chosen], self.mean[chosen], covariance)

    def deviations(self) -> Floats:
        """Return the deviation of each difference, (k, k) [Elo], 0 on the diagonal."""
        variance = self.covariance.diagonal()
        squares = variance[:, None] + variance - 2 * self.covariance
        return np.asarray(np.sqrt(np.maximum(squares, 0.0)))

    def superiority(self) -> Floats:
        """Return the probability (k, k) that each was stronger than each, 1/2 on the diagonal."""
        difference = self.mean[:, None] - self.mean
        deviation = self.deviations()
        np.fill_diagonal(deviation, 1.0)
        return np.asarray(ndtr(difference / deviation))

    def draws(self, seed: Sequence[int], n: int) -> Iterator[NDArray[np.float32]]:
        """Yield n joint draws (batch, k) [Elo] in batches; the same seed gives the same draws.

        The second half of a batch mirrors the first at the mean (antithetic variates): as many
        draws cost half as much. Single precision is exact to 0.0003 Elo, and faster. The root of
        the covariance is the symmetric one: it exists where a block is singular, as that of
        everybody is, and does not jump with the rounding of the covariances.
        """
        values, vectors = np.linalg.eigh(self.covariance)
        root = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
        mean, root = self.mean.astype(np.float32), root.astype(np.float32)
        random = np.random.default_rng(np.random.SeedSequence(list(seed)))
        for begin in range(0, n, BATCH):
            size = min(BATCH, n - begin)
            away = random.standard_normal((-(-size // 2), len(root)), np.float32) @ root
            yield np.concatenate([mean + away, mean - away])[:size]


def blocks(done: Pass, condensed: Condensed, groups: Sequence[Ints]) -> list[Block]:
    """Return the joint distribution of each group of player-years.

    The covariance of two is half of what their variances together exceed that of the difference.
    """
    rows = np.concatenate([np.tile(nodes, len(nodes)) for nodes in groups])
    columns = np.concatenate([np.repeat(nodes, len(nodes)) for nodes in groups])
    ends = np.cumsum([len(nodes) ** 2 for nodes in groups])
    unit = done.settings.variance_factor * ELO_PER_NAT**2
    apart = unit * Lines(done.network, condensed).variances(rows, columns)
    variance, scale = done.raw_deviation**2, done.deviation / done.raw_deviation
    flat = (variance[rows] + variance[columns] - apart) / 2 * scale[rows] * scale[columns]
    parts = np.split(flat, ends[:-1])
    return [
        Block(nodes, done.rating[nodes], _symmetric(part.reshape(len(nodes), len(nodes))))
        for nodes, part in zip(groups, parts, strict=True)
    ]


def _symmetric(matrix: Floats) -> Floats:
    """Return the matrix without what rounding left between its two halves."""
    return (matrix + matrix.T) / 2


def births(dataset: Dataset) -> dict[str, int]:
    """Return the year of birth of each player of whom it is known.

    A separate offhand identity was born when the person was.
    """
    known = {player.id: player.born for player in dataset.players.values()}
    persons = {player.id: player.offhand_of or player.id for player in dataset.players.values()}
    dates = {player: known[player] or known.get(person) for player, person in persons.items()}
    return {player: date.year for player, date in dates.items() if date is not None}


def same_age(net: ResultsNetwork, born: Mapping[str, int]) -> dict[int, Ints]:
    """Return the player-years of each age, player by player; those without year of birth in none.

    The age is the one reached in the year.
    """
    counts = np.diff(net.start)
    of_player = np.repeat(np.arange(len(net.players)), counts)
    known = np.array([player in born for player in net.players], np.bool_)[of_player]
    birth = np.array([born.get(player, 0) for player in net.players], np.int64)[of_player]
    age = net.year - birth
    return {int(a): np.flatnonzero(known & (age == a)) for a in np.unique(age[known])}


def correlations(
    by_year: Mapping[int, Block], by_age: Mapping[int, Block], names: Sequence[str]
) -> Correlations:
    """Return the correlations in each block; `names` holds the player of each player-year."""
    return Correlations(
        dict(_correlated(by_year.items(), names)), dict(_correlated(by_age.items(), names))
    )


def _correlated(
    blocks: Iterable[tuple[int, Block]], names: Sequence[str]
) -> Iterable[tuple[int, Correlated]]:
    for key, block in blocks:
        spread = np.sqrt(block.covariance.diagonal())
        rho = (block.covariance / spread / spread[:, None]).astype(np.float32)
        yield key, Correlated(tuple(names[node] for node in block.nodes), rho)
