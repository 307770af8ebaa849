"""Edo integrated: the maximum, its doubt and its scales, each by a second route."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import simulated_careers
from numpy.testing import assert_allclose
from sample_games import games_between, network
from scipy.optimize import brentq, check_grad, minimize
from scipy.special import expit

from edo.core.problems import DisconnectedNetwork
from edo.core.scale import elo_from_theta, theta_from_elo
from edo.core.settings import DEFAULT
from edo.systems import edo_integrated
from edo.systems.base import Rated, logistic
from edo.systems.edo_integrated import Parameters, design_of
from edo.systems.evaluation.simulation import step_of
from edo.systems.games import Floats, Games
from edo.systems.penalised_fit import Bordered, Point, Posterior, Prior, Rows
from edo.systems.player_years import player_years_of


@pytest.fixture(scope="module")
def games() -> Games:
    """Forty games of seven players in six years, with colours, odds and draws."""
    start = network(3, 7, 40, 6, has_draws=False)
    rng = np.random.default_rng(4)
    draws = (rng.random(40) < 0.3).astype(float)
    wins = np.where(draws > 0, 0.0, start.wins)
    return replace(
        start,
        wins=wins,
        draws=draws,
        losses=1 - wins - draws,
        colour=rng.integers(-1, 2, 40).astype(float),
        odds=np.where(rng.random(40) < 0.1, 100.0, 0.0),
    )


def posterior_of(games: Games, weight: float) -> tuple[Posterior, edo_integrated.Design]:
    player_years = player_years_of(games)
    design = design_of(player_years, 2.0)
    i, j = player_years.nodes(games.first, games.year), player_years.nodes(games.second, games.year)
    shared = design.shape[i] - design.shape[j]
    shared[:, -1] = games.colour
    rows = Rows(i, j, games.score, games.count, theta_from_elo(games.odds), shared,
                np.full(len(i), weight))  # fmt: skip
    return Posterior(player_years, rows), design


def dense_posterior(z: Floats, posterior: Posterior, prior: Prior) -> float:
    """Minus the log posterior, game by game and year by year as it is written on the page."""
    u, c = z[: posterior.size], z[posterior.size :]
    rows, total = posterior.rows, 0.0
    for k in range(len(rows.i)):
        x = u[rows.i[k]] - u[rows.j[k]] + rows.shared[k] @ c + rows.odds[k]
        p = 1 / (1 + np.exp(-x))
        lost = rows.games[k] - rows.score[k]
        total += rows.weight[k] * (rows.score[k] * np.log(p) + lost * np.log(1 - p))
    for k in range(posterior.size):
        total -= (u[k] - prior.mean[k] @ c) ** 2 / (2 * posterior.years[k] * prior.spread**2)
    for k in posterior.later:
        total -= (u[k] - u[k - 1]) ** 2 / (2 * prior.step**2)
    return float(-(total - c @ prior.precision @ c / 2))


def hessian(posterior: Posterior, at: Point, prior: Prior) -> Floats:
    """Minus the second derivatives, dense, by differences of the gradient."""
    n, z = posterior.size, np.r_[at.u, at.c]

    def gradient(z: Floats) -> Floats:
        slope = posterior.derivatives(Point(z[:n], z[n:]), prior)
        return np.r_[slope.u, slope.c]

    step = 1e-5
    columns = [gradient(z - e) - gradient(z + e) for e in step * np.eye(len(z))]
    return np.array(columns) / (2 * step)


def test_maximum_is_that_of_a_dense_fit(games: Games) -> None:
    posterior, design = posterior_of(games, 1.6)
    prior = design.prior(theta_from_elo(np.array([120.0, 30.0, 20.0])))
    start = Point(np.zeros(posterior.size), np.zeros(design.mean.shape[1]))
    found = posterior.fit(prior, start)
    again = minimize(
        dense_posterior, np.zeros(posterior.size + len(start.c)), (posterior, prior), "BFGS",
        jac="3-point", options={"gtol": 1e-7, "maxiter": 2000},
    )  # fmt: skip
    assert_allclose(elo_from_theta(np.r_[found.u, found.c]), elo_from_theta(again.x), atol=0.02)
    assert dense_posterior(np.r_[found.u, found.c], posterior, prior) <= again.fun + 1e-9


def test_derivatives_are_those_of_differences(games: Games) -> None:
    posterior, design = posterior_of(games, 1.3)
    prior = design.prior(np.array([0.6, 0.2, 0.1]))
    n, size = posterior.size, posterior.size + design.mean.shape[1]
    z = np.random.default_rng(0).normal(0, 0.5, size)

    def value(z: Floats) -> float:
        return posterior.log_posterior(Point(z[:n], z[n:]), prior)

    def gradient(z: Floats) -> Floats:
        slope = posterior.derivatives(Point(z[:n], z[n:]), prior)
        return np.r_[slope.u, slope.c]

    assert check_grad(value, gradient, z) < 1e-6 * np.linalg.norm(gradient(z))
    slope = posterior.derivatives(Point(z[:n], z[n:]), prior)
    dense = np.diag(np.r_[slope.diagonal, np.zeros(size - n)])
    rows = np.r_[posterior.rows.i, posterior.later], np.r_[posterior.rows.j, posterior.later - 1]
    for a, b, entry in zip(*rows, slope.entries, strict=True):
        dense[a, b] += entry
        dense[b, a] += entry
    dense[:n, n:], dense[n:, :n], dense[n:, n:] = slope.border, slope.border.T, slope.corner
    assert_allclose(dense, hessian(posterior, Point(z[:n], z[n:]), prior), atol=1e-7)


def test_deviations_are_those_of_the_dense_inverse(games: Games) -> None:
    found = edo_integrated.fit(games, Parameters(knots=2.0))
    shape, n = found.design.shape, len(found.point.u)
    dense = hessian(found.posterior, found.point, found.design.prior(found.scales))
    to_rating = np.hstack([np.eye(n), shape])
    to_rating = to_rating - to_rating.mean(axis=0)
    variance = np.diag(to_rating @ np.linalg.inv(dense) @ to_rating.T)
    assert_allclose(found.deviation(), elo_from_theta(np.sqrt(variance)), rtol=1e-5)


def test_evidence_is_that_of_a_normal_distribution(games: Games) -> None:
    """With hardly any weight on the games, what remains is the prior, of evidence 1."""
    posterior, design = posterior_of(games, 1e-12)
    for spread, step, drift in ((0.5, 0.2, 0.1), (0.1, 0.9, 0.4)):
        prior = design.prior(np.array([spread, step, drift]))
        start = Point(np.zeros(posterior.size), np.zeros(design.mean.shape[1]))
        at = posterior.fit(prior, start)
        assert posterior.log_evidence(at, prior) == pytest.approx(0.0, abs=1e-6)


def test_slope_of_evidence_is_that_of_small_differences(games: Games) -> None:
    """Of the evidence and of the maximum, by the logarithms of spread, step and drift."""
    posterior, design = posterior_of(games, 1.0)

    def fitted(logarithms: Floats) -> tuple[Prior, Point]:
        prior = design.prior(np.exp(logarithms))
        return prior, posterior.fit(prior)

    def evidence(logarithms: Floats) -> float:
        prior, at = fitted(logarithms)
        return posterior.log_evidence(at, prior)

    here, h = np.log([0.6, 0.1, 0.08]), 1e-4 * np.eye(3)
    prior, at = fitted(here)
    posterior.log_evidence(at, prior)
    found = posterior.slope_of_evidence(at, prior, design.drift / np.exp(here[2]) ** 2)
    slopes = [(evidence(here + one) - evidence(here - one)) / 2e-4 for one in h]
    assert_allclose(found.slope, slopes, atol=1e-6)
    moves = [(fitted(here + one)[1].u - fitted(here - one)[1].u) / 2e-4 for one in h]
    assert_allclose(found.moves.u.T, moves, atol=1e-6)


def test_evidence_is_the_integral() -> None:
    """Of one decisive game of two players, who each have one year."""
    games = games_between(np.array([0]), np.array([1]), np.array([1900]), np.array([1.0]))
    player_years, none = player_years_of(games), np.zeros((2, 0))
    ones = np.ones(1)
    rows = Rows(np.array([0]), np.array([1]), ones, ones, 0 * ones, np.zeros((1, 0)), ones)
    posterior, spread = Posterior(player_years, rows), 0.3
    prior = Prior(spread, 1.0, none, np.zeros((0, 0)))
    at = posterior.fit(prior, Point(np.zeros(2), np.zeros(0)))
    grid = np.linspace(-6, 6, 4001)
    density = np.exp(-(grid**2) / (4 * spread**2)) / np.sqrt(4 * np.pi * spread**2)
    integral = np.trapezoid(expit(grid) * density, grid)
    assert np.exp(posterior.log_evidence(at, prior)) == pytest.approx(integral, rel=0.005)


@pytest.mark.parametrize("won", [1, 3, 10])
def test_only_wins_have_a_rating_of_their_own(won: int) -> None:
    """2 u / spread^2 = 2 games (1 - p(2 u)) for two players who never met others."""
    games = games_between(
        np.array([0]), np.array([1]), np.array([1900]), np.array([float(won)]), count=float(won)
    )
    player_years, spread = player_years_of(games), 0.7
    rows = Rows(np.array([0]), np.array([1]), games.score, games.count, np.zeros(1),
                np.zeros((1, 0)), np.ones(1))  # fmt: skip
    posterior = Posterior(player_years, rows)
    prior = Prior(spread, 1.0, np.zeros((2, 0)), np.zeros((0, 0)))
    at = posterior.fit(prior, Point(np.zeros(2), np.zeros(0)))
    u = brentq(lambda u: u / spread**2 - won * (1 - expit(2 * u)), 0, 20)
    assert_allclose(at.u, [u, -u], atol=1e-9)


@pytest.mark.parametrize("years", [1, 2, 7, 40])
def test_mean_level_has_the_spread_whatever_the_length(years: int) -> None:
    """The inverse of the prior's precision, summed over a career, gives spread^2."""
    spread, step = 0.6, 0.1
    ties = 2 * np.eye(years) - np.eye(years, k=1) - np.eye(years, k=-1)
    ties[0, 0] -= 1
    ties[-1, -1] -= 1
    covariance = np.linalg.inv(np.eye(years) / (years * spread**2) + ties / step**2)
    assert covariance.mean() == pytest.approx(spread**2)
    assert_allclose(covariance, covariance[::-1, ::-1], rtol=1e-9)


