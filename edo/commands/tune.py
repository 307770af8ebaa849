"""Measure how well each number of self-games does, and draw the figures for the site."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from edo.commands.folder import add_events_option, read, settings_of
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
    parser.add_argument("--out", type=Path, default=OUT, help=f"default: {OUT}")
    parser.add_argument(
        "--draw", action="store_true", help="draw the figures of the last measurement anew"
    )


def run(options: argparse.Namespace) -> None:
    """Measure each number of self-games, and write the measurement and its figures."""
    if not options.draw:
        dataset, _ = read(options.events)
        measured = tuning.tune(dataset, watched, settings=settings_of(options))
        files.write_file(options.out, json.dump(measured))
    elif not options.out.exists():
        raise EdoError(f"{options.out}: not there; {tuning.REMEDY}")
    # Rounded as in the file, like the page.
    draw(tuning.FILE, tuning.load(options.out), options.out)
    print(options.out)


def draw(file: str, measurement: object, out: Path) -> None:
    """Write the figures of a measurement beside its file."""
    for path, svg in evaluation_figures.drawn(file, measurement):
        figure = out.parent / path
        figure.parent.mkdir(exist_ok=True)
        files.write_file(figure, svg)


def watched(name: str, items: Sequence[Item]) -> Iterator[Item]:
    """Yield the items, showing the progress."""
    progress = Progress()
    with progress.step(name) as say:
        yield from progress.counted(items, len(items), name)
        say(f"{len(items)} parts")
