"""TrueSkill: truncated moments of closed form, and the library of the same name."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
import trueskill as oracle
from dense import slopes
from sample_games import games_between, network
from scipy.special import ndtr

from edo.rating.games import Games
from edo.systems.expectation_propagation import (
    Derivatives,
    both_positive,
    margin_of,
    positive,
    within,
)
from edo.systems.ttt import Parameters, rate_forwards, skills_forwards

USUAL = Parameters()


def test_truncated_moments_of_closed_form() -> None:
    half = positive(np.zeros(1))
    assert half.log_mass == pytest.approx(math.log(0.5))
    assert half.slope == pytest.approx(math.sqrt(2 / math.pi))  # 0.797885, of the half normal
    assert half.curvature == pytest.approx(2 / math.pi)
    inner = within(np.zeros(1), np.ones(1))
    assert np.exp(inner.log_mass) == pytest.approx(0.6826895)
    assert inner.slope == pytest.approx(0)
    assert 1 - inner.curvature == pytest.approx(0.2911251)  # variance of N(0, 1) within 1


@pytest.mark.parametrize("t", [-30.0, -8.0, -1.3, 0.4, 3.0, 9.0])
@pytest.mark.parametrize("bend", [positive, partial(within, margin=np.array([0.5]))])
def test_slope_and_curvature_are_the_derivatives(
    t: float, bend: Callable[..., Derivatives]
) -> None:
    at, step = np.array([t]), 1e-4 * max(1.0, abs(t))
    found = bend(at)
    slope = slopes(lambda x: bend(x).log_mass, at, step)[0]
    curvature = -slopes(lambda x: bend(x).slope, at, step)[0]
    assert found.slope == pytest.approx(slope, rel=1e-4, abs=1e-7)
    assert found.curvature == pytest.approx(curvature, rel=1e-4, abs=1e-7)
    assert 0 <= found.curvature[0] <= 1 + 1e-9


@pytest.mark.parametrize(
    ("correlation", "chance"), [(0.5, 1 / 3), (-0.5, 1 / 6), (0.0, 0.25), (-0.8, 0.10241638)]
)
def test_a_quadrant_holds_its_closed_form(correlation: float, chance: float) -> None:
    """Sheppard's formula: 1/4 + asin(correlation) / (2 pi)."""
    corner = both_positive(
        np.zeros((2, 1)), np.array([correlation]), 1 - np.array([correlation]) ** 2
    )
    assert np.exp(corner.log_mass) == pytest.approx(chance)


def by_the_library(games: Games) -> tuple[dict[str, oracle.Rating], float]:
    """Return the last ratings of all players, and the log evidence, game by game."""
    env = oracle.TrueSkill(0, 400, 480, 0, 0.303, backend="scipy")
    margin, now, last, evidence = margin_of(0.303, 480), {}, {}, 0.0
    for a, b, year, score in zip(games.first, games.second, games.year, games.score, strict=True):
        before = []
        for k in (a, b):
            rating, gap = now.get(k, env.create_rating()), year - last.get(k, year)
            before.append(oracle.Rating(rating.mu, math.sqrt(rating.sigma**2 + gap * 3600)))
            last[k] = year
        spread = math.sqrt(2 * 480**2 + sum(r.sigma**2 for r in before))
        ahead = before[0].mu - before[1].mu
        wins, losses = (float(ndtr((x - margin) / spread)) for x in (ahead, -ahead))
        evidence += math.log({1.0: wins, 0.0: losses, 0.5: 1 - wins - losses}[float(score)])
        players = (b, a) if score == 0 else (a, b)
        ranked = before[::-1] if score == 0 else before
        now.update(zip(players, oracle.rate_1vs1(*ranked, score == 0.5, env=env), strict=True))
    return {games.players[k]: rating for k, rating in now.items()}, evidence


@pytest.mark.parametrize("seed", range(3))
def test_a_history_is_that_of_the_library(seed: int) -> None:
    """Tolerance 0.05 points of skill, after 60 games; log evidence 0.001."""
    games = network(seed)
    found = skills_forwards(games, USUAL)
    theirs, evidence = by_the_library(games)
    assert found.log_evidence == pytest.approx(evidence, abs=1e-3)
    for name, rating in theirs.items():
        node = found.player_years.start[games.players.index(name) + 1] - 1
        assert found.skill.mean[node] == pytest.approx(rating.mu, abs=0.05)
        assert math.sqrt(found.skill.variance[node]) == pytest.approx(rating.sigma, abs=0.05)


def test_events_weighed_at_once_are_as_each_by_itself() -> None:
    """The second is a player's win against nine, eight times each, which takes more sweeps."""
    easy, hard = (
        network(7),
        games_between(np.zeros(72), 1 + np.arange(72) % 9, np.full(72, 1900), 1.0),
    )
    n = len(easy.players)
    both = games_between(
        np.r_[easy.first, hard.first + n], np.r_[easy.second, hard.second + n],
        np.r_[easy.year, hard.year], np.r_[easy.score, hard.score],
        event=np.r_[easy.event, hard.event + len(easy.events)],
    )  # fmt: skip
    assert len(list(both.turns())) == len(list(easy.turns()))
    found = rate_forwards(both, USUAL)
    alone = [rate_forwards(one, USUAL) for one in (easy, hard)]
    assert found.rating.tolist() == [x for one in alone for x in one.rating.tolist()]
    assert found.deviation.tolist() == [x for one in alone for x in one.deviation.tolist()]
