"""Other rating systems in a browser: the choice in the comparison, the curves over each other."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path
from typing import Any

import pytest
from accessibility import faults
from sampling import DESKTOP_FIRST, PHONE_FIRST, by_turns
from waiting import wait_until

pytestmark = pytest.mark.slow

PAGE = "compare/index.html"
PAIR = f"{PAGE}?p=steinitz-william,zukertort-johannes"
SIZES = ["desktop", "phone"]
SCHEMES = {"desktop": "light", "phone": "dark"}


def opened(open_page: Any, name: str, size: str = "desktop", **more: Any) -> Any:
    page = open_page(name, size=size, color_scheme=SCHEMES[size], **more)
    page.locator(".compared li").first.wait_for(state="attached")
    return page


def numbers(page: Any) -> dict[str, list[str]]:
    """Return the cells of the table of all numbers by year."""
    rows = page.locator("[data-part=table] tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"
    )
    return {key: cells for key, *cells in rows}


@pytest.fixture(scope="module")
def published(site: Path) -> dict[tuple[str, int, str], tuple[str, str]]:
    """Return rating and deviation of each player, year and system from the data."""
    with gzip.open(site / "data" / "system_ratings.csv.gz", "rt", encoding="utf-8") as file:
        return {
            (row["player"], int(row["year"]), row["system"]): (row["rating"], row["deviation"])
            for row in csv.DictReader(file)
        }


def chosen(page: Any, system: str) -> None:
    page.get_by_label("Rated by").select_option(system)
    wait_until(page, "(system) => location.search.includes(`under=${system}`)", system)


@pytest.mark.parametrize("size", PHONE_FIRST)
def test_another_system_is_chosen_and_its_published_numbers_are_shown(
    open_page: Any, published: dict[tuple[str, int, str], tuple[str, str]], size: str
):
    page = opened(open_page, PAIR, size)
    edo = numbers(page)
    before = page.locator(".comparison polyline").first.get_attribute("points")
    chosen(page, "glicko")
    assert page.locator(".comparison polyline").first.get_attribute("points") != before
    assert "Ratings by Glicko" in page.locator("[data-part=status]").inner_text()
    under, seen = numbers(page), 0
    for year, cells in under.items():
        assert len(cells) == 2  # no ranks, and no probabilities
        for player, cell in zip(("steinitz-william", "zukertort-johannes"), cells, strict=True):
            if not cell:
                continue
            seen += 1
            rating, deviation = cell.rstrip(")").split(" (")
            told = published[player, int(year), "glicko"]
            assert abs(float(told[0]) - int(rating)) <= 0.55
            assert abs(float(told[1]) - int(deviation)) <= 0.55
    assert seen > 50
    assert page.locator("[data-part=pairs]").is_hidden()
    assert page.locator("[data-part=sentence]").inner_text() == ""
    assert "rank" not in page.locator("[data-part=readout]").inner_text()
    page.get_by_label("Rated by").select_option("")
    wait_until(page, "() => !location.search.includes('under')")
    assert numbers(page) == edo
    assert page.locator("[data-part=pairs]").is_visible()


def test_the_address_keeps_the_system(open_page: Any):
    page = opened(open_page, PAIR)
    chosen(page, "edo-raw")
    again = opened(open_page, page.url)
    assert again.get_by_label("Rated by").input_value() == "edo-raw"
    assert numbers(again) == numbers(page)


def test_a_system_without_deviations_has_ratings_alone(open_page: Any):
    page = opened(open_page, f"{PAIR}&under=elo-fide")
    cells = [cell for cells in numbers(page).values() for cell in cells if cell]
    assert len(cells) > 50 and not any("(" in cell for cell in cells)


def test_a_system_that_there_is_not_is_told(open_page: Any):
    page = opened(open_page, f"{PAIR}&under=%3Cimg%20src%3Dx%3E")
    assert "There is no rating system <img src=x>." in (
        page.locator("[data-part=status]").inner_text()
    )
    assert page.get_by_label("Rated by").input_value() == ""
    assert page.locator("[data-part=pairs]").is_visible()


def test_the_table_of_another_system_can_be_taken_away(open_page: Any):
    page = opened(open_page, f"{PAIR}&under=glicko&at=1886")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save the table (CSV)").click()
    assert waiting.value.suggested_filename == "steinitz-william_zukertort-johannes_glicko.csv"
    lines = Path(waiting.value.path()).read_text().splitlines()
    found = dict(zip(lines[0].split(","), lines[1].split(","), strict=True))
    assert found["steinitz-william rank"] == ""
    assert not any("stronger" in name for name in found)


def test_by_age_too(open_page: Any):
    page = opened(open_page, f"{PAIR}&under=glicko&by=age")
    assert all(len(cells) == 4 for cells in numbers(page).values())  # the years beside the ratings


def test_from_a_web_server_too(open_page: Any, served: str):
    page = opened(open_page, f"{served}/{PAIR}&under=glicko")
    assert "Ratings by Glicko" in page.locator("[data-part=status]").inner_text()


PAGES = [
    "systems/index.html",
    "systems/glicko.html",
    "years/1886-systems.html",
    "players/steinitz-william.html#systems",
    f"{PAIR}&under=glicko",
]


@pytest.mark.parametrize(("name", "size"), by_turns(PAGES, SIZES))
def test_the_pages_fit_their_window_and_are_accessible(open_page: Any, name: str, size: str):
    page = open_page(name, size=size, color_scheme=SCHEMES[size])
    if "compare" in name:
        page.locator(".compared li").first.wait_for(state="attached")
    assert faults(page, name) == []


@pytest.mark.parametrize("size", DESKTOP_FIRST)
def test_the_curves_of_a_player_need_no_script(open_page: Any, size: str):
    page = open_page("players/steinitz-william.html", size=size, scripts=False)
    page.locator("summary", has_text="other systems").first.click()
    panels = page.locator(".panels li")
    listed = page.locator("#systems-table tbody tr td:first-child").all_inner_texts()
    assert panels.locator(".number").all_inner_texts() == [one for one in listed if one != "Edo"]
    window = page.evaluate("document.documentElement.clientWidth")
    for panel in panels.all():
        box = panel.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= window
        assert panel.locator("svg.chart > polyline.curve").count() == 1
    # What all panels share is drawn once; the others refer to it and look the same.
    first, second = page.locator(".panels svg").nth(0), page.locator(".panels svg").nth(1)
    assert first.locator("#systems-field polyline.field-other").count() == panels.count()
    assert second.locator("use").get_attribute("href") == "#systems-field"


def test_the_labels_of_the_small_drawings_can_be_read_on_a_phone(open_page: Any):
    page = open_page("players/steinitz-william.html", size="phone")
    page.locator("summary", has_text="other systems").first.click()
    heights = page.locator("#systems-field text").evaluate_all(
        "texts => texts.map(text => text.getBoundingClientRect().height)"
    )
    assert len(heights) > 4 and min(heights) >= 10
