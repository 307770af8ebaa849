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
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np
from scipy.special import ndtr

from edo.core import parallel
from edo.core.scale import Ints
from edo.rating.edo import DIGITS, RatedNetwork
from edo.rating.inference import across, influence, outliers
from edo.rating.inference.answers import (
    Answers,
    Bridge,
    Comparison,
    CorrelationMatrix,
    OfYear,
    Outlier,
    PeakYear,
    RankProbabilities,
    Superiority,
)
from edo.rating.inference.joint import Block, Joint, blocks, condense
from edo.rating.inference.leave_one_out import LeaveOneOut, leave_out_each
from edo.rating.network import ResultsNetwork

PARALLEL_FROM = 500  # player-years; a second process for fewer takes longer to start than it saves
DRAWS = 10_000  # standard error of a probability: 0.005 at one half, 0.001 at 1 %
MANY = 200  # ranked players of a year: with more, draws are fewer, for the same work
YEAR_SEED, PLAYER_SEED = 1, 2  # first words of the seeds, so that years and players differ
TAIL = 0.05  # probability outside the range of ranks, on each side
FARTHEST = 8192.0  # [Elo] between the highest rating of a year and any draw at most
TOP = 10  # places
FEWEST = 5  # players: the first of fewer is not shown with a probability
LEADING = 10  # players of a year compared with each other
RIVALS = 8  # rivals of a player at most
EVERYBODY = 150  # players of a year: of more, only the correlations of the ranked ones
MIN_RIVAL_GAMES = 2.0  # games against a rival at least

Pair = Sequence[OfYear]
"""Two player-years."""


def answer(
    fitted: RatedNetwork, question: Sequence[OfYear] = (), matches: Sequence[Pair] = ()
) -> Answers:
    """Return all answers, computed by two processes where the history is large.

    `question` is the two player-years that the site compares on its front page, if any, `matches`
    those of matches that were never played.
    """
    is_large = len(fitted.raw) >= PARALLEL_FROM
    return combine(*parallel.run_parallel("inference", tasks(fitted, question, matches), is_large))