def test_bordered_matrix_against_dense() -> None:
    rng = np.random.default_rng(2)
    n, c = 12, 3
    rows, columns = np.arange(1, n), np.arange(n - 1)
    entries = rng.normal(size=n - 1)
    diagonal, border, corner = np.full(n, 5.0), rng.normal(size=(n, c)), 20 * np.eye(c)
    dense = np.diag(np.r_[diagonal, np.diag(corner)])
    dense[rows, columns] = dense[columns, rows] = entries
    dense[:n, n:], dense[n:, :n] = border, border.T
    matrix = Bordered(n, np.r_[rows, columns[:1]], np.r_[columns, rows[:1]])
    # The first entry is given in two parts, one from each side of the diagonal.
    parts = np.r_[entries[0] - 1, entries[1:], 1.0]
    matrix.factorise(diagonal, parts, border, corner)
    right, shape, weights = rng.normal(size=n + c), rng.normal(size=(n, c)), rng.normal(size=n)
    assert_allclose(np.concatenate(matrix.solve(right[:n], right[n:])),
                    np.linalg.solve(dense, right))  # fmt: skip
    assert matrix.log_determinant() == pytest.approx(np.linalg.slogdet(dense)[1])
    mapped = np.hstack([np.eye(n), shape])
    covariance = mapped @ np.linalg.inv(dense) @ mapped.T
    assert_allclose(matrix.variances(shape), np.diag(covariance))
    assert_allclose(matrix.covariances(shape, weights), covariance @ weights)


