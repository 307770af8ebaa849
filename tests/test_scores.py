import pytest
from sample_datasets import GAME_OF_PAWNS, PAWN_AND_TWO, event, odds_by, result

from edo.core.model import Mark, Total
from edo.history.unknown_games import is_totals_only
from edo.rating import coverage as scores
from edo.rating.games import Pairing, Side, pairings_of

ODDS = {kind.id: kind for kind in (PAWN_AND_TWO, GAME_OF_PAWNS)}


def pairings(e):
    return pairings_of(e, ODDS)


def test_games_of_a_pair_become_one_pairing():
    e = event("e", 1850, result("a", "b", 1.5, 2), result("b", "a", 1, 1), result("a", "c", 0, 1))
    assert pairings(e) == (
        Pairing(1850, "e", Side("a"), Side("b"), 1.5, 3),
        Pairing(1850, "e", Side("a"), Side("c"), 0, 1),
    )


def test_games_at_odds_are_a_pairing_of_their_own():
    e = event("e", 1850, result("a", "b", 1, 2), result("b", "a", 1, 3, odds=odds_by("a")))
    giver = Side("a", "pawn-and-two-moves", 219.0)
    assert pairings(e)[1] == Pairing(1850, "e", Side("b"), giver, 1, 3)


def test_defaults_exclusions_and_unrated_odds_are_not_rated():
    e = event(
        "e",
        1850,
        result("a", "b", 1, 1, default="won by default"),
        result("a", "b", 1, 1, unrated="a fixed game"),
        result("a", "b", 1, 1, odds=odds_by("a", GAME_OF_PAWNS)),
        result("a", "b", 1, 1, soft="only the outcome is known"),
    )
    assert [p.games for p in pairings(e)] == [1]
    assert pairings(event("e", 1850, result("a", "b", 1, 1), unrated="odds unknown")) == ()


def test_totals_alone_are_spread_by_the_formula():
    points = {"a": 2.5, "b": 1.5, "c": 1.0, "d": 1.0}
    totals = tuple(Total(player, x) for player, x in points.items())
    e = event("e", 1850, players=tuple(points), totals=totals, games_per_pair=1)
    assert is_totals_only(e)
    got = {(p.first.player, p.second.player): p.score for p in pairings(e)}
    assert len(got) == 6
    for (x, y), score in got.items():  # n/2 + (T_i - T_j)/P of method.md, section 2
        assert score == pytest.approx(0.5 + (points[x] - points[y]) / 4)


def test_the_reason_is_the_one_given_by_the_editor():
    r = result("a", "b", 1, 1, unrated="a fixed game")
    assert scores.unrated_reason(r, {}) == "a fixed game"


@pytest.mark.parametrize(
    ("played", "tally"),
    [
        (result("a", "b", 8, 11, draws=2.0), (7, 2, 2)),
        (result("a", "b", 8, 11), None),
        (result("a", "b", 3, 3), (3, 0, 0)),
        (result("a", "b", 0, 2), (0, 0, 2)),
        (result("a", "b", 0.5, 1), (0, 1, 0)),
        (result("a", "b", 1, 1, soft="only the outcome is known"), None),
        (result("a", "b", 1.5, 2, marks=(Mark("1"), Mark("="))), (1, 1, 0)),
    ],
)
def test_wins_draws_and_losses_are_counted_only_where_known(played, tally):
    assert played.tally == tally
