"""Pages of the built site taken at random, in a real browser; beside the look at each kind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from accessibility import walk
from sampling import at_random


@pytest.mark.slow
def test_random_pages_fit_and_are_accessible(visit: Any, site: Path):
    third = 0 if visit.keywords["size"] == "desktop" else 1  # of a hundred
    assert walk(visit, site, at_random(site)[third::3]) == []
