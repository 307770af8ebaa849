"""Rating curves and the timeline in a real browser: what pointer, keys and links answer."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from accessibility import axe
from published import csv_rows
from sampling import DESKTOP_FIRST, PHONE_FIRST

pytestmark = pytest.mark.slow

STEINITZ = "players/steinitz-william.html"
STYLES = [
    ("desktop", "light"),
    ("desktop", "dark"),
    ("phone", "light"),
    ("phone", "dark"),
]


@pytest.fixture(scope="module")
def careers(site: Path) -> dict[str, list[dict[str, str]]]:
    """The lines of ratings.csv of each player, by year."""
    found = defaultdict(list)
    for line in csv_rows(site, "ratings.csv"):
        found[line["player"]].append(line)
    return {player: sorted(lines, key=lambda line: line["year"]) for player, lines in found.items()}


def page_of(player: str) -> str:
    return f"players/{player}.html"


def cells(page: Any, row: str) -> list[str]:
    return [text.strip() for text in page.locator(f"#{row} > :not(.age)").all_inner_texts()]


def shown(page: Any) -> str:
    return str(page.locator(".readout").first.inner_text())


def said(page: Any) -> str:
    return str(page.locator(".curve-years").first.get_attribute("aria-valuetext"))


def says_row(text: str, row: list[str]) -> bool:
    """Whether the words hold the row of a table: year, ratings, deviation, rank, range."""
    year, rating, deviation, other, rank, ranks = row[:6]
    place = f"rank {rank}, range {ranks}" if rank[0].isdigit() else rank
    both = f"{rating}, deviation {deviation}, Integrated {other}"
    return text.startswith(f"{year}: rating {both}, {place}. ")


def point_at(page: Any, share: float) -> None:
    """Put the pointer over the middle of the plot's height, at a share of its width."""
    box = page.locator(".rating-curve svg").first.bounding_box()
    left, right = 46 / 480, 464 / 480
    page.mouse.move(
        box["x"] + box["width"] * (left + share * (right - left)), box["y"] + box["height"] * 0.4
    )


@pytest.mark.parametrize("size", DESKTOP_FIRST)
def test_the_pointer_shows_the_nearest_year(open_page: Any, size: str) -> None:
    page = open_page(STEINITZ, size=size)
    page.locator(".rating-curve").scroll_into_view_if_needed()
    first, last = 1860, 1899
    for year in (first, 1876, 1880, last):
        point_at(page, (year + 0.3 * (year < last) - first) / (last - first))
        assert says_row(shown(page), cells(page, f"y{year}"))
        events = page.locator(f"#e{year} tr:first-child th a").all_inner_texts()
        for event in events[:3]:
            assert page.locator(".readout").get_by_role("link", name=event, exact=True).count() == 1
    flag = page.locator(".cursor-flag").text_content()
    assert flag == "{}: {} ({})".format(*cells(page, f"y{last}")[:3])


@pytest.mark.parametrize("size", PHONE_FIRST)
def test_keys_move_by_years_and_decades(open_page: Any, size: str) -> None:
    page = open_page(STEINITZ, size=size)
    slider = page.locator(".curve-years")
    slider.focus()
    best = peak(page)
    assert slider.input_value() == str(best)  # to begin with
    steps = [
        ("ArrowRight", best + 1), ("ArrowLeft", best), ("PageUp", best + 10), ("PageDown", best),
        ("Home", 1860), ("PageDown", 1860), ("PageUp", 1870), ("End", 1899), ("PageUp", 1899),
        ("ArrowRight", 1899), ("p", best),
    ]  # fmt: skip
    for key, year in steps:
        page.keyboard.press(key)
        assert slider.input_value() == str(year), key
        assert says_row(said(page), cells(page, f"y{year}")), key
        assert said(page).strip() == shown(page).strip()
    page.keyboard.press("Escape")
    assert page.locator(".cursor").get_attribute("visibility") == "hidden"
    page.keyboard.press("ArrowRight")
    assert page.locator(".cursor").get_attribute("visibility") == "visible"
    page.keyboard.press("Enter")
    page.wait_for_url(f"**#y{best + 1}")


