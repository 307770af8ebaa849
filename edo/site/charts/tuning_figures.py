"""What `tune` measured in, the figures of the page on choosing the number of self-games out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from edo.core.formats import score
from edo.site.charts.figures import SIZES, Canvas, Drawing, described, drawn
from edo.site.charts.inks import FAINT, LINES, SOFT
from edo.systems.evaluation.tuning import Bin, Tuning

Draw = Callable[[Canvas, Tuning], None]

NOMINAL = (68.3, 95.0)  # [%] of a normal distribution within 1 and 1.96 deviations
_ROOM = 1.25  # by which the axis goes on beyond the last number of self-games


def files(tuning: Tuning | None) -> Iterator[tuple[str, bytes]]:
    """Yield path and SVG of every figure; none where nothing was measured."""
    if tuning is not None:
        for name, (draw, _) in FIGURES.items():
            yield from drawn(name, SIZES, partial(_draw, draw=draw, tuning=tuning))


def drawing(name: str) -> Drawing:
    """Return what a page needs to show a figure. Raises KeyError where there is none so named."""
    return described(name, SIZES, FIGURES[name][1])


def _draw(axes: Canvas, draw: Draw, tuning: Tuning, shape: str) -> None:
    draw(axes, tuning)


def _draw_foretold(axes: Canvas, tuning: Tuning) -> None:
    tests = (tuning.held_out, tuning.year_before, tuning.year_after)
    names = ("held out", "year before", "year after")
    for test, name, colour in zip(tests, names, LINES[:3], strict=True):
        least = min(test.log_loss)
        beyond = [1000 * (loss - least) for loss in test.log_loss]
        axes.plot(tuning.self_games, beyond, color=colour, linewidth=1.8, label=name)
    axes.legend(frameon=False)
    _self_games(axes, tuning)


def _draw_found(axes: Canvas, tuning: Tuning) -> None:
    for found, colour in zip(tuning.found, LINES[: len(tuning.found)], strict=True):
        axes.plot(tuning.self_games, found.error, color=colour, linewidth=1.8, label=found.name)
    axes.legend(frameon=False)
    _self_games(axes, tuning)


def _draw_covered(axes: Canvas, tuning: Tuning) -> None:
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


def _draw_calibration(axes: Canvas, tuning: Tuning) -> None:
    axes.plot([0.5, 1], [0.5, 1], color=FAINT, linewidth=1)
    _points(axes, tuning.calibration, "raw", LINES[0], "o")
    _points(axes, tuning.adjusted_calibration, "adjusted", LINES[1], "s")
    axes.set_xlim(0.5, 1.0)
    axes.set_ylim(0.45, 1.0)
    axes.set_xlabel("expected score of the favourite, per game")
    axes.legend(frameon=False, loc="upper left")


def _points(axes: Canvas, bins: Sequence[Bin], name: str, colour: str, marker: str) -> None:
    axes.errorbar(
        [b.expected for b in bins],
        [b.actual for b in bins],
        yerr=[b.standard_error for b in bins],
        color=colour,
        marker=marker,
        markersize=5,
        linestyle="none",
        label=name,
    )


def _self_games(axes: Canvas, tuning: Tuning) -> None:
    """Lay out the axis of self-games and mark those of the pass."""
    numbers = tuning.self_games
    ticks = [number for number in numbers if number in (5, 10, 30, 60, 120, 300)] or [*numbers]
    axes.axvline(tuning.chosen, color=SOFT, linewidth=0.8)
    axes.set_xscale("log")
    axes.set_xlim(numbers[0] / _ROOM, numbers[-1] * _ROOM)
    axes.set_xticks(ticks, [score(tick) for tick in ticks])
    axes.set_xticks([], minor=True)
    axes.set_xlabel("self-games between neighbouring years")


FIGURES: Mapping[str, tuple[Draw, str]] = {
    "foretold": (
        _draw_foretold,
        "Three curves over the number of self-games: how much worse than at best results are "
        "foretold that were left out. The numbers stand in the table.",
    ),
    "found": (
        _draw_found,
        "Curves over the number of self-games: how far ratings are from the known strengths of "
        "invented careers, for each kind of career. The numbers stand in the table.",
    ),
    "covered": (
        _draw_covered,
        "Over the number of self-games, the share of known strengths within one and within 1.96 "
        "deviations, for raw and for adjusted ratings, beside the 68.3 and 95 per cent that are "
        "due. The numbers for the site's own setting stand in the table.",
    ),
    "calibration": (
        _draw_calibration,
        "What favourites scored in results left out, against what was expected of them, with "
        "standard errors; the line is where both are equal. The numbers stand in the table.",
    ),
}
"""By name: what draws it, and the words for those who do not see it."""
