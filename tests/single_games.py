"""Invented games of a few players for the tests of rating systems, one game a row."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from edo.systems.games import Floats, Games, Ints

NAMES = tuple("abcdefghij")


def games_from(rows: Sequence[tuple[str, str, int, float]], *, events: bool = True) -> Games:
    """Return games given as first, second, year and points of the first; one game an event.

    Without `events` all games of a year are of one event.
    """
    first, second = (np.array([NAMES.index(row[side]) for row in rows]) for side in (0, 1))
    year = np.array([row[2] for row in rows])
    points = np.array([row[3] for row in rows], np.float64)
    of_event = np.arange(len(rows)) if events else year
    return of(first, second, year, points, of_event)


def of(first: Ints, second: Ints, year: Ints, points: Floats, event: Ints) -> Games:
    m = len(first)
    return Games(
        NAMES, tuple(map(str, range(m))), first, second, year, 12 * year, event, np.arange(m),
        (points == 1) * 1.0, (points == 0.5) * 1.0, (points == 0) * 1.0,
        np.zeros(m), np.zeros(m), np.ones(m, np.bool_),
    )  # fmt: skip


def random_games(seed: int, n: int = 6, years: int = 8, m: int = 60) -> Games:
    """Return m games, one an event, of n players in some of the years; about a third is drawn."""
    rng = np.random.default_rng(seed)
    first = rng.integers(0, n, m)
    second = (first + rng.integers(1, n, m)) % n
    year = 1900 + np.sort(rng.integers(0, years, m))
    return of(first, second, year, rng.integers(0, 3, m) / 2, np.arange(m))
