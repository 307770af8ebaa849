"""The pages of years, against the made-up world."""

from __future__ import annotations

import re
from dataclasses import replace

from rendered import Rendered, Row, rendered
from sample_history import ALDER, ANSWERS, BIRCH, DATASET, OFFHAND, RATINGS, YEW

from edo.core import urls
from edo.core.model import Dataset
from edo.rating.inference.answers import Superiority
from edo.site.input import SiteInput
from edo.site.pages.lookups import Index
from edo.site.pages.year import pages

SITE = SiteInput(DATASET, RATINGS, {}, None, "0", "0")
ANSWERED = replace(SITE, answers=ANSWERS)


def drawn(year: int, site: SiteInput = SITE) -> Rendered:
    return rendered(pages, site, urls.year(year))


def ranking(year: int, site: SiteInput = SITE) -> list[Row]:
    return drawn(year, site).rows("ranking")


def test_the_ranking_of_a_year():
    rows = ranking(1851)
    heads = ("Rank", "Player", "Rating", "Dev.", "Change", "Score")
    assert [row.texts(*heads) for row in rows] == [
        ("1", "Alder, Anna", "2100", "80", "+100", "1½/2"),
        ("2", "Alder, Anna (offhand) new", "2050", "140", "", "1/2"),
        ("3", "Birch, Bo", "2000", "90", "0", "1/3"),
        ("4", "Čedar, Cy new", "1700", "120", "", "½/1"),
    ]
    assert [row.marks("Player") for row in rows] == [[], [("new", "new")], [], [("new", "new")]]
    assert rows[0].id == ALDER
    assert rows[0].links("Player")[0][1] == "../players/alder-anna.html#y1851"
    assert (rows[0]["Country"], rows[3]["Country"]) == ("England", "")


def test_years_without_results_are_marked():
    page, rows = drawn(1852), ranking(1852)
    assert all("gap" in row.classes for row in rows)
    assert "In italics: no results in this year" in page.html
    assert (
        "3 players rated, 0 of them with results in 1852, 3 with enough evidence for a rank."
        in page.html
    )
    assert rows[0]["Score"] == "–"
    assert "In italics" not in drawn(1853).html


def test_a_change_is_the_difference_of_the_shown_ratings():
    # 2131.5 is shown as 2132, 2163.0 as 2163: the reader finds 31, not 31.5 rounded up to 32.
    assert ranking(1853)[0]["Change"] == "+31"


def test_newcomers_and_those_who_play_for_the_last_time():
    page = drawn(1851).html
    newcomers, last = (
        page.partition(head)[2].partition("</ul>")[0]
        for head in (">Newcomers</h2>", ">Last rated in 1851</h2>")
    )
    offhand = '<a href="../players/alder-anna-offhand.html#y1851">Alder, Anna (offhand)</a>'
    cedar = '<a href="../players/cedar-cy.html#y1851">Čedar, Cy</a>'
    assert newcomers.count("<li>") == 2
    assert newcomers.index(offhand) < newcomers.index(cedar)
    assert last.count("<li>") == 1 and offhand in last
    # the last year of all says nothing of anybody's end
    assert "Last rated in" not in drawn(1853).html


def test_the_events_of_a_year():
    oakham, offhand = drawn(1851).rows("events")
    assert oakham.links("Event") == [("Oakham 1851", "../events/oakham-1851.html")]
    assert oakham.links("Place") == [("Oakham", "../places/oakham.html")]
    assert oakham.texts("When", "Kind", "Players") == ("May – June 1851", "tournament", "4")
    assert oakham["Winner"] == "Alder, Anna 2½"
    assert offhand["Place"] == ""
    (silent,) = drawn(1852).rows("events")
    assert silent.marks("Event") == [("unrated", "unrated")]
    assert silent["Winner"] == ""
    assert drawn(1853).rows("events")[0].marks("Event") == [("unverified", "unverified")]


def test_years_lead_to_their_neighbours():
    assert drawn(1850).pager() == {"next": "1851.html"}
    assert drawn(1853).pager() == {"prev": "1852.html"}
    assert [page.path for page in pages(SITE)] == [
        "years/index.html",
        *(f"years/{year}.html" for year in (1850, 1851, 1852, 1853)),
    ]


def test_a_year_with_events_but_nobody_rated_has_a_page():
    early = replace(DATASET.events["silent-1852"], id="early-1840", year=1840, players=(ALDER, YEW))
    dataset = replace(DATASET, events={early.id: early, **DATASET.events})
    page = drawn(1840, replace(SITE, dataset=dataset))
    assert "No player can be rated in 1840." in page.html and not page.has("ranking")
    assert [row["Event"] for row in page.rows("events")] == ["Silent 1852 unrated"]


