"""The pages of events, against the made-up world; all numbers are worked out by hand."""

from __future__ import annotations

import re
from dataclasses import replace
from types import MappingProxyType

import pytest
from view_world import ALDER, BIRCH, CEDAR, DATASET, RATINGS, YEW, event, games

from edo.core.model import Event, Mark, Result, Round, Total
from edo.site import render as house
from edo.site.input import Link, SiteInput
from edo.site.pages import event as event_pages
from edo.site.pages.deduced import Deduced
from edo.site.pages.event import EventView
from edo.site.pages.event_list import EventsView
from edo.site.pages.standings import entered

SITE = SiteInput(DATASET, RATINGS, {}, None, "0", "0")


def site_with(added: Event) -> SiteInput:
    events = MappingProxyType({**DATASET.events, added.id: added})
    dataset = replace(DATASET, events=events)
    rated = entered(added, dataset, RATINGS)
    return replace(
        SITE, dataset=dataset, ratings=replace(RATINGS, pairings=RATINGS.pairings + rated)
    )


def view_of(one: str | Event) -> EventView:
    site = SITE if isinstance(one, str) else site_with(one)
    event_id = one if isinstance(one, str) else one.id
    page = {page.path: page for page in event_pages.pages(site)}[f"events/{event_id}.html"]
    view = page.view()
    assert isinstance(view, EventView)
    return view


def html_of(one: str | Event) -> str:
    site = SITE if isinstance(one, str) else site_with(one)
    event_id = one if isinstance(one, str) else one.id
    found = [p for p in event_pages.pages(site) if p.path == f"events/{event_id}.html"]
    return next(iter(house.render(found, site)))[1].decode()


def texts(view: EventView) -> list[list[str]]:
    """Return the cells of the crosstable as one sees them."""
    assert view.crosstable is not None
    signs = {"self": "#", "unknown": "?", "unplayed": "_", "games": ""}
    return [
        [
            signs[cell.kind] + "".join(m.text for m in cell.marks) + "?" * cell.has_unknown
            for cell in row
        ]
        for row in view.crosstable.cells
    ]


def coloured(first: str, second: str, text: str, **more: object) -> Result:
    """Return a result from games such as `1w 0b`."""
    played = tuple(Mark(word[0], word[1]) for word in text.split())  # type: ignore[arg-type]
    points = sum(mark.points for mark in played)
    return Result(first, second, points, len(played) - points, len(played), played, **more)  # type: ignore[arg-type]


def test_a_crosstable_has_every_pair_in_both_cells():
    assert texts(view_of("oakham-1851")) == [
        ["#", "1", "½", "1"],
        ["0", "#", "+", "1"],
        ["½", "−", "#", "1"],
        ["0", "0", "0", "#"],
    ]


def test_points_count_defaults_and_rated_scores_do_not():
    rows = view_of("oakham-1851").table.rows
    assert [(r.cell.player.text, r.points, r.games, r.rated) for r in rows] == [
        ("Alder, Anna, Ms.", "2½", "3", "1½/2"),
        ("Birch, Bo", "2", "3", "0/1"),
        ("Čedar, Cy", "1½", "3", "½/1"),
        ("Yew, Una", "0", "3", None),
    ]


def test_expected_scores_and_performances():
    # Alder, 2100, met 2000 and 1700: 1/(1+10^(-1/4)) + 10/11 = 0.6401 + 0.9091. Her 1½ of 2 is
    # explained by 1850 + 400 lg y with y² - (a + 1/a) y - 3 = 0 and a = 10^(3/8): 2073.6.
    rows = view_of("oakham-1851").table.rows
    assert [(r.cell.rating, r.expected, r.performance) for r in rows] == [
        ("2100", "1.55", "2074"),
        ("2000", "0.36", None),
        ("1700", "0.09", "2100"),
        (None, None, None),
    ]
    assert rows[3].cell.unrated == "Lost every rated game."


