"""A dataset in; what results left out and invented careers say of numbers of self-games, out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from edo.core.model import Dataset
from edo.core.scale import Floats
from edo.core.settings import DEFAULT, Settings
from edo.rating.edo import Pass, run
from edo.rating.pairings import Pairing, all_pairings
from edo.systems.evaluation.prediction import (
    Fitted,
    Forecast,
    adjusted_ratings,
    held_out,
    joined,
    judged,
    neighbouring_years,
    random_parts,
    raw_ratings,
)
from edo.systems.evaluation.simulation import Careers, Outcome, play, refit, step_of, strengths
from edo.systems.evaluation.tuning import Accuracy, Bin, Coverage, Found, Tuning, fingerprint_of

Item = TypeVar("Item")
Bools = NDArray[np.bool_]
Rate = Callable[[Sequence[Pairing]], Fitted]

SELF_GAMES = (5.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 80.0, 120.0, 200.0, 300.0, 500.0)
PARTS = 10  # a tenth of the pairings, or of the years, is left out at a time
CHECKED = 3  # tenths left out of an invented history, to see whether the test finds its truth
HISTORIES = 5  # invented of each kind
SEED = 1972
BINS = 10  # of the favourite's expected score, from a half to 1
ONE, TWO = 1.0, 1.96  # [deviations] within which 68.3 % and 95.0 % of a normal distribution lie


class Watch(Protocol):
    """Passes items on one after the other, showing how far it is."""

    def __call__(self, name: str, items: Sequence[Item], /) -> Iterable[Item]:
        """Yield the items."""


@dataclass(frozen=True, slots=True)
class _Case:
    """What is tried: a fitted history, which of its pairings can judge, and the settings."""

    done: Pass
    judging: Bools
    settings: tuple[Settings, ...]
    watch: Watch


def tune(
    dataset: Dataset,
    watch: Watch,
    settings: Settings = DEFAULT,
    tried: Sequence[float] = SELF_GAMES,
    histories: int = HISTORIES,
) -> Tuning:
    """Try every number of self-games, that of the settings among them; raises what `run` raises."""
    done = run(all_pairings(dataset), settings)
    numbers = tuple(sorted({*tried, settings.self_games}))
    chosen = numbers.index(settings.self_games)
    all_settings = tuple(replace(settings, self_games=number) for number in numbers)
    pairings = done.network.pairings
    case = _Case(done, judged(dataset, pairings), all_settings, watch)
    # behind the raw ratings of all settings come the adjusted ones of the pass
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
        tuple(_found(case, careers, range(histories)) for careers in kinds(settings)),
    )


def kinds(settings: Settings) -> tuple[Careers, ...]:
    """Return the kinds of invented careers: steps as the settings say, half of that, a curve."""
    step = step_of(settings)
    return (
        Careers("steps", step),
        Careers("small steps", step / 2),
        Careers("curves", step / 2, 0.25),
    )


def accuracy(forecasts: Sequence[Forecast], adjusted: Forecast, chosen: int) -> Accuracy:
    """Return how well the same pairings were foretold by raw ratings of each of several settings.

    `adjusted` is the forecast by adjusted ratings, at the `chosen` settings.
    """
    first = forecasts[0]
    beyond = [_beyond(forecast, forecasts[chosen]) for forecast in forecasts]
    return Accuracy(
        len(first.score),
        float(first.games.sum()),
        tuple(forecast.log_loss() for forecast in forecasts),
        tuple(forecast.error() for forecast in forecasts),
        tuple(mean for mean, _ in beyond),
        tuple(error for _, error in beyond),
        adjusted.log_loss(),
        adjusted.error(),
    )


def calibration(forecast: Forecast) -> tuple[Bin, ...]:
    """Return what favourites scored, by what they were expected to; empty bins are left out."""
    is_first = forecast.expected >= 0.5
    share = np.where(is_first, forecast.expected, 1 - forecast.expected)
    score = np.where(is_first, forecast.score, forecast.games - forecast.score)
    number = np.minimum(((share - 0.5) * 2 * BINS).astype(np.int64), BINS - 1)
    return tuple(
        _bin(share[number == k], score[number == k], forecast.games[number == k])
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


def _beyond(one: Forecast, other: Forecast) -> tuple[float, float]:
    """Return by how much the log loss of one is above the other's, and its standard error.

    Results of one event hang together, so the error is that of sums over events.
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
) -> list[Forecast]:
    """Return a forecast of all pairings in those parts for each way to rate the others."""
    part = random_parts(case.judging, PARTS, SEED)
    return _joined([held_out(pairings, part == k, rate) for rate in ways] for k in parts)


