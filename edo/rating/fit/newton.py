"""Backtracking line search for Newton's method.

A Newton step leads to the maximum of a quadratic approximation, which may be good only nearby.

Source: Nocedal, Wright, Numerical Optimization (2006), backtracking line search.
"""

from __future__ import annotations

from collections.abc import Callable

from edo.core.problems import NotConverged
from edo.core.scale import Floats

SMALLEST_PART = 2.0**-20  # of a step; a smaller one makes no progress
ROUNDING = 1e-12  # relative rounding error of an objective, a sum of thousands of numbers


def backtrack(
    objective: Callable[[Floats], float], point: Floats, value: float, step: Floats, stuck: str
) -> tuple[Floats, float]:
    """Return the point after the step, halved until the objective does not fall, and its value.

    `point` and `step` have the same shape, `value` is the objective at `point`.

    Raises NotConverged with the message `stuck` if no part of the step is accepted.
    """
    part = 1.0
    while part > SMALLEST_PART:
        new_point = point + part * step
        new_value = objective(new_point)
        if new_value >= value - ROUNDING * abs(value):
            return new_point, new_value
        part /= 2
    raise NotConverged(stuck)
