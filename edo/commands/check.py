"""The command `check`: print all errors and warnings of a folder of events."""

from __future__ import annotations

import argparse
import gc
import os
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from edo.commands.folder import add_events_option, as_opened, config_of, project_around
from edo.core import git
from edo.core.problems import InputError, Problem
from edo.history import field_guide
from edo.history.dataset import Readings, read_partially
from edo.history.project import Project, SiteConfig
from edo.lint import run as lint
from edo.lint.report import FORMATS, Format, as_text, summary, wants_colour
from edo.lint.scores import SCALE
from edo.site import links

FOUND = 1
ACKNOWLEDGE = (
    "If the record is correct, acknowledge the warning: add it to the record under "
    "`acknowledged`, with the reason."
)
GUIDE = "What each field takes, with an example: {}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_events_option(parser)
    parser.add_argument(
        "--format",
        choices=tuple(FORMATS),
        default="text",
        help="for people, for programs, or for annotations in a pull request (default: text)",
    )
    parser.add_argument("--strict", action="store_true", help="fail on warnings too")
    parser.add_argument(
        "--since",
        metavar="REVISION",
        help="only list the warnings that a git revision did not have",
    )
    parser.add_argument(
        "--all", action="store_true", help="also list minor warnings, such as far namesakes"
    )


def run(options: argparse.Namespace) -> int:
    """Check the folder that the arguments name; return the exit code."""
    return check(
        options.events,
        options.format,
        strict=options.strict,
        minor=options.all,
        since=options.since,
    )


def check(
    events: Path,
    format_: Format = "text",
    strict: bool = False,
    minor: bool = False,
    since: str | None = None,
) -> int:
    """Print all errors and warnings; return 1 where there is an error or, if strict, a warning.

    `minor` says whether to print minor warnings too; `since` leaves out the warnings that the
    folder already had at a git revision.
    """
    began = time.perf_counter()
    found = find(events)
    known = set[tuple[str, ...]]() if since is None else _warnings_at(since, events, found.config)
    new = [one for one in found.problems if _identity(one, events) not in known]
    problems = tuple(one for one in new if minor or not one.minor)
    hidden = len(new) - len(problems)
    wrong = any(one.severity == "error" for one in problems)
    seconds = time.perf_counter() - began
    closing = summary(problems, found.n_files, seconds, found.acknowledged, hidden)
    if format_ == "text":
        print(as_text(problems, wants_colour(sys.stdout, os.environ)) + closing)
        if any(one.warning for one in problems):
            print(ACKNOWLEDGE)
        if wrong:
            print(GUIDE.format(os.path.relpath(field_guide.PATH)))
    else:
        print(FORMATS[format_](problems), end="")
        print(closing, file=sys.stderr)  # apart from what programs read
    return FOUND if wrong or (strict and problems) else 0


def _warnings_at(revision: str, events: Path, config: SiteConfig) -> set[tuple[str, ...]]:
    """Return the identities of the warnings at a revision. Raises EdoError if there is none."""
    with git.folder_at(revision, events.absolute()) as folder:
        found = find(folder, config).problems
        return {_identity(one, folder) for one in found if one.severity == "warning"}


def _identity(problem: Problem, events: Path) -> tuple[str, ...]:
    """Return what a problem keeps when other lines of its file or other folders change."""
    return problem.severity, os.path.relpath(problem.path, events), problem.place, problem.message


class Found(NamedTuple):
    """Errors and warnings, sorted by file and line, the number of files read, and `site.yaml`.

    `acknowledged` is the number of warnings left out because editors acknowledged them.
    """

    problems: tuple[Problem, ...]
    n_files: int
    acknowledged: int
    config: SiteConfig


def find(
    events: Path,
    config: SiteConfig | None = None,
    readings: Readings | None = None,
    project: Project | None = None,
) -> Found:
    """Return all errors and warnings of events, and of `site.yaml` and the texts next to them.

    A `config` takes the place of that file; `project` is given where the texts are elsewhere.
    """
    project, wrong = project or project_around(events), tuple[Problem, ...]()
    try:
        config = config or config_of(project)
    except InputError as refused:
        config, wrong = SiteConfig(), refused.problems
    gc.disable()  # everything read stays to the end, and garbage collection takes a sixth
    try:
        reading = read_partially(events, readings)
        raised = lint.run(reading.dataset, reading.is_whole and not wrong, config.settings)
        addresses = links.Addresses(reading.dataset, project, config, reading.is_whole)
        raised += links.check_records(reading.dataset, addresses)
    finally:
        gc.enable()
    found = [*reading.problems, *raised]
    left, acknowledged = lint.settle(found, reading.dataset, whole=reading.is_whole)
    here = project.config_file.as_posix()
    problems = [
        replace(one, path=here, line=config.scale_line)
        if one.path == SCALE
        else as_opened(one, events)
        for one in left
    ]
    if any(map(Path.exists, project.inputs[1:])):
        from edo.site import checks  # noqa: PLC0415 (slow to import; most tests have events alone)

        problems += checks.check_files(addresses)
    return Found((*wrong, *sorted(problems)), reading.n_files, acknowledged, config)
