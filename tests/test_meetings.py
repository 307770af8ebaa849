"""What two players scored against each other in an event, seen from both sides."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sample_history import ALDER, BIRCH, CEDAR, DATASET, RATINGS, event, games

from edo.core import formats
from edo.core.model import Event, Odds, Result, Total
from edo.rating.meetings import Meeting, meetings, rated_score, tally

MATCH = event(
    "match-1851",
    "match",
    1851,
    (ALDER, BIRCH),
    results=(
        games(ALDER, BIRCH, "11="),
        games(BIRCH, ALDER, "1"),
        Result(ALDER, BIRCH, 1.5, 2.5, 4.0, odds=Odds(ALDER, "pawn-and-move")),
        games(ALDER, BIRCH, "+", default="Birch fell ill."),
        games(ALDER, BIRCH, "0", unrated="Blindfold."),
    ),
)


def met(player: str, opponent: str, at: Event = MATCH) -> Meeting:
    return meetings(at, DATASET.odds)[player][opponent]


@pytest.mark.parametrize(("text", "seen"), [("1=0", "0 ½ 1"), ("+", "−")])
def test_the_second_named_sees_games_mirrored(text: str, seen: str):
    reason = "won by default" if text == "+" else None
    at = replace(MATCH, results=(games(ALDER, BIRCH, text, default=reason),))
    (result,) = met(BIRCH, ALDER, at).results
    assert " ".join(map(formats.mark, result.marks)) == seen


def test_a_game_that_both_forfeited_is_lost_from_both_sides():
    forfeited = replace(games(ALDER, BIRCH, "-", default="Nobody came."), points_second=0.0)
    at = replace(MATCH, results=(forfeited,))
    for player, opponent in ((ALDER, BIRCH), (BIRCH, ALDER)):
        meeting = met(player, opponent, at)
        assert meeting.score == (0.0, 0.0) and meeting.known_games == 1.0
        assert formats.mark(meeting.results[0].marks[0]) == "−"


def test_both_sides_have_the_same_games_with_the_points_exchanged():
    first, second = met(ALDER, BIRCH), met(BIRCH, ALDER)
    assert first.score == second.score[::-1] == (5.0, 5.0)
    assert first.known_games == second.known_games == first.games == 10.0
    assert [result.place for result in first.results] == [0, 1, 2, 3, 4]
    assert [result.odds for result in first.results] == [None, None, "gave", None, None]
    assert [result.odds for result in second.results] == [None, None, "received", None, None]
    assert [result.kinds for result in first.results] == [
        (), (), ("odds",), ("default",), ("unrated",),
    ]  # fmt: skip
    assert first.part({1, 3}).score == (1.0, 1.0)


def test_a_tally_leaves_out_what_is_not_rated_and_counts_it_apart():
    both = tally([met(ALDER, BIRCH)]), tally([met(BIRCH, ALDER)])
    assert [(score.points, score.games) for score in both] == [(4.0, 8.0), (4.0, 8.0)]
    assert both[0].won is None  # of four games only the common score is known
    assert (both[0].by_default, both[0].unrated, both[0].kinds) == (1.0, 1.0, ("odds",))
    single = met(BIRCH, ALDER).part({0, 1})
    alone = tally([single])
    assert (alone.won, alone.drawn, alone.lost) == (1.0, 1.0, 2.0)
    twice = tally([single, single])
    assert (twice.won, twice.points, twice.games) == (2.0, 3.0, 8.0)


def test_expected_scores_of_both_add_up_to_the_games():
    first = rated_score(met(ALDER, BIRCH).results, RATINGS)
    second = rated_score(met(BIRCH, ALDER).results, RATINGS)
    assert first is not None and second is not None
    assert (first.points, first.games) == (4.0, 8.0)
    assert first.expected + second.expected == pytest.approx(8.0)
    # 2100 against 2000 in 1851: 4 games at even play, 4 at odds of pawn and move (163 points).
    assert first.expected == pytest.approx(
        4 / (1 + 10 ** (-100 / 400)) + 4 / (1 + 10 ** (63 / 400))
    )
    assert rated_score(met(ALDER, BIRCH).part({3, 4}).results, RATINGS) is None


def test_what_totals_give_stands_beside_the_known_results():
    players = (ALDER, BIRCH, CEDAR)
    at = event(
        "whole-1851", "tournament", 1851, players, completeness="incomplete",
        missing="The games of Čedar.", results=(games(ALDER, BIRCH, "1"),), games_per_pair=1,
        rest="from totals", totals=tuple(map(Total, players, (1.5, 1.0, 0.5))),
    )  # fmt: skip
    cedar = met(CEDAR, BIRCH, at)
    assert cedar.deduced is not None and (cedar.deduced.points, cedar.games) == (0.0, 1.0)
    alder = meetings(at, DATASET.odds)[ALDER]
    assert alder[BIRCH].deduced is None and alder[CEDAR].results == ()
    assert tally(alder.values()).from_totals == 1.0
