"""Invented games for the tests of rating systems: White, Black and score in, Games out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from edo.systems.games import Games


def games_from(
    rows: Sequence[tuple[str, str, float]], *, year: int = 1900, colours: bool = True
) -> Games:
    """One game a row in one event; 1, 0.5 or 0 is White's score."""
    players = tuple(sorted({name for row in rows for name in row[:2]}))
    first = np.array([players.index(white) for white, _, _ in rows])
    second = np.array([players.index(black) for _, black, _ in rows])
    score = np.array([s for _, _, s in rows])
    zeros = np.zeros(len(rows), np.int64)
    return Games(
        players=players,
        events=("invented",),
        first=first,
        second=second,
        year=zeros + year,
        month=zeros + 12 * year + 6,
        event=zeros,
        pairing=np.unique(
            np.minimum(first, second) * len(players) + np.maximum(first, second),
            return_inverse=True,
        )[1],
        wins=(score == 1.0).astype(float),
        draws=(score == 0.5).astype(float),
        losses=(score == 0.0).astype(float),
        colour=np.full(len(rows), float(colours)),
        odds=np.zeros(len(rows)),
        played=np.ones(len(rows), np.bool_),
    )
