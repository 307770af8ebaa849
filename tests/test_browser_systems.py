"""A player's ratings under all systems in a browser: loaded when they are asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from published import csv_rows

pytestmark = pytest.mark.slow

PLAYER = "byrd-lucy"


def test_the_ratings_under_all_systems_are_the_published_ones(open_page: Any, minisite: Path):
    page = open_page(f"{minisite.as_uri()}/players/{PLAYER}.html")
    page.get_by_role("button", name="Show the ratings year by year").click()
    table = page.locator("#all-systems table")
    table.wait_for()
    systems = [
        link.get_attribute("href").removeprefix("../systems/").removesuffix(".html")
        for link in table.locator("thead a").all()
    ]
    shown = {
        (row[0], system): cell
        for row in table.locator("tbody tr").evaluate_all(
            "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"
        )
        for system, cell in zip(systems, row[1:], strict=True)
        if cell
    }
    published = {
        (line["year"], line["system"]): float(line["rating"])
        for line in csv_rows(minisite, "system_ratings.csv.gz")
        if line["player"] == PLAYER
    }
    assert shown.keys() == published.keys() and len(shown) > 50
    for key, rating in published.items():
        assert abs(int(shown[key].replace("−", "-")) - rating) <= 0.55  # published with a decimal
