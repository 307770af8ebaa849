"""How many games of an event are on record, follow from totals, are estimated or missing."""

from __future__ import annotations

import pytest
from sample_datasets import event, result

from edo.core.model import Event, Total
from edo.rating.coverage import (
    SELECTED,
    GamesOnRecord,
    event_unrated,
    games_on_record,
    left_out,
    main_player,
)


def all_play_all(n: int, known: int, **more: object) -> Event:
    """Return a tournament of n players in which the first pairs have played a game."""
    players = tuple("abcdefgh"[:n])
    pairs = [(a, b) for k, a in enumerate(players) for b in players[k + 1 :]][:known]
    results = [result(a, b, 1.0, 1.0) for a, b in pairs]
    return event("e", 1850, *results, **{"players": players, **more})


@pytest.mark.parametrize(
    ("held", "expected"),
    [
        (all_play_all(4, 6), GamesOnRecord(6, 0, 0, 0, None)),
        (
            all_play_all(4, 5, completeness="incomplete", has_crosstable=True),
            GamesOnRecord(5, 0, 0, 1, (5, 6)),
        ),
        (all_play_all(4, 2, completeness="incomplete"), GamesOnRecord(2, 0, 0, None, (2, 6))),
        (all_play_all(2, 1, completeness="unverified"), GamesOnRecord(1, 0, 0, None, None)),
        (
            all_play_all(4, 2, completeness="incomplete", games_per_pair=1.0),
            GamesOnRecord(2, 0, 0, 4, (2, 6)),
        ),
        (
            all_play_all(3, 0, games_per_pair=2.0, totals=tuple(Total(p, 2.0) for p in "abc")),
            GamesOnRecord(0, 6, 0, 0, None),
        ),
        (
            event("e", 1850, result("a", "b", 2.0, 4.0, soft="Even."), kind="match"),
            GamesOnRecord(0, 0, 4, 0, None),
        ),
        (
            all_play_all(
                3, 1, completeness="incomplete",
                totals=(Total("a", 1.0, 2.0), Total("b", 0.0, 2.0), Total("c", 2.0, 2.0)),
            ),
            GamesOnRecord(1, 0, 0, 2, (1, 3)),
        ),
    ],
)  # fmt: skip
def test_games_on_record(held: Event, expected: GamesOnRecord) -> None:
    assert games_on_record(held) == expected


def test_the_rest_of_the_totals_is_known() -> None:
    totals = (Total("a", 1.5), Total("b", 0.5), Total("c", 1.0))
    held = all_play_all(
        3, 1, completeness="incomplete", games_per_pair=1.0, rest="from totals", totals=totals
    )
    found = games_on_record(held)
    assert (found.known, found.by_totals, found.missing, found.played) == (1, 2, 0, 3)


def collected(*pairs: str, **more: object) -> Event:
    """Return an incomplete tournament of four of which a collection has games of these pairs."""
    results = [result(pair[0], pair[1], 1.0, 1.0) for pair in pairs]
    fields = {"players": tuple("abcd"), "completeness": "incomplete", "missing": "games", **more}
    return event("e", 1850, *results, **fields)


@pytest.mark.parametrize(
    ("held", "player", "is_rated"),
    [
        (collected("ab", "ca", "ad"), "a", False),
        (collected("ab", "ca", "ad", totals=(Total("a", 2.0, 3.0),)), "a", True),
        (collected("ab", "ca", "ad", totals=(Total("a", 2.0, 4.0),)), "a", False),
        (collected("ab", "ca", "ad", totals=(Total("b", 0.0, 3.0),)), "a", False),
        (collected("ab", "ca", "ad", "ab", "bc"), "a", False),  # four of five
        (collected("ab", "ca", "ad", "bc"), None, True),  # three of four
        (collected("ab", "ca", "ad", has_crosstable=True), None, True),
        (collected("ab", "ca", "ad", completeness="complete"), None, True),
        (collected("ab", "ca", "ad", kind="team match"), None, True),
        (collected(), None, True),
    ],
)
def test_an_event_known_by_one_players_games(
    held: Event, player: str | None, is_rated: bool
) -> None:
    assert main_player(held) == player
    assert (event_unrated(held) is None) == is_rated
    reasons = {None} if is_rated else {SELECTED}
    assert set(left_out(held, {})) == (reasons if held.results else set())


def test_an_unrated_event_says_why() -> None:
    assert left_out(collected("ab", "ca", unrated="An exhibition."), {}) == ("An exhibition.",) * 2
