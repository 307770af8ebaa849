"""Results in another form in, event files out: `import pgn` drafts, `import results` writes."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from edo.commands.folder import add_events_option, read
from edo.commands.progress import Progress
from edo.core import files
from edo.core.problems import EdoError
from edo.importers import results
from edo.importers.pgn import import_pgn
from edo.importers.pgnfile import RawGame

DRAFTS = Path("drafts")


class DraftsThere(EdoError):
    """Writing would replace drafts that somebody may have worked on; nothing was written."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Tell the command line what can be imported."""
    forms = parser.add_subparsers(required=True, metavar="FORM")
    sentence = "draft event files from the headers of collections of games"
    pgn = forms.add_parser("pgn", help=sentence, description=sentence)
    pgn.add_argument(
        "files", nargs="+", type=Path, metavar="FILE",
        help="PGN, also as .gz, .bz2 or .zip; - is standard input",
    )  # fmt: skip
    add_events_option(pgn)
    pgn.add_argument("--out", type=Path, default=DRAFTS, help=f"the folder (default: {DRAFTS})")
    pgn.add_argument("--force", action="store_true", help="replace drafts of an earlier import")
    pgn.set_defaults(form=run_pgn)
    sentence = "make event files of a table of single results"
    table = forms.add_parser("results", help=sentence)
    results.add_arguments(table)
    table.set_defaults(form=results.run)


def run(options: argparse.Namespace) -> None:
    """Import what the arguments name."""
    options.form(options)


def run_pgn(options: argparse.Namespace) -> None:
    """Draft the events of collections of games, and print the counts."""
    _refuse(options.out, options.events, options.force)
    dataset, _ = read(options.events)
    made = import_pgn(options.files, dataset, _watched)
    files.publish(made.files.items(), options.out)
    for line in made.readings:
        print(line)
    for name, value in made.counts.items():
        print(f"{name}: {value}")
    print(f"look into {options.out / 'REPORT.md'}")


def _watched(name: str, batches: Iterator[list[RawGame]], total: int) -> Iterator[list[RawGame]]:
    progress = Progress(sys.stderr)
    games = 0
    with progress.step(f"reading {name}") as say:
        for batch in progress.counted(batches, total, f"{name}: MB") if total else batches:
            games += len(batch)
            yield batch
        say(f"{games} games")


def _refuse(out: Path, events: Path, force: bool) -> None:
    """Refuse a folder inside of the history, and drafts that are there already."""
    if out.resolve().is_relative_to(events.resolve()):
        raise DraftsThere(f"{out} is inside of {events}; drafts are kept apart: give another --out")
    files.check_output(out)
    if not force and out.exists() and any(out.iterdir()):
        raise DraftsThere(f"{out} holds drafts already; move them, or replace them by --force")
