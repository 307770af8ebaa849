import math
import random
from itertools import combinations
from statistics import NormalDist

import numpy as np
import pytest
from dense import laplacian
from sample_datasets import EVERYBODY_RANKED, dataset, event, odds_by, result
from scipy.special import ndtr

from edo.core.model import Dataset, PartialDate, Player
from edo.core.scale import ELO_PER_NAT, difference_from_score
from edo.history.settings import Settings
from edo.rating.edo import run
from edo.rating.fit.bradley_terry import weights
from edo.rating.games import births, games_of
from edo.rating.inference import across, posterior
from edo.rating.inference.answers import Answers, PeakYear
from edo.rating.inference.joint import BATCH, Block, blocks, condense

ANCHOR = Settings(anchor_player="a", anchor_year=1850, anchor_rating=2000, **EVERYBODY_RANKED)
MANY = 200_000
PHI = NormalDist().cdf


def passed(*events, settings=ANCHOR):
    return run(games_of(dataset(*events)), settings)


def history():
    """Fourteen players in six years, with gaps, a ghost a year, and scores of all sizes."""
    names = "abcdefghijklmn"
    luck = random.Random(7)
    events = []
    for year in (1850, 1851, 1853, 1855):
        results = [
            result(names[i], names[j], luck.choice([0.5, 1, 1.5, 2, 3]), 4)
            for i in range(14)
            for j in range(i + 1, 14)
            if luck.random() < 0.25 or j == i + 1
        ]
        results.append(result(names[0], names[5], 3, 5, odds=odds_by(names[0])))
        events.append(event(f"e{year}", year, *results))
    done = passed(*events)
    assert done.network.comparisons.n == len(done.network.year) + 4
    assert (done.network.games == 0).any()
    return done


@pytest.fixture(scope="module")
def done():
    return history()


def answers_of(done):
    return posterior.from_distribution(done, condense(done))


@pytest.fixture(scope="module")
def joint(done):
    return answers_of(done)


@pytest.fixture(scope="module")
def dense(done):
    return dense_covariance(done)


def dense_covariance(done):
    """The covariances [Elo^2] of all published ratings, by a dense pseudo-inverse."""
    c = done.network.comparisons
    information = laplacian(c.n, c.i, c.j, weights(c, done.fit.theta))
    n = len(done.network.year)
    raw = np.linalg.pinv(information, hermitian=True)[:n, :n]
    raw *= done.settings.variance_factor * ELO_PER_NAT**2
    scale = done.deviation / np.sqrt(raw.diagonal())
    return raw * scale[:, None] * scale


def dense_draws(done, dense, nodes):
    own = dense[np.ix_(nodes, nodes)]
    rng = np.random.default_rng(2)
    return rng.multivariate_normal(done.rating[nodes], own, MANY, method="svd")


def sampling_error(p):
    """Five standard errors of the difference of shares in 20,000 and in 200,000 draws."""
    return 5 * math.sqrt(max(p * (1 - p), 1e-4) * (1 / posterior.DRAWS + 1 / MANY))


def nodes_of(done, year):
    return np.flatnonzero(done.network.year == year)


def player_at(done, node):
    return done.network.players[np.searchsorted(done.network.start, node, side="right") - 1]


def test_blocks_agree_with_the_dense_covariance(done, dense):
    groups = [nodes_of(done, 1853), np.arange(6), np.array([3]), np.array([70, 2, 40])]
    for nodes, block in zip(groups, blocks(done, condense(done), groups), strict=True):
        expected = dense[np.ix_(nodes, nodes)]
        np.testing.assert_allclose(block.covariance, expected, rtol=1e-5, atol=1e-3)
        assert block.mean.tolist() == done.rating[nodes].tolist()
        np.testing.assert_allclose(
            np.sqrt(block.covariance.diagonal()), done.deviation[nodes], rtol=1e-9
        )


