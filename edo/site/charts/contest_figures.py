"""What the contest of the rating systems found in, its figures out."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from edo.site.charts.figures import Canvas, Drawing, Sizes, described, drawn
from edo.site.charts.inks import FAINT, INK, LINES, SOFT
from edo.systems.evaluation.contest import Contest, Entry, Trial

Draw = Callable[[Canvas, Contest, Trial, str], None]

WIDTHS = {"wide": 600, "narrow": 400}  # [px]
ROW, AROUND = 23, 60  # [px] a system in the figure of losses, and what is around them all
COLUMNS = {"wide": 4, "narrow": 3}  # small figures beside each other
SMALL = {"wide": 140, "narrow": 135}  # [px] the height of each
LETTERS = {"wide": 22, "narrow": 19}  # that fit above a small figure
LONG = {"wide": 40, "narrow": 27}  # letters that fit before an interval
NAMES = {"wide": 0.36, "narrow": 0.5}  # the part of the width in which names stand


def files(contest: Contest | None) -> Iterator[tuple[str, bytes]]:
    """Yield path and SVG of every figure; none where there was no contest."""
    if contest is not None:
        for name, (draw, sizes, trial_of, _) in FIGURES.items():
            trial = trial_of(contest)
            put = partial(_draw, draw=draw, contest=contest, trial=trial)
            yield from drawn(name, sizes(len(trial.entries)), put)


def drawing(name: str, contest: Contest) -> Drawing:
    """Return what a page needs to show a figure. Raises KeyError where there is none so named."""
    _, sizes, trial_of, alt = FIGURES[name]
    return described(name, sizes(len(trial_of(contest).entries)), alt)


def _draw(axes: Canvas, draw: Draw, contest: Contest, trial: Trial, shape: str) -> None:
    draw(axes, contest, trial, shape)


def _draw_losses(axes: Canvas, contest: Contest, trial: Trial, shape: str) -> None:
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
        name = textwrap.fill(entry.name, LONG[shape])
        axes.text(high - 1.02 * room, k, name, color=INK, va="center", fontsize=10, linespacing=0.9)
    axes.set_xlim(high - 1.02 * room, high + 0.02 * room)
    axes.set_ylim(len(trial.entries) - 0.4, -0.6)
    axes.set_yticks([])
    axes.set_xlabel("log loss per game, in nats; less is better")
    axes.set_xticks([tick for tick in axes.get_xticks() if low <= tick <= high])


def _draw_calibrations(axes: Canvas, contest: Contest, trial: Trial, shape: str) -> None:
    axes.set_axis_off()
    columns = COLUMNS[shape]
    rows = -(-len(trial.entries) // columns)
    for k, entry in enumerate(trial.entries):
        row, column = divmod(k, columns)
        place = (column / columns, 1 - (row + 0.84) / rows, 0.86 / columns, 0.6 / rows)
        small = axes.inset_axes(place)
        _draw_calibration(small, contest, entry)
        small.set_title(textwrap.fill(entry.name, LETTERS[shape]), fontsize=10, color=INK)


def _draw_calibration(axes: Canvas, contest: Contest, entry: Entry) -> None:
    colour = LINES[0] if entry.slug == contest.reference else LINES[1]
    axes.plot([0.5, 1], [0.5, 1], color=FAINT, linewidth=1)
    axes.errorbar(
        [one.expected for one in entry.bins],
        [one.actual for one in entry.bins],
        yerr=[one.standard_error for one in entry.bins],
        color=colour,
        marker="o",
        markersize=2.5,
        linewidth=1,
    )
    axes.set_xlim(0.5, 1.0)
    axes.set_ylim(0.45, 1.0)
    axes.set_xticks([0.5, 0.75, 1.0], ["0.5", "", "1"])
    axes.set_yticks([0.5, 0.75, 1.0], ["0.5", "", "1"])
    axes.tick_params(labelsize=9)


def _rows_high(systems: int) -> Sizes:
    return {shape: (width, ROW * systems + AROUND) for shape, width in WIDTHS.items()}


def _grid_high(systems: int) -> Sizes:
    return {
        shape: (width, SMALL[shape] * -(-systems // COLUMNS[shape]) + AROUND)
        for shape, width in WIDTHS.items()
    }


def _held_out(contest: Contest) -> Trial:
    return contest.held_out


def _next_year(contest: Contest) -> Trial:
    return contest.next_year


_LOSSES = (
    "For each system its log loss with an interval, the best above; the upright line is Edo. The "
    "numbers stand in the table."
)
_CALIBRATIONS = (
    "For each system a small figure: what favourites scored against what was expected of them, "
    "with standard errors; the line is where both are equal. Sums stand in the table."
)

FIGURES: Mapping[str, tuple[Draw, Callable[[int], Sizes], Callable[[Contest], Trial], str]] = {
    "losses-held-out": (_draw_losses, _rows_high, _held_out, _LOSSES),
    "losses-next-year": (_draw_losses, _rows_high, _next_year, _LOSSES),
    "calibrations-held-out": (_draw_calibrations, _grid_high, _held_out, _CALIBRATIONS),
    "calibrations-next-year": (_draw_calibrations, _grid_high, _next_year, _CALIBRATIONS),
}
"""By name: what draws it, its sizes [px] for so many systems, its test, and the words for it."""
