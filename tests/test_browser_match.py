"""The page of matches that never were in a browser."""

from __future__ import annotations

from typing import Any

import pytest
from accessibility import faults
from waiting import wait_until

pytestmark = pytest.mark.slow

PAGE = "compare/match.html"
SHOWN = "() => document.querySelector('[data-part=sentence]').textContent"
PATHS = "figure => [...figure.querySelectorAll('path')].map(path => path.getAttribute('d'))"


def test_the_script_draws_the_first_example_as_the_build_does(open_page: Any):
    page = open_page(PAGE)
    wait_until(page, SHOWN)
    drawn, example = (
        page.locator(place).first.evaluate(PATHS) for place in ("#match figure", ".matches figure")
    )
    assert drawn == example
    assert (
        page.locator("[data-part=sentence]").inner_text()
        == page.locator(".matches figcaption").first.inner_text()
    )


def test_an_address_is_a_match_and_a_choice_is_an_address(open_page: Any):
    page = open_page(f"{PAGE}?p=lasker-emanuel,tarrasch-siegbert&in=1908,1894&n=8")
    wait_until(page, SHOWN)
    assert page.locator("h1").inner_text() == "Lasker 1908 – Tarrasch 1894"
    page.get_by_label("Games").fill("10")
    page.keyboard.press("Enter")
    wait_until(page, "() => location.search.endsWith('&n=10')")
    page.get_by_label("Year of the second player").fill("1908")
    page.keyboard.press("Enter")
    wait_until(page, "() => location.search.includes('in=1908,1908')")
    box = page.get_by_role("combobox", name="Second player")
    box.fill("maroczy")
    page.get_by_role("option").first.click()
    wait_until(page, "() => location.search.includes('maroczy')")
    assert "Maróczy" in page.locator("h1").inner_text()


@pytest.mark.parametrize(
    "query", ["?p=nobody", "?p=lasker-emanuel", "?n=-4", "?p=a,b&in=x,y&n=1e9"]
)
def test_addresses_that_somebody_made_up_do_no_harm(open_page: Any, query: str):
    page = open_page(f"{PAGE}{query}")
    wait_until(page, "() => !document.getElementById('match').hidden")
    assert page.locator(".matches figure").count() >= 1


@pytest.mark.parametrize("size", ["desktop", "phone"])
@pytest.mark.parametrize(
    "name", [PAGE, "lists/throne.html", "lists/wanted.html", "lists/disputed.html"]
)
def test_pages_fit_their_window_and_are_accessible(open_page: Any, name: str, size: str):
    page = open_page(name, size=size, color_scheme="dark" if size == "phone" else "light")
    assert faults(page, name) == []


def test_without_scripts_the_examples_are_there(open_page: Any):
    page = open_page(PAGE, scripts=False)
    assert page.locator(".matches svg path.won").count() >= 6
    assert not page.locator("#match").is_visible()
