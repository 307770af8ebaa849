"""The player's page for the other kinds of record, against numbers worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from rendered import Rendered, Row, rendered
from sample_history import ALDER, BIRCH, CEDAR, DATASET, RATINGS, YEW, event, games

from edo.core import urls
from edo.core.model import Event, Result, Total
from edo.rating.games import games_of, pairings
from edo.site.input import Link, SiteInput
from edo.site.pages.lookups import Lookups
from edo.site.pages.player import pages, player_view


def site_of(one: Event) -> SiteInput:
    """Return a history of this event alone; the ratings are those of the world."""
    dataset = replace(DATASET, events={one.id: one})
    rated = tuple(
        p for p in pairings(games_of(dataset)) if YEW not in (p.first.player, p.second.player)
    )
    return SiteInput(dataset, replace(RATINGS, pairings=rated), {}, None, "0", "0")


def view_of(one: Event, player: str = ALDER) -> Any:
    site = site_of(one)
    return player_view(DATASET.players[player], Lookups.of(site.dataset, site.ratings))


def drawn(one: Event, player: str = ALDER) -> Rendered:
    return rendered(pages, site_of(one), urls.player(player))


def cells_of(one: Event, player: str = ALDER) -> Row:
    """Return the event's row in the table of events as it is shown."""
    (row,) = drawn(one, player).rows("events-table")
    return row


WHOLE = event(
    "whole-1851",
    "tournament",
    1851,
    (ALDER, BIRCH, CEDAR),
    has_crosstable=True,
    completeness="incomplete",
    missing="The games of Čedar.",
    results=(games(ALDER, BIRCH, "1"),),
    games_per_pair=1,
    rest="from totals",
    totals=(Total(ALDER, 1.5), Total(BIRCH, 1.0), Total(CEDAR, 0.5)),
    unknown_games=frozenset({frozenset({ALDER, CEDAR}), frozenset({BIRCH, CEDAR})}),
)


def test_scores_solved_from_the_totals_stand_among_the_opponents():
    # Alder lacks half a point, against Čedar. Expected 0.6401 against Birch, 0.9091 against Čedar.
    (row,) = view_of(WHOLE)["events"]
    assert cells_of(WHOLE).texts("Score", "Expected") == ("1/1 rated 1½/2", "1.55")
    birch, cedar = row.opponents
    assert (birch.result, birch.deduced, birch.remarks) == ("1", None, ())
    assert cedar.opponent == Link("Čedar", "players/cedar-cy.html")
    assert (cedar.result, cedar.deduced, cedar.is_apart) == ("?/1", "totals", False)
    assert row.marks == (("totals", "from totals"), ("by-totals", "by totals"))
    assert row.remarks == (
        "Published total: 1½.",
        "Games without known results: ½ point of 1 game against 1 opponent, by the final totals; "
        "how these lie among the opponents is not known.",
    )


def test_the_record_counts_games_from_totals_apart():
    birch, cedar = (row.tally for row in view_of(WHOLE)["record"])
    assert (birch.won, birch.drawn, birch.lost, birch.points, birch.games) == (1, 0, 0, 1, 1)
    assert (cedar.won, cedar.drawn, cedar.lost) == (None, None, None)
    assert (cedar.points, cedar.games, cedar.from_totals, cedar.share) == (0, 0, 1, None)
    assert cedar.kinds == ("totals",)
    row = drawn(WHOLE).rows("record-table")[1]
    assert row.texts("Score", "%") == ("– and 1 from totals", "–")


def test_a_solved_score_stands_apart_from_results():
    html = drawn(WHOLE).html
    assert '<i class="deduced">?/1</i>' in html
    assert 'id="mark-totals"' in html  # what the mark beside the event means


