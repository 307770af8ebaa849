import pytest

from edo.rating.performance import expected_total, performance


def test_closed_forms():
    # 3 of 4 against 2000: 190.85 above (method, section 1)
    assert performance(3, [2000], [4]) == pytest.approx(2190.85, abs=0.005)
    assert performance(2, [2100, 1900], [2, 2]) == pytest.approx(2000)


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
