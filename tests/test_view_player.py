"""The player's page, against numbers worked out by hand from the made-up world."""

from __future__ import annotations

import re
from dataclasses import replace

import html5lib
import pytest
from view_world import (
    ALDER,
    ANSWERS,
    BIRCH,
    CEDAR,
    DATASET,
    OFFHAND,
    RATINGS,
    YEW,
    games,
)

from edo.core.model import Total
from edo.rating.inference.answers import Answers, Influence
from edo.site.input import Link, SiteInput
from edo.site.pages.career import EventRow
from edo.site.pages.index import Index
from edo.site.pages.material import Material
from edo.site.pages.player import PlayerView, pages, player_view
from edo.site.pages.player_answers import verdict
from edo.site.pages.record import RecordRow
from edo.site.pages.sides import encounters, shown_marks
from edo.site.render import render

MATERIAL = Material.of(DATASET, RATINGS)


def view_of(player: str) -> PlayerView:
    return player_view(DATASET.players[player], MATERIAL)


def events_of(player: str) -> dict[str, EventRow]:
    return {row.event.text: row for row in view_of(player).events}


def record_of(player: str) -> dict[str, RecordRow]:
    return {row.opponent.text: row for row in view_of(player).record}


def test_who_the_player_is():
    view = view_of(ALDER)
    assert (view.life, view.born, view.died) == ("1820–1890", "4 March 1820", "1890")
    assert (view.country, view.spellings) == ("England", ("Adler, A.",))
    assert view.notes == "<p>Of <em>wood</em>.</p>"
    assert view.reason is None


def test_the_peak_is_in_a_year_with_results():
    rated = view_of(ALDER).rated
    assert rated is not None
    assert (rated.peak.rating, rated.peak.deviation, rated.peak.rank) == ("2163", "95", "1 of 3")
    assert rated.peak.year == Link("1853", "years/1853.html#alder-anna")
    lowered = {**RATINGS.players}
    first, second, gap, last = lowered[ALDER]
    lowered[ALDER] = (first, second, gap, replace(last, rating=2050.0))
    material = Material.of(DATASET, replace(RATINGS, players=lowered))
    lower = player_view(DATASET.players[ALDER], material).rated
    assert lower is not None
    assert lower.peak.year.text == "1851"  # 2131.5 in 1852 is no year with results


def test_year_by_year():
    rated = view_of(ALDER).rated
    assert rated is not None
    assert [(r.anchor, r.rating, r.deviation, r.rank, r.score, r.is_gap) for r in rated.rows] == [
        ("y1850", "2000", "100", "1 of 2", "1½/3", False),
        ("y1851", "2100", "80", "1 of 4", "1½/2", False),
        ("y1852", "2132", "90", "1 of 3", "–", True),
        ("y1853", "2163", "95", "1 of 3", "4½/8", False),
    ]
    assert (rated.rows[0].raw_rating, rated.rows[0].raw_deviation) == ("2050", "110")
    assert [link.text for link in rated.rows[3].events] == ["Alder birch 1853", "Totals 1853"]
    assert rated.has_gaps


def test_the_curve_speaks_of_its_dots():
    rated = view_of(ALDER).rated
    assert rated is not None
    assert [(note.target, note.text) for note in rated.notes] == [
        ("#y1850", "1850: 2000 (100), rank 1 of 2"),
        ("#y1851", "1851: 2100 (80), rank 1 of 4"),
        ("#y1853", "1853: 2163 (95), rank 1 of 3"),
    ]
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
    # Equal ratings (2000.4 and 2000): 3 games x 0.5; half the points: a performance of 2000.
    row = events_of(ALDER)["Alder birch 1850"]
    assert (row.ratings, row.score, row.rated_score) == (("2000 (100)",), "1½/3", None)
    assert (row.expected, row.performance) == ("1.50", "2000")
    (opponent,) = row.opponents
    assert opponent.opponent == Link("Birch", "players/birch-bo.html")
    assert (opponent.rating, opponent.result) == ("2000 (110)", "1½/3 (1 ½ 0)")
    assert row.is_single
    assert row.anchor == "e1850"


