"""Scores of pairs that follow from players' totals.

The likelihood of an event depends on each player's points and on who met whom how often, not on
how the points lie among the pairs: all tables with the same totals and games give the same maximum
(Bradley-Terry, the scores are sufficient). So any such table will do for the ratings, as long as
the network sees who scored against whom. That, too, the totals decide: a group of players scored
nothing against the others when its points are just those it played for among itself, and then so
in every possible table. Where the totals are all that is known, these pairs are set apart first and
get the score that they must have (Landau's groups). Inside the groups the linear formula holds; it
may leave a pair below 0 or above its games, but never a whole part of a group, so that the network
is linked just as it would be by the true table. Such scores are never shown pair by pair. Where
results are known too, each pair is shown, so that the most even table with scores between 0 and
the games is taken; it is the linear formula wherever that gives such scores.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from edo.core.model import Total
from edo.core.problems import EdoError
from edo.history.even_fill import even_table
from edo.history.notation import TOLERANCE
from edo.history.unplayed import Unknown

Basis = Literal["results", "totals", "guess"]

_NOTHING = 1e-7  # [points] totals are in quarters at the finest, so scores below come of rounding
_DIGITS = 12  # [1] decimals kept, so that 0.5 is not 0.49999999999999994


@dataclass(frozen=True, slots=True)
class Share:
    """What the totals give a pair: the first one's `score` [points] of `games`."""

    first: str
    second: str
    score: float
    games: float
    basis: Basis


def part(shares: Iterable[Share], classes: Mapping[str, str]) -> Iterator[Share]:
    """Yield the pairs within a class, their scores kept between 0 and their games.

    In a part of a table no row has a sum to keep, and a pair beyond its games could be all that
    links a player to the others, without any maximum behind it.
    """
    for share in shares:
        if classes.get(share.first) == classes.get(share.second):
            yield replace(share, score=min(max(share.score, 0.0), share.games))


def from_totals(totals: Iterable[Total], n: float, in_all: int) -> list[Share]:
    """Return a table with these totals: `n/2 + (T_i - T_j)/P` in each group of equals.

    Where `in_all` are more than the totals, these are the pairings among the known players in the
    table of all; what each scored against the others is taken off as that formula spreads it.
    """
    groups = _groups(totals, n, in_all)
    shares: list[Share] = []
    for place, group in enumerate(groups):
        below = n * sum(len(other.totals) for other in groups[:place])
        for a, b in combinations(group.totals, 2):
            score = n / 2 + ((a.points - below) - (b.points - below)) / group.size
            shares.append(Share(a.player, b.player, score, n, "totals"))
        for lower in groups[:place]:
            shares += [
                Share(a.player, b.player, n, n, "totals")
                for a in group.totals
                for b in lower.totals
            ]
    return shares


@dataclass(frozen=True, slots=True)
class _Group:
    """Known totals of players who took points from each other, `size` with the unknown ones."""

    totals: Sequence[Total]
    size: int


def _groups(totals: Iterable[Total], n: float, in_all: int) -> Sequence[_Group]:
    """Split the players, weakest first, wherever those below have points only from each other.

    So it is where the weakest k have no more than they must, or the best k all that they can.
    Source: Landau's condition for the scores of a tournament (1953).
    """
    ranked = sorted(totals, key=lambda total: (total.points, total.player))
    points = np.cumsum([0.0, *(total.points for total in ranked)])
    known = len(ranked)
    closed, open_ = {0}, {known}
    for k in range(1, known + 1):
        least = n * k * (k - 1) / 2
        if abs(points[k] - least) < TOLERANCE:
            closed.add(k)
        if abs(points[known] - points[known - k] - least - n * k * (in_all - k)) < TOLERANCE:
            open_.add(known - k)
    groups = []
    for start, end in pairwise(sorted(closed | open_)):
        is_whole = end in closed or start in open_
        size = end - start if is_whole else in_all - start - (known - end)
        groups.append(_Group(ranked[start:end], size))
    return groups


def solved(left: Unknown, path: str) -> list[Share]:
    """Return the unknown games of an event in which every pair played all of its games.

    The most even table with these totals: `s_ij = g_ij/2 + g_ij (u_i - u_j)`, where u solves the
    linear system that gives every row its remaining points, as long as all scores are between 0
    and g_ij; otherwise the nearest table whose scores are.
    """
    table = _table(left, path)
    # a rest of rounding would link players of whom one scored nothing off the other
    score = np.where(table[:, 1] > _NOTHING, table[:, 0], left.room)
    score[table[:, 0] <= _NOTHING] = 0.0
    return list(_shares(left, score, left.room, "totals"))


def guessed(left: Unknown, path: str) -> list[Share]:
    """Return the best guess: games and points spread over the pairs as evenly as the totals let."""
    table = _table(left, path)
    return list(_shares(left, table[:, 0], table.sum(axis=1), "guess"))


def _table(left: Unknown, path: str) -> NDArray[np.float64]:
    columns = left.ends, left.room, left.points, left.games - left.points
    table = _even_table(*(np.ascontiguousarray(column).tobytes() for column in columns))
    if table is None:  # the reader refuses such files; this is for events made otherwise
        raise EdoError(f"{path}: no results of the unknown games make these totals")
    return table


@lru_cache(1 << 10)  # the fit, the pages and the data files ask for the same tables
def _even_table(ends: bytes, *columns: bytes) -> NDArray[np.float64] | None:
    pairs = np.frombuffer(ends, np.int64).reshape(-1, 2)
    return even_table(pairs, *map(np.frombuffer, columns))


def _shares(
    left: Unknown, score: NDArray[np.float64], games: NDArray[np.float64], basis: Basis
) -> Iterator[Share]:
    for (i, j), points, played in zip(left.ends, score, games, strict=True):
        if played > _NOTHING:
            first, second = left.players[i], left.players[j]
            yield Share(
                first, second, round(float(points), _DIGITS), round(float(played), _DIGITS), basis
            )
