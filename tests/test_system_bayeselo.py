"""Bayeselo gives the tables of its author's page, and the maximum that other routes find."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sample_games import one_event
from scipy.optimize import minimize

from edo.core.problems import NotConverged
from edo.core.scale import ELO_PER_NAT, Floats, theta_from_elo
from edo.rating.games import Games, largest_part
from edo.systems import bayeselo
from edo.systems.base import ByDifference
from edo.systems.bayeselo import Fit, OutcomeModel, Results, fit, results_of

PROGRAM = OutcomeModel()
PRIOR = 2.0

DRAW = [("a", "b", 0.5)]
WIN = [("a", "b", 1.0)]
CHAIN = [("a", "b", 1.0), ("b", "c", 0.5), ("c", "d", 1.0)]


def results(games: Sequence[tuple[str, str, float]]) -> Results:
    return results_of(one_event(games)).with_prior(PRIOR)


def interval(results: Results, fit: Fit, player: int) -> Floats:
    """Return how far the 95 % interval of a rating reaches up and down (2,) [Elo, usual scale].

    From the likelihood of the ratings: the others keep their differences and move so that the mean
    stays, as with Bayeselo's `exactdist`.
    """
    reach, cells = 2500.0, 2000
    steps = (np.arange(cells) + 0.5) / cells * 2 * reach - reach
    state = np.r_[fit.theta, theta_from_elo(np.array([fit.model.advantage, fit.model.draw]))]
    moves = np.full(len(state), -1.0 / (results.n - 1))
    moves[player], moves[-2:] = 1.0, 0.0
    logs = np.array(
        [bayeselo._log_likelihood(results, state + t * moves) for t in theta_from_elo(steps)]
    )
    below = np.cumsum(np.exp(logs - logs.max()))
    ends = np.interp([0.975, 0.025], below / below[-1], steps)
    return np.asarray(fit.model.scale * (np.array([1.0, -1.0]) * (ends + reach / cells)))


@pytest.mark.parametrize(
    ("games", "ratings", "above", "below"),
    [
        (DRAW, [-5, 5], [146, 146], [146, 146]),
        (WIN, [41, -41], [181, 152], [152, 181]),
        (WIN * 10, [169, -169], [172, 99], [99, 172]),
        (CHAIN, [96, -8, 8, -96], [329, 180, 195, 254], [254, 195, 180, 329]),
    ],
    ids=["a draw", "a win", "ten wins", "a beats b draws c beats d"],
)
def test_tables_of_coulom(
    games: list[tuple[str, str, float]], ratings: list[int], above: list[int], below: list[int]
) -> None:
    given = results(games)
    found = fit(given, PROGRAM)
    assert np.round(found.rating).tolist() == ratings
    ends = np.round([interval(given, found, player) for player in range(given.n)])
    assert ends.T.tolist() == [above, below]


def test_after_many_draws_the_difference_is_the_advantage() -> None:
    found = fit(results(DRAW * 100_000), PROGRAM)
    raw = found.rating / PROGRAM.scale
    assert raw[1] - raw[0] == pytest.approx(32.8, abs=0.01)


def test_scale_makes_a_point_worth_a_point_of_elo() -> None:
    x = 10 ** (-97.3 / 400)
    assert PROGRAM.scale == pytest.approx(4 * x / (1 + x) ** 2)
    for model in (OutcomeModel(0.0, 97.3), OutcomeModel(0.0, 152.7)):
        step = 1e-3
        slope = np.diff(model.score(np.array([-step, step]) / model.scale))[0] / (2 * step)
        assert slope == pytest.approx(1 / (4 * ELO_PER_NAT), rel=1e-6)


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


@pytest.mark.parametrize("seed", range(3))
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


def mm(given: Results, tolerance: float = 1e-10) -> tuple[Floats, float, float]:
    """Return gamma and both factors by Hunter's minorisation and maximisation, in turn."""
    gamma, ahead, wide = np.ones(given.n), 1.0, 1.0
    won, lost = given.wins + given.draws, given.losses + given.draws
    n, i, j = given.n, given.i, given.j
    points = np.bincount(i, won[0] + lost[1], n) + np.bincount(j, won[1] + lost[0], n)
    for _ in range(20_000):
        before = np.r_[gamma, ahead, wide]
        white = np.stack([gamma[i], gamma[j]])
        for_win = won / (ahead * white + wide * white[::-1])
        for_loss = lost / (wide * ahead * white + white[::-1])
        as_white = ahead * for_win + ahead * wide * for_loss
        as_black = wide * for_win + for_loss
        gamma = points / (
            np.bincount(i, as_white[0] + as_black[1], n)
            + np.bincount(j, as_white[1] + as_black[0], n)
        )
        white = np.stack([gamma[i], gamma[j]])
        for_win = won / (ahead * white + wide * white[::-1])
        for_loss = lost / (wide * ahead * white + white[::-1])
        ahead = won.sum() / np.sum(white * (for_win + wide * for_loss))
        for_win = won / (ahead * white + wide * white[::-1])
        for_loss = lost / (wide * ahead * white + white[::-1])
        half = given.draws.sum() / np.sum(white[::-1] * for_win + ahead * white * for_loss)
        wide = half + np.sqrt(half**2 + 1)
        if np.max(np.abs(np.r_[gamma, ahead, wide] / before - 1)) < tolerance:
            return np.log(gamma) - np.log(gamma).mean(), np.log(ahead), np.log(wide)
    raise AssertionError("MM did not converge")


