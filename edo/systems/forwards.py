"""Games in rating periods and a rule that rates one of them in; ratings at each year's end out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np

from edo.systems.careers import Careers
from edo.systems.games import Floats, Games, Ints


@dataclass(frozen=True, slots=True, eq=False)
class Period:
    """The (m,) rows of a rating period as (2 m,) rows, each seen from either side.

    `score` [points] and `colour` are those of the `player`, `draws` and `count` [games] of both;
    `n` counts all players of the games.
    """

    player: Ints
    opponent: Ints
    score: Floats
    draws: Floats
    count: Floats
    colour: Floats
    n: int

    def summed(self, weights: Floats) -> Floats:
        """Return the sums (n,) over each player's rows."""
        return np.asarray(np.bincount(self.player, weights, minlength=self.n), np.float64)


class Standing(Protocol):
    """What is known of all players after a period: at least their ratings (n,) [Elo]."""

    @property
    def rating(self) -> Floats:
        """Return the ratings (n,) [Elo]; those of players without games are not looked at."""


Known = TypeVar("Known", bound=Standing)


def rated_forwards(
    games: Games,
    careers: Careers,
    periods: Iterable[slice],
    standing: Known,
    rate: Callable[[Period, Known], Known],
) -> tuple[Floats, Known]:
    """Return the ratings (k,) [Elo] at the end of each year, and what is known at the very end.

    Each period, all rows of which are of one year, is rated from what was known before it. Over a
    gap a rating stays as it was.
    """
    found = np.full(len(careers.year), np.nan)
    for part in periods:
        period = period_of(games, part)
        standing = rate(period, standing)
        played = np.unique(period.player)
        year = np.full(len(played), games.year[part.start])
        found[careers.nodes(played, year)] = standing.rating[played]
    return carried_on(found), standing


def carried_on(found: Floats) -> Floats:
    """Return the ratings (k,) with the last one before it in place of each NaN.

    Every player has games in his first year, so that no rating goes over to another player.
    """
    last = np.maximum.accumulate(np.where(np.isnan(found), 0, np.arange(len(found))))
    return found[last]


def period_of(games: Games, part: slice) -> Period:
    """Return some rows of games as a period."""
    first, second = games.first[part], games.second[part]
    score, count = games.score[part], games.count[part]
    draws, colour = games.draws[part], games.colour[part]
    return Period(
        player=np.concatenate([first, second]),
        opponent=np.concatenate([second, first]),
        score=np.concatenate([score, count - score]),
        draws=np.concatenate([draws, draws]),
        count=np.concatenate([count, count]),
        colour=np.concatenate([colour, -colour]),
        n=len(games.players),
    )
