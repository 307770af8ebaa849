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
from edo.core.scale import Bools, Floats, Ints
from edo.history.settings import DEFAULT, Settings
from edo.rating.edo import FittedNetwork, run
from edo.rating.games import Games, Pairing, Side, games_of, pairings
from edo.systems.base import System
from edo.systems.edo import with_settings
from edo.systems.evaluation.backtest import Rating, log_losses, predicted_by, random_parts
from edo.systems.evaluation.fingerprint import fingerprint, of_systems
from edo.systems.evaluation.simulation import CareerModel, Outcome, play, refit, step_of, strengths
from edo.systems.evaluation.whole_events import WholeEvents, whole_events
from edo.systems.player_years import PlayerYears

FILE = "tuning.json"  # in the folder of the texts
REMEDY = "run `python -m edo tune` to make it anew"
Item = TypeVar("Item")
Series = tuple[float, ...]
"""A figure for each number of self-games that was tried."""

# [games] tried: around Edwards' 30, near which he found a broad minimum of the error up to 60
SELF_GAMES = (5.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 80.0, 120.0, 200.0, 300.0, 500.0)
PARTS = 10  # a tenth of the pairings, or of the years, is left out at a time
TESTED = 2  # tenths left out in turn: all would take half an hour
CHECKED = 1  # tenth left out of a simulated history, to check that the test finds its truth
HISTORIES = 2  # simulated of each kind
SCATTERED = 3  # a year times it, by its last digit, is of a tenth: so years tested are not together
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

    `self_games` are those tried, ascending, `chosen` among them those of the pass. Of so many
    `parts` of the pairings, and of the years, so many were `tested`. Raises ValueError where the
    numbers do not ascend or lack the chosen one, or where a measurement is missing for some.
    """

    fingerprint: str
    seed: int
    parts: int
    tested: int
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
    lines = [repr(settings), *sorted(map(_line, pairings))]
    return fingerprint("\n".join(lines).encode(), of_systems(with_settings(settings)))


def _line(one: Pairing) -> str:
    """Return the `repr` of a pairing, which takes four times as long to make."""
    first, second = _side(one.first), _side(one.second)
    return (
        f"Pairing(year={one.year!r}, event={one.event!r}, first={first}, second={second}, "
        f"score={one.score!r}, games={one.games!r}, basis={one.basis!r}, soft={one.soft!r})"
    )


def _side(side: Side) -> str:
    points = side.odds_points
    return f"Side(player={side.player!r}, odds={side.odds!r}, odds_points={points!r})"


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
    """A fitted history, which (n_pairings,) of its pairings are scored, and what is tried.

    `ways` are Edo raw at each of the `settings` and, last, Edo adjusted at those of the pass.
    """

    fitted: FittedNetwork
    scored: Bools
    settings: tuple[Settings, ...]
    ways: tuple[System, ...]
    watch: Watch


def tune(
    dataset: Dataset,
    watch: Watch,
    settings: Settings = DEFAULT,
    tried: Sequence[float] = SELF_GAMES,
    extent: tuple[int, int] = (TESTED, HISTORIES),
) -> Tuning:
    """Measure every number of self-games, that of the settings included; raises as `run` does.

    `extent` is how many tenths of the pairings and of the years are tested, and how many histories
    are simulated of each kind.
    """
    tested, histories = extent
    fitted = run(games_of(dataset), settings)
    numbers = tuple(sorted({*tried, settings.self_games}))
    chosen = numbers.index(settings.self_games)
    all_settings = tuple(replace(settings, self_games=number) for number in numbers)
    raw = (with_settings(one_settings)[1] for one_settings in all_settings)
    games = fitted.network.pairings
    scored = scorable(games)
    case = _Case(fitted, scored, all_settings, (*raw, with_settings(settings)[0]), watch)
    held_out = _held_out(case, games, case.ways, watch("held-out results", range(tested)))
    by_year_before, by_year_after = _neighbours(case, tested)
    return Tuning(
        fingerprint_of(pairings(games), settings),
        SEED,
        PARTS,
        tested,
        settings.self_games,
        numbers,
        accuracy(games, held_out, chosen),
        accuracy(games, by_year_before, chosen),
        accuracy(games, by_year_after, chosen),
        calibration(*_known(games, held_out[chosen])),
        calibration(*_known(games, held_out[-1])),
        tuple(_found(case, model, range(histories)) for model in kinds(settings)),
        next(iter(whole_events(fitted, scored, SEED) for _ in watch("whole events", range(1)))),
    )


def scorable(games: Games) -> Bools:
    """Return which (n,) pairings can score predictions: without odds, with a score as played."""
    return np.asarray((games.odds == 0) & games.played)


def kinds(settings: Settings) -> tuple[CareerModel, ...]:
    """Return the kinds of simulated careers: steps as the settings say, half of that, a curve."""
    step = step_of(settings)
    return (
        CareerModel("steps", step),
        CareerModel("small steps", step / 2),
        CareerModel("curves", step / 2, 0.25),
    )


def accuracy(games: Games, expected: Floats, chosen: int) -> Accuracy:
    """Return how well pairings were predicted by raw ratings at each of several settings.

    `expected` (n_settings + 1, n) are the first player's expected scores per game, NaN where there
    are none: by raw ratings, and last by adjusted ratings at the `chosen` settings.
    """
    rows = np.flatnonzero(np.isfinite(expected).all(axis=0))
    games, expected = games.where(rows), expected[:, rows]
    losses = log_losses(games.score, games.count, expected)
    total = float(games.count.sum())
    loss = losses.sum(axis=1) / total
    off = games.score / games.count - expected
    error = np.sqrt(np.square(off) @ games.count / total)
    beyond = [_beyond(games, of_setting - losses[chosen]) for of_setting in losses[:-1]]
    return Accuracy(
        len(games),
        total,
        tuple(loss[:-1].tolist()),
        tuple(error[:-1].tolist()),
        tuple(mean for mean, _ in beyond),
        tuple(error for _, error in beyond),
        float(loss[-1]),
        float(error[-1]),
    )


def calibration(games: Games, expected: Floats) -> tuple[Bin, ...]:
    """Return the scores of favourites by their expected scores; empty bins are left out."""
    is_first = expected >= 0.5
    share = np.where(is_first, expected, 1 - expected)
    score = np.where(is_first, games.score, games.count - games.score)
    number = np.minimum(((share - 0.5) * 2 * BINS).astype(np.int64), BINS - 1)
    return tuple(
        _bin(share[number == k], score[number == k], games.count[number == k])
        for k in range(BINS)
        if np.any(number == k)
    )


def _known(games: Games, expected: Floats) -> tuple[Games, Floats]:
    rows = np.isfinite(expected)
    return games.where(rows), expected[rows]


def coverage(errors: Sequence[Floats], deviations: Sequence[Floats]) -> Coverage:
    """Return the shares of errors within 1 and 1.96 deviations, for each of several settings."""
    pairs = list(zip(errors, deviations, strict=True))
    return Coverage(
        *(tuple(float(np.mean(np.abs(e) <= z * d)) for e, d in pairs) for z in (ONE, TWO))
    )


def _bin(share: Floats, score: Floats, games: Floats) -> Bin:
    total = float(games.sum())
    error = float(np.sqrt(np.sum(np.square(score - games * share)))) / total
    return Bin(
        len(share), total, float(np.sum(games * share)) / total, float(score.sum()) / total, error
    )


def _beyond(games: Games, difference: Floats) -> tuple[float, float]:
    """Return the mean of differences (n,) of log losses [nat per game], and its standard error.

    Results of one event are correlated, so the error is that of sums over events.
    """
    of_event, count = np.bincount(games.event, difference), np.bincount(games.event, games.count)
    mean = of_event.sum() / count.sum()
    return float(mean), float(np.sqrt(np.sum((of_event - mean * count) ** 2)) / count.sum())


def _held_out(case: _Case, games: Games, ways: Sequence[System], parts: Iterable[int]) -> Floats:
    """Return what each way expects (n_ways, n) of the pairings in those parts by all others."""
    part = random_parts(case.scored, PARTS, SEED)
    expected = np.full((len(ways), len(games)), np.nan)
    for number in parts:
        left_out, others = part == number, games.where(part != number)
        for k, system in enumerate(ways):
            rating = Rating(system.rate(others, system.parameters))
            expected[k, left_out] = predicted_by(
                rating, games, left_out, PlayerYears.nodes
            ).expected[left_out]
    return expected


def _neighbours(case: _Case, tested: int) -> tuple[Floats, Floats]:
    """Return what each way expects (n_ways, n) by the year before and by the year after.

    Everything of a tenth of all years is left out at a time, of so many as are `tested`. Only
    scored pairings are predicted, and only those whose two players have a rating in that
    neighbouring year.
    """
    games = case.fitted.network.pairings
    expected = np.full((2, len(case.ways), len(games)), np.nan)
    part = games.year * SCATTERED % PARTS
    for number in case.watch("neighbouring years", np.unique(part[part < tested]).tolist()):
        left_out, others = (part == number) & case.scored, games.where(part != number)
        for k, system in enumerate(case.ways):
            rating = Rating(system.rate(others, system.parameters))
            for side, shift in enumerate((-1, 1)):
                prediction = predicted_by(rating, games, left_out, partial(_near, shift=shift))
                expected[side, k, left_out] = prediction.expected[left_out]
    return expected[0], expected[1]


def _near(player_years: PlayerYears, player: Ints, year: Ints, shift: int) -> Ints:
    """Return the player-years (m,) so many years later, -1 where there are none."""
    return player_years.nodes(player, year + shift)


def _found(case: _Case, model: CareerModel, histories: Sequence[int]) -> Recovery:
    """Return how well each of the settings recovers simulated careers of one kind."""
    outcomes: list[list[Outcome]] = []
    net = case.fitted.network
    for number in case.watch(f"simulated {model.name}", histories):
        rng = np.random.default_rng([SEED, number])
        truth = strengths(case.fitted, model, rng)
        played = play(net, truth, rng)
        outcomes.append([refit(played, net, truth, setting) for setting in case.settings])
    # the last history also shows whether held-out results would find the truth
    parts = case.watch(f"held-out {model.name}", range(CHECKED))
    checked = _held_out(case, played, case.ways[:-1], parts)
    known_rows = np.flatnonzero(np.isfinite(checked).all(axis=0))
    rows, checked = played.where(known_rows), checked[:, known_rows]
    losses = log_losses(rows.score, rows.count, checked).sum(axis=1) / rows.count.sum()
    return _summary(model, list(zip(*outcomes, strict=True)), losses)


def _summary(
    model: CareerModel, outcomes: Sequence[Sequence[Outcome]], log_loss: Floats
) -> Recovery:
    """Return the figures of all histories of one kind, their years with results pooled."""

    def pooled(name: str) -> list[Floats]:
        return [
            np.concatenate([getattr(outcome, name)[outcome.played] for outcome in of_setting])
            for of_setting in outcomes
        ]

    raw, adjusted, deviations = pooled("raw_error"), pooled("error"), pooled("deviation")
    within = [np.concatenate([*map(within_years, of_setting)]) for of_setting in outcomes]
    return Recovery(
        model.name,
        model.step,
        model.bend,
        len(outcomes[0]),
        tuple(map(_root_mean_square, raw)),
        tuple(map(_root_mean_square, within)),
        tuple(log_loss.tolist()),
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
