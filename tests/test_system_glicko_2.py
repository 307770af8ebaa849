"""Glicko-2 against Glickman's printed example, closed forms, laws and an independent library."""

from __future__ import annotations

import numpy as np
import pytest
from elote_reference import START, Glicko2, glicko2_after, single_games
from sample_games import history, random_rows
from scipy.optimize import brentq
from test_system_glicko import DEVIATION, EXAMPLE, RATING

from edo.core.scale import ELO_PER_NAT
from edo.systems import glicko
from edo.systems.glicko import GLICKO_2, Parameters2, State

BEFORE = State((RATING - 1500) / ELO_PER_NAT, DEVIATION / ELO_PER_NAT, np.full(4, 0.06))


def test_the_printed_example_comes_out() -> None:
    after = glicko.after_games(BEFORE, EXAMPLE, Parameters2(tau=0.5))
    assert 1500 + ELO_PER_NAT * after.theta[0] == pytest.approx(1464.06, abs=0.01)
    assert ELO_PER_NAT * after.phi[0] == pytest.approx(151.52, abs=0.01)
    assert after.volatility[0] == pytest.approx(0.05999, abs=1e-5)
    assert after.theta[0] == pytest.approx(-0.2069, abs=5e-5)
    assert after.phi[0] == pytest.approx(0.8722, abs=5e-5)


def test_the_steps_of_the_printed_example() -> None:
    np.testing.assert_allclose(BEFORE.theta, [0.0, -0.5756, 0.2878, 1.1513], atol=5e-5)
    np.testing.assert_allclose(BEFORE.phi, [1.1513, 0.1727, 0.5756, 1.7269], atol=1e-4)
    np.testing.assert_allclose(glicko.discount(BEFORE.phi[1:]), [0.9955, 0.9531, 0.7242], atol=5e-5)
    found = glicko.new_volatility(BEFORE, np.full(4, -0.4834), np.full(4, 1.7785), 0.5)
    assert found[0] == pytest.approx(0.05999, abs=1e-5)


def test_who_has_no_games_only_becomes_less_certain() -> None:
    after = glicko.after_games(BEFORE, EXAMPLE, Parameters2())
    np.testing.assert_allclose(after.phi[1:] ** 2, BEFORE.phi[1:] ** 2 + 0.06**2)
    np.testing.assert_array_equal(after.theta[1:], BEFORE.theta[1:])
    np.testing.assert_array_equal(after.volatility[1:], BEFORE.volatility[1:])
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


def test_without_any_wandering_it_is_glicko_without_growth() -> None:
    games = history(random_rows(7))
    mine = glicko.rate_2(games, Parameters2(volatility=1e-6, tau=0.01))
    plain = glicko.rate(games, glicko.Parameters(growth=0.0, least_deviation=0.0))
    np.testing.assert_allclose(mine.rating, plain.rating, atol=1e-4)
    np.testing.assert_allclose(mine.deviation, plain.deviation, atol=1e-4)


def test_a_shift_of_the_start_shifts_all() -> None:
    games = history(random_rows(3))
    rated = glicko.rate_2(games, Parameters2())
    shifted = glicko.rate_2(games, Parameters2(initial=1700.0))
    np.testing.assert_allclose(shifted.rating, rated.rating + 200.0, atol=1e-9)


def test_elote_knows_the_printed_example() -> None:
    players = [Glicko2(r, d, 0.06, START) for r, d in zip(RATING, DEVIATION, strict=True)]
    after = glicko2_after(players, [(0, 1, 1.0), (0, 2, 0.0), (0, 3, 0.0)], tau=0.5)[0]
    assert after.rating == pytest.approx(1464.06, abs=0.01)
    assert after.rd == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=1e-5)


@pytest.mark.parametrize("seed", range(3))
def test_agrees_with_elote(seed: int) -> None:
    """elote's volatilities are up to 3e-5 (log of squares) beside brentq's: hence 0.005 Elo."""
    games = history(random_rows(seed))
    oracle = [Glicko2(1500.0, 350.0, 0.2, START) for _ in games.players]
    rated = glicko.rate_2(games, Parameters2(volatility=0.2, tau=0.7))
    for part in games.by_year():
        oracle = glicko2_after(oracle, list(single_games(games, part)), tau=0.7)
        at = np.flatnonzero(rated.player_years.year == games.year[part.start])
        there = [oracle[player] for player in rated.player_years.player[at]]
        np.testing.assert_allclose(rated.rating[at], [p.rating for p in there], rtol=0, atol=0.005)
        np.testing.assert_allclose(rated.deviation[at], [p.rd for p in there], rtol=0, atol=0.005)


def test_what_it_is() -> None:
    rated = GLICKO_2.rate(history(random_rows(1)), GLICKO_2.parameters)
    assert np.isfinite(rated.rating).all() and np.isfinite(rated.deviation).all()
    assert (GLICKO_2.slug, GLICKO_2.direction) == ("glicko-2", "forwards")
