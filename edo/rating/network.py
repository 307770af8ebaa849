"""The network of player-years to be fitted, and the reasons why some players are not in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import breadth_first_order, connected_components

from edo.core import formats
from edo.core.problems import DisconnectedNetwork
from edo.core.scale import Bools, Floats, Ints, expected_score, theta_from_elo
from edo.core.settings import Settings
from edo.rating.fit.bradley_terry import Comparisons
from edo.rating.pairings import Pairing, Side

ALL_GAMES = "every game that could be rated"
LOST_ALL = f"Lost {ALL_GAMES}, so that any rating would be too high."
WON_ALL = f"Won {ALL_GAMES}, so that any rating would be too low."
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
    """The network to be fitted: nodes are the player-years, by player and year, then the ghosts.

    `players` (n_players,) are ids, sorted; `start` (n_players + 1,) is where the nodes of each
    begin; `year`, `score` [points] and `games` (n_player_years,) are those of the rated pairings of
    each player-year; `owner` (n_nodes,) is the player-year of a node, for a ghost its giver's.
    `comparisons` are over all nodes: first the `pairings` in the network, then the self-pairings,
    then the ties of the ghosts. `reasons` says why each player left out cannot be rated.
    """

    players: tuple[str, ...]
    start: Ints
    year: Ints
    score: Floats
    games: Floats
    owner: Ints
    comparisons: Comparisons
    pairings: tuple[Pairing, ...]
    reasons: Mapping[str, str]

    def pairing_nodes(self) -> Ints:
        """Return the player-years of both sides of each pairing, (2, n_pairings)."""
        m = len(self.pairings)
        return self.owner[np.stack([self.comparisons.i[:m], self.comparisons.j[:m]])]

    def player_ids(self) -> list[str]:
        """Return the player's id of each player-year, (n_player_years,)."""
        return np.repeat(np.array(self.players), np.diff(self.start)).tolist()


def build(
    pairings: Iterable[Pairing], settings: Settings, everybody: bool = False
) -> ResultsNetwork:
    """Return the network of the largest part of the pairings that can be rated.

    A model with a prior can rate `everybody`. Raises DisconnectedNetwork where no two players can
    be rated.
    """
    everything = tuple(pairings)
    reasons = {} if everybody else unratable(everything)
    kept = tuple(
        p for p in everything if p.first.player not in reasons and p.second.player not in reasons
    )
    if not kept:
        raise DisconnectedNetwork(
            "no two players have points from each other; add results in which both scored"
        )
    players, start, year = _player_years(kept)
    nodes = _Nodes(players, start, year)
    first = np.array([nodes.of(p.first, p) for p in kept], np.int64)
    second = np.array([nodes.of(p.second, p) for p in kept], np.int64)
    score, games = _points_and_games(kept)
    tied = _concatenate(
        (first, second, score, games), self_pairings(start, settings), nodes.ties(settings)
    )
    owner = nodes.owners()
    return ResultsNetwork(
        players,
        start,
        year,
        _per_node(len(year), (owner[first], score), (owner[second], games - score)),
        _per_node(len(year), (owner[first], games), (owner[second], games)),
        owner,
        Comparisons(len(owner), *tied, _offsets(kept, len(tied[0]))),
        kept,
        reasons,
    )


class _Nodes:
    """The indices of player-years and of ghosts, which are numbered as they are looked up."""

    def __init__(self, players: Sequence[str], start: Ints, year: Ints) -> None:
        self.first_node = dict(zip(players, start[:-1].tolist(), strict=True))
        self.first_year = dict(zip(players, year[start[:-1]].tolist(), strict=True))
        self.count = len(year)
        self.ghosts: dict[tuple[int, str], int] = {}
        self.points: list[float] = []

    def of(self, side: Side, pairing: Pairing) -> int:
        """Return the node of a side of the pairing: the ghost of who gave odds in known results."""
        node: int = self.first_node[side.player] + pairing.year - self.first_year[side.player]
        if side.odds is None or side.odds_points is None or pairing.basis != "results":
            return node
        key = (node, side.odds)
        if key not in self.ghosts:
            self.ghosts[key] = self.count + len(self.ghosts)
            self.points.append(side.odds_points)
        return self.ghosts[key]

    def owners(self) -> Ints:
        """Return the player-year of each node (n_nodes,)."""
        return np.array([*range(self.count), *(node for node, _ in self.ghosts)], np.int64)

    def ties(self, settings: Settings) -> tuple[Ints, Ints, Floats, Floats]:
        """Return the hypothetical games that tie each ghost to its giver, by the odds' points."""
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


def _offsets(pairings: Sequence[Pairing], n: int) -> Floats:
    """Return the advantages (n,) [nat] by odds of the first sides; after the pairings they are 0.

    Of scores from totals nobody knows which of the points were made at odds, so that no ghost can
    have them. At a fixed offset the likelihood depends on the totals alone.
    """
    found = np.zeros(n)
    for k, one in enumerate(pairings):
        if one.basis != "results":
            found[k] = (one.second.odds_points or 0.0) - (one.first.odds_points or 0.0)
    return theta_from_elo(found)


