"""What keeps people out of a page, by axe."""

from __future__ import annotations

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
