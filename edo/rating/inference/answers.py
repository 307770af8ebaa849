"""Records of the results of inference, as pages and data files show them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Cause = Literal["namesake", "wrong score", "fixed or casual games", "odds not stated"]

OfYear = tuple[str, int]
"""A player-year: the id of the player and the year."""

SURE, LONG = 0.8, 10  # the probability, and the years [years] that it takes, of a flat peak
MIN_SURPRISE = 3.0  # deviations: one score in 370 is as far off by chance


@dataclass(frozen=True, slots=True)
class RankProbabilities:
    """The distribution of the rank of a player in a year, from joint draws of all who have a rank.

    `first`, `top_ten` are probabilities; the rank (1 is the best) is between `rank_low` and
    `rank_high` with probability 90 %, below and above with 5 % each.
    """

    player: str
    year: int
    first: float
    top_ten: float
    rank_low: int
    rank_high: int


@dataclass(frozen=True, slots=True)
class Superiority:
    """The leading players of a year by rank; `probability[i][j]` that i was stronger than j."""

    year: int
    players: tuple[str, ...]
    probability: tuple[tuple[float, ...], ...]

    def of_years(self) -> tuple[OfYear, ...]:
        """Return the player-years."""
        return tuple((player, self.year) for player in self.players)


@dataclass(frozen=True, slots=True)
class Comparison:
    """A player compared with a rival in a year.

    `difference` [Elo] is the player's lead, `deviation` [Elo] its standard error, `probability`
    that he was the stronger.
    """

    rival: str
    year: int
    difference: float
    deviation: float
    probability: float


@dataclass(frozen=True, slots=True, eq=False)
class CorrelationMatrix:
    """The correlation matrix of the ratings of one year.

    `players` (k,) are sorted by id; `rho` (k, k) holds the exact correlations.
    """

    players: tuple[str, ...]
    rho: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class AcrossYears:
    """A player in one year compared with another in another year.

    `difference` [Elo] is the lead of the first, `deviation` [Elo] its standard error, `probability`
    that he was the stronger.
    """

    first: OfYear
    second: OfYear
    difference: float
    deviation: float
    probability: float


@dataclass(frozen=True, slots=True)
class Peaks:
    """The highest peaks in their order; `probability[i][j]` that i was stronger than j.

    `deviation[i][j]` [Elo] is the standard error of the difference between the two ratings.
    """

    years: tuple[OfYear, ...]
    probability: tuple[tuple[float, ...], ...]
    deviation: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class CommonPart:
    """What ratings of different years have in common, whoever the players are.

    `covariance` (k, k) [Elo^2] is the mean one between leading players of each two of the `years`
    (k,), ascending; between these it is interpolated, and before and after them it stays the same.
    """

    years: tuple[int, ...]
    covariance: NDArray[np.float64]

    def deviation(self, year: int, other: int) -> float:
        """Return the standard error [Elo] of the difference between the levels of two years."""
        difference = self._weights(year) - self._weights(other)
        return math.sqrt(max(float(difference @ self.covariance @ difference), 0.0))

    def _weights(self, year: int) -> NDArray[np.float64]:
        """Return the shares (k,) of the `years` in the level of a year."""
        years = np.array(self.years, np.float64)
        return np.array([np.interp(year, years, row) for row in np.eye(len(years))])


@dataclass(frozen=True, slots=True)
class PeakYear:
    """The probability that a year was the player's best.

    `below` [Elo] is the difference to the year of his highest rating, `deviation` [Elo] its
    standard error; both are 0 in that year.
    """

    year: int
    probability: float
    below: float
    deviation: float


@dataclass(frozen=True, slots=True)
class Influence:
    """The influence of an event on a rating: `shift` [Elo], the rating without it minus with it.

    None where the player could not be rated in that year without the event. `median_shift` [Elo] is
    that of all player-years: an event of the anchor player moves the whole scale.
    """

    player: str
    year: int
    event: str
    shift: float | None
    median_shift: float = 0.0

    @property
    def own(self) -> float | None:
        """Return the shift [Elo] beyond the median shift of all ratings."""
        return None if self.shift is None else self.shift - self.median_shift


@dataclass(frozen=True, slots=True)
class Bridge:
    """An event without which these players would not be connected to the others, or rated."""

    event: str
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outlier:
    """A player's score in an event that is unlikely by the ratings without the event.

    `score`, `expected` [points]; `deviation` [points] is the standard error of the prediction, the
    uncertainty of the ratings included; `surprise` is `(score - expected) / deviation`.
    """

    event: str
    year: int
    player: str
    score: float
    games: float
    expected: float
    deviation: float
    surprise: float
    causes: tuple[Cause, ...]


@dataclass(frozen=True, slots=True)
class Answers:
    """All results, by player and year, by year or by player; outliers by surprise.

    `question` is what the site asks on its front page, `matches` are the player-years of matches
    that were never played, `highest` the highest peaks against each other, `common` what ratings of
    different years have in common; None where there is nothing.
    """

    rank_probabilities: Mapping[tuple[str, int], RankProbabilities] = field(default_factory=dict)
    superiority: Mapping[int, Superiority] = field(default_factory=dict)
    rivals: Mapping[str, tuple[Comparison, ...]] = field(default_factory=dict)
    peaks: Mapping[str, tuple[PeakYear, ...]] = field(default_factory=dict)
    influences: Mapping[tuple[str, int], tuple[Influence, ...]] = field(default_factory=dict)
    bridges: tuple[Bridge, ...] = ()
    outliers: tuple[Outlier, ...] = ()
    correlations: Mapping[int, CorrelationMatrix] = field(default_factory=dict, compare=False)
    question: AcrossYears | None = None
    matches: tuple[AcrossYears | None, ...] = ()
    highest: Peaks | None = None
    common: CommonPart | None = field(default=None, compare=False)

    def flat_peak(self, player: str) -> tuple[int, int] | None:
        """Return the years among which the peak of a player cannot be told, None where it can.

        They are the shortest span that had the best year with a probability of `SURE`, if that is
        more than a `LONG` time.
        """
        years = sorted(self.peaks.get(player, ()), key=lambda one: one.year)
        spans = []
        for i, first in enumerate(years):
            summed = accumulate(one.probability for one in years[i:])
            enough = (k for k, share in enumerate(summed, start=i) if share >= SURE)
            if (last := next(enough, None)) is not None:
                spans.append((years[last].year - first.year, first.year, years[last].year))
        length, first_year, last_year = min(spans, default=(0, 0, 0))
        return (first_year, last_year) if length > LONG else None
