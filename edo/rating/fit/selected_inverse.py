"""Exact entries of the inverse on the pattern of a sparse Cholesky factor.

Takahashi's recursion on supernodes, blocks of neighbouring columns of L with the same rows below
them. With J the columns of a supernode, R its rows below them and G = inv(L_JJ)' L_RJ', the
inverse Z has Z_JR = -G Z_RR and Z_JJ = inv(L_JJ L_JJ') - Z_JR G'. Z_RR is known from the parent,
the supernode of the first of R, because all of R occurs among the parent's rows.

Source: Takahashi, Fagan, Chen, Formation of a sparse bus impedance matrix and its application to
short circuit study, PICA 1973; Erisman, Tinney, On computing certain elements of the inverse of a
sparse matrix, Comm. ACM 18 (1975).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.linalg.lapack import dtrtri
from scipy.sparse import csr_array

from edo.core.scale import Floats, Ints
from edo.rating.fit.cholesky import LowerFactor


@dataclass(frozen=True, slots=True)
class Supernodes:
    """The partition of the columns of a factor into supernodes.

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
        keys, wanted = owners * n + self.rows, supernodes * n + rows
        found = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        return np.where(keys[found] == wanted, found - self.start[supernodes], -1)


def find_supernodes(lower: LowerFactor) -> Supernodes:
    """Return the widest supernodes: columns join while the rows below are the same."""
    counts, diagonal = np.diff(lower.starts), lower.starts[:-1]
    columns = np.arange(1, len(counts))
    below = lower.rows[np.minimum(diagonal[:-1] + 1, len(lower.rows) - 1)]
    joins = (below == columns) & (counts[:-1] == counts[1:] + 1)
    first = np.r_[0, columns[~joins], len(counts)]
    heights = counts[first[:-1]]
    start = np.r_[0, np.cumsum(heights)]
    shift = np.repeat(diagonal[first[:-1]] - start[:-1], heights)
    return Supernodes(first, start, lower.rows[shift + np.arange(start[-1])])


@dataclass(frozen=True, slots=True)
class SelectedInverse:
    """Entries of the inverse of A = P' L L' P on the pattern of L.

    `panels[s]`, of shape (width, height), holds the rows of the inverse of supernode s.
    """

    supernodes: Supernodes
    rank: Ints
    panels: tuple[Floats, ...]

    def diagonal(self) -> Floats:
        """Return the diagonal of the inverse of A, (n,)."""
        return np.concatenate([panel.diagonal() for panel in self.panels])[self.rank]

    def entries(self, i: Ints, j: Ints) -> Floats:
        """Return the entries (m,) at the rows `i` and columns `j`.

        Raises KeyError if one is outside the pattern of L, which includes that of A.
        """
        found = self.known_entries(i, j)
        if np.isnan(found).any():
            raise KeyError("outside the pattern of the factor; solve for this entry")
        return found

    def known_entries(self, i: Ints, j: Ints) -> Floats:
        """Return the entries (m,) at the rows `i` and columns `j`, NaN outside the pattern of L."""
        low, high = np.minimum(self.rank[i], self.rank[j]), np.maximum(self.rank[i], self.rank[j])
        owners = self.supernodes.of_columns()[low]
        across = self.supernodes.positions(owners, high)
        starts = np.cumsum([0, *(panel.size for panel in self.panels)])
        down = (low - self.supernodes.first[owners]) * self.supernodes.heights[owners]
        values = np.concatenate([*map(np.ravel, self.panels)])
        return np.where(across < 0, np.nan, values[starts[owners] + down + across])

    def quadratic_forms(self, rows: csr_array) -> Floats:
        """Return x' Z x (m,) of sparse rows x (m, n), NaN where it takes entries not in Z."""
        ends = np.repeat(rows.indptr[1:], np.diff(rows.indptr))
        counts = ends - np.arange(len(ends))
        one = np.repeat(np.arange(len(ends)), counts)
        other = one + np.arange(len(one)) - np.repeat(np.cumsum(counts) - counts, counts)
        z = self.known_entries(rows.indices[one], rows.indices[other])
        terms = np.where(one == other, 1, 2) * rows.data[one] * rows.data[other] * z
        of = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))[one]
        return np.asarray(np.bincount(of, terms, rows.shape[0]), np.float64)


def selected_inverse(lower: LowerFactor) -> SelectedInverse:
    """Return the exact entries of the inverse on the pattern of the factor."""
    supernodes = find_supernodes(lower)
    panels = tuple(_inverse_panels(lower, supernodes))[::-1]
    return SelectedInverse(supernodes, _rank(lower), panels)


def _rank(lower: LowerFactor) -> Ints:
    """Return the column of the factor that holds each row of A, (n,)."""
    rank = np.empty_like(lower.permutation)
    rank[lower.permutation] = np.arange(len(rank))
    return rank


def _inverse_panels(lower: LowerFactor, supernodes: Supernodes) -> Iterator[Floats]:
    """Yield the panels of the inverse from the last to the first, parents before children.

    `fronts` holds Z on all rows of a supernode until its last child is done.
    """
    parents = supernodes.parents()
    places = supernodes.positions(np.repeat(parents, supernodes.heights), supernodes.rows)
    have_children, last_children = np.unique(parents, return_index=True)
    is_parent = np.isin(np.arange(len(parents)), have_children)
    is_last_child = np.isin(np.arange(len(parents)), last_children)
    fronts = {-1: np.empty((0, 0))}
    for s in reversed(range(len(parents))):
        panel, parent = factor_panel(lower, supernodes, s), int(parents[s])
        below = places[supernodes.start[s] + len(panel) : supernodes.start[s + 1]]
        rest = fronts[parent][below[:, None], below]
        panel = _inverse_panel(panel, rest)
        if is_parent[s]:
            fronts[s] = _front(panel, rest)
        if is_last_child[s]:
            del fronts[parent]
        yield panel


def factor_panel(lower: LowerFactor, supernodes: Supernodes, s: int) -> Floats:
    """Return [L_JJ', L_RJ'] of a supernode, (width, height), dense."""
    first, after = int(supernodes.first[s]), int(supernodes.first[s + 1])
    height = int(supernodes.start[s + 1] - supernodes.start[s])
    panel = np.zeros((after - first, height))
    begin = int(lower.starts[first])
    for k in range(after - first):
        end = begin + height - k
        panel[k, k:] = lower.values[begin:end]
        begin = end
    return panel


def _inverse_panel(panel: Floats, rest: Floats) -> Floats:
    """Return [Z_JJ, Z_JR] from [L_JJ', L_RJ'] and `rest`, which is Z_RR."""
    width = len(panel)
    inverse, g = solved(panel)
    result = np.empty_like(panel)
    result[:, width:] = -g @ rest
    result[:, :width] = inverse @ inverse.T - result[:, width:] @ g.T
    return result


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
