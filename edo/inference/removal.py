"""A network in; for each event what else goes when it goes out: players, player-years, pairings.

Without an event some players cannot be rated any more; then their other pairings are no use
either. Who stays is judged by the players in the network as `network.unratable` does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from edo.inference.condensed import home_nodes
from edo.network import ResultsNetwork, largest_strong_part

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Removal:
    """What is left of a network without an event.

    `own`, `gone` (n_pairings,) mark the event's pairings and all that go with it; `dropped`
    (n_players,) the players who lose their rating. Of the rest, `rated` (n_player_years,) marks
    the years that still have one, `has_results` (n_player_years,) those with results, and `stays`
    (n_nodes,) the rated years and the ghosts still in use.
    """

    event: str
    own: Bools
    gone: Bools
    dropped: Bools
    rated: Bools
    has_results: Bools
    stays: Bools


def removals(network: ResultsNetwork) -> tuple[Removal, ...]:
    """Return what each event of the network takes with it, by id."""
    events, event = np.unique([p.event for p in network.pairings], return_inverse=True)
    players, home = _Players(network), home_nodes(network)
    return tuple(
        _removal(network, players, home, str(name), event == k) for k, name in enumerate(events)
    )


class _Players:
    """The two players of each pairing, and the arcs from who scored to the other, each once.

    `scored` holds the arcs that pairings make, one after the other, and `by` the pairings.
    """

    def __init__(self, network: ResultsNetwork) -> None:
        pairings = network.pairings
        index = {player: k for k, player in enumerate(network.players)}
        self.count = len(index)
        self.first = np.array([index[p.first.player] for p in pairings], np.int64)
        self.second = np.array([index[p.second.player] for p in pairings], np.int64)
        won = np.flatnonzero([p.score > 0 for p in pairings])
        lost = np.flatnonzero([p.score < p.games for p in pairings])
        tail = np.concatenate([self.first[won], self.second[lost]])
        head = np.concatenate([self.second[won], self.first[lost]])
        arcs, self.scored = np.unique(tail * self.count + head, return_inverse=True)
        self.by = np.concatenate([won, lost])
        self.tail, self.head = np.divmod(arcs, self.count)

    def dropped(self, gone: Bools) -> Bools:
        """Return who is outside of the largest strongly connected part without these pairings."""
        left = np.zeros(len(self.tail), bool)
        left[self.scored[~gone[self.by]]] = True
        if left.all():  # other pairings make the same arcs, so that all hangs together as before
            return np.zeros(self.count, bool)
        stay = largest_strong_part(self.count, self.tail[left], self.head[left])
        return np.ones(self.count, bool) if stay.sum() < 2 else ~stay


def _removal(
    network: ResultsNetwork, players: _Players, home: Ints, event: str, own: Bools
) -> Removal:
    dropped = players.dropped(own)
    gone = own | dropped[players.first] | dropped[players.second]
    pairs, n = network.comparisons, len(network.year)
    left = np.flatnonzero(~gone)
    in_use = np.zeros(pairs.n, bool)
    in_use[pairs.i[left]] = in_use[pairs.j[left]] = True
    has_results = in_use.copy()
    has_results[home[in_use]] = True
    rated = _between(has_results[:n], network.start)
    stays = np.concatenate([rated, in_use[n:]])
    return Removal(event, own, gone, dropped, rated, has_results[:n], stays)


def _between(has_results: Bools, start: Ints) -> Bools:
    """Mark each player's years from the first to the last with results (n_player_years,)."""
    before = np.concatenate([[0], np.cumsum(has_results)])
    base, lengths = before[start[:-1]], np.diff(start)
    so_far = before[1:] - np.repeat(base, lengths)
    total = np.repeat(before[start[1:]] - base, lengths)
    return np.asarray((so_far > 0) & (so_far - has_results < total))
