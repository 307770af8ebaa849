"""Metadata of pages and of the site: OpenGraph, JSON-LD, feed, sitemap, citations, error reports.

Addresses must be absolute in most of these formats, so they are given only where the address of
the site is known (`base_url`).
Source: https://schema.org/ (Person, SportsEvent, Dataset, WebSite, BreadcrumbList);
https://ogp.me/; RFC 4287 (Atom); https://www.sitemaps.org/protocol.html.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from urllib.parse import quote, urlencode
from uuid import NAMESPACE_URL, uuid5
from xml.etree import ElementTree as Xml
from xml.sax.saxutils import escape

from markupsafe import Markup

from edo.core import formats
from edo.core.json import in_page
from edo.core.model import Event, PartialDate, Place, Player
from edo.export.files import Edition
from edo.history.content_files import Change
from edo.site import markup, urls
from edo.site.charts import share_image
from edo.site.input import Page

Json = Mapping[str, object]

MOST_COMPETITORS = 6  # with more, the data of a page would grow beyond 1 KB

NOT_LISTED = frozenset({urls.NOT_FOUND, urls.SEARCH, urls.REPORT})
"""Pages without content of their own, which search engines need not find."""


# JSON-LD


def person(player: Player, base_url: str | None) -> Json:
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
    event: Event,
    place: Place | None,
    players: Mapping[str, Player],
    base_url: str | None,
    sport: str = "Chess",
) -> Json:
    """Return the event; where there are too many players to name all, none is named."""
    names = [{"@type": "Person", "name": players[one].name} for one in event.players]
    return _known(
        {
            "@type": "SportsEvent",
            "name": event.name,
            "sport": sport,
            "startDate": None if event.dates is None else _date(event.dates.start),
            # An event belongs to the year in which it finished.
            "endDate": str(event.year) if event.dates is None else _date(event.dates.end),
            "location": None if place is None else {"@type": "Place", "name": place.name},
            "competitor": names if 0 < len(names) <= MOST_COMPETITORS else None,
            "url": _address(base_url, urls.event(event.id)),
        }
    )


def dataset(
    edition: Edition,
    description: str,
    files: Iterable[tuple[str, str]],
    base_url: str | None,
) -> Json:
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
            "name": edition.site,
            "description": description,
            "license": edition.licence_url,
            "creator": _person_or_group(edition.author),
            "publisher": _person_or_group(edition.publisher),
            "version": edition.number,
            "url": _address(base_url, urls.DATA),
            "distribution": downloads,
        }
    )


def _person_or_group(name: str | None) -> Json | None:
    """Return who is named, of whom it is not known whether it is a person or an organization."""
    return None if name is None else {"@type": ["Person", "Organization"], "name": name}


def web_site(name: str, base_url: str | None) -> Json:
    """Return the site itself, with its search where its address is known."""
    site = {"@type": "WebSite", "name": name}
    if base_url is None:
        return site
    search = f"{urls.absolute(base_url, urls.SEARCH)}?q={{search_term_string}}"
    action = {
        "@type": "SearchAction",
        "target": {"@type": "EntryPoint", "urlTemplate": search},
        "query-input": "required name=search_term_string",
    }
    return {**site, "url": urls.absolute(base_url, urls.HOME), "potentialAction": action}


def breadcrumbs(crumbs: Sequence[tuple[str, str]], base_url: str | None) -> Json | None:
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


def json_ld(things: Iterable[Json | None]) -> Markup | None:
    """Return the text of the page's JSON-LD block, None where there is nothing to say.

    Nothing in it can end the block or begin another.
    """
    known = [thing for thing in things if thing is not None]
    whole: Json = known[0] if len(known) == 1 else {"@graph": known}
    return None if not known else Markup(in_page({"@context": "https://schema.org", **whole}))


def _date(date: PartialDate | None) -> str | None:
    """Return a day, month or year; None for approximate dates, which ISO 8601 lacks."""
    return None if date is None or date.approximate else str(date)


def _address(base_url: str | None, path: str) -> str | None:
    return None if base_url is None else urls.absolute(base_url, path)


def _known(thing: Json) -> Json:
    return {name: value for name, value in thing.items() if value is not None}


# OpenGraph


def open_graph(page: Page, site_name: str, base_url: str | None) -> Iterator[tuple[str, str]]:
    """Yield each property of a page and its content."""
    path, picture = page.moved_to or page.path, page.picture
    is_player = urls.section(path) == urls.PLAYERS != path
    yield "og:title", site_name if path == urls.HOME else page.title
    yield "og:description", str(page.description)
    yield "og:type", "profile" if is_player else "website"
    yield "og:site_name", site_name
    if base_url is None:
        return
    yield "og:url", urls.absolute(base_url, path)
    yield "og:image", urls.absolute(base_url, picture or urls.SITE_PICTURE)
    yield "og:image:type", "image/png"
    yield "og:image:width", str(share_image.SIZE[0])
    yield "og:image:height", str(share_image.SIZE[1])
    alt = "The rating curves of the leading players"
    if picture is not None:
        alt = f"The {'rating curve' if is_player else 'leading players'} of {page.title}"
    yield "og:image:alt", alt


# The Atom feed of changes

_RELATIVE = re.compile(r'(?<=href=")(?![a-z]+:)([^"]*)')


def feed(
    name: str, changes: Sequence[Change], base_url: str | None, lang: str = "en"
) -> Iterator[tuple[str, bytes]]:
    """Yield path and bytes of the feed of the site called `name`; nothing without changes.

    Links are absolute where the site's address is known, else relative to the feed. Ids must be
    unique in the world and stay the same: they are made of the site's address or, where it is not
    known, of its name.
    """
    if not changes:
        return
    address = partial(urls.absolute, base_url) if base_url is not None else str
    root = Xml.Element("feed", {"xmlns": "http://www.w3.org/2005/Atom", "xml:lang": lang})
    id_ = uuid5(NAMESPACE_URL, name if base_url is None else base_url.rstrip("/"))
    _text(root, "id", id_.urn)
    _text(root, "title", f"{name}: what changed")
    _text(root, "updated", _moment(max(change.date for change in changes)))
    _text(Xml.SubElement(root, "author"), "name", name)
    Xml.SubElement(root, "link", {"rel": "self", "href": address(urls.FEED)})
    page = address(urls.CHANGES)
    Xml.SubElement(root, "link", {"rel": "alternate", "type": "text/html", "href": page})
    for change in changes:
        entry = Xml.SubElement(root, "entry")
        _text(entry, "id", uuid5(id_, change.id).urn)
        _text(entry, "title", change.title)
        _text(entry, "updated", _moment(change.date))
        link = {"rel": "alternate", "type": "text/html", "href": f"{page}#{change.id}"}
        Xml.SubElement(entry, "link", link)
        html = str(markup.block(change.text, urls.FEED))
        html = _RELATIVE.sub(lambda found: address(found[1]), html) + _moves(change)
        _text(entry, "content", html)
        entry[-1].set("type", "html")
    yield urls.FEED, Xml.tostring(root, encoding="utf-8", xml_declaration=True)


def _moves(change: Change) -> str:
    """Return the ratings that moved as a list; players by their ids, which outlast names."""
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


def _moment(day: datetime.date) -> str:
    """Return a day as Atom requires it: its first moment, since only the day is known."""
    return f"{day.isoformat()}T00:00:00Z"


# Sitemap


def sitemap(paths: Iterable[str], base_url: str | None) -> Iterator[tuple[str, bytes]]:
    """Yield the sitemap and the `robots.txt` that names it; neither without an address.

    Crawlers look for `robots.txt` at the root of a host only: a site in a folder needs its sitemap
    named there, or submitted to them.
    """
    if base_url is None:
        return
    listed = (urls.absolute(base_url, path) for path in paths if path not in NOT_LISTED)
    rows = (f"<url><loc>{escape(address)}</loc></url>" for address in listed)
    opening = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', opening, *rows, "</urlset>", ""]
    yield urls.SITEMAP, "\n".join(lines).encode()
    own = urls.absolute(base_url, urls.SITEMAP)
    yield urls.ROBOTS, f"User-agent: *\nDisallow:\n\nSitemap: {own}\n".encode()


# How to cite a page

_TEX = str.maketrans(
    {
        **{sign: f"\\{sign}" for sign in "&%$#_"},
        # BibTeX counts every brace, an escaped one too.
        "{": r"\textbraceleft{}",
        "}": r"\textbraceright{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "\\": r"\textbackslash{}",
    }
)
_TEX_ADDRESS = str.maketrans({"{": "%7B", "}": "%7D", "\\": "%5C"})


@dataclass(frozen=True, slots=True)
class HowToCite:
    """A page as bibliographies name it; the date of access is left to the reader."""

    edition: Edition
    title: str
    path: str
    address: str | None

    @property
    def plain(self) -> str:
        """Return it in words."""
        edition = self.edition
        year = "n.d." if edition.date is None else edition.date.year
        where = "" if self.address is None else f" {self.address}"
        site = "" if edition.by == edition.site else f" {edition.site}."
        publisher = edition.publisher
        house = "" if publisher in (None, edition.by) else f" {publisher}."
        state = _state(edition)
        return f"{edition.by} ({year}). “{self.title}”.{site} {state}.{house}{where} (accessed …)"

    @property
    def bibtex(self) -> str:
        """Return the entry for BibTeX."""
        edition, day, address = self.edition, self.edition.date, self.address
        key = "edo-" + self.path.removesuffix(".html").replace("/", "-").replace(".", "-")
        fields = {
            # The second pair of braces keeps the capitals of names, and the name of a site in one.
            "author": in_tex(edition.author) if edition.author else f"{{{in_tex(edition.by)}}}",
            "title": f"{{{in_tex(self.title)}}}",
            "year": None if day is None else str(day.year),
            "date": None if day is None else day.isoformat(),
            "howpublished": "Website" if edition.by == edition.site else in_tex(edition.site),
            "publisher": None if edition.publisher is None else in_tex(edition.publisher),
            "address": None if edition.address is None else in_tex(edition.address),
            "note": in_tex(_state(edition)),
            "url": None if address is None else address.translate(_TEX_ADDRESS),
        }
        lines = [f"  {name} = {{{value}}}" for name, value in _known(fields).items()]
        return "\n".join([f"@misc{{{key},", ",\n".join(lines), "}"])


def how_to_cite(edition: Edition, title: str, path: str, address: str | None) -> HowToCite:
    """Return how to cite the page at `path` from the root of the site.

    `address` is where the page is on the web, if that is known.
    """
    if title.isdigit():  # the page of a year, the title of which is only its number
        title = f"{edition.game[:1].upper()}{edition.game[1:]} ratings for {title}"
    return HowToCite(edition, title, path, address)


def _state(edition: Edition) -> str:
    """Return which edition it is and which program made it.

    The hash of the data is only on their own page: on others, every edit would change every page.
    """
    of_day = (
        "Undated edition" if edition.date is None else f"Edition of {formats.day(edition.date)}"
    )
    return f"{of_day}, program {edition.version}"


def in_tex(text: str) -> str:
    """Return text with all that TeX and BibTeX would read as a command written out."""
    return text.translate(_TEX)


# Reports of errors

SUBJECT = "Error on the page “{title}”"
BODY = """\
Page: {page}
{state}

What is wrong (the number or name, and what it should be):


The source that says so, with the page:

"""


def report_link(report_to: str | None, title: str, page: str, edition: Edition) -> str:
    """Return the link by which a reader reports an error, filled in with page and edition.

    `report_to` is a mail address, the https address of a form that takes `title` and `body`, or
    None: then the link is a path from the root of this site, to a page that knows the edition.
    `page` is the page's address, or its
    path from the root.
    """
    if report_to is None:
        return f"{urls.REPORT}?{urlencode({'page': page}, safe='/')}"
    subject = SUBJECT.format(title=title)
    body = BODY.format(page=page, state=_state(edition))
    if report_to.startswith("https:"):
        return _filled(report_to, {"title": subject, "body": body})
    lines = body.replace("\n", "\r\n")  # as mail requires: RFC 6068, section 5
    return _filled(f"mailto:{quote(report_to, safe='@+')}", {"subject": subject, "body": lines})


def _filled(address: str, fields: dict[str, str]) -> str:
    joint = "?" if "?" not in address else "" if address[-1] in "?&" else "&"
    return f"{address}{joint}{urlencode(fields, quote_via=quote, safe='')}"
