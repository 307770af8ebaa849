"""The `contest` command: let all rating systems predict the same results."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from edo.commands.folder import add_events_option, positive, read, settings_of
from edo.commands.tune import draw, watched
from edo.core import files, formats, json
from edo.core.problems import EdoError
from edo.site.pages.contest import Table, times, trial_tables, variants
from edo.systems.all_ratings import SYSTEMS, systems_with
from edo.systems.base import System
from edo.systems.evaluation import contest
from edo.systems.games import games_of

OUT = Path("content") / contest.FILE


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `run` to the parser."""
    add_events_option(parser)
    parser.add_argument("--out", type=Path, help=f"default: {OUT}, none with --systems")
    parser.add_argument("--show", action="store_true", help=f"print {OUT} without running anything")
    parser.add_argument("--draw", action="store_true", help=f"draw the figures of {OUT} anew")
    parser.add_argument(
        "--systems",
        type=_slugs,
        help="only these, such as `edo,glicko`, all compared with the first",
    )
    parser.add_argument("--jobs", type=positive, default=1, help="processes (default: 1)")


def run(options: argparse.Namespace) -> None:
    """Run the contest or read its last results, print the tables and write the file."""
    out: Path = options.out or options.project / OUT
    if options.show or options.draw:
        if not out.exists():
            raise EdoError(f"{out}: not there; {contest.REMEDY}")
        found = contest.load(out)
    else:
        dataset, _ = read(options.events)
        own = {one.slug: one for one in systems_with(settings_of(options))}
        systems = tuple(own[one.slug] for one in options.systems or SYSTEMS)
        found = contest.contest(games_of(dataset), systems, watched, options.jobs)
        if options.out is None and options.systems is not None:
            print("\n".join(printed(found)))
            return
        files.write_file(out, json.dump(found))
        found = contest.load(out)  # rounded as in the file, like the page
    if not options.draw:
        print("\n".join(printed(found)))
    if not options.show:
        draw(contest.FILE, found, out)
        print(out)


def printed(found: contest.Contest) -> Iterator[str]:
    """Yield the tables of the page as lines for a terminal, the times as the last."""
    trials = {
        name.capitalize(): trial_tables(trial, found.reference, lambda entry: entry.name)
        for name, trial in found.tests.items()
    }
    for name, tables in trials.items():
        for table in (tables.losses, tables.averages, tables.scores, tables.briers, tables.against):
            if table is not None:
                yield from _laid_out(f"{name}: {table.title}", table)
    for name, tables in trials.items():
        yield from _laid_out(f"{name}: {tables.calibrations.title}", tables.calibrations)
    if found.variants:
        yield from _laid_out((table := variants(found)).title, table)
    table = times(found, lambda entry: entry.name)
    yield from _laid_out(table.title, table)


def _laid_out(title: str, table: Table) -> Iterator[str]:
    """Yield a table as lines, each column as wide as its widest cell."""
    sides = "".join("l" if column == "System" else "r" for column in table.columns)
    yield title
    yield from formats.aligned((table.columns, *table.rows), sides)
    yield ""


def _slugs(text: str) -> tuple[System, ...]:
    """Return the systems of these slugs; raises ArgumentTypeError if one is unknown."""
    by_slug = {system.slug: system for system in SYSTEMS}
    wanted = text.split(",")
    unknown = [slug for slug in wanted if slug not in by_slug]
    if unknown or len(set(wanted)) < len(wanted):
        known = ", ".join(by_slug)
        raise argparse.ArgumentTypeError(f"{text!r}: name some of {known}, each once")
    return tuple(by_slug[slug] for slug in wanted)
