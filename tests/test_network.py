import pytest
from sample_datasets import dataset, event, odds_by, result

from edo.core.problems import DisconnectedNetwork
from edo.core.scale import expected_score
from edo.history.settings import DEFAULT, Settings
from edo.rating import network
from edo.rating.games import games_of, numbered


def build(*events, settings=DEFAULT):
    return network.build(games_of(dataset(*events)), settings)


def comparisons(net):
    c = net.comparisons
    return set(zip(c.i.tolist(), c.j.tolist(), c.score.tolist(), c.games.tolist(), strict=True))


def test_years_without_results_get_a_player_year_and_self_pairings():
    net = build(
        event("x", 1850, result("a", "b", 1, 2)),
        event("y", 1853, result("a", "b", 2, 3)),
    )
    assert net.players == ("a", "b")
    assert net.year.tolist() == [1850, 1851, 1852, 1853] * 2
    assert net.score.tolist() == [1, 0, 0, 2, 1, 0, 0, 1]
    assert net.games.tolist() == [2, 0, 0, 3] * 2
    ties = {(k + 1, k, 15.0, 30.0) for k in (0, 1, 2, 4, 5, 6)}
    assert comparisons(net) == {(0, 4, 1.0, 2.0), (3, 7, 2.0, 3.0)} | ties


def test_the_later_year_takes_the_self_score():
    net = build(
        event("x", 1850, result("a", "b", 1, 2)),
        event("y", 1851, result("a", "b", 1, 2)),
        settings=Settings(self_score=0.51),
    )
    assert (1, 0, pytest.approx(15.3), 30.0) in [tuple(c) for c in sorted(comparisons(net))]


def test_a_ghost_plays_for_the_giver_of_odds():
    net = build(
        event("x", 1850, result("a", "b", 1, 2), result("a", "b", 2, 4, odds=odds_by("a"))),
        event("y", 1850, result("b", "a", 1, 1, odds=odds_by("a"))),
    )
    assert net.comparisons.n == 3  # a, b and one ghost of a for the year and the kind of odds
    tie = next(c for c in comparisons(net) if c[3] == 100)
    assert tie[:2] == (0, 2)
    assert tie[2] == pytest.approx(77.9, abs=0.05)  # method, section 3: 77.9 - 22.1
    assert tie[2] == pytest.approx(100 * expected_score(219))
    assert (2, 1, 2.0, 4.0) in comparisons(net) and (1, 2, 1.0, 1.0) in comparisons(net)
    assert net.games.tolist() == [7, 7] and net.score.tolist() == [3, 4]


def test_players_who_cannot_be_rated_drop_out_with_a_reason():
    core = [result("a", "b", 1, 2), result("b", "c", 1, 2)]
    net = build(
        event(
            "x",
            1850,
            *core,
            result("a", "loser", 2, 2),
            result("winner", "a", 3, 3),
            result("up1", "up2", 1, 2),
            result("up1", "a", 1, 1),
            result("down1", "down2", 1, 2),
            result("a", "down1", 1, 1),
            result("far1", "far2", 1, 2),
            result("side", "loser", 1, 1),
            result("side", "winner", 0, 1),
        )
    )
    assert net.players == ("a", "b", "c")
    assert net.reasons == {
        "loser": network.LOST_ALL,
        "winner": network.WON_ALL,
        "up1": network.ABOVE,
        "up2": network.ABOVE,
        "down1": network.BELOW,
        "down2": network.BELOW,
        "far1": network.UNLINKED,
        "far2": network.UNLINKED,
        "side": network.THROUGH_UNRATED,
    }
    assert len(net.pairings) == 2 and net.games.sum() == 8


def test_dropping_repeats_until_nothing_changes():
    # d lost to a and b, and beat only e, who lost everything
    net = build(
        event(
            "x",
            1850,
            result("a", "b", 1, 2),
            result("b", "c", 1, 2),
            result("a", "d", 1, 1),
            result("d", "e", 2, 2),
        )
    )
    assert net.players == ("a", "b", "c")
    assert net.reasons["d"] == network.BELOW


def test_results_of_different_years_connect_a_player():
    net = build(
        event("x", 1850, result("a", "b", 1, 1)),
        event("y", 1851, result("a", "b", 0, 1)),
    )
    assert net.players == ("a", "b")


def test_years_begin_with_the_first_rated_result():
    net = build(
        event("x", 1846, result("a", "nobody", 2, 2)),
        event("y", 1849, result("a", "b", 1, 2)),
    )
    assert net.year.tolist() == [1849, 1849]


def test_a_history_without_ratable_players_is_refused():
    with pytest.raises(DisconnectedNetwork, match="no two players have points from each other"):
        network.build(numbered([]), DEFAULT)
    with pytest.raises(DisconnectedNetwork):
        build(event("x", 1850, result("a", "b", 2, 2)))


def test_a_reason_tells_how_many_games_were_lost_or_won():
    lost = network.with_number(network.LOST_ALL, 3.0)
    assert lost == "Lost all 3 games that could be rated, so that any rating would be too high."
    won = network.with_number(network.WON_ALL, 1.0)
    assert won == "Won the only game that could be rated, so that any rating would be too low."
    assert network.with_number(network.WON_ALL, 2.0).startswith("Won both games that could be")
    assert network.with_number(network.BELOW, 3.0) == network.BELOW
