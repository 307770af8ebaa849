"""Games in; ratings updated forwards through time and backwards, again and again, out.

Source: Edwards, Edo Historical Chess Ratings, who describes what Spinrad did for 1836 to 1863:
an update run forwards, then backwards as if that were forwards, a number of times. He does not
say which update, nor how often; what is ours here is said where it stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from edo.core.scale import expected_scores
from edo.systems.careers import careers_of
from edo.systems.classic import Logistic
from edo.systems.forwards import Period
from edo.systems.games import Floats, Games
from edo.systems.system import Rated, System, parameter
from edo.systems.yearly import Year, years_of

_OURS = "ours: Edwards does not tell it"
_PORTION = 8.0  # [games] at most of a player between two updates: more would overshoot


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of the update and its repetition."""

    k: float = parameter(
        16.0, "Elo", "K of Elo's rule, the same for all", _OURS, tried=(4.0, 8.0, 16.0, 24.0, 32.0)
    )
    sweeps: float = parameter(
        3.0, "", "times forwards and then backwards", _OURS, tried=(1.0, 2.0, 3.0, 5.0, 10.0)
    )
    start: float = parameter(1500.0, "Elo", "from which everybody starts out", _OURS)


def rate(games: Games, parameters: Parameters) -> Rated:
    """Return the means of what the last pass forwards and the last one backwards leave."""
    careers = careers_of(games)
    years = list(years_of(games, careers))
    odds = [np.concatenate([games.odds[y.part], -games.odds[y.part]]) for y in years]
    forwards = list(zip(years, odds, strict=True))
    now = np.full(len(games.players), parameters.start)
    after, before = np.full((2, len(careers.year)), parameters.start)
    moved = np.zeros(1)
    for _ in range(int(parameters.sweeps)):
        last = after + before
        now = _pass(forwards, now, parameters.k, after)
        now = _pass(forwards[::-1], now, parameters.k, before)
        moved = np.abs(after + before - last) / 2
    rating = (after + before) / 2
    nothing = np.full(len(rating), np.nan)
    fitted = {"median change in the last repetition": float(np.median(moved))}
    return Rated(careers, rating, nothing, Logistic(rating), fitted=fitted)


def _pass(years: Sequence[tuple[Year, Floats]], now: Floats, k: float, found: Floats) -> Floats:
    """Return the ratings (n,) after all years, and write those after each into `found` (k,)."""
    for year, odds in years:
        now = after_year(year.period, odds, now, k)
        found[year.node] = now[year.player]
    return now


def after_year(period: Period, odds: Floats, now: Floats, k: float) -> Floats:
    """Return the ratings (n,) [Elo] after the games of a year.

    All games are taken to be played side by side, a little of each at a time: their order within
    the year is hardly ever known, and a long match rated as a whole would overshoot. `odds` [Elo]
    are what they are worth to the player of each row.
    """
    most = period.summed(period.count).max(initial=0.0)
    portions = max(1, int(np.ceil(most / _PORTION)))
    for _ in range(portions):
        lead = now[period.player] - now[period.opponent] + odds
        surplus = period.score - period.count * expected_scores(lead)
        now = now + k / portions * period.summed(surplus)
    return now


# Edwards showed these ratings on his site of 2004; when Spinrad made them, he does not say.
SPINRAD = System(
    "spinrad", "Spinrad", "Jeremy Spinrad", 2004, "all at once", Parameters(), rate, uses=("odds",)
)
