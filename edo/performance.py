"""Ratings of opponents and numbers of games in, expected totals and performance ratings out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from scipy.optimize import brentq

from edo.elo_tables import LINE, fide_difference
from edo.scale import difference_from_score, expected_score

_REACH = 4000.0  # [Elo] no score short of 0 % or 100 % in a lifetime of games lies farther out


def expected_total(rating: float, opponents: Sequence[float], games: Sequence[float]) -> float:
    """Return the points [points] expected of `rating` against `opponents` [Elo] in `games` each."""
    return sum(
        n * expected_score(rating - opponent) for opponent, n in zip(opponents, games, strict=True)
    )


def performance(score: float, opponents: Sequence[float], games: Sequence[float]) -> float | None:
    """Return the rating [Elo] whose expected total is the `score` [points], the performance rating.

    None where no rating explains the score: without games, and at 0 % or 100 %.
    Source: the maximum of the Bradley-Terry likelihood with the opponents' ratings held fixed.
    """
    total = sum(games)
    if not 0.0 < score < total:
        return None
    mean = sum(r * n for r, n in zip(opponents, games, strict=True)) / total
    if len(set(opponents)) == 1:
        return mean + difference_from_score(score / total)
    found: float = brentq(
        lambda rating: expected_total(rating, opponents, games) - score,
        min(opponents) - _REACH,
        max(opponents) + _REACH,
        xtol=1e-9,
    )
    return found


def performance_400(
    score: float, opponents: Sequence[float], games: Sequence[float]
) -> float | None:
    """Return the performance rating [Elo] by the algorithm of 400; None without games.

    The mean of the opponents' ratings [Elo], each 400 higher for a win and 400 lower for a loss:
    that is their mean and 800 points for each share of the points above one half, which is also
    called linear performance. Source: Wikipedia, Performance rating (chess).
    """
    return _above_mean(score, opponents, games, lambda share: 800.0 * (share - 0.5))


def performance_fide(
    score: float, opponents: Sequence[float], games: Sequence[float]
) -> float | None:
    """Return the performance rating [Elo] by FIDE's table; None without games.

    The mean of the opponents' ratings [Elo] and what the share of the points is worth: 800 at
    100 %. Source: FIDE Rating Regulations, table 8.1.1.
    """
    return _above_mean(
        score, opponents, games, lambda share: float(fide_difference(np.array(share)))
    )


def performance_sonas(
    score: float, opponents: Sequence[float], games: Sequence[float]
) -> float | None:
    """Return the performance rating [Elo] by Sonas' line, colours taken half and half.

    None without games. Source: Sonas, The Sonas Rating Formula - Better than Elo? (2002).
    """
    return _above_mean(score, opponents, games, lambda share: (share - 0.5) / LINE)


def _above_mean(
    score: float,
    opponents: Sequence[float],
    games: Sequence[float],
    worth: Callable[[float], float],
) -> float | None:
    total = sum(games)
    if total <= 0.0:
        return None
    mean = sum(r * n for r, n in zip(opponents, games, strict=True)) / total
    return mean + worth(score / total)
