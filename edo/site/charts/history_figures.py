"""The figures of the history: of its ratings, of effects that players share, and of its record."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from edo.core.countries import NAMES
from edo.rating.edo import Ratings, levels
from edo.rating.record import Record, RecordLine, record_lines
from edo.site.charts.drawing import FAINT, INK, LINES, SIZES, SOFT, Canvas, Figure, Sizes
from edo.site.input import SiteInput
from edo.systems.base import AGE, Effect, Kind

LEAST = 20
"""Players of a country that is listed by itself, at least."""

WITHIN = 1.96  # [deviations] of a band: 95 % of a normal distribution
ROW, AROUND = 23, 60  # [px] for each country, and for axis and margins
NAMES_TAKE = {"wide": 0.3, "narrow": 0.42}  # share of the width
FEW = 6  # decades whose names fit next to each other

Editions = tuple[Sequence[RecordLine], Record | None]
"""What is on record by decade, in this edition and in the one to compare with."""


# Ratings


def _draw_top_ten(axes: Canvas, ratings: Ratings, shape: str) -> None:
    years = levels(ratings)
    means = ([y.top5 for y in years], [y.top10 for y in years], [y.top20 for y in years])
    for name, values, colour in zip(("5", "10", "20"), means, LINES[:3], strict=True):
        shown = [(y.year, mean) for y, mean in zip(years, values, strict=True) if mean is not None]
        if shown:
            axes.plot(*zip(*shown, strict=True), color=colour, linewidth=1.8)
            axes.text(shown[-1][0] + 1, shown[-1][1], name, color=colour, va="center")
    axes.set_xlim(years[0].year - 1, years[-1].year + 6)


def _draw_below(axes: Canvas, ratings: Ratings, shape: str) -> None:
    years = [year for year in levels(ratings) if year.top10 is not None]
    if years:
        shares = [100 * y.share_below for y in years]
        axes.bar([y.year for y in years], shares, width=1.05, color=LINES[0], linewidth=0)
        axes.set_xlim(years[0].year - 1, years[-1].year + 1)


def _draw_rated(axes: Canvas, ratings: Ratings, shape: str) -> None:
    years = sorted(ratings.years)
    everyone = [len(ratings.years[year]) for year in years]
    active = [sum(not p.is_gap for p in ratings.years[year]) for year in years]
    axes.fill_between(years, active, everyone, color=FAINT, alpha=0.45, linewidth=0, step="mid")
    axes.fill_between(years, 0, active, color=LINES[0], linewidth=0, step="mid")
    axes.set_xlim(years[0] - 1, years[-1] + 1)
    axes.set_ylim(0, max(everyone) * 1.05)


def _draw_unrated(axes: Canvas, ratings: Ratings, shape: str) -> None:
    counts = sorted(Counter(ratings.unrated.values()).items(), key=lambda item: (item[1], item[0]))
    numbers = [number for _, number in counts] or [0]
    axes.barh(range(len(numbers)), numbers, height=0.32, color=LINES[0])
    width = {"wide": 84, "narrow": 46}[shape]
    for k, (reason, number) in enumerate(counts):
        words = textwrap.fill(reason.partition(", so that")[0].rstrip("."), width)
        axes.text(0, k + 0.24, words, color=INK, va="bottom", fontsize=11)
        axes.text(number + max(numbers) * 0.01, k, str(number), color=INK, va="center")
    axes.set_yticks([])
    axes.set_ylim(-0.4, len(numbers) - 0.1)
    axes.grid(visible=False)
    axes.spines["bottom"].set_visible(False)
    axes.set_xticks([])


def _draw_deviations(axes: Canvas, ratings: Ratings, shape: str) -> None:
    years = [year for years in ratings.players.values() for year in years]
    steps = int(max(year.deviation for year in years) // 10) + 1
    edges = [10.0 * k for k in range(steps + 1)]
    played = [year.deviation for year in years if not year.is_gap]
    gaps = [year.deviation for year in years if year.is_gap]
    axes.hist([played, gaps], edges, stacked=True, color=[LINES[0], FAINT], rwidth=0.9)
    axes.set_xlim(0, edges[-1])
    axes.set_xlabel("rating deviation, in steps of 10 points")


# Effects that players share


def effects_of(site: SiteInput) -> Sequence[Effect]:
    """Return the effects of the first system that estimates any."""
    return next((column.effects for column in site.systems.columns if column.effects), ())


def enough(effects: Sequence[Effect], kind: Kind) -> list[Effect]:
    """Return the effects of a kind: ages with any player-years, others with `LEAST`."""
    least = 1 if kind == "age" else LEAST
    return [effect for effect in effects if effect.kind == kind and effect.count >= least]


def _if_any(kind: Kind) -> Callable[[SiteInput], Sequence[Effect] | None]:
    """Return a function that gives the effects of a site where it has enough of a kind."""

    def effects_if_any(site: SiteInput) -> Sequence[Effect] | None:
        effects = effects_of(site)
        return effects if enough(effects, kind) else None

    return effects_if_any


def _height_for_countries(effects: Sequence[Effect]) -> Sizes:
    height = ROW * len(enough(effects, "country")) + AROUND
    return {shape: (width, height) for shape, (width, _) in SIZES.items()}


def _band(axes: Canvas, effects: Sequence[Effect], colour: str, alpha: float, label: str) -> None:
    axes.fill_between(
        [int(effect.of) for effect in effects],
        [effect.effect - WITHIN * effect.deviation for effect in effects],
        [effect.effect + WITHIN * effect.deviation for effect in effects],
        color=colour, alpha=alpha, linewidth=0, label=label,
    )  # fmt: skip


def _line(axes: Canvas, effects: Sequence[Effect], label: str, **style: object) -> None:
    years = [int(effect.of) for effect in effects]
    axes.plot(years, [effect.effect for effect in effects], label=label, **style)  # type: ignore[arg-type]


def _draw_age(axes: Canvas, effects: Sequence[Effect], shape: str) -> None:
    ages = enough(effects, "age")
    axes.set_axis_off()
    curve, counts = (axes.inset_axes(place) for place in ((0, 0.36, 1, 0.58), (0, 0, 1, 0.2)))
    _band(curve, ages, LINES[0], 0.25, "95% band")
    _line(curve, ages, "age alone", color=LINES[0], linewidth=1.8)
    curve.axhline(0, color=SOFT, linewidth=0.8)
    curve.set_title(f"points against age {AGE}")
    curve.legend(frameon=False, loc="lower center")
    numbers = [effect.count for effect in ages]
    counts.bar([int(effect.of) for effect in ages], numbers, width=0.8, color=FAINT, linewidth=0)
    counts.set_title("player-years with games")
    for part in (curve, counts):
        part.set_xlim(int(ages[0].of) - 1, int(ages[-1].of) + 1)
    curve.set_xticklabels([])
    counts.set_xlabel("age in years")


def _draw_countries(axes: Canvas, effects: Sequence[Effect], shape: str) -> None:
    countries = sorted(enough(effects, "country"), key=lambda country: -country.effect)
    ends = [(country.effect - WITHIN * country.deviation,
             country.effect + WITHIN * country.deviation) for country in countries]  # fmt: skip
    low, high = min(low for low, _ in ends), max(high for _, high in ends)
    room = (high - low) / (1 - NAMES_TAKE[shape])
    axes.axvline(0, color=SOFT, linewidth=0.8)
    for k, (country, interval) in enumerate(zip(countries, ends, strict=True)):
        axes.plot(interval, [k, k], color=LINES[1], linewidth=1.8)
        axes.plot([country.effect], [k], color=LINES[1], marker="o", markersize=5)
        name = NAMES.get(country.of, country.of)
        axes.text(high - 1.02 * room, k, name, color=INK, va="center", fontsize=11)
    axes.set_xlim(high - 1.02 * room, high + 0.02 * room)
    axes.set_ylim(len(countries) - 0.4, -0.6)
    axes.set_yticks([])
    axes.set_xlabel("points against the mean of all countries")
    axes.set_xticks([tick for tick in axes.get_xticks() if low <= tick <= high])


# The record


def _editions(site: SiteInput) -> Editions:
    return record_lines(site.dataset, site.ratings), site.record_before


def _draw_record(axes: Canvas, editions: Editions, shape: str) -> None:
    lines, before = editions
    decades = [(line.decade, line) for line in lines if line.decade is not None and line.games]
    years = [decade for decade, _ in decades]
    whole = [line.whole_games for _, line in decades]
    part = [line.games - line.whole_games for _, line in decades]
    axes.bar(years, whole, width=7, color=LINES[0], linewidth=0, label="whole events")
    axes.bar(years, part, width=7, bottom=whole, color=FAINT, linewidth=0, label="known in part")
    old = {line.decade: line.games for line in before.lines} if before is not None else {}
    marked = [year for year in years if year in old]
    if marked:
        axes.hlines([old[year] for year in marked], [year - 4.5 for year in marked],
                    [year + 4.5 for year in marked], color=INK, linewidth=1.5,
                    label="edition before")  # fmt: skip
    labelled = [year for year in years if year % 20 == 0] if len(years) > FEW else years
    axes.set_xticks(labelled, [f"{year}s" for year in labelled])
    highest = [line.games for _, line in decades] + [old[year] for year in marked]
    axes.set_ylim(0, max([1.0, *highest]) * 1.05)
    axes.legend(frameon=False, loc="upper left")


def _ratings(site: SiteInput) -> Ratings:
    return site.ratings


OF_RATINGS: tuple[Figure[Ratings], ...] = (
    Figure(
        "top-ten",
        _ratings,
        _draw_top_ten,
        "Three curves through the years: the mean ratings of the top five, ten and twenty of each "
        "year's list. The file consistency.csv has the numbers.",
    ),
    Figure(
        "below",
        _ratings,
        _draw_below,
        "The share of each year's rated players, in per cent, who are rated below 2200, in years "
        "with at least ten rated players. The file consistency.csv has the numbers.",
    ),
    Figure(
        "rated",
        _ratings,
        _draw_rated,
        "The number of rated players in each year, with those who have results in that year below "
        "and those in a gap between two results above.",
    ),
    Figure(
        "unrated",
        _ratings,
        _draw_unrated,
        "A bar for each reason: the number of players who could not be rated.",
    ),
    Figure(
        "deviations",
        _ratings,
        _draw_deviations,
        "A histogram of the deviations of all player-years, with years with results below and "
        "years in gaps above.",
    ),
)

HISTORY: tuple[Figure[Any], ...] = (
    *OF_RATINGS,
    Figure(
        "age",
        _if_any("age"),
        _draw_age,
        f"How strength differs from that at {AGE}, by age, with a band of 95 per cent, and, below, "
        "the number of player-years at each age. The table has the numbers.",
        sizes=lambda _: {"wide": (600, 420), "narrow": (400, 440)},
    ),
    Figure(
        "countries",
        _if_any("country"),
        _draw_countries,
        "The level of the players of each country with its interval of 95 per cent, the highest at "
        "the top. The table has the numbers.",
        sizes=_height_for_countries,
    ),
    Figure(
        "record",
        _editions,
        _draw_record,
        "A bar for each decade: the rated games in events that are whole, at the bottom, and in "
        "events known in part. The table has the numbers.",
    ),
)
"""They are drawn at each build, from the data of the day."""
