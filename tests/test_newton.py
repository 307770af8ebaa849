"""Backtracking line search: full steps, halved steps and steps that fail."""

from __future__ import annotations

import math

import numpy as np
import pytest

from edo.core.problems import NotConverged
from edo.rating.fit.newton import SMALLEST_PART, backtrack


def hill(x):
    """Return a parabola whose maximum, 5, is at (3, -1)."""
    return 5.0 - float((x[0] - 3) ** 2 + 2 * (x[1] + 1) ** 2)


def bell(x):
    """Return a function with its maximum at 0, on whose flat slopes Newton overshoots."""
    return -math.log(math.cosh(float(x[0])))


def test_the_step_to_the_maximum_is_taken_in_full():
    start = np.zeros(2)
    after, value = backtrack(hill, start, hill(start), np.array([3.0, -1.0]), "no way up")
    assert after.tolist() == [3.0, -1.0]
    assert value == 5.0


def test_a_step_that_overshoots_is_halved_until_the_objective_does_not_fall():
    # from 4 below the top: 32 leads to 28 above it, 16 to 12, 8 to 4, which is as high as before
    after, value = backtrack(bell, np.array([-4.0]), bell([-4.0]), np.array([32.0]), "no way up")
    assert after.tolist() == [4.0]
    assert value == bell([4.0])


def test_a_fall_within_rounding_is_accepted():
    top = np.array([3.0, -1.0])
    after, _ = backtrack(hill, top, 5.0 + 1e-12, np.array([1e-9, 0.0]), "no way up")
    assert after.tolist() == [3.0 + 1e-9, -1.0]


def test_a_step_that_fails_raises_with_the_caller_s_message():
    tried = []

    def downhill(x):
        tried.append(float(x[0]))
        return -float(x[0])

    with pytest.raises(NotConverged, match=r"^no way up$"):
        backtrack(downhill, np.zeros(1), 0.0, np.ones(1), "no way up")
    assert (max(tried), min(tried)) == (1.0, 2 * SMALLEST_PART)


def test_where_the_objective_is_undefined_the_step_is_halved():
    # as Bayeselo's, which is minus infinity where draws would have no width
    def inside(x):
        return -math.inf if x[0] >= 1 else float(x[0])

    after, value = backtrack(inside, np.zeros(1), 0.0, np.array([3.0]), "no way up")
    assert (after.tolist(), value) == ([0.75], 0.75)
