"""The Edo pass: a dataset in, ratings with deviations of every player-year out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from edo.core.model import Dataset, Event
from edo.core.problems import EdoError
from edo.core.scale import elo_from_theta
from edo.core.settings import DEFAULT, Settings
from edo.rating import network
from edo.rating.fit import bradley_terry
from edo.rating.fit.bradley_terry import Fit
from edo.rating.network import ResultsNetwork
from edo.rating.pairings import Pairing, all_pairings, pairings_of

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

EQUAL = 1e-6  # [Elo] nearer ratings are those of players whom the results do not tell apart


@dataclass(frozen=True, slots=True)
class PlayerYear:
    """A player's published numbers of one year; `games` is 0 in the years of a gap.

    `rating`, `deviation` [Elo] are adjusted, the raw ones come from the fit. `rank` is among all
    rated player-years of the year, gaps included. `score` [points] and `games` are those that
    entered the fit.
    """

    player: str
    year: int
    rating: float
    deviation: float
    raw_rating: float
    raw_deviation: float
    rank: int
    score: float
    games: float

    @property
    def is_gap(self) -> bool:
        """Whether the player has no rated result in this year."""
        return self.games == 0


@dataclass(frozen=True, slots=True)
class Ratings:
    """The outcome of a pass.

    `players` holds each rated player's years, ascending; `years` each year's list, by rank;
    `unrated` the reason in words for everyone left out; `pairings` what entered the fit.
    """

    players: Mapping[str, tuple[PlayerYear, ...]]
    years: Mapping[int, tuple[PlayerYear, ...]]
    unrated: Mapping[str, str]
    pairings: tuple[Pairing, ...]

    def of(self, player: str, year: int) -> PlayerYear | None:
        """Return the player's numbers of the year, or None where he has none."""
        years = self.players.get(player)
        if years is None or not years[0].year <= year <= years[-1].year:
            return None
        return years[year - years[0].year]

    def peak(self, player: str) -> PlayerYear | None:
        """Return the player's highest rated year among those with results, the first of equals."""
        years = self.players.get(player)
        return max((y for y in years if not y.is_gap), key=lambda y: y.rating) if years else None


@dataclass(frozen=True, slots=True)
class Pass:
    """A fitted network on the scale of the site, for whoever asks more of it than ratings.

    `raw`, `raw_deviation`, `rating`, `deviation` (n_player_years,) [Elo] are in the order of
    `network.year`; `fit` covers the ghosts behind them too.
    """

    network: ResultsNetwork
    fit: Fit
    raw: Floats
    raw_deviation: Floats
    rating: Floats
    deviation: Floats
    settings: Settings

    def node(self, player: str, year: int) -> int:
        """Return the index of a rated player-year."""
        first = int(self.network.start[self.network.players.index(player)])
        return first + year - int(self.network.year[first])


def run(pairings: Iterable[Pairing], settings: Settings = DEFAULT) -> Pass:
    """Fit all pairings and put them on the scale.

    Raises EdoError where the anchor of the scale has no rating, NotConverged where the fit fails.
    """
    net = network.build(pairings, settings)
    anchor = _anchor(net, settings)
    fit = bradley_terry.fit(net.comparisons)
    n = len(net.year)
    raw = elo_from_theta(fit.theta[:n])
    raw = raw + settings.anchor_rating - raw[anchor]
    raw_deviation = elo_from_theta(np.sqrt(settings.variance_factor * fit.variances()[:n]))
    adjusted, deviation = adjust(raw, raw_deviation, settings)
    rating = across_gaps(adjusted, net.games > 0)
    return Pass(net, fit, raw, raw_deviation, rating, deviation, settings)


def rate(dataset: Dataset, settings: Settings = DEFAULT) -> Ratings:
    """Rate everyone who can be rated; raises what `run` raises."""
    return publish(dataset, run(all_pairings(dataset), settings))


def adjust(rating: Floats, deviation: Floats, settings: Settings) -> tuple[Floats, Floats]:
    """Combine raw ratings and deviations [Elo] with what is known of chess players in general.

    Source: the product of two normal densities (Edwards; method page "Adjustment").
    """
    weight = 1.0 / np.square(deviation)
    background = 1.0 / settings.background_deviation**2
    total = weight + background
    return (rating * weight + settings.background_mean * background) / total, np.sqrt(1.0 / total)


def across_gaps(rating: Floats, has_results: Bools) -> Floats:
    """Draw ratings [Elo] in the years without results on the straight line between those with.

    Each player's first and last year have results, so no line leads from one player to another.
    """
    node = np.arange(len(rating))
    line: Floats = np.interp(node, node[has_results], rating[has_results])
    return line


