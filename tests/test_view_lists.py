"""The lists of players, against the made-up world."""

from __future__ import annotations

from dataclasses import replace

import html5lib
import pytest
from view_world import ALDER, ANSWERS, BIRCH, CEDAR, DATASET, OFFHAND, RATINGS

from edo.core.model import PartialDate
from edo.rating.inference.answers import Answers, RankProbabilities
from edo.site.input import Link, SiteInput
from edo.site.pages.alphabet import by_letter, letter
from edo.site.pages.index import Index
from edo.site.pages.lists import lists_view, pages, peaks_view, players_view
from edo.site.pages.number_ones import number_ones_view
from edo.site.pages.strips import strips
from edo.site.pages.suspects import bridges_view, suspects_view
from edo.site.render import render


def test_players_from_a_to_z():
    view = players_view(DATASET, RATINGS, Index.of(DATASET, RATINGS))
    assert (view.total, view.rated) == ("5", "4")
    assert view.jumps[2] == Link("C", "players/index.html#c")
    assert [row.anchor for row in view.rows] == ["a", None, "b", "c", "y"]
    alder, offhand, _, _, yew = view.rows
    assert (alder.life, alder.country, alder.years) == ("1820–1890", "England", "1850–1853")
    assert (alder.events, alder.games) == ("5", "13")  # 3 + 2 + 8 rated games; silent-1852 has none
    assert (alder.rating, alder.deviation) == ("2163", "95")
    assert alder.peak_year == Link("1853", "years/1853.html#alder-anna")
    assert offhand.person == Link("Alder, Anna, Ms.", "players/alder-anna.html")
    assert yew.is_unrated
    assert (yew.games, yew.rating, yew.deviation, yew.peak_year) == ("–", "–", "–", None)
    assert (yew.life, yew.years, yew.events) == ("", "1851–1852", "2")


def test_a_life_without_a_birth_does_not_sort_by_the_death():
    players = {**DATASET.players, BIRCH: replace(DATASET.players[BIRCH], died=PartialDate(1877))}
    rows = {
        row.player.text: row
        for row in players_view(
            replace(DATASET, players=players), RATINGS, Index.of(DATASET, RATINGS)
        ).rows
    }
    assert (rows["Birch, Bo"].life, rows["Birch, Bo"].is_birth_known) == ("d. 1877", False)
    assert rows["Alder, Anna, Ms."].is_birth_known


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
    rows = peaks_view(DATASET, RATINGS).rows
    assert [(r.place, r.player.text, r.rating, r.deviation, r.year.text) for r in rows] == [
        ("1", "Alder, Anna, Ms.", "2163", "95", "1853"),
        ("2", "Alder, Anna (offhand), Ms.", "2050", "140", "1851"),
        ("3", "Birch, Bo", "2000", "110", "1850"),  # the first of equal years
        ("4", "Čedar, Cy", "1763", "125", "1853"),
    ]
    assert rows[2].year.target == "years/1850.html#birch-bo"


def test_number_ones_year_by_year():
    first, second, gap, last = number_ones_view(DATASET, RATINGS, Answers()).rows
    assert [row.rated for row in (first, second, gap, last)] == [
        str(len(RATINGS.years[year])) for year in sorted(RATINGS.years)
    ]
    assert (first.year, first.first.text) == (Link("1850", "years/1850.html"), "Alder, Anna, Ms.")
    assert (first.rating, first.deviation, first.second_rating) == ("2000", "100", "2000 (110)")
    assert first.margin == "0"
    assert (second.second, second.margin) == (
        Link("Alder, Anna (offhand), Ms.", "players/alder-anna-offhand.html#y1851"),
        "50",
    )
    assert [row.is_gap for row in (first, second, gap, last)] == [False, False, True, False]
    assert [row.is_new for row in (first, second, gap, last)] == [True, False, False, False]


def test_reigns_are_runs_of_years():
    birch = replace(RATINGS.players[BIRCH][1], rating=2200.0, rank=1)
    years = {**RATINGS.years, 1851: (birch, *RATINGS.years[1851])}
    view = number_ones_view(DATASET, replace(RATINGS, years=years), Answers())
    assert [(r.player.text, r.years, r.length) for r in view.reigns] == [
        ("Alder, Anna, Ms.", "1850", "1 year"),
        ("Birch, Bo", "1851", "1 year"),
        ("Alder, Anna, Ms.", "1852–1853", "2 years"),
    ]
    assert view.reigns[2].player.target == "players/alder-anna.html#y1852"


def test_a_year_with_one_rated_player_has_no_second():
    alone = {1850: (RATINGS.players[ALDER][0],)}
    (row,) = number_ones_view(DATASET, replace(RATINGS, years=alone), Answers()).rows
    assert (row.second, row.second_rating, row.margin) == (None, "–", "–")


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
    targets = {item.target.target for item in lists_view().lists}
    assert {page.path for page in pages(site)} - {"lists/index.html"} <= targets


