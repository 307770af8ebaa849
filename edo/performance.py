"""Ratings of opponents and numbers of games in, expected totals and performance ratings out."""

from __future__ import annotations

from collections.abc import Sequence

from scipy.optimize import brentq

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
