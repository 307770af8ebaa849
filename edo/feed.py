"""What changed in, the Atom feed of it out.

Source: RFC 4287.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Sequence
from uuid import UUID, uuid5
from xml.etree import ElementTree as Xml

from edo import formats, markup, urls
from edo.changelist import Change

ATOM = "http://www.w3.org/2005/Atom"
_NAMESPACE = UUID("6b0c6d2e-7f0f-4d0c-9a57-1e6a5c1d1883")
"""From which the ids of entries are made; whoever changes it makes every entry new to readers."""

_RELATIVE = re.compile(r'(?<=href=")(?![a-z]+:)([^"]*)')


def files(
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