def test_columns_that_say_nothing_are_left_out():
    assert view_of("oakham-1851").table.columns.rated is True
    assert view_of("oakham-1851").table.columns.published is False
    assert view_of("alder-birch-1850").table.columns.rated is False
    assert view_of("silent-1852").table.columns.expected is False


def test_the_default_is_marked_and_leads_to_its_reason():
    view = view_of("oakham-1851")
    assert view.crosstable is not None
    mark = view.crosstable.cells[2][1].marks[0]
    assert mark.kinds == ("default",)
    assert mark.remark is view.remarks[0]
    assert view.remarks[0].about == ("Birch, Bo – Čedar, Cy",)
    assert [(p.kind, str(p.text)) for p in view.remarks[0].points] == [
        ("default", "Cedar fell ill.")
    ]


UNKNOWN = event(
    "elmham-1851",
    "tournament",
    1851,
    (ALDER, BIRCH, CEDAR, YEW),
    completeness="incomplete",
    missing="Games of *two* pairs are known.",
    has_crosstable=True,
    results=(
        coloured(ALDER, BIRCH, "1w", number=1, note="Replayed."),
        coloured(ALDER, BIRCH, "0b", number=2),
        coloured(ALDER, BIRCH, "=w", number=3, note="Replayed."),
        coloured(ALDER, CEDAR, "1b", number=1, unrated="A fixed game."),
    ),
    not_played=frozenset({frozenset((BIRCH, CEDAR))}),
    unknown_games=frozenset({frozenset((ALDER, CEDAR))}),
    totals=(
        Total(ALDER, 3.5, note="With a game won by default."),
        Total(BIRCH, 1.5, 3.0, note="With a game won by default."),
    ),
)


def test_unknown_is_never_shown_as_not_played():
    assert texts(view_of(UNKNOWN)) == [
        ["#", "10½", "1?", "?"],
        ["01½", "#", "_", "?"],
        ["0?", "_", "#", "?"],
        ["?", "?", "?", "#"],
    ]
    html = html_of(UNKNOWN)
    assert html.count('<td class="cell unknown">?</td>') == 6
    assert html.count('<td class="cell unplayed">–</td>') == 2
    assert "unknown: no game known" in html


def test_games_keep_their_order_and_colours_from_both_sides():
    view = view_of(UNKNOWN)
    assert view.crosstable is not None
    first, second = view.crosstable.cells[0][1].marks, view.crosstable.cells[1][0].marks
    assert [(m.text, m.kinds) for m in first] == [
        ("1", ("white",)),
        ("0", ("black",)),
        ("½", ("white",)),
    ]
    assert [(m.text, m.kinds) for m in second] == [
        ("0", ("black",)),
        ("1", ("white",)),
        ("½", ("black",)),
    ]


def test_the_legend_explains_what_occurs():
    assert view_of("oakham-1851").kinds == {"self", "games", "default", "colourless"}
    assert view_of(UNKNOWN).kinds == {
        *("self", "games", "unknown", "unplayed", "white", "black", "unrated"),
    }
    assert "colour not known" not in html_of(UNKNOWN)


def test_the_scores_of_a_wide_crosstable_have_a_table_of_their_own():
    assert "Scores and ratings" not in html_of("oakham-1851")
    long = event(
        "long-1851",
        "tournament",
        1851,
        (ALDER, BIRCH, CEDAR),
        has_crosstable=True,
        results=(games(ALDER, BIRCH, "1=0" * 3), games(ALDER, CEDAR, "1")),
    )
    view = view_of(long)
    assert view.crosstable is not None
    assert view.crosstable.is_wide  # 9 + 9 + 1 marks
    assert "Scores and ratings" in html_of(long)


def test_the_same_words_about_several_games_stand_once():
    remarks = view_of(UNKNOWN).remarks
    assert [remark.about for remark in remarks] == [
        (
            "Alder, Anna, Ms. – Birch, Bo, known game 1",
            "Alder, Anna, Ms. – Birch, Bo, known game 3",
        ),
        ("Alder, Anna, Ms. – Čedar, Cy",),
    ]


