"""The feed against the rules of RFC 4287: what must be there, once, and of which form."""

from __future__ import annotations

import datetime
import re
from xml.etree import ElementTree as Xml

import pytest

from edo.history.change_list import Change
from edo.site import metadata

ATOM = "{http://www.w3.org/2005/Atom}"
TABLES = Change(
    "tables", datetime.date(2026, 12, 1), "Tables & totals", "See [it](/events/london-1883.html)."
)
FIRST = Change(
    "first", datetime.date(2026, 11, 21), "First <data>", "Much & [more](https://a.org)."
)


def feed_of(base_url: str | None, *changes: Change) -> Xml.Element:
    ((path, content),) = metadata.feed_files("Ratings & Results", changes, base_url)
    assert path == "changes.xml"
    assert content.startswith(b"<?xml version='1.0' encoding='utf-8'?>")
    return Xml.fromstring(content)


@pytest.fixture(params=[None, "https://example.org/edo/"])
def root(request: pytest.FixtureRequest) -> Xml.Element:
    return feed_of(request.param, TABLES, FIRST)


def test_what_must_be_there_is_there_once(root: Xml.Element) -> None:
    """Sections 4.1.1 and 4.1.2."""
    assert root.tag == f"{ATOM}feed"
    for tag in ("id", "title", "updated", "author"):
        assert len(root.findall(ATOM + tag)) == 1, tag
    assert root.findtext(f"{ATOM}author/{ATOM}name") == "Ratings & Results"
    assert len(root.findall(f"{ATOM}link[@rel='self']")) == 1
    for entry in root.iter(f"{ATOM}entry"):
        for tag in ("id", "title", "updated", "content"):
            assert len(entry.findall(ATOM + tag)) == 1, tag
        assert len(entry.findall(f"{ATOM}link[@rel='alternate']")) == 1


def test_moments_have_the_form_of_rfc_3339(root: Xml.Element) -> None:
    """Section 3.3."""
    moments = [moment.text or "" for moment in root.iter(f"{ATOM}updated")]
    assert moments == ["2026-12-01T00:00:00Z", "2026-12-01T00:00:00Z", "2026-11-21T00:00:00Z"]
    for moment in moments:
        assert datetime.datetime.fromisoformat(moment).tzinfo is not None


def test_ids_are_lasting_and_of_their_own(root: Xml.Element) -> None:
    """Section 4.2.6: an IRI that never changes, whatever becomes of title, date and address."""
    ids = [one.text or "" for one in root.iter(f"{ATOM}id")]
    assert len(set(ids)) == 3
    form = r"urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
    assert all(re.fullmatch(form, one) for one in ids)
    renamed = Change(FIRST.id, datetime.date(2027, 1, 1), "Another title", "Text.")
    again = feed_of("https://example.com", renamed)
    assert again.findtext(f"{ATOM}entry/{ATOM}id") == ids[2]


def test_text_is_carried_as_html_that_is_whole(root: Xml.Element) -> None:
    contents = list(root.iter(f"{ATOM}content"))
    assert {content.get("type") for content in contents} == {"html"}
    assert contents[1].text == '<p>Much &amp; <a href="https://a.org">more</a>.</p>'
    titles = [entry.findtext(f"{ATOM}title") for entry in root.iter(f"{ATOM}entry")]
    assert titles == ["Tables & totals", "First <data>"]  # type text, so no HTML in it


def test_links_are_absolute_where_the_address_is_known() -> None:
    root = feed_of("https://example.org/edo", TABLES)
    links = [link.get("href") for link in root.iter(f"{ATOM}link")]
    assert links == [
        "https://example.org/edo/changes.xml",
        "https://example.org/edo/changes.html",
        "https://example.org/edo/changes.html#tables",
    ]
    assert 'href="https://example.org/edo/events/london-1883.html"' in str(
        root.findtext(f"{ATOM}entry/{ATOM}content")
    )


def test_links_are_else_relative_to_the_feed() -> None:
    root = feed_of(None, TABLES)
    links = [link.get("href") for link in root.iter(f"{ATOM}link")]
    assert links == ["changes.xml", "changes.html", "changes.html#tables"]
    assert 'href="events/london-1883.html"' in str(root.findtext(f"{ATOM}entry/{ATOM}content"))


def test_without_changes_there_is_no_feed() -> None:
    assert list(metadata.feed_files("Ratings", (), None)) == []
