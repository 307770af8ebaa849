"""The whole input of the site in, for every year a page of the leading ten by all systems out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from edo.core import urls
from edo.site.input import Link, Page, SiteInput, neighbours
from edo.site.pages import leading
from edo.site.pages.leading import LEADING, LeadingRow
from edo.site.pages.material import material_of
from edo.site.pages.system_list import link_of


@dataclass(frozen=True, slots=True)
class YearSystemsView:
    """The leading players of a year; `places` are the heads of the columns."""

    year: Link
    places: tuple[str, ...]
    rows: tuple[LeadingRow, ...]
    has_gaps: bool
    all_systems: Link
    before: Link | None
    after: Link | None


def years_of(site: SiteInput) -> list[int]:
    """Return the years in which any system rates anybody, ascending."""
    if not site.systems.columns:
        return []
    rated = np.any([column.rated for column in site.systems.columns], axis=0)
    return [int(year) for year in np.unique(site.systems.careers.year[rated])]


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield a page for each year in which anybody is rated."""
    years = years_of(site)
    for year, beside in zip(years, neighbours([_link(year) for year in years]), strict=True):
        yield Page(
            path=urls.year_systems(year),
            template="year_systems.html",
            view=partial(year_systems_view, site, year, *beside),
            title=f"{year} under all systems",
            description=f"The ten leading chess players of {year} under each rating system.",
        )


def _link(year: int) -> Link:
    return Link(str(year), urls.year_systems(year))


def _list_of(site: SiteInput, year: int) -> Link:
    """Return the link to the list of a year; of all years where only other systems rate."""
    if year in site.ratings.years or year in material_of(site).index.events_counting_in:
        return Link(f"The whole list of {year}", urls.year(year))
    return Link("All years", urls.YEARS)


def year_systems_view(
    site: SiteInput, year: int, before: Link | None, after: Link | None
) -> YearSystemsView:
    """Return the leading players of a year under each system that rates anybody in it."""
    systems, names = site.systems, material_of(site).short_names
    rows = tuple(
        leading.row(
            link_of(column.system),
            leading.leaders(systems, column, at, names, with_year=False),
        )
        for column in systems.columns
        if (at := leading.of_year(systems, column, year)).size
    )
    return YearSystemsView(
        year=_list_of(site, year),
        places=tuple(str(place) for place in range(1, LEADING + 1)),
        rows=rows,
        has_gaps=any(one is not None and one.is_gap for row in rows for one in row.leaders),
        all_systems=Link("What the systems are", urls.SYSTEMS),
        before=before,
        after=after,
    )