def test_superiority_agrees_with_the_dense_covariance(done, dense, joint):
    for year in range(1850, 1856):
        table = joint.superiority[year]
        nodes = [done.node(player, year) for player in table.players]
        best = sorted(nodes_of(done, year), key=lambda k: -done.rating[k])[:10]
        assert nodes == best
        own, rating = dense[np.ix_(nodes, nodes)], done.rating[nodes]
        variance = own.diagonal()[:, None] + own.diagonal() - 2 * own + np.eye(len(nodes))
        expected = ndtr((rating[:, None] - rating) / np.sqrt(variance))
        np.testing.assert_allclose(table.probability, expected, atol=1e-6)


def test_differences_to_the_peak_agree_with_the_dense_covariance(done, dense, joint):
    for player, years in joint.peaks.items():
        nodes = [done.node(player, y.year) for y in years]
        peak = max(nodes, key=lambda k: done.rating[k])
        for node, year in zip(nodes, years, strict=True):
            variance = dense[peak, peak] + dense[node, node] - 2 * dense[peak, node]
            assert year.below == pytest.approx(done.rating[peak] - done.rating[node], abs=1e-9)
            assert year.deviation == pytest.approx(math.sqrt(max(variance, 0)), abs=1e-4)
            if node != peak:
                assert year.deviation == pytest.approx(math.sqrt(variance), rel=1e-6)
        assert sum(y.below == y.deviation == 0 for y in years) == 1


@pytest.mark.parametrize("year", [1852, 1855])
def test_rank_probabilities_agree_with_dense_draws(done, dense, joint, year):
    nodes = nodes_of(done, year)
    order = np.argsort(-dense_draws(done, dense, nodes), axis=1)
    rank = np.argsort(order, axis=1) + 1
    for k, node in enumerate(nodes):
        chance = joint.rank_probabilities[player_at(done, node), year]
        within = [np.mean(rank[:, k] <= r) for r in range(16)]
        assert chance.first == pytest.approx(within[1], abs=sampling_error(within[1]))
        assert chance.top_ten == pytest.approx(within[10], abs=sampling_error(within[10]))
        for bound, share in ((chance.rank_low, 0.05), (chance.rank_high, 0.95)):
            assert within[bound] >= share - sampling_error(share)
            assert within[bound - 1] < share + sampling_error(share)
    chances = [joint.rank_probabilities[player_at(done, node), year] for node in nodes]
    assert sum(0.02 < chance.first < 0.98 for chance in chances) >= 2
    assert sum(0.02 < chance.top_ten < 0.98 for chance in chances) >= 2


def test_peak_probabilities_agree_with_dense_draws(done, dense, joint):
    for player in ("a", "e", "n"):
        years = joint.peaks[player]
        nodes = np.array([done.node(player, y.year) for y in years])
        best = dense_draws(done, dense, nodes).argmax(axis=1)
        for k, year in enumerate(years):
            share = np.mean(best == k)
            assert year.probability == pytest.approx(share, abs=sampling_error(share))


def test_every_player_year_has_its_chances(done, joint):
    assert set(joint.rank_probabilities) == {
        (player_at(done, node), int(year)) for node, year in enumerate(done.network.year)
    }
    for key, chance in joint.rank_probabilities.items():
        assert (chance.player, chance.year) == key


@pytest.fixture(autouse=True)
def few_are_enough(monkeypatch):
    """Two players are enough for probabilities, which closed forms then give."""
    monkeypatch.setattr(posterior, "FEWEST", 1)


def test_a_gap_year_has_rank_probabilities_but_is_no_peak():
    done = passed(
        event("x", 1850, result("a", "b", 3, 4)), event("y", 1853, result("a", "b", 1, 4))
    )
    joint = answers_of(done)
    assert sorted({year for _, year in joint.rank_probabilities}) == [1850, 1851, 1852, 1853]
    assert [y.year for y in joint.peaks["a"]] == [1850, 1853]
    assert [y.below for y in joint.peaks["b"]] == [pytest.approx(
        done.rating[done.node("b", 1853)] - done.rating[done.node("b", 1850)]), 0]  # fmt: skip
    assert joint.peaks["a"][0].probability > 0.5 > joint.peaks["a"][1].probability


