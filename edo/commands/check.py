"""The command `check`: print all errors and warnings of a folder of events."""

from __future__ import annotations

import argparse
import gc
import os
import sys
import time
from pathlib import Path
from typing import NamedTuple

from edo.checks import run as checks
from edo.checks.report import FORMATS, Format, as_text, summary, wants_colour
from edo.commands.arguments import add_events_option
from edo.commands.folder import as_opened, config_of, project_around, site_problems
from edo.core import git
from edo.core.model import Dataset
from edo.core.problems import EdoError, InputError, Problem, ScaleNotSet
from edo.history import field_guide
from edo.history.dataset import Readings
from edo.history.project import Project, SiteConfig
from edo.history.settings import DEFAULT
from edo.rating import edo
from edo.rating.edo import FittedNetwork
from edo.rating.games import games_of

FOUND = 1
ACKNOWLEDGE = (
    "If the record is correct, acknowledge the warning: add it to the record under "
    "`acknowledged`, with the reason."
)
PUBLISHED = ("author", "publisher", "contact", "address", "base_url")
"""What `site.yaml` should say before a site is published."""
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
    new += [] if since is not None else unpublishable(project_around(events), found.config)
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
    failing = ("error", "warning") if strict else ("error",)
    return FOUND if any(one.severity in failing for one in problems) else 0


def unpublishable(project: Project, config: SiteConfig) -> list[Problem]:
    """Return a note of what `site.yaml` does not say and readers look for on a published site."""
    lacks = [f"`{name}`" for name in PUBLISHED if getattr(config, name) is None]
    if not lacks or not project.config_file.exists():
        return []
    message = f"before the site is published, it should name {', '.join(lacks)}"
    hint = "see “The name, the scale and the settings” in method/publishing.html"
    return [Problem(project.config_file.as_posix(), 1, "", message, hint, "note")]


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
    project = project or project_around(events)
    problems: list[Problem] = []  # with paths that can be opened from here
    try:
        config = config or config_of(project)
    except InputError as refused:
        config = SiteConfig()
        problems += refused.problems
    gc.disable()  # everything read stays to the end, and garbage collection takes a sixth
    try:
        reading = checks.read(events, readings)
        dataset, whole = reading.dataset, reading.is_whole
        rated, refusal = _rated(dataset, config, project) if whole and not problems else (None, ())
        raised = [*reading.problems, *checks.warnings(dataset, whole and not problems, rated)]
        # To rate by another system takes longer than all checks; a build has its ratings.
        ratings = None
        if rated is not None and config.settings.system == DEFAULT.system:
            ratings = edo.publish(dataset, rated)
        of_site = site_problems(project, config, dataset, ratings, whole)
        left, acknowledged = checks.settle(raised, dataset, whole=rated is not None)
        others = [*(as_opened(problem, events) for problem in left), *refusal, *of_site]
        return Found((*problems, *sorted(others)), reading.n_files, acknowledged, config)
    finally:
        gc.enable()


def _rated(
    dataset: Dataset, config: SiteConfig, project: Project
) -> tuple[FittedNetwork | None, tuple[Problem, ...]]:
    """Return the ratings; None, with a problem that says why, where there can be none."""
    try:
        return edo.run(games_of(dataset), config.settings), ()
    except ScaleNotSet as refused:
        here, line = project.config_file.as_posix(), config.scale_line
        return None, (Problem(here, line, "scale", refused.message, refused.hint),)
    except EdoError as refused:
        message, hint = f"there are no ratings yet: {refused}", "without them there is no site"
        return None, (Problem(project.events.as_posix(), 1, "", message, hint, "warning"),)