@pytest.fixture(scope="module")
def history() -> simulated_careers.Simulation:
    return simulated_careers.simulate(11, players=120, rounds=10)


@pytest.fixture(scope="module")
def small() -> simulated_careers.Simulation:
    return simulated_careers.simulate(5, players=40, rounds=5)


@pytest.fixture(scope="module")
def few(small: simulated_careers.Simulation) -> Rated:
    return edo_integrated.rate(small.games, Parameters())


@pytest.fixture(scope="module")
def rated(history: simulated_careers.Simulation) -> Rated:
    return edo_integrated.rate(history.games, Parameters())


def test_scales_and_shared_numbers_are_found_again(rated: Rated) -> None:
    found = rated.fitted
    assert found["spread of the levels [Elo]"] == pytest.approx(110, abs=15)
    assert found["step from year to year [Elo]"] == pytest.approx(18, abs=4)
    assert found["White's advantage [Elo]"] == pytest.approx(35, abs=10)
    curve = found["ten years before or after the middle of a career [Elo]"]
    assert curve == pytest.approx(-40, abs=12)
    assert found["drift of the mean in ten years [Elo]"] < 30
    assert abs(found["twice as many years on record [Elo]"]) < 15
    for year in (1860, 1928):
        share = next(v for k, v in found.items() if k.startswith("draws") and str(year)[:3] in k)
        assert share == pytest.approx(0.4, abs=0.06)


