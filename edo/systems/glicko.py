"""Glicko and Glicko-2: ratings and their deviations at the end of each year.

Sources: Glickman, Parameter estimation in large dynamic paired comparison experiments (1999), and
his descriptions The Glicko system and Example of the Glicko-2 system (2013).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from edo.core.scale import ELO_PER_NAT, Floats, Ints, elo_from_theta, theta_from_elo
from edo.rating.games import Games
from edo.systems.base import Rated, System, parameter
from edo.systems.player_years import Period, player_years_of, years_of

_GLICKO = "Glickman, The Glicko system"
_GLICKO_2 = "Glickman, Example of the Glicko-2 system"
_TUNED = "ours: of those tried, the one that predicted the games of the next year best"
_Q = 1 / ELO_PER_NAT
_TOLERANCE = 1e-6  # the paper's, in logarithms of squared volatilities
Function = Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of Glicko; a rating period is a year."""

    initial: float = parameter(1500.0, "Elo", "rating of a new player", _GLICKO)
    initial_deviation: float = parameter(
        350.0, "Elo", "deviation of a new player, the greatest there is", _GLICKO
    )
    growth: float = parameter(
        20.0, "Elo", "c: by what the deviation grows in a year, added in squares", _TUNED,
        tried=(10.0, 20.0, 30.0, 45.0, 63.2),
    )  # fmt: skip
    least_deviation: float = parameter(
        30.0, "Elo", "deviation below which none falls after games", _GLICKO
    )


@dataclass(frozen=True, slots=True)
class Parameters2:
    """The parameters of Glicko-2; a rating period is a year."""

    initial: float = parameter(1500.0, "Elo", "rating of a new player", _GLICKO_2)
    initial_deviation: float = parameter(350.0, "Elo", "deviation of a new player", _GLICKO_2)
    volatility: float = parameter(
        0.12, "nat", "of a new player: standard deviation of the change of strength in a year",
        _TUNED, tried=(0.03, 0.06, 0.12, 0.2, 0.3),
    )  # fmt: skip
    tau: float = parameter(
        0.5, "", "how freely volatilities change from year to year", _GLICKO_2,
        tried=(0.3, 0.5, 0.8),
    )  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Discounted:
    """Logistic expected scores of a rating difference that is discounted for its uncertainty."""

    rating: Floats
    deviation: Floats

    def __call__(self, first: Ints, second: Ints, colour: Floats, /) -> Floats:
        """Return the expected scores per game (m,) for any colours."""
        deviation = np.hypot(self.deviation[first], self.deviation[second])
        lead = self.rating[first] - self.rating[second]
        return np.asarray(expit(_Q * discount(_Q * deviation) * lead))


def discount(phi: Floats) -> Floats:
    """Return g: the share of a difference that counts at this deviation [nat], any shape."""
    return np.asarray(1 / np.sqrt(1 + 3 * (phi / np.pi) ** 2))


def evidence(theta: Floats, phi: Floats, period: Period) -> tuple[Floats, Floats]:
    """Return the information [1 / nat^2] and the score's slope [1 / nat] of each player (n,)."""
    g = discount(phi[period.opponent])
    expected = expit(g * (theta[period.player] - theta[period.opponent]))
    information = period.summed(period.count * g**2 * expected * (1 - expected))
    return information, period.summed(g * (period.score - period.count * expected))


def grown(deviation: Floats, parameters: Parameters) -> Floats:
    """Return deviations [Elo] one year later, no more than that of a new player."""
    return np.minimum(np.hypot(deviation, parameters.growth), parameters.initial_deviation)


def updated(
    rating: Floats, deviation: Floats, period: Period, least: float
) -> tuple[Floats, Floats]:
    """Return the ratings and deviations [Elo] of all players (n,) after the games of a period."""
    information, slope = evidence(_Q * rating, _Q * deviation, period)
    precision = deviation**-2.0 + _Q**2 * information
    new_deviation = np.maximum(precision**-0.5, least)
    return rating + _Q * slope / precision, np.where(information > 0, new_deviation, deviation)


