"""Bradley and Terry's one rating for all years: closed forms, laws, and choix."""

from __future__ import annotations

from dataclasses import replace

import choix
import numpy as np
import pytest
from numpy.testing import assert_allclose
from sample_games import games_between, network, one_event

from edo.core.problems import DisconnectedNetwork
from edo.core.scale import elo_from_theta
from edo.systems import bradley_terry
from edo.systems.bradley_terry import Parameters


@pytest.mark.parametrize(
    ("score", "count", "difference"),
    [(6.0, 7.0, 311), (6.5, 7.0, 446), (4.0, 5.0, 241), (0.5, 4.0, -338), (3.0, 4.0, 191)],
)
def test_differences_of_the_closed_form(score: float, count: float, difference: int) -> None:
    games = games_between(
        np.array([0]), np.array([1]), np.array([1900]), np.array([score]), count=count
    )
    rating = bradley_terry.rate(games, Parameters()).rating
    assert round(float(rating[0] - rating[1])) == difference
    assert rating.mean() == pytest.approx(2500)


def test_deviation_of_the_closed_form() -> None:
    """n p q = 25 / 4 of the difference, each of two having half of its deviation."""
    games = games_between(
        np.array([0]), np.array([1]), np.array([1900]), np.array([12.5]), count=25.0
    )
    assert_allclose(
        bradley_terry.rate(games, Parameters()).deviation, elo_from_theta(np.array(0.2))
    )


def test_agrees_with_choix() -> None:
    """To a thousandth of a point on ten networks."""
    for seed in range(10):
        games = network(seed, 9, 90, 4, has_draws=False)
        assert len(bradley_terry.strong_part(games)) == 9
        wins = [
            (a, b) if score == 1.0 else (b, a)
            for a, b, score in zip(games.first, games.second, games.score, strict=True)
        ]
        theirs = elo_from_theta(choix.opt_pairwise(9, wins, alpha=0.0, tol=1e-10))
        rated = bradley_terry.rate(games, Parameters())
        ours = rated.rating[rated.player_years.start[:-1]]
        assert_allclose(ours - ours.mean(), theirs - theirs.mean(), atol=1e-3)


def test_all_years_of_a_player_are_the_same() -> None:
    rated = bradley_terry.rate(network(1, 8, 80, 12, has_draws=False), Parameters())
    for player in range(8):
        assert len(set(rated.rating[rated.player_years.player == player])) == 1


def test_perfect_scores_and_strangers_have_no_rating() -> None:
    games = one_event(
        [("a", "b", 1.0), ("b", "c", 1.0), ("c", "a", 1.0), ("best", "a", 1.0), ("worst", "c", 0.0),
         ("x", "y", 0.5)]
    )  # fmt: skip
    rated = bradley_terry.rate(games, Parameters())
    names = [games.players[k] for k in rated.player_years.player]
    assert [n for n, r in zip(names, rated.rating, strict=True) if np.isnan(r)] == [
        "best", "worst", "x", "y",
    ]  # fmt: skip
    assert np.isnan(rated.deviation).tolist() == np.isnan(rated.rating).tolist()
    assert_allclose(rated.rating[~np.isnan(rated.rating)], [2500.0] * 3)


def test_the_mean_over_all_games_is_that_of_the_parameters() -> None:
    """a beat b in 3 games of 4, b drew with c: a is 190.85 above both and played 4 sides of 10."""
    games = one_event([("a", "b", 1.0)] * 3 + [("a", "b", 0.0), ("c", "b", 0.5)])
    rating = bradley_terry.rate(games, Parameters()).rating
    assert_allclose(rating, 2500 + 190.85 * np.array([0.6, -0.4, -0.4]), atol=0.01)


def test_games_at_odds_are_left_out() -> None:
    """A game at odds that would change everything, between two who also met at even play."""
    even = one_event([("a", "b", 1.0), ("b", "c", 1.0), ("c", "a", 0.5), ("c", "a", 1.0)])
    both = one_event([("a", "b", 1.0), ("b", "c", 1.0), ("c", "a", 0.5), ("c", "a", 1.0),
                       ("a", "c", 1.0)])  # fmt: skip
    odd = replace(both, odds=np.array([0.0, 0.0, 0.0, 0.0, 163.0]))
    rating = bradley_terry.rate(even, Parameters()).rating
    assert_allclose(bradley_terry.rate(odd, Parameters()).rating, rating)
    assert np.abs(bradley_terry.rate(both, Parameters()).rating - rating).max() > 10


def test_a_new_mean_shifts_all_ratings() -> None:
    games = network(7, 10, 100, 8, has_draws=False)
    rated = bradley_terry.rate(games, Parameters())
    moved = bradley_terry.rate(games, Parameters(mean=1000.0))
    assert_allclose(moved.rating, rated.rating - 1500)
    assert_allclose(moved.deviation, rated.deviation)


def test_who_only_won_and_who_only_lost_cannot_be_compared() -> None:
    games = games_between(np.array([0]), np.array([1]), np.array([1900]), np.array([1.0]))
    with pytest.raises(DisconnectedNetwork, match="no two players have points from each other"):
        bradley_terry.rate(games, Parameters())
