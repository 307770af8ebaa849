"""The choice between the two systems in a browser: on a page, along links, without storage."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

NO_STORAGE = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } })"


@pytest.fixture
def year(minisite: Path) -> str:
    return f"{minisite.as_uri()}/years/1884.html"


def heads(page: Any) -> list[str]:
    """The heads of the ranking that are shown."""
    found = page.locator("#ranking thead th").all()
    return [one.inner_text().strip().lower() for one in found if one.is_visible()]


def ranks_by_other(page: Any) -> list[str]:
    """The ranks by the other system, from the first row to the last."""
    heads = page.locator("#ranking thead th").all()
    at = next(k for k, one in enumerate(heads) if one.get_attribute("data-order") is not None)
    return page.locator(f"#ranking tbody tr > :nth-child({at + 1})").all_inner_texts()


def test_without_scripts_both_are_printed(open_page: Callable[..., Any], year: str) -> None:
    page = open_page(year, scripts=False)
    assert {"rating", "integrated", "int. rank"} <= set(heads(page))
    assert page.locator(".both a").all_inner_texts() == ["Edo", "Edo integrated"]
    assert page.locator(".choice").count() == 0


def test_a_choice_is_kept_by_links_and_without_storage(
    open_page: Callable[..., Any], year: str
) -> None:
    page = open_page("about:blank")
    page.context.add_init_script(NO_STORAGE)
    page.goto(year)
    first = page.locator("#ranking tbody tr").all_inner_texts()
    page.get_by_role("button", name="Edo integrated", exact=True).click()
    assert "rating" not in heads(page) and "integrated" in heads(page)
    ranks = [int(one) for one in ranks_by_other(page) if one != "–"]
    assert len(ranks) > 2 and ranks == sorted(ranks)
    page.locator("#ranking tbody th a").first.click()
    assert page.url.split("?")[1].split("#")[0] == "ratings=edo-integrated"
    assert page.locator("dl.abstract [data-by=lead]").is_hidden()
    assert page.locator("dl.abstract [data-by=other]").is_visible()
    page.get_by_role("button", name="Both", exact=True).click()
    assert page.locator("dl.abstract [data-by=lead]").is_visible()
    page.locator("#curve-years th a").first.click()
    page.goto(f"{year}?ratings=edo")
    assert "rating" in heads(page) and "integrated" not in heads(page)
    assert page.locator("#ranking tbody tr").count() == len(first)


def test_a_choice_is_remembered_where_there_is_storage(
    open_page: Callable[..., Any], year: str
) -> None:
    page = open_page(year)
    page.get_by_role("button", name="Edo integrated", exact=True).click()
    order = [one.split("\t")[0] for one in page.locator("#ranking tbody tr th").all_inner_texts()]
    page.goto(year)
    assert "rating" not in heads(page)
    assert page.locator("#ranking tbody tr th").all_inner_texts() == order


def test_on_a_phone_the_buttons_keep_off_the_words_above(
    open_page: Callable[..., Any], year: str
) -> None:
    page = open_page("about:blank", size="phone")
    page.goto(year)
    paragraph, link, buttons = (
        page.locator(name).last.bounding_box() for name in (".both", ".both a", ".both .choice")
    )
    assert buttons["x"] == paragraph["x"]
    assert buttons["y"] > link["y"] + link["height"]
