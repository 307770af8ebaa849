"""How the pages look: they fit every window, crosstables stay readable, paper gets no controls."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from accessibility import axe
from sampling import of_each_kind

KINDS = (
    "index.html",
    "players/index.html",
    "players/rubinstein-akiba.html",
    "players/morphy-paul.html",
    "players/lasker-emanuel.html",
    "pairs/lasker-emanuel-v-steinitz-william.html",
    "series/dsb-congress.html",
    "events/index.html",
    "events/hastings-1895.html",
    "events/london-1883.html",
    "events/london-1851.html",
    "events/all-russian-st-petersburg-1906.html",  # a crosstable with full names and wide totals
    "events/world-championship-1886.html",
    "years/index.html",
    "years/1912.html",
    "lists/index.html",
    "lists/number-ones.html",
    "lists/peaks.html",
    "lists/upsets.html",
    "lists/ages.html",
    "places/index.html",
    "places/london.html",
    "sources/index.html",
    "sources/edwards.html",
    "method/index.html",
    "method/ratings.html",
    "data/index.html",
    "404.html",
)
WIDTHS = (320, 768, 1920)
HASTINGS = "events/hastings-1895.html"

TINTED = (
    HASTINGS,
    "index.html",
    "players/morphy-paul.html",
    "events/london-1851.html",
    "years/1858.html",
    "lists/index.html",
    "sources/edwards.html",
    "method/ratings.html",
)

FULL_WIDTH = """async (width) => {  // tables.js learns of a new size a moment later
    await document.fonts.ready;
    const root = document.documentElement;
    for (const end = performance.now() + 5000; performance.now() < end;) {
        if (root.scrollWidth <= width) break;
        await new Promise((done) => setTimeout(done, 20));
    }
    return root.scrollWidth;
}"""
"""How wide the page is, once it has had time to become as narrow as the window [px]."""

OpenPage = Callable[..., Any]


def too_wide(
    open_page: OpenPage, site: Path, names: Iterable[str], widths: Iterable[int]
) -> list[str]:
    """Return which pages are wider than a window of these widths [px]."""
    page, found = open_page("404.html"), []
    for name in names:
        page.goto((site / name).as_uri())
        for width in widths:
            page.set_viewport_size({"width": width, "height": 800})
            needed = page.evaluate(FULL_WIDTH, width)
            if needed > width:
                found.append(f"{name} is {needed} px wide in a window of {width}")
    return found


@pytest.mark.slow
def test_no_page_is_wider_than_any_window(open_page: OpenPage, site: Path) -> None:
    assert too_wide(open_page, site, {*KINDS, *of_each_kind(site)}, WIDTHS) == []


@pytest.mark.slow
@pytest.mark.parametrize("turn", [0, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("size", "scheme"),
    [("desktop", "dark"), pytest.param("phone", "light", marks=pytest.mark.slow)],
)
def test_texts_stand_out_from_their_ground(
    open_page: OpenPage, site: Path, size: str, scheme: str, turn: int
) -> None:
    # the two that test_browser.py leaves out; long lists look no different from short ones
    rules = {"runOnly": ["color-contrast", "link-in-text-block", "scrollable-region-focusable"]}
    page = open_page(TINTED[0], size=size, color_scheme=scheme)
    half = turn if size == "desktop" else 1 - turn
    for name in TINTED[half::2]:
        page.goto(f"{site.as_uri()}/{name}")
        found = axe(page, **rules).response["violations"]
        assert not found, f"{name}: {[node['html'] for fault in found for node in fault['nodes']]}"


def widths(page: Any) -> tuple[int, int]:
    """Return the width of the crosstable's region and that of what is in it [px]."""
    sizes = page.locator(".scroll:has(> .crosstable)").first.evaluate(
        "region => [region.clientWidth, region.scrollWidth]"
    )
    return sizes[0], sizes[1]


def test_hastings_with_22_players_fits_a_desk(open_page: OpenPage) -> None:
    page = open_page(HASTINGS)
    assert page.locator(".crosstable tbody tr").count() == 22
    region, table = widths(page)
    assert table <= region <= 1280 - 2 * 16


def test_a_crosstable_of_30_players_fits_a_desk(open_page: OpenPage) -> None:
    page = open_page("events/ostend-1907-masters.html")
    assert page.locator(".crosstable tbody tr").count() == 30
    region, table = widths(page)
    assert table <= region


def test_a_very_long_name_leaves_the_games_in_view(open_page: OpenPage) -> None:
    page = open_page(HASTINGS)
    name = page.locator(".crosstable tbody .name a").first
    name.evaluate("(one) => { one.textContent = 'Name '.repeat(60); }")
    assert page.locator(".crosstable .name").first.bounding_box()["width"] <= 500


