"""Games in; those of the largest part of the players whom any games link out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from edo.core.problems import DisconnectedNetwork
from edo.systems.games import Games, Ints


def largest_part(games: Games) -> tuple[Games, Ints]:
    """Return the games among the most players that hang together, renumbered, and who they are.

    Raises DisconnectedNetwork where there are no games.
    """
    if not len(games.first):
        raise DisconnectedNetwork("there are no games to rate; add results without odds")
    n = len(games.players)
    graph = coo_array((np.ones(len(games.first)), (games.first, games.second)), shape=(n, n))
    part = connected_components(graph, directed=False)[1]
    chosen = np.bincount(part).argmax()
    inside = games.where(part[games.first] == chosen)
    who = np.flatnonzero(part == chosen)
    first, second = (np.searchsorted(who, side) for side in (inside.first, inside.second))
    names = tuple(games.players[k] for k in who)
    return replace(inside, players=names, first=first, second=second), who