def test_deviations_cover_the_truth_also_where_games_are_drawn() -> None:
    inside = np.zeros(2)
    for seed, draws in ((21, 0.2), (22, 0.5)):
        history = simulated_careers.simulate(seed, players=80, draws=draws, rounds=6)
        rated = edo_integrated.rate(history.games, Parameters())
        off = rated.rating - history.truth
        off = np.abs(off - off.mean()) / rated.deviation
        inside += np.mean(off < 1) / 2, np.mean(off < 1.96) / 2
    assert inside == pytest.approx([0.683, 0.95], abs=0.04)


def test_what_was_estimated_is_told_in_the_units_it_is_said_to_have(
    few: Rated,
) -> None:
    told = few.fitted
    # a self-game pulls as a game does, half of whose variance is left by draws
    settings = replace(DEFAULT, self_games=told["self-games worth that step"])
    assert step_of(settings) == pytest.approx(told["step from year to year [Elo]"])


def test_the_strengths_are_the_maximum_at_the_scales_that_are_told(games: Games) -> None:
    found = edo_integrated.fit(games, Parameters())
    slope = found.posterior.derivatives(found.point, found.design.prior(found.scales))
    assert np.r_[slope.u, slope.c] == pytest.approx(0, abs=1e-9)


def test_a_curve_leaves_the_mean_of_a_career_where_it_is(games: Games) -> None:
    player_years = player_years_of(games)
    curve = design_of(player_years, 2.0).shape[:, -2]
    assert np.abs(curve).max() > 0.01
    assert np.bincount(player_years.player, curve) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    ("knots", "variances"), [(10.0, [1, 2, 3, 4, 5]), (20.0, [5 / 3, 10 / 3, 5])]
)
def test_the_mean_wanders_by_its_drift_in_ten_years(knots: float, variances: list[float]) -> None:
    _, drift = edo_integrated._hats(np.array([1850, 1873, 1900]), knots)
    assert np.linalg.inv(drift).diagonal() == pytest.approx(variances)


def test_no_year_has_more_draws_than_nine_of_ten() -> None:
    years, line = np.array([1850, 1900, 1950]), np.array([0.5, 0.2])  # 0.2 more in ten years
    assert edo_integrated._share(years, 1900.0, line).tolist() == [0.0, 0.5, 0.9]


def test_twice_as_many_years_count_by_their_logarithm(games: Games) -> None:
    player_years = player_years_of(games)
    design = design_of(player_years, 2.0)
    years = np.diff(player_years.start)[player_years.player]
    length = design.mean[:, -3]
    assert len(set(years.tolist())) > 1
    assert length / np.log(2) == pytest.approx(np.log2(years))


