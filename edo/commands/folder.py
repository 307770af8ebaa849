"""The project that arguments name, and reading its folders for a command."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from edo.checks import run as checks
from edo.commands.arguments import CONTENT
from edo.core.model import Dataset
from edo.core.problems import EdoError, InputError, Problem
from edo.history.dataset import Readings, without_draws
from edo.history.project import Project, SiteConfig, read_site_config
from edo.history.settings import Settings
from edo.rating.edo import Ratings


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


def read(
    events: Path, readings: Readings | None = None, draws: bool = True
) -> tuple[Dataset, tuple[Problem, ...]]:
    """Return the dataset and the warnings; raises InputError with all errors.

    `draws` says whether a game can be drawn.
    """
    reading = checks.read(events, readings)
    problems = tuple(as_opened(problem, events) for problem in reading.problems)
    if not reading.is_whole:
        raise InputError(problem for problem in problems if problem.severity == "error")
    return reading.dataset if draws else without_draws(reading.dataset), problems


def site_problems(
    project: Project,
    config: SiteConfig,
    dataset: Dataset,
    ratings: Ratings | None,
    is_whole: bool = True,
) -> list[Problem]:
    """Return what a build of the site would refuse in notes, texts, templates and other files.

    `ratings` are None where they are not known; `is_whole` says that no file of events has errors.
    """
    from edo.site import addresses, checks  # noqa: PLC0415 (slow, and other commands do without)

    try:
        known = addresses.Addresses(project, config, dataset, ratings, is_whole)
    except EdoError as refused:
        message, _, hint = str(refused).partition("; ")
        return [Problem(project.events.as_posix(), 1, "", message, hint)]
    notes = addresses.check_notes(dataset, known)
    return [*(as_opened(one, project.events) for one in notes), *checks.check_files(known)]


def as_opened(problem: Problem, events: Path) -> Problem:
    """Return the problem with a path that can be opened from the working directory.

    In the dataset all paths start with `events`, wherever the folder is.
    """
    if events.is_absolute() and events.is_relative_to(Path.cwd()):
        events = events.relative_to(Path.cwd())
    inside = problem.path.removeprefix("events").removeprefix("/")
    return replace(problem, path=(events / inside).as_posix())
