"""Tests of the published ratings and standard errors by leaving out whole events.

Each event is left out in turn. Its pairings and scores are predicted by the ratings that would have
been published without it, and compared by how much evidence these rest on.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.special import expit

from edo.core.problems import NotConverged
from edo.core.scale import Bools, Floats, Ints, expected_scores, theta_from_elo
from edo.history.settings import Settings
from edo.rating.edo import FittedNetwork, adjust
from edo.rating.evidence import carried
from edo.rating.inference.joint import condense
from edo.rating.inference.leave_one_out import LeaveOneOut, leave_out_each
from edo.rating.inference.outliers import score_slopes

LEAST_GAMES = 5.0  # [games] of a player in an event: fewer say little of his strength
ONE, TWO = 1.0, 1.96  # [standard errors] within which 68.3 % and 95.0 % of a normal one lie
RESAMPLES = 1000  # of whole events, for the interval of the factor
ERRORS = (0.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0, 100.0, 120.0, np.inf)  # [Elo]
EVIDENCE = (0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 16.0, 30.0, 50.0, np.inf)  # [games], edges of bins too
MOST_FACTOR = 20.0  # of differences of ratings: beyond it all of the games were won or lost
NOTHING = -10.0  # the logarithm of a variance, or of a factor of one, that is next to 0
USUAL = (0.6, 1.0)  # where the search begins: as many games are drawn, and errors as they are said


@dataclass(frozen=True, slots=True)
class EvidenceBin:
    """Games of players with about as much evidence, predicted without the event.

    `expected`, `actual` are the shares of the favourites; `factor` is that of the differences of
    published ratings which predicts the scores best: 1 where they have the right size, None where
    none is best, as the favourites won or lost all games.
    """

    name: str
    games: float
    expected: float
    actual: float
    factor: float | None


@dataclass(frozen=True, slots=True)
class EvidenceGroup:
    """The bins by one kind of evidence, from the least to the most."""

    name: str
    bins: tuple[EvidenceBin, ...]


@dataclass(frozen=True, slots=True)
class ScoreCoverage:
    """How far players' scores in whole events are from their predictions.

    `scores` is their number. The variance of a score is `game_variance` p (1 - p) a game, which is
    1 less the share of draws between equals where a draw is worth half a win, and `variance_factor`
    times that which follows from the standard errors; both are estimated. `low` to `high` is the
    95 % interval of the factor. `one`, `two` are the shares of scores within 1 and 1.96 standard
    deviations, `rms` their root mean square distance in standard deviations, where the standard
    errors are taken as they are.
    """

    scores: int
    game_variance: float
    variance_factor: float
    low: float
    high: float
    one: float
    two: float
    rms: float

    @property
    def is_nominal(self) -> bool:
        """Whether the factor differs from 1 by no more than chance explains."""
        return self.low <= 1.0 <= self.high

    @property
    def error_factor(self) -> float:
        """Return the factor of the standard errors themselves."""
        return math.sqrt(self.variance_factor)


@dataclass(frozen=True, slots=True)
class WholeEvents:
    """Everything that was measured; `ranked` is the coverage of players with a rank."""

    groups: tuple[EvidenceGroup, ...]
    everybody: ScoreCoverage
    ranked: ScoreCoverage


@dataclass(frozen=True, slots=True)
class _Predicted:
    """Pairings of left-out events, all (m,).

    `lead` [Elo] is the difference of the published ratings without the event, `error` [Elo] the
    greater of the two standard errors, `evidence` [games] the lesser of what the results of the two
    are worth in the year.
    """

    score: Floats
    games: Floats
    lead: Floats
    error: Floats
    evidence: Floats

    def where(self, chosen: Bools) -> _Predicted:
        return _Predicted(*(getattr(self, name)[chosen] for name in self.__slots__))


@dataclass(frozen=True, slots=True)
class EventScores:
    """Scores of players in left-out events, all (n,).

    `off` [points] is the score less its expectation, `of_games` and `of_ratings` [points^2] the
    variances of p (1 - p) a game and of the published ratings, `event` a number of the event.
    """

    off: Floats
    of_games: Floats
    of_ratings: Floats
    is_ranked: Bools
    event: Ints

    def where(self, chosen: Bools | Ints) -> EventScores:
        """Return some of the scores."""
        return EventScores(*(getattr(self, name)[chosen] for name in self.__slots__))


def whole_events(fitted: FittedNetwork, scored: Bools, seed: int) -> WholeEvents:
    """Return the measurements; `scored` (n_pairings,) are the pairings that can be predicted."""
    parts = sorted(_left_out(fitted, scored), key=lambda part: part[1].event[:1].tolist())
    games, scores = _joined([part[0] for part in parts]), _joined([part[1] for part in parts])
    enough = games.where(games.evidence >= fitted.settings.ranked_games)
    return WholeEvents(
        (
            EvidenceGroup("Results worth, in games", tuple(_bins(games, games.evidence, EVIDENCE))),
            EvidenceGroup("Standard error, in points", tuple(_bins(enough, enough.error, ERRORS))),
        ),
        score_coverage(scores, seed),
        score_coverage(scores.where(scores.is_ranked), seed),
    )


def _joined(parts: Sequence[_Predicted] | Sequence[EventScores]):  # type: ignore[no-untyped-def]
    kind = type(parts[0])
    return kind(*(np.concatenate([getattr(p, n) for p in parts]) for n in kind.__slots__))


def _left_out(fitted: FittedNetwork, scored: Bools) -> Iterator[tuple[_Predicted, EventScores]]:
    """Yield what each event says of the ratings without it."""
    pairings, events = _Pairings(fitted), sorted(fitted.network.pairings.events)
    for without_event in leave_out_each(fitted, condense(fitted)):
        number = bisect_left(events, without_event.removal.event)
        rows = np.flatnonzero(without_event.removal.of_event & scored)
        rated = without_event.removal.rated[pairings.node[:, rows]].all(axis=0)
        rows = rows[rated]
        places = np.searchsorted(without_event.nodes, pairings.node[:, rows])
        is_known = without_event.known[places].all(axis=0)
        rows, places = rows[is_known], places[:, is_known]
        if len(rows):
            yield (
                pairings.games(without_event, rows, places),
                pairings.scores(without_event, rows, places, number),
            )


class _Pairings:
    """The pairings of the fit as arrays, and what the players' other events show."""

    def __init__(self, fitted: FittedNetwork) -> None:
        net = fitted.network
        self._fitted = fitted
        self.node = net.pairing_nodes()
        self._player = np.stack([net.pairings.first, net.pairings.second])
        self._year = net.pairings.year
        self._score, self._count = net.pairings.score, net.pairings.count
        self._known = net.pairings.count - net.pairings.soft
        order = np.argsort(self._player.ravel(), kind="stable")
        ends = np.searchsorted(self._player.ravel()[order], np.arange(len(net.players) + 1))
        self._of_player = [order[a:b] % len(net.pairings) for a, b in pairwise(ends)]

    def games(self, without_event: LeaveOneOut, rows: Ints, places: Ints) -> _Predicted:
        """Return the pairings `rows` (m,); `places` (2, m) are their players among the event's."""
        error = _published_covariance(without_event, self._fitted.settings).diagonal() ** 0.5
        evidence = [
            min(self._evidence(without_event, player, year) for player in players)
            for players, year in zip(
                self._player[:, rows].T.tolist(), self._year[rows].tolist(), strict=True
            )
        ]
        lead = without_event.rating[self.node[0, rows]] - without_event.rating[self.node[1, rows]]
        return _Predicted(
            self._score[rows],
            self._count[rows],
            lead,
            error[places].max(axis=0),
            np.array(evidence),
        )

    def _evidence(self, without_event: LeaveOneOut, player: int, year: int) -> float:
        """Return what a player's results are worth in a year, without the event [games]."""
        rows = self._of_player[player]
        rows = rows[~without_event.removal.gone[rows]]
        first = min(year, int(self._year[rows].min(initial=year)))
        span = max(year, int(self._year[rows].max(initial=year))) - first + 1
        of_year = np.bincount(self._year[rows] - first, self._known[rows], span).astype(np.float64)
        tie = self._fitted.settings.self_games
        return float(carried(of_year, np.array([0, span]), tie)[year - first])

    def scores(
        self, without_event: LeaveOneOut, rows: Ints, places: Ints, number: int
    ) -> EventScores:
        """Return the scores in the event of the players with enough games."""
        i, j = places
        k = len(without_event.nodes)
        lead = without_event.rating[self.node[0, rows]] - without_event.rating[self.node[1, rows]]
        share, count = expected_scores(lead), self._count[rows]
        spread = count * share * (1 - share)
        slope = score_slopes(k, i, j, spread)
        covariance = _published_covariance(without_event, self._fitted.settings)
        of_ratings = np.einsum("ij,ij->i", slope @ covariance, slope)
        off = self._score[rows] - count * share
        enough = np.flatnonzero(np.bincount(i, count, k) + np.bincount(j, count, k) >= LEAST_GAMES)
        return EventScores(
            np.asarray(np.bincount(i, off, k) - np.bincount(j, off, k), np.float64)[enough],
            np.asarray(np.bincount(i, spread, k) + np.bincount(j, spread, k), np.float64)[enough],
            of_ratings[enough],
            self._fitted.evidence.ranked[without_event.nodes[enough]],
            np.full(len(enough), number),
        )


