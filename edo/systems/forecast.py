"""Forecasts of an event of the history from all other results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from edo.core.problems import EdoError
from edo.history.values import nearest, shown
from edo.systems.bayeselo import Parameters, rate_part
from edo.systems.games import Bools, Floats, Games, Ints
from edo.systems.round_robin import Forecast, Strengths, Tournament, after, of_games, simulate


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
    runs: int = 100_000
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
    tournament, who, scored = of_games(games.where(inside))
    strengths, known = _strengths(games.where(others), who)
    names = tuple(games.players[k] for k in who)
    tournament = _begun(tournament, names, games, task)
    forecast = simulate(tournament, strengths, runs=task.runs, seed=task.seed)
    deviation = np.sqrt(strengths.covariance.diagonal())
    carried = _carried(names, games, task)
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


def _begun(tournament: Tournament, names: Sequence[str], games: Games, task: Task) -> Tournament:
    """Return the tournament with carried points and after the games already played."""
    for first, second, score in task.played:
        if not {first, second} <= set(names):
            raise EdoError(f"{first} - {second}: not both of them play in {task.event}")
        try:
            tournament = after(tournament, names.index(first), names.index(second), score)
        except ValueError as refused:
            raise EdoError(f"{first} - {second}: {refused} in {task.event}") from refused
    points = tournament.points + _carried(names, games, task)
    return Tournament(tournament.first, tournament.second, tournament.colour, points)


def _carried(names: Sequence[str], games: Games, task: Task) -> Floats:
    """Return the points (n,) that the players carry over."""
    if task.carried is None:
        return np.zeros(len(names))
    before = games.where(_of(games, task.carried))
    points = np.bincount(before.first, before.score, len(games.players))
    points += np.bincount(before.second, before.count - before.score, len(games.players))
    return np.asarray(points[[games.players.index(name) for name in names]])
