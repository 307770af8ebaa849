"""The folder of events in; all that is wrong with it or doubtful, file by file, out."""

from __future__ import annotations

import argparse
import gc
import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from edo.commands.folder import add_events_option, as_opened
from edo.core.problems import Problem
from edo.history import field_guide
from edo.history.dataset import read_what_can_be
from edo.lint import run as warnings
from edo.lint.report import FORMATS, Format, as_text, counted, wants_colour

FOUND = 1
STANDS = "A doubt that you find right: name it under `looked_at` of its record, and say why."
GUIDE = f"What each field takes, with an example: content/{field_guide.NAME}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Tell the command line what `run` takes."""
    add_events_option(parser)
    parser.add_argument(
        "--format",
        choices=tuple(FORMATS),
        default="text",
        help="for people, for programs, or for annotations in a pull request (default: text)",
    )
    parser.add_argument("--strict", action="store_true", help="fail on notices too")


def run(options: argparse.Namespace) -> int:
    """Check the folder that the arguments name; return the exit code."""
    return check(options.events, options.format, strict=options.strict)


def check(events: Path, format_: Format = "text", strict: bool = False) -> int:
    """Print all errors and notices; return 1 where there is an error or, if strict, a notice."""
    began = time.perf_counter()
    found = find(events)
    problems = found.problems
    closing = counted(problems, found.n_files, time.perf_counter() - began, found.looked_at)
    if format_ == "text":
        print(as_text(problems, wants_colour(sys.stdout, os.environ)) + closing)
        print("\n".join(_hints(problems)), end="\n" if problems else "")
    else:
        print(FORMATS[format_](problems), end="")
        print(closing, file=sys.stderr)  # apart from what programs read
    wrong = any(one.severity == "error" for one in problems)
    return FOUND if wrong or (strict and problems) else 0


def _hints(problems: Sequence[Problem]) -> Iterator[str]:
    if any(one.doubt for one in problems):
        yield STANDS
    if any(one.severity == "error" for one in problems):
        yield GUIDE


@dataclass(frozen=True, slots=True)
class Found:
    """What is wrong or doubtful, sorted by file and line, in how many files.

    `looked_at` is the number of doubts that are not told because editors looked at them.
    """

    problems: tuple[Problem, ...]
    n_files: int
    looked_at: int


def find(events: Path) -> Found:
    """Return all errors and notices of a folder of events."""
    gc.disable()  # all that is read stays to the end, and the search for garbage takes a sixth
    try:
        reading = read_what_can_be(events)
        raised = warnings.run(reading.dataset, whole=reading.is_whole)
    finally:
        gc.enable()
    settled = warnings.settle([*reading.problems, *raised], reading.dataset, whole=reading.is_whole)
    problems = sorted(as_opened(problem, events) for problem in settled.open)
    return Found(tuple(problems), reading.n_files, settled.looked_at)
