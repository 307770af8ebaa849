from __future__ import annotations

from xml.etree import ElementTree as Xml

from edo.site import metadata

SPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
PATHS = ["index.html", "players/a.html", "404.html", "search.html", "report.html", "changes.html"]


def test_all_pages_but_those_with_nothing_to_find_are_listed() -> None:
    files = dict(metadata.sitemap_files(PATHS, "https://example.org/a&b/"))
    root = Xml.fromstring(files["sitemap.xml"])
    assert root.tag == f"{SPACE}urlset"
    assert [loc.text for loc in root.iter(f"{SPACE}loc")] == [
        "https://example.org/a&b/",
        "https://example.org/a&b/players/a.html",
        "https://example.org/a&b/changes.html",
    ]


def test_robots_are_told_of_it() -> None:
    files = dict(metadata.sitemap_files(PATHS, "https://example.org/edo"))
    assert files["robots.txt"].decode().splitlines() == [
        "User-agent: *",
        "Disallow:",
        "",
        "Sitemap: https://example.org/edo/sitemap.xml",
    ]


def test_without_an_address_there_is_neither() -> None:
    assert list(metadata.sitemap_files(PATHS, None)) == []