def test_games_of_unrated_opponents_count_in_the_score_only():
    # Rated: 1½ of 2 against 2000 and 1700, expected 0.6401 + 0.9091 = 1.5492.
    row = events_of(ALDER)["Oakham 1851"]
    assert (row.score, row.rated_score, row.expected) == ("2½/3", "rated 1½/2", "1.55")
    assert row.when == "May – June 1851"
    assert [(o.opponent.text, o.result) for o in row.opponents] == [
        ("Birch", "1"),
        ("Čedar", "½"),
        ("Yew", "1"),
    ]
    assert not row.is_single
    unrated = row.opponents[2]
    assert (unrated.rating, unrated.is_apart) == ("unrated", False)


def test_a_full_score_has_no_performance():
    lost = events_of(CEDAR)["Oakham 1851"]
    assert (lost.score, lost.rated_score) == ("1½/3", "rated ½/1")
    full = Material.of(
        replace(
            DATASET,
            events={
                **DATASET.events,
                "alder-birch-1850": replace(
                    DATASET.events["alder-birch-1850"], results=(games(ALDER, BIRCH, "11"),)
                ),
            },
        ),
        replace(
            RATINGS,
            pairings=tuple(
                replace(p, score=p.games) if p.event == "alder-birch-1850" else p
                for p in RATINGS.pairings
            ),
        ),
    )
    row = player_view(DATASET.players[ALDER], full).events[0]
    assert (row.score, row.performance) == ("2/2", "–")


def test_games_by_default_stand_apart_with_the_reason():
    row = events_of(BIRCH)["Oakham 1851"]
    default = next(o for o in row.opponents if o.opponent.text == "Čedar")
    assert default.is_apart
    assert default.result == "+"
    assert [(r.kind, r.text) for r in default.remarks] == [("default", "Cedar fell ill.")]
    mirrored = next(
        o for o in events_of(CEDAR)["Oakham 1851"].opponents if o.opponent.text == "Birch"
    )
    assert mirrored.result == "−"
    assert row.marks == (("default", "default"),)


def test_odds_and_soft_results_are_marked_on_the_spot():
    # At pawn and move 2163 plays like 2000: half of the 4 games is expected.
    row = events_of(ALDER)["Alder birch 1853"]
    soft, pawns = row.opponents
    assert [(r.kind, r.text) for r in soft.remarks] == [
        ("odds", "gave pawn and move"),
        ("soft", "“rather more than half”"),
    ]
    assert soft.note == "Played by <em>candlelight</em>."
    assert (soft.result, soft.is_apart, soft.is_again) == ("2½/4", False, False)
    assert [(r.kind, r.text) for r in pawns.remarks] == [
        ("odds", "gave the game of pawns"),
        ("unrated", "Not chess."),
    ]
    assert (pawns.is_apart, pawns.is_again) == (True, True)
    assert (row.score, row.rated_score, row.expected) == ("3½/5", "rated 2½/4", "2.00")
    assert row.marks == (
        ("odds", "odds"),
        ("soft", "soft"),
        ("unrated", "partly unrated"),
        ("unverified", "unverified"),
    )
    assert row.is_single
    received = events_of(BIRCH)["Alder birch 1853"].opponents[0]
    assert received.remarks[0].text == "received pawn and move"


def test_performance_at_odds_is_that_of_the_player_without_them():
    # 2½ of 4 is 88.7 points above equal; against 2000 + 163 that is 2251.7.
    assert events_of(ALDER)["Alder birch 1853"].performance == "2252"
    assert events_of(BIRCH)["Alder birch 1853"].performance == "1911"


