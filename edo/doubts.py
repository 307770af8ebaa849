"""A dataset that was read comes in; what an editor should look at once more goes out, as notices.

To add a doubt, write a function from Dataset to problems and put it into one of the two lists.
"""

from __future__ import annotations

from edo.check_names import close_names
from edo.check_places import two_places
from edo.check_repeats import entered_twice
from edo.check_scores import surprising_scores
from edo.check_unused import (
    no_page,
    unused_places,
    unused_players,
    unused_series,
    unused_sources,
)
from edo.checks import Check
from edo.errors import Problem
from edo.records import Dataset

OF_ANY: tuple[Check, ...] = (close_names, two_places, entered_twice, no_page)
"""Doubts that a dataset raises even where files with errors are missing in it."""
OF_WHOLE: tuple[Check, ...] = (
    unused_sources,
    unused_places,
    unused_series,
    unused_players,
    surprising_scores,
)
"""Doubts that ask for every file, because the missing one may dispel them."""


def run(dataset: Dataset, whole: bool = True) -> list[Problem]:
    """Return the doubts; `whole` says that no file is missing in the dataset."""
    doubts = OF_ANY + OF_WHOLE if whole else OF_ANY
    return [problem for doubt in doubts for problem in doubt(dataset)]
