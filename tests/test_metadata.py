"""Metadata of pages and of the site, against the rules of each format."""

from __future__ import annotations

import datetime
import json
import re
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree as Xml

import pytest

from edo.core.model import DateSpan, Event, PartialDate, Place, Player
from edo.export.files import Edition
from edo.history.content_files import Change
from edo.site import metadata
from edo.site.metadata import how_to_cite, in_tex, report_link

BASE = "https://example.org/edo/"
MORPHY = Player(
    "morphy-paul",
    "Morphy, Paul",
    born=PartialDate(1837, 6, 22),
    died=PartialDate(1884, 7),
    country="USA",
    spellings=("Murphy, P.",),
)
PLACES = Place("london", "London", "ENG")


def event(**more: object) -> Event:
    known = {"id": "london-1883", "name": "London 1883", "kind": "tournament", "year": 1883}
    return Event(**{**known, "path": "", **more})  # type: ignore[arg-type]


def test_a_player_with_dates_as_exactly_as_known() -> None:
    assert metadata.person(MORPHY, BASE) == {
        "@type": "Person",
        "name": "Morphy, Paul",
        "alternateName": ["Murphy, P."],
        "birthDate": "1837-06-22",
        "deathDate": "1884-07",
        "url": "https://example.org/edo/players/morphy-paul.html",
    }


def test_what_is_only_about_or_not_known_is_not_said() -> None:
    petrov = Player("petrov", "Petrov, Alexander", born=PartialDate(1794, approximate=True))
    assert metadata.person(petrov, None) == {"@type": "Person", "name": "Petrov, Alexander"}


def test_an_event() -> None:
    dates = DateSpan(PartialDate(1883, 4, 26), PartialDate(1883, 6, 23))
    found = metadata.sports_event(
        event(dates=dates, place="london", players=("morphy-paul",)),
        PLACES,
        {"morphy-paul": MORPHY},
        BASE,
    )
    assert found == {
        "@type": "SportsEvent",
        "name": "London 1883",
        "sport": "Chess",
        "startDate": "1883-04-26",
        "endDate": "1883-06-23",
        "location": {"@type": "Place", "name": "London"},
        "competitor": [{"@type": "Person", "name": "Morphy, Paul"}],
        "url": "https://example.org/edo/events/london-1883.html",
    }


def test_of_an_event_without_dates_only_the_year_of_its_end_is_known() -> None:
    found = metadata.sports_event(event(), None, {}, None)
    assert found["endDate"] == "1883" and "startDate" not in found
    about = DateSpan(PartialDate(1882, approximate=True), PartialDate(1883))
    found = metadata.sports_event(event(dates=about), None, {}, None)
    assert found["endDate"] == "1883" and "startDate" not in found


def test_all_competitors_are_named_or_none() -> None:
    players = {f"p{n}": Player(f"p{n}", f"Player, {n}") for n in range(7)}
    six = metadata.sports_event(event(players=tuple(players)[:6]), None, players, None)
    assert len(six["competitor"]) == 6  # type: ignore[arg-type]
    assert "competitor" not in metadata.sports_event(
        event(players=tuple(players)), None, players, None
    )


def test_search_and_breadcrumbs_need_an_address() -> None:
    site = metadata.web_site("Ratings", BASE)
    assert site["potentialAction"]["target"]["urlTemplate"] == (  # type: ignore[index]
        "https://example.org/edo/search.html?q={search_term_string}"
    )
    assert metadata.web_site("Ratings", None) == {"@type": "WebSite", "name": "Ratings"}
    way = [("Home", "index.html"), ("Players", "players/index.html")]
    crumbs = metadata.breadcrumbs(way, BASE)
    assert crumbs is not None
    assert [(one["position"], one["name"], one["item"]) for one in crumbs["itemListElement"]] == [  # type: ignore[attr-defined]
        (1, "Home", "https://example.org/edo/"),
        (2, "Players", "https://example.org/edo/players/index.html"),
    ]
    assert metadata.breadcrumbs(way, None) is None
    assert metadata.breadcrumbs([], BASE) is None


