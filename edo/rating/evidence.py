"""The evidence behind each player-year, and the minimum of it that a rank takes."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from edo.core.formats import counted, rating
from edo.core.scale import Bools, Floats, Ints
from edo.history.settings import Settings
from edo.rating.network import ResultsNetwork


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What the rating of each player-year rests on, and whether it is enough for a rank.

    `games` [games] and `opponents` (n_player_years,) are those of the player's rated games in the
    year and the `ranked_years` of the settings before and after it; `ranked` (n_player_years,)
    where they and the standard error keep the limits of the settings, and a chain of games leads to
    the main body of players.
    """

    games: Floats
    opponents: Ints
    ranked: Bools


def evidence(network: ResultsNetwork, deviation: Floats, settings: Settings) -> Evidence:
    """Return the evidence of each player-year; `deviation` (n_player_years,) [Elo] is published."""
    games = np.zeros(len(network.year))
    for begin, end in pairwise(network.start.tolist()):
        games_before = np.concatenate([[0.0], np.cumsum(network.games[begin:end])])
        first, last = _near(np.arange(end - begin), 0, end - begin, settings)
        # rounded, so that noise in sums of shares of games does not decide who has a rank
        games[begin:end] = np.round(games_before[last] - games_before[first], 9)
    opponents = _opponents(network, settings)
    return Evidence(
        games,
        opponents,
        (deviation <= settings.ranked_deviation)
        & (games >= settings.ranked_games)
        & (opponents >= settings.ranked_opponents)
        & _linked(network),
    )


UNLINKED = "no chain of games to the main body of players"


def shortfall(
    deviation: float, games: float, opponents: int, settings: Settings
) -> tuple[str, ...]:
    """Return in words what is too little for a rank, `4 games`; nothing where all is enough."""
    return tuple(
        words
        for is_short, words in (
            (games < settings.ranked_games, counted(games, "game")),
            (opponents < settings.ranked_opponents, counted(opponents, "opponent")),
            (
                deviation > settings.ranked_deviation,
                f"standard error above {rating(settings.ranked_deviation)}",
            ),
        )
        if is_short
    )


def _linked(network: ResultsNetwork) -> Bools:
    """Return which player-years are of the largest group of players that games connect."""
    n = len(network.players)
    first, second = network.pairings.first, network.pairings.second
    graph = coo_array((np.ones(len(first)), (first, second)), shape=(n, n))
    component = connected_components(graph, directed=False)[1]
    return np.repeat(component == np.bincount(component).argmax(), np.diff(network.start))


def _near(node: Ints, begin: int, end: int, settings: Settings) -> tuple[Ints, Ints]:
    """Return the first and one past the last of a player's nodes near each of these."""
    years = settings.ranked_years
    return np.maximum(node - years, begin), np.minimum(node + years + 1, end)


def _opponents(network: ResultsNetwork, settings: Settings) -> Ints:
    """Return how many opponents each player-year has near it, (n_player_years,)."""
    met: defaultdict[int, set[int]] = defaultdict(set)
    pairings = network.pairings
    nodes = network.pairing_nodes().ravel().tolist()
    opponents = np.r_[pairings.second, pairings.first].tolist()
    for player_year, opponent in zip(nodes, opponents, strict=True):
        met[player_year].add(opponent)
    counts = np.zeros(len(network.year), np.int64)
    for begin, end in pairwise(network.start.tolist()):
        node = np.arange(begin, end)
        first, last = _near(node, begin, end, settings)
        for k, low, high in zip(node.tolist(), first.tolist(), last.tolist(), strict=True):
            counts[k] = len(set().union(*(met[j] for j in range(low, high) if j in met)))
    return counts
