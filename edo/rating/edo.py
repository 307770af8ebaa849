"""The Edo rating pass: ratings and deviations of every player-year from the games."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from edo.core.model import Dataset, Event
from edo.core.problems import ScaleNotSet
from edo.core.scale import Bools, Floats, Ints, elo_from_theta
from edo.history.settings import DEFAULT, Settings
from edo.rating import network
from edo.rating.coverage import coverage, event_unrated
from edo.rating.evidence import Evidence, evidence
from edo.rating.fit import bradley_terry
from edo.rating.fit.bradley_terry import Fit
from edo.rating.games import Games, Pairing, games_of, pairings, rows_of
from edo.rating.network import ResultsNetwork

DIGITS = 6  # decimals of a rating [Elo] that are compared; those after them depend on the machine
LEAST_SPREAD = 50.0  # [Elo]: a few players who happen to be equal say little of the others
EQUAL = 1e-6  # [Elo]: a smaller difference is rounding noise, so the players share a rank


@dataclass(frozen=True, slots=True)
class PlayerYear:
    """A player's published numbers of one year; `games` is 0 in the years of a gap.

    `rating`, `deviation` [Elo] are adjusted, the raw ones come from the fit. `rank` is among the
    player-years of the year with enough evidence for a rank, gaps included; None for the others.
    `score` [points] and `games` are those that entered the fit; `evidence` [games] is what they and
    those of other years are worth in the year, and `shortfall` says in words what is too little for
    a rank, empty with one. `whole_games` [games] are those of the year in events known whole.
    """

    player: str
    year: int
    rating: float
    deviation: float
    raw_rating: float
    raw_deviation: float
    rank: int | None
    score: float
    games: float
    evidence: float = 0.0
    shortfall: str = ""
    whole_games: float = 0.0

    @property
    def whole_share(self) -> float | None:
        """Return the share of the games in events that are known whole, None without games."""
        return whole_share([self])

    @property
    def is_gap(self) -> bool:
        """Whether the player has no rated result in this year."""
        return self.games == 0


@dataclass(frozen=True, slots=True)
class Ratings:
    """The outcome of a pass.

    `players` holds each rated player's years, ascending; `years` each year's list, by rank and then
    those without a rank, by rating; `unrated` the reason in words for every player left out;
    `pairings` those that were fitted; `settings` those of the pass.
    """

    players: Mapping[str, tuple[PlayerYear, ...]]
    years: Mapping[int, tuple[PlayerYear, ...]]
    unrated: Mapping[str, str]
    pairings: tuple[Pairing, ...]
    settings: Settings = DEFAULT

    def __hash__(self) -> int:
        return hash(tuple(self.players))

    def of(self, player: str, year: int) -> PlayerYear | None:
        """Return the player's numbers of the year, or None where he has none."""
        years = self.players.get(player)
        if years is None or not years[0].year <= year <= years[-1].year:
            return None
        return years[year - years[0].year]

    def ranked(self, year: int) -> tuple[PlayerYear, ...]:
        """Return the year's list without the players who have too little evidence for a rank."""
        return tuple(row for row in self.years.get(year, ()) if row.rank is not None)

    def has_picture(self, player: str) -> bool:
        """Whether there is a curve that many share: of several years, among the first in any."""
        years = self.players.get(player, ())
        ranks = [year.rank for year in years if year.rank is not None]
        return len(years) > 1 and min(ranks, default=SHARED + 1) <= SHARED

    def peak(self, player: str) -> PlayerYear | None:
        """Return the player's highest rated year among those with results, the first of equals.

        Years with a rank go before those with too little evidence for one.
        """
        played = [year for year in self.players.get(player, ()) if not year.is_gap]
        return max(played, key=_peak) if played else None


def _peak(row: PlayerYear) -> tuple[bool, float]:
    return row.rank is not None, _compared(row)


SHARED = 20  # ranks of a year with pictures of their own: with the first fifty, twice as many
NOBODY = Ratings({}, {}, {}, ())


