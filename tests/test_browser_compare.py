"""The page of comparisons in a browser: players, years and ages, and the numbers it shows."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from accessibility import faults
from conftest import real_settings
from sample_datasets import covariances
from sampling import DESKTOP_FIRST, PHONE_FIRST, by_turns, one_in
from waiting import wait_here, wait_until

from edo.core import formats
from edo.core.model import Dataset
from edo.core.scale import elo_from_theta, expected_score
from edo.rating import edo
from edo.rating.games import Games, births

pytestmark = pytest.mark.slow

PAGE = "compare/index.html"
PAIR = f"{PAGE}?p=anderssen-adolf,morphy-paul"
SIZES = ["desktop", "phone"]
SCHEMES = {"desktop": "light", "phone": "dark"}


def opened(open_page: Callable[..., Any], name: str, size: str = "desktop", **more: Any) -> Any:
    page = open_page(name, size=size, color_scheme=SCHEMES[size], **more)
    wait_until(page, "() => !document.querySelector('[data-part=status]').closest('[hidden]')")
    wait_until(page, "() => document.querySelector('.compared li') || !location.search")
    return page


def names(page: Any) -> list[str]:
    return page.locator(".compared li a").all_inner_texts()


def rows_by_key(page: Any) -> dict[str, list[str]]:
    rows = page.locator("[data-part=table] tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"
    )
    return {key: cells for key, *cells in rows}


def wait_for_address(page: Any, part: str) -> None:
    wait_until(page, "(part) => location.search.includes(part)", part)


@pytest.mark.parametrize("size", PHONE_FIRST)
def test_players_come_and_go_by_keyboard(open_page: Any, size: str):
    page = opened(open_page, PAIR, size)
    assert names(page) == ["Anderssen, Adolf", "Morphy, Paul"]
    box = page.get_by_role("combobox", name="Add a player")
    box.focus()
    page.keyboard.type("lowenthal")
    option = page.get_by_role("option").first
    option.wait_for()
    page.keyboard.press("ArrowDown")
    assert option.get_attribute("aria-selected") == "true"
    assert box.get_attribute("aria-activedescendant") == option.get_attribute("id")
    page.keyboard.press("Enter")
    wait_for_address(page, "p=anderssen-adolf,morphy-paul,loewenthal")
    assert names(page)[2].startswith("Löwenthal")
    assert page.locator("[data-part=matrix] tbody tr").count() in (2, 3)
    button = page.get_by_role("button", name="Remove Anderssen, Adolf")
    button.focus()
    page.keyboard.press("Enter")
    wait_for_address(page, "p=morphy-paul,loewenthal")
    # those who stay keep their colours
    assert page.locator(".compared .badge").first.get_attribute("class") == "badge line-b"
    assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith("Remove")


def test_one_can_be_added_while_another_is_loading(open_page: Any, served: str):
    page = opened(open_page, f"{served}/compare/index.html?p=morphy-paul")
    held: list[Any] = []
    page.route(
        "**/compare/players_*.js",
        lambda route: route.continue_() if held else held.append(route),  # holds the first only
    )
    box = page.get_by_role("combobox", name="Add a player")
    for name in ("anderssen", "steinitz"):
        box.press_sequentially(name)
        page.get_by_role("option").first.wait_for()
        box.press("Enter")
    wait_here(page, lambda: held)
    held[0].continue_()
    wait_for_address(page, "p=morphy-paul,anderssen-adolf,steinitz-william")
    assert len(names(page)) == 3


@pytest.mark.parametrize("size", DESKTOP_FIRST)
def test_the_arrow_keys_move_over_the_years(open_page: Any, size: str):
    page = opened(open_page, f"{PAIR}&at=1858", size)
    slider = page.get_by_role("slider", name="Year")
    readout = page.locator("[data-part=readout]")
    assert readout.inner_text().startswith("1858")
    assert readout.get_attribute("role") == "status"
    slider.focus()
    page.keyboard.press("ArrowLeft")
    assert readout.inner_text().startswith("1857")
    assert "Morphy: 27" in readout.inner_text() and "rank 1" in readout.inner_text()
    wait_for_address(page, "at=1857")
    page.keyboard.press("Home")
    assert "Morphy: not rated" in readout.inner_text()
    box = page.locator(".comparison svg.chart").bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + 80)
    assert not readout.inner_text().startswith(slider.get_attribute("min"))


def test_an_address_shows_what_was_sent(open_page: Any):
    first = opened(open_page, PAIR)
    first.get_by_label("by age").check()
    wait_for_address(first, "by=age")
    first.get_by_label("From").fill("20")
    first.get_by_label("From").press("Enter")
    wait_for_address(first, "from=20")
    slider = first.get_by_role("slider", name="Age")
    slider.focus()
    first.keyboard.press("Home")
    first.keyboard.press("ArrowRight")
    wait_for_address(first, "at=21")
    again = opened(open_page, first.url)
    for part in ("readout", "matrix", "table", "sentence"):
        here, there = (p.locator(f"[data-part={part}]").inner_text() for p in (first, again))
        assert here == there
    assert next(iter(rows_by_key(again))) == "20"
    assert again.get_by_label("by age").is_checked()


def test_back_leads_to_where_one_came_from(open_page: Any):
    page = open_page("compare/index.html")
    page.get_by_role("link", name="by age").first.click()
    page.wait_for_url("**by=age")
    page.get_by_label("by calendar year").check()
    page.wait_for_url("**?p=*")
    page.go_back()
    page.wait_for_url("**/compare/index.html")


FOUR = "morphy-paul,steinitz-william,lasker-emanuel,alekhine-alexander"
QUERIES = ["", f"?p={FOUR}&by=age", f"?p={FOUR}", f"?p={FOUR}&by=own", "?p=morphy-paul"]


@pytest.mark.parametrize(("query", "size"), by_turns(QUERIES, SIZES))
def test_the_page_fits_its_window_and_is_accessible(open_page: Any, query: str, size: str):
    page = opened(open_page, PAGE + query, size) if query else open_page(PAGE, size=size)
    assert faults(page, PAGE + query) == []


@pytest.fixture(scope="module")
def exact(
    real_dataset: Dataset, real_games: Games
) -> Callable[[str, str, int, int], tuple[str, str]]:
    """Who was the stronger in which years, straight from a fit of the real history."""
    done = edo.run(real_games, real_settings())
    nat = math.sqrt(done.settings.variance_factor) * elo_from_theta(1.0)
    scale = nat * done.deviation / done.raw_deviation

    def compared(a: str, b: str, year_a: int, year_b: int) -> tuple[str, str]:
        i, j = done.node(a, year_a), done.node(b, year_b)
        both = np.array([i, j])
        c = covariances(done.fit, both)[both] * np.outer(scale[both], scale[both])
        lead = done.rating[i] - done.rating[j]
        deviation = math.sqrt(c[0, 0] + c[1, 1] - 2 * c[0, 1])
        chance = formats.chance(NormalDist().cdf(lead / deviation))
        return chance, f"{formats.signed(lead)} ({formats.deviation(deviation)})"

    compared.born = births(real_dataset)  # type: ignore[attr-defined]
    return compared


PAIRS = [
    ("anderssen-adolf", "morphy-paul"),
    ("steinitz-william", "zukertort-johannes"),
    ("lasker-emanuel", "steinitz-william"),
    ("euwe-max", "alekhine-alexander"),
    ("morphy-paul", "alapin-simon"),
]


@pytest.mark.parametrize("by_age", one_in(2, [False, True]), ids=["years", "ages"])
def test_probabilities_are_those_of_the_fit(open_page: Any, exact: Any, by_age: bool):
    seen = 0
    for a, b in PAIRS:
        page = opened(open_page, f"{PAGE}?p={a},{b}" + ("&by=age" if by_age else ""))
        for key, cells in rows_by_key(page).items():
            chance, lead = cells[-2:]
            if chance:
                seen += 1
                years = [exact.born[p] + int(key) for p in (a, b)] if by_age else [int(key)] * 2
                # Of one year it is exact but for the digits of the correlation; of two that are
                # close, the error is 6% at most but for one pair in a hundred.
                assert is_near((chance, lead), exact(a, b, *years), 0.06 * by_age), (a, b, key)
        if by_age:
            assert "in common" in page.locator("[data-part=sentence]").inner_text()
    assert seen > 40


def is_near(shown: tuple[str, str], exact: tuple[str, str], share: float) -> bool:
    """Whether chance and lead are the exact ones but for a share of the standard error."""
    (chance, lead), (right, exact_lead) = shown, exact
    numbers, exact_numbers = (
        [int(part) for part in re.findall(r"[0-9]+", words)] for words in (lead, exact_lead)
    )
    off = abs(int(chance.strip("<>%")) - int(right.strip("<>%")))
    error = abs(numbers[1] - exact_numbers[1])
    # a chance moves by 0.24 of the relative change of the standard error at most
    return (
        numbers[0] == exact_numbers[0]
        and error <= 1 + share * exact_numbers[1]
        and off <= 1 + 24 * share
    )


CHOSEN = [
    ("anderssen-adolf", 1851, "alekhine-alexander", 1930),
    ("morphy-paul", 1858, "lasker-emanuel", 1896),
    ("steinitz-william", 1876, "capablanca-jose", 1921),
]


@pytest.mark.parametrize("one", one_in(3, CHOSEN), ids=lambda one: one[0])
def test_players_decades_apart_are_compared_by_what_their_years_have_in_common(
    open_page: Any, exact: Any, one: tuple[str, int, str, int]
):
    a, year, b, other = one
    page = opened(open_page, f"{PAGE}?p={a},{b}&in={year},{other}")
    chance, lead = rows_by_key(page)["0"][-2:]
    # The error of the standard error is 3% at most where the years are twenty or more apart.
    assert is_near((chance, lead), exact(a, b, year, other), 0.03)
    shown = int(chance.strip("<>%"))
    sentence = page.locator("[data-part=sentence]").inner_text()
    assert any(f"stronger is {p}" in sentence for p in (chance, f"{100 - shown}%", ">99%"))
    assert f"in {year}, " in sentence and "in common" in sentence


def test_a_year_can_be_chosen_for_each(open_page: Any):
    page = opened(open_page, f"{PAIR}&by=own", "phone")  # each at the peak
    box = page.get_by_role("spinbutton", name="Year of Morphy, Paul")
    box.fill("1850")
    box.press("Enter")
    wait_for_address(page, ",1850")
    box.fill("1700")
    box.press("Enter")
    wait_until(page, "() => /not rated in 1700/.test(document.body.textContent)")
    page.get_by_label("by calendar year").check()
    wait_until(page, "() => !location.search.includes('in=')")


def test_the_matrix_and_the_table_say_the_same(open_page: Any):
    page = opened(open_page, f"{PAIR}&at=1862")
    cells = page.locator("[data-part=matrix] tbody td")
    chance, lead, share = cells.nth(1).inner_text().split("\n")
    assert rows_by_key(page)["1862"][-2:] == [chance, lead]
    difference = int(lead.split(" ")[0].replace("−", "-"))
    assert share == f"scores {formats.chance(expected_score(difference))}"
    other, _, others = cells.nth(2).inner_text().split("\n")
    assert int(chance[:-1]) + int(other[:-1]) in (99, 100, 101)
    assert int(share[7:-1]) + int(others[7:-1]) in (99, 100, 101)


def test_the_games_of_each_against_each_are_those_of_the_players_pages(open_page: Any, site: Path):
    ids = ("anderssen-adolf", "morphy-paul", "steinitz-william")
    page = opened(open_page, f"{PAGE}?p={','.join(ids)}")
    cells = page.locator("[data-part=met] tbody td").all_inner_texts()
    assert [cells[k] for k in (0, 4, 8)] == [""] * 3
    pair = (site / "pairs/anderssen-adolf-v-morphy-paul.html").read_text(encoding="utf-8")
    [(points, games, predicted)] = re.findall(
        r"(\S+)/(\d+), where the ratings of each year predict ([\d.]+)", pair
    )
    assert cells[1] == f"{points.rpartition('>')[2]}/{games}\nexpected {predicted}"
    assert cells[3].endswith(f"expected {float(games) - float(predicted):.2f}")
    first, second = (peak_on_page(site, one) for one in ids[1:])
    leads = [first - second + rounded for rounded in (-1, 0, 1)]  # the table rounds both peaks
    assert cells[5] in [f"no game\npeaks: {formats.chance(expected_score(one))}" for one in leads]
    link = page.locator("[data-part=met] a").first
    link.click()
    page.wait_for_url("**/pairs/anderssen-adolf-v-morphy-paul.html")


def peak_on_page(site: Path, player: str) -> int:
    """Return the peak rating [Elo] in the table of the players of a letter."""
    table = (site / f"players/by_{player[0]}.html").read_text(encoding="utf-8")
    row = table.partition(f"href={player}.html")[2].partition("<tr>")[0]
    return int(re.findall(r'<td class="num">(\d{4})<td class="num">\d+<', row)[-1])


def test_two_players_in_a_sentence(open_page: Any):
    page = opened(open_page, PAIR)
    both = {key: cells[-2] for key, cells in rows_by_key(page).items() if cells[-2]}
    sentence = page.locator("[data-part=sentence]").inner_text()
    assert f"{len(both)} years in which both are rated" in sentence
    assert "probably Morphy, most clearly in 1858" in sentence
    assert "In rated games against Morphy, Anderssen scored " in sentence
    never = opened(open_page, f"{PAGE}?p=morphy-paul,capablanca-jose")
    words = never.locator("[data-part=sentence]").inner_text()
    assert "There is no year in which both are rated." in words
    assert "No rated game of the two is on record. At their peaks, Morphy with 27" in words


def test_one_player_is_offered_the_main_rivals(open_page: Any):
    page = opened(open_page, f"{PAGE}?p=morphy-paul")
    page.get_by_role("button", name="Löwenthal, Johann Jacob").click()
    wait_for_address(page, "p=morphy-paul,loewenthal-johann")
    assert page.locator(".rivals button").count() == 0


def test_downloads(open_page: Any):
    page = opened(open_page, f"{PAIR}&at=1858")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save the table (CSV)").click()
    assert waiting.value.suggested_filename == "anderssen-adolf_morphy-paul.csv"
    lines = Path(waiting.value.path()).read_text().splitlines()
    head = lines[0].split(",")
    row = next(line.split(",") for line in lines if line.startswith("1858,"))
    found = dict(zip(head, row, strict=True))
    assert found["morphy-paul games"] == "121"
    p = float(found["anderssen-adolf stronger than morphy-paul probability"])
    assert formats.chance(p) == rows_by_key(page)["1858"][-2]
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save the drawing (SVG)").click()
    assert "Morphy" in Path(waiting.value.path()).read_text()


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("p=nobody,morphy-paul", "Not among the rated players: nobody."),
        (
            "p=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E,morphy-paul",
            "Not among the rated players: <img src=x onerror=alert(1)>.",
        ),
        ("p=__proto__,constructor,../static/find,morphy-paul&at=abc", "Not among"),
        ("p=morphy-paul&from=99999&to=-1&by=%00&at=1e9", ""),
    ],
)
def test_addresses_that_somebody_made_up_do_no_harm(open_page: Any, query: str, said: str):
    page = opened(open_page, f"{PAGE}?{query}")
    assert names(page) == ["Morphy, Paul"]
    assert said in page.locator("[data-part=status]").inner_text()
    assert page.locator("main img").count() == 0
    sources = page.evaluate("[...document.scripts].map(script => script.src)")
    assert sum(source.endswith("find.js") for source in sources) == 0


def test_no_more_than_six_at_once(open_page: Any):
    ids = ["morphy-paul", "anderssen-adolf", "steinitz-william", "lasker-emanuel", "euwe-max"]
    page = opened(
        open_page, f"{PAGE}?p={','.join([*ids, 'alekhine-alexander', 'capablanca-jose'])}"
    )
    assert len(names(page)) == 6
    assert "left out: Capablanca" in page.locator("[data-part=status]").inner_text()
    assert page.get_by_role("combobox", name="Add a player").is_disabled()


def test_without_a_year_of_birth_one_is_left_out_by_age(open_page: Any, exact: Any):
    page = opened(open_page, f"{PAGE}?p=morphy-paul,barnes-robert&by=age")
    assert "barnes-robert" not in exact.born
    said = page.locator("[data-part=status]").inner_text()
    assert "left out by age: Barnes, Robert James" in said
    assert page.locator("[data-part=pairs]").is_hidden()


@pytest.mark.parametrize("size", PHONE_FIRST)
def test_without_scripts_there_is_something_to_read(open_page: Any, size: str):
    page = open_page(PAGE, size=size, scripts=False)
    assert "needs JavaScript, which is off" in page.locator("main noscript").inner_text()
    assert page.locator("#compare").is_hidden()
    assert page.locator("main table tbody tr").count() >= 15


def test_it_works_from_a_folder_of_a_web_server(open_page: Any, served: str):
    page = opened(open_page, f"{served}/{PAIR}&at=1858")
    assert names(page) == ["Anderssen, Adolf", "Morphy, Paul"]
    page.get_by_role("slider", name="Year").press("ArrowRight")
    wait_for_address(page, "at=1859")
    assert page.locator("[data-part=readout]").inner_text().startswith("1859")


def test_on_paper_the_drawing_and_the_tables_stay(open_page: Any):
    page = opened(open_page, PAIR)
    page.emulate_media(media="print")
    assert page.locator(".comparison svg.chart").is_visible()
    assert page.locator("[data-part=table] table").is_visible()
    for control in ("slider", "add", "csv", "copy", "readout"):
        assert page.locator(f"[data-part={control}]").is_hidden()
