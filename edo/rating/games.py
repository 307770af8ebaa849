"""Rated games of a history: the one form in which every system, and every test of one, reads them.

`games_of` makes the arrays of a dataset. Most events are dated by their year only: their games are
placed in the middle of the year, and events of one month are in the order of their ids.

For people there is a small view: `pairings` lists what each two players scored in each event.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from edo.core.model import Dataset, Event, Odds, OddsKind, Player, Result
from edo.core.problems import DisconnectedNetwork
from edo.core.scale import Bools, Floats, Ints
from edo.history.unknown_games import Basis, shares
from edo.rating.coverage import event_unrated, has_known_odds, unrated_reason

MID_YEAR = 7  # the month of games dated by their year only
BASES: tuple[Basis, ...] = ("results", "totals", "guess")
EVEN = -1  # in place of the number of a kind of odds: even play
_DIGITS = 12  # decimals of a sum of scores that are kept


@dataclass(frozen=True, slots=True)
class Side:
    """A player in a pairing, and the odds that he gave (None: even play) with their worth [Elo]."""

    player: str
    odds: str | None = None
    odds_points: float | None = None


class Row(NamedTuple):
    """Some games of two sides in an event, before players and events are numbered.

    `score` [points], from 0 to `games`, is the first one's. `draws` is None where unknown, `colour`
    1 where the first had White in all games, -1 where he had Black, else 0. `played` is true where
    the score and the draws are those actually played. `month` is months since the year 0. `soft`
    [games] are those whose score an editor chose by a description.
    """

    year: int
    event: str
    first: Side
    second: Side
    score: float
    games: float
    basis: Basis = "results"
    draws: float | None = None
    colour: int = 0
    played: bool = False
    month: int | None = None
    soft: float = 0.0


@dataclass(frozen=True, slots=True)
class Pairing:
    """All rated games between two sides in one event and year, from known results or from totals.

    `score` [points], from 0 to `games`, is the first one's; `soft` [games] are those whose score an
    editor chose.
    """

    year: int
    event: str
    first: Side
    second: Side
    score: float
    games: float
    basis: Basis = "results"
    soft: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Traits:
    """What is known of the (n_players,) players: year of birth, NaN if unknown; country."""

    born: Floats
    country: tuple[str | None, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Games:
    """The (m,) rows, ascending by `month`; a row holds games of two players in one event.

    `players`, `events`, `odds_kinds` are ids; `first`, `second`, `event`, `odds_kind` index them.
    `year` is that in which the games count; `month` is months since the year 0. `pairing` is the
    same for all rows of the same two players in one event and year. `wins`, `draws`, `losses`
    [games] are the first one's. `colour` is 1 where the first had White in all games of the row, -1
    where he had Black, 0 where that is not known. `odds` [Elo] are what the odds of the games are
    worth to the first, negative where he gave them; `odds_kind` is `EVEN` where there are none.
    `played` is true where the score and the draws are those actually played: elsewhere (soft
    results, totals, guesses) the usual share of draws is assumed. `basis` is what the score rests
    on, an index of `BASES`. `soft` [games] are those whose score an editor chose by a description.
    `traits` are of the players.
    """

    players: tuple[str, ...]
    events: tuple[str, ...]
    odds_kinds: tuple[str, ...]
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
    odds_kind: Ints
    played: Bools
    basis: Ints
    soft: Floats
    traits: Traits | None = None

    def __len__(self) -> int:
        return len(self.first)

    @property
    def score(self) -> Floats:
        """Return the points (m,) of the first."""
        return self.wins + self.draws / 2

    @property
    def count(self) -> Floats:
        """Return the games (m,) in each row."""
        return self.wins + self.draws + self.losses

    @property
    def deduced(self) -> Bools:
        """Return where (m,) the score follows from totals, with a guess or without."""
        return self.basis > 0

    def columns(self) -> dict[str, np.ndarray]:
        """Return the columns (m,) by name."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if isinstance(value, np.ndarray)}

    def points(self) -> Floats:
        """Return the points (n_players,) of each player in all games."""
        n = len(self.players)
        of_first = np.bincount(self.first, self.score, n)
        return np.asarray(of_first + np.bincount(self.second, self.count - self.score, n))

    def where(self, rows: Bools | Ints | slice) -> Games:
        """Return some rows, or all in an order; players and events keep their numbers."""
        chosen: dict[str, Any] = {name: column[rows] for name, column in self.columns().items()}
        return replace(self, **chosen)

    def summed(self) -> Games:
        """Return one row for all games of the same two players in an event and year at equal odds.

        Scores that follow from totals keep rows of their own. Each row is as its first game has it,
        without colours; rows are in the order of their first games.
        """
        is_swapped = self.first > self.second
        favour = np.where(is_swapped, -self.odds, self.odds)  # of the player with the lower number
        keys = np.stack([self.pairing, self.odds_kind, favour, self.basis])
        order = np.lexsort(keys)
        is_new = np.any(np.diff(keys[:, order], axis=1) != 0, axis=0)
        group = np.empty(len(self), np.int64)
        group[order] = np.cumsum(np.r_[0, is_new][: len(self)])
        _, begin, group = np.unique(group, return_index=True, return_inverse=True)
        is_turned = is_swapped != is_swapped[begin[group]]
        wins = np.where(is_turned, self.losses, self.wins)
        losses = np.where(is_turned, self.wins, self.losses)

        def sums(column: Floats | Bools) -> Floats:
            return np.asarray(np.bincount(group, column, len(begin)), np.float64)

        summed = replace(
            self.where(begin),
            wins=sums(wins),
            draws=sums(self.draws),
            losses=sums(losses),
            colour=np.zeros(len(begin)),
            played=sums(~self.played) == 0,
            soft=sums(self.soft),
        )
        return summed.where(np.argsort(begin))

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
        turn, latest_turn = np.empty_like(self.event), np.zeros(len(self.players), np.int64)
        for rows in self.by_event():
            players = np.r_[self.first[rows], self.second[rows]]
            turn[rows] = latest_turn[players] = latest_turn[players].max() + 1
        order = np.argsort(turn, kind="stable")
        if len(order):
            yield from np.split(order, np.flatnonzero(np.diff(turn[order])) + 1)

    def by_year(self) -> Iterator[slice]:
        """Yield the rows of each year in which there are any, ascending."""
        return self._runs(self.year)

    def _runs(self, *of: Ints) -> Iterator[slice]:
        if len(self):
            changes = np.any([np.diff(column) != 0 for column in of], axis=0)
            ends = [0, *(np.flatnonzero(changes) + 1).tolist(), len(self)]
            yield from map(slice, ends, ends[1:])


