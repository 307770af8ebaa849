"""The player's page for the other kinds of record, against numbers worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import html5lib
import pytest
from view_world import ALDER, BIRCH, CEDAR, DATASET, RATINGS, YEW, event, games

from edo.core.model import Event, Result, Total
from edo.rating.pairings import all_pairings
from edo.site.input import Link, SiteInput
from edo.site.pages.material import Material
from edo.site.pages.player import PlayerView, pages, player_view
from edo.site.render import render


def site_of(one: Event) -> SiteInput:
    """Return a history of this event alone; the ratings are those of the world."""
    dataset = replace(DATASET, events={one.id: one})
    pairings = tuple(
        p for p in all_pairings(dataset) if YEW not in (p.first.player, p.second.player)
    )
    return SiteInput(dataset, replace(RATINGS, pairings=pairings), {}, None, "0", "0")


def view_of(one: Event, player: str = ALDER) -> PlayerView:
    site = site_of(one)
    return player_view(DATASET.players[player], Material.of(site.dataset, site.ratings))


def html_of(one: Event, player: str = ALDER) -> str:
    site = site_of(one)
    ((_, html),) = render([p for p in pages(site) if p.path == f"players/{player}.html"], site)
    text = html.decode()
    html5lib.HTMLParser(strict=True).parse(text)
    return text


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
    (row,) = view_of(WHOLE).events
    assert (row.score, row.rated_score, row.expected) == ("1/1", "rated 1½/2", "1.55")
    birch, cedar = row.opponents
    assert (birch.result, birch.deduced, birch.remarks) == ("1", None, ())
    assert cedar.opponent == Link("Čedar", "players/cedar-cy.html")
    assert (cedar.result, cedar.deduced, cedar.is_apart) == ("0.50/1", "totals", False)
    assert row.marks == (("totals", "from totals"), ("incomplete", "incomplete"))
    assert row.said == (
        "Published total: 1½.",
        "Games without known results: ½ point of 1 game against 1 opponent, by the final totals; "
        "how these lie among the opponents is solved from everybody’s totals.",
    )


def test_the_record_counts_solved_scores_without_wins_draws_and_losses():
    birch, cedar = (row.tally for row in view_of(WHOLE).record)
    assert (birch.won, birch.drawn, birch.lost, birch.score) == ("1", "0", "0", "1/1")
    assert (cedar.won, cedar.drawn, cedar.lost) == ("–", "–", "–")
    assert (cedar.score, cedar.share, cedar.marks) == (
        "0.50/1",
        "50%",
        (("totals", "from totals"),),
    )


def test_a_solved_score_stands_apart_from_results():
    html = html_of(WHOLE)
    assert '<i class="deduced">0.50/1</i>' in html
    assert 'id="mark-totals"' in html  # what the mark beside the event means


def test_opponents_stand_in_the_order_of_the_table():
    # Čedar's only known game is the one against Birch, who is second.
    later = replace(
        WHOLE,
        results=(games(BIRCH, CEDAR, "1"),),
        totals=(Total(ALDER, 1.0), Total(BIRCH, 1.5), Total(CEDAR, 0.5)),
    )
    (row,) = view_of(later, CEDAR).events
    assert [(o.opponent.text, o.result) for o in row.opponents] == [
        ("Alder, Anna, Ms.", "0.50/1"),
        ("Birch", "0"),
    ]


def test_a_solved_score_outside_of_its_games_has_no_share():
    # Solved scores may lie outside of the games, since only their sums are known.
    known = replace(WHOLE, unknown_games=frozenset())
    material = Material.of(replace(DATASET, events={known.id: known}), RATINGS)
    part = material.deduced[known.id][ALDER, CEDAR]
    beyond = {**material.deduced[known.id], (ALDER, CEDAR): replace(part, points=1.2)}
    view = player_view(DATASET.players[ALDER], replace(material, deduced={known.id: beyond}))
    cedar = next(row for row in view.record if row.opponent.text == "Čedar, Cy")
    assert (cedar.tally.score, cedar.tally.share) == ("1.20/1", "–")


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
    (row,) = view_of(GUESSED).events
    assert (row.score, row.rated_score) == ("1/1", "rated 1½/1½")
    assert row.expected == "1.09"  # 0.6401 + 0.9091/2
    assert [(o.result, o.deduced) for o in row.opponents] == [("1", None), ("0.50/½", "guess")]
    assert row.marks[0] == ("guess", "guess")
    assert row.said == (
        "Published total: 2 of 2.",
        "Taken to have been given by default, because somebody withdrew: ½ point of the total.",
        "Games without known results: ½ point of ½ game against 1 opponent, by the final totals; "
        "how these lie among the opponents is a guess.",
    )
    assert view_of(GUESSED).record[1].tally.marks == (("guess", "guess"),)


def test_who_has_no_known_result_is_shown_by_what_is_guessed():
    (row,) = view_of(GUESSED, CEDAR).events
    assert (row.score, row.rated_score) == ("–", "rated 0/1")
    assert [o.result for o in row.opponents] == ["0.00/½", "0.00/½"]
    assert row.said[0] == "Took part; no result is known."


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
    (row,) = view.events
    assert row.ratings == ("1850: 2000 (100)", "1851: 2100 (80)")
    assert (row.score, row.rated_score, row.expected) == ("18/20", None, "11.41")
    first, second = row.opponents
    assert (first.rating, first.result) == ("2000 (110)", "9/10")
    assert (second.rating, second.result) == ("2000 (90)", "9/10")
    assert (first.is_again, second.is_again, row.is_single) == (False, True, True)
    assert [(remark.kind, remark.text) for remark in first.remarks] == [
        ("soft", "nine tenths"),
        ("proportion", "9/10 for Alder, Anna, Ms."),
        ("split", "counted for 1850"),
    ]
    (record,) = view.record
    assert record.years == ()
    assert record.pair == Link("1850–1851, 1 event", "pairs/alder-anna-v-birch-bo.html")
    assert [kind for kind, _ in record.tally.marks] == ["soft", "proportion", "split"]
    assert "1850: 2000 (100)<br>1851: 2100 (80)" in html_of(SPLIT)


def test_an_event_stands_under_every_year_for_which_it_counts():
    rated = view_of(SPLIT).rated
    assert rated is not None
    assert {row.year.text: [link.text for link in row.events] for row in rated.rows} == {
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
    (row,) = view.events
    assert (row.score, row.rated_score, row.expected) == ("1½/2", None, "1.28")
    assert [(remark.kind, remark.text) for remark in row.opponents[0].remarks] == [
        ("uncounted", "Replayed.")
    ]
    assert row.said == (
        "Published total: 1.",
        "Not counted in the event’s own totals: ½/1.",
        "The event’s own totals count a draw as nothing.",
    )
    record = view.record[0].tally
    assert (record.won, record.drawn, record.lost) == ("1", "1", "0")
    assert record.marks == (("uncounted", "uncounted"),)


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
    (row,) = view_of(TOTALS).events
    assert (row.score, row.rated_score, row.expected) == ("3/4", "rated 1.33/2", "1.28")
    birch, cedar = row.opponents
    assert (birch.result, birch.is_apart, birch.remarks) == ("?/2", False, ())
    assert (cedar.result, cedar.is_apart) == ("?/2", True)
    assert [(remark.kind, remark.text) for remark in cedar.remarks] == [
        ("classes", "of another class")
    ]
    assert ("classes", "classes") in row.marks
    assert "only games within a class are rated" in html_of(TOTALS)


def test_nothing_is_expected_of_totals_that_are_not_rated():
    (row,) = view_of(replace(TOTALS, unrated="Offhand.", classes={})).events
    assert row.expected == "–"
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
    (row,) = view.events
    assert (row.score, row.rated_score, row.expected) == ("–", "rated 1.20/2", "1.28")
    assert [(o.opponent.text, o.result) for o in row.opponents] == [("Birch", "?/2")]
    assert row.said == (
        "Only the totals of 2 of the 5 players of this event are known, not the single results.",
        "Published total: 6.",
    )
    assert view.record == ()
    assert view.has_totals_only


@pytest.mark.parametrize("one", [WHOLE, GUESSED, SPLIT, TOTALS], ids=lambda one: one.id)
@pytest.mark.parametrize("player", [ALDER, BIRCH, CEDAR])
def test_every_mark_is_explained(one: Event, player: str):
    view = view_of(one, player)
    html = html_of(one, player)
    used = {kind for row in view.events for o in row.opponents for kind in o.kinds}
    used |= {kind for row in view.record for kind, _ in row.tally.marks}
    assert all(f'id="mark-{kind}"' in html for kind in used)
    assert ">None<" not in html
