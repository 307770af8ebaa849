"""The command `record`: print the record by decade, or keep it as the edition to compare with."""

from __future__ import annotations

import argparse
from pathlib import Path

from edo.commands.arguments import add_events_option, day
from edo.commands.folder import read, settings_of
from edo.core import files, formats, json
from edo.core.problems import EdoError
from edo.rating.record import FILE, Record, RecordLine, record_lines
from edo.systems import leading

OUT = Path("content") / FILE
_HEADS = ("decade", "events", "by cells", "by totals", "part", "games", "whole", "players",
          "first 10", "first 50")  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    add_events_option(parser)
    parser.add_argument("--save", action="store_true", help="keep it; needs --label and --date")
    parser.add_argument("--label", help="what the edition is called, such as `First edition`")
    parser.add_argument("--date", type=day, help="the day of the edition, such as 2026-11-22")
    parser.add_argument("--out", type=Path, help=f"default: {OUT}")


def run(options: argparse.Namespace) -> None:
    """Rate the history, print its record and keep it if asked to."""
    if options.save and not (options.label and options.label.strip() and options.date):
        raise EdoError("--save needs the name and the day of the edition: add --label and --date")
    dataset, _ = read(options.events)
    lines = record_lines(dataset, leading.rate(dataset, settings_of(options)))
    rows = [_HEADS, *map(_cells, lines)]
    print("\n".join(formats.aligned(rows, "r" * len(_HEADS))))
    if options.save:
        out: Path = options.out or options.project / OUT
        edition = Record(options.label.strip(), options.date.isoformat(), lines)
        files.write_file(out, json.dump(edition))
        print(out)


def _cells(line: RecordLine) -> tuple[str, ...]:
    counts = (line.events, line.by_cells, line.by_totals, line.part, line.games)
    errors = (line.first_ten, line.first_fifty)
    return (
        line.name,
        *map(formats.count, counts),
        formats.DASH if line.share is None else formats.percentage(line.share),
        formats.count(line.players),
        *(formats.DASH if error is None else formats.deviation(error) for error in errors),
    )
