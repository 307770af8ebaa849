"""The list of fields in, JSON Schemas for editors' tools out."""

from __future__ import annotations

import argparse
from pathlib import Path

from edo import schema, writer


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Tell the command line what `run` takes."""
    parser.add_argument("--out", type=Path, default=Path("edo/schemas"), help="the folder")


def run(options: argparse.Namespace) -> None:
    """Write a schema for each kind of file and name it."""
    for name, text in schema.schemas().items():
        writer.save(options.out / name, text.encode())
        print(options.out / name)