def test_number_ones_have_a_probability_and_others_who_may_have_been():
    first, second, gap, last = number_ones_view(DATASET, RATINGS, ANSWERS).rows
    assert [row.chance for row in (first, second, gap, last)] == ["52%", "60%", ">99%", ""]
    assert [(one.player, one.chance) for one in second.others] == [
        (Link("Alder, Anna (offhand), Ms.", "players/alder-anna-offhand.html#y1851"), "30%"),
        (Link("Birch, Bo", "players/birch-bo.html#y1851"), "10%"),
    ]
    assert gap.others == ()  # Birch has 0.5 %, less than the 5 % from which others are named


def test_strips_are_as_high_as_the_probability_and_in_order_of_time():
    # Four rows would be 34 apart, from 10 down; three years share 692 units from 14 on.
    picture = strips(ANSWERS.chances.values(), DATASET)
    assert picture is not None
    assert [one.player.text for one in picture.strips] == ["Birch", "Alder", "Alder"]
    birch, offhand, alder = picture.strips
    assert birch.base == 44.0
    # 0.48 x 30 = 14.4 above the base in 1850, 0.096 x 30 = 2.9 in 1851; 1852 (0.5 %) is not told.
    assert birch.outline == "M14 44V29.6H244.7V41.1H475.3V44Z"
    assert (birch.name_x, birch.is_name_before) == (481.3, False)
    assert offhand.player.target == "players/alder-anna-offhand.html"
    assert offhand.outline == "M244.7 78V69.0H475.3V78Z"
    assert alder.words == "Alder, Anna, Ms.: >99% in 1852"
    assert (picture.height, picture.bottom) == (146.0, 112.0)
    assert picture.year_ticks == ()


def test_strips_break_between_years_that_are_not_told_and_are_named_on_the_side_with_room():
    told = [
        RankProbabilities(BIRCH, 1860, 0.5, 1.0, 1, 2),
        RankProbabilities(BIRCH, 1862, 0.02, 1.0, 1, 2),
    ]
    early = [
        RankProbabilities(ALDER, 1850, 0.9, 1.0, 1, 1),
        RankProbabilities(CEDAR, 1850, 0.1, 1.0, 1, 2),
    ]
    picture = strips([*told, *early], DATASET)
    assert picture is not None
    assert [one.player.text for one in picture.strips] == ["Alder", "Birch"]  # Čedar: never 25 %
    alder, birch = picture.strips
    assert (alder.is_name_before, birch.is_name_before) == (False, True)
    assert birch.outline.count("M") == birch.outline.count("Z") == 2
    assert [tick.label for tick in picture.year_ticks] == ["1860"]


def test_nobody_who_may_have_been_first_is_no_picture():
    assert strips([], DATASET) is None


def test_suspects_the_most_surprising_first():
    rows = suspects_view(DATASET, RATINGS, ANSWERS).rows
    assert [
        (r.event.text, r.year, r.score, r.expected, r.deviation, r.surprise, r.causes) for r in rows
    ] == [
        ("Oakham 1851", "1851", "0/3", "2.50", "0.80", "−3.1", "wrong score, odds not stated"),
        ("Alder birch 1850", "1850", "1½/3", "0.46", "0.70", "+1.5", "namesake"),
    ]
    assert rows[0].player.target == "players/yew-una.html"  # unrated: no line of 1851 to lead to
    assert rows[1].player.target == "players/alder-anna.html#y1850"


def test_bridges_the_largest_group_first():
    view = bridges_view(DATASET, ANSWERS)
    (group,), (single,) = view.groups, view.single
    assert (group.anchor, group.year, group.number) == ("alder-birch-1850", "1850", "2")
    assert [link.text for link in group.players] == ["Alder, Anna, Ms.", "Čedar, Cy"]
    assert single.event == Link("Offhand 1851", "events/offhand-1851.html")
    assert [link.target for link in single.players] == [f"players/{OFFHAND}.html"]


@pytest.mark.parametrize("answers", [Answers(), ANSWERS], ids=["none", "some"])
def test_the_lists_are_valid_with_and_without_answers(answers: Answers):
    site = SiteInput(DATASET, RATINGS, {}, None, "0", "0", answers)
    drawn = {path: html.decode() for path, html in render(list(pages(site)), site)}
    for html in drawn.values():
        html5lib.HTMLParser(strict=True).parse(html)
    has_some = answers is ANSWERS
    assert ("Surprise is no proof" in drawn["lists/suspects.html"]) is True
    assert ("No score is as surprising" in drawn["lists/suspects.html"]) is not has_some
    assert ("No rating hangs on a single event" in drawn["lists/bridges.html"]) is not has_some
    assert ('id="picture"' in drawn["lists/number-ones.html"]) is has_some
    assert ("Others who may have been first" in drawn["lists/number-ones.html"]) is has_some