def test_opponents_stand_in_the_order_of_the_table():
    # Čedar's only known game is the one against Birch, who is second.
    later = replace(
        WHOLE,
        results=(games(BIRCH, CEDAR, "1"),),
        totals=(Total(ALDER, 1.0), Total(BIRCH, 1.5), Total(CEDAR, 0.5)),
    )
    (row,) = view_of(later, CEDAR)["events"]
    assert [(o.opponent.text, o.result) for o in row.opponents] == [
        ("Alder, Anna", "?/1"),
        ("Birch", "0"),
    ]


GUESSED = event(
    "guessed-1851",
    "tournament",
    1851,
    (ALDER, BIRCH, CEDAR),
    completeness="incomplete",
    missing="Čedar withdrew.",
    results=(games(ALDER, BIRCH, "1"),),
    games_per_pair=1,
    rest="best guess",
    withdrew=(CEDAR,),
    totals=(Total(ALDER, 2.0, 2.0), Total(BIRCH, 1.0, 2.0), Total(CEDAR, 0.0, 1.0)),
)


def test_a_guess_is_marked_and_what_was_given_by_default_is_said():
    # Čedar lost one of his two games and missed the other: half a game and half a default each.
    (row,) = view_of(GUESSED)["events"]
    # 0.6401 + 0.9091/2
    assert cells_of(GUESSED).texts("Score", "Expected") == ("1/1 rated 1½/1½", "1.09")
    assert [(o.result, o.deduced) for o in row.opponents] == [("1", None), ("?", "guess")]
    assert row.marks[0] == ("guess", "guess")
    assert row.remarks == (
        "Published total: 2 of 2.",
        "Taken to have been given by default, because somebody withdrew: ½ point of the total.",
        "Games without known results: ½ point of ½ game against 1 opponent, by the final totals; "
        "which games these were is a guess.",
    )
    assert view_of(GUESSED)["record"][1].tally.kinds == ("guess",)


def test_who_has_no_known_result_is_shown_by_what_is_guessed():
    (row,) = view_of(GUESSED, CEDAR)["events"]
    assert cells_of(GUESSED, CEDAR)["Score"] == "– rated 0/1"
    assert [o.result for o in row.opponents] == ["?", "?"]
    assert row.remarks[0] == "Took part; no result is known."


SPLIT = event(
    "alder-birch-1851",
    "match",
    1851,
    (ALDER, BIRCH),
    results=tuple(
        Result(ALDER, BIRCH, 9.0, 1.0, 10.0, year=year, soft="nine tenths", proportion="9/10")
        for year in (1850, 1851)
    ),
)


def test_games_count_with_the_ratings_of_their_own_years():
    # 2000.4 against 2000 in 1850 and 2100 against 2000 in 1851: 10 x 0.5006, 10 x 0.6401.
    view = view_of(SPLIT)
    (row,) = view["events"]
    cells = cells_of(SPLIT)
    assert cells["Rating"] == "1850: 2000 (100) 1851: 2100 (80)"
    assert cells.texts("Score", "Expected") == ("18/20", "11.41")
    first, second = row.opponents
    assert (first.year, first.result, row.rival) == (1850, "9/10", "2000 (110)")
    assert (second.year, second.result) == (1851, "9/10")
    assert (first.is_again, second.is_again) == (False, True)
    assert list(first.remarks) == [
        ("soft", "nine tenths"),
        ("proportion", "9/10 for Alder, Anna"),
        ("split", "counted for 1850"),
    ]
    (record,) = view["record"]
    assert drawn(SPLIT).rows("record-table")[0].links("Events") == [
        ("1850–1851, 1 event", "../pairs/alder-anna-v-birch-bo.html")
    ]
    assert record.tally.kinds == ("soft", "proportion", "split")
    assert "1850: 2000 (100)<br>1851: 2100 (80)" in drawn(SPLIT).html


def test_an_event_stands_under_every_year_for_which_it_counts():
    rows = drawn(SPLIT).rows("curve-table")
    assert {row["Year"]: [name for name, _ in row.links("Events")] for row in rows} == {
        "1850": ["Alder birch 1851"],
        "1851": ["Alder birch 1851"],
        "1852": [],
        "1853": [],
    }


