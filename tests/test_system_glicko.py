"""Glicko against Glickman's printed example, closed forms, laws and an independent library."""

from __future__ import annotations

import numpy as np
import pytest
from elote_reference import START, Glicko, glicko_after, single_games
from sample_games import history, random_rows

from edo.core.scale import theta_from_elo
from edo.systems import glicko
from edo.systems.glicko import GLICKO, Discounted, Parameters
from edo.systems.player_years import Period

EXAMPLE = Period(
    player=np.array([0, 0, 0]),
    opponent=np.array([1, 2, 3]),
    score=np.array([1.0, 0.0, 0.0]),
    draws=np.zeros(3),
    count=np.ones(3),
    colour=np.zeros(3),
    odds=np.zeros(3),
    n=4,
)
RATING = np.array([1500.0, 1400.0, 1550.0, 1700.0])
DEVIATION = np.array([200.0, 30.0, 100.0, 300.0])


def test_the_printed_example_comes_out() -> None:
    rating, deviation = glicko.updated(RATING, DEVIATION, EXAMPLE, least=30.0)
    assert round(float(rating[0])) == 1464
    assert deviation[0] == pytest.approx(151.4, abs=0.05)
    np.testing.assert_array_equal(rating[1:], RATING[1:])
    np.testing.assert_array_equal(deviation[1:], DEVIATION[1:])
    g = glicko.discount(theta_from_elo(DEVIATION[1:]))
    np.testing.assert_allclose(g, [0.9955, 0.9531, 0.7242], atol=5e-5)


def test_1400_with_80_expects_0_376_against_1500_with_150() -> None:
    expected = Discounted(np.array([1400.0, 1500.0]), np.array([80.0, 150.0]))
    one, other = np.array([0]), np.array([1])
    assert expected(one, other, np.zeros(1))[0] == pytest.approx(0.376, abs=5e-4)
    assert expected(one, other, np.ones(1)) + expected(other, one, -np.ones(1)) == pytest.approx(1)


def test_with_c_63_2_it_takes_30_periods_from_50_to_350() -> None:
    deviation, parameters = np.array([50.0]), Parameters(growth=63.2)
    for period in range(30):
        assert deviation[0] == pytest.approx(np.sqrt(50.0**2 + period * 63.2**2))
        deviation = glicko.grown(deviation, parameters)
    assert deviation[0] == pytest.approx(350.0, abs=0.5)
    assert glicko.grown(glicko.grown(deviation, parameters), parameters) == 350.0


def test_one_game_between_beginners() -> None:
    rated = glicko.rate(history([(1900, "a", "b", 1.0, 1.0)]), Parameters())
    q = np.log(10) / 400
    g = 1 / np.sqrt(1 + 3 * (q * 350 / np.pi) ** 2)
    precision = 1 / 350**2 + (q * g) ** 2 / 4
    np.testing.assert_allclose(rated.rating - 1500, [q * g / 2 / precision, -q * g / 2 / precision])
    np.testing.assert_allclose(rated.deviation, precision**-0.5)


def test_gaps_keep_the_rating_and_widen_the_deviation() -> None:
    rows = [(1900, "a", "b", 3.0, 4.0), (1903, "a", "b", 1.0, 2.0)]
    rated = glicko.rate(history(rows), Parameters(growth=50.0))
    rating, deviation = rated.rating[:4], rated.deviation[:4]
    assert rating[0] == rating[1] == rating[2] != rating[3]
    np.testing.assert_allclose(np.diff(deviation[:3] ** 2), 2500.0)
    assert deviation[3] < deviation[2]


def test_no_deviation_falls_below_the_floor() -> None:
    rated = glicko.rate(history([(1900, "a", "b", 500.0, 1000.0)]), Parameters())
    np.testing.assert_array_equal(rated.deviation, [30.0, 30.0])


def test_games_at_odds_do_not_count() -> None:
    rows = [(1900, "a", "b", 1.0, 2.0), (1901, "a", "c", 1.0, 1.0)]
    rated = glicko.rate(history(rows, odds=[0.0, 163.0]), Parameters())
    np.testing.assert_array_equal(rated.rating, [1500.0, 1500.0])


def test_a_shift_of_the_start_shifts_all() -> None:
    games = history(random_rows(3))
    rated = glicko.rate(games, Parameters())
    shifted = glicko.rate(games, Parameters(initial=1700.0))
    np.testing.assert_allclose(shifted.rating, rated.rating + 200.0, atol=1e-9)


def test_elote_knows_the_printed_example() -> None:
    players = [Glicko(r, d, START) for r, d in zip(RATING, DEVIATION, strict=True)]
    after = glicko_after(players, [(0, 1, 1.0), (0, 2, 0.0), (0, 3, 0.0)], growth=0.0)
    assert (round(after[0].rating), round(after[0].rd, 1)) == (1464, 151.4)


@pytest.mark.parametrize("seed", range(3))
def test_agrees_with_elote(seed: int) -> None:
    games = history(random_rows(seed))
    oracle = [Glicko(1500.0, 350.0, START) for _ in games.players]
    rated = glicko.rate(games, Parameters(growth=40.0, least_deviation=0.0))
    for part in games.by_year():
        oracle = glicko_after(oracle, list(single_games(games, part)), growth=40.0)
        at = np.flatnonzero(rated.player_years.year == games.year[part.start])
        there = [oracle[player] for player in rated.player_years.player[at]]
        np.testing.assert_allclose(rated.rating[at], [p.rating for p in there], rtol=0, atol=1e-6)
        np.testing.assert_allclose(rated.deviation[at], [p.rd for p in there], rtol=0, atol=1e-6)


def test_what_it_is() -> None:
    assert (GLICKO.slug, GLICKO.direction) == ("glicko", "forwards")
