import itertools
import math

import choix
import numpy as np
import pytest
from dense import laplacian, slopes
from hypothesis import given, settings
from hypothesis import strategies as st
from sample_datasets import covariances

from edo.core.problems import DisconnectedNetwork, NotConverged
from edo.core.scale import ELO_PER_NAT
from edo.rating.fit.bradley_terry import Comparisons, fit, gradient, log_likelihood, weights


def comparisons(n, *rows):
    """Comparisons from rows (i, j, score, games)."""
    i, j, score, games = zip(*rows, strict=True)
    return Comparisons(n, np.array(i), np.array(j), np.array(score, float), np.array(games, float))


def random_comparisons(n, extra, seed, most=0.0):
    """A random tree and `extra` more pairings, some repeated; every item scores.

    The offsets are up to `most` [nat].
    """
    rng = np.random.default_rng(seed)
    i = np.r_[[rng.integers(k) for k in range(1, n)], rng.integers(n, size=extra)].astype(int)
    j = np.r_[np.arange(1, n), rng.integers(n, size=extra)].astype(int)
    i, j = i[i != j], j[i != j]
    games = rng.uniform(0.5, 12, len(i))
    score = games * rng.uniform(0.05, 0.95, len(i))
    return Comparisons(n, i, j, score, games, most * rng.uniform(-1, 1, len(i)))


def chain(links, games=30.0):
    return comparisons(links + 1, *((k, k + 1, games / 2, games) for k in range(links)))


def dense_information(c, theta):
    return laplacian(c.n, c.i, c.j, weights(c, theta))


def difference_deviation(fitted, i, j):
    """The deviation [Elo] of theta_i - theta_j, variances halved as the rating pass does."""
    v = fitted.variances()
    variance = v[i] + v[j] - 2 * covariances(fitted, [j])[i, 0]
    return ELO_PER_NAT * math.sqrt(variance / 2)


@pytest.mark.parametrize(("links", "deviation"), [(1, 44.854), (39, 280.11)])
def test_published_deviations_of_careers(links, deviation):
    """Of a rating after one year, and after 39, tied by thirty games a year."""
    fitted = fit(chain(links))
    assert difference_deviation(fitted, 0, links) == pytest.approx(deviation, rel=1.2e-5)
    assert fitted.theta == pytest.approx(np.zeros(links + 1), abs=1e-14)


def test_sixty_games_balance_two_self_pairings_of_thirty():
    """A performance of 2600 between two years fixed at 2400: the rating is 2500."""
    heavy = 1e8
    expected = 1 / (1 + 10 ** (-200 / 400))
    theta = fit(
        comparisons(
            4,
            (0, 1, 30, 60),  # the year against opponents of 2600, all square
            (0, 2, 15, 30),
            (0, 3, 15, 30),
            (2, 3, heavy / 2, heavy),
            (1, 2, heavy * expected, heavy),
            (1, 3, heavy * expected, heavy),
        )
    ).theta
    rating = theta * ELO_PER_NAT + 2400 - theta[2] * ELO_PER_NAT
    assert rating == pytest.approx([2500, 2600, 2400, 2400], abs=1e-3)


def test_a_long_chain_agrees_with_its_closed_form():
    """Resistances add up: the pseudo-inverse of a path at item k has a closed form."""
    n = 3000
    k = np.arange(n)
    resistance = 1 / 7.5
    sums = k * (k + 1) / 2 + (n - 1 - k) * (n - k) / 2
    expected = resistance * (sums / n - (n - 1) * (n + 1) / (6 * n))
    assert np.abs(fit(chain(n - 1)).variances() / expected - 1).max() < 1e-9


def test_a_chain_of_wins_adds_up():
    c = comparisons(200, *((k, k + 1, 3, 4) for k in range(199)))
    theta = fit(c).theta
    assert theta[0] - theta[199] == pytest.approx(199 * math.log(3), rel=1e-11)


def test_a_star():
    """Each leaf is as far below the centre as its own score says, whatever the others did."""
    scores = [1, 2, 3, 4, 5, 6, 7]
    fitted = fit(comparisons(8, *((0, k, s, 8) for k, s in enumerate(scores, 1))))
    differences = fitted.theta[0] - fitted.theta[1:]
    assert differences == pytest.approx([math.log(s / (8 - s)) for s in scores], abs=1e-12)
    for leaf, s in enumerate(scores, 1):
        expected = ELO_PER_NAT * math.sqrt(8 / (s * (8 - s)) / 2)
        assert difference_deviation(fitted, 0, leaf) == pytest.approx(expected, rel=1e-11)


