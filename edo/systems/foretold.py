"""The history and one of its events in; how it was likely to end, by all other results, out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from edo.core.problems import EdoError
from edo.history.values import nearest, shown
from edo.systems.bayeselo import Parameters, rate_part
from edo.systems.games import Bools, Floats, Games, Ints
from edo.systems.roundrobin import Forecast, Strengths, Tournament, after, of_games, simulate


@dataclass(frozen=True, slots=True)
class Task:
    """What to foretell, and by what.

    `earlier` leaves out all games of that year and later; points of the event `carried` count,
    and its games are known. `played` are games so far: two ids, the first with White if it may be,
    and the points of the first.
    """

    event: str
    earlier: bool = False
    carried: str | None = None
    played: Sequence[tuple[str, str, float]] = ()
    runs: int = 100_000
    seed: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Foretold:
    """A forecast for `players` (n,) with ratings and deviations (n,) [Elo], and what they `scored`.

    `known` (n,) is false where a player has no other games that link him: he is then taken for
    anybody, of the mean and the spread of all players.
    """

    players: tuple[str, ...]
    rating: Floats
    deviation: Floats
    known: Bools
    forecast: Forecast
    scored: Floats


def foretell(games: Games, task: Task) -> Foretold:
    """Return the forecast of an event by Bayeselo's ratings from the other results.

    Raises EdoError where there is no such event, its single games are not known or were at odds,
    or games that are given were not to be played.
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
    return Foretold(names, strengths.rating, deviation, known, forecast, scored + carried)


def _of(games: Games, event: str) -> Bools:
    if event not in games.events:
        hint = nearest(event, games.events, "give the name of its file")
        raise EdoError(f"no rated games of an event {shown(event)}; {hint}")
    return np.asarray(games.event == games.events.index(event))


def _refuse_unfit(games: Games, event: str) -> None:
    """Raise EdoError where games are at odds or not known one by one; name two who played such."""
    for unfit, why in (
        (games.odds != 0, "were at odds"),
        (~games.played, "are not known one by one, or not for certain"),
    ):
        for k in np.flatnonzero(unfit)[:1]:
            pair = f"{games.players[games.first[k]]} and {games.players[games.second[k]]}"
            raise EdoError(f"{event} cannot be foretold: games of {pair} {why}")


def _strengths(games: Games, who: Ints) -> tuple[Strengths, Bools]:
    """Return what other games tell of some players (n,), and whom of them they link."""
    found, inside, level = rate_part(games, Parameters())
    known = np.isin(who, inside)
    at = np.searchsorted(inside, who[known])
    rating = np.full(len(who), level)
    rating[known] += found.rating[at]
    covariance = np.eye(len(who)) * found.rating.var()
    covariance[np.ix_(known, known)] = found.covariance(at)
    return Strengths(rating, covariance, found.chances), known


def _begun(tournament: Tournament, names: Sequence[str], games: Games, task: Task) -> Tournament:
    """Return the tournament with the points that are carried and the games that are given."""
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
    """Return the points (n,) that the players bring with them."""
    if task.carried is None:
        return np.zeros(len(names))
    before = games.where(_of(games, task.carried))
    points = np.bincount(before.first, before.score, len(games.players))
    points += np.bincount(before.second, before.count - before.score, len(games.players))
    return np.asarray(points[[games.players.index(name) for name in names]])
