"""The lists of players, against the made-up world."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rendered import Rendered, rendered, rendered_pages
from sample_history import ALDER, ANSWERS, BIRCH, CEDAR, DATASET, OFFHAND, RATINGS

from edo.core import urls
from edo.core.model import Dataset, PartialDate
from edo.rating.edo import Ratings
from edo.rating.inference.answers import Answers, RankProbabilities
from edo.site.charts.ridgeline import ridgeline
from edo.site.input import SiteInput
from edo.site.pages.lists import by_letter, letter, pages


def drawn(
    path: str,
    answers: Answers | None = None,
    dataset: Dataset = DATASET,
    ratings: Ratings = RATINGS,
) -> Rendered:
    site = SiteInput(dataset, ratings, {}, None, "0", "0", answers or Answers())
    return rendered(pages, site, path)


def test_players_from_a_to_z():
    page = drawn(urls.PLAYERS)
    assert "5 players, 4 of them rated." in page.html
    assert '<li><a href="#c">C</a></li>' in page.html
    rows = page.rows("all")
    assert [row.id for row in rows] == ["a", None, "b", "c", "y"]
    alder, offhand, _, _, yew = rows
    assert alder.texts("Life", "Country", "Active") == ("1820–1890", "England", "1850–1853")
    # 3 + 2 + 8 rated games; silent-1852 has none
    assert alder.texts("Events", "Games") == ("5", "13")
    assert alder.texts("Peak", "Dev.") == ("2163", "95")
    assert alder.links("In") == [("1853", "../years/1853.html#alder-anna")]
    assert offhand.links("Player")[1] == ("Alder, Anna", "alder-anna.html")
    assert "apart" in yew.classes and yew["Player"] == "Yew, Una unrated"
    assert yew.texts("Games", "Peak", "Dev.", "In") == ("–", "–", "–", "")
    assert yew.texts("Life", "Active", "Events") == ("", "1851–1852", "2")


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
    assert rows[2].links("Year") == [("1850", "../years/1850.html#birch-bo")]


def test_number_ones_year_by_year():
    page = drawn(urls.NUMBER_ONES)
    assert page.heads("years").count("Rating") == 2  # that of the second stands in the later one
    rows = page.rows("years")
    first, second, *_ = rows
    assert [row["Ranked"] for row in rows] == [
        str(len(RATINGS.years[year])) for year in sorted(RATINGS.years)
    ]
    assert first.links("Year") == [("1850", "../years/1850.html")]
    assert first["Number one"] == "Alder, Anna"
    assert '<td class="num">2000</td><td class="num">100</td>' in page.html
    assert first.texts("Dev.", "Rating") == ("100", "2000 (110)")
    assert first["Margin"] == "0"
    assert second.links("Second") == [
        ("Alder, Anna (offhand)", "../players/alder-anna-offhand.html#y1851")
    ]
    assert second["Margin"] == "50"
    gaps = [row.cells["Number one"].get("class") == "gap" for row in rows]
    assert gaps == [False, False, True, False]
    assert ["new-reign" in row.classes for row in rows] == [True, False, False, False]


def test_reigns_are_runs_of_years():
    birch = replace(RATINGS.players[BIRCH][1], rating=2200.0, rank=1)
    years = {**RATINGS.years, 1851: (birch, *RATINGS.years[1851])}
    reigns = drawn(urls.NUMBER_ONES, ratings=replace(RATINGS, years=years)).rows("reigns")
    assert [row.texts("Number one", "Years", "Length") for row in reigns] == [
        ("Alder, Anna", "1850", "1 year"),
        ("Birch, Bo", "1851", "1 year"),
        ("Alder, Anna", "1852–1853", "2 years"),
    ]
    assert reigns[2].links("Number one")[0][1] == "../players/alder-anna.html#y1852"


def test_a_year_with_one_rated_player_has_no_second():
    alone = {1850: (RATINGS.players[ALDER][0],)}
    (row,) = drawn(urls.NUMBER_ONES, ratings=replace(RATINGS, years=alone)).rows("years")
    assert row.texts("Second", "Rating", "Margin") == ("", "–", "–")


def test_the_lists_have_pages_and_a_way_to_each():
    site = SiteInput(DATASET, RATINGS, {}, None, "0", "0")
    assert [page.path for page in pages(site)] == [
        "lists/index.html",
        "players/index.html",
        "lists/peaks.html",
        "lists/number-ones.html",
        "lists/bridges.html",
        "lists/suspects.html",
    ]
    html = drawn(urls.LISTS).html
    for page in list(pages(site))[1:]:
        assert f'<h2><a href="{urls.relative(urls.LISTS, page.path)}">' in html


def test_number_ones_have_a_probability_and_others_who_may_have_been():
    first, second, gap, last = drawn(urls.NUMBER_ONES, ANSWERS).rows("years")
    assert [row["First"] for row in (first, second, gap, last)] == ["52%", "60%", ">99%", ""]
    others = "Other candidates"
    assert second[others] == "Alder, Anna (offhand) 30%; Birch, Bo 10%"
    assert [target for _, target in second.links(others)] == [
        "../players/alder-anna-offhand.html#y1851",
        "../players/birch-bo.html#y1851",
    ]
    assert gap[others] == ""  # Birch has 0.5 %, less than the 5 % from which others are named


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


def test_suspects_the_most_surprising_first():
    rows = drawn(urls.SUSPECTS, ANSWERS).rows("all")
    heads = ("Event", "Year", "Score", "Expected", "Dev.", "Surprise", "Possible causes")
    assert [row.texts(*heads) for row in rows] == [
        ("Oakham 1851", "1851", "0/3", "2.50", "0.80", "−3.1", "wrong score, odds not stated"),
        ("Alder birch 1850", "1850", "1½/3", "0.46", "0.70", "+1.5", "namesake"),
    ]
    # unrated: no line of 1851 to lead to
    assert rows[0].links("Player")[0][1] == "../players/yew-una.html"
    assert rows[1].links("Player")[0][1] == "../players/alder-anna.html#y1850"


def test_bridges_the_largest_group_first():
    page = drawn(urls.BRIDGES, ANSWERS)
    (group,), (single,) = page.rows("groups"), page.rows("single")
    assert (group.id, *group.texts("Year", "Players")) == ("alder-birch-1850", "1850", "2")
    assert group["Rated through it"] == "Alder, Anna; Čedar, Cy"
    assert single.links("Event") == [("Offhand 1851", "../events/offhand-1851.html")]
    assert [target for _, target in single.links("Rated through it")] == [
        f"../players/{OFFHAND}.html"
    ]


@pytest.mark.parametrize("answers", [Answers(), ANSWERS], ids=["none", "some"])
def test_the_lists_are_valid_with_and_without_answers(answers: Answers):
    site = SiteInput(DATASET, RATINGS, {}, None, "0", "0", answers)
    listed = list(pages(site))
    html = {
        page.path: one.html for page, one in zip(listed, rendered_pages(listed, site), strict=True)
    }
    has_some = answers is ANSWERS
    assert ("An unlikely result is not necessarily wrong" in html["lists/suspects.html"]) is True
    assert ("No score is as unlikely" in html["lists/suspects.html"]) is not has_some
    assert ("No rating depends on a single event" in html["lists/bridges.html"]) is not has_some
    assert ('id="picture"' in html["lists/number-ones.html"]) is has_some
    assert ("Other candidates" in html["lists/number-ones.html"]) is has_some