@pytest.mark.parametrize("seed", range(3))
def test_mm_finds_the_same_maximum(seed: int) -> None:
    given = results_of(random_games(seed)).with_prior(PRIOR)
    found = fit(given)
    theta, ahead, wide = mm(given)
    assert_allclose(found.theta, theta, atol=1e-7)
    assert found.model.advantage == pytest.approx(ahead * ELO_PER_NAT, abs=1e-4)
    assert found.model.draw == pytest.approx(wide * ELO_PER_NAT, abs=1e-4)


def test_deviations_are_those_of_the_hessian() -> None:
    given = results_of(random_games(5)).with_prior(PRIOR)
    found = fit(given, OutcomeModel(30.0, 110.0))
    n, step = given.n, 1e-3
    state = np.r_[found.theta, 30.0 / ELO_PER_NAT, 110.0 / ELO_PER_NAT]

    def at(*moves: tuple[int, float]) -> float:
        moved = state.copy()
        for k, by in moves:
            moved[k] += by
        return dense_log_likelihood(given, moved)

    information = np.array(
        [
            [
                -(
                    at((a, step), (b, step))
                    - at((a, step), (b, -step))
                    - at((a, -step), (b, step))
                    + at((a, -step), (b, -step))
                )
                / (4 * step**2)
                for b in range(n)
            ]
            for a in range(n)
        ]
    )
    covariance = np.linalg.pinv(information, rcond=1e-6) * (found.model.scale * ELO_PER_NAT) ** 2
    assert_allclose(found.deviation(), np.sqrt(covariance.diagonal()), rtol=1e-3)


def test_laws() -> None:
    games = random_games(7)
    rated = bayeselo.rate(games, bayeselo.Parameters())
    more = bayeselo.rate(games, bayeselo.Parameters(mean=2600.0))
    assert_allclose(more.rating, rated.rating + 100.0)
    ones = np.ones(1)
    zero, one = np.array([0]), np.array([1])
    with_white, with_black = (rated.expected(zero, one, c)[0] for c in (ones, -ones))
    assert with_white > with_black
    assert rated.expected(zero, one, 0 * ones)[0] == pytest.approx((with_white + with_black) / 2)


def test_games_of_unknown_colour_say_nothing_of_the_advantage() -> None:
    games = one_event([("a", "b", 1.0), ("b", "c", 0.5), ("c", "a", 0.0)], colours=False)
    given = results_of(games)
    assert_allclose(given.wins.sum(axis=0) + given.losses.sum(axis=0), [1.0, 1.0, 0.0])
    assert fit(given.with_prior(PRIOR)).model.advantage == pytest.approx(0.0, abs=1e-6)


def test_only_draws_have_no_maximum() -> None:
    with pytest.raises(NotConverged, match="Bayeselo"):
        fit(results(DRAW * 3))


def test_players_apart_are_not_rated() -> None:
    games = one_event([("a", "b", 1.0), ("b", "c", 0.5), ("c", "a", 1.0), ("x", "y", 1.0)])
    rated = bayeselo.rate(games, bayeselo.Parameters())
    assert np.isfinite(rated.rating).tolist() == [True, True, True, False, False]
    assert np.isfinite(rated.deviation).tolist() == [True, True, True, False, False]
    # White won every decided game: no advantage is great enough, so the program's own are taken
    assert rated.fitted == {"White's advantage": 32.8, "draw Elo": 97.3}


@pytest.mark.slow
def test_real_history_by_newton_and_by_mm(real_games: Games) -> None:
    inside, _ = largest_part(real_games.without_odds())
    given = results_of(inside).with_prior(PRIOR)
    found = fit(given)
    theta, ahead, wide = mm(given, 1e-9)
    assert found.steps < 15
    assert_allclose(found.theta, theta, atol=1e-5)
    assert found.model.advantage == pytest.approx(ahead * ELO_PER_NAT, abs=1e-3)
    assert found.model.draw == pytest.approx(wide * ELO_PER_NAT, abs=1e-3)


def test_near_even_strength_a_point_is_worth_what_it_is_on_elo_s_curve() -> None:
    model = OutcomeModel(advantage=0.0, draw=200.0)  # on the scale of the model far less steep
    expected = ByDifference(np.array([2001.0, 2000.0]), model.expected_score)
    ahead, behind = (expected(*np.array([pair]).T, np.zeros(1))[0] for pair in ((0, 1), (1, 0)))
    assert ahead - 0.5 == pytest.approx(1 / (4 * ELO_PER_NAT), rel=1e-4)
    assert ahead + behind == pytest.approx(1)
