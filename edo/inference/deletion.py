"""A condensed network and what is removed from it in; the step to the new maximum out.

One Newton step leads from the maximum to near the one without some pairings. With H the
information, H_R and g_R the share of the removed in it and in the gradient, theta moves by
-(H - H_R)^+ g_R. Both shares live on the few nodes of the removed pairings, so that with S the
columns of H^+ at these nodes and S_R its rows there

    (H - H_R)^+ = H^+ + S (I - H_R S_R)^-1 H_R S',    (H - H_R)^+ g_R = S (I - H_R S_R)^-1 g_R.

A few of the links that remain may bend: their differences move so far that their information
changes. What they gain or lose is removed likewise, and the step taken once more from the start.

Source: Woodbury's identity; one-step deletion: Cook, Weisberg, Residuals and Influence in
Regression (1982).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from edo.inference.condensed import Condensed
from edo.inference.removal import Removal
from edo.scale import Floats

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

MOST_STEPS = 12
FARTHEST = 1.0  # [nat], 174 Elo: Newton on a logistic curve overshoots from farther away
SETTLED = 0.01  # [nat], 2 Elo: the next step is then smaller by a factor of some hundreds
MOVED = 0.05  # [nat], 9 Elo: a difference that moves less changes no weight by more than 0.1 %
BENT = 0.01  # relative change of the variance of a link's difference
MOST_BENT = 100  # links; more make the step no better and slower


@dataclass(frozen=True, slots=True)
class Deletion:
    """A step (n,) [nat] of all theta, and the change of the inverse information with it.

    The inverse gains `columns` `gain` `columns`', of the shapes (n, k), (k, k), (k, n).
    """

    step: Floats
    columns: Floats
    gain: Floats

    def gained(self, right: Floats) -> Floats:
        """Return what the inverse times `right` (n,) gains."""
        return np.asarray(self.columns @ (self.gain @ (right @ self.columns)))

    def gained_diagonal(self) -> Floats:
        """Return what the diagonal of the inverse gains, (n,)."""
        return np.asarray(np.einsum("ij,ij->i", self.columns @ self.gain, self.columns))


@dataclass(frozen=True, slots=True)
class _Share:
    """The (m,) links to be removed, between `ends` (2, m).

    What the first scored in each beyond expectation, and its information.
    """

    ends: Ints
    surplus: Floats
    weight: Floats

    def __add__(self, other: _Share) -> _Share:
        return _Share(
            np.concatenate([self.ends, other.ends], axis=1),
            np.concatenate([self.surplus, other.surplus]),
            np.concatenate([self.weight, other.weight]),
        )


class Deleter:
    """Removes one thing after another from the same network."""

    def __init__(self, network: Condensed) -> None:
        self._network = network
        self._surplus = network.links.surplus(network.theta)
        self._weight = network.links.weights(network.theta)

    def delete(self, removal: Removal) -> Deletion:
        """Return the step without what is removed; it says nothing of dropped players.

        On the way no difference moves by more than `FARTHEST` at a time.
        """
        drops = removal.dropped[self._network.player]
        left = np.ones(len(self._weight), bool)
        left[: len(removal.gone)] = ~removal.gone
        links = self._network.links
        removed = share = self._removed(removal, drops)
        at = np.zeros(len(drops))
        for _ in range(MOST_STEPS):
            deletion = self._step(share, drops)
            farthest = np.abs(links.differences(deletion.step - at)[left]).max(initial=0.0)
            at = at + min(1.0, FARTHEST / max(farthest, FARTHEST)) * (deletion.step - at)
            bent = self._bent(left, at, deletion)
            if farthest <= SETTLED or (farthest <= FARTHEST and not len(bent.weight)):
                break
            share = removed + bent
        return Deletion(at, deletion.columns, deletion.gain)

    def _removed(self, removal: Removal, drops: Bools) -> _Share:
        """Return the links that go, and one spring for each dropped player.

        He would be left with ties to nothing. A spring (information that is not removed) holds
        him to a node that stays; nothing pulls at him, so it has no effect on the others. Where
        nobody stays nothing is left to be moved.
        """
        here = np.flatnonzero(removal.gone & ~drops.all())
        links = self._network.links
        ends, weight = np.stack([links.i[here], links.j[here]]), self._weight[here]
        nodes = np.unique(ends)
        staying, dropped = nodes[~drops[nodes]], nodes[drops[nodes]]
        _, one_each = np.unique(self._network.player[dropped], return_index=True)
        held = dropped[one_each]
        spring = np.full(len(held), weight.sum() / max(1, len(weight)))
        ties = np.stack([held, np.resize(staying[:1], len(held))])
        springs = _Share(ties, 0 * spring, -spring)
        return _Share(ends, self._surplus[here], weight) + springs

    def _bent(self, left: Bools, at: Floats, deletion: Deletion) -> _Share:
        """Return how the links that bend most on the way differ from what a step takes them for."""
        moved = self._network.links.differences(at)
        some = np.flatnonzero(left & (np.abs(moved) > MOVED))
        moved, theta = moved[some], self._network.theta + at
        links = self._network.links.chosen(some)
        fewer = self._weight[some] - links.weights(theta)
        across = deletion.columns[links.i] - deletion.columns[links.j]
        variance = self._network.variances(links)
        variance += np.einsum("ij,ij->i", across @ deletion.gain, across)
        change = np.abs(fewer) * variance
        most = np.argsort(-change, kind="stable")[:MOST_BENT]
        most = most[change[most] > BENT]
        residue = self._surplus[some] - links.surplus(theta) - links.weights(theta) * moved
        return _Share(np.stack([links.i, links.j])[:, most], residue[most], fewer[most])

    def _step(self, share: _Share, drops: Bools) -> Deletion:
        nodes, at = np.unique(share.ends, return_inverse=True)
        k, (i, j) = len(nodes), at.reshape(2, -1)
        force = np.bincount(i, share.surplus, k) - np.bincount(j, share.surplus, k)
        force[drops[nodes]] = 0.0
        information = np.zeros((k, k))
        for a, b, weight in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
            np.add.at(information, (a, b), weight * share.weight)
        columns = self._network.covariance[nodes].T
        right = np.hstack([force[:, None], information])
        solved = np.asarray(
            np.linalg.solve(np.eye(k) - information @ columns[nodes], right), np.float64
        )
        return Deletion(-columns @ solved[:, 0], columns, solved[:, 1:])
