"""The figures of the pages on the number of self-games and on the contest of rating systems.

The commands that measure draw them, beside the file with the measurement; a build copies them.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from edo.core.formats import score
from edo.core.problems import Problem
from edo.site.charts.drawing import (
    FAINT,
    INK,
    LINES,
    SOFT,
    Canvas,
    Figure,
    Sizes,
    path,
    stamp_of,
)
from edo.site.input import SiteInput
from edo.systems.evaluation.contest import FILE as CONTEST_FILE
from edo.systems.evaluation.contest import TESTS, Contest, Entry
from edo.systems.evaluation.tuning import FILE as TUNING_FILE
from edo.systems.evaluation.tuning import Bin, Tuning

NOMINAL = (68.3, 95.0)  # [%] of a normal distribution within 1 and 1.96 deviations
_MARGIN = 1.25  # by which the axis extends beyond the largest number of self-games

WIDTHS = {"wide": 600, "narrow": 400}  # [px]
ROW, AROUND = 23, 60  # [px] for each system in the figure of losses, and for axis and margins
COLUMNS = {"wide": 4, "narrow": 3}  # of small figures
SMALL = {"wide": 140, "narrow": 135}  # [px] height of each small figure
TITLE = {"wide": 22, "narrow": 19}  # characters that fit above a small figure
NAME = {"wide": 40, "narrow": 27}  # characters that fit before an interval
NAMES = {"wide": 0.36, "narrow": 0.5}  # share of the width taken by the names


# Self-games


def _draw_predicted(axes: Canvas, tuning: Tuning, shape: str) -> None:
    tests = (tuning.held_out, tuning.year_before, tuning.year_after)
    names = ("held out", "year before", "year after")
    for test, name, colour in zip(tests, names, LINES[:3], strict=True):
        least = min(test.log_loss)
        beyond = [1000 * (loss - least) for loss in test.log_loss]
        axes.plot(tuning.self_games, beyond, color=colour, linewidth=1.8, label=name)
    axes.legend(frameon=False)
    _self_games(axes, tuning)


def _draw_found(axes: Canvas, tuning: Tuning, shape: str) -> None:
    for found, colour in zip(tuning.found, LINES[: len(tuning.found)], strict=True):
        axes.plot(tuning.self_games, found.error, color=colour, linewidth=1.8, label=found.name)
    axes.legend(frameon=False)
    _self_games(axes, tuning)


def _draw_covered(axes: Canvas, tuning: Tuning, shape: str) -> None:
    found = tuning.found[0]
    for nominal in NOMINAL:
        axes.axhline(nominal, color=SOFT, linewidth=1, linestyle=(0, (4, 3)))
    for coverage, name, colour in (
        (found.raw, "raw", LINES[0]),
        (found.adjusted, "adjusted", LINES[1]),
    ):
        for shares, label in ((coverage.one, name), (coverage.two, None)):
            percent = [100 * share for share in shares]
            axes.plot(tuning.self_games, percent, color=colour, linewidth=1.8, label=label)
    axes.set_ylim(0, 100)
    axes.legend(frameon=False, loc="lower left")
    _self_games(axes, tuning)


def _draw_calibration(axes: Canvas, tuning: Tuning, shape: str) -> None:
    axes.plot([0.5, 1], [0.5, 1], color=FAINT, linewidth=1)
    for bins, name, colour, marker in (
        (tuning.calibration, "raw", LINES[0], "o"),
        (tuning.adjusted_calibration, "adjusted", LINES[1], "s"),
    ):
        _points(axes, bins, color=colour, marker=marker, markersize=5, linestyle="none", label=name)
    axes.set_xlim(0.5, 1.0)
    axes.set_ylim(0.45, 1.0)
    axes.set_xlabel("expected score of the favourite, per game")
    axes.legend(frameon=False, loc="upper left")


def _self_games(axes: Canvas, tuning: Tuning) -> None:
    """Lay out the axis of self-games and mark the number that the site uses."""
    numbers = tuning.self_games
    ticks = [number for number in numbers if number in (5, 10, 30, 60, 120, 300)] or [*numbers]
    axes.axvline(tuning.chosen, color=SOFT, linewidth=0.8)
    axes.set_xscale("log")
    axes.set_xlim(numbers[0] / _MARGIN, numbers[-1] * _MARGIN)
    axes.set_xticks(ticks, [score(tick) for tick in ticks])
    axes.set_xticks([], minor=True)
    axes.set_xlabel("self-games between neighbouring years")


def _points(axes: Canvas, bins: Sequence[Bin], **style: object) -> None:
    """Plot what favourites scored against what was expected, with standard errors."""
    axes.errorbar(
        [one.expected for one in bins],
        [one.actual for one in bins],
        yerr=[one.standard_error for one in bins],
        **style,  # type: ignore[arg-type]
    )


# The contest


def _draw_losses(axes: Canvas, contest: Contest, shape: str, test: str) -> None:
    trial = contest.tests[test]
    low = min(entry.log_loss.low for entry in trial.entries)
    high = max(entry.log_loss.high for entry in trial.entries)
    room = (high - low or 0.01) / (1 - NAMES[shape])
    for k, entry in enumerate(trial.entries):
        is_reference = entry.slug == contest.reference
        colour, loss = LINES[0] if is_reference else LINES[1], entry.log_loss
        if is_reference:
            axes.axvline(loss.mean, color=SOFT, linewidth=0.8)
        axes.plot([loss.low, loss.high], [k, k], color=colour, linewidth=1.8)
        axes.plot([loss.mean], [k], color=colour, marker="s" if is_reference else "o", markersize=5)
        name = textwrap.fill(entry.name, NAME[shape])
        axes.text(high - 1.02 * room, k, name, color=INK, va="center", fontsize=10, linespacing=0.9)
    axes.set_xlim(high - 1.02 * room, high + 0.02 * room)
    axes.set_ylim(len(trial.entries) - 0.4, -0.6)
    axes.set_yticks([])
    axes.set_xlabel("log loss per game, in nats; lower is better")
    axes.set_xticks([tick for tick in axes.get_xticks() if low <= tick <= high])


def _draw_calibrations(axes: Canvas, contest: Contest, shape: str, test: str) -> None:
    trial = contest.tests[test]
    axes.set_axis_off()
    columns = COLUMNS[shape]
    rows = -(-len(trial.entries) // columns)
    for k, entry in enumerate(trial.entries):
        row, column = divmod(k, columns)
        place = (column / columns, 1 - (row + 0.84) / rows, 0.86 / columns, 0.6 / rows)
        small = axes.inset_axes(place)
        _draw_small_calibration(small, contest, entry)
        small.set_title(textwrap.fill(entry.name, TITLE[shape]), fontsize=10, color=INK)


def _draw_small_calibration(axes: Canvas, contest: Contest, entry: Entry) -> None:
    colour = LINES[0] if entry.slug == contest.reference else LINES[1]
    axes.plot([0.5, 1], [0.5, 1], color=FAINT, linewidth=1)
    _points(axes, entry.bins, color=colour, marker="o", markersize=2.5, linewidth=1)
    axes.set_xlim(0.5, 1.0)
    axes.set_ylim(0.45, 1.0)
    axes.set_xticks([0.5, 0.75, 1.0], ["0.5", "", "1"])
    axes.set_yticks([0.5, 0.75, 1.0], ["0.5", "", "1"])
    axes.tick_params(labelsize=9)


def _rows_high(contest: Contest, test: str) -> Sizes:
    height = ROW * len(contest.tests[test].entries) + AROUND
    return {shape: (width, height) for shape, width in WIDTHS.items()}


def _grid_high(contest: Contest, test: str) -> Sizes:
    systems = len(contest.tests[test].entries)
    return {
        shape: (width, SMALL[shape] * -(-systems // COLUMNS[shape]) + AROUND)
        for shape, width in WIDTHS.items()
    }


def _tuning(site: SiteInput) -> Tuning | None:
    return site.tuning


def _contest(site: SiteInput) -> Contest | None:
    return site.contest


TUNING: tuple[Figure[Any], ...] = (
    Figure(
        "foretold",
        _tuning,
        _draw_predicted,
        "Three curves against the number of self-games: the log loss of held-out results above "
        "that at the best number. The table has the numbers.",
    ),
    Figure(
        "found",
        _tuning,
        _draw_found,
        "Curves against the number of self-games: the error of the ratings against the known "
        "strengths of simulated careers, for each kind of career. The table has the numbers.",
    ),
    Figure(
        "covered",
        _tuning,
        _draw_covered,
        "Against the number of self-games, the share of known strengths within one and within 1.96 "
        "deviations, for raw and for adjusted ratings, with the nominal 68.3 and 95 per cent. "
        "The table has the numbers for the site's own setting.",
    ),
    Figure(
        "calibration",
        _tuning,
        _draw_calibration,
        "The scores of favourites in held-out results against their expected scores, with "
        "standard errors, and the line on which the two are equal. The table has the numbers.",
    ),
)
"""The figures on the number of self-games."""

_LOSSES = (
    "The log loss of each system with its interval, the best at the top; the vertical line is "
    "Edo. The table has the numbers."
)
_CALIBRATIONS = (
    "A small figure for each system: the scores of favourites against their expected scores, with "
    "standard errors, and the line on which the two are equal. The table has totals."
)


def _of_test(test: str) -> Iterator[Figure[Contest]]:
    name = test.replace(" ", "-")
    yield Figure(
        f"losses-{name}",
        _contest,
        partial(_draw_losses, test=test),
        _LOSSES,
        partial(_rows_high, test=test),
    )
    yield Figure(
        f"calibrations-{name}",
        _contest,
        partial(_draw_calibrations, test=test),
        _CALIBRATIONS,
        partial(_grid_high, test=test),
    )


CONTEST: tuple[Figure[Any], ...] = tuple(figure for test in TESTS for figure in _of_test(test))
"""The figures of the contest."""

OF = {TUNING_FILE: TUNING, CONTEST_FILE: CONTEST}
"""The figures of each file with a measurement."""


def drawn(file: str, measurement: object) -> Iterator[tuple[str, bytes]]:
    """Yield path and SVG of the figures of a measurement; paths as in the site."""
    stamp = stamp_of(measurement)
    for figure in OF[file]:
        for name, draw in figure.files(measurement, stamp):
            yield name, draw()


def stored(content: Path, file: str) -> Iterator[tuple[str, Path]]:
    """Yield the path in the site of each figure of a measurement, and that of its file."""
    for figure in OF[file]:
        for shape in WIDTHS:
            name = path(figure.name, shape)
            yield name, content / name


def check(content: Path, file: str, measurement: object) -> Iterator[Problem]:
    """Yield an error for each figure that is missing, or is not of this measurement."""
    stamp = stamp_of(measurement).encode()
    remedy = f"run `python -m edo {file.removesuffix('.json').replace('tuning', 'tune')} --draw`"
    for _, path_of_file in stored(content, file):
        if not path_of_file.is_file():
            message = f"the figure of {file} is missing"
        elif stamp not in path_of_file.read_bytes():
            message = f"the figure was drawn from another measurement than {file}"
        else:
            continue
        yield Problem(path_of_file.as_posix(), 1, "", message, remedy)
