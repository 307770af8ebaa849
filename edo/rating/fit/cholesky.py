"""Sparse Cholesky factorisation by CHOLMOD, which only this module calls.

Source: Chen, Davis, Hager, Rajamanickam, Algorithm 887: CHOLMOD, supernodal sparse Cholesky
factorization and update/downdate, ACM Trans. Math. Software 35 (2008).
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import numpy as np
from cvxopt import amd, cholmod, matrix, spmatrix

from edo.core.scale import Floats, Ints

SUPERNODAL = 2  # CHOLMOD's code for "always supernodal"; its default depends on the fill
SOLVE, PERMUTE = 0, 7  # CHOLMOD's codes for the systems A x = b and x = P b


_CAPSULE = ctypes.pythonapi.PyCapsule_GetPointer
_REAL_LOWER = b"CHOLMOD FACTOR D L"  # the name that cvxopt gives such a factor
_CAPSULE.restype, _CAPSULE.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


class _FactorHead(ctypes.Structure):
    """The first fields of `cholmod_factor`, a public structure of CHOLMOD's header."""

    _fields_ = (
        ("n", ctypes.c_size_t),
        ("minor", ctypes.c_size_t),
        ("Perm", ctypes.POINTER(ctypes.c_int64)),
        ("ColCount", ctypes.POINTER(ctypes.c_int64)),
    )


@dataclass(frozen=True, slots=True)
class LowerFactor:
    """The factor L of `A[p][:, p] = L L'` by columns, p being `permutation`.

    Column k of L holds `values[starts[k]:starts[k + 1]]` in the ascending rows
    `rows[starts[k]:starts[k + 1]]`, the first of which is the diagonal. Stored zeros may occur.
    """

    permutation: Ints
    starts: Ints
    rows: Ints
    values: Floats


class Cholesky:
    """The factor of a symmetric matrix with a fixed pattern, whose values may change.

    The fill-reducing ordering and the symbolic factor are computed once; `factorise` replaces the
    values. CHOLMOD postorders its own minimum degree ordering, so the ordering it used is read
    back from it instead of being set in advance.
    """

    def __init__(self, size: int, rows: Ints, columns: Ints, order: Ints | None = None) -> None:
        """Analyse the pattern: the diagonal and the (m,) entries with rows > columns.

        Entries may repeat; then their values are added.
        `order` (size,) is the ordering to start from, by default that of minimum degree.
        """
        if np.any(rows <= columns):
            raise ValueError("entries off the diagonal are given below it, each row > column")
        places, self._place = np.unique(rows * size + columns, return_inverse=True)
        self._places, diagonal = len(places), np.arange(size)
        rows, columns = np.r_[diagonal, places // size], np.r_[diagonal, places % size]
        self._order = np.lexsort((rows, columns))
        self._matrix = spmatrix(
            1.0, matrix(rows[self._order]), matrix(columns[self._order]), (size, size)
        )
        self._ordering = {} if order is None else {"p": matrix(order)}
        self._factor: object | None = None
        self._analyse()

    def factorise(self, diagonal: Floats, entries: Floats) -> None:
        """Factorise the matrix with these values, in the order in which the pattern was given.

        Raises ArithmeticError where the matrix is not positive definite.
        """
        sums = np.bincount(self._place, entries, self._places)
        self._matrix.V = matrix(np.r_[diagonal, sums][self._order])
        self.refactorise()

    def fill(self) -> int:
        """Return the number of non-zeros of L by the symbolic analysis, before any factorisation.

        cvxopt does not hand it out, so it is read from the structure behind its factor.
        """
        if self._factor is None:
            self._analyse()
        head = ctypes.cast(_CAPSULE(self._factor, _REAL_LOWER), ctypes.POINTER(_FactorHead))
        n = int(head.contents.n)
        if n != self._matrix.size[0]:
            raise NotImplementedError("this CHOLMOD lays out its factors otherwise")
        return int(np.ctypeslib.as_array(head.contents.ColCount, (n,)).sum())

    def refactorise(self) -> None:
        """Factorise the current values again: the bare CHOLMOD call, for benchmarks."""
        if self._factor is None:
            self._analyse()
        cholmod.numeric(self._matrix, self._factor)

    def solve(self, right: Floats) -> Floats:
        """Return the solution x of A x = `right`, of the same shape (n,) or (n, k)."""
        return self._solve(right, SOLVE)

    def log_determinant(self) -> float:
        """Return the logarithm of the determinant of the matrix."""
        return float(2 * np.log(np.asarray(cholmod.diag(self._current_factor()))).sum())

    def lower(self) -> LowerFactor:
        """Return the factor, and the ordering that CHOLMOD used.

        cvxopt gives up its own copy here (and would from then on factorise without supernodes,
        twenty times slower), so later calls have to factorise again.
        """
        permutation = self._permutation()
        starts, rows, values = cholmod.getfactor(self._factor).CCS
        self._factor = None
        return LowerFactor(
            permutation, *(np.asarray(part).ravel() for part in (starts, rows, values))
        )

    def _analyse(self) -> None:
        cholmod.options["supernodal"] = SUPERNODAL
        self._factor = cholmod.symbolic(self._matrix, **self._ordering)

    def _solve(self, right: Floats, system: int) -> Floats:
        x = matrix(right)
        cholmod.solve(self._current_factor(), x, sys=system)
        return np.array(x).reshape(right.shape)

    def _current_factor(self) -> object:
        """Return the factor of the current values, computed again if it was given up."""
        if self._factor is None:
            self.refactorise()
        return self._factor

    def _permutation(self) -> Ints:
        n = self._matrix.size[0]
        return self._solve(np.arange(float(n)), PERMUTE).astype(np.int64)


def minimum_degree(size: int, rows: Ints, columns: Ints) -> Ints:
    """Return an ordering (size,) that fills little, for entries (m,) with rows > columns."""
    diagonal = np.arange(size)
    rows, columns = np.r_[diagonal, rows], np.r_[diagonal, columns]
    return np.asarray(amd.order(spmatrix(1.0, matrix(rows), matrix(columns), (size, size)))).ravel()