def largest_part(games: Games) -> tuple[Games, Ints]:
    """Return the games within the largest connected group of players, and these (p,).

    In the games they are renumbered from 0. Raises DisconnectedNetwork where there are no games.
    """
    if not len(games):
        raise DisconnectedNetwork("there are no games to rate; add results without odds")
    n = len(games.players)
    graph = coo_array((np.ones(len(games)), (games.first, games.second)), shape=(n, n))
    component = connected_components(graph, directed=False)[1]
    largest = np.bincount(component).argmax()
    players = np.flatnonzero(component == largest)
    return among(games, players), players


def among(games: Games, players: Ints) -> Games:
    """Return the games among some players (p,), ascending, who are renumbered from 0."""
    inside = games.where(np.isin(games.first, players) & np.isin(games.second, players))
    first, second = (np.searchsorted(players, side) for side in (inside.first, inside.second))
    names, traits = tuple(games.players[k] for k in players), games.traits
    if traits is not None:
        traits = Traits(traits.born[players], tuple(traits.country[k] for k in players))
    return replace(inside, players=names, first=first, second=second, traits=traits)


def games_of(dataset: Dataset) -> Games:
    """Return the rated games of a dataset, totals and guesses included."""
    events = dataset.events.values()
    rows = chain.from_iterable(rows_of(event, dataset.odds) for event in events)
    return with_traits(numbered(rows), dataset)


def with_traits(games: Games, dataset: Dataset) -> Games:
    """Return the games with what the dataset says of the players."""
    born = births(dataset)
    persons = [dataset.players[dataset.players[id_].offhand_of or id_] for id_ in games.players]
    years = np.array([born.get(id_, np.nan) for id_ in games.players], np.float64)
    played = _years_played(games)
    countries = tuple(map(_main_country, persons, played))
    return replace(games, traits=Traits(years, countries))