def test_derivatives_agree_with_finite_differences():
    c = random_comparisons(12, 30, 5, most=2)
    theta = np.random.default_rng(1).normal(size=12)
    numeric = slopes(lambda x: log_likelihood(c, x), theta)
    assert gradient(c, theta) == pytest.approx(numeric, abs=1e-7)
    curvature = -slopes(lambda x: gradient(c, x), theta)
    assert np.abs(dense_information(c, theta) - curvature).max() < 1e-7


@settings(deadline=None, max_examples=40, derandomize=True)
@given(st.integers(2, 50), st.integers(0, 120), st.integers(0, 10**6), st.sampled_from([0, 2]))
def test_any_network_agrees_with_dense_algebra(n, extra, seed, most):
    c = random_comparisons(n, extra, seed, most)
    fitted = fit(c)
    assert np.abs(gradient(c, fitted.theta)).max() < 1e-9
    assert fitted.theta.sum() == pytest.approx(0, abs=1e-11)
    dense = np.linalg.pinv(dense_information(c, fitted.theta), hermitian=True)
    scale = dense.diagonal().max()
    assert np.abs(fitted.variances() - dense.diagonal()).max() < 1e-10 * scale
    assert np.abs(covariances(fitted, np.arange(n)) - dense).max() < 1e-10 * scale
    assert fitted.log_likelihood == pytest.approx(log_likelihood(c, fitted.theta), rel=1e-12)


@settings(deadline=None, max_examples=15, derandomize=True)
@given(st.integers(2, 15), st.integers(0, 30), st.integers(0, 10**6))
def test_choix_finds_the_same_maximum(n, extra, seed):
    """choix knows whole wins only: half points are doubled, and so is the likelihood."""
    rng = np.random.default_rng(seed)
    pairs = [(int(rng.integers(k)), k) for k in range(1, n)]
    pairs += [(i, j) for i, j in rng.integers(n, size=(extra, 2)).tolist() if i != j]
    rows, won = [], []
    for i, j in pairs:
        games = int(rng.integers(1, 8))
        half_points = int(rng.integers(1, 2 * games))
        rows.append((i, j, half_points / 2, games))
        won += [(i, j)] * half_points + [(j, i)] * (2 * games - half_points)
    theta = fit(comparisons(n, *rows)).theta
    spectral = choix.ilsr_pairwise(n, won, alpha=0, max_iter=1000, tol=1e-12)
    assert theta == pytest.approx(spectral - spectral.mean(), abs=1e-8)
    newton = choix.opt_pairwise(n, won, alpha=0, method="Newton-CG", tol=1e-10)
    assert theta == pytest.approx(newton - newton.mean(), abs=1e-5)


def test_another_order_of_the_comparisons_changes_no_bit():
    c = random_comparisons(40, 200, 9)
    order = np.random.default_rng(5).permutation(len(c.i))
    one = fit(c)
    other = fit(Comparisons(40, c.i[order], c.j[order], c.score[order], c.games[order]))
    assert one.theta.tobytes() == other.theta.tobytes()
    assert one.variances().tobytes() == other.variances().tobytes()


def test_aggregated_adds_up_each_pair_and_keeps_offsets_apart():
    rows = (1, 0, 1.5, 2), (0, 1, 1, 2), (0, 1, 0.5, 1), (0, 1, 1, 2)
    i, j, score, games = map(np.array, zip(*rows, strict=True))
    c = Comparisons(2, i, j, score, games, np.array([0.3, -0.3, 0.0, 0.0])).aggregated()
    assert c.offset.tolist() == [-0.3, 0]
    assert (c.score.tolist(), c.games.tolist()) == ([1.5, 1.5], [4, 3])


def test_an_offset_is_an_advantage_of_the_first():
    """At a score of 3 from 4 the first seems 190.85 Elo stronger, of which 150 are the offset."""
    columns = np.array([[0], [1], [3], [4]])
    c = Comparisons(2, *columns, np.array([150 / ELO_PER_NAT]))
    theta = fit(c).theta
    assert (theta[0] - theta[1]) * ELO_PER_NAT == pytest.approx(40.85, abs=0.005)


def test_parts_without_a_link_are_refused():
    with pytest.raises(DisconnectedNetwork) as error:
        fit(comparisons(5, (0, 1, 1, 2), (2, 3, 1, 2)))
    assert str(error.value) == (
        "the 5 items fall into 3 parts that no comparison links; fit only one of them"
    )


@pytest.mark.parametrize("score", [0, 1])
def test_a_perfect_score_is_refused(score):
    with pytest.raises(DisconnectedNetwork) as error:
        fit(comparisons(2, (0, 1, score, 1)))
    assert str(error.value) == (
        "the likelihood has no maximum: the 2 items fall into 2 parts between which "
        "one side took every point; keep only one strongly connected part"
    )


