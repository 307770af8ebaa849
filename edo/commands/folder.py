"""Arguments that name a project or its folders, and reading them for a command."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from edo.checks import run as checks
from edo.core.model import Dataset
from edo.core.problems import InputError, Problem
from edo.core.settings import Settings
from edo.history.dataset import Readings
from edo.history.project import Project, SiteConfig, read_site_config

PROJECT, EVENTS, CONTENT = Path(), Path("events"), Path("content")


class _ProjectAction(argparse.Action):
    """Takes the folder of a project, and puts the defaults of other paths into it."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        namespace.project = folder = Path(str(values))
        for name in ("events", "content", "out"):
            default = parser.get_default(name)
            if isinstance(default, Path) and default is getattr(namespace, name):
                setattr(namespace, name, folder / default)


def add_events_option(parser: argparse.ArgumentParser) -> None:
    """Add the options `--project` and `--events`, the folder of the history."""
    parser.add_argument(
        "--project", action=_ProjectAction, default=PROJECT, metavar="DIR",
        help="the folder with site.yaml, events/ and content/ (default: this one)",
    )  # fmt: skip
    parser.add_argument(
        "--events", type=Path, default=EVENTS, help="the folder (default: events, in the project)"
    )


def add_content_option(parser: argparse.ArgumentParser) -> None:
    """Add the option `--content`, the folder of the texts."""
    parser.add_argument(
        "--content", type=Path, default=CONTENT,
        help="default: content, in the project; site.yaml, templates/ and static/ are next to it",
    )  # fmt: skip


def project_of(options: argparse.Namespace) -> Project:
    """Return the project that the options name: its root is the folder that holds its texts.

    For commands without texts it is the folder that holds its events.
    """
    content: Path | None = getattr(options, "content", None)
    if content is None:
        return project_around(options.events)
    return Project(_parent(content), options.events, content)


def project_around(events: Path) -> Project:
    """Return the project to which a folder of events belongs."""
    root = _parent(events)
    return Project(root, events, root / CONTENT)


def _parent(folder: Path) -> Path:
    return folder.parent if folder.name else folder.absolute().parent


def config_of(project: Project) -> SiteConfig:
    """Return what `site.yaml` says; raises InputError with all errors in it.

    Where it is missing and there are no texts either, the folder of events stands alone: all is as
    by default.
    """
    if not project.config_file.exists() and not project.content.exists():
        return SiteConfig()
    return read_site_config(project.config_file)


def settings_of(options: argparse.Namespace) -> Settings:
    """Return the settings of the method in `site.yaml`; raises as `config_of`."""
    return config_of(project_of(options)).settings


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


def read(events: Path, readings: Readings | None = None) -> tuple[Dataset, tuple[Problem, ...]]:
    """Return the dataset and the warnings; raises InputError with all errors."""
    reading = checks.read(events, readings)
    problems = tuple(as_opened(problem, events) for problem in reading.problems)
    if not reading.is_whole:
        raise InputError(problem for problem in problems if problem.severity == "error")
    return reading.dataset, problems


def as_opened(problem: Problem, events: Path) -> Problem:
    """Return the problem with a path that can be opened from the working directory.

    In the dataset all paths start with `events`, wherever the folder is.
    """
    if events.is_absolute() and events.is_relative_to(Path.cwd()):
        events = events.relative_to(Path.cwd())
    inside = problem.path.removeprefix("events").removeprefix("/")
    return replace(problem, path=(events / inside).as_posix())
