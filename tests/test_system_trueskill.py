"""TrueSkill: published figures, the library of the same name, and what a filter may not know."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import trueskill as oracle
from sample_games import games_between, history, network
from scipy.special import ndtr

from edo.rating.games import Games
from edo.systems.expectation_propagation import (
    CommonMargin,
    Marginals,
    Normal,
    Outcomes,
    Play,
    both_positive,
    chains_of,
    margin_of,
    positive,
    within,
)
from edo.systems.ttt import Parameters, rate_forwards, skills_forwards

USUAL = Parameters()


def one_game(first: tuple[float, float], second: tuple[float, float], drawn: bool) -> Marginals:
    """Return what a game of two (mean, deviation) makes of them, with TrueSkill's own parameters.

    These are mean 25, spread 25/3, performance 25/6, a drift of 25/300 a game, 10 % draws.
    """
    mean, deviation = np.array([first, second]).T
    before = Normal(mean, deviation**2 + (25 / 300) ** 2)
    outcomes = Outcomes(np.array([[0], [1]]), np.ones(1), np.array([drawn]))
    play = Play(25 / 6, margin_of(0.1, 25 / 6))
    return CommonMargin(outcomes, chains_of(np.arange(3), before, 0.0), play).run()


def test_truncated_moments_of_closed_form() -> None:
    half = positive(np.zeros(1))
    assert half.log_mass == pytest.approx(math.log(0.5))
    assert half.slope == pytest.approx(math.sqrt(2 / math.pi))  # 0.797885, of the half normal
    assert half.curvature == pytest.approx(2 / math.pi)
    inner = within(np.zeros(1), np.ones(1))
    assert np.exp(inner.log_mass) == pytest.approx(0.6826895)
    assert inner.slope == pytest.approx(0)
    assert 1 - inner.curvature == pytest.approx(0.2911251)  # variance of N(0, 1) within 1


@pytest.mark.parametrize("t", [-30.0, -8.0, -1.3, 0.4, 3.0, 9.0])
def test_slope_and_curvature_are_the_derivatives(t: float) -> None:
    h = 1e-4 * max(1.0, abs(t))
    at = np.array([t - h, t, t + h])
    for bend in (positive(at), within(at, np.full(3, 0.5))):
        mass = bend.log_mass
        assert (mass[2] - mass[0]) / (2 * h) == pytest.approx(bend.slope[1], rel=1e-4, abs=1e-7)
        slope = (bend.slope[2] - bend.slope[0]) / (2 * h)
        assert -slope == pytest.approx(bend.curvature[1], rel=1e-4, abs=1e-7)
        assert np.all((bend.curvature >= 0) & (bend.curvature <= 1 + 1e-9))


@pytest.mark.parametrize(
    ("correlation", "chance"), [(0.5, 1 / 3), (-0.5, 1 / 6), (0.0, 0.25), (-0.8, 0.10241638)]
)
def test_a_quadrant_holds_its_closed_form(correlation: float, chance: float) -> None:
    """Sheppard's formula: 1/4 + asin(correlation) / (2 pi)."""
    corner = both_positive(
        np.zeros((2, 1)), np.array([correlation]), 1 - np.array([correlation]) ** 2
    )
    assert np.exp(corner.log_mass) == pytest.approx(chance)


def test_the_published_win_and_draw_of_two_new_players() -> None:
    new = (25.0, 25 / 3)
    won = one_game(new, new, drawn=False).nodes
    assert won.mean == pytest.approx([29.396, 20.604], abs=5e-4)
    assert np.sqrt(won.variance) == pytest.approx([7.171, 7.171], abs=5e-4)
    drawn = one_game(new, new, drawn=True).nodes
    assert drawn.mean == pytest.approx([25, 25])
    assert np.sqrt(drawn.variance) == pytest.approx([6.458, 6.458], abs=5e-4)


@pytest.mark.parametrize("drawn", [False, True])
def test_one_game_is_that_of_the_library(drawn: bool) -> None:
    """Tolerance 1e-3 of a spread of 8: the library stops its own iterations a little early."""
    env = oracle.TrueSkill(backend="scipy")
    for first, second in [((30.0, 2.0), (20.0, 7.0)), ((12.0, 5.0), (33.0, 1.5))]:
        ours = one_game(first, second, drawn).nodes
        theirs = oracle.rate_1vs1(oracle.Rating(*first), oracle.Rating(*second), drawn, env=env)
        assert ours.mean == pytest.approx([r.mu for r in theirs], abs=1e-3)
        assert np.sqrt(ours.variance) == pytest.approx([r.sigma for r in theirs], abs=1e-3)


