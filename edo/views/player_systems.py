"""A player and the ratings of all systems in, his curves over each other and their numbers out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from edo import formats, urls
from edo.overlay import Overlay, overlay
from edo.records import Player
from edo.systems.alongside import REFERENCE, Alongside, Column
from edo.systems.games import Floats
from edo.systems.system import Direction
from edo.views.leading import is_moving, shown, shown_with
from edo.views.material import NOTHING, Material
from edo.views.site import Link
from edo.views.system_list import link_of

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


def player_systems(player: Player, material: Material) -> PlayerSystems | None:
    """Return what the systems say of a player, None where none rates him."""
    systems = material.systems
    own = systems.years_of(player.id)
    columns = [
        (numbers, column)
        for numbers, column in _numbered(systems)
        if np.any(column.rated[own] & systems.played[own])
    ]
    if not columns:
        return None
    reference = systems.column(REFERENCE)
    years = systems.careers.year[own]
    drawing = _drawing(player, columns, own, material) if len(years) >= DRAWN else None
    lines = iter(drawing.lines if drawing is not None else ())
    return PlayerSystems(
        rows=tuple(
            _row(number, one, None if one is reference else next(lines, None), own, systems)
            for number, one in columns
        ),
        drawing=drawing,
        drawing_title=f"Ratings of {player.shown_name} under all systems",
        heads=tuple((number, column.system.name) for number, column in columns),
        years=tuple(_years(columns, own, systems)),
        has_edo=player.id in material.ratings.players,
        how=Link("What the systems are", urls.SYSTEMS),
    )


def _numbered(systems: Alongside) -> Iterator[tuple[str, Column]]:
    """Yield each column with the number that stands for it everywhere; Edo has its name."""
    others = [one for one in systems.columns if one.system.slug != REFERENCE]
    numbers = {one.system.slug: str(number) for number, one in enumerate(others, start=1)}
    for one in systems.columns:
        yield numbers.get(one.system.slug, one.system.name), one


def _row(
    number: str, column: Column, points: str | None, own: slice, systems: Alongside
) -> SystemRow:
    reference = systems.column(REFERENCE)
    played: Floats = np.where(systems.played[own], column.rating[own], np.nan)
    highest = int(np.nanargmax(played))
    year = int(systems.careers.year[own][highest])
    with_edo = np.nan if reference in (None, column) else reference.rating[own]
    away = (played - with_edo)[~np.isnan(played - with_edo)]
    return SystemRow(
        number=number,
        kind="" if column is reference else KINDS[column.system.direction],
        direction=column.system.direction,
        points=points,
        system=link_of(column.system),
        highest=shown_with(played[highest], column.deviation[own][highest]),
        in_year=Link(str(year), urls.year_systems(year)) if is_moving(column.system) else None,
        against=formats.signed(float(np.mean(away))) if away.size else NOTHING,
    )


def _drawing(
    player: Player, columns: list[tuple[str, Column]], own: slice, material: Material
) -> Overlay:
    years = material.systems.careers.year[own]
    runs = []
    for _, column in columns:
        if column.system.slug == REFERENCE:
            continue
        ratings, rated = column.rating[own], column.rated[own]
        runs.append(list(zip(years[rated].tolist(), ratings[rated].tolist(), strict=True)))
    return overlay(material.ratings.players.get(player.id, ()), runs)


def _years(columns: list[tuple[str, Column]], own: slice, systems: Alongside) -> Iterator[YearRow]:
    table = [[shown(r) for r in column.rating[own].tolist()] for _, column in columns]
    played = systems.played[own].tolist()
    for k, year in enumerate(systems.careers.year[own].tolist()):
        yield YearRow(str(year), not played[k], tuple(column[k] for column in table))
