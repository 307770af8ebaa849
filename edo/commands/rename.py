"""The command `rename`: another id for a record, in all files that name it."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

from edo.commands.arguments import add_events_option
from edo.commands.folder import project_around, read
from edo.core import files as writer
from edo.core import formats
from edo.core.files import Replacement
from edo.history import renaming


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("old", metavar="OLD", help="the id of today")
    parser.add_argument("new", metavar="NEW", help="an id that nothing has or had")
    parser.add_argument("--kind", choices=renaming.KINDS, help="where several records have the id")
    add_events_option(parser)


def run(options: argparse.Namespace) -> None:
    """Rewrite all files that name the record; all stay as they are where the check finds errors."""
    dataset, _ = read(options.events)
    kind = options.kind or renaming.kind_of(dataset, options.old)
    project = project_around(options.events)
    files = renaming.renamed(dataset, project, kind, options.old, options.new)
    write(files, options.events)
    if kind in renaming.REDIRECTED:
        print(f"pages of `{options.old}` lead to `{options.new}`; `edo check` has the warnings")
    elif kind != "odds":
        print(f"the page of `{options.old}` is gone; `edo check` has the warnings")


def write(files: Mapping[Path, Replacement], events: Path) -> None:
    """Replace the files, if the history has no error then, and name them."""
    writer.replace_files(files, lambda: read(events))
    for path, (_, after) in files.items():
        print(path if after is not None else f"{path} is removed")
    print(f"{formats.counted(len(files), 'file')} changed; git shows what, and can undo it")
