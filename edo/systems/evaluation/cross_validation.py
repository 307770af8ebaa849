"""Cross-validation of the Edo pass: predictions of pairings by ratings fitted without them.

Pairings are left out in two ways: at random, a part at a time, or whole years, each of which is
then predicted by the ratings of the year before and of the year after.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np

from edo.core.model import Dataset
from edo.core.scale import Floats, elo_from_theta, expected_scores
from edo.core.settings import Settings
from edo.rating import network
from edo.rating.edo import run
from edo.rating.fit.bradley_terry import fit
from edo.rating.network import ResultsNetwork
from edo.rating.pairings import Pairing
from edo.systems.games import Bools, Ints


def log_losses(score: Floats, games: Floats, expected: Floats) -> Floats:
    """Return minus the log-likelihood (n,) [nat] of scores in so many games, expected per game."""
    return np.asarray(-score * np.log(expected) - (games - score) * np.log1p(-expected))


@dataclass(frozen=True, slots=True)
class Predictions:
    """The results of n pairings, and the predictions of ratings that did not use them.

    `score` [points] and `games` (n,) are the result; `expected` (n,) is the first player's expected
    score per game; `event` (n,) the ids of the events.
    """

    event: tuple[str, ...]
    score: Floats
    games: Floats
    expected: Floats

    def log_losses(self) -> Floats:
        """Return minus the log-likelihood (n,) [nat] of the scores."""
        return log_losses(self.score, self.games, self.expected)

    def log_loss(self) -> float:
        """Return the mean log loss of a game [nat]; ln 2 if a half is always expected."""
        return float(self.log_losses().sum() / self.games.sum())

    def error(self) -> float:
        """Return the root mean square error [points per game], weighted by games."""
        off = self.score / self.games - self.expected
        return float(np.sqrt(np.sum(self.games * off**2) / self.games.sum()))


@dataclass(frozen=True, slots=True)
class Fitted:
    """A network and the rating (n_player_years,) [Elo] of each player-year in it."""

    network: ResultsNetwork
    rating: Floats


Rate = Callable[[Sequence[Pairing]], Fitted]


def scorable(dataset: Dataset, pairings: Sequence[Pairing]) -> Bools:
    """Return which (n,) pairings can score predictions: without odds, with a score as played.

    Scores that an editor made up (soft results), that are scaled from a proportion or stand for
    totals are not what ratings could predict.
    """
    as_played: dict[tuple[str, frozenset[str]], bool] = {}
    for event in dataset.events.values():
        for result in event.results:
            key = event.id, frozenset((result.first, result.second))
            played = result.soft is None and result.proportion is None
            as_played[key] = as_played.get(key, True) and played
    return np.array(
        [
            p.basis == "results"
            and p.first.odds is None
            and p.second.odds is None
            and as_played.get((p.event, frozenset((p.first.player, p.second.player))), False)
            for p in pairings
        ],
        bool,
    )


def random_parts(scored: Bools, parts: int, seed: int) -> Ints:
    """Return the part (n,) from 0 in which each scored pairing is left out; `parts` for others.

    The parts are of the same size to one pairing.
    """
    part = np.full(len(scored), parts)
    shuffled = np.random.default_rng(seed).permutation(int(scored.sum()))
    part[scored] = shuffled % parts
    return part


def raw_ratings(pairings: Sequence[Pairing], settings: Settings) -> Fitted:
    """Return the raw ratings of all pairings, without their deviations and without a scale."""
    net = network.build(pairings, settings)
    return Fitted(net, elo_from_theta(fit(net.comparisons).theta[: len(net.year)]))


def adjusted_ratings(pairings: Sequence[Pairing], settings: Settings) -> Fitted:
    """Return the adjusted ratings of all pairings; raises what `run` raises."""
    done = run(pairings, settings)
    return Fitted(done.network, done.rating)


def held_out(pairings: Sequence[Pairing], left_out: Bools, rate: Rate) -> Predictions:
    """Return the predictions of the pairings left out, the rest being rated by `rate`."""
    return _predicted(rate(_where(pairings, ~left_out)), _where(pairings, left_out), 0)


def neighbouring_years(
    pairings: Sequence[Pairing], scored: Bools, left_out: Bools, rate: Rate
) -> tuple[Predictions, Predictions]:
    """Return the predictions of whole years left out by the year before and by the year after.

    Everything of these years is left out; only scored pairings are predicted, and only those whose
    two players have a rating in that neighbouring year.
    """
    rated, tested = rate(_where(pairings, ~left_out)), _where(pairings, left_out & scored)
    return _predicted(rated, tested, -1), _predicted(rated, tested, 1)


def joined(parts: Sequence[Predictions]) -> Predictions:
    """Return several predictions as one."""
    return Predictions(
        tuple(event for part in parts for event in part.event),
        *(
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("score", "games", "expected")
        ),
    )


def finder(net: ResultsNetwork) -> Callable[[str, int], int | None]:
    """Return a function for the index of a player-year, None where the network has none."""
    number = {player: k for k, player in enumerate(net.players)}

    def find(player: str, year: int) -> int | None:
        k = number.get(player)
        if k is None:
            return None
        node = int(net.start[k]) + year - int(net.year[net.start[k]])
        return node if net.start[k] <= node < net.start[k + 1] else None

    return find


def _where(pairings: Sequence[Pairing], mask: Bools) -> list[Pairing]:
    return list(compress(pairings, mask))


def _predicted(rated: Fitted, pairings: Iterable[Pairing], shift: int) -> Predictions:
    """Return the predictions by ratings `shift` years off of those pairings that have them."""
    find = finder(rated.network)
    found = [
        (pairing, a, b)
        for pairing in pairings
        if (a := find(pairing.first.player, pairing.year + shift)) is not None
        and (b := find(pairing.second.player, pairing.year + shift)) is not None
    ]
    nodes = np.array([nodes for _, *nodes in found], np.int64).reshape(-1, 2)
    return Predictions(
        tuple(pairing.event for pairing, _, _ in found),
        np.array([pairing.score for pairing, _, _ in found], np.float64),
        np.array([pairing.games for pairing, _, _ in found], np.float64),
        expected_scores(rated.rating[nodes[:, 0]] - rated.rating[nodes[:, 1]]),
    )
