"""The folder of events in; how well each number of self-games does out, as a file for the site."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from edo.commands.folder import add_events_option, read
from edo.commands.progress import Progress
from edo.core import files, json
from edo.systems.evaluation import trials, tuning

Item = TypeVar("Item")

OUT = Path("content") / tuning.FILE


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Tell the command line what `run` takes."""
    add_events_option(parser)
    parser.add_argument("--out", type=Path, default=OUT, help=f"default: {OUT}")


def run(options: argparse.Namespace) -> None:
    """Try each number of self-games and write the figures."""
    dataset, _ = read(options.events)
    progress = Progress()

    def watched(name: str, items: Sequence[Item]) -> Iterator[Item]:
        with progress.step(name) as say:
            yield from progress.counted(items, len(items), name)
            say(f"{len(items)} parts")

    files.write_file(options.out, json.dump(trials.tune(dataset, watched)))
    print(options.out)