def boxes(page: Any, *selectors: str) -> list[dict[str, float]]:
    return [page.locator(f".crosstable {one}").first.bounding_box() for one in selectors]


NAME, NUMBERS, TOTAL = "tbody th.name", "thead th.cell", "tbody td.total"


def test_names_and_totals_stay_while_the_cells_scroll(open_page: OpenPage) -> None:
    page = open_page(HASTINGS, size="phone")
    region, table = widths(page)
    assert table > region
    name, cell, total = boxes(page, NAME, "tbody td:not(.num, .self)", TOTAL)
    page.locator(".scroll.wide").evaluate("region => { region.scrollLeft = 200 }")
    name_after, cell_after, total_after = boxes(page, NAME, "tbody td:not(.num, .self)", TOTAL)
    assert cell_after["x"] == pytest.approx(cell["x"] - 200, abs=1)
    assert name_after["x"] == pytest.approx(name["x"], abs=1)
    assert total_after["x"] == pytest.approx(total["x"], abs=1)
    assert total["x"] + total["width"] <= 360


def test_the_head_stays_while_the_rows_scroll(open_page: OpenPage) -> None:
    page = open_page(HASTINGS)
    page.set_viewport_size({"width": 1280, "height": 420})  # lower than the table
    region = page.locator(".scroll.wide")
    assert region.evaluate("region => region.clientHeight < region.scrollHeight")
    head, name = boxes(page, NUMBERS, NAME)
    region.evaluate("region => { region.scrollTop = 120 }")
    head_after, name_after = boxes(page, NUMBERS, NAME)
    assert name_after["y"] == pytest.approx(name["y"] - 120, abs=1)
    assert head_after["y"] == pytest.approx(head["y"], abs=1)


def test_a_name_is_short_to_the_eye_and_whole_to_a_screen_reader(open_page: OpenPage) -> None:
    page = open_page(HASTINGS)
    whole = re.compile("Pillsbury ?, Harry Nelson")
    link = page.locator(".crosstable").get_by_role("link", name=whole)
    assert link.locator(".given").bounding_box()["width"] <= 1


def test_the_pointer_lights_row_and_column(open_page: OpenPage) -> None:
    page = open_page(HASTINGS)
    cell = page.locator(".crosstable tbody tr").nth(7).locator("td").nth(11)
    light = "cell => getComputedStyle(cell, '::after').content"
    row = "cell => getComputedStyle(cell.closest('tr')).backgroundColor"
    assert (cell.evaluate(light), cell.evaluate(row)) == ("none", "rgba(0, 0, 0, 0)")
    cell.hover()
    assert cell.evaluate(light) == '""'
    assert cell.evaluate(row) != "rgba(0, 0, 0, 0)"


def test_the_masthead_leaves_a_phone_its_first_screen(open_page: OpenPage) -> None:
    page = open_page("players/rubinstein-akiba.html", size="phone")
    assert page.locator(".masthead").bounding_box()["height"] <= 160  # two lines of sections
    assert page.locator("h1").bounding_box()["y"] <= 740 / 4


def test_every_section_can_be_reached_on_a_phone(open_page: OpenPage) -> None:
    page = open_page("index.html", size="phone")
    last = page.locator(".sections a").last
    last.focus()
    box = last.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 360


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", [HASTINGS, "players/rubinstein-akiba.html", "years/1912.html"])
def test_paper_is_white_and_has_no_controls(open_page: OpenPage, name: str, scheme: str) -> None:
    page = open_page(name, color_scheme=scheme)
    assert page.locator(".sections").is_visible()
    page.emulate_media(media="print")
    for selector in (
        ".search",
        ".sections",
        ".pager",
        ".skip",
        ".controls",
        "button:not(.sort, .mark)",
    ):
        for found in page.locator(selector).all():
            assert not found.is_visible(), selector
    assert page.locator(".address").inner_text().endswith(name)
    body = "getComputedStyle(document.body)"
    assert page.evaluate(f"{body}.backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate(f"{body}.color") == "rgb(0, 0, 0)"


def test_a_wide_crosstable_fits_the_paper(open_page: OpenPage) -> None:
    page = open_page(HASTINGS)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 688, "height": 1000})  # A4 less its margins, at 96 dpi
    table = page.locator(".crosstable").first.bounding_box()
    assert table["x"] + table["width"] <= 688


def test_the_stylesheet_is_small(site: Path) -> None:
    import gzip

    sheet = (site / "static" / "style.css").read_text()
    rules = re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)  # it is published with its comments
    assert len(gzip.compress(rules.encode(), 9)) <= 12 * 1024
    assert len(gzip.compress(sheet.encode(), 9)) <= 14 * 1024
