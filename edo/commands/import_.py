"""The command `import`: drafts of event files from games, tables and pastes, and acceptance."""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

from edo.commands.arguments import add_events_option
from edo.commands.folder import read
from edo.commands.progress import Progress
from edo.core import files as writer
from edo.core.model import Dataset
from edo.core.problems import EdoError
from edo.history.values import InvalidValue
from edo.importers import crosstable, results, table
from edo.importers.drafts import Import, accepted
from edo.importers.from_table import import_table, read_tables
from edo.importers.pgn.draft import import_pgn
from edo.importers.pgn.read import STDIN, PgnGame

DRAFTS = Path("drafts")
_ABOUT = {
    "kind": f"{', '.join(table.KINDS)}; by default a match of two players, else a tournament",
    "year": "in which it ended; by default that of the dates or the last in the name",
    "place": "its id or name",
    "start": "the first day, like 1883-04-26", "end": "the last day",
    "format": "like `Double-round all-play-all`",
    "completeness": "yes, no or ?; of a crosstable by default whether all pairs have a result",
    "games_per_pair": "how many games each pair was to play, where only totals are given",
    "win": "what a win is worth, if not 1, such as 2 or 3", "draw": "what a draw is, such as 1",
    "names": "`surname first` or `surname last`, of names without comma",
    "source": "its id, title or address", "where": "the page",
}  # fmt: skip


class DraftsExist(EdoError):
    """Writing would replace drafts that somebody may have edited; nothing was written."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of each form of import; folders may be named before or after it."""
    parser.add_argument(
        "--accept", nargs="+", metavar="ID", default=(),
        help="move these drafts, with the players, places and sources that they need, into the "
        "folder of events",
    )  # fmt: skip
    parser.add_argument(
        "--replace", action="store_true",
        help="with --accept: put the results of a draft in place of those of the event of its id",
    )  # fmt: skip
    folders = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    for takes_folders in (parser, folders):
        add_events_option(takes_folders)
        takes_folders.add_argument(
            "--out", type=Path, help=f"the folder of drafts (default: {DRAFTS}, in the project)"
        )
    forms = parser.add_subparsers(metavar="FORM")
    parser.set_defaults(form=None, force=False)

    def form(name: str, sentence: str, details: str | None = None) -> argparse.ArgumentParser:
        added = forms.add_parser(
            name, help=sentence, description=sentence, epilog=details, parents=[folders],
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )  # fmt: skip
        added.add_argument("--force", action="store_true", help="replace drafts that nobody edited")
        return added

    pgn = form("pgn", "draft event files from the headers of collections of games")
    pgn.add_argument(
        "files", nargs="+", type=Path, metavar="FILE",
        help="PGN, also as .gz, .bz2 or .zip; - is standard input",
    )  # fmt: skip
    pgn.set_defaults(form=lambda given, known: import_pgn(given.files, known, _watched))
    rows = form("table", "draft event files from tables of results and of standings (CSV)",
                inspect.getdoc(table))  # fmt: skip
    rows.add_argument("results", type=Path, metavar="RESULTS.csv", help="scores and totals")
    rows.add_argument(
        "--about", type=Path, metavar="EVENTS.csv", help="the table of events (default: none)"
    )
    rows.add_argument(
        "--players", type=Path, metavar="PLAYERS.csv", help="names whose identity is decided"
    )
    rows.set_defaults(form=lambda given, known: import_table(
        read_tables(given.results, given.about, given.players), known))  # fmt: skip
    for name, sentence, grammar, read_text in (
        ("crosstable", "draft an event from a crosstable as pasted from the web, in text, HTML "
         "or CSV", crosstable, crosstable.read_crosstable),
        ("results", "draft an event from lines of results or of final totals", results,
         results.read_results),
    ):  # fmt: skip
        pasted = form(name, sentence, inspect.getdoc(grammar))
        pasted.add_argument("file", type=Path, metavar="FILE", help="- is standard input")
        pasted.add_argument("--name", required=True, help="of the event, like `London 1883`")
        for option, says in _ABOUT.items():
            pasted.add_argument(f"--{option.replace('_', '-')}", default="", help=says)
        pasted.set_defaults(form=run_printed, read_text=read_text)


def _accept(options: argparse.Namespace, drafts: Path) -> None:
    """Move drafts into the history, if the check of all finds no error."""
    dataset, _ = read(options.events)
    files = accepted(options.accept, drafts, options.events, dataset, replaces=options.replace)
    writer.replace_files(files, lambda: read(options.events))
    for path, file in files.items():
        print(path if file.after is not None else f"{path} is moved")


def run_printed(options: argparse.Namespace, dataset: Dataset) -> Import:
    """Return the draft of the event of a pasted table or list."""
    given = {name: getattr(options, name) for name in _ABOUT} | {"event": options.name}
    path = options.file
    try:
        event = table.event_row(1, table.checked(given))
        text = _pasted() if str(path) == STDIN else writer.read_text(path)
    except (InvalidValue, writer.Unreadable) as wrong:
        place = path.as_posix() if isinstance(wrong, writer.Unreadable) else "the event"
        raise EdoError(f"{place}: {wrong.message}; {wrong.hint}") from None
    shown = Path("pasted text") if str(path) == STDIN else path
    return import_table(options.read_text(text, shown, event), dataset, f"Import of {event.name}")


def _pasted() -> str:
    raw = sys.stdin.buffer.read(writer.MAX_BYTES + 1)
    if len(raw) > writer.MAX_BYTES:
        raise EdoError(f"more than {writer.MAX_BYTES:,} bytes; paste one table")
    return raw.decode("utf-8-sig", "replace")


def run(options: argparse.Namespace) -> None:
    """Write the drafts of what the arguments name, and print the counts; or accept drafts."""
    out: Path = options.out or options.project / DRAFTS
    if options.accept:
        _accept(options, out)
        return
    if options.form is None:
        raise EdoError("nothing to import; name a form, such as `pgn`, or drafts to `--accept`")
    _refuse(out, options.events, options.force)
    dataset, _ = read(options.events)
    found = options.form(options, dataset)
    writer.publish(found.files.items(), out, marker=writer.DRAFTS_MARKER)
    for line in found.inputs:
        print(line)
    for name, value in found.counts.items():
        print(f"{name}: {value}")
    print(f"see {out / 'REPORT.md'}")


def _watched(name: str, games: Iterator[PgnGame]) -> Iterator[PgnGame]:
    number = 0
    with Progress(sys.stderr).step(f"reading {name}") as say:
        for game in games:
            number += 1
            yield game
        say(f"{number} games")


def _refuse(out: Path, events: Path, force: bool) -> None:
    """Refuse a folder inside the history, and one that holds drafts already."""
    if out.resolve().is_relative_to(events.resolve()):
        raise DraftsExist(f"{out} is inside {events}; drafts are kept apart: give another --out")
    writer.check_output(out, marker=writer.DRAFTS_MARKER)
    writer.check_writable(out)
    if not force and any(out.glob("[0-9]*/*.yaml")):
        hint = "move them by --accept, or replace them by --force"
        raise DraftsExist(f"{out} holds drafts already; {hint}")
