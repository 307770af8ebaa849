"""Bradley and Terry's one rating for all years: closed forms and choix."""

from __future__ import annotations

import choix
import numpy as np
from numpy.testing import assert_allclose
from sample_games import history, network, one_event

from edo.core.scale import elo_from_theta
from edo.systems import bradley_terry
from edo.systems.bradley_terry import Parameters


def test_deviation_of_the_closed_form() -> None:
    """n p q = 25 / 4 of the difference, each of two having half of its deviation."""
    games = history([(1900, "a", "b", 12.5, 25.0)])
    assert_allclose(
        bradley_terry.rate(games, Parameters()).deviation, elo_from_theta(np.array(0.2))
    )


def test_agrees_with_choix() -> None:
    """To a thousandth of a point on three networks."""
    for seed in range(3):
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
