"""A network in; for each event what else goes when it goes out: players, player-years, pairings.

Without an event some players cannot be rated any more; then their other pairings are no use
either. Who stays is judged by the players in the network as `network.unratable` does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from edo.condensed import home_nodes
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
    names = np.array([p.event for p in network.pairings])
    players = _Players(network)
    return tuple(_removal(network, players, str(e), names == e) for e in np.unique(names))


class _Players:
    """The two players of each pairing, and which of them scored against the other."""

    def __init__(self, network: ResultsNetwork) -> None:
        pairings = network.pairings
        index = {player: k for k, player in enumerate(network.players)}
        self.count = len(index)
        self.first = np.array([index[p.first.player] for p in pairings], np.int64)
        self.second = np.array([index[p.second.player] for p in pairings], np.int64)
        self.won = np.array([p.score > 0 for p in pairings])
        self.lost = np.array([p.score < p.games for p in pairings])

    def dropped(self, gone: Bools) -> Bools:
        """Return who is outside of the largest strongly connected part without these pairings."""
        won, lost = self.won & ~gone, self.lost & ~gone
        stay = largest_strong_part(self.count, self.first, self.second, won, lost)
        return np.ones(self.count, bool) if stay.sum() < 2 else ~stay


def _removal(network: ResultsNetwork, players: _Players, event: str, own: Bools) -> Removal:
    dropped = players.dropped(own)
    gone = own | dropped[players.first] | dropped[players.second]
    pairs, n = network.comparisons, len(network.year)
    left = np.flatnonzero(~gone)
    in_use = np.zeros(pairs.n, bool)
    in_use[pairs.i[left]] = in_use[pairs.j[left]] = True
    has_results = in_use.copy()
    has_results[home_nodes(network)[in_use]] = True
    rated = _between(has_results[:n], network.start)
    return Removal(event, own, gone, dropped, rated, has_results[:n], np.r_[rated, in_use[n:]])


def _between(has_results: Bools, start: Ints) -> Bools:
    """Mark each player's years from the first to the last with results (n_player_years,)."""
    before = np.cumsum(has_results)
    base = np.r_[0, before][start[:-1]]
    lengths = np.diff(start)
    so_far = before - np.repeat(base, lengths)
    total = np.repeat(np.r_[0, before][start[1:]] - base, lengths)
    return np.asarray((so_far > 0) & (so_far - has_results < total))
