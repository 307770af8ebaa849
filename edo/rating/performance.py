"""Ratings of opponents and numbers of games in, expected totals and performance ratings out."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import ndtr

from edo.core.scale import difference_from_score, expected_score

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


Floats = NDArray[np.float64]

SPREAD = 200.0 * math.sqrt(2.0)  # [Elo] of the difference of two performances; Elo 1978
LINE = 0.001164  # [1 / Elo] of a game, how steep Sonas' line is; seen from either side
CAP = 400.0  # [Elo] a larger difference counts as this one; FIDE Rating Regulations 8.3.1
_LAST = np.array(
    [
        *(3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145),
        *(153, 162, 170, 179, 188, 197, 206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315),
        *(328, 344, 357, 374, 391, 411, 432, 456, 484, 517, 559, 619, 735),
    ]
)
"""[Elo] The last difference at which .50, .51, ... .99 are expected; FIDE's table 8.1.2."""
_WORTH = np.array(
    [
        *(0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149),
        *(158, 166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322),
        *(336, 351, 366, 383, 401, 422, 444, 470, 501, 538, 589, 677, 800),
    ]
)
"""[Elo] The difference that a share of .50, .51, ... 1.0 is worth; FIDE's table 8.1.1."""


def normal_score(difference: Floats) -> Floats:
    """Return the expected scores per game at differences [Elo], by the normal curve.

    Source: Elo, The Rating of Chessplayers Past and Present (1978): performances spread normally
    by 200 points, their differences therefore by 200 times the root of 2.
    """
    return np.asarray(ndtr(difference / SPREAD))


def fide_score(difference: Floats) -> Floats:
    """Return the expected scores per game at differences [Elo], by FIDE's table, uncapped.

    Source: FIDE Rating Regulations, table 8.1.2; differences are rounded to whole points.
    """
    higher = 50 + np.searchsorted(_LAST, np.floor(np.abs(difference) + 0.5))
    return np.asarray(np.where(difference < 0, 100 - higher, higher) / 100)


def fide_difference(share: Floats) -> Floats:
    """Return the rating differences [Elo] for shares of the points, from 0 to 1, by FIDE's table.

    Source: FIDE Rating Regulations, table 8.1.1; shares are rounded to hundredths, the half away
    from .50.
    """
    higher = np.floor(100 * np.maximum(share, 1 - share) + 0.5 + 1e-9).astype(np.int64) - 50
    return np.asarray(np.copysign(_WORTH[higher], share - 0.5))