def test_two_players_and_one_match():
    done = passed(event("x", 1850, result("a", "b", 6, 7)))
    joint = answers_of(done)
    # by hand: a difference of theta has the variance 1 / (7 * 6/7 * 1/7), half of it per game,
    # and each of the two has half the deviation of the difference
    raw = math.sqrt(0.5 / (6 / 7)) * ELO_PER_NAT / 2
    kept = 1 / (1 + raw**2 / 300**2)
    lead = difference_from_score(6 / 7) * kept
    deviation = 2 * raw * math.sqrt(kept)
    expected = PHI(lead / deviation)
    table = joint.superiority[1850]
    assert table.players == ("a", "b")
    assert table.probability[0][1] == pytest.approx(expected, abs=1e-6)
    (rival,) = joint.rivals["b"]
    assert (rival.rival, rival.year) == ("a", 1850)
    assert rival.difference == pytest.approx(-lead) and rival.deviation == pytest.approx(deviation)
    assert rival.probability == pytest.approx(1 - expected, abs=1e-6)
    assert joint.rank_probabilities["a", 1850].first == pytest.approx(
        expected, abs=sampling_error(expected)
    )
    assert (
        joint.rank_probabilities["a", 1850].first + joint.rank_probabilities["b", 1850].first == 1
    )
    assert joint.rank_probabilities["b", 1850].top_ten == 1
    assert joint.peaks["a"] == (posterior.PeakYear(1850, 1.0, 0.0, 0.0),)


def test_too_few_have_an_order_but_no_chance_of_being_first(monkeypatch):
    games = {n: [result(*pair, 1, 2) for pair in pairs] for n, pairs in (
        (4, combinations("abcd", 2)), (5, combinations("abcde", 2)))}  # fmt: skip
    done = passed(event("x", 1850, *games[4]), event("y", 1851, *games[5]))
    monkeypatch.setattr(posterior, "FEWEST", 5)
    joint = answers_of(done)
    assert {year for _, year in joint.rank_probabilities} == {1851}
    assert set(joint.superiority) == {1850, 1851}


def test_results_do_not_depend_on_the_order_of_pairings(done, joint):
    pairings = done.network.pairings
    order = np.random.default_rng(1).permutation(len(pairings))
    other = answers_of(run(pairings.where(order), ANCHOR))
    assert other.rank_probabilities == joint.rank_probabilities
    assert answers_of(done) == joint
    for player, years in joint.peaks.items():
        assert [y.probability for y in other.peaks[player]] == [y.probability for y in years]


def test_draws_depend_only_on_their_seed():
    block = Block(np.arange(2), np.array([0.0, 5.0]), np.array([[4.0, 1.0], [1.0, 9.0]]))
    first, second = (
        np.concatenate(list(block.draws((1, 1850), n))) for n in (BATCH, 2 * BATCH + 5)
    )
    assert (len(first), len(second)) == (BATCH, 2 * BATCH + 5)
    assert (second[:BATCH] == first).all() and not (second[BATCH : 2 * BATCH] == first).any()
    assert not (next(block.draws((1, 1851), BATCH)) == first).any()
    # years and players have different seeds
    seeds = [(1, 1850), (2, 1850)]
    assert len({float(next(block.draws(seed, 1))[0, 0]) for seed in seeds}) == 2


def test_each_year_and_each_player_has_its_own_seed():
    # everybody is alike, and so are the first and the last year: only the seeds make a difference
    # (of two alike one is best in exactly half of the mirrored draws, so there are three)
    done = passed(
        *(
            event(f"e{year}", year, *(result(*pair, 1, 2) for pair in ("ab", "bc", "ca")))
            for year in (1850, 1851, 1852)
        )
    )
    joint = answers_of(done)
    firsts = [joint.rank_probabilities["a", year].first for year in (1850, 1852)]
    assert firsts == pytest.approx([1 / 3, 1 / 3], abs=0.02)
    bests = [joint.peaks[player][0].probability for player in "ab"]
    assert bests[0] == pytest.approx(bests[1], abs=0.02)
    assert firsts[0] != firsts[1]
    assert bests[0] != bests[1]


