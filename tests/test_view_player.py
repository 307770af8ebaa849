"""The player's page, against numbers worked out by hand from the made-up world."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any

import pytest
from rendered import Rendered, Row, rendered
from sample_history import (
    ALDER,
    ANSWERS,
    BIRCH,
    CEDAR,
    DATASET,
    OFFHAND,
    RATINGS,
    YEW,
    event,
    games,
)

from edo.core import formats, urls
from edo.core.model import Dataset, DateSpan, Event, PartialDate, Result, Total
from edo.rating.edo import Ratings
from edo.rating.games import games_of, pairings
from edo.rating.inference.answers import Answers, Influence
from edo.site.input import Link, SiteInput
from edo.site.pages.crosstable import encounters, shown_marks
from edo.site.pages.lookups import Index, Lookups
from edo.site.pages.player import pages, player_view
from edo.site.pages.player_results import EventRow, RecordRow

MATERIAL = Lookups.of(DATASET, RATINGS)


def view_of(player: str) -> Any:
    return player_view(DATASET.players[player], MATERIAL)


def events_of(player: str) -> dict[str, EventRow]:
    return {row.event.text: row for row in view_of(player)["events"]}


def record_of(player: str) -> dict[str, RecordRow]:
    return {row.opponent.text: row for row in view_of(player)["record"]}


def drawn(
    player: str,
    answers: Answers | None = None,
    dataset: Dataset = DATASET,
    ratings: Ratings = RATINGS,
) -> Rendered:
    site = SiteInput(dataset, ratings, {}, None, "0", "0", answers or Answers())
    return rendered(pages, site, urls.player(player))


def years_of(player: str, answers: Answers | None = None) -> list[Row]:
    return drawn(player, answers).rows("curve-table")


def cells_of(player: str) -> dict[str, Row]:
    """Return the rows of the table of events as they are shown, by the names of the events."""
    return {row.links("Event")[0][0]: row for row in drawn(player).rows("events-table")}


def test_who_the_player_is():
    page = drawn(ALDER)
    assert '<span class="dates">1820–1890</span></h1>' in page.html
    facts = page.facts()
    assert (facts["Born"], facts["Died"]) == ("4 March 1820", "1890")
    assert (facts["Country"], facts["Also written"]) == ("England", "Adler, A.")
    assert '<div class="notes"><p>Of <em>wood</em>.</p></div>' in page.html
    assert "<strong>Not rated." not in page.html


def test_the_peak_is_in_a_year_with_results():
    page = drawn(ALDER)
    assert page.facts()["Peak"] == "2163 (standard error 95) in 1853, rank 1 of 3"
    assert 'in <a href="../years/1853.html#alder-anna">1853</a>, rank' in page.html
    lowered = {**RATINGS.players}
    first, second, gap, last = lowered[ALDER]
    lowered[ALDER] = (first, second, gap, replace(last, rating=2050.0))
    lower = drawn(ALDER, ratings=replace(RATINGS, players=lowered))
    # 2131.5 in 1852 is no year with results
    assert lower.facts()["Peak"].startswith("2100 (standard error 80) in 1851")


def test_year_by_year():
    rows = years_of(ALDER)
    assert [(row.id, *row.texts("Rating", "Dev.", "Rank", "Score")) for row in rows] == [
        ("y1850", "2000", "100", "1 of 2", "1½/3"),
        ("y1851", "2100", "80", "1 of 4", "1½/2"),
        ("y1852", "2132", "90", "1 of 3", "–"),
        ("y1853", "2163", "95", "1 of 3", "4½/8"),
    ]
    assert ["gap" in row.classes for row in rows] == [False, False, True, False]
    assert rows[0].texts("Raw", "Raw dev.") == ("2050", "110")
    assert [text for text, _ in rows[3].links("Events")] == ["Alder birch 1853", "Totals 1853"]
    assert "mark years without results" in drawn(ALDER).html


def test_the_curve_speaks_of_its_dots():
    page = drawn(ALDER)
    assert re.findall(r'<a href="(#y\d+)"><title>([^<]*)</title>', page.html) == [
        ("#y1850", "1850: 2000 (100), rank 1 of 2"),
        ("#y1851", "1851: 2100 (80), rank 1 of 4"),
        ("#y1853", "1853: 2163 (95), rank 1 of 3"),
    ]
    rated = view_of(ALDER)["rated"]
    assert rated is not None
    assert [dot.year for dot in rated.curve.dots] == [1850, 1851, 1853]
    assert rated.description == (
        "From 2000 in 1850 to 2163 in 1853; the highest 2163 (95) in 1853. "
        "Years with results: 3 of 4."
    )


def test_events_stand_in_order_of_time():
    assert list(events_of(ALDER)) == [
        "Alder birch 1850",
        "Oakham 1851",
        "Silent 1852",
        "Alder birch 1853",
        "Totals 1853",
    ]


def test_expected_score_and_performance_of_a_match():
    # Equal ratings (2000.4 and 2000): 3 games x 0.5, too few for a performance.
    row, cells = events_of(ALDER)["Alder birch 1850"], cells_of(ALDER)["Alder birch 1850"]
    assert cells.texts("Rating", "Score") == ("2000 (100)", "1½/3")
    assert cells.texts("Expected", "Perf.") == ("1.50", "–")
    (opponent,) = row.opponents
    assert opponent.opponent == Link("Birch", "players/birch-bo.html")
    assert (row.rival, opponent.result) == ("2000 (110)", "1½/3 (1 ½ 0)")
    assert '<tbody id="e1850">' in drawn(ALDER).html


def test_games_of_unrated_opponents_count_in_the_score_only():
    # Rated: 1½ of 2 against 2000 and 1700, expected 0.6401 + 0.9091 = 1.5492.
    row, cells = events_of(ALDER)["Oakham 1851"], cells_of(ALDER)["Oakham 1851"]
    assert cells.texts("Score", "Expected") == ("2½/3 rated 1½/2", "1.55")
    assert cells["When"] == "May – June 1851"
    assert [(o.opponent.text, o.result) for o in row.opponents] == [
        ("Birch", "1"),
        ("Čedar", "½"),
        ("Yew", "1"),
    ]
    assert row.rival is None
    unrated = row.opponents[2]
    assert RATINGS.of(unrated.player, unrated.year) is None and not unrated.is_apart


def test_a_full_score_has_no_performance():
    assert cells_of(CEDAR)["Oakham 1851"]["Score"] == "1½/3 rated ½/1"
    won = replace(DATASET.events["alder-birch-1850"], results=(games(ALDER, BIRCH, "11"),))
    full = drawn(
        ALDER,
        dataset=replace(DATASET, events={**DATASET.events, won.id: won}),
        ratings=replace(
            RATINGS,
            pairings=tuple(
                replace(p, score=p.games) if p.event == won.id else p for p in RATINGS.pairings
            ),
        ),
    )
    assert full.rows("events-table")[0].texts("Score", "Perf.") == ("2/2 rated 3/3", "–")


def test_games_by_default_stand_apart_with_the_reason():
    row = events_of(BIRCH)["Oakham 1851"]
    default = next(o for o in row.opponents if o.opponent.text == "Čedar")
    assert default.is_apart
    assert default.result == "+"
    assert list(default.remarks) == [("default", "Cedar fell ill.")]
    mirrored = next(
        o for o in events_of(CEDAR)["Oakham 1851"].opponents if o.opponent.text == "Birch"
    )
    assert mirrored.result == "−"
    assert row.marks == (("default", "default"),)


def test_odds_and_soft_results_are_marked_on_the_spot():
    # At pawn and move 2163 plays like 2000: half of the 4 games is expected.
    row = events_of(ALDER)["Alder birch 1853"]
    soft, pawns = row.opponents
    assert list(soft.remarks) == [
        ("odds", "gave pawn and move"),
        ("soft", "“rather more than half”"),
    ]
    assert soft.note == "Played by <em>candlelight</em>."
    assert (soft.result, soft.is_apart, soft.is_again) == ("2½/4", False, False)
    assert list(pawns.remarks) == [
        ("odds", "gave the game of pawns"),
        ("unrated", "Not chess."),
    ]
    assert (pawns.is_apart, pawns.is_again) == (True, True)
    cells = cells_of(ALDER)["Alder birch 1853"]
    assert cells.texts("Score", "Expected") == ("3½/5 rated 2½/4", "2.00")
    assert row.marks == (
        ("odds", "odds"),
        ("soft", "soft"),
        ("unrated", "partly unrated"),
        ("unverified", "unverified"),
    )
    assert row.rival is not None
    received = events_of(BIRCH)["Alder birch 1853"].opponents[0]
    assert received.remarks[0] == ("odds", "received pawn and move")


def test_performance_at_odds_is_that_of_the_player_without_them():
    # 2½ of 4 is 88.7 points above equal; against 2000 + 163 that is 2251.7.
    assert cells_of(ALDER)["Alder birch 1853"]["Perf."] == "2252"
    assert cells_of(BIRCH)["Alder birch 1853"]["Perf."] == "1911"


def test_totals_only_show_opponents_without_made_up_results():
    # Against 2000 and 1763, two games each: 2 x (0.7188 + 0.9091).
    row = events_of(ALDER)["Totals 1853"]
    assert cells_of(ALDER)["Totals 1853"].texts("Score", "Expected") == ("2/4", "3.26")
    assert [(o.opponent.text, o.result) for o in row.opponents] == [
        ("Birch", "?/2"),
        ("Čedar", "?/2"),
    ]
    assert row.remarks == ("Only the totals of this event are known, not the single results.",)


def test_an_event_without_known_results_is_listed():
    row = events_of(YEW)["Silent 1852"]
    assert (cells_of(YEW)["Silent 1852"]["Score"], row.opponents) == ("–", ())
    assert row.remarks == ("Not rated: No result is known.", "Took part; no result is known.")
    assert row.marks == (("unrated", "unrated"),)


def test_a_published_total_that_differs_is_said():
    oakham = replace(
        DATASET.events["oakham-1851"], totals=(Total(ALDER, 3.0, note="Counts a replay."),)
    )
    dataset = replace(DATASET, events={**DATASET.events, oakham.id: oakham})
    view = player_view(dataset.players[ALDER], Lookups.of(dataset, RATINGS))
    assert view["events"][1].remarks == ("Published total: 3. Counts a replay.",)


def test_record_against_each_opponent():
    record = record_of(ALDER)
    assert list(record) == ["Birch, Bo", "Čedar, Cy", "Yew, Una"]
    birch = record["Birch, Bo"]
    # 3 games of 1850, 1 of 1851, 4 of 1853 by their score only; the game of pawns apart.
    tally = birch.tally
    assert (tally.won, tally.drawn, tally.lost) == (None, None, None)
    assert (tally.points, tally.games, tally.share) == (5, 8, 0.625)
    assert (tally.by_default, tally.unrated) == (0, 1)
    assert tally.kinds == ("odds", "soft")
    assert birch.page is None  # nine games
    assert drawn(ALDER).rows("record-table")[0].links("Events") == [
        (year, f"#e{year}") for year in ("1850", "1851", "1853")
    ]
    cedar = record["Čedar, Cy"].tally
    assert (cedar.won, cedar.drawn, cedar.lost, cedar.points, cedar.games) == (0, 1, 0, 0.5, 1)
    assert view_of(ALDER)["has_totals_only"]


def test_a_record_of_nothing_but_defaults_has_no_score():
    cedar = record_of(CEDAR)["Birch, Bo"].tally
    assert (cedar.won, cedar.games, cedar.share) == (None, 0, None)
    assert (cedar.by_default, cedar.unrated) == (1, 0)


def test_the_offhand_identity_is_shown_on_the_page_of_its_person():
    page = drawn(ALDER)
    (identity,) = view_of(ALDER)["identities"]
    assert identity["player"] == Link("Alder, Anna (offhand)", "players/alder-anna-offhand.html")
    assert '<a href="#offhand">ratings below</a>' in page.html and page.has("offhand")
    assert [row.id for row in page.rows("offhand-curve-years")] == ["offhand-y1851"]
    assert view_of(OFFHAND)["person"] == Link("Alder, Anna", "players/alder-anna.html")


def test_an_unrated_player_has_the_reason_and_no_curve():
    view, page = view_of(YEW), drawn(YEW)
    assert view["rated"] is None
    assert 'class="dates"' not in page.html
    assert "<strong>Not rated.</strong> Lost every rated game." in page.html
    cells = cells_of(YEW)["Oakham 1851"]
    assert cells.texts("Score", "Rating") == ("0/3 none rated", "–")
    oakham = events_of(YEW)["Oakham 1851"]
    assert [o.opponent.text for o in oakham.opponents] == ["Alder, Anna", "Birch", "Čedar"]


def test_sources_name_the_events_that_cite_them():
    sources = view_of(ALDER)["sources"]
    assert [row.source.text for row in sources] == ["Collected Letters", "Handbook of Trees"]
    letters, handbook = sources
    assert letters.places == ((Link("this record"), None),)
    assert (handbook.summary, handbook.places) == ("5 citations", ())  # too many to be listed


def test_every_player_has_a_page():
    site = SiteInput(DATASET, RATINGS, {}, None, "0", "0")
    made = {page.path: page for page in pages(site)}
    assert list(made) == [f"players/{player}.html" for player in DATASET.players]
    assert made["players/alder-anna.html"].title == "Alder, Anna"
    assert made["players/yew-una.html"].description == (
        "The chess results of Yew, Una, who cannot be rated."
    )


def test_index_orders_what_is_known_by_the_month_first():
    index = Index.of(DATASET, RATINGS)
    assert [e.id for e in index.events_of_year[1851]] == ["oakham-1851", "offhand-1851"]
    assert [e.id for e in index.events_of_player[OFFHAND]] == ["offhand-1851"]
    assert len(index.pairings_of["oakham-1851", ALDER]) == 2


@pytest.mark.parametrize(("text", "seen"), [("1=0", "0 ½ 1"), ("+", "−")])
def test_the_second_named_sees_games_mirrored(text: str, seen: str):
    reason = "won by default" if text == "+" else None
    (met,) = encounters([games(ALDER, BIRCH, text, default=reason)], BIRCH)
    assert shown_marks(met.marks) == seen


def test_a_game_that_both_forfeited_is_lost_by_both():
    result = replace(games(ALDER, BIRCH, "-", default="Both absent."), points_second=0.0)
    for player in (ALDER, BIRCH):
        (met,) = encounters([result], player)
        assert (shown_marks(met.marks), met.points) == ("−", 0.0)


def test_the_curve_is_drawn_with_its_gap_and_leads_into_the_table():
    html = drawn(ALDER).html
    assert html.count('role="img"') == 2  # her own and that of the offhand identity
    assert html.count('class="band"') == 1
    assert html.count('class="band-gap"') == 1
    ids = re.findall(r'\bid="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    dots = re.findall(r'<a href="#([^"]+)"><title>', html)
    assert dots == ["y1850", "y1851", "y1853", "offhand-y1851"]
    assert set(dots) <= set(ids)


def test_an_unrated_player_is_shown_without_a_curve():
    html = drawn(YEW).html
    assert "<svg" not in html
    assert "Lost every rated game." in html
    assert 'href="../events/oakham-1851.html"' in html


def test_ranks_have_ranges_and_chances_of_being_first():
    assert [row.texts("Rank", "Range", "First") for row in years_of(ALDER, ANSWERS)] == [
        ("1 of 2", "1–2", "52%"),
        ("1 of 4", "1–2", "60%"),
        ("1 of 3", "1", ">99%"),
        ("1 of 3", "", ""),
    ]
    cedar = years_of(CEDAR, ANSWERS)[0]
    assert cedar["Range"] == "4"
    assert "First" not in cedar.cells  # 0.4 % is not told


def test_rivals_are_told_in_numbers_and_words():
    birch, cedar = drawn(ALDER, ANSWERS).rows("rivals-table")
    assert birch.links("Rival") == [("Birch, Bo", "birch-bo.html#y1853")]
    assert birch.links("Year") == [("1853", "../years/1853.html#alder-anna")]
    heads = ("Lead", "Dev.", "Stronger", "In words")
    assert birch.texts(*heads) == ("+163", "40", "98%", "almost certainly the stronger")
    assert cedar.texts(*heads) == ("−3", "32", "46%", "hard to tell")
    cells = (row.cells["Stronger"].iter() for row in (birch, cedar))
    bars = [part.get("d") for cell in cells for part in cell if part.get("d") is not None]
    assert bars == ["M0 0H98.0V10H0Z", "M0 0H45.7V10H0Z"]  # exact, not as printed


@pytest.mark.parametrize(
    ("probability", "words"),
    [
        (1.0, "almost certainly the stronger"),
        (0.9, "very probably the stronger"),
        (0.6, "probably the stronger"),
        (0.5, "hard to tell"),
        (0.39, "probably the weaker"),
        (0.159, "very probably the weaker"),
        (0.0, "almost certainly the weaker"),
    ],
)
def test_verdicts(probability: float, words: str):
    assert formats.verdict(probability) == words


def test_the_peak_may_have_been_in_several_years():
    rows = drawn(ALDER, ANSWERS).rows("peak-table")
    assert [row.texts("Year", "Rating", "The best", "Below", "Dev.") for row in rows] == [
        ("1853", "2163", "61%", "–", "–"),
        ("1851", "2100", "35%", "63", "52"),
    ]
    assert rows[0].links("Year") == [("1853", "#y1853")]
    assert not drawn(OFFHAND, ANSWERS).has("peak")  # an only year has no rival


def carried(page: Rendered, year: int) -> str:
    """Return what stands below the ratings of a year that is not the peak, as a reader sees it."""
    return re.sub(r"\s+", " ", "".join(page.find(f"why{year}").itertext())).strip()


def test_events_that_carry_a_rating_are_ranked():
    page = drawn(ALDER, ANSWERS)
    assert "the rating of the highest year, 1853: 2163 (95)." in carried(page, 1853)
    assert [row.texts("Event", "Year", "Without it") for row in page.rows("why1853")] == [
        ("Alder birch 1853", "1853", "−31"),
        ("Totals 1853", "1853", "+12"),
        ("Oakham 1851", "1851", "+2"),
    ]
    told = "1850 2000 (100): Alder birch 1850 no rating · Oakham 1851 −200"
    assert carried(page, 1850) == told
    assert '<a href="../events/alder-birch-1850.html">Alder birch 1850</a> no rating' in page.html
    assert carried(page, 1851) == "1851 2100 (80): Alder birch 1850 −1"
    assert "<summary>2 other years</summary>" in page.html


def test_many_events_are_cut_short():
    many = tuple(
        Influence(ALDER, 1853, event_id, shift)
        for shift, event_id in enumerate(sorted(DATASET.events) * 2, start=1)
    )
    rows = drawn(ALDER, Answers(influences={ALDER: many})).rows("why1853")
    assert [row["Without it"] for row in rows] == ["+12", "+11", "+10", "+9", "+8", "+7"]


def test_who_hangs_on_one_event_is_told_so():
    html = drawn(ALDER, ANSWERS).html
    assert 'Without <a href="../events/alder-birch-1850.html">Alder birch 1850</a>' in html
    assert 'href="../lists/bridges.html#alder-birch-1850"' in html
    assert "no results would connect this player and 1 other player with the rest" in html
    html = drawn(OFFHAND, ANSWERS).html
    assert "no results would connect this player with the rest" in html


def test_answers_are_left_out_where_there_are_none():
    assert "<h2 id=" in drawn(ALDER).html
    for part in ('id="rivals"', 'id="peak"', 'id="why"', ">Range<", ">First<"):
        assert part not in drawn(ALDER).html
        assert part in drawn(ALDER, ANSWERS).html


def test_the_page_with_answers_is_valid():
    html = drawn(ALDER, ANSWERS).html
    ids = re.findall(r'\bid="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    assert "<summary>2 other years</summary>" in html
    told = re.search(r'<li id="why1850">(.*)</li>', html)
    assert told
    assert re.sub("<[^>]+>", "", told[1]).startswith("1850 2000 (100): Alder birch 1850 ")
    assert "style=" not in html


def test_a_rating_leads_to_what_carries_it_and_to_its_events():
    html = drawn(ALDER, ANSWERS).html
    ids = set(re.findall(r'\bid="([^"]+)"', html))
    (row,) = re.findall(r'<tr id="y1850">.*', html)
    assert '<a href="../years/1850.html#alder-anna">1850</a>' in row
    assert '<a href="#why1850">2000</a>' in row
    assert '<a href="../events/alder-birch-1850.html">' in row
    assert {f for f in re.findall(r'href="#([^"]+)"', html) if f[0] in "ewy"} <= ids


def test_other_years_show_their_first_three_events():
    events = list(DATASET.events)[:5]
    told = tuple(Influence(ALDER, 1850, one, 5.0 - k, 0.4 * k) for k, one in enumerate(events))
    page = drawn(ALDER, Answers(influences={ALDER: told}))
    names = [DATASET.events[one].name for one in events[:3]]
    assert carried(page, 1850) == (
        f"1850 2000 (100): {names[0]} +5 · {names[1]} +4 · {names[2]} +3 (median +1)"
    )


def test_rivals_met_often_lead_to_the_page_of_the_two():
    often = replace(
        DATASET.events["alder-birch-1850"], results=(games(ALDER, BIRCH, "1=0=1=0=1="),)
    )
    dataset = replace(DATASET, events={**DATASET.events, often.id: often})
    birch, cedar = drawn(ALDER, ANSWERS, dataset=dataset).rows("rivals-table")
    # 10, 1, 4, 1
    assert birch.links("Rival")[1] == ("16 games", "../pairs/alder-anna-v-birch-bo.html")
    assert len(cedar.links("Rival")) == 1


def test_the_contents_name_the_headings_in_their_order():
    page = drawn(ALDER, ANSWERS)
    (contents,) = (one for one in page.tree.iter("nav") if one.get("class") == "toc")
    targets = [link.get("href", "") for link in contents.iter("a")]
    headings = [f"#{one.get('id')}" for one in page.tree.iter("h2") if one.get("id")]
    assert targets == [one for one in headings if one in targets]
    assert set(headings) == set(targets)


def test_the_age_is_that_reached_in_the_year():
    assert [row["Age"] for row in years_of(ALDER)] == ["30", "31", "32", "33"]
    assert "Age" not in years_of(BIRCH)[0].cells


def test_a_year_of_many_events_leads_to_the_list_of_them():
    more = [replace(DATASET.events["oakham-1851"], id=f"oakham-1851-{k}") for k in (2, 3)]
    dataset = replace(DATASET, events={**DATASET.events, **{one.id: one for one in more}})
    rows = {row.id: row for row in drawn(ALDER, dataset=dataset).rows("curve-table")}
    assert rows["y1851"].links("Events") == [("3 events", "#e1851")]
    assert drawn(ALDER, dataset=dataset).has("e1851")


def test_the_rating_rests_on_rated_games_alone():
    # 3 of 1850, 2 of 1851, 4 of 1853 at known odds, and two each against Birch and Čedar by totals.
    assert drawn(ALDER).facts()["Rests on"] == "13 rated games in 4 events against 2 opponents"


def test_scores_by_strength_add_up_to_the_rated_results():
    found = view_of(ALDER)["best"]["strength"]
    assert [(one.low, one.high, one.score, one.games) for one in found] == [
        (2000, 2100, 5.0, 8.0),
        (None, 1800, 0.5, 1.0),
    ]
    for player in (ALDER, BIRCH, CEDAR):
        rated = [
            p
            for p in RATINGS.pairings
            if p.basis == "results" and player in (p.first.player, p.second.player)
        ]
        bands = view_of(player)["best"]["strength"]
        assert sum(one.games for one in bands) == sum(p.games for p in rated)
        assert sum(one.score for one in bands) == sum(
            p.score if p.first.player == player else p.games - p.score for p in rated
        )
    # Against Birch: 1850 equals, 1851 2100 to 2000, 1853 equals at the odds; Čedar is at 1700.
    assert found[0].expected == pytest.approx(7 * 0.5 + 1 / (1 + 10**-0.25), abs=0.01)
    assert found[1].expected == pytest.approx(10 / 11)


def highlights_of(*events: Event) -> Any:
    dataset = replace(DATASET, events={one.id: one for one in events})
    ratings = replace(RATINGS, pairings=pairings(games_of(dataset)))
    return player_view(dataset.players[BIRCH], Lookups.of(dataset, ratings))["best"]


def held(event_id: str, text: str, **more: object) -> Event:
    return event(event_id, "match", 1851, (BIRCH, ALDER), results=(games(BIRCH, ALDER, text),),
                 **more)  # fmt: skip


def test_performances_are_in_the_order_of_what_they_are_at_least():
    found = highlights_of(
        held("a-1851", "11111="), held("b-1851", "111111"), held("c-1851", "11111"),
        held("d-1851", "1=" * 20),
    )  # fmt: skip
    # 30 of 40 are 190.8 more than 2100, less 400/ln 10/√(40·¾·¼) = 63.4; 5½ of 6 are 416.5 more,
    # less 400/ln 10/√(6·11/12·1/12) = 256.6; of six wins half a point less is the same.
    events = [(event.id, round(one.least)) for event, one in found["performances"]]
    assert events == [("a-1851", 2260), ("b-1851", 2260), ("d-1851", 2227)]
    (won,) = (one for event, one in found["performances"] if event.id == "b-1851")
    assert won.performance is None and won.floor == pytest.approx(2100 + 400 * math.log10(11))


def test_a_performance_of_soft_scores_is_not_among_the_best():
    soft = replace(held("a-1851", "11111="), results=(
        Result(BIRCH, ALDER, 5.5, 0.5, 6.0, soft="nearly all"),
    ))  # fmt: skip
    assert highlights_of(soft)["performances"] == []


def test_wins_of_one_event_are_together():
    two = (games(BIRCH, ALDER, "1"), games(ALDER, BIRCH, "=0"))
    (win,) = highlights_of(replace(held("a-1851", "1"), results=two))["wins"]
    assert (win.won, win.other.player) == (2, ALDER)
    assert win.expected == pytest.approx(1 / (1 + 10**0.25))


def test_a_run_without_a_loss_is_of_whole_events():
    days = [DateSpan(PartialDate(1851, month), PartialDate(1851, month)) for month in range(1, 7)]
    texts = ("111=", "11110", "1==1", "=1=", "0", "1111")
    events = [held(f"{k}-1851", texts[k], dates=day) for k, day in enumerate(days)]
    found = highlights_of(*events)["unbeaten"]
    # The four wins before the loss in the second event count for nothing.
    assert [event.id for event in found.events] == ["2-1851", "3-1851"]
    assert (found.won, found.drawn) == (3, 4)
    hidden = Result(BIRCH, ALDER, 3.0, 1.0, 4.0)  # two won and two drawn, or three won and one lost
    unclear = replace(held("2-1851", "1"), results=(hidden,), dates=days[2])
    assert highlights_of(held("0-1851", "1111=", dates=days[0]), unclear)["unbeaten"] is None
