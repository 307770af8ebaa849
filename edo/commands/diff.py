"""Two editions in, by folder or git revision; what moved from the one to the other out."""

from __future__ import annotations

import argparse
import datetime
import sys
from pathlib import Path

from edo.commands.folder import add_events_option, read
from edo.core import files, git
from edo.core.problems import EdoError, InputError
from edo.diff import attribution, change_entry, compare, report, snapshot
from edo.diff.report import as_json
from edo.diff.snapshot import Edition
from edo.export.table import History
from edo.history import change_list
from edo.rating import edo

CONTENT = Path("content")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Tell the command line what `run` takes."""
    which = "a built site, a folder of events, or a git revision like HEAD~3"
    parser.add_argument("old", metavar="OLD", help=which)
    parser.add_argument("new", metavar="NEW", help="likewise")
    parser.add_argument("--format", choices=("text", "json", "markdown"), default="text")
    parser.add_argument(
        "--most", type=_natural, default=report.ROWS, metavar="N",
        help=f"rows of each part (default: {report.ROWS})",
    )  # fmt: skip
    parser.add_argument("--all", action="store_true", help="all rows of each part")
    parser.add_argument(
        "--try", type=_natural, default=attribution.MOST, metavar="N", dest="tried",
        help=f"events tried one by one, at most (default: {attribution.MOST})",
    )  # fmt: skip
    add_events_option(parser)
    parser.add_argument("--record", metavar="TITLE", help="tell it on the page of what changed")
    parser.add_argument(
        "--date", type=_day, help="the day of that entry, like 2026-11-21 (default: today)"
    )
    parser.add_argument(
        "--content", type=Path, default=CONTENT, help=f"where changes.yaml is (default: {CONTENT})"
    )


def run(options: argparse.Namespace) -> None:
    """Print what moved, and enter it into the list of changes where that is asked for."""
    old, new = (edition(name, options.events) for name in (options.old, options.new))
    found = compare.compare(old, new, options.tried)
    most = None if options.all else options.most
    if options.format == "json":
        print(as_json(found, most), end="")
    elif options.format == "markdown":
        print(report.as_markdown(found, most), end="")
    else:
        print(report.as_text(found, most), end="")
    if options.record is not None:
        date = options.date or datetime.date.today()
        entry = change_entry.entry(found, options.record, date, options.content)
        files.write_file(options.content / change_list.NAME, entry.content)
        print(f"{options.content / change_list.NAME}: entry {entry.id}", file=sys.stderr)


def edition(name: str, events: Path) -> Edition:
    """Return the edition that a name means: a site, a folder of events, else a revision.

    Raises EdoError where it means none, or where its events are in error.
    """
    folder = Path(name)
    if snapshot.is_site(folder):
        return snapshot.read_site(folder, name)
    if (folder / "players").is_dir():
        return _rated(folder, name)
    if name in ("HEAD", "@") and git.has_uncommitted(events.absolute()):
        print(f"notice: {events} holds changes that {name} does not have", file=sys.stderr)
    with git.folder_at(name, events.absolute()) as there:
        return _rated(there, name)


def _rated(folder: Path, name: str) -> Edition:
    try:
        dataset, _ = read(folder)
    except InputError as refused:
        raise EdoError(f"the events of {name} have errors:\n{refused}") from refused
    return snapshot.of_history(History(dataset, edo.rate(dataset)), name)


def _natural(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0")
    return int(text)


def _day(text: str) -> datetime.date:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a day like 2026-11-21") from None
