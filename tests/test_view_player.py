"""What the golden small site cannot show of a player's page: numbers worked out by hand, laws of
sums and orders, and long or missing parts."""

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
    event,
    games,
)

from edo.core import formats
from edo.core.model import Dataset, DateSpan, Event, PartialDate, Result, Total
from edo.rating.edo import Ratings
from edo.rating.games import games_of, pairings
from edo.rating.inference.answers import Answers, Influence
from edo.site import urls
from edo.site.index import Index
from edo.site.input import SiteInput
from edo.site.pages.player import pages, player_view
from edo.site.pages.player_results import RecordRow

SITE = SiteInput(DATASET, RATINGS, {}, None, "0", "0")


def view_of(player: str) -> Any:
    return player_view(DATASET.players[player], SITE)


def record_of(player: str) -> dict[str, RecordRow]:
    return {row.opponent: row for row in view_of(player)["record"]}


def drawn(
    player: str,
    answers: Answers | None = None,
    dataset: Dataset = DATASET,
    ratings: Ratings = RATINGS,
) -> Rendered:
    site = SiteInput(dataset, ratings, {}, None, "0", "0", answers or Answers())
    return rendered(pages, site, urls.player(player))


def cells_of(player: str) -> dict[str, Row]:
    """Return the rows of the table of events as they are shown, by the names of the events."""
    return {row.links("Event")[0][0]: row for row in drawn(player).rows("events-table")}


def test_the_peak_is_in_a_year_with_results():
    page = drawn(ALDER)
    assert page.facts()["Peak"] == "2163 (standard error 95) in 1853, rank 1 of 3"
    assert "in <a href=../years/1853.html#alder-anna>1853</a>, rank" in page.html
    lowered = {**RATINGS.players}
    first, second, gap, last = lowered[ALDER]
    lowered[ALDER] = (first, second, gap, replace(last, rating=2050.0))
    lower = drawn(ALDER, ratings=replace(RATINGS, players=lowered))
    # 2131.5 in 1852 is no year with results
    assert lower.facts()["Peak"].startswith("2100 (standard error 80) in 1851")


@pytest.mark.parametrize(
    ("player", "event_name", "score", "expected", "performance"),
    [
        # Equals (2000.4 and 2000): 3 games x 0.5, too few for a performance.
        (ALDER, "Alder birch 1850", "1½/3", "1.50", "–"),
        # Rated: 1½ of 2 against 2000 and 1700, expected 0.6401 + 0.9091. Yew is not rated.
        (ALDER, "Oakham 1851", "2½/3 rated 1½/2", "1.55", "–"),
        # At pawn and move 2163 plays like 2000: half of 4 games. 2½ of 4 is 88.7 points above
        # equal, so that Alder without the odds is worth 2000 + 163 + 88.7.
        (ALDER, "Alder birch 1853", "3½/5 rated 2½/4", "2.00", "2252"),
        (BIRCH, "Alder birch 1853", "1½/5 rated 1½/4", "2.00", "1911"),
        # Against 2000 and 1763, two games each: 2 x (0.7188 + 0.9091). Half of the points are worth
        # the mean of the two, 1881.5.
        (ALDER, "Totals 1853", "2/4", "3.26", "1882"),
    ],
)
def test_scores_expected_scores_and_performances(
    player: str, event_name: str, score: str, expected: str, performance: str
):
    row = cells_of(player)[event_name]
    assert row.texts("Score", "Expected", "Perf.") == (score, expected, performance)


