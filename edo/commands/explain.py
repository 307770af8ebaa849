"""The command `explain`: list what an event contributes to the ratings."""

from __future__ import annotations

import argparse

from edo.commands.arguments import add_event, add_events_option
from edo.commands.folder import read, settings_of
from edo.rating.explain import explain


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_event(parser, "london-1883")
    add_events_option(parser)


def run(options: argparse.Namespace) -> None:
    """Explain the event that the arguments name."""
    dataset, _ = read(options.events)
    print(explain(dataset, options.event, settings_of(options)), end="")
