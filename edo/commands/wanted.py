"""The command `wanted`: list the missing games that would make the ratings more certain."""

from __future__ import annotations

import argparse
import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict

from edo.commands.arguments import add_events_option, positive, years
from edo.commands.folder import read, settings_of
from edo.core import formats
from edo.core.json import rounded
from edo.rating import edo
from edo.rating.games import games_of
from edo.rating.inference.added_games import FIRST
from edo.rating.wanted import FEW, GAMES, Wanted, wanted

MOST = 40  # rows unless the option says otherwise: two screens
DECIMALS = 2  # of Elo points in CSV and JSON
ABOUT = (
    f"Gain: the sum of the falls of the standard errors [Elo] of the first {FIRST} of all years if "
    "the missing games were known, at the present ratings. In brackets: the part of the players "
    f"who gain most. A player is listed with years in which he is among the first {FIRST} with "
    f"fewer than {FEW:.0f} rated games, and with his largest standard error; his gain is that of "
    f"{GAMES:.0f} games in the middle year, against the mean strength of the first {FIRST}."
)
_COLUMNS = ("kind", "id", "name", "first_year", "last_year", "missing", "games", "gain",
            "standard_error", "gain_most")  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.epilog = ABOUT
    parser.add_argument(
        "--years", type=years, metavar="FROM-TO", help="only events and gaps of 1900-1914, or 1900"
    )
    parser.add_argument(
        "--most", type=positive, default=MOST, metavar="N", help=f"rows (default: {MOST})"
    )
    parser.add_argument(
        "--format",
        choices=tuple(FORMATS),
        default="text",
        help="for people, or for programs (default: text)",
    )
    add_events_option(parser)


def run(options: argparse.Namespace) -> None:
    """List what is wanted most in the folder that the arguments name."""
    dataset, _ = read(options.events)
    rows = wanted(dataset, edo.run(games_of(dataset), settings_of(options)), options.years)
    print(FORMATS[options.format](rows[: options.most]), end="")


def as_text(rows: Sequence[Wanted]) -> str:
    """Return an aligned table, and what its numbers mean."""
    if not rows:
        return "nothing is wanted: no incomplete all-play-all, and nobody with few games\n"
    cells = [("gain", "event or player", "years", "missing", "gain most")]
    cells += [
        (f"{row.gain:.1f}", row.id, formats.years(*row.years), _missing(row), _gain_most(row))
        for row in rows
    ]
    return "\n".join([*formats.aligned(cells, "rllll"), "", ABOUT, ""])


def _missing(row: Wanted) -> str:
    if row.standard_error is None:
        return row.missing
    return f"{row.missing}, ±{formats.deviation(row.standard_error)}"


def _gain_most(row: Wanted) -> str:
    return ", ".join(f"{player} ({gain:.1f})" for player, gain in row.gain_most)


def as_json(rows: Sequence[Wanted]) -> str:
    """Return a JSON list of objects with the fields of `Wanted`; gains are in Elo points."""
    records = [rounded(asdict(row), DECIMALS) for row in rows]
    return json.dumps(records, indent=1, ensure_ascii=False) + "\n"


def as_csv(rows: Sequence[Wanted]) -> str:
    """Return CSV with a header row."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for row in rows:
        error = "" if row.standard_error is None else f"{row.standard_error:.{DECIMALS}f}"
        gain = f"{row.gain:.{DECIMALS}f}"
        numbers = (row.missing, f"{row.games:g}", gain, error, _gain_most(row))
        writer.writerow((row.kind, row.id, row.name, *row.years, *numbers))
    return written.getvalue()


FORMATS: Mapping[str, Callable[[Sequence[Wanted]], str]] = {
    "text": as_text,
    "json": as_json,
    "csv": as_csv,
}
