"""Outliers: scores that the ratings without the event make unlikely, with possible causes.

A score is an outlier if it differs from its expectation, predicted by the ratings without the
event, by many deviations. The variance is that of the games and that of these ratings:

    variance = factor * sum(games * p * (1 - p)) + d' C d

with the `variance_factor` of the settings for draws, the covariance C of the ratings and the
derivative d of the expected score by each of them. A player who gives odds is rated lower by what
they are worth.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from edo.core.scale import Bools, Floats, Ints, expected_scores, theta_from_elo
from edo.rating.edo import RatedNetwork
from edo.rating.inference.answers import MIN_SURPRISE, Cause, Outlier
from edo.rating.inference.leave_one_out import LeaveOneOut

PLAUSIBLE_DEVIATIONS = 1.0  # deviations: two of three scores are nearer by chance
MIN_NAMESAKE_GAMES = 4.0  # games: in fewer anybody may play far above or below his strength
DIGITS = 6  # decimals of a surprise that are compared; the rest is rounding noise
SHORT_MATCH_GAMES = 10.0  # games
MUCH_WEAKER_SCORE = 0.75  # expected score per game against much weaker opponents, 190 Elo below


def outliers(fitted: RatedNetwork, without: Iterable[LeaveOneOut]) -> tuple[Outlier, ...]:
    """Return the scores at least `MIN_SURPRISE` deviations off, the most surprising first."""
    net, surprising = fitted.network, list[Outlier]()
    for without_event in without:
        scores = _scores(fitted, without_event)
        for k in np.flatnonzero(np.abs(scores.surprise) >= MIN_SURPRISE).tolist():
            node = int(without_event.nodes[k])
            player = net.players[int(np.searchsorted(net.start, node, side="right")) - 1]
            surprising.append(
                scores.outlier(k, without_event.removal.event, int(net.year[node]), player)
            )
    return tuple(sorted(surprising, key=most_surprising))


def most_surprising(outlier: Outlier) -> tuple[float, str, str, int]:
    """Return the sort key; the two sides of a match are equal except for rounding noise."""
    return -round(abs(outlier.surprise), DIGITS), outlier.event, outlier.player, outlier.year


@dataclass(frozen=True, slots=True)
class _Scores:
    """Actual and expected scores of the player-years of an event, all (k,).

    `score`, `expected`, `deviation` [points]; `opponents`, `at_odds` are the numbers of pairings
    and of those at odds; `known` marks the players who have a rating without the event.
    """

    score: Floats
    games: Floats
    expected: Floats
    deviation: Floats
    opponents: Floats
    at_odds: Floats
    known: Bools

    @property
    def surprise(self) -> Floats:
        """Return by how many deviations each score is off, (k,)."""
        return np.asarray((self.score - self.expected) / self.deviation)

    def outlier(self, k: int, event: str, year: int, player: str) -> Outlier:
        """Return the score of the k-th player-year."""
        return Outlier(
            event,
            year,
            player,
            score=float(self.score[k]),
            games=float(self.games[k]),
            expected=float(self.expected[k]),
            deviation=float(self.deviation[k]),
            surprise=float(self.surprise[k]),
            causes=tuple(self.causes(k)),
        )

    def causes(self, k: int) -> Iterator[Cause]:
        """Yield what would explain the k-th score, by rules that an editor can follow.

        - namesake: `MIN_NAMESAKE_GAMES` or more, several opponents, and a rating from elsewhere;
        - wrong score: the reversed score would be `PLAUSIBLE_DEVIATIONS`;
        - fixed or casual games: one opponent, `SHORT_MATCH_GAMES` or less, all won or all lost;
        - odds not stated: less than half of the points, opponents `MUCH_WEAKER_SCORE`, no odds.
        """
        score, games, expected = self.score[k], self.games[k], self.expected[k]
        if games >= MIN_NAMESAKE_GAMES and self.opponents[k] > 1 and self.known[k]:
            yield "namesake"
        if abs(games - score - expected) <= PLAUSIBLE_DEVIATIONS * self.deviation[k]:
            yield "wrong score"
        if self.opponents[k] == 1 and games <= SHORT_MATCH_GAMES and score in (0, games):
            yield "fixed or casual games"
        if score < games / 2 and expected >= MUCH_WEAKER_SCORE * games and not self.at_odds[k]:
            yield "odds not stated"


def _scores(fitted: RatedNetwork, without_event: LeaveOneOut) -> _Scores:
    net, rows = fitted.network, np.flatnonzero(without_event.removal.of_event)
    pairings = net.pairings.where(rows)
    ends = net.owner[np.stack([net.comparisons.i[rows], net.comparisons.j[rows]])]
    i, j = np.searchsorted(without_event.nodes, ends)
    score, games, odds = pairings.score, pairings.count, pairings.odds
    mean, covariance = without_event.mean, without_event.covariance
    share = expected_scores(mean[i] - mean[j] + odds)
    spread = games * share * (1 - share)
    k = len(without_event.nodes)
    slope = score_slopes(k, i, j, spread)
    of_ratings = np.einsum("ij,ij->i", slope @ covariance, slope)
    factor = without_event.game_variance or fitted.settings.variance_factor
    of_games = factor * _sums(k, (i, spread), (j, spread))
    return _Scores(
        _sums(k, (i, score), (j, games - score)),
        _sums(k, (i, games), (j, games)),
        _sums(k, (i, games * share), (j, games * (1 - share))),
        np.sqrt(of_games + of_ratings),
        _sums(k, (i, np.ones(len(i))), (j, np.ones(len(j)))),
        _sums(k, (i, odds != 0), (j, odds != 0)),
        without_event.known,
    )


def score_slopes(k: int, i: Ints, j: Ints, spread: Floats) -> Floats:
    """Return the derivatives (k, k) [points / Elo] of the expected scores of k players by ratings.

    Pairing m is between players i and j (m,), with `spread` (m,) [points^2] games * p * (1 - p).
    """
    slope = np.zeros((k, k))
    for a, b, sign in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
        np.add.at(slope, (a, b), sign * theta_from_elo(spread))
    return slope


def _sums(k: int, *parts: tuple[Ints, Floats | Bools]) -> Floats:
    """Return the sums (k,) of the values of each player-year."""
    return np.asarray(sum(np.bincount(node, value, k) for node, value in parts), np.float64)
