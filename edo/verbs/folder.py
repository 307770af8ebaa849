"""The folder that `--events` names comes in; its history goes out, or all that is wrong with it."""

from __future__ import annotations

import argparse
from pathlib import Path

from edo.dataset import read_all
from edo.errors import InputError, Problem
from edo.records import Dataset

EVENTS = Path("events")


def add_events(parser: argparse.ArgumentParser) -> None:
    """Give a verb the option that names the folder of the history."""
    parser.add_argument("--events", type=Path, default=EVENTS, help="the folder (default: events)")


def read(events: Path) -> tuple[Dataset, tuple[Problem, ...]]:
    """Return the dataset and the notices; raise InputError with all problems if one is an error."""
    dataset, problems = read_all(events)
    if dataset is None or any(problem.severity == "error" for problem in problems):
        raise InputError(problems)
    return dataset, problems
