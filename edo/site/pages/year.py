"""The pages of years, the list of all years, and each year under all rating systems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from edo.core import urls
from edo.core.model import Dataset, Event
from edo.rating.edo import PlayerYear, Ratings
from edo.site.input import Link, Page, SiteInput, link_to, neighbours
from edo.site.pages import systems
from edo.site.pages.annotations import coverage_mark
from edo.site.pages.event import winner
from edo.site.pages.lookups import Index, lookups_of, shown_names

TOP = 10  # how many are the leading ones, of whom the years' list shows the mean


@dataclass(frozen=True, slots=True)
class YearsRow:
    """One line of the list of all years; `top_mean` [Elo] is the mean of the ten highest ratings.

    `active` of the `rated` players have results in the year, `ranked` enough evidence for a rank;
    `first` is the number one.
    """

    year: int
    events: int
    rated: int
    active: int
    ranked: int
    first: PlayerYear | None
    top_mean: float | None


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the list of all years, and a page for each with an event or a rated player."""
    dataset, ratings = site.dataset, site.ratings
    index = lookups_of(site).index
    years = sorted({*index.events_counting_in, *ratings.years})
    yield Page(
        path=urls.YEARS,
        template="years.html",
        view=partial(years_view, years, dataset, ratings, index),
        title="Years",
        description="All years: how many players are rated, who stood first, how many events.",
    )
    links = [Link(str(year), urls.year(year)) for year in years]
    for year, pager in zip(years, neighbours(links), strict=True):
        yield Page(
            path=urls.year(year),
            template="year.html",
            view=partial(year_view, year, pager, site, index),
            title=str(year),
            description=f"The chess ratings of {year}: full ranking, newcomers and events.",
            scripts=(urls.static("filters.js"),),
            table=urls.table(urls.year(year)) if year in ratings.years else None,
        )


def year_view(
    year: int, pager: tuple[Link | None, Link | None], site: SiteInput, index: Index
) -> Mapping[str, object]:
    """Return what the page of a year shows; `pager` are the links to the years around it.

    `before` holds the ratings [Elo] of the year before, `chances` the rank probabilities, both only
    of those who have them; `last` are those without a later result, empty in the last year of all.
    """
    players, ratings = site.dataset.players, site.ratings
    ranking = ratings.years.get(year, ())
    found = {one.player: site.answers.rank_probabilities.get((one.player, year)) for one in ranking}
    chances = {player: one for player, one in found.items() if one is not None}
    before = {one.player: ratings.of(one.player, year - 1) for one in ranking}
    table = site.answers.superiority.get(year)
    return {
        "year": year,
        "ranking": ranking,
        "ranked": len(ratings.ranked(year)),
        "names": {one.player: players[one.player].shown_name for one in ranking},
        "countries": {one.player: players[one.player].country for one in ranking},
        "before": {player: one.rating for player, one in before.items() if one is not None},
        "chances": chances,
        # Where all are among the first ten, a place there means nothing.
        "has_top_ten": len(ratings.ranked(year)) > TOP
        and any(c.top_ten >= 0.01 for c in chances.values()),
        "newcomers": _edge(ranking, 0, ratings),
        "last": () if pager[1] is None else _edge(ranking, -1, ratings),
        "events": [_event(one, site.dataset) for one in index.events_counting_in.get(year, ())],
        "pager": pager,
        "superiority": table if table is not None and len(table.players) > 1 else None,
        "has_systems": year in years_of_systems(site),
    }


def _edge(ranking: Sequence[PlayerYear], end: int, ratings: Ratings) -> tuple[str, ...]:
    """Return those whose first (`end` 0) or last (-1) rated year this is, by rank."""
    return tuple(row.player for row in ranking if ratings.players[row.player][end].year == row.year)


def _event(event: Event, dataset: Dataset) -> Mapping[str, object]:
    """Return one of the events of a year; `marks` are kinds of the legend."""
    mark = coverage_mark(event, dataset.odds)
    return {
        "event": link_to(event),
        "kind": event.kind,
        "place": None if event.place is None else link_to(dataset.places[event.place]),
        "dates": event.dates,
        "players": len(event.players),
        "winner": winner(event, dataset),
        "marks": (*filter(None, [mark]), *(("unrated",) if event.unrated is not None else ())),
    }


def years_view(
    years: Sequence[int], dataset: Dataset, ratings: Ratings, index: Index
) -> Mapping[str, object]:
    """Return the list of all years, with links to the first year of each decade."""
    starts = {year // 10 * 10: year for year in reversed(years)}
    rows = [_years_row(year, ratings, index) for year in years]
    return {
        "rows": rows,
        "decades": [
            Link(f"{decade}s", f"{urls.YEARS}#y{first}") for decade, first in sorted(starts.items())
        ],
        "names": shown_names((row.first.player for row in rows if row.first is not None), dataset),
    }


def _years_row(year: int, ratings: Ratings, index: Index) -> YearsRow:
    ranking, ranked = ratings.years.get(year, ()), ratings.ranked(year)
    top = [row.rating for row in ranked[:TOP]]
    return YearsRow(
        year=year,
        events=len(index.events_counting_in.get(year, ())),
        rated=len(ranking),
        active=sum(not row.is_gap for row in ranking),
        ranked=len(ranked),
        first=ranked[0] if ranked else None,
        top_mean=sum(top) / TOP if len(top) == TOP else None,
    )


def years_of_systems(site: SiteInput) -> list[int]:
    """Return the years in which any system rates anybody, ascending."""
    if not site.systems.columns:
        return []
    rated = np.any([column.rated for column in site.systems.columns], axis=0)
    return [int(year) for year in np.unique(site.systems.player_years.year[rated])]


def systems_pages(site: SiteInput) -> Iterator[Page]:
    """Yield a page for each year in which any system rates anybody."""
    years = years_of_systems(site)
    links = [Link(str(year), urls.year_systems(year)) for year in years]
    for year, pager in zip(years, neighbours(links), strict=True):
        yield Page(
            path=urls.year_systems(year),
            template="year_systems.html",
            view=partial(year_systems_view, site, year, pager),
            title=f"{year} under all systems",
            description=f"The ten leading chess players of {year} under each rating system.",
        )


def year_systems_view(
    site: SiteInput, year: int, pager: tuple[Link | None, Link | None]
) -> Mapping[str, object]:
    """Return the leading players of a year under each system that rates anybody in it."""
    names, ranked = lookups_of(site).short_names, lookups_of(site).ranked
    rows = [
        systems.leading_row(
            systems.link_of(column.system),
            systems.leaders(site.systems, column, at, names, with_year=False),
        )
        for column in site.systems.columns
        if (at := systems.leading_of_year(site.systems, column, ranked, year)).size
    ]
    return {"year": _ranking_of(site, year), "rows": rows, "pager": pager}


def _ranking_of(site: SiteInput, year: int) -> Link:
    """Return the link to the ranking of a year; to all years where only other systems rate."""
    if year in site.ratings.years or year in lookups_of(site).index.events_counting_in:
        return Link(f"The whole list of {year}", urls.year(year))
    return Link("All years", urls.YEARS)
