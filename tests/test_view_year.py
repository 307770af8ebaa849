"""The pages of years, against the made-up world."""

from __future__ import annotations

from dataclasses import replace

import html5lib
from view_world import ALDER, ANSWERS, BIRCH, DATASET, RATINGS, YEW

from edo.core.model import Dataset
from edo.rating.inference.answers import Superiority
from edo.site.input import Link, SiteInput
from edo.site.pages.index import Index
from edo.site.pages.superiority import superiority_table
from edo.site.pages.year import YearView, pages, year_view, years_view
from edo.site.render import render

INDEX = Index.of(DATASET, RATINGS)
SITE = SiteInput(DATASET, RATINGS, {}, None, "0", "0")


def view_of(year: int) -> YearView:
    view = {page.title: page.view() for page in pages(SITE)}[str(year)]
    assert isinstance(view, YearView)
    return view


def test_the_ranking_of_a_year():
    rows = view_of(1851).ranking
    assert [(r.rank, r.player.text, r.rating, r.deviation, r.change, r.score) for r in rows] == [
        ("1", "Alder, Anna, Ms.", "2100", "80", "+100", "1½/2"),
        ("2", "Alder, Anna (offhand), Ms.", "2050", "140", "", "1/2"),
        ("3", "Birch, Bo", "2000", "90", "0", "1/3"),
        ("4", "Čedar, Cy", "1700", "120", "", "½/1"),
    ]
    assert [row.is_new for row in rows] == [False, True, False, True]
    assert rows[0].anchor == ALDER
    assert rows[0].player.target == "players/alder-anna.html#y1851"
    assert (rows[0].country, rows[3].country) == ("England", "")


def test_years_without_results_are_marked():
    view = view_of(1852)
    assert all(row.is_gap for row in view.ranking)
    assert view.has_gaps
    assert (view.rated, view.with_results) == ("3 players", "0")
    assert view.ranking[0].score == "–"
    assert not view_of(1853).has_gaps


def test_a_change_is_the_difference_of_the_shown_ratings():
    # 2131.5 is shown as 2132, 2163.0 as 2163: the reader finds 31, not 31.5 rounded up to 32.
    assert view_of(1853).ranking[0].change == "+31"


def test_newcomers_and_those_who_play_for_the_last_time():
    view = view_of(1851)
    assert [link.text for link in view.newcomers] == ["Alder, Anna (offhand), Ms.", "Čedar, Cy"]
    assert [link.text for link in view.last] == ["Alder, Anna (offhand), Ms."]
    assert view_of(1853).last == ()  # the last year of all says nothing of anybody's end


def test_the_events_of_a_year():
    oakham, offhand = view_of(1851).events
    assert oakham.event == Link("Oakham 1851", "events/oakham-1851.html")
    assert oakham.place == Link("Oakham", "places/oakham.html")
    assert (oakham.when, oakham.kind, oakham.players) == ("May – June 1851", "tournament", "4")
    assert oakham.winner is not None
    assert [link.text for link in oakham.winner.players] == ["Alder, Anna, Ms."]
    assert oakham.winner.words == "2½"
    assert offhand.place is None
    (silent,) = view_of(1852).events
    assert silent.marks == ("unrated",)
    assert silent.winner is None
    assert view_of(1853).events[0].marks == ("unverified",)


def test_years_lead_to_their_neighbours():
    assert (view_of(1850).before, view_of(1850).after) == (None, Link("1851", "years/1851.html"))
    assert view_of(1853).after is None
    assert [page.path for page in pages(SITE)] == [
        "years/index.html",
        *(f"years/{year}.html" for year in (1850, 1851, 1852, 1853)),
    ]


def test_a_year_with_events_but_nobody_rated_has_a_page():
    early = replace(DATASET.events["silent-1852"], id="early-1840", year=1840, players=(ALDER, YEW))
    dataset = replace(DATASET, events={early.id: early, **DATASET.events})
    site = replace(SITE, dataset=dataset)
    view = year_view(1840, (None, 1850), site, Index.of(dataset, RATINGS))
    assert (view.rated, view.ranking) == ("0 players", ())
    assert [row.event.text for row in view.events] == ["Silent 1852"]


