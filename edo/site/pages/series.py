"""The dataset and its ratings in; the page of each series of events, and their list, out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from markupsafe import Markup

from edo.core import formats, urls
from edo.core.model import Event, Series
from edo.rating.edo import Ratings
from edo.site import markup
from edo.site.input import Link, Page, SiteInput
from edo.site.pages.event_list import place_link
from edo.site.pages.index import gather
from edo.site.pages.material import material_of
from edo.site.pages.winners import Winner, winner

LEADING = 4  # [players] by whose mean rating the strength of an event is told


@dataclass(frozen=True, slots=True)
class SeriesEvent:
    """An event in its series; `strength` [Elo] is the mean rating of its leading players."""

    year: Link
    event: Link
    place: Link | None
    players: str
    strength: str
    is_incomplete: str | None
    winner: Winner | None


@dataclass(frozen=True, slots=True)
class SeriesView:
    """The page of a series; `rows` are its events in the order in which they were played."""

    summary: str
    notes: Markup | None
    rows: tuple[SeriesEvent, ...]
    all: str = urls.ALL_SERIES


@dataclass(frozen=True, slots=True)
class SeriesRow:
    """A series in the list of all."""

    series: Link
    events: str
    first: str
    last: str


@dataclass(frozen=True, slots=True)
class AllSeriesView:
    """The list of all series, by name."""

    summary: str
    rows: tuple[SeriesRow, ...]


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the list of all series and the page of each."""
    index = material_of(site).index
    held = gather(
        (event.series, event) for events in index.events_of_year.values() for event in events
    )
    ordered = sorted(site.dataset.series.values(), key=lambda series: (series.name, series.id))
    rows = tuple(_row(series, held.get(series.id, ())) for series in ordered)
    summary = f"{formats.counted(len(rows), 'series', 'series')} of events held again and again."
    view = partial(AllSeriesView, summary, rows)
    yield Page(urls.ALL_SERIES, "all_series.html", view, "Series", summary)
    for series in ordered:
        yield _page(series, held.get(series.id, ()), site)


def _row(series: Series, events: tuple[Event, ...]) -> SeriesRow:
    return SeriesRow(
        Link(series.name, urls.series(series.id)),
        formats.count(len(events)),
        str(events[0].year) if events else "",
        str(events[-1].year) if events else "",
    )


def _page(series: Series, events: tuple[Event, ...], site: SiteInput) -> Page:
    path = urls.series(series.id)
    summary = formats.counted(len(events), "event")
    if events:
        summary += f", {formats.years(events[0].year, events[-1].year)}"
    view = partial(_view, series, f"{summary}.", events, site)
    return Page(path, "series.html", view, series.name, f"The series {series.name}: {summary}.")


def _view(series: Series, summary: str, events: tuple[Event, ...], site: SiteInput) -> SeriesView:
    return SeriesView(
        summary,
        None if series.notes is None else markup.block(series.notes, urls.series(series.id)),
        tuple(_event(event, site) for event in events),
    )


def _event(event: Event, site: SiteInput) -> SeriesEvent:
    mean = strength(event, site.ratings)
    return SeriesEvent(
        year=Link(str(event.year), urls.year(event.year)),
        event=Link(event.name, urls.event(event.id)),
        place=place_link(event, site.dataset),
        players=formats.count(len(event.players)),
        strength=formats.DASH if mean is None else formats.rating(mean),
        is_incomplete=None if event.completeness == "complete" else event.completeness,
        winner=winner(event, site.dataset),
    )


def strength(event: Event, ratings: Ratings) -> float | None:
    """Return the mean rating [Elo] of the four highest rated of the year who took part.

    Of both in a match; None where fewer are rated.
    """
    found = (ratings.of(player, event.year) for player in event.players)
    rated = sorted((one.rating for one in found if one is not None), reverse=True)
    needed = 2 if event.kind == "match" else LEADING
    return sum(rated[:needed]) / needed if len(rated) >= needed else None
