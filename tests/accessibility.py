"""What keeps people out of a page, by axe."""

from __future__ import annotations

from pathlib import Path
from typing import Any

MORE_OF_THE_SAME = "tbody > tr:nth-child(n + 31)"
"""Rows of long tables are made alike: axe takes minutes for the contrast of ten thousand cells."""


def axe(page: Any, within: str = "html", **options: Any) -> Any:
    """Return what axe finds; it runs in a world of its own, which the content policy does not bind.

    It may not fetch the stylesheet, which the policy would refuse to it with a complaint.
    """
    from axe_playwright_python.sync_playwright import Axe

    context = {"include": [[within]], "exclude": [[MORE_OF_THE_SAME]]}
    return Axe().run(page, context=context, options={"preload": False, **options})


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
