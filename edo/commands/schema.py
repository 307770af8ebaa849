"""The command `schema`: write the JSON Schemas and the guide to the fields."""

from __future__ import annotations

import argparse
from pathlib import Path

from edo.commands.arguments import add_events_option
from edo.commands.folder import project_of
from edo.core import files
from edo.history import field_guide, schema
from edo.history.project import is_of_program

SCHEMAS = Path(schema.__file__).parent / "schemas"
OF_PROJECT = Path("schemas")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_events_option(parser)
    parser.add_argument("--out", type=Path, help=f"the folder (default: {OF_PROJECT}, in it)")
    parser.add_argument(
        "--guide", type=Path, help="the page of every field (default: the program's own, or none)"
    )


def run(options: argparse.Namespace) -> None:
    """Write a schema for each kind of file, and the page of every field, and name them.

    Where the project is not the program's own, its folder of schemas and no page.
    """
    is_own = is_of_program(project_of(options))
    out: Path = options.out or (SCHEMAS if is_own else options.project / OF_PROJECT)
    guide: Path | None = options.guide or (field_guide.PATH if is_own else None)
    texts = {out / name: text for name, text in schema.schemas().items()}
    if guide is not None:
        texts[guide] = field_guide.guide()
    for path, text in texts.items():
        files.write_file(path, text.encode())
        print(path)