def self_pairings(start: Ints, settings: Settings) -> tuple[Ints, Ints, Floats, Floats]:
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


@dataclass(frozen=True, slots=True)
class ScoringGraph:
    """The arcs of players, from each one to those he scored anything against.

    The pairing `made_by[k]` leads an arc from `tail[k]` to `head[k]`, numbers of players. `size`
    (n_players,) is 1, or the number of players who count as one.
    """

    made_by: Ints
    tail: Ints
    head: Ints
    size: Ints

    def stay(self, gone: Bools) -> Bools:
        """Return the largest strongly connected part without the pairings marked in `gone`."""
        left = ~gone[self.made_by]
        return largest_strong_part(len(self.size), self.tail[left], self.head[left], self.size)

    def contracted(self, gone: Bools) -> tuple[ScoringGraph, Ints]:
        """Return the graph in which all who stay without `gone` count as one player.

        The second result is the number in it of each player, (n_players,).
        """
        stay = self.stay(gone)
        number = np.where(stay, 0, np.cumsum(~stay))
        size = np.bincount(number, self.size).astype(np.int64)
        between = np.flatnonzero(~(stay[self.tail] & stay[self.head]))
        tail, head = number[self.tail[between]], number[self.head[between]]
        return ScoringGraph(self.made_by[between], tail, head, size), number

    def dropped(self, gone: Bools) -> Bools:
        """Return who of a connected network drops out without the pairings marked in `gone`."""
        stay = self.stay(gone)
        return np.ones(len(stay), bool) if self.size[stay].sum() < 2 else ~stay


def scoring_graph(players: Sequence[str], pairings: Sequence[Pairing]) -> ScoringGraph:
    """Return the graph of all pairings; `players` has the ids of everybody in them."""
    first, second = player_numbers(players, pairings)
    won = np.flatnonzero([p.score > 0 for p in pairings])
    lost = np.flatnonzero([p.score < p.games for p in pairings])
    tail, head = np.r_[first[won], second[lost]], np.r_[second[won], first[lost]]
    return ScoringGraph(np.r_[won, lost], tail, head, np.ones(len(players), np.int64))


def player_numbers(players: Sequence[str], pairings: Sequence[Pairing]) -> Ints:
    """Return the numbers of the players of each pairing, (2, n_pairings)."""
    index = {player: k for k, player in enumerate(players)}
    ends = [(index[p.first.player], index[p.second.player]) for p in pairings]
    return np.array(ends, np.int64).reshape(-1, 2).T


def unratable(pairings: Sequence[Pairing]) -> dict[str, str]:
    """Return the players outside the largest strongly connected part, each with the reason.

    The likelihood has a maximum only within a strongly connected part of the scoring graph.
    Source: Ford (1957), as in `bradley_terry`.
    """
    players = sorted({s.player for p in pairings for s in (p.first, p.second)})
    if not players:
        return {}
    arcs, (points, games) = scoring_graph(players, pairings), _points_and_games(pairings)
    n, (first, second) = len(players), player_numbers(players, pairings)
    score = _per_node(n, (first, points), (second, games - points))
    played = _per_node(n, (first, games), (second, games))
    core = largest_strong_part(n, arcs.tail, arcs.head)
    member = int(np.flatnonzero(core)[0])
    graph = _graph(n, arcs.tail, arcs.head)
    up, down = _reached(graph.T.tocsr(), member), _reached(graph, member)
    linked = _reached((graph + graph.T).tocsr(), member)
    return {
        player: _reason(score[k], played[k], bool(up[k]), bool(down[k]), bool(linked[k]))
        for k, player in enumerate(players)
        if not core[k]
    }


def largest_strong_part(n: int, tail: Ints, head: Ints, size: Ints | None = None) -> Bools:
    """Return which players are in the largest strongly connected part, (n,).

    The (m,) arcs lead from a player who scored, the tail, to his opponent, the head; `size` (n,) is
    for how many each counts, by default 1. Of parts of the same size it is the one found first.
    """
    _, label = connected_components(_graph(n, tail, head), connection="strong")
    return np.asarray(label == np.argmax(np.bincount(label, size)))


def with_number(reason: str, games: float) -> str:
    """Return a reason why a player is not rated with the number of his games, where it counts."""
    few = {1.0: "the only game", 2.0: "both games"}
    words = few.get(games) or f"all {formats.counted(games, 'game')}"
    return reason.replace(ALL_GAMES, f"{words} that could be rated")


def _points_and_games(pairings: Sequence[Pairing]) -> tuple[Floats, Floats]:
    points, games = np.array([(p.score, p.games) for p in pairings], np.float64).T
    return points, games


def _graph(n: int, tail: Ints, head: Ints) -> csr_array:
    return coo_array((np.ones(len(tail)), (tail, head)), shape=(n, n)).tocsr()


def _reached(graph: csr_array, origin: int) -> Bools:
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
