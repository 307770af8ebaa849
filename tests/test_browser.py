"""The built site in a real browser: phone and desk, dark and light, without a third party asked."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

PAGES = [
    "index.html",
    "players/index.html",
    "players/morphy-paul.html",
    "players/steinitz-william.html",
    "events/index.html",
    "events/london-1883.html",
    "events/london-1851.html",
    "events/hastings-1895.html",
    "events/world-championship-1886.html",
    "years/index.html",
    "years/1883.html",
    "lists/index.html",
    "lists/peaks.html",
    "lists/number-ones.html",
    "lists/suspects.html",
    "lists/bridges.html",
    "places/index.html",
    "places/london.html",
    "sources/index.html",
    "sources/pgn-mentor-players.html",
    "method/index.html",
    "method/ratings.html",
    "method/joint.html",
    "data/index.html",
    "404.html",
]


@pytest.fixture(params=["desk", "phone"])
def visit(request: pytest.FixtureRequest, look: Callable[..., Any]) -> Callable[[str], Any]:
    scheme = "light" if request.param == "desk" else "dark"
    return partial(look, size=request.param, color_scheme=scheme)


@pytest.mark.parametrize("name", PAGES)
def test_page_fits_and_is_accessible(visit: Any, name: str):
    from axe_playwright_python.sync_playwright import Axe

    page = visit(name)
    overflow = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert overflow <= 0, f"{name} is {overflow} px too wide"
    # axe runs in a world of its own, which the page's content policy does not bind
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_links_lead_from_a_player_to_the_sources(visit: Any):
    page = visit("players/index.html")
    page.get_by_role("link", name="Morphy, Paul", exact=True).first.click()
    assert page.url.endswith("players/morphy-paul.html")
    page.get_by_role("link", name="New York 1857").first.click()
    assert page.url.endswith("events/new-york-1857.html")
    page.locator('a[href^="../sources/"]').last.click()
    assert "/sources/" in page.url


def test_the_curve_has_a_name_for_those_who_cannot_see_it(visit: Any):
    page = visit("players/steinitz-william.html")
    assert page.get_by_role("img", name="Steinitz").count() == 1
