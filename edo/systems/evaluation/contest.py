"""The contest of the rating systems: how well each predicts results that it does not know.

Running it takes minutes, so the outcome is kept in a file, with the hash of the games and systems
that it belongs to: a page can say whether it is up to date.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from edo.core import json, parallel
from edo.core.problems import EdoError
from edo.core.scale import Bools, Floats
from edo.rating.games import Games
from edo.systems.base import System, parameters_of
from edo.systems.edo_integrated import EDO_INTEGRATED, log_evidences, without_parts
from edo.systems.evaluation import backtest, fingerprint
from edo.systems.evaluation.backtest import (
    LEAST,
    LEFT_OUT,
    PARTS,
    SAMPLE,
    SEED,
    Design,
    Predicted,
    Prediction,
    Sample,
    seconds,
)
from edo.systems.evaluation.tuning import Bin, Watch, calibration
from edo.systems.evaluation.whole_events import (
    LEAST_GAMES,
    EventScores,
    ScoreCoverage,
    score_coverage,
)

FILE = "contest.json"  # in the folder of the texts
REMEDY = "run `python -m edo contest` to make it anew"

TESTS = ("whole events", "pairings", "next year")
"""What is predicted in each test; the first is the one to rely on."""

RESAMPLES = 2000  # of events: 50 of them lie beyond each end of an interval
SCORE_RESAMPLES = 200  # of events, for the factor of the variance of each system
WITHIN = (2.5, 97.5)  # [%] the percentiles of the resamples that bound an interval


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over games, and its 95 % bootstrap interval.

    Whole events are resampled, because results of one event are correlated.
    """

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Choice:
    """The values of a parameter that were best within each training part of the history."""

    name: str
    unit: str
    default: float
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """The log losses of a system and of the reference on all games that both could predict."""

    games: float
    log_loss: float
    reference: float
    beyond: Mean