def test_rivals_are_those_with_most_games():
    # games of a: 6 + 6 against b, 3 in 1850 against c, 2 against d, 1 against e
    done = passed(
        event("x", 1850, result("a", "b", 3, 6), result("a", "c", 1, 3), result("d", "a", 1, 2)),
        event("y", 1851, result("b", "a", 2, 4), result("a", "e", 0.5, 1)),
        event("z", 1851, result("a", "b", 1, 2, odds=odds_by("a"))),
    )
    joint = answers_of(done)
    rivals = joint.rivals["a"]
    assert [(r.rival, r.year) for r in rivals] == [("b", 1851), ("c", 1850), ("d", 1850)]
    for rival in rivals:
        a, other = (done.node(p, rival.year) for p in ("a", rival.rival))
        assert rival.difference == pytest.approx(done.rating[a] - done.rating[other])
        assert rival.probability == pytest.approx(PHI(rival.difference / rival.deviation))
    assert [(r.rival, r.year) for r in joint.rivals["b"]] == [("a", 1851)]


def test_a_player_without_rivals_is_compared_with_his_neighbours_in_the_list():
    done = passed(
        event(
            "x",
            1850,
            result("a", "b", 15, 20),
            result("b", "c", 15, 20),
            result("b", "e", 0.5, 1),
        ),
    )
    joint = answers_of(done)
    order = sorted("abce", key=lambda p: -done.rating[done.node(p, 1850)])
    place = order.index("e")
    around = [*order[max(place - 1, 0) : place], *order[place + 1 : place + 2]]
    assert 0 < place < 3 and len(around) == 2
    assert [r.rival for r in joint.rivals["e"]] == around
    above, below = joint.rivals["e"]
    assert above.difference < 0 < below.difference
    assert above.probability < 0.5 < below.probability


def test_neighbours_are_taken_in_the_year_with_most_games_in_total():
    # e: a game against each of two in 1850, one game in 1851
    done = passed(
        event("x", 1850, result("a", "b", 15, 20), result("b", "c", 15, 20),
              result("b", "e", 0.5, 1), result("c", "e", 0.5, 1)),
        event("y", 1851, result("a", "e", 0.5, 1)),
    )  # fmt: skip
    assert {r.year for r in answers_of(done).rivals["e"]} == {1850}


def test_there_are_at_most_eight_rivals(joint):
    done = passed(event("x", 1850, *(result("a", name, 1, 2 + k)
                                     for k, name in enumerate("bcdefghijk"))))  # fmt: skip
    assert [r.rival for r in answers_of(done).rivals["a"]] == list("kjihgfed")
    assert max(len(rivals) for rivals in joint.rivals.values()) == 8
    assert min(len(rivals) for rivals in joint.rivals.values()) >= 1


def test_correlations_agree_with_the_dense_covariance(done, dense):
    found = posterior.from_distribution(done, condense(done)).correlations
    spread = np.sqrt(dense.diagonal())
    rho = dense / spread / spread[:, None]
    assert sorted(found) == list(range(1850, 1856))
    for year, block in found.items():
        nodes = [done.node(player, year) for player in block.players]
        assert nodes == np.flatnonzero(done.network.year == year).tolist()
        np.testing.assert_allclose(block.rho, rho[np.ix_(nodes, nodes)], atol=1e-5)


def test_offhand_identities_have_the_year_of_birth_of_the_person():
    plain = dataset(event("e", 1850, result("a", "b", 1, 2)))
    players = {
        "a": Player("a", "A", born=PartialDate(1820, 3)),
        "a-offhand": Player("a-offhand", "A (offhand)", offhand_of="a"),
        "b": Player("b", "B"),
        "b-offhand": Player("b-offhand", "B (offhand)", offhand_of="b"),
    }
    everybody = Dataset(plain.events, players, plain.places, plain.sources, plain.odds)
    assert births(everybody) == {"a": 1820, "a-offhand": 1820}


