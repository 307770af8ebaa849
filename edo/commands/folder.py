"""Arguments that name the folder of events, and reading it for a command."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from edo.core.model import Dataset
from edo.core.problems import InputError, Problem
from edo.history.dataset import EventCache, read_all

EVENTS = Path("events")


def add_events_option(parser: argparse.ArgumentParser) -> None:
    """Add the option `--events`, the folder of the history."""
    parser.add_argument("--events", type=Path, default=EVENTS, help="the folder (default: events)")


def add_event(parser: argparse.ArgumentParser, example: str) -> None:
    """Add the argument EVENT-ID."""
    help_text = f"like {example}, or the path of its file"
    parser.add_argument("event", metavar="EVENT-ID", type=event_id, help=help_text)


def event_id(text: str) -> str:
    """Return the id of an event, given as such or as the path of its file."""
    return Path(text).stem if text.endswith(".yaml") else text


def positive(text: str) -> int:
    """Return a whole number from 1; raises ArgumentTypeError for anything else."""
    if text.isascii() and text.isdigit() and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a whole number, 1 or more")


def read(events: Path, readings: EventCache | None = None) -> tuple[Dataset, tuple[Problem, ...]]:
    """Return the dataset and the warnings; raises InputError with all problems."""
    dataset, found = read_all(events, readings)
    problems = tuple(as_opened(problem, events) for problem in found)
    if dataset is None:
        raise InputError(problems)
    return dataset, problems


def as_opened(problem: Problem, events: Path) -> Problem:
    """Return the problem with a path that can be opened from the working directory.

    In the dataset all paths start with `events`, wherever the folder is.
    """
    if events.is_absolute() and events.is_relative_to(Path.cwd()):
        events = events.relative_to(Path.cwd())
    inside = problem.path.removeprefix("events").removeprefix("/")
    return replace(problem, path=(events / inside).as_posix())
