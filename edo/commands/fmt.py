"""The command `fmt`: bring event files and registries into canonical form."""

from __future__ import annotations

import argparse
import difflib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from edo.commands.folder import add_events_option
from edo.core import files as writer
from edo.core import formats
from edo.core.problems import EdoError, InputError
from edo.history import canonical
from edo.history.canonical import Formed


class NotCanonical(EdoError):
    """Files are not in canonical form; none was changed."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("files", nargs="*", type=Path, help="default: all of the folder")
    add_events_option(parser)
    parser.add_argument(
        "--check", action="store_true", help="only name the files that would change; exit 1"
    )
    parser.add_argument("--diff", action="store_true", help="only show what would change")


def run(options: argparse.Namespace) -> None:
    """Bring the files into canonical form, or list those that are not.

    Raises InputError with all errors in the files; then none is written.
    """
    files = list(_files(options.files or [options.events]))
    if gone := [path.as_posix() for path in files if not path.exists()]:
        raise EdoError(f"there is no file or folder {', '.join(gone)}; name existing files")
    formed = {path: canonical.form(path, path.as_posix()) for path in files}
    problems = [problem for one in formed.values() for problem in one.problems]
    changing = {path: one for path, one in formed.items() if one.changes}
    only_looks = options.check or options.diff
    if problems and not only_looks:
        raise InputError(problems)
    for path, one in changing.items():
        _deal_with(path, one, options)
    if problems:
        raise InputError(problems)
    n_files = formats.counted(len(files), "file")
    if options.check and changing:
        raise NotCanonical(
            f"{len(changing)} of {n_files} {'is' if len(files) == 1 else 'are'} "
            "not in canonical form; run `fmt`"
        )
    done = "to be changed" if only_looks else "changed"
    print(f"{n_files}, {len(changing)} {done}")


def _deal_with(path: Path, formed: Formed, options: argparse.Namespace) -> None:
    if options.diff:
        sys.stdout.writelines(_difference(path.as_posix(), formed))
    elif options.check:
        print(path)
    if not (options.diff or options.check):
        writer.write_file(path, formed.after.encode())
        print(path)


def _difference(name: str, formed: Formed) -> Iterator[str]:
    before, after = formed.before.splitlines(), formed.after.splitlines()
    for line in difflib.unified_diff(before, after, name, f"{name} (canonical)", lineterm=""):
        yield f"{line}\n"
    if before == after:
        yield f"{name}: the same lines, with other ends of lines or marks before the first\n"


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    """Yield the files named, and those in the folders named; no symbolic links are followed."""
    for path in paths:
        if path.is_dir():
            yield from sorted(p for p in path.rglob("*.yaml") if p.is_file() and not _linked(p))
        else:
            yield path


def _linked(path: Path) -> bool:
    return path.is_symlink() or path.parent.is_symlink()
