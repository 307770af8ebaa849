"""Glicko and Glicko-2: closed forms, roots by another method, and an independent library."""

from __future__ import annotations

import numpy as np
import pytest
from elote_reference import START, Glicko, Glicko2, glicko2_after, glicko_after, single_games
from sample_games import history, random_rows
from scipy.optimize import brentq

from edo.systems import glicko
from edo.systems.glicko import Discounted, Parameters, Parameters2, State


def test_1400_with_80_expects_0_376_against_1500_with_150() -> None:
    expected = Discounted(np.array([1400.0, 1500.0]), np.array([80.0, 150.0]))
    found = expected(np.array([0]), np.array([1]), np.zeros(1))
    assert found == pytest.approx(0.376, abs=5e-4)


def test_with_c_63_2_it_takes_30_periods_from_50_to_350() -> None:
    deviation, parameters = np.array([50.0]), Parameters(growth=63.2)
    for period in range(30):
        assert deviation[0] == pytest.approx(np.sqrt(50.0**2 + period * 63.2**2))
        deviation = glicko.grown(deviation, parameters)
    assert deviation[0] == pytest.approx(350.0, abs=0.5)
    assert glicko.grown(glicko.grown(deviation, parameters), parameters) == 350.0


def test_no_deviation_falls_below_the_floor() -> None:
    rated = glicko.rate(history([(1900, "a", "b", 500.0, 1000.0)]), Parameters())
    np.testing.assert_array_equal(rated.deviation, [30.0, 30.0])


def test_no_deviation_grows_beyond_a_new_player_s() -> None:
    rows = [(1900, "a", "b", 3.0, 4.0), (1990, "a", "b", 1.0, 2.0)]
    rated = glicko.rate_2(history(rows), Parameters2(volatility=0.5))
    assert rated.deviation.max() == pytest.approx(350.0)


@pytest.mark.parametrize("tau", [0.3, 0.5, 1.2])
def test_volatilities_are_the_roots_that_brent_finds(tau: float) -> None:
    rng = np.random.default_rng(5)
    n = 200
    before = State(np.zeros(n), rng.uniform(0.2, 2.0, n), rng.uniform(0.03, 0.6, n))
    surprise, variance = rng.normal(0.0, 3.0, n), rng.uniform(0.05, 3.0, n)
    found = glicko.new_volatility(before, surprise, variance, tau)
    assert np.any(surprise**2 > before.phi**2 + variance)
    for k in range(n):
        start, whole = np.log(before.volatility[k] ** 2), before.phi[k] ** 2 + variance[k]

        def slope(x: float, k: int = k, start: float = start, whole: float = whole) -> float:
            e = np.exp(x)
            pull = e * (surprise[k] ** 2 - whole - e) / (2 * (whole + e) ** 2)
            return float(pull - (x - start) / tau**2)

        assert found[k] == pytest.approx(np.exp(brentq(slope, -60.0, 20.0) / 2), rel=2e-6)


def test_without_any_wandering_glicko_2_is_glicko_without_growth() -> None:
    games = history(random_rows(7))
    mine = glicko.rate_2(games, Parameters2(volatility=1e-6, tau=0.01))
    plain = glicko.rate(games, Parameters(growth=0.0, least_deviation=0.0))
    np.testing.assert_allclose(mine.rating, plain.rating, atol=1e-4)
    np.testing.assert_allclose(mine.deviation, plain.deviation, atol=1e-4)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("version", ["glicko", "glicko-2"])
def test_agrees_with_elote(seed: int, version: str) -> None:
    """elote's volatilities are up to 3e-5 (log of squares) beside brentq's: hence 0.005 Elo."""
    games = history(random_rows(seed))
    if version == "glicko":
        rated = glicko.rate(games, Parameters(growth=40.0, least_deviation=0.0))
        oracle, near = [Glicko(1500.0, 350.0, START) for _ in games.players], 1e-6
    else:
        rated = glicko.rate_2(games, Parameters2(volatility=0.2, tau=0.7))
        oracle, near = [Glicko2(1500.0, 350.0, 0.2, START) for _ in games.players], 0.005
    for part in games.by_year():
        period = list(single_games(games, part))
        if version == "glicko":
            oracle = glicko_after(oracle, period, growth=40.0)
        else:
            oracle = glicko2_after(oracle, period, tau=0.7)
        at = np.flatnonzero(rated.player_years.year == games.year[part.start])
        there = [oracle[player] for player in rated.player_years.player[at]]
        np.testing.assert_allclose(rated.rating[at], [p.rating for p in there], rtol=0, atol=near)
        np.testing.assert_allclose(rated.deviation[at], [p.rd for p in there], rtol=0, atol=near)
