"""Weighted pairings in; the network to be fitted, and why some players are not in it, out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import breadth_first_order, connected_components

from edo.core.problems import DisconnectedNetwork
from edo.core.scale import expected_score
from edo.core.settings import Settings
from edo.rating.fit.bradley_terry import Comparisons
from edo.rating.pairings import Pairing, Side

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

LOST_ALL = "Lost every game that could be rated, so that any rating would be too high."
WON_ALL = "Won every game that could be rated, so that any rating would be too low."
BELOW = (
    "Scored nothing against the players who can be rated, neither directly nor through others, "
    "so that any rating would be too high."
)
ABOVE = (
    "Lost nothing to the players who can be rated, neither directly nor through others, "
    "so that any rating would be too low."
)
THROUGH_UNRATED = (
    "Linked to the main body of players only through players who cannot be rated themselves."
)
UNLINKED = "No chain of results leads to the main body of players."
NO_RESULT = "No result is known that can be rated."


@dataclass(frozen=True, slots=True)
class ResultsNetwork:
    """What is fitted: nodes are player-years, player by player in order of years, then the ghosts.

    `players` (n_players,) ids, sorted; `start` (n_players + 1,) where each one's nodes begin;
    `year` (n_player_years,) of each player-year; `score`, `games` (n_player_years,) [points],
    [games] of its rated pairings; `comparisons` over all nodes; `pairings` those that are in it;
    `reasons` why each player with a pairing is not in it.
    """

    players: tuple[str, ...]
    start: Ints
    year: Ints
    score: Floats
    games: Floats
    comparisons: Comparisons
    pairings: tuple[Pairing, ...]
    reasons: Mapping[str, str]


def build(pairings: Iterable[Pairing], settings: Settings) -> ResultsNetwork:
    """Return the network of the largest ratable part of the pairings.

    Raises DisconnectedNetwork where no two players can be rated.
    """
    everything = tuple(pairings)
    reasons = unratable(everything)
    kept = tuple(
        p for p in everything if p.first.player not in reasons and p.second.player not in reasons
    )
    if not kept:
        raise DisconnectedNetwork(
            "no two players have points from each other; add results in which both scored"
        )
    players, start, year = _player_years(kept)
    nodes = _Nodes(players, start, year)
    first = np.array([nodes.of(p.first, p.year) for p in kept], np.int64)
    second = np.array([nodes.of(p.second, p.year) for p in kept], np.int64)
    score = np.array([p.score for p in kept], np.float64)
    games = np.array([p.games for p in kept], np.float64)
    tied = _concatenate(
        (first, second, score, games), _self_pairings(start, settings), nodes.ties(settings)
    )
    home = nodes.home()
    return ResultsNetwork(
        players,
        start,
        year,
        _per_node(len(year), (home[first], score), (home[second], games - score)),
        _per_node(len(year), (home[first], games), (home[second], games)),
        Comparisons(len(home), *tied),
        kept,
        reasons,
    )


class _Nodes:
    """The indices of player-years and, as they are asked for, of ghosts behind them."""

    def __init__(self, players: Sequence[str], start: Ints, year: Ints) -> None:
        self.first_node = dict(zip(players, start[:-1].tolist(), strict=True))
        self.first_year = dict(zip(players, year[start[:-1]].tolist(), strict=True))
        self.count = len(year)
        self.ghosts: dict[tuple[int, str], int] = {}
        self.points: list[float] = []

    def of(self, side: Side, year: int) -> int:
        node: int = self.first_node[side.player] + year - self.first_year[side.player]
        if side.odds is None or side.odds_points is None:
            return node
        key = (node, side.odds)
        if key not in self.ghosts:
            self.ghosts[key] = self.count + len(self.ghosts)
            self.points.append(side.odds_points)
        return self.ghosts[key]

    def home(self) -> Ints:
        """Return the player-year of each node: its own index, or that of the ghost's giver."""
        return np.array([*range(self.count), *(node for node, _ in self.ghosts)], np.int64)

    def ties(self, settings: Settings) -> tuple[Ints, Ints, Floats, Floats]:
        """Return the hypothetical games that hold each ghost at its points below its giver."""
        giver = np.array([node for node, _ in self.ghosts], np.int64)
        ghost = np.array(list(self.ghosts.values()), np.int64)
        share = np.array([expected_score(points) for points in self.points], np.float64)
        n = settings.ghost_games
        return giver, ghost, n * share, np.full(len(share), n)


