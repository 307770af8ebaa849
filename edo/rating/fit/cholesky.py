"""Sparse Cholesky factorisation by CHOLMOD, which only this module calls.

Source: Chen, Davis, Hager, Rajamanickam, Algorithm 887: CHOLMOD, supernodal sparse Cholesky
factorization and update/downdate, ACM Trans. Math. Software 35 (2008).
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import numpy as np
from cvxopt import amd, cholmod, matrix, spmatrix

from edo.core.problems import EdoError
from edo.core.scale import Floats, Ints

SUPERNODAL = 2  # CHOLMOD's code for "always supernodal"; its default depends on the fill

_CAPSULE = ctypes.pythonapi.PyCapsule_GetPointer
_REAL_LOWER = b"CHOLMOD FACTOR D L"  # the name that cvxopt gives such a factor
_CAPSULE.restype, _CAPSULE.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


class UnknownLayout(EdoError):
    """CHOLMOD keeps its factors in memory otherwise than in the structure known here."""


def _expect(part: str, holds: bool) -> None:
    """Raise UnknownLayout where a part of the structure is not what it must be."""
    if not holds:
        raise UnknownLayout(
            f"this CHOLMOD lays out its factors otherwise (`{part}`); install the cvxopt of "
            "constraints.txt"
        )


class _Factor(ctypes.Structure):
    """`cholmod_factor`, a public structure of CHOLMOD's header, up to what is used of it."""

    _fields_ = (
        *((name, ctypes.c_size_t) for name in ("n", "minor")),
        *((name, ctypes.c_void_p) for name in ("Perm", "ColCount", "IPerm")),
        ("nzmax", ctypes.c_size_t),
        *((name, ctypes.c_void_p) for name in ("p", "i", "x", "z", "nz", "next", "prev")),
        *((name, ctypes.c_size_t) for name in ("nsuper", "ssize", "xsize", "maxcsize", "maxesize")),
        *((name, ctypes.c_void_p) for name in ("super", "pi", "px", "s")),
    )


