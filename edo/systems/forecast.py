"""Forecasts of an event of the history from all other results, by simulation.

Each run draws true ratings for the players from their joint normal distribution, and then a result
for each game. A game of unknown colours has the mean of the probabilities of both colours.

Source: Coulom, Bayesian Elo Rating (2010), on his predictions of round-robin tournaments; unlike
there, the covariances of the ratings count, and tied players share the ranks they tie for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from edo.core.problems import EdoError
from edo.history.names import nearest
from edo.history.values import shown
from edo.systems.base import by_colour
from edo.systems.bayeselo import OutcomeModel, Parameters, rate_part
from edo.systems.games import Bools, Floats, Games, Ints

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
    points[[first, second]] += score, 1 - score
    return Tournament(
        tournament.first[left], tournament.second[left], tournament.colour[left], points
    )


def tournament_of(games: Games) -> tuple[Tournament, Ints, Floats]:
    """Return games as a tournament to be played, with its players (n,) and their actual scores.

    The players index those of the games. Raises ValueError where numbers of games are not whole,
    as single games are then not known.
    """
    count = games.count
    if np.any(np.abs(count - np.round(count)) > 1e-9):
        raise ValueError("the numbers of games are not whole")
    who, seats = np.unique([games.first, games.second], return_inverse=True)
    times = np.round(count).astype(np.int64)
    first, second = seats.reshape(2, -1).repeat(times, axis=1)
    tournament = Tournament(first, second, games.colour.repeat(times), np.zeros(len(who)))
    return tournament, who, games.points()[who]


def simulate(
    tournament: Tournament, strengths: Strengths, *, runs: int = RUNS, seed: int = 0
) -> Forecast:
    """Return how the tournament may end; the same seed always gives the same forecast."""
    n = len(tournament.points)
    total, square, ranks = np.zeros(n), np.zeros(n), np.zeros((n, n))
    # Squares are summed about the points expected at exactly these ratings.
    win, draw, loss = _results(tournament, strengths.rating, strengths.model)
    gained = np.bincount(tournament.first, win + draw / 2, n)
    middle = tournament.points + (gained + np.bincount(tournament.second, loss + draw / 2, n))
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


def _shared_ranks(points: Floats) -> Floats:
    """Return how often (n, n) each player has each rank in the runs (k, n), ties shared."""
    points = np.round(points, DECIMALS)
    better = (points[:, None, :] > points[:, :, None]).sum(axis=2)
    tied = (points[:, None, :] == points[:, :, None]).sum(axis=2)
    columns = [
        np.sum(((better <= k) & (k < better + tied)) / tied, axis=0) for k in range(points.shape[1])
    ]
    return np.stack(columns, axis=1)


@dataclass(frozen=True, slots=True)
class Task:
    """Which event to forecast, and from what.

    `earlier` leaves out all games of that year and later; points of the event `carried` count,
    and its games are used. `played` are games so far: two ids, the first with White where
    possible, and the points of the first.
    """

    event: str
    earlier: bool = False
    carried: str | None = None
    played: Sequence[tuple[str, str, float]] = ()
    runs: int = RUNS
    seed: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class EventForecast:
    """A forecast for `players` (n,) with ratings and deviations (n,) [Elo], and actual scores.

    `known` (n,) is false where no other games link a player to the rest: he then has the mean and
    the spread of all players.
    """

    players: tuple[str, ...]
    rating: Floats
    deviation: Floats
    known: Bools
    forecast: Forecast
    scored: Floats


def forecast_event(games: Games, task: Task) -> EventForecast:
    """Return the forecast of an event by Bayeselo's ratings from the other results.

    Raises EdoError where there is no such event, its single games are not known or were at odds,
    or games given as played do not belong to it.
    """
    inside = _of(games, task.event)
    others = ~inside
    if task.earlier:
        year = games.year[inside].min()
        others &= (games.year < year) | (task.carried is not None and _of(games, task.carried))
    _refuse_unfit(games.where(inside), task.event)
    if not others.any():
        raise EdoError(f"{task.event} cannot be predicted: there are no other results; add some")
    tournament, who, scored = tournament_of(games.where(inside))
    strengths, known = _strengths(games.where(others), who)
    names = tuple(games.players[k] for k in who)
    for first, second, score in task.played:
        if not {first, second} <= set(names):
            raise EdoError(f"{first} - {second}: not both of them play in {task.event}")
        try:
            tournament = after(tournament, names.index(first), names.index(second), score)
        except ValueError as refused:
            raise EdoError(f"{first} - {second}: {refused} in {task.event}") from refused
    carried = _carried(names, games, task)
    tournament = replace(tournament, points=tournament.points + carried)
    forecast = simulate(tournament, strengths, runs=task.runs, seed=task.seed)
    deviation = np.sqrt(strengths.covariance.diagonal())
    return EventForecast(names, strengths.rating, deviation, known, forecast, scored + carried)


def _of(games: Games, event: str) -> Bools:
    if event not in games.events:
        hint = nearest(event, games.events, "give the name of its file")
        raise EdoError(f"no rated games of an event {shown(event)}; {hint}")
    return np.asarray(games.event == games.events.index(event))


def _refuse_unfit(games: Games, event: str) -> None:
    """Raise EdoError where games are at odds or not known one by one, naming two players."""
    for unfit, why in (
        (games.odds != 0, "were at odds"),
        (~games.played, "are not known one by one, or not for certain"),
    ):
        for k in np.flatnonzero(unfit)[:1]:
            pair = f"{games.players[games.first[k]]} and {games.players[games.second[k]]}"
            raise EdoError(f"{event} cannot be predicted: games of {pair} {why}")


def _strengths(games: Games, who: Ints) -> tuple[Strengths, Bools]:
    """Return strengths of some players (n,) from other games, and which of them these link."""
    found, inside, level = rate_part(games, Parameters())
    known = np.isin(who, inside)
    at = np.searchsorted(inside, who[known])
    rating = np.full(len(who), level)
    rating[known] += found.rating[at]
    covariance = np.eye(len(who)) * found.rating.var()
    covariance[np.ix_(known, known)] = found.covariance(at)
    return Strengths(rating, covariance, found.model), known


def _carried(names: Sequence[str], games: Games, task: Task) -> Floats:
    """Return the points (n,) that the players carry over."""
    if task.carried is None:
        return np.zeros(len(names))
    points = games.where(_of(games, task.carried)).points()
    return np.asarray(points[[games.players.index(name) for name in names]])
