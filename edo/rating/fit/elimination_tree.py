"""Covariances from a sparse Cholesky factor, without the whole inverse.

With A = P' L L' P, the half column of an item is that of inv(L); it has entries only in the
supernodes on the way from the item to the root of the elimination tree. The inverse between items
is the product of their half columns.

Source: Gilbert, Predicting structure in sparse matrix computations, SIAM J. Matrix Anal. Appl. 15
(1994); Liu, The role of elimination trees in sparse factorization, same journal 11 (1990).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from edo.core.scale import Floats, Ints
from edo.rating.fit.cholesky import LowerFactor
from edo.rating.fit.selected_inverse import solved

Singles = NDArray[np.float32]


class EliminationTree:
    """The supernodes of a factor, to solve on parts of their tree.

    Items are numbered by their column of the factor, so that the items below a supernode are
    successive.
    """

    def __init__(self, lower: LowerFactor) -> None:
        nodes = lower.supernodes
        parents = nodes.parents()
        self.n = len(lower.permutation)
        self._first: list[int] = nodes.first.tolist()
        self._parent: list[int] = parents.tolist()
        self._begin, self._end = nodes.first[:-1].copy(), nodes.first[1:]
        for s, parent in enumerate(self._parent):
            if parent >= 0:
                self._begin[parent] = min(self._begin[parent], self._begin[s])
        places = nodes.positions(np.repeat(parents, nodes.heights), nodes.rows)
        starts = (nodes.start[:-1] + nodes.widths).tolist()
        below = [slice(*ends) for ends in zip(starts, nodes.start[1:].tolist(), strict=True)]
        self._rows = [nodes.rows[part].copy() for part in below]
        self._places = [places[part].copy() for part in below]
        self._parts = [
            (np.ascontiguousarray(inverse.T), np.ascontiguousarray(gain.T))
            for inverse, gain in map(solved, lower.panels())
        ]

    @cached_property
    def _singles(self) -> list[tuple[Singles, Singles]]:
        return [
            (inverse.astype(np.float32), gain.astype(np.float32)) for inverse, gain in self._parts
        ]

    def covariance(self, items: Ints, single: bool = False) -> Floats:
        """Return the inverse between the sorted, distinct items, (k, k).

        In `single` precision, a millionth of the largest value, it takes half the time.
        """
        between = np.zeros((len(items), len(items)))
        for _, part, half in self._halves(items, self._singles if single else self._parts):
            between[part, part] += half.T @ half
        return between

    def columns(self, items: Ints) -> Singles:
        """Return the columns of the inverse of the sorted, distinct items, (n, k).

        They are in single precision, a millionth of the largest value, which takes half the time.
        The tree is descended from the root: in a supernode with the rows R below its columns,
        x = inv(L_JJ)' y - G' x_R, with y its part of the half columns.
        """
        x = np.zeros((self.n, len(items)), np.float32)
        for s, part, half in self._halves(items, self._singles):
            inverse, _ = self._singles[s]
            x[self._first[s] : self._end[s], part] = inverse.T @ half
        for s in reversed(range(len(self._singles))):
            _, gain = self._singles[s]
            x[self._first[s] : self._end[s]] -= gain.T @ x[self._rows[s]]
        return x

    def _halves(
        self, items: Ints, parts: Sequence[tuple[Any, Any]]
    ) -> Iterator[tuple[int, slice, Any]]:
        """Yield supernodes, their part of the items, and of these items' half columns."""
        begin, end = np.searchsorted(items, self._begin), np.searchsorted(items, self._end)
        waiting: dict[int, list[tuple[Ints, int, Any]]] = {}
        for s in np.flatnonzero(end > begin).tolist():
            a, b, first = int(begin[s]), int(end[s]), self._first[s]
            inverse, gain = parts[s]
            width = len(inverse)
            right_side = np.zeros((width + len(gain), b - a), inverse.dtype)
            for places, start, update in waiting.pop(s, ()):
                right_side[places, start - a : start - a + update.shape[1]] += update
            own_items = np.arange(np.searchsorted(items[a:b], first), b - a)
            right_side[items[a:b][own_items] - first, own_items] += 1.0
            yield s, slice(a, b), inverse @ right_side[:width]
            if self._parent[s] >= 0:
                update = right_side[width:] - gain @ right_side[:width]
                waiting.setdefault(self._parent[s], []).append((self._places[s], a, update))