@dataclass(frozen=True, slots=True)
class Supernodes:
    """The partition of the columns of a factor into blocks with the same rows below them.

    Supernode s has the columns from `first[s]` to before `first[s + 1]`, and the ascending rows
    `rows[start[s]:start[s + 1]]`, which begin with its columns.
    """

    first: Ints
    start: Ints
    rows: Ints

    @property
    def widths(self) -> Ints:
        """Return the number of columns of each supernode."""
        return np.diff(self.first)

    @property
    def heights(self) -> Ints:
        """Return the number of rows of each supernode."""
        return np.diff(self.start)

    def of_columns(self) -> Ints:
        """Return the supernode of each column, (n,)."""
        return np.repeat(np.arange(len(self.widths)), self.widths)

    def parents(self) -> Ints:
        """Return the supernode of the first row below the columns of each, -1 at a root."""
        has_parent = self.heights > self.widths
        parents = np.full(len(self.widths), -1)
        top = self.rows[(self.start[:-1] + self.widths)[has_parent]]
        parents[has_parent] = self.of_columns()[top]
        return parents

    def positions(self, supernodes: Ints, rows: Ints) -> Ints:
        """Return the position of each row among those of its supernode, -1 if not there."""
        n = int(self.first[-1])
        owners = np.repeat(np.arange(len(self.heights)), self.heights)
        keys, wanted_keys = owners * n + self.rows, supernodes * n + rows
        nearest = np.minimum(np.searchsorted(keys, wanted_keys), len(keys) - 1)
        return np.where(keys[nearest] == wanted_keys, nearest - self.start[supernodes], -1)

    def begin_with_their_columns(self) -> bool:
        """Whether the first rows of each are its columns, and its rows ascend."""
        within = np.arange(len(self.rows)) - np.repeat(self.start[:-1], self.heights)
        is_column = within < np.repeat(self.widths, self.heights)
        columns = np.repeat(self.first[:-1], self.heights) + within
        ascends = (np.diff(self.rows) > 0) | (within[1:] == 0)
        return bool(np.all(self.rows[is_column] == columns[is_column]) and np.all(ascends))

    def offsets(self) -> Ints:
        """Return where the panel of each begins in an array of all panels, and where it ends."""
        return np.concatenate([[0], np.cumsum(self.widths * self.heights)])

    def panels(self, values: Floats) -> list[Floats]:
        """Return the panels (width, height) in an array of all of them."""
        ends, widths = self.offsets().tolist(), self.widths.tolist()
        return [
            values[begin:end].reshape(width, -1)
            for begin, end, width in zip(ends[:-1], ends[1:], widths, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class LowerFactor:
    """The factor L of `A[p][:, p] = L L'` by supernodes, p being `permutation`.

    With J the columns of a supernode and R its rows below them, its panel (width, height) is
    [L_JJ', L_RJ']. Stored zeros may occur.
    """

    permutation: Ints
    supernodes: Supernodes
    values: Floats

    def panels(self) -> list[Floats]:
        """Return the panel of each supernode."""
        return self.supernodes.panels(self.values)


class Cholesky:
    """The factor of a symmetric matrix with a fixed pattern, whose values may change.

    The fill-reducing ordering and the symbolic factor are computed once; `factorise` replaces the
    values. CHOLMOD postorders its own minimum degree ordering, so the ordering it used is read
    back from it instead of being set in advance.
    """

    def __init__(
        self, size: int, rows: Ints, columns: Ints, order: Ints | None = None, is_best: bool = False
    ) -> None:
        """Analyse the pattern: the diagonal and the (m,) entries with rows > columns.

        Entries may repeat; then their values are added.
        `order` (size,) is the ordering to start from, by default that of minimum degree, which is
        also taken where it fills less, unless the order `is_best`.
        """
        if np.any(rows <= columns):
            raise ValueError("entries off the diagonal are given below it, each row > column")
        diagonal = np.arange(size)
        rows, columns = np.r_[diagonal, rows], np.r_[diagonal, columns]
        places, _, self._place = np.unique(  # with the index it is fast where much is in order
            columns * size + rows, return_index=True, return_inverse=True
        )
        columns, rows = np.divmod(places, size)
        self._matrix = spmatrix(1.0, matrix(rows), matrix(columns), (size, size))
        cholmod.options.update(supernodal=SUPERNODAL, nmethods=int(is_best))
        self._factor = cholmod.symbolic(
            self._matrix, **({} if order is None else {"p": matrix(order)})
        )

    def factorise(self, diagonal: Floats, entries: Floats) -> None:
        """Factorise the matrix with these values, in the order in which the pattern was given.

        Raises ArithmeticError where the matrix is not positive definite.
        """
        values = np.bincount(self._place, np.r_[diagonal, entries])
        self._matrix.V = matrix(values)
        self.refactorise()

    def fill(self) -> int:
        """Return the number of non-zeros of L, known before any factorisation."""
        return int(self._array("ColCount", self._matrix.size[0]).sum())

    def refactorise(self) -> None:
        """Factorise the current values again: the bare CHOLMOD call, for benchmarks."""
        cholmod.numeric(self._matrix, self._factor)

    def solve(self, right: Floats) -> Floats:
        """Return the solution x of A x = `right`, of the same shape (n,) or (n, k)."""
        x = matrix(right)
        cholmod.solve(self._factor, x)
        return np.array(x).reshape(right.shape)

    def log_determinant(self) -> float:
        """Return the logarithm of the determinant of the matrix."""
        return float(2 * np.log(np.asarray(cholmod.diag(self._factor))).sum())

    def lower(self) -> LowerFactor:
        """Return the factor, and the ordering that CHOLMOD used.

        Its values are those in CHOLMOD's memory, until the next factorisation. Raises
        UnknownLayout.
        """
        structure, n = self._structure(), self._matrix.size[0]
        _expect("nsuper", 1 <= structure.nsuper <= n)
        count = structure.nsuper + 1
        first, start = self._array("super", count).copy(), self._array("pi", count).copy()
        _expect("super", first[0] == 0 and first[-1] == n and bool(np.all(np.diff(first) > 0)))
        _expect("pi", start[0] == 0 and bool(np.all(np.diff(start) >= np.diff(first))))
        _expect("ssize", start[-1] == structure.ssize)
        nodes = Supernodes(first, start, self._array("s", start[-1]).copy())
        _expect("s", bool(np.all(nodes.rows < n)) and nodes.begin_with_their_columns())
        _expect("xsize", nodes.offsets()[-1] == structure.xsize)
        _expect("ColCount", n <= self.fill() <= structure.xsize)
        permutation = self._array("Perm", n).copy()
        _expect("Perm", np.array_equal(np.sort(permutation), np.arange(n)))
        values = self._array("x", nodes.offsets()[-1], ctypes.c_double)
        return LowerFactor(permutation, nodes, values)

    def _structure(self) -> _Factor:
        """Return the structure behind cvxopt's factor.

        cvxopt hands its parts out by giving up its copy, and from then on would factorise without
        supernodes, twenty times slower.
        """
        pointer = ctypes.cast(_CAPSULE(self._factor, _REAL_LOWER), ctypes.POINTER(_Factor))
        _expect("n", pointer.contents.n == self._matrix.size[0])
        return pointer.contents

    def _array(self, name: str, size: int, kind: type[Any] = ctypes.c_int64) -> Any:
        """Return an array of that structure, to be read only while the factor is there."""
        memory = (kind * int(size)).from_address(getattr(self._structure(), name))
        memory.factor = self._factor  # which would be freed with the last mention of it
        array = np.ctypeslib.as_array(memory)
        array.flags.writeable = False
        return array


def minimum_degree(size: int, rows: Ints, columns: Ints) -> Ints:
    """Return an ordering (size,) that fills little, for entries (m,) with rows > columns."""
    diagonal = np.arange(size)
    rows, columns = np.r_[diagonal, rows], np.r_[diagonal, columns]
    return np.asarray(amd.order(spmatrix(1.0, matrix(rows), matrix(columns), (size, size)))).ravel()
