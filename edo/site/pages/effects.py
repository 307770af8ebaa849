"""What the texts on age and on comparing periods name of the effects that players share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypedDict

from edo.core.countries import NAMES
from edo.site.charts.effect_figures import LEAST, WITHIN, enough
from edo.site.input import SiteInput
from edo.systems.base import AGE, CAREER, Effect
from edo.systems.evaluation.contest import Variant

SHOWN_AGES = 4  # [years] between the ages of the table


class Row(NamedTuple):
    """An effect [Elo] with the ends of its interval, and what else the table has in its line."""

    name: str
    effect: float
    low: float
    high: float
    players: int
    other: Effect | None = None


class Decade(NamedTuple):
    """The mean rating of a decade against that of another [Elo], with its standard errors.

    `deviation` is for a constant mean level, `open` for one that may change, and `known` for that
    with a known age curve.
    """

    name: str
    effect: float
    deviation: float
    players: int
    known: float
    open: float


class EffectValues(TypedDict):
    """What the texts name; `career` and `age` are those against which others are measured."""

    ages: Sequence[Row]
    n_ages: float
    age: int
    career: tuple[int, int]
    countries: Sequence[Row]
    least: float
    n_countries: int
    n_of_countries: float
    years: Effect | None
    events: Effect | None
    decades: Sequence[Decade]
    against: str | None
    variants: Sequence[Variant]


def effects_of(site: SiteInput) -> Sequence[Effect]:
    """Return the effects of the first system that estimates any."""
    return next((one.effects for one in site.systems.columns if one.effects), ())


def effect_values(site: SiteInput) -> EffectValues | None:
    """Return what the texts name, None where no system has estimated anything."""
    effects = effects_of(site)
    if not effects:
        return None
    of = {(one.kind, one.of): one for one in effects}
    ages, countries = enough(effects, "age"), enough(effects, "country")
    shown = [one for one in ages if (int(one.of) - AGE) % SHOWN_AGES == 0]
    players = [one.count for one in effects if one.kind == "country"]
    decades, levels = enough(effects, "decade"), [one for one in effects if one.kind == "decade"]
    return {
        "ages": [_row(one.of, one, of.get(("career", one.of))) for one in shown],
        "n_ages": sum(one.count for one in ages),
        "age": AGE,
        "career": CAREER,
        "countries": [
            _row(NAMES.get(one.of, one.of), one)
            for one in sorted(countries, key=lambda one: -one.effect)
        ],
        "least": LEAST,
        "n_countries": len(players),
        "n_of_countries": sum(players),
        "years": of.get(("years", "twice as many")),
        "events": of.get(("events", "twice as many")),
        "decades": [
            Decade(
                f"{one.of}s", one.effect, one.deviation, one.count,
                known=of["open decade, known ages", one.of].deviation,
                open=of["open decade", one.of].deviation,
            )
            for one in (decades if len(decades) > 1 else ())
        ],
        "against": next((f"{one.of}s" for one in levels if not one.deviation), None),
        "variants": () if site.contest is None else site.contest.variants,
    }  # fmt: skip


def _row(name: str, one: Effect, other: Effect | None = None) -> Row:
    off = WITHIN * one.deviation
    return Row(name, one.effect, one.effect - off, one.effect + off, one.count, other)
