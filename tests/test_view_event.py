"""The pages of events, against the made-up world; all numbers are worked out by hand."""

from __future__ import annotations

import re
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pytest
import rendered
from sample_history import ALDER, BIRCH, CEDAR, DATASET, RATINGS, YEW, event, games

from edo.core.model import Event, Mark, Odds, Result, Round, Total
from edo.rating.inference.answers import Answers, Influence
from edo.site import render as house
from edo.site.input import Link, SiteInput
from edo.site.pages import event as event_pages
from edo.site.pages import events
from edo.site.pages.highlights import field_of, highlights_of_event
from edo.site.pages.lookups import Lookups
from edo.site.pages.standings import entered

SITE = SiteInput(DATASET, RATINGS, {}, None, "0", "0")
COUNTING = "Ratings, performances and points"
"""The name of the folded table."""


def site_with(added: Event) -> SiteInput:
    events = MappingProxyType({**DATASET.events, added.id: added})
    dataset = replace(DATASET, events=events)
    rated = entered(added, dataset, RATINGS)
    return replace(
        SITE, dataset=dataset, ratings=replace(RATINGS, pairings=RATINGS.pairings + rated)
    )


def view_of(one: str | Event) -> Any:
    site = SITE if isinstance(one, str) else site_with(one)
    event_id = one if isinstance(one, str) else one.id
    page = {page.path: page for page in event_pages.pages(site)}[f"events/{event_id}.html"]
    view = page.view()
    return view


def html_of(one: str | Event) -> str:
    site = SITE if isinstance(one, str) else site_with(one)
    event_id = one if isinstance(one, str) else one.id
    found = [p for p in event_pages.pages(site) if p.path == f"events/{event_id}.html"]
    return next(iter(house.render(found, site)))[1].decode()


def table_of(one: str | Event, label: str) -> list[dict[str, str]]:
    """Return the rows of a table on the page of an event, each cell by the head of its column."""
    return rendered.tables(html_of(one))[label]


def columns(rows: list[dict[str, str]], *heads: str) -> list[tuple[str | None, ...]]:
    """Return some columns of a table row by row, None for a column that it does not have."""
    return [tuple(row.get(head) for head in heads) for row in rows]


def cells(one: str | Event) -> list[list[str]]:
    """Return the cells of the crosstable of an event, `#` on the diagonal."""
    rows = table_of(one, "Crosstable")
    numbers = [str(number) for number in range(1, len(rows) + 1)]
    assert all(row[str(k)] == "" for k, row in enumerate(rows, start=1))
    return [
        ["#" if number == str(k) else row[number] for number in numbers]
        for k, row in enumerate(rows, start=1)
    ]


def facts(one: str | Event) -> dict[str, str]:
    """Return the facts at the head of the page of an event."""
    terms = dict(zip(*(rendered.texts(html_of(one), tag) for tag in ("dt", "dd")), strict=False))
    return terms


def coloured(first: str, second: str, text: str, **more: object) -> Result:
    """Return a result from games such as `1w 0b`."""
    played = tuple(Mark(word[0], word[1]) for word in text.split())  # type: ignore[arg-type]
    points = sum(mark.points for mark in played)
    return Result(first, second, points, len(played) - points, len(played), played, **more)  # type: ignore[arg-type]


def test_a_crosstable_has_every_pair_in_both_cells():
    assert cells("oakham-1851") == [
        ["#", "1", "½", "1"],
        ["0", "#", "+", "1"],
        ["½", "−", "#", "1"],
        ["0", "0", "0", "#"],
    ]


def test_points_count_defaults_and_rated_scores_do_not():
    rows = table_of("oakham-1851", COUNTING)
    assert columns(rows, "Player", "Points", "Games", "Rated") == [
        ("Alder, Anna", "2½", "3", "1½/2"),
        ("Birch, Bo", "2", "3", "0/1"),
        ("Čedar, Cy", "1½", "3", "½/1"),
        ("Yew, Una", "0", "3", "–"),
    ]


def test_expected_scores_and_performances():
    # Alder, 2100, met 2000 and 1700: 1/(1+10^(-1/4)) + 10/11 = 0.6401 + 0.9091. Two games are too
    # few for a performance.
    rows = table_of("oakham-1851", COUNTING)
    assert columns(rows, "Rating (dev.)", "Expected", "Perf.") == [
        ("2100 (80)", "1.55", "–"),
        ("2000 (90)", "0.36", "–"),
        ("1700 (120)", "0.09", "–"),
        ("not rated", "–", "–"),
    ]
    assert '<a href="../players/yew-una.html" title="Lost every rated game.">not rated</a>' in (
        html_of("oakham-1851")
    )


