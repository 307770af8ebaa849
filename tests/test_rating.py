import math

import numpy as np
import pytest
from sample_datasets import EVERYBODY_RANKED, dataset, event, odds_by, result

from edo.core.model import Total
from edo.core.problems import ScaleNotSet
from edo.core.scale import ELO_PER_NAT, difference_from_score, expected_score
from edo.history.settings import DEFAULT, Settings
from edo.rating.edo import across_gaps, adjust, ranks, rate, why_unrated

ANCHOR = Settings(anchor_player="a", anchor_year=1850, anchor_rating=2000, **EVERYBODY_RANKED)


@pytest.mark.parametrize(
    ("fraction", "points"),
    [(6 / 7, 311), (6.5 / 7, 446), (4 / 5, 241), (0.5 / 4, -338), (3 / 4, 190.85)],
)
def test_published_closed_forms(fraction, points):
    assert difference_from_score(fraction) == pytest.approx(
        points, abs=0.5 if points % 1 == 0 else 0.005
    )


@pytest.mark.parametrize("fraction", [-0.5, 0.0, 1.0, 1.5])
def test_zero_and_full_scores_have_no_rating_difference(fraction):
    with pytest.raises(ValueError, match="has no rating difference"):
        difference_from_score(fraction)


@pytest.mark.parametrize(
    ("raw", "deviation", "rating", "tempered"),
    [(2599, 91, 2507, 87), (2628, 293, 2077, 210), (2813, 283, 2194, 206)],
)
def test_published_adjustments(raw, deviation, rating, tempered):
    got = adjust(np.array([float(raw)]), np.array([float(deviation)]), DEFAULT)
    assert got[0][0] == pytest.approx(rating, abs=1)
    assert got[1][0] == pytest.approx(tempered, abs=1)


def test_two_players_differ_by_the_score():
    ratings = rate(dataset(event("x", 1850, result("a", "b", 6, 7))), ANCHOR)
    a, b = ratings.of("a", 1850), ratings.of("b", 1850)
    assert a.raw_rating == pytest.approx(2000)
    assert a.raw_rating - b.raw_rating == pytest.approx(difference_from_score(6 / 7))
    # theta is centred, so both have the same deviation, half of that of the difference
    information = 7 * (6 / 7) * (1 / 7) / ELO_PER_NAT**2
    assert a.raw_deviation == pytest.approx(math.sqrt(0.5 / information) / 2)
    assert a.raw_deviation == pytest.approx(b.raw_deviation)


def test_a_ghost_is_rated_below_the_giver_by_the_odds():
    even = 100 * expected_score(219)
    ratings = rate(
        dataset(event("x", 1850, result("a", "b", 50, 100, odds=odds_by("a")),
                      result("a", "b", even, 100))), ANCHOR)  # fmt: skip
    difference = ratings.of("a", 1850).raw_rating - ratings.of("b", 1850).raw_rating
    assert difference == pytest.approx(219)
    assert ratings.of("a", 1850).games == 200


def test_odds_of_games_known_by_totals_only_count_as_an_advantage():
    totals = (Total("a", 50), Total("b", 50))
    handicap = event("x", 1850, players=("a", "b"), totals=totals, games_per_pair=100,
                     classes={"a": "I", "b": "II"}, class_names=("I", "II"),
                     class_odds={1: odds_by("a").kind})  # fmt: skip
    ratings = rate(dataset(handicap), ANCHOR)
    difference = ratings.of("a", 1850).raw_rating - ratings.of("b", 1850).raw_rating
    assert difference == pytest.approx(219)


def test_gaps_are_interpolated_with_larger_deviations():
    events = [
        event("x", 1850, result("a", "b", 30, 40), result("b", "c", 20, 40)),
        event("y", 1854, result("a", "b", 10, 40), result("b", "c", 20, 40)),
    ]
    ratings = rate(dataset(*events), ANCHOR)
    years = ratings.players["a"]
    assert [y.is_gap for y in years] == [False, True, True, True, False]
    for numbers in ([y.rating for y in years], [y.raw_rating for y in years]):
        assert np.diff(numbers) == pytest.approx([(numbers[-1] - numbers[0]) / 4] * 4, abs=1e-6)
    assert max(years, key=lambda y: y.deviation) == years[2]
    tempered = adjust(np.array([0.0]), np.array([years[2].raw_deviation]), ANCHOR)[1][0]
    assert years[2].deviation == pytest.approx(tempered)


