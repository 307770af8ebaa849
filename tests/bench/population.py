"""Simulated populations: games at sizes that no real table has, to measure the numerics.

Countries take up the game at their own size, players belong to classes of strength, careers and
activity are skewed, and games are paired by score inside events. Only arrays are made.

Source of its size: Dangauthier, Herbrich, Minka, Graepel, TrueSkill Through Time: revisiting the
history of chess, NIPS 20 (2007): 3,505,366 games of 206,059 players from 1850 to 2006.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from edo.core.scale import Bools, Floats, Ints, expected_scores
from edo.history.settings import Settings
from edo.rating.fit.bradley_terry import Comparisons
from edo.rating.network import largest_strong_part, self_pairings
from edo.systems.evaluation.simulation import PEAK, scores


@dataclass(frozen=True, slots=True)
class Population:
    """The parameters of a population, of which the defaults have the size of the source.

    Of all `players` about a third play in a game that is kept. Debuts grow by `growth` a year over
    `years`; country k of the `countries` has a share proportional to 1 / k, and ten countries are a
    region. The logarithm of the length of a career has the mean log `career` [years] and the
    deviation `career_spread`, at most `longest`; strengths [Elo] have the deviation
    `country_spread` between countries and `spread` within, and fall by `bend` [Elo / year^2] away
    from the highest point. A deviation of strength, and one of chance, multiply the events that a
    player enters in a year by exp(`activity`). He enters one abroad with probability `abroad`,
    twice as often for each deviation of strength: half of them in his region, half open to the
    world. Those who enter in one country and year are sorted by strength, with an error of
    `mixing` [Elo], and cut into events of `smallest` to 8 times as many players, who play `rounds`.
    The share `published` of all games is kept; each deviation of the strength of the stronger
    player multiplies the odds of that by exp(`fame`).
    """

    games: int = 3_500_000
    players: int = 625_000
    years: int = 150
    growth: float = 0.04
    countries: int = 100
    career: float = 6.0
    career_spread: float = 1.2
    longest: int = 60
    country_spread: float = 80.0
    spread: float = 250.0
    bend: float = 0.3
    activity: float = 0.9
    abroad: float = 0.05
    mixing: float = 100.0
    smallest: int = 12
    rounds: int = 7
    published: float = 0.2
    fame: float = 3.0


@dataclass(frozen=True, slots=True)
class SimulatedGames:
    """Games (m,) of numbered players: the `score` [points] of `first` against `second`."""

    first: Ints
    second: Ints
    year: Ints
    score: Floats


@dataclass(frozen=True, slots=True)
class PlayerYears:
    """The comparisons of the player-years of the `players` who can be rated.

    `start` (n_players + 1,) is where the player-years of each begin, `games` the number of games
    among them; the comparisons are first the games, then the self-pairings.
    """

    players: Ints
    start: Ints
    games: int
    comparisons: Comparisons


@dataclass(frozen=True, slots=True)
class _Entries:
    """Entries of players in events, each with the true strength [Elo] and the standardised one."""

    player: Ints
    year: Ints
    event: Ints
    strength: Floats
    talent: Floats


def simulate(population: Population, seed: int) -> SimulatedGames:
    """Return the games of a simulated population, the same ones for the same seed."""
    rng = np.random.default_rng(seed)
    entries = _entries(population, rng)
    points, parts = np.zeros(len(entries.player)), []
    for _ in range(population.rounds):
        order = np.lexsort((rng.random(len(points)), -points, entries.event))
        paired = _paired(entries.event[order])
        a, b = order[paired], order[paired + 1]
        a, b = (side[entries.player[a] != entries.player[b]] for side in (a, b))
        share = expected_scores(entries.strength[a] - entries.strength[b])
        score = scores(share, np.ones(len(a)), rng)
        points[a] += score
        points[b] += 1 - score
        parts.append((a, b, score))
    a, b, score = (np.concatenate(column) for column in zip(*parts, strict=True))
    # The greatest of logarithmic weights with Gumbel errors: a weighted sample, not put back.
    talent = np.maximum(entries.talent[a], entries.talent[b])
    weight = population.fame * talent + rng.gumbel(size=len(a))
    kept = np.sort(np.argsort(-weight)[: population.games])
    a, b = a[kept], b[kept]
    return SimulatedGames(entries.player[a], entries.player[b], entries.year[a], score[kept])


def player_years(games: SimulatedGames, settings: Settings) -> PlayerYears:
    """Return the comparisons of all who can be rated: those of `network.build`, from arrays."""
    won, lost = games.score > 0, games.score < 1
    n = int(max(games.first.max(), games.second.max())) + 1
    tail = np.r_[games.first[won], games.second[lost]]
    rated = largest_strong_part(n, tail, np.r_[games.second[won], games.first[lost]])
    kept = rated[games.first] & rated[games.second]
    first, second, year = games.first[kept], games.second[kept], games.year[kept]
    players = np.flatnonzero(rated)
    debut, last = np.full(n, year.max()), np.full(n, year.min())
    for side in (first, second):
        np.minimum.at(debut, side, year)
        np.maximum.at(last, side, year)
    start = np.r_[0, np.cumsum((last - debut + 1)[players])]
    zero = np.zeros(n, np.int64)
    zero[players] = start[:-1] - debut[players]
    real = zero[first] + year, zero[second] + year, games.score[kept], np.ones(len(year))
    columns = (np.r_[pair] for pair in zip(real, self_pairings(start, settings), strict=True))
    return PlayerYears(players, start, len(year), Comparisons(int(start[-1]), *columns))


def _entries(population: Population, rng: Generator) -> _Entries:
    """Return who enters which event of which year."""
    n = population.players
    share = 1.0 / np.arange(1, population.countries + 1)
    country = rng.choice(population.countries, n, p=share / share.sum())
    own, chance = rng.normal(size=(2, n))
    level = population.spread * own
    level += rng.normal(0.0, population.country_spread, population.countries)[country]
    length = np.exp(rng.normal(np.log(population.career), population.career_spread, n))
    length = np.minimum(np.ceil(length), population.longest).astype(np.int64)
    debuts = np.exp(population.growth * np.arange(population.years))
    debut = rng.choice(population.years, n, p=debuts / debuts.sum())
    length = np.minimum(length, population.years - debut)
    player = np.repeat(np.arange(n), length)
    age = np.arange(len(player)) - np.repeat(np.cumsum(length) - length, length)
    rate = np.exp(population.activity * (own + chance))[player]
    wanted = 2 * population.games / population.published / population.rounds
    entered = rng.poisson(rate * wanted / rate.sum())
    player, age = np.repeat(player, entered), np.repeat(age, entered)
    strength = level[player] - population.bend * (age - PEAK) ** 2
    abroad = rng.random(len(player)) < population.abroad * 2.0 ** own[player]
    beyond = np.where(rng.random(len(player)) < 0.5, 0, 1 + country[player] // 10)
    place = np.where(abroad, population.countries + beyond, country[player])
    year = debut[player] + age
    event = _events(population, year * (2 * population.countries + 1) + place, strength, rng)
    return _Entries(player, year, event, strength, own[player])


def _events(population: Population, place: Ints, strength: Floats, rng: Generator) -> Ints:
    """Return the event (n,) of each entry: those of one place and year, cut by strength."""
    order = np.lexsort((strength + rng.normal(0.0, population.mixing, len(place)), place))
    _, begin, number = np.unique(place[order], return_index=True, return_inverse=True)
    size = (population.smallest * 8 ** rng.random(len(begin))).astype(np.int64)[number]
    cut = (np.arange(len(place)) - begin[number]) // size
    event = np.empty(len(place), np.int64)
    event[order] = np.cumsum(np.r_[False, _changes(cut) | _changes(number)])
    return event


def _changes(values: Ints) -> Bools:
    return np.asarray(values[1:] != values[:-1])


def _paired(event: Ints) -> Ints:
    """Return the first position of each pair of neighbours in sorted events; one may be left."""
    begin = np.flatnonzero(np.r_[True, _changes(event)])
    place = np.arange(len(event)) - np.repeat(begin, np.diff(np.r_[begin, len(event)]))
    return np.flatnonzero((place[:-1] % 2 == 0) & ~_changes(event))
