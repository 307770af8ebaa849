"""Edo: the site's own ratings as a system among the others, before and after the adjustment."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import lru_cache, partial

import numpy as np

from edo.core.scale import Floats
from edo.history.settings import DEFAULT, Settings
from edo.rating import edo
from edo.rating.edo import RatedNetwork
from edo.rating.games import Games
from edo.systems.base import Rated, System, logistic, parameter
from edo.systems.player_years import player_years_of

_EDWARDS = "Edwards, Edo Historical Chess Ratings"


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of the Edo pass."""

    self_games: float = parameter(
        DEFAULT.self_games, "games", "between neighbouring years of a player", _EDWARDS,
        tried=(15.0, 30.0, 60.0, 120.0, 240.0, 480.0),
    )  # fmt: skip
    self_score: float = parameter(
        DEFAULT.self_score, "", "share of their points for the later year", _EDWARDS
    )
    ghost_games: float = parameter(
        DEFAULT.ghost_games, "games", "between a player and himself at odds", _EDWARDS
    )


def rate_raw(games: Games, parameters: Parameters, settings: Settings = DEFAULT) -> Rated:
    """Return the raw ratings, other settings as given; raises what `edo.run` raises."""
    return _both(games, parameters, settings)[1]


def rate_adjusted(games: Games, parameters: Parameters, settings: Settings = DEFAULT) -> Rated:
    """Return the adjusted ratings, other settings as given; raises what `edo.run` raises."""
    return _both(games, parameters, settings)[0]


@lru_cache(maxsize=1)  # for the second of the two systems
def _both(games: Games, parameters: Parameters, settings: Settings) -> tuple[Rated, Rated]:
    """Return the adjusted and the raw ratings of the pass for the player-years of the games."""
    return both_of(edo.run(games, replace(settings, **asdict(parameters))), games)


def both_of(fitted: RatedNetwork, games: Games) -> tuple[Rated, Rated]:
    """Return the adjusted and the raw ratings of a pass for the player-years of its games."""
    player_years, net = player_years_of(games), fitted.network
    number = {name: k for k, name in enumerate(games.players)}
    player = np.repeat([number[name] for name in net.players], np.diff(net.start))
    node = player_years.nodes(player, net.year)

    def rated(values: Floats, deviations: Floats) -> Rated:
        rating, deviation = np.full((2, len(player_years.year)), np.nan)
        rating[node], deviation[node] = values, deviations
        return Rated(player_years, rating, deviation, logistic(rating))

    return rated(fitted.rating, fitted.deviation), rated(fitted.raw, fitted.raw_deviation)


EDO = System(
    "edo", "Edo", "Rod Edwards", 2004, "all at once", Parameters(), rate_adjusted, uses=("odds",)
)
EDO_RAW = System(
    "edo-raw", "Edo, raw", "Rod Edwards", 2004, "all at once", Parameters(), rate_raw,
    uses=("odds",),
)  # fmt: skip


def with_settings(settings: Settings) -> tuple[System, System]:
    """Return Edo and its raw ratings with these settings."""
    parameters = Parameters(settings.self_games, settings.self_score, settings.ghost_games)
    return (
        replace(EDO, parameters=parameters, rate=partial(rate_adjusted, settings=settings)),
        replace(EDO_RAW, parameters=parameters, rate=partial(rate_raw, settings=settings)),
    )
