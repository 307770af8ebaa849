"""Lists cut into pages by letter or decade: their pages, and their rows together in a browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rendered import links_in, rendered
from sample_history import DATASET, RATINGS
from waiting import next_frame, wait_until

from edo.core.model import Dataset, Event, Player
from edo.rating.edo import Ratings
from edo.site import assets, urls
from edo.site.input import SiteInput
from edo.site.pages import events, home, lists, long_lists
from edo.site.render import render

SITE = SiteInput(DATASET, RATINGS, {}, None, "0", "0")


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let lists of four rows be long."""
    monkeypatch.setattr(long_lists, "LONGEST", 3)


def paths(site: SiteInput) -> list[str]:
    return [page.path for page in (*lists.players_pages(site), *events.pages(site))]


def test_a_short_list_is_one_page():
    assert paths(SITE) == [urls.PLAYERS, urls.EVENTS]
    assert list(assets._rows(SITE)) == []


@pytest.mark.usefixtures("short")
def test_a_long_list_has_an_index_and_a_page_for_each_letter_or_decade():
    letters = [f"players/by_{letter}.html" for letter in "abcy"]
    assert paths(SITE) == [urls.PLAYERS, *letters, urls.EVENTS, "events/by_d1850.html"]
    index = rendered(lists.players_pages, SITE, urls.PLAYERS)
    assert [links_in(index.find(letter)) for letter in "abcy"] == [
        [(letter.upper(), f"by_{letter}.html")] for letter in "abcy"
    ]
    assert index.rows("all") == [] and "5 players, 4 of them rated" in index.html
    page = rendered(lists.players_pages, SITE, "players/by_a.html")
    assert [row["Player"] for row in page.rows("all")] == [
        "Alder, Anna",
        "Alder, Anna (offhand) offhand games of Alder, Anna",
    ]
    assert page.pager() == {"next": "by_b.html"}
    assert "<h1>Players: A</h1>" in page.html


@pytest.mark.usefixtures("short")
def test_other_pages_lead_to_the_parts():
    assert [link.target for link in lists.letter_links(DATASET)][:1] == ["players/by_a.html"]
    (decade,) = home.search_view(SITE)["decades"]  # type: ignore[misc]
    assert decade.target == "events/by_d1850.html"


@pytest.mark.usefixtures("short")
def test_the_script_of_a_part_has_the_rows_of_its_page():
    scripts = dict(assets._rows(SITE))
    assert "players/by_c.js" in scripts and "events/by_d1850.js" in scripts
    for path, script in scripts.items():
        name = Path(path).stem
        rows = json.loads(script().decode().removeprefix(f'edoRows("{name}",').removesuffix(");\n"))
        pages = lists.players_pages if path.startswith("players") else events.pages
        html = rendered(pages, SITE, path.replace(".js", ".html")).html
        assert rows.startswith("<tr id=") and f"<tbody>\n{rows}</tbody>" in html


def test_only_the_first_of_very_many_pairs_and_single_bridges_are_listed(
    monkeypatch: pytest.MonkeyPatch,
):
    from sample_history import ANSWERS

    single = [one for one in ANSWERS.bridges if len(one.players) == 1]
    monkeypatch.setattr(long_lists, "MOST", len(single) - 1)
    shown: Any = lists.bridges_view(replace(SITE, answers=ANSWERS))
    assert (len(shown["single"].rows), shown["all"]) == (len(single) - 1, len(single))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The list of 600 players, cut into pages."""
    names = [f"{'ABZ'[k % 3]}{'aeiou'[k // 3 % 5]}born, Nr. {k}" for k in range(600)]
    players = {
        f"p-{k}": Player(f"p-{k}", name, country=("GER", "ENG")[k % 2])
        for k, name in enumerate(names)
    }
    party = Event("party", "Party 1900", "tournament", 1900, "x", players=tuple(players)[:3])
    site = SiteInput(
        Dataset({"party": party}, players, {}, {}, {}), Ratings({}, {}, {}, ()), {}, None, "0", "0"
    )
    out = tmp_path_factory.mktemp("long")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(long_lists, "LONGEST", 100)
        pages = render(lists.players_pages(site), site)
        others = [*assets._rows(site), *assets.static_files()]
        files = [*pages, *((path, make()) for path, make in others)]
    for path, content in files:
        (out / path).parent.mkdir(parents=True, exist_ok=True)
        (out / path).write_bytes(content)
    return out


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 390, "height": 800})
    errors: list[str] = []
    page = context.new_page()
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert not errors


def status(page: Any) -> str:
    return str(page.locator(".filters [role=status]").inner_text())


def test_filters_and_orders_go_over_all_parts(page: Any, folder: Path):
    page.goto(f"{folder.as_uri()}/players/index.html")
    assert page.locator("#all").is_hidden(), "rows are loaded when they are asked for"
    page.get_by_role("button", name="Filter and sort all players").click()
    page.locator(".filters summary").click()
    assert status(page) == ""
    rows = page.locator("#all tbody tr")
    assert rows.count() == 200
    page.get_by_role("button", name="Show 400 more").click()
    assert rows.count() == 600
    page.get_by_label("Name contains").fill("ziborn")
    next_frame(page)
    assert status(page) == "40 of 600 players shown" and rows.count() == 40
    page.get_by_role("button", name="Player", exact=True).click()
    page.get_by_role("button", name="Player", exact=True).click()
    assert rows.first.locator("th").inner_text() == "Ziborn, Nr. 98 unrated"
    page.get_by_label("Active from").fill("1899")
    wait_until(page, "() => location.search === '?name=ziborn&from=1899'")
    assert status(page) == "0 of 600 players shown"


def test_old_addresses_lead_to_the_rows(page: Any, folder: Path):
    page.goto(f"{folder.as_uri()}/players/index.html?country=England&to=1900")
    page.locator(".filters").wait_for()
    assert status(page) == "1 of 600 players shown"
    page.goto(f"{folder.as_uri()}/players/index.html#z")
    page.wait_for_url("**/players/by_z.html")
    assert page.locator("main tbody tr").count() == 200


def test_without_scripts_letters_lead_to_all(browser: Any, folder: Path):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{folder.as_uri()}/players/index.html")
    assert page.locator("main table").is_hidden()
    page.get_by_role("navigation", name="Letters").get_by_role("link", name="B").click()
    assert page.locator("#all tbody tr").count() == 200
    context.close()
