"""The `contest` command: let all rating systems predict the same results."""

from __future__ import annotations

import argparse
from pathlib import Path

from edo.commands.arguments import add_events_option, positive
from edo.commands.folder import config_of, project_of, read, settings_of
from edo.commands.tune import draw, read_measured, watched
from edo.core import files, formats, json
from edo.rating.games import games_of
from edo.systems.all_ratings import SYSTEMS, systems_with
from edo.systems.base import System
from edo.systems.evaluation import contest

OUT = Path("content") / contest.FILE


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `run` to the parser."""
    add_events_option(parser)
    parser.add_argument("--out", type=Path, help=f"default: {OUT}, none with --systems")
    parser.add_argument("--draw", action="store_true", help=f"only draw the figures of {OUT} anew")
    parser.add_argument(
        "--systems",
        type=_slugs,
        help="only these, such as `edo,glicko`, all compared with the first",
    )
    parser.add_argument("--jobs", type=positive, default=1, help="processes (default: 1)")


def run(options: argparse.Namespace) -> None:
    """Run the contest, write its file with the figures and say where.

    Some systems alone are only compared, unless a file is named.
    """
    out: Path = options.out or options.project / OUT
    if not options.draw:
        own = {system.slug: system for system in systems_with(settings_of(options))}
        systems = tuple(own[system.slug] for system in options.systems or SYSTEMS)
        dataset, _ = read(options.events, draws=config_of(project_of(options)).draws)
        measured = contest.contest(games_of(dataset), systems, watched, options.jobs)
        for name, test in measured.tests.items():
            print(f"{name.capitalize()}: log loss of {formats.count(test.games)} games")
            print("\n".join(formats.aligned(_places(test), "rlr")))
        if options.out is None and options.systems is not None:
            return
        files.write_file(out, json.dump(measured))
    draw(contest.FILE, read_measured(out, contest.load, contest.REMEDY), out)
    print(out)


def _places(test: contest.TestScores) -> list[tuple[str, str, str]]:
    return [
        (formats.rank(place), entry.name, formats.fixed(entry.log_loss.mean, 4))
        for place, entry in enumerate(test.entries, start=1)
    ]


def _slugs(text: str) -> tuple[System, ...]:
    """Return the systems of these slugs; raises ArgumentTypeError if one is unknown."""
    by_slug = {system.slug: system for system in SYSTEMS}
    wanted = text.split(",")
    unknown = [slug for slug in wanted if slug not in by_slug]
    if unknown or len(set(wanted)) < len(wanted):
        known = ", ".join(by_slug)
        raise argparse.ArgumentTypeError(f"{text!r}: name some of {known}, each once")
    return tuple(by_slug[slug] for slug in wanted)
