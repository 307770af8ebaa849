"""A match between two player-years that was never played: the distribution of its score.

The difference of the two ratings is normal, with the lead and standard error of their joint
distribution. At each difference the games are independent, each won, drawn or lost with
probabilities that give Elo's expected score, and draws as in Davidson's model (Journal of the
American Statistical Association 65, 1970). How often equals draw is taken from the games on record
between players of such strength in such years.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from edo.core.model import Dataset
from edo.core.scale import Floats, expected_scores
from edo.rating.edo import Ratings

FARTHEST, STEP = 4.0, 0.1  # [standard errors] of the differences at which matches are played
DECADE = 10  # [years]
EDGES = (2200, 2400, 2600)  # [Elo] between the strengths that are told apart
ENOUGH = 200.0  # games of a strength; of fewer, those of the decades around count as well
DECIMALS = 4  # of the share of draws between equals: pages print whole per cents
TAIL = 0.05  # probability outside the range of scores, on each side


@dataclass(frozen=True, slots=True)
class DrawShares:
    """How often equals drew: a row for each decade from `first`, a column for each strength.

    The strengths are the mean ratings of two players up to the first of `EDGES`, and so on.
    """

    first: int
    shares: tuple[tuple[float, ...], ...]

    def of(self, year: int, rating: float) -> float:
        """Return the share in a year at a rating [Elo], of the nearest decade on record."""
        if not self.shares:
            return 0.0
        row = min(max((year - self.first) // DECADE, 0), len(self.shares) - 1)
        return self.shares[row][bisect_right(EDGES, rating)]


@dataclass(frozen=True, slots=True)
class MatchScore:
    """The distribution of the first player's score over so many games.

    `probability[k]` is that of k half points; `drawn` the share of draws that is expected.
    """

    games: int
    probability: tuple[float, ...]
    drawn: float

    @property
    def expected(self) -> float:
        """Return the expected score [points]."""
        return sum(k * p for k, p in enumerate(self.probability)) / 2

    @property
    def chances(self) -> tuple[float, float, float]:
        """Return the probabilities that the first wins, draws and loses the match."""
        p, n = self.probability, self.games
        return sum(p[n + 1 :]), p[n], sum(p[:n])

    @property
    def likeliest(self) -> float:
        """Return the score [points] with the highest probability, the lowest of equals."""
        return int(np.argmax(np.round(self.probability, 12))) / 2

    @property
    def range(self) -> tuple[float, float]:
        """Return the scores [points] below and above which 5 % lie at most."""
        within = np.cumsum(self.probability)
        ends = [int(np.searchsorted(within, share)) / 2 for share in (TAIL, 1 - TAIL)]
        return ends[0], ends[1]


def match_score(lead: float, deviation: float, share: float, games: int) -> MatchScore:
    """Return the distribution of the score of the first player.

    `lead` and `deviation` [Elo] are those of the difference of the ratings, `share` is that of
    draws between equals.
    """
    reach = round(FARTHEST / STEP)
    z = np.arange(-reach, reach + 1, dtype=np.float64) * STEP
    weight = np.exp(-(z**2) / 2)
    weight /= weight.sum()
    outcomes = outcome_probabilities(
        expected_scores(np.asarray(lead + deviation * z, np.float64)), share
    )
    score = np.zeros((len(z), 2 * games + 1))
    score[:, 0] = 1.0
    for _ in range(games):
        before = score.copy()
        score *= outcomes[2][:, None]
        score[:, 1:] += before[:, :-1] * outcomes[1][:, None]
        score[:, 2:] += before[:, :-2] * outcomes[0][:, None]
    return MatchScore(games, tuple((weight @ score).tolist()), float(weight @ outcomes[1]))


def outcome_probabilities(expected: Floats, share: float | Floats) -> tuple[Floats, Floats, Floats]:
    """Return the probabilities (k,) of win, draw and loss at expected scores per game (k,).

    In Davidson's model win, draw and loss are as x^2, kappa x and 1; x follows from the expected
    score, and kappa from the share of draws between equals.
    """
    kappa = 2 * share / (1 - share)
    above = kappa * (expected - 0.5)
    x = (above + np.sqrt(above**2 + 4 * expected * (1 - expected))) / (2 * (1 - expected))
    whole = x**2 + kappa * x + 1
    return x**2 / whole, kappa * x / whole, 1 / whole


def draw_shares(dataset: Dataset, ratings: Ratings) -> DrawShares:
    """Return how often equals drew, from the rated games of which wins and draws are known."""
    rows = np.array([*_games(dataset, ratings)], np.float64).reshape(-1, 5)
    year, rating, difference, games, draws = rows.T
    if not len(year):
        return DrawShares(0, ())
    decade, strength = year // DECADE, np.searchsorted(EDGES, rating, side="right")
    first, last = int(decade.min()), int(decade.max())
    expected = expected_scores(difference)

    def share(middle: int, column: int) -> float:
        for around in range(last - first + 1):
            near = (abs(decade - middle) <= around) & (strength == column)
            if games[near].sum() >= ENOUGH:
                break
        else:
            near = np.full(len(year), True)
        return _share(expected[near], games[near], draws[near])

    columns = range(len(EDGES) + 1)
    return DrawShares(
        first * DECADE,
        tuple(tuple(share(one, k) for k in columns) for one in range(first, last + 1)),
    )


def _games(
    dataset: Dataset, ratings: Ratings
) -> Iterator[tuple[float, float, float, float, float]]:
    """Yield year, mean rating and difference [Elo], games and draws of known results."""
    for event in dataset.events.values():
        if event.unrated is not None:
            continue
        for result in event.results:
            tally = result.tally
            if not result.is_ordinary or result.unrated is not None or tally is None:
                continue
            first = ratings.of(result.first, event.year)
            second = ratings.of(result.second, event.year)
            if first is not None and second is not None:
                mean = (first.rating + second.rating) / 2
                lead = first.rating - second.rating
                yield event.year, mean, lead, sum(tally), tally[1]


def _share(expected: Floats, games: Floats, draws: Floats) -> float:
    """Return the share between equals at which as many draws are expected as there were."""
    low, high = 0.0, 1.0 - 10.0**-DECIMALS
    while high - low > 10.0 ** -(DECIMALS + 1):
        middle = (low + high) / 2
        too_many = games @ outcome_probabilities(expected, middle)[1] > draws.sum()
        low, high = (low, middle) if too_many else (middle, high)
    return round((low + high) / 2, DECIMALS)
