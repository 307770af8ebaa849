"""Games in; the ratings of all systems of the same player-years, on one scale to show, out.

Each system has its own zero, so its ratings are shifted by a constant: then their mean is that of
Edo's over the player-years with games that both rate. Nothing is stretched.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from edo.core import cache, parallel
from edo.core.cache import NO_SECTION, Section, pickled
from edo.core.problems import EdoError
from edo.systems.careers import Careers, careers_of
from edo.systems.entries import SYSTEMS
from edo.systems.games import Bools, Floats, Games
from edo.systems.system import System

MUCH = 2000  # rows of games from which processes are worth starting
REFERENCE = "edo"
"""The system to whose scale the others are shifted."""


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """What one system makes of all player-years.

    `rating`, `deviation` (k,) [Elo] are NaN where the system has none; the ratings include the
    `shift` [Elo]. `refused` says why it could rate nothing, None where it could.
    """

    system: System
    rating: Floats
    deviation: Floats
    shift: float = 0.0
    log_evidence: float | None = None
    fitted: Mapping[str, float] = field(default_factory=dict)
    refused: str | None = None

    @property
    def rated(self) -> Bools:
        """Return of which player-years (k,) there is a rating."""
        return ~np.isnan(self.rating)


def nobody() -> Careers:
    """Return no player-years of nobody."""
    return Careers(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(1, np.int64))


@dataclass(frozen=True, slots=True, eq=False)
class Alongside:
    """The ratings of all systems; without `columns` no system has rated anything.

    `careers` are the (k,) player-years from first to last games of the `players`, whose numbers are
    in `number`; `played` (k,) says in which of them there are games.
    """

    players: tuple[str, ...] = ()
    number: Mapping[str, int] = field(default_factory=dict)
    careers: Careers = field(default_factory=nobody)
    played: Bools = field(default_factory=lambda: np.zeros(0, np.bool_))
    columns: tuple[Column, ...] = ()

    def years_of(self, player: str) -> slice:
        """Return where the player-years of a player are; none of one without games."""
        number = self.number.get(player)
        if number is None:
            return slice(0, 0)
        return slice(int(self.careers.start[number]), int(self.careers.start[number + 1]))

    def column(self, slug: str) -> Column | None:
        """Return the column of a system, None where there is none."""
        return next((one for one in self.columns if one.system.slug == slug), None)


def rate_all(
    games: Games,
    systems: Sequence[System] = SYSTEMS,
    section: Section = NO_SECTION,
    processes: int | None = None,
) -> Alongside:
    """Return what all systems make of the games; what is on the shelf is not made again.

    A system that cannot rate them has a column that says why. `processes` and what is raised as in
    `crew.side_by_side`.
    """
    raters = Raters(games, systems, section)
    return raters.alongside(
        parallel.run_parallel("rating", raters.tasks(), raters.is_much, processes)
    )


class Raters:
    """The systems that are to rate some games, unless what they make of them is on the shelf."""

    def __init__(
        self, games: Games, systems: Sequence[System] = SYSTEMS, section: Section = NO_SECTION
    ) -> None:
        self._games, self._careers, self._shelf = games, careers_of(games), section
        of_games = cache.digest(games)
        self._systems = {cache.digest(of_games, one.slug, one.parameters): one for one in systems}
        missing = (key for key in self._systems if section.get(key) is None)
        self._missing = sorted(missing, key=lambda key: not self._systems[key].is_slow)
        self.is_much = len(games.first) >= MUCH

    def tasks(self) -> list[Callable[[], Column]]:
        """Return what makes the columns that are not on the shelf."""
        systems = (self._systems[key] for key in self._missing)
        return [partial(_column, system, self._games, self._careers) for system in systems]

    def alongside(self, made: Iterable[Column]) -> Alongside:
        """Return the ratings of all systems, given what the tasks made, in order."""
        fresh = dict(zip(self._missing, made, strict=True))
        for key, column in fresh.items():
            self._shelf.count_miss()
            self._shelf.put(key, pickled(column))
        columns = [
            fresh[key] if key in fresh else pickle.loads(self._shelf.get(key) or b"")
            for key in self._systems
        ]
        games, careers = self._games, self._careers
        played = np.zeros(len(careers.year), np.bool_)
        played[careers.sides(games)] = True
        number = {player: k for k, player in enumerate(games.players)}
        return Alongside(games.players, number, careers, played, tuple(_shifted(columns, played)))


def _column(system: System, games: Games, careers: Careers) -> Column:
    """Return what a system makes of the games, not shifted."""
    rating, deviation = (np.full(len(careers.year), np.nan) for _ in range(2))
    try:
        made = system.rate(games, system.parameters)
    except EdoError as refused:
        return Column(system, rating, deviation, refused=str(refused))
    at = careers.nodes(made.careers.player, made.careers.year)
    rating[at], deviation[at] = made.rating, made.deviation
    return Column(
        system, rating, deviation, log_evidence=made.log_evidence, fitted=dict(made.fitted)
    )


def _shifted(columns: Sequence[Column], played: Bools) -> Iterator[Column]:
    """Yield the columns on the scale of that of Edo, if it is there."""
    reference = next((one for one in columns if one.system.slug == REFERENCE), None)
    for column in columns:
        shift = 0.0 if reference is None else shift_of(column.rating, reference.rating, played)
        yield replace(column, rating=column.rating + shift, shift=shift)


def shift_of(rating: Floats, reference: Floats, played: Bools) -> float:
    """Return what makes the mean rating (k,) that of the reference [Elo].

    Over the player-years that count, of which both have a rating, each weighing the same; 0 where
    there is none.
    """
    both = played & ~np.isnan(rating) & ~np.isnan(reference)
    return float(np.mean(reference[both]) - np.mean(rating[both])) if both.any() else 0.0
