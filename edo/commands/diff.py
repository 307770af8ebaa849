"""The command `diff`: what changed between two folders of events or git revisions."""

from __future__ import annotations

import argparse
import datetime
import sys
from pathlib import Path

from edo.commands.arguments import add_content_option, add_events_option, day, whole_number
from edo.commands.folder import read, settings_of
from edo.core import files, git
from edo.core.problems import EdoError, InputError
from edo.diff import attribution, change_entry, compare, report
from edo.diff.edition import Edition, edition_of
from edo.history import content_files
from edo.history.settings import Settings
from edo.systems import leading

FORMATS = {"text": report.as_text, "markdown": report.as_markdown}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    which = "a folder of events, or a git revision like HEAD~3"
    parser.add_argument("old", metavar="OLD", help=which)
    parser.add_argument("new", metavar="NEW", help="likewise")
    parser.add_argument("--format", choices=FORMATS, default="text")
    parser.add_argument(
        "--most", type=whole_number, default=report.ROWS, metavar="N",
        help=f"maximum number of rows a table (default: {report.ROWS})",
    )  # fmt: skip
    parser.add_argument("--all", action="store_true", help="show all rows")
    parser.add_argument(
        "--try", type=whole_number, default=attribution.MAX_EVENTS, metavar="N", dest="max_events",
        help="maximum number of changed events that are rated one by one, to find the effect of "
        f"each (default: {attribution.MAX_EVENTS})",
    )  # fmt: skip
    add_events_option(parser)
    parser.add_argument(
        "--record", metavar="TITLE", help="add an entry with this title to the list of changes"
    )
    parser.add_argument(
        "--date", type=day, help="the date of that entry, like 2026-11-21 (default: today)"
    )
    add_content_option(parser)


def run(options: argparse.Namespace) -> None:
    """Print the report, and add an entry to the list of changes if requested."""
    settings = settings_of(options)
    old, new = (read_edition(name, options.events, settings) for name in (options.old, options.new))
    comparison = compare.compare(old, new, options.max_events, settings)
    print(FORMATS[options.format](comparison, None if options.all else options.most), end="")
    if options.record is not None:
        date = options.date or datetime.date.today()
        id_, changed = change_entry.add_entry(comparison, options.record, date, options.content)
        path = options.content / content_files.CHANGES_FILE
        files.replace_files({path: changed})
        print(f"{path}: entry {id_}", file=sys.stderr)


def read_edition(name: str, events: Path, settings: Settings) -> Edition:
    """Read and rate a folder of events; any other name is a revision of the folder `events`.

    Raises EdoError if there is no such revision, or if the events have errors.
    """
    folder = Path(name)
    if (folder / "players").is_dir():
        return _rated(folder, name, settings)
    if name in ("HEAD", "@") and git.has_uncommitted(events.absolute()):
        print(f"notice: {events} has changes that are not in {name}", file=sys.stderr)
    with git.folder_at(name, events.absolute()) as old_folder:
        return _rated(old_folder, name, settings)


def _rated(folder: Path, name: str, settings: Settings) -> Edition:
    try:
        dataset, _ = read(folder)
    except InputError as error:
        raise EdoError(f"the events of {name} have errors:\n{error}") from error
    return edition_of(name, dataset, leading.rate(dataset, settings))
