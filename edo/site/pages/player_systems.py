"""A player and the ratings of all systems in, his curves over each other and their numbers out."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isnan
from statistics import fmean

import numpy as np

from edo.core import formats, urls
from edo.core.model import Player
from edo.site.charts.overlay import Overlay, overlay
from edo.site.input import Link
from edo.site.pages.leading import is_moving, shown, shown_with
from edo.site.pages.material import NOTHING, Material
from edo.site.pages.system_list import link_of
from edo.systems.alongside import REFERENCE, Alongside, Column
from edo.systems.system import Direction

DRAWN = 5  # rated years from which there is a curve to look at
KINDS: Mapping[Direction, str] = {
    "forwards": "line-b",
    "all at once": "line-c",
    "one rating for all years": "line-e",
}
"""The colours of the lines, by what a rating knows."""


@dataclass(frozen=True, slots=True)
class SystemRow:
    """What a system says of the player; `kind` is the class of its line, `direction` what it knows.

    `points` are its curve, None where none is drawn. `highest` is the highest rating in a year with
    games, `in_year` that year, None where all years have the same; `against` is the mean
    difference from Edo.
    """

    number: str
    kind: str
    direction: str
    points: str | None
    system: Link
    highest: str
    in_year: Link | None
    against: str


@dataclass(frozen=True, slots=True)
class YearRow:
    """A year, and the rating under each system in the order of the rows."""

    year: str
    is_gap: bool
    ratings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlayerSystems:
    """What all systems say of a player; without `drawing` where there are too few years."""

    rows: tuple[SystemRow, ...]
    drawing: Overlay | None
    drawing_title: str
    heads: tuple[tuple[str, str], ...]
    years: tuple[YearRow, ...]
    has_edo: bool
    how: Link


@dataclass(frozen=True, slots=True)
class _Said:
    """What a system says of a player: ratings [Elo] of all years, NaN for none, those with games.

    `number` stands for the system everywhere.
    """

    number: str
    column: Column
    ratings: list[float]
    with_games: list[int]


def player_systems(player: Player, material: Material) -> PlayerSystems | None:
    """Return what the systems say of a player, None where none rates him."""
    systems = material.systems
    own = systems.years_of(player.id)
    said = [one for one in _said(systems, own) if one.with_games]
    if not said:
        return None
    years: list[int] = systems.careers.year[own].tolist()
    drawing = _drawing(player, said, years, material) if len(years) >= DRAWN else None
    lines = iter(drawing.lines if drawing is not None else ())
    edo = next((one for one in said if one.column.system.slug == REFERENCE), None)
    return PlayerSystems(
        rows=tuple(
            _row(one, None if one is edo else next(lines, None), edo, own, years) for one in said
        ),
        drawing=drawing,
        drawing_title=f"Ratings of {player.shown_name} under all systems",
        heads=tuple((one.number, one.column.system.name) for one in said),
        years=tuple(_years(said, years, systems.played[own].tolist())),
        has_edo=player.id in material.ratings.players,
        how=Link("What the systems are", urls.SYSTEMS),
    )


def _said(systems: Alongside, own: slice) -> Iterator[_Said]:
    """Yield what each system says, with the number that stands for it; Edo has its name."""
    played = np.flatnonzero(systems.played[own]).tolist()
    numbers = map(str, itertools.count(1))
    for column in systems.columns:
        system = column.system
        number = system.name if system.slug == REFERENCE else next(numbers)
        ratings = column.rating[own].tolist()
        yield _Said(number, column, ratings, [k for k in played if not isnan(ratings[k])])


def _row(
    said: _Said, points: str | None, edo: _Said | None, own: slice, years: list[int]
) -> SystemRow:
    column, ratings = said.column, said.ratings
    highest = max(said.with_games, key=ratings.__getitem__)
    year = years[highest]
    return SystemRow(
        number=said.number,
        kind="" if said is edo else KINDS[column.system.direction],
        direction=column.system.direction,
        points=points,
        system=link_of(column.system),
        highest=shown_with(ratings[highest], float(column.deviation[own][highest])),
        in_year=Link(str(year), urls.year_systems(year)) if is_moving(column.system) else None,
        against=_against(said, edo),
    )


def _against(said: _Said, edo: _Said | None) -> str:
    """Return the mean difference from Edo over the years with games that both rate."""
    if edo is None or edo is said:
        return NOTHING
    away = [said.ratings[k] - edo.ratings[k] for k in edo.with_games if not isnan(said.ratings[k])]
    return formats.signed(fmean(away)) if away else NOTHING


def _drawing(player: Player, said: list[_Said], years: list[int], material: Material) -> Overlay:
    runs = [
        [
            (year, rating)
            for year, rating in zip(years, one.ratings, strict=True)
            if not isnan(rating)
        ]
        for one in said
        if one.column.system.slug != REFERENCE
    ]
    return overlay(material.ratings.players.get(player.id, ()), runs)


def _years(said: list[_Said], years: list[int], played: list[bool]) -> Iterator[YearRow]:
    table = [[shown(rating) for rating in one.ratings] for one in said]
    for k, year in enumerate(years):
        yield YearRow(str(year), not played[k], tuple(column[k] for column in table))