def test_an_unrated_game_counts_in_the_points_alone():
    view = view_of(UNKNOWN)
    assert view.crosstable is not None
    assert view.crosstable.cells[0][2].marks[0].kinds == ("black", "unrated")
    row = view.table.rows[0]
    assert (row.points, row.games, row.rated) == ("2½", "4", "1½/3")
    assert (view.facts.games, view.facts.rated) == ("4 games known", "3 rated")


def test_published_totals_stand_beside_known_points():
    table = view_of(UNKNOWN).table
    assert table.columns.points == "Known"
    assert [row.published for row in table.rows] == ["3½", "1½/3", None, None]
    assert len(table.published_notes) == 1
    assert [link.text for link in table.published_notes[0].players] == [
        "Alder, Anna, Ms.",
        "Birch, Bo",
    ]


def test_a_game_that_both_forfeited_is_lost_by_both():
    both = Result(ALDER, BIRCH, 0.0, 0.0, 1.0, (Mark("-"),), default="Neither came.")
    view = view_of(event("ash-1851", "tournament", 1851, (ALDER, BIRCH, CEDAR), results=(both,)))
    assert [row[:2] for row in texts(view)[:2]] == [["#", "−"], ["−", "#"]]
    assert [row.points for row in view.table.rows] == ["0", "0", "0"]


def test_a_match_at_odds_shows_its_kinds_of_play_apart_and_in_sum():
    match = view_of("alder-birch-1853").match
    assert match is not None
    assert [(part.title, part.score, part.is_soft) for part in match.parts] == [
        ("Alder, Anna, Ms. gave odds of pawn and move (163 points)", "2½ – 1½", True),
        ("Alder, Anna, Ms. gave odds of the game of pawns", "1–0", False),
    ]
    # 2163 - 163 against 2000 are equals; 2½ of 4 is worth 400 lg(5/3) = 88.7 points.
    rows = match.parts[0].table.rows
    assert [(r.points, r.expected, r.performance) for r in rows] == [
        ("2½", "2.00", "2252"),
        ("1½", "2.00", "1911"),
    ]
    assert [r.expected for r in match.parts[1].table.rows] == [None, None]
    assert match.whole is not None
    assert [(r.points, r.games, r.rated) for r in match.whole.rows] == [
        ("3½", "5", "2½/4"),
        ("1½", "5", "1½/4"),
    ]


def test_what_is_said_of_soft_results_and_odds():
    view = view_of("alder-birch-1853")
    assert [[(p.kind, str(p.text)) for p in remark.points] for remark in view.remarks] == [
        [
            ("odds", "Alder, Anna, Ms. gave odds of pawn and move (163 points)."),
            ("soft", "“rather more than half”"),
            ("note", "Played by <em>candlelight</em>."),
        ],
        [
            ("odds", "Alder, Anna, Ms. gave odds of the game of pawns."),
            ("unrated", "Not chess."),
        ],
    ]
    assert view.facts.games == "1 game known, 4 games of soft scores"
    assert view.facts.rated == "4 rated"


def test_games_of_a_match_are_numbered_only_where_none_can_be_missing():
    whole = view_of("alder-birch-1850").match
    assert whole is not None
    assert whole.parts[0].games == ("1", "2", "3")
    assert whole.parts[0].is_numbered
    assert [[m.text for m in marks] for marks in whole.parts[0].marks] == [
        ["1", "½", "0"],
        ["0", "½", "1"],
    ]
    doubtful = replace(
        DATASET.events["alder-birch-1850"], completeness="unverified", missing="Perhaps more."
    )
    assert '<th scope="col" class="cell">1</th>' in html_of("alder-birch-1850")
    assert '<th scope="col" class="cell">1</th>' not in html_of(doubtful)


