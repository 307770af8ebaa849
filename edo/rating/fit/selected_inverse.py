"""Exact entries of the inverse on the pattern of a sparse Cholesky factor.

Takahashi's recursion on supernodes. With J the columns of a supernode, R its rows below them and
G = inv(L_JJ)' L_RJ', the inverse Z has Z_JR = -G Z_RR and Z_JJ = inv(L_JJ L_JJ') - Z_JR G'. Z_RR is
known from the parent, the supernode of the first of R, because all of R occurs among the parent's
rows.

Source: Takahashi, Fagan, Chen, Formation of a sparse bus impedance matrix and its application to
short circuit study, PICA 1973; Erisman, Tinney, On computing certain elements of the inverse of a
sparse matrix, Comm. ACM 18 (1975).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg.lapack import dtrtri
from scipy.sparse import csr_array

from edo.core.scale import Floats, Ints
from edo.rating.fit.cholesky import LowerFactor, Supernodes

BLOCK = 256  # columns of a triangle multiplied at a time, without what is 0


@dataclass(frozen=True, slots=True)
class SelectedInverse:
    """Entries of the inverse of A = P' L L' P on the pattern of L.

    `values` holds the rows of the inverse of the columns of each supernode: its panel.
    """

    supernodes: Supernodes
    rank: Ints
    values: Floats

    def diagonal(self) -> Floats:
        """Return the diagonal of the inverse of A, (n,)."""
        panels = self.supernodes.panels(self.values)
        return np.concatenate([panel.diagonal() for panel in panels])[self.rank]

    def known_entries(self, i: Ints, j: Ints) -> Floats:
        """Return the entries (m,) at the rows `i` and columns `j`, NaN outside the pattern of L."""
        places = self.places(i, j)
        return np.where(places < 0, np.nan, self.values[places])

    def places(self, i: Ints, j: Ints) -> Ints:
        """Return where in `values` the entries (m,) are, -1 outside the pattern of L.

        They are the same in all inverses on the same pattern.
        """
        low, high = np.minimum(self.rank[i], self.rank[j]), np.maximum(self.rank[i], self.rank[j])
        nodes = self.supernodes
        owners = nodes.of_columns()[low]
        across = nodes.positions(owners, high)
        down = (low - nodes.first[owners]) * nodes.heights[owners]
        return np.where(across < 0, -1, nodes.offsets()[owners] + down + across)

    def last(self, count: int) -> Floats:
        """Return the entries (n, count) at the last columns of A, where those end the factor.

        The rows of A there are to be full.
        """
        panels = self.supernodes.panels(self.values)
        columns = np.concatenate([panel[:, -count:] for panel in panels])
        rank = self.rank[-count:]
        return np.asarray(columns[np.ix_(self.rank, rank - rank.min())])

    def quadratic_forms(self, rows: csr_array) -> Floats:
        """Return x' Z x (m,) of sparse rows x (m, n), NaN where it takes entries not in Z."""
        ends = np.repeat(rows.indptr[1:], np.diff(rows.indptr))
        counts = ends - np.arange(len(ends))
        left = np.repeat(np.arange(len(ends)), counts)
        right = left + np.arange(len(left)) - np.repeat(np.cumsum(counts) - counts, counts)
        z = self.known_entries(rows.indices[left], rows.indices[right])
        terms = np.where(left == right, 1, 2) * rows.data[left] * rows.data[right] * z
        row = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))[left]
        return np.asarray(np.bincount(row, terms, rows.shape[0]), np.float64)


def selected_inverse(lower: LowerFactor) -> SelectedInverse:
    """Return the exact entries of the inverse on the pattern of the factor."""
    values = np.empty_like(lower.values)
    _invert(lower, lower.supernodes.panels(values))
    return SelectedInverse(lower.supernodes, np.argsort(lower.permutation), values)


def _invert(lower: LowerFactor, panels: Sequence[Floats]) -> None:
    """Fill the panels of the inverse from the last to the first, parents before children.

    `fronts` holds Z on all rows of a supernode until its last child is done.
    """
    supernodes = lower.supernodes
    parents = supernodes.parents()
    places = supernodes.positions(np.repeat(parents, supernodes.heights), supernodes.rows)
    have_children, last_children = np.unique(parents, return_index=True)
    is_parent = np.isin(np.arange(len(parents)), have_children)
    is_last_child = np.isin(np.arange(len(parents)), last_children)
    fronts = {-1: np.empty((0, 0))}
    factors = lower.panels()
    for s in reversed(range(len(parents))):
        parent = int(parents[s])
        below = places[supernodes.start[s] + len(panels[s]) : supernodes.start[s + 1]]
        rest = fronts[parent].take(below, 0).take(below, 1)
        _inverse_panel(factors[s], rest, panels[s])
        if is_parent[s]:
            fronts[s] = _front(panels[s], rest)
        if is_last_child[s]:
            del fronts[parent]


def _inverse_panel(panel: Floats, rest: Floats, result: Floats) -> None:
    """Fill [Z_JJ, Z_JR] from [L_JJ', L_RJ'] and `rest`, which is Z_RR."""
    width = len(panel)
    inverse, g = solved(panel)
    np.matmul(-g, rest, out=result[:, width:])
    np.matmul(-result[:, width:], g.T, out=result[:, :width])
    for begin in range(0, width, BLOCK):  # the inverse is 0 below its diagonal
        part = inverse[: begin + BLOCK, begin : begin + BLOCK]
        result[: begin + BLOCK, : min(begin + BLOCK, width)] += part @ part.T


def solved(panel: Floats) -> tuple[Floats, Floats]:
    """Return inv(L_JJ)' and G from [L_JJ', L_RJ']."""
    width = len(panel)
    inverse = dtrtri(panel[:, :width].T, lower=1)[0].T
    return inverse, inverse @ panel[:, width:]


def _front(panel: Floats, rest: Floats) -> Floats:
    """Return Z on all rows of a supernode from [Z_JJ, Z_JR] and Z_RR."""
    width, height = panel.shape
    front = np.empty((height, height))
    front[:width] = panel
    front[width:, :width] = panel[:, width:].T
    front[width:, width:] = rest
    return front
