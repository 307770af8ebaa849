"""TrueSkill Through Time: the paper's figures, a library, dense algebra and quadrature."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import trueskillthroughtime as oracle
from sample_games import history, network
from scipy.special import ndtr

from edo.core.problems import NotConverged
from edo.core.scale import ELO_PER_NAT
from edo.rating.games import Games
from edo.systems import expectation_propagation, ttt
from edo.systems.expectation_propagation import (
    Chains,
    CommonMargin,
    Messages,
    Normal,
    Outcomes,
    Play,
    chains_of,
    margin_of,
)
from edo.systems.ttt import MarginExpectation, Parameters

USUAL = Parameters()


def test_the_papers_setting() -> None:
    assert (USUAL.performance, USUAL.drift, USUAL.mean, USUAL.spread) == (480, 60, 1200, 400)


def test_the_margin_lets_equals_draw_the_papers_share() -> None:
    """30.3 % of all games: 0.38937 spreads of 678.8, on both sides."""
    margin = margin_of(0.303, 480)
    assert margin == pytest.approx(0.3893733 * 678.8225, rel=1e-6)
    assert ndtr(margin / 678.8225) - ndtr(-margin / 678.8225) == pytest.approx(0.303, abs=1e-6)
    assert Parameters().play == Play(480, margin)
    assert margin_of(0.0, 480) == 0


def expectation(skill: Normal, play: Play) -> MarginExpectation:
    """Return the expected scores of two players with the same, certain margin."""
    return MarginExpectation(skill, Normal(np.full(2, play.margin), np.zeros(2)), play.noise)


def test_a_spread_above_an_equal_wins_84_percent() -> None:
    """The paper's section 1: the chance is that of a normal variable of spread sqrt(2) beta."""
    sure = expectation(Normal(np.array([678.8225, 0.0]), np.zeros(2)), Play(480, 0))
    assert sure(np.array([0]), np.array([1]), np.zeros(1)) == pytest.approx(0.841345)


@pytest.mark.parametrize("margin", [0.0, 264.3])
def test_a_point_between_equals_is_worth_one_of_elos(margin: float) -> None:
    play = Play(480, margin)
    skill = Normal(np.array([0.01, -0.01]) / play.elo, np.zeros(2))
    score = expectation(skill, play)(np.array([0]), np.array([1]), np.zeros(1))
    assert (score - 0.5) / 0.02 == pytest.approx(0.25 / ELO_PER_NAT, rel=1e-6)
    both = expectation(Normal(np.array([100.0, 7.0]), np.array([900.0, 4.0])), play)
    one, other = np.array([0]), np.array([1])
    assert both(one, other, np.zeros(1)) + both(other, one, np.zeros(1)) == pytest.approx(1)


