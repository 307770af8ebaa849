"""Simulated histories: the real schedule played by players of known strengths.

The simulated players meet in the same events, as often as the real ones did. Their true strengths
are known, so that the ratings which the pass computes from their scores can be checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.random import Generator

from edo.core.scale import ELO_PER_NAT, Bools, Floats, Ints, expected_scores
from edo.history.settings import Settings
from edo.rating.edo import FittedNetwork, across_gaps, adjust, population, run
from edo.rating.games import Games
from edo.rating.network import ResultsNetwork

PEAK = 15.0  # [years] after the first one, at which a career is at its highest


@dataclass(frozen=True, slots=True)
class CareerModel:
    """How true strengths change: `step` [Elo] is the standard deviation of a year's change.

    With a `bend` [Elo / year^2] each career also follows a parabola, which falls by that much times
    the square of the years from its highest point, after `PEAK` years.
    """

    name: str
    step: float
    bend: float = 0.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """How far (n_player_years,) ratings [Elo] are above the truth, and their deviations.

    `played` is false in the years of a gap.
    """

    year: Ints
    raw_error: Floats
    raw_deviation: Floats
    error: Floats
    deviation: Floats
    played: Bools


def step_of(settings: Settings) -> float:
    """Return the yearly change [Elo] that the self-pairings stand for, as a standard deviation."""
    # A game of equals carries an information of 1/4 about the difference of their log-odds.
    return ELO_PER_NAT * float(np.sqrt(settings.variance_factor * 4.0 / settings.self_games))


def strengths(fitted: FittedNetwork, model: CareerModel, rng: Generator) -> Floats:
    """Return simulated true ratings (n_player_years,) [Elo] for everyone in a fitted history."""
    levels = _levels(fitted, rng)
    truth = np.empty(len(fitted.raw))
    for k, (begin, end) in enumerate(_spans(fitted)):
        walk = np.cumsum(rng.normal(0.0, model.step, end - begin))
        curve = -model.bend * (np.arange(end - begin) - PEAK) ** 2
        path = walk + curve
        truth[begin:end] = levels[k] + path - path.mean()
    return truth


def play(net: ResultsNetwork, truth: Floats, rng: Generator) -> Games:
    """Return the pairings of the network with random scores given true ratings [Elo].

    Odds are worth exactly their nominal value.
    """
    first, second = net.pairing_nodes()
    games = net.pairings.count
    share = expected_scores(truth[first] - truth[second] + net.pairings.odds)
    score = scores(share, games, rng)
    none = np.zeros(len(games))
    return replace(net.pairings, wins=score, draws=none, losses=games - score)


def scores(share: Floats, games: Floats, rng: Generator) -> Floats:
    """Return random scores [points] (n,) at an expected `share` of each of the `games`.

    A game is won, drawn or lost with probability p^2, 2 p (1 - p) and (1 - p)^2, p being the
    share: two tosses for half a point each, so that equals draw half of their games and the
    variance is half that of a game which is won or lost. Parts of half a game are rounded.
    """
    tosses = np.maximum(1, np.rint(2 * games)).astype(np.int64)
    return np.asarray(games * rng.binomial(tosses, share) / tosses)


def refit(games: Games, net: ResultsNetwork, truth: Floats, settings: Settings) -> Outcome:
    """Return how well the pass recovers the `truth` [Elo] of the network's player-years.

    Only differences can be estimated, so the raw ratings are first shifted to the mean of the
    truth, and then adjusted.
    """
    refitted = run(games, settings)
    rated = refitted.network
    player = np.repeat(np.searchsorted(net.players, rated.players), np.diff(rated.start))
    true = truth[net.nodes(player, rated.year)]
    raw = refitted.raw - np.mean(refitted.raw - true)
    played = rated.games > 0
    adjusted, deviation = adjust(raw, refitted.raw_deviation, settings)
    rating = across_gaps(adjusted, played)
    return Outcome(rated.year, raw - true, refitted.raw_deviation, rating - true, deviation, played)


def _levels(fitted: FittedNetwork, rng: Generator) -> Floats:
    """Return a mean strength (n_players,) [Elo] for each of the players.

    It is drawn from the posterior of his most certain year under a normal prior for all players,
    so that strong players still meet strong ones.
    """
    surest = [
        begin + int(np.argmin(fitted.raw_deviation[begin:end])) for begin, end in _spans(fitted)
    ]
    rating, noise = fitted.raw[surest], np.square(fitted.raw_deviation[surest])
    mean, spread = population(rating, noise, 1.0 / noise)
    share = spread**2 / (spread**2 + noise)
    return rng.normal(mean + share * (rating - mean), np.sqrt(share * noise))


def _spans(fitted: FittedNetwork) -> Iterator[tuple[int, int]]:
    """Yield where each player's years begin and end."""
    return pairwise(fitted.network.start.tolist())