def _neighbours(case: _Case, ways: Sequence[Rate]) -> tuple[list[Forecast], list[Forecast]]:
    """Return the forecasts from the year before and the year after for each way to rate."""
    pairings = case.done.network.pairings
    part = np.array([pairing.year % PARTS for pairing in pairings])
    both = [
        [neighbouring_years(pairings, case.judging, part == k, rate) for rate in ways]
        for k in case.watch("neighbouring years", np.unique(part).tolist())
    ]
    before, after = ([[pair[side] for pair in of_part] for of_part in both] for side in (0, 1))
    return _joined(before), _joined(after)


def _joined(parts: Iterable[Sequence[Forecast]]) -> list[Forecast]:
    return [joined(of_way) for of_way in zip(*parts, strict=True)]


def _found(case: _Case, careers: Careers, histories: Sequence[int]) -> Found:
    """Return how each of the settings finds invented careers of one kind."""
    outcomes: list[list[Outcome]] = []
    net = case.done.network
    for number in case.watch(f"invented {careers.name}", histories):
        rng = np.random.default_rng([SEED, number])
        truth = strengths(case.done, careers, rng)
        played = play(net, truth, rng)
        outcomes.append([refit(played, net, truth, setting) for setting in case.settings])
    # the scores of the last history serve to see whether held-out results would find the truth
    parts = case.watch(f"held-out {careers.name}", range(CHECKED))
    checked = _held_out(case, played, _raw(case.settings), parts)
    return _summed_up(careers, list(zip(*outcomes, strict=True)), checked)


def _summed_up(
    careers: Careers, outcomes: Sequence[Sequence[Outcome]], checked: Sequence[Forecast]
) -> Found:
    """Return the figures of all histories of one kind, their years with results taken together."""
    raw = [_all_of(one.raw_error[one.played] for one in of_setting) for of_setting in outcomes]
    within = [_all_of(map(within_years, of_setting)) for of_setting in outcomes]
    raw_deviations = [_all_of(one.raw_deviation[one.played] for one in some) for some in outcomes]
    adjusted = [_all_of(one.error[one.played] for one in of_setting) for of_setting in outcomes]
    deviations = [_all_of(one.deviation[one.played] for one in some) for some in outcomes]
    return Found(
        careers.name,
        careers.step,
        careers.bend,
        len(outcomes[0]),
        tuple(map(_root_mean_square, raw)),
        tuple(map(_root_mean_square, within)),
        tuple(forecast.log_loss() for forecast in checked),
        coverage(raw, raw_deviations),
        coverage(adjusted, deviations),
        coverage([errors - errors.mean() for errors in adjusted], deviations),
        tuple(float(errors.mean()) for errors in adjusted),
    )


def within_years(outcome: Outcome) -> Floats:
    """Return the raw errors [Elo] of years with results, each less the mean error of its year."""
    error, year = outcome.raw_error[outcome.played], outcome.year[outcome.played]
    means = np.bincount(year, error) / np.maximum(np.bincount(year), 1)
    return np.asarray(error - means[year])


def _all_of(parts: Iterable[Floats]) -> Floats:
    return np.concatenate(list(parts))


def _root_mean_square(errors: Floats) -> float:
    return float(np.sqrt(np.mean(np.square(errors))))
