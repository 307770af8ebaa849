"""Ratings and the games still to be played in; how a tournament may end, by simulation, out.

Each run draws true ratings for the players, who are known to within their covariances, and then a
result for each game. The colours of a game may be unknown: it then has the mean of both chances.

Source: Coulom, Bayesian Elo Rating (2010), on his predictions of round-robin tournaments; unlike
there, the covariances of the ratings count, and players who tie share the ranks they tie for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from edo.systems.chances import Chances
from edo.systems.games import Floats, Games, Ints

RUNS = 100_000
AT_ONCE = 4_000_000  # numbers held at a time
PLACES = 9  # decimals of points that are compared: sums of thirds must tie


@dataclass(frozen=True, slots=True)
class Scoring:
    """What a win, a draw and a loss count [points]."""

    win: float = 1.0
    draw: float = 0.5
    loss: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Tournament:
    """The (m,) games to come between players `first` and `second`, and `points` (n,) before them.

    `colour` is 1 where the first has White, -1 where Black, 0 where that is not known.
    """

    first: Ints
    second: Ints
    colour: Floats
    points: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Strengths:
    """What is known of n players: `rating` (n,) [Elo], usual scale, and `covariance` (n, n)."""

    rating: Floats
    covariance: Floats
    chances: Chances


@dataclass(frozen=True, slots=True, eq=False)
class Forecast:
    """How a tournament of n players may end.

    `points` before it, `expected` (n,) with the standard `deviation` (n,) of what may come;
    `rank` (n,) that is expected; `chances` (n, n) of each player, by rows, for each rank. All but
    `points` by `runs` simulations.
    """

    points: Floats
    expected: Floats
    deviation: Floats
    chances: Floats
    runs: int

    @property
    def rank(self) -> Floats:
        """Return the expected ranks (n,), from 1."""
        return np.asarray(self.chances @ np.arange(1, len(self.points) + 1))

    @property
    def standard_error(self) -> Floats:
        """Return how far (n,) [points] `expected` is off by chance."""
        return np.asarray(self.deviation / np.sqrt(self.runs))


def all_play_all(
    n: int,
    rounds: int = 1,
    played: Sequence[tuple[int, int, float]] = (),
    scoring: Scoring | None = None,
) -> Tournament:
    """Return what is left of n players who meet `rounds` times with each colour.

    `played` are games so far: White, Black and 1, 0.5 or 0 for White. Raises ValueError where
    two players have met more often with the same colours than they are to.
    """
    scoring = scoring or Scoring()
    points = np.zeros(n)
    left = Counter({(w, b): rounds for w in range(n) for b in range(n) if w != b})
    counts = {1.0: scoring.win, 0.5: scoring.draw, 0.0: scoring.loss}
    for white, black, result in played:
        if not left[white, black]:
            raise ValueError(f"player {white} has White against {black} more than {rounds} times")
        left[white, black] -= 1
        points[white] += counts[result]
        points[black] += counts[1 - result]
    pairs = np.array(sorted(left.elements()), np.int64).reshape(-1, 2)
    return Tournament(pairs[:, 0], pairs[:, 1], np.ones(len(pairs)), points)


def after(tournament: Tournament, first: int, second: int, score: float) -> Tournament:
    """Return the tournament after a game in which `first`, with White if it may be, scored.

    A win is one point. Raises ValueError where no game between these two is to come.
    """
    ahead = (tournament.first == first) & (tournament.second == second)
    behind = (tournament.first == second) & (tournament.second == first)
    candidates = np.flatnonzero(ahead | behind)
    if not len(candidates):
        raise ValueError("these two have no more games to play")
    colour = np.where(ahead, tournament.colour, -tournament.colour)[candidates]
    left = np.delete(np.arange(len(ahead)), candidates[colour.argmax()])
    points = tournament.points.copy()
    points[first] += score
    points[second] += 1 - score
    return Tournament(
        tournament.first[left], tournament.second[left], tournament.colour[left], points
    )


def of_games(games: Games) -> tuple[Tournament, Ints, Floats]:
    """Return games as if none had been played yet, with who played and what each then scored.

    Who played (n,) indexes the players of the games. Raises ValueError where numbers of games are
    not whole, for then single games are not known.
    """
    count = games.count
    if np.any(np.abs(count - np.round(count)) > 1e-9):
        raise ValueError("the numbers of games are not whole")
    who, seats = np.unique(np.r_[games.first, games.second], return_inverse=True)
    first, second = np.split(seats, 2)
    scored = np.bincount(first, games.score, len(who))
    scored += np.bincount(second, count - games.score, len(who))
    times = np.round(count).astype(np.int64)
    return (
        Tournament(
            np.repeat(first, times),
            np.repeat(second, times),
            np.repeat(games.colour, times),
            np.zeros(len(who)),
        ),
        who,
        np.asarray(scored),
    )


def simulate(
    tournament: Tournament,
    strengths: Strengths,
    scoring: Scoring | None = None,
    *,
    runs: int = RUNS,
    seed: int = 0,
) -> Forecast:
    """Return how the tournament may end; the same seed always gives the same forecast."""
    scoring = scoring or Scoring()
    n = len(tournament.points)
    total, square, ranks = np.zeros(n), np.zeros(n), np.zeros((n, n))
    middle = _middle(tournament, strengths, scoring)
    for points in play(tournament, strengths, scoring, runs=runs, seed=seed):
        total += (points - middle).sum(axis=0)
        square += ((points - middle) ** 2).sum(axis=0)
        ranks += _shared_ranks(points)
    mean = total / runs
    deviation = np.sqrt(np.maximum(square / runs - mean**2, 0.0))
    return Forecast(tournament.points, middle + mean, deviation, ranks / runs, runs)


def play(
    tournament: Tournament, strengths: Strengths, scoring: Scoring, *, runs: int, seed: int
) -> Iterator[Floats]:
    """Yield the final points (some, n) of all runs, a part of them at a time."""
    random = np.random.default_rng(seed)
    n, m = len(tournament.points), len(tournament.first)
    values, vectors = np.linalg.eigh(strengths.covariance)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    ours, theirs = (np.eye(n)[side] for side in (tournament.first, tournament.second))
    part = max(1, AT_ONCE // max(m, n * n))
    for start in range(0, runs, part):
        some = min(part, runs - start)
        true = strengths.rating + random.standard_normal((some, n)) @ root.T
        win, _, loss = _results(tournament, true, strengths.chances)
        drawn = random.random((some, m))
        won, lost = drawn < win, drawn >= 1 - loss
        first = np.where(won, scoring.win, np.where(lost, scoring.loss, scoring.draw))
        second = np.where(lost, scoring.win, np.where(won, scoring.loss, scoring.draw))
        yield tournament.points + first @ ours + second @ theirs


def _results(
    tournament: Tournament, rating: Floats, chances: Chances
) -> tuple[Floats, Floats, Floats]:
    """Return win, draw and loss of the first of each game (..., m) at ratings (..., n)."""
    lead = rating[..., tournament.first] - rating[..., tournament.second]
    with_white = chances.of(lead / chances.scale)
    with_black = chances.of(-lead / chances.scale)[::-1]
    white, black = (1 + tournament.colour) / 2, (1 - tournament.colour) / 2
    win, draw, loss = (white * a + black * b for a, b in zip(with_white, with_black, strict=True))
    return win, draw, loss


def _middle(tournament: Tournament, strengths: Strengths, scoring: Scoring) -> Floats:
    """Return the points (n,) expected at exactly these ratings, about which squares are summed."""
    win, draw, loss = _results(tournament, strengths.rating, strengths.chances)
    ours = win * scoring.win + draw * scoring.draw + loss * scoring.loss
    theirs = loss * scoring.win + draw * scoring.draw + win * scoring.loss
    n = len(tournament.points)
    gained = np.bincount(tournament.first, ours, n) + np.bincount(tournament.second, theirs, n)
    return np.asarray(tournament.points + gained)


def _shared_ranks(points: Floats) -> Floats:
    """Return how often (n, n) each player of the runs (k, n) has each rank, ties shared."""
    points = np.round(points, PLACES)
    better = (points[:, None, :] > points[:, :, None]).sum(axis=2)
    tied = (points[:, None, :] == points[:, :, None]).sum(axis=2)
    columns = [
        np.sum(((better <= k) & (k < better + tied)) / tied, axis=0) for k in range(points.shape[1])
    ]
    return np.stack(columns, axis=1)
