"""A pass in; who was first, who was stronger than whom and when each was at his best out.

Probabilities of two ratings are closed forms, those of many are counted in joint draws. The seed of
the draws of a year is the year, that of a player comes from the id, so that nothing else in the
history changes the luck of the draw.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from edo.rating.edo import Pass
from edo.rating.fit.cholesky import Ints
from edo.rating.inference.answers import (
    Comparison,
    Correlations,
    PeakYear,
    RankProbabilities,
    Superiority,
)
from edo.rating.inference.condensed import Condensed
from edo.rating.inference.joint import Block, blocks, correlations, same_age
from edo.rating.network import ResultsNetwork

DRAWS = 20_000  # a probability of one half is then known to within 0.0035, one of 1 % to 0.0007
OF_YEARS, OF_PLAYERS = 1, 2  # what the seeds of both kinds of draws begin with
TAIL = 0.05  # probability on either side of the range of ranks
TOP = 10  # places
LEADING = 10  # players of a year who are set against each other
RIVALS = 8  # opponents of a player that are shown at most
ENOUGH_GAMES = 2.0  # games that make an opponent a rival
UNKNOWN: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Joint:
    """What the joint distribution answers, by player and year, by year, by player, of all pairs."""

    chances: Mapping[tuple[str, int], RankProbabilities]
    superiority: Mapping[int, Superiority]
    rivals: Mapping[str, tuple[Comparison, ...]]
    peaks: Mapping[str, tuple[PeakYear, ...]]
    correlations: Correlations = field(compare=False)


def joint(done: Pass, condensed: Condensed, born: Mapping[str, int] = UNKNOWN) -> Joint:
    """Return the answers for every rated player and every year of the pass.

    `condensed` is the network of the pass, `born` the year of birth of each player of whom it is
    known.
    """
    net = done.network
    years = [int(year) for year in np.unique(net.year)]
    of_years = [np.flatnonzero(net.year == year) for year in years]
    of_players = [np.arange(a, b) for a, b in zip(net.start[:-1], net.start[1:], strict=True)]
    of_ages = same_age(net, born)
    made = iter(blocks(done, condensed, [*of_years, *of_players, *of_ages.values()]))
    by_year = {year: next(made) for year in years}
    by_player = {player: next(made) for player in net.players}
    by_age = {age: next(made) for age in of_ages}
    names = _names(net)
    return Joint(
        {
            (chance.player, year): chance
            for year, block in by_year.items()
            for chance in _chances(year, block, names)
        },
        {year: _superiority(year, block, names) for year, block in by_year.items()},
        _rivals(done, by_year, names),
        {player: _peaks(player, block, net) for player, block in by_player.items()},
        correlations(by_year, by_age, names),
    )


def _names(net: ResultsNetwork) -> list[str]:
    """Return the player of each player-year."""
    counts = np.diff(net.start).tolist()
    return [name for name, n in zip(net.players, counts, strict=True) for _ in range(n)]


def _chances(year: int, block: Block, names: list[str]) -> Iterator[RankProbabilities]:
    """Yield every rated player's place in the list of a year."""
    counts = _rank_counts(block, year)
    reached = np.cumsum(counts, axis=1)
    for node, own, within in zip(block.nodes, counts, reached, strict=True):
        yield RankProbabilities(
            names[node],
            year,
            first=float(own[0] / DRAWS),
            top_ten=float(own[:TOP].sum() / DRAWS),
            rank_low=_quantile(within, TAIL),
            rank_high=_quantile(within, 1 - TAIL),
        )


def _rank_counts(block: Block, year: int) -> Ints:
    """Return in how many draws each had each rank, (k, k): a row a player, rank 1 at 0."""
    k = len(block.nodes)
    counts = np.zeros(k * k, np.int64)
    ranks = np.arange(k)
    for draws in block.draws((OF_YEARS, year), DRAWS):
        best_first = np.argsort(-draws, axis=1)
        counts += np.bincount((best_first * k + ranks).ravel(), minlength=k * k)
    return counts.reshape(k, k)


def _quantile(within: Ints, probability: float) -> int:
    """Return the first rank within which the player was in this share of the draws."""
    return int(np.searchsorted(within, round(probability * DRAWS))) + 1


