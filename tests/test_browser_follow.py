"""From a rating to the results that carry it, to the sources; and from one event to the next."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sampling import DESKTOP_FIRST

pytestmark = pytest.mark.slow

OpenPage = Callable[..., Any]

LASKER = "players/lasker-emanuel.html"
MATCH = "events/world-championship-1894.html"
PAIR = "pairs/lasker-emanuel-v-steinitz-william.html"


@pytest.mark.parametrize("size", DESKTOP_FIRST)
@pytest.mark.parametrize("scripts", [True, False])
def test_from_a_rating_to_its_sources(open_page: OpenPage, size: str, scripts: bool) -> None:
    page = open_page(LASKER, size=size, scripts=scripts)
    page.click("#y1894 a[href='#why1894']")
    page.wait_for_url(f"**/{LASKER}#why1894")
    assert page.locator("#why1894").is_visible()
    event = page.locator("#why1894 a[href*='events/']").first.get_attribute("href")
    page.click(f"#why1894 a[href='{event}']")
    page.wait_for_url(event.replace("..", "**", 1))
    page.click("#sources ~ ul a >> nth=0")
    page.wait_for_url("**/sources/*")
    assert page.locator(f"a[href='{event}']").count() > 0


def test_from_a_year_of_the_record_to_the_event(open_page: OpenPage) -> None:
    page = open_page(LASKER)
    page.click(".record a[href='#e1895'] >> nth=0")
    assert page.locator("tbody#e1895").is_visible()
    page.click("tbody#e1895 th a")
    page.wait_for_url("**/events/*")


def test_two_players_from_their_record_to_their_page_and_back(open_page: OpenPage) -> None:
    page = open_page(LASKER)
    page.click(".record a[href$='lasker-emanuel-v-steinitz-william.html']")
    page.wait_for_url(f"**/{PAIR}")
    # The matches as history knows them: +10 -5 =4 in 1894, +10 -2 =5 in 1896/97.
    rows = page.locator(".meetings tbody tr")
    cells = {
        row.locator("th").inner_text().strip(): row.locator("td").all_inner_texts()
        for row in rows.all()
    }
    assert cells["World Championship 1894: Lasker – Steinitz"][1:5] == ["12/19", "10", "4", "5"]
    assert cells["World Championship 1896/97: Lasker – Steinitz"][1:5] == [
        "12½/17", "10", "5", "2",
    ]  # fmt: skip
    page.click(".meetings a[href$='world-championship-1894.html']")
    page.click(".follow dt:has-text('Same opponents') + dd a")
    page.wait_for_url(f"**/{PAIR}")


def test_the_series_of_world_championships_one_after_the_other(open_page: OpenPage) -> None:
    page = open_page(MATCH)
    page.click(".follow dt:has-text('Same series') ~ dd a.after")
    page.wait_for_url("**/events/world-championship-1896-97.html")
    page.click(".follow dt:has-text('Same series') ~ dd a.before")
    page.wait_for_url(f"**/{MATCH}")
    page.click("dl.facts a[href$='series/world-championship.html']")
    assert page.locator(".event-list tbody tr").count() >= 50


def test_opponents_of_an_event_fit_on_a_phone(open_page: OpenPage) -> None:
    page = open_page("players/tartakower-savielly.html", size="phone")
    results = page.locator(".detail div").first
    assert not results.is_visible()
    page.get_by_label("Results against each opponent").check()
    assert results.bounding_box()["width"] <= 360


def test_a_long_record_shows_twenty_opponents_until_asked(open_page: OpenPage) -> None:
    page = open_page("players/tartakower-savielly.html", scripts=False)
    rows = page.locator(".record > tbody > tr")
    assert rows.nth(19).is_visible() and not rows.nth(20).is_visible()
    page.get_by_role("checkbox", name="opponents").check()
    assert rows.last.is_visible()


def test_the_contents_stay_while_a_player_page_scrolls(open_page: OpenPage) -> None:
    page = open_page("players/tartakower-savielly.html")
    page.locator(".toc a", has_text="Events").click()
    assert page.locator(".toc").bounding_box()["y"] == pytest.approx(0, abs=1)
    assert page.locator("#events").bounding_box()["y"] > 30  # below the contents


@pytest.mark.parametrize(
    ("pair", "event", "numbers"),
    [
        ("alekhine-alexander-v-capablanca-jose", "world-championship-1927", ("6", "25", "3")),
        ("alekhine-alexander-v-euwe-max", "world-championship-1935", ("8", "13", "9")),
        ("alekhine-alexander-v-euwe-max", "world-championship-1937", ("10", "11", "4")),
        ("capablanca-jose-v-lasker-emanuel", "world-championship-1921", ("4", "10", "0")),
        ("lasker-emanuel-v-schlechter-carl", "world-championship-1910", ("1", "8", "1")),
        ("steinitz-william-v-zukertort-johannes", "world-championship-1886", ("10", "5", "5")),
    ],
)
def test_known_matches(site: Path, pair: str, event: str, numbers: tuple[str, ...]) -> None:
    html = (site / "pairs" / f"{pair}.html").read_text()
    (row,) = re.findall(rf"<tr><th scope=row><a href=../events/{event}.html>.*", html)
    assert re.findall(r"<td class=num>([^<]*)", row)[1:4] == list(numbers)
