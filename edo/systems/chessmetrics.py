"""Chessmetrics as of 2005: monthly lists, of which the last of each year counts here.

Source: Sonas, Chessmetrics, the pages Formulas and Historical Ratings (2005). Each list is aligned
with the one before, as his are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.sparse import coo_array, csr_array, tril
from scipy.sparse.csgraph import connected_components

from edo.core.problems import NotConverged
from edo.core.scale import Bools, Floats, Ints
from edo.rating.fit.cholesky import Cholesky
from edo.rating.games import MID_YEAR, Games
from edo.systems.base import ByDifference, Rated, System, parameter
from edo.systems.player_years import player_years_of

_FORMULAS = "Sonas, Chessmetrics: Formulas"
_OURS = "ours"
MAX_ROUNDS = 50  # rankings tried until a list and its alignment agree; two are usual
_LEAST = 0.005  # [points] expected at least; without it 0 from 425 points down


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of Chessmetrics."""

    per_score: float = parameter(850.0, "Elo", "between scores of 0 and 100 %", _FORMULAS)
    months: float = parameter(
        48.0, "months", "until a game counts for nothing", _FORMULAS,
        tried=(24.0, 48.0, 96.0, 144.0),
    )  # fmt: skip
    level_draws: float = parameter(
        4.0, "games", "imagined, drawn with opponents as strong as the real ones", _FORMULAS
    )
    anchor_draws: float = parameter(3.0, "games", "imagined, drawn with the anchor", _FORMULAS)
    anchor: float = parameter(2300.0, "Elo", "rating of the anchor", _FORMULAS)
    lift: float = parameter(43.0, "Elo", "given back for the imagined games", _FORMULAS)
    least_games: float = parameter(
        5.0, "games", "weighted, without which nobody is rated", _FORMULAS
    )
    best: float = parameter(3.0, "", "first rank by which lists are aligned", _FORMULAS)
    worst: float = parameter(20.0, "", "last rank by which lists are aligned", _FORMULAS)
    least_players: float = parameter(
        10.0, "", "without whom there is no list", _OURS + ", after the first steps of his pools"
    )
    level: float = parameter(
        2600.0, "Elo", "mean of those by whom lists are aligned, in the first list", _OURS
    )


def linear_score(difference: Floats, colour: Floats, per_score: float) -> Floats:
    """Return expected scores (m,) linear in the difference [Elo], within .005 and .995.

    Sonas gives no limits. These are ours, close to those of his article of 2002, whose formula
    ends at .0063 and .9957: a hopeless game can still be won.
    """
    return np.asarray(np.clip(0.5 + difference / per_score, _LEAST, 1 - _LEAST))


def performance(average: Floats, share: Floats, per_score: float) -> Floats:
    """Return raw performances [Elo] of a share of the points against an average opponent."""
    return average + (share - 0.5) * per_score


def padded(raw: Floats, average: Floats, games: Floats, parameters: Parameters) -> Floats:
    """Return the ratings [Elo] for raw performances in so many games."""
    p = parameters
    total = raw * games + average * p.level_draws + p.anchor * p.anchor_draws
    return total / (games + p.level_draws + p.anchor_draws) + p.lift


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """The players (p,) of a list, their numbers ascending.

    `games` (p, p), sparse, are weighted games between them, `score` (p,) the points of each.
    """

    player: Ints
    games: csr_array
    score: Floats

    @property
    def count(self) -> Floats:
        """Return the weighted games (p,) of each."""
        return np.asarray(self.games.sum(axis=1))


def again(pool: Pool, rating: Floats, parameters: Parameters) -> Floats:
    """Return the ratings (p,) [Elo] after one step, given the opponents' ratings."""
    average = pool.games @ rating / pool.count
    raw = performance(average, pool.score / pool.count, parameters.per_score)
    return padded(raw, average, pool.count, parameters)


def converged(pool: Pool, parameters: Parameters) -> tuple[Floats, Floats]:
    """Return the limit of the steps (p,), and what a lift of one point at each step adds (p,).

    A step is linear, so its limit is solved for directly. Divided by the share of the opponents in
    a player's rating, the equations are symmetric.
    """
    fixed, games = again(pool, np.zeros(len(pool.player)), parameters), pool.count
    drawn = (games + parameters.level_draws) / games
    share = drawn / (games + parameters.level_draws + parameters.anchor_draws)
    met = tril(pool.games, -1, "coo")
    factor = Cholesky(len(games), met.row.astype(np.int64), met.col.astype(np.int64))
    factor.factorise(1 / share, -met.data)
    ends, lifts = factor.solve(np.stack([fixed, np.ones_like(fixed)], axis=1) / share[:, None]).T
    return ends, lifts


def pool_of(games: Games, weight: Floats, least: float) -> Pool | None:
    """Return the connected players with enough weighted games among themselves; None if nobody.

    Sonas started each pool by hand from a leading player; here it is the connected group with the
    most games.
    """
    first, second = games.first, games.second
    count, score = weight * games.count, weight * games.score
    n = len(games.players)
    while len(first):
        played = np.bincount(first, count, minlength=n) + np.bincount(second, count, minlength=n)
        stays = (played[first] >= least) & (played[second] >= least)
        if stays.all():
            return _largest(first, second, count, score)
        first, second, count, score = first[stays], second[stays], count[stays], score[stays]
    return None


