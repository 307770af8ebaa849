"""Whole-History Rating: closed forms, finite differences, and the maximum of a library."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from dense import slopes
from numpy.testing import assert_allclose
from sample_games import history, network
from scipy.optimize import brentq
from scipy.special import expit
from whr import whole_history_rating as library

from edo.core.scale import Floats, elo_from_theta
from edo.rating.games import Games
from edo.systems import whr
from edo.systems.whr import Parameters


def test_a_draw_leaves_equals_and_a_variance_of_the_closed_form() -> None:
    """The virtual games of a year tell 2 prior / 4, the draw 1 / 4, of the own strength."""
    rated = whr.rate(history([(1900, "a", "b", 0.5)]), Parameters(prior=2.0))
    assert_allclose(rated.rating, 0.0, atol=1e-9)
    assert_allclose(rated.deviation, elo_from_theta(np.array((2 * 2.0 / 4 + 1 / 4) ** -0.5)))


@pytest.mark.parametrize("won", [1, 5])
def test_only_wins_have_a_rating_of_the_closed_form(won: int) -> None:
    games, prior = history([(1900, "a", "b", won, won)]), 0.5
    u = brentq(lambda u: won * (1 - expit(2 * u)) + prior * (1 - 2 * expit(u)), 0, 20)
    rated = whr.rate(games, Parameters(prior=prior))
    assert_allclose(rated.rating, elo_from_theta(np.array([u, -u])), atol=1e-6)


def test_across_a_gap_the_rating_lies_on_a_straight_line() -> None:
    games = history([(1900, "a", "b", 1.0), (1905, "c", "a", 0.5), (1910, "a", "c", 1.0)])
    rating = whr.rate(games, Parameters()).rating[:11]
    assert_allclose(np.diff(rating, 2)[[0, 1, 2, 3, 5, 6, 7, 8]], 0.0, atol=1e-9)


def library_ratings(games: Games, parameters: Parameters) -> tuple[Floats, Floats]:
    """Return the library's ratings and deviations [Elo] of player-years with games."""
    base = library.WHR(
        {"w2": parameters.w2, "initial_prior_wins": parameters.prior, "hessian_damping": 1e-12}
    )
    for first, second, year, score in zip(
        games.first, games.second, games.year, games.score, strict=True
    ):
        winner = "B" if score == 1.0 else "W"
        base.create_game(games.players[first], games.players[second], winner, int(year), 0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        base.auto_iterate(precision=1e-10)
    days = [
        (name, int(day.day), day.r, day.uncertainty)
        for name in games.players
        for day in base.player_by_name(name).days
    ]
    strength = np.array([[r, v] for _, _, r, v in days])
    return elo_from_theta(strength[:, 0]), elo_from_theta(np.sqrt(strength[:, 1]))


@pytest.mark.parametrize(
    ("seed", "w2", "prior"), [(1, 300.0, 0.5), (2, 14.0, 1.0), (3, 2000.0, 2.0)]
)
def test_agrees_with_the_library(seed: int, w2: float, prior: float) -> None:
    """To a thousandth of a point, ratings and deviations, in years with games."""
    games = network(seed, 12, 150, 15, has_draws=False)
    parameters = Parameters(w2=w2, prior=prior)
    rated = whr.rate(games, parameters)
    rating, deviation = library_ratings(games, parameters)
    nodes = rated.player_years.nodes
    played = np.unique(np.r_[nodes(games.first, games.year), nodes(games.second, games.year)])
    assert_allclose(rated.rating[played], rating, atol=1e-3)
    assert_allclose(rated.deviation[played], deviation, atol=1e-3)


def test_derivatives_are_those_of_differences() -> None:
    posterior = whr.Posterior(network(5, 6, 40, 5, has_draws=False), Parameters())
    u = np.random.default_rng(1).normal(0, 0.5, len(posterior.player_years.year))
    assert_allclose(posterior.gradient(u), slopes(posterior.value, u), atol=1e-6)
    second = slopes(posterior.gradient, u).diagonal()
    assert_allclose(posterior.information(u)[0], -second, rtol=1e-5)


def test_published_deviations_are_below_joint_ones() -> None:
    posterior = whr.Posterior(network(6, 6, 30, 5, has_draws=False), Parameters())
    u = posterior.fit()
    joint = np.diag(np.linalg.inv(-slopes(posterior.gradient, u)))
    assert np.all(posterior.own_variances(u) < joint)


def test_an_even_score_at_odds_is_worth_the_odds() -> None:
    """A thousand games leave the virtual ones little: who is 100 ahead by odds is 100 weaker."""
    games = history([(1900, "a", "b", 500.0, 1000.0)], odds=100.0)
    rated = whr.rate(games, Parameters(prior=0.5))
    assert rated.rating[0] - rated.rating[1] == pytest.approx(-100, abs=0.5)
