"""The fit of networks of any size against the exact factor and dense algebra."""

from pathlib import Path

import numpy as np
import pytest
from bench import iterative
from bench.iterative import IterativeLaplacian, fit_any_size
from bench.measure import measure_approximation, measure_headline, read_games
from bench.population import (
    Population,
    SimulatedGames,
    player_years,
    simulate,
)
from conftest import ROOT
from test_bradley_terry import random_comparisons

from edo.core.problems import NotConverged
from edo.history.settings import DEFAULT
from edo.rating import network
from edo.rating.fit.bradley_terry import busiest, fit, gradient, weights
from edo.rating.fit.laplacian import Laplacian
from edo.rating.games import Row, Side, numbered

SMALL = Population(games=3000, players=700, years=30, countries=20)
TABLE = ROOT.parent / "shared/bench/games.csv.gz"


@pytest.fixture(scope="module")
def careers():
    """A small simulated population, and its exact fit."""
    c = player_years(simulate(SMALL, seed=2), DEFAULT).comparisons
    return c, fit(c)


def information(c, theta):
    pairs = c.aggregated()
    matrix = IterativeLaplacian(pairs.n, pairs.i, pairs.j, busiest(pairs))
    matrix.factorise(weights(pairs, theta))
    return matrix


def test_the_predicted_fill_is_that_of_the_factor():
    """Without padding: a supernode also holds zeros, a path or a star has none."""
    path = Laplacian(6, np.arange(5), np.arange(1, 6), ground=0)
    assert path.fill() == 5 + 4
    n = 9  # every pair is linked: the factor of the others is a full triangle
    i, j = np.triu_indices(n, 1)
    assert Laplacian(n, i, j, ground=3).fill() == 8 * 9 / 2


def test_the_switch_goes_by_the_predicted_fill(careers):
    c, exact = careers
    fill = fit_any_size(c).fill
    by_factor, by_iteration = fit_any_size(c, fill), fit_any_size(c, fill - 1)
    assert (by_factor.is_exact, by_iteration.is_exact) == (True, False)
    assert by_factor.theta.tobytes() == exact.theta.tobytes()
    variances, errors = by_factor.variances()
    assert variances == pytest.approx(exact.variances(), rel=1e-12) and not errors.any()
    assert by_iteration.fill == fill and by_iteration.steps <= exact.steps


@pytest.mark.parametrize("seed", range(3))
def test_any_network_has_the_same_maximum(seed):
    c = random_comparisons(60, 90, seed, most=1.0)
    found = fit_any_size(c, fill_limit=0)
    assert not found.is_exact
    assert found.theta == pytest.approx(fit(c).theta, abs=1e-9)
    assert np.abs(gradient(c, found.theta)).max() < 1e-8
    assert found.remaining < 1e-9


def test_simulated_variances_are_off_by_their_standard_errors(careers):
    c, exact = careers
    expected = exact.variances()
    matrix = information(c, exact.theta)
    few, many = (matrix.simulated_diagonal(samples) for samples in (16, 256))
    for variances, errors in few, many:
        z = (variances - expected) / errors
        assert 0.5 < np.sqrt(np.mean(z**2)) < 2
    assert np.median(many[1] / few[1]) == pytest.approx(1 / 4, abs=0.08)
    assert np.median(np.abs(np.sqrt(many[0] / expected) - 1)) < 0.02
    assert np.array_equal(few[0], matrix.simulated_diagonal(16)[0])
    lower = matrix._block_variances() - 2 * matrix._precondition(np.ones(c.n)) / c.n
    assert np.all(lower <= expected)


def test_too_few_iterations_raise(careers, monkeypatch):
    monkeypatch.setattr(iterative, "MAX_ITERATIONS", 3)
    message = r"conjugate gradients left \S+ of the right side after 3 steps; allow more steps"
    with pytest.raises(NotConverged, match=message):
        fit_any_size(careers[0], fill_limit=0)


def test_a_population_is_skewed_and_repeatable():
    games, again = simulate(SMALL, seed=5), simulate(SMALL, seed=5)
    for name in ("first", "second", "year", "score"):
        assert np.array_equal(getattr(games, name), getattr(again, name))
    assert len(games.year) == SMALL.games and np.all(games.first != games.second)
    assert set(games.score.tolist()) == {0, 0.5, 1}
    assert games.year.min() >= 0 and games.year.max() < SMALL.years
    assert (games.year >= SMALL.years / 2).mean() > 0.6  # activity grows
    played = np.bincount(np.r_[games.first, games.second])
    played = played[played > 0]
    assert played.mean() > 2 * np.median(played)
    assert not np.array_equal(games.score, simulate(SMALL, seed=6).score)


def test_player_years_from_arrays_are_those_of_the_network():
    games = simulate(SMALL, seed=7)
    columns = (games.first, games.second, games.year, games.score)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    rated = [
        Row(year, f"e{k:06}", Side(f"p{a:06}"), Side(f"p{b:06}"), score, 1.0)
        for k, (a, b, year, score) in enumerate(rows)
    ]
    net, found = network.build(numbered(rated), DEFAULT), player_years(games, DEFAULT)
    assert net.players == tuple(f"p{k:06}" for k in found.players)
    assert np.array_equal(net.start, found.start) and len(net.pairings) == found.games

    def rows_of(c):
        columns = (c.i, c.j, c.score, c.games)
        return sorted(zip(*(column.tolist() for column in columns), strict=True))

    assert rows_of(net.comparisons) == rows_of(found.comparisons)


def test_players_without_a_point_are_not_rated():
    first, second = np.array([0, 1, 0, 2]), np.array([1, 0, 2, 0])
    games = SimulatedGames(first, second, np.array([3, 5, 3, 3]), np.array([1.0, 1, 1, 0]))
    found = player_years(games, DEFAULT)
    assert found.players.tolist() == [0, 1] and found.start.tolist() == [0, 3, 6]
    assert found.games == 2


def test_the_headline_is_measured():
    found = measure_headline(SMALL, Path("no table"))
    assert set(found["steps"]) == {"simulated games", "player-years", "fit", "standard errors"}
    assert found["games"] == 3000 and found["is_exact"] and found["stated_error_greatest"] == 0
    assert found["rated_players"] < found["players"] < SMALL.players


@pytest.mark.slow
@pytest.mark.skipif(not TABLE.is_file(), reason="the table of games is not here")
def test_the_stated_accuracy_on_a_table_of_real_games():
    """The figures in the docstring of the module; the seed is fixed."""
    found = measure_approximation(network.build(read_games(TABLE), DEFAULT).comparisons)
    assert found["greatest_difference_elo"] < 1e-9
    assert found["error_median"] < 0.0015 and found["error_95"] < 0.012
    assert found["error_99"] < 0.03 and found["error_greatest"] < 0.16
