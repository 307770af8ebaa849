"""The folder of events in; all that is wrong with it or doubtful, file by file, out."""

from __future__ import annotations

import argparse
import gc
import os
import sys
import time
from pathlib import Path

from edo import doubts, fieldguide
from edo.dataset import read_what_can_be
from edo.errors import Problem
from edo.findings import FORMATS, Format, as_text, counted, wants_colour
from edo.verbs.folder import add_events, as_opened

FOUND = 1
GUIDE = f"What each field takes, with an example: content/{fieldguide.NAME}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Tell the command line what `run` takes."""
    add_events(parser)
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
    problems, n_files = find(events)
    closing = counted(problems, n_files, time.perf_counter() - began)
    wrong = any(one.severity == "error" for one in problems)
    if format_ == "text":
        told = as_text(problems, wants_colour(sys.stdout, os.environ)) + closing
        print(told + (f"\n{GUIDE}" if wrong else ""))
    else:
        print(FORMATS[format_](problems), end="")
        print(closing, file=sys.stderr)  # apart from what programs read
    return FOUND if wrong or (strict and problems) else 0


def find(events: Path) -> tuple[list[Problem], int]:
    """Return all errors and notices, sorted by file and line, and the number of files."""
    gc.disable()  # all that is read stays to the end, and the search for garbage takes a sixth
    try:
        reading = read_what_can_be(events)
        problems = [*reading.problems, *doubts.run(reading.dataset, whole=reading.is_whole)]
    finally:
        gc.enable()
    return sorted(as_opened(problem, events) for problem in problems), reading.n_files
