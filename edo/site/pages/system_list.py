"""The ratings of all systems in, the list of them and who led each decade under each out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from edo.core import formats, urls
from edo.site.input import Link, SiteInput
from edo.site.pages import leading
from edo.site.pages.leading import LeadingRow
from edo.site.pages.material import NOTHING, material_of
from edo.systems.alongside import REFERENCE, Alongside, Column
from edo.systems.entries import SYSTEMS
from edo.systems.system import System

ONE_SCALE = (
    "Every system has its own zero. So that they can be set over each other, the ratings of each "
    "are moved up or down, all by the same number of points: then their mean over the "
    "player-years with games that Edo rates too is Edo’s. Nothing is stretched: where a system "
    "sets the players farther apart, it is shown so."
)


@dataclass(frozen=True, slots=True)
class SystemRow:
    """A system in the list of all: what it knows and what it makes of the history.

    `later` to `deviations` are "yes" or empty; `spread`, `differs` [Elo] as `leading` measures.
    """

    system: Link
    since: str
    later: str
    changes: str
    colours: str
    draws: str
    odds: str
    deviations: str
    players: str
    spread: str
    differs: str
    refused: str | None


@dataclass(frozen=True, slots=True)
class SystemsView:
    """The list of all systems, and who led each decade under each; `decades` are the columns."""

    one_scale: str
    known: str
    rows: tuple[SystemRow, ...]
    decades: tuple[str, ...]
    leaders: tuple[LeadingRow, ...]
    years: Link
    compare: Link
    data: Link
    contest: Link | None


def link_of(system: System) -> Link:
    """Return the link to the page of a system."""
    return Link(system.name, urls.system(system.slug))


def systems_view(site: SiteInput) -> SystemsView:
    """Return the list of all systems."""
    systems, reference = site.systems, site.systems.column(REFERENCE)
    decades = sorted({int(year) // 10 * 10 for year in systems.careers.year[systems.played]})
    names = material_of(site).short_names
    return SystemsView(
        one_scale=ONE_SCALE,
        known=formats.count(len(systems.players)),
        rows=tuple(_system_row(one, systems, reference) for one in SYSTEMS),
        decades=tuple(f"{decade}s" for decade in decades),
        leaders=tuple(_firsts(systems, column, decades, names) for column in systems.columns),
        years=Link("each year", urls.YEARS),
        compare=Link("Compare", urls.COMPARE),
        data=Link("the data", f"{urls.DATA}#systems"),
        contest=Link("The contest", urls.CONTEST),
    )


def _system_row(system: System, systems: Alongside, reference: Column | None) -> SystemRow:
    column = systems.column(system.slug)
    measured = (
        None
        if column is None or reference is None
        else leading.spread_and_difference(systems, column, reference)
    )
    spread, differs = (NOTHING, NOTHING) if measured is None else map(formats.rating, measured)
    return SystemRow(
        system=link_of(system),
        since=str(system.since),
        later=_yes(system.direction != "forwards"),
        changes=_yes(leading.is_moving(system)),
        colours=_yes("colours" in system.uses),
        draws=_yes("draws" in system.uses),
        odds=_yes("odds" in system.uses),
        deviations=_yes(column is not None and bool(np.isfinite(column.deviation).any())),
        players=counts(column, systems, reference)[0],
        spread=spread,
        differs=NOTHING if system.slug == REFERENCE else differs,
        refused=None if column is None else column.refused,
    )


def _yes(is_so: bool) -> str:
    return "yes" if is_so else ""


def counts(
    column: Column | None, systems: Alongside, reference: Column | None
) -> tuple[str, str, str]:
    """Return how many players and player-years are rated, and how many of these not by Edo."""
    if column is None:
        return NOTHING, NOTHING, NOTHING
    players = np.unique(systems.careers.player[column.rated]).size
    others = column.rated if reference is None else column.rated & ~reference.rated
    years = int(column.rated.sum())
    return formats.count(players), formats.count(years), formats.count(int(others.sum()))


def _firsts(
    systems: Alongside, column: Column, decades: list[int], names: Mapping[str, str]
) -> LeadingRow:
    """Return who had the highest rating of each decade under a system."""
    best = dict(leading.of_decades(systems, column))
    cells = (
        next(leading.leaders(systems, column, best[decade][:1], names, with_year=True), None)
        if decade in best
        else None
        for decade in decades
    )
    return LeadingRow(link_of(column.system), tuple(cells))
