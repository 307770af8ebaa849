"""Waiting in a page whose content policy forbids `eval`, with which Playwright would poll."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

PATIENCE = 30_000  # [ms]

_POLL = """async (argument) => {
    const holds = %s;
    for (const end = performance.now() + %d; !holds(argument);) {
        if (performance.now() > end) throw new Error(`waited in vain for ${holds}`);
        await new Promise((done) => setTimeout(done, 20));
    }
}"""


def wait_until(page: Any, condition: str, argument: object = None) -> None:
    """Wait until a JavaScript function returns true."""
    page.evaluate(_POLL % (condition, PATIENCE), argument)


def wait_here(page: Any, holds: Callable[[], object]) -> None:
    """Wait until something has come from the page to the test, such as a request."""
    for _ in range(PATIENCE // 20):
        if holds():
            return
        page.wait_for_timeout(20)
    raise AssertionError("waited in vain")


def next_frame(page: Any) -> None:
    """Wait until the page has answered what happened to it, and is drawn."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")


def fonts_loaded(page: Any) -> None:
    """Wait until the page is set in its own fonts."""
    page.evaluate("document.fonts.ready.then(() => true)")
