"""The most even table of scores with given row sums, within the games that each pair can play."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array

from edo.core.problems import NotConverged

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

EXACT = 1e-13  # [1] how far a row may be from its sum, as a part of the longest row
_NOTHING = 1000.0  # [1] of that, scores below this are set to 0
_STEPS = 200  # [1] tables of history take 5 to 20
_DOUBTFUL = 30  # [1] steps after which a linear program decides whether there is a table at all
_START = 1 / 6  # [1] the price of a point won or lost at which every pair plays part of its room
_DAMPING = 0.1  # [1] of the gap, so that a step is at most 10, also where no pair can move
_FLOOR = 1e-12  # [1] of the room, against the one direction in which prices are free
_ARMIJO = 1e-4  # [1] the usual share of the promised gain that a step must bring
_FEASIBLE, _INFEASIBLE = 0, 2  # the status of scipy's `linprog`; others are failures of the solver
_SHORTEST = 2.0**-40  # [1] shorter steps change nothing


def even_table(ends: Ints, room: Floats, won: Floats, lost: Floats) -> Floats | None:
    """Return the scores of both players of each pair, or None where no table has these sums.

    `ends` (n_pairs, 2) indices of players; `room` (n_pairs,) [games] at most, above 0; `won`,
    `lost` (n_players,) [points] of each row. Returns (n_pairs, 2) [points], the scores x >= 0 of
    the first and the second, with x_1 + x_2 <= room, of which the sum of (x_1^2 + x_2^2) / room is
    least: unique, so it does not depend on the order of the players. Raises NotConverged.

    Source: the dual of this quadratic program, by Newton's method with a line search.
    """
    m, n = len(room), len(won)
    exact = EXACT * max(1.0, float((won + lost).max(initial=0.0)))
    if abs(won.sum() - lost.sum()) > n * exact:
        return None
    if m == 0:
        return None if won.any() or lost.any() else np.zeros((0, 2))
    program = _Program.of(ends, room, np.concatenate([won, lost]))
    prices = np.full(2 * n, _START)
    for taken in range(_STEPS):
        if taken == _DOUBTFUL and not _exists(program):
            return None
        table, slope = _best(program.price(prices), room)
        gap = program.need - program.sums(table)
        if np.abs(gap).max() < exact:
            # what is left of a score that must be 0 would link players who are not linked
            return np.where(table < _NOTHING * exact, 0.0, table)
        curvature = program.curvature(slope)
        damping = _DAMPING * float(np.abs(gap).max()) + _FLOOR * float(room.max())
        step = np.linalg.solve(curvature + damping * np.eye(2 * n), gap).astype(np.float64)
        prices += _length(program, prices, step, gap) * step
    raise NotConverged(f"an even table of {n} players was not found in {_STEPS} steps")


@dataclass(frozen=True, slots=True)
class _Program:
    """The conditions: the `sums` of a table are to be `need`, won and lost of each player.

    `rows` (n_pairs, 2, 2): the two sums that each score of a pair is part of, those of who won it
    and of who lost it; `room` (n_pairs,), `need` (2 n_players,).
    """

    rows: Ints
    room: Floats
    need: Floats

    @classmethod
    def of(cls, ends: Ints, room: Floats, need: Floats) -> _Program:
        """Return the program of pairs whose players are `ends` (n_pairs, 2)."""
        return cls(np.stack([ends, ends[:, ::-1] + len(need) // 2], axis=2), room, need)

    def price(self, prices: Floats) -> Floats:
        """Return what each score (n_pairs, 2) costs at prices for points won and lost."""
        return np.asarray(prices[self.rows].sum(axis=2))

    def sums(self, table: Floats) -> Floats:
        """Return what a table (n_pairs, 2) makes each player, won and lost."""
        return np.asarray(
            np.bincount(self.rows.ravel(), table.repeat(2), len(self.need)), np.float64
        )

    def curvature(self, slope: Floats) -> Floats:
        """Return the derivatives of the sums by the prices, given those of the table."""
        n = len(self.need)
        places = n * self.rows[:, :, :, None, None] + self.rows[:, None, None, :, :]
        values = np.broadcast_to(slope[:, :, None, :, None], places.shape)
        sums = np.bincount(places.ravel(), values.ravel(), n * n)
        return np.asarray(sums, np.float64).reshape(n, n)

    def dual(self, prices: Floats) -> float:
        """Return the value at prices for points won and lost, which the even table maximises."""
        price = self.price(prices)
        table, _ = _best(price, self.room)
        cost = (table**2).sum(axis=1) / self.room / 2
        return float(self.need @ prices - (price * table).sum() + cost.sum())


def _exists(program: _Program) -> bool:
    """Whether any table has these sums: a linear program without an objective.

    Raises NotConverged where the solver cannot say.
    """
    # loading it takes a fifth of a second, and hardly any run needs it
    from scipy.optimize import linprog  # noqa: PLC0415

    m = len(program.room)
    places = program.rows.ravel(), np.arange(4 * m) // 2
    sums = coo_array((np.ones(4 * m), places), shape=(len(program.need), 2 * m)).tocsr()
    both = coo_array((np.ones(2 * m), (np.arange(2 * m) // 2, np.arange(2 * m)))).tocsr()
    answer = linprog(np.zeros(2 * m), both, program.room, sums, program.need)
    if answer.status not in (_FEASIBLE, _INFEASIBLE):
        raise NotConverged(f"whether there is a table with these totals: {answer.message}")
    return bool(answer.status == _FEASIBLE)


def _best(y: Floats, room: Floats) -> tuple[Floats, Floats]:
    """Return the scores at prices `y` (n_pairs, 2), and their derivatives.

    Each pair's prices are projected onto the triangle x >= 0, x_1 + x_2 <= 1; the second array
    (n_pairs, 2, 2) is the derivative, that is which sides of the triangle hold the point.
    """
    inside = np.maximum(y, 0.0)
    on_edge = np.clip(0.5 + (y[:, 0] - y[:, 1]) / 2, 0.0, 1.0)
    full = inside.sum(axis=1) > 1
    x = np.where(full[:, None], np.stack([on_edge, 1 - on_edge], axis=1), inside)
    slope = np.zeros((len(y), 2, 2))
    slope[:, 0, 0], slope[:, 1, 1] = ~full & (y[:, 0] > 0), ~full & (y[:, 1] > 0)
    slope[full & (on_edge > 0) & (on_edge < 1)] = np.array([[0.5, -0.5], [-0.5, 0.5]])
    return room[:, None] * x, room[:, None, None] * slope


def _length(program: _Program, prices: Floats, step: Floats, gap: Floats) -> float:
    """Return the longest step, halved until the dual grows enough; `gap` is the gradient."""
    start, promised, length = program.dual(prices), float(gap @ step), 1.0
    while length > _SHORTEST:
        if program.dual(prices + length * step) - start >= _ARMIJO * length * promised:
            return length
        length /= 2
    return 1.0  # so near the maximum that its value no longer tells; the full step is Newton's
