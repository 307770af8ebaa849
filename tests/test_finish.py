"""Who won an event, and who finished where."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
import sample_datasets
from sample_datasets import result

from edo.core.model import Event, Round, Total
from edo.history.final_table import final_points, in_order
from edo.rating.finish import finish, place_text

TOTALS = tuple(
    Total(player, points) for player, points in zip("abcd", (2.0, 1.5, 1.5, 1.0), strict=True)
)


def table(**more: Any) -> Event:
    """Return an all-play-all of a (2 points), b and c (1½ each) and d (1)."""
    scores = {"ab": 0.5, "ac": 0.5, "ad": 1, "bc": 0.5, "bd": 0.5, "cd": 0.5}
    results = [result(a, b, scores[a + b], 1) for a, b in combinations("abcd", 2)]
    return replace(sample_datasets.event("cup", 1850, *results), kind="tournament", **more)


def places(event: Event) -> dict[str, str | None]:
    """Return the place of each player in words."""
    found = finish(event, {})
    return {player: place_text(found, event, player) for player in event.players}


def test_places_go_by_points_and_equals_share_them():
    assert places(table()) == {"a": "1 of 4", "b": "2–3 of 4", "c": "2–3 of 4", "d": "4 of 4"}
    found = finish(table(), {})
    assert found is not None and (found.winners, found.score) == (("a",), (2.0,))


def test_a_winner_by_tie_break_stands_before_those_of_the_same_points():
    tied = table(totals=tuple(replace(total, points=1.5) for total in TOTALS), winner="c")
    assert places(tied) == {"c": "1 of 4", "a": "2–4 of 4", "b": "2–4 of 4", "d": "2–4 of 4"}
    assert in_order(tied) == ("c", "a", "b", "d")
    found = finish(replace(tied, winner=None), {})
    assert found is not None and found.winners == ("a", "b", "c", "d")


@pytest.mark.parametrize(
    ("known", "decides"),
    [
        ({"completeness": "incomplete"}, False),
        ({"completeness": "incomplete", "rest": "from totals", "totals": TOTALS}, True),
        ({"completeness": "incomplete", "rest": "best guess", "totals": TOTALS}, False),
        ({"completeness": "incomplete", "totals": TOTALS}, False),
        ({"ranked_by": "matches won"}, False),
        ({"unknown_games": frozenset({frozenset("ab")})}, False),
        ({"draws_not_scored": True}, False),
        ({"draws_not_scored": True, "totals": TOTALS}, True),
        ({"rounds": (Round("1"), Round("2")), "format": "Swiss system"}, True),
        ({"rounds": (Round("1"), Round("2")), "format": "Two stages"}, False),
    ],
)
def test_the_final_table_is_known_by_all_results_or_by_all_totals(
    known: dict[str, Any], decides: bool
):
    assert (final_points(table(**known)) is not None) == decides


def test_points_decide_only_where_everybody_met_everybody():
    event = table()
    assert final_points(replace(event, results=event.results[:-1])) is None
    # A withdrawal that does not count leaves the table of the others, without the one who left.
    gone = tuple(
        replace(one, uncounted="d withdrew") if one.second == "d" else one for one in event.results
    )
    assert final_points(replace(event, results=gone)) == {"a": 1.0, "b": 1.0, "c": 1.0}
    assert places(replace(event, results=gone))["d"] is None


def test_of_a_knock_out_the_places_of_the_finalists_are_known():
    rounds = (Round("Semi-finals"), Round("Final"))
    games = [result("a", "b", 2, 3, round=0), result("c", "d", 2, 3, round=0),
             result("c", "a", 2, 3, round=1)]  # fmt: skip
    cup = replace(sample_datasets.event("cup", 1850, *games, rounds=rounds), kind="tournament")
    assert places(cup) == {"a": "2 of 4", "b": None, "c": "1 of 4", "d": None}
    # Without all games nobody knows how many there were.
    assert places(replace(cup, completeness="incomplete")) == {
        "a": "2", "b": None, "c": "1", "d": None
    }  # fmt: skip


@pytest.mark.parametrize(
    ("points", "known", "words"),
    [
        (3, {}, ("won", "lost")),
        (2, {}, ("drawn", "drawn")),
        (3, {"completeness": "unverified"}, (None, None)),
        (1, {"completeness": "unverified", "winner": "a"}, ("won", "lost")),
    ],
)
def test_a_match_is_won_drawn_or_lost(
    points: float, known: dict[str, Any], words: tuple[str | None, ...]
):
    match = replace(
        sample_datasets.event("m", 1850, result("a", "b", points, 4)), kind="match", **known
    )
    assert tuple(places(match).values()) == words