KNOCK_OUT = event(
    "knock-out-1851",
    "tournament",
    1851,
    (ALDER, BIRCH, CEDAR, YEW),
    rounds=(Round("Round 1"), Round("Final", note="Played in *June*.")),
    results=(
        coloured(ALDER, BIRCH, "1w =b", number=1, round=0),
        coloured(ALDER, BIRCH, "1w", number=3, round=0, note="Drawn game replayed."),
        coloured(CEDAR, YEW, "1w 1b", number=1, round=0),
        coloured(CEDAR, ALDER, "0w 0b", number=1, round=1),
    ),
)


def test_a_knock_out_shows_its_rounds():
    view = view_of(KNOCK_OUT)
    assert view.crosstable is None
    assert [
        (one.name, [(r.first.player.text, r.score, r.expected) for r in one.rows])
        for one in view.rounds
    ] == [
        ("Round 1", [("Alder, Anna, Ms.", "2½ – ½", "1.92"), ("Čedar, Cy", "2–0", None)]),
        ("Final", [("Čedar, Cy", "0–2", "0.18")]),
    ]
    assert str(view.rounds[1].note) == "Played in <em>June</em>."
    marks = view.rounds[0].rows[0].marks
    assert [(m.text, m.remark is not None) for m in marks] == [
        ("1", False),
        ("½", False),
        ("1", True),
    ]


def test_teams_are_summed_by_round_and_in_all():
    teams = ("Oaks", "Elms")
    view = view_of(
        event(
            "oaks-elms-1851",
            "team match",
            1851,
            (ALDER, CEDAR, BIRCH, YEW),
            rounds=(Round("First day", teams), Round("Second day", teams)),
            results=(
                coloured(ALDER, BIRCH, "1w", round=0),
                coloured(CEDAR, YEW, "=b", round=0),
                coloured(ALDER, BIRCH, "0b", round=1),
            ),
        )
    )
    assert [one.score for one in view.rounds] == ["1½ – ½", "0–1"]
    assert view.teams is not None
    assert (view.teams.teams, view.teams.score) == (teams, "1½ – 1½")


def test_totals_alone_are_a_ranking():
    view = view_of("totals-1853")
    assert view.is_totals_only
    assert view.crosstable is None
    # Birch, 2000, was to score 2/(1+10^(163/400)) + 2/(1+10^(-237/400)) = 0.562 + 1.593.
    rows = view.table.rows
    assert [(r.number, r.points, r.games) for r in rows] == [
        ("1", "2½", "4"),
        ("2", "2", "4"),
        ("3", "1½", "4"),
    ]
    assert rows[0].expected == "2.16"
    assert view.facts.games == "6 games known"
    assert view.facts.rated == "all rated"


def test_players_without_results():
    view = view_of("silent-1852")
    assert not view.has_results
    assert view.facts.games == "no result known"
    assert str(view.facts.unrated) == "No result is known."
    html = html_of("silent-1852")
    assert "their results are not" in html
    assert ">Points<" not in html
    assert ">Known<" not in html


def test_totals_of_some_players_are_shown_without_points():
    some = event(
        "yewtree-1851",
        "tournament",
        1851,
        (ALDER, BIRCH),
        completeness="incomplete",
        missing="The rest.",
        totals=(Total(ALDER, 19.5, 22.0),),
    )
    html = html_of(some)
    assert ">19½/22<" in html
    assert "Only these totals are known" in html


def test_pairings_of_a_team_event_are_a_list():
    view = view_of(
        event(
            "olympiad-1851",
            "team match",
            1851,
            (ALDER, BIRCH, CEDAR),
            results=(games(ALDER, BIRCH, "1"), games(BIRCH, ALDER, "="), games(CEDAR, BIRCH, "0")),
        )
    )
    assert view.crosstable is None
    assert [(r.first.player.text, r.score) for r in view.pairings] == [
        ("Alder, Anna, Ms.", "1½ – ½"),
        ("Čedar, Cy", "0–1"),
    ]


