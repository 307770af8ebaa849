"""Small datasets of made-up events for tests, and a dense route to a fit's covariances."""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from edo.core.model import Dataset, Event, Odds, OddsKind, Player, Result
from edo.rating.fit.bradley_terry import Fit

EVERYBODY_RANKED = {"ranked_games": 0.0, "ranked_events": 0}
"""Settings under which every rated player takes a rank: small datasets show little evidence."""

PAWN_AND_TWO = OddsKind("pawn-and-two-moves", "pawn and two moves", 219.0)
GAME_OF_PAWNS = OddsKind(
    "game-of-pawns", "game of pawns", None, "games at these odds are not rated"
)


def result(first: str, second: str, score: float, games: float, **more: object) -> Result:
    return Result(first, second, score, games - score, games, **more)  # type: ignore[arg-type]


def odds_by(giver: str, kind: OddsKind = PAWN_AND_TWO) -> Odds:
    return Odds(giver, kind.id)


def event(name: str, year: int, *results: Result, **more: object) -> Event:
    players = tuple(dict.fromkeys(p for r in results for p in (r.first, r.second)))
    fields = {"kind": "tournament", "players": players, "path": f"events/{year}/{name}.yaml"}
    return Event(name, name, year=year, results=results, **{**fields, **more})  # type: ignore[arg-type]


def dataset(*events: Event, players: Iterable[str] = ()) -> Dataset:
    ids = sorted({*players, *(p for e in events for p in e.players)})
    return Dataset(
        MappingProxyType({e.id: e for e in events}),
        MappingProxyType({p: Player(p, p.title()) for p in ids}),
        MappingProxyType({}),
        MappingProxyType({}),
        MappingProxyType({k.id: k for k in (PAWN_AND_TWO, GAME_OF_PAWNS)}),
    )


def covariances(fit: Fit, columns: ArrayLike) -> np.ndarray:
    """Return the covariances (n, k) [nat^2] of all theta with those of k columns."""
    columns = np.asarray(columns)
    chosen = np.zeros((len(fit.theta), len(columns)))
    chosen[columns, np.arange(len(columns))] = 1.0
    return fit.information.solve(chosen)
