"""Games in; the player-years that are rated, numbered player by player in order of years, out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from edo.systems.games import Floats, Games, Ints


@dataclass(frozen=True, slots=True, eq=False)
class Careers:
    """The (k,) player-years from each player's first to his last year with games, gaps included.

    `player` indexes the players of the games; those without games have none. `start`
    (n_players + 1,) is where each player's years begin.
    """

    player: Ints
    year: Ints
    start: Ints

    def nodes(self, player: Ints, year: Ints) -> Ints:
        """Return the player-years (m,), -1 where a player's career does not cover the year."""
        found = self.latest(player, year)
        return np.where((found >= 0) & (self.year[found] == year), found, -1)

    def sides(self, games: Games) -> Ints:
        """Return the player-years (2, m) of the first and of the second of each row of games."""
        return np.stack([self.nodes(side, games.year) for side in (games.first, games.second)])

    def throughout(self, player: Ints, values: Floats) -> Floats:
        """Return the values (m,) of players in all of their years (k,), NaN for all others."""
        own = np.full(len(self.start) - 1, np.nan)
        own[player] = values
        return np.asarray(own[self.player])

    def latest(self, player: Ints, year: Ints) -> Ints:
        """Return the last player-year (m,) not after the year, -1 where his career is to come."""
        first, end = self.start[player], self.start[player + 1]
        empty = first == end
        at = first + year - self.year[np.where(empty, 0, first)]
        return np.where(empty | (at < first), -1, np.minimum(at, end - 1))


def careers_of(games: Games) -> Careers:
    """Return the player-years of all players with games."""
    n = len(games.players)
    low, high = np.full(n, np.iinfo(np.int64).max), np.full(n, np.iinfo(np.int64).min)
    for side in (games.first, games.second):
        np.minimum.at(low, side, games.year)
        np.maximum.at(high, side, games.year)
    years = np.where(high >= low, high - np.minimum(low, high) + 1, 0)
    start = np.concatenate([[0], np.cumsum(years)]).astype(np.int64)
    player = np.repeat(np.arange(n), years)
    return Careers(player, low[player] + np.arange(start[-1]) - start[player], start)