def test_the_list_of_all_years():
    page = rendered(pages, SITE, urls.YEARS)
    assert '<li><a href="#y1850">1850s</a></li>' in page.html
    rows = page.rows("all")
    heads = ("Year", "Rated", "Active", "Rating", "Dev.", "Events")
    assert [row.texts(*heads) for row in rows[:3]] == [
        ("1850", "2", "2", "2000", "100", "1"),
        ("1851", "4", "4", "2100", "80", "2"),
        ("1852", "3", "0", "2132", "90", "1"),
    ]
    assert rows[0].id == "y1850"
    assert rows[0].links("Number one") == [("Alder, Anna", "../players/alder-anna.html#y1850")]
    gaps = [row.cells["Number one"].get("class") == "gap" for row in rows[:3]]
    assert gaps == [False, False, True]
    assert {row["Top ten"] for row in rows} == {"–"}  # less than ten are rated


def test_the_mean_of_the_first_ten_leaves_out_the_eleventh():
    alder, birch = RATINGS.players[ALDER][0], RATINGS.players[BIRCH][0]
    rated = (alder, *(replace(birch, rating=1900.0, rank=n) for n in range(2, 11)))
    crowd = replace(RATINGS, years={1850: (*rated, replace(birch, rating=100.0, rank=11))})
    row = rendered(pages, replace(SITE, ratings=crowd), urls.YEARS).rows("all")[0]
    assert row["Top ten"] == "1910"  # (2000.4 + 9 x 1900) / 10


def test_ranges_and_chances_stand_beside_the_ranks():
    rows = ranking(1851, ANSWERED)
    assert [row.texts("Rank", "Range", "First") for row in rows] == [
        ("1", "1–2", "60%"),
        ("2", "1–3", "30%"),
        ("3", "2–3", "10%"),
        ("4", "4", ""),
    ]
    assert "Top ten" not in rows[0].cells  # there are but four of them
    assert "Range" not in ranking(1853, ANSWERED)[0].cells
    assert "Range" not in ranking(1851)[0].cells


def test_the_first_ten_are_told_where_there_are_more():
    birch = RATINGS.players[BIRCH][0]
    crowd = tuple(replace(birch, rank=n) for n in range(1, 12))
    site = replace(ANSWERED, ratings=replace(RATINGS, years={1850: crowd}))
    assert {row["Top ten"] for row in ranking(1850, site)} == {">99%"}


def test_who_was_the_stronger_of_the_leading_players():
    html = drawn(1851, ANSWERED).html.partition('<table class="crosstable superiority">')[2]
    rows = [line for line in html.splitlines() if line.startswith("<tr><td")]
    assert [re.findall(r'href="([^"]+)"', row)[0] for row in rows] == [
        f"../players/{player}.html#y1851" for player in (ALDER, OFFHAND, BIRCH)
    ]
    cells = [re.findall(r'<td class="(self|cell[^"]*)">([^<]*)</td>', row) for row in rows]
    assert cells == [
        [("self", ""), ("cell", "62%"), ("cell sure", "95%")],  # shown as 95 %, so marked as 95 %
        [("cell", "38%"), ("self", ""), ("cell likely", "75%")],
        [("cell", "5%"), ("cell", "25%"), ("self", "")],
    ]
    assert not drawn(1850, ANSWERED).has("superiority")


def test_one_leading_player_has_nobody_to_be_compared_with():
    alone = replace(ANSWERS, superiority={1851: Superiority(1851, (ALDER,), ((0.5,),))})
    assert not drawn(1851, replace(SITE, answers=alone)).has("superiority")


def test_the_table_of_superiority_has_heads_that_can_be_read_out():
    html = drawn(1851, ANSWERED).html
    assert '<abbr title="Birch, Bo">3</abbr></th>' in html
    assert '<td class="cell sure">95%</td>' in html
    assert 'id="superiority"' not in drawn(1851).html
    assert ">Range<" not in drawn(1851).html


def test_a_year_lists_events_of_which_results_count_for_it() -> None:
    event = next(e for e in DATASET.events.values() if e.results)
    split = replace(event, results=tuple(replace(r, year=event.year - 1) for r in event.results))
    dataset = Dataset(
        {split.id: split}, DATASET.players, DATASET.places, DATASET.sources, DATASET.odds
    )
    index = Index.of(dataset, RATINGS)
    assert index.events_counting_in == {event.year - 1: (split,), event.year: (split,)}
    assert index.events_of_year == {event.year: (split,)}
