"""The folder of events in; what is wrong with it, the notices and what there is out."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from edo.verbs.folder import add_events, read


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Tell the command line what `run` takes."""
    add_events(parser)


def run(options: argparse.Namespace) -> None:
    """Check the folder that the arguments name."""
    check(options.events)


def check(events: Path) -> None:
    """Read everything, print the notices and what there is."""
    dataset, notices = read(events)
    for notice in notices:
        print(notice, file=sys.stderr)
    print(
        f"{events}: no errors in {len(dataset.events)} events "
        f"of {len(dataset.players)} players ({len(notices)} notices)"
    )
