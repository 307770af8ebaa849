"""An event with totals comes in; what its known results leave of points and games goes out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from edo.core.model import Event, Total
from edo.history.even_fill import even_table
from edo.history.notation import TOLERANCE, number_text
from edo.history.reading import Desk
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


def check_rest(desk: Desk, event: Event) -> None:
    """Check that what is unknown of the event can follow from its totals as it says."""
    if event.players_in_all is not None:
        _check_some(desk, event)
    _check_withdrew(desk, event)
    if event.rest is None:
        return
    before = len(desk.problems)
    _check_given(desk, event)
    _check_pairs(desk, event)
    if len(desk.problems) == before:
        left = remainder(event)
        _check_left(desk, event, left)
        if len(desk.problems) == before:
            _check_possible(desk, event, left)


def _at(event: Event, key: str) -> int:
    return event.lines.get(key, 1)


def _check_given(desk: Desk, event: Event) -> None:
    """Check that everything is there from which the rest is to follow."""
    line = _at(event, "rest")
    if event.completeness == "complete":
        desk.error(
            line,
            "rest",
            "nothing is unknown in a complete event",
            "delete `rest`, or write `completeness: incomplete` with what is missing",
        )
    if event.players_in_all is not None:
        desk.error(line, "rest", "not everybody's total is known", "delete `rest`")
    if event.games_per_pair is None:
        hint = "add how many games each pair was to play"
        desk.error(line, "rest", "`games_per_pair` is missing", hint)
    if event.draws_not_scored:
        desk.error(
            line,
            "rest",
            "totals that count draws as nothing do not tell the points",
            "delete `rest`",
        )
    totals = {total.player: total for total in event.totals}
    if not totals:
        desk.error(line, "rest", "`totals` is missing", "add everybody's total")
        return
    for player in event.players:
        total = totals.get(player)
        if total is None:
            desk.error(line, "rest", f"the total of `{player}` is missing", "add it")
        elif event.rest == "best guess" and total.games is None:
            desk.error(
                total.line,
                f"totals, row {player}",
                "a best guess without the number of games",
                f"write it behind the total, like `{number_text(total.points)}/22`",
            )


def _check_withdrew(desk: Desk, event: Event) -> None:
    line = _at(event, "withdrew")
    if event.withdrew and event.rest != "best guess":
        hint = "write `rest: best guess`, or the games won by default as `+` and `-`"
        desk.error(line, "withdrew", "players who withdrew without a best guess", hint)
    for player in event.withdrew:
        if player not in event.players:
            hint = "correct the name or add his total"
            desk.error(line, "withdrew", f"`{player}` is not among the players", hint)


def _check_pairs(desk: Desk, event: Event) -> None:
    for pair, games in games_of_pairs(event).items():
        if event.games_per_pair is not None and games > event.games_per_pair + TOLERANCE:
            first = next(r for r in event.results if pair == {r.first, r.second})
            desk.error(
                first.line,
                f"{first.first} - {first.second}",
                f"{number_text(games)} games where each pair was to play "
                f"{number_text(event.games_per_pair)}",
                "correct them, or say which are `uncounted`",
            )


def _check_left(desk: Desk, event: Event, left: Remainder) -> None:
    """Check what is left to each player by itself."""
    for k, total in enumerate(_ordered(event)):
        points, games = float(left.points[k]), float(left.games[k])
        most = float(left.room[(left.ends == k).any(axis=1)].sum())
        place = f"totals, row {total.player}"
        if games < -TOLERANCE or games > most + TOLERANCE:
            desk.error(
                total.line,
                place,
                f"{number_text(round(games, 4))} games are left, but the pairs have room for "
                f"{number_text(round(most, 4))}"
                if games >= 0
                else "the results have more games than the row",
                "correct the games, a result or `games_per_pair`",
            )
        elif points < -TOLERANCE or points > games + TOLERANCE:
            desk.error(
                total.line,
                place,
                f"the known games make more than {number_text(total.points)} points"
                if points < 0
                else f"points left: {number_text(round(points, 4))}, unknown games: "
                f"{number_text(round(games, 4))}",
                "correct the total or a result",
            )


def _check_possible(desk: Desk, event: Event, left: Remainder) -> None:
    points, games = float(left.points.sum()), float(left.games.sum()) / 2
    line = _at(event, "rest")
    if abs(points - games) > TOLERANCE:
        desk.error(
            line,
            "rest",
            f"points left by the totals: {number_text(round(points, 4))}, unknown games: "
            f"{number_text(round(games, 4))}",
            "correct a total or a result",
        )
    elif even_table(left.ends, left.room, left.points, left.games - left.points) is None:
        desk.error(
            line,
            "rest",
            "no results of the unknown games make these totals",
            "correct a total, a result or `games_per_pair`",
        )


def _check_some(desk: Desk, event: Event) -> None:
    """Check totals of some players of an all-play-all against the points that they play for."""
    line = _at(event, "players_in_all")
    in_all, n = event.players_in_all or 0, event.games_per_pair
    if event.results:
        desk.error(
            line,
            "players_in_all",
            "the event has results, not only totals of some players",
            "delete `players_in_all` or the results",
        )
    elif event.completeness == "complete":
        desk.error(
            line,
            "players_in_all",
            "totals of some players in a complete event",
            "write `completeness: incomplete` with what is missing",
        )
    elif event.draws_not_scored:
        desk.error(
            line,
            "players_in_all",
            "totals that count draws as nothing do not tell the points",
            "delete `players_in_all`",
        )
    elif not event.totals or n is None:
        name = "`totals`" if not event.totals else "`games_per_pair`"
        desk.error(line, "players_in_all", f"{name} is missing", "add it")
    elif len(event.players) >= in_all:
        desk.error(
            line,
            "players_in_all",
            f"{in_all} players in all, of whom {len(event.players)} are named",
            "correct the number, or delete it where all are named",
        )
    else:
        _check_reach(desk, event.totals, n, in_all)


def _check_reach(desk: Desk, totals: Sequence[Total], each: float, in_all: int) -> None:
    """Check the last and the first k of the known for the least and the most they can make.

    Source: Landau's condition (1953), of the known players and of all the others.
    """
    ranked = sorted(totals, key=lambda total: total.points)
    for k in range(1, len(ranked) + 1):
        least = each * k * (k - 1) / 2
        most = least + each * k * (in_all - k)
        last, first = (sum(t.points for t in part) for part in (ranked[:k], ranked[-k:]))
        if last < least - TOLERANCE or first > most + TOLERANCE:
            low = last < least - TOLERANCE
            desk.error(
                (ranked[0] if low else ranked[-1]).line,
                "totals",
                f"the {'last' if low else 'first'} {k} make {number_text(last if low else first)} "
                f"points, where {'at least' if low else 'at most'} "
                f"{number_text(least if low else most)} can be made",
                "correct a total, `games_per_pair` or `players_in_all`",
            )
            return


def _ordered(event: Event) -> list[Total]:
    by_player = {total.player: total for total in event.totals}
    return [by_player[player] for player in event.players]
