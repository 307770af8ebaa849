"""Unknown games of events with totals: how many, whether possible, and their scores.

The likelihood of an event depends on each player's points and on who met whom how often, not on how
the points lie among the pairs: all tables with the same totals and games give the same maximum
(Bradley-Terry, the scores are sufficient). So any table will do for the ratings, as long as it says
rightly who scored anything against whom. The most even table does: a pair has all its points on one
side only where the totals leave no other table. In an all-play-all of which only the totals T are
known it is the linear formula `n/2 + (T_i - T_j)/P`, wherever that lies between 0 and n.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from edo.core.model import Event
from edo.core.problems import EdoError
from edo.history.even_table import even_table
from edo.history.notation import TOLERANCE, number_text
from edo.history.reading import ProblemLog
from edo.history.totals import check_reach, sums

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

Basis = Literal["results", "totals", "guess"]
"""What a score rests on: known results, everybody's totals, or a best guess from the totals."""

OTHERS = ""  # in place of an id: the players of an all-play-all whose totals are not known
_NOTHING = 1e-7  # [points] totals are in quarters at the finest, so scores below come of rounding
_DIGITS = 12  # decimals of a score that are kept, so that 0.5 is not 0.49999999999999994
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


@dataclass(frozen=True, slots=True)
class Share:
    """What the totals give a pair: the first one's `score` [points], from 0 to its `games`."""

    first: str
    second: str
    score: float
    games: float
    basis: Basis


def unknown_games(event: Event) -> Unknown:
    """Return what is unknown; only for an event whose unknown games follow from its totals.

    Unless it is a best guess, every pair is taken to have played all its games.
    """
    players, room = event.players, dict(_room(event))
    totals = {total.player: total for total in event.totals}
    given = by_default(event)
    made, played = sums(event.results)[0], _played(event)
    points = [totals[p].points - made.get(p, 0.0) - given.get(p, 0.0) for p in players]
    if event.players_in_all is not None:
        # The even table would treat the players without a known total alike: one row has them all.
        each = event.games_per_pair or 0.0
        room |= {(p, OTHERS): each * (event.players_in_all - len(players)) for p in players}
        players, points = (*players, OTHERS), [*points, sum(room.values()) - sum(points)]
    index = {player: k for k, player in enumerate(players)}
    ends = np.array([(index[a], index[b]) for a, b in room], np.int64).reshape(-1, 2)
    most = np.array(list(room.values()), np.float64)
    games = np.bincount(ends.ravel(), most.repeat(2), len(players)).astype(np.float64)
    if event.rest == "best guess":
        counted = [(totals[p].games or 0.0) - played.get(p, 0.0) for p in players]
        games = np.array(counted) - [given.get(p, 0.0) for p in players]
    return Unknown(players, ends, most, np.array(points), games)


def by_default(event: Event) -> Mapping[str, float]:
    """Return the points [points] that the totals count for games that somebody withdrew from.

    Which of his games these were is not known one by one, so his open pairs share them evenly.
    """
    if not event.withdrew:
        return {}
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


def is_totals_only(event: Event) -> bool:
    """Whether only the total scores of a complete all-play-all are known."""
    return (
        not event.results
        and event.games_per_pair is not None
        and event.completeness == "complete"
        and {total.player for total in event.totals} == set(event.players)
    )


def shares(event: Event) -> list[Share]:
    """Return the scores of pairs that follow from the totals: the most even table with these sums.

    Raises EdoError where no table has them, which the reader refuses.
    """
    if event.rest is None and event.players_in_all is None and not is_totals_only(event):
        return []
    left = unknown_games(event)
    won, lost = left.points, left.games - left.points
    table = _even_table(*(column.tobytes() for column in (left.ends, left.room, won, lost)))
    if table is None:
        raise EdoError(f"{event.path}: no results of the unknown games make these totals")
    basis: Basis = "guess"
    score, games = table[:, 0], table.sum(axis=1)
    if event.rest != "best guess":
        basis, games = "totals", left.room
        # a rest of rounding would link players of whom one scored nothing off the other
        score = np.where(table[:, 1] > _NOTHING, score, games)
        score[table[:, 0] <= _NOTHING] = 0.0
    rows = zip(left.ends.tolist(), *np.round((score, games), _DIGITS).tolist(), strict=True)
    return [
        Share(left.players[i], left.players[j], points, played, basis)
        for (i, j), points, played in rows
        if played > _NOTHING and left.players[j] != OTHERS
    ]


@lru_cache(1 << 10)  # the fit, the pages and the data files ask for the same tables
def _even_table(ends: bytes, *columns: bytes) -> Floats | None:
    pairs = np.frombuffer(ends, np.int64).reshape(-1, 2)
    return even_table(pairs, *map(np.frombuffer, columns))


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
        check_reach(log, event.totals, each, in_all)
        return
    log.error(event.lines.get("players_in_all", 1), "players_in_all", message, hint)
