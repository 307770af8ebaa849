"""The command `merge`: one record of two of the same player, in all files that name them."""

from __future__ import annotations

import argparse

from edo.commands.arguments import add_events_option
from edo.commands.folder import project_around, read
from edo.commands.rename import write
from edo.history import renaming


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("player", metavar="PLAYER", help="the id that goes")
    parser.add_argument("into", metavar="INTO", help="the id of the same person that stays")
    add_events_option(parser)


def run(options: argparse.Namespace) -> None:
    """Rewrite all files; all stay as they are where the two cannot be one."""
    dataset, _ = read(options.events)
    project = project_around(options.events)
    files = renaming.merged(dataset, project, options.player, options.into)
    write(files, options.events)
    print(f"pages of `{options.player}` lead to `{options.into}`; `edo check` has the warnings")