def by_the_library(games: Games) -> tuple[dict[str, oracle.Rating], float]:
    """Return the last ratings of all players, and the log evidence, game by game."""
    env = oracle.TrueSkill(0, 400, 480, 0, 0.303, backend="scipy")
    margin, now, last, evidence = margin_of(0.303, 480), {}, {}, 0.0
    for a, b, year, score in zip(games.first, games.second, games.year, games.score, strict=True):
        before = []
        for k in (a, b):
            rating, gap = now.get(k, env.create_rating()), year - last.get(k, year)
            before.append(oracle.Rating(rating.mu, math.sqrt(rating.sigma**2 + gap * 3600)))
            last[k] = year
        spread = math.sqrt(2 * 480**2 + sum(r.sigma**2 for r in before))
        ahead = before[0].mu - before[1].mu
        wins, losses = (float(ndtr((x - margin) / spread)) for x in (ahead, -ahead))
        evidence += math.log({1.0: wins, 0.0: losses, 0.5: 1 - wins - losses}[float(score)])
        players = (b, a) if score == 0 else (a, b)
        ranked = before[::-1] if score == 0 else before
        now.update(zip(players, oracle.rate_1vs1(*ranked, score == 0.5, env=env), strict=True))
    return {games.players[k]: rating for k, rating in now.items()}, evidence


@pytest.mark.parametrize("seed", range(3))
def test_a_history_is_that_of_the_library(seed: int) -> None:
    """Tolerance 0.05 points of skill, after 60 games; log evidence 0.001."""
    games = network(seed)
    found = skills_forwards(games, USUAL)
    theirs, evidence = by_the_library(games)
    assert found.log_evidence == pytest.approx(evidence, abs=1e-3)
    for name, rating in theirs.items():
        node = found.player_years.start[games.players.index(name) + 1] - 1
        assert found.skill.mean[node] == pytest.approx(rating.mu, abs=0.05)
        assert math.sqrt(found.skill.variance[node]) == pytest.approx(rating.sigma, abs=0.05)


def test_the_filters_published_figures_of_three_players() -> None:
    """The example of the library TrueSkillThroughTime: prior 0 +- 6, performance 1, no drift."""
    games = history([(1, "a", "b", 1.0), (2, "b", "c", 1.0), (3, "c", "a", 1.0)])
    found = skills_forwards(games, Parameters(1, 0, 0, 6, draws=0))
    nodes = found.skill
    published = {
        ("a", 1): (3.339, 4.985), ("b", 1): (-3.339, 4.985), ("c", 2): (-4.922, 4.603),
        ("b", 2): (0.059, 4.218), ("a", 3): (-2.688, 3.779), ("c", 3): (0.216, 3.675),
    }  # fmt: skip
    for (name, year), (mean, deviation) in published.items():
        node = found.player_years.nodes(np.array([games.players.index(name)]), np.array([year]))[0]
        assert nodes.mean[node] == pytest.approx(mean, abs=6e-4)
        assert math.sqrt(nodes.variance[node]) == pytest.approx(deviation, abs=6e-4)


def test_later_games_change_nothing_earlier() -> None:
    games = network(7)
    whole = rate_forwards(games, USUAL)
    for year in range(1900, 1907):
        cut = rate_forwards(games.where(games.year <= year), USUAL)
        same = whole.player_years.nodes(cut.player_years.player, cut.player_years.year)
        assert whole.rating[same].tolist() == cut.rating.tolist()
        assert whole.deviation[same].tolist() == cut.deviation.tolist()


def test_events_weighed_at_once_are_as_each_by_itself() -> None:
    """The second is a player's win against nine, eight times each, which takes more sweeps."""
    easy, hard = (
        network(7),
        games_between(np.zeros(72), 1 + np.arange(72) % 9, np.full(72, 1900), 1.0),
    )
    n = len(easy.players)
    both = games_between(
        np.r_[easy.first, hard.first + n], np.r_[easy.second, hard.second + n],
        np.r_[easy.year, hard.year], np.r_[easy.score, hard.score],
        event=np.r_[easy.event, hard.event + len(easy.events)],
    )  # fmt: skip
    assert len(list(both.turns())) == len(list(easy.turns()))
    found = rate_forwards(both, USUAL)
    alone = [rate_forwards(one, USUAL) for one in (easy, hard)]
    assert found.rating.tolist() == [x for one in alone for x in one.rating.tolist()]
    assert found.deviation.tolist() == [x for one in alone for x in one.deviation.tolist()]


def test_years_without_games_only_widen() -> None:
    games = history([(1900, "a", "b", 1.0), (1904, "a", "b", 0.5)])
    nodes = skills_forwards(games, USUAL).skill
    assert nodes.mean[1:4] == pytest.approx(nodes.mean[0])
    assert np.diff(nodes.variance[:4]) == pytest.approx(3600)
    assert nodes.variance[4] < nodes.variance[3] + 3600


def test_a_new_mean_shifts_all_ratings() -> None:
    games = network(5)
    rated, moved = rate_forwards(games, USUAL), rate_forwards(games, replace(USUAL, mean=1500.0))
    assert moved.rating == pytest.approx(rated.rating + 300)
    assert moved.deviation == pytest.approx(rated.deviation)
