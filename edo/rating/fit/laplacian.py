"""Pseudo-inverse of the Laplacian of a connected weighted graph.

The Laplacian L has one null direction, the shift of all items. What is factorised is the matrix
without the row and column of one item, the ground; with S its inverse, zero at the ground, the
pseudo-inverse is C S C with C = I - 11'/n. It does not depend on the ground.

Source: Klein, Randic, Resistance distance, J. Math. Chem. 12 (1993).
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from edo.core.scale import Floats, Ints
from edo.rating.fit.cholesky import Cholesky, minimum_degree
from edo.rating.fit.elimination_tree import EliminationTree
from edo.rating.fit.selected_inverse import SelectedInverse, selected_inverse

LEAF = 4000  # items in one part of a dissection; in smaller parts the factor fills no less


class Laplacian:
    """The Laplacian of a graph with fixed links, whose weights may change."""

    def __init__(self, n: int, i: Ints, j: Ints, ground: int, order: Ints | None = None) -> None:
        """Analyse the connected graph of n items with the (m,) links i < j; links may repeat.

        `order` (n,) is an ordering of the items that fills the factor little, as `dissection` is.
        """
        pairs, self._pair = np.unique(i * n + j, return_inverse=True)
        i, j = pairs // n, pairs % n
        self._n, self._i, self._j = n, i, j
        self._others = np.delete(np.arange(n), ground)
        self._inner = (i != ground) & (j != ground)
        rank = np.cumsum(np.arange(n) != ground) - 1
        inner = None if order is None else rank[order[order != ground]]
        self._factor = Cholesky(n - 1, rank[j[self._inner]], rank[i[self._inner]], inner)
        self._inverse: SelectedInverse | None = None  # of the weights as they are

    def fill(self) -> int:
        """Return the number of non-zeros of the factor, known before any factorisation."""
        return self._factor.fill()

    def factorise(self, weights: Floats) -> None:
        """Set the weights (m,) of the links.

        Raises ArithmeticError where they are so small that the matrix is numerically singular.
        """
        weights = np.asarray(np.bincount(self._pair, weights), np.float64)
        degrees = np.zeros(self._n)
        degrees += np.bincount(self._i, weights, self._n)
        degrees += np.bincount(self._j, weights, self._n)
        self._inverse = None
        self._factor.factorise(degrees[self._others], -weights[self._inner])

    def refactorise(self) -> None:
        """Factorise again with the same weights: the bare CHOLMOD call, for benchmarks."""
        self._factor.refactorise()

    def solve(self, right: Floats) -> Floats:
        """Return the pseudo-inverse times `right`, (n,) or (n, k), of the same shape."""
        x = self.grounded_solve(right - right.mean(axis=0))
        return np.asarray(x - x.mean(axis=0))

    def tree(self) -> tuple[EliminationTree, Ints]:
        """Return the elimination tree, and the number in it of each item (n,), the ground's -1.

        Its inverse is that with 0 at the ground, which differences of items do not depend on.
        """
        lower, number = self._factor.lower(), np.full(self._n, -1)
        number[self._others[lower.permutation]] = np.arange(self._n - 1)
        return EliminationTree(lower), number

    def inverse_between(self, i: Ints, j: Ints) -> Floats:
        """Return the variances (m,) of the differences between linked items i and j."""
        selected = self._selected_inverse()
        rank = np.cumsum(np.isin(np.arange(self._n), self._others)) - 1
        variance = np.zeros(self._n)
        variance[self._others] = selected.diagonal()
        inner = np.isin(i, self._others) & np.isin(j, self._others)
        between = np.zeros(len(i))
        between[inner] = selected.known_entries(rank[i[inner]], rank[j[inner]])
        return np.asarray(variance[i] + variance[j] - 2 * between)

    def inverse_diagonal(self) -> Floats:
        """Return the exact diagonal of the pseudo-inverse, (n,)."""
        sums = self.grounded_solve(np.ones(self._n))
        diagonal = np.zeros(self._n)
        diagonal[self._others] = self._selected_inverse().diagonal()
        return np.asarray(diagonal - 2 * sums / self._n + sums.sum() / self._n**2)

    def quadratic_forms(self, rows: csr_array) -> Floats:
        """Return x' C x (m,) of sparse rows x (m, n) with sum 0, C being the pseudo-inverse.

        NaN where it takes entries of C that are not on the pattern of the factor.
        """
        return self._selected_inverse().quadratic_forms(rows[:, self._others])

    def _selected_inverse(self) -> SelectedInverse:
        if self._inverse is None:
            self._inverse = selected_inverse(self._factor.lower())
        return self._inverse

    def grounded_solve(self, right: Floats) -> Floats:
        """Return the inverse that is 0 at the ground times `right`, (n,) or (n, k)."""
        x = np.zeros_like(right)
        x[self._others] = self._factor.solve(right[self._others])
        return x


def dissection(i: Ints, j: Ints, time: Ints, leaf: int | None = None) -> Ints:
    """Return an ordering (n,) of items at a `time` (n,) that fills the factor of a graph little.

    Of the (m,) links i, j those between times are to be few, as those between successive years of
    the same player are. The items are cut where few links cross, down to parts of so many as a
    `leaf` has, by default `LEAF`; the later ends of these links come last. So what is far in time
    is far in the elimination tree.

    Source: George, Nested dissection of a regular finite element mesh, SIAM J. Numer. Anal. 10
    (1973).
    """
    early, late = np.where(time[i] <= time[j], (i, j), (j, i))
    place = np.full(len(time), -1)

    def ordered(items: Ints) -> Ints:
        """Return the order of some items."""
        place[:] = -1
        place[items] = np.arange(len(items))
        inner_links = np.flatnonzero((place[early] >= 0) & (place[late] >= 0))
        times, counts = np.unique(time[items], return_counts=True)
        if len(items) <= (leaf or LEAF) or len(times) < 2:
            ends = np.sort(np.stack([place[early[inner_links]], place[late[inner_links]]]), axis=0)
            columns, rows = np.unique(ends, axis=1)
            return items[minimum_degree(len(items), rows, columns)]
        first, last = (np.searchsorted(times, time[end[inner_links]]) for end in (early, late))
        begun, ended = (np.bincount(end_times, minlength=len(times)) for end_times in (first, last))
        crossing = np.cumsum(begun - ended)[:-1]
        share = np.cumsum(counts)[:-1] / len(items)
        # Few links are to cross, but the parts are to be about equal: a cut at a quarter of the
        # items costs as much as the most links.
        cost = crossing / max(1, crossing.max()) + np.square(4 * share - 2)
        cut = int(np.argmin(cost))
        between = np.unique(late[inner_links[(first <= cut) & (last > cut)]])
        rest = np.setdiff1d(items, between)
        parts = rest[time[rest] <= times[cut]], rest[time[rest] > times[cut]]
        return np.concatenate([*(ordered(part) for part in parts if len(part)), between])

    return ordered(np.arange(len(time)))
