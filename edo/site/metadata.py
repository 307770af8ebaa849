"""Players, events and the site itself in, what they are for machines out, as schema.org's JSON-LD.

Only what the records state is said; addresses stand only where the site's own is known.
Source: https://schema.org/ (Person, SportsEvent, Dataset, WebSite, BreadcrumbList).
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from urllib.parse import quote, urlencode
from uuid import UUID, uuid5
from xml.etree import ElementTree as Xml
from xml.sax.saxutils import escape

from markupsafe import Markup

from edo.core import formats, urls
from edo.core.json import in_page
from edo.core.model import Event, PartialDate, Place, Player
from edo.history.change_list import Change
from edo.history.site_config import LICENCE
from edo.site import markup
from edo.site.charts import sheet
from edo.site.input import Page, SiteInput

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


ATOM = "http://www.w3.org/2005/Atom"
_NAMESPACE = UUID("6b0c6d2e-7f0f-4d0c-9a57-1e6a5c1d1883")
"""From which the ids of entries are made; whoever changes it makes every entry new to readers."""

_RELATIVE = re.compile(r'(?<=href=")(?![a-z]+:)([^"]*)')


def feed_files(
    name: str, changes: Sequence[Change], base_url: str | None
) -> Iterator[tuple[str, bytes]]:
    """Yield the feed of the site called `name`; nothing where there are no changes.

    Links are absolute where the site's address is known, else relative to the feed.
    """
    if not changes:
        return
    feed = Xml.Element("feed", {"xmlns": ATOM, "xml:lang": "en"})
    _text(feed, "id", _urn(""))
    _text(feed, "title", f"{name}: what changed")
    _text(feed, "updated", _moment(max(change.date for change in changes)))
    _text(Xml.SubElement(feed, "author"), "name", name)
    Xml.SubElement(feed, "link", {"rel": "self", "href": _way(urls.FEED, base_url)})
    page = _way(urls.CHANGES, base_url)
    Xml.SubElement(feed, "link", {"rel": "alternate", "type": "text/html", "href": page})
    for change in changes:
        _entry(feed, change, base_url)
    yield urls.FEED, Xml.tostring(feed, encoding="utf-8", xml_declaration=True)


def _entry(feed: Xml.Element, change: Change, base_url: str | None) -> None:
    entry = Xml.SubElement(feed, "entry")
    _text(entry, "id", _urn(change.id))
    _text(entry, "title", change.title)
    _text(entry, "updated", _moment(change.date))
    place = f"{_way(urls.CHANGES, base_url)}#{change.id}"
    Xml.SubElement(entry, "link", {"rel": "alternate", "type": "text/html", "href": place})
    html = str(markup.block(change.text, urls.FEED))
    html = _RELATIVE.sub(lambda way: _way(way[1], base_url), html) + _moves(change)
    _text(entry, "content", html)
    entry[-1].set("type", "html")


def _moves(change: Change) -> str:
    """Return the ratings that moved as a list; players by their ids, since feeds outlive names."""
    if not change.moves:
        return ""
    items = (
        f"<li>{move.player}, {move.year}: {formats.rating(move.old)} → {formats.rating(move.new)}"
        f"{'' if move.event is None else f' ({move.event})'}</li>"
        for move in change.moves
    )
    return f"<ul>{''.join(items)}</ul>"


def _text(parent: Xml.Element, tag: str, text: str) -> None:
    Xml.SubElement(parent, tag).text = text


def _urn(id_: str) -> str:
    return uuid5(_NAMESPACE, id_).urn


def _moment(day: datetime.date) -> str:
    """Return a day as Atom wants it: only the day is known, so its first moment stands for it."""
    return f"{day.isoformat()}T00:00:00Z"


def _way(path: str, base_url: str | None) -> str:
    return path if base_url is None else urls.absolute(base_url, path)


SITEMAP = "sitemap.xml"
ROBOTS = "robots.txt"
NOT_LISTED = frozenset({urls.NOT_FOUND, urls.SEARCH, urls.REPORT})
"""Pages that hold nothing of their own to find."""


def sitemap_files(paths: Iterable[str], base_url: str | None) -> Iterator[tuple[str, bytes]]:
    """Yield the sitemap and the file by which it is found; neither without an address.

    Crawlers look for `robots.txt` at the root of a host only: a site in a folder has to have its
    sitemap named there, or be told to them otherwise.

    Source: https://www.sitemaps.org/protocol.html (addresses must be absolute).
    """
    if base_url is None:
        return
    listed = [path for path in paths if path not in NOT_LISTED]
    rows = (f"<url><loc>{escape(urls.absolute(base_url, path))}</loc></url>" for path in listed)
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    opening = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    yield SITEMAP, (head + "\n".join([opening, *rows, "</urlset>", ""])).encode()
    sitemap = urls.absolute(base_url, SITEMAP)
    yield ROBOTS, f"User-agent: *\nDisallow:\n\nSitemap: {sitemap}\n".encode()


def properties(page: Page, site: SiteInput) -> Iterator[tuple[str, str]]:
    """Yield each property and its content."""
    is_player = urls.section(page.path) == urls.PLAYERS != page.path
    yield "og:title", site.config.name if page.path == urls.HOME else page.title
    yield "og:description", page.description
    yield "og:type", "profile" if is_player else "website"
    yield "og:site_name", site.config.name
    if site.base_url is not None:
        yield from _addresses(page, site.base_url)


def _addresses(page: Page, base_url: str) -> Iterator[tuple[str, str]]:
    picture = page.picture or urls.SITE_PICTURE
    yield "og:url", urls.absolute(base_url, page.moved_to or page.path)
    yield "og:image", urls.absolute(base_url, picture)
    yield "og:image:type", "image/png"
    yield "og:image:width", str(sheet.WIDTH)
    yield "og:image:height", str(sheet.HEIGHT)
    median_shift = "The rating curves of the leading players"
    yield (
        "og:image:alt",
        median_shift if page.picture is None else f"The rating curve of {page.title}",
    )


SUBJECT = "Error on the page “{title}”"
BODY = """\
Page: {page}
Data {fingerprint}, program {version}

What is wrong (the number or name, and what it should be):


The source that says so, with the page:

"""


def report_link(
    report_to: str | None, title: str, page: str, fingerprint: str, version: str
) -> str:
    """Return the link, filled in with the page and what made it.

    `report_to` is a mail address, the https address of a form that takes `title` and `body`, or
    None: then the link is a path from the root of this site. `page` is the page's address, or its
    path from the root.
    """
    if report_to is None:
        said = {"page": page, "data": fingerprint, "version": version}
        return f"{urls.REPORT}?{urlencode(said)}"
    subject = SUBJECT.format(title=title)
    body = BODY.format(page=page, fingerprint=fingerprint, version=version)
    if report_to.startswith("https:"):
        return _filled(report_to, {"title": subject, "body": body})
    lines = body.replace("\n", "\r\n")  # as mail has them: RFC 6068, section 5
    return _filled(f"mailto:{quote(report_to, safe='@+')}", {"subject": subject, "body": lines})


def _filled(address: str, fields: dict[str, str]) -> str:
    joint = "?" if "?" not in address else "" if address[-1] in "?&" else "&"
    return f"{address}{joint}{urlencode(fields, quote_via=quote, safe='')}"