@dataclass(frozen=True, slots=True)
class RatedNetwork:
    """The ratings of a network of player-years by any model, on the scale of the settings.

    `raw`, `raw_deviation`, `rating`, `deviation` (n_player_years,) [Elo] and the `evidence` are in
    the order of `network.year`; a model without an adjustment has the same raw ratings. The scale
    is set by the mean raw rating weighted by `scale_weight` (n_player_years,), which sums to 1.
    """

    network: ResultsNetwork
    raw: Floats
    raw_deviation: Floats
    rating: Floats
    deviation: Floats
    evidence: Evidence
    settings: Settings
    scale_weight: Floats

    def node(self, player: str, year: int) -> int:
        """Return the index of a rated player-year."""
        first = int(self.network.start[bisect_left(self.network.players, player)])
        return first + year - int(self.network.year[first])


@dataclass(frozen=True, slots=True)
class FittedNetwork(RatedNetwork):
    """A network fitted by Edo, for further inference; `fit` has the ghosts after the years."""

    fit: Fit


def run(games: Games, settings: Settings = DEFAULT) -> FittedNetwork:
    """Fit all games and put them on the scale.

    Raises ScaleNotSet where the scale cannot be set, NotConverged where the fit fails.
    """
    net = network.build(games, settings)
    if settings.anchor_player is not None:
        _anchor(net, settings)  # refuse before a long fit
    fit = bradley_terry.fit(net.comparisons)
    n = len(net.year)
    raw = elo_from_theta(fit.theta[:n])
    raw_deviation = elo_from_theta(np.sqrt(settings.variance_factor * fit.variances()[:n]))
    _, deviation = adjust(raw, raw_deviation, settings)
    node_evidence = evidence(net, settings)
    raw, weight = on_scale(net, raw, node_evidence.ranked, settings)
    adjusted, _ = adjust(raw, raw_deviation, settings)
    rating = across_gaps(adjusted, net.games > 0)
    return FittedNetwork(
        net, raw, raw_deviation, rating, deviation, node_evidence, settings, weight, fit
    )


def rate(dataset: Dataset, settings: Settings = DEFAULT) -> Ratings:
    """Rate every player who can be rated; raises the same errors as `run`."""
    return publish(dataset, run(games_of(dataset), settings))


def adjust(rating: Floats, deviation: Floats, settings: Settings) -> tuple[Floats, Floats]:
    """Combine raw ratings and deviations [Elo] with the distribution of players in general.

    Returns the adjusted ratings and deviations [Elo]. Source: the product of two normal densities
    (Edwards; method page "Adjustment").
    """
    weight = 1.0 / np.square(deviation)
    background = 1.0 / settings.background_deviation**2
    total = weight + background
    return (rating * weight + settings.background_mean * background) / total, np.sqrt(1.0 / total)


def population(raw: Floats, variance: Floats, weight: Floats | None = None) -> tuple[float, float]:
    """Return mean and spread [Elo] of the strengths behind raw ratings (m,) [Elo].

    The squares of their distances from the mean are larger than those of the strengths by the
    `variance` (m,) [Elo^2] of their errors, which is taken off. By default all have the same
    `weight` (m,).
    """
    mean = float(np.average(raw, weights=weight))
    spread = float(np.average(np.square(raw - mean) - variance, weights=weight))
    return mean, math.sqrt(max(spread, LEAST_SPREAD**2))


def across_gaps(rating: Floats, has_results: Bools) -> Floats:
    """Return the ratings [Elo], interpolated linearly in the years without results.

    Each player's first and last year have results, so nothing is interpolated between players.
    """
    node = np.arange(len(rating))
    return np.asarray(np.interp(node, node[has_results], rating[has_results]))


def on_scale(
    net: ResultsNetwork, raw: Floats, ranked: Bools, settings: Settings
) -> tuple[Floats, Floats]:
    """Return raw ratings [Elo] on the scale of the settings, and its `scale_weights`."""
    weight = scale_weights(net, raw, ranked, settings)
    return raw + settings.anchor_rating - float(weight @ raw), weight


def scale_weights(net: ResultsNetwork, raw: Floats, ranked: Bools, settings: Settings) -> Floats:
    """Return the weights (n_player_years,) of the raw ratings whose mean sets the scale; sum 1.

    `raw` [Elo] has any offset; `ranked` says which player-years have a rank. Raises ScaleNotSet
    where there are none of the ratings that the settings name.
    """
    if settings.anchor_player is not None:
        chosen = np.array([_anchor(net, settings)])
    elif settings.anchor_first is None:
        chosen = np.arange(len(net.year))
    else:
        chosen = _first_ranked(net, raw, ranked, settings.anchor_first, settings.anchor_year)
    weight = np.zeros(len(net.year))
    weight[chosen] = 1.0 / len(chosen)
    return weight