def test_ratings_are_not_interpolated_between_players():
    line = across_gaps(np.array([1.0, 9, 3, 10, 20]), np.array([True, False, True, True, True]))
    assert line.tolist() == [1, 2, 3, 10, 20]


def test_ranks_are_by_year():
    assert ranks([1850, 1851, 1850, 1851], np.array([1.0, 5, 2, 6])).tolist() == [2, 2, 1, 1]


def test_equals_share_a_rank():
    alike = np.array([2000.0, 2100, 2100 + 1e-9, 1900, 2000, 2100])
    assert ranks([1850] * 5 + [1851], alike).tolist() == [3, 1, 1, 5, 3, 1]


def test_a_gap_year_has_a_rank():
    ratings = rate(
        dataset(
            event("x", 1850, result("a", "b", 30, 40)),
            event("y", 1851, result("b", "c", 20, 40)),
            event("z", 1852, result("a", "b", 30, 40), result("a", "c", 10, 20)),
        ),
        ANCHOR,
    )
    assert [y.rank for y in ratings.years[1851]] == [1, 2, 3]
    assert ratings.of("a", 1851).is_gap
    assert ratings.of("a", 1849) is None and ratings.of("nobody", 1850) is None


def test_the_peak_is_a_year_with_results():
    ratings = rate(dataset(event("x", 1850, result("a", "b", 30, 40)),
                           event("y", 1853, result("a", "b", 10, 40))), ANCHOR)  # fmt: skip
    assert ratings.peak("a").year == 1850
    assert ratings.peak("nobody") is None


def test_every_unrated_player_has_a_reason():
    ratings = rate(
        dataset(event("x", 1850, result("a", "b", 1, 2), result("a", "z", 1, 1)), players=["idle"]),
        ANCHOR,
    )
    assert set(ratings.unrated) == {"z", "idle"}
    assert all(ratings.unrated.values())


def test_the_anchor_rating_shifts_the_scale():
    events = dataset(event("x", 1850, result("a", "b", 1.5, 2), result("b", "c", 1, 2)))
    low, high = (
        rate(events, Settings(anchor_player="a", anchor_year=1850, anchor_rating=r))
        for r in (2000, 2100)
    )
    for player in "abc":
        one, two = low.of(player, 1850), high.of(player, 1850)
        assert two.raw_rating - one.raw_rating == pytest.approx(100)
        assert two.raw_deviation == pytest.approx(one.raw_deviation)


@pytest.mark.parametrize("player, year", [("zukertort-johannes", 1882), ("a", 1851)])
def test_a_network_without_the_anchor_of_the_scale_is_refused(player: str, year: int):
    settings = Settings(anchor_player=player, anchor_year=year)
    with pytest.raises(ScaleNotSet, match=f"it is set by the rating of {player} in {year}, who "):
        rate(dataset(event("x", 1850, result("a", "b", 1, 2))), settings)


def test_why_an_event_is_unrated():
    history = dataset(
        event("core", 1850, result("a", "b", 1, 2)),
        event("lost", 1850, result("a", "z", 1, 1)),
        event("told", 1850, result("a", "b", 1, 1), unrated="odds unknown"),
        event("bare", 1850, players=("a", "b")),
    )
    ratings = rate(history, ANCHOR)
    why = {e.id: why_unrated(e, history, ratings) for e in history.events.values()}
    assert why["core"] is None
    assert why["told"] == "odds unknown"
    assert why["bare"] == "No result is known that can be rated."
    assert why["lost"] == (
        "Of each two players one at least cannot be rated. "
        "Z: Lost every game that could be rated, so that any rating would be too high."
    )