def test_a_group_that_only_beat_the_rest_is_refused():
    with pytest.raises(DisconnectedNetwork, match="4 items fall into 2 parts"):
        fit(comparisons(4, (0, 1, 1, 2), (2, 3, 1, 2), (0, 2, 3, 3), (1, 3, 1, 1)))


@pytest.mark.parametrize(("score", "games", "steps"), [(99, 100, 2), (1e-300, 1, 60)])
def test_a_maximum_that_is_not_reached_raises_with_a_hint(score, games, steps):
    with pytest.raises(NotConverged, match="look for scores of almost 0 % or 100 %"):
        fit(comparisons(2, (0, 1, score, games)), max_steps=steps)


@pytest.mark.parametrize(
    ("n", "score", "games"), [(280, 1.5, 2), (280, 3, 4), (100, 9.5, 10), (60, 99.5, 100)]
)
def test_a_long_chain_of_players_each_stronger_than_the_next_has_a_maximum(n, score, games):
    result = fit(comparisons(n, *((k, k + 1, score, games) for k in range(n - 1))))
    assert -np.diff(result.theta) == pytest.approx(math.log(score / (games - score)))
    assert result.steps <= 12


def test_wild_upsets_take_more_steps_and_are_fitted():
    rng = np.random.default_rng(1)
    i = rng.integers(0, 115, 345)
    j = (i + 1 + rng.integers(0, 114, 345)) % 115
    games = rng.choice([1.0, 10.0, 1000.0], 345)
    score = np.where(i < j, games - 1e-4, 1e-4)
    ring = np.arange(115)
    c = Comparisons(
        115, np.r_[i, ring], np.r_[j, (ring + 1) % 115], np.r_[score, np.full(115, 0.75)],
        np.r_[games, np.ones(115)],
    )  # fmt: skip
    assert np.abs(gradient(c, fit(c).theta)).max() < 1e-8


def test_only_the_totals_matter():
    """A crosstable of 2 games a pair, and its totals spread as n/2 + (T_i - T_j)/P."""
    table = fit(
        comparisons(4, (0, 1, 1.5, 2), (0, 2, 2, 2), (0, 3, 1.5, 2), (1, 2, 1.5, 2), (1, 3, 1.5, 2),
                    (2, 3, 1, 2))
    )  # fmt: skip
    totals = [5, 3.5, 1.5, 2]
    rows = [
        (i, j, 1 + (totals[i] - totals[j]) / 4, 2) for i, j in itertools.combinations(range(4), 2)
    ]
    assert fit(comparisons(4, *rows)).theta == pytest.approx(table.theta, abs=1e-11)


def test_a_lopsided_score_is_reached():
    theta = fit(comparisons(2, (0, 1, 1e-6, 1))).theta
    assert theta[1] - theta[0] == pytest.approx(math.log(1e6 - 1), abs=1e-8)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([(0, 0, 1, 2)], "compared with itself"),
        ([(0, 1, 2.5, 2)], "between 0 and its games"),
        ([(0, 1, -0.5, 2)], "between 0 and its games"),
        ([(0, 2, 1, 2)], "numbered from 0 to 1"),
        ([(-1, 1, 1, 2)], "numbered from 0 to 1"),
        ([(0, 1, 0, 0)], "games > 0"),
        ([(0, 1, math.nan, 2)], "a finite score"),
        ([(0, 1, 1, math.inf)], "games > 0"),
    ],
)
def test_invalid_comparisons_are_refused(rows, message):
    with pytest.raises(ValueError, match=message):
        comparisons(2, *rows)


def test_comparisons_need_items_and_equal_lengths():
    nothing, numbers = np.array([], np.int64), np.array([])
    with pytest.raises(ValueError, match="at least two items and one comparison"):
        Comparisons(2, nothing, nothing, numbers, numbers)
    with pytest.raises(ValueError, match="same length"):
        Comparisons(2, np.array([0]), np.array([1]), np.array([1.0]), numbers)


def test_a_step_that_would_go_too_far_is_shortened():
    """At large odds a whole Newton step can end where every expected score is 0 or 1."""
    i, j = np.array([1, 2, 1, 2]), np.array([0, 0, 2, 0])
    score, games = np.array([0.999, 0.99, 2.5, 0.25]), np.array([1.0, 1, 50, 5])
    pairs = Comparisons(3, i, j, score, games, offset=np.array([0.0, 0, 5, 5]))
    found = fit(pairs)
    assert np.abs(gradient(pairs, found.theta)).max() < 1e-9
