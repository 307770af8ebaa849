"""Forwards and backwards: Elo's rule in each year, both directions of time, laws."""

from __future__ import annotations

import numpy as np
import pytest
from sample_games import history, random_rows
from scipy.special import expit

from edo.core.scale import ELO_PER_NAT
from edo.systems import spinrad
from edo.systems.spinrad import SPINRAD, Parameters


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


def test_the_change_that_is_told_is_that_of_the_ratings_by_the_last_repetition() -> None:
    games = history(random_rows(7))
    before, after = (SPINRAD.rate(games, Parameters(sweeps=sweeps)) for sweeps in (2.0, 3.0))
    moved = np.median(np.abs(after.rating - before.rating))
    assert after.fitted == {"median change in the last repetition": pytest.approx(moved)}
    assert moved > 0.01
