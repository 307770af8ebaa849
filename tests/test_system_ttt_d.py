"""TTT-D: with margins that are known it is TTT; else quadrature says what it should find."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from dense import slopes
from sample_games import history, network
from scipy.special import ndtr
from scipy.stats import multivariate_normal

from edo.core.scale import Floats
from edo.rating.games import Games
from edo.systems import ttt
from edo.systems.base import System, parameters_of
from edo.systems.expectation_propagation import (
    JointDerivatives,
    Normal,
    Outcomes,
    OwnMargins,
    Play,
    both_positive,
    chains_of,
)
from edo.systems.ttt import TRUESKILL, MarginExpectation, MarginParameters

USUAL = MarginParameters()
MARGIN, SPREAD = 264.3, 120.0
PLAY = Play(480, MARGIN)


@pytest.mark.parametrize(
    ("x", "y", "correlation"),
    [(0.3, 0.4, -0.95), (-1.0, 2.0, 0.3), (0.0, 0.7, -0.5), (-0.4, -0.6, -0.2), (2.5, -0.8, 0.9)],
)
def test_a_corner_is_that_of_scipy_and_its_bends_are_derivatives(
    x: float, y: float, correlation: float
) -> None:
    def corner(at: Floats) -> JointDerivatives:
        of = np.array([correlation])
        return both_positive(at[:, None], of, 1 - of**2)

    at = np.array([x, y])
    found = corner(at)
    exact = multivariate_normal.cdf(at, cov=[[1, correlation], [correlation, 1]])
    assert np.exp(found.log_mass) == pytest.approx(exact, abs=1e-7)
    slope = slopes(lambda t: corner(t).log_mass[0], at, 1e-4)
    assert found.slope[:, 0] == pytest.approx(slope, rel=1e-5)
    bends = -slopes(lambda t: corner(t).slope[:, 0], at, 1e-4)
    assert found.curvature[:, 0] == pytest.approx(bends.diagonal(), rel=1e-4, abs=1e-6)
    assert found.mixed == pytest.approx(bends[1, 0], rel=1e-4, abs=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_with_one_known_margin_it_is_ttt(seed: int) -> None:
    games = network(seed)
    plain = ttt.rate(games, ttt.Parameters())
    found = ttt.rate_with_margins(games, MarginParameters(margin_spread=1e-3, margin_drift=1e-3))
    assert found.rating == pytest.approx(plain.rating, abs=0.05)
    assert found.deviation == pytest.approx(plain.deviation, abs=0.05)
    assert found.log_evidence == pytest.approx(plain.log_evidence, abs=1e-3)


def of_two(
    wins: int, draws: int, losses: int, margin: float, spread: float
) -> tuple[Normal, Normal, float]:
    """Return skills, margins (`margin` +- `spread`) and log evidence of two new players."""
    outcomes = Outcomes(
        np.array([[0, 0, 1], [1, 1, 0]]), np.array([wins, draws, losses], float),
        np.array([False, True, False]),
    )  # fmt: skip
    prior = Normal(np.repeat([0, margin], 2), np.repeat([400.0**2, spread**2], 2))
    chains = chains_of(np.arange(5), prior, 0)
    found = OwnMargins(outcomes.where(outcomes.count > 0), chains, PLAY).run()
    given = OwnMargins(Outcomes.none(), chains, PLAY).run().log_evidence
    skill, margins = found.nodes.at(slice(0, 2)), found.nodes.at(slice(2, 4))
    return skill, margins, found.log_evidence - given


def test_one_game_has_the_chance_of_its_closed_form() -> None:
    """Won where a difference of spread c is above the loser's margin; no margin here is near 0."""
    margin, spread = 500.0, 50.0
    c = math.sqrt(2 * (480**2 + 400**2) + spread**2)
    won = float(ndtr(-margin / c))
    assert of_two(1, 0, 0, margin, spread)[2] == pytest.approx(math.log(won), abs=1e-9)
    assert of_two(0, 0, 1, margin, spread)[2] == pytest.approx(math.log(won), abs=1e-9)
    drawn = of_two(0, 1, 0, margin, spread)[2]
    assert drawn == pytest.approx(math.log(1 - 2 * won), abs=1e-6)


def by_quadrature(score: tuple[int, int, int]) -> tuple[float, dict[str, float]]:
    """Return the log evidence and the means of skill and margins by sums over a grid."""
    x = np.linspace(-6, 6, 121)
    ahead, one, two = np.meshgrid(
        x * 400 * math.sqrt(2), MARGIN + x * SPREAD, MARGIN + x * SPREAD, indexing="ij"
    )
    prior = np.exp(-0.5 * x**2)
    weight = prior[:, None, None] * prior[None, :, None] * prior[None, None, :]
    weight = np.where((one > 0) & (two > 0), weight, 0.0)
    weight /= weight.sum()
    noise = math.sqrt(2) * 480
    won, lost = ndtr((ahead - two) / noise), ndtr((-ahead - one) / noise)
    weight = weight * won ** score[0] * (1 - won - lost) ** score[1] * lost ** score[2]
    total = weight.sum()
    means = {"skill": (weight * ahead).sum() / 2, "one": (weight * one).sum(),
             "two": (weight * two).sum()}  # fmt: skip
    return math.log(total), {name: value / total for name, value in means.items()}