def test_empty_columns_are_left_out():
    (oakham, *_) = table_of("oakham-1851", COUNTING)
    assert "Rated" in oakham
    assert "Published" not in oakham
    assert "Rated" not in table_of("alder-birch-1850", "Scores, part 1")[0]
    assert "Expected" not in table_of("silent-1852", "Players")[0]


def test_a_default_is_marked_and_linked_to_its_reason():
    view = view_of("oakham-1851")
    assert view["crosstable"] is not None
    (lost,) = view["crosstable"].cells[2][1].games
    assert lost.kinds == ("default",)
    assert lost.annotation is view["annotations"][0]
    assert view["annotations"][0].about == ("Birch, Bo – Čedar, Cy",)
    assert view["annotations"][0].points == (("default", "Cedar fell ill."),)
    html = html_of("oakham-1851")
    shown = '<span class="game game-default" title="by default">−</span><sup><a href="#remark-1"'
    assert shown in html
    assert '<li id="remark-1">' in html


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
    assert cells(UNKNOWN) == [
        ["#", "10½", "1?", ""],
        ["01½", "#", "–", ""],
        ["0?", "–", "#", ""],
        ["", "", "", "#"],
    ]
    html = html_of(UNKNOWN)
    assert html.count('<td class="cell unknown"><span class="unseen">not known</span></td>') == 6
    assert html.count('<td class="cell unplayed">–</td>') == 2
    assert "no result known, which does not mean that none was played" in html


def test_games_keep_their_order_and_colours_from_both_sides():
    view = view_of(UNKNOWN)
    assert view["crosstable"] is not None
    first, second = (view["crosstable"].cells[k][1 - k].games for k in (0, 1))
    assert [one.marks for one in first] == [(Mark("1", "w"),), (Mark("0", "b"),), (Mark("=", "w"),)]
    assert [one.marks for one in second] == [
        (Mark("0", "b"),),
        (Mark("1", "w"),),
        (Mark("=", "b"),),
    ]
    html = html_of(UNKNOWN)
    assert '<span class="game game-black" title="with Black">0</span><sup>' in html  # has a remark
    assert '<span class="game game-white" title="with White">1</span><span class="fixed">' in html


def test_the_legend_explains_what_occurs():
    assert set(view_of("oakham-1851")["kinds"]) == {"self", "games", "default", "colourless"}
    assert set(view_of(UNKNOWN)["kinds"]) == {
        *("self", "games", "unknown", "unplayed", "coloured", "unrated"),
    }
    assert "colour not known" not in html_of(UNKNOWN)


def test_a_long_crosstable_is_wide_and_has_the_same_columns_beside_it():
    long = event(
        "long-1851",
        "tournament",
        1851,
        (ALDER, BIRCH, CEDAR),
        has_crosstable=True,
        results=(games(ALDER, BIRCH, "1=0" * 3), games(ALDER, CEDAR, "1")),
    )
    assert view_of(long)["crosstable"].is_wide  # 9 + 9 + 1 marks
    assert not view_of("oakham-1851")["crosstable"].is_wide
    assert list(table_of(long, "Crosstable")[0])[4:] == ["Points", "Expected"]


def test_beside_the_cells_stand_score_expected_score_and_change():
    answers = Answers(
        influences={
            ALDER: (
                Influence(ALDER, 1851, "oakham-1851", -31.0, 2.0),
                Influence(ALDER, 1850, "oakham-1851", -9.0),
            ),
            CEDAR: (Influence(CEDAR, 1851, "oakham-1851", None),),
        }
    )
    (page,) = [
        p
        for p in event_pages.pages(replace(SITE, answers=answers))
        if p.path == "events/oakham-1851.html"
    ]
    html = next(iter(house.render([page], SITE)))[1].decode()
    rows = rendered.tables(html)["Crosstable"]
    # Of the rated games Alder made 1½, Birch none, and Čedar ½.
    assert columns(rows, "Points", "Expected", "Change") == [
        ("2½", "1.55 (1½)", "+33"),
        ("2", "0.36 (0)", ""),
        ("1½", "0.09 (½)", "all"),
        ("0", "–", ""),
    ]


