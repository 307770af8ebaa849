"""The search box in a real browser: what is found, by keys and by pointer, from disk and by web."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from accessibility import axe
from conftest import ROOT
from sampling import PHONE_FIRST
from waiting import next_frame, wait_here, wait_until

from edo.core.model import Dataset
from edo.core.text import kebab, person_kebab, words

ICON = "icon.svg"  # browsers ask for it when they like
FIND = "(q) => edoFind(q).map((hit) => hit.path + (hit.at ?? ''))"
QUERIES = {
    "morphy": "Morphy, Paul",
    "lowenthal": "Löwenthal, Johann Jacob",
    "loewenthal": "Löwenthal, Johann Jacob",
    "Löwenthal": "Löwenthal, Johann Jacob",
    "akiba rubin": "Rubinstein, Akiba",
    "rubinstien": "Rubinstein, Akiba",
    "capablanka": "Capablanca, José Raúl",
    "jose raul": "Capablanca, José Raúl",
    "lasker": "Lasker, Emanuel",
    "edward lasker": "Lasker, Edward",
    "steinitz william": "Steinitz, Wilhelm",
    "steintz": "Steinitz, Wilhelm",
    "janowsky": "Janowski, Dawid",
    "dus chot": "Dus-Khotimirsky, Fedor",
    "chotimirsky": "Dus-Khotimirsky, Fedor",
    "simon alapin": "Alapin, Semyon",
    "bogoljubov": "Bogoljubow, Efim",
    "nimzo": "Nimzowitsch, Aron",
    "menchik": "Menchik, Vera",
    "tarrash": "Tarrasch, Siegbert",
    "pilsbury": "Pillsbury, Harry Nelson",
    "marozcy": "Maróczy, Géza",
    "blackburn": "Blackburne, Joseph Henry",
    "reti": "Réti, Richard",
    "anderson adolf": "Anderssen, Adolf",
    "tarasch": "Tarrasch, Siegbert",
    "al": "Alekhine, Alexander",
    "london 1851": "London 1851 (knock-out)",
    "1851 lond": "London 1851 (knock-out)",
    "1912": "1912",
    "vienna": "Vienna",
    "hastings 1895": "Hastings 1895",
    "highest peaks": "Highest peaks",
    "london 1883": "London 1883",
    "rogaska": "Rogaška Slatina",
    "saint petersburg": "St Petersburg",
    "sankt petersburg": "St Petersburg",
    "st amant": "de Saint-Amant, Pierre",
    "nimzovich": "Nimzowitsch, Aron",
    "nimzovitch": "Nimzowitsch, Aron",
    "aljechin": "Alekhine, Alexander",
    "bogolyubov": "Bogoljubow, Efim",
    "tchigorin": "Chigorin, Mikhail",
    "petroff": "Petrov, Alexander D.",
    "Tchigorine": "Chigorin, Mikhail",
    "AVRO": "AVRO 1938",
    "women": "Women",
    "head to head": "Head to head",
    "standard error": "How certain the ratings are",
    "download": "Data",
    "Rubinstein Marshall": "Rubinstein, Akiba – Marshall, Frank James",
    "Rubinstein v Marshall": "Rubinstein, Akiba – Marshall, Frank James",
    "rubinstien vs. marshal": "Rubinstein, Akiba – Marshall, Frank James",
    "Morphy – Capablanca": "Morphy, Paul – Capablanca, José Raúl",
    "vienna 1883": "1883",
    "netherlands 1938": "AVRO 1938",
    "Mac Donnell": "McDonnell, Alexander",
    "Labourdonnais": "De la Bourdonnais – McDonnell match 1, London 1834",
    "Lemberg": "Lviv",
    "Bad Pistyan": "Pistyan",
    "Karlovy Vary 1911": "Karlsbad 1911",
    "ghost": "Games at odds",
}
"""What somebody types, and what must be among the first five."""

FIRST = (
    "morphy",
    "al",
    "lowenthal",
    "akiba rubin",
    "rubinstien",
    "lasker",
    "1912",
    "vienna",
    "reti",
    "AVRO",
    "women",
    "head to head",
    "Rubinstein Marshall",
)
"""What must be the very first."""


def ask(page: Any, query: str) -> Any:
    """Type a query letter by letter, wait for the answer, return its lines."""
    from playwright.sync_api import expect

    box = page.locator("#search")
    box.fill("")
    await_names(page)
    box.focus()
    box.press_sequentially(query)
    expect(status(page)).not_to_have_text("")
    page.evaluate(FIND, query)  # comes after the answers to the letters before
    next_frame(page)
    return page.locator("#search-hits [role=option]")


def status(page: Any) -> Any:
    return page.locator(".search [role=status]")


def await_names(page: Any) -> None:
    page.evaluate("async () => { await edoSearch.load(); }")


def test_what_people_type_is_found_among_the_first_five(open_page: Any):
    page = open_page("players/morphy-paul.html")
    await_names(page)
    found = {query: _names(page, query) for query in QUERIES}
    assert len(QUERIES) >= 30
    missed = {query: names for query, names in found.items() if QUERIES[query] not in names}
    assert not missed
    assert {query: found[query][0] for query in FIRST} == {query: QUERIES[query] for query in FIRST}


def test_a_name_and_a_year_lead_to_the_year_of_the_player(open_page: Any):
    page = open_page("index.html")
    first = ask(page, "capablanca 1914").first
    assert first.inner_text() == "Capablanca, José Raúl player, 1888–1942"
    first.click()
    page.wait_for_url("**/players/capablanca-jose.html#y1914")
    # Only who lived then; the events of the name and the year come first.
    assert _paths(page, "steinitz 1914") == []
    paths = _paths(page, "lasker 1908")
    assert "players/lasker-emanuel.html#y1908" in paths
    assert paths[0].startswith("events/")


STATIC = ROOT / "templates" / "static"
PLAYERS = [
    ["Newman, Ada", "newman-ada", "b. 1975"],
    ["Newman, Bo", "newman-bo", "1890–1960"],
    ["Newman, Cy", "newman-cy", "played 1998–2004"],
]


@pytest.fixture
def bare(browser: Any) -> Iterator[Any]:
    """A page with the scripts of the search alone, over three invented players."""
    page = browser.new_page()
    run_search(page, [["player", "Players", "players/", PLAYERS]], rated=0)
    yield page
    page.close()


def run_search(page: Any, kinds: list[Any], rated: int) -> None:
    names = {"kinds": kinds, "rated": rated, "met": {}, "decades": [1900]}
    page.add_script_tag(content=f"window.edoNames = {json.dumps(names)};")
    for name in ("folding.js", "find_pairs.js", "find.js"):
        page.add_script_tag(content=(STATIC / name).read_text(encoding="utf-8"))


KINDS = [
    ["player", "Players", "players/", [
        ["Sahib Khan, Ali", "ali", ""], ["Khanov, K.", "khanov", ""], ["Sahib, Bo", "bo", ""],
        ["McAlder, Ann", "ann", "1880–1960"], ["de la Birch, Cy", "cy", ""],
        ["Holtz, Göta", "holtz", ""],
    ]],
    ["year", "Years", "years/", [["1905", "1905", "1 event"]]],
    ["place", "Places", "places/", [["Newtown", "newtown", "", "Bad Oldtown"]]],
    ["tournament", "Tournaments", "events/", [["Newtown 1905", "newtown-1905", ""]]],
    ["match", "Matches", "events/", [
        ["Championship 1908: de la Birch – Elm", "title", ""], ["Elm – Oak match", "elm-oak", ""],
    ]],
]  # fmt: skip


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("Mac Alder", ["players/ann"]),
        ("MacAlder", ["players/ann"]),
        ("mc ald", ["players/ann"]),
        ("Labirch", ["players/cy", "events/title"]),
        ("elm", ["events/title", "events/elm-oak"]),
        ("oldtown", ["places/newtown"]),
        ("Bad Oldtown", ["places/newtown", "events/newtown-1905"]),
        ("Bad Oldtown 1905", ["events/newtown-1905", "places/newtown", "years/1905"]),
        ("McAlder 1905", ["players/ann", "events/newtown-1905"]),
        ("McAlder 1906", ["players/ann"]),
        ("Sahib Khan", ["players/ali"]),
        ("gohlt", []),
    ],
)
def test_names_written_otherwise_and_who_played_where(browser: Any, query: str, found: list[str]):
    page = browser.new_page()
    run_search(page, KINDS, rated=3)
    decade = page.evaluate("(q) => edoFind.decade(q)", query)
    assert decade == (1900 if "McAlder 1" in query else None)
    page.evaluate("edoPlayed({ 1905: [[0, 3]] })")
    assert [path.partition(".html")[0] for path in page.evaluate(FIND, query)] == found
    page.close()


def test_two_names_that_are_not_one_player_are_compared_and_not_called_a_head_to_head(browser: Any):
    page = browser.new_page()
    run_search(page, KINDS, rated=3)
    kinds = "(q) => edoFind(q).map((hit) => hit.kind.one)"
    assert page.evaluate(kinds, "Bo Sahib v Khanov") == ["comparison"]
    page.close()


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("newman 1950", ["newman-bo"]),
        ("newman 1999", ["newman-ada", "newman-cy"]),
        ("newman 2000", ["newman-ada", "newman-cy"]),
        ("2004 newman", ["newman-ada", "newman-cy"]),
        ("newman 2005", ["newman-ada"]),
        ("newman 3000", []),
    ],
)
def test_a_name_and_a_year_of_any_century_are_found(bare: Any, query: str, found: list[str]):
    year = next(word for word in query.split() if word.isdigit())
    paths = bare.evaluate(FIND, query)
    assert paths == [f"players/{player}.html#y{year}" for player in found]


@pytest.mark.slow
def test_the_browser_folds_names_as_the_program_does(bare: Any, real_dataset: Dataset):
    names = [record.name for record in real_dataset.players.values()]
    names += ["Møller Grøn", "O’Hanlon", "Æsop Œuvre Þór", "Straße 1911", "Haakon Aaaa", "İstanbul"]
    folded = bare.evaluate("names => names.map(edoFolding.words)", names)
    differ = {n: (js, words(n)) for n, js in zip(names, folded, strict=True) if js != words(n)}
    assert not differ


@pytest.mark.slow
def test_the_browser_makes_ids_of_names_as_the_program_does(bare: Any, real_dataset: Dataset):
    names = [*real_dataset.players.values(), *real_dataset.events.values()]
    texts = [one.name for one in names] + ["Ærø, Đan Ø.", "Æ’s, ", "Müller,Ängla", "", "-, -,-"]
    for script, program in (("kebab", kebab), ("personKebab", person_kebab)):
        made = bare.evaluate(f"names => names.map(edoFolding.{script})", texts)
        assert dict(zip(texts, made, strict=True)) == {text: program(text) for text in texts}


def _paths(page: Any, query: str) -> list[str]:
    await_names(page)
    paths: list[str] = page.evaluate(FIND, query)
    return paths


def _names(page: Any, query: str) -> list[str]:
    script = "(q) => edoFind(q).slice(0, 5).map((hit) => hit.name)"
    names: list[str] = page.evaluate(script, query)
    return names


@pytest.mark.parametrize("size", PHONE_FIRST)
def test_it_answers_while_typing_and_leads_to_the_page(open_page: Any, size: str):
    page = open_page("years/1883.html", size)
    assert page.evaluate("window.edoNames") is None, "names are loaded only when they are needed"
    lines = ask(page, "lowent")
    assert lines.first.inner_text() == "Löwenthal, Johann Jacob player, 1810–1876"
    assert status(page).inner_text().endswith(" found") or lines.count() == 10
    box = page.locator("#search-hits").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= page.viewport_size["width"]
    lines.first.click()
    page.wait_for_url("**/players/loewenthal-johann.html")


def test_no_names_are_asked_for_before_the_box_is_used(open_page: Any):
    page = open_page("index.html")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    page.locator("h1").click()
    next_frame(page)
    assert not set(asked) - {ICON}
    page.locator("#search").press("x")
    wait_until(page, "() => typeof edoFind === 'function'")
    assert sorted(set(asked) - {ICON}) == ["find.js", "find_pairs.js", "names.js"]


def test_the_spelling_that_was_found_is_shown(open_page: Any):
    page = open_page("index.html")
    first = ask(page, "janowsky").first
    assert first.inner_text() == (
        "Janowski, Dawid player, 1868–1927; also written Janowsky, Dawid Markelowicz"
    )


def test_a_year_comes_before_its_events(open_page: Any):
    page = open_page("index.html")
    lines = ask(page, "1912").all_inner_texts()
    assert lines[0].startswith("1912 year, ")
    assert len(lines) == 10 and all("1912" in line for line in lines)


def test_more_than_ten_are_counted_and_left_to_the_page_of_hits(open_page: Any):
    page = open_page("index.html")
    lines = ask(page, "london")
    assert lines.count() == 10 and lines.first.inner_text() == "London place"
    number, _, more = status(page).inner_text().partition(" found")
    assert int(number) > 10 and more == "; the first 10 are shown, Enter shows all"


def test_a_year_mistyped_is_not_another_year(open_page: Any):
    page = open_page("index.html")
    assert ask(page, "2912").count() == 0


def test_keys(open_page: Any):
    page = open_page("players/morphy-paul.html")
    page.keyboard.press("/")
    box = page.locator("#search")
    assert box.evaluate("box => box === document.activeElement") and box.input_value() == ""
    lines = ask(page, "lasker")
    assert box.get_attribute("aria-expanded") == "true"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert box.get_attribute("aria-activedescendant") == lines.nth(1).get_attribute("id")
    assert lines.nth(1).get_attribute("aria-selected") == "true"
    assert lines.nth(0).get_attribute("aria-selected") == "false"
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    assert box.get_attribute("aria-activedescendant") is None
    page.keyboard.press("ArrowUp")
    assert lines.last.get_attribute("aria-selected") == "true"
    page.keyboard.press("Home")
    assert box.get_attribute("aria-activedescendant") is None
    assert box.evaluate("box => box.selectionStart") == 0
    page.keyboard.press("End")
    assert box.evaluate("box => box.selectionStart") == 6
    page.keyboard.press("Escape")
    assert not page.locator("#search-hits").is_visible()
    assert box.get_attribute("aria-expanded") == "false" and box.input_value() == "lasker"
    page.keyboard.press("ArrowDown")
    page.locator("#search-hits").wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/players/lasker-emanuel.html")


def test_a_slash_in_a_box_is_a_slash(open_page: Any):
    page = open_page("index.html")
    page.locator("#search").press_sequentially("a/b")
    assert page.locator("#search").input_value() == "a/b"


def test_enter_alone_leads_to_all_hits_kind_by_kind(open_page: Any):
    page = open_page("events/london-1851.html")
    ask(page, "london 18")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=london+18")
    page.locator("#found h2").first.wait_for()
    lines = page.locator("#found li")
    assert page.locator("h1").inner_text() == f"{lines.count()} found for “london 18”"
    assert lines.count() > 20
    assert page.title().startswith(f"{lines.count()} found for “london 18” · ")
    headings = page.locator("#found h2").all_inner_texts()
    assert headings[0].startswith("Tournaments ") and any(
        h.startswith("Matches ") for h in headings
    )
    assert page.locator("#search").input_value() == "london 18"
    page.locator("#found").get_by_role("link", name="London 1883", exact=True).click()
    page.wait_for_url("**/events/london-1883.html")


def test_nothing_found_is_said(open_page: Any):
    page = open_page("index.html")
    assert ask(page, "qxzjv").count() == 0
    assert status(page).inner_text() == "Nothing found"
    assert not page.locator("#search-hits").is_visible()
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=qxzjv")
    page.locator("h1", has_text="Nothing found for “qxzjv”").wait_for()


def test_a_query_is_text_and_nothing_else(open_page: Any, site: Path):
    query = "%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E%24%26"
    page = open_page(f"{site.as_uri()}/search.html?q={query}")
    page.locator("h1", has_text="<img src=x onerror=alert(1)>$&").wait_for()
    assert page.locator("main img").count() == 0


def test_names_that_failed_to_load_are_asked_for_again(browser: Any, served: str):
    page = browser.new_page()
    try:
        is_down = True
        page.route("**/names.js", lambda route: route.abort() if is_down else route.continue_())
        page.goto(f"{served}/index.html")
        page.locator("#search").press_sequentially("l")
        status(page).get_by_text("could not be loaded").wait_for()
        is_down = False
        page.locator("#search").press_sequentially("asker")
        page.locator("#search-hits [role=option]").first.wait_for()
    finally:
        page.close()


def test_an_answer_that_comes_too_late_opens_no_list(browser: Any, served: str):
    page = browser.new_page()
    try:
        held: list[Any] = []
        page.route("**/names.js", lambda route: held.insert(0, route))
        page.goto(f"{served}/index.html")
        page.locator("#search").press_sequentially("lasker")
        page.keyboard.press("Tab")
        wait_here(page, lambda: held)
        held[0].continue_()
        wait_until(page, "() => typeof edoFind === 'function'")
        assert not page.locator("#search-hits").is_visible()
        page.locator("#search").press("ArrowDown")
        page.locator("#search-hits").wait_for()
    finally:
        page.close()


def test_without_a_script_there_are_the_indexes(open_page: Any):
    page = open_page("players/morphy-paul.html", scripts=False)
    assert not page.locator("#search").is_visible(), "no box that cannot answer"
    page.get_by_role("navigation", name="Sections").get_by_role("link", name="Players").click()
    page.wait_for_url("**/players/index.html")
    page.get_by_role("navigation", name="Letters").get_by_role("link", name="M").click()
    page.wait_for_url("**/players/by_m.html")
    page.goto(page.url.replace("players/by_m.html", "search.html"))
    assert page.locator("#needs-script").is_visible()
    page.get_by_role("navigation", name="Players").get_by_role("link", name="M").click()
    page.wait_for_url("**/players/by_m.html")


def test_with_a_script_nothing_is_said_of_scripts(open_page: Any):
    page = open_page("search.html")
    assert page.locator("#needs-script").count() == 0


def test_it_works_in_a_folder_of_a_web_server_with_one_file_of_names(
    open_page: Any, served: str, site: Path
):
    page = open_page(f"{served}/players/morphy-paul.html")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.removeprefix(served)))
    lines = ask(page, "zukertort")
    fetched = {name.lstrip("/") for name in asked if not name.endswith(ICON)}
    assert fetched == {f"static/{name}.js" for name in ("find", "find_pairs", "names")}
    needed = [(site / name).read_bytes() for name in {*fetched, "static/page.js"}]
    assert sum(len(gzip.compress(script, mtime=0)) for script in needed) <= 175_000
    lines.first.click()
    page.wait_for_url(f"{served}/players/zukertort-johannes.html")


@pytest.mark.parametrize("size", PHONE_FIRST)
def test_the_open_list_is_accessible(open_page: Any, size: str):
    page = open_page("players/morphy-paul.html", size)
    ask(page, "paulsen")
    page.keyboard.press("ArrowDown")
    assert violations(page) == ""


def test_the_page_of_hits_is_accessible(open_page: Any, site: Path):
    page = open_page(f"{site.as_uri()}/search.html?q=janowsky")
    page.locator("#found h2").first.wait_for()
    assert violations(page) == ""


def violations(page: Any) -> str:
    found = axe(page)
    return str(found.generate_report()) if found.violations_count else ""


def test_the_box_is_not_printed(open_page: Any):
    page = open_page("players/morphy-paul.html")
    page.emulate_media(media="print")
    assert not page.locator("#search").is_visible()
