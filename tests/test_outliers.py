import math
from itertools import combinations

import numpy as np
import pytest
from sample_datasets import dataset, event, odds_by, result
from sample_games import without_event

from edo.core.scale import ELO_PER_NAT, expected_score
from edo.history.settings import Settings
from edo.rating.edo import population, run
from edo.rating.games import games_of
from edo.rating.inference import outliers as module
from edo.rating.inference.joint import condense
from edo.rating.inference.leave_one_out import leave_out_each
from edo.rating.inference.outliers import outliers

MASTERS = {
    "winawer": 2650, "zukertort": 2665, "blackburne": 2600, "mason": 2550, "englisch": 2530,
    "bird": 2470, "noa": 2380, "skipworth": 2250,
}  # fmt: skip
LOCALS = {"zabinski": 2400, "popiel": 2200, "kleczynski": 2180, "talwoszynski": 2150,
          "sienicki": 2120, "heilpern": 2080}  # fmt: skip
ANCHOR = Settings(anchor_player="zukertort", anchor_year=1882, anchor_rating=2665)


def tournament(name, year, strengths, games=2):
    """Return an all-play-all with the expected scores, to the half point."""
    results = []
    for a, b in combinations(sorted(strengths), 2):
        score = round(2 * games * expected_score(strengths[a] - strengths[b])) / 2
        results.append(result(a, b, min(max(score, 0), games), games))
    return event(name, year, *results)


def history(*more):
    masters = [tournament(f"masters-{year}", year, MASTERS, 4) for year in (1881, 1882, 1883, 1885)]
    return dataset(*masters, *more)


def found_in(data, settings=ANCHOR):
    done = run(games_of(data), settings)
    return outliers(done, leave_out_each(done, condense(done)))


def test_a_namesake_is_the_most_surprising_outlier():
    # this Winawer was a weaker brother, and the only connection of the others to the rest
    warsaw = tournament("warsaw-1884", 1884, LOCALS | {"winawer": 2000})
    done = run(games_of(history(warsaw)), ANCHOR)
    assert done.raw[done.node("zabinski", 1884)] > 2900
    found = outliers(done, leave_out_each(done, condense(done)))
    worst = found[0]
    assert (worst.event, worst.player, worst.year) == ("warsaw-1884", "winawer", 1884)
    assert worst.surprise < -3 and "namesake" in worst.causes
    assert worst.games == 12 and worst.score < 4 and worst.expected > 6


def test_a_consistent_history_has_no_outliers():
    warsaw = tournament("warsaw-1884", 1884, LOCALS | {"winawer": 2600})
    assert found_in(history(warsaw)) == ()


def test_a_reversed_score():
    # 2-6 for the stronger player; 6-2 would be as expected
    match = event("match", 1882, result("bird", "zukertort", 6, 8))
    found = {s.player: s for s in found_in(history(match)) if s.event == "match"}
    assert set(found) == {"bird", "zukertort"}
    assert found["bird"].surprise == pytest.approx(-found["zukertort"].surprise)
    assert found["bird"].causes == ("wrong score",)
    # no namesake, for there is one opponent; no odds, for bird is not as weak as that
    assert found["zukertort"].causes == ("wrong score",)


def test_stated_odds_are_not_suggested_as_a_cause():
    level = event("match", 1882, result("skipworth", "zukertort", 7, 12))
    found = [s for s in found_in(history(level)) if s.event == "match"]
    assert any("odds not stated" in s.causes for s in found if s.player == "zukertort")
    # pawn and two moves, 219 points: still unlikely, but not because odds are missing
    given = event(
        "match", 1882, result("skipworth", "zukertort", 11, 12, odds=odds_by("zukertort"))
    )
    found = [s for s in found_in(history(given)) if s.event == "match"]
    assert [s.player for s in found if "odds not stated" in s.causes] == []


@pytest.mark.parametrize(("giver", "worth"), [(None, 0), ("mason", -219), ("bird", 219)])
def test_expected_score_and_deviation_by_hand(monkeypatch, giver, worth):
    monkeypatch.setattr(module, "MIN_SURPRISE", 0.0)
    odds = None if giver is None else odds_by(giver)
    match = event("match", 1882, result("mason", "bird", 3, 6, odds=odds))
    done = run(games_of(history(match)), ANCHOR)
    one = next(one for one in leave_out_each(done, condense(done)) if one.removal.event == "match")
    (s,) = [s for s in outliers(done, [one]) if s.player == "mason"]
    bird, mason = one.nodes.tolist()  # in the order of the players' names
    assert (bird, mason) == (done.node("bird", 1882), done.node("mason", 1882))
    p = expected_score(float(one.mean[1] - one.mean[0]) + worth)
    assert s.expected == pytest.approx(6 * p)
    slope = 6 * p * (1 - p) / ELO_PER_NAT
    of_ratings = slope**2 * (one.covariance[0, 0] + one.covariance[1, 1] - 2 * one.covariance[0, 1])
    assert s.deviation == pytest.approx(math.sqrt(0.5 * 6 * p * (1 - p) + of_ratings))
    assert s.surprise == pytest.approx((3 - s.expected) / s.deviation)