def tasks(
    fitted: RatedNetwork, question: Sequence[OfYear] = (), matches: Sequence[Pair] = ()
) -> list[Callable[[], Answers]]:
    """Return the two halves of the work for `combine`."""
    network = condense(fitted)
    return [
        partial(from_distribution, fitted, network, question, matches),
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


def from_leave_one_out(fitted: RatedNetwork, network: Joint) -> Answers:
    """Return the answers that follow from the ratings without each event."""
    bridges: list[Bridge] = []
    surprising: list[Outlier] = []

    def tapped() -> Iterator[LeaveOneOut]:
        for without_event in leave_out_each(fitted, network):
            bridges.extend(influence.bridges(fitted, [without_event]))
            surprising.extend(outliers.outliers(fitted, [without_event]))
            yield without_event

    return Answers(
        influences=influence.influences(fitted, tapped()),
        bridges=tuple(sorted(bridges, key=influence.most_players)),
        outliers=tuple(sorted(surprising, key=outliers.most_surprising)),
    )


def from_distribution(
    fitted: RatedNetwork,
    network: Joint,
    question: Sequence[OfYear] = (),
    matches: Sequence[Pair] = (),
) -> Answers:
    """Return the answers that follow directly from the joint distribution.

    `network` is the condensed one of the pass, `question` and `matches` are as in `answer`.
    """
    net = fitted.network
    peak_years = [_peak_years(fitted, *span) for span in pairwise(net.start.tolist())]
    # Contemporaries together: their covariances need the same part of the factor.
    order = sorted(range(len(peak_years)), key=lambda player: net.year[peak_years[player]].mean())
    of_players = blocks(fitted, network, (peak_years[player] for player in order))
    return replace(
        _of_years(fitted, network),
        peaks={
            net.players[player]: _peaks(net.players[player], block, net.year)
            for player, block in zip(order, of_players, strict=True)
        },
        question=across.compared(fitted, network, question),
        matches=tuple(across.compared(fitted, network, pair) for pair in matches),
        highest=across.peaks(fitted, network),
        common=across.common_part(fitted, network),
    )


def _of_years(fitted: RatedNetwork, network: Joint) -> Answers:
    """Return the answers about the players of each year."""
    net, ranked, names = fitted.network, fitted.evidence.ranked, fitted.network.player_ids()
    by_year = {int(year): np.flatnonzero(net.year == year) for year in np.unique(net.year)}
    rivals = _chosen_rivals(fitted, by_year, names)
    compared, nobody = _pairs_by_year(fitted, rivals), np.empty((2, 0), np.int64)
    circles = {year: _circle(fitted, nodes) for year, nodes in by_year.items()}
    groups = (
        np.unique(np.concatenate([circle, *compared.get(year, nobody)]))
        for year, circle in circles.items()
    )
    chances: dict[tuple[str, int], RankProbabilities] = {}
    superiority: dict[int, Superiority] = {}
    correlated: dict[int, CorrelationMatrix] = {}
    comparisons: dict[tuple[str, str, int], Comparison] = {}
    for year, block in zip(circles, blocks(fitted, network, groups), strict=True):
        circle = block.part(np.searchsorted(block.nodes, circles[year]))
        correlated[year] = _correlated(circle, names)
        for player, comparison in _comparisons(year, block, compared.get(year, nobody), names):
            comparisons[player, comparison.rival, year] = comparison
        with_rank = circle.part(np.flatnonzero(ranked[circle.nodes]))
        if len(with_rank.nodes):
            superiority[year] = _superiority(year, with_rank, names)
        if len(with_rank.nodes) >= FEWEST:
            for chance in _rank_probabilities(year, with_rank, names):
                chances[chance.player, year] = chance
    return Answers(
        rank_probabilities=chances,
        superiority=superiority,
        rivals={
            player: tuple(comparisons[player, rival, year] for rival, year in rivals_and_years)
            for player, rivals_and_years in rivals.items()
        },
        correlations=correlated,
    )


def _circle(fitted: RatedNetwork, nodes: Ints) -> Ints:
    """Return those of a year whose correlations are kept: of many, those with a rank."""
    return nodes if len(nodes) <= EVERYBODY else nodes[fitted.evidence.ranked[nodes]]


def _rank_probabilities(year: int, block: Block, names: list[str]) -> Iterator[RankProbabilities]:
    """Yield the rank probabilities of every player in the block of a year."""
    counts = _rank_counts(block, year)
    cumulative, draws = np.cumsum(counts, axis=1), int(counts[0].sum())
    for node, of_player, within in zip(block.nodes, counts, cumulative, strict=True):
        yield RankProbabilities(
            names[node],
            year,
            first=float(of_player[0] / draws),
            top_ten=float(of_player[:TOP].sum() / draws),
            rank_low=_quantile(within, TAIL),
            rank_high=_quantile(within, 1 - TAIL),
        )


def _rank_counts(block: Block, year: int) -> Ints:
    """Return the number of draws with each rank, (k, k): a row per player, rank 1 at 0."""
    k = len(block.nodes)
    counts = np.zeros(k * k, np.int64)
    ranks, bits = np.arange(k), k.bit_length()
    # The player stands in the last bits of a whole number, behind the draw: these are sorted
    # several times as fast as draws are with their places. With 300 players, 1/512 Elo counts.
    unit = 2.0 ** (31 - bits) / FARTHEST
    for draws in block.draws((YEAR_SEED, year), DRAWS * MANY // max(k, MANY)):
        places = ((block.mean.max() - draws) * unit).astype(np.int32) << bits
        places |= ranks.astype(np.int32)
        places.sort(axis=1)
        best_first = places & (2**bits - 1)
        counts += np.bincount((best_first * k + ranks).ravel(), minlength=k * k)
    return counts.reshape(k, k)


def _quantile(within: Ints, probability: float) -> int:
    """Return the lowest rank whose cumulative probability is at least this."""
    # rounded, as 0.95 of the draws may lie just above a whole number
    return int(np.searchsorted(within, round(probability * within[-1]))) + 1


def _superiority(year: int, block: Block, names: list[str]) -> Superiority:
    leading = np.argsort(-block.mean.round(DIGITS), kind="stable")[:LEADING]
    probability = block.part(leading).superiority()
    return Superiority(
        year,
        tuple(names[node] for node in block.nodes[leading]),
        tuple(tuple(row) for row in probability.tolist()),
    )


def _peak_years(fitted: RatedNetwork, begin: int, end: int) -> Ints:
    """Return the years of a player that can be a peak, as in `Ratings.peak`.

    They are those with results and a rank, or all with results where none has a rank.
    """
    played = begin + np.flatnonzero(fitted.network.games[begin:end] > 0)
    ranked = played[fitted.evidence.ranked[played]]
    return ranked if len(ranked) else played


def _peaks(player: str, block: Block, year: Ints) -> tuple[PeakYear, ...]:
    """Return the chance of each of these years of a player to be the best."""
    peak = int(np.argmax(block.mean.round(DIGITS)))
    best = np.zeros(len(block.nodes), np.int64)
    if len(best) == 1:
        best[0] = DRAWS
    else:
        seed = PLAYER_SEED, zlib.crc32(player.encode())  # hash() differs from run to run
        for draws in block.draws(seed, DRAWS):
            best += np.bincount(draws.argmax(axis=1), minlength=len(best))
    below = block.mean[peak] - block.mean
    rows = zip(year[block.nodes], best / DRAWS, below, block.deviations()[peak], strict=True)
    return tuple(PeakYear(int(of_year), *map(float, numbers)) for of_year, *numbers in rows)


def _correlated(block: Block, names: list[str]) -> CorrelationMatrix:
    spread = np.sqrt(block.covariance.diagonal())
    rho = (block.covariance / spread / spread[:, None]).astype(np.float32)
    return CorrelationMatrix(tuple(names[node] for node in block.nodes), rho)


def _chosen_rivals(
    fitted: RatedNetwork, by_year: Mapping[int, Ints], names: list[str]
) -> dict[str, list[tuple[str, int]]]:
    """Return the rivals of each player, most games first, each with the year of the comparison.

    Rivals are the opponents with most rated games against him, at least two; they are compared in
    the year with most of these games, the later one of equals. A player without such an opponent
    is compared with the next above and below him in the list of the year in which he played most.
    """
    listed = {
        year: [
            names[node]
            for node in nodes[np.argsort(-fitted.rating[nodes].round(DIGITS), kind="stable")]
        ]
        for year, nodes in by_year.items()
    }
    return {
        player: _main_rivals(games) or _neighbours(player, games, listed)
        for player, games in _games_by_opponent(fitted.network).items()
    }


def _pairs_by_year(
    fitted: RatedNetwork, rivals: Mapping[str, Sequence[tuple[str, int]]]
) -> dict[int, Ints]:
    """Return the player-years (2, m) of the players and rivals compared in each year."""
    pairs: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for player, rivals_and_years in rivals.items():
        for rival, year in rivals_and_years:
            pairs[year].append((fitted.node(player, year), fitted.node(rival, year)))
    return {year: np.array(of_year, np.int64).T for year, of_year in pairs.items()}


def _comparisons(
    year: int, block: Block, pairs: Ints, names: list[str]
) -> Iterator[tuple[str, Comparison]]:
    """Yield the comparisons of pairs (2, m) of player-years, each with the id of the player."""
    i, j = np.searchsorted(block.nodes, pairs)
    deviation = block.deviations_between(i, j)
    lead = block.mean[i] - block.mean[j]
    columns = lead, deviation, ndtr(lead / deviation)
    numbers_of = zip(*(column.tolist() for column in columns), strict=True)
    for player, rival, numbers in zip(*pairs.tolist(), numbers_of, strict=True):
        yield names[player], Comparison(names[rival], year, *numbers)


GamesByOpponent = Mapping[str, Mapping[int, float]]
"""A player's rated games [games] by opponent and year."""


def _games_by_opponent(net: ResultsNetwork) -> dict[str, GamesByOpponent]:
    games: dict[str, dict[str, dict[int, float]]] = {player: {} for player in net.players}
    pairings = net.pairings
    columns = (pairings.first, pairings.second, pairings.year, pairings.count)
    for first, second, year, count in zip(*(column.tolist() for column in columns), strict=True):
        a, b = net.players[first], net.players[second]
        for player, opponent in ((a, b), (b, a)):
            games[player].setdefault(opponent, defaultdict(float))[year] += count
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
    player: str, games: GamesByOpponent, listed: Mapping[int, list[str]]
) -> list[tuple[str, int]]:
    """Return the next above and below in the list of the year with most games, with the year."""
    of_year: dict[int, float] = defaultdict(float)
    for years in games.values():
        for year, number in years.items():
            of_year[year] += number
    year = _busiest_year(of_year)
    place = listed[year].index(player)
    around = [*listed[year][max(place - 1, 0) : place], *listed[year][place + 1 : place + 2]]
    return [(rival, year) for rival in around]
