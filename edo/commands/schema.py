"""The command `schema`: write the JSON Schemas and the guide to the fields."""

from __future__ import annotations

import argparse
from pathlib import Path

from edo.core import files
from edo.history import field_guide, schema


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("--out", type=Path, default=Path("edo/history/schemas"), help="the folder")
    parser.add_argument(
        "--guide",
        type=Path,
        default=field_guide.PATH,
        help="the page of every field (default: %(default)s)",
    )


def run(options: argparse.Namespace) -> None:
    """Write a schema for each kind of file, and the page of every field, and name them."""
    for name, text in schema.schemas().items():
        files.write_file(options.out / name, text.encode())
        print(options.out / name)
    files.write_file(options.guide, field_guide.guide().encode())
    print(options.guide)