def _published_covariance(without_event: LeaveOneOut, settings: Settings) -> Floats:
    """Return the covariance (k, k) [Elo^2] of the published ratings without the event."""
    raw = without_event.raw_covariance.diagonal() ** 0.5
    _, published = adjust(np.zeros(len(raw)), raw, settings)
    scale = published / raw
    return np.asarray(without_event.raw_covariance * scale * scale[:, None])


def _bins(games: _Predicted, by: Floats, edges: Sequence[float]) -> Iterator[EvidenceBin]:
    """Yield the bins from edge to edge in which there are games."""
    for low, high in pairwise(edges):
        inside = games.where((low <= by) & (by < high))
        if inside.games.sum():
            name = f"{low:.0f} or more" if np.isinf(high) else _span(low, high)
            yield evidence_bin(name, inside.score, inside.games, inside.lead)


def _span(low: float, high: float) -> str:
    return f"{low:.0f}" if high == low + 1 else f"{low:.0f} to below {high:.0f}"


def evidence_bin(name: str, score: Floats, games: Floats, lead: Floats) -> EvidenceBin:
    """Return what scores (m,) [points] say of the leads (m,) [Elo] that predicted them."""
    from scipy.optimize import brentq  # noqa: PLC0415 (slow, and a check only reads measurements)

    theta = theta_from_elo(np.abs(lead))
    favourite = np.where(lead >= 0, score, games - score)

    def slope(factor: float) -> float:
        """Return the derivative of the log-likelihood, which falls as the factor grows."""
        return float(theta @ (favourite - games * expit(factor * theta)))

    total = float(games.sum())
    expected = float(np.sum(games * expit(theta))) / total
    has_best = slope(-MOST_FACTOR) > 0 > slope(MOST_FACTOR)
    factor = float(brentq(slope, -MOST_FACTOR, MOST_FACTOR)) if has_best else None
    return EvidenceBin(name, total, expected, float(favourite.sum()) / total, factor)


