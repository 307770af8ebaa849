"""What the texts name of what was measured: effects that players share, and self-games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypedDict

from edo.core import formats
from edo.core.countries import NAMES
from edo.site.charts.history_figures import LEAST, WITHIN, effects_of, enough
from edo.site.input import SiteInput
from edo.site.measured import contest_of, tuning_of
from edo.site.pages.content_values import step_for
from edo.systems.base import AGE, Effect
from edo.systems.evaluation.contest import Variant
from edo.systems.evaluation.tuning import Accuracy, Bin, Recovery, Tuning
from edo.systems.evaluation.whole_events import ScoreCoverage

SHOWN_AGES = 4  # [years] between the ages of the table

NOMINAL = (0.683, 0.950)  # the shares of a normal distribution within 1 and 1.96 deviations
NEAR = 0.03  # a coverage that differs from its nominal share by no more is called good
SIGNIFICANT = 2.0  # [standard errors] from which an improvement is not attributed to chance


class Row(NamedTuple):
    """An effect [Elo] with the ends of its interval."""

    name: str
    effect: float
    low: float
    high: float
    players: int


class EffectValues(TypedDict):
    """What the texts name; `age` is that against which others are measured."""

    ages: Sequence[Row]
    n_ages: float
    age: int
    countries: Sequence[Row]
    least: float
    n_countries: int
    n_of_countries: float
    years: Effect | None
    events: Effect | None
    variants: Sequence[Variant]


def effect_values(site: SiteInput) -> EffectValues | None:
    """Return what the texts name, None where no system has estimated anything."""
    effects = effects_of(site)
    if not effects:
        return None
    of, contest = {(one.kind, one.of): one for one in effects}, contest_of(site)
    ages, countries = enough(effects, "age"), enough(effects, "country")
    shown = [one for one in ages if (int(one.of) - AGE) % SHOWN_AGES == 0]
    players = [one.count for one in effects if one.kind == "country"]
    return {
        "ages": [_row(one.of, one) for one in shown],
        "n_ages": sum(one.count for one in ages),
        "age": AGE,
        "countries": [
            _row(NAMES.get(one.of, one.of), one)
            for one in sorted(countries, key=lambda one: -one.effect)
        ],
        "least": LEAST,
        "n_countries": len(players),
        "n_of_countries": sum(players),
        "years": of.get(("years", "twice as many")),
        "events": of.get(("events", "twice as many")),
        "variants": () if contest is None else contest.variants,
    }


def _row(name: str, effect: Effect) -> Row:
    off = WITHIN * effect.deviation
    return Row(name, effect.effect, effect.effect - off, effect.effect + off, effect.count)


# The number of self-games


class Test(NamedTuple):
    """A test on held-out results; `best` is the index of the best number of self-games.

    `excess` is how much greater the log loss at the settings of the site is [nat per game].
    """

    name: str
    accuracy: Accuracy
    best: int
    excess: float


class SimulatedCareers(NamedTuple):
    """A kind of simulated careers; `worth` is the number of self-games that its steps stand for.

    `best`, `best_held_out` are the numbers of self-games with the least error and log loss, `bias`
    is by how much adjusted ratings are below the truth [Elo].
    """

    found: Recovery
    worth: float
    best: float
    best_held_out: float
    bias: float


class CoverageRow(NamedTuple):
    """How often the truth was within 1 and 1.96 deviations, at the settings of the site."""

    kind: str
    ratings: str
    one: float
    two: float
    verdict: str


class TuningValues(TypedDict):
    """What the texts name of the numbers of self-games that were tried; `at` is the chosen one."""

    measured: Tuning
    at: int
    tests: Sequence[Test]
    kinds: Sequence[SimulatedCareers]
    prefers_more: bool
    gain_in_errors: float
    coverages: Sequence[CoverageRow]
    favourites: Bin | None
    adjusted_favourites: Bin | None
    everybody: ScoreCoverage
    score_coverages: Sequence[ScoreRow]


class ScoreRow(TypedDict):
    """How often players' scores in whole events were as expected."""

    players: str
    found: ScoreCoverage


def tuning_values(site: SiteInput) -> TuningValues | None:
    """Return what the text on the number of self-games names, None with nothing to show."""
    tuning = tuning_of(site)
    if tuning is None:
        return None
    at = tuning.self_games.index(tuning.chosen)
    accuracies = (tuning.held_out, tuning.year_before, tuning.year_after)
    names = ("held out", "year before", "year after")
    best = _least(tuning.held_out.log_loss)
    gain = -tuning.held_out.beyond[best] / (tuning.held_out.beyond_error[best] or 1.0)
    return {
        "measured": tuning,
        "at": at,
        "tests": [
            Test(name, one, _least(one.log_loss), one.log_loss[at] - min(one.log_loss))
            for name, one in zip(names, accuracies, strict=True)
        ],
        "kinds": [
            SimulatedCareers(
                found,
                worth=(step_for(1.0, site.ratings.settings) / found.step) ** 2,
                best=tuning.self_games[_least(found.error)],
                best_held_out=tuning.self_games[_least(found.log_loss)],
                bias=-found.adjusted_bias[at],
            )
            for found in tuning.found
        ],
        "prefers_more": best > at and gain > SIGNIFICANT,
        "gain_in_errors": gain,
        "coverages": [row for found in tuning.found for row in _coverages(found, at)],
        "favourites": pooled(tuning.calibration),
        "adjusted_favourites": pooled(tuning.adjusted_calibration),
        "everybody": tuning.whole_events.everybody,
        "score_coverages": [
            {"players": "all", "found": tuning.whole_events.everybody},
            {"players": "with a rank", "found": tuning.whole_events.ranked},
        ],
    }


def _coverages(found: Recovery, at: int) -> Iterator[CoverageRow]:
    for name, within in (
        ("raw", found.raw),
        ("adjusted", found.adjusted),
        ("adjusted, bias removed", found.adjusted_moved),
    ):
        shares = within.one[at], within.two[at]
        misses = [share - nominal for share, nominal in zip(shares, NOMINAL, strict=True)]
        off = " and ".join(formats.signed(100 * miss, 1) for miss in misses)
        good = all(abs(miss) <= NEAR for miss in misses)
        verdict = "within three points" if good else f"off by {off} points"
        yield CoverageRow(found.name, name, *shares, verdict)


def pooled(bins: Sequence[Bin]) -> Bin | None:
    """Return several bins as one, None where they hold no games."""
    games = sum(one.games for one in bins)
    if not games:
        return None
    return Bin(
        sum(one.pairings for one in bins),
        games,
        sum(one.games * one.expected for one in bins) / games,
        sum(one.games * one.actual for one in bins) / games,
        sum((one.games * one.standard_error) ** 2 for one in bins) ** 0.5 / games,
    )


def _least(series: Sequence[float]) -> int:
    return series.index(min(series))
