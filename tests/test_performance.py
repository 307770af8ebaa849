import math

import pytest

from edo.rating.performance import (
    category,
    expected_total,
    performance,
    performance_deviation,
)


def test_closed_forms():
    # 3 of 4 against 2000: 190.85 above (method, section 1)
    assert performance(3, [2000], [4]) == pytest.approx(2190.85, abs=0.005)
    assert performance(2, [2100, 1900], [2, 2]) == pytest.approx(2000)


def test_few_games_say_too_little():
    assert performance(1.5, [2000], [3]) is None
    # Two of four against each of 2100 and 1700: 1900, by symmetry.
    assert performance(2, [2100, 1700], [2, 2]) == pytest.approx(1900)


def test_the_expected_total_of_the_performance_is_the_score():
    opponents, games = [2710.5, 2300, 2455, 1200], [2, 1, 7, 3]
    for score in (0.5, 3, 6.5, 12.5):
        found = performance(score, opponents, games)
        assert found is not None
        assert expected_total(found, opponents, games) == pytest.approx(score, abs=1e-9)


@pytest.mark.parametrize(("score", "games"), [(0, [4]), (4, [4]), (0, [])])
def test_zero_and_full_scores_have_no_performance(score, games):
    assert performance(score, [2000.0] * len(games), games) is None


def test_the_expected_total_against_equals_is_half():
    assert expected_total(2400, [2400, 2400], [3, 4]) == pytest.approx(3.5)


def test_the_standard_error_is_that_of_the_likelihood():
    """The second difference of the log-likelihood, whatever the score, is the information."""
    opponents, games, rating, step = [2710.5, 2300, 2455], [2, 1, 7], 2480.0, 0.5

    def log_likelihood(at: float) -> float:
        chances = [1 / (1 + 10 ** ((r - at) / 400)) for r in opponents]
        return sum(
            n * (math.log(p) + math.log1p(-p)) / 2 for p, n in zip(chances, games, strict=True)
        )

    ends = sum(log_likelihood(rating + way * step) for way in (-1, 1))
    information = (2 * log_likelihood(rating) - ends) / step**2
    found = performance_deviation(rating, opponents, games)
    assert found == pytest.approx(information**-0.5, rel=1e-4)


@pytest.mark.parametrize(
    ("mean", "found"),
    [(2250.4, None), (2250.6, 1), (2275, 1), (2276, 2), (2600, 14), (2601, 15), (2775, 21)],
)
def test_categories_are_those_of_the_fide_handbook(mean, found):
    assert category(mean) == found


def test_a_performance_depends_on_which_opponents_were_beaten():
    # three draws with 2000 and a win against 1200 say less than their mean and the score, 1900
    likely = performance(2.5, [2000, 1200], [3, 1])
    assert likely is not None
    assert 1990 < likely < 2030
