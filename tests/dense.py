"""Second routes for tests of numerics: dense matrices and finite differences."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from edo.core.scale import Floats, Ints


def laplacian(n: int, i: Ints, j: Ints, weights: Floats) -> Floats:
    """Return the Laplacian (n, n) of a graph with these links (m,), some of them repeated."""
    matrix = np.zeros((n, n))
    np.add.at(matrix, (i, j), -weights)
    np.add.at(matrix, (j, i), -weights)
    np.fill_diagonal(matrix, -matrix.sum(axis=1))
    return matrix


def slopes(f: Callable[[Floats], ArrayLike], at: ArrayLike, step: float = 1e-5) -> Floats:
    """Return the derivatives (n, ...) of f by each of n numbers, by central differences."""
    moves = step * np.eye(len(np.asarray(at)))
    return np.array([(np.asarray(f(at + e)) - f(at - e)) / (2 * step) for e in moves])
