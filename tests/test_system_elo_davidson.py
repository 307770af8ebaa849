"""Elo-Davidson: its paper's claims, closed forms, slopes of the likelihood, and elote's Elo."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from elote_reference import elo_after, single_games
from sample_games import in_events, random_history

from edo.core.scale import expected_scores as logistic_score
from edo.systems.elo import newcomers
from edo.systems.elo_davidson import (
    Davidson,
    EloDavidson,
    davidson_event,
    kappa_of,
    rate_davidson,
)
from edo.systems.player_years import period_of

DIFFERENCES = np.linspace(-1200, 1200, 49)
NEITHER = np.zeros(49)


def probabilities(model: Davidson, difference: np.ndarray, colour: np.ndarray) -> np.ndarray:
    return np.exp(model.log_chances(difference, colour))


def test_elos_rule_is_the_one_with_half_the_games_drawn():
    assert kappa_of(0.5) == 2.0
    model = Davidson(2.0, 0.0)
    assert model.scale == pytest.approx(400 / np.log(10))
    assert model.score(DIFFERENCES, NEITHER) == pytest.approx(logistic_score(DIFFERENCES))
    _, draw, _ = probabilities(model, np.zeros(1), np.zeros(1))
    assert draw == pytest.approx([0.5])


def test_without_draws_too_it_is_elos_curve():
    model = Davidson(0.0, 0.0)
    assert kappa_of(0.0) == 0.0
    assert model.score(DIFFERENCES, NEITHER) == pytest.approx(logistic_score(DIFFERENCES))
    assert probabilities(model, DIFFERENCES, NEITHER)[1].tolist() == [0.0] * 49


@pytest.mark.parametrize(("share", "kappa"), [(0.25, 2 / 3), (1 / 3, 1.0), (0.5, 2.0), (0.6, 3.0)])
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


def test_far_apart_nothing_overflows():
    chances = probabilities(Davidson(0.9, 35.0), np.array([1e6, -1e6]), np.zeros(2))
    assert chances.tolist() == [[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]]


def test_white_is_worth_points():
    model = Davidson(0.9, 35.0)
    white, black = model.score(np.array([-35.0, 35.0]), np.array([1.0, -1.0]))
    assert white == pytest.approx(0.5)
    assert black == pytest.approx(0.5)


def test_a_step_goes_up_the_slope_of_the_likelihood():
    # one game: the step is K times the slope of the log-likelihood in units of half a scale
    model, at, h = Davidson(0.8, 35.0), 70.0, 1e-4
    rows = [("a", "b", 0.5, 1.0)]
    period = replace(period_of(in_events([(1900, rows)], 1.0), slice(0, 1)))

    def seen(d):
        return davidson_event(period, newcomers(np.array([d, 0.0])), 1.0, model).log_evidence

    slope = (seen(at + h) - seen(at - h)) / (2 * h)
    after = davidson_event(period, newcomers(np.array([at, 0.0])), 1.0, model)
    assert after.rating[0] - at == pytest.approx(slope * model.scale / 2, rel=1e-6)
    assert after.rating.sum() == pytest.approx(at)


def test_evidence_by_hand():
    # a third of equals' games are drawn, so each outcome of the first game has a third
    games = in_events([(1900, [("a", "b", 1.0, 1.0)]), (1901, [("a", "b", 0.5, 1.0)]),
                     (1902, [("a", "b", 0.0, 1.0)])])  # fmt: skip
    rated = rate_davidson(games, EloDavidson(white=0.0, kappa=kappa_of(1 / 3)))
    by_hand, ratings = 0.0, np.zeros(2)
    for outcome in (0, 1, 2):
        chances = probabilities(Davidson(1.0, 0.0), ratings[:1] - ratings[1:], np.zeros(1))
        by_hand += np.log(chances[outcome][0])
        gain = 24 * (1 - outcome / 2 - chances[0][0] - chances[1][0] / 2)
        ratings += [gain, -gain]
    assert rated.log_evidence == pytest.approx(by_hand)
    assert rated.log_evidence < np.log(1 / 3)


def test_a_shift_of_the_start_shifts_all():
    games = random_history(2)
    here, there = (
        rate_davidson(games, EloDavidson()),
        rate_davidson(games, EloDavidson(start=1000.0)),
    )
    np.testing.assert_allclose(there.rating, here.rating - 1200, atol=1e-8)
    assert there.log_evidence == pytest.approx(here.log_evidence)


def test_games_at_odds_do_not_count_and_gaps_change_nothing():
    games = in_events([(1850, [("a", "b", 1.0, 1.0)]), (1853, [("a", "c", 1.0, 1.0)]),
                     (1854, [("a", "b", 1.0, 1.0)])])  # fmt: skip
    rated = rate_davidson(replace(games, odds=np.array([0.0, -163.0, 0.0])), EloDavidson())
    a = rated.rating[rated.player_years.player == 0]
    assert len(a) == len(rated.rating) / 2 == 5
    assert a[0] == a[3] < a[4]
    assert np.isnan(rated.deviation).all()


@pytest.mark.parametrize("kappa", [0.0, 2.0])
def test_without_draws_and_with_half_of_them_elote_rates_alike(kappa):
    games = random_history(7, players=20, events=60)
    if kappa == 0.0:
        games = games.where(np.flatnonzero(games.draws == 0))
    rated = rate_davidson(games, EloDavidson(k=20.0, white=0.0, kappa=kappa, start=1500.0))
    oracle = np.full(20, 1500.0)
    for part in games.by_event():
        oracle = elo_after(oracle, list(single_games(games, part)), k=20.0)
    last = rated.player_years.start[1:] - 1
    np.testing.assert_allclose(rated.rating[last], oracle, rtol=0, atol=1e-9)


def log_chance(lead, score, kappa, sigma):
    """Davidson's model in his own form: strengths, and draws as often as their geometric mean."""
    one, other = 10 ** (lead / sigma), 1.0
    drawn = kappa * np.sqrt(one * other)
    return np.log({1.0: one, 0.5: drawn, 0.0: other}[score] / (one + drawn + other))


@pytest.mark.parametrize(("seed", "kappa"), [(0, 0.3), (1, 0.9), (2, 1.0), (3, 2.0), (4, 3.5)])
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
