"""The figures of effects that players share: the age curve and countries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from edo.core.countries import NAMES
from edo.site.charts.figures import (
    FAINT,
    INK,
    LINES,
    SIZES,
    SOFT,
    Canvas,
    Draw,
    Drawing,
    Sizes,
    described,
    drawn,
)
from edo.systems.base import AGE, Effect, Kind

LEAST = 20
"""Players of a country that is listed by itself, at least."""

WITHIN = 1.96  # [deviations] of a band: 95 % of a normal distribution
ROW, AROUND = 23, 60  # [px] for each country, and for axis and margins
NAMES_TAKE = {"wide": 0.3, "narrow": 0.42}  # share of the width


def effect_files(effects: Sequence[Effect]) -> Iterator[tuple[str, bytes]]:
    """Yield path and SVG of every figure of which there is something to show."""
    for name, (draw, kind, _) in FIGURES.items():
        if enough(effects, kind):
            yield from drawn(name, _sizes(name, effects), partial(draw, effects=effects))


def effect_drawing(name: str, effects: Sequence[Effect]) -> Drawing:
    """Return what a page needs to show a figure. Raises KeyError if there is none of this name."""
    return described(name, _sizes(name, effects), FIGURES[name][2])


def enough(effects: Sequence[Effect], kind: Kind) -> list[Effect]:
    """Return the effects of a kind: ages with any player-years, others with `LEAST`."""
    least = 1 if kind == "age" else LEAST
    return [one for one in effects if one.kind == kind and one.count >= least]


def _sizes(name: str, effects: Sequence[Effect]) -> Sizes:
    if name == "age":
        return {"wide": (600, 420), "narrow": (400, 440)}
    if name == "countries":
        height = ROW * len(enough(effects, "country")) + AROUND
        return {shape: (width, height) for shape, (width, _) in SIZES.items()}
    return SIZES


def _band(axes: Canvas, effects: Sequence[Effect], colour: str, alpha: float, label: str) -> None:
    axes.fill_between(
        [int(one.of) for one in effects],
        [one.effect - WITHIN * one.deviation for one in effects],
        [one.effect + WITHIN * one.deviation for one in effects],
        color=colour, alpha=alpha, linewidth=0, label=label,
    )  # fmt: skip


def _line(axes: Canvas, effects: Sequence[Effect], label: str, **style: object) -> None:
    years = [int(one.of) for one in effects]
    axes.plot(years, [one.effect for one in effects], label=label, **style)  # type: ignore[arg-type]


def _draw_age(axes: Canvas, effects: Sequence[Effect], shape: str) -> None:
    ages = enough(effects, "age")
    axes.set_axis_off()
    curve, counts = (axes.inset_axes(place) for place in ((0, 0.36, 1, 0.58), (0, 0, 1, 0.2)))
    _band(curve, ages, LINES[0], 0.25, "95% band")
    _line(curve, ages, "age alone", color=LINES[0], linewidth=1.8)
    curve.axhline(0, color=SOFT, linewidth=0.8)
    curve.set_title(f"points against age {AGE}")
    curve.legend(frameon=False, loc="lower center")
    numbers = [one.count for one in ages]
    counts.bar([int(one.of) for one in ages], numbers, width=0.8, color=FAINT, linewidth=0)
    counts.set_title("player-years with games")
    for part in (curve, counts):
        part.set_xlim(int(ages[0].of) - 1, int(ages[-1].of) + 1)
    curve.set_xticklabels([])
    counts.set_xlabel("age in years")


def _draw_countries(axes: Canvas, effects: Sequence[Effect], shape: str) -> None:
    found = sorted(enough(effects, "country"), key=lambda one: -one.effect)
    ends = [(one.effect - WITHIN * one.deviation, one.effect + WITHIN * one.deviation)
            for one in found]  # fmt: skip
    low, high = min(low for low, _ in ends), max(high for _, high in ends)
    room = (high - low) / (1 - NAMES_TAKE[shape])
    axes.axvline(0, color=SOFT, linewidth=0.8)
    for k, (one, interval) in enumerate(zip(found, ends, strict=True)):
        axes.plot(interval, [k, k], color=LINES[1], linewidth=1.8)
        axes.plot([one.effect], [k], color=LINES[1], marker="o", markersize=5)
        name = NAMES.get(one.of, one.of)
        axes.text(high - 1.02 * room, k, name, color=INK, va="center", fontsize=11)
    axes.set_xlim(high - 1.02 * room, high + 0.02 * room)
    axes.set_ylim(len(found) - 0.4, -0.6)
    axes.set_yticks([])
    axes.set_xlabel("points against the mean of all countries")
    axes.set_xticks([tick for tick in axes.get_xticks() if low <= tick <= high])


FIGURES: Mapping[str, tuple[Draw, Kind, str]] = {
    "age": (
        _draw_age,
        "age",
        f"How strength differs from that at {AGE}, by age, with a band of 95 per cent, and, below, "
        "the number of player-years at each age. The table has the numbers.",
    ),
    "countries": (
        _draw_countries,
        "country",
        "The level of the players of each country with its interval of 95 per cent, the highest at "
        "the top. The table has the numbers.",
    ),
}
"""By name: the function that draws a figure, the kind that it needs, and its text alternative."""