@pytest.mark.parametrize(("n_players", "is_table"), [(30, True), (31, False)])
def test_pairings_of_many_players_are_a_list(n_players: int, is_table: bool):
    players = tuple(f"player-{n}" for n in range(n_players))
    people = {p: replace(DATASET.players[BIRCH], id=p, name=p) for p in players}
    one = event("big-1851", "tournament", 1851, players, results=(games(*players[:2], "1"),))
    dataset = replace(
        DATASET, events={**DATASET.events, one.id: one}, players={**DATASET.players, **people}
    )
    found = {p.path: p.view() for p in event_pages.pages(replace(SITE, dataset=dataset))}
    view = found["events/big-1851.html"]
    assert isinstance(view, EventView)
    assert (view.crosstable is not None) is is_table
    assert (len(view.pairings) == 1) is not is_table


def test_neighbours_are_the_events_of_the_same_year():
    offhand = Link("Offhand 1851", "events/offhand-1851.html")
    assert view_of("oakham-1851").after == offhand
    assert view_of("oakham-1851").before is None
    assert view_of("alder-birch-1850").after is None


def test_all_events_by_decades():
    page = next(iter(event_pages.pages(SITE)))
    view = page.view()
    assert isinstance(view, EventsView)
    assert page.path == "events/index.html"
    assert view.summary == ("All events from 1850–1853: 3 tournaments, 3 matches, 0 team matches.")
    assert view.jumps == (Link("1850s", "events/index.html#d1850"),)
    assert [row.anchor for row in view.rows] == ["d1850", *[None] * 5]
    rows = {row.event.text: row for row in view.rows}
    oakham = rows["Oakham 1851"]
    assert (oakham.players, oakham.games, oakham.place) == (
        "4",
        "2",
        Link("Oakham", "places/oakham.html"),
    )
    assert oakham.winner is not None
    assert [link.text for link in oakham.winner.players] == ["Alder, Anna, Ms."]
    assert rows["Alder birch 1853"].winner is None
    drawn = rows["Alder birch 1850"].winner
    assert drawn is not None
    assert (drawn.players, drawn.words) == ((), "drawn, 1½ – 1½")


@pytest.mark.parametrize(
    "one",
    ["oakham-1851", "alder-birch-1853", "totals-1853", "silent-1852", UNKNOWN, KNOCK_OUT],
    ids=lambda one: one if isinstance(one, str) else one.id,
)
def test_ids_are_unique_and_marks_lead_to_them(one: str | Event):
    html = html_of(one)
    ids = re.findall(r'\bid="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', html)) <= set(ids)
    regions = re.findall(r'role="region"[^>]*aria-label="([^"]+)"', html)
    assert len(regions) == len(set(regions))
    assert "None" not in html


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
)


def test_what_follows_from_the_totals_fills_its_cells():
    # Alder lacks half a point, against Čedar; Birch a whole one, against him too.
    view = view_of(WHOLE)
    assert view.crosstable is not None
    shown = [[c.deduced.text if c.deduced else c.kind for c in r] for r in view.crosstable.cells]
    assert shown == [
        ["self", "games", "0.5"],
        ["games", "self", "1.0"],
        ["0.5", "0.0", "self"],
    ]
    assert {"totals", "deduced"} <= view.kinds
    assert "unknown" not in view.kinds


def test_known_and_solved_points_make_the_published_total():
    view = view_of(WHOLE)
    assert view.table.columns.deduced == "From totals"
    rows = [(r.points, r.deduced, r.published, r.rated) for r in view.table.rows]
    assert rows == [
        ("1", "½", "1½", "1½/2"),
        ("0", "1", "1", "1/2"),
        ("0", "½", "½", "½/2"),
    ]
    assert view.facts.games == "1 game known, 2 games from totals"
    assert view.facts.rated == "all rated"