def test_totals_only_show_opponents_without_made_up_results():
    # Against 2000 and 1763, two games each: 2 x (0.7188 + 0.9091).
    row = events_of(ALDER)["Totals 1853"]
    assert (row.score, row.rated_score, row.expected) == ("2/4", None, "3.26")
    assert [(o.opponent.text, o.result) for o in row.opponents] == [
        ("Birch", "?/2"),
        ("Čedar", "?/2"),
    ]
    assert row.said == ("Only the totals of this event are known, not the single results.",)


def test_an_event_without_known_results_is_listed():
    row = events_of(YEW)["Silent 1852"]
    assert (row.score, row.opponents) == ("–", ())
    assert row.said == ("Not rated: No result is known.", "Took part; no result is known.")
    assert row.marks == (("unrated", "unrated"),)


def test_a_published_total_that_differs_is_said():
    oakham = replace(
        DATASET.events["oakham-1851"], totals=(Total(ALDER, 3.0, note="Counts a replay."),)
    )
    dataset = replace(DATASET, events={**DATASET.events, oakham.id: oakham})
    view = player_view(dataset.players[ALDER], Material.of(dataset, RATINGS))
    assert view.events[1].said == ("Published total: 3. Counts a replay.",)


def test_record_against_each_opponent():
    record = record_of(ALDER)
    assert list(record) == ["Birch, Bo", "Čedar, Cy", "Yew, Una"]
    birch = record["Birch, Bo"]
    # 3 games of 1850, 1 of 1851, 4 of 1853 by their score only; the game of pawns apart.
    tally = birch.tally
    assert (tally.won, tally.drawn, tally.lost) == ("–", "–", "–")
    assert (tally.score, tally.share, tally.apart) == ("5/8", "63%", "1 unrated")
    assert tally.marks == (("odds", "odds"), ("soft", "soft"))
    assert birch.pair is None  # nine games
    assert birch.years == tuple(
        Link(year, f"players/alder-anna.html#e{year}") for year in ("1850", "1851", "1853")
    )
    cedar = record["Čedar, Cy"].tally
    assert (cedar.won, cedar.drawn, cedar.lost, cedar.score) == ("0", "1", "0", "½/1")
    assert view_of(ALDER).has_totals_only


def test_a_record_of_nothing_but_defaults_has_no_score():
    cedar = record_of(CEDAR)["Birch, Bo"].tally
    assert (cedar.won, cedar.score, cedar.share) == ("–", "–", "–")
    assert cedar.apart == "1 by default"


def test_the_offhand_identity_is_shown_on_the_page_of_its_person():
    (identity,) = view_of(ALDER).identities
    assert identity.player == Link("Alder, Anna (offhand), Ms.", "players/alder-anna-offhand.html")
    assert identity.below.target == "players/alder-anna.html#offhand"
    assert identity.rated is not None
    assert [row.anchor for row in identity.rated.rows] == ["offhand-y1851"]
    assert identity.rated.name == "offhand-curve"
    assert view_of(OFFHAND).person == Link("Alder, Anna, Ms.", "players/alder-anna.html")


def test_an_unrated_player_has_the_reason_and_no_curve():
    view = view_of(YEW)
    assert view.rated is None
    assert view.life is None
    assert view.reason == "Lost every rated game."
    oakham = events_of(YEW)["Oakham 1851"]
    assert (oakham.score, oakham.rated_score, oakham.ratings) == (
        "0/3",
        "none rated",
        ("–",),
    )
    assert [o.opponent.text for o in oakham.opponents] == ["Alder, Anna, Ms.", "Birch", "Čedar"]


def test_sources_name_the_events_that_cite_them():
    sources = view_of(ALDER).sources
    assert [row.source.text for row in sources] == ["Collected Letters", "Handbook of Trees"]
    letters, handbook = sources
    assert letters.places == ((Link("this record"), None),)
    assert len(handbook.places) == 5
    assert handbook.places[0] == (Link("Alder birch 1850", "events/alder-birch-1850.html"), "p. 7")
    assert handbook.is_long
    assert handbook.summary == "5 citations"


