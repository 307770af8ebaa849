"""Which files of the input folders count: all that somebody wrote, none of editors and systems."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

_OF_SYSTEM = re.compile(r"\._.*|\.DS_Store|\.directory|Thumbs\.db|desktop\.ini")
# Hidden files named after others (`.x.yaml.swp`, `.#x`), backups, automatic saves and locks.
# Hidden files of web servers (`.htaccess`, `.well-known`, `.nojekyll`) are not among them.
_OF_EDITORS = re.compile(
    r"\.[#~].*|\..+\..*|.*~|#.*#|~\$.*|.*\.(bak|orig|rej|swp|tmp)|\.(git|idea|vscode)"
    r"|\.(goutputstream-|nfs|fuse_hidden).*|4913"  # vim tries whether it can write a file 4913
)


def is_scratch(name: str) -> bool:
    """Whether a file or folder is one that text editors and systems make and nobody wrote."""
    return _OF_EDITORS.fullmatch(name) is not None or is_of_system(name)


def is_of_system(name: str) -> bool:
    """Whether a file is one that systems put into folders that somebody looks at."""
    return _OF_SYSTEM.fullmatch(name) is not None


def input_files(folder: Path) -> Iterator[Path]:
    """Yield all files in a folder and the folders in it, links too, without scratch files.

    A file instead of a folder is yielded itself.
    """
    if folder.is_file():
        yield folder
    for here, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not is_scratch(name)]
        yield from (Path(here, name) for name in names if not is_scratch(name))