@pytest.mark.parametrize("score", [(1, 0, 0), (0, 1, 0), (2, 1, 0), (1, 3, 1), (0, 4, 0)])
def test_few_games_of_two_are_nearly_as_by_quadrature(score: tuple[int, int, int]) -> None:
    """As for TTT: 0.045 nat a game at most; means within 2 % of the priors' spreads."""
    skill, margin, log_evidence = of_two(*score, MARGIN, SPREAD)
    evidence, means = by_quadrature(score)
    assert log_evidence == pytest.approx(evidence, abs=0.045 * sum(score))
    assert skill.mean == pytest.approx([means["skill"], -means["skill"]], abs=8)
    assert margin.mean == pytest.approx([means["one"], means["two"]], abs=2.4)


def test_chances_of_win_draw_and_loss_are_those_of_the_paper() -> None:
    """Skills 100 apart, margins 300 and 200: each must surpass the other by the other's."""
    skill = Normal(np.array([100.0, 0.0]), np.array([30.0**2, 40.0**2]))
    margin = Normal(np.array([300.0, 200.0]), np.array([20.0**2, 50.0**2]))
    expected = MarginExpectation(skill, margin, PLAY.noise)
    one, two = np.array([0]), np.array([1])
    won, lost = expected.wins(one, two), expected.wins(two, one)
    spread = 2 * 480**2 + 30**2 + 40**2
    assert won == pytest.approx(ndtr((100 - 200) / math.sqrt(spread + 50**2)))
    assert lost == pytest.approx(ndtr((-100 - 300) / math.sqrt(spread + 20**2)))
    score = expected(one, two, np.zeros(1))
    assert score == pytest.approx(won + (1 - won - lost) / 2)


def test_half_a_margin_is_worth_as_much_as_skill() -> None:
    """Against an equal of the usual margin both give the same score, and the rating says so."""
    skill = Normal(np.array([0.0, 0.5, 0.0]), np.zeros(3))
    margin = Normal(np.array([MARGIN + 1, MARGIN, MARGIN]), np.zeros(3))
    expected = MarginExpectation(skill, margin, PLAY.noise)
    scores = expected(np.array([0, 1]), np.array([2, 2]), np.zeros(2))
    assert scores[0] - 0.5 == pytest.approx(scores[1] - 0.5, rel=1e-3)


@pytest.mark.slow
def test_on_the_real_history_own_margins_predict_more(real_games: Games) -> None:
    """The paper's finding (b), here: hundreds of nats; and Schlechter is hardest to beat."""
    found, plain = (
        ttt.skills_and_margins(real_games, USUAL),
        ttt.skills(real_games, ttt.Parameters()),
    )
    assert found.log_evidence > plain.log_evidence + 300
    player, margin = found.player_years.player, found.margin.mean
    widest = {
        name: margin[player == real_games.players.index(name)].mean()
        for name in ("schlechter-carl", "anderssen-adolf", "chigorin-mikhail", "maroczy-geza")
    }
    assert max(widest, key=lambda name: widest[name]) == "schlechter-carl"
    assert widest["anderssen-adolf"] < USUAL.play.margin < widest["maroczy-geza"]


@pytest.mark.parametrize("spread", [120.0, 250.0])
def test_a_game_ends_in_one_of_three_ways(spread: float) -> None:
    parameters = MarginParameters(margin_spread=spread)
    won, lost, drawn = (
        math.exp(ttt.rate_with_margins(history([(1900, "a", "b", score)]), parameters).log_evidence)
        for score in (1.0, 0.0, 0.5)
    )
    assert won == pytest.approx(lost)
    assert won + lost + drawn == pytest.approx(1, abs=0.01)


def test_a_margin_alone_in_doubt_puts_half_its_deviation_in_the_rating() -> None:
    parameters = MarginParameters(spread=1e-3, drift=1e-3)
    games = network(1)
    rated, found = (
        ttt.rate_with_margins(games, parameters),
        ttt.skills_and_margins(games, parameters),
    )
    margin = np.sqrt(found.margin.variance) * found.play.elo
    assert rated.deviation == pytest.approx(margin / 2, rel=1e-4)
    away = (found.margin.mean - found.play.margin) * found.play.elo
    assert rated.rating - parameters.mean == pytest.approx(away / 2, abs=0.01)
    assert np.abs(away).max() > 1


@pytest.mark.parametrize("system", [ttt.TTT, TRUESKILL, ttt.TTT_D], ids=lambda one: one.slug)
def test_the_scale_is_free(system: System) -> None:
    games, usual = network(2), system.parameters
    tripled = replace(usual, **{
        one.name: 3 * one.value for one in parameters_of(system) if one.unit == "points of skill"
    })  # fmt: skip
    plain, rated = (
        system.rate(games, parameters) for parameters in (usual, replace(tripled, mean=usual.mean))
    )
    assert rated.rating == pytest.approx(plain.rating, abs=0.2)
    assert rated.deviation == pytest.approx(plain.deviation, abs=0.2)
    assert rated.log_evidence == pytest.approx(plain.log_evidence, abs=0.01)
