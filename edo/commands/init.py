"""The command `init`: make the folder of a new project, with an invented example to replace."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import sys
from pathlib import Path

from edo.core import files, yaml
from edo.core.problems import EdoError
from edo.history.project import CONFIG_FILE, EXAMPLE

WORKFLOW = "publish.yml"
RENAMED = {"gitignore": ".gitignore", WORKFLOW: f".github/workflows/{WORKFLOW}"}
"""Files that would have an effect under their own names among the templates."""
NO_FIRST_MOVE = ("First", "Second")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="a new or an empty folder")
    parser.add_argument("--name", default="", help="the name of the site")
    parser.add_argument("--game", default="", help="the game or sport, as within a sentence: Go")
    parser.add_argument("--no-draws", action="store_true", help="no game can be drawn")
    first_move = parser.add_mutually_exclusive_group()
    first_move.add_argument(
        "--colours", type=_colours, metavar="W,B",
        help="what `w` and `b` stand for, if not White and Black: Home,Away",
    )  # fmt: skip
    first_move.add_argument(
        "--no-first-move", dest="colours", action="store_const", const=NO_FIRST_MOVE,
        help="no side has a first move",
    )  # fmt: skip
    parser.add_argument(
        "--scale", type=_mean, metavar="MEAN", help="the mean of all ratings (default: 1500)"
    )
    parser.add_argument(
        "--workflow", type=_repository, metavar="OWNER/NAME",
        help="also write a workflow that publishes on GitHub Pages, by the program in this "
        "repository on GitHub",
    )  # fmt: skip


def run(options: argparse.Namespace) -> None:
    """Write the files of the project; raises EdoError where the folder holds anything."""
    folder: Path = options.folder
    if os.path.lexists(folder) and (not folder.is_dir() or any(folder.iterdir())):
        raise EdoError(f"{folder} is there already and not an empty folder; give another name")
    for path in sorted(one for one in EXAMPLE.rglob("*") if one.is_file()):
        name, text = path.relative_to(EXAMPLE).as_posix(), path.read_text(encoding="utf-8")
        if name == WORKFLOW:
            if options.workflow is None:
                continue
            text = text.replace("OWNER/NAME", options.workflow)
        if name == CONFIG_FILE:
            text = _configured(text, options)
        files.write_file(folder / RENAMED.get(name, name), text.encode())
    print(
        f"{folder}: a project with three invented events; {folder / 'README.md'} says what is what"
    )
    if options.no_draws:
        print("in these events games are drawn, of which `check` warns until they are deleted")
    python = shlex.quote(os.path.relpath(sys.executable))
    where = str(folder) if not str(folder).startswith("-") else f"./{folder}"
    print(f"next: {python} -m edo build --project {shlex.quote(where)}")


def _configured(text: str, options: argparse.Namespace) -> str:
    """Return `site.yaml` with what the options say."""
    given: dict[str, yaml.YamlValue] = {
        "name": options.name,
        "game": options.game,
        "draws": "false" if options.no_draws else None,
        "colours": None if options.colours is None else list(options.colours),
        "scale": None if options.scale is None else {"mean": f"{options.scale:g}"},
    }
    for key, value in given.items():
        if value:
            line = yaml.dump({key: value}).strip().replace("\\", r"\\")
            text = re.sub(rf"^(# )?{key}: .*$", line, text, count=1, flags=re.MULTILINE)
    return text


def _colours(text: str) -> tuple[str, str]:
    first, _, second = (part.strip() for part in text.partition(","))
    if not first or not second or "," in second:
        raise argparse.ArgumentTypeError(f"{text!r} is not two words like Home,Away")
    return first, second


def _mean(text: str) -> float:
    if not re.fullmatch(r"-?[0-9]{1,4}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number like 1000")
    return float(text)


def _repository(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9-]+/[A-Za-z0-9._-]+", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a repository like owner/name")
    return text