def _superiority(year: int, block: Block, names: list[str]) -> Superiority:
    leading = np.argsort(-block.mean, kind="stable")[:LEADING]
    probability = block.part(leading).superiority()
    return Superiority(
        year,
        tuple(names[node] for node in block.nodes[leading]),
        tuple(tuple(row) for row in probability.tolist()),
    )


def _peaks(player: str, block: Block, net: ResultsNetwork) -> tuple[PeakYear, ...]:
    """Return the years with results: only they can be a best year, as in `Ratings.peak`."""
    own = block.part(np.flatnonzero(net.games[block.nodes] > 0))
    peak = int(np.argmax(own.mean))
    best = np.zeros(len(own.nodes), np.int64)
    for draws in own.draws((OF_PLAYERS, zlib.crc32(player.encode())), DRAWS):
        best += np.bincount(draws.argmax(axis=1), minlength=len(best))
    below = own.mean[peak] - own.mean
    rows = zip(net.year[own.nodes], best / DRAWS, below, own.deviations()[peak], strict=True)
    return tuple(PeakYear(int(year), *map(float, numbers)) for year, *numbers in rows)


def _rivals(
    done: Pass, by_year: Mapping[int, Block], names: list[str]
) -> dict[str, tuple[Comparison, ...]]:
    """Return how each player stands to his rivals, most games first.

    Rivals are the opponents with whom he had most rated games, and at least two; the year is that
    in which they had most of them, the last of equals. Who has no such opponent is compared with
    the next above and below him in the list of the year in which he had most games.
    """
    met = _games_by_year(done.network)
    superior = {year: (b, b.deviations(), b.superiority()) for year, b in by_year.items()}

    def compare(player: str, rival: str, year: int) -> Comparison:
        block, deviation, probability = superior[year]
        i, j = np.searchsorted(block.nodes, [done.node(player, year), done.node(rival, year)])
        lead = float(block.mean[i] - block.mean[j])
        return Comparison(rival, year, lead, float(deviation[i, j]), float(probability[i, j]))

    return {
        player: tuple(
            compare(player, rival, year)
            for rival, year in _main_rivals(met[player])
            or _neighbours(player, met[player], by_year, names)
        )
        for player in done.network.players
    }


Met = Mapping[str, Mapping[int, float]]
"""A player's rated games [games] by opponent and year."""


def _games_by_year(net: ResultsNetwork) -> dict[str, Met]:
    met: dict[str, dict[str, dict[int, float]]] = {player: {} for player in net.players}
    for pairing in net.pairings:
        a, b = pairing.first.player, pairing.second.player
        for one, other in ((a, b), (b, a)):
            years = met[one].setdefault(other, defaultdict(float))
            years[pairing.year] += pairing.games
    return {player: dict(opponents) for player, opponents in met.items()}


def _main_rivals(met: Met) -> list[tuple[str, int]]:
    """Return the opponents with most games, and the year in which they had most of them."""
    total = {rival: sum(years.values()) for rival, years in met.items()}
    most = sorted((r for r in met if total[r] >= ENOUGH_GAMES), key=lambda r: (-total[r], r))
    return [(rival, _busiest_year(met[rival])) for rival in most[:RIVALS]]


def _busiest_year(games: Mapping[int, float]) -> int:
    """Return the year with most games, the last of equals."""
    return max(games, key=lambda year: (games[year], year))


def _neighbours(
    player: str, met: Met, by_year: Mapping[int, Block], names: list[str]
) -> list[tuple[str, int]]:
    """Return the next above and below in the list of the year with most games, with the year."""
    games: dict[int, float] = defaultdict(float)
    for years in met.values():
        for year, number in years.items():
            games[year] += number
    year = _busiest_year(games)
    block = by_year[year]
    ranked: Ints = block.nodes[np.argsort(-block.mean, kind="stable")]
    listed = [names[node] for node in ranked]
    place = listed.index(player)
    around = [*listed[max(place - 1, 0) : place], *listed[place + 1 : place + 2]]
    return [(rival, year) for rival in around]