def test_nothing_in_the_text_ends_its_block() -> None:
    name = "</script><!-- & \u2028\u2029 ]]>"
    text = metadata.json_ld([{"@type": "Person", "name": name}, None])
    assert text is not None
    assert not set(text) & set("<>&\u2028\u2029")
    assert json.loads(text) == {"@context": "https://schema.org", "@type": "Person", "name": name}


def test_several_things_share_one_block() -> None:
    text = metadata.json_ld([{"@type": "Person"}, {"@type": "BreadcrumbList"}])
    assert json.loads(text or "")["@graph"] == [{"@type": "Person"}, {"@type": "BreadcrumbList"}]
    assert metadata.json_ld([None, None]) is None


ATOM = "{http://www.w3.org/2005/Atom}"
TABLES = Change(
    "tables", datetime.date(2026, 12, 1), "Tables & totals", "See [it](/events/london-1883.html)."
)
FIRST = Change(
    "first", datetime.date(2026, 11, 21), "First <data>", "Much & [more](https://a.org)."
)


def feed_of(base_url: str | None, *changes: Change) -> Xml.Element:
    ((path, content),) = metadata.feed("Ratings & Results", changes, base_url)
    assert path == "changes.xml"
    assert content.startswith(b"<?xml version='1.0' encoding='utf-8'?>")
    return Xml.fromstring(content)


@pytest.fixture(params=[None, "https://example.org/edo/"])
def root(request: pytest.FixtureRequest) -> Xml.Element:
    return feed_of(request.param, TABLES, FIRST)


def test_a_feed_has_what_atom_asks_for(root: Xml.Element) -> None:
    """RFC 4287, sections 4.1.1 and 4.1.2; moments as in section 3.3."""
    assert root.tag == f"{ATOM}feed"
    assert root.findtext(f"{ATOM}author/{ATOM}name") == "Ratings & Results"
    assert len(root.findall(f"{ATOM}link[@rel='self']")) == 1
    for entry in root.iter(f"{ATOM}entry"):
        assert len(entry.findall(f"{ATOM}link[@rel='alternate']")) == 1
        assert len(entry.findall(f"{ATOM}content")) == 1
    for element in (root, *root.iter(f"{ATOM}entry")):
        for tag in ("id", "title", "updated"):
            assert len(element.findall(ATOM + tag)) == 1, tag
    moments = [moment.text for moment in root.iter(f"{ATOM}updated")]
    assert moments == ["2026-12-01T00:00:00Z", "2026-12-01T00:00:00Z", "2026-11-21T00:00:00Z"]


def test_ids_are_lasting_and_of_their_own(root: Xml.Element) -> None:
    """Section 4.2.6: an IRI that never changes, whatever becomes of title and date."""
    ids = [one.text or "" for one in root.iter(f"{ATOM}id")]
    assert len(set(ids)) == 3
    form = r"urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
    assert all(re.fullmatch(form, one) for one in ids)


def ids_of(name: str, base_url: str | None) -> list[str | None]:
    ((_, content),) = metadata.feed(name, (TABLES, FIRST), base_url)
    return [one.text for one in Xml.fromstring(content).iter(f"{ATOM}id")]


def test_two_projects_share_no_id() -> None:
    sites = ("Chess", None), ("Go", None), ("Chess", "https://a.org"), ("Chess", "https://b.org/go")
    assert len({id_ for site in sites for id_ in ids_of(*site)}) == 3 * len(sites)
    assert ids_of("Renamed", "https://a.org/") == ids_of("Chess", "https://a.org")
    renamed = Change(FIRST.id, datetime.date(2027, 1, 1), "Another title", "Text.")
    again = feed_of("https://example.org/edo", renamed)
    before = feed_of("https://example.org/edo/", FIRST)
    assert again.findtext(f"{ATOM}entry/{ATOM}id") == before.findtext(f"{ATOM}entry/{ATOM}id")


