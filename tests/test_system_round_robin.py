"""Tournaments foretold: the table of Coulom's page, and small ones by enumeration."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sample_games import one_event

from edo.systems.bayeselo import OutcomeModel
from edo.systems.forecast import (
    Forecast,
    Strengths,
    Tournament,
    after,
    play,
    simulate,
    tournament_of,
)
from edo.systems.games import Floats

PROGRAM = OutcomeModel()
NAMES = ("Esc", "Pharaon", "Gandalf", "TheCrazyBishop", "Toto")
PUBLISHED = Strengths(
    PROGRAM.scale * np.array([205.142, 464.88, 537.769, 340.416, 0.0]),
    np.diag((PROGRAM.scale * np.array([13.6535, 13.7103, 15.2113, 15.5046, 1000.0])) ** 2),
    PROGRAM,
)
EXPECTED = [4.99, 10.14, 11.55, 7.59, 5.73]
DEVIATION = [2.12, 2.14, 2.06, 2.19, 6.44]
RANK = [4.29, 2.20, 1.59, 3.32, 3.60]
CHANCES = [
    [0, 0, 7, 55, 38],
    [18, 49, 28, 5, 0],
    [52, 37, 9, 1, 0],
    [1, 9, 51, 34, 4],
    [29, 4, 4, 6, 58],
]
RUNS = 100_000
ROUNDING = 0.005


def all_play_all(
    n: int, rounds: int = 1, played: Sequence[tuple[int, int, float]] = ()
) -> Tournament:
    """Return what is left of n players who meet `rounds` times with each colour.

    `played` are games so far: White, Black and 1, 0.5 or 0 for White.
    """
    pairs = np.array(
        [(w, b) for w, b in product(range(n), repeat=2) if w != b for _ in range(rounds)]
    )
    tournament = Tournament(pairs[:, 0], pairs[:, 1], np.ones(len(pairs)), np.zeros(n))
    for white, black, score in played:
        tournament = after(tournament, white, black, score)
    return tournament


@pytest.fixture(scope="module")
def published() -> Forecast:
    return simulate(all_play_all(5, 2), PUBLISHED, runs=RUNS)


def test_points_of_the_published_table(published: Forecast) -> None:
    off = (
        4 * np.sqrt(2) * published.deviation / np.sqrt(RUNS) + ROUNDING
    )  # both are of 100,000 runs
    assert np.all(np.abs(published.expected - EXPECTED) < off)
    spread = 4 * published.deviation / np.sqrt(RUNS) + ROUNDING
    assert np.all(np.abs(published.deviation - DEVIATION) < spread)


def test_ranks_of_the_published_table_by_its_way_with_ties() -> None:
    """There a sort that keeps the order of the run before breaks ties, for those often ahead."""
    order, counts = np.arange(5), np.zeros((5, 5))
    for part in play(all_play_all(5, 2), PUBLISHED, runs=RUNS, seed=1):
        for points in part:
            order = order[np.argsort(-points[order], kind="stable")]
            counts[order, np.arange(5)] += 1
    chances = counts / RUNS
    assert np.all(np.abs(100 * chances - CHANCES) < 0.5 + 0.6)
    assert_allclose(chances @ np.arange(1, 6), RANK, atol=0.02)


def test_shared_ranks_are_within_two_per_cent_of_the_published(published: Forecast) -> None:
    assert np.all(np.abs(100 * published.rank_probability - CHANCES) < 2.0)
    assert_allclose(published.rank, RANK, atol=0.03)
    assert_allclose(published.rank_probability.sum(axis=0), 1.0)
    assert_allclose(published.rank_probability.sum(axis=1), 1.0)


def enumerated(
    tournament: Tournament, rating: Floats, model: OutcomeModel
) -> tuple[Floats, Floats, Floats]:
    """Return expected points, their deviation and chances of ranks over all possible results."""
    n = len(rating)
    mean, square, ranks = np.zeros(n), np.zeros(n), np.zeros((n, n))
    gains = {0: (1.0, 0.0), 1: (0.5, 0.5), 2: (0.0, 1.0)}
    games = list(zip(tournament.first, tournament.second, tournament.colour, strict=True))
    for results in product(range(3), repeat=len(games)):
        probability, points = 1.0, tournament.points.copy()
        for result, (first, second, colour) in zip(results, games, strict=True):
            lead = (rating[first] - rating[second]) / model.scale
            white = float(model.probabilities(np.array(lead))[result])
            black = float(model.probabilities(np.array(-lead))[2 - result])
            probability *= {1.0: white, -1.0: black, 0.0: (white + black) / 2}[float(colour)]
            points[first] += gains[result][0]
            points[second] += gains[result][1]
        mean += probability * points
        square += probability * points**2
        for player in range(n):
            above = int(np.sum(points > points[player]))
            tied = int(np.sum(points == points[player]))
            ranks[player, above : above + tied] += probability / tied
    return mean, np.sqrt(square - mean**2), ranks


THREE = np.array([2550.0, 2500.0, 2400.0])


@pytest.mark.parametrize("played", [(), ((0, 1, 0.0), (2, 0, 0.5))], ids=["whole", "running"])
def test_three_players_by_enumeration(played: tuple[tuple[int, int, float], ...]) -> None:
    tournament = all_play_all(3, 1, played)
    mean, deviation, ranks = enumerated(tournament, THREE, PROGRAM)
    found = simulate(tournament, Strengths(THREE, np.zeros((3, 3)), PROGRAM), runs=RUNS)
    assert np.all(np.abs(found.expected - mean) < 4 * found.deviation / np.sqrt(RUNS))
    assert_allclose(found.deviation, deviation, rtol=4 / np.sqrt(RUNS))
    assert_allclose(found.rank_probability, ranks, atol=4 * 0.5 / np.sqrt(RUNS))


def test_uncertain_ratings_by_quadrature() -> None:
    """Two players of 1 game: the mean of the expected score over the normal difference."""
    covariance = np.array([[90.0**2, 0.6 * 90 * 120], [0.6 * 90 * 120, 120.0**2]])
    tournament = Tournament(np.array([0]), np.array([1]), np.zeros(1), np.zeros(2))
    rating = np.array([2600.0, 2450.0])
    found = simulate(tournament, Strengths(rating, covariance, PROGRAM), runs=RUNS)
    nodes, weights = np.polynomial.hermite_e.hermegauss(40)
    deviation = np.sqrt(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1])
    lead = (150.0 + deviation * nodes) / PROGRAM.scale
    score = (PROGRAM.score(lead) + 1 - PROGRAM.score(-lead)) / 2
    expected = float(score @ weights / weights.sum())
    assert found.expected[0] == pytest.approx(expected, abs=4 * found.deviation[0] / np.sqrt(RUNS))


def test_games_so_far_count_and_are_not_played_again() -> None:
    tournament = all_play_all(3, 1, [(0, 1, 1.0), (1, 2, 0.5)])
    assert tournament.points.tolist() == [1.0, 1.5 - 1.0, 0.5]
    left = set(zip(tournament.first.tolist(), tournament.second.tolist(), strict=True))
    assert left == {(0, 2), (1, 0), (2, 0), (2, 1)}
    with pytest.raises(ValueError, match="no more games"):
        all_play_all(3, 1, [(0, 1, 1.0), (0, 1, 0.5), (0, 1, 0.5)])


def test_a_tournament_that_is_over_is_certain() -> None:
    played = [(w, b, 1.0 if w < b else 0.5) for w in range(3) for b in range(3) if w != b]
    found = simulate(
        all_play_all(3, 1, played), Strengths(THREE, np.eye(3) * 1e4, PROGRAM), runs=10
    )
    assert found.expected.tolist() == [3.0, 2.0, 1.0]
    assert found.deviation.tolist() == [0.0, 0.0, 0.0]
    assert_allclose(found.rank_probability, np.eye(3))


def test_the_same_seed_is_the_same_forecast() -> None:
    one, again, other = (
        simulate(all_play_all(5, 2), PUBLISHED, runs=500, seed=seed) for seed in (3, 3, 4)
    )
    assert np.array_equal(one.expected, again.expected)
    assert not np.array_equal(one.expected, other.expected)


def test_games_of_the_history_as_a_tournament() -> None:
    games = one_event([("a", "b", 1.0), ("c", "a", 0.5), ("b", "c", 0.0)])
    tournament, who, scored = tournament_of(games)
    assert [games.players[k] for k in who] == ["a", "b", "c"]
    assert scored.tolist() == [1.5, 0.0, 1.5]
    assert tournament.first.tolist() == [0, 2, 1]
    assert tournament.points.tolist() == [0.0, 0.0, 0.0]
