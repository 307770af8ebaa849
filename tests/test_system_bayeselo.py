"""Bayeselo and EloStat: closed forms, dense likelihoods, and the iteration of the program."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from dense import slopes
from numpy.testing import assert_allclose
from sample_games import history, one_event
from scipy.optimize import minimize

from edo.core.problems import NotConverged
from edo.core.scale import ELO_PER_NAT, Floats, difference_from_score
from edo.rating.games import Games, largest_part
from edo.systems import bayeselo
from edo.systems.base import ByDifference
from edo.systems.bayeselo import (
    EloStat,
    OutcomeModel,
    Results,
    fit,
    rate_elostat,
    results_of,
    tabulate,
)

PROGRAM = OutcomeModel()
PRIOR = 2.0


def results(games: Sequence[tuple[str, str, float]]) -> Results:
    return results_of(one_event(games)).with_prior(PRIOR)


def test_after_many_draws_the_difference_is_the_advantage() -> None:
    found = fit(results_of(history([(1900, "a", "b", 5e4, 1e5)], draws=1e5, colour=1.0)), PROGRAM)
    raw = found.rating / PROGRAM.scale
    assert raw[1] - raw[0] == pytest.approx(32.8, abs=0.01)


def test_near_even_strength_a_point_is_worth_what_it_is_on_elo_s_curve() -> None:
    x = 10 ** (-97.3 / 400)
    assert PROGRAM.scale == pytest.approx(4 * x / (1 + x) ** 2)
    model = OutcomeModel(advantage=0.0, draw=200.0)  # on the scale of the model far less steep
    expected = ByDifference(np.array([2001.0, 2000.0]), model.expected_score)
    ahead = expected(np.array([0]), np.array([1]), np.zeros(1))
    assert ahead - 0.5 == pytest.approx(1 / (4 * ELO_PER_NAT), rel=1e-4)


def test_chances_are_those_of_the_page() -> None:
    def f(delta: float) -> float:
        return float(1 / (1 + 10 ** (delta / 400)))

    white, black = 2100.0, 1950.0
    win, draw, loss = PROGRAM.probabilities(np.array(white - black))
    assert win == pytest.approx(f(black - white - 32.8 + 97.3))
    assert loss == pytest.approx(f(white - black + 32.8 + 97.3))
    assert draw == pytest.approx(1 - win - loss)


def test_prior_is_a_draw_handed_out_by_each_player() -> None:
    given = results_of(one_event([("a", "b", 1.0), ("a", "b", 1.0), ("a", "c", 1.0)]))
    more = given.with_prior(PRIOR)
    added = more.draws - given.draws
    # a gives two thirds of his draw to b and one to c, who each give him all of theirs
    assert_allclose(added.sum(axis=0), [2 / 3 + 1, 1 / 3 + 1])
    assert_allclose(added[0], added[1])
    assert_allclose((more.wins, more.losses), (given.wins, given.losses))


def random_games(seed: int, players: int = 12, games: int = 80) -> Games:
    random = np.random.default_rng(seed)
    true = random.normal(0, 200, players)
    rows = [("p00", f"p{k:02}", 0.5) for k in range(1, players)]
    for _ in range(games):
        white, black = random.choice(players, 2, replace=False)
        win, _, loss = OutcomeModel(35.0, 120.0).probabilities(np.array(true[white] - true[black]))
        drawn = random.random()
        score = 1.0 if drawn < win else 0.0 if drawn > 1 - loss else 0.5
        rows.append((f"p{white:02}", f"p{black:02}", score))
    return one_event(rows)


def dense_log_likelihood(results: Results, state: Floats) -> float:
    """The page's three chances, game by game, by no formula of the module's."""
    total = 0.0
    for row, (white, black) in enumerate(((results.i, results.j), (results.j, results.i))):
        delta = (state[white] - state[black] + state[-2]) * ELO_PER_NAT
        win = 1 / (1 + 10 ** ((state[-1] * ELO_PER_NAT - delta) / 400))
        loss = 1 / (1 + 10 ** ((state[-1] * ELO_PER_NAT + delta) / 400))
        total += np.sum(
            results.wins[row] * np.log(win)
            + results.draws[row] * np.log(1 - win - loss)
            + results.losses[row] * np.log(loss)
        )
    return float(total)


@pytest.mark.parametrize("seed", range(2))
def test_agrees_with_a_general_minimiser(seed: int) -> None:
    given = results_of(random_games(seed)).with_prior(PRIOR)
    found = fit(given)
    start = np.r_[np.zeros(given.n), 0.1, 0.5]
    other = minimize(
        lambda state: -dense_log_likelihood(given, state) + state[:-2].mean() ** 2,
        start,
        method="BFGS",
        options={"gtol": 1e-6},
    ).x
    assert_allclose(found.theta, other[:-2], atol=1e-4)
    own = [found.model.advantage, found.model.draw]
    assert_allclose(own, other[-2:] * ELO_PER_NAT, atol=0.02)


def test_deviations_are_those_of_the_hessian() -> None:
    given = results_of(random_games(5)).with_prior(PRIOR)
    found = fit(given, OutcomeModel(30.0, 110.0))
    model = np.array([30.0, 110.0]) / ELO_PER_NAT

    def slope(theta: Floats) -> Floats:
        return slopes(lambda x: dense_log_likelihood(given, np.r_[x, model]), theta, 1e-3)

    information = -slopes(slope, found.theta, 1e-3)
    covariance = np.linalg.pinv(information, rcond=1e-6) * (found.model.scale * ELO_PER_NAT) ** 2
    assert_allclose(found.deviation(), np.sqrt(covariance.diagonal()), rtol=1e-3)


def test_games_of_unknown_colour_say_nothing_of_the_advantage() -> None:
    games = one_event([("a", "b", 1.0), ("b", "c", 0.5), ("c", "a", 0.0)], colours=False)
    given = results_of(games)
    assert_allclose(given.wins.sum(axis=0) + given.losses.sum(axis=0), [1.0, 1.0, 0.0])
    assert fit(given.with_prior(PRIOR)).model.advantage == pytest.approx(0.0, abs=1e-6)


def test_only_draws_have_no_maximum() -> None:
    with pytest.raises(NotConverged, match="Bayeselo"):
        fit(results([("a", "b", 0.5)] * 3))


def test_players_apart_are_not_rated() -> None:
    games = one_event([("a", "b", 1.0), ("b", "c", 0.5), ("c", "a", 1.0), ("x", "y", 1.0)])
    rated = bayeselo.rate(games, bayeselo.Parameters())
    assert np.isfinite(rated.rating).tolist() == [True, True, True, False, False]
    assert np.isfinite(rated.deviation).tolist() == [True, True, True, False, False]
    # White won every decided game: no advantage is great enough, so the program's own are taken
    assert rated.fitted == {"White's advantage": 32.8, "draw Elo": 97.3}


@pytest.mark.slow
def test_the_real_history_is_at_the_top_in_every_direction(real_games: Games) -> None:
    inside, _ = largest_part(real_games.without_odds())
    given = results_of(inside).with_prior(PRIOR)
    found = fit(given)
    assert found.steps < 15
    own = np.array([found.model.advantage, found.model.draw]) / ELO_PER_NAT
    state, rng = np.r_[found.theta, own], np.random.default_rng(1)
    for _ in range(5):
        away = rng.normal(0, 0.001, len(state))
        below, top, above = (dense_log_likelihood(given, state + k * away) for k in (-1, 0, 1))
        assert abs((above - below) / (2 * top - above - below)) < 1e-3


@pytest.mark.parametrize("seed", range(2))
def test_elostat_s_iteration_comes_to_the_same_ratings(seed: int) -> None:
    """Half the way to the opponents' mean plus the gain, and again: never beyond, so no swing."""
    given = results_of(random_games(seed))
    games = np.zeros((given.n, given.n))
    np.add.at(games, (given.i, given.j), given.games)
    games += games.T
    total = games.sum(axis=1)
    points = np.zeros(given.n)
    np.add.at(points, given.i, given.wins[0] + given.losses[1] + given.draws.sum(axis=0) / 2)
    np.add.at(points, given.j, given.wins[1] + given.losses[0] + given.draws.sum(axis=0) / 2)
    gain = np.array([difference_from_score(s) for s in points / total])
    rating = np.zeros(given.n)
    for _ in range(2000):
        rating = (rating + games @ rating / total + gain) / 2
        rating -= total @ rating / total.sum()
    assert_allclose(tabulate(given).rating, rating, atol=1e-8)


def test_elostat_of_one_opponent_is_elo_s_own_formula() -> None:
    found = tabulate(results_of(one_event([("a", "b", 1.0)] * 3 + [("a", "b", 0.0)])))
    assert found.rating[0] - found.rating[1] == pytest.approx(2 * 190.85 / 2, abs=0.01)
    # 3 of 4 without draws: the variance of a game is 3/16, of the mean 3/64
    ends = 0.75 - 1.95996 * np.sqrt(3 / 64)
    below = difference_from_score(0.75) - difference_from_score(ends)
    assert found.below[0] == pytest.approx(below)


def test_elostat_has_no_deviation_of_who_won_all_and_the_mean_is_over_games() -> None:
    games = one_event([("a", "b", 1.0), ("b", "c", 0.5), ("c", "a", 0.0), ("c", "b", 1.0)])
    rated = rate_elostat(games, EloStat())
    assert np.average(rated.rating, weights=[2, 3, 3]) == pytest.approx(2500.0)
    assert np.isnan(rated.deviation).tolist() == [True, False, False]