def test_only_what_was_played_at_no_odds_tells_of_draws(games: Games) -> None:
    assert np.any(edo_integrated.fit(games, Parameters()).draws != 0)
    is_drawn = games.draws > 0
    for one in (replace(games, played=~is_drawn), replace(games, odds=np.where(is_drawn, 1.0, 0))):
        assert edo_integrated.fit(one, Parameters()).draws == pytest.approx([0, 0], abs=1e-12)


def test_time_has_no_direction(small: simulated_careers.Simulation, few: Rated) -> None:
    again = edo_integrated.rate(simulated_careers.mirrored(small.games), Parameters())
    ends = small.games.year.max() + small.games.year.min()
    at = again.player_years.nodes(few.player_years.player, ends - few.player_years.year)
    assert_allclose(again.rating[at], few.rating, atol=0.05)
    assert_allclose(again.deviation[at], few.deviation, atol=0.05)


def test_order_of_rows_does_not_matter_at_all(
    small: simulated_careers.Simulation, few: Rated
) -> None:
    again = edo_integrated.rate(simulated_careers.shuffled(small.games, 5), Parameters())
    assert np.array_equal(again.rating, few.rating)


def test_level_is_only_shifted(small: simulated_careers.Simulation, few: Rated) -> None:
    games, moved = small.games, edo_integrated.rate(small.games, Parameters(mean=1000.0))
    assert_allclose(moved.rating, few.rating - 1500)
    assert_allclose(moved.deviation, few.deviation)
    nodes = few.player_years.nodes
    both = nodes(games.first, games.year), nodes(games.second, games.year)
    mean = np.average((few.rating[both[0]] + few.rating[both[1]]) / 2, weights=games.count)
    assert mean == pytest.approx(2500)


def test_expectation_knows_white(few: Rated) -> None:
    k, white = np.zeros(3, np.int64), few.fitted["White's advantage [Elo]"]
    p = few.expected(k, k, np.array([1.0, 0.0, -1.0]))
    assert_allclose(p[[0, 1]], [1 / (1 + 10 ** (-white / 400)), 0.5])
    plain = logistic(np.array([2600.0, 2500.0]))
    assert plain(np.array([0]), np.array([1]), np.zeros(1))[0] == pytest.approx(0.64, abs=5e-4)


def test_without_colours_there_is_no_advantage(small: simulated_careers.Simulation) -> None:
    rated = edo_integrated.rate(small.games, Parameters(colours=0.0))
    assert rated.fitted["White's advantage [Elo]"] == pytest.approx(0.0, abs=1e-9)


def test_nobody_is_dropped() -> None:
    """Perfect scores, a player who lost all, and two whom nothing links to the others."""
    games = games_between(
        np.array([0, 0, 1, 3, 5]), np.array([1, 2, 2, 1, 6]),
        np.array([1900, 1900, 1901, 1904, 1902]), np.array([1.0, 1.0, 0.5, 1.0, 1.0]),
    )  # fmt: skip
    rated = edo_integrated.rate(games, Parameters())
    assert set(rated.player_years.player) == {0, 1, 2, 3, 5, 6}
    assert np.isfinite(rated.rating).all()
    assert np.all(rated.deviation > 0)
    nodes = rated.player_years.nodes(np.array([5, 6]), np.array([1902, 1902]))
    assert rated.rating[nodes[0]] > rated.rating[nodes[1]]


def test_no_games_are_refused(small: simulated_careers.Simulation) -> None:
    nothing = small.games.where(np.zeros(len(small.games.first), np.bool_))
    with pytest.raises(DisconnectedNetwork, match="no games to rate"):
        edo_integrated.rate(nothing, Parameters())


@pytest.mark.slow
def test_the_real_history_has_a_rating_for_everybody(real_games: Games) -> None:
    rated = edo_integrated.rate(real_games, Parameters())
    assert np.isfinite(rated.rating).all()
    assert np.all((rated.deviation > 5) & (rated.deviation < 250))
    assert 20 < rated.fitted["White's advantage [Elo]"] < 45
    assert rated.fitted["self-games worth that step"] > 60
    assert 50 < rated.fitted["spread of the levels [Elo]"] < 200