def _first_ranked(
    net: ResultsNetwork, raw: Floats, ranked: Bools, first: int, year: int | None
) -> Ints:
    """Return the player-years with the `first` highest raw ratings and a rank, of each year."""
    node = np.flatnonzero(ranked if year is None else ranked & (net.year == year))
    place = ranks(net.year[node], raw[node])
    years, most = np.unique(net.year[node], return_counts=True)
    whole = np.isin(net.year[node], years[most >= first])
    if not whole.any():
        where = "in any year" if year is None else f"in {year}"
        have = f"no more than {most.max()} have" if most.size else "nobody has"
        raise ScaleNotSet(
            f"it is set by the mean of the first {first} with a rank {where}, but {have} one",
            "lower `first`, add results, or give the mean of all: `scale: {mean: 1500}`",
        )
    return node[whole & (place <= first)]


def _anchor(net: ResultsNetwork, settings: Settings) -> int:
    """Return the player-year whose raw rating sets the offset of the scale."""
    player, year = settings.anchor_player, settings.anchor_year
    if player in net.players and year is not None:
        k = net.players.index(player)
        node = int(net.start[k]) + year - int(net.year[net.start[k]])
        if net.start[k] <= node < net.start[k + 1]:
            return node
    raise ScaleNotSet(
        f"it is set by the rating of {player} in {year}, who cannot be rated from these events",
        "name another player and year, add the results that connect him to the others, or give "
        "the mean of all: `scale: {mean: 1500}`",
    )


def publish(dataset: Dataset, fitted: RatedNetwork) -> Ratings:
    """Return the outcome of a pass by player and by year, with ranks."""
    net, node_evidence = fitted.network, fitted.evidence
    rank: list[int | None] = [None] * len(net.year)
    ranked = np.flatnonzero(node_evidence.ranked)
    for node, place in zip(ranked, ranks(net.year[ranked], fitted.rating[ranked]), strict=True):
        rank[node] = int(place)
    columns = (net.year, fitted.rating, fitted.deviation, fitted.raw, fitted.raw_deviation)
    numbers = zip(
        *(column.tolist() for column in columns),
        rank,
        *(column.tolist() for column in (net.score, net.games)),
        node_evidence.games.tolist(),
        [node_evidence.shortfall(node, fitted.settings) for node in range(len(net.year))],
        _whole_games(dataset, net).tolist(),
        strict=True,
    )
    rows = [PlayerYear(player, *row) for player, row in zip(net.player_ids(), numbers, strict=True)]
    by_year: dict[int, list[PlayerYear]] = {}
    for row in sorted(rows, key=_by_year_and_rank):
        by_year.setdefault(row.year, []).append(row)
    return Ratings(
        {p: tuple(rows[net.start[k] : net.start[k + 1]]) for k, p in enumerate(net.players)},
        {year: tuple(of_year) for year, of_year in by_year.items()},
        _unrated(dataset, net),
        _published(dataset, net.pairings),
        fitted.settings,
    )


def _published(dataset: Dataset, games: Games) -> tuple[Pairing, ...]:
    """Return the pairings in the order of the dataset."""
    place = {event: k for k, event in enumerate(dataset.events)}
    return tuple(sorted(pairings(games), key=lambda pairing: place.get(pairing.event, 0)))


def _whole_games(dataset: Dataset, net: ResultsNetwork) -> Floats:
    """Return the games (n_player_years,) [games] of each in events that are known whole."""
    events = dataset.events.values()
    whole = {event.id for event in events if coverage(event, dataset.odds) != "part"}
    is_whole = np.array([event in whole for event in net.pairings.events], np.bool_)
    games = np.where(is_whole[net.pairings.event], net.pairings.count, 0.0)
    sums = sum(np.bincount(nodes, games, len(net.year)) for nodes in net.pairing_nodes())
    return np.asarray(np.round(sums, 9))


