"""Warnings about scores far from what the ratings expect.

The ratings include each score, because they are quick to compute. They follow the score in part, so
that less of its variance is left:

    variance = factor * (sum(games * p * (1 - p)) - d' C d)

with the `variance_factor` of the settings for draws, the covariance C of the fit and the derivative
d of the expected score. The site's list of scores that are hard to believe leaves each event out.

Source: the standardised residuals of Cook & Weisberg 1982, "Residuals and Influence in Regression",
chapter 2, with the weights of the fit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array

from edo.checks.where import at_appearance
from edo.core.model import Dataset
from edo.core.problems import Problem
from edo.core.scale import Floats, expected_scores
from edo.history.notation import number_text
from edo.rating.edo import FittedNetwork
from edo.rating.inference.answers import MIN_SURPRISE

Ints = NDArray[np.int64]

LEAST_SIGN = 2.0  # [deviations] before the fit's part is taken off: fewer seldom become three
SOLVED_AT_ONCE = 32  # lines, for each of which a solution for all player-years is in memory
FEWEST_GAMES = 2  # one game tells nothing: of ten honest ones the much weaker player wins one


@dataclass(frozen=True, slots=True)
class Score:
    """What a player scored in an event, `score` of `games`, and what was to be expected [points].

    `surprise` is how many deviations the score is off.
    """

    event: str
    player: str
    score: float
    games: float
    expected: float
    surprise: float


def surprising_scores(dataset: Dataset, rated: FittedNetwork) -> Iterator[Problem]:
    """Scores `MIN_SURPRISE` deviations off."""
    seen: set[str] = set()
    for score in far_scores(rated):
        event = dataset.events[score.event]
        if len(event.players) == 2 and score.event in seen:
            continue  # the other side of the same match
        seen.add(score.event)
        yield at_appearance(
            event,
            dataset.players[score.player],
            f"`{score.player}` scored {number_text(score.score)} of {number_text(score.games)} "
            f"where {score.expected:.1f} were to be expected, {abs(score.surprise):.1f} deviations "
            "off, judged by the ratings that include it",
            "look for a wrong score, a namesake, or odds that are not stated",
            score.player,
        )


def far_scores(done: FittedNetwork) -> list[Score]:
    """Return the scores at least `MIN_SURPRISE` deviations off, in the order of the events."""
    games, lines = _games(done), _lines(done)
    luck = lines.sums(games.variance, games.variance)
    short = lines.sums(games.points - games.expected, games.expected - games.points)
    played = lines.sums(games.games, games.games)
    doubtful = np.abs(short) >= LEAST_SIGN * np.sqrt(done.settings.variance_factor * luck)
    chosen = np.flatnonzero(doubtful & (played >= FEWEST_GAMES))
    left = luck[chosen] - _absorbed(done, games, lines, chosen)
    floor = np.finfo(float).eps * luck[chosen]  # where nothing else is known of the player
    surprise = short[chosen] / np.sqrt(done.settings.variance_factor * np.maximum(left, floor))
    score = lines.sums(games.points, games.games - games.points)
    return [
        Score(
            *lines.keys[row][:2],
            score=float(score[row]),
            games=float(played[row]),
            expected=float(score[row] - short[row]),
            surprise=float(one),
        )
        for row, one in zip(chosen.tolist(), surprise, strict=True)
        if abs(one) >= MIN_SURPRISE
    ]


@dataclass(frozen=True, slots=True)
class _Games:
    """The pairings of a pass, all (n_pairings,): nodes, the first one's points, and expectations.

    `variance` [points^2] is that of win-or-lose games; it is also the information of the pairing.
    """

    i: Ints
    j: Ints
    points: Floats
    games: Floats
    expected: Floats
    variance: Floats


@dataclass(frozen=True, slots=True)
class _Lines:
    """What each player scored in each event and year: `first`, `second` (n_pairings,) say whose."""

    keys: Sequence[tuple[str, str, int]]
    first: Ints
    second: Ints

    def sums(self, of_first: Floats, of_second: Floats) -> Floats:
        """Return the sum of each line over its pairings, (n_lines,)."""
        sides = ((self.first, of_first), (self.second, of_second))
        return np.asarray(sum(np.bincount(of, x, len(self.keys)) for of, x in sides), np.float64)


def _games(done: FittedNetwork) -> _Games:
    pairings, (i, j) = done.network.pairings, done.network.pairing_nodes()
    points, games = pairings.score, pairings.count
    share = expected_scores(done.raw[i] - done.raw[j] + pairings.odds)
    return _Games(i, j, points, games, games * share, games * share * (1 - share))


def _lines(done: FittedNetwork) -> _Lines:
    """Return the lines in the order in which the pairings name them, the first player's first."""
    net = done.network
    nodes = net.pairing_nodes()
    keys = (nodes + len(net.year) * net.pairings.event).T.ravel()  # of a node in an event
    unique, begins, line = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(begins)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    first, second = place[line].reshape(-1, 2).T
    players, years, events = net.player_ids(), net.year.tolist(), net.pairings.events
    named = (divmod(key, len(years)) for key in unique[order].tolist())
    return _Lines([(events[k], players[node], years[node]) for k, node in named], first, second)


def _absorbed(done: FittedNetwork, games: _Games, lines: _Lines, chosen: Ints) -> Floats:
    """Return the part of the variance of the chosen lines that the fit has absorbed, (k,).

    It is d' C d, of the covariances C of the fit and the derivative d of the expected score. Most
    lines take only covariances of players who met, and these are quick to compute.
    """
    column = np.full(len(lines.keys), -1)
    column[chosen] = np.arange(len(chosen))
    of = np.r_[column[lines.first], column[lines.second]]
    here, size = of >= 0, (len(chosen), len(done.fit.theta))
    own, other = np.r_[games.i, games.j][here], np.r_[games.j, games.i][here]
    values, rows = np.tile(games.variance, 2)[here], np.tile(of[here], 2)
    slope = coo_array((np.r_[values, -values], (rows, np.r_[own, other])), shape=size).tocsr()
    found = done.fit.information.quadratic_forms(slope)
    unknown = np.flatnonzero(np.isnan(found))
    for some in np.array_split(unknown, len(unknown) // SOLVED_AT_ONCE + 1):
        dense = slope[some].toarray().T
        found[some] = np.sum(dense * done.fit.information.solve(dense), axis=0)
    return found
