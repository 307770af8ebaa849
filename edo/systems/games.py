"""Rated games of a dataset in time order, as arrays of numbered players.

Most events are dated by their year only: their games are placed in the middle of the year, and
events of one month are in the order of their ids.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from edo.core.model import Dataset, Event, Result
from edo.core.problems import DisconnectedNetwork
from edo.rating.inference.joint import births
from edo.rating.pairings import Side, pairings_from_totals, side, unrated_reason

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

MID_YEAR = 7  # the month of games dated by their year only


@dataclass(frozen=True, slots=True, eq=False)
class Traits:
    """What is known of the (n_players,) players: year of birth, NaN if unknown, and country."""

    born: Floats
    country: tuple[str | None, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Games:
    """The (m,) rows, ascending by `month`; a row holds games of two players in one event.

    `players`, `events` are ids; `first`, `second`, `event` index them. `year` is that in which the
    games count; `month` is months since the year 0. `pairing` is the same for all rows of the
    same two players in one event and year. `wins`, `draws`, `losses` [games] are the first one's.
    `colour` is 1 where the first had White in all games of the row, -1 where he had Black, 0 where
    that is not known. `odds` [Elo] are what the odds of the games are worth to the first, negative
    where he gave them. `played` is true where the score and the draws are those actually played:
    elsewhere (soft results, totals, guesses) the usual share of draws is assumed. `deduced` is true
    where the score follows from totals, with a guess or without. `traits` are of the players.
    """

    players: tuple[str, ...]
    events: tuple[str, ...]
    first: Ints
    second: Ints
    year: Ints
    month: Ints
    event: Ints
    pairing: Ints
    wins: Floats
    draws: Floats
    losses: Floats
    colour: Floats
    odds: Floats
    played: Bools
    deduced: Bools
    traits: Traits | None = None

    @property
    def score(self) -> Floats:
        """Return the points (m,) of the first."""
        return self.wins + self.draws / 2

    @property
    def count(self) -> Floats:
        """Return the games (m,) in each row."""
        return self.wins + self.draws + self.losses

    def points(self) -> Floats:
        """Return the points (n_players,) of each player in all games."""
        n = len(self.players)
        of_first = np.bincount(self.first, self.score, n)
        return np.asarray(of_first + np.bincount(self.second, self.count - self.score, n))

    def where(self, rows: Bools | Ints | slice) -> Games:
        """Return some rows, or all in an order; players and events keep their numbers."""
        kept = {field.name: getattr(self, field.name)[rows] for field in fields(self)[2:-1]}
        return replace(self, **kept)

    def in_order(self) -> Games:
        """Return the rows in an order of their own, so that sums do not depend on the given one."""
        keys = (self.draws, self.score, self.count, self.odds, self.colour, self.year)
        return self.where(np.lexsort((*keys, self.second, self.first)))

    def without_odds(self) -> Games:
        """Return the rows without odds."""
        return self.where(self.odds == 0)

    def by_event(self) -> Iterator[slice]:
        """Yield the rows of each event and year, in time order."""
        return self._runs(self.event, self.year)

    def turns(self) -> Iterator[Ints]:
        """Yield the rows of events that share no player, each after its players' earlier events."""
        turn, last = np.empty_like(self.event), np.zeros(len(self.players), np.int64)
        for rows in self.by_event():
            players = np.r_[self.first[rows], self.second[rows]]
            turn[rows] = last[players] = last[players].max() + 1
        order = np.argsort(turn, kind="stable")
        if len(order):
            yield from np.split(order, np.flatnonzero(np.diff(turn[order])) + 1)

    def by_year(self) -> Iterator[slice]:
        """Yield the rows of each year in which there are any, ascending."""
        return self._runs(self.year)

    def _runs(self, *of: Ints) -> Iterator[slice]:
        if len(self.first):
            changes = np.any([np.diff(column) != 0 for column in of], axis=0)
            ends = [0, *(np.flatnonzero(changes) + 1).tolist(), len(self.first)]
            yield from map(slice, ends, ends[1:])


def largest_part(games: Games) -> tuple[Games, Ints]:
    """Return the games within the largest connected group of players, and these (p,).

    In the games they are renumbered from 0. Raises DisconnectedNetwork where there are no games.
    """
    if not len(games.first):
        raise DisconnectedNetwork("there are no games to rate; add results without odds")
    n = len(games.players)
    graph = coo_array((np.ones(len(games.first)), (games.first, games.second)), shape=(n, n))
    part = connected_components(graph, directed=False)[1]
    chosen = np.bincount(part).argmax()
    players = np.flatnonzero(part == chosen)
    return among(games, players), players


def among(games: Games, players: Ints) -> Games:
    """Return the games among some players (p,), ascending, who are renumbered from 0."""
    inside = games.where(np.isin(games.first, players) & np.isin(games.second, players))
    first, second = (np.searchsorted(players, side) for side in (inside.first, inside.second))
    names, traits = tuple(games.players[k] for k in players), games.traits
    if traits is not None:
        traits = Traits(traits.born[players], tuple(traits.country[k] for k in players))
    return replace(inside, players=names, first=first, second=second, traits=traits)