def test_a_question_across_years_has_the_dense_covariance(done, dense):
    asked = (("a", 1850), ("n", 1855))
    found = posterior.from_distribution(done, condense(done), question=asked).question
    assert found is not None and (found.first, found.second) == asked
    i, j = (done.node(*one) for one in asked)
    deviation = math.sqrt(dense[i, i] + dense[j, j] - 2 * dense[i, j])
    assert found.difference == pytest.approx(done.rating[i] - done.rating[j])
    assert found.deviation == pytest.approx(deviation, rel=1e-6)
    assert found.probability == pytest.approx(PHI(found.difference / deviation))


@pytest.mark.parametrize(
    "asked",
    [
        (),
        (("a", 1850), ("nobody", 1850)),
        (("a", 1849), ("b", 1850)),
        (("a", 1850), ("b", 1900)),
        (("a", 1850), ("a", 1850)),
    ],
)
def test_a_question_about_years_that_are_not_rated_has_no_answer(done, asked):
    assert across.compared(done, condense(done), asked) is None


def test_the_highest_peaks_are_compared_by_the_dense_covariance(done, dense):
    found = across.peaks(done, condense(done))
    assert found is not None and len(found.years) == across.PEAKS
    nodes = [done.node(*of_year) for of_year in found.years]
    ratings = done.rating[nodes]
    assert ratings.tolist() == sorted(ratings, reverse=True)
    assert (done.network.games[nodes] > 0).all()
    assert len({player for player, _ in found.years}) == across.PEAKS
    deviation = math.sqrt(dense[nodes[0], nodes[0]] + dense[nodes[9], nodes[9]]
                          - 2 * dense[nodes[0], nodes[9]])  # fmt: skip
    assert found.probability[0][9] == pytest.approx(PHI((ratings[0] - ratings[9]) / deviation))
    assert found.probability[0][9] + found.probability[9][0] == pytest.approx(1)


def test_years_have_in_common_the_mean_covariance_of_their_leaders(done, dense):
    found = across.common_part(done, condense(done))
    assert found is not None and found.years == (1850, 1855)  # every tenth year, and the last
    early, late = (np.flatnonzero(done.network.year == year) for year in found.years)
    between = dense[np.ix_(early, late)].mean()
    assert found.covariance[[0, 1], [1, 0]] == pytest.approx([between, between])
    within = dense[np.ix_(early, early)]
    others = ~np.eye(len(early), dtype=bool)
    assert found.covariance[0, 0] == pytest.approx(within[others].mean())
    level = found.covariance[0, 0] + found.covariance[1, 1] - 2 * between
    assert found.deviation(1850, 1855) == pytest.approx(math.sqrt(level))
    assert found.deviation(1840, 1860) == pytest.approx(math.sqrt(level))  # as at the ends
    assert found.deviation(1850, 1852) == pytest.approx(0.4 * math.sqrt(level))


def test_few_players_have_nothing_in_common(done):
    small = passed(event("x", 1850, result("a", "b", 1, 2), result("b", "c", 1, 2)))
    assert across.common_part(small, condense(small)) is None


def test_a_flat_peak_is_the_shortest_span_that_had_it_with_four_fifths():
    def of(*shares: float) -> Answers:
        years = tuple(PeakYear(1840 + k, share, 0.0, 0.0) for k, share in enumerate(shares))
        return Answers(peaks={"a": years})

    assert of(*[0.0625] * 16).flat_peak("a") == (1840, 1852)  # thirteen years have 0.8125
    assert of(*[0.0625] * 4, 0.5, *[0.05] * 5).flat_peak("a") is None  # ten years are not long
    assert of(0.3, *[0.02] * 10, 0.5).flat_peak("a") == (1840, 1851)
    assert of(1.0).flat_peak("a") is None and of().flat_peak("b") is None