def test_a_published_total_is_the_score_with_a_letter_as_its_note():
    rows = table_of(UNKNOWN, "Crosstable")
    assert [row["Score"] for row in rows] == ["3½", "1½", "0", "–"]  # of Čedar a known game
    assert 'aria-label="Published total A">A</a>' in html_of(UNKNOWN)
    assert 'aria-label="Remark a">a</a>' in html_of(UNKNOWN)


def test_the_chart_shows_the_rated_games_alone():
    # Alder 1½ of 2 where 1.549 are expected, Birch 0 of 1 and 0.360, Čedar ½ of 1 and 0.091.
    chart = view_of("oakham-1851")["chart"]
    assert [line.name for line in chart.lines] == ["Alder", "Birch", "Čedar"]
    assert chart.is_share
    width = chart.right - chart.left
    shares = [
        ((line.score - chart.left) / width, (line.expected - chart.left) / width)
        for line in chart.lines
    ]
    for (scored, due), (points, expected, n) in zip(
        shares, [(1.5, 1.5492, 2), (0, 0.3599, 1), (0.5, 0.0909, 1)], strict=True
    ):
        assert scored == pytest.approx(points / n, abs=1e-3)
        assert due == pytest.approx(expected / n, abs=1e-3)
    assert [line.difference for line in chart.lines] == ["0.0", "−0.4", "+0.4"]
    assert view_of("alder-birch-1850")["chart"] is None


def test_the_strongest_results_are_wins_against_the_favourite():
    one = event(
        "upset-1851", "tournament", 1851, (ALDER, BIRCH, CEDAR),
        results=(games(BIRCH, ALDER, "1"), games(CEDAR, BIRCH, "1"), games(ALDER, BIRCH, "1")),
    )  # fmt: skip
    site = site_with(one)
    cedar = tuple(replace(year, rank=None) for year in RATINGS.players[CEDAR])
    ratings = replace(site.ratings, players={**RATINGS.players, CEDAR: cedar})
    found: Any = highlights_of_event(one, Lookups.of(site.dataset, ratings))
    # 2000 beat 2100; 1700 beat 2000, but has no rank.
    (upset,) = found["upsets"]
    assert (upset.own.player, upset.other.player, upset.won) == (BIRCH, ALDER, 1)
    assert upset.expected == pytest.approx(1 / (1 + 10 ** (100 / 400)))
    assert found["performances"] == []  # nobody has six games
    assert "(2000) beat" in html_of(one)


def test_the_field_is_the_mean_of_the_rated():
    found = field_of(UNKNOWN, [RATINGS.of(ALDER, 1851)] * 3)
    assert found is None  # three are no field
    years = [RATINGS.of(player, 1851) for player in (ALDER, BIRCH, CEDAR, ALDER)]
    found = field_of(UNKNOWN, [year for year in years if year])
    assert found is not None
    assert (found.mean, found.rated, found.category) == (pytest.approx(1975), 4, None)


def test_an_annotation_on_several_games_appears_once():
    assert [one.about for one in view_of(UNKNOWN)["annotations"]] == [
        (
            "Alder, Anna – Birch, Bo, known game 1",
            "Alder, Anna – Birch, Bo, known game 3",
        ),
        ("Alder, Anna – Čedar, Cy",),
    ]


def test_an_unrated_game_counts_in_the_points_alone():
    view = view_of(UNKNOWN)
    assert view["crosstable"] is not None
    (fixed,) = view["crosstable"].cells[0][2].games
    assert (fixed.marks, fixed.kinds) == ((Mark("1", "b"),), ("unrated",))
    assert 'class="game game-black game-unrated" title="with Black, not rated"' in html_of(UNKNOWN)
    (row, *_) = table_of(UNKNOWN, COUNTING)
    assert (row["Known"], row["Games"], row["Rated"]) == ("2½", "4", "1½/3")
    assert facts(UNKNOWN)["Results"] == (
        "4 players, 4 games known (2 of the 6 pairs), others missing, 3 rated"
    )


def test_published_totals_are_shown_with_known_points():
    rows = table_of(UNKNOWN, COUNTING)
    assert [row["Published"] for row in rows] == ["3½", "1½/3", "", ""]
    assert "Known" in rows[0]
    (note,) = view_of(UNKNOWN)["table"].notes
    assert note.players == (ALDER, BIRCH)
    html = html_of(UNKNOWN)
    assert '<li id="published-1"><span class="about"><b>A</b> <a' in html
    assert html.count('<a href="#published-1"') == 2 * 2  # beside the cells and in the folded table


