"""All systems of the same player-years: one scale by a shift, once each, in several processes."""

from __future__ import annotations

import numpy as np
import pytest
from sample_games import Row, history
from sample_history import ALDER, BIRCH, DATASET, YEW
from sample_systems import EDO, STEP, SYSTEMS, YEARS, combined

from edo.rating.games import games_of
from edo.systems import all_ratings
from edo.systems.all_ratings import AllRatings, rate_all, shift_of

NAN = np.nan


@pytest.fixture(scope="module")
def systems() -> AllRatings:
    return combined()


def test_the_shift_makes_the_means_equal_and_stretches_nothing(systems: AllRatings):
    edo, step, shy = systems.columns
    assert edo.shift == 0.0 and shy.shift == 0.0
    games = np.array([3, 3, 8, 2, 3, 4, 8, 2, 4])
    below = np.array([400, 100, 0, 100, 100, 100, 100, 0, 125])
    assert step.shift == pytest.approx(games @ below / 37) == 100.0
    np.testing.assert_allclose(step.rating, np.array(STEP) + step.shift)
    np.testing.assert_array_equal(edo.rating, EDO)
    both = systems.played & edo.rated & step.rated
    assert both.sum() == 9
    assert games @ edo.rating[both] == pytest.approx(games @ step.rating[both])


@pytest.mark.parametrize(
    ("rating", "reference", "games", "shift"),
    [
        ([1.0, 2.0], [11.0, 14.0], [1.0, 3.0], 11.5),
        ([1.0, 2.0], [11.0, 14.0], [2.0, 0.0], 10.0),
        ([1.0, NAN, 5.0], [2.0, 9.0, NAN], [1.0, 1.0, 1.0], 1.0),
        ([NAN, 5.0], [2.0, NAN], [1.0, 1.0], 0.0),
        ([1.0], [2.0], [0.0], 0.0),
    ],
)
def test_only_years_with_games_that_both_rate_count(
    rating: list[float], reference: list[float], games: list[float], shift: float
):
    assert shift_of(np.array(rating), np.array(reference), np.array(games)) == shift


def test_player_years_and_what_was_said_of_a_system_are_kept(systems: AllRatings):
    assert systems.player_years.year.tolist() == YEARS
    assert [systems.years_of(one) for one in (ALDER, BIRCH, YEW, "nobody")] == [
        slice(0, 4),
        slice(5, 9),
        slice(12, 13),
        slice(0, 0),
    ]
    without = {2, 7, 10}  # nobody plays in 1852
    assert [k for k, played in enumerate(systems.played) if not played] == sorted(without)
    step = systems.column("step")
    assert step is not None
    assert (step.log_evidence, step.fitted, step.refused) == (-12.34, {"draw Elo": 97.3}, None)
    assert systems.column("none-such") is None


def test_a_system_that_refuses_says_why(systems: AllRatings):
    shy = systems.column("shy")
    assert shy is not None
    assert shy.refused == "the network is too small"
    assert not shy.rated.any()


def test_without_edo_nothing_is_moved():
    (step,) = rate_all(games_of(DATASET), SYSTEMS[1:2]).columns
    np.testing.assert_array_equal(step.rating, STEP)


def test_by_several_processes_it_is_the_same():
    games = games_of(DATASET)
    one, many = (rate_all(games, SYSTEMS, processes=n) for n in (1, 3))
    for left, right in zip(one.columns, many.columns, strict=True):
        np.testing.assert_array_equal(left.rating, right.rating)
        assert (left.system.slug, left.refused) == (right.system.slug, right.refused)


def test_no_ratings_begin_before_those_of_the_leading_system() -> None:
    """Edo cannot rate a beginner who lost only to `a`, nor `a` in the year of that game."""
    rows: list[Row] = [(1900, *pair, 1.0, 2.0) for pair in ("ab", "bc", "ca")]
    own = [system for system in all_ratings.SYSTEMS if system.slug in {"edo", "bayeselo", "ttt"}]
    rated = rate_all(history([(1898, "a", "beginner", 1.0, 1.0), *rows]), own)
    years = rated.player_years.year[rated.years_of("a")].tolist()
    assert years == [1898, 1899, 1900]
    for column in rated.columns:
        shown = column.rated[rated.years_of("a")].tolist()
        assert shown[:2] == [False, False], column.system.slug
    bayeselo = rated.column("bayeselo")
    assert bayeselo is not None and bayeselo.rated[rated.years_of("beginner")].all()
