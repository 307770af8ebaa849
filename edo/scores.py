"""Events in, weighted pairings out: what of an event is rated, and with which score."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two of a pairing: a player and the odds that he gave (None: even play)."""

    player: str
    odds: str | None = None
    odds_points: float | None = None


@dataclass(frozen=True, slots=True)
class Pairing:
    """All rated games of two sides in one event; `score` [points] is the first one's of `games`."""

    year: int
    event: str
    first: Side
    second: Side
    score: float
    games: float
