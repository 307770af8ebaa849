"""The network of player-years to be fitted, and the reasons why some players are not in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import breadth_first_order, connected_components

from edo.core import formats
from edo.core.problems import DisconnectedNetwork
from edo.core.scale import Bools, Floats, Ints, expected_scores, theta_from_elo
from edo.history.settings import Settings
from edo.rating.fit.bradley_terry import Comparisons
from edo.rating.games import Games, among

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
    `pairings` are the games in the network, a row for each two sides in an event and year, with
    players numbered as in `players`. `comparisons` are over all nodes: first the pairings, then the
    self-pairings, then the ties of the ghosts. `reasons` says why each player left out cannot be
    rated.
    """

    players: tuple[str, ...]
    start: Ints
    year: Ints
    score: Floats
    games: Floats
    owner: Ints
    comparisons: Comparisons
    pairings: Games
    reasons: Mapping[str, str]

    def pairing_nodes(self) -> Ints:
        """Return the player-years of both sides of each pairing, (2, n_pairings)."""
        m = len(self.pairings)
        return self.owner[np.stack([self.comparisons.i[:m], self.comparisons.j[:m]])]

    def player_ids(self) -> list[str]:
        """Return the player's id of each player-year, (n_player_years,)."""
        return np.repeat(np.array(self.players), np.diff(self.start)).tolist()

    def nodes(self, player: Ints, year: Ints) -> Ints:
        """Return the player-years of numbers of players in years in which each has one, (m,)."""
        return self.start[player] + year - self.year[self.start[player]]


def build(games: Games, settings: Settings, everybody: bool = False) -> ResultsNetwork:
    """Return the network of the largest part of the games that can be rated.

    A model with a prior can rate `everybody`. Raises DisconnectedNetwork where no two players can
    be rated.
    """
    pairings = games.summed()
    reasons = {} if everybody else unratable(pairings)
    playing = np.union1d(pairings.first, pairings.second)
    is_rated = [pairings.players[k] not in reasons for k in playing.tolist()]
    pairings = among(pairings, playing[np.array(is_rated, np.bool_)])
    if not len(pairings):
        raise DisconnectedNetwork(
            "no two players have points from each other; add results in which both scored"
        )
    start, year = _player_years(pairings)
    n, ends = len(year), np.stack([pairings.first, pairings.second])
    node = start[ends] + pairings.year - year[start[ends]]
    node, ghosts = _with_ghosts(node, n, pairings)
    owner = np.r_[np.arange(n), ghosts.giver]
    score, count = pairings.score, pairings.count
    tied = _concatenate(
        (*node, score, count), self_pairings(start, settings), ghosts.ties(n, settings)
    )
    # Of scores from totals nobody knows which of the points were made at odds, so that no ghost
    # can have them. At a fixed offset the likelihood depends on the totals alone.
    offset = np.zeros(len(tied[0]))
    offset[: len(pairings)] = np.where(pairings.deduced, theta_from_elo(pairings.odds), 0.0)
    return ResultsNetwork(
        pairings.players,
        start,
        year,
        _per_node(n, (owner[node[0]], score), (owner[node[1]], count - score)),
        _per_node(n, (owner[node[0]], count), (owner[node[1]], count)),
        owner,
        Comparisons(len(owner), *tied, offset),
        pairings,
        reasons,
    )


def _player_years(pairings: Games) -> tuple[Ints, Ints]:
    """Return where each player's years begin (n_players + 1,), and the years of all."""
    n, both_years = len(pairings.players), np.tile(pairings.year, 2)
    first, last = np.full(n, np.iinfo(np.int64).max), np.full(n, -1)
    ends = np.r_[pairings.first, pairings.second]
    np.minimum.at(first, ends, both_years)
    np.maximum.at(last, ends, both_years)
    start = np.r_[0, np.cumsum(last - first + 1)]
    return start, np.arange(start[-1]) + np.repeat(first - start[:-1], np.diff(start))


@dataclass(frozen=True, slots=True)
class _Ghosts:
    """The players who gave odds: the player-year of the `giver` (k,), and the odds [Elo] (k,)."""

    giver: Ints
    odds: Floats

    def ties(self, n: int, settings: Settings) -> tuple[Ints, Ints, Floats, Floats]:
        """Return the hypothetical games that tie each ghost to its giver, by the odds' points."""
        count = np.full(len(self.giver), settings.ghost_games)
        ghost = n + np.arange(len(self.giver))
        return self.giver, ghost, count * expected_scores(self.odds), count


def _with_ghosts(node: Ints, n: int, pairings: Games) -> tuple[Ints, _Ghosts]:
    """Return the nodes (2, m) with ghosts, from n on, in place of who gave odds in known results.

    There is a ghost for each player-year and kind of odds.
    """
    worth = np.stack([-pairings.odds, pairings.odds])  # [Elo] of the odds that a side gave
    side, row = np.nonzero((worth > 0) & ~pairings.deduced)
    keys = node[side, row] * len(pairings.odds_kinds) + pairings.odds_kind[row]
    _, begin, ghost = np.unique(keys, return_index=True, return_inverse=True)
    givers, odds = node[side, row][begin], worth[side, row][begin]
    node = node.copy()
    node[side, row] = n + ghost
    return node, _Ghosts(givers, odds)


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
        arcs = ~gone[self.made_by]
        return largest_strong_part(len(self.size), self.tail[arcs], self.head[arcs], self.size)

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


def scoring_graph(pairings: Games) -> ScoringGraph:
    """Return the graph of all pairings, over their players."""
    first, second, score = pairings.first, pairings.second, pairings.score
    won, lost = np.flatnonzero(score > 0), np.flatnonzero(score < pairings.count)
    tail, head = np.r_[first[won], second[lost]], np.r_[second[won], first[lost]]
    return ScoringGraph(np.r_[won, lost], tail, head, np.ones(len(pairings.players), np.int64))


def unratable(pairings: Games) -> dict[str, str]:
    """Return the players outside the largest strongly connected part, each with the reason.

    The likelihood has a maximum only within a strongly connected part of the scoring graph.
    Source: Ford (1957), as in `bradley_terry`.
    """
    if not len(pairings):
        return {}
    arcs, n = scoring_graph(pairings), len(pairings.players)
    first, second, points, count = pairings.first, pairings.second, pairings.score, pairings.count
    score = _per_node(n, (first, points), (second, count - points))
    played = _per_node(n, (first, count), (second, count))
    core = largest_strong_part(n, arcs.tail, arcs.head)
    member = int(np.flatnonzero(core)[0])
    graph = _graph(n, arcs.tail, arcs.head)
    up, down = _reached(graph.T.tocsr(), member), _reached(graph, member)
    linked = _reached((graph + graph.T).tocsr(), member)
    return {
        pairings.players[k]: _reason(
            score[k], played[k], bool(up[k]), bool(down[k]), bool(linked[k])
        )
        for k in np.flatnonzero(~core & (played > 0)).tolist()
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
