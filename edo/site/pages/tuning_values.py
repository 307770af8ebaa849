"""What `tune` measured in, the numbers that the text on choosing the self-games names out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from edo.core import formats
from edo.core.scale import ELO_PER_NAT
from edo.core.settings import DEFAULT
from edo.site.input import SiteInput
from edo.systems.evaluation.tuning import Accuracy, Bin, Coverage, Found, Tuning, fingerprint_of

DUE = (0.683, 0.950)  # the shares of a normal distribution within 1 and 1.96 deviations
NEAR = 0.03  # a coverage that misses its share by no more covers as it says

SURE = 2.0  # [standard errors] beyond which a gain is not put down to chance


@dataclass(frozen=True, slots=True)
class TrialRow:
    """One of the three tests: on how much it rests, where it is best, how far the pass is off."""

    name: str
    pairings: str
    games: str
    best: str
    loss: str
    beyond: str
    beyond_error: str
    adjusted_loss: str


@dataclass(frozen=True, slots=True)
class SettingRow:
    """A number of self-games: log losses and errors of the tests, errors of invented careers."""

    self_games: str
    log_losses: tuple[str, ...]
    errors: tuple[str, ...]
    found: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KindRow:
    """A kind of invented careers: how they were made and at which self-games they are found best.

    `worth` is the number of self-games that stands for steps of that size, `low` by how much
    adjusted ratings are below the truth.
    """

    name: str
    step: str
    worth: str
    best_held_out: str
    best: str
    error: str
    year_error: str
    low: str


@dataclass(frozen=True, slots=True)
class CoverageRow:
    """How often the truth lay within the deviations, and whether it did as often as due."""

    kind: str
    ratings: str
    one: str
    two: str
    words: str


@dataclass(frozen=True, slots=True)
class BinRow:
    """Held-out pairings with about the same expected score, by raw or by adjusted ratings."""

    games: str
    expected: str
    actual: str
    standard_error: str


@dataclass(frozen=True, slots=True)
class TuningValues:
    """All that the text names; `is_stale` where the data have changed since it was measured.

    `prefers_more` where more self-games foretell held-out results better, beyond what chance
    explains: by `gain_in_errors` standard errors.
    """

    is_stale: bool
    fingerprint: str
    fingerprint_now: str
    chosen: str
    trials: tuple[TrialRow, ...]
    settings: tuple[SettingRow, ...]
    kinds: tuple[KindRow, ...]
    histories: str
    prefers_more: bool
    gain_in_errors: str
    coverages: tuple[CoverageRow, ...]
    bins: tuple[BinRow, ...]
    adjusted_bins: tuple[BinRow, ...]
    favourites: BinRow
    adjusted_favourites: BinRow


def tuning_values(site: SiteInput) -> TuningValues | None:
    """Return what the text names, None where nothing was measured."""
    tuning = site.tuning
    if tuning is None:
        return None
    now = fingerprint_of(site.ratings.pairings)
    at = tuning.self_games.index(tuning.chosen)
    best = _least(tuning.held_out.log_loss)
    gain = -tuning.held_out.beyond[best] / (tuning.held_out.beyond_error[best] or 1.0)
    return TuningValues(
        tuning.fingerprint != now,
        tuning.fingerprint,
        now,
        formats.score(tuning.chosen),
        tuple(_test(name, test, tuning, at) for name, test in _tests(tuning)),
        tuple(_setting(tuning, k) for k in range(len(tuning.self_games))),
        tuple(_kind(found, tuning, at) for found in tuning.found),
        formats.counted(tuning.found[0].histories, "invented history", "invented histories"),
        best > at and gain > SURE,
        formats.fixed(gain, 1),
        tuple(row for found in tuning.found for row in _coverages(found, at)),
        tuple(map(_bin, tuning.calibration)),
        tuple(map(_bin, tuning.adjusted_calibration)),
        _all_of(tuning.calibration),
        _all_of(tuning.adjusted_calibration),
    )


def _tests(tuning: Tuning) -> tuple[tuple[str, Accuracy], ...]:
    return (
        ("held out", tuning.held_out),
        ("year before", tuning.year_before),
        ("year after", tuning.year_after),
    )


def _test(name: str, test: Accuracy, tuning: Tuning, at: int) -> TrialRow:
    best = _least(test.log_loss)
    return TrialRow(
        name,
        formats.count(test.pairings),
        formats.count(round(test.games)),
        formats.score(tuning.self_games[best]),
        formats.fixed(test.log_loss[at], 4),
        formats.fixed(test.log_loss[at] - test.log_loss[best], 4),
        formats.fixed(test.beyond_error[best], 4),
        formats.fixed(test.adjusted_log_loss, 4),
    )


def _setting(tuning: Tuning, k: int) -> SettingRow:
    tests = [test for _, test in _tests(tuning)]
    return SettingRow(
        formats.score(tuning.self_games[k]),
        tuple(formats.fixed(test.log_loss[k], 4) for test in tests),
        tuple(formats.fixed(test.error[k], 4) for test in tests),
        tuple(formats.fixed(found.error[k], 1) for found in tuning.found),
    )


def _kind(found: Found, tuning: Tuning, at: int) -> KindRow:
    # Two equals tell 1/4 a game about the difference of their log-odds.
    worth = DEFAULT.variance_factor * 4.0 * (ELO_PER_NAT / found.step) ** 2
    return KindRow(
        found.name,
        formats.fixed(found.step, 1),
        formats.count(round(worth)),
        formats.score(tuning.self_games[_least(found.log_loss)]),
        formats.score(tuning.self_games[_least(found.error)]),
        formats.fixed(found.error[at], 0),
        formats.fixed(found.year_error[at], 0),
        formats.fixed(-found.adjusted_bias[at], 0),
    )


def _coverages(found: Found, at: int) -> Iterator[CoverageRow]:
    for words, coverage in (
        ("raw", found.raw),
        ("adjusted", found.adjusted),
        ("adjusted, all moved", found.adjusted_moved),
    ):
        yield _coverage(found.name, words, coverage, at)


def _coverage(kind: str, ratings: str, coverage: Coverage, at: int) -> CoverageRow:
    shares = coverage.one[at], coverage.two[at]
    off = [share - due for share, due in zip(shares, DUE, strict=True)]
    one, two = (formats.percentage(share, 1) for share in shares)
    if all(abs(miss) <= NEAR for miss in off):
        return CoverageRow(kind, ratings, one, two, "within three points")
    misses = " and ".join(formats.signed(100 * miss, 1) for miss in off)
    return CoverageRow(kind, ratings, one, two, f"off by {misses} points")


def _bin(one: Bin) -> BinRow:
    return BinRow(
        formats.count(round(one.games)),
        formats.fixed(one.expected, 3),
        formats.fixed(one.actual, 3),
        formats.fixed(one.standard_error, 3),
    )


def _all_of(bins: Sequence[Bin]) -> BinRow:
    games = sum(one.games for one in bins)
    return _bin(
        Bin(
            sum(one.pairings for one in bins),
            games,
            sum(one.games * one.expected for one in bins) / games,
            sum(one.games * one.actual for one in bins) / games,
            sum((one.games * one.standard_error) ** 2 for one in bins) ** 0.5 / games,
        )
    )


def _least(series: Sequence[float]) -> int:
    """Return where the series is least."""
    return min(range(len(series)), key=series.__getitem__)