def _largest(first: Ints, second: Ints, count: Floats, score: Floats) -> Pool:
    """Return the connected players of some rows (m,) with most of the games."""
    has_games = np.bincount(np.concatenate([first, second])) > 0
    player, number = np.flatnonzero(has_games), np.cumsum(has_games) - 1
    size, a, b = len(player), number[first], number[second]
    places = np.concatenate([a, b]), np.concatenate([b, a])
    games = coo_array((np.tile(count, 2), places), shape=(size, size)).tocsr()
    games.eliminate_zeros()  # of rows that do not count yet, which link nobody
    points = np.bincount(a, score, minlength=size) + np.bincount(b, count - score, minlength=size)
    _, component = connected_components(games, directed=False)
    within = np.flatnonzero(component == np.bincount(component, games.sum(axis=1)).argmax())
    between = games[within][:, within]
    return Pool(player[within], between, np.asarray(points[within], np.float64))


def aligned(pool: Pool, before: Floats, parameters: Parameters) -> Floats:
    """Return the converged ratings (p,) [Elo], aligned with the list `before` of all players (n,).

    The means of the players on the aligning ranks of both lists are made equal or, where the lists
    have none of these in common, the means of each list's own. `before` is NaN where a player is
    not in it; the first list gets the mean of the parameters. Raises NotConverged where the ranks
    and the alignment by them do not come to agree.
    """
    ends, lifts = converged(pool, parameters)
    rating, tried = ends, {np.zeros(len(ends), np.bool_).tobytes()}
    steady = among_best(before, parameters)
    for _ in range(MAX_ROUNDS):
        best = among_best(rating, parameters)
        both = best & steady[pool.player]
        if both.any():
            best, level = both, float(before[pool.player[both]].mean())
        else:
            level = float(before[steady].mean()) if steady.any() else parameters.level
        # Of neighbours on the last rank each may have it by the alignment with the other: then
        # these alternate, at less than a point from each other (October 1888), and the first that
        # comes again is taken.
        if best.tobytes() in tried:
            return rating
        rating = ends + (level - ends[best].mean()) / lifts[best].mean() * lifts
        tried.add(best.tobytes())
    raise NotConverged(
        f"Chessmetrics: who has ranks {parameters.best:.0f} to {parameters.worst:.0f} of a list "
        f"still changes after {MAX_ROUNDS} alignments with the list before it"
    )


def among_best(rating: Floats, parameters: Parameters) -> Bools:
    """Return which players (n,) have one of the aligning ranks; a rating of NaN has none."""
    rank = np.empty(len(rating))
    order = np.argsort(-np.round(rating, 6), kind="stable")  # not by rounding noise
    rank[order] = np.arange(1, len(rating) + 1)
    ranked = (rank >= parameters.best) & (rank <= parameters.worst)
    return np.asarray(ranked & ~np.isnan(rating))


def weights(games: Games, month: int, months: float) -> Floats:
    """Return the weight of each row (m,) in the list at the end of a month; 0 if it is later.

    Games dated by their year only are spread evenly over it. They are placed in July, so the few
    games known to be of a July are spread as well.
    """
    undated = games.month % 12 == MID_YEAR - 1
    start = np.where(undated, 12 * games.year, games.month)
    age = month - start - np.arange(12)[:, None]
    monthly = np.where(age >= 0, np.maximum(1 - age / months, 0.0), 0.0)
    return np.asarray(np.where(undated, monthly.mean(axis=0), monthly[0]))


def rate(games: Games, parameters: Parameters) -> Rated:
    """Return the ratings in the last list of each year; games at odds do not count."""
    games = games.without_odds()
    player_years = player_years_of(games)
    rating = np.full(len(player_years.year), np.nan)
    for month, listed in lists(games, parameters):
        if month % 12 == 11:
            player = np.flatnonzero(~np.isnan(listed))
            node = player_years.nodes(player, np.full(len(player), month // 12))
            rating[node[node >= 0]] = listed[player[node >= 0]]
    expected = ByDifference(rating, partial(linear_score, per_score=parameters.per_score))
    return Rated(player_years, rating, np.full(len(rating), np.nan), expected)


def lists(games: Games, parameters: Parameters) -> Iterator[tuple[int, Floats]]:
    """Yield each month, since the year 0, and the list (n,) at its end, NaN where one is not in it.

    A month without enough players has an empty list; the next is aligned with the last before it.
    """
    nobody = np.full(len(games.players), np.nan)
    last_list, span = nobody, int(np.ceil(parameters.months / 12))
    for year in range(*((games.year[0], games.year[-1] + 1) if len(games.year) else (0, 0))):
        near = games.where((games.year >= year - span) & (games.year <= year))
        for month in range(12 * year, 12 * year + 12):
            weight = weights(near, month, parameters.months)
            pool = pool_of(near, weight, parameters.least_games)
            listed = nobody.copy()
            if pool is not None and len(pool.player) >= parameters.least_players:
                listed[pool.player] = aligned(pool, last_list, parameters)
                last_list = listed
            yield month, listed


CHESSMETRICS = System(
    "chessmetrics", "Chessmetrics", "Jeff Sonas", 2005, "forwards", Parameters(), rate
)