def peak(page: Any) -> int:
    """Return the year of the highest rating, as the summary of the page gives it."""
    return int(page.locator(".abstract a[href^='../years/']").first.inner_text())


def test_a_year_without_results_says_so(open_page: Any) -> None:
    page = open_page(STEINITZ)
    assert "gap" in (page.locator(f"#y{peak(page) + 1}").get_attribute("class") or "")
    page.locator(".curve-years").focus()
    assert "No rated results" not in said(page)
    page.keyboard.press("ArrowRight")
    assert "No rated results that year." in said(page)


def test_the_curve_is_one_stop_of_the_tab_key(open_page: Any) -> None:
    page = open_page(STEINITZ)
    page.locator(".toc a").last.focus()  # what comes before the curve
    stops = []
    for _ in range(6):
        page.keyboard.press("Tab")
        stops.append(page.evaluate("(e => e.className || e.textContent)(document.activeElement)"))
    assert stops[0] == "curve-years"
    assert stops[1] == str(peak(page))
    assert "Compare with others" in stops
    assert page.locator(".rating-curve svg a:not([tabindex='-1'])").count() == 0


def test_a_dot_leads_a_mouse_to_its_row_and_a_finger_to_its_year(open_page: Any) -> None:
    page = open_page(STEINITZ)
    page.locator('.rating-curve a[href="#y1866"] circle').click()
    page.wait_for_url("**#y1866")
    page = open_page(STEINITZ, size="phone", has_touch=True)
    page.locator('.rating-curve a[href="#y1866"] circle').tap()
    assert "#" not in page.url
    assert says_row(shown(page), cells(page, "y1866"))
    page.locator(".readout a").first.tap()
    page.wait_for_url("**#y1866")


def test_without_scripts_every_dot_leads_to_its_row(open_page: Any) -> None:
    page = open_page(STEINITZ, scripts=False)
    assert page.locator(".curve-years, .readout, .rating-curve button").count() == 0
    targets = page.locator(".rating-curve svg a").evaluate_all(
        "all => all.map(a => a.getAttribute('href'))"
    )
    assert len(targets) == page.locator("#curve-years tbody tr:not(.gap)").count() > 20
    assert all(page.locator(target).count() == 1 for target in targets)
    page.locator(".rating-curve svg a").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{targets[0]}")


def test_a_career_without_gaps(open_page: Any, careers: dict[str, list[dict[str, str]]]) -> None:
    player = next(
        player for player, lines in careers.items()
        if len(lines) > 5 and all(float(line["games"]) > 0 for line in lines)
    )  # fmt: skip
    page = open_page(page_of(player))
    page.locator(".curve-years").first.focus()
    page.keyboard.press("Home")
    for line in careers[player]:
        number = round(float(line["rating"])), round(float(line["deviation"]))
        assert f"{line['year']}: rating {number[0]}, deviation {number[1]}, " in said(page)
        assert "No rated results" not in said(page)
        page.keyboard.press("ArrowRight")


def test_a_lone_year_has_no_slider(
    open_page: Any, careers: dict[str, list[dict[str, str]]]
) -> None:
    ranked = (p for p, lines in careers.items() if len(lines) == 1 and lines[0]["rank"])
    player = next(ranked)  # of others with a single year there is no curve
    page = open_page(page_of(player))
    assert page.locator(".curve-years").count() == 0
    assert says_row(shown(page), cells(page, f"y{careers[player][0]['year']}"))
    assert page.locator(".rating-curve svg a").first.get_attribute("tabindex") is None


@pytest.mark.parametrize(("size", "scheme"), STYLES)
def test_the_readout_stays_inside_and_off_the_curve(open_page: Any, size: str, scheme: str) -> None:
    page = open_page(STEINITZ, size=size, color_scheme=scheme)
    for key in ("Home", "PageUp", "End"):
        page.locator(".curve-years").press(key)
        plot = page.locator(".rating-curve svg").bounding_box()  # the key scrolls it into view
        box = page.locator(".readout").bounding_box()
        below, beside = (
            box["y"] >= plot["y"] + plot["height"],
            box["x"] >= plot["x"] + plot["width"],
        )
        assert beside if size == "desktop" else below
        flag = page.locator(".cursor-flag").bounding_box()
        point = page.locator(".cursor-point").bounding_box()
        assert 0 <= flag["x"] <= flag["x"] + flag["width"] <= page.viewport_size["width"]
        above, below = flag["y"] + flag["height"] <= point["y"], flag["y"] >= point["y"]
        assert above or below
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    found = axe(page, within=".rating-curve")
    assert found.violations_count == 0, found.generate_report()


