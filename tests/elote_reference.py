"""Reference ratings from the library elote, applied to whole rating periods.

elote itself rates one game at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import numpy as np
from elote import EloCompetitor, Glicko2Competitor, GlickoCompetitor

from edo.core.scale import Floats
from edo.rating.games import Games

Game = tuple[int, int, float]  # the first player, the second, the first's points
START = datetime(2000, 1, 1)
PERIOD = timedelta(days=1)


class Glicko(GlickoCompetitor):
    """Glicko with the unrounded scale; a rating period is a day, as in elote."""

    _q = np.log(10) / 400


class Glicko2(Glicko2Competitor):
    """Glicko-2 with the unrounded scale, updated at the end of a rating period."""

    _scale_factor = 400 / np.log(10)

    def update_ratings(self) -> None:
        """Do nothing: elote calls this after each game."""

    def end_period(self, tau: float) -> None:
        self.configure(tau=tau)
        super().update_ratings()


def single_games(games: Games, part: slice) -> Iterator[Game]:
    """Yield the rows of a slice; each must be a single game."""
    assert np.all(games.count[part] == 1)
    rows = (games.first[part], games.second[part], games.score[part])
    yield from zip(*(column.tolist() for column in rows), strict=True)


def elo_after(rating: Floats, period: list[Game], k: float) -> Floats:
    """Return the ratings after a period: the sum of the changes by each of its games alone."""
    after = rating.copy()
    for one, other, score in period:
        players = [EloCompetitor(rating[p], k_factor=k) for p in (one, other)]
        _play(*players, score)
        after[[one, other]] += [p.rating for p in players] - rating[[one, other]]
    return after


def elo_through(games: Games, start: float, k: float) -> Floats:
    """Return the ratings (n_players,) after all events, each of them a period."""
    rating = np.full(len(games.players), start)
    for part in games.by_event():
        rating = elo_after(rating, list(single_games(games, part)), k)
    return rating


def glicko_after(players: list[Glicko], period: list[Game], growth: float) -> list[Glicko]:
    """Return the players a period later; their deviations grow before its games.

    elote gives the posterior after each single game: a normal prior times the likelihood of the
    game. Over several games the precisions of the likelihoods add up, and so do the
    precision-weighted shifts.
    """
    for player in players:
        player.configure(c=growth)
        player.update_rd_for_inactivity(START + PERIOD)
    precision = np.array([player.rd**-2.0 for player in players])
    pull, before = np.zeros(len(players)), precision.copy()
    for one, other, score in period:
        for me, you, points in ((one, other, score), (other, one, 1.0 - score)):
            rating, rd = players[me].update_competitor_rating(players[you], points)
            precision[me] += rd**-2.0 - before[me]
            pull[me] += (rating - players[me].rating) * rd**-2.0
    rating = [player.rating for player in players] + pull / precision
    return [Glicko(r, p**-0.5, START) for r, p in zip(rating, precision, strict=True)]


def glicko2_after(players: list[Glicko2], period: list[Game], tau: float) -> list[Glicko2]:
    """Return the players a period later; the deviation of those who did not play only grows."""
    for one, other, score in period:
        _play(players[one], players[other], score, match_time=START)
    active = {player for game in period for player in game[:2]}
    for number, player in enumerate(players):
        if number in active:
            player.end_period(tau)
        else:
            player.update_rd_for_inactivity(START + PERIOD)
    return [Glicko2(p.rating, p.rd, p.volatility, START) for p in players]


def _play(one, other, score: float, **when) -> None:
    {1.0: one.beat, 0.5: one.tied, 0.0: one.lost_to}[score](other, **when)
