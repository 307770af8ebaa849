"""The command `fmt`: bring event files and registries into canonical form."""

from __future__ import annotations

import argparse
import difflib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from edo.commands.arguments import add_events_option
from edo.core import files as writer
from edo.core import formats, yaml
from edo.core.files import input_files
from edo.core.problems import EdoError, InputError
from edo.history import canonical, published_ids
from edo.history.canonical import Formed
from edo.history.dataset import read_partially


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

    Raises InputError with all errors in the files; then none is written. Raises EdoError where one
    of the files to check is not in canonical form, or was saved by somebody while it was read.
    """
    files = list(_files(options.files or [options.events]))
    if gone := [path.as_posix() for path in files if not path.exists()]:
        raise EdoError(f"there is no file or folder {', '.join(gone)}; name existing files")
    formed = {path: canonical.form(path, path.as_posix()) for path in files}
    if not options.files:
        formed |= _published_ids(options.events)
    problems = [problem for one in formed.values() for problem in one.problems]
    changing = {path: one for path, one in formed.items() if one.changes}
    only_looks = options.check or options.diff
    if problems and not only_looks:
        raise InputError(problems)
    saved: list[str] = []
    for path, form in changing.items():
        if options.diff:
            sys.stdout.writelines(_difference(path.as_posix(), form))
            continue
        try:
            if not options.check:
                writer.replace_files({path: writer.Replacement(form.before, form.after)})
        except writer.SavedMeanwhile as left:
            saved.append(str(left))
        else:
            print(path)
    if saved:
        raise EdoError("\n".join(saved))
    if problems:
        raise InputError(problems)
    counted = formats.counted(len(formed), "file")
    if options.check and changing:
        verb = "is" if len(formed) == 1 else "are"
        message = f"{len(changing)} of {counted} {verb} not in canonical form"
        raise EdoError(f"{message}; run `fmt`")
    print(f"{counted}, {len(changing)} {'to be changed' if only_looks else 'changed'}")


def _published_ids(events: Path) -> dict[Path, Formed]:
    """Return the list of published ids with all new ones, if there is one and no error."""
    path = events / published_ids.FILE
    if not path.is_file():
        return {}
    before, problems = yaml.read_text(path, path.as_posix())
    if before is None:
        return {path: Formed("", "", tuple(problems))}
    reading = read_partially(events)
    after = published_ids.with_new_ids(reading.dataset, before) if reading.is_whole else before
    return {path: Formed(before, after)}


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
            for file in sorted(input_files(path)):
                if file.suffix == ".yaml" and file.is_file() and not file.is_symlink():
                    yield file
        else:
            yield path
