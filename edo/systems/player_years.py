"""Player-years and rating periods: games arranged for systems that rate year by year."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from edo.core.scale import Floats, Ints
from edo.rating.games import Games


@dataclass(frozen=True, slots=True, eq=False)
class PlayerYears:
    """The (k,) player-years from each player's first to his last year with games, gaps included.

    They are numbered player by player in order of years. `player` indexes the players of the
    games; those without games have none. `start` (n_players + 1,) is where each player's years
    begin.
    """

    player: Ints
    year: Ints
    start: Ints

    @classmethod
    def none(cls) -> PlayerYears:
        """Return no player-years of no players."""
        return cls(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(1, np.int64))

    def nodes(self, player: Ints, year: Ints) -> Ints:
        """Return the player-years (m,), -1 where the player has no such year."""
        latest = self.latest(player, year)
        return np.where((latest >= 0) & (self.year[latest] == year), latest, -1)

    def sides(self, games: Games) -> Ints:
        """Return the player-years (2, m) of the first and of the second of each row of games."""
        return np.stack([self.nodes(side, games.year) for side in (games.first, games.second)])

    def in_all_years(self, player: Ints, values: Floats) -> Floats:
        """Return the values (m,) of players in all of their years (k,), NaN for all others."""
        of_players = np.full(len(self.start) - 1, np.nan)
        of_players[player] = values
        return np.asarray(of_players[self.player])

    def latest(self, player: Ints, year: Ints) -> Ints:
        """Return the last player-year (m,) not after the year, -1 before the first one."""
        first, end = self.start[player], self.start[player + 1]
        empty = first == end
        node = first + year - self.year[np.where(empty, 0, first)]
        return np.where(empty | (node < first), -1, np.minimum(node, end - 1))

    @property
    def later(self) -> Ints:
        """Return the player-years whose player also has the year before."""
        return 1 + np.flatnonzero(np.diff(self.player) == 0)


def player_years_of(games: Games) -> PlayerYears:
    """Return the player-years of all players with games."""
    n = len(games.players)
    low, high = np.full(n, np.iinfo(np.int64).max), np.full(n, np.iinfo(np.int64).min)
    for side in (games.first, games.second):
        np.minimum.at(low, side, games.year)
        np.maximum.at(high, side, games.year)
    years = np.where(high >= low, high - np.minimum(low, high) + 1, 0)
    start = np.concatenate([[0], np.cumsum(years)]).astype(np.int64)
    player = np.repeat(np.arange(n), years)
    return PlayerYears(player, low[player] + np.arange(start[-1]) - start[player], start)


@dataclass(frozen=True, slots=True, eq=False)
class Period:
    """The (m,) rows of a rating period as (2 m,) rows, each seen from either side.

    `score` [points], `colour` and `odds` [Elo] are those of the `player`, `draws` and `count`
    [games] of both; `n` counts all players of the games.
    """

    player: Ints
    opponent: Ints
    score: Floats
    draws: Floats
    count: Floats
    colour: Floats
    odds: Floats
    n: int

    def summed(self, weights: Floats) -> Floats:
        """Return the sums (n,) over each player's rows."""
        return np.asarray(np.bincount(self.player, weights, minlength=self.n), np.float64)


def period_of(games: Games, chosen: slice | Ints) -> Period:
    """Return some rows of games as a period."""
    rows = games.where(chosen)
    score, count = rows.score, rows.count
    return Period(
        player=np.concatenate([rows.first, rows.second]),
        opponent=np.concatenate([rows.second, rows.first]),
        score=np.concatenate([score, count - score]),
        draws=np.tile(rows.draws, 2),
        count=np.tile(count, 2),
        colour=np.concatenate([rows.colour, -rows.colour]),
        odds=np.concatenate([rows.odds, -rows.odds]),
        n=len(rows.players),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Year:
    """The games of a year as a period; `player` (j,) and player-year of all who have that year."""

    period: Period
    player: Ints
    node: Ints


def years_of(games: Games, player_years: PlayerYears) -> Iterator[Year]:
    """Yield each year from the first to the last with games, those without games included."""
    players = np.arange(len(games.players))
    if not len(games.year):
        return
    for year in range(int(games.year[0]), int(games.year[-1]) + 1):
        rows = slice(*np.searchsorted(games.year, [year, year + 1]).tolist())
        node = player_years.nodes(players, np.full(len(players), year))
        has_year = node >= 0
        yield Year(period_of(games, rows), players[has_year], node[has_year])