def test_text_is_carried_as_html_that_is_whole(root: Xml.Element) -> None:
    contents = list(root.iter(f"{ATOM}content"))
    assert {content.get("type") for content in contents} == {"html"}
    assert contents[1].text == '<p>Much &amp; <a href="https://a.org">more</a>.</p>'
    titles = [entry.findtext(f"{ATOM}title") for entry in root.iter(f"{ATOM}entry")]
    assert titles == ["Tables & totals", "First <data>"]  # type text, so no HTML in it


@pytest.mark.parametrize("base_url", ["https://example.org/edo", None])
def test_links_are_absolute_where_the_address_is_known_and_else_relative(
    base_url: str | None,
) -> None:
    root, start = feed_of(base_url, TABLES), f"{base_url}/" if base_url else ""
    links = [link.get("href") for link in root.iter(f"{ATOM}link")]
    assert links == [
        start + path for path in ("changes.xml", "changes.html", "changes.html#tables")
    ]
    content = root.findtext(f"{ATOM}entry/{ATOM}content") or ""
    assert f'href="{start}events/london-1883.html"' in content


def test_without_changes_there_is_no_feed() -> None:
    assert list(metadata.feed("Ratings", (), None)) == []


SPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
PATHS = ["index.html", "players/a.html", "404.html", "search.html", "report.html", "changes.html"]


def test_all_pages_but_those_with_nothing_to_find_are_listed() -> None:
    files = dict(metadata.sitemap(PATHS, "https://example.org/a&b/"))
    root = Xml.fromstring(files["sitemap.xml"])
    assert root.tag == f"{SPACE}urlset"
    assert [loc.text for loc in root.iter(f"{SPACE}loc")] == [
        "https://example.org/a&b/",
        "https://example.org/a&b/players/a.html",
        "https://example.org/a&b/changes.html",
    ]


def test_robots_are_told_of_it_where_there_is_an_address() -> None:
    files = dict(metadata.sitemap(PATHS, "https://example.org/edo"))
    assert b"\nSitemap: https://example.org/edo/sitemap.xml" in files["robots.txt"]
    assert list(metadata.sitemap(PATHS, None)) == []


EDITION = Edition("Ratings & Results", "0123456789ab", "1.2.3", date=datetime.date(2026, 11, 22))
ADDRESS = "https://example.org/edo/players/loewenthal-johann.html"


def test_the_plain_form_says_what_made_the_page_and_leaves_the_date_to_the_reader() -> None:
    cite = how_to_cite(EDITION, "Löwenthal, Johann", "players/loewenthal-johann.html", ADDRESS)
    assert cite.plain == (
        "Ratings & Results (2026). “Löwenthal, Johann”. Edition of 22 November 2026, "
        f"program 1.2.3. {ADDRESS} (accessed …)"
    )


def test_without_an_address_or_a_date_none_is_given() -> None:
    cite = how_to_cite(replace(EDITION, date=None), "1883", "years/1883.html", None)
    assert cite.plain == (
        "Ratings & Results (n.d.). “Chess ratings for 1883”. "
        "Undated edition, program 1.2.3. (accessed …)"
    )
    assert "year =" not in cite.bibtex
    assert "url" not in cite.bibtex


def test_bibtex() -> None:
    cite = how_to_cite(EDITION, "Löwenthal, Johann", "players/loewenthal-johann.html", ADDRESS)
    assert cite.bibtex == (
        "@misc{edo-players-loewenthal-johann,\n"
        "  author = {{Ratings \\& Results}},\n"
        "  title = {{Löwenthal, Johann}},\n"
        "  year = {2026},\n"
        "  date = {2026-11-22},\n"
        "  howpublished = {Website},\n"
        "  note = {Edition of 22 November 2026, program 1.2.3},\n"
        "  url = {https://example.org/edo/players/loewenthal-johann.html}\n"
        "}"
    )


