"""Unknown games of events whose totals are known: how many, and whether they are possible."""

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
from edo.history.reading import ProblemLog
from edo.history.totals import sums

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_DRAWS_NOT_SCORED = "totals that count draws as nothing do not tell the points"


@dataclass(frozen=True, slots=True)
class Unknown:
    """Games and points of an event's totals that its known results do not account for.

    `players` (n_players); `ends` (n_pairs, 2) their indices, for the pairs that can have played
    more; `room` (n_pairs,) [games] at most; `points` [points], `games` [games] (n_players,) left
    to each.
    """

    players: tuple[str, ...]
    ends: Ints
    room: Floats
    points: Floats
    games: Floats


def unknown_games(event: Event) -> Unknown:
    """Return what is unknown; only for an event with `rest`, all totals and `games_per_pair`.

    Where the rest follows from the totals, every pair is taken to have played all its games.
    """
    players = event.players
    index = {player: k for k, player in enumerate(players)}
    open_pairs = {(index[a], index[b]): games for (a, b), games in _room(event).items()}
    ends = np.array(list(open_pairs), np.int64).reshape(-1, 2)
    room = np.array(list(open_pairs.values()), np.float64)
    totals = sorted(event.totals, key=lambda total: index[total.player])
    given = by_default(event)
    made, played = sums(event.results)[0], _played(event)
    points = [t.points - made.get(t.player, 0.0) - given.get(t.player, 0.0) for t in totals]
    games = np.bincount(ends.ravel(), room.repeat(2), len(players)).astype(np.float64)
    if event.rest == "best guess":
        counted = [(t.games or 0.0) - played.get(t.player, 0.0) for t in totals]
        games = np.array(counted) - [given.get(t.player, 0.0) for t in totals]
    return Unknown(players, ends, room, np.array(points), games)


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
    return open_pairs(event, event.games_per_pair or 0.0)


def open_pairs(event: Event, each: float) -> Mapping[tuple[str, str], float]:
    """Return how many more games [games] each pair can have played, of `each` [games] a pair.

    Pairs that cannot have played more are left out.
    """
    known = games_of_pairs(event)
    # a cell without `?` says that there are no unknown games
    settled = event.not_played | (
        known.keys() - event.unknown_games if event.has_crosstable else set()
    )
    left = {
        pair: each - known.get(frozenset(pair), 0.0)
        for pair in combinations(event.players, 2)
        if frozenset(pair) not in settled
    }
    return {pair: games for pair, games in left.items() if games > 0}


def games_of_pairs(event: Event) -> Mapping[frozenset[str], float]:
    """Return how many known games of each pair count in the event's totals."""
    known: dict[frozenset[str], float] = defaultdict(float)
    for result in event.results:
        if result.uncounted is None:
            known[frozenset((result.first, result.second))] += result.games
    return known


def check_rest(log: ProblemLog, event: Event) -> None:
    """Check that the unknown results can follow from the totals in the way the event states."""
    if event.players_in_all is not None:
        _check_some(log, event)
    _check_withdrew(log, event)
    if event.rest is None:
        return
    before = log.mark()
    _check_given(log, event)
    _check_pairs(log, event)
    if not log.failed_since(before):
        left = unknown_games(event)
        _check_left(log, event, left)
        if not log.failed_since(before):
            _check_possible(log, event, left)


def _check_given(log: ProblemLog, event: Event) -> None:
    """Check that everything is there from which the rest is to follow."""
    at = (event.lines.get("rest", 1), "rest")
    if event.completeness == "complete":
        hint = "delete `rest`, or write `completeness: incomplete` with what is missing"
        log.error(*at, "nothing is unknown in a complete event", hint)
    if event.players_in_all is not None:
        log.error(*at, "not everybody's total is known", "delete `rest`")
    if event.games_per_pair is None:
        log.error(*at, "`games_per_pair` is missing", "add how many games each pair was to play")
    if event.draws_not_scored:
        log.error(*at, _DRAWS_NOT_SCORED, "delete `rest`")
    totals = {total.player: total for total in event.totals}
    if not totals:
        log.error(*at, "`totals` is missing", "add everybody's total")
        return
    for player in event.players:
        total = totals.get(player)
        if total is None:
            log.error(*at, f"the total of `{player}` is missing", "add it")
        elif event.rest == "best guess" and total.games is None:
            hint = f"write it behind the total, like `{number_text(total.points)}/22`"
            message = "a best guess without the number of games"
            log.error(total.line, f"totals, row {player}", message, hint)


