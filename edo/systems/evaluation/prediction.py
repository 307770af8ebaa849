"""Pairings in; what ratings fitted without some of them expected of those, out.

Two ways to leave pairings out: at random, a part at a time, or whole years, each of which is then
foretold by the ratings of the year before and of the year after.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from edo.core.model import Dataset
from edo.core.scale import Floats, elo_from_theta, expected_scores
from edo.core.settings import Settings
from edo.rating import network
from edo.rating.edo import run
from edo.rating.fit.bradley_terry import fit
from edo.rating.network import ResultsNetwork
from edo.rating.pairings import Pairing

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]


def log_losses(score: Floats, games: Floats, expected: Floats) -> Floats:
    """Return minus the log-likelihood (n,) [nat] of scores in so many games, expected per game."""
    return np.asarray(-score * np.log(expected) - (games - score) * np.log1p(-expected))


@dataclass(frozen=True, slots=True)
class Forecast:
    """What happened in n pairings, and what ratings that did not know of it expected.

    `score` [points] and `games` (n,) happened; `expected` (n,) is the first player's expected
    score per game; `event` (n,) names where it was.
    """

    event: tuple[str, ...]
    score: Floats
    games: Floats
    expected: Floats

    def log_losses(self) -> Floats:
        """Return minus the log-likelihood (n,) [nat] of the scores."""
        return log_losses(self.score, self.games, self.expected)

    def log_loss(self) -> float:
        """Return the mean log loss of a game [nat]; ln 2 for whoever always expects a half."""
        return float(self.log_losses().sum() / self.games.sum())

    def error(self) -> float:
        """Return the root of the mean squared error [points per game], weighted by games."""
        off = self.score / self.games - self.expected
        return float(np.sqrt(np.sum(self.games * off**2) / self.games.sum()))


@dataclass(frozen=True, slots=True)
class Fitted:
    """A network and the rating (n_player_years,) [Elo] of each player-year in it."""

    network: ResultsNetwork
    rating: Floats


def judged(dataset: Dataset, pairings: Sequence[Pairing]) -> Bools:
    """Return which (n,) pairings can judge ratings: at even play, with a score that was played.

    Scores that an editor made up (soft results), that are scaled from a share or stand for totals
    are not what anybody could foretell.
    """
    stated: dict[tuple[str, frozenset[str]], bool] = {}
    for event in dataset.events.values():
        for result in event.results:
            key = event.id, frozenset((result.first, result.second))
            played = result.soft is None and result.proportion is None
            stated[key] = stated.get(key, True) and played
    return np.array(
        [
            p.basis == "results"
            and p.first.odds is None
            and p.second.odds is None
            and stated.get((p.event, frozenset((p.first.player, p.second.player))), False)
            for p in pairings
        ],
        bool,
    )


def random_parts(judging: Bools, parts: int, seed: int) -> Ints:
    """Return the part (n,) from 0 in which each judging pairing is left out; `parts` for others.

    The parts are of the same size to one pairing.
    """
    part = np.full(len(judging), parts)
    shuffled = np.random.default_rng(seed).permutation(int(judging.sum()))
    part[judging] = shuffled % parts
    return part


def raw_ratings(pairings: Sequence[Pairing], settings: Settings) -> Fitted:
    """Return the raw ratings of all pairings, without their deviations and without a scale."""
    net = network.build(pairings, settings)
    return Fitted(net, elo_from_theta(fit(net.comparisons).theta[: len(net.year)]))


def adjusted_ratings(pairings: Sequence[Pairing], settings: Settings) -> Fitted:
    """Return the adjusted ratings of all pairings; raises what `run` raises."""
    done = run(pairings, settings)
    return Fitted(done.network, done.rating)


def held_out(
    pairings: Sequence[Pairing], left_out: Bools, rate: Callable[[Sequence[Pairing]], Fitted]
) -> Forecast:
    """Return what the rest, rated by `rate`, expects of the pairings left out."""
    kept, tested = _split(pairings, left_out, left_out)
    return _forecast(rate(kept), tested, 0)


def neighbouring_years(
    pairings: Sequence[Pairing],
    judging: Bools,
    left_out: Bools,
    rate: Callable[[Sequence[Pairing]], Fitted],
) -> tuple[Forecast, Forecast]:
    """Return what the year before and the year after expect of whole years left out.

    Everything of these years is left out; only judging pairings are foretold, and only those whose
    two players have a rating in that neighbouring year.
    """
    kept, tested = _split(pairings, left_out, left_out & judging)
    rated = rate(kept)
    return _forecast(rated, tested, -1), _forecast(rated, tested, 1)


def joined(parts: Sequence[Forecast]) -> Forecast:
    """Return several forecasts as one."""
    return Forecast(
        tuple(event for part in parts for event in part.event),
        *(
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("score", "games", "expected")
        ),
    )


def finder(net: ResultsNetwork) -> Callable[[str, int], int | None]:
    """Return what tells the index of a player-year, or None where the network has none."""
    first = dict(zip(net.players, net.start[:-1].tolist(), strict=True))
    end = dict(zip(net.players, net.start[1:].tolist(), strict=True))
    first_year = {player: int(net.year[node]) for player, node in first.items()}

    def find(player: str, year: int) -> int | None:
        if player not in first or year < first_year[player]:
            return None
        node: int = first[player] + year - first_year[player]
        return node if node < end[player] else None

    return find


def _split(
    pairings: Sequence[Pairing], left_out: Bools, tested: Bools
) -> tuple[list[Pairing], list[Pairing]]:
    kept = [pairing for pairing, out in zip(pairings, left_out, strict=True) if not out]
    return kept, [pairing for pairing, test in zip(pairings, tested, strict=True) if test]


def _forecast(rated: Fitted, pairings: Iterable[Pairing], shift: int) -> Forecast:
    """Return what the ratings `shift` years off expect of those pairings that have them."""
    find = finder(rated.network)
    found = [
        (pairing, a, b)
        for pairing in pairings
        if (a := find(pairing.first.player, pairing.year + shift)) is not None
        and (b := find(pairing.second.player, pairing.year + shift)) is not None
    ]
    firsts = np.array([node for _, node, _ in found], np.int64)
    seconds = np.array([node for _, _, node in found], np.int64)
    return Forecast(
        tuple(pairing.event for pairing, _, _ in found),
        np.array([pairing.score for pairing, _, _ in found], np.float64),
        np.array([pairing.games for pairing, _, _ in found], np.float64),
        expected_scores(rated.rating[firsts] - rated.rating[seconds]),
    )