def test_the_drawing_is_saved_so_that_it_stands_alone(open_page: Any) -> None:
    page = open_page(STEINITZ)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save the drawing (SVG)").click()
    assert waiting.value.suggested_filename == "steinitz-william-ratings.svg"
    text = Path(waiting.value.path()).read_text(encoding="utf-8")
    root = ElementTree.fromstring(text)
    svg = "{http://www.w3.org/2000/svg}"
    assert "var(" not in text
    assert "class=" not in text
    assert "href" not in text
    words = [element.text or "" for element in root.iter(f"{svg}text")]
    assert any(word.startswith("Steinitz") for word in words)
    assert any(word.startswith("Historical Chess Ratings, Edition of ") for word in words)
    assert not any(re.match(r"\d{4}: ", word) for word in words)  # the flag of the cursor
    curves = list(root.iter(f"{svg}polyline"))
    assert len(curves) == page.locator(".rating-curve polyline").count()
    assert {curve.get("stroke") for curve in curves} == {
        page.locator(".rating-curve polyline").first.evaluate("c => getComputedStyle(c).stroke")
    }
    titles = [element.text or "" for element in root.iter(f"{svg}title")]
    assert any(title.startswith("1876: 27") for title in titles)


@pytest.mark.parametrize(("size", "shape"), [("desktop", "wide"), ("phone", "tall")])
def test_one_drawing_of_the_timeline_fits_the_screen(open_page: Any, size: str, shape: str) -> None:
    page = open_page("index.html", size=size, scripts=False)
    drawing = page.locator(".at-a-glance svg:visible")
    assert drawing.count() == 1
    assert f"timeline-{shape}" in drawing.get_attribute("class")
    scale = drawing.evaluate("s => s.getScreenCTM().a")
    for name in drawing.locator(".leaders text").all():
        size_px = name.evaluate("t => parseFloat(getComputedStyle(t).fontSize)") * scale
        assert size_px >= 11.5
        box = name.bounding_box()
        assert 0 <= box["x"] <= box["x"] + box["width"] <= page.viewport_size["width"]


def test_the_timeline_leads_to_players(open_page: Any) -> None:
    from playwright.sync_api import expect

    page = open_page("index.html")
    leader = page.locator(".timeline-wide .leaders a").first
    other = page.locator(".timeline-wide .leaders a").last
    leader.focus()
    expect(other).to_have_css("opacity", "0.25")
    expect(leader).to_have_css("opacity", "1")
    target = leader.get_attribute("href")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/{target}")


def test_bars_of_the_timeline_stand_for_the_published_numbers(open_page: Any, site: Path) -> None:
    firsts = {line["year"]: line for line in csv_rows(site, "ratings.csv") if line["rank"] == "1"}
    chances = {
        (line["year"], line["player"]): float(line["p_first"])
        for line in csv_rows(site, "number_one.csv")
    }
    bars = (
        open_page("index.html")
        .locator(".timeline-wide .firsts a")
        .evaluate_all(
            "all => all.map(a => [a.textContent, a.querySelector('path').getAttribute('d')])"
        )
    )
    assert len(bars) > 90
    for text, path in bars:
        height = re.split("[vh]", path)[1].removeprefix("-")
        year = text.strip()[:4]
        # Of fewer than five players there is an order, but no probability: the lowest bar.
        chance = chances.get((year, firsts[year]["player"]), 0.1)
        assert float(height) == pytest.approx(44 * chance, abs=0.06)
        rating = float(firsts[year]["rating"])  # a half may have been rounded either way
        assert abs(int(re.search(r", (\d{4}) \(", text)[1]) - rating) < 0.51
