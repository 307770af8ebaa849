"""Everything that pages and data files show of the joint distribution of the ratings.

`answer` computes it. This module has what follows directly from the distribution: probabilities of
ranks and peak years, comparisons of rivals, correlations; `influence` and `outliers` have what
follows from leaving out each event.

Ranks, and the question who was the strongest, are asked of the players with enough evidence for a
rank only (`edo.rating.evidence`).

Probabilities about two ratings have closed forms, those about many are counted in joint draws. The
seed for a year is the year, the seed for a player comes from the id, so that nothing else in the
history changes the random numbers.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType

import numpy as np

from edo.core import parallel
from edo.core.scale import Ints
from edo.rating.edo import FittedNetwork
from edo.rating.inference import influence, outliers
from edo.rating.inference.answers import (
    Answers,
    Comparison,
    CorrelationMatrix,
    Correlations,
    PeakYear,
    RankProbabilities,
    Superiority,
)
from edo.rating.inference.joint import Block, Condensed, blocks, condense, same_age
from edo.rating.inference.leave_one_out import leave_out_each
from edo.rating.network import ResultsNetwork

PARALLEL_FROM = 500  # player-years; a second process for fewer takes longer to start than it saves
DRAWS = 20_000  # standard error of a probability: 0.0035 at one half, 0.0007 at 1 %
YEAR_SEED, PLAYER_SEED = 1, 2  # first words of the seeds, so that years and players differ
TAIL = 0.05  # probability outside the range of ranks, on each side
TOP = 10  # places
LEADING = 10  # players of a year compared with each other
RIVALS = 8  # rivals of a player at most
MIN_RIVAL_GAMES = 2.0  # games against a rival at least
UNKNOWN: Mapping[str, int] = MappingProxyType({})


def answer(fitted: FittedNetwork, born: Mapping[str, int]) -> Answers:
    """Return all answers, computed by two processes where the history is large.

    `born` is the year of birth of each player of whom it is known.
    """
    is_large = len(fitted.raw) >= PARALLEL_FROM
    return combine(*parallel.run_parallel("inference", tasks(fitted, born), is_large))


def tasks(fitted: FittedNetwork, born: Mapping[str, int]) -> list[Callable[[], Answers]]:
    """Return the two halves of the work, the longer one first, for `combine`."""
    network = condense(fitted)
    return [
        partial(from_distribution, fitted, network, born),
        partial(from_leave_one_out, fitted, network),
    ]


def combine(distribution: Answers, leave_one_out: Answers) -> Answers:
    """Return the answers of both tasks together."""
    return replace(
        distribution,
        influences=leave_one_out.influences,
        bridges=leave_one_out.bridges,
        outliers=leave_one_out.outliers,
    )


def from_leave_one_out(fitted: FittedNetwork, network: Condensed) -> Answers:
    """Return the answers that follow from the ratings without each event."""
    without = tuple(leave_out_each(fitted, network))
    return Answers(
        influences=influence.influences(fitted, without),
        bridges=influence.bridges(fitted, without),
        outliers=outliers.outliers(fitted, without),
    )


def from_distribution(
    fitted: FittedNetwork, network: Condensed, born: Mapping[str, int] = UNKNOWN
) -> Answers:
    """Return the answers that follow directly from the joint distribution.

    `network` is the condensed one of the pass, `born` the years of birth as in `answer`.
    """
    net = fitted.network
    years = [int(year) for year in np.unique(net.year)]
    of_years = [np.flatnonzero(net.year == year) for year in years]
    of_players = [np.arange(a, b) for a, b in zip(net.start[:-1], net.start[1:], strict=True)]
    of_ages = same_age(net, born)
    computed = iter(blocks(fitted, network, [*of_years, *of_players, *of_ages.values()]))
    by_year = {year: next(computed) for year in years}
    by_player = {player: next(computed) for player in net.players}
    by_age = {age: next(computed) for age in of_ages}
    names = net.player_ids()
    ranked = fitted.evidence.ranked
    with_rank = {
        year: block.part(np.flatnonzero(ranked[block.nodes]))
        for year, block in by_year.items()
        if ranked[block.nodes].any()
    }
    return Answers(
        rank_probabilities={
            (one.player, year): one
            for year, block in with_rank.items()
            for one in _rank_probabilities(year, block, names)
        },
        superiority={year: _superiority(year, block, names) for year, block in with_rank.items()},
        rivals=_rivals(fitted, by_year, names),
        peaks={player: _peaks(player, block, fitted) for player, block in by_player.items()},
        correlations=Correlations(
            {year: _correlated(block, names) for year, block in by_year.items()},
            {age: _correlated(block, names) for age, block in by_age.items()},
        ),
    )


def _rank_probabilities(year: int, block: Block, names: list[str]) -> Iterator[RankProbabilities]:
    """Yield the rank probabilities of every player in the block of a year."""
    counts = _rank_counts(block, year)
    cumulative = np.cumsum(counts, axis=1)
    for node, own, within in zip(block.nodes, counts, cumulative, strict=True):
        yield RankProbabilities(
            names[node],
            year,
            first=float(own[0] / DRAWS),
            top_ten=float(own[:TOP].sum() / DRAWS),
            rank_low=_quantile(within, TAIL),
            rank_high=_quantile(within, 1 - TAIL),
        )


def _rank_counts(block: Block, year: int) -> Ints:
    """Return the number of draws with each rank, (k, k): a row per player, rank 1 at 0."""
    k = len(block.nodes)
    counts = np.zeros(k * k, np.int64)
    ranks = np.arange(k)
    for draws in block.draws((YEAR_SEED, year), DRAWS):
        best_first = np.argsort(-draws, axis=1)
        counts += np.bincount((best_first * k + ranks).ravel(), minlength=k * k)
    return counts.reshape(k, k)


def _quantile(within: Ints, probability: float) -> int:
    """Return the lowest rank whose cumulative probability is at least this."""
    return int(np.searchsorted(within, round(probability * DRAWS))) + 1


def _superiority(year: int, block: Block, names: list[str]) -> Superiority:
    leading = np.argsort(-block.mean, kind="stable")[:LEADING]
    probability = block.part(leading).superiority()
    return Superiority(
        year,
        tuple(names[node] for node in block.nodes[leading]),
        tuple(tuple(row) for row in probability.tolist()),
    )


def _peaks(player: str, block: Block, fitted: FittedNetwork) -> tuple[PeakYear, ...]:
    """Return the years that can be a peak, as in `Ratings.peak`.

    They are those with results and a rank, or all with results where none has a rank.
    """
    net = fitted.network
    played = net.games[block.nodes] > 0
    ranked = played & fitted.evidence.ranked[block.nodes]
    own = block.part(np.flatnonzero(ranked if ranked.any() else played))
    peak = int(np.argmax(own.mean))
    best = np.zeros(len(own.nodes), np.int64)
    for draws in own.draws((PLAYER_SEED, zlib.crc32(player.encode())), DRAWS):
        best += np.bincount(draws.argmax(axis=1), minlength=len(best))
    below = own.mean[peak] - own.mean
    rows = zip(net.year[own.nodes], best / DRAWS, below, own.deviations()[peak], strict=True)
    return tuple(PeakYear(int(year), *map(float, numbers)) for year, *numbers in rows)


def _correlated(block: Block, names: list[str]) -> CorrelationMatrix:
    spread = np.sqrt(block.covariance.diagonal())
    rho = (block.covariance / spread / spread[:, None]).astype(np.float32)
    return CorrelationMatrix(tuple(names[node] for node in block.nodes), rho)


def _rivals(
    fitted: FittedNetwork, by_year: Mapping[int, Block], names: list[str]
) -> dict[str, tuple[Comparison, ...]]:
    """Return the comparison of each player with his rivals, most games first.

    Rivals are the opponents with most rated games against him, at least two; they are compared in
    the year with most of these games, the later one of equals. A player without such an opponent
    is compared with the next above and below him in the list of the year in which he played most.
    """
    all_games = _games_by_opponent(fitted.network)
    tables = {year: (b, b.deviations(), b.superiority()) for year, b in by_year.items()}

    def compare(player: str, rival: str, year: int) -> Comparison:
        block, deviation, probability = tables[year]
        i, j = np.searchsorted(block.nodes, [fitted.node(player, year), fitted.node(rival, year)])
        lead = float(block.mean[i] - block.mean[j])
        return Comparison(rival, year, lead, float(deviation[i, j]), float(probability[i, j]))

    return {
        player: tuple(
            compare(player, rival, year)
            for rival, year in _main_rivals(games) or _neighbours(player, games, by_year, names)
        )
        for player, games in all_games.items()
    }


GamesByOpponent = Mapping[str, Mapping[int, float]]
"""A player's rated games [games] by opponent and year."""