def rate(games: Games, parameters: Parameters) -> Rated:
    """Return the ratings of all who played; games at odds do not count."""
    games = games.without_odds()
    player_years, n = player_years_of(games), len(games.players)
    rating, deviation = np.empty((2, len(player_years.year)))
    player_rating, player_deviation = (
        np.full(n, parameters.initial),
        np.full(n, parameters.initial_deviation),
    )
    for year in years_of(games, player_years):
        player_rating, player_deviation = updated(
            player_rating,
            grown(player_deviation, parameters),
            year.period,
            parameters.least_deviation,
        )
        rating[year.node], deviation[year.node] = (
            player_rating[year.player],
            player_deviation[year.player],
        )
    expected = Discounted(rating, deviation)
    return Rated(player_years, rating, deviation, expected, predictive=expected)


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """All players (n,) in Glicko-2: `theta`, its deviation `phi`, and `volatility` [nat]."""

    theta: Floats
    phi: Floats
    volatility: Floats


def after_games(before: State, period: Period, parameters: Parameters2) -> State:
    """Return the state after the games of a period.

    The deviation of a player without games only grows, but never beyond a new player's; the paper
    sets no such limit, Glicko does.
    """
    information, slope = evidence(before.theta, before.phi, period)
    played = information > 0
    variance = 1 / np.where(played, information, 1.0)
    new = new_volatility(before, variance * slope, variance, parameters.tau)
    volatility = np.where(played, new, before.volatility)
    wider = np.hypot(before.phi, volatility)
    idle = np.minimum(wider, theta_from_elo(np.array(parameters.initial_deviation)))
    phi = np.where(played, (wider**-2.0 + information) ** -0.5, idle)
    return State(before.theta + phi**2 * slope, phi, volatility)


def new_volatility(before: State, surprise: Floats, variance: Floats, tau: float) -> Floats:
    """Return the volatilities (n,) after a period, by the Illinois method for all at once.

    `surprise` (delta) [nat] is by how much the games alone would move each player, `variance` (v)
    its variance.
    """
    start = 2 * np.log(before.volatility)

    def slope(x: Floats) -> Floats:
        square, total = np.exp(x), before.phi**2 + variance + np.exp(x)
        pull = square / total * (surprise**2 / total - 1) / 2
        return np.asarray(pull - (x - start) / tau**2)

    excess = surprise**2 - before.phi**2 - variance
    return np.asarray(np.exp(_root(slope, start, _other_end(slope, start, excess, tau)) / 2))


def _other_end(slope: Function, start: Floats, excess: Floats, tau: float) -> Floats:
    """Return points (n,) that enclose the root together with `start`."""
    end = np.where(excess > 0, np.log(np.where(excess > 0, excess, 1.0)), start - tau)
    while np.any(outside := (excess <= 0) & (slope(end) < 0)):
        end = np.where(outside, end - tau, end)
    return end


def _root(slope: Function, low: Floats, high: Floats) -> Floats:
    """Return the roots (n,) between `low` and `high`; those found no longer move."""
    at_low, at_high = slope(low), slope(high)
    while np.any(wide := np.abs(high - low) > _TOLERANCE):
        rise = np.where(wide, at_high - at_low, 1.0)
        between = low + np.where(wide, (low - high) * at_low / rise, 0.0)
        at_between = slope(between)
        crossed = at_between * at_high <= 0
        at_low = np.where(crossed, at_high, at_low / 2)
        low, high, at_high = np.where(crossed & wide, high, low), between, at_between
    return low


def rate_2(games: Games, parameters: Parameters2) -> Rated:
    """Return the ratings of all who played by Glicko-2; games at odds do not count."""
    games = games.without_odds()
    player_years, n = player_years_of(games), len(games.players)
    theta, phi = np.empty((2, len(player_years.year)))
    initial_phi = theta_from_elo(np.full(n, parameters.initial_deviation))
    state = State(np.zeros(n), initial_phi, np.full(n, parameters.volatility))
    for year in years_of(games, player_years):
        state = after_games(state, year.period, parameters)
        theta[year.node], phi[year.node] = state.theta[year.player], state.phi[year.player]
    rating, deviation = parameters.initial + elo_from_theta(theta), elo_from_theta(phi)
    expected = Discounted(rating, deviation)
    return Rated(player_years, rating, deviation, expected, predictive=expected)


GLICKO = System("glicko", "Glicko", "Mark Glickman", 1995, "forwards", Parameters(), rate)
GLICKO_2 = System("glicko-2", "Glicko-2", "Mark Glickman", 2001, "forwards", Parameters2(), rate_2)
