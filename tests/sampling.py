"""Samples: pages of the built site, and the cases of long tests that `make test` runs."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from edo.site.pages.superlatives import SUPERLATIVES

RANDOM_PAGES = 100
SEED = 1883  # the same pages in every run, so that a failure can be repeated

BUSIEST = (
    "players/morphy-paul.html",
    "players/tartakower-savielly.html",
    "players/steinitz-william.html",
    "events/london-1851.html",
    "events/london-1883.html",
    "events/hastings-1895.html",
    "events/world-championship-1886.html",
    "years/1883.html",
    "years/1936.html",
    "places/london.html",
    "sources/pgn-mentor-players.html",
    "pairs/alekhine-alexander-v-euwe-max.html",
    "series/world-championship.html",
    "method/choosing.html",
    "method/ratings.html",
    "method/editing.html",
)
"""Full pages: long, wide, with marks of many kinds."""


WHOLE = {"lists", "data", "compare"}
"""Folders in which every page has its own template, except for those that are `ALIKE`."""

ALIKE = {superlative.path for superlative in SUPERLATIVES} - {
    "lists/ages.html",
    "lists/upsets.html",
}
"""The lists of one template, but for the one with a picture and one with wide rows."""


DESKTOP_FIRST = ["desktop", pytest.param("phone", marks=pytest.mark.slow)]
PHONE_FIRST = [pytest.param("desktop", marks=pytest.mark.slow), "phone"]
"""Both sizes of the window as parameters of a test: one in `make test`, both in `make test-all`."""


def by_turns(names: Iterable[object], sizes: Sequence[object]) -> list[Any]:
    """Return each name with each size as a parameter of a test.

    `make test` takes one size of each name, by turns, and `make test-all` all of them.
    """
    return [
        pytest.param(name, size, marks=() if k % len(sizes) == n else pytest.mark.slow)
        for k, name in enumerate(names)
        for n, size in enumerate(sizes)
    ]


def of_each_kind(site: Path) -> list[str]:
    """Return the pages at the top and in `WHOLE`; of other folders the index and the first page."""
    chosen = set(BUSIEST)
    for folder in [site, *sorted(p for p in site.iterdir() if p.is_dir())]:
        names = sorted(p.relative_to(site).as_posix() for p in folder.glob("*.html"))
        every = folder == site or folder.name in WHOLE
        chosen |= set(
            names if every else [n for n in names if n.endswith("index.html")] + names[:1]
        )
    return sorted(chosen - ALIKE)


def at_random(site: Path) -> list[str]:
    """Return a hundred random pages, the same in every run; no page that redirects to another."""
    pages = [p for p in site.rglob("*.html") if b'http-equiv="refresh"' not in p.read_bytes()]
    names = sorted(p.relative_to(site).as_posix() for p in pages)
    return sorted(random.Random(SEED).sample(names, RANDOM_PAGES))


def one_in(n: int, cases: Iterable[Any]) -> list[Any]:
    """Return parameters for `parametrize`: the first of each n, and the others marked slow."""
    slow = pytest.mark.slow
    return [case if k % n == 0 else pytest.param(case, marks=slow) for k, case in enumerate(cases)]
