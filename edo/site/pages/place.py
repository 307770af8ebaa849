"""Pages of places and of series, each with its events, and the lists of both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from edo.core import formats, urls
from edo.core.model import Event, Place, Series
from edo.core.text import index_key
from edo.rating.edo import Ratings
from edo.site import markup
from edo.site.charts import maps
from edo.site.input import Page, SiteInput
from edo.site.pages.event import event_rows
from edo.site.pages.lookups import Index, gather, lookups_of

LEADING = 4  # [players] whose mean rating is the strength of an event
FILTERS = (urls.static("filters.js"),)
MAP = urls.static("map.js")
SMALLEST, GROWTH = 1.2, 0.8  # of circles, in units of the maps: `maps.maps`


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the lists of all series and of all places, and the page of each."""
    index = lookups_of(site).index
    events = [event for year in index.events_of_year.values() for event in year]
    by_series = gather((event.series, event) for event in events)
    series = sorted(site.dataset.series.values(), key=_in_index)
    view = partial(_list, series, by_series)
    summary = f"{formats.counted(len(series), 'series', 'series')} of recurring events."
    yield Page(urls.ALL_SERIES, "all_series.html", view, "Series", summary)
    for one in series:
        yield _page(one, by_series.get(one.id, ()), site, index)
    by_place = gather((event.place, event) for event in events)
    places = sorted(site.dataset.places.values(), key=_in_index)
    view = partial(_places, places, by_place)
    summary = f"The {formats.counted(len(places), 'place')} where events were held."
    yield Page(urls.PLACES, "places.html", view, "Places", summary, (*FILTERS, MAP))
    for place in places:
        yield _page(place, by_place.get(place.id, ()), site, index)


def _in_index(one: Place | Series) -> tuple[tuple[str, str], str]:
    return index_key(one.name), one.id


def _list(
    records: list[Place] | list[Series], events: dict[str | None, tuple[Event, ...]]
) -> Mapping[str, object]:
    years = {id_: tuple(event.year for event in held) for id_, held in events.items()}
    return {"rows": [(one, years.get(one.id, ())) for one in records]}


def _places(
    places: list[Place], events: dict[str | None, tuple[Event, ...]]
) -> Mapping[str, object]:
    """Return the list of all places, the maps of them, and which are not on the maps."""
    years = {place.id: tuple(event.year for event in events.get(place.id, ())) for place in places}
    nowhere = [place for place in places if place.coordinates is None]
    has_maps = len(nowhere) < len(places)
    return {
        **_list(places, events),
        "maps": maps.maps(places, years, SMALLEST, GROWTH) if has_maps else (),
        "nowhere": nowhere if has_maps else (),
        "base": SMALLEST,
        "step": GROWTH,
    }


def _summary(events: tuple[Event, ...]) -> str:
    years = f", {formats.years(events[0].year, events[-1].year)}" if events else ""
    return f"{formats.counted(len(events), 'event')}{years}."


def _page(record: Place | Series, events: tuple[Event, ...], site: SiteInput, index: Index) -> Page:
    """Return the page of a place or a series; the events of a series have their strengths [Elo]."""
    summary = _summary(events)
    is_place = isinstance(record, Place)
    path = urls.place(record.id) if is_place else urls.series(record.id)

    def view() -> Mapping[str, object]:
        rows = event_rows(events, site.dataset, index.pairings_of_event)
        return {
            "country": record.country if isinstance(record, Place) else None,
            "coordinates": record.coordinates if isinstance(record, Place) else None,
            "summary": summary,
            "notes": None if record.notes is None else markup.block(record.notes, path),
            "rows": rows,
            "strengths": () if is_place else [strength(event, site.ratings) for event in events],
        }

    if is_place:
        words = f"{site.config.game_title} events in {record.name}: {summary}"
        return Page(path, "place.html", view, record.name, words, FILTERS)
    return Page(path, "series.html", view, record.name, f"The series {record.name}: {summary}")


def strength(event: Event, ratings: Ratings) -> float | None:
    """Return the mean rating [Elo] of the four highest rated of the year who took part.

    Of both in a match; None where fewer are rated.
    """
    found = (ratings.of(player, event.year) for player in event.players)
    rated = sorted((one.rating for one in found if one is not None), reverse=True)
    needed = 2 if event.kind == "match" else LEADING
    return sum(rated[:needed]) / needed if len(rated) >= needed else None
