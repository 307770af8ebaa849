"""Comparisons in; out come the seconds and the memory that their fit takes."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from typing import TypeVar

from edo.bradley_terry import Comparisons, fit

T = TypeVar("T")

BARE_FACTORISATIONS = 8  # about as many as Newton's method needs


def measure_fit(comparisons: Comparisons) -> dict[str, float]:
    """Return the figures of the fit, its exact variances and bare CHOLMOD factorisations.

    All in one run, on the same matrix in the same ordering. Times are in seconds, the peak memory
    of the process so far in megabytes; `ratio` is fit and variances by the bare factorisations.
    """
    fitted, fit_seconds = timed(lambda: fit(comparisons))
    _, variance_seconds = timed(fitted.variances)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    fitted.information.refactorise()  # the first one after the variances analyses anew: not timed
    bare_seconds = sum(timed(fitted.information.refactorise)[1] for _ in range(BARE_FACTORISATIONS))
    return {
        "items": len(fitted.theta),
        "comparisons": len(comparisons.i),
        "newton_steps": fitted.steps,
        "fit_seconds": fit_seconds,
        "deviation_seconds": variance_seconds,
        "bare_factorisations": BARE_FACTORISATIONS,
        "bare_seconds": bare_seconds,
        "ratio": (fit_seconds + variance_seconds) / bare_seconds,
        "peak_megabytes": peak,
    }


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """Return what `work` returns, and the seconds that it took."""
    begin = time.perf_counter()
    result = work()
    return result, time.perf_counter() - begin