@pytest.mark.parametrize("seed", range(3))
def test_a_history_is_that_of_the_library(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tolerance 0.02 points of skill for means and deviations; the library's erfc has 7 digits."""
    monkeypatch.setattr(expectation_propagation, "TOLERANCE", 1e-5)
    games = network(seed)
    names = games.players
    found = ttt.skills(games, USUAL)
    history = oracle.History(
        [[[names[a]], [names[b]]] for a, b in zip(games.first, games.second, strict=True)],
        [[float(score), 1.0 - score] for score in games.score],
        games.year.tolist(), mu=0, sigma=400, beta=480, gamma=60, p_draw=0.303,
    )  # fmt: skip
    history.convergence(epsilon=1e-6, iterations=200, verbose=False)
    compared = 0
    for name, curve in history.learning_curves().items():
        for year, theirs in curve:
            node = found.player_years.nodes(np.array([names.index(name)]), np.array([year]))[0]
            nodes = found.skill
            assert nodes.mean[node] == pytest.approx(theirs.mu, abs=0.02)
            assert math.sqrt(nodes.variance[node]) == pytest.approx(theirs.sigma, abs=0.02)
            compared += 1
    assert compared > 30


def dense(chains: Chains, start: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Return mean and covariance of all nodes before any message."""
    length = np.diff(start)
    kept = np.argsort(-length, kind="stable")
    mean, covariance = np.zeros(start[-1]), np.zeros((start[-1], start[-1]))
    for rank, chain in enumerate(kept[: len(chains.first.mean)]):
        steps = np.arange(length[chain])
        own = slice(start[chain], start[chain + 1])
        mean[own] = chains.first.mean[rank]
        covariance[own, own] = chains.first.variance[rank] + chains.drift[rank] * np.minimum.outer(
            steps, steps
        )
    return mean, covariance


def test_chains_are_what_dense_algebra_makes_of_them() -> None:
    """Forwards and backwards: the exact posterior and integral of four linear normal chains."""
    rng = np.random.default_rng(1)
    start = [0, 3, 3, 9, 10, 14]
    first = Normal(rng.normal(0, 2, 5), rng.uniform(1, 4, 5))
    chains = chains_of(np.array(start), first, 0.7)
    precision, shift = rng.uniform(0, 2, 14), rng.normal(0, 1, 14)
    precision[[1, 5, 6]], shift[[1, 5, 6]] = 0, 0
    mean, covariance = dense(chains, start)
    assert sorted(set(mean)) == sorted(first.mean[[0, 2, 3, 4]])
    prior = np.linalg.inv(covariance)
    total = prior + np.diag(precision)
    exact = np.linalg.solve(total, prior @ mean + shift)
    found = chains.posterior(Messages(precision, shift))
    assert found.mean == pytest.approx(exact)
    assert found.variance == pytest.approx(np.diag(np.linalg.inv(total)))
    integral = 0.5 * (exact @ total @ exact - mean @ prior @ mean)
    integral -= 0.5 * (np.linalg.slogdet(total)[1] - np.linalg.slogdet(prior)[1])
    assert chains.log_integral(Messages(precision, shift)) == pytest.approx(integral)


def test_the_evidence_of_one_game_is_its_chance() -> None:
    """A draw margin m leaves a new player Phi(-m / c) to win, c^2 = 2 (480^2 + 400^2)."""
    chains = chains_of(np.arange(3), Normal(np.zeros(2), np.full(2, 400.0**2)), 0)
    margin = 264.3
    chance = float(ndtr(-margin / math.sqrt(2 * (480**2 + 400**2))))
    for drawn, expected in ((False, chance), (True, 1 - 2 * chance)):
        outcomes = Outcomes(np.array([[0], [1]]), np.ones(1), np.array([drawn]))
        found = CommonMargin(outcomes, chains, Play(480, margin)).run()
        assert found.log_evidence == pytest.approx(math.log(expected), abs=1e-9)


def test_half_a_game_says_half_as_much() -> None:
    """As a soft result may be: its message, added once to the precision of the prior."""
    game, prior = history([(1900, "a", "b", 1.0)]), 1 / 400**2
    whole, half = (
        1 / ttt.skills(replace(game, wins=np.array([won])), USUAL).skill.variance
        for won in (1.0, 0.5)
    )
    assert half - prior == pytest.approx((whole - prior) / 2)


def test_steps_that_overshoot_become_shorter() -> None:
    """Many games of one player with all others at once: whole steps would swing to and fro."""
    hub = history([(1900, "a", other, 1.0) for other in "bcdefghij"] * 8)
    wide = Parameters(spread=1000)
    steps = []

    class Watched(expectation_propagation.Damping):
        def has_converged(self, old: Normal, new: Normal) -> bool:
            steps.append(float(self.step[0]))
            return super().has_converged(old, new)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(expectation_propagation, "Damping", Watched)
        found = ttt.rate(hub, wide)
        patch.setattr(expectation_propagation, "TOLERANCE", 1e-5)
        exact = ttt.rate(hub, wide)
    assert min(steps) < 0.6
    assert found.rating == pytest.approx(exact.rating, abs=0.05)
    assert np.ptp(found.rating[1:]) < 1e-6 < found.rating[0] - found.rating[1]


def test_what_does_not_converge_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expectation_propagation, "MAX_SWEEPS", 2)
    with pytest.raises(NotConverged, match=r"still moves a rating by .* points after 2 sweeps"):
        ttt.rate(network(0), USUAL)


@pytest.mark.slow
def test_the_real_history_converges(real_games: Games) -> None:
    found = ttt.skills(real_games, USUAL)
    assert found.sweeps < 400
    assert np.all(np.isfinite(found.skill.mean)) and np.all(found.skill.variance > 0)
    assert found.log_evidence > ttt.skills_forwards(real_games, USUAL).log_evidence