WHOLE = event(
    "whole-1851", "tournament", 1851, (ALDER, BIRCH, CEDAR), has_crosstable=True,
    completeness="incomplete", missing="The games of Čedar.", results=(games(ALDER, BIRCH, "1"),),
    games_per_pair=1, rest="from totals",
    totals=(Total(ALDER, 1.5), Total(BIRCH, 1.0), Total(CEDAR, 0.5)),
    unknown_games=frozenset({frozenset({ALDER, CEDAR}), frozenset({BIRCH, CEDAR})}),
)  # fmt: skip
GUESSED = event(
    "guessed-1851", "tournament", 1851, (ALDER, BIRCH, CEDAR), completeness="incomplete",
    missing="Čedar withdrew.", results=(games(ALDER, BIRCH, "1"),), games_per_pair=1,
    rest="best guess", withdrew=(CEDAR,),
    totals=(Total(ALDER, 2.0, 2.0), Total(BIRCH, 1.0, 2.0), Total(CEDAR, 0.0, 1.0)),
)  # fmt: skip
SPLIT = event(
    "split-1851", "match", 1851, (ALDER, BIRCH),
    results=tuple(
        Result(ALDER, BIRCH, 9.0, 1.0, 10.0, year=year, soft="nine tenths", proportion="9/10")
        for year in (1850, 1851)
    ),
)  # fmt: skip
CLASSES = event(
    "classes-1851", "tournament", 1851, (ALDER, BIRCH, CEDAR), games_per_pair=2,
    totals=(Total(ALDER, 3.0), Total(BIRCH, 2.0), Total(CEDAR, 1.0)),
    classes={ALDER: "First", BIRCH: "First", CEDAR: "Second"},
)  # fmt: skip
UNRATED = replace(CLASSES, unrated="Offhand.", classes={})
PARTIAL = event(
    "partial-1851", "tournament", 1851, (ALDER, BIRCH), completeness="incomplete",
    missing="The other totals.", games_per_pair=2, players_in_all=5,
    totals=(Total(ALDER, 6.0), Total(BIRCH, 5.0)),
)  # fmt: skip


def site_of(alone: Event) -> SiteInput:
    """Return a history of this event alone; the ratings are those of the world."""
    dataset = replace(DATASET, events={alone.id: alone})
    ratings = replace(RATINGS, pairings=pairings(games_of(dataset)))
    return replace(SITE, dataset=dataset, ratings=ratings)


@pytest.mark.parametrize(
    ("kind", "score", "expected", "opponents"),
    [
        # Alder lacks half a point, against Čedar. Expected 0.6401 against Birch, 0.9091 against
        # Čedar.
        (WHOLE, "1/1 rated 1½/2", "1.55", ["1", "?/1"]),
        # Čedar lost one of his two games and missed the other, half a game each: 0.6401 + 0.9091/2.
        (GUESSED, "1/1 rated 1½/1½", "1.09", ["1", "?"]),
        # 2000.4 against 2000 in 1850 and 2100 against 2000 in 1851: 10 x 0.5006, 10 x 0.6401.
        (SPLIT, "18/20", "11.41", ["9/10", "9/10"]),
        # Within the class: 2/2 + (3 - 2)/3 points of two games.
        (CLASSES, "3/4 rated 1.33/2", "1.28", ["?/2", "?/2"]),
        (UNRATED, "3/4 none rated", "–", ["?/2", "?/2"]),
        # Each pair 2 games, 5 players: 2/2 + (6 - 5)/5 = 1.2 for Alder against Birch.
        (PARTIAL, "– rated 1.20/2", "1.28", ["?/2"]),
    ],
    ids=lambda value: value.id if isinstance(value, Event) else None,
)
def test_rated_and_expected_scores_of_every_kind_of_record(
    kind: Event, score: str, expected: str, opponents: list[str]
):
    history = site_of(kind)
    (row,) = drawn(ALDER, dataset=history.dataset, ratings=history.ratings).rows("events-table")
    assert row.texts("Score", "Expected") == (score, expected)
    (shown,) = player_view(DATASET.players[ALDER], history)["events"]
    assert [met.result for met in shown.opponents] == opponents


def test_opponents_stand_in_the_order_of_the_table():
    # Čedar's only known game is the one against Birch, who is second.
    totals = (Total(ALDER, 1.0), Total(BIRCH, 1.5), Total(CEDAR, 0.5))
    later = replace(WHOLE, results=(games(BIRCH, CEDAR, "1"),), totals=totals)
    (row,) = player_view(DATASET.players[CEDAR], site_of(later))["events"]
    assert [(met.player, met.result) for met in row.opponents] == [(ALDER, "?/1"), (BIRCH, "0")]


