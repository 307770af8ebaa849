"""The command `init`: make the folder of a new project, with an invented example to replace."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from pathlib import Path

from edo.core import files
from edo.core.problems import EdoError
from edo.history.project import TEMPLATES

EXAMPLE = TEMPLATES / "project"
RENAMED = {"gitignore": ".gitignore"}
"""Files that would have an effect under their own names among the templates."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the argument of the command."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="a new or an empty folder")


def run(options: argparse.Namespace) -> None:
    """Write the files of the project; raises EdoError where the folder holds anything."""
    folder: Path = options.folder
    is_empty = folder.is_dir() and not any(folder.iterdir())
    if not is_empty and (folder.exists() or folder.is_symlink()):
        raise EdoError(f"{folder} is there already and not an empty folder; give another name")
    for path in sorted(one for one in EXAMPLE.rglob("*") if one.is_file()):
        name = path.relative_to(EXAMPLE)
        files.write_file(folder / RENAMED.get(str(name), name), path.read_bytes())
    print(
        f"{folder}: a project with three invented events; {folder / 'README.md'} says what is what"
    )
    python = shlex.quote(os.path.relpath(sys.executable))
    named = f"./{folder}" if str(folder).startswith("-") else str(folder)  # else it is an option
    print(f"next: {python} -m edo build --project {shlex.quote(named)}")
