"""Choosing the number of self-games: measurements by cross-validation and by simulation.

They take minutes, so they are kept in a file, with the hash of the pairings and settings that they
belong to: a page can say whether they are up to date.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Protocol, TypeVar

import numpy as np

from edo.core import json
from edo.core.model import Dataset
from edo.core.scale import Floats
from edo.core.settings import DEFAULT, Settings
from edo.rating.edo import FittedNetwork, run
from edo.rating.pairings import Pairing, all_pairings
from edo.systems.edo import with_settings
from edo.systems.evaluation.cross_validation import (
    Predictions,
    Rate,
    adjusted_ratings,
    held_out,
    joined,
    neighbouring_years,
    random_parts,
    raw_ratings,
    scorable,
)
from edo.systems.evaluation.fingerprint import fingerprint, of_systems
from edo.systems.evaluation.simulation import CareerModel, Outcome, play, refit, step_of, strengths
from edo.systems.evaluation.whole_events import WholeEvents, whole_events
from edo.systems.games import Bools

FILE = "tuning.json"  # in the folder of the texts
REMEDY = "run `python -m edo tune` to make it anew"
Item = TypeVar("Item")
Series = tuple[float, ...]
"""A figure for each number of self-games that was tried."""

SELF_GAMES = (5.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 80.0, 120.0, 200.0, 300.0, 500.0)
PARTS = 10  # a tenth of the pairings, or of the years, is left out at a time
CHECKED = 3  # tenths left out of a simulated history, to check that the test finds its truth
HISTORIES = 5  # simulated of each kind
SEED = 1972
BINS = 10  # of the favourite's expected score, from a half to 1
ONE, TWO = 1.0, 1.96  # [deviations] within which 68.3 % and 95.0 % of a normal distribution lie


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How well pairings were predicted by ratings fitted without them.

    By number of self-games: `log_loss` [nat per game] and `error` [points per game], root mean
    square, of raw ratings; `beyond` is the log loss above that at the settings of the pass and
    `beyond_error` its standard error, clustered by event. `adjusted_...` is of adjusted ratings
    at the settings of the pass.
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
    """The shares of player-years whose true strength lies within 1 and 1.96 deviations."""

    one: Series
    two: Series


@dataclass(frozen=True, slots=True)
class Recovery:
    """How well the pass recovers the true strengths of simulated careers, by self-games.

    `step` [Elo] a year and `bend` define the careers. `error` [Elo] is the root mean square error
    of raw ratings in years with results, `year_error` the same after removing each year's mean
    error; `log_loss` [nat per game] is of pairings held out in one such history; `adjusted_bias`
    [Elo] is the mean by which adjusted ratings exceed the truth, `adjusted_moved` their coverage
    after correcting for it.
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
    """All measurements, and the fingerprint of the pairings and settings that they belong to.

    `self_games` are those tried, ascending, `chosen` among them those of the pass. Raises
    ValueError where they are not, or where a measurement is missing for some of them.
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
    found: tuple[Recovery, ...]
    whole_events: WholeEvents

    def __post_init__(self) -> None:
        tried = self.self_games
        if self.chosen not in tried or tried[0] <= 0 or any(a >= b for a, b in pairwise(tried)):
            raise ValueError("self_games do not ascend from above 0, or lack the chosen one")
        if any(len(series) != len(tried) for series in _series(self)):
            raise ValueError(f"not everything is there for all {len(tried)} numbers of self-games")


def fingerprint_of(pairings: Iterable[Pairing], settings: Settings = DEFAULT) -> str:
    """Return the fingerprint of pairings, in any order, settings, and Edo with these."""
    lines = [repr(settings), *sorted(map(repr, pairings))]
    return fingerprint("\n".join(lines).encode(), of_systems(with_settings(settings)))


def read_tuning(content: Path) -> Tuning | None:
    """Return the last measurements, None where there are none.

    Raises EdoError where the file is not what `tune` writes.
    """
    path = content / FILE
    return load(path) if path.exists() else None


def load(path: Path) -> Tuning:
    """Return the measurement in a file; raises EdoError where it is not what `tune` writes."""
    return json.load(path, Tuning, REMEDY)


def _series(record: object) -> Iterator[Series]:
    """Yield every series by number of self-games in a record and its parts."""
    for field in fields(record):  # type: ignore[arg-type]
        value = getattr(record, field.name)
        if isinstance(value, tuple) and all(isinstance(entry, float) for entry in value):
            yield value
        for part in value if isinstance(value, tuple) else (value,):
            if is_dataclass(part):
                yield from _series(part)


class Watch(Protocol):
    """Passes items on one after the other, showing the progress."""

    def __call__(self, name: str, items: Sequence[Item], /) -> Iterable[Item]:
        """Yield the items."""


@dataclass(frozen=True, slots=True)
class _Case:
    """A fitted history, which of its pairings are scored, and the settings to try."""

    done: FittedNetwork
    scored: Bools
    settings: tuple[Settings, ...]
    watch: Watch


def tune(
    dataset: Dataset,
    watch: Watch,
    settings: Settings = DEFAULT,
    tried: Sequence[float] = SELF_GAMES,
    histories: int = HISTORIES,
) -> Tuning:
    """Measure every number of self-games, that of the settings included; raises as `run` does."""
    done = run(all_pairings(dataset), settings)
    numbers = tuple(sorted({*tried, settings.self_games}))
    chosen = numbers.index(settings.self_games)
    all_settings = tuple(replace(settings, self_games=number) for number in numbers)
    pairings = done.network.pairings
    case = _Case(done, scorable(dataset, pairings), all_settings, watch)
    # after the raw ratings of all settings come the adjusted ones of the pass
    adjusted: Rate = partial(adjusted_ratings, settings=settings)
    ways = (*_raw(all_settings), adjusted)
    held = _held_out(case, pairings, ways, watch("held-out results", range(PARTS)))
    before, after = _neighbours(case, ways)
    return Tuning(
        fingerprint_of(pairings, settings),
        SEED,
        settings.self_games,
        numbers,
        accuracy(held[:-1], held[-1], chosen),
        accuracy(before[:-1], before[-1], chosen),
        accuracy(after[:-1], after[-1], chosen),
        calibration(held[chosen]),
        calibration(held[-1]),
        tuple(_found(case, model, range(histories)) for model in kinds(settings)),
        next(iter(whole_events(done, case.scored, SEED) for _ in watch("whole events", range(1)))),
    )


def kinds(settings: Settings) -> tuple[CareerModel, ...]:
    """Return the kinds of simulated careers: steps as the settings say, half of that, a curve."""
    step = step_of(settings)
    return (
        CareerModel("steps", step),
        CareerModel("small steps", step / 2),
        CareerModel("curves", step / 2, 0.25),
    )


def accuracy(raw: Sequence[Predictions], adjusted: Predictions, chosen: int) -> Accuracy:
    """Return how well the same pairings were predicted by raw ratings at each of several settings.

    `adjusted` are the predictions by adjusted ratings, at the `chosen` settings.
    """
    first = raw[0]
    beyond = [_beyond(one, raw[chosen]) for one in raw]
    return Accuracy(
        len(first.score),
        float(first.games.sum()),
        tuple(one.log_loss() for one in raw),
        tuple(one.error() for one in raw),
        tuple(mean for mean, _ in beyond),
        tuple(error for _, error in beyond),
        adjusted.log_loss(),
        adjusted.error(),
    )


def calibration(found: Predictions) -> tuple[Bin, ...]:
    """Return the scores of favourites by their expected scores; empty bins are left out."""
    is_first = found.expected >= 0.5
    share = np.where(is_first, found.expected, 1 - found.expected)
    score = np.where(is_first, found.score, found.games - found.score)
    number = np.minimum(((share - 0.5) * 2 * BINS).astype(np.int64), BINS - 1)
    return tuple(
        _bin(share[number == k], score[number == k], found.games[number == k])
        for k in range(BINS)
        if np.any(number == k)
    )


def coverage(errors: Sequence[Floats], deviations: Sequence[Floats]) -> Coverage:
    """Return the shares of errors within 1 and 1.96 deviations, for each of several settings."""
    both = list(zip(errors, deviations, strict=True))
    return Coverage(
        *(tuple(float(np.mean(np.abs(e) <= z * d)) for e, d in both) for z in (ONE, TWO))
    )


def _bin(share: Floats, score: Floats, games: Floats) -> Bin:
    total = float(games.sum())
    error = float(np.sqrt(np.sum(np.square(score - games * share)))) / total
    return Bin(
        len(share), total, float(np.sum(games * share)) / total, float(score.sum()) / total, error
    )


def _beyond(one: Predictions, other: Predictions) -> tuple[float, float]:
    """Return by how much the log loss of one is above the other's, and its standard error.

    Results of one event are correlated, so the error is that of sums over events.
    """
    _, event = np.unique(np.array(one.event), return_inverse=True)
    difference = np.bincount(event, one.log_losses() - other.log_losses())
    games = np.bincount(event, one.games)
    mean = difference.sum() / games.sum()
    return float(mean), float(np.sqrt(np.sum((difference - mean * games) ** 2)) / games.sum())


def _raw(settings: Iterable[Settings]) -> tuple[Rate, ...]:
    return tuple(partial(raw_ratings, settings=setting) for setting in settings)


def _held_out(
    case: _Case, pairings: Sequence[Pairing], ways: Sequence[Rate], parts: Iterable[int]
) -> list[Predictions]:
    """Return predictions of all pairings in those parts for each way to rate the others."""
    part = random_parts(case.scored, PARTS, SEED)
    return _joined([held_out(pairings, part == k, rate) for rate in ways] for k in parts)


def _neighbours(case: _Case, ways: Sequence[Rate]) -> tuple[list[Predictions], list[Predictions]]:
    """Return the predictions by the year before and the year after for each way to rate."""
    pairings = case.done.network.pairings
    part = np.array([pairing.year % PARTS for pairing in pairings])
    both = [
        [neighbouring_years(pairings, case.scored, part == k, rate) for rate in ways]
        for k in case.watch("neighbouring years", np.unique(part).tolist())
    ]
    before, after = ([[pair[side] for pair in of_part] for of_part in both] for side in (0, 1))
    return _joined(before), _joined(after)


def _joined(parts: Iterable[Sequence[Predictions]]) -> list[Predictions]:
    return [joined(of_way) for of_way in zip(*parts, strict=True)]


def _found(case: _Case, model: CareerModel, histories: Sequence[int]) -> Recovery:
    """Return how well each of the settings recovers simulated careers of one kind."""
    outcomes: list[list[Outcome]] = []
    net = case.done.network
    for number in case.watch(f"simulated {model.name}", histories):
        rng = np.random.default_rng([SEED, number])
        truth = strengths(case.done, model, rng)
        played = play(net, truth, rng)
        outcomes.append([refit(played, net, truth, setting) for setting in case.settings])
    # the last history also shows whether held-out results would find the truth
    parts = case.watch(f"held-out {model.name}", range(CHECKED))
    checked = _held_out(case, played, _raw(case.settings), parts)
    return _summary(model, list(zip(*outcomes, strict=True)), checked)


def _summary(
    model: CareerModel, outcomes: Sequence[Sequence[Outcome]], checked: Sequence[Predictions]
) -> Recovery:
    """Return the figures of all histories of one kind, their years with results pooled."""

    def pooled(name: str) -> list[Floats]:
        return [np.concatenate([getattr(one, name)[one.played] for one in of]) for of in outcomes]

    raw, adjusted, deviations = pooled("raw_error"), pooled("error"), pooled("deviation")
    within = [np.concatenate([*map(within_years, of_setting)]) for of_setting in outcomes]
    return Recovery(
        model.name,
        model.step,
        model.bend,
        len(outcomes[0]),
        tuple(map(_root_mean_square, raw)),
        tuple(map(_root_mean_square, within)),
        tuple(one.log_loss() for one in checked),
        coverage(raw, pooled("raw_deviation")),
        coverage(adjusted, deviations),
        coverage([errors - errors.mean() for errors in adjusted], deviations),
        tuple(float(errors.mean()) for errors in adjusted),
    )


def within_years(outcome: Outcome) -> Floats:
    """Return the raw errors [Elo] of years with results, each less the mean error of its year."""
    error, year = outcome.raw_error[outcome.played], outcome.year[outcome.played]
    means = np.bincount(year, error) / np.maximum(np.bincount(year), 1)
    return np.asarray(error - means[year])


def _root_mean_square(errors: Floats) -> float:
    return float(np.sqrt(np.mean(np.square(errors))))