def _anchor(net: ResultsNetwork, settings: Settings) -> int:
    """Return the node on which the scale hangs."""
    player, year = settings.anchor_player, settings.anchor_year
    if player in net.players:
        k = net.players.index(player)
        own = np.arange(net.start[k], net.start[k + 1])
        found = own[net.year[own] == year]
        if len(found):
            return int(found[0])
    raise EdoError(
        f"the scale hangs on {player} in {year}, who has no rating in these events; "
        "add the results that link him to the rest"
    )


def publish(dataset: Dataset, done: Pass) -> Ratings:
    """Return the outcome of a pass by player and by year, with ranks."""
    net = done.network
    rank = ranks(net.year, done.rating)
    rows = [
        _player_year(done, player, k, int(rank[k]))
        for p, player in enumerate(net.players)
        for k in range(net.start[p], net.start[p + 1])
    ]
    by_year: dict[int, list[PlayerYear]] = {}
    for row in sorted(rows, key=lambda row: (row.year, row.rank)):
        by_year.setdefault(row.year, []).append(row)
    return Ratings(
        {p: tuple(rows[net.start[k] : net.start[k + 1]]) for k, p in enumerate(net.players)},
        {year: tuple(of_year) for year, of_year in by_year.items()},
        _unrated(dataset, net),
        net.pairings,
    )


def _player_year(done: Pass, player: str, node: int, rank: int) -> PlayerYear:
    net = done.network
    return PlayerYear(
        player,
        int(net.year[node]),
        rating=float(done.rating[node]),
        deviation=float(done.deviation[node]),
        raw_rating=float(done.raw[node]),
        raw_deviation=float(done.raw_deviation[node]),
        rank=rank,
        score=float(net.score[node]),
        games=float(net.games[node]),
    )


def ranks(year: Sequence[int] | NDArray[np.int64], rating: Floats) -> NDArray[np.int64]:
    """Return each row's place in its year, from 1, by descending rating; equals share a place."""
    year = np.asarray(year)
    order = np.lexsort((-rating, year))
    lower = np.diff(rating[order], prepend=np.inf) < -EQUAL
    leads = lower | (np.diff(year[order], prepend=0) > 0)
    place = np.arange(len(year)) - np.searchsorted(year[order], year[order]) + 1
    rank = np.empty(len(year), np.int64)
    rank[order] = place[np.maximum.accumulate(np.where(leads, np.arange(len(year)), 0))]
    return rank


def why_unrated(event: Event, dataset: Dataset, ratings: Ratings) -> str | None:
    """Return why nothing of an event entered the fit, None where something did."""
    if event.unrated is not None:
        return event.unrated
    pairings = pairings_of(event, dataset.odds)
    if not pairings:
        return network.NO_RESULT
    unrated = ratings.unrated.keys()
    if any(unrated.isdisjoint((p.first.player, p.second.player)) for p in pairings):
        return None
    players = dict.fromkeys(s.player for p in pairings for s in (p.first, p.second))
    reasons = dict.fromkeys(ratings.unrated[p] for p in players if p in ratings.unrated)
    return "Of each two players one at least cannot be rated. " + " ".join(
        f"{', '.join(_names(dataset, ratings, players, reason))}: {reason}" for reason in reasons
    )


def _names(
    dataset: Dataset, ratings: Ratings, players: Iterable[str], reason: str
) -> Iterable[str]:
    return (dataset.players[p].shown_name for p in players if ratings.unrated.get(p) == reason)


def _unrated(dataset: Dataset, net: ResultsNetwork) -> dict[str, str]:
    rated = set(net.players)
    return {
        player: net.reasons.get(player, network.NO_RESULT)
        for player in dataset.players
        if player not in rated
    }


BELOW = 2200.0  # [Elo]


@dataclass(frozen=True, slots=True)
class YearLevel:
    """A year's adjusted ratings in a few numbers, the years of a gap included.

    `rated` players; the mean rating [Elo] of the first five, ten and twenty, None where there are
    not so many; the share of all whose rating is below 2200.
    """

    year: int
    rated: int
    top5: float | None
    top10: float | None
    top20: float | None
    share_below: float


def levels(ratings: Ratings) -> tuple[YearLevel, ...]:
    """Return the level of each year, ascending."""
    return tuple(
        YearLevel(
            year,
            len(ranking),
            _mean(ranking, 5),
            _mean(ranking, 10),
            _mean(ranking, 20),
            sum(p.rating < BELOW for p in ranking) / len(ranking),
        )
        for year, ranking in sorted(ratings.years.items())
    )


def _mean(ranking: Sequence[PlayerYear], top: int) -> float | None:
    if len(ranking) < top:
        return None
    return sum(p.rating for p in ranking[:top]) / top
