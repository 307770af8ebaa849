"""The curves and tables against their published entries and against each other."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import ndtr

from edo.core.scale import expected_score
from edo.core.scale import expected_scores as logistic_score
from edo.rating.performance import fide_difference, fide_score

DIFFERENCES = np.arange(-900.0, 901.0)


@pytest.mark.parametrize(
    ("difference", "score"),
    [(0, 0.50), (3, 0.50), (4, 0.51), (100, 0.64), (200, 0.76), (328, 0.87), (329, 0.88),
     (392, 0.92), (400, 0.92), (411, 0.92), (412, 0.93), (735, 0.99), (736, 1.0), (-100, 0.36)],
)  # fmt: skip
def test_fide_expected_scores(difference, score):
    assert fide_score(np.array([float(difference)])) == pytest.approx([score], abs=1e-12)


@pytest.mark.parametrize(
    ("share", "worth"),
    [(0.5, 0), (0.51, 7), (0.64, 102), (0.7, 149), (0.75, 193), (0.83, 273), (0.9, 366),
     (0.99, 677), (1.0, 800), (0.36, -102), (0.0, -800), (2 / 3, 125), (0.625, 95),
     (0.375, -95), (0.505, 7), (0.8, 240), (0.6, 72), (0.4, -72), (0.3, -149), (0.2, -240),
     (0.1, -366), (0.01, -677)],
)  # fmt: skip
def test_fide_rating_differences(share, worth):
    assert fide_difference(np.array([share])).tolist() == [worth]


def test_the_two_fide_tables_agree():
    shares = np.arange(51, 100) / 100
    for share, worth in zip(shares, fide_difference(shares), strict=True):
        inside = DIFFERENCES[np.isclose(fide_score(DIFFERENCES), share)]
        assert worth == pytest.approx((inside[0] + inside[-1]) / 2, abs=1)


def test_the_fide_table_is_the_normal_curve_to_a_hundredth():
    """Elo's first curve: performances have a standard deviation of 200 points (Elo, 1978)."""
    normal = ndtr(DIFFERENCES / (200.0 * math.sqrt(2.0)))
    assert np.abs(fide_score(DIFFERENCES) - normal).max() < 0.0105
    near = np.abs(DIFFERENCES) <= 100
    assert np.abs(fide_score(DIFFERENCES) - logistic_score(DIFFERENCES))[near].max() < 0.0105


def test_differences_are_rounded_to_whole_points():
    assert fide_score(np.array([3.4, 3.5, -3.4, -3.5])).tolist() == [0.5, 0.51, 0.5, 0.49]


def test_the_logistic_curve_is_that_of_the_scale():
    found = logistic_score(DIFFERENCES)
    assert found.tolist() == pytest.approx([expected_score(d) for d in DIFFERENCES])
    assert logistic_score(np.array([100.0])) == pytest.approx([0.64], abs=5e-4)
    assert logistic_score(np.array([200.0])) == pytest.approx([0.76], abs=5e-4)


@pytest.mark.parametrize("curve", [fide_score, logistic_score])
def test_expected_scores_add_up_to_one_and_increase(curve):
    found = curve(DIFFERENCES)
    assert found + curve(-DIFFERENCES) == pytest.approx(np.ones(len(found)), abs=1e-12)
    assert np.all(np.diff(found) >= 0)
