"""Sonas' formula: the figures of his article, laws, and plain loops as a second route."""

from __future__ import annotations

import numpy as np
import pytest
from sample_games import history, random_history

from edo.systems.sonas import (
    USUAL,
    Sonas,
    rate_sonas,
    sonas_score,
    white_score,
)


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


def test_ratings_come_out_on_the_usual_scale():
    rated = rate_sonas(history([(1900, "a", "b", 6.0, 10.0)]), Sonas(start=2000.0))
    assert pytest.approx(0.8088, abs=5e-5) == USUAL
    assert rated.rating.tolist() == pytest.approx(
        [2000 + 24 * 0.8088, 2000 - 24 * 0.8088], abs=0.01
    )
    node = np.array([0]), np.array([1]), np.array([0.0])
    assert rated.expected(*node) == pytest.approx([0.5 + 48 * 0.001164])


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