def test_solved_scores_are_explained_on_the_spot():
    html = html_of(WHOLE)
    assert (
        '<span class="deduced deduced-totals" title="from the totals">0.5'
        '<span class="unseen"> from the totals</span></span>'
    ) in html
    assert '<span class="mark mark-totals">from totals</span> The games without known' in html
    assert "solved from the totals and rounded; rated" in html


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


def test_a_guess_is_marked_and_its_defaults_are_stated():
    # Čedar lost one of his two games and missed the other: half a game and half a default each.
    view = view_of(GUESSED)
    rows = [(r.points, r.deduced, r.by_default, r.published) for r in view.table.rows]
    assert rows == [
        ("1", "½", "½", "2/2"),
        ("0", "½", "½", "1/2"),
        ("0", "0", None, "0/1"),
    ]
    assert view.facts.games == "1 game known, 1 game guessed"
    assert [rule.mark for rule in view.rules] == ["guess"]
    html = html_of(GUESSED)
    assert '<span class="deduced deduced-guess" title="a guess">0.5/0.5<' in html
    assert ">By default</th>" in html


def test_solved_scores_of_several_games_name_their_number():
    assert Deduced("totals", 1.25, 2.0).text == "1.3/2"
    assert Deduced("guess", 0.2, 1 / 3).text == "0.2/0.3"
    assert Deduced("totals", 0.6, 1.0).text == "0.6"


def test_games_outside_the_totals_are_rated_and_taken_off_again():
    replayed = event(
        "replayed-1851",
        "tournament",
        1851,
        (ALDER, BIRCH),
        has_crosstable=True,
        results=(
            games(ALDER, BIRCH, "=", uncounted="Replayed.", number=1),
            games(ALDER, BIRCH, "1", number=2),
        ),
        totals=(Total(ALDER, 1.0), Total(BIRCH, 0.0)),
    )
    view = view_of(replayed)
    assert view.crosstable is not None
    assert [mark.kinds for mark in view.crosstable.cells[0][1].marks] == [("uncounted",), ()]
    rows = [(r.points, r.uncounted, r.published) for r in view.table.rows]
    assert rows == [("1½", "½", "1"), ("½", "½", "0")]
    assert view.facts.rated == "all rated"
    assert [(p.kind, str(p.text)) for p in view.remarks[0].points] == [("uncounted", "Replayed.")]
    html = html_of(replayed)
    assert "rated, but not counted in the event’s own totals" in html
    assert '<td class="num">−½</td>' in html


def test_byes_are_named_with_their_round():
    knock_out = event(
        "bye-1851",
        "tournament",
        1851,
        (ALDER, BIRCH, CEDAR),
        rounds=(Round("First", byes=(CEDAR,)), Round("Second")),
        results=(games(ALDER, BIRCH, "1", round=0), games(ALDER, CEDAR, "1", round=1)),
    )
    view = view_of(knock_out)
    assert [[link.text for link in one.byes] for one in view.rounds] == [["Čedar, Cy"], []]
    assert re.search(r"<p>Bye: <a [^>]*>Čedar, Cy</a>\.</p>", html_of(knock_out))


def test_a_proportion_divided_over_years_says_so():
    shared = {"soft": "nine tenths", "proportion": "9/10"}
    split = event(
        "alder-birch-1851",
        "match",
        1851,
        (ALDER, BIRCH),
        results=(
            Result(ALDER, BIRCH, 9.0, 1.0, 10.0, year=1850, **shared),
            Result(ALDER, BIRCH, 9.0, 1.0, 10.0, year=1851, **shared),
        ),
    )
    view = view_of(split)
    assert view.match is not None
    (part,) = view.match.parts
    assert [mark.text for mark in part.scores_only] == ["9/10 (1850)", "9/10 (1851)"]
    (remark,) = view.remarks
    assert remark.about == (
        "Alder, Anna, Ms. – Birch, Bo (1850), 9–1",
        "Alder, Anna, Ms. – Birch, Bo (1851), 9–1",
    )
    assert [(p.kind, str(p.text)) for p in remark.points] == [
        ("soft", "nine tenths"),
        ("proportion", "Stated as a proportion, 9/10; rated as 9 of 10 games."),
    ]
    # 2000.4 against 2000 in 1850 and 2100 against 2000 in 1851: 10 (0.5006 + 0.6401)
    assert part.table.rows[0].expected == "11.41"


