"""Probabilities in, the cells and bars that show them out."""

from __future__ import annotations

from dataclasses import dataclass

from edo.core import formats
from edo.rating.inference.answers import RankProbabilities

LEAST = 0.01  # below this no chance of a place is shown


@dataclass(frozen=True, slots=True)
class Share:
    """A probability in words, and the width of its bar in hundredths."""

    text: str
    width: str


def share(probability: float) -> Share:
    """Return a probability with its bar."""
    return Share(formats.chance(probability), formats.fixed(100 * probability, 1))


def rank_range(chance: RankProbabilities | None) -> str:
    """Return the range of ranks, `1–3`; empty where none is known."""
    return "" if chance is None else formats.span(chance.rank_low, chance.rank_high)


def first(chance: RankProbabilities | None) -> str:
    """Return the probability of having been the strongest; empty below 1 %."""
    return "" if chance is None or chance.first < LEAST else formats.chance(chance.first)


def top_ten(chance: RankProbabilities | None) -> str:
    """Return the probability of having been among the first ten; empty below 1 %."""
    return "" if chance is None or chance.top_ten < LEAST else formats.chance(chance.top_ten)
