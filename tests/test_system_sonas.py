"""Sonas' formula: the figures of his article, laws, and plain loops as a second route."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sample_games import in_events, random_history

from edo.systems.elo import newcomers
from edo.systems.player_years import period_of
from edo.systems.sonas import (
    USUAL,
    Sonas,
    rate_sonas,
    sonas_event,
    sonas_score,
    white_score,
)


@pytest.mark.parametrize(
    ("advantage", "score"),
    [(0, 0.541767), (390, 0.995727), (500, 0.995727), (-460, 0.006327), (-900, 0.006327),
     (-35, 0.501027), (100, 0.658167)],
)  # fmt: skip
def test_white_expects(advantage, score):
    assert white_score(np.array([float(advantage)])) == pytest.approx([score], abs=1e-9)


def test_figures_of_the_article():
    # an equal's White 54 %, 35 points behind 50 %; 390 ahead 100 %; the line ends at 0.6 %, not 0
    found = white_score(np.array([0.0, -35.0, 390.0, -460.0]))
    assert np.round(100 * found).tolist() == [54, 50, 100, 1]
    # a hundred points ahead "slightly over 61 %"; so 12.5 of 20 is better than expected
    ahead = sonas_score(np.array([100.0]), np.array([0.0]))
    assert ahead == pytest.approx([0.6164], abs=1e-9)
    assert 20 * ahead[0] < 12.5


def test_without_a_colour_half_of_each():
    difference = np.linspace(-600, 600, 25)
    white = sonas_score(difference, np.ones(25))
    black = sonas_score(difference, -np.ones(25))
    assert white == pytest.approx(white_score(difference))
    assert white + sonas_score(-difference, -np.ones(25)) == pytest.approx(np.ones(25))
    assert sonas_score(difference, np.zeros(25)) == pytest.approx((white + black) / 2)


def test_a_tournament_half_a_point_above_expectation():
    # at K = 24 half a point is worth 12; the article has 5 for K = 10 and 16 for K = 32
    rows = [("a", "b", 5.5, 10.0)]
    period = period_of(in_events([(1900, rows)]), slice(0, 1))
    for k, gain in ((10.0, 5.0), (24.0, 12.0), (32.0, 16.0)):
        after = sonas_event(period, newcomers(np.array([2000.0, 2000.0])), k)
        assert after.rating.tolist() == pytest.approx([2000 + gain, 2000 - gain])


def test_ratings_come_out_on_the_usual_scale():
    rated = rate_sonas(in_events([(1900, [("a", "b", 6.0, 10.0)])]), Sonas(start=2000.0))
    assert pytest.approx(0.8088, abs=5e-5) == USUAL
    assert rated.rating.tolist() == pytest.approx(
        [2000 + 24 * 0.8088, 2000 - 24 * 0.8088], abs=0.01
    )
    node = np.array([0]), np.array([1]), np.array([0.0])
    assert rated.expected(*node) == pytest.approx([0.5 + 48 * 0.001164])


def test_a_shift_of_the_start_shifts_all():
    games = random_history(2)
    here, there = rate_sonas(games, Sonas()), rate_sonas(games, Sonas(start=1000.0))
    np.testing.assert_allclose(there.rating, here.rating - 1200, atol=1e-8)


def test_no_point_is_lost_or_won_among_all():
    games = random_history(6)
    rated = rate_sonas(games, Sonas(k=40.0))
    last = rated.rating[rated.player_years.start[1:] - 1]
    assert last.mean() == pytest.approx(2200)


def test_games_at_odds_do_not_count_and_gaps_change_nothing():
    games = in_events([(1850, [("a", "b", 1.0, 1.0)]), (1853, [("a", "c", 1.0, 1.0)]),
                     (1854, [("a", "b", 1.0, 1.0)])])  # fmt: skip
    rated = rate_sonas(replace(games, odds=np.array([0.0, -163.0, 0.0])), Sonas())
    a = rated.rating[rated.player_years.player == 0]
    assert len(a) == len(rated.rating) / 2 == 5
    assert a[0] == a[3] < a[4]
    assert np.isnan(rated.deviation).all()


@pytest.mark.parametrize("seed", range(3))
def test_game_by_game(seed):
    games, own = random_history(seed), {}
    for part in games.by_event():
        change = dict.fromkeys(range(len(games.players)), 0.0)
        for k in range(part.start, part.stop):
            one, other, colour = int(games.first[k]), int(games.second[k]), games.colour[k]
            ahead = own.get(one, 2200.0) - own.get(other, 2200.0)
            white = 0.541767 + 0.001164 * min(max(ahead, -460), 390)
            black = 1 - (0.541767 + 0.001164 * min(max(-ahead, -460), 390))
            expected = {1: white, -1: black, 0: (white + black) / 2}[int(colour)]
            change[one] += 24 * (games.score[k] - expected)
            change[other] -= 24 * (games.score[k] - expected)
        own = {p: own.get(p, 2200.0) + gain for p, gain in change.items()}
    rated = rate_sonas(games, Sonas())
    last = rated.player_years.start[1:] - 1
    assert rated.expected.rating[last].tolist() == pytest.approx(list(own.values()), abs=1e-8)
