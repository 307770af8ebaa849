"""The section on rating systems on the page of a player: overlaid curves and their numbers."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from math import isnan

import numpy as np

from edo.core.model import Player
from edo.site.charts.rating_curve import RatingCurve, overlay
from edo.site.input import Link
from edo.site.pages.lookups import Lookups, UnderSystems
from edo.site.pages.systems import is_moving, known_number, link_of
from edo.systems.base import System

DRAWN = 5  # rated years from which there is a curve to look at


@dataclass(frozen=True, slots=True)
class SystemRow:
    """The ratings of a player under one system [Elo].

    `number` stands for the system everywhere. `curve` are the points of its line, None where none
    is drawn. `highest` is the highest rating in a year with games, `year` that year, None where all
    years have the same; `difference` is the mean difference from the leading one.
    """

    number: str
    system: Link
    direction: str
    curve: str | None
    highest: float
    deviation: float | None
    year: int | None
    difference: float | None


@dataclass(frozen=True, slots=True)
class YearRow:
    """A year, and the rating [Elo] under each system in the order of the rows, None for none."""

    year: int
    is_gap: bool
    ratings: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class PlayerSystems:
    """The ratings of a player under all systems; without `drawing` where there are few years."""

    player: str
    rows: tuple[SystemRow, ...]
    drawing: RatingCurve | None
    years: tuple[YearRow, ...]
    has_own: bool


@dataclass(frozen=True, slots=True)
class _Own:
    """What a system says of a player: ratings [Elo] of all years, NaN for none; its row in `under`.

    `number` stands for the system everywhere; `is_own` says whether the site leads with it.
    """

    number: str
    is_own: bool
    system: System
    ratings: list[float]
    row: int


def player_systems(player: Player, lookups: Lookups) -> PlayerSystems | None:
    """Return the ratings of a player under the systems, None where none rates him."""
    under = lookups.under.get(player.id)
    columns = [] if under is None else list(_columns(under, lookups))
    if under is None or not columns:
        return None
    years: list[int] = under.year.tolist()
    played: list[bool] = under.played.tolist()
    runs = [
        [(year, one.ratings[k]) for k, year in enumerate(years) if not isnan(one.ratings[k])]
        for one in columns
        if not one.is_own
    ]
    own = lookups.ratings.players.get(player.id, ())
    drawing = overlay(own, runs) if len(years) >= DRAWN else None
    curves = iter(drawing.lines if drawing is not None else ())
    return PlayerSystems(
        player=player.shown_name,
        rows=tuple(_row(one, None if one.is_own else next(curves, None), under) for one in columns),
        drawing=drawing,
        years=tuple(
            YearRow(year, not played[k], tuple([known_number(one.ratings[k]) for one in columns]))
            for k, year in enumerate(years)
        ),
        has_own=bool(own),
    )


def _columns(under: UnderSystems, lookups: Lookups) -> Iterator[_Own]:
    """Yield what each system says of years with games, with what stands for the system."""
    numbers, ratings = map(str, itertools.count(1)), under.rating.tolist()
    rated = np.flatnonzero(~np.isnan(under.rating[:, under.played]).all(axis=1)).tolist()
    for row, system in enumerate(lookups.systems.values()):
        is_own = system.slug == lookups.ratings.settings.system
        number = system.name if is_own else next(numbers)
        if row in rated:
            yield _Own(number, is_own, system, ratings[row], row)


def _row(own: _Own, curve: str | None, under: UnderSystems) -> SystemRow:
    highest = int(under.highest[own.row])
    return SystemRow(
        number=own.number,
        system=link_of(own.system),
        direction=own.system.direction,
        curve=curve,
        highest=own.ratings[highest],
        deviation=known_number(under.deviation[own.row]),
        year=int(under.year[highest]) if is_moving(own.system) else None,
        difference=None if own.is_own else known_number(under.difference[own.row]),
    )
