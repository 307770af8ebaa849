"""Conversions between Elo points, natural log-odds and expected scores.

This is the only module that knows 400 / ln 10. Source: Elo, The Rating of Chessplayers Past and
Present (1978), logistic form.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

ELO_PER_NAT = 400.0 / math.log(10.0)  # [Elo / nat]


def elo_from_theta(theta: Floats) -> Floats:
    """Return ratings or deviations [Elo] for log-odds [nat], any shape."""
    return theta * ELO_PER_NAT


def theta_from_elo(rating: Floats) -> Floats:
    """Return log-odds [nat] for ratings or deviations [Elo], any shape."""
    return rating / ELO_PER_NAT


def whole_points(values: Floats) -> Floats:
    """Return numbers [Elo], any shape, rounded as `formats.rating` prints them."""
    return np.copysign(np.floor(np.abs(values) + 0.5), values) + 0.0  # no negative zero


def expected_score(difference: float) -> float:
    """Return the expected score per game of a player `difference` [Elo] above the opponent."""
    x = difference / ELO_PER_NAT
    if x >= 0:
        return 1.0 / (1.0 + math.exp(-x))
    e = math.exp(x)
    return e / (1.0 + e)


def expected_scores(difference: Floats) -> Floats:
    """Return the expected scores per game for rating differences [Elo], any shape."""
    return np.asarray(expit(theta_from_elo(difference)))


def difference_from_score(fraction: float) -> float:
    """Return the rating difference [Elo] at which the expected score per game is `fraction`.

    Raises ValueError unless 0 < fraction < 1: no finite difference explains 0 % or 100 %.
    """
    if not 0.0 < fraction < 1.0:
        raise ValueError(f"a score of {fraction:g} per game has no rating difference")
    return ELO_PER_NAT * math.log(fraction / (1.0 - fraction))
