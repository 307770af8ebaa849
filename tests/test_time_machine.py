"""The time machine and the pictures of years, compared with the published data files."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from published import csv_rows

Lines = list[dict[str, str]]


def read_script(folder: Path) -> Any:
    """What the scripts hand to the page."""
    text = (folder / "static" / "time_data.js").read_text()
    held: dict[str, Any] = {}
    decades = []
    for path in sorted((folder / "static").glob("time_data_*.js")):
        found = re.fullmatch(r"edoTimeEvents\((\d+),(.*)\);\n", path.read_text(), re.DOTALL)
        assert found is not None and path.name == f"time_data_{found[1]}.js"
        decades.append(int(found[1]))
        events = json.loads(found[2])
        assert {int(year) // 10 * 10 for year in events} == {decades[-1]}
        held |= events
    script = json.loads(text.removeprefix("edoTime(").removesuffix(");\n"))
    assert script["decades"] == decades
    return {**script, "events": held}


@pytest.fixture(scope="module")
def given(minisite: Path) -> Any:
    return read_script(minisite)


def printed_rows(path: Path, table: str) -> dict[str, dict[str, str]]:
    """Return the cells of a page's table by the ids of its rows and the heads of its columns."""
    html = path.read_text()
    html = html[html.index(f'id="{table}"') :]
    head, _, body = html[: html.index("</table>")].partition("<tbody>")
    heads, rows = texts(head), {}
    for id_, row in re.findall(r'<tr id="([^"]+)"[^>]*>(.*)', body):
        rows[id_] = dict(zip(heads, texts(row), strict=True))
    return rows


def texts(row: str) -> list[str]:
    """Return the texts of the cells of a row."""
    cells = re.split(r"<t[dh]\b[^>]*>", row)[1:]
    return [unescape(re.sub("<[^>]+>", "", cell)).strip() for cell in cells]


def check_printed_numbers(folder: Path) -> int:
    """Check that the front page prints what the pages of years and players do; return how much."""
    script, by_player = read_script(folder), {}
    count = 0
    for year, shown in script["years"].items():
        of_year = printed_rows(folder / f"years/{year}.html", "ranking")
        for number, rank, rating, deviation, first, *_ in shown:
            player = script["players"][number][0]
            if player not in by_player:
                by_player[player] = printed_rows(folder / f"players/{player}.html", "curve-years")
            for row in (of_year[player], by_player[player][f"y{year}"]):
                assert row["Rank"].split()[0] == rank
                assert (row["Rating"], row["Dev."]) == (rating, deviation), f"{player} {year}"
                assert row.get("First", "") == first, f"{player} {year}"
                count += 1
    return count


def test_the_front_page_prints_the_numbers_of_other_pages(minisite: Path):
    assert check_printed_numbers(minisite) > 20


@pytest.mark.slow
def test_the_front_page_of_the_real_history_prints_the_numbers_of_other_pages(site: Path):
    assert check_printed_numbers(site) > 3000


@pytest.fixture(scope="module")
def years(minisite: Path) -> dict[int, Lines]:
    """The lines of the ratings with a rank of each year, the highest rated first."""
    found = defaultdict(list)
    for line in sorted(csv_rows(minisite, "ratings.csv"), key=lambda one: -float(one["rating"])):
        if line["rank"]:
            found[int(line["year"])].append(line)
    return found


def test_the_script_has_the_leading_twenty_of_each_year(given: Any, years: dict[int, Lines]):
    assert {int(year) for year in given["years"]} == set(years)
    for year, rows in given["years"].items():
        expected = years[int(year)][:20]
        assert [given["players"][row[0]][0] for row in rows] == [o["player"] for o in expected]
        assert [len(row) > 5 for row in rows] == [float(o["games"]) == 0 for o in expected]


def test_the_script_has_the_events_of_each_year(given: Any, minisite: Path):
    published = {
        (o["year"], o["id"], o["name"], o["place"]) for o in csv_rows(minisite, "events.csv")
    }
    found = {
        (year, id_, name, given["places"][place][0] if place >= 0 else "")
        for year, events in given["events"].items()
        for id_, name, place in events
    }
    assert found == published
    on_map = {one[0] for one in given["places"] if len(one) > 2}
    assert on_map == {o["id"] for o in csv_rows(minisite, "places.csv") if o["latitude"]}


