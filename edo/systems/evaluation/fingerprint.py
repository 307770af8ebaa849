"""What measurements belong to: the games, the systems, and what these make of a few games.

Measurements take minutes and are kept in files. A page has to know whether they are up to date. The
code is not hashed, since most edits change no number: each system rates a small made-up history
instead, and a changed formula shows in its ratings.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from edo.core.problems import EdoError
from edo.history.dataset import FINGERPRINT_LENGTH
from edo.rating.games import EVEN, Games, Traits
from edo.systems.base import System, parameters_of

PLAYERS, ROWS, ROWS_A_YEAR, ROWS_AN_EVENT = 12, 240, 24, 8  # enough for a list of Chessmetrics
DECIMALS = 2  # [Elo] of a rating: the last digits of a fit depend on the machine


def fingerprint(*parts: bytes) -> str:
    """Return the hash of the parts."""
    return hashlib.sha256(b"\n".join(parts)).hexdigest()[:FINGERPRINT_LENGTH]


def of_games(games: Games) -> bytes:
    """Return the digest of games in their order, with what is known of the players."""
    traits = games.traits
    traits_known = None if traits is None else (traits.born.tolist(), traits.country)
    digest = hashlib.sha256(
        repr((games.players, games.events, games.odds_kinds, traits_known)).encode()
    )
    for column in games.columns().values():
        digest.update(np.ascontiguousarray(column.astype(np.float64)).tobytes())
    return digest.digest()


def of_systems(systems: Sequence[System]) -> bytes:
    """Return the digest of systems: all parameters that they try, and ratings of `sample_games`."""
    return hashlib.sha256(repr([*_described(systems)]).encode()).digest()


def _described(systems: Sequence[System]) -> Iterator[object]:
    games = sample_games()
    for system in systems:
        yield system.slug, system.direction
        yield [
            (parameter.name, parameter.value, parameter.tried)
            for parameter in parameters_of(system)
        ]
        rate = system.rate
        if isinstance(rate, partial):  # Edo with settings, whose scale rests on a player of theirs
            yield repr(rate.keywords)
            rate = rate.func
        try:
            rated = rate(games, system.parameters)
        except EdoError as refused:
            yield str(refused)
            continue
        for values in (rated.rating, rated.deviation):
            yield (np.round(values, DECIMALS) + 0.0).tolist()  # without a sign of zero


def sample_games() -> Games:
    """Return a made-up history with wins, draws and losses, colours, odds, ages and countries."""
    row, rng = np.arange(ROWS), np.random.default_rng(1)
    first = rng.integers(0, PLAYERS, ROWS)
    second = (first + rng.integers(1, PLAYERS, ROWS)) % PLAYERS
    outcome = rng.integers(0, 3, ROWS)
    year = 1850 + row // ROWS_A_YEAR
    born = np.where(np.arange(PLAYERS) % 5 == 4, np.nan, 1815.0 + 2 * np.arange(PLAYERS))
    return Games(
        players=tuple(f"player-{k:02}" for k in range(PLAYERS)),
        events=tuple(f"event-{k:02}" for k in range(ROWS // ROWS_AN_EVENT)),
        odds_kinds=("pawn-and-move",),
        first=first,
        second=second,
        year=year,
        month=12 * year + 6,
        event=row // ROWS_AN_EVENT,
        pairing=row,
        wins=(outcome == 0).astype(np.float64),
        draws=(outcome == 1).astype(np.float64),
        losses=(outcome == 2).astype(np.float64),
        colour=rng.integers(-1, 2, ROWS).astype(np.float64),
        odds=np.where(row % 29 == 0, 163.0, 0.0),
        odds_kind=np.where(row % 29 == 0, 0, EVEN),
        played=row % 17 > 0,
        basis=np.zeros(ROWS, np.int64),
        soft=np.zeros(ROWS),
        traits=Traits(born, tuple(("ENG", "GER", None)[k % 3] for k in range(PLAYERS))),
    )
