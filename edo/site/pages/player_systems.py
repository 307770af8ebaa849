"""The section on rating systems on the page of a player: overlaid curves and their numbers."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import isnan
from statistics import fmean

import numpy as np

from edo.core.formats import rounded
from edo.core.model import Player
from edo.site.charts.rating_curve import RatingCurve, overlay
from edo.site.input import Link
from edo.site.pages.lookups import Lookups
from edo.site.pages.systems import is_moving, known_number, link_of
from edo.systems.all_ratings import AllRatings, SystemRatings

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
    """What a column holds of a player: ratings [Elo] of all years, NaN for none; those with games.

    `number` stands for the system everywhere; `is_own` says whether the site leads with it.
    """

    number: str
    is_own: bool
    column: SystemRatings
    ratings: list[float]
    with_games: list[int]


def player_systems(player: Player, lookups: Lookups) -> PlayerSystems | None:
    """Return the ratings of a player under the systems, None where none rates him."""
    systems = lookups.systems
    at = systems.years_of(player.id)
    columns = [one for one in _columns(systems, at) if one.with_games]
    if not columns:
        return None
    years: list[int] = systems.player_years.year[at].tolist()
    played: list[bool] = systems.played[at].tolist()
    drawing = _drawing(player, columns, years, lookups) if len(years) >= DRAWN else None
    curves = iter(drawing.lines if drawing is not None else ())
    lead = next((one for one in columns if one.is_own), None)
    return PlayerSystems(
        player=player.shown_name,
        rows=tuple(
            _row(one, None if one.is_own else next(curves, None), lead, at, years)
            for one in columns
        ),
        drawing=drawing,
        years=tuple(
            YearRow(year, not played[k], tuple(known_number(one.ratings[k]) for one in columns))
            for k, year in enumerate(years)
        ),
        has_own=player.id in lookups.ratings.players,
    )


def _columns(systems: AllRatings, at: slice) -> Iterator[_Own]:
    """Yield what each system holds, with the number or the name that stands for it."""
    played = np.flatnonzero(systems.played[at]).tolist()
    numbers = map(str, itertools.count(1))
    for column in systems.columns:
        system = column.system
        is_own = system.slug == systems.leading
        number = system.name if is_own else next(numbers)
        ratings = column.rating[at].tolist()
        yield _Own(number, is_own, column, ratings, [k for k in played if not isnan(ratings[k])])


def _row(own: _Own, curve: str | None, lead: _Own | None, at: slice, years: list[int]) -> SystemRow:
    system = own.column.system
    highest = max(own.with_games, key=own.ratings.__getitem__)
    return SystemRow(
        number=own.number,
        system=link_of(system),
        direction=system.direction,
        curve=curve,
        highest=own.ratings[highest],
        deviation=known_number(own.column.deviation[at][highest]),
        year=years[highest] if is_moving(system) else None,
        difference=None if lead is None or own.is_own else _difference(own, lead),
    )


def _difference(own: _Own, lead: _Own) -> float | None:
    """Return the mean difference from the leading one over the years with games that both rate."""
    both = [own.ratings[k] - lead.ratings[k] for k in lead.with_games if not isnan(own.ratings[k])]
    return fmean(both) if both else None


def _drawing(
    player: Player, columns: list[_Own], years: list[int], lookups: Lookups
) -> RatingCurve:
    """Return the curves, in whole points: of less than a pixel."""
    runs = [
        [
            (year, rounded(one.ratings[k]))
            for k, year in enumerate(years)
            if not isnan(one.ratings[k])
        ]
        for one in columns
        if not one.is_own
    ]
    own = (
        replace(one, rating=rounded(one.rating), deviation=rounded(one.deviation))
        for one in lookups.ratings.players.get(player.id, ())
    )
    return overlay(tuple(own), runs)
