"""Rating differences in, expected scores out, and back: by curves, a line and FIDE's tables."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

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
