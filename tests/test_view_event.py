"""What the golden small site cannot show of the pages of events: numbers worked out by hand,
large events, and who won an event that is not known whole."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pytest
import rendered
import sample_datasets
from sample_datasets import result
from sample_history import ALDER, BIRCH, CEDAR, DATASET, RATINGS, YEW, event, games

from edo.core.model import Event, Mark, Odds, Result, Round, Team, Total
from edo.rating.inference.answers import Answers, Influence
from edo.rating.standings import entered
from edo.site import render as house
from edo.site.input import Page, SiteInput
from edo.site.pages import event as event_pages
from edo.site.pages.bracket import bracket
from edo.site.pages.crosstable import split_names
from edo.site.pages.event import winner
from edo.site.pages.highlights import field_of, highlights_of_event, highlights_of_player

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


def page_of(shown: str | Event) -> tuple[Page, SiteInput]:
    site = SITE if isinstance(shown, str) else site_with(shown)
    path = f"events/{shown if isinstance(shown, str) else shown.id}.html"
    return next(page for page in event_pages.pages(site) if page.path == path), site


def view_of(shown: str | Event) -> Any:
    page, _ = page_of(shown)
    return page.view()


def html_of(shown: str | Event) -> str:
    page, site = page_of(shown)
    return next(iter(house.render([page], site)))[1].decode()


def table_of(shown: str | Event, label: str) -> list[dict[str, str]]:
    """Return the rows of a table on the page of an event, each cell by the head of its column."""
    return rendered.tables(html_of(shown))[label]


def columns(rows: list[dict[str, str]], *heads: str) -> list[tuple[str | None, ...]]:
    """Return some columns of a table row by row, None for a column that it does not have."""
    return [tuple(row.get(head) for head in heads) for row in rows]


def coloured(first: str, second: str, text: str, **more: object) -> Result:
    """Return a result from games such as `1w 0b`."""
    played = tuple(Mark(word[0], word[1]) for word in text.split())  # type: ignore[arg-type]
    points = sum(mark.points for mark in played)
    return Result(first, second, points, len(played) - points, len(played), played, **more)  # type: ignore[arg-type]


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
    assert list(table_of(long, "Crosstable")[0])[4:] == ["Points", "Expected", "Perf."]


def test_beside_the_cells_stand_score_expected_score_and_change():
    answers = Answers(
        influences={
            (ALDER, 1851): (Influence(ALDER, 1851, "oakham-1851", -31.0, 2.0),),
            (ALDER, 1850): (Influence(ALDER, 1850, "oakham-1851", -9.0),),
            (CEDAR, 1851): (Influence(CEDAR, 1851, "oakham-1851", None),),
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
        ("1½", "0.09 (½)", "only event"),
        ("0", "–", ""),
    ]


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
    found: Any = highlights_of_event(one, replace(site, ratings=ratings))
    # 2000 beat 2100; 1700 beat 2000, but has no rank.
    (upset,) = found["upsets"]
    assert (upset.own.player, upset.other.player, upset.won) == (BIRCH, ALDER, 1)
    assert upset.expected == pytest.approx(1 / (1 + 10 ** (100 / 400)))
    assert found["performances"] == []  # nobody has six games
    assert "(2000) beat" in html_of(one)


def test_a_score_at_odds_is_no_best_performance():
    played = games(ALDER, BIRCH, "1110=1")
    for odds, shown in ((None, [ALDER, BIRCH]), (Odds(BIRCH, "pawn-and-move"), [])):
        result = replace(played, odds=odds)
        two = event("odds-1851", "tournament", 1851, (ALDER, BIRCH), results=(result,))
        of_event: Any = highlights_of_event(two, site_with(two))
        assert [one.player for one in of_event["performances"]] == shown
        of_player: Any = highlights_of_player(ALDER, site_with(two))
        assert [one.id for one, _ in of_player["performances"]] == ["odds-1851"] * bool(shown)


def test_the_field_is_the_mean_of_the_rated():
    found = field_of(DATASET.events["oakham-1851"], [RATINGS.of(ALDER, 1851)] * 3)
    assert found is None  # three are no field
    years = [RATINGS.of(player, 1851) for player in (ALDER, BIRCH, CEDAR, ALDER)]
    found = field_of(DATASET.events["oakham-1851"], [year for year in years if year])
    assert found is not None
    assert (found.mean, found.rated, found.category) == (pytest.approx(1975), 4, None)


def test_teams_are_summed_by_round_and_in_all():
    html = html_of(
        event(
            "oaks-elms-1851",
            "team match",
            1851,
            (ALDER, CEDAR, BIRCH, YEW),
            teams=(Team("Oaks", (ALDER, CEDAR)), Team("Elms", (BIRCH, YEW))),
            rounds=(Round("First day"), Round("Second day")),
            results=(
                coloured(ALDER, BIRCH, "1w", round=0),
                coloured(YEW, CEDAR, "=w", round=0),
                coloured(ALDER, BIRCH, "0b", round=1),
            ),
        )
    )
    assert rendered.texts(html, "h2")[:2] == [
        "First day Oaks – Elms 1½ – ½",
        "Second day Oaks – Elms 0–1",
    ]
    assert rendered.texts(html, "p", "lead") == ["Oaks – Elms 1½ – 1½"]


def test_several_teams_are_a_table_and_the_boards_of_two_stand_together():
    teams = (Team("Oaks", (ALDER,)), Team("Elms", (BIRCH,)), Team("Ashes", (CEDAR,)))
    results = (games(ALDER, BIRCH, "1"), games(CEDAR, BIRCH, "="))
    league = event("league-1851", "team match", 1851, (ALDER, BIRCH, CEDAR), teams=teams,
                   results=results)  # fmt: skip
    html = html_of(league)
    assert columns(rendered.tables(html)["Teams"], "Team", "1", "2", "3", "Known") == [
        ("1Oaks", "", "1/1", "", "1/1"),
        ("2Elms", "0/1", "", "½/1", "½/2"),
        ("3Ashes", "", "½/1", "", "½/1"),
    ]
    assert "Elms – Ashes ½ – ½" in html
    assert winner(league, DATASET) is None
    assert "Elms – Ashes ½" not in html_of(replace(league, completeness="incomplete", missing="x"))
    decided = replace(league, teams=(replace(teams[0], points=1.0), replace(teams[1], points=0.5),
                                     replace(teams[2], points=0.5)))  # fmt: skip
    won = winner(decided, DATASET)
    assert won is not None
    assert ([one.text for one in won.players], won.score) == (["Oaks"], (1.0,))


def test_pairings_without_known_teams_stand_apart_from_those_of_two_teams():
    teams = (Team("Oaks", (ALDER,)), Team("Elms", (BIRCH,)), Team("Ashes", ()))
    results = (games(CEDAR, YEW, "1", round=0), games(ALDER, BIRCH, "=", round=0))
    html = html_of(
        event("league-1851", "team match", 1851, (CEDAR, YEW, ALDER, BIRCH), teams=teams,
              rounds=(Round("First day"),), results=results, completeness="incomplete", missing="x")
    )  # fmt: skip
    in_order = ("Oaks – Elms", "Birch, Bo", "Teams not known", "Yew, Una")
    places = [html.rindex(text, 0, html.index("Team by team")) for text in in_order]
    assert places == sorted(places)


def test_players_stand_team_by_team():
    match = event(
        "oaks-elms-1851",
        "team match",
        1851,
        (BIRCH, ALDER, YEW, CEDAR),
        teams=(Team("Oaks", (ALDER, CEDAR)), Team("Elms", (YEW, BIRCH))),
        results=(games(BIRCH, ALDER, "1"), games(YEW, CEDAR, "=")),
    )
    shown = [row.standing.player for row in view_of(match)["table"].rows]
    assert shown == [ALDER, CEDAR, YEW, BIRCH]


def test_the_team_of_more_points_wins():
    match = event(
        "oaks-elms-1851",
        "team match",
        1851,
        (ALDER, BIRCH),
        teams=(Team("Oaks", (ALDER,)), Team("Elms", (BIRCH,))),
        results=(games(ALDER, BIRCH, "0"),),
    )
    won = winner(match, DATASET)
    assert won is not None
    assert ([one.text for one in won.players], won.score) == (["Elms"], (1.0, 0.0))
    drawn = winner(replace(match, results=(games(ALDER, BIRCH, "="),)), DATASET)
    assert drawn is not None
    assert drawn.players == ()
    assert winner(replace(match, completeness="incomplete"), DATASET) is None


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


def test_totals_at_the_odds_of_classes_are_expected_at_these_odds():
    # Alder, 2100, gives Birch, 2000, pawn and move, 163 points.
    players = (ALDER, BIRCH)
    handicap = event(
        "handicap-1851", "tournament", 1851, players, games_per_pair=1,
        totals=tuple(Total(player, 0.5) for player in players),
        classes=dict(zip(players, ("First", "Second"), strict=True)),
        class_names=("First", "Second"), class_odds={1: "pawn-and-move"},
    )  # fmt: skip
    rows = table_of(handicap, COUNTING)
    of_alder = 1 / (1 + 10 ** (63 / 400))
    expected = [float(row["Expected"]) for row in rows]
    assert expected == pytest.approx([of_alder, 1 - of_alder], abs=0.005)
    # At odds that are not known nobody is compared with a player of another class.
    assert "Expected" not in table_of(replace(handicap, class_odds={}), COUNTING)[0]


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


def test_a_knock_out_is_won_by_the_player_who_lost_to_nobody():
    rounds = (Round("First"), Round("Final"))
    first = [result("a", "b", 2, 3, round=0), result("c", "d", 3, 3, round=0)]
    finals = {1.5: ["A"], 2: None}  # points of c in four games
    for points, winners in finals.items():
        final = result("c", "a", points, 4, round=1)
        cup = sample_datasets.event("cup", 1850, *first, final, rounds=rounds)
        won = winner(cup, sample_datasets.dataset(cup))
        assert (won and [player.text for player in won.players]) == winners


PUBLISHED = Total(ALDER, 4.5, 10.0), Total(BIRCH, 5.5, 10.0)


@pytest.mark.parametrize(
    ("marks", "known", "won"),
    [
        # Three ahead: two games that are missing cannot change it, three can.
        ("111", {"games_per_pair": 5}, (["Alder, Anna"], ())),
        ("000", {"games_per_pair": 5}, (["Birch, Bo"], ())),
        ("111", {"games_per_pair": 6}, None),
        ("111", {}, None),
        ("111", {"totals": PUBLISHED}, (["Birch, Bo"], (5.5, 4.5))),
        ("111", {"totals": PUBLISHED[:1], "games_per_pair": 5}, None),
    ],
)
def test_the_winner_of_an_incomplete_match(
    marks: str, known: dict[str, Any], won: tuple[list[str], tuple[float, ...]] | None
):
    match = event(
        "match-1851", "match", 1851, (ALDER, BIRCH), results=(games(ALDER, BIRCH, marks),),
        completeness="incomplete", missing="Some games.", **known,
    )  # fmt: skip
    winners = winner(match, DATASET)
    told = None if winners is None else ([p.text for p in winners.players], winners.score)
    assert told == won


def test_namesakes_keep_their_whole_names_in_a_crosstable():
    assert split_names(["Lasker, Emanuel", "Lasker, Edward", "Réti", "Birch, Bo"]) == (
        ("Lasker, Emanuel", ""),
        ("Lasker, Edward", ""),
        ("Réti", ""),
        ("Birch", ", Bo"),
    )


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
    (row,) = view_of(soft)["rounds"][0].groups[0].rows
    assert row.expected is not None


def cup(*results: Result, names: tuple[str, ...] = ("Semi-finals", "Final")) -> Event:
    return event("cup-1851", "tournament", 1851, (ALDER, BIRCH, CEDAR, YEW), results=results,
                 rounds=tuple(map(Round, names)), format="Knock-out")  # fmt: skip


def test_a_bracket_leads_to_the_final_and_has_a_place_for_the_others():
    found = bracket(
        cup(
            games(CEDAR, YEW, "01", round=0),
            games(CEDAR, YEW, "=1", round=0, unrated="Rapid games of the tie-break."),
            games(ALDER, BIRCH, "11", round=0),
            games(YEW, BIRCH, "1", round=1),
            games(CEDAR, ALDER, "0=", round=1),
        )
    )
    assert found is not None
    assert [
        (r.name, [(m.players, m.score, m.winner) for m in r.matches]) for r in found.rounds
    ] == [
        (
            "Semi-finals",
            [((CEDAR, YEW), (2.5, 1.5), CEDAR), ((ALDER, BIRCH), (2.0, 0.0), ALDER)],
        ),
        ("Final", [((CEDAR, ALDER), (0.5, 1.5), ALDER)]),
    ]
    assert [(r.name, [m.players for m in r.matches]) for r in found.placing] == [
        ("Final", [(YEW, BIRCH)])
    ]
    assert "Matches for other places" in html_of(
        cup(games(ALDER, BIRCH, "1", round=0), games(CEDAR, YEW, "1", round=0),
            games(ALDER, CEDAR, "1", round=1), games(BIRCH, YEW, "1", round=1))
    )  # fmt: skip


def test_a_tie_break_in_a_round_of_its_own_is_added_to_its_match():
    found = bracket(
        cup(
            games(ALDER, BIRCH, "=", round=0),
            games(CEDAR, YEW, "1", round=0),
            games(BIRCH, ALDER, "0", round=1),
            games(ALDER, CEDAR, "=", round=2),
            names=("Semi-finals", "Play-off", "Final"),
        )
    )
    assert found is not None
    semifinals, final = found.rounds
    assert (semifinals.name, final.name) == ("Semi-finals", "Final")
    assert semifinals.matches[0].players == (BIRCH, ALDER)
    assert semifinals.matches[0].score == (0.5, 1.5)
    assert final.matches[0].winner is None


def test_there_is_no_bracket_without_one_final():
    both = (games(ALDER, BIRCH, "1", round=1), games(CEDAR, YEW, "1", round=1))
    assert bracket(cup(games(ALDER, CEDAR, "=", round=0), *both)) is None
    one = cup(games(ALDER, BIRCH, "1", round=0), games(ALDER, CEDAR, "1", round=1))
    assert bracket(one) is not None
    assert bracket(replace(one, format="Swiss system")) is None
    assert bracket(replace(one, rounds=(), results=())) is None
