"""Expected totals, performance ratings, FIDE's tables and categories of tournaments."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from edo.core.scale import ELO_PER_NAT, Floats, difference_from_score, expected_score

_EXACT = 1e-9  # [Elo] the last step of a performance
_STEPS = 100  # [1] from the mean of the opponents it takes about five
FEWEST = 4  # [games] in fewer, the standard error of a performance is 200 points or more


def expected_total(rating: float, opponents: Sequence[float], games: Sequence[float]) -> float:
    """Return the expected score [points] of `rating` against `opponents` [Elo] in `games` each."""
    return sum(
        n * expected_score(rating - opponent) for opponent, n in zip(opponents, games, strict=True)
    )


def performance(score: float, opponents: Sequence[float], games: Sequence[float]) -> float | None:
    """Return the performance rating [Elo]: that whose expected total is the `score` [points].

    None where there is none: in fewer than `FEWEST` games, and at 0 % or 100 %.
    Source: the maximum of the Bradley-Terry likelihood with the opponents' ratings held fixed.
    """
    total = sum(games)
    if total < FEWEST or not 0.0 < score < total:
        return None
    difference = difference_from_score(score / total)
    least, most = min(opponents) + difference, max(opponents) + difference
    rating = sum(r * n for r, n in zip(opponents, games, strict=True)) / total + difference
    for _ in range(_STEPS):  # Newton's method, halving where it would leave what is still possible
        excess, information = -score, 0.0
        for opponent, n in zip(opponents, games, strict=True):
            p = expected_score(rating - opponent)
            excess += n * p
            information += n * p * (1.0 - p)
        least, most = (least, rating) if excess > 0 else (rating, most)
        before = rating
        rating = before - ELO_PER_NAT * excess / information if information else least - 1.0
        if not least <= rating <= most:
            rating = (least + most) / 2
        if abs(rating - before) < _EXACT:
            break
    return rating


def performance_deviation(
    rating: float, opponents: Sequence[float], games: Sequence[float]
) -> float:
    """Return the standard error [Elo] of a performance `rating` [Elo] in at least one game.

    The opponents' ratings are taken as exact. Source: the Fisher information of the Bradley-Terry
    likelihood; it counts no draws, which make performances a little more certain.
    """
    chances = (expected_score(rating - opponent) for opponent in opponents)
    information = sum(n * p * (1.0 - p) for p, n in zip(chances, games, strict=True))
    return ELO_PER_NAT / math.sqrt(information)


def category(mean: float) -> int | None:
    """Return FIDE's category of a tournament with that mean rating [Elo]; None below the first.

    Source: FIDE Handbook: category 1 is from 2251 to 2275, and each next one 25 points higher.
    """
    number = math.ceil((math.floor(mean + 0.5) - FIRST_CATEGORY) / CATEGORY_STEP)
    return number if number > 0 else None


LINE = 0.001164  # [points / Elo] per game, the slope of Sonas' linear formula; Sonas 2002
FIRST_CATEGORY, CATEGORY_STEP = 2250, 25  # [Elo]; FIDE Handbook, categories of tournaments
CAP = 400.0  # [Elo]: larger differences count as 400; FIDE Rating Regulations 8.3.1
_LAST = np.array(
    [
        *(3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145),
        *(153, 162, 170, 179, 188, 197, 206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315),
        *(328, 344, 357, 374, 391, 411, 432, 456, 484, 517, 559, 619, 735),
    ]
)
"""[Elo] The largest difference with expected score .50, .51, ... .99; FIDE's table 8.1.2."""
_WORTH = np.array(
    [
        *(0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149),
        *(158, 166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322),
        *(336, 351, 366, 383, 401, 422, 444, 470, 501, 538, 589, 677, 800),
    ]
)
"""[Elo] The difference for a share of .50, .51, ... 1.0 of the points; FIDE's table 8.1.1."""


def fide_score(difference: Floats) -> Floats:
    """Return the expected scores per game at differences [Elo], by FIDE's table, uncapped.

    Source: FIDE Rating Regulations, table 8.1.2; differences are rounded to whole points.
    """
    higher = 50 + np.searchsorted(_LAST, np.floor(np.abs(difference) + 0.5))
    return np.asarray(np.where(difference < 0, 100 - higher, higher) / 100)


def fide_difference(share: Floats) -> Floats:
    """Return the rating differences [Elo] for shares of the points, from 0 to 1, by FIDE's table.

    Source: FIDE Rating Regulations, table 8.1.1; shares are rounded to hundredths, halves away
    from .50.
    """
    # 1e-9, because a share of exactly a half, such as .545, may be stored as a little less
    higher = np.floor(100 * np.maximum(share, 1 - share) + 0.5 + 1e-9).astype(np.int64) - 50
    return np.asarray(np.copysign(_WORTH[higher], share - 0.5))
