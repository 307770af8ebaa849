"""Performance ratings by the algorithm of 400, by FIDE's table and by Sonas' linear formula."""

from __future__ import annotations

import pytest

from edo.rating.performance import performance, performance_400, performance_fide, performance_sonas

KINDS = (performance_400, performance_fide, performance_sonas)


@pytest.mark.parametrize(
    ("score", "opponents", "games", "rating"),
    [(1, [1000], [1], 1400), (2, [1000], [2], 1400), (0.5, [1000], [1], 1000),
     (0, [1000], [1], 600), (6, [2400], [8], 2600)],
)  # fmt: skip
def test_the_algorithm_of_400(score, opponents, games, rating):
    # the first three: Wikipedia, Elo rating system
    assert performance_400(score, opponents, games) == pytest.approx(rating)


def test_the_algorithm_of_400_goes_game_by_game():
    # two wins and two losses: w + 400, x + 400, y - 400, z - 400 (Wikipedia)
    w, x, y, z = 2010.0, 1890.0, 2300.0, 2145.0
    by_hand = (w + 400 + x + 400 + y - 400 + z - 400) / 4
    assert performance_400(2, [w, x, y, z], [1, 1, 1, 1]) == pytest.approx(by_hand)


@pytest.mark.parametrize(
    ("share", "worth"), [(1.0, 800), (0.99, 677), (0.9, 366), (0.8, 240), (0.7, 149), (0.6, 72),
                         (0.5, 0), (0.4, -72), (0.3, -149), (0.2, -240), (0.1, -366),
                         (0.01, -677), (0.0, -800)],
)  # fmt: skip
def test_fides_table(share, worth):
    # the rows that Wikipedia's article on Elo prints
    assert performance_fide(100 * share, [2500, 2400], [50, 50]) == pytest.approx(2450 + worth)


def test_sonas_linear_formula():
    # a hundred points are .1164 of a game: 12.328 of 20 against one 100 points weaker
    assert performance_sonas(12.328, [2500], [20]) == pytest.approx(2600)
    assert performance_sonas(0, [2500], [4]) == pytest.approx(2500 - 0.5 / 0.001164)


@pytest.mark.parametrize("kind", KINDS)
def test_half_the_points_give_the_weighted_mean(kind):
    assert kind(4, [2000, 2400], [6, 2]) == pytest.approx(2100)
    assert kind(5, [2000, 2400], [6, 2]) == kind(5, [2000] * 6 + [2400] * 2, [1] * 8)


@pytest.mark.parametrize("kind", KINDS)
def test_a_shift_of_the_opponents_shifts_the_performance(kind):
    here = kind(3.5, [2000, 2310], [2, 3])
    assert kind(3.5, [2100, 2410], [2, 3]) == pytest.approx(here + 100)


@pytest.mark.parametrize("kind", KINDS)
def test_without_games_there_is_no_performance(kind):
    assert kind(0, [], []) is None


def test_only_the_likelihood_depends_on_which_opponents_were_beaten():
    # three draws with 2000 and a win against 1200 say less than their mean
    likely = performance(2.5, [2000, 1200], [3, 1])
    assert likely is not None
    assert 1990 < likely < 2030
    assert performance_400(2.5, [2000, 1200], [3, 1]) == pytest.approx(1900)
