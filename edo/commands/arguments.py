"""Arguments that several commands take: the folders of a project, and types that check a value."""

from __future__ import annotations

import argparse
import datetime
import re
from pathlib import Path

PROJECT, EVENTS, CONTENT = Path(), Path("events"), Path("content")
_YEARS = re.compile(r"([12][0-9]{3})(?:-([12][0-9]{3}))?")
MAX_PORT = 65_535


def add_events_option(parser: argparse.ArgumentParser) -> None:
    """Add the options `--project` and `--events`, the folder of the history."""
    parser.add_argument(
        "--project", type=Path, metavar="DIR",
        help="the folder with site.yaml, events/ and content/ (default: this one)",
    )  # fmt: skip
    parser.add_argument("--events", type=Path, help="the folder (default: events, in the project)")


def add_content_option(parser: argparse.ArgumentParser) -> None:
    """Add the option `--content`, the folder of the texts."""
    parser.add_argument(
        "--content", type=Path,
        help="default: content, in the project; site.yaml, templates/ and static/ are next to it",
    )  # fmt: skip


def in_project(options: argparse.Namespace) -> argparse.Namespace:
    """Return the options, with the folders that were not given put into the project."""
    if "project" in options and options.project is None:
        options.project = PROJECT
    for name, folder in (("events", EVENTS), ("content", CONTENT)):
        if name in options and getattr(options, name) is None:
            setattr(options, name, options.project / folder)
    return options


def add_event(parser: argparse.ArgumentParser, example: str) -> None:
    """Add the argument EVENT-ID."""
    help_text = f"like {example}, or the path of its file"
    parser.add_argument("event", metavar="EVENT-ID", type=event_id, help=help_text)


# Types; each raises ArgumentTypeError for anything else.


def event_id(text: str) -> str:
    """Return the id of an event, given as such or as the path of its file."""
    return Path(text).stem if text.endswith(".yaml") else text


def whole_number(text: str) -> int:
    """Return a whole number from 0."""
    if text.isascii() and text.isdigit():
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a whole number, 0 or more")


def positive(text: str) -> int:
    """Return a whole number from 1."""
    if text.isascii() and text.isdigit() and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a whole number, 1 or more")


def port(text: str) -> int:
    """Return a number of a port."""
    if text.isascii() and text.isdigit() and int(text) <= MAX_PORT:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a port number (0 to {MAX_PORT})")


def day(text: str) -> datetime.date:
    """Return a day given in ISO format."""
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a day like 2026-11-22") from None


def years(text: str) -> tuple[int, int]:
    """Return the first and the last year of `1900-1914`, or twice that of `1900`."""
    match = _YEARS.fullmatch(text)
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r} is neither a year nor like 1900-1914")
    first, last = int(match[1]), int(match[2] or match[1])
    if last < first:
        raise argparse.ArgumentTypeError(f"{text!r} ends before it begins")
    return first, last