def test_every_player_has_a_page():
    site = SiteInput(DATASET, RATINGS, {}, None, "0", "0")
    made = {page.path: page for page in pages(site)}
    assert list(made) == [f"players/{player}.html" for player in DATASET.players]
    assert made["players/alder-anna.html"].title == "Alder, Anna, Ms."
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


def rendered(player: str, answers: Answers | None = None) -> str:
    site = SiteInput(DATASET, RATINGS, {}, None, "0", "0", answers or Answers())
    ((_, html),) = render([p for p in pages(site) if p.path == f"players/{player}.html"], site)
    return html.decode()


def test_the_curve_is_drawn_with_its_gap_and_leads_into_the_table():
    html = rendered(ALDER)
    assert html.count('role="img"') == 2  # her own and that of the offhand identity
    assert html.count('class="band"') == 1
    assert html.count('class="band-gap"') == 1
    ids = re.findall(r'\bid="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    dots = re.findall(r'<a href="#([^"]+)"><title>', html)
    assert dots == ["y1850", "y1851", "y1853", "offhand-y1851"]
    assert set(dots) <= set(ids)


def test_an_unrated_player_is_shown_without_a_curve():
    html = rendered(YEW)
    assert "<svg" not in html
    assert "Lost every rated game." in html
    assert 'href="../events/oakham-1851.html"' in html


ANSWERED = Material.of(DATASET, RATINGS, ANSWERS)


def answered(player: str) -> PlayerView:
    return player_view(DATASET.players[player], ANSWERED)


def test_ranks_have_ranges_and_chances_of_being_first():
    rated = answered(ALDER).rated
    assert rated is not None
    assert [(row.rank, row.range, row.first) for row in rated.rows] == [
        ("1 of 2", "1–2", "52%"),
        ("1 of 4", "1–2", "60%"),
        ("1 of 3", "1", ">99%"),
        ("1 of 3", "", ""),
    ]
    cedar = answered(CEDAR).rated
    assert cedar is not None
    assert (cedar.rows[0].range, cedar.rows[0].first) == ("4", "")  # 0.4 % is not told
    assert cedar.has_chances
    assert not cedar.has_firsts


def test_rivals_are_told_in_numbers_and_words():
    birch, cedar = answered(ALDER).answers.rivals
    assert birch.rival == Link("Birch, Bo", "players/birch-bo.html#y1853")
    assert birch.year == Link("1853", "years/1853.html#alder-anna")
    assert (birch.lead, birch.deviation, birch.words) == (
        "+163",
        "40",
        "almost certainly the stronger",
    )
    assert (birch.chance.text, birch.chance.width) == ("98%", "98.0")
    assert (cedar.lead, cedar.deviation, cedar.words) == ("−3", "32", "hard to tell")
    assert (cedar.chance.text, cedar.chance.width) == ("46%", "45.7")


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
    assert verdict(probability) == words


def test_the_peak_may_have_been_in_several_years():
    rows = answered(ALDER).answers.peaks
    assert [(r.year.text, r.rating, r.chance.text, r.below, r.deviation) for r in rows] == [
        ("1853", "2163", "61%", "–", "–"),
        ("1851", "2100", "35%", "63", "52"),
    ]
    assert rows[0].year.target == "players/alder-anna.html#y1853"
    assert answered(OFFHAND).answers.peaks == ()  # an only year has no rival


def test_events_that_carry_a_rating_are_ranked():
    answers = answered(ALDER).answers
    assert answers.peak is not None
    assert (answers.peak.year.text, answers.peak.rating) == ("1853", "2163 (95)")
    assert [(row.event.text, row.year, row.shift) for row in answers.peak.rows] == [
        ("Alder birch 1853", "1853", "−31"),
        ("Totals 1853", "1853", "+12"),
        ("Oakham 1851", "1851", "+2"),
    ]
    first, second = answers.other_years
    assert [(row.event.text, row.shift) for row in first.rows] == [
        ("Alder birch 1850", "no rating"),
        ("Oakham 1851", "−200"),
    ]
    assert first.rows[0].event.target == "events/alder-birch-1850.html"
    assert [row.shift for row in second.rows] == ["−1"]
    assert answers.others == "2 other years"


