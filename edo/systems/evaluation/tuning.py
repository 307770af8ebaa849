"""The file of what `tune` measured in; how well each number of self-games does, out.

Measuring takes minutes, so it is kept in a file, with the hash of the pairings and settings that
went into it: a page can say whether it still belongs to the ratings beside it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from itertools import pairwise
from pathlib import Path

from edo.core import json
from edo.core.settings import DEFAULT, Settings
from edo.history.dataset import LENGTH
from edo.rating.pairings import Pairing

FILE = "tuning.json"  # in the folder of the texts
Series = tuple[float, ...]
"""A figure for each number of self-games that was tried."""

REMEDY = "run `python -m edo tune` to make it anew"


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How well pairings were foretold by ratings that did not know of them.

    By number of self-games: `log_loss` [nat per game] and `error` [points per game], root mean
    square, of raw ratings; `beyond` is the log loss beyond that at the settings of the pass and
    `beyond_error` its standard error, by whole events. `adjusted_...` is of adjusted ratings at
    the settings of the pass.
    """

    pairings: int
    games: float
    log_loss: Series
    error: Series
    beyond: Series
    beyond_error: Series
    adjusted_log_loss: float
    adjusted_error: float


@dataclass(frozen=True, slots=True)
class Bin:
    """Held-out pairings whose favourite was expected to score about the same share.

    `expected`, `actual` [points per game] with the standard error of the difference.
    """

    pairings: int
    games: float
    expected: float
    actual: float
    standard_error: float


@dataclass(frozen=True, slots=True)
class Coverage:
    """The shares of player-years whose truth lies within 1 and 1.96 deviations, by self-games."""

    one: Series
    two: Series


@dataclass(frozen=True, slots=True)
class Found:
    """How the pass found the known truth of invented careers, by number of self-games.

    `step` [Elo] a year and `bend` made the careers. `error` [Elo] of raw ratings in years with
    results, root mean square; `year_error` once each year is moved as a whole to its truth;
    `log_loss` [nat per game] of pairings held out in one such history; `adjusted_bias` [Elo] is
    the mean by which adjusted ratings exceed the truth, `adjusted_moved` their coverage once all
    are moved by it.
    """

    name: str
    step: float
    bend: float
    histories: int
    error: Series
    year_error: Series
    log_loss: Series
    raw: Coverage
    adjusted: Coverage
    adjusted_moved: Coverage
    adjusted_bias: Series


@dataclass(frozen=True, slots=True)
class Tuning:
    """All that was measured, and the fingerprint of the pairings and settings that it is of.

    `self_games` are those tried, ascending, `chosen` among them those of the pass. Raises
    ValueError where they are not, or where something was not measured for each.
    """

    fingerprint: str
    seed: int
    chosen: float
    self_games: Series
    held_out: Accuracy
    year_before: Accuracy
    year_after: Accuracy
    calibration: tuple[Bin, ...]
    adjusted_calibration: tuple[Bin, ...]
    found: tuple[Found, ...]

    def __post_init__(self) -> None:
        tried = self.self_games
        if self.chosen not in tried or tried[0] <= 0 or any(a >= b for a, b in pairwise(tried)):
            raise ValueError("self_games do not ascend from above 0, or lack the chosen one")
        if any(len(series) != len(tried) for series in _series(self)):
            raise ValueError(f"not everything is there for all {len(tried)} numbers of self-games")


def fingerprint_of(pairings: Iterable[Pairing], settings: Settings = DEFAULT) -> str:
    """Return the hash of pairings, in any order, and settings."""
    lines = [repr(settings), *sorted(map(repr, pairings))]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:LENGTH]


def read_tuning(content: Path) -> Tuning | None:
    """Return what was measured last, None where nothing is there.

    Raises EdoError where the file is not what `tune` writes.
    """
    path = content / FILE
    return json.load(path, Tuning, REMEDY) if path.exists() else None


def _series(record: object) -> Iterator[Series]:
    """Yield every series by number of self-games in a record and those inside it."""
    for field in fields(record):  # type: ignore[arg-type]
        value = getattr(record, field.name)
        if field.type == "Series":
            yield value
        for part in value if isinstance(value, tuple) else (value,):
            if is_dataclass(part):
                yield from _series(part)