def test_classes_stand_beside_the_players():
    handicap = event(
        "handicap-1851",
        "tournament",
        1851,
        (ALDER, BIRCH),
        results=(games(ALDER, BIRCH, "1"),),
        classes={ALDER: "First class", BIRCH: "First class"},
    )
    view = view_of(handicap)
    assert [row.class_name for row in view.table.rows] == ["First class", "First class"]
    assert '<th scope="col">Class</th>' in html_of(handicap)
    assert [rule.mark for rule in view.rules] == ["classes"]


def test_partial_totals_are_rated_and_explained():
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
    assert [(r.published, r.rated) for r in view.table.rows] == [("6", "1.20/2"), ("5", "0.80/2")]
    html = html_of(partial)
    assert "Only the totals of 2 of the 5 players are known." in html
    assert "they are not rated" not in html
    assert "<p>Only the totals are known, not who beat whom.</p>" in html


def test_totals_that_count_draws_as_nothing_say_so():
    scored = event(
        "no-draws-1851",
        "tournament",
        1851,
        (ALDER, BIRCH),
        has_crosstable=True,
        draws_not_scored=True,
        results=(games(ALDER, BIRCH, "1="),),
        totals=(Total(ALDER, 1.0), Total(BIRCH, 0.0)),
    )
    view = view_of(scored)
    assert [(r.points, r.published) for r in view.table.rows] == [("1½", "1"), ("½", "0")]
    assert "count a draw as nothing for either player" in html_of(scored)


def test_a_knock_out_is_won_by_who_lost_to_nobody() -> None:
    from networks import dataset, event, result

    from edo.core.model import Round
    from edo.site.pages.winners import winner

    rounds = (Round("First"), Round("Final"))
    results = [
        result("a", "b", 2, 3, round=0),
        result("c", "d", 3, 3, round=0),
        result("c", "a", 1.5, 4, round=1),
    ]
    knock_out = event("cup", 1850, *results, rounds=rounds)
    found = winner(knock_out, dataset(knock_out))
    assert found is not None and [link.text for link in found.players] == ["A"]
    open_final = event("cup", 1850, *results[:2], result("c", "a", 2, 4, round=1), rounds=rounds)
    assert winner(open_final, dataset(open_final)) is None


def test_the_time_control_is_among_the_facts():
    words = "2 hours for 40 moves, then 1 hour for 16"
    timed = event(
        "timed-1851", "match", 1851, (ALDER, BIRCH), results=(games(ALDER, BIRCH, "1="),),
        time_control=words,
    )  # fmt: skip
    assert f"<dt>Time control</dt><dd>{words}</dd>" in html_of(timed)
    assert "Time control" not in html_of(replace(timed, time_control=None))


def test_decimal_scores_of_several_years_are_expected_although_they_add_up_inexactly():
    parts = ((0.1, 1850), (0.1, 1851), (0.4, 1850))
    soft = event(
        "soft-1851", "tournament", 1851, (ALDER, BIRCH), rounds=(Round("One"),),
        results=tuple(
            Result(ALDER, BIRCH, games_, 0.0, games_, soft="a guess", round=0, year=year)
            for games_, year in parts
        ),
    )  # fmt: skip
    assert 0.1 + 0.1 + 0.4 != (0.1 + 0.4) + 0.1
    (row,) = view_of(soft).rounds[0].rows
    assert row.expected is not None