def _years_played(games: Games) -> list[list[int]]:
    """Return the years with games of each of the (n_players,) players, ascending."""
    years = np.concatenate((games.year, games.year))
    players = np.concatenate((games.first, games.second))
    played: list[list[int]] = [[] for _ in games.players]
    first = int(years.min(initial=0))
    span = int(years.max(initial=0)) - first + 1
    for key in np.unique(players * span + years - first).tolist():
        player, year = divmod(key, span)
        played[player].append(first + year)
    return played


def _main_country(player: Player, years: Sequence[int]) -> str | None:
    """Return the code of the country of most of a player's years, the earlier of equal ones.

    Of somebody with several countries without years it is the first.
    """
    if player.countries and years:
        return Counter(player.country_in(year) for year in years).most_common(1)[0][0]
    return player.country and player.country.split("/")[0]


def births(dataset: Dataset) -> dict[str, int]:
    """Return the known years of birth of players.

    A separate offhand identity has the year of birth of the person.
    """
    born = {player.id: player.born for player in dataset.players.values()}
    persons = {player.id: player.offhand_of or player.id for player in dataset.players.values()}
    dates = {player: born[player] or born.get(person) for player, person in persons.items()}
    return {player: date.year for player, date in dates.items() if date is not None}


def rows_of(event: Event, odds: Mapping[str, OddsKind]) -> tuple[Row, ...]:
    """Return the rated games of an event, in order of appearance, those from totals last."""
    if event_unrated(event) is not None:
        return ()
    rated = (result for result in event.results if unrated_reason(result, odds) is None)
    results = chain.from_iterable(_of_result(event, result, odds) for result in rated)
    return (*results, *rows_from_totals(event, odds))


def rows_from_totals(event: Event, odds: Mapping[str, OddsKind]) -> Iterator[Row]:
    """Yield the games of a rated event that follow from the totals.

    A total does not say what was scored at which odds. So where games that it counts were played at
    odds of unknown worth, it compares nobody but the players of one class.
    """
    table = shares(event)
    compares_all = event.players_in_all is None and has_known_odds(event, table, odds)
    for share in table:
        is_one_class = event.classes.get(share.first) == event.classes.get(share.second)
        if compares_all or is_one_class:
            between = event.odds_between(share.first, share.second)
            yield Row(
                event.year,
                event.id,
                side(share.first, between, odds),
                side(share.second, between, odds),
                share.score,
                share.games,
                share.basis,
                month=_month(event, event.year),
            )


def side(player: str, between: Odds | None, odds: Mapping[str, OddsKind]) -> Side:
    """Return a player's side in games at odds `between` two, with the odds where he gave them."""
    if between is None or between.giver != player:
        return _even_side(player)
    return Side(player, between.kind, odds[between.kind].points)


_even_side = lru_cache(maxsize=2**15)(Side)  # the same players play hundreds of games


def _of_result(event: Event, result: Result, odds: Mapping[str, OddsKind]) -> Iterator[Row]:
    """Yield a row for each colour where single games are known, else one for the whole result."""
    year = event.year if result.year is None else result.year
    first, second = side(result.first, result.odds, odds), side(result.second, result.odds, odds)
    tally, month = result.tally, _month(event, year)
    played = tally is not None and result.soft is None and result.proportion is None
    is_soft = result.soft is not None
    if not result.marks:
        draws, score, games = None if tally is None else tally[1], result.points_first, result.games
        yield Row(year, event.id, first, second, score, games, "results", draws,
                  played=played, month=month, soft=games * is_soft)  # fmt: skip
    of_colour: dict[str, list[float]] = {}
    for mark in result.marks:
        of_colour.setdefault(mark.colour or "", []).append(mark.points)
    for colour in sorted(of_colour):
        points = of_colour[colour]
        draws, games = float(points.count(0.5)), float(len(points))
        yield Row(year, event.id, first, second, sum(points), games, "results", draws,
                  _COLOURS[colour], played, month, games * is_soft)  # fmt: skip


_COLOURS = {"w": 1, "b": -1, "": 0}


def _month(event: Event, year: int) -> int | None:
    """Return the month in which an event ended, in months since the year 0; None if unknown."""
    end = event.dates.end if event.dates is not None else None
    if end is None or end.month is None or event.year != year or end.year not in (year, year - 1):
        return None
    return max(12 * end.year + end.month - 1, 12 * year)  # an autumn is the beginning of its season


