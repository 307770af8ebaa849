"""The file of the contest in; how well each rating system foretells unknown results, out.

Running it takes minutes, so it is kept in a file, with the hash of the games and the systems that
went into it: a page can say whether it still belongs to the history beside it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from edo.core import json
from edo.history.dataset import LENGTH
from edo.systems.evaluation.tuning import Bin
from edo.systems.games import Games
from edo.systems.system import System, parameters_of

FILE = "contest.json"  # in the folder of the texts
REMEDY = "run `python -m edo contest` to make it anew"


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over games, and the interval that holds it in 95 % of histories drawn from this one.

    They are drawn by whole events, for results of one event hang together.
    """

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Choice:
    """The values of a parameter that were best inside what a system was given to know.

    One where there was one such part of the history, else one for each.
    """

    name: str
    unit: str
    default: float
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Against:
    """A system and the reference on all games that these two could foretell: their log losses."""

    games: float
    log_loss: float
    reference: float
    beyond: Mean


@dataclass(frozen=True, slots=True)
class Entry:
    """How well one system foretold the games that all of them could foretell.

    `coverage` is the share of all judged games that it could. `log_loss` [nat per game], `brier`
    [squared points per game]; `..._beyond` is how much that is above the reference's and `behind`
    the log loss above that of the best, with intervals of the differences. `against` is of all
    games that it and the reference could foretell, whether others could or not. `bins` are by
    what the favourites were expected to score.
    """

    slug: str
    name: str
    direction: str
    coverage: float
    log_loss: Mean
    brier: Mean
    log_loss_beyond: Mean
    brier_beyond: Mean
    behind: Mean
    against: Against
    chosen: tuple[Choice, ...]
    bins: tuple[Bin, ...]


@dataclass(frozen=True, slots=True)
class Trial:
    """One of the two tests: what all systems were judged on, and the systems, the best first.

    `judged` games there were, `games` of them could be foretold by every system: those of
    `pairings` pairs of players in `events` events from `first_year` to `last_year`.
    """

    judged: float
    games: float
    pairings: int
    events: int
    first_year: int
    last_year: int
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Time:
    """About how long a system takes to rate the history once [s of a processor]."""

    slug: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Contest:
    """All that was found, and the fingerprint of the games and systems that it is of.

    Pairings were left out in `parts`; expectations were kept `least` away from 0 and 1; intervals
    come from so many `resamples`. In the second test the years from `tuned_from` chose parameters
    and those from `split` judged. `reference` is the slug of the system with which the others are
    compared. Raises ValueError where the reference is not in a test or a system in
    it has no time.
    """

    fingerprint: str
    seed: int
    parts: int
    least: float
    resamples: int
    tuned_from: int
    split: int
    reference: str
    held_out: Trial
    next_year: Trial
    times: tuple[Time, ...]

    def __post_init__(self) -> None:
        timed = {time.slug for time in self.times}
        for test in (self.held_out, self.next_year):
            slugs = {entry.slug for entry in test.entries}
            if self.reference not in slugs or not slugs <= timed:
                raise ValueError("a system lacks a test or a time, or the one compared with does")


def fingerprint_of(games: Games, systems: Sequence[System]) -> str:
    """Return the hash of the games, and of the systems with all that is tried of them."""
    digest = hashlib.sha256(repr((games.players, games.events)).encode())
    for field in fields(games):
        column = getattr(games, field.name)
        if isinstance(column, np.ndarray):
            digest.update(np.ascontiguousarray(column.astype(np.float64)).tobytes())
    for system in systems:
        said = [(one.name, one.value, one.tried) for one in parameters_of(system)]
        digest.update(repr((system.slug, system.direction, said)).encode())
    return digest.hexdigest()[:LENGTH]


def read_contest(content: Path) -> Contest | None:
    """Return what was found last, None where nothing is there.

    Raises EdoError where the file is not what `contest` writes.
    """
    path = content / FILE
    return load(path) if path.exists() else None


def load(path: Path) -> Contest:
    """Return what a file holds; raises EdoError where it is not what `contest` writes."""
    return json.load(path, Contest, REMEDY)
