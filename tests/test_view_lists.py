"""What the golden small site cannot show of the lists: orders, ties, missing answers, ridges."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rendered import Rendered, rendered
from sample_history import ALDER, ANSWERS, BIRCH, CEDAR, DATASET, OFFHAND, RATINGS

from edo.core.model import Dataset, PartialDate
from edo.rating.edo import Ratings
from edo.rating.inference.answers import RankProbabilities
from edo.site import urls
from edo.site.charts.ridgeline import ridgeline
from edo.site.input import SiteInput
from edo.site.pages.lists import by_letter, letter, pages


def drawn(path: str, dataset: Dataset = DATASET, ratings: Ratings = RATINGS) -> Rendered:
    return rendered(pages, SiteInput(dataset, ratings, {}, None, "0", "0"), path)


def test_a_life_without_a_birth_does_not_sort_by_the_death():
    players = {**DATASET.players, BIRCH: replace(DATASET.players[BIRCH], died=PartialDate(1877))}
    rows = drawn(urls.PLAYERS, dataset=replace(DATASET, players=players)).rows("all")
    lives = {row["Player"]: row.cells["Life"] for row in rows}
    assert (lives["Birch, Bo"].text, lives["Birch, Bo"].get("data-sort")) == ("d. 1877", "")
    assert lives["Alder, Anna"].get("data-sort") is None


@pytest.mark.parametrize(
    ("name", "found"),
    [("Čedar", "C"), ("Ørsted", "O"), ("Łowcki", "L"), ("von Bilow", "V"), ("? (Vienna)", "#")],
)
def test_names_stand_under_the_letter_where_a_reader_looks(name: str, found: str):
    assert letter(name) == found


def test_accents_do_not_part_neighbours():
    names = ["Möller, B.", "Moller, C.", "Moller, A.", "Mollet, A."]
    ((_, ordered),) = by_letter(names, str)
    assert ordered == ["Moller, A.", "Möller, B.", "Moller, C.", "Mollet, A."]


def test_highest_peaks_are_in_years_with_results():
    rows = drawn(urls.PEAKS).rows("all")
    assert [row.texts("Place", "Player", "Rating", "Dev.", "Year") for row in rows] == [
        ("1", "Alder, Anna", "2163", "95", "1853"),
        ("2", "Alder, Anna (offhand)", "2050", "140", "1851"),
        ("3", "Birch, Bo", "2000", "110", "1850"),  # the first of equal years
        ("4", "Čedar, Cy", "1763", "125", "1853"),
    ]


def test_reigns_are_runs_of_years():
    birch = replace(RATINGS.players[BIRCH][1], rating=2200.0, rank=1)
    years = {**RATINGS.years, 1851: (birch, *RATINGS.years[1851])}
    reigns = drawn(urls.NUMBER_ONES, ratings=replace(RATINGS, years=years)).rows("reigns")
    assert [row.texts("Number one", "Years", "Length") for row in reigns] == [
        ("Alder, Anna", "1850", "1 year"),
        ("Birch, Bo", "1851", "1 year"),
        ("Alder, Anna", "1852–1853", "2 years"),
    ]


def test_a_year_with_one_rated_player_has_no_second():
    alone = {1850: (RATINGS.players[ALDER][0],)}
    (row,) = drawn(urls.NUMBER_ONES, ratings=replace(RATINGS, years=alone)).rows("years")
    assert row.texts("Second", "Rating", "Margin") == ("", "–", "–")


def test_the_chance_of_the_second_stands_behind_the_name_and_not_again_in_the_last_column():
    told = (
        RankProbabilities(ALDER, 1850, 0.7, 1.0, 1, 2),
        RankProbabilities(BIRCH, 1850, 0.2, 1.0, 1, 3),
        RankProbabilities(CEDAR, 1850, 0.1, 1.0, 1, 3),
    )
    alder, birch = (
        replace(RATINGS.players[player][0], year=1850, rank=rank)
        for rank, player in enumerate((ALDER, BIRCH), start=1)
    )
    ratings = replace(RATINGS, years={1850: (alder, birch)})
    answers = replace(ANSWERS, rank_probabilities={(one.player, one.year): one for one in told})
    site = SiteInput(DATASET, ratings, {}, None, "0", "0", answers=answers)
    (row,) = rendered(pages, site, urls.NUMBER_ONES).rows("years")
    assert row.texts("Second", "Other candidates") == ("Birch, Bo 20%", "Čedar, Cy 10%")


def test_ridges_are_as_high_as_the_probability_and_in_order_of_time():
    # Four rows would be 34 apart, from 10 down; three years share 692 units from 14 on.
    picture = ridgeline(ANSWERS.rank_probabilities.values(), DATASET)
    assert picture is not None
    assert [one.name for one in picture.ridges] == ["Birch", "Alder", "Alder"]
    birch, offhand, alder = picture.ridges
    assert birch.base == 44.0
    # 0.48 x 30 = 14.4 above the base in 1850, 0.096 x 30 = 2.9 in 1851; 1852 (0.5 %) is not told.
    assert birch.outline == "M14 44V29.6H244.7V41.1H475.3V44Z"
    assert (birch.name_x, birch.is_name_before) == (481.3, False)
    assert offhand.player == OFFHAND
    assert offhand.outline == "M244.7 78V69.0H475.3V78Z"
    assert alder.words == "Alder, Anna: >99% in 1852"
    assert (picture.height, picture.bottom) == (146.0, 112.0)
    assert picture.year_ticks == ()


def test_ridges_break_between_unknown_years_and_are_named_on_the_side_with_room():
    told = [
        RankProbabilities(BIRCH, 1860, 0.5, 1.0, 1, 2),
        RankProbabilities(BIRCH, 1862, 0.02, 1.0, 1, 2),
    ]
    early = [
        RankProbabilities(ALDER, 1850, 0.9, 1.0, 1, 1),
        RankProbabilities(CEDAR, 1850, 0.1, 1.0, 1, 2),
    ]
    picture = ridgeline([*told, *early], DATASET)
    assert picture is not None
    assert [one.name for one in picture.ridges] == ["Alder", "Birch"]  # Čedar: never 25 %
    alder, birch = picture.ridges
    assert (alder.is_name_before, birch.is_name_before) == (False, True)
    assert birch.outline.count("M") == birch.outline.count("Z") == 2
    assert [tick.label for tick in picture.year_ticks] == ["1860"]


def test_nobody_who_may_have_been_first_is_no_picture():
    assert ridgeline([], DATASET) is None


def test_lists_without_answers_say_so():
    assert "No score is as unlikely" in drawn(urls.SUSPECTS).html
    assert "No rating depends on a single event" in drawn(urls.BRIDGES).html
    html = drawn(urls.NUMBER_ONES).html
    assert 'id="picture"' not in html and "Other candidates" not in html
