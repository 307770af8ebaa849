"""Sample rating systems with ratings set by hand, for tests of pages."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from sample_history import DATASET

from edo.core.problems import EdoError
from edo.rating.games import Games, games_of
from edo.systems.all_ratings import AllRatings, rate_all
from edo.systems.base import Rated, System, logistic, parameter
from edo.systems.player_years import player_years_of

# Player-years: Alder 1850-1853, her offhand identity 1851, Birch 1850-1853, Cedar 1851-1853, Yew
# 1851; nobody plays in 1852.
YEARS = [1850, 1851, 1852, 1853, 1851, 1850, 1851, 1852, 1853, 1851, 1852, 1853, 1851]
NAN = np.nan
EDO = [2000.4, 2100, 2131.5, 2163, 1900, 1950, 1940, 1930, 1920, 1800, 1810, 1820, NAN]
# On average 100 below Edo over the 37 games of the nine player-years that both rate: by 400, 100,
# 0, 100, 100, 100, 100, 0 and 125 in 3, 3, 8, 2, 3, 4, 8, 2 and 4 games. It has no deviations, and
# it rates Yew.
STEP = [1600.4, 2000, NAN, 2163, 1800, 1850, 1840, NAN, 1820, 1800, NAN, 1695, 2500]


@dataclass(frozen=True, slots=True)
class Parameters:
    """One parameter."""

    step: float = parameter(32.0, "Elo", "how far a game moves a rating", "a made-up book")


def rate_as(
    rating: list[float], deviation: list[float], games: Games, parameters: Parameters
) -> Rated:
    """Give each player-year the rating and the deviation that the lists say."""
    player_years = player_years_of(games)
    assert player_years.year.tolist() == YEARS
    known = np.array(rating)
    expected = logistic(known)
    return Rated(player_years, known, np.array(deviation), expected, -12.34, {"draw Elo": 97.3})


def refuse(games: Games, parameters: Parameters) -> Rated:
    raise EdoError("the network is too small")


_EDO = partial(rate_as, EDO, [50.0] * 12 + [NAN])
_STEP = partial(rate_as, STEP, [NAN] * 13)
SYSTEMS = (
    System("edo", "Edo", "Rod Edwards", 2004, "all at once", Parameters(), _EDO, uses=("odds",)),
    System("step", "Step by step", "A. N. Other", 1950, "forwards", Parameters(), _STEP),
    System("shy", "Shy", "Nobody", 1999, "one rating for all years", Parameters(), refuse),
)


def combined() -> AllRatings:
    """Return the ratings of the sample history by all three systems."""
    return rate_all(games_of(DATASET), SYSTEMS)