def test_a_game_that_both_forfeited_is_lost_by_both():
    both = Result(ALDER, BIRCH, 0.0, 0.0, 1.0, (Mark("-"),), default="Neither came.")
    ash = event("ash-1851", "tournament", 1851, (ALDER, BIRCH, CEDAR), results=(both,))
    assert [row[:2] for row in cells(ash)[:2]] == [["#", "−"], ["−", "#"]]
    assert [row["Points"] for row in table_of(ash, COUNTING)] == ["0", "0", "0"]


def test_a_match_at_odds_shows_its_kinds_of_play_apart_and_in_sum():
    assert rendered.texts(html_of("alder-birch-1853"), "h2")[:3] == [
        "Alder, Anna gave odds of pawn and move (163 points) 2½ – 1½ soft",
        "Alder, Anna gave odds of the game of pawns 1–0",
        "All games together 3½ – 1½",
    ]
    # 2163 - 163 against 2000 are equals; 2½ of 4 is worth 400 lg(5/3) = 88.7 points.
    rows = table_of("alder-birch-1853", "Scores, part 1")
    assert columns(rows, "Known", "Expected", "Perf.") == [
        ("2½", "2.00", "2252"),
        ("1½", "2.00", "1911"),
    ]
    rows = table_of("alder-birch-1853", "Scores, part 2")
    assert columns(rows, "Known", "Expected") == [("1", None), ("0", None)]
    rows = table_of("alder-birch-1853", "Scores of all games")
    assert columns(rows, "Known", "Games", "Rated") == [("3½", "5", "2½/4"), ("1½", "5", "1½/4")]


def test_annotations_on_soft_results_and_odds():
    assert [one.points for one in view_of("alder-birch-1853")["annotations"]] == [
        (
            ("odds", "Alder, Anna gave odds of pawn and move (163 points)."),
            ("soft", "“rather more than half”"),
            ("note", "Played by <em>candlelight</em>."),
        ),
        (
            ("odds", "Alder, Anna gave odds of the game of pawns."),
            ("unrated", "Not chess."),
        ),
    ]
    expected = "2 players, 1 game known, 4 games with soft scores, perhaps more, 4 rated"
    assert facts("alder-birch-1853")["Results"] == expected


