"""A point, a Newton step and an objective in; as much of the step as does not lower it out.

Newton's step leads to the top of the parabola that fits here, which may lie beyond what it fits.

Source: Nocedal, Wright, Numerical Optimization (2006), backtracking line search.
"""

from __future__ import annotations

from collections.abc import Callable

from edo.core.problems import NotConverged
from edo.core.scale import Floats

SMALLEST_PART = 2.0**-20  # of a step: less is no progress
ROUNDING = 1e-12  # of an objective, relative: it is a sum of thousands of numbers


def backtrack(
    objective: Callable[[Floats], float], at: Floats, value: float, step: Floats, stuck: str
) -> tuple[Floats, float]:
    """Return the point after the step, halved until the objective does not fall, and its value.

    `at`, `step` are of one shape, `value` is the objective there.

    Raises NotConverged with the words `stuck` where no part of the step will do.
    """
    part = 1.0
    while part > SMALLEST_PART:
        after = at + part * step
        found = objective(after)
        if found >= value - ROUNDING * abs(value):
            return after, found
        part /= 2
    raise NotConverged(stuck)