def test_games_outside_of_the_totals_are_rated_and_marked():
    replayed = event(
        "replayed-1851",
        "tournament",
        1851,
        (ALDER, BIRCH),
        has_crosstable=True,
        draws_not_scored=True,
        results=(
            games(ALDER, BIRCH, "=", uncounted="Replayed.", number=1),
            games(ALDER, BIRCH, "1", number=2),
        ),
        totals=(Total(ALDER, 1.0), Total(BIRCH, 0.0)),
    )
    view = view_of(replayed)
    (row,) = view["events"]
    assert cells_of(replayed).texts("Score", "Expected") == ("1½/2", "1.28")
    assert list(row.opponents[0].remarks) == [("uncounted", "Replayed.")]
    assert row.remarks == (
        "Published total: 1.",
        "Not counted in the event’s own totals: ½/1.",
        "The event’s own totals count a draw as nothing.",
    )
    record = view["record"][0].tally
    assert (record.won, record.drawn, record.lost) == (1, 1, 0)
    assert record.kinds == ("uncounted",)


TOTALS = event(
    "totals-1851",
    "tournament",
    1851,
    (ALDER, BIRCH, CEDAR),
    games_per_pair=2,
    totals=(Total(ALDER, 3.0), Total(BIRCH, 2.0), Total(CEDAR, 1.0)),
    classes={ALDER: "First", BIRCH: "First", CEDAR: "Second"},
)


def test_opponents_of_another_class_are_not_rated():
    (row,) = view_of(TOTALS)["events"]
    assert cells_of(TOTALS).texts("Score", "Expected") == ("3/4 rated 1.33/2", "1.28")
    birch, cedar = row.opponents
    assert (birch.result, birch.is_apart, birch.remarks) == ("?/2", False, ())
    assert (cedar.result, cedar.is_apart) == ("?/2", True)
    assert list(cedar.remarks) == [("classes", "of another class")]
    assert ("classes", "classes") in row.marks
    assert "only games within a class are rated" in drawn(TOTALS).html


def test_nothing_is_expected_of_totals_that_are_not_rated():
    unrated = replace(TOTALS, unrated="Offhand.", classes={})
    (row,) = view_of(unrated)["events"]
    assert cells_of(unrated)["Expected"] == "–"
    assert [o.is_apart for o in row.opponents] == [True, True]


def test_partial_totals_show_the_known_players_alone():
    # Each pair 2 games, 5 players: 2/2 + (6 - 5)/5 = 1.2 for Alder against Birch.
    partial = event(
        "partial-1851",
        "tournament",
        1851,
        (ALDER, BIRCH),
        completeness="incomplete",
        missing="the other totals",
        games_per_pair=2,
        players_in_all=5,
        totals=(Total(ALDER, 6.0), Total(BIRCH, 5.0)),
    )
    view = view_of(partial)
    (row,) = view["events"]
    assert cells_of(partial).texts("Score", "Expected") == ("– rated 1.20/2", "1.28")
    assert [(o.opponent.text, o.result) for o in row.opponents] == [("Birch", "?/2")]
    assert row.remarks == (
        "Only the totals of 2 of the 5 players of this event are known, not the single results.",
        "Published total: 6.",
    )
    assert view["record"] == ()
    assert view["has_totals_only"]


@pytest.mark.parametrize("one", [WHOLE, GUESSED, SPLIT, TOTALS], ids=lambda one: one.id)
@pytest.mark.parametrize("player", [ALDER, BIRCH, CEDAR])
def test_every_mark_is_explained(one: Event, player: str):
    view = view_of(one, player)
    html = drawn(one, player).html
    used = {kind for row in view["events"] for o in row.opponents for kind in o.kinds}
    used |= {kind for row in view["record"] for kind in row.tally.kinds}
    assert all(f'id="mark-{kind}"' in html for kind in used)
    assert ">None<" not in html
