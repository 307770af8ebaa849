"""Event files and registries in; their canonical form out, or what of them differs from it."""

from __future__ import annotations

import argparse
import difflib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from edo import canonical, writer
from edo.canonical import Formed
from edo.errors import EdoError, InputError, Problem
from edo.verbs.folder import add_events


class NotCanonical(EdoError):
    """Files are not in canonical form; they were only looked at."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Tell the command line what `run` takes."""
    parser.add_argument("files", nargs="*", type=Path, help="default: all of the folder")
    add_events(parser)
    parser.add_argument("--check", action="store_true", help="only name what would change; exit 1")
    parser.add_argument("--diff", action="store_true", help="only show what would change")


def run(options: argparse.Namespace) -> None:
    """Bring the files into canonical form, or tell which are not.

    Raises InputError with what is wrong with files, which are left as they are.
    """
    problems: list[Problem] = []
    changed = looked_at = 0
    for path in _files(options.files or [options.events]):
        formed = canonical.form(path, path.as_posix())
        problems += formed.problems
        looked_at += 1
        if formed.changes:
            changed += 1
            _deal_with(path, formed, options)
    if problems:
        raise InputError(problems)
    only_looks = options.check or options.diff
    if options.check and changed:
        raise NotCanonical(f"{changed} of {looked_at} files are not in canonical form; run `fmt`")
    print(f"{looked_at} files, {changed} {'to be changed' if only_looks else 'changed'}")


def _deal_with(path: Path, formed: Formed, options: argparse.Namespace) -> None:
    if options.diff:
        sys.stdout.writelines(_difference(path.as_posix(), formed))
    elif options.check:
        print(path)
    if not (options.diff or options.check):
        writer.save(path, formed.after.encode())
        print(path)


def _difference(name: str, formed: Formed) -> Iterator[str]:
    before, after = formed.before.splitlines(), formed.after.splitlines()
    for line in difflib.unified_diff(before, after, name, f"{name} (canonical)", lineterm=""):
        yield f"{line}\n"


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    """Yield the files named, and those in the folders named; no symbolic links are followed."""
    for path in paths:
        if path.is_dir():
            yield from sorted(p for p in path.rglob("*.yaml") if p.is_file() and not _linked(p))
        else:
            yield path


def _linked(path: Path) -> bool:
    return path.is_symlink() or path.parent.is_symlink()
