"""The ratings without each event in; the scores that they find hard to believe, with causes, out.

A score is surprising when it lies many deviations from what the ratings made without the event
let one expect. Doubtful are the games themselves and those ratings:

    variance = factor * sum(games * p * (1 - p)) + d' C d

with the `variance_factor` of the settings for draws, the covariance C of the ratings and the
derivative d of the expected score by each of them. Who gives odds plays below his rating by what
they are reckoned to be worth.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from edo.core.scale import Floats, expected_scores, theta_from_elo
from edo.rating.edo import Pass
from edo.rating.inference.answers import SURPRISING, Cause, Outlier
from edo.rating.inference.leave_one_out import Without
from edo.rating.pairings import Side

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

PLAUSIBLE = 1.0  # deviations: two of three honest scores are nearer
ENOUGH_GAMES = 4.0  # fewer are anybody's bad or good day
DIGITS = 6  # of surprise, beyond which equals differ by noise of the machine
SHORT_MATCH = 10.0  # games
MUCH_WEAKER = 0.75  # points expected per game, 190 Elo apart


def suspects(done: Pass, without: Iterable[Without]) -> tuple[Outlier, ...]:
    """Return the scores at least `SURPRISING` deviations off, the most surprising first."""
    network = done.network
    players = np.repeat(np.array(network.players), np.diff(network.start)).tolist()
    nodes = {key: k for k, key in enumerate(zip(players, network.year.tolist(), strict=True))}
    found: list[Outlier] = []
    for one in without:
        scores = _scores(done, one, nodes)
        for k in np.flatnonzero(np.abs(scores.surprise) >= SURPRISING).tolist():
            player, year = players[one.nodes[k]], int(network.year[one.nodes[k]])
            found.append(_suspect(one.removal.event, year, player, scores, k))
    return tuple(sorted(found, key=most_surprising))


def most_surprising(one: Outlier) -> tuple[float, str, str, int]:
    """Return what to sort by; both sides of a match are equal but for noise of the last digits."""
    return -round(abs(one.surprise), DIGITS), one.event, one.player, one.year


@dataclass(frozen=True, slots=True)
class _Scores:
    """What each player-year of an event scored, and what was to be expected, all (k,).

    `opponents`, `at_odds` count his pairings and those at odds; `known` marks the players of whom
    other events tell.
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
        """Return how many deviations the scores are off, (k,)."""
        return np.asarray((self.score - self.expected) / self.deviation)


def _suspect(event: str, year: int, player: str, scores: _Scores, k: int) -> Outlier:
    return Outlier(
        event,
        year,
        player,
        score=float(scores.score[k]),
        games=float(scores.games[k]),
        expected=float(scores.expected[k]),
        deviation=float(scores.deviation[k]),
        surprise=float(scores.surprise[k]),
        causes=tuple(_causes(scores, k)),
    )


def _causes(scores: _Scores, k: int) -> Iterator[Cause]:
    """Yield what would explain a score, by rules so simple that an editor can see through them.

    - namesake: `ENOUGH_GAMES` or more, against several opponents, and other events of the player;
    - wrong score: the other way round the score would be `PLAUSIBLE`;
    - fixed or casual games: one opponent, at most `SHORT_MATCH` games, won or lost to the last;
    - odds not stated: less than half against opponents `MUCH_WEAKER`, at no odds.
    """
    score, games, expected = scores.score[k], scores.games[k], scores.expected[k]
    if games >= ENOUGH_GAMES and scores.opponents[k] > 1 and scores.known[k]:
        yield "namesake"
    if abs(games - score - expected) <= PLAUSIBLE * scores.deviation[k]:
        yield "wrong score"
    if scores.opponents[k] == 1 and games <= SHORT_MATCH and score in (0, games):
        yield "fixed or casual games"
    if score < games / 2 and expected >= MUCH_WEAKER * games and not scores.at_odds[k]:
        yield "odds not stated"


def _scores(done: Pass, one: Without, nodes: Mapping[tuple[str, int], int]) -> _Scores:
    pairings = [done.network.pairings[k] for k in np.flatnonzero(one.removal.own)]
    i = np.searchsorted(one.nodes, [nodes[p.first.player, p.year] for p in pairings])
    j = np.searchsorted(one.nodes, [nodes[p.second.player, p.year] for p in pairings])
    score, games = np.array([(p.score, p.games) for p in pairings]).T
    odds = np.array([_points(p.second) - _points(p.first) for p in pairings])
    share = expected_scores(one.mean[i] - one.mean[j] + odds)
    spread = games * share * (1 - share)
    k = len(one.nodes)
    slope = np.zeros((k, k))  # of each one's expected score by each one's rating [points / Elo]
    for a, b, sign in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
        np.add.at(slope, (a, b), sign * theta_from_elo(spread))
    doubt = np.einsum("ij,ij->i", slope @ one.covariance, slope)
    luck = done.settings.variance_factor * _of_each(k, (i, spread), (j, spread))
    return _Scores(
        _of_each(k, (i, score), (j, games - score)),
        _of_each(k, (i, games), (j, games)),
        _of_each(k, (i, games * share), (j, games * (1 - share))),
        np.sqrt(luck + doubt),
        _of_each(k, (i, np.ones(len(i))), (j, np.ones(len(j)))),
        _of_each(k, (i, odds != 0), (j, odds != 0)),
        one.known,
    )


def _points(side: Side) -> float:
    """Return what the odds that a side gave are worth [Elo]."""
    return side.odds_points or 0.0


def _of_each(k: int, *parts: tuple[Ints, Floats]) -> Floats:
    return np.asarray(sum(np.bincount(node, value, k) for node, value in parts), np.float64)