def test_many_events_are_cut_short():
    many = tuple(
        Influence(ALDER, 1853, event_id, shift)
        for shift, event_id in enumerate(sorted(DATASET.events) * 2, start=1)
    )
    material = Material.of(DATASET, RATINGS, Answers(influences={ALDER: many}))
    peak = player_view(DATASET.players[ALDER], material).answers.peak
    assert peak is not None
    assert [row.shift for row in peak.rows] == ["+12", "+11", "+10", "+9", "+8", "+7"]


def test_who_hangs_on_one_event_is_told_so():
    (bridge,) = answered(ALDER).answers.bridges
    assert bridge.event == Link("Alder birch 1850", "events/alder-birch-1850.html")
    assert (bridge.others, bridge.more.target) == (
        "1 other player",
        "lists/bridges.html#alder-birch-1850",
    )
    (alone,) = answered(OFFHAND).answers.bridges
    assert alone.others is None
    html = rendered(ALDER, ANSWERS)
    assert "the results would not hold this player and 1 other player to the rest" in html
    assert "the results would not hold this player to the rest" in rendered(OFFHAND, ANSWERS)


def test_answers_are_left_out_where_there_are_none():
    assert "<h2 id=" in rendered(ALDER)
    for part in ('id="rivals"', 'id="peak"', 'id="why"', ">Range<", ">First<"):
        assert part not in rendered(ALDER)
        assert part in rendered(ALDER, ANSWERS)


def test_the_page_with_answers_is_valid():
    html = rendered(ALDER, ANSWERS)
    html5lib.HTMLParser(strict=True).parse(html)
    ids = re.findall(r'\bid="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    assert "<summary>2 other years</summary>" in html
    told = re.search(r'<li id="why1850">(.*)</li>', html)
    assert told
    assert re.sub("<[^>]+>", "", told[1]).startswith("1850 2000 (100): Alder birch 1850 ")
    assert 'href="../data/influence.csv"' in html
    assert '<rect class="part" width="45.7" height="10"/>' in html
    assert "style=" not in html


def test_a_rating_leads_to_what_carries_it_and_to_its_events():
    html = rendered(ALDER, ANSWERS)
    ids = set(re.findall(r'\bid="([^"]+)"', html))
    (row,) = re.findall(r'<tr id="y1850">.*', html)
    assert '<a href="../years/1850.html#alder-anna">1850</a>' in row
    assert '<a href="#why1850">2000</a>' in row
    assert '<a href="../events/alder-birch-1850.html">' in row
    assert {f for f in re.findall(r'href="#([^"]+)"', html) if f[0] in "ewy"} <= ids


def test_other_years_show_their_first_three_events():
    events = list(DATASET.events)[:5]
    told = tuple(Influence(ALDER, 1850, one, 5.0 - k, 0.4 * k) for k, one in enumerate(events))
    material = Material.of(DATASET, RATINGS, Answers(influences={ALDER: told}))
    (year,) = player_view(DATASET.players[ALDER], material).answers.other_years
    assert year.anchor == "why1850"
    assert [(row.shift, row.median_shift, row.moves_all) for row in year.rows] == [
        ("+5", "0", False),
        ("+4", "0", False),
        ("+3", "+1", True),
    ]


def test_rivals_met_often_lead_to_the_page_of_the_two():
    often = replace(
        DATASET.events["alder-birch-1850"], results=(games(ALDER, BIRCH, "1=0=1=0=1="),)
    )
    dataset = replace(DATASET, events={**DATASET.events, often.id: often})
    material = Material.of(dataset, RATINGS, ANSWERS)
    birch, cedar = player_view(dataset.players[ALDER], material).answers.rivals
    assert birch.pair == Link("16 games", "pairs/alder-anna-v-birch-bo.html")  # 10, 1, 4, 1
    assert cedar.pair is None
