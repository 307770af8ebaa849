"""Simulation of a tournament from ratings: expected points and probabilities of ranks.

Each run draws true ratings for the players from their joint normal distribution, and then a result
for each game. A game of unknown colours has the mean of the probabilities of both colours.

Source: Coulom, Bayesian Elo Rating (2010), on his predictions of round-robin tournaments; unlike
there, the covariances of the ratings count, and tied players share the ranks they tie for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from edo.systems.bayeselo import OutcomeModel
from edo.systems.games import Floats, Games, Ints
from edo.systems.system import by_colour

RUNS = 100_000
AT_ONCE = 4_000_000  # numbers held at a time
DECIMALS = 9  # of points that are compared: sums of thirds must tie


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
    """Ratings of n players: `rating` (n,) [Elo], usual scale, and `covariance` (n, n)."""

    rating: Floats
    covariance: Floats
    model: OutcomeModel


@dataclass(frozen=True, slots=True, eq=False)
class Forecast:
    """How a tournament of n players may end.

    `points` before it; `expected` final points (n,) with their standard `deviation` (n,);
    `rank_probability` (n, n) of each player, by rows, for each rank. All but `points` from `runs`
    simulations.
    """

    points: Floats
    expected: Floats
    deviation: Floats
    rank_probability: Floats
    runs: int

    @property
    def rank(self) -> Floats:
        """Return the expected ranks (n,), from 1."""
        return np.asarray(self.rank_probability @ np.arange(1, len(self.points) + 1))

    @property
    def standard_error(self) -> Floats:
        """Return the standard error (n,) [points] of `expected` from the number of runs."""
        return np.asarray(self.deviation / np.sqrt(self.runs))


def after(tournament: Tournament, first: int, second: int, score: float) -> Tournament:
    """Return the tournament after a game in which `first`, with White where possible, scored.

    Raises ValueError where these two have no game to come.
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
    """Return games as a tournament to be played, with its players (n,) and their actual scores.

    The players index those of the games. Raises ValueError where numbers of games are not whole,
    as single games are then not known.
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
    tournament: Tournament, strengths: Strengths, *, runs: int = RUNS, seed: int = 0
) -> Forecast:
    """Return how the tournament may end; the same seed always gives the same forecast."""
    n = len(tournament.points)
    total, square, ranks = np.zeros(n), np.zeros(n), np.zeros((n, n))
    middle = _expected_points(tournament, strengths)
    for points in play(tournament, strengths, runs=runs, seed=seed):
        total += (points - middle).sum(axis=0)
        square += ((points - middle) ** 2).sum(axis=0)
        ranks += _shared_ranks(points)
    mean = total / runs
    deviation = np.sqrt(np.maximum(square / runs - mean**2, 0.0))
    return Forecast(tournament.points, middle + mean, deviation, ranks / runs, runs)


def play(tournament: Tournament, strengths: Strengths, *, runs: int, seed: int) -> Iterator[Floats]:
    """Yield the final points (some, n) of all runs, in batches."""
    random = np.random.default_rng(seed)
    n, m = len(tournament.points), len(tournament.first)
    values, vectors = np.linalg.eigh(strengths.covariance)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    ours, theirs = (np.eye(n)[side] for side in (tournament.first, tournament.second))
    part = max(1, AT_ONCE // max(m, n * n))
    for start in range(0, runs, part):
        some = min(part, runs - start)
        true = strengths.rating + random.standard_normal((some, n)) @ root.T
        win, _, loss = _results(tournament, true, strengths.model)
        drawn = random.random((some, m))
        first = np.where(drawn < win, 1.0, np.where(drawn >= 1 - loss, 0.0, 0.5))
        yield tournament.points + first @ ours + (1 - first) @ theirs


def _results(
    tournament: Tournament, rating: Floats, model: OutcomeModel
) -> tuple[Floats, Floats, Floats]:
    """Return win, draw and loss of the first of each game (..., m) at ratings (..., n)."""
    lead = rating[..., tournament.first] - rating[..., tournament.second]
    with_white = model.probabilities(lead / model.scale)
    with_black = model.probabilities(-lead / model.scale)[::-1]
    win, draw, loss = map(partial(by_colour, tournament.colour), with_white, with_black)
    return win, draw, loss


def _expected_points(tournament: Tournament, strengths: Strengths) -> Floats:
    """Return the points (n,) expected at exactly these ratings, about which squares are summed."""
    win, draw, loss = _results(tournament, strengths.rating, strengths.model)
    ours, theirs = win + draw / 2, loss + draw / 2
    n = len(tournament.points)
    gained = np.bincount(tournament.first, ours, n) + np.bincount(tournament.second, theirs, n)
    return np.asarray(tournament.points + gained)


def _shared_ranks(points: Floats) -> Floats:
    """Return how often (n, n) each player has each rank in the runs (k, n), ties shared."""
    points = np.round(points, DECIMALS)
    better = (points[:, None, :] > points[:, :, None]).sum(axis=2)
    tied = (points[:, None, :] == points[:, :, None]).sum(axis=2)
    columns = [
        np.sum(((better <= k) & (k < better + tied)) / tied, axis=0) for k in range(points.shape[1])
    ]
    return np.stack(columns, axis=1)
