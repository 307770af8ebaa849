"""Whole-History Rating: published figures, closed forms, and the maximum of a library."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sample_games import games_between, network
from scipy.optimize import brentq, check_grad
from scipy.special import expit
from whr import whole_history_rating as library

from edo.core.problems import DisconnectedNetwork
from edo.core.scale import Floats, elo_from_theta, theta_from_elo
from edo.rating.games import Games
from edo.systems import whr
from edo.systems.whr import Parameters


def shusaku() -> Games:
    """The example in the README of the program of GoShrine: three games, a year for a day."""
    ones = np.ones(3, np.int64)
    return games_between(0 * ones, ones, np.array([1, 2, 3]), np.array([1.0, 0.0, 0.0]))


def test_figures_that_the_first_programs_publish() -> None:
    """[1, -43, 84], [2, -45, 84], [3, -45, 84] for w2 = 300; the last are hundredths of nat^2."""
    rated = whr.rate(shusaku(), Parameters(w2=300.0, prior=1.0))
    assert np.round(rated.rating).tolist() == [-43, -45, -45, 43, 45, 45]
    variance = theta_from_elo(rated.deviation[:3]) ** 2
    assert_allclose(100 * variance, [84, 84, 84], atol=1)


def test_a_draw_leaves_equals_and_a_variance_of_the_closed_form() -> None:
    """The virtual games of a year tell 2 prior / 4, the draw 1 / 4, of the own strength."""
    games = games_between(np.array([0]), np.array([1]), np.array([1900]), np.array([0.5]))
    rated = whr.rate(games, Parameters(prior=2.0))
    assert_allclose(rated.rating, 0.0, atol=1e-9)
    assert_allclose(rated.deviation, elo_from_theta(np.array((2 * 2.0 / 4 + 1 / 4) ** -0.5)))


@pytest.mark.parametrize("won", [1, 5])
def test_only_wins_have_a_rating_of_the_closed_form(won: int) -> None:
    games = games_between(
        np.array([0]), np.array([1]), np.array([1900]), np.array([float(won)]), count=float(won)
    )
    prior = 0.5
    u = brentq(lambda u: won * (1 - expit(2 * u)) + prior * (1 - 2 * expit(u)), 0, 20)
    rated = whr.rate(games, Parameters(prior=prior))
    assert_allclose(rated.rating, elo_from_theta(np.array([u, -u])), atol=1e-6)


def test_across_a_gap_the_rating_lies_on_a_straight_line() -> None:
    games = games_between(
        np.array([0, 2, 0]), np.array([1, 0, 2]), np.array([1900, 1905, 1910]),
        np.array([1.0, 0.5, 1.0]),
    )  # fmt: skip
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


def test_a_draw_is_half_a_win_and_half_a_loss() -> None:
    games = network(4, 8, 60, 6, has_draws=False)
    half = replace(games, wins=games.wins / 2, losses=games.losses / 2, draws=0.5 + 0 * games.wins)
    twice = replace(
        games,
        **{
            name: np.tile(getattr(games, name), 2)
            for name in Games.__dataclass_fields__
            if name not in ("players", "events")
        },
    )
    drawn = np.arange(120) >= 60
    split = replace(
        twice,
        wins=np.where(drawn, 0.25, twice.wins / 2),
        losses=np.where(drawn, 0.25, twice.losses / 2),
    )
    assert_allclose(
        whr.rate(half, Parameters()).rating, whr.rate(split, Parameters()).rating, atol=1e-6
    )


def test_derivatives_are_those_of_differences() -> None:
    games = network(5, 6, 40, 5, has_draws=False)
    posterior = whr.Posterior(games, Parameters())
    theta = np.random.default_rng(1).normal(0, 0.5, len(posterior.player_years.year))
    gradient = posterior.gradient
    error = check_grad(posterior.value, gradient, theta)
    assert error < 1e-5 * np.linalg.norm(gradient(theta))
    step = 1e-5 * np.eye(len(theta))
    second = [gradient(theta - e) - gradient(theta + e) for e in step]
    assert_allclose(posterior.information(theta)[0], np.diag(second) / 2e-5, rtol=1e-5)


def test_published_deviations_are_below_joint_ones() -> None:
    posterior = whr.Posterior(network(6, 6, 30, 5, has_draws=False), Parameters())
    u, gradient = posterior.fit(), posterior.gradient
    columns = [gradient(u - e) - gradient(u + e) for e in 1e-5 * np.eye(len(u))]
    joint = np.diag(np.linalg.inv(np.array(columns) / 2e-5))
    assert np.all(posterior.own_variances(u) < joint)


def test_odds_count() -> None:
    games = network(7, 10, 100, 8, has_draws=False)
    rated = whr.rate(games, Parameters())
    with_odds = replace(games, odds=100.0 + games.odds)
    assert with_odds.odds[0] == 100
    assert np.abs(whr.rate(with_odds, Parameters()).rating - rated.rating).max() > 1


def test_an_even_score_at_odds_is_worth_the_odds() -> None:
    """A thousand games leave the virtual ones little: who is 100 ahead by odds is 100 weaker."""
    games = games_between(np.array([0]), np.array([1]), np.array([1900]), np.array([500.0]),
                          count=1000.0, odds=100.0)  # fmt: skip
    rated = whr.rate(games, Parameters(prior=0.5))
    assert rated.rating[0] - rated.rating[1] == pytest.approx(-100, abs=0.5)


def test_no_games_are_refused() -> None:
    games = network(8, 3, 5, 2, has_draws=False)
    with pytest.raises(DisconnectedNetwork, match="no games to rate"):
        whr.rate(games.where(np.zeros(5, np.bool_)), Parameters())
