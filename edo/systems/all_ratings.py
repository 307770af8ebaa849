"""Ratings of the same player-years by all systems, on a common level.

Each system has its own zero, so its ratings are shifted by a constant: then their mean over the
games of all player-years that both rate is that of the leading system's, to a whole point, so that
few ratings move with every score. Nothing is rescaled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from edo.core import parallel
from edo.core.problems import EdoError
from edo.core.scale import Bools, Floats
from edo.history.settings import Settings
from edo.rating.games import Games
from edo.systems import (
    bayeselo,
    bradley_terry,
    chessmetrics,
    edo,
    edo_integrated,
    elo,
    elo_davidson,
    glicko,
    sonas,
    spinrad,
    ttt,
    whr,
)
from edo.systems.base import Effect, System
from edo.systems.player_years import PlayerYears, player_years_of

SYSTEMS: tuple[System, ...] = (
    edo.EDO,
    edo.EDO_RAW,
    edo_integrated.EDO_INTEGRATED,
    bradley_terry.BRADLEY_TERRY,
    whr.WHR,
    elo.FIDE,
    elo.USCF,
    sonas.SONAS,
    elo_davidson.DAVIDSON,
    glicko.GLICKO,
    glicko.GLICKO_2,
    spinrad.SPINRAD,
    chessmetrics.CHESSMETRICS,
    bayeselo.BAYESELO,
    bayeselo.ELOSTAT,
    ttt.TRUESKILL,
    ttt.TTT,
    ttt.TTT_D,
)
"""In the order in which they are shown."""


def systems_with(settings: Settings) -> tuple[System, ...]:
    """Return all systems, Edo with these settings."""
    return (*edo.with_settings(settings), *SYSTEMS[2:])


PARALLEL_FROM = 2000  # rows of games from which a worker pool is worth starting
REFERENCE = "edo"
"""The system with which the others are compared."""


@dataclass(frozen=True, slots=True, eq=False)
class SystemRatings:
    """The ratings of all player-years by one system.

    `rating`, `deviation` (k,) [Elo] are NaN where the system has none; the ratings include the
    `shift` [Elo]. `refused` says why the system could not rate the games, None where it could.
    """

    system: System
    rating: Floats
    deviation: Floats
    shift: float = 0.0
    log_evidence: float | None = None
    fitted: Mapping[str, float] = field(default_factory=dict)
    refused: str | None = None
    effects: tuple[Effect, ...] = ()

    @property
    def rated(self) -> Bools:
        """Return which player-years (k,) have a rating."""
        return ~np.isnan(self.rating)


@dataclass(frozen=True, eq=False)
class AllRatings:
    """The ratings of all systems, a column each.

    `player_years` are the (k,) player-years from first to last games of the `players`, whose
    numbers are in `number`; `played` (k,) is true where there are games. To the level of the
    system `leading` the others are shifted. `games` are those rated.
    """

    players: tuple[str, ...] = ()
    number: Mapping[str, int] = field(default_factory=dict)
    player_years: PlayerYears = field(default_factory=PlayerYears.none)
    played: Bools = field(default_factory=lambda: np.zeros(0, np.bool_))
    columns: tuple[SystemRatings, ...] = ()
    leading: str = REFERENCE
    games: Games | None = None

    def years_of(self, player: str) -> slice:
        """Return the slice of a player's years, empty for one without games."""
        number = self.number.get(player)
        if number is None:
            return slice(0, 0)
        return slice(int(self.player_years.start[number]), int(self.player_years.start[number + 1]))

    def column(self, slug: str) -> SystemRatings | None:
        """Return the column of a system, None where there is none."""
        return next((column for column in self.columns if column.system.slug == slug), None)


def rate_all(
    games: Games,
    systems: Sequence[System] = SYSTEMS,
    processes: int | None = None,
    known: Sequence[SystemRatings] = (),
) -> AllRatings:
    """Return the ratings of the games by all systems.

    A system that cannot rate them has a column that says why. `known` is as in `RatingTasks`,
    `processes` and errors are as in `parallel.run_parallel`.
    """
    raters = RatingTasks(games, systems, known)
    return raters.combined(
        parallel.run_parallel("rating", raters.tasks(), raters.is_much, processes)
    )


