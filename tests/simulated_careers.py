"""Simulated careers and their games, for tests of a system that fits all years at once."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from sample_games import games_between
from scipy.special import expit

from edo.core.scale import Floats, theta_from_elo
from edo.rating.games import Games
from edo.systems.player_years import player_years_of


def mirrored(games: Games) -> Games:
    """Return the games with time reversed."""
    backwards = games.year.max() + games.year.min() - games.year
    return replace(games, year=backwards, month=12 * backwards + 6)


def shuffled(games: Games, seed: int) -> Games:
    """Return the rows in another order."""
    order = np.random.default_rng(seed).permutation(len(games.first))
    return games.where(order)


@dataclass(frozen=True)
class Simulation:
    """Games, and the true rating [Elo] of every player-year."""

    games: Games
    truth: Floats


def simulate(
    seed: int,
    *,
    players: int = 160,
    spread: float = 110.0,
    step: float = 18.0,
    white: float = 35.0,
    curve: float = 40.0,
    draws: float = 0.4,
    rounds: int = 12,
) -> Simulation:
    """Simulate careers of 1 to 30 years within 70, with `rounds` games per player and year.

    The mean rating of a career is normal with standard deviation `spread` [Elo]; ratings walk by
    `step` [Elo] a year and lie `curve` [Elo] lower ten years from mid-career. A game with winning
    share p is drawn with probability 4 `draws` p (1 - p), so that the variance of a score is
    (1 - `draws`) times that of a game without draws.
    """
    rng = np.random.default_rng(seed)
    begin, length = rng.integers(1860, 1900, players), rng.integers(1, 31, players)
    length[: players // 4] = 1
    ratings = []
    for n in length:
        t = np.arange(n) - (n - 1) / 2
        bend = -curve * (t / 10) ** 2
        walk = np.cumsum(np.r_[0.0, rng.normal(0, step, n - 1)])
        ratings.append(rng.normal(0, spread) + walk - walk.mean() + bend - bend.mean())
    rows = []
    for year in range(1860, 1930):
        here = np.flatnonzero((begin <= year) & (year < begin + length))
        for _ in range(rounds if len(here) > 1 else 0):
            pairs = rng.permutation(here)[: len(here) // 2 * 2].reshape(-1, 2)
            rows.append(np.c_[pairs, np.full(len(pairs), year)])
    first, second, year = np.concatenate(rows).T
    strength = [
        np.array([ratings[p][y - begin[p]] for p, y in zip(who, year, strict=True)])
        for who in (first, second)
    ]
    p = expit(theta_from_elo(strength[0] - strength[1] + white))
    drawn = 4 * draws * p * (1 - p)
    dice = rng.random(len(p))
    score = np.where(dice < p - drawn / 2, 1.0, np.where(dice < p + drawn / 2, 0.5, 0.0))
    games = games_between(first, second, year, score, colour=1.0)
    nodes = player_years_of(games)
    truth = np.array(
        [ratings[p][y - begin[p]] for p, y in zip(nodes.player, nodes.year, strict=True)]
    )
    return Simulation(games, truth)
