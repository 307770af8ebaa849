"""How much the standard errors of the first of each year would fall if more games were known.

The ratings are held fixed, so that only the information matrix grows. With its pseudo-inverse C
and the information B B' of the new games, the covariances of theta fall by

    C B (I + B' C B)^-1 B' C,

which takes one solve with the factor of the fit for each column of B.

Source: the Sherman-Morrison-Woodbury formula; Golub, Van Loan, Matrix Computations (2013).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from edo.core.scale import ELO_PER_NAT, Floats, Ints
from edo.rating.edo import FittedNetwork, adjust, ranks

FIRST = 50  # places of a year's list whose standard errors count
NEGLIGIBLE = 1e-12  # eigenvalues below this share of the largest are rounding noise
BATCH = 200  # directions solved at a time, to limit memory: each has a number for every node


@dataclass(frozen=True, slots=True)
class AddedGames:
    """The information of (m,) links between nodes `i` and `j`, each `weight` [1 / nat^2].

    Nodes are those of the network (n_nodes,); those from n_nodes on are new ones, such as players
    without a rating so far.
    """

    i: Ints
    j: Ints
    weight: Floats


def information(games: Floats, difference: Floats) -> Floats:
    """Return the information [1 / nat^2] of games [games] between ratings so far apart [nat]."""
    return np.asarray(games * expit(difference) * expit(-difference))


class StandardErrors:
    """The standard errors of the first `FIRST` of each year, and their falls with more games.

    `rows` (n_rows,) are the player-years in these places of the published lists, years of gaps
    included. Falls are in Elo, of the adjusted ratings.
    """

    def __init__(self, fitted: FittedNetwork, first: int = FIRST) -> None:
        self._fitted = fitted
        self._n = len(fitted.fit.theta)
        self.rows = np.flatnonzero(ranks(fitted.network.year, fitted.rating) <= first)
        self._variance = np.square(fitted.raw_deviation[self.rows])

    def falls(self, games: AddedGames) -> Floats:
        """Return by how much each standard error falls (n_rows,) [Elo] with these games."""
        nodes, root = information_root(games, self._n)
        if not root.size:
            return np.zeros(len(self.rows))
        columns = np.zeros((self._n, root.shape[1]))
        columns[nodes] = root
        covariances = self._fitted.fit.information.solve(columns)
        core = np.eye(root.shape[1]) + root.T @ covariances[nodes]
        of_rows = covariances[self.rows]
        return self._falls(np.einsum("ij,ji->i", of_rows, np.linalg.solve(core, of_rows.T)))

    def falls_each(self, directions: Floats, weight: Floats) -> Floats:
        """Return the falls (n_rows, k) [Elo] by each of k measurements alone.

        A measurement has the information `weight` (k,) [1 / nat^2] about the sum of theta times
        its direction (n_nodes, k).
        """
        covariances = self._fitted.fit.information.solve(directions)
        variance = np.einsum("ij,ij->j", directions, covariances)
        return self._falls(np.square(covariances[self.rows]) * (weight / (1 + weight * variance)))

    def _falls(self, reduction: Floats) -> Floats:
        """Return the falls [Elo] of adjusted standard errors for falls of variances [nat^2]."""
        settings, old_variance = self._fitted.settings, self._variance
        if reduction.ndim > 1:
            old_variance = old_variance[:, None]
        fall = np.maximum(reduction, 0.0)  # below 0 only by rounding
        new_variance = old_variance - settings.variance_factor * ELO_PER_NAT**2 * fall
        _, deviation = adjust(np.zeros(()), np.sqrt(old_variance), settings)
        _, lower = adjust(np.zeros(()), np.sqrt(new_variance), settings)
        return np.asarray(deviation - lower)


def information_root(games: AddedGames, n: int) -> tuple[Ints, Floats]:
    """Return the nodes (k,) of the network that the games link, and a root B (k, r) with B B'.

    B B' is the information about theta of these nodes, with the new nodes, from `n` on, eliminated
    by the Schur complement.
    """
    nodes, end = np.unique(np.r_[games.i, games.j], return_inverse=True)
    i, j = end[: len(games.i)], end[len(games.i) :]
    matrix = np.zeros((len(nodes), len(nodes)))
    for a, b, weight in ((i, j, -games.weight), (j, i, -games.weight)):
        np.add.at(matrix, (a, b), weight)
        np.add.at(matrix, (a, a), -weight)
    k = int(np.searchsorted(nodes, n))
    existing, between, new = matrix[:k, :k], matrix[:k, k:], matrix[k:, k:]
    # the pseudo-inverse, as new players who meet nobody else make their block singular
    reduced = existing - between @ np.linalg.pinv(new) @ between.T
    values, vectors = np.linalg.eigh((reduced + reduced.T) / 2)  # which reads one triangle only
    # The floor is for games that tell nothing: then even the largest eigenvalue is noise.
    significant = values > NEGLIGIBLE * max(values.max(initial=0.0), NEGLIGIBLE)
    return nodes[:k], vectors[:, significant] * np.sqrt(values[significant])
