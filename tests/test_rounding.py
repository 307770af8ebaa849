"""Look-ups rounded for pages print what the exact numbers print."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from sample_history import ALDER, ANSWERS, DATASET, RATINGS

from edo.core import formats, urls
from edo.core.scale import whole_points
from edo.rating.edo import PlayerYear
from edo.site.input import SiteInput
from edo.site.pages.player import pages as player_pages
from edo.site.pages.rounding import Rounded, rounded, rounded_ratings

RNG = np.random.default_rng(1)
POINTS = [*RNG.uniform(-3000, 3000, 2000), *np.arange(-9.5, 9.5, 0.5), 2131.4999999999, -0.2]
CHANCES = [*RNG.uniform(0, 1, 2000), *(np.arange(2001) / 2000), 0.00999, 0.83999, 0.99001]


@pytest.mark.parametrize("places", [0, 1, 2])
def test_rounding_first_prints_the_same(places: int) -> None:
    for value in POINTS:
        found = formats.rounded(value, places)
        assert formats.fixed(found, places) == formats.fixed(value, places)
        assert formats.rounded(found, places) == found
        assert str(found) != "-0.0"


def test_whole_points_are_rounded_as_ratings_are_printed() -> None:
    assert whole_points(np.array(POINTS)).tolist() == [formats.rounded(one) for one in POINTS]


@pytest.mark.parametrize("show", [formats.chance, formats.chance_from_1, formats.verdict])
def test_rounded_chances_are_told_in_the_same_words(show: Callable[[float], str]) -> None:
    for value in CHANCES:
        assert show(formats.rounded_chance(value)) == show(value)
    assert len({formats.rounded_chance(value) for value in CHANCES}) < 110


def test_records_are_rounded_wherever_they_are() -> None:
    year = RATINGS.players[ALDER][0]
    exact = replace(year, rating=2000.4, deviation=50.5, raw_rating=2050.0)
    found = rounded({"a": [(1, exact, DATASET)]})["a"][0]
    assert found == (1, replace(exact, rating=2000.0, deviation=51.0), DATASET)
    assert rounded(None) is None
    table = Rounded({"a": 1850.6, "b": 2.0}, lambda rating: replace(exact, rating=rating))
    assert table["a"].rating == 1851.0 and "c" not in table and [*table] == ["a", "b"]
    assert rounded(ANSWERS.rivals)[ALDER] != ANSWERS.rivals[ALDER]


@pytest.mark.parametrize("deviation", [89.6, 90.0, 90.4])
def test_why_there_is_no_rank_is_told_of_the_exact_deviation(deviation: float) -> None:
    year = PlayerYear(ALDER, 1850, 2000.4, deviation, 0.0, 0.0, None, 1.0, 2.0, 20.0, 9)
    found = rounded_ratings(replace(RATINGS, players={ALDER: (year,)}, years={})).of(ALDER, 1850)
    assert found is not None
    assert formats.deviation(found.deviation) == formats.deviation(deviation) == "90"
    assert found.shortfall(RATINGS.settings) == year.shortfall(RATINGS.settings)


def test_the_peak_is_that_of_the_exact_ratings() -> None:
    first, second, *_ = RATINGS.players[ALDER]
    years = replace(first, rating=2000.1), replace(second, rating=2000.4)
    found = rounded_ratings(replace(RATINGS, players={ALDER: years}, years={}))
    assert found.peak(ALDER) == replace(second, rating=2000.0)
    assert found.of(ALDER, 1700) is None


def test_only_what_is_printed_counts_for_the_key_of_a_page() -> None:
    def key(by: float) -> str:
        players = {
            player: tuple(replace(one, rating=one.rating + by) for one in years)
            for player, years in RATINGS.players.items()
        }
        site = SiteInput(DATASET, replace(RATINGS, players=players), {}, None, "0", "0", ANSWERS)
        page = next(one for one in player_pages(site) if one.path == urls.player(ALDER))
        assert page.log is not None
        page.log.begin()
        page.view()
        return page.log.digest_of(page.view, page.log.reads())

    assert key(0.01) == key(0.0) != key(1.0)
