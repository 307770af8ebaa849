"""Invented histories for the tests of rating systems: rows with years in, Games out."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from edo.systems.games import Games

Row = tuple[int, str, str, float, float]


def history(rows: Iterable[Row], *, odds: dict[int, float] | None = None) -> Games:
    """Year, two players, points of the first and games of each row; odds [Elo] by row."""
    rows = sorted(rows, key=lambda row: row[0])
    players = tuple(sorted({name for row in rows for name in row[1:3]}))
    number = {name: k for k, name in enumerate(players)}
    year = np.array([row[0] for row in rows], np.int64)
    score, count = (np.array([row[k] for row in rows], np.float64) for k in (3, 4))
    zeros = np.zeros(len(rows))
    return Games(
        players=players,
        events=("invented",),
        first=np.array([number[row[1]] for row in rows], np.int64),
        second=np.array([number[row[2]] for row in rows], np.int64),
        year=year,
        month=12 * year + 6,
        event=zeros.astype(np.int64),
        pairing=np.arange(len(rows)),
        wins=score,
        draws=zeros,
        losses=count - score,
        colour=zeros,
        odds=np.array([(odds or {}).get(k, 0.0) for k in range(len(rows))]),
        played=np.ones(len(rows), np.bool_),
    )


def random_rows(seed: int, *, players: int = 25, years: int = 12, a_year: int = 60) -> list[Row]:
    """Single games between players of different strength, some of whom miss years."""
    rng = np.random.default_rng(seed)
    strength = rng.normal(0.0, 1.0, players)
    rows: list[Row] = []
    for year in range(1850, 1850 + years):
        present = rng.choice(players, players * 2 // 3, replace=False)
        for _ in range(a_year):
            a, b = (int(k) for k in rng.choice(present, 2, replace=False))
            won = 1 / (1 + np.exp(strength[b] - strength[a]))
            score = float(rng.choice([1.0, 0.5, 0.0], p=[won * 0.7, 0.3, (1 - won) * 0.7]))
            rows.append((year, f"p{a:02}", f"p{b:02}", score, 1.0))
    return rows


def renamed(rows: Iterable[Row]) -> list[Row]:
    """The same with names that sort the other way round."""
    return [(y, f"q{99 - int(a[1:]):02}", f"q{99 - int(b[1:]):02}", s, n) for y, a, b, s, n in rows]


def turned(rows: Iterable[Row]) -> list[Row]:
    """The same, later rows of a year first and players the other way round."""
    return [(y, b, a, n - s, n) for y, a, b, s, n in list(rows)[::-1]]


def by_name(games: Games, values: np.ndarray, careers: object) -> dict[tuple[str, int], float]:
    """Values of player-years by player and year."""
    names = [games.players[k] for k in careers.player]  # type: ignore[attr-defined]
    years = careers.year.tolist()  # type: ignore[attr-defined]
    return dict(zip(zip(names, years, strict=True), values.tolist(), strict=True))
