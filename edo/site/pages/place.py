"""The dataset and its ratings in; the page of each place with its events, and their list, out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from markupsafe import Markup

from edo.core import countries, formats, urls
from edo.core.model import Event, Place
from edo.site import markup
from edo.site.input import Link, Page, SiteInput
from edo.site.pages.event_list import EventRow, event_rows
from edo.site.pages.index import Index
from edo.site.pages.material import material_of


@dataclass(frozen=True, slots=True)
class PlaceView:
    """The page of a place; `rows` are its events in the order in which they were played."""

    country: str | None
    summary: str
    notes: Markup | None
    rows: tuple[EventRow, ...]


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """A place in the list of all."""

    place: Link
    country: str
    events: str
    years: str


@dataclass(frozen=True, slots=True)
class PlacesView:
    """The list of all places, by name; `has_countries` says whether any tells its country."""

    summary: str
    rows: tuple[PlaceRow, ...]
    has_countries: bool


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the list of all places and the page of each."""
    index = material_of(site).index
    held = _held(site, index)
    places = sorted(site.dataset.places.values(), key=lambda place: (place.name, place.id))
    rows = tuple(_row(place, held.get(place.id, [])) for place in places)
    summary = f"The {formats.counted(len(rows), 'place')} where events took place."
    scripts = (urls.static("filters.js"),)
    view = partial(PlacesView, summary, rows, any(row.country for row in rows))
    yield Page(urls.PLACES, "places.html", view, "Places", summary, scripts)
    for place in places:
        yield _page(place, held.get(place.id, []), site, index)


def _held(site: SiteInput, index: Index) -> dict[str, list[Event]]:
    held: dict[str, list[Event]] = {}
    for events in index.events_of_year.values():
        for event in events:
            if event.place is not None:
                held.setdefault(event.place, []).append(event)
    return held


def _row(place: Place, events: list[Event]) -> PlaceRow:
    return PlaceRow(
        Link(place.name, urls.place(place.id)),
        countries.named(place.country),
        formats.count(len(events)),
        formats.years(events[0].year, events[-1].year) if events else "",
    )


def _page(place: Place, events: list[Event], site: SiteInput, index: Index) -> Page:
    path = urls.place(place.id)
    summary = formats.counted(len(events), "event")
    if events:
        summary += f", {formats.years(events[0].year, events[-1].year)}"
    view = partial(_view, place, f"{summary}.", events, site, index)
    description = f"Chess events in {place.name}: {summary}."
    scripts = (urls.static("filters.js"),)
    return Page(path, "place.html", view, place.name, description, scripts)


def _view(
    place: Place, summary: str, events: list[Event], site: SiteInput, index: Index
) -> PlaceView:
    return PlaceView(
        countries.named(place.country) or None,
        summary,
        None if place.notes is None else markup.block(place.notes, urls.place(place.id)),
        event_rows(events, site.dataset, index.pairings_of_event),
    )
