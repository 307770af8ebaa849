"""Games in; Glicko ratings and deviations at the end of each year out.

Source: Glickman, Parameter estimation in large dynamic paired comparison experiments (1999), and
his description The Glicko system.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from edo.core.scale import ELO_PER_NAT
from edo.systems.careers import careers_of
from edo.systems.forwards import Period
from edo.systems.games import Floats, Games, Ints
from edo.systems.system import Rated, System, parameter
from edo.systems.yearly import years_of

_GLICKMAN = "Glickman, The Glicko system"
_Q = 1 / ELO_PER_NAT


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of Glicko; a rating period is a year."""

    initial: float = parameter(1500.0, "Elo", "rating of a new player", _GLICKMAN)
    initial_deviation: float = parameter(
        350.0, "Elo", "deviation of a new player, the greatest there is", _GLICKMAN
    )
    growth: float = parameter(
        20.0, "Elo", "c: by what the deviation grows in a year, added in squares",
        "ours: of those tried, the one that foretold the games of the next year best",
        tried=(10.0, 20.0, 30.0, 45.0, 63.2),
    )  # fmt: skip
    least_deviation: float = parameter(
        30.0, "Elo", "deviation below which none falls after games", _GLICKMAN
    )


@dataclass(frozen=True, slots=True, eq=False)
class Discounted:
    """Expects the logistic share of the points, the less of a lead the more doubt about it."""

    rating: Floats
    deviation: Floats

    def __call__(self, first: Ints, second: Ints, colour: Floats, /) -> Floats:
        """Return the expected scores per game (m,) for any colours."""
        both = np.hypot(self.deviation[first], self.deviation[second])
        lead = self.rating[first] - self.rating[second]
        return np.asarray(expit(_Q * discount(both) * lead))


def discount_of(phi: Floats) -> Floats:
    """Return g: the share of a lead that counts where its deviation is this [nat], any shape."""
    return np.asarray(1 / np.sqrt(1 + 3 * (phi / np.pi) ** 2))


def discount(deviation: Floats) -> Floats:
    """Return the same for a deviation in points [Elo], any shape."""
    return discount_of(_Q * deviation)


def grown(deviation: Floats, parameters: Parameters) -> Floats:
    """Return deviations [Elo] one year later, no more than that of a new player."""
    return np.minimum(np.hypot(deviation, parameters.growth), parameters.initial_deviation)


def updated(
    rating: Floats, deviation: Floats, period: Period, least: float
) -> tuple[Floats, Floats]:
    """Return the ratings and deviations [Elo] of all players (n,) after the games of a period."""
    g = discount(deviation[period.opponent])
    expected = expit(_Q * g * (rating[period.player] - rating[period.opponent]))
    information = period.summed(period.count * g**2 * expected * (1 - expected))
    gain = period.summed(g * (period.score - period.count * expected))
    precision = deviation**-2.0 + _Q**2 * information
    after = np.maximum(precision**-0.5, least)
    return rating + _Q * gain / precision, np.where(information > 0, after, deviation)


def rate(games: Games, parameters: Parameters) -> Rated:
    """Return the ratings of all who played; games at odds do not count."""
    games = games.even()
    careers, n = careers_of(games), len(games.players)
    rating, deviation = np.empty((2, len(careers.year)))
    now, doubt = np.full(n, parameters.initial), np.full(n, parameters.initial_deviation)
    for year in years_of(games, careers):
        doubt = grown(doubt, parameters)
        now, doubt = updated(now, doubt, year.period, parameters.least_deviation)
        rating[year.node], deviation[year.node] = now[year.player], doubt[year.player]
    return Rated(careers, rating, deviation, Discounted(rating, deviation))


GLICKO = System("glicko", "Glicko", "Mark Glickman", 1995, "forwards", Parameters(), rate)
