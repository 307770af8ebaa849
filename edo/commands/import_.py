"""The command `import`: drafts of event files from games in PGN or from tables of results."""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

from edo.commands.folder import add_events_option, read
from edo.commands.progress import Progress
from edo.core import files as writer
from edo.core.model import Dataset
from edo.core.problems import EdoError
from edo.importers import table
from edo.importers.drafts import Import
from edo.importers.from_table import import_table, read_tables
from edo.importers.pgn.draft import import_pgn
from edo.importers.pgn.read import PgnGame

DRAFTS = Path("drafts")


class DraftsExist(EdoError):
    """Writing would replace drafts that somebody may have edited; nothing was written."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of each form of import."""
    forms = parser.add_subparsers(required=True, metavar="FORM")
    sentence = "draft event files from the headers of collections of games"
    pgn = forms.add_parser("pgn", help=sentence, description=sentence)
    pgn.add_argument(
        "files", nargs="+", type=Path, metavar="FILE",
        help="PGN, also as .gz, .bz2 or .zip; - is standard input",
    )  # fmt: skip
    pgn.add_argument("--force", action="store_true", help="replace drafts of an earlier import")
    pgn.set_defaults(form=run_pgn)
    sentence = "draft event files from tables of results and of standings (CSV)"
    rows = forms.add_parser(
        "table", help=sentence, description=sentence, epilog=inspect.getdoc(table),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    rows.add_argument("results", type=Path, metavar="RESULTS.csv", help="scores and totals")
    rows.add_argument(
        "--about", type=Path, metavar="EVENTS.csv", help="the table of events (default: none)"
    )
    rows.add_argument(
        "--players", type=Path, metavar="PLAYERS.csv", help="names whose identity is decided"
    )
    rows.set_defaults(form=run_table, force=False)
    for form in (pgn, rows):
        add_events_option(form)
        form.add_argument("--out", type=Path, default=DRAFTS,
                          help=f"the folder of drafts (default: {DRAFTS})")  # fmt: skip


def run(options: argparse.Namespace) -> None:
    """Write the drafts of what the arguments name, and print the counts."""
    _refuse(options.out, options.events, options.force)
    dataset, _ = read(options.events)
    found = options.form(options, dataset)
    writer.publish(found.files.items(), options.out)
    for line in found.inputs:
        print(line)
    for name, value in found.counts.items():
        print(f"{name}: {value}")
    print(f"see {options.out / 'REPORT.md'}")


def run_pgn(options: argparse.Namespace, dataset: Dataset) -> Import:
    """Return the drafts of the events of collections of games."""
    return import_pgn(options.files, dataset, _watched)


def run_table(options: argparse.Namespace, dataset: Dataset) -> Import:
    """Return the drafts of the events of tables."""
    tables = read_tables(options.results, options.about, options.players)
    return import_table(tables, dataset)


def _watched(name: str, batches: Iterator[list[PgnGame]], total: int) -> Iterator[list[PgnGame]]:
    progress = Progress(sys.stderr)
    games = 0
    with progress.step(f"reading {name}") as say:
        for batch in progress.counted(batches, total, f"{name}: MB") if total else batches:
            games += len(batch)
            yield batch
        say(f"{games} games")


def _refuse(out: Path, events: Path, force: bool) -> None:
    """Refuse a folder inside the history, and one that holds drafts already."""
    if out.resolve().is_relative_to(events.resolve()):
        raise DraftsExist(f"{out} is inside {events}; drafts are kept apart: give another --out")
    writer.check_output(out)
    if not force and out.exists() and any(out.iterdir()):
        hint = "move them, or replace them by --force"
        raise DraftsExist(f"{out} holds drafts already; {hint}")
