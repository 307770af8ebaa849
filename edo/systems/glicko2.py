"""Games in; Glicko-2 ratings and deviations at the end of each year out.

Source: Glickman, Example of the Glicko-2 system (2013).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from edo.core.scale import elo_from_theta, theta_from_elo
from edo.systems.careers import careers_of
from edo.systems.forwards import Period
from edo.systems.games import Floats, Games
from edo.systems.glicko import Discounted, discount_of
from edo.systems.system import Rated, System, parameter
from edo.systems.yearly import years_of

_GLICKMAN = "Glickman, Example of the Glicko-2 system"
Slope = Callable[[Floats], Floats]
_CLOSE = 1e-6  # the convergence tolerance of the paper, in logarithms of squared volatilities


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of Glicko-2; a rating period is a year."""

    initial: float = parameter(1500.0, "Elo", "rating of a new player", _GLICKMAN)
    initial_deviation: float = parameter(350.0, "Elo", "deviation of a new player", _GLICKMAN)
    volatility: float = parameter(
        0.12, "nat", "of a new player: how far strength wanders in a year",
        "ours: of those tried, the one that foretold the games of the next year best",
        tried=(0.03, 0.06, 0.12, 0.2, 0.3),
    )  # fmt: skip
    tau: float = parameter(
        0.5, "", "how freely volatilities change from year to year", _GLICKMAN,
        tried=(0.3, 0.5, 0.8),
    )  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """What is known of all players (n,): `theta`, `phi` (its deviation), `volatility` [nat]."""

    theta: Floats
    phi: Floats
    volatility: Floats


def after_games(before: State, period: Period, parameters: Parameters) -> State:
    """Return the state after the games of a period.

    Who had none only becomes less certain, but never less than a beginner; the paper sets no such
    limit, Glicko does.
    """
    g = discount_of(before.phi[period.opponent])
    expected = expit(g * (before.theta[period.player] - before.theta[period.opponent]))
    information = period.summed(period.count * g**2 * expected * (1 - expected))
    gain = period.summed(g * (period.score - period.count * expected))
    played = information > 0
    variance = 1 / np.where(played, information, 1.0)
    found = new_volatility(before, variance * gain, variance, parameters.tau)
    volatility = np.where(played, found, before.volatility)
    wider = np.hypot(before.phi, volatility)
    idle = np.minimum(wider, beginners(period.n, parameters).phi)
    phi = np.where(played, (wider**-2.0 + information) ** -0.5, idle)
    return State(before.theta + phi**2 * gain, phi, volatility)


def new_volatility(before: State, surprise: Floats, variance: Floats, tau: float) -> Floats:
    """Return the volatilities (n,) after a period, by the Illinois method for all at once.

    `surprise` (delta) [nat] is by how much the games alone would move each player, `variance` (v)
    what the variance of that is.
    """
    start = 2 * np.log(before.volatility)

    def slope(x: Floats) -> Floats:
        square, whole = np.exp(x), before.phi**2 + variance + np.exp(x)
        pull = square / whole * (surprise**2 / whole - 1) / 2
        return np.asarray(pull - (x - start) / tau**2)

    excess = surprise**2 - before.phi**2 - variance
    return np.asarray(np.exp(_root(slope, start, _other_end(slope, start, excess, tau)) / 2))


def _other_end(slope: Slope, start: Floats, excess: Floats, tau: float) -> Floats:
    """Return points (n,) that enclose the root together with `start`."""
    end = np.where(excess > 0, np.log(np.where(excess > 0, excess, 1.0)), start - tau)
    while np.any(outside := (excess <= 0) & (slope(end) < 0)):
        end = np.where(outside, end - tau, end)
    return end


def _root(slope: Slope, low: Floats, high: Floats) -> Floats:
    """Return the roots (n,) between `low` and `high`; those found stand still."""
    at_low, at_high = slope(low), slope(high)
    while np.any(wide := np.abs(high - low) > _CLOSE):
        rise = np.where(wide, at_high - at_low, 1.0)
        between = low + np.where(wide, (low - high) * at_low / rise, 0.0)
        at = slope(between)
        crossed = at * at_high <= 0
        at_low = np.where(crossed, at_high, at_low / 2)
        low, high, at_high = np.where(crossed & wide, high, low), between, at
    return low


def rate(games: Games, parameters: Parameters) -> Rated:
    """Return the ratings of all who played; games at odds do not count."""
    games = games.even()
    careers, n = careers_of(games), len(games.players)
    theta, phi = np.empty((2, len(careers.year)))
    state = beginners(n, parameters)
    for year in years_of(games, careers):
        state = after_games(state, year.period, parameters)
        theta[year.node], phi[year.node] = state.theta[year.player], state.phi[year.player]
    rating, deviation = parameters.initial + elo_from_theta(theta), elo_from_theta(phi)
    return Rated(careers, rating, deviation, Discounted(rating, deviation))


def beginners(n: int, parameters: Parameters) -> State:
    """Return the state of n players before any games, all at the middle of the scale."""
    phi = theta_from_elo(np.full(n, parameters.initial_deviation))
    return State(np.zeros(n), phi, np.full(n, parameters.volatility))


GLICKO_2 = System("glicko-2", "Glicko-2", "Mark Glickman", 2001, "forwards", Parameters(), rate)
