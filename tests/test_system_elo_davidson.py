"""Elo-Davidson: its paper's claims, closed forms, slopes of the likelihood, and elote's Elo."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from elote_reference import elo_through
from sample_games import random_history

from edo.core.scale import expected_scores as logistic_score
from edo.systems.elo_davidson import (
    Davidson,
    EloDavidson,
    kappa_of,
    rate_davidson,
)

DIFFERENCES = np.linspace(-1200, 1200, 49)
NEITHER = np.zeros(49)


def probabilities(model: Davidson, difference: np.ndarray, colour: np.ndarray) -> np.ndarray:
    return np.exp(model.log_chances(difference, colour))


@pytest.mark.parametrize(
    ("share", "kappa"), [(0.0, 0.0), (0.25, 2 / 3), (1 / 3, 1.0), (0.5, 2.0), (0.6, 3.0)]
)
def test_equals_draw_as_often_as_all_did(share, kappa):
    assert kappa_of(share) == pytest.approx(kappa)
    draw = probabilities(Davidson(kappa, 0.0), np.zeros(1), np.zeros(1))[1]
    assert draw == pytest.approx([share])


@pytest.mark.parametrize("kappa", [0.0, 0.4, 1.0, 2.0, 5.0])
def test_davidsons_law_and_the_usual_scale(kappa):
    model = Davidson(kappa, 0.0)
    win, draw, loss = probabilities(model, DIFFERENCES, NEITHER)
    assert win + draw + loss == pytest.approx(np.ones(49))
    assert draw == pytest.approx(kappa * np.sqrt(win * loss))
    near = model.score(np.array([0.5, -0.5]), np.zeros(2))
    assert near[0] - near[1] == pytest.approx(np.log(10) / 1600, rel=1e-5)
    if kappa in (0.0, 2.0):  # without draws, and where equals draw half of their games
        assert model.score(DIFFERENCES, NEITHER) == pytest.approx(logistic_score(DIFFERENCES))


def test_far_apart_nothing_overflows():
    chances = probabilities(Davidson(0.9, 35.0), np.array([1e6, -1e6]), np.zeros(2))
    assert chances.tolist() == [[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]]


@pytest.mark.parametrize("kappa", [0.0, 2.0])
def test_without_draws_and_with_half_of_them_elote_rates_alike(kappa):
    games = random_history(7, players=20, events=60)
    if kappa == 0.0:
        games = games.where(np.flatnonzero(games.draws == 0))
    rated = rate_davidson(games, EloDavidson(k=20.0, white=0.0, kappa=kappa, start=1500.0))
    last = rated.player_years.start[1:] - 1
    expected = elo_through(games, 1500.0, k=20.0)
    np.testing.assert_allclose(rated.rating[last], expected, rtol=0, atol=1e-9)


def log_chance(lead, score, kappa, sigma):
    """Davidson's model in his own form: strengths, and draws as often as their geometric mean."""
    one, other = 10 ** (lead / sigma), 1.0
    drawn = kappa * np.sqrt(one * other)
    return np.log({1.0: one, 0.5: drawn, 0.0: other}[score] / (one + drawn + other))


@pytest.mark.parametrize(("seed", "kappa"), [(0, 0.3), (1, 1.0), (2, 3.5)])
def test_game_by_game_up_the_slope_of_the_likelihood(seed, kappa):
    """A second route: of Davidson's model only the chances, and their slopes by a complex step.

    A game is an event here.
    """
    games = random_history(seed, players=15, events=60)
    games = replace(games, event=np.arange(len(games.first)))
    sigma = 800 / (2 + kappa)
    ratings, log_evidence = dict.fromkeys(range(15), 0.0), 0.0
    for one, other, score, colour in zip(
        games.first.tolist(), games.second.tolist(), games.score.tolist(), games.colour, strict=True
    ):
        lead = ratings[one] - ratings[other] + 35.0 * colour
        args = (score, kappa, sigma)
        slope = log_chance(lead + 1e-20j, *args).imag / 1e-20
        gain = 20.0 * sigma / np.log(10) * slope
        ratings[one] += gain
        ratings[other] -= gain
        log_evidence += log_chance(lead, *args)
    rated = rate_davidson(games, EloDavidson(k=20.0, white=35.0, kappa=kappa, start=0.0))
    last = rated.player_years.start[1:] - 1
    np.testing.assert_allclose(rated.rating[last], list(ratings.values()), rtol=0, atol=1e-9)
    assert rated.log_evidence == pytest.approx(log_evidence, abs=1e-9)