def test_the_list_of_all_years():
    view = years_view([1850, 1851, 1852], DATASET, RATINGS, INDEX)
    assert view.decades == (Link("1850s", "years/index.html#y1850"),)
    rows = [
        (r.year.text, r.rated, r.with_results, r.rating, r.deviation, r.events) for r in view.rows
    ]
    assert rows == [
        ("1850", "2", "2", "2000", "100", "1"),
        ("1851", "4", "4", "2100", "80", "2"),
        ("1852", "3", "0", "2132", "90", "1"),
    ]
    assert view.rows[0].first == Link("Alder, Anna, Ms.", "players/alder-anna.html#y1850")
    assert [row.is_gap for row in view.rows] == [False, False, True]
    assert {row.top_mean for row in view.rows} == {"–"}  # less than ten are rated


def test_the_mean_of_the_first_ten_leaves_out_the_eleventh():
    alder, birch = RATINGS.players[ALDER][0], RATINGS.players[BIRCH][0]
    rated = (alder, *(replace(birch, rating=1900.0, rank=n) for n in range(2, 11)))
    crowd = replace(RATINGS, years={1850: (*rated, replace(birch, rating=100.0, rank=11))})
    (row,) = years_view([1850], DATASET, crowd, INDEX).rows
    assert row.top_mean == "1910"  # (2000.4 + 9 x 1900) / 10


ANSWERED = replace(SITE, answers=ANSWERS)


def test_ranges_and_chances_stand_beside_the_ranks():
    view = year_view(1851, (None, None), ANSWERED, INDEX)
    assert [(row.rank, row.range, row.first, row.top_ten) for row in view.ranking] == [
        ("1", "1–2", "60%", ">99%"),
        ("2", "1–3", "30%", ">99%"),
        ("3", "2–3", "10%", ">99%"),
        ("4", "4", "", ">99%"),
    ]
    assert view.has_chances
    assert not view.has_top_ten  # there are but four of them
    assert not year_view(1853, (None, None), ANSWERED, INDEX).has_chances
    assert not view_of(1851).has_chances


def test_the_first_ten_are_told_where_there_are_more():
    birch = RATINGS.players[BIRCH][0]
    crowd = tuple(replace(birch, rank=n) for n in range(1, 12))
    site = replace(ANSWERED, ratings=replace(RATINGS, years={1850: crowd}))
    assert year_view(1850, (None, None), site, INDEX).has_top_ten


def test_who_was_the_stronger_of_the_leading_players():
    table = year_view(1851, (None, None), ANSWERED, INDEX).superiority
    assert table is not None
    assert [(row.number, row.player.target) for row in table.rows] == [
        ("1", "players/alder-anna.html#y1851"),
        ("2", "players/alder-anna-offhand.html#y1851"),
        ("3", "players/birch-bo.html#y1851"),
    ]
    assert [[(cell.text, cell.tint) for cell in row.cells] for row in table.rows] == [
        [(None, None), ("62%", None), ("95%", "sure")],  # shown as 95 %, so marked as 95 %
        [("38%", None), (None, None), ("75%", "likely")],
        [("5%", None), ("25%", None), (None, None)],
    ]
    assert year_view(1850, (None, None), ANSWERED, INDEX).superiority is None


def test_one_leading_player_has_nobody_to_be_compared_with():
    alone = Superiority(1851, (ALDER,), ((0.5,),))
    assert superiority_table(alone, DATASET) is None


def drawn(site: SiteInput) -> str:
    found = [page for page in pages(site) if page.title == "1851"]
    ((_, html),) = render(found, site)
    return html.decode()


def test_the_table_of_superiority_has_heads_that_can_be_read_out():
    html = drawn(ANSWERED)
    html5lib.HTMLParser(strict=True).parse(html)
    assert '<abbr title="Birch, Bo">3</abbr></th>' in html
    assert '<td class="cell sure">95%</td>' in html
    assert 'id="superiority"' not in drawn(SITE)
    assert ">Range<" not in drawn(SITE)


def test_a_year_lists_events_of_which_results_count_for_it() -> None:
    event = next(e for e in DATASET.events.values() if e.results)
    split = replace(event, results=tuple(replace(r, year=event.year - 1) for r in event.results))
    dataset = Dataset(
        {split.id: split}, DATASET.players, DATASET.places, DATASET.sources, DATASET.odds
    )
    index = Index.of(dataset, RATINGS)
    assert index.events_counting_in == {event.year - 1: (split,), event.year: (split,)}
    assert index.events_of_year == {event.year: (split,)}
