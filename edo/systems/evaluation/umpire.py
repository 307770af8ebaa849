"""Games and rating systems in, the contest of all of them out, worked on by several processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from edo.core import parallel
from edo.core.problems import EdoError
from edo.systems.evaluation import contestants, prediction
from edo.systems.evaluation.contest import (
    Against,
    Choice,
    Contest,
    Entry,
    Mean,
    Time,
    Trial,
    fingerprint_of,
)
from edo.systems.evaluation.contestants import LEAST, PARTS, SEED, Field, Foretold
from edo.systems.evaluation.trials import Watch, calibration
from edo.systems.games import Bools, Floats, Games
from edo.systems.system import System, parameters_of

Work = Callable[[], Any]

SPLIT = 1900  # the second test is of the years from here on
TUNED_FROM = 1890  # and its parameters are those that foretell the years from here until then
RESAMPLES = 2000
WITHIN = (2.5, 97.5)  # [%] of the resamples lie in the interval that is given


@dataclass(frozen=True, slots=True, eq=False)
class Ran:
    """What one system did in both tests, and how long it takes."""

    system: System
    held_out: Foretold
    next_year: Foretold
    seconds: float


def contest(
    games: Games,
    systems: Sequence[System],
    watch: Watch,
    jobs: int = 1,
    years: tuple[int, int] = (TUNED_FROM, SPLIT),
) -> Contest:
    """Let all systems foretell the same games; the same games give the same figures, but times.

    The first system is compared with all others. `years` are the first by which parameters are
    chosen in the second test and the first that is judged.
    Raises EdoError where no game can be foretold by all of them.
    """
    field = contestants.field_of(games, *years)
    work = [each for system in systems for each in _work(field, system)]
    done = parallel.run_parallel("contest", work, is_large=True, processes=jobs)
    found = [next(done) for _ in watch("the contest", range(len(work)))]
    parts, n = len(found) // len(systems), len(found)
    ran = [
        _ran(system, found[start : start + parts])
        for system, start in zip(systems, range(0, n, parts), strict=True)
    ]
    held_out = {one.system: one.held_out for one in ran}
    next_year = {one.system: one.next_year for one in ran}
    return Contest(
        fingerprint_of(games, systems),
        SEED,
        PARTS,
        LEAST,
        RESAMPLES,
        field.tuned_from,
        field.split,
        systems[0].slug,
        judge(games, field.judged, held_out),
        judge(games, field.judged & (games.year >= field.split), next_year),
        tuple(Time(one.system.slug, float(f"{one.seconds:.2g}")) for one in ran),
    )


def _work(field: Field, system: System) -> Iterator[Work]:
    """Yield what is to be done for one system, each part by itself."""
    yield from (partial(contestants.held_out, field, system, k) for k in range(PARTS // 2))
    yield partial(contestants.next_years, field, system)
    yield partial(contestants.seconds, field, system)


def _ran(system: System, done: Sequence[Any]) -> Ran:
    *parts, next_year, seconds = done
    return Ran(system, contestants.both(parts), next_year, seconds)


def judge(games: Games, judged: Bools, foretold: Mapping[System, Foretold]) -> Trial:
    """Return how well each system foretold those of the judged rows that all of them could.

    The first is compared with the others. Raises EdoError where there are none.
    """
    able = [~np.isnan(one.expected) & judged for one in foretold.values()]
    common = np.logical_and.reduce(able)
    if not common.any():
        raise EdoError(
            "there is no game that all systems can foretell; name fewer systems or a longer history"
        )
    rows, everything = games.where(common), float(games.count[judged].sum())
    shares = [float(games.count[one].sum()) / everything for one in able]
    return Trial(
        everything,
        float(rows.count.sum()),
        len(np.unique(rows.pairing)),
        len(np.unique(rows.event)),
        int(rows.year.min()),
        int(rows.year.max()),
        tuple(sorted(_entries(games, able, foretold, shares), key=lambda e: e.log_loss.mean)),
    )


def _entries(
    games: Games,
    able: Sequence[Bools],
    foretold: Mapping[System, Foretold],
    shares: Sequence[float],
) -> Iterator[Entry]:
    common, first = np.logical_and.reduce(able), next(iter(foretold.values()))
    rows, expected = games.where(common), [one.expected[common] for one in foretold.values()]
    measures = [_of_all(measure, rows, expected) for measure in (log_losses, squared_errors)]
    losses, errors = np.hsplit(resampled(rows.event, rows.count, np.hstack(measures)), 2)
    best = int(np.argmin(losses[0]))
    for k, (system, one) in enumerate(foretold.items()):
        yield Entry(
            system.slug,
            system.name,
            system.direction,
            shares[k],
            mean_of(losses[:, k]),
            mean_of(errors[:, k]),
            mean_of(losses[:, k] - losses[:, 0]),
            mean_of(errors[:, k] - errors[:, 0]),
            mean_of(losses[:, k] - losses[:, best]),
            _against(games, able[k] & able[0], one, first),
            tuple(choices(system, one.chosen)),
            calibration(contestants.forecast(games, common, one.expected)),
        )


def _against(games: Games, rows: Bools, one: Foretold, reference: Foretold) -> Against:
    played = games.where(rows)
    losses = _of_all(log_losses, played, [one.expected[rows], reference.expected[rows]])
    draws = resampled(played.event, played.count, losses)
    beyond = mean_of(draws[:, 0] - draws[:, 1])
    return Against(float(played.count.sum()), float(draws[0, 0]), float(draws[0, 1]), beyond)


def log_losses(rows: Games, expected: Floats) -> Floats:
    """Return minus the log-likelihood (m,) [nat] of the scores, a draw as half a win and a loss."""
    return prediction.log_losses(rows.score, rows.count, expected)


def squared_errors(rows: Games, expected: Floats) -> Floats:
    """Return the sums (m,) over the games of a row of the squared error of each [points]."""
    won, drawn, lost = (np.square(points - expected) for points in (1.0, 0.5, 0.0))
    return np.asarray(rows.wins * won + rows.draws * drawn + rows.losses * lost)


def resampled(event: Any, games: Floats, sums: Floats) -> Floats:
    """Return the means per game of sums (m, s), of all and of resamples of whole events, below.

    `event` (m,) says where a row was played, `games` (m,) how many of them; (1 + RESAMPLES, s).
    """
    _, place = np.unique(event, return_inverse=True)
    columns = [np.bincount(place, column) for column in (games, *sums.T)]
    by_event = np.column_stack(columns)
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
    for said in parameters_of(system):
        if said.tried:
            values = tuple(float(getattr(one, said.name)) for one in chosen)
            yield Choice(said.name, said.unit, float(said.value), values)


def _of_all(
    measure: Callable[[Games, Floats], Floats], rows: Games, expected: Sequence[Floats]
) -> Floats:
    columns = [measure(rows, np.clip(one, LEAST, 1 - LEAST)) for one in expected]
    return np.column_stack(columns)
