"""What the joint distribution of all ratings answers: the nouns that pages and data files show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Cause = Literal["namesake", "wrong score", "fixed or casual games", "odds not stated"]

SURPRISING = 3.0  # deviations: of honest scores one in 370 is as far off by chance


@dataclass(frozen=True, slots=True)
class RankProbabilities:
    """A player's place in a year's list, from joint draws.

    `first`, `top_ten` are probabilities; `rank_low` to `rank_high` (1 is the best) holds the rank
    in 90 % of the draws, 5 % on either side.
    """

    player: str
    year: int
    first: float
    top_ten: float
    rank_low: int
    rank_high: int


@dataclass(frozen=True, slots=True)
class Superiority:
    """The leading players of a year by rank; `probability[i][j]`: that i was stronger than j."""

    year: int
    players: tuple[str, ...]
    probability: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a player stands to a rival in a year: `difference` [Elo] is the player's lead."""

    rival: str
    year: int
    difference: float
    deviation: float
    probability: float


@dataclass(frozen=True, slots=True, eq=False)
class Correlated:
    """How the ratings of one year, or of one age, hang together.

    `players` (k,) are sorted by id; `rho` (k, k) holds the exact correlation of each two ratings.
    """

    players: tuple[str, ...]
    rho: NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Correlations:
    """The correlations of all ratings that can be compared: by calendar year, and by age."""

    by_year: Mapping[int, Correlated] = field(default_factory=dict)
    by_age: Mapping[int, Correlated] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PeakYear:
    """The probability that a year was the player's best, and how far he was below his peak year.

    `below`, `deviation` [Elo]: the difference to the year of the highest rating, 0 in that year.
    """

    year: int
    probability: float
    below: float
    deviation: float


@dataclass(frozen=True, slots=True)
class Influence:
    """What an event does to a rating: `shift` [Elo] is the rating without the event less with it.

    None where the player could not be rated in that year without the event. `of_all` [Elo] is the
    median of the shifts of all player-years: an event on which the scale hangs moves everybody.
    """

    player: str
    year: int
    event: str
    shift: float | None
    median_shift: float = 0.0

    @property
    def own(self) -> float | None:
        """Return what the event does to this rating beyond what it does to all [Elo]."""
        return None if self.shift is None else self.shift - self.median_shift


@dataclass(frozen=True, slots=True)
class Bridge:
    """An event without which these players would have no link to the rest, and no rating."""

    event: str
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outlier:
    """A player's score in an event that the ratings made without it find hard to believe.

    `expected` [points] of his `games`, `deviation` [points] of what can be expected, doubt about
    the ratings included; `surprise` is `(score - expected) / deviation`.
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
    """All answers: by year, by player and year, by player; the most surprising scores first."""

    chances: Mapping[tuple[str, int], RankProbabilities] = field(default_factory=dict)
    superiority: Mapping[int, Superiority] = field(default_factory=dict)
    rivals: Mapping[str, tuple[Comparison, ...]] = field(default_factory=dict)
    peaks: Mapping[str, tuple[PeakYear, ...]] = field(default_factory=dict)
    influences: Mapping[str, tuple[Influence, ...]] = field(default_factory=dict)
    bridges: tuple[Bridge, ...] = ()
    suspects: tuple[Outlier, ...] = ()
    correlations: Correlations = field(default_factory=Correlations, compare=False)
