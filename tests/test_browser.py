"""The built site in a real browser: phone and desk, dark and light, without a third party asked."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from accessibility import axe
from sampling import at_random, of_each_kind


@pytest.fixture(params=["desk", "phone"])
def visit(request: pytest.FixtureRequest, look: Callable[..., Any]) -> Callable[[str], Any]:
    scheme = "light" if request.param == "desk" else "dark"
    return partial(look, size=request.param, color_scheme=scheme)


def faults(page: Any, name: str) -> list[str]:
    """Return what does not fit, and what keeps people out."""
    overflow = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    found = [f"{name} is {overflow} px too wide"] if overflow > 0 else []
    report = axe(page)
    return found + [f"{name}: {report.generate_report()}"] * bool(report.violations_count)


def walk(visit: Any, site: Path, names: list[str]) -> list[str]:
    page = visit(names[0])
    found = []
    for name in names:
        page.goto((site / name).as_uri())
        found += faults(page, name)
    return found


def test_pages_of_each_kind_fit_and_are_accessible(visit: Any, site: Path):
    assert walk(visit, site, of_each_kind(site)) == []


@pytest.mark.skipif("EDO_CI" not in os.environ, reason="takes a minute: set EDO_CI=1")
def test_a_hundred_random_pages_fit_and_are_accessible(visit: Any, site: Path):
    half = 0 if visit.keywords["size"] == "desk" else 1  # fifty each
    assert walk(visit, site, at_random(site)[half::2]) == []


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
