"""What speaks for a page, in a real browser: marks, citation, reports, data for machines."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from accessibility import axe, faults
from conftest import MINISITE, build_site, small_content
from sampling import DESKTOP_FIRST, PHONE_FIRST, by_turns

from edo.site.legend import MARKS

pytestmark = pytest.mark.slow

OpenPage = Callable[..., Any]

MEANING = {meaning.kind: meaning.text for meaning in MARKS}


@pytest.mark.parametrize("size", PHONE_FIRST)
def test_a_mark_opens_its_meaning_by_keyboard_without_scripts(
    open_page: OpenPage, size: str
) -> None:
    page = open_page("players/morphy-paul.html", size=size, scripts=False)
    mark = page.locator("#events ~ * button.mark-soft").first
    meaning = page.locator("#mark-soft")
    assert not meaning.is_visible()
    mark.focus()
    page.keyboard.press("Enter")
    assert meaning.is_visible()
    assert MEANING["soft"] in meaning.inner_text()
    box, width = meaning.bounding_box(), page.viewport_size["width"]
    assert box["x"] >= 0 and box["x"] + box["width"] <= width
    assert abs(box["y"] - mark.bounding_box()["y"]) < 200  # beside the mark, not elsewhere
    page.keyboard.press("Tab")  # the next stop is inside: the way to all marks
    page.keyboard.press("Enter")
    page.wait_for_url("**/method/marks.html#mark-soft")
    assert MEANING["soft"] in page.locator("#mark-soft").inner_text()


def test_escape_and_another_mark_close_it(open_page: OpenPage) -> None:
    page = open_page("players/morphy-paul.html", scripts=False)
    page.locator("#events ~ * button.mark-soft").first.click()
    page.keyboard.press("Escape")
    assert not page.locator("#mark-soft").is_visible()
    page.locator("#events ~ * button.mark-soft").first.click()
    page.locator("#events ~ * button.mark-proportion").first.click()
    assert page.locator("#mark-proportion").is_visible()
    assert not page.locator("#mark-soft").is_visible()


def test_the_mark_names_its_meaning_to_a_screen_reader(open_page: OpenPage) -> None:
    page = open_page("players/morphy-paul.html")
    mark = page.get_by_role("button", name="soft", exact=True).first
    meaning = page.locator(f"[id='{mark.get_attribute('popovertarget')}']")
    assert MEANING["soft"] in meaning.evaluate("(note) => note.textContent")


def test_on_paper_the_meanings_stand_at_the_foot(open_page: OpenPage) -> None:
    page = open_page("players/morphy-paul.html")
    page.emulate_media(media="print")
    assert page.locator("#mark-soft").is_visible()


def test_no_mark_of_any_page_is_without_its_meaning(site: Path) -> None:
    used = 0
    for path in site.rglob("*.html"):
        text = path.read_text()
        parts = re.findall(r' data-parts="([^"]*)"', text)  # whose rows a script adds
        rows = [path.with_name(f"{name}.js").read_text() for one in parts for name in one.split()]
        marked = "".join([text, *rows])
        wanted = set(re.findall(r'popovertarget=\\?"([^"\\]*)', marked))
        there = re.findall(r'<div id="([^"]*)" popover>', text)
        assert wanted == set(there) and len(there) == len(wanted), path
        used += len(wanted)
    assert used > 1000


@pytest.mark.parametrize("size", DESKTOP_FIRST)
def test_the_citation_opens_by_keyboard_without_scripts(open_page: OpenPage, size: str) -> None:
    page = open_page("players/morphy-paul.html", size=size, scripts=False)
    citation = page.locator(".cite p").first
    assert not citation.is_visible()
    page.get_by_text("Cite this page").focus()
    page.keyboard.press("Enter")
    edition = page.locator("footer .edition").inner_text()
    assert f"“Morphy, Paul”. {edition}, program" in citation.inner_text()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_a_report_without_an_address_names_page_data_and_version(open_page: OpenPage) -> None:
    page = open_page("players/morphy-paul.html")
    edition = page.locator("footer .edition").inner_text().removeprefix("Edition of ")
    page.get_by_role("link", name="Report an error").click()
    page.wait_for_url("**/report.html?**")
    assert page.locator("#reported-page").inner_text() == "players/morphy-paul.html"
    assert edition in page.locator("main dl").first.inner_text()
    assert "gives no address" in page.locator("main").inner_text()


def test_what_the_address_says_is_shown_as_text_only(open_page: OpenPage, site: Path) -> None:
    page = open_page(f"{site.as_uri()}/report.html?page=%3Cimg%20src%3Dx%3E")
    assert page.locator("#reported-page").inner_text() == "<img src=x>"
    assert page.locator("main img").count() == 0


@pytest.fixture(scope="module")
def with_address(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Build the small site with an address for reports."""

    def build(report_to: str) -> Path:
        import shutil

        folder = tmp_path_factory.mktemp("content")
        shutil.copytree(small_content(), folder / "content")
        (folder / "site.yaml").write_text(f"name: Ratings\nreport_to: {report_to}\n")
        return build_site(
            *(MINISITE / "events", folder / "site", "--content", str(folder / "content")),
            *("--base-url", "https://example.org/edo"),
        )

    return build


@pytest.mark.parametrize(
    ("report_to", "subject"),
    [
        ("errors@example.org", "subject"),
        ("https://example.org/issues/new?labels=x", "title"),
    ],
)
def test_a_report_with_an_address_is_filled_in(
    with_address: Callable[[str], Path], open_page: OpenPage, report_to: str, subject: str
) -> None:
    page = open_page(f"{with_address(report_to).as_uri()}/years/1880.html")
    href = page.get_by_role("link", name="Report an error").get_attribute("href")
    assert report_to in href
    fields = parse_qs(urlsplit(href).query)
    assert fields[subject] == ["Error on the page “1880”"]
    assert fields["body"][0].startswith("Page: https://example.org/edo/years/1880.html")
    edition = page.locator("footer .edition").inner_text().removeprefix("Edition of ")
    assert edition in fields["body"][0]


def test_machines_are_told_of_players_events_and_the_data(
    with_address: Callable[[str], Path], open_page: OpenPage
) -> None:
    site = with_address("errors@example.org")
    for name, kind, most in (
        ("players/byrd-lucy.html", "Person", 1024),
        ("events/springfield-1880.html", "SportsEvent", 1024),
        ("data/index.html", "Dataset", 8000),  # it lists all its files, with their addresses
        ("index.html", "WebSite", 1024),
    ):
        page = open_page(f"{site.as_uri()}/{name}")  # `look` fails where the policy complains
        (block,) = page.locator('script[type="application/ld+json"]').all()
        data = json.loads(block.text_content())
        assert data["@context"] == "https://schema.org"
        assert data.get("@graph", [data])[0]["@type"] == kind
        assert len(block.text_content().encode()) < most


PAGES = ["report.html", "changes.html", "method/marks.html"]


@pytest.mark.parametrize(("name", "size"), by_turns(PAGES, ["desktop", "phone"]))
def test_pages_are_accessible_and_fit(open_page: OpenPage, name: str, size: str) -> None:
    page = open_page(name, size=size, color_scheme="dark" if size == "phone" else "light")
    assert faults(page, name) == []


def test_an_open_meaning_and_an_open_citation_are_accessible(open_page: OpenPage) -> None:
    page = open_page("players/morphy-paul.html")
    page.get_by_text("Cite this page").click()
    page.locator("button.mark").first.click()
    found = axe(page)
    assert found.violations_count == 0, found.generate_report()