def _check_withdrew(log: ProblemLog, event: Event) -> None:
    line = event.lines.get("withdrew", 1)
    if event.withdrew and event.rest != "best guess":
        hint = "write `rest: best guess`, or the games won by default as `+` and `-`"
        log.error(line, "withdrew", "players who withdrew without a best guess", hint)
    for player in event.withdrew:
        if player not in event.players:
            hint = "correct the name or add his total"
            log.error(line, "withdrew", f"`{player}` is not among the players", hint)


def _check_pairs(log: ProblemLog, event: Event) -> None:
    for pair, games in games_of_pairs(event).items():
        if event.games_per_pair is not None and games > event.games_per_pair + TOLERANCE:
            first = next(r for r in event.results if pair == {r.first, r.second})
            most = number_text(event.games_per_pair)
            message = f"{number_text(games)} games where each pair was to play {most}"
            hint = "correct them, or say which are `uncounted`"
            log.error(first.line, f"{first.first} - {first.second}", message, hint)


def _check_left(log: ProblemLog, event: Event, left: Unknown) -> None:
    """Check what is left to each player by itself."""
    totals = {total.player: total for total in event.totals}
    for k, player in enumerate(left.players):
        total = totals[player]
        points, games = float(left.points[k]), float(left.games[k])
        most = float(left.room[(left.ends == k).any(axis=1)].sum())
        place = f"totals, row {total.player}"
        hint = "correct the games, a result or `games_per_pair`"
        if games < -TOLERANCE:
            log.error(total.line, place, "the results have more games than the row", hint)
        elif games > most + TOLERANCE:
            left_, room = _rounded(games), _rounded(most)
            message = f"{left_} games are left, but the pairs have room for {room}"
            log.error(total.line, place, message, hint)
        elif points < -TOLERANCE:
            message = f"the known games make more than {number_text(total.points)} points"
            log.error(total.line, place, message, "correct the total or a result")
        elif points > games + TOLERANCE:
            message = f"points left: {_rounded(points)}, unknown games: {_rounded(games)}"
            log.error(total.line, place, message, "correct the total or a result")


def _rounded(value: float) -> str:
    return number_text(round(value, 4))


def _check_possible(log: ProblemLog, event: Event, left: Unknown) -> None:
    points, games = float(left.points.sum()), float(left.games.sum()) / 2
    line = event.lines.get("rest", 1)
    if abs(points - games) > TOLERANCE:
        message = f"points left by the totals: {_rounded(points)}, unknown games: {_rounded(games)}"
        log.error(line, "rest", message, "correct a total or a result")
    elif even_table(left.ends, left.room, left.points, left.games - left.points) is None:
        message = "no results of the unknown games make these totals"
        log.error(line, "rest", message, "correct a total, a result or `games_per_pair`")


def _check_some(log: ProblemLog, event: Event) -> None:
    """Check totals of some players of an all-play-all against the points that they play for."""
    in_all, each = event.players_in_all or 0, event.games_per_pair
    if event.results:
        message = "the event has results, not only totals of some players"
        hint = "delete `players_in_all` or the results"
    elif event.completeness == "complete":
        message = "totals of some players in a complete event"
        hint = "write `completeness: incomplete` with what is missing"
    elif event.draws_not_scored:
        message, hint = _DRAWS_NOT_SCORED, "delete `players_in_all`"
    elif not event.totals or each is None:
        message = f"`{'games_per_pair' if event.totals else 'totals'}` is missing"
        hint = "add it"
    elif len(event.players) >= in_all:
        message = f"{in_all} players in all, of whom {len(event.players)} are named"
        hint = "correct the number, or delete it where all are named"
    else:
        _check_reach(log, event.totals, each, in_all)
        return
    log.error(event.lines.get("players_in_all", 1), "players_in_all", message, hint)


def _check_reach(log: ProblemLog, totals: Sequence[Total], each: float, in_all: int) -> None:
    """Check the last and the first k of the known for the least and the most they can make.

    Source: Landau's condition (1953), of the known players and of all the others.
    """
    ranked = sorted(totals, key=lambda total: total.points)
    for k in range(1, len(ranked) + 1):
        least = each * k * (k - 1) / 2
        most = least + each * k * (in_all - k)
        last, first = (sum(t.points for t in part) for part in (ranked[:k], ranked[-k:]))
        if last < least - TOLERANCE:
            where, points, bound = "last", last, f"at least {number_text(least)}"
        elif first > most + TOLERANCE:
            where, points, bound = "first", first, f"at most {number_text(most)}"
        else:
            continue
        message = f"the {where} {k} make {number_text(points)} points, where {bound} can be made"
        hint = "correct a total, `games_per_pair` or `players_in_all`"
        line = (ranked[0] if where == "last" else ranked[-1]).line
        log.error(line, "totals", message, hint)
        return
