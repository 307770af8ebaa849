"""Chessmetrics against the figures that Sonas printed, by a second route, and its laws."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest
from sample_games import history, random_rows
from scipy.sparse import csr_array

from edo.core.problems import NotConverged
from edo.systems import chessmetrics
from edo.systems.chessmetrics import Parameters, Pool

NO_PADDING = Parameters(level_draws=0.0, anchor_draws=0.0, lift=0.0)
SMALL = Parameters(least_players=2.0)
LINARES = Pool(  # of 2005, a double round: the points of Adams, Anand, Kasimdzhanov, Kasparov ...
    np.arange(7), csr_array(2.0 - 2.0 * np.eye(7)), np.array([5.5, 6.5, 4.0, 8.0, 6.0, 8.0, 4.0])
)
START = np.array([2443.0, 2543.0, 2643.0, 2743.0, 2843.0, 2943.0, 3043.0])


def test_three_of_five_against_2400_is_2485() -> None:
    raw = chessmetrics.performance(np.array([2400.0]), np.array([0.6]), 850.0)
    assert raw[0] == pytest.approx(2485.0)


def test_kasparov_at_linares_2005_is_2797() -> None:
    average = np.array([2733.0])
    raw = chessmetrics.performance(average, np.array([8 / 12]), 850.0)
    assert round(raw[0]) == 2875
    assert round(chessmetrics.padded(raw, average, np.array([12.0]), Parameters())[0]) == 2797


def test_the_steps_of_linares_2005_are_those_printed() -> None:
    printed = [
        [2758, 2812, 2618, 2885, 2726, 2851, 2551],
        [2705, 2767, 2622, 2861, 2746, 2867, 2633],
        [2714, 2774, 2621, 2865, 2743, 2864, 2620],
    ]
    rating = START
    for expected in printed:
        rating = chessmetrics.again(LINARES, rating, NO_PADDING)
        rating = rating + 2743.0 - rating.mean()
        np.testing.assert_allclose(rating, expected, atol=1.01)
    for _ in range(5):
        rating = chessmetrics.again(LINARES, rating, NO_PADDING)
        rating = rating + 2743.0 - rating.mean()
    np.testing.assert_allclose(rating, [2713, 2773, 2622, 2864, 2743, 2864, 2622], atol=0.6)


def test_weights_fall_evenly_over_48_months() -> None:
    games = history([(1900, "a", "b", 1.0, 1.0)])
    january = dataclasses.replace(games, month=np.array([12 * 1900]))
    found = [chessmetrics.weights(january, 12 * 1900 + age, 48.0)[0] for age in (-1, 0, 24, 47, 48)]
    np.testing.assert_allclose(found, [0.0, 1.0, 0.5, 1 / 48, 0.0])


def test_what_is_known_by_its_year_is_spread_over_it() -> None:
    games = history([(1900, "a", "b", 1.0, 1.0)])
    found = [chessmetrics.weights(games, 12 * 1900 + month, 48.0)[0] for month in (-1, 0, 11, 58)]
    np.testing.assert_allclose(found, [0.0, 1 / 12, 1 - 5.5 / 48, 1 / 48 / 12])


def test_the_solution_is_where_the_steps_end() -> None:
    ends, lifts = chessmetrics.converged(LINARES, Parameters())
    rating = lifted = START
    for _ in range(400):
        rating = chessmetrics.again(LINARES, rating, Parameters())
        lifted = chessmetrics.again(LINARES, lifted, Parameters()) + 1.0
    np.testing.assert_allclose(rating, ends, atol=1e-6)
    np.testing.assert_allclose(lifted - rating, lifts, atol=1e-6)
    # all have 12 games: the middle is where 2300 and the lift balance, 19/3 lifts above 2300
    assert ends.mean() == pytest.approx(2300 + 43 * 19 / 3)


def test_the_pool_hangs_together_and_has_enough_games() -> None:
    rows = [(1900, "a", "b", 3.0, 6.0), (1900, "b", "c", 3.0, 6.0), (1900, "c", "d", 1.0, 4.0)]
    rows += [(1900, "x", "y", 4.0, 8.0), (1900, "y", "d", 0.5, 0.9)]
    games = history(rows)
    pool = chessmetrics.pool_of(games, np.ones(5), 5.0)
    assert pool is not None
    assert [games.players[k] for k in pool.player] == ["a", "b", "c"]
    np.testing.assert_allclose(pool.count, [6.0, 12.0, 6.0])
    np.testing.assert_allclose(pool.score, [3.0, 6.0, 3.0])
    assert chessmetrics.pool_of(games, np.full(5, 0.1), 5.0) is None


def test_lists_are_aligned_by_those_third_to_twentieth_in_both() -> None:
    before = np.array([2700.0, 2690.0, 2680.0, 2500.0, 2450.0, 2400.0, np.nan])
    parameters = Parameters(worst=5.0)
    found = chessmetrics.aligned(LINARES, before, parameters)
    assert np.flatnonzero(chessmetrics.among_best(before, parameters)).tolist() == [2, 3, 4]
    best = chessmetrics.among_best(found, parameters)
    both = np.flatnonzero(best & chessmetrics.among_best(before, parameters))
    assert both.tolist() == [4]  # Leko: Kasparov and Topalov are ahead, Kasimdzhanov is sixth
    assert found[4] == pytest.approx(2450.0)
    first = chessmetrics.aligned(LINARES, np.full(7, np.nan), Parameters())
    assert np.sort(first)[:5].mean() == pytest.approx(2600.0)


def test_each_list_is_level_with_the_one_before() -> None:
    games = history(random_rows(4, players=30, years=8, a_year=200))
    steady = dataclasses.replace(SMALL, worst=8.0)
    found = [one for _, one in chessmetrics.lists(games, steady) if not np.isnan(one).all()]
    changed = 0
    for before, after in itertools.pairwise(found):
        was, now = (chessmetrics.among_best(one, steady) for one in (before, after))
        both = was & now
        if both.any():
            assert after[both].mean() == pytest.approx(before[both].mean())
            changed += not np.array_equal(was, now)
    assert changed > 5
    level = [float(np.mean(one[chessmetrics.among_best(one, steady)])) for one in found]
    assert level[0] == pytest.approx(steady.level) and np.ptp(level) > 1


def test_an_alignment_is_another_lift_of_everybody() -> None:
    games = history([(1900, a, b, 3.0, 6.0) for a, b in ("ab", "bc", "cd", "da", "ac")])
    pool = chessmetrics.pool_of(games, np.ones(len(games.first)), 5.0)
    assert pool is not None
    found = chessmetrics.aligned(pool, np.full(4, np.nan), SMALL)
    lift = found - chessmetrics.again(pool, found, SMALL)  # more than is given at each step
    assert np.ptp(lift) < 1e-9 and abs(lift[0]) > 1 and np.ptp(pool.count) > 0


def test_ranks_that_alternate_are_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    games = history([(1900, a, b, 3.0, 6.0) for a, b in ("ab", "bc", "cd", "da", "ac")])
    pool = chessmetrics.pool_of(games, np.ones(len(games.first)), 5.0)
    assert pool is not None
    ranks = itertools.cycle([np.array(one) for one in ([True] * 3 + [False], [True] * 4)])
    monkeypatch.setattr(chessmetrics, "among_best", lambda *_: next(ranks))
    before = np.array([2000.0, 1900.0, 1800.0, 1700.0])
    found = chessmetrics.aligned(pool, before, SMALL)
    assert found[:3].mean() == pytest.approx(1900.0) or found.mean() == pytest.approx(1850.0)


def test_ranks_that_do_not_settle_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chessmetrics, "MAX_ROUNDS", 1)
    with pytest.raises(NotConverged, match="ranks 3 to 20 of a list still changes after 1 align"):
        chessmetrics.aligned(LINARES, np.full(7, np.nan), Parameters())


def test_a_list_without_any_of_the_best_before_is_level_with_their_mean() -> None:
    before = np.full(20, np.nan)
    before[10:] = 2400.0 + np.arange(10)  # but for the first two they are the best
    rating = chessmetrics.aligned(LINARES, before, SMALL)
    best = chessmetrics.among_best(rating, SMALL)
    assert best.sum() == 5
    assert rating[best].mean() == pytest.approx(np.mean(2400.0 + np.arange(8)))


def test_the_pool_is_where_most_was_played() -> None:
    rows = [(1900, a, b, 3.0, 6.0) for a, b in ("ab", "bc", "ca")]
    games = history([*rows, (1900, "x", "y", 25.0, 50.0)])
    pool = chessmetrics.pool_of(games, np.ones(len(games.first)), 5.0)
    assert pool is not None
    assert [games.players[k] for k in pool.player] == ["x", "y"]
    assert pool.score.tolist() == [25.0, 25.0] and pool.count.tolist() == [50.0, 50.0]


def test_the_expectation_is_linear_within_its_limits() -> None:
    difference = np.array([85.0, -85.0, 585.0])
    found = chessmetrics.linear_score(difference, np.zeros(3), 850.0)
    np.testing.assert_allclose(found, [0.6, 0.4, 0.995])


def test_ratings_stop_when_too_few_games_are_left() -> None:
    rows = [(1900, "a", "b", 6.0, 10.0), (1909, "a", "b", 5.0, 10.0)]
    rated = chessmetrics.rate(history(rows), SMALL)
    assert np.isfinite(rated.rating[:10]).tolist() == [True] * 2 + [False] * 7 + [True]
    assert np.isnan(rated.deviation).all()
    lead = rated.rating[0] - rated.rating[10]  # a's first year and b's
    n = 10 * (1 - 5.5 / 48)
    assert lead == pytest.approx(2 * 85 * n / (n + 7) / (1 + (n + 4) / (n + 7)))