def test_games_of_a_match_are_numbered_only_where_none_can_be_missing():
    assert table_of("alder-birch-1850", "Games, part 1") == [
        {"Game": "Alder, Anna", "1": "1", "2": "½", "3": "0"},
        {"Game": "Birch, Bo", "1": "0", "2": "½", "3": "1"},
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
    assert view_of(KNOCK_OUT)["crosstable"] is None
    rounds = (table_of(KNOCK_OUT, "Round 1"), table_of(KNOCK_OUT, "Final"))
    assert [columns(rows, "First player", "Score", "Expected") for rows in rounds] == [
        [("Alder, Anna", "2½ – ½", "1.92"), ("Čedar, Cy", "2–0", "–")],
        [("Čedar, Cy", "0–2", "0.18")],
    ]
    html = html_of(KNOCK_OUT)
    assert "<p>Played in <em>June</em>.</p>" in html
    (row, _) = view_of(KNOCK_OUT)["rounds"][0].rows
    assert [one.annotation is not None for one in row.games] == [False, True]
    assert rounds[0][0]["Games"] == "1½1"


def test_teams_are_summed_by_round_and_in_all():
    teams = ("Oaks", "Elms")
    html = html_of(
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
    assert rendered.texts(html, "h2")[:2] == [
        "First day Oaks – Elms 1½ – ½",
        "Second day Oaks – Elms 0–1",
    ]
    assert rendered.texts(html, "p", "lead") == ["Oaks – Elms 1½ – 1½"]


def test_totals_alone_are_a_ranking():
    view = view_of("totals-1853")
    assert view["coverage"] == "whole by totals"
    assert view["crosstable"] is None
    # Birch, 2000, was to score 2/(1+10^(163/400)) + 2/(1+10^(-237/400)) = 0.562 + 1.593.
    rows = table_of("totals-1853", COUNTING)
    assert columns(rows, "No.", "Points", "Games") == [
        ("1", "2½", "4"),
        ("2", "2", "4"),
        ("3", "1½", "4"),
    ]
    assert rows[0]["Expected"] == "2.16"
    assert facts("totals-1853")["Results"] == "3 players, 6 games from totals, all rated"


def test_players_without_results():
    view = view_of("silent-1852")
    assert not view["has_results"]
    assert facts("silent-1852")["Results"] == "2 players, no result known, none rated"
    assert view["why_unrated"] == "No result is known."
    html = html_of("silent-1852")
    assert "but their results are not" in html
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
    olympiad = event(
        "olympiad-1851",
        "team match",
        1851,
        (ALDER, BIRCH, CEDAR),
        results=(games(ALDER, BIRCH, "1"), games(BIRCH, ALDER, "="), games(CEDAR, BIRCH, "0")),
    )
    assert view_of(olympiad)["crosstable"] is None
    assert columns(table_of(olympiad, "Pairings"), "First player", "Score") == [
        ("Alder, Anna", "1½ – ½"),
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
    assert (view["crosstable"] is not None) is is_table
    assert (len(view["pairings"]) == 1) is not is_table


def test_neighbours_are_the_events_of_the_same_year():
    offhand = Link("Offhand 1851", "events/offhand-1851.html")
    year = view_of("oakham-1851")["neighbours"][0]
    assert (year.name, year.before, year.after) == ("Same year", None, offhand)
    assert view_of("alder-birch-1850")["neighbours"][0].after is None
    assert 'class="after" rel="next" href="offhand-1851.html"' in html_of("oakham-1851")


def test_all_events_by_decades():
    page = next(iter(events.pages(SITE)))
    assert page.path == "events/index.html"
    html = next(iter(house.render([page], SITE)))[1].decode()
    summary = "All events from 1850–1853: 3 tournaments, 3 matches, 0 team matches."
    assert page.description == summary
    assert summary in html
    assert '<a href="#d1850">1850s</a>' in html
    rows = {row["Event"]: row for row in rendered.tables(html)["Events"]}
    assert re.findall(r'<tr id="([^"]+)"><td class="num"><a [^>]+>(\d+)<', html) == [
        ("d1850", "1850")
    ]
    assert len(rows) == 6
    oakham = rows["Oakham 1851"]
    assert (oakham["Players"], oakham["Rated games"], oakham["Place"]) == ("4", "2", "Oakham")
    assert '<a href="../places/oakham.html">Oakham</a>' in html
    assert oakham["Winner"] == "Alder, Anna 2½"
    assert rows["Alder birch 1853 unverified"]["Winner"] == ""
    assert rows["Alder birch 1850"]["Winner"] == "drawn, 1½ – 1½"


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
    assert cells(WHOLE) == [
        ["#", "1", ""],
        ["0", "#", ""],
        ["", "", "#"],
    ]
    view = view_of(WHOLE)
    assert {"totals", "deduced"} <= set(view["kinds"])
    assert "unknown" not in set(view["kinds"])


def test_known_and_solved_points_make_the_published_total():
    rows = table_of(WHOLE, COUNTING)
    assert columns(rows, "Known", "From totals", "Published", "Rated") == [
        ("1", "+½", "1½", "1½/2"),
        ("0", "+1", "1", "1/2"),
        ("0", "+½", "½", "½/2"),
    ]
    expected = "3 players, 1 of 3 games known, 2 games from totals, all rated"
    assert facts(WHOLE)["Results"] == expected


def test_solved_scores_are_explained_on_the_spot():
    html = html_of(WHOLE)
    assert html.count('<td class="cell unknown">') == 4
    assert '<span class="mark mark-totals">from totals</span> The games without known' in html
    assert "rated by what the totals leave to each player" in html


def test_no_page_shows_a_score_that_only_follows_from_totals():
    twice = replace(
        WHOLE,
        id="twice-1851",
        has_crosstable=False,
        games_per_pair=2,
        totals=(Total(ALDER, 2.5), Total(BIRCH, 2.0), Total(CEDAR, 1.5)),
    )
    assert cells(twice) == [["#", "1?", ""], ["0?", "#", ""], ["", "", "#"]]


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
    rows = table_of(GUESSED, COUNTING)
    assert columns(rows, "Known", "Guessed", "By default", "Published") == [
        ("1", "+½", "+½", "2/2"),
        ("0", "+½", "+½", "1/2"),
        ("0", "+0", "", "0/1"),
    ]
    assert "1 of 2 games known, 1 game guessed, " in facts(GUESSED)["Results"]
    html = html_of(GUESSED)
    assert [text.split()[0] for text in rendered.texts(html, "p", "rule")] == ["guess"]
    assert "rated by a guess that agrees with the totals" in html
    assert ">By default</th>" in html


def test_games_outside_the_totals_are_rated_and_subtracted_again():
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
    assert view["crosstable"] is not None
    assert [one.kinds for one in view["crosstable"].cells[0][1].games] == [("uncounted",), ()]
    rows = table_of(replayed, COUNTING)
    assert columns(rows, "Points", "Unc.", "Published") == [("1½", "−½", "1"), ("½", "−½", "0")]
    assert facts(replayed)["Results"] == "2 players, 2 games known, all rated"
    assert view["annotations"][0].points == (("uncounted", "Replayed."),)
    html = html_of(replayed)
    assert "rated, but not counted in the event’s own totals" in html
    assert '<td class="num">−½</td>' in html


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
    assert view["match"] is not None
    (part,) = view["match"].parts
    assert not part.has_games
    html = html_of(split)
    assert [text for text in rendered.texts(html, "span", "game") if "10" in text] == [
        "9/10 (1850)",
        "9/10 (1851)",
    ]
    (annotation,) = view["annotations"]
    assert annotation.about == (
        "Alder, Anna – Birch, Bo (1850), 9–1",
        "Alder, Anna – Birch, Bo (1851), 9–1",
    )
    assert annotation.points == (
        ("soft", "nine tenths"),
        ("proportion", "Stated as a proportion, 9/10; rated as 9 of 10 games."),
    )
    # 2000.4 against 2000 in 1850 and 2100 against 2000 in 1851: 10 (0.5006 + 0.6401)
    assert table_of(split, "Scores, part 1")[0]["Expected"] == "11.41"


def test_classes_are_shown_with_the_players():
    handicap = event(
        "handicap-1851",
        "tournament",
        1851,
        (ALDER, BIRCH),
        results=(games(ALDER, BIRCH, "1"),),
        classes={ALDER: "First class", BIRCH: "First class"},
    )
    rows = table_of(handicap, COUNTING)
    assert [row["Class"] for row in rows] == ["First class", "First class"]
    rules = rendered.texts(html_of(handicap), "p", "rule")
    assert [text.split()[0] for text in rules] == ["classes"]


def by_class(**more: Any) -> Event:
    """Return a handicap in which Alder gave Birch the odds of a knight, and Birch Cedar."""
    classes = {ALDER: "First", BIRCH: "Second", CEDAR: "Third"}
    return event("handicap-1851", "tournament", 1851, (ALDER, BIRCH, CEDAR),
                 classes=classes, class_names=tuple(classes.values()), **more)  # fmt: skip


TOTALS = (Total(ALDER, 1.0), Total(BIRCH, 1.0), Total(CEDAR, 1.0))


def test_a_handicap_by_totals_is_rated_at_the_odds_of_its_classes():
    (odds,) = [id_ for id_, kind in DATASET.odds.items() if kind.points is not None]
    kind = DATASET.odds[odds]
    at_odds = by_class(class_odds={1: odds, 2: odds}, totals=TOTALS, games_per_pair=1)
    (rule,) = rendered.texts(html_of(at_odds), "p", "rule")
    worth = f"{kind.name[0].lower()}{kind.name[1:]} ({kind.points:g} points)"
    assert rule == (
        f"classes A handicap by classes: the better class gave odds of {worth} to the next class, "
        f"{worth} to the class 2 below. The games are rated at these odds."
    )
    rows = table_of(at_odds, COUNTING)
    assert columns(rows, "Class", "Points") == [("First", "1"), ("Second", "1"), ("Third", "1")]
    assert "at the odds between the classes" in html_of(at_odds)
    expected = [float(row["Expected"]) for row in rows]
    even = table_of(by_class(class_odds={}, totals=TOTALS, games_per_pair=1), COUNTING)
    assert "Expected" not in even[0]  # nobody has a class in common with anybody
    rating = {p: RATINGS.of(p, 1851).rating for p in (ALDER, BIRCH)}
    alone = replace(at_odds, players=(ALDER, BIRCH), totals=(Total(ALDER, 0.5), Total(BIRCH, 0.5)))
    (of_alder, _) = table_of(alone, COUNTING)
    gap = rating[ALDER] - kind.points - rating[BIRCH]
    assert float(of_alder["Expected"]) == pytest.approx(1 / (1 + 10 ** (-gap / 400)), abs=0.005)
    assert sum(expected) == pytest.approx(3, abs=0.02)


def test_a_handicap_by_totals_with_unknown_odds_says_what_is_rated():
    (odds,) = [id_ for id_, kind in DATASET.odds.items() if kind.points is not None]
    partly = by_class(class_odds={1: odds}, totals=TOTALS, games_per_pair=1)
    (rule,) = rendered.texts(html_of(partly), "p", "rule")
    assert rule.endswith(
        "Results at these odds are rated; games between other classes, whose odds or worth are not "
        "known, are not. The totals count such games too, so that what follows from them is rated "
        "only within a class."
    )
    assert "alone determine the ratings" not in html_of(partly)


def test_results_between_classes_share_a_remark():
    (odds,) = [id_ for id_, kind in DATASET.odds.items() if kind.points is not None]
    given = Odds(ALDER, odds)
    handicap = by_class(class_odds={1: odds}, results=(
        games(ALDER, BIRCH, "1", odds=given), games(BIRCH, ALDER, "0", odds=given),
        games(ALDER, CEDAR, "1", odds=given),
    ))  # fmt: skip
    remarks = view_of(handicap)["annotations"]
    assert len(remarks) == 2
    assert remarks[0].points[0][1].startswith("By class: First gave Second odds of ")
    assert remarks[1].points[0][1].startswith("Alder, Anna gave odds of ")  # its own
    (rule,) = rendered.texts(html_of(handicap), "p", "rule")
    assert rule.endswith("games between other classes, whose odds or worth are not known, are not.")


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
    rows = table_of(partial, COUNTING)
    assert columns(rows, "Published", "Rated") == [("6", "1.20/2"), ("5", "0.80/2")]
    html = html_of(partial)
    assert "Only the totals of 2 of the 5 players are known." in html
    assert "they are not rated" not in html
    assert "<p>Only the totals are known, not who beat whom.</p>" in html


def test_totals_without_points_for_draws_say_so():
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
    rows = table_of(scored, COUNTING)
    assert columns(rows, "Points", "Published") == [("1½", "1"), ("½", "0")]
    assert "give neither player any points for a draw" in html_of(scored)


def test_a_knock_out_is_won_by_the_player_who_lost_to_nobody() -> None:
    from sample_datasets import dataset, event, result

    from edo.core.model import Round
    from edo.site.pages.event import winner

    rounds = (Round("First"), Round("Final"))
    results = [
        result("a", "b", 2, 3, round=0),
        result("c", "d", 3, 3, round=0),
        result("c", "a", 1.5, 4, round=1),
    ]
    knock_out = event("cup", 1850, *results, rounds=rounds)
    found = winner(knock_out, dataset(knock_out))
    assert found is not None and [player.text for player in found.players] == ["A"]
    open_final = event("cup", 1850, *results[:2], result("c", "a", 2, 4, round=1), rounds=rounds)
    assert winner(open_final, dataset(open_final)) is None


def test_the_winner_of_an_incomplete_match() -> None:
    from edo.site.pages.event import winner

    def found(marks: str, **known: Any) -> tuple[list[str], tuple[float, ...]] | None:
        match = event(
            "match-1851", "match", 1851, (ALDER, BIRCH), results=(games(ALDER, BIRCH, marks),),
            completeness="incomplete", missing="Some games.", **known,
        )  # fmt: skip
        one = winner(match, DATASET)
        return None if one is None else ([player.text for player in one.players], one.score)

    # Three ahead: two games that are missing cannot change it, three can.
    assert found("111", games_per_pair=5) == (["Alder, Anna"], ())
    assert found("000", games_per_pair=5) == (["Birch, Bo"], ())
    assert found("111", games_per_pair=6) is None
    assert found("111") is None
    totals = Total(ALDER, 4.5, 10.0), Total(BIRCH, 5.5, 10.0)
    assert found("111", totals=totals) == (["Birch, Bo"], (5.5, 4.5))
    assert found("111", totals=totals[:1], games_per_pair=5) is None


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
    (row,) = view_of(soft)["rounds"][0].rows
    assert row.expected is not None