@dataclass(frozen=True, slots=True)
class Entry:
    """How well one system predicted the games that all of them could predict.

    `coverage` is the share of all scored games that it could. `log_loss` [nat per game], `brier`
    [squared points per game]; `..._beyond` is how much that is above the reference's and `behind`
    the log loss above that of the best, with intervals of the differences. `against` is of all
    games that it and the reference could predict, whether others could or not. `bins` are by
    the favourites' expected scores. `averaged` is the log loss of the expectations averaged over
    the uncertainty of the ratings and `averaging` how much that is below `log_loss`; `scores` says
    how far players' scores in whole events are from them; None for systems that lack standard
    errors, and `scores` in all tests but the first.
    `knows_white` is true where White's advantage is part of the system: for others it is estimated
    after the ratings.
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
    against: HeadToHead
    chosen: tuple[Choice, ...]
    bins: tuple[Bin, ...]
    knows_white: bool
    averaged: Mean | None
    averaging: Mean | None
    scores: ScoreCoverage | None


@dataclass(frozen=True, slots=True)
class TestScores:
    """One of the tests: the games on which all systems are scored, and the systems, best first.

    Of the `judged` games every system could predict `games`: those of `pairings` pairs of players
    in `events` events from `first_year` to `last_year`.
    """

    judged: float
    games: float
    pairings: int
    events: int
    first_year: int
    last_year: int
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Variant:
    """Edo integrated without one of its parts.

    `log_evidence` [nat] less that of the whole model, at the same draws; `log_loss_beyond` is how
    much the log loss in whole events is above that of the whole model.
    """

    part: str
    log_evidence: float
    log_loss_beyond: Mean


@dataclass(frozen=True, slots=True)
class Time:
    """About how long a system takes to rate the history once [s of a processor]."""

    slug: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Contest:
    """The outcome, and the fingerprint of the games and systems that it belongs to.

    Of so many parts of the events and of the pairings so many were `tested`; expectations were kept
    `least` away from 0 and 1; intervals come from so many `resamples`. In the last test the years
    from `tuned_from` chose parameters and those from `split` are scored, `apart` years from each
    other. `reference` is the slug of the system with
    which the others are compared; `variants` are there where Edo integrated is. Raises ValueError
    where the reference is not in a test or a system in it has no time.
    """

    fingerprint: str
    seed: int
    event_parts: int
    pairing_parts: int
    events_tested: int
    pairings_tested: int
    least: float
    resamples: int
    tuned_from: int
    split: int
    apart: int
    reference: str
    whole_events: TestScores
    held_out: TestScores
    next_year: TestScores
    times: tuple[Time, ...]
    variants: tuple[Variant, ...]

    @property
    def tests(self) -> Mapping[str, TestScores]:
        """Return the tests by name, in the order of `TESTS`."""
        return dict(zip(TESTS, (self.whole_events, self.held_out, self.next_year), strict=True))

    def __post_init__(self) -> None:
        timed = {time.slug for time in self.times}
        for test in self.tests.values():
            slugs = {entry.slug for entry in test.entries}
            if self.reference not in slugs or not slugs <= timed:
                raise ValueError("a system lacks a test or a time, or the one compared with does")


def fingerprint_of(games: Games, systems: Sequence[System]) -> str:
    """Return the fingerprint of the games, and of the systems with all parameters they try."""
    return fingerprint.fingerprint(fingerprint.of_games(games), fingerprint.of_systems(systems))


def read_contest(content: Path) -> Contest | None:
    """Return the last outcome, None where there is none.

    Raises EdoError where the file is not what `contest` writes.
    """
    path = content / FILE
    return load(path) if path.exists() else None


def load(path: Path) -> Contest:
    """Return the outcome in a file; raises EdoError where it is not what `contest` writes."""
    return json.load(path, Contest, REMEDY)


def contest(
    games: Games,
    systems: Sequence[System],
    watch: Watch,
    jobs: int = 1,
    sample: Sample = SAMPLE,
) -> Contest:
    """Score all systems on the same games; the same games give the same figures, except times.

    The first system is compared with all others, on the games of the `sample`.
    Raises EdoError where no game can be predicted by all of them.
    """
    design = backtest.design_of(games, sample)
    # The slow ones first, so that none of them is left to run alone.
    wholes = [system for system in systems if system.slug == EDO_INTEGRATED.slug]
    tasks = [task for system in wholes for task in _variant_tasks(design, system)]
    n_variants, slow_first = len(tasks), sorted(systems, key=lambda system: not system.is_slow)
    for system in slow_first:
        for left_out in LEFT_OUT:
            parts = sample.numbers(left_out)
            tasks += (partial(backtest.held_out, design, system, left_out, k) for k in parts)
        tasks += partial(backtest.next_years, design, system), partial(seconds, design, system)
    finished = parallel.run_parallel("contest", tasks, is_large=True, processes=jobs)
    results = [next(finished) for _ in watch("the contest", range(len(tasks)))]
    of_variants = iter(results[:n_variants])
    predicted, times = _gathered(design, slow_first, iter(results[n_variants:]))
    predicted = [{system: of_test[system] for system in systems} for of_test in predicted]
    return Contest(
        fingerprint_of(games, systems),
        SEED,
        PARTS["events"],
        PARTS["pairings"],
        sample.events,
        sample.pairings,
        LEAST,
        RESAMPLES,
        sample.tuned_from,
        sample.split,
        sample.apart,
        systems[0].slug,
        compare(games, design.judged("events"), predicted[0], with_scores=True),
        compare(games, design.judged("pairings"), predicted[1]),
        compare(games, design.judged_next_year, predicted[2]),
        tuple(times[system] for system in systems),
        # After the comparisons, which refuse a history of which nothing can be predicted.
        *(
            [_variants(design, system, of_variants, predicted[0][system]) for system in wholes]
            or ((),)
        ),
    )


def _gathered(
    design: Design, systems: Sequence[System], results: Iterator[Any]
) -> tuple[list[dict[System, Predicted]], dict[System, Time]]:
    """Return the predictions of each test by system, and the times, from the results of tasks."""
    predicted: list[dict[System, Predicted]] = [{} for _ in TESTS]
    times = {}
    for system in systems:
        for of_test, left_out in zip(predicted, LEFT_OUT, strict=False):
            parts = design.sample.numbers(left_out)
            of_test[system] = backtest.combined(next(results) for _ in parts)
        predicted[-1][system] = next(results)
        times[system] = Time(system.slug, float(f"{next(results):.2g}"))
    return predicted, times


def compare(
    games: Games,
    scored: Bools,
    predicted: Mapping[System, Predicted],
    with_scores: bool = False,
) -> TestScores:
    """Return how well each system predicted those of the scored rows that all of them could.

    The first is compared with the others; `with_scores` where the rows are of whole events that
    were left out. Raises EdoError where there are no such rows.
    """
    able = [
        ~np.isnan(system_predicted.expected) & scored for system_predicted in predicted.values()
    ]
    common = np.logical_and.reduce(able)
    if not common.any():
        raise EdoError(
            "there is no game that all systems can predict; name fewer systems or add results"
        )
    rows, everything = games.where(common), float(games.count[scored].sum())
    entries = _entries(games, able, predicted, everything, with_scores)
    return TestScores(
        everything,
        float(rows.count.sum()),
        len(np.unique(rows.pairing)),
        len(np.unique(rows.event)),
        int(rows.year.min()),
        int(rows.year.max()),
        tuple(sorted(entries, key=lambda entry: entry.log_loss.mean)),
    )


def _entries(
    games: Games,
    able: Sequence[Bools],
    predicted: Mapping[System, Predicted],
    everything: float,
    with_scores: bool,
) -> Iterator[Entry]:
    common, reference = np.logical_and.reduce(able), next(iter(predicted.values()))
    rows, expected = (
        games.where(common),
        [by_system.expected[common] for by_system in predicted.values()],
    )
    measures = [_of_all(measure, rows, expected) for measure in (log_losses, squared_errors)]
    averages = [by_system.prediction.averaged[common] for by_system in predicted.values()]
    measures.append(_of_all(log_losses, rows, averages))
    losses, errors, averaged = np.hsplit(resampled(rows.event, rows.count, np.hstack(measures)), 3)
    best = int(np.argmin(losses[0]))
    for k, (system, by_system) in enumerate(predicted.items()):
        yield Entry(
            system.slug,
            system.name,
            system.direction,
            float(games.count[able[k]].sum()) / everything,
            mean_of(losses[:, k]),
            mean_of(errors[:, k]),
            mean_of(losses[:, k] - losses[:, 0]),
            mean_of(errors[:, k] - errors[:, 0]),
            mean_of(losses[:, k] - losses[:, best]),
            _against(games, able[k] & able[0], by_system, reference),
            tuple(choices(system, by_system.chosen)),
            calibration(rows, backtest.clipped(expected[k])),
            "colours" in system.uses,
            _mean_if_known(averaged[:, k]),
            _mean_if_known(losses[:, k] - averaged[:, k]),
            _score_coverage(rows, by_system.prediction.where(common)) if with_scores else None,
        )


def _mean_if_known(means: Floats) -> Mean | None:
    return None if np.isnan(means).any() else mean_of(means)


def _score_coverage(rows: Games, prediction: Prediction) -> ScoreCoverage | None:
    """Return how far the scores of players with enough games in an event are from expected.

    The errors of different players are taken as independent.
    """
    if np.isnan(prediction.errors).any():
        return None
    p = backtest.clipped(prediction.expected)
    _, begin, group = np.unique(rows.pairing, return_index=True, return_inverse=True)

    def sums(values: Floats) -> Floats:
        return np.bincount(group, values).astype(np.float64)

    spread = sums(rows.count * p * (1 - p))  # one row for each pairing
    turned = np.where(rows.first == rows.first[begin][group], 1.0, -1.0)
    off = sums(turned * (rows.score - rows.count * p))
    count, errors, players = sums(rows.count), prediction.errors[:, begin], len(rows.players)
    sides, event = (
        np.r_[rows.first[begin], rows.second[begin]],
        np.tile(rows.event[begin], 2),
    )
    taking_part, place = np.unique(sides + players * event, return_inverse=True)

    def total(first: Floats, second: Floats) -> Floats:
        return np.asarray(np.bincount(place, np.r_[first, second], len(taking_part)))

    of_own = total(spread * errors[0], spread * errors[1]) ** 2
    of_others = total((spread * errors[1]) ** 2, (spread * errors[0]) ** 2)
    scores = EventScores(
        total(off, -off),
        total(spread, spread),
        of_own + of_others,
        np.zeros(len(taking_part), bool),
        taking_part // players,
    )
    enough = total(count, count) >= LEAST_GAMES
    return score_coverage(scores.where(enough), SEED, SCORE_RESAMPLES) if enough.any() else None


def _against(games: Games, rows: Bools, predicted: Predicted, reference: Predicted) -> HeadToHead:
    played = games.where(rows)
    losses = _of_all(log_losses, played, [predicted.expected[rows], reference.expected[rows]])
    means = resampled(played.event, played.count, losses)
    beyond = mean_of(means[:, 0] - means[:, 1])
    return HeadToHead(float(played.count.sum()), float(means[0, 0]), float(means[0, 1]), beyond)


def _variant_tasks(design: Design, whole: System) -> Iterator[Callable[[], Any]]:
    """Yield what is to be computed of a system without its parts, in the order of `_variants`."""
    for variant in without_parts(whole):
        for k in design.sample.numbers("events"):
            yield partial(backtest.held_out, design, variant, "events", k)
    yield partial(log_evidences, design.games, whole.parameters)


def _variants(
    design: Design, whole: System, results: Iterator[Any], predicted: Predicted
) -> tuple[Variant, ...]:
    """Return a system without each of its parts; `predicted` are the predictions of the whole."""
    parts = design.sample.numbers("events")
    variants = [backtest.combined(next(results) for _ in parts) for _ in without_parts(whole)]
    losses = (
        _beyond(design.games, design.judged("events"), predicted, variant) for variant in variants
    )
    evidences: Mapping[str, float] = next(results)
    return tuple(
        Variant(part, evidence, loss)
        for (part, evidence), loss in zip(evidences.items(), losses, strict=True)
    )


def _beyond(games: Games, scored: Bools, whole: Predicted, variant: Predicted) -> Mean:
    """Return by how much the log loss of `variant` is above that of `whole` where both predict."""
    both = scored & ~np.isnan(whole.expected) & ~np.isnan(variant.expected)
    rows = games.where(both)
    losses = _of_all(log_losses, rows, [variant.expected[both], whole.expected[both]])
    means = resampled(rows.event, rows.count, losses)
    return mean_of(means[:, 0] - means[:, 1])


def log_losses(rows: Games, expected: Floats) -> Floats:
    """Return minus the log-likelihood (m,) [nat] of the scores, a draw as half a win and a loss."""
    return backtest.log_losses(rows.score, rows.count, expected)


def squared_errors(rows: Games, expected: Floats) -> Floats:
    """Return the sums (m,) over the games of a row of the squared error of each [points]."""
    won, drawn, lost = (np.square(points - expected) for points in (1.0, 0.5, 0.0))
    return np.asarray(rows.wins * won + rows.draws * drawn + rows.losses * lost)


def resampled(event: Any, games: Floats, sums: Floats) -> Floats:
    """Return the means per game of sums (m, s): first of all rows, then of resampled events.

    `event` (m,) says where a row was played, `games` (m,) how many of them; (1 + RESAMPLES, s).
    """
    _, place = np.unique(event, return_inverse=True)
    by_event = np.column_stack([np.bincount(place, column) for column in (games, *sums.T)])
    n = len(by_event)
    draws = np.random.default_rng(SEED).multinomial(n, np.full(n, 1 / n), RESAMPLES)
    totals = np.vstack([np.ones(n), draws]) @ by_event
    return np.asarray(totals[:, 1:] / totals[:, :1])


def mean_of(means: Floats) -> Mean:
    """Return the mean of all, which comes first, and the interval of those of the resamples."""
    low, high = np.percentile(means[1:], WITHIN)
    return Mean(float(means[0]), float(low), float(high))


def choices(system: System, chosen: Sequence[Any]) -> Iterator[Choice]:
    """Yield the values that were chosen of each parameter that has others to try."""
    for parameter in parameters_of(system):
        if parameter.tried:
            values = tuple(float(getattr(parameters, parameter.name)) for parameters in chosen)
            yield Choice(parameter.name, parameter.unit, float(parameter.value), values)


def _of_all(
    measure: Callable[[Games, Floats], Floats], rows: Games, expected: Sequence[Floats]
) -> Floats:
    return np.column_stack([measure(rows, backtest.clipped(shares)) for shares in expected])