def _player_years(pairings: Sequence[Pairing]) -> tuple[tuple[str, ...], Ints, Ints]:
    spans: dict[str, tuple[int, int]] = {}
    for pairing in pairings:
        for player in (pairing.first.player, pairing.second.player):
            low, high = spans.get(player, (pairing.year, pairing.year))
            spans[player] = min(low, pairing.year), max(high, pairing.year)
    players = tuple(sorted(spans))
    years = [np.arange(spans[p][0], spans[p][1] + 1, dtype=np.int64) for p in players]
    start = np.concatenate([[0], np.cumsum([len(y) for y in years])]).astype(np.int64)
    return players, start, np.concatenate([*years, np.empty(0, np.int64)])


def _self_pairings(start: Ints, settings: Settings) -> tuple[Ints, Ints, Floats, Floats]:
    """Return the hypothetical games between neighbouring years, the later year first."""
    later = np.setdiff1d(np.arange(start[-1]), start[:-1])
    games = np.full(len(later), settings.self_games)
    return later, later - 1, games * settings.self_score, games


def _concatenate(
    *parts: tuple[Ints, Ints, Floats, Floats],
) -> tuple[Ints, Ints, Floats, Floats]:
    i, j, score, games = (np.concatenate(column) for column in zip(*parts, strict=True))
    return i, j, score, games


def _per_node(n: int, *parts: tuple[Ints, Floats]) -> Floats:
    total = np.zeros(n)
    for node, weight in parts:
        np.add.at(total, node, weight)
    return total


def unratable(pairings: Sequence[Pairing]) -> dict[str, str]:
    """Return the players outside the largest strongly connected part, each with the reason.

    A player leads to another when he scored anything against him in any year; the maximum of the
    likelihood exists just inside the strongly connected parts (Ford 1957).
    """
    players = sorted({s.player for p in pairings for s in (p.first, p.second)})
    if not players:
        return {}
    graph, score, games = _who_scored(players, pairings)
    _, label = connected_components(graph, directed=True, connection="strong")
    core = label == np.argmax(np.bincount(label))  # of equals the one found first
    anyone = int(np.flatnonzero(core)[0])
    up, down = _reached(graph.T.tocsr(), anyone), _reached(graph, anyone)
    linked = _reached((graph + graph.T).tocsr(), anyone)
    return {
        player: _reason(score[k], games[k], bool(up[k]), bool(down[k]), bool(linked[k]))
        for k, player in enumerate(players)
        if not core[k]
    }


def largest_strong_part(n: int, tail: Ints, head: Ints) -> Bools:
    """Return who of n players is in the largest strongly connected part, (n,).

    An arc (m,) leads from who scored, its tail, to the other, its head.
    """
    graph = coo_array((np.ones(len(tail)), (tail, head)), shape=(n, n))
    _, label = connected_components(graph, connection="strong")
    return np.asarray(label == np.argmax(np.bincount(label)))


def _who_scored(
    players: Sequence[str], pairings: Sequence[Pairing]
) -> tuple[csr_array, Floats, Floats]:
    index = {player: k for k, player in enumerate(players)}
    i = np.array([index[p.first.player] for p in pairings], np.int64)
    j = np.array([index[p.second.player] for p in pairings], np.int64)
    score_i = np.array([p.score for p in pairings], np.float64)
    games = np.array([p.games for p in pairings], np.float64)
    n = len(players)
    source, target = np.concatenate([i, j]), np.concatenate([j, i])
    points = np.concatenate([score_i, games - score_i])
    scored = points > 0
    graph = coo_array(
        (np.ones(int(scored.sum())), (source[scored], target[scored])), shape=(n, n)
    ).tocsr()
    return graph, _per_node(n, (source, points)), _per_node(n, (i, games), (j, games))


def _reached(graph: csr_array, origin: int) -> NDArray[np.bool_]:
    reached = np.zeros(graph.shape[0], bool)
    reached[breadth_first_order(graph, origin, return_predecessors=False)] = True
    return reached


def _reason(score: float, games: float, up: bool, down: bool, linked: bool) -> str:
    if score <= 0:
        return LOST_ALL
    if score >= games:
        return WON_ALL
    if up:
        return ABOVE
    if down:
        return BELOW
    return THROUGH_UNRATED if linked else UNLINKED
