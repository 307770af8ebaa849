"""The built site in a real browser: phone and desk, dark and light, without a third party asked."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from accessibility import faults, walk
from sampling import of_each_kind

TURNS = 10
TURN = [0, *(pytest.param(turn, marks=pytest.mark.slow) for turn in range(1, TURNS))]


@pytest.mark.parametrize("turn", TURN)
def test_pages_of_each_kind_fit_and_are_accessible(open_page: Any, site: Path, turn: int):
    """Every other page is seen in the light on a desktop, the others in the dark on a phone."""
    size, scheme = ("desktop", "light") if turn % 2 else ("phone", "dark")
    visit = partial(open_page, size=size, color_scheme=scheme)
    assert walk(visit, site, of_each_kind(site)[turn::TURNS]) == []


@pytest.mark.slow
def test_a_fault_in_a_long_table_is_found(open_page: Any):
    page = open_page("players/by_m.html")
    page.locator("main tbody th a").nth(20).evaluate("link => { link.textContent = ''; }")
    page.locator("h1").evaluate("title => { title.style.width = '2000px'; }")
    found = faults(page, "it")
    assert [one.split()[-1] for one in found[:1]] == ["wide"]
    assert len(found) == 2 and "link-name" in found[1]


def test_links_lead_from_a_player_to_the_sources(open_page: Any):
    page = open_page("players/index.html", size="phone")
    page.get_by_role("navigation", name="Letters").get_by_role("link", name="M").click()
    page.wait_for_url("**/players/by_m.html")
    page.locator("main th a", has_text=re.compile("^Morphy, Paul$")).click()
    page.wait_for_url("**players/morphy-paul.html")
    page.get_by_role("link", name="American Chess Congress I, New York 1857").first.click()
    page.wait_for_url("**events/new-york-1857.html")
    page.locator('a[href^="../sources/"]').last.click()
    page.wait_for_url("**/sources/**")


def test_every_curve_has_a_name_for_those_who_cannot_see_it(open_page: Any):
    page = open_page("players/steinitz-william.html")
    assert page.get_by_role("img", name="Steinitz").count() == 1
