"""Pages of places, each with its events, and the list of all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from edo.core import countries, formats
from edo.core.model import Event, Place
from edo.core.text import index_key
from edo.site import markup, urls
from edo.site.charts import maps
from edo.site.input import Page, SiteInput, link_to
from edo.site.pages.events import event_row, events_table, number_and_years
from edo.site.pages.tables import Row, Table, amount, name, text

FILTERS = (urls.static("filters.js"),)
MAP = urls.static("map.js")
SMALLEST, GROWTH = 1.2, 0.8  # of circles, in units of the maps: `maps.maps`


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the list of all places, and the page of each."""
    by_place = site.index.events_of_place
    places = sorted(site.dataset.places.values(), key=_in_index)
    has_maps = any(place.coordinates is not None for place in places)
    view = partial(_places, places, by_place, has_maps)
    summary = f"The {formats.counted(len(places), 'place')} where events were held."
    scripts = (*FILTERS, MAP) if has_maps else FILTERS
    yield Page(urls.PLACES, "places.html", view, "Places", summary, scripts)
    for place in places:
        yield _page(place, by_place.get(place.id, ()), site)


def _in_index(one: Place) -> tuple[tuple[str, str], str]:
    return index_key(one.name), one.id


PLACES = (
    name("name", "Place", asks="contains", label="Name contains"),
    text("country", "Country", asks="choice"),
    amount("events", "Events", "count"),
    text("years", "Years", css="fixed", asks="span", label="Events from"),
)


def _place_row(place: Place, events: Sequence[Event]) -> Row:
    return Row(
        {
            "name": link_to(place),
            "country": countries.named(place.country),
            "events": len(events),
            "years": formats.years(events[0].year, events[-1].year) if events else "",
        }
    )


def _places(
    places: list[Place], events: Mapping[str | None, tuple[Event, ...]], has_maps: bool
) -> Mapping[str, object]:
    """Return the list of all places, the maps of them, and which are not on the maps."""
    years = {place.id: tuple(event.year for event in events.get(place.id, ())) for place in places}
    nowhere = [place for place in places if place.coordinates is None]
    rows = [_place_row(place, events.get(place.id, ())) for place in places]
    table = Table("Places", PLACES, rows, noun="places")
    return {
        "table": table if any(place.country for place in places) else table.without(["country"]),
        "maps": maps.maps(places, years, SMALLEST, GROWTH) if has_maps else (),
        "nowhere": nowhere if has_maps else (),
        "base": SMALLEST,
        "step": GROWTH,
    }


def _page(place: Place, events: tuple[Event, ...], site: SiteInput) -> Page:
    """Return the page of a place."""
    summary = number_and_years(events)
    path = urls.place(place.id)

    def view() -> Mapping[str, object]:
        rows = [event_row(event, site) for event in events]
        return {
            "country": place.country,
            "names": place.names,
            "coordinates": place.coordinates,
            "summary": summary,
            "notes": None if place.notes is None else markup.block(place.notes, path),
            "table": events_table(f"Events in {place.name}", rows, "list", ("place", "strength")),
        }

    words = f"{site.config.game_title} events in {place.name}: {summary}"
    return Page(path, "place.html", view, place.name, words, FILTERS)
