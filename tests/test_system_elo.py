"""Elo as FIDE and the USCF apply it: rules at their limits, elote's Elo, and plain loops."""

from __future__ import annotations

import numpy as np
import pytest
from elote_reference import elo_through
from sample_games import history, random_history

from edo.systems import elo
from edo.systems.elo import Fide, State, Uscf, fide_event, rate_fide, rate_uscf
from edo.systems.player_years import period_of


def standing(ratings: list[float], games: float = 100.0) -> State:
    n = len(ratings)
    return State(np.array(ratings), np.full(n, games), np.zeros(n, np.bool_))


def period(score: float, count: float = 1.0):
    """Return the period of a's score against b."""
    return period_of(history([(1900, "a", "b", score, count)]), slice(0, 1))


def test_the_k_of_the_uscf():
    given = np.array([2099.9, 2100, 2399.9, 2400])
    assert elo.uscf_k(given, Uscf()).tolist() == [32, 24, 24, 16]


def test_an_uscf_newcomer_begins_with_his_performance():
    rated = rate_uscf(history([(1900, "a", "b", 3.0, 4.0)]), Uscf(start=2000))
    assert rated.rating.tolist() == [2200, 1800]


def test_fides_k():
    new = fide_event(period(1.0), standing([2000, 2000], games=29), Fide())
    assert new.rating.tolist() == [2020, 1980]
    usual = fide_event(period(1.0), standing([2000, 2000], games=30), Fide())
    assert usual.rating.tolist() == [2010, 1990]
    reached = fide_event(period(1.0), standing([2391, 2391]), Fide())
    assert reached.settled.tolist() == [True, False]
    again = fide_event(period(0.0), reached, Fide())
    assert again.rating[0] == pytest.approx(2401 - 10 * 0.53)
    assert again.settled[0]
    # 40 x 18 is more than 700: K is the largest whole number that keeps to it, 38
    many = fide_event(period(10.0, 18.0), standing([2000, 2000], 0), Fide())
    assert many.rating.tolist() == [2038, 1962]


def test_fides_cap():
    after = fide_event(period(1.0), standing([2300, 1500]), Fide())
    assert after.rating.tolist() == pytest.approx([2300 + 20 * 0.08, 1500 - 20 * 0.08])


def test_a_fide_newcomer():
    # 3 of 4 against 2000 and two imagined draws with 1800: mean 1933.3, 4 of 6 are worth 125
    after = fide_event(period(3.0, 4.0), standing([np.nan, 2000]), Fide(start=1800))
    assert after.rating.tolist() == pytest.approx([1933.333 + 125, 2000], abs=0.001)


def test_fide_newcomers_among_themselves_begin_at_the_start():
    rated = rate_fide(history([(1900, "a", "b", 3.0, 4.0)]), Fide(start=1800))
    assert rated.rating.tolist() == [1840, 1760]


@pytest.mark.parametrize("seed", range(2))
def test_established_players_are_rated_as_elote_rates_them(seed):
    games = random_history(seed, players=20, events=60)
    parameters = Uscf(start=1500.0, provisional=0.0, middle=32.0, high=32.0)
    rated = rate_uscf(games, parameters)
    last = rated.player_years.start[1:] - 1
    expected = elo_through(games, 1500.0, k=32.0)
    np.testing.assert_allclose(rated.rating[last], expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("seed", range(2))
def test_fides_rule_game_by_game(seed):
    """A second route: plain loops over games, one player after the other."""
    games, parameters = random_history(seed, players=9, events=40), Fide(start=2380.0)
    ratings: dict[int, float] = {}
    count = dict.fromkeys(range(9), 0.0)
    settled: set[int] = set()
    for part in games.by_event():
        played: dict[int, list[tuple[int, float]]] = {}
        for k in range(part.start, part.stop):
            one, other, score = int(games.first[k]), int(games.second[k]), games.score[k]
            played.setdefault(one, []).append((other, score))
            played.setdefault(other, []).append((one, 1.0 - score))
        first = {p: newcomer(rows, ratings, parameters.start)
                 for p, rows in played.items() if p not in ratings}  # fmt: skip
        known = ratings | first
        after = {}
        for p, rows in played.items():
            surplus = sum(
                s - elo.capped_score(np.array([known[p] - known[q]]))[0]
                for q, s in rows if (p in first) == (q in first)
            )  # fmt: skip
            k = 10 if p in settled else 40 if count[p] < 30 else 20
            after[p] = known[p] + k * surplus
            count[p] += len(rows)
        ratings |= after
        settled |= {p for p, rating in after.items() if rating >= 2400}
    rated = rate_fide(games, parameters)
    last = rated.player_years.start[1:] - 1
    assert settled
    assert rated.rating[last].tolist() == pytest.approx([ratings[p] for p in range(9)], abs=1e-8)


def newcomer(rows: list[tuple[int, float]], ratings: dict[int, float], start: float) -> float:
    met = [(ratings[q], s) for q, s in rows if q in ratings] + [(start, 0.5)] * 2
    share = sum(s for _, s in met) / len(met)
    worth = elo.fide_difference(np.array([share]))[0]
    return sum(r for r, _ in met) / len(met) + worth
