"""Run the contest of all rating systems, and keep its outcome for the site."""

from __future__ import annotations

import argparse
from pathlib import Path

from edo.commands.folder import add_events_option, read
from edo.commands.tune import watched
from edo.core import files, json
from edo.core.problems import EdoError
from edo.site.pages.contest_lines import printed
from edo.systems.entries import SYSTEMS
from edo.systems.evaluation import contest
from edo.systems.games import games_of
from edo.systems.system import System

OUT = Path("content") / contest.FILE


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Tell the command line what `run` takes."""
    add_events_option(parser)
    parser.add_argument("--out", type=Path, help=f"default: {OUT}, none with --systems")
    parser.add_argument(
        "--show", action="store_true", help=f"print the outcome in {OUT}, run nothing"
    )
    parser.add_argument(
        "--systems", type=_slugs, help="only these, as `edo,glicko`; the first is the reference"
    )
    parser.add_argument("--jobs", type=_jobs, default=1, help="processes (default: 1)")


def run(options: argparse.Namespace) -> None:
    """Run the contest or read its last outcome, print its tables, and write the file."""
    out: Path = options.out or OUT
    if options.show:
        if not out.exists():
            raise EdoError(f"{out}: not there; {contest.REMEDY}")
        found = contest.load(out)
    else:
        found = _run(options)
    writing = not options.show and (options.out is not None or options.systems is None)
    if writing:
        files.write_file(out, json.dump(found))
        found = contest.load(out)  # as the page will: with as many decimals as the file keeps
    print("\n".join(printed(found)))
    if writing:
        print(out)


def _run(options: argparse.Namespace) -> contest.Contest:
    dataset, _ = read(options.events)
    systems = options.systems or SYSTEMS
    return contest.contest(games_of(dataset), systems, watched, options.jobs)


def _jobs(text: str) -> int:
    if text.isascii() and text.isdigit() and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a number of processes from 1")


def _slugs(text: str) -> tuple[System, ...]:
    """Return the systems of these slugs; raises ArgumentTypeError for unknown ones."""
    by_slug = {system.slug: system for system in SYSTEMS}
    wanted = text.split(",")
    unknown = [slug for slug in wanted if slug not in by_slug]
    if unknown or len(set(wanted)) < len(wanted):
        known = ", ".join(by_slug)
        raise argparse.ArgumentTypeError(f"{text!r}: name some of {known}, each once")
    return tuple(by_slug[slug] for slug in wanted)
