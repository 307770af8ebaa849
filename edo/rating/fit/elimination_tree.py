"""Covariances from a sparse Cholesky factor, without the whole inverse.

With A = P' L L' P, the half column of an item is that of inv(L); it has entries only in the
supernodes on the way from the item to the root of the elimination tree. The inverse between items
is the product of their half columns. For whole columns the tree is descended from the root: in a
supernode, x = inv(L_JJ)' y - G' x_R, with y its part of the half column and R its rows below its
columns.

Source: Gilbert, Predicting structure in sparse matrix computations, SIAM J. Matrix Anal. Appl. 15
(1994); Liu, The role of elimination trees in sparse factorization, same journal 11 (1990).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from edo.core.scale import Floats, Ints
from edo.rating.fit.cholesky import LowerFactor, Supernodes
from edo.rating.fit.selected_inverse import solved

MERGED = 64  # columns: smaller supernodes cost more time to come to than to compute
AT_ONCE = 200  # columns computed at a time, so that their memory is used again and again
TILE = 512  # rows transposed at a time, so that they stay in the processor's cache

Singles = NDArray[np.float32]
Values = TypeVar("Values", Floats, Singles)
Half = tuple[int, int, int, Any]
"""A supernode, and the part (width, end - begin) in it of the half columns from begin to end."""


@np.errstate(invalid="ignore")
def product(a: Any, b: Any) -> Any:
    """Return a @ b without a warning: BLAS may find nonsense beyond the end of the rows."""
    return a @ b


class EliminationTree:
    """The supernodes of the factor of a grounded Laplacian, to solve on parts of the tree.

    Items are numbered by their column of the factor, so that the items below a supernode are
    successive.
    """

    def __init__(self, lower: LowerFactor) -> None:
        nodes, panels = _merged(lower)
        parents = nodes.parents()
        places = nodes.positions(np.repeat(parents, nodes.heights), nodes.rows)
        self.n = len(lower.permutation)
        self.first: list[int] = nodes.first.tolist()
        self.parent: list[int] = parents.tolist()
        self._begin, self._end = _begins(nodes, parents), nodes.first[1:]
        below = [
            slice(start + width, start + height)
            for start, width, height in zip(
                nodes.start.tolist(), nodes.widths.tolist(), nodes.heights.tolist(), strict=False
            )
        ]
        self._rows = [nodes.rows[part].copy() for part in below]
        self._places = [places[part].copy() for part in below]
        parts = map(solved, panels)
        self._double = [(np.ascontiguousarray(inverse), gain) for inverse, gain in parts]

    @cached_property
    def _single(self) -> list[tuple[Singles, Singles]]:
        return [(one.astype(np.float32), other.astype(np.float32)) for one, other in self._double]

    def width(self, s: int) -> int:
        """Return the number of columns of a supernode."""
        return self.first[s + 1] - self.first[s]

    def reached(self, items: Ints) -> Ints:
        """Return the supernodes, ascending, in which the sorted items have half columns."""
        begin, end = self._within(items)
        return np.flatnonzero(end > begin)

    def _within(self, items: Ints) -> tuple[Ints, Ints]:
        return np.searchsorted(items, self._begin), np.searchsorted(items, self._end)

    def halves(self, items: Ints, kind: type[np.floating] = np.float32) -> Iterator[Half]:
        """Yield the half columns of the sorted, distinct items, by supernode, in a precision.

        Single precision is accurate to a millionth of the largest value.
        """
        parts = self._parts(kind)
        begin, end = self._within(items)
        waiting: dict[int, list[tuple[Ints, int, Any]]] = {}
        for s in np.flatnonzero(end > begin).tolist():
            a, b, width = int(begin[s]), int(end[s]), self.width(s)
            right = np.zeros((width + len(self._rows[s]), b - a), kind)
            for places, start, update in waiting.pop(s, ()):
                right[places, start - a : start - a + update.shape[1]] += update
            own = np.arange(np.searchsorted(items[a:b], self.first[s]), b - a)
            right[items[a:b][own] - self.first[s], own] += 1.0
            inverse, gain = parts[s]
            yield s, a, b, product(inverse.T, right[:width])
            if self.parent[s] >= 0:
                update = right[width:] - product(gain.T, right[:width])
                waiting.setdefault(self.parent[s], []).append((self._places[s], a, update))

    def solve(self, right: Values) -> Values:
        """Return the solutions (n + 1, m) of A x = right, as `descend` does."""
        left = right.copy()
        for s, (inverse, gain) in enumerate(self._parts(right.dtype.type)):
            own = slice(self.first[s], self.first[s + 1])
            left[self._rows[s]] -= gain.T @ left[own]
            left[own] = inverse.T @ left[own]
        return self.descend(left, self.first)

    def covariance(self, items: Ints, kind: type[np.floating] = np.float32) -> Floats:
        """Return the inverse between the sorted, distinct items, (k, k)."""
        found = np.zeros((len(items), len(items)))
        for _, a, b, half in self.halves(items, kind):
            found[a:b, a:b] += half.T @ half
        return found

    def descend(self, right: Values, offset: Sequence[int], out: Values | None = None) -> Values:
        """Return the solutions (n + 1, m) for combinations `right` (width, m) of half columns.

        Single precision is accurate to a millionth of the largest value. The last row is that of
        the ground, 0. The rows of supernode s in `right` begin at `offset[s]`, -1 where there are
        none. `out` (n + 1, m) is an array for the solutions.
        """
        x = np.empty((self.n + 1, right.shape[1]), right.dtype) if out is None else out
        x[-1] = 0.0
        parts = self._parts(right.dtype.type)
        for s in reversed(range(len(self.parent))):
            inverse, gain = parts[s]
            own, k = product(gain, x[self._rows[s]]), offset[s]
            np.negative(own, out=own)
            if k >= 0:
                own += product(inverse, right[k : k + len(own)])
            x[self.first[s] : self.first[s + 1]] = own
        return x

    def _parts(self, kind: type[np.floating]) -> Any:
        """Return the inverses and gains of all supernodes in a precision."""
        return self._single if kind == np.float32 else self._double


def _begins(nodes: Supernodes, parents: Ints) -> Ints:
    """Return the first column below each supernode; those up to its own are successive."""
    begin = nodes.first[:-1].copy()
    for s, parent in enumerate(parents.tolist()):
        if parent >= 0:
            begin[parent] = min(begin[parent], begin[s])
    return begin


def _merged(lower: LowerFactor) -> tuple[Supernodes, Iterator[Floats]]:
    """Return the tree in which small parts, together up to `MERGED` columns, are one supernode.

    The second result yields their panels, as those of the factor are.
    """
    nodes = lower.supernodes
    parents = nodes.parents()
    begin = _begins(nodes, parents)
    small = nodes.first[1:] - begin <= MERGED
    tops = np.flatnonzero(~small | (parents < 0) | ~small[parents])
    own: list[Ints] = []
    below: list[Ints] = []
    for k, s in enumerate(tops.tolist()):
        columns = np.arange(begin[s] if small[s] else nodes.first[s], nodes.first[s + 1])
        after = nodes.rows[nodes.start[s] + nodes.widths[s] : nodes.start[s + 1]]
        before = tops[k - 1] if k else s
        is_sibling = k > 0 and small[s] and small[before] and parents[s] == parents[before]
        if is_sibling and len(own[-1]) + len(columns) <= MERGED:
            own[-1], below[-1] = np.r_[own[-1], columns], np.union1d(below[-1], after)
        else:
            own.append(columns)
            below.append(after)
    rows = [np.r_[columns, after] for columns, after in zip(own, below, strict=True)]
    starts = np.r_[0, np.cumsum([len(part) for part in rows])]
    first = np.array([*(columns[0] for columns in own), nodes.first[-1]])

    def panels() -> Iterator[Floats]:
        factors, members = lower.panels(), np.searchsorted(nodes.first, first)
        for k, columns in enumerate(own):
            panel = np.zeros((len(columns), len(rows[k])))
            for s in range(members[k], members[k + 1]):
                at = np.searchsorted(rows[k], nodes.rows[nodes.start[s] : nodes.start[s + 1]])
                down = nodes.first[s] - columns[0]
                panel[down : down + len(factors[s]), at] = factors[s]
            yield panel

    return Supernodes(first, starts, np.concatenate(rows)), panels()


class Columns:
    """Columns of the inverse of a Laplacian, in single precision, computed as they are needed.

    They are in blocks of `AT_ONCE`. Memory is used again: fresh memory takes a fifth of the time.
    """

    def __init__(self, tree: EliminationTree) -> None:
        self._tree = tree
        self._columns = {-1: np.zeros(tree.n + 1, np.float32)}  # that of the ground
        self._blocks, self._spare = deque[Singles](), deque[Singles]()
        self._solved = np.empty(AT_ONCE * (tree.n + 1), np.float32)

    def add(self, items: Ints) -> None:
        """Compute the columns of items that are not there yet."""
        new = np.array([k for k in np.unique(items).tolist() if k not in self._columns])
        for begin in range(0, len(new), AT_ONCE):
            some = new[begin : begin + AT_ONCE]
            solved, done = self._computed(some), 0
            while done < len(some):
                rows = self._free(len(some) - done)
                for top in range(0, len(solved), TILE):  # several times as fast as all at once
                    rows[:, top : top + TILE] = solved[top : top + TILE, done:][:, : len(rows)].T
                self._columns.update(zip(some[done:].tolist(), rows, strict=False))
                done += len(rows)

    def forget(self, but: int) -> None:
        """Forget the oldest blocks of columns, but keep at least so many columns."""
        while len(self._columns) > but + AT_ONCE:
            for item in list(islice(self._columns, 1, 1 + AT_ONCE)):
                del self._columns[item]
            self._spare.append(self._blocks.popleft())

    def of(self, items: Ints) -> Singles:
        """Return the columns of items that were added, (k, n + 1); zeros for the ground."""
        return np.stack([self._columns[item] for item in items.tolist()])

    def _free(self, count: int) -> Singles:
        """Return rows for so many columns, or for as many as the last block has room for."""
        used = (len(self._columns) - 1) % AT_ONCE
        if not used:
            if not self._spare:
                self._spare.append(np.empty((AT_ONCE, self._tree.n + 1), np.float32))
            self._blocks.append(self._spare.pop())
        return self._blocks[-1][used : used + count]

    def _computed(self, items: Ints) -> Singles:
        """Return the columns of sorted items, (n + 1, k), until others are computed."""
        reached = self._tree.reached(items)
        starts = np.cumsum([0, *(self._tree.width(s) for s in reached.tolist())]).tolist()
        halves = np.zeros((starts[-1], len(items)), np.float32)
        offset = [-1] * len(self._tree.parent)
        for k, (s, a, b, half) in zip(starts, self._tree.halves(items), strict=False):
            offset[s] = k
            halves[k : k + len(half), a:b] = half
        out = self._solved[: (self._tree.n + 1) * len(items)].reshape(-1, len(items))
        return self._tree.descend(halves, offset, out)
