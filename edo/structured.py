"""Players, events and the site itself in, what they are for machines out, as schema.org's JSON-LD.

Only what the records state is said; addresses stand only where the site's own is known.
Source: https://schema.org/ (Person, SportsEvent, Dataset, WebSite, BreadcrumbList).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from markupsafe import Markup

from edo import urls
from edo.imprint import LICENCE
from edo.records import Event, PartialDate, Place, Player
from edo.scriptdata import in_page

Thing = Mapping[str, object]

LICENCE_TEXT = f"https://spdx.org/licenses/{LICENCE}.html"

MOST_COMPETITORS = 6  # with more, the data of a page would grow beyond 1 KB


def person(player: Player, base_url: str | None) -> Thing:
    """Return the player, with dates as exactly as they are known."""
    return _known(
        {
            "@type": "Person",
            "name": player.name,
            "alternateName": list(player.spellings) or None,
            "birthDate": _date(player.born),
            "deathDate": _date(player.died),
            "url": _address(base_url, urls.player(player.id)),
        }
    )


def sports_event(
    event: Event, place: Place | None, players: Mapping[str, Player], base_url: str | None
) -> Thing:
    """Return the event; where there are too many players to name all, none is named."""
    names = [{"@type": "Person", "name": players[one].name} for one in event.players]
    return _known(
        {
            "@type": "SportsEvent",
            "name": event.name,
            "sport": "Chess",
            "startDate": None if event.dates is None else _date(event.dates.start),
            # An event belongs to the year in which it finished.
            "endDate": str(event.year) if event.dates is None else _date(event.dates.end),
            "location": None if place is None else {"@type": "Place", "name": place.name},
            "competitor": names if 0 < len(names) <= MOST_COMPETITORS else None,
            "url": _address(base_url, urls.event(event.id)),
        }
    )


def dataset(
    name: str,
    description: str,
    version: str,
    files: Iterable[tuple[str, str]],
    base_url: str | None,
) -> Thing:
    """Return the published data; `files` are paths from the root, each with its media type."""
    downloads = [
        _known(
            {
                "@type": "DataDownload",
                "name": path.rpartition("/")[2],
                "encodingFormat": media_type,
                "contentUrl": _address(base_url, path),
            }
        )
        for path, media_type in files
    ]
    return _known(
        {
            "@type": "Dataset",
            "name": name,
            "description": description,
            "license": LICENCE_TEXT,
            "version": version,
            "url": _address(base_url, urls.DATA),
            "distribution": downloads,
        }
    )


def web_site(name: str, base_url: str | None) -> Thing:
    """Return the site itself, with its search where its address is known."""
    return _known(
        {
            "@type": "WebSite",
            "name": name,
            "url": _address(base_url, urls.HOME),
            "potentialAction": None if base_url is None else _search(base_url),
        }
    )


def breadcrumbs(crumbs: Sequence[tuple[str, str]], base_url: str | None) -> Thing | None:
    """Return the way to a page, as names and paths from the root; None without an address."""
    if base_url is None or not crumbs:
        return None
    steps = [
        {
            "@type": "ListItem",
            "position": place,
            "name": name,
            "item": urls.absolute(base_url, path),
        }
        for place, (name, path) in enumerate(crumbs, start=1)
    ]
    return {"@type": "BreadcrumbList", "itemListElement": steps}


def script(things: Iterable[Thing | None]) -> Markup | None:
    """Return the text of the page's one block of data, None where there is nothing to say.

    Nothing in it can end the block or begin another.
    """
    said = [thing for thing in things if thing is not None]
    if not said:
        return None
    whole: Thing = said[0] if len(said) == 1 else {"@graph": said}
    return Markup(in_page({"@context": "https://schema.org", **whole}))


def _search(base_url: str) -> Thing:
    target = f"{urls.absolute(base_url, urls.SEARCH)}?q={{search_term_string}}"
    return {
        "@type": "SearchAction",
        "target": {"@type": "EntryPoint", "urlTemplate": target},
        "query-input": "required name=search_term_string",
    }


def _date(date: PartialDate | None) -> str | None:
    """Return a day, month or year; None for dates that are only about, which ISO 8601 lacks."""
    return None if date is None or date.approximate else str(date)


def _address(base_url: str | None, path: str) -> str | None:
    return None if base_url is None else urls.absolute(base_url, path)


def _known(thing: Thing) -> Thing:
    return {name: value for name, value in thing.items() if value is not None}
