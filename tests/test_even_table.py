"""The most even table with given sums: closed forms, a second route, and sums that cannot be."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from edo.history.even_table import even_table


def pairs(players: int) -> np.ndarray:
    return np.array(list(combinations(range(players), 2)), np.int64).reshape(-1, 2)


def sums(ends: np.ndarray, table: np.ndarray, players: int) -> tuple[np.ndarray, np.ndarray]:
    won = np.zeros(players)
    lost = np.zeros(players)
    for (i, j), (x, y) in zip(ends, table, strict=True):
        won[i], lost[j], won[j], lost[i] = won[i] + x, lost[j] + x, won[j] + y, lost[i] + y
    return won, lost


def test_equal_players_share_alike():
    # four players with one game each of three open pairs, each with half a point
    table = even_table(pairs(4), np.ones(6), np.full(4, 0.5), np.full(4, 0.5))
    assert table == pytest.approx(np.full((6, 2), 1 / 6))


def test_a_full_table_is_the_formula_of_totals():
    totals = np.array([2.5, 1.5, 1, 1])
    table = even_table(pairs(4), np.ones(6), totals, 3 - totals)
    assert table is not None
    expected = [0.5 + (totals[i] - totals[j]) / 4 for i, j in pairs(4)]
    assert table[:, 0] == pytest.approx(expected)
    assert table.sum(axis=1) == pytest.approx(np.ones(6))


def test_what_must_be_is_exactly_so():
    # the first won both his games, the others drew: nothing is left to spread
    table = even_table(pairs(3), np.ones(3), np.array([2, 0.5, 0.5]), np.array([0, 1.5, 1.5]))
    assert table is not None
    assert table.tolist() == [[1, 0], [1, 0], [pytest.approx(0.5), pytest.approx(0.5)]]


@pytest.mark.parametrize(
    ("won", "lost"),
    [
        ([1, 0], [0, 0]),  # points that nobody lost
        ([1.5, 0], [0, 1.5]),  # more than the room
        ([0, 0, 3, 3], [3, 3, 0, 0]),  # the two last would both have won against each other
    ],
)
def test_sums_that_cannot_be(won, lost):
    n = len(won)
    ends = pairs(n)
    assert even_table(ends, np.ones(len(ends)), np.array(won, float), np.array(lost, float)) is None


def test_without_pairs_nothing_can_be_left():
    none = np.zeros((0, 2), np.int64)
    assert even_table(none, np.zeros(0), np.zeros(2), np.zeros(2)).shape == (0, 2)
    assert even_table(none, np.zeros(0), np.array([1.0, 0]), np.array([0, 1.0])) is None


@st.composite
def tables(draw):
    """Open pairs of some players and a table of halves that fits into them."""
    players = draw(st.integers(2, 6))
    ends = np.array([p for p in pairs(players) if draw(st.integers(0, 3))], np.int64).reshape(-1, 2)
    room = np.array([draw(st.integers(1, 3)) for _ in ends], float)
    rows = []
    for most in room:
        games = draw(st.integers(0, int(2 * most)))
        first = draw(st.integers(0, games))
        rows.append((first / 2, (games - first) / 2))
    return players, ends, room, np.array(rows, float).reshape(-1, 2)


@settings(max_examples=60, deadline=None)
@given(tables())
def test_sums_are_kept_within_the_room_and_no_table_is_more_even(drawn):
    players, ends, room, other = drawn
    won, lost = sums(ends, other, players)
    table = even_table(ends, room, won, lost)
    assert table is not None
    assert np.concatenate(sums(ends, table, players)) == pytest.approx(
        np.concatenate([won, lost]), abs=1e-10
    )
    assert (table >= 0).all()
    assert (table.sum(axis=1) <= room + 1e-10).all()
    assert (table**2 / room[:, None]).sum() <= (other**2 / room[:, None]).sum() + 1e-9


def test_agrees_with_a_general_minimiser():
    ends, room = pairs(4), np.array([1, 2, 2, 1, 2, 1.0])
    known = np.array([[1, 0], [0.5, 1], [1, 0], [0, 1], [1, 1], [0, 0.5]])
    won, lost = sums(ends, known, 4)
    table = even_table(ends, room, won, lost)
    assert table is not None

    def gap(x):
        made = sums(ends, x.reshape(-1, 2), 4)
        return np.concatenate([made[0] - won, (made[1] - lost)[:-1]])  # the last follows

    found = minimize(
        lambda x: float((x.reshape(-1, 2) ** 2 / room[:, None]).sum()),
        known.ravel(),
        method="SLSQP",
        bounds=[(0, None)] * 12,
        constraints=[
            {"type": "eq", "fun": gap},
            {"type": "ineq", "fun": lambda x: room - x.reshape(-1, 2).sum(axis=1)},
        ],
        options={"ftol": 1e-14, "maxiter": 500},
    )
    assert table.ravel() == pytest.approx(found.x, abs=1e-5)
