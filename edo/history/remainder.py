"""An event with totals comes in; what its known results leave of points and games goes out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from edo.core.model import Event, Total
from edo.history.totals import sums

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Remainder:
    """What is left of an event whose totals are known when its known results are taken off.

    `players` (n_players); `ends` (n_pairs, 2) their indices, for the pairs that can have played
    more; `room` (n_pairs,) [games] at most; `points` [points], `games` [games] (n_players,) left
    to each.
    """

    players: tuple[str, ...]
    ends: Ints
    room: Floats
    points: Floats
    games: Floats


def remainder(event: Event) -> Remainder:
    """Return what is left; only for an event with `rest`, totals of all and `games_per_pair`.

    Where the rest follows from the totals, every pair is taken to have played all its games.
    """
    players = event.players
    index = {player: k for k, player in enumerate(players)}
    open_pairs = {(index[a], index[b]): games for (a, b), games in _room(event).items()}
    ends = np.array(list(open_pairs), np.int64).reshape(-1, 2)
    room = np.array(list(open_pairs.values()), np.float64)
    made, played = sums(event.results)[0], _played(event)
    given = by_default(event)
    points = np.array(
        [t.points - made.get(t.player, 0.0) - given.get(t.player, 0.0) for t in _in_order(event)]
    )
    if event.rest == "from totals":
        games = np.bincount(ends.ravel(), room.repeat(2), len(players)).astype(np.float64)
    else:
        counted = _in_order(event)
        games = np.array(
            [
                (t.games or 0.0) - played.get(t.player, 0.0) - given.get(t.player, 0.0)
                for t in counted
            ]
        )
    return Remainder(players, ends, room, points, games)


def by_default(event: Event) -> Mapping[str, float]:
    """Return the points [points] that the totals count for games that somebody withdrew from.

    Which of his games these were is not known one by one, so his open pairs share them evenly.
    """
    room = _room(event)
    given: dict[str, float] = defaultdict(float)
    played = _played(event)
    for total in event.totals:
        if total.player not in event.withdrew or total.games is None:
            continue
        met = {
            other: games
            for pair, games in room.items()
            for other in pair
            if total.player in pair and other not in event.withdrew
        }
        slots = sum(met.values())
        missed = slots - (total.games - played.get(total.player, 0.0))
        for other, games in met.items():
            given[other] += missed * games / slots
    return given


def _played(event: Event) -> Mapping[str, float]:
    """Return everybody's games in the totals; of who withdrew, those that he did play."""
    played = dict(sums(event.results)[1])
    for result in event.results:
        if result.default is not None and result.uncounted is None:
            for player in {result.first, result.second} & set(event.withdrew):
                played[player] -= result.games
    return played


def _room(event: Event) -> Mapping[tuple[str, str], float]:
    """Return how many more games [games] each pair can have played, where it is any."""
    known, each = games_of_pairs(event), event.games_per_pair or 0.0
    left = {
        pair: each - known.get(frozenset(pair), 0.0)
        for pair in combinations(event.players, 2)
        if not _is_settled(event, frozenset(pair), known)
    }
    return {pair: games for pair, games in left.items() if games > 0}


def _is_settled(event: Event, pair: frozenset[str], known: Mapping[frozenset[str], float]) -> bool:
    """Whether a pair has no unknown games: a crosstable says so by a cell without `?`."""
    has_cell = event.has_crosstable and pair in known and pair not in event.unknown_games
    return has_cell or pair in event.not_played


def games_of_pairs(event: Event) -> Mapping[frozenset[str], float]:
    """Return how many known games of each pair count in the event's totals."""
    known: dict[frozenset[str], float] = defaultdict(float)
    for result in event.results:
        if result.uncounted is None:
            known[frozenset((result.first, result.second))] += result.games
    return known


def _in_order(event: Event) -> list[Total]:
    by_player = {total.player: total for total in event.totals}
    return [by_player[player] for player in event.players]
