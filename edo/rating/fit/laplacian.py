"""Pseudo-inverse of the Laplacian of a connected weighted graph.

The Laplacian L has one null direction, the shift of all items. What is factorised is the matrix
without the row and column of one item, the ground; with S its inverse, zero at the ground, the
pseudo-inverse is C S C with C = I - 11'/n. It does not depend on the ground.

Source: Klein, Randic, Resistance distance, J. Math. Chem. 12 (1993).
"""

from __future__ import annotations

import numpy as np

from edo.core.scale import Floats, Ints
from edo.rating.fit.cholesky import Cholesky
from edo.rating.fit.selected_inverse import selected_inverse, whole_inverse


class Laplacian:
    """The Laplacian of a graph with fixed links, whose weights may change."""

    def __init__(self, n: int, i: Ints, j: Ints, ground: int) -> None:
        """Analyse the connected graph of n items with the (m,) links i < j; links may repeat."""
        pairs, self._pair = np.unique(i * n + j, return_inverse=True)
        i, j = pairs // n, pairs % n
        self._n, self._i, self._j = n, i, j
        self._others = np.delete(np.arange(n), ground)
        self._inner = (i != ground) & (j != ground)
        rank = np.cumsum(np.arange(n) != ground) - 1
        self._factor = Cholesky(n - 1, rank[j[self._inner]], rank[i[self._inner]])

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
        self._factor.factorise(degrees[self._others], -weights[self._inner])

    def refactorise(self) -> None:
        """Factorise again with the same weights: the bare CHOLMOD call, for benchmarks."""
        self._factor.refactorise()

    def solve(self, right: Floats) -> Floats:
        """Return the pseudo-inverse times `right`, (n,) or (n, k), of the same shape."""
        x = self._grounded_solve(right - right.mean(axis=0))
        return np.asarray(x - x.mean(axis=0))

    def inverse(self) -> Floats:
        """Return the whole pseudo-inverse, dense (n, n)."""
        inverse = np.zeros((self._n, self._n))
        inverse[np.ix_(self._others, self._others)] = whole_inverse(self._factor.lower())
        mean = inverse.mean(axis=0)
        inverse -= mean
        inverse -= (mean - mean.mean())[:, None]
        return inverse

    def inverse_diagonal(self) -> Floats:
        """Return the exact diagonal of the pseudo-inverse, (n,)."""
        sums = self._grounded_solve(np.ones(self._n))
        diagonal = np.zeros(self._n)
        diagonal[self._others] = selected_inverse(self._factor.lower()).diagonal()
        return np.asarray(diagonal - 2 * sums / self._n + sums.sum() / self._n**2)

    def _grounded_solve(self, right: Floats) -> Floats:
        x = np.zeros_like(right)
        x[self._others] = self._factor.solve(right[self._others])
        return x