def score_coverage(scores: EventScores, seed: int, resamples: int = RESAMPLES) -> ScoreCoverage:
    """Return the coverage of scores, with an interval from resamples of whole events.

    Raises NotConverged where the scores do not say what the variances are.
    """
    of_games, factor = _variances(scores)
    distance = np.abs(scores.off) / np.sqrt(of_games * scores.of_games + scores.of_ratings)
    low, high = np.quantile(_resampled(scores, seed, resamples), (0.025, 0.975))
    return ScoreCoverage(
        len(scores.off),
        of_games,
        factor,
        float(low),
        float(high),
        float(np.mean(distance <= ONE)),
        float(np.mean(distance <= TWO)),
        float(np.sqrt(np.mean(np.square(distance)))),
    )


def _resampled(scores: EventScores, seed: int, resamples: int) -> list[float]:
    """Return the factor of the ratings' variance in resamples of whole events."""
    rng = np.random.default_rng(seed)
    order = np.argsort(scores.event, kind="stable")
    _, start = np.unique(scores.event[order], return_index=True)
    events = np.split(order, start[1:])
    picks = rng.integers(0, len(events), (resamples, len(events)))
    return [
        _variances(scores.where(np.concatenate([events[k] for k in pick])))[1] for pick in picks
    ]


def _variances(scores: EventScores) -> tuple[float, float]:
    """Return the most likely variance of a game, by p (1 - p), and factor of the ratings' variance.

    The scores are taken to be normal, which they nearly are from five games on. One of the two may
    be next to 0, as few scores can be explained by the other alone. Raises NotConverged where the
    search fails, as it does where all scores are as expected.
    """
    squares = np.square(scores.off)
    if not squares.any():
        raise NotConverged("all scores are exactly as expected, which says nothing of chance")

    from scipy.optimize import minimize  # noqa: PLC0415 (as above)

    def loss(logs: Floats) -> tuple[float, Floats]:
        games, ratings = np.exp(logs)
        variance = games * scores.of_games + ratings * scores.of_ratings
        slope = (1 - squares / variance) / variance / 2
        gradient = games * slope @ scores.of_games, ratings * slope @ scores.of_ratings
        return float(np.sum(np.log(variance) + squares / variance)) / 2, np.array(gradient)

    # Neither can be greater than where it explains the most surprising score by itself.
    greatest = [
        float(np.max(squares / variance)) for variance in (scores.of_games, scores.of_ratings)
    ]
    bounds = [(NOTHING, max(NOTHING, math.log(most))) for most in greatest]
    optimum = minimize(loss, np.log(USUAL), jac=True, method="L-BFGS-B", bounds=bounds)
    if not optimum.success:
        raise NotConverged(f"no most likely variance of scores was found: {optimum.message}")
    games, ratings = np.exp(optimum.x)
    return float(games), float(ratings)