def _games_by_opponent(net: ResultsNetwork) -> dict[str, GamesByOpponent]:
    games: dict[str, dict[str, dict[int, float]]] = {player: {} for player in net.players}
    for pairing in net.pairings:
        a, b = pairing.first.player, pairing.second.player
        for one, other in ((a, b), (b, a)):
            years = games[one].setdefault(other, defaultdict(float))
            years[pairing.year] += pairing.games
    return {player: dict(opponents) for player, opponents in games.items()}


def _main_rivals(games: GamesByOpponent) -> list[tuple[str, int]]:
    """Return the opponents with most games, each with the year of most of these games."""
    total = {rival: sum(years.values()) for rival, years in games.items()}
    most = sorted((r for r in games if total[r] >= MIN_RIVAL_GAMES), key=lambda r: (-total[r], r))
    return [(rival, _busiest_year(games[rival])) for rival in most[:RIVALS]]


def _busiest_year(games: Mapping[int, float]) -> int:
    """Return the year with most games, the last of equals."""
    return max(games, key=lambda year: (games[year], year))


def _neighbours(
    player: str, games: GamesByOpponent, by_year: Mapping[int, Block], names: list[str]
) -> list[tuple[str, int]]:
    """Return the next above and below in the list of the year with most games, with the year."""
    of_year: dict[int, float] = defaultdict(float)
    for years in games.values():
        for year, number in years.items():
            of_year[year] += number
    year = _busiest_year(of_year)
    block = by_year[year]
    ranked: Ints = block.nodes[np.argsort(-block.mean, kind="stable")]
    listed = [names[node] for node in ranked]
    place = listed.index(player)
    around = [*listed[max(place - 1, 0) : place], *listed[place + 1 : place + 2]]
    return [(rival, year) for rival in around]
