"""The lists of players, against the made-up world."""

from __future__ import annotations

from dataclasses import replace

import pytest
from view_world import ALDER, BIRCH, DATASET, RATINGS

from edo.views.alphabet import by_letter, letter
from edo.views.lists import (
    lists_view,
    pages,
    peaks_view,
    players_view,
)
from edo.views.number_ones import number_ones_view
from edo.views.site import Link, SiteInput


def test_players_from_a_to_z():
    view = players_view(DATASET, RATINGS)
    assert (view.total, view.rated) == ("5", "4")
    assert [one.letter for one in view.letters] == ["A", "B", "C", "Y"]
    assert view.jumps[2] == Link("C", "players/index.html#c")
    alder, offhand = view.letters[0].players
    assert (alder.life, alder.country, alder.years) == ("1820–1890", "ENG", "1850–1853")
    assert alder.peak == "2163 (95)"
    assert alder.peak_year == Link("1853", "years/1853.html#alder-anna")
    assert offhand.person == Link("Alder, Anna, Ms.", "players/alder-anna.html")
    (yew,) = view.letters[3].players
    assert yew.is_unrated
    assert (yew.peak, yew.peak_year, yew.life, yew.years) == ("", None, "", "1851–1852")


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
    first, second, gap, last = number_ones_view(DATASET, RATINGS).rows
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
    view = number_ones_view(DATASET, replace(RATINGS, years=years))
    assert [(r.player.text, r.years, r.length) for r in view.reigns] == [
        ("Alder, Anna, Ms.", "1850", "1 year"),
        ("Birch, Bo", "1851", "1 year"),
        ("Alder, Anna, Ms.", "1852–1853", "2 years"),
    ]
    assert view.reigns[2].player.target == "players/alder-anna.html#y1852"


def test_a_year_with_one_rated_player_has_no_second():
    alone = {1850: (RATINGS.players[ALDER][0],)}
    (row,) = number_ones_view(DATASET, replace(RATINGS, years=alone)).rows
    assert (row.second, row.second_rating, row.margin) == (None, "–", "–")


def test_the_lists_have_pages_and_a_way_to_each():
    site = SiteInput(DATASET, RATINGS, {}, None, "0", "0")
    assert [page.path for page in pages(site)] == [
        "lists/index.html",
        "players/index.html",
        "lists/peaks.html",
        "lists/number-ones.html",
    ]
    targets = [item.target.target for item in lists_view().lists]
    assert {"players/index.html", "lists/peaks.html", "lists/number-ones.html"} <= set(targets)
