"""What keeps people out of a page, by axe."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from waiting import fonts_loaded

LESS_OF_THE_SAME = """() => {
    const tables = [...document.querySelectorAll("table")];
    const heights = tables.map((table) => table.offsetHeight);
    tables.forEach((table, k) => { table.style.height = `${heights[k]}px`; });
    const rest = "tbody > tr:nth-child(n + 31), tbody:nth-of-type(n + 31)";
    document.querySelectorAll(rest).forEach((rows) => rows.remove());
}"""
"""Rows of long tables are made alike: axe takes minutes for ten thousand cells, even those that it
is told to exclude. So they go, and what scrolled before still does."""


def axe(page: Any, within: str = "html", **options: Any) -> Any:
    """Return what axe finds; it runs in a world of its own, which the content policy does not bind.

    It may not fetch the stylesheet, which the policy would refuse to it with a complaint, and tells
    of faults only. The page keeps no more than the first thirty rows of its tables.
    """
    from axe_playwright_python.sync_playwright import Axe

    page.evaluate(LESS_OF_THE_SAME)
    options = {"preload": False, "resultTypes": ["violations"], **options}
    return Axe().run(page, context={"include": [[within]]}, options=options)


def faults(page: Any, name: str) -> list[str]:
    """Return what does not fit, and what keeps people out."""
    fonts_loaded(page)
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