def test_dots_lie_where_the_numbers_are(minisite: Path, years: dict[int, Lines]):
    """By the ends of the scale of each picture."""
    for year, expected in years.items():
        html = (minisite / f"years/{year}.html").read_text()
        chart = html[html.index("leading-dots") : html.index("</svg>", html.index("leading-dots"))]
        low, high = map(float, re.search(r'data-scale="(\S+) (\S+)"', chart).groups())
        at = re.compile(r'data-player="([^"]+)".*?d="M([\d.]+) 0H([\d.]+)".*?<circle cx="([\d.]+)"')
        dots = at.findall(chart)
        assert [dot[0] for dot in dots] == [line["player"] for line in expected[:20]]
        for (_, *places), line in zip(dots, expected, strict=False):
            rating, around = float(line["rating"]), float(line["deviation"])
            shown = [low + (float(x) - 160) / 350 * (high - low) for x in places]
            step = (high - low) / 350 * 0.06
            assert shown == pytest.approx([rating - around, rating + around, rating], abs=step)


def test_who_rose_and_who_fell(minisite: Path, years: dict[int, Lines]):
    some = 0
    for year, now in years.items():
        before = {line["player"]: line for line in years.get(year - 1, [])}
        gains = {
            line["player"]: float(line["rating"]) - float(before[line["player"]]["rating"])
            for line in now
            if line["player"] in before and float(line["games"])
        }
        html = (minisite / f"years/{year}.html").read_text()
        for caption, sign in (("Rose", 1), ("Fell", -1)):
            part = re.search(rf"<caption>{caption} most.*?</table>", html, re.S)
            shown = re.findall(r"players/([a-z-]+)\.html", part[0]) if part else []
            expected = sorted(
                (p for p in gains if sign * gains[p] > 0), key=lambda p: -sign * gains[p]
            )
            assert shown == expected[:5]
            some += len(shown)
    assert some > 5


@pytest.mark.slow
def test_slider_keys_and_address(open_page: Any, minisite: Path, years: dict[int, Lines]):
    from playwright.sync_api import expect

    page = open_page(f"{minisite.as_uri()}/index.html", reduced_motion="reduce")
    slider = page.get_by_role("slider", name="Year")
    slider.focus()
    for key, year in (("Home", min(years)), ("ArrowRight", min(years) + 1), ("End", max(years))):
        page.keyboard.press(key)
        expect(page.locator('[data-part="year"]')).to_have_text(str(year))
        first = years[year][0]["player"]
        expect(page.locator(".leading-dots .dot").first).to_have_attribute("data-player", first)
        names = page.locator('[data-part="table"] a').evaluate_all(
            "all => all.map(a => a.pathname.match(/([a-z-]+).html/)[1])"
        )
        assert names == [line["player"] for line in years[year][:20]]
        assert page.locator(".leading-dots .dot").count() == len(names)
    page.wait_for_url(f"**/index.html?year={max(years)}")
    again = open_page(f"{minisite.as_uri()}/index.html?year={min(years)}&embed")
    expect(again.locator('[data-part="year"]')).to_have_text(str(min(years)))
    assert again.locator(".masthead").is_hidden() and again.locator(".colophon").is_hidden()
    again.set_viewport_size({"width": 700, "height": 350})
    assert again.evaluate("document.documentElement.scrollHeight") == 350, "it fits its frame"
    early = open_page(f"{minisite.as_uri()}/index.html?year=1700")
    why = f"In 1700 nobody has a rank: {min(years)} is the first year shown."
    expect(early.locator("figure.time .reason")).to_have_text(why)
    early.wait_for_url(f"**/index.html?year={min(years)}")
    early.keyboard.press("ArrowRight")
    early.wait_for_url(f"**/index.html?year={min(years) + 1}")
    following = open_page(f"{minisite.as_uri()}/years/{min(years)}.html")
    following.keyboard.press("ArrowRight")
    following.wait_for_url(f"**/years/{min(years) + 1}.html")