class RatingTasks:
    """The systems that are to rate some games.

    `known` are columns that need no rating; the first is of the system that sets the level. Else
    Edo does.
    """

    def __init__(
        self,
        games: Games,
        systems: Sequence[System] = SYSTEMS,
        known: Sequence[SystemRatings] = (),
    ) -> None:
        self._games, self._careers = games, player_years_of(games)
        self._known = {column.system.slug: column for column in known}
        self._slugs = [system.slug for system in systems]
        self._groups: dict[object, list[System]] = {}
        for system in sorted(systems, key=lambda system: not system.is_slow):
            if system.slug not in self._known:
                self._groups.setdefault(system.parameters, []).append(system)
        self.is_much = len(games.first) >= PARALLEL_FROM

    def tasks(self) -> list[Callable[[], list[SystemRatings]]]:
        """Return the tasks that compute the columns, the slow ones first.

        Systems with the same parameters are one task, so that they can share one fit.
        """
        return [
            partial(_columns, systems, self._games, self._careers)
            for systems in self._groups.values()
        ]

    def combined(self, results: Iterable[Sequence[SystemRatings]]) -> AllRatings:
        """Return the ratings of all systems, given the results of the tasks, in order."""
        columns = self._known | {
            column.system.slug: column for task_columns in results for column in task_columns
        }
        leading = next(iter(self._known), REFERENCE)
        lead = columns.get(leading)
        games, player_years = self._games, self._careers
        sides = np.concatenate(player_years.sides(games))
        weight = np.bincount(sides, np.tile(games.count, 2), len(player_years.year)).astype(
            np.float64
        )
        number = {player: k for k, player in enumerate(games.players)}
        chosen = [columns[slug] for slug in self._slugs]
        if lead is not None:
            chosen = list(_within(chosen, lead, player_years))
        shifted = tuple(_shifted(chosen, lead, weight))
        return AllRatings(games.players, number, player_years, weight > 0, shifted, leading, games)


def _columns(
    systems: Sequence[System], games: Games, player_years: PlayerYears
) -> list[SystemRatings]:
    return [_column(system, games, player_years) for system in systems]


def _column(system: System, games: Games, player_years: PlayerYears) -> SystemRatings:
    """Return the ratings of the games by a system, not shifted."""
    rating, deviation = np.full((2, len(player_years.year)), np.nan)
    try:
        rated = system.rate(games, system.parameters)
    except EdoError as refused:
        return SystemRatings(system, rating, deviation, refused=str(refused))
    nodes = player_years.nodes(rated.player_years.player, rated.player_years.year)
    rating[nodes], deviation[nodes] = rated.rating, rated.deviation
    return SystemRatings(
        system, rating, deviation, log_evidence=rated.log_evidence, fitted=dict(rated.fitted),
        effects=tuple(rated.effects()),
    )  # fmt: skip


def _within(
    columns: Iterable[SystemRatings], lead: SystemRatings, player_years: PlayerYears
) -> Iterator[SystemRatings]:
    """Yield the columns without the years in which only the leading one does not rate a player.

    It may leave out games of which another one makes a rating, years before all others.
    """
    is_rated = np.bincount(player_years.player, lead.rated) > 0
    outside = ~lead.rated & is_rated[player_years.player]
    for column in columns:
        rating, deviation = (
            np.where(outside, np.nan, values) for values in (column.rating, column.deviation)
        )
        yield replace(column, rating=rating, deviation=deviation)


def _shifted(
    columns: Sequence[SystemRatings], lead: SystemRatings | None, games: Floats
) -> Iterator[SystemRatings]:
    """Yield the columns shifted by whole points to the level of the leading one, if it is there."""
    for column in columns:
        shift = 0.0 if lead is None else float(round(shift_of(column.rating, lead.rating, games)))
        yield replace(column, rating=column.rating + shift, shift=shift)


def shift_of(rating: Floats, reference: Floats, games: Floats) -> float:
    """Return the constant [Elo] that makes the mean rating (k,) that of the reference.

    The mean is over the `games` (k,) of the player-years that both rate; 0 where there are none.
    """
    weight = np.where(np.isnan(rating) | np.isnan(reference), 0.0, games)
    if not weight.any():
        return 0.0
    return float(weight @ np.nan_to_num(reference - rating) / weight.sum())
