"""Measure how well each number of self-games does, and keep the figures for the site."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from edo.commands.arguments import add_events_option
from edo.commands.folder import read, settings_of
from edo.commands.progress import Progress
from edo.core import files, json
from edo.systems.evaluation import tuning

Item = TypeVar("Item")

OUT = Path("content") / tuning.FILE


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Tell the command line what `run` takes."""
    add_events_option(parser)
    parser.add_argument("--out", type=Path, help=f"default: {OUT}")


def run(options: argparse.Namespace) -> None:
    """Measure each number of self-games and write the figures."""
    out: Path = options.out or options.project / OUT
    dataset, _ = read(options.events)
    files.write_file(out, json.dump(tuning.tune(dataset, watched, settings=settings_of(options))))
    print(out)


def watched(name: str, items: Sequence[Item]) -> Iterator[Item]:
    """Yield the items, showing the progress."""
    progress = Progress()
    with progress.step(name) as say:
        yield from progress.counted(items, len(items), name)
        say(f"{len(items)} parts")
