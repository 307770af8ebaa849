"""`python -m tests.bench` in a checkout: measure the steps of a build, print and keep them."""

from __future__ import annotations

import argparse
import json
import platform
import sys
import tempfile
from pathlib import Path
from typing import Any

from edo.commands.arguments import positive
from edo.commands.cli import run_guarded
from edo.core import files
from edo.history.project import Project

from . import measure
from .population import Population

GAMES = Path("../shared/bench/games.csv.gz")
OUT = Path("bench.json")


def main() -> int:
    """Measure what the arguments ask for; return the exit code."""
    parser = argparse.ArgumentParser("python -m tests.bench", description=__doc__)
    parser.add_argument(
        "--project", type=Path, default=Path(), metavar="DIR",
        help="the folder with site.yaml, events/ and content/, which stays as it is",
    )  # fmt: skip
    parser.add_argument("--games", type=Path, default=GAMES, help=f"default: {GAMES}")
    parser.add_argument("--out", type=Path, default=OUT, help=f"default: {OUT}, in this folder")
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument(
        "--size", type=positive, metavar="N",
        help="instead, measure builds of a synthetic history of N rated players (Edo's: 12500)",
    )  # fmt: skip
    instead.add_argument(
        "--headline", action="store_true",
        help="instead, measure the fit of 3.5 million simulated games, and its approximations",
    )  # fmt: skip
    options = parser.parse_args()
    return run_guarded(lambda: run(options))


def run(options: argparse.Namespace) -> None:
    """Print each figure when it is measured, and write all to a JSON file."""
    figures: dict[str, Any] = {"python": platform.python_version(), "machine": platform.platform()}
    root = options.project
    project = Project(root, root / "events", root / "content")
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        if options.headline:
            figures["headline"] = measure.measure_headline(Population(), options.games)
        elif options.size is not None:
            figures["size"] = measure.measure_size(options.size, project, scratch)
        else:
            figures["site"] = measure.measure_site(project, scratch / "site")
            figures["builds"] = measure.measure_second_builds(project, scratch / "builds")
            if options.games.is_file():
                figures["games"] = measure.measure_games(options.games)
            else:
                print(f"{options.games} is not there: the rating at that size was not measured")
    files.write_file(options.out, (json.dumps(figures, indent=2) + "\n").encode())


if __name__ == "__main__":
    sys.exit(main())