def test_a_full_score_has_no_performance():
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


def test_an_opponent_of_a_single_game_is_not_in_the_record():
    assert BIRCH not in record_of(CEDAR)  # one game by default, which the events have


def test_index_orders_what_is_known_by_the_month_first():
    index = Index(DATASET, RATINGS)
    assert [e.id for e in index.events_of_year[1851]] == ["oakham-1851", "offhand-1851"]
    assert [e.id for e in index.events_of_player[OFFHAND]] == ["offhand-1851"]
    assert len(index.pairings_of["oakham-1851", ALDER]) == 2


def test_bars_of_rivals_are_exact_not_as_printed():
    rows = drawn(ALDER, ANSWERS).rows("rivals-table")
    assert [row["Stronger"] for row in rows] == ["98%", "46%"]
    cells = (row.cells["Stronger"].iter() for row in rows)
    bars = [part.get("width") for cell in cells for part in cell if part.get("width") is not None]
    assert bars == ["98.0%", "45.7%"]


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
    assert "<a href=../events/alder-birch-1850.html>Alder birch 1850</a> no rating" in page.html
    assert carried(page, 1851) == "1851 2100 (80): Alder birch 1850 −1"
    assert "<summary>2 other years</summary>" in page.html


def test_many_events_are_cut_short():
    many = tuple(
        Influence(ALDER, 1853, event_id, shift)
        for shift, event_id in enumerate(sorted(DATASET.events) * 2, start=1)
    )
    rows = drawn(ALDER, Answers(influences={(ALDER, 1853): many})).rows("why1853")
    assert [row["Without it"] for row in rows] == ["+12", "+11", "+10", "+9", "+8", "+7"]


def test_who_hangs_on_one_event_is_told_so():
    html = drawn(ALDER, ANSWERS).html
    assert "Without <a href=../events/alder-birch-1850.html>Alder birch 1850</a>" in html
    assert "href=../lists/bridges.html#alder-birch-1850" in html
    assert "no results would connect this player and 1 other player with the rest" in html
    html = drawn(OFFHAND, ANSWERS).html
    assert "no results would connect this player with the rest" in html


def test_answers_are_left_out_where_there_are_none():
    assert "<h2 id=" in drawn(ALDER).html
    for part in ('id="rivals"', 'id="peak"', 'id="why"', ">Range<", ">First<"):
        assert part not in drawn(ALDER).html
        assert part in drawn(ALDER, ANSWERS).html


def test_other_years_show_their_first_two_events():
    events = list(DATASET.events)[:5]
    told = tuple(Influence(ALDER, 1850, one, 5.0 - k, 0.4 * k) for k, one in enumerate(events))
    page = drawn(ALDER, Answers(influences={(ALDER, 1850): told}))
    names = [DATASET.events[one].name for one in events[:2]]
    assert carried(page, 1850) == (f"1850 2000 (100): {names[0]} +5 · {names[1]} +4")


def test_who_never_had_a_rank_has_a_short_page():
    years = tuple(replace(year, rank=None) for year in RATINGS.players[ALDER])
    ratings = replace(RATINGS, players={**RATINGS.players, ALDER: years})
    page = drawn(ALDER, ANSWERS, ratings=ratings)
    assert [row.id for row in page.rows("curve-table")] == ["y1850", "y1851", "y1852", "y1853"]
    assert "no results would connect this player" in page.html
    for part in ("On this page", 'id="rivals"', 'id="best"', 'id="peak"', "why1850"):
        assert part not in page.html


def test_the_rating_rests_on_rated_games_alone():
    # 3 of 1850, 2 of 1851, 4 of 1853 at known odds, and two each against Birch and Čedar by totals.
    assert drawn(ALDER).facts()["Rated"] == "13 games, 4 events, 2 opponents"


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
    return player_view(dataset.players[BIRCH], SiteInput(dataset, ratings, {}, None, "0", "0"))[
        "best"
    ]


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