def test_an_unknown_player_has_the_distribution_of_the_others_as_prior():
    match = event("match", 1882, result("mason", "stranger", 3, 6))
    done = run(games_of(history(match)), ANCHOR)
    one = next(one for one in leave_out_each(done, condense(done)) if one.removal.event == "match")
    rest = run(without_event(done.network.pairings, "match"), ANCHOR)
    assert one.known.tolist() == [True, False]
    played = rest.network.games > 0
    mean, spread = population(rest.raw[played], np.square(rest.raw_deviation[played]))
    assert one.mean[1] == pytest.approx(mean, abs=0.5)
    assert one.covariance[1].tolist() == [0.0, pytest.approx(spread**2, rel=0.02)]


DIFFERENCE, ERROR = 400 * math.log10(5), 0.5 * ELO_PER_NAT**2 / (6 * 5 / 36)


@pytest.mark.parametrize(("score", "games", "spread"),
                         [(5, 6, math.sqrt(DIFFERENCE**2 - ERROR) / 2), (3, 6, 50)])  # fmt: skip
def test_the_prior_of_two_known_players_is_not_too_narrow(score, games, spread):
    # half of the difference of the two is their deviation, less their errors, but at least 50
    done = run(
        games_of(dataset(event("alone", 1882, result("zukertort", "bird", score, games)),
                             event("match", 1882, result("bird", "stranger", 3, 6)))),
        ANCHOR,
    )  # fmt: skip
    one = next(one for one in leave_out_each(done, condense(done)) if one.removal.event == "match")
    assert one.known.tolist() == [True, False]
    assert one.covariance[1, 1] == pytest.approx(spread**2)


def test_gap_years_do_not_count_in_the_prior():
    # one of the best players came back after twenty years
    done = run(
        games_of(
            dataset(tournament("masters", 1882, MASTERS, 4),
                    event("return", 1902, result("zukertort", "blackburne", 9, 10)),
                    event("match", 1882, result("mason", "stranger", 3, 6)))
        ),
        ANCHOR,
    )  # fmt: skip
    one = next(one for one in leave_out_each(done, condense(done)) if one.removal.event == "match")
    rest = run(without_event(done.network.pairings, "match"), ANCHOR)
    played = rest.raw[rest.network.games > 0]
    assert len(played) == 10 and abs(rest.raw.mean() - played.mean()) > 20
    assert one.mean[1] == pytest.approx(played.mean(), abs=0.5)


@pytest.mark.parametrize(
    ("score", "games", "expected", "opponents", "at_odds", "known", "causes"),
    [
        (0.5, 4, 2, 2, 0, True, {"namesake"}),  # four games are enough
        (0.5, 3, 1.4, 2, 0, True, set()),
        (0.5, 4, 2, 1, 0, True, set()),  # a namesake has not met one opponent alone
        (0.5, 4, 2, 2, 0, False, set()),  # nor was anything known of him
        (2, 8, 5, 2, 0, False, {"wrong score"}),  # 6 would be one deviation off
        (2, 8, 4.9, 2, 0, False, set()),
        (2, 8, 7.1, 2, 1, False, set()),
        (10, 10, 5, 1, 0, False, {"fixed or casual games"}),
        (0, 10, 5, 1, 0, False, {"fixed or casual games"}),
        (10.5, 10.5, 5, 1, 0, False, set()),
        (10, 10, 5, 2, 0, False, set()),
        (3, 8, 6, 2, 0, False, {"wrong score", "odds not stated"}),
        (3, 8, 6, 2, 1, False, {"wrong score"}),  # odds are stated
        (3, 8, 5.9, 2, 0, False, {"wrong score"}),
        (4, 8, 6.5, 2, 0, False, set()),  # half of the points is not weak
    ],
)
def test_causes_at_their_limits(score, games, expected, opponents, at_odds, known, causes):
    numbers = (score, games, expected, 1.0, opponents, at_odds)
    scores = module._Scores(*(np.array([float(x)]) for x in numbers), np.array([known]))
    assert set(scores.causes(0)) == causes


def test_the_sides_of_a_match_are_in_order_of_name():
    # both are equally surprising; rounding noise must not decide
    match = event("match", 1882, result("bird", "zukertort", 6, 8))
    found = [s.player for s in found_in(history(match)) if s.event == "match"]
    assert found == ["bird", "zukertort"]
