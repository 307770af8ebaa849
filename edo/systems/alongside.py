"""Games in; the ratings of all systems of the same player-years, on one scale to show, out.

Each system has its own zero, so its ratings are shifted by a constant: then their mean is that of
Edo's over the player-years with games that both rate. Nothing is stretched.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from edo import crew, digests
from edo.crew import Crew
from edo.errors import EdoError
from edo.store import NO_SHELF, Shelf, pickled
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
    shelf: Shelf = NO_SHELF,
    processes: int | None = None,
) -> Alongside:
    """Return what all systems make of the games; what is on the shelf is not made again.

    A system that cannot rate them has a column that says why. By so many `processes`, by default
    one a processor where there is much to rate. Raises EdoError where a process was killed.
    """
    careers = careers_of(games)
    of_games = digests.of_values(games)
    keys = [digests.of_values(of_games, one.slug, one.parameters) for one in systems]
    kept = {key: shelf.get(key) for key in keys}
    missing = [k for k, key in enumerate(keys) if kept[key] is None]
    # The last of the list take longest, and whoever comes last should not.
    work = [(systems[k], games, careers) for k in reversed(missing)]
    for k, column in zip(reversed(missing), _made(work, len(games.first), processes), strict=True):
        shelf.made += 1
        kept[keys[k]] = pickled(column)
        shelf.put(keys[k], kept[keys[k]] or b"")
    columns = [pickle.loads(kept[key] or b"") for key in keys]
    played = np.zeros(len(careers.year), np.bool_)
    for side in (games.first, games.second):
        played[careers.nodes(side, games.year)] = True
    return Alongside(
        games.players,
        {player: k for k, player in enumerate(games.players)},
        careers,
        played,
        tuple(_shifted(columns, played)),
    )


def _made(
    work: Sequence[tuple[System, Games, Careers]], rows: int, processes: int | None
) -> Iterator[Column]:
    """Yield the column of each system with its games, in order."""
    number = min(len(work), crew.size(rows >= MUCH) if processes is None else processes)
    if number < 2:
        yield from (_column(*piece) for piece in work)
        return
    with Crew("rating", number, lambda numbers: (_column(*work[k]) for k in numbers)) as raters:
        yield from raters.results(len(work), lambda k: _column(*work[k]))


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
