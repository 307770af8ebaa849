"""Measure how well each number of self-games does, and draw the figures for the site."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from edo.commands.arguments import add_events_option
from edo.commands.folder import config_of, project_of, read, settings_of
from edo.commands.progress import Progress
from edo.core import files, json
from edo.core.problems import EdoError
from edo.site.charts import evaluation_figures
from edo.systems.evaluation import tuning

Item = TypeVar("Item")

OUT = Path("content") / tuning.FILE


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Tell the command line what `run` takes."""
    add_events_option(parser)
    parser.add_argument("--out", type=Path, help=f"default: {OUT}")
    parser.add_argument("--draw", action="store_true", help=f"only draw the figures of {OUT} anew")


def run(options: argparse.Namespace) -> None:
    """Measure each number of self-games, and write the measurement with its figures."""
    out: Path = options.out or options.project / OUT
    if not options.draw:
        dataset, _ = read(options.events, draws=config_of(project_of(options)).draws)
        measured = tuning.tune(dataset, watched, settings=settings_of(options))
        files.write_file(out, json.dump(measured))
    draw(tuning.FILE, read_measured(out, tuning.load, tuning.REMEDY), out)
    print(out)


def read_measured(out: Path, load: Callable[[Path], Item], remedy: str) -> Item:
    """Return a measurement as its file has it, like the page: rounded.

    Raises EdoError where there is no such file, or where it is not what the command writes.
    """
    if not out.exists():
        raise EdoError(f"{out}: not there; {remedy}")
    return load(out)


def draw(file: str, measurement: object, out: Path) -> None:
    """Write the figures of a measurement beside its file."""
    drawn = evaluation_figures.drawn(file, measurement)
    files.write_files({out.parent / path: svg for path, svg in drawn})


def watched(name: str, items: Sequence[Item]) -> Iterator[Item]:
    """Yield the items, showing the progress."""
    progress = Progress()
    with progress.step(name) as say:
        yield from progress.counted(items, len(items), name)
        say(f"{len(items)} parts")
