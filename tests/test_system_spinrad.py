"""Forwards and backwards: Elo's rule in each year, both directions of time, laws."""

from __future__ import annotations

import numpy as np
import pytest
from sample_games import by_name, history, random_rows
from scipy.special import expit

from edo.core.scale import ELO_PER_NAT
from edo.systems import spinrad
from edo.systems.base import logistic
from edo.systems.player_years import period_of
from edo.systems.spinrad import SPINRAD, Parameters


def test_the_worked_example_of_the_uscf_comes_out() -> None:
    """1613 with 2.5 of 5 against 1609, 1477, 1388, 1586 and 1720, K = 32, becomes 1601."""
    scores = [0.0, 0.5, 1.0, 1.0, 0.0]
    rows = [(1900, "a", f"b{k}", score, 1.0) for k, score in enumerate(scores)]
    games = history(rows)
    before = np.array([1613.0, 1609.0, 1477.0, 1388.0, 1586.0, 1720.0])
    period = period_of(games, slice(0, 5))
    after = spinrad.after_year(period, before, 32.0)
    assert round(after[0]) == 1601
    assert after.sum() == pytest.approx(before.sum())


def test_100_points_are_64_percent_and_200_are_76() -> None:
    expected = logistic(np.array([1600.0, 1500.0, 1400.0]))
    found = expected(np.array([0, 0]), np.array([1, 2]), np.zeros(2))
    np.testing.assert_allclose(found, [0.64, 0.76], atol=0.005)


def test_one_game_forwards_and_backwards_by_hand() -> None:
    rated = spinrad.rate(history([(1900, "a", "b", 1.0, 1.0)]), Parameters(k=20.0, sweeps=1.0))
    forwards = 10.0
    backwards = forwards + 20.0 * (1 - expit(2 * forwards / ELO_PER_NAT))
    middle = (forwards + backwards) / 2
    np.testing.assert_allclose(rated.rating, [1500 + middle, 1500 - middle])


def test_three_points_of_four_lead_to_190_85() -> None:
    rows = [(1900, "a", "b", 3.0, 4.0)]
    rated = spinrad.rate(history(rows), Parameters(k=32.0, sweeps=200.0))
    assert rated.rating[0] - rated.rating[1] == pytest.approx(190.85, abs=0.01)
    assert rated.fitted["median change in the last repetition"] < 1e-6


def test_at_pawn_and_move_an_even_score_is_worth_163() -> None:
    rows = [(1900, "a", "b", 2.0, 4.0)]
    rated = spinrad.rate(history(rows, odds=-163.0), Parameters(k=32.0, sweeps=300.0))
    assert rated.rating[0] - rated.rating[1] == pytest.approx(163.0, abs=0.01)


def test_a_long_match_does_not_overshoot() -> None:
    rows = [(1850, "a", "b", 90.0, 151.0)]
    rated = spinrad.rate(history(rows), Parameters(k=32.0))
    performance = ELO_PER_NAT * np.log(90 / 61)
    assert 0.95 * performance < rated.rating[0] - rated.rating[1] <= performance


def test_a_perfect_score_rises_with_every_repetition() -> None:
    games = history([(1900, "a", "b", 3.0, 3.0), (1901, "b", "c", 1.0, 2.0)])
    highest = [spinrad.rate(games, Parameters(sweeps=n)).rating.max() for n in (1.0, 10.0, 100.0)]
    assert highest[0] + 50 < highest[1] < highest[2] - 50


def test_later_results_reach_earlier_years() -> None:
    rows = [(1900, "a", "b", 1.0, 2.0), (1905, "a", "c", 9.0, 10.0), (1905, "b", "c", 1.0, 10.0)]
    games = history(rows)
    rated = spinrad.rate(games, Parameters())
    found = by_name(games, rated)
    assert found["a", 1900] > found["b", 1900] + 50
    assert found["a", 1901] == found["a", 1904]
    assert np.isnan(rated.deviation).all()


def test_turning_time_round_turns_the_ratings_round() -> None:
    rows = random_rows(2, players=10, years=5, a_year=40)
    back = [(3700 - year, *row) for year, *row in rows]
    games, turned_games = history(rows), history(back)
    many = Parameters(k=8.0, sweeps=300.0)
    one, other = spinrad.rate(games, many), spinrad.rate(turned_games, many)
    mine = by_name(games, one)
    for (name, year), value in by_name(turned_games, other).items():
        assert mine[name, 3700 - year] == pytest.approx(value, abs=0.05)


def test_the_change_that_is_told_is_that_of_the_ratings_by_the_last_repetition() -> None:
    games = history(random_rows(7))
    before, after = (SPINRAD.rate(games, Parameters(sweeps=sweeps)) for sweeps in (2.0, 3.0))
    moved = np.median(np.abs(after.rating - before.rating))
    assert after.fitted == {"median change in the last repetition": pytest.approx(moved)}
    assert moved > 0.01


def test_a_shift_of_the_start_shifts_all() -> None:
    games = history(random_rows(3))
    rated = spinrad.rate(games, Parameters())
    shifted = spinrad.rate(games, Parameters(start=1700.0))
    np.testing.assert_allclose(shifted.rating, rated.rating + 200.0, atol=1e-9)


def test_what_it_is() -> None:
    assert (SPINRAD.slug, SPINRAD.direction) == ("spinrad", "all at once")