class _Row(NamedTuple):
    """A row before players and events are numbered; `draws` is None where unknown."""

    month: int
    event: str
    year: int
    first: Side
    second: Side
    colour: int
    score: float
    draws: float | None
    games: float
    played: bool
    deduced: bool


def games_of(dataset: Dataset) -> Games:
    """Return the rated games of a dataset, totals and guesses included."""
    rows = [row for event in dataset.events.values() for row in _rows(event, dataset)]
    games = _numbered(sorted(rows, key=lambda row: (row.year, row.month, row.event)))
    born = births(dataset)
    persons = [dataset.players[dataset.players[id_].offhand_of or id_] for id_ in games.players]
    years = np.array([born.get(id_, np.nan) for id_ in games.players], np.float64)
    return replace(games, traits=Traits(years, tuple(one.country for one in persons)))


def _rows(event: Event, dataset: Dataset) -> Iterator[_Row]:
    if event.unrated is not None:
        return
    for result in event.results:
        if unrated_reason(result, dataset.odds) is None:
            yield from _of_result(event, result, dataset)
    for pairing in pairings_from_totals(event, dataset.odds):
        month = _month(event, pairing.year)
        yield _Row(month, event.id, pairing.year, pairing.first, pairing.second, 0,
                   pairing.score, None, pairing.games, False, True)  # fmt: skip


def _of_result(event: Event, result: Result, dataset: Dataset) -> Iterator[_Row]:
    """Yield a row for each colour where single games are known, else one for the whole result."""
    year = event.year if result.year is None else result.year
    start = _Row(
        _month(event, year),
        event.id,
        year,
        first=side(result.first, result.odds, dataset.odds),
        second=side(result.second, result.odds, dataset.odds),
        colour=0,
        score=result.points_first,
        draws=None if result.tally is None else result.tally[1],
        games=result.games,
        played=result.tally is not None and result.soft is None and result.proportion is None,
        deduced=False,
    )
    for colour in sorted({mark.colour or "" for mark in result.marks}):
        points = [mark.points for mark in result.marks if (mark.colour or "") == colour]
        yield start._replace(
            colour={"w": 1, "b": -1, "": 0}[colour],
            score=sum(points),
            draws=float(points.count(0.5)),
            games=float(len(points)),
        )
    if not result.marks:
        yield start


def _month(event: Event, year: int) -> int:
    """Return the month in which an event ended, in months since the year 0."""
    end = event.dates.end if event.dates is not None else None
    month = end.month if end is not None and end.year == year else None
    return 12 * year + (month or MID_YEAR) - 1


def _numbered(rows: Sequence[_Row]) -> Games:
    players = sorted({s.player for row in rows for s in (row.first, row.second)})
    score = np.array([row.score for row in rows], np.float64)
    count = np.array([row.games for row in rows], np.float64)
    played = np.array([row.played for row in rows], np.bool_)
    draws = _draws(rows, score, count, played)
    return Games(
        players=tuple(players),
        events=tuple(dict.fromkeys(row.event for row in rows)),
        first=_numbers((row.first.player for row in rows), players),
        second=_numbers((row.second.player for row in rows), players),
        year=np.array([row.year for row in rows], np.int64),
        month=np.array([row.month for row in rows], np.int64),
        event=_numbers(row.event for row in rows),
        pairing=_numbers(
            (row.event, row.year, frozenset((row.first.player, row.second.player))) for row in rows
        ),
        wins=score - draws / 2,
        draws=draws,
        losses=count - score - draws / 2,
        colour=np.array([row.colour for row in rows], np.float64),
        odds=np.array([_worth(row.second) - _worth(row.first) for row in rows], np.float64),
        played=played,
        deduced=np.array([row.deduced for row in rows], np.bool_),
    )


def _numbers(things: Iterable[Hashable], known: Iterable[Hashable] = ()) -> Ints:
    """Number the things from 0: the known ones first, then others as they first occur."""
    number = {thing: k for k, thing in enumerate(known)}
    return np.array([number.setdefault(thing, len(number)) for thing in things], np.int64)


def _worth(side: Side) -> float:
    return side.odds_points or 0.0


def _draws(rows: Sequence[_Row], score: Floats, count: Floats, played: Bools) -> Floats:
    """Return the draws (m,): where unknown, the usual share as far as the score allows it."""
    known = np.array([row.draws or 0.0 for row in rows], np.float64)
    usual = float(known[played].sum() / count[played].sum()) if played.any() else 0.0
    most = 2 * np.minimum(score, count - score)
    assumed = np.clip(np.minimum(usual * count, most), 0.0, None)
    return np.where([row.draws is not None for row in rows], known, assumed)
