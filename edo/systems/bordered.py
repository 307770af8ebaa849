"""A sparse matrix with a narrow dense border in; solutions, determinant and inverse out.

The matrix is H = [[A, B], [B', C]], symmetric and positive definite, A sparse of n rows and C of a
few. With W = inv(A) B and the Schur complement S = C - B' W its inverse is inv(A) + W inv(S) W' in
the first block, -W inv(S) beside it and inv(S) in the corner.

Source: Golub, Van Loan, Matrix Computations (2013), block elimination.
"""

from __future__ import annotations

import numpy as np

from edo.rating.fit.cholesky import Cholesky
from edo.rating.fit.selected_inverse import selected_inverse
from edo.systems.games import Floats, Ints


class Bordered:
    """Such a matrix, whose pattern stays and whose values may change."""

    def __init__(self, n: int, rows: Ints, columns: Ints) -> None:
        """Analyse the (m,) places of A below its diagonal; a place may occur several times."""
        low, high = np.minimum(rows, columns), np.maximum(rows, columns)
        places, self._place = np.unique(high * n + low, return_inverse=True)
        self._n, self._places = n, len(places)
        self._factor = Cholesky(n, places // n, places % n)

    def factorise(self, diagonal: Floats, entries: Floats, border: Floats, corner: Floats) -> None:
        """Take over `diagonal` (n,) and `entries` (m,) of A, `border` (n, c), `corner` (c, c).

        Entries of one place are added. Raises ArithmeticError where A is not positive definite.
        """
        off_diagonal = np.bincount(self._place, entries, self._places).astype(np.float64)
        self._factor.factorise(diagonal, off_diagonal)
        self._border = border
        self._reach = self._factor.solve(border) if border.shape[1] else border.copy()
        self._schur = corner - border.T @ self._reach

    def solve(self, right: Floats, corner: Floats) -> tuple[Floats, Floats]:
        """Return x, y with A x + B y = `right` (n,) and B' x + C y = `corner` (c,)."""
        inner = self._factor.solve(right)
        y = np.asarray(np.linalg.solve(self._schur, corner - self._border.T @ inner), np.float64)
        return inner - self._reach @ y, y

    def log_determinant(self) -> float:
        """Return the logarithm of the determinant of H."""
        return float(self._factor.log_determinant() + np.linalg.slogdet(self._schur)[1])

    def variances(self, shape: Floats) -> Floats:
        """Return the variances (n,) of x + `shape` y, `shape` (n, c), H being the information."""
        inner = selected_inverse(self._factor.lower()).diagonal()
        outer = shape - self._reach
        return np.asarray(inner + np.sum(outer * np.linalg.solve(self._schur, outer.T).T, axis=1))

    def covariances(self, shape: Floats, weights: Floats) -> Floats:
        """Return the covariances (n,) of x + `shape` y with its sum weighted by `weights` (n,)."""
        outer = shape - self._reach
        return np.asarray(
            self._factor.solve(weights) + outer @ np.linalg.solve(self._schur, outer.T @ weights)
        )