def test_a_citation_names_author_and_publisher() -> None:
    edition = replace(EDITION, author="Dunn, George", publisher="A & B", address="Springfield")
    cite = how_to_cite(edition, "1883", "years/1883.html", ADDRESS)
    assert cite.plain == (
        "Dunn, George (2026). “Chess ratings for 1883”. Ratings & Results. "
        f"Edition of 22 November 2026, program 1.2.3. A & B. {ADDRESS} (accessed …)"
    )
    assert "  author = {Dunn, George},\n" in cite.bibtex
    assert "  howpublished = {Ratings \\& Results},\n" in cite.bibtex
    assert "  publisher = {A \\& B},\n  address = {Springfield},\n" in cite.bibtex


def test_without_an_author_the_publisher_is_cited_once() -> None:
    cite = how_to_cite(replace(EDITION, publisher="A Society"), "Méry", "players/mery.html", None)
    assert cite.plain == (
        "A Society (2026). “Méry”. Ratings & Results. Edition of 22 November 2026, program 1.2.3. "
        "(accessed …)"
    )
    assert "  author = {{A Society}},\n" in cite.bibtex


def test_all_that_tex_would_read_as_a_command_is_written_out() -> None:
    assert in_tex("a & b 50% $1 #2 x_y") == r"a \& b 50\% \$1 \#2 x\_y"
    assert in_tex("{~^\\}") == (
        r"\textbraceleft{}\textasciitilde{}\textasciicircum{}\textbackslash{}\textbraceright{}"
    )
    assert in_tex("Łódź – Šiška") == "Łódź – Šiška"


def test_braces_balance_whatever_the_title() -> None:
    """BibTeX counts braces without looking for a backslash before them."""
    for title in ("a } b", "{{", "\\}", "}{"):
        cite = how_to_cite(EDITION, title, "a.html", "https://example.org/{x}")
        depth = 0
        for sign in re.findall(r"[{}]", cite.bibtex):
            depth += 1 if sign == "{" else -1
            assert depth >= 0, title
        assert depth == 0, title


PAGE = "https://example.org/players/loewenthal-johann.html"


def link(report_to: str | None) -> str:
    return report_link(report_to, "Löwenthal & Co.", PAGE, EDITION)


def test_a_mail_has_its_subject_and_the_lines_of_the_report() -> None:
    address = link("chess+errors@example.org")
    assert address.startswith("mailto:chess+errors@example.org?subject=")
    assert " " not in address and "+" not in address.partition("?")[2]  # mail knows no + for blank
    fields = parse_qs(urlsplit(address).query, strict_parsing=True)
    assert fields["subject"] == ["Error on the page “Löwenthal & Co.”"]
    (body,) = fields["body"]
    lines = body.split("\r\n")
    assert lines[:2] == [f"Page: {PAGE}", "Edition of 22 November 2026, program 1.2.3"]
    assert "\n" not in "".join(lines)


@pytest.mark.parametrize(
    ("form", "joint"),
    [
        ("https://example.org/issues/new", "?"),
        ("https://example.org/issues/new?labels=error", "&"),
        ("https://example.org/issues/new?", ""),
    ],
)
def test_a_form_takes_title_and_body_beside_what_it_has(form: str, joint: str) -> None:
    address = link(form)
    assert address.startswith(f"{form}{joint}title=Error%20on")
    fields = parse_qs(urlsplit(address).query, strict_parsing=True)
    assert fields["title"] == ["Error on the page “Löwenthal & Co.”"]
    assert fields["body"][0].startswith(
        f"Page: {PAGE}\nEdition of 22 November 2026, program 1.2.3\n"
    )
    assert fields.get("labels") == (["error"] if "labels" in form else None)


def test_without_an_address_our_own_page_says_what_to_write() -> None:
    path, _, query = link(None).partition("?")
    assert path == "report.html"
    assert parse_qs(query) == {"page": [PAGE]}
