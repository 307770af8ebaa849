"""EloStat gives the tables of Coulom's page, and goes wrong where he says that it does."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sample_games import one_event

from edo.core.scale import Floats, difference_from_score
from edo.systems.bayeselo import (
    EloStat,
    OutcomeModel,
    Results,
    Table,
    fit,
    rate_elostat,
    results_of,
    tabulate,
)

DRAW = [("a", "b", 0.5)]
WIN = [("a", "b", 1.0)]
CHAIN = [("a", "b", 1.0), ("b", "c", 0.5), ("c", "d", 1.0)]


def table(games: Sequence[tuple[str, str, float]]) -> Table:
    return tabulate(results_of(one_event(games)))


def rounded(column: Floats) -> list[int]:
    return [int(x) for x in np.round(column)]


@pytest.mark.parametrize(
    ("games", "ratings", "above", "below", "score", "opposition", "draws"),
    [
        (DRAW, [0, 0], [0, 0], [0, 0], [0.5, 0.5], [0, 0], [1, 1]),
        (WIN, [300, -300], [0, 0], [0, 0], [1, 0], [-300, 300], [0, 0]),
        (WIN * 10, [300, -300], [0, 0], [0, 0], [1, 0], [-300, 300], [0, 0]),
        (
            CHAIN,
            [709, 109, -109, -709],
            [0, 259, 409, 0],
            [0, 409, 259, 0],
            [1, 0.25, 0.75, 0],
            [109, 300, -300, -109],
            [0, 0.5, 0.5, 0],
        ),
    ],
    ids=["a draw", "a win", "ten wins", "a beats b draws c beats d"],
)
def test_tables_of_coulom(
    games: list[tuple[str, str, float]],
    ratings: list[int],
    above: list[int],
    below: list[int],
    score: list[float],
    opposition: list[int],
    draws: list[float],
) -> None:
    given = results_of(one_event(games))
    found, played = tabulate(given), given.totals(given.games)
    assert rounded(found.rating) == ratings
    assert rounded(found.above) == above
    assert rounded(found.below) == below
    drawn, (i, j) = given.draws.sum(axis=0), (given.i, given.j)
    points = np.bincount(i, given.wins[0] + given.losses[1] + drawn / 2, given.n)
    points += np.bincount(j, given.losses[0] + given.wins[1] + drawn / 2, given.n)
    assert_allclose(points / played, score)
    met = np.bincount(i, given.games * found.rating[j], given.n)
    met += np.bincount(j, given.games * found.rating[i], given.n)
    assert rounded(met / played) == opposition
    assert_allclose(given.totals(drawn) / played, draws)


def test_218_points_between_two_who_drew_where_bayeselo_has_few() -> None:
    found = table(CHAIN).rating
    assert found[1] - found[2] == pytest.approx(218, abs=0.5)
    sound = fit(results_of(one_event(CHAIN)).with_prior(2.0), OutcomeModel()).rating
    assert sound[2] - sound[1] == pytest.approx(15, abs=0.5)


def test_far_opponents_leave_the_interval_of_equals() -> None:
    """Coulom's other complaint: ten wins below and ten losses above tell hardly anything."""
    equals = table([("x", "m", 1.0), ("x", "m", 0.0)] * 10)
    strong, weak = ("hi", "m"), ("m", "lo")
    links = [(*pair, score) for pair in (strong, weak) for score in [1.0] * 9 + [0.0]]
    apart = table([("x", "lo", 1.0), ("x", "hi", 0.0)] * 10 + links)
    assert apart.rating[0] - apart.rating[1] > 700
    assert apart.above[3] == pytest.approx(equals.above[1])


def random_results(seed: int) -> Results:
    random = np.random.default_rng(seed)
    rows = [("p0", f"p{k}", 0.5) for k in range(1, 9)]
    for _ in range(60):
        a, b = random.choice(9, 2, replace=False)
        rows.append((f"p{a}", f"p{b}", float(random.choice([0.0, 0.5, 1.0], p=[0.3, 0.3, 0.4]))))
    return results_of(one_event(rows))


@pytest.mark.parametrize("seed", range(3))
def test_the_iteration_comes_to_the_same_ratings(seed: int) -> None:
    """Half the way to the opponents' mean plus the gain, and again: never beyond, so no swing."""
    given = random_results(seed)
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


def test_one_opponent_is_elo_s_own_formula() -> None:
    found = table([("a", "b", 1.0)] * 3 + [("a", "b", 0.0)])
    assert found.rating[0] - found.rating[1] == pytest.approx(2 * 190.85 / 2, abs=0.01)
    # 3 of 4 without draws: the variance of a game is 3/16, of the mean 3/64
    ends = 0.75 - 1.95996 * np.sqrt(3 / 64)
    below = difference_from_score(0.75) - difference_from_score(ends)
    assert found.below[0] == pytest.approx(below)


def test_laws() -> None:
    games = one_event([("a", "b", 1.0), ("b", "c", 0.5), ("c", "a", 0.0), ("c", "b", 1.0)])
    rated = rate_elostat(games, EloStat())
    assert np.average(rated.rating, weights=[2, 3, 3]) == pytest.approx(2500.0)
    higher = rate_elostat(games, EloStat(mean=2600.0))
    assert_allclose(higher.rating, rated.rating + 100.0)
    # a won both games: EloStat would say +- 0, which is no deviation
    assert np.isnan(rated.deviation).tolist() == [True, False, False]
    with_white = rated.expected(np.array([0]), np.array([1]), np.array([1.0]))
    assert with_white == rated.expected(np.array([0]), np.array([1]), np.array([-1.0]))