def numbered(given: Iterable[Row]) -> Games:
    """Return the games of rows in time order, without traits."""
    dated = [
        (row.year, 12 * row.year + MID_YEAR - 1 if row.month is None else row.month, row.event, row)
        for row in given
    ]
    dated.sort(key=itemgetter(0, 1, 2))
    rows, months = [row for *_, row in dated], [month for _, month, _, _ in dated]
    year, event = [row.year for row in rows], [row.event for row in rows]
    first, second = [row.first for row in rows], [row.second for row in rows]
    of_first, of_second = ([side.player for side in sides] for sides in (first, second))
    players = sorted({*of_first, *of_second})
    kinds = [a.odds or b.odds for a, b in zip(first, second, strict=True)]
    odds_kinds = sorted({kind for kind in kinds if kind is not None})
    numbers = [_numbers(ids, players) for ids in (of_first, of_second)]
    events = _numbers(event)
    score = np.array([row.score for row in rows], np.float64)
    count = np.array([row.games for row in rows], np.float64)
    played = np.array([row.played for row in rows], np.bool_)
    draws = _draws(rows, score, count, played)
    pair = zip(np.minimum(*numbers).tolist(), np.maximum(*numbers).tolist(), strict=True)
    return Games(
        players=tuple(players),
        events=tuple(dict.fromkeys(event)),
        odds_kinds=tuple(odds_kinds),
        first=numbers[0],
        second=numbers[1],
        year=np.array(year, np.int64),
        month=np.array(months, np.int64),
        event=events,
        pairing=_numbers(zip(events.tolist(), year, pair, strict=True)),
        wins=score - draws / 2,
        draws=draws,
        losses=count - score - draws / 2,
        colour=np.array([row.colour for row in rows], np.float64),
        odds=np.array([_worth(b) - _worth(a) for a, b in zip(first, second, strict=True)], float),
        odds_kind=_numbers(kinds, (None, *odds_kinds)) + EVEN,
        played=played,
        basis=np.array([BASES.index(row.basis) for row in rows], np.int64),
        soft=np.array([row.soft for row in rows], np.float64),
    )


def _numbers(things: Iterable[Hashable], known: Iterable[Hashable] = ()) -> Ints:
    """Number the things from 0: the known ones first, then others as they first occur."""
    number = {thing: k for k, thing in enumerate(known)}
    return np.array([number.setdefault(thing, len(number)) for thing in things], np.int64)


def _worth(side: Side) -> float:
    return side.odds_points or 0.0


def _draws(rows: Sequence[Row], score: Floats, count: Floats, played: Bools) -> Floats:
    """Return the draws (m,): where unknown, the usual share as far as the score allows it."""
    known_draws = np.array([row.draws or 0.0 for row in rows], np.float64)
    usual = float(known_draws[played].sum() / count[played].sum()) if played.any() else 0.0
    most = 2 * np.minimum(score, count - score)
    assumed = np.clip(np.minimum(usual * count, most), 0.0, None)  # below 0 only by rounding
    return np.where([row.draws is not None for row in rows], known_draws, assumed)


def pairings(games: Games) -> tuple[Pairing, ...]:
    """Return what each two sides scored in each event and year."""
    sums = games.summed()
    numbers = zip(
        *(sums.year.tolist(), sums.event.tolist(), sums.first.tolist(), sums.second.tolist()),
        *(sums.odds.tolist(), sums.odds_kind.tolist(), sums.basis.tolist()),
        *(np.round(values, _DIGITS).tolist() for values in (sums.score, sums.count, sums.soft)),
        strict=True,
    )
    even = [Side(player) for player in sums.players]

    def side_of(player: int, odds: float, kind: int) -> Side:
        return (
            Side(sums.players[player], sums.odds_kinds[kind], -odds) if odds < 0 else even[player]
        )

    return tuple(
        Pairing(
            year,
            sums.events[event],
            side_of(first, odds, kind),
            side_of(second, -odds, kind),
            score,
            count,
            BASES[basis],
            soft,
        )
        for year, event, first, second, odds, kind, basis, score, count, soft in numbers
    )


def pairings_of(event: Event, odds: Mapping[str, OddsKind]) -> tuple[Pairing, ...]:
    """Return the rated pairings of the event."""
    rows = rows_of(event, odds)
    return pairings(numbered(rows)) if rows else ()
