"""Spinrad's ratings: updated forwards through time and then backwards, repeatedly.

Source: Edwards, Edo Historical Chess Ratings, who describes what Spinrad did for 1836 to 1863: an
update run forwards, then backwards as if that were forwards, a number of times. He says neither
which update nor how often; what is our choice here is marked as such.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from edo.core.scale import Floats, expected_scores
from edo.rating.games import Games
from edo.systems.base import Rated, System, logistic, parameter
from edo.systems.player_years import Period, Year, player_years_of, years_of

_OURS = "ours: Edwards does not say"
_PORTION = 8.0  # [games] of a player between two updates at most: with more they overshoot


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of the update and its repetition."""

    k: float = parameter(
        16.0, "Elo", "K of Elo's rule, the same for all", _OURS, tried=(4.0, 8.0, 16.0, 24.0, 32.0)
    )
    sweeps: float = parameter(
        3.0, "", "times forwards and then backwards", _OURS, tried=(1.0, 2.0, 3.0, 5.0, 10.0)
    )
    start: float = parameter(1500.0, "Elo", "initial rating of all players", _OURS)


def rate(games: Games, parameters: Parameters) -> Rated:
    """Return the means of the ratings after the last pass forwards and the last one backwards."""
    player_years = player_years_of(games)
    years = list(years_of(games, player_years))
    rating = np.full(len(games.players), parameters.start)
    forwards, backwards = np.full((2, len(player_years.year)), parameters.start)
    changes = np.zeros(1)
    for _ in range(int(parameters.sweeps)):
        last_sum = forwards + backwards
        rating = _pass(years, rating, parameters.k, forwards)
        rating = _pass(reversed(years), rating, parameters.k, backwards)
        changes = np.abs(forwards + backwards - last_sum) / 2
    means = (forwards + backwards) / 2
    fitted = {"median change in the last repetition": float(np.median(changes))}
    return Rated(player_years, means, np.full_like(means, np.nan), logistic(means), fitted=fitted)


def _pass(years: Iterable[Year], rating: Floats, k: float, of_years: Floats) -> Floats:
    """Return the ratings (n,) after all years, and write those after each into `of_years` (k,)."""
    for year in years:
        rating = after_year(year.period, rating, k)
        of_years[year.node] = rating[year.player]
    return rating


def after_year(period: Period, rating: Floats, k: float) -> Floats:
    """Return the ratings (n,) [Elo] after the games of a year.

    All games are taken to be played in parallel, a few of each pairing at a time: their order
    within the year is hardly ever known, and a long match rated as a whole would overshoot.
    """
    most = period.summed(period.count).max(initial=0.0)
    portions = max(1, int(np.ceil(most / _PORTION)))
    for _ in range(portions):
        lead = rating[period.player] - rating[period.opponent] + period.odds
        surplus = period.score - period.count * expected_scores(lead)
        rating = rating + k / portions * period.summed(surplus)
    return rating


# Edwards showed these ratings on his site of 2004; he does not say when Spinrad computed them.
SPINRAD = System(
    "spinrad", "Spinrad", "Jeremy Spinrad", 2004, "all at once", Parameters(), rate, uses=("odds",)
)