def _by_year_and_rank(row: PlayerYear) -> tuple[int, bool, float]:
    """Return the sort key of the years' lists; without a rank, by rating."""
    if row.rank is None:
        return row.year, True, -round(row.rating, DIGITS)
    return row.year, False, row.rank


def ranks(year: Sequence[int] | Ints, rating: Floats) -> Ints:
    """Return each row's rank in its year, from 1, by descending rating; equals share a rank."""
    year = np.asarray(year)
    order = np.lexsort((-rating, year))
    lower = np.diff(rating[order], prepend=np.inf) < -EQUAL
    leads = lower | (np.diff(year[order], prepend=0) > 0)
    place = np.arange(len(year)) - np.searchsorted(year[order], year[order]) + 1
    rank = np.empty(len(year), np.int64)
    rank[order] = place[np.maximum.accumulate(np.where(leads, np.arange(len(year)), 0))]
    return rank


def why_unrated(event: Event, dataset: Dataset, ratings: Ratings) -> str | None:
    """Return why nothing of an event was rated, None where something was."""
    if (reason := event_unrated(event)) is not None:
        return reason
    rows = rows_of(event, dataset.odds)
    if not rows:
        return network.NO_RESULT
    unrated = ratings.unrated.keys()
    if any(unrated.isdisjoint((row.first.player, row.second.player)) for row in rows):
        return None
    players = dict.fromkeys(side.player for row in rows for side in (row.first, row.second))
    reasons = dict.fromkeys(ratings.unrated[p] for p in players if p in ratings.unrated)
    names = {
        reason: [dataset.players[p].shown_name for p in players if ratings.unrated.get(p) == reason]
        for reason in reasons
    }
    return "Of each two players one at least cannot be rated. " + " ".join(
        f"{', '.join(shown)}: {reason}" for reason, shown in names.items()
    )


def _unrated(dataset: Dataset, net: ResultsNetwork) -> dict[str, str]:
    rated = set(net.players)
    return {
        player: net.reasons.get(player, network.NO_RESULT)
        for player in dataset.players
        if player not in rated
    }


def whole_share(years: Iterable[PlayerYear]) -> float | None:
    """Return the share of the games of player-years in events known whole, None without games."""
    rows = list(years)
    games = sum(row.games for row in rows)
    return sum(row.whole_games for row in rows) / games if games else None


def highest_years(years: Iterable[PlayerYear]) -> list[PlayerYear]:
    """Return each player's highest year of these, the first of equals; the highest first."""
    best: dict[str, PlayerYear] = {}
    for row in years:
        if row.player not in best or _compared(row) > _compared(best[row.player]):
            best[row.player] = row
    return sorted(best.values(), key=lambda row: (-_compared(row), row.player))


def _compared(row: PlayerYear) -> float:
    return round(row.rating, DIGITS)


def number_ones(ratings: Ratings) -> dict[int, PlayerYear]:
    """Return the first of each year in which anybody has a rank, by year."""
    return {year: row for year in sorted(ratings.years) for row in ratings.ranked(year)[:1]}


BELOW = 2200.0  # [Elo]: where the USCF's class of National Masters begins


@dataclass(frozen=True, slots=True)
class YearLevel:
    """Summary of a year's adjusted ratings, the years of a gap included.

    `rated` is the number of players; `top5` to `top20` the mean rating [Elo] of the first ones of
    those with a rank, None where there are fewer; `share_below` the share of all players with a
    rating below 2200.
    """

    year: int
    rated: int
    top5: float | None
    top10: float | None
    top20: float | None
    share_below: float


def levels(ratings: Ratings) -> tuple[YearLevel, ...]:
    """Return the summary of each year, ascending."""
    return tuple(
        YearLevel(
            year,
            len(ranking),
            _mean(ranked, 5),
            _mean(ranked, 10),
            _mean(ranked, 20),
            sum(p.rating < BELOW for p in ranking) / len(ranking),
        )
        for year, ranking in sorted(ratings.years.items())
        for ranked in [ratings.ranked(year)]
    )


def _mean(ranking: Sequence[PlayerYear], top: int) -> float | None:
    if len(ranking) < top:
        return None
    return sum(p.rating for p in ranking[:top]) / top
