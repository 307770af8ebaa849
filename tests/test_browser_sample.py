"""Pages of the built site taken at random, in a real browser; beside the look at each kind."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from accessibility import walk
from sampling import at_random


@pytest.mark.slow
@pytest.mark.parametrize(("size", "scheme"), [("desktop", "light"), ("phone", "dark")])
def test_random_pages_fit_and_are_accessible(open_page: Any, site: Path, size: str, scheme: str):
    first = 0 if size == "desktop" else 1
    visit = partial(open_page, size=size, color_scheme=scheme)
    assert walk(visit, site, at_random(site)[first::6]) == []
