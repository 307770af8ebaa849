"""Which files of the input folders count: all that somebody wrote, none of editors and systems."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

# Hidden files named after others (`.x.yaml.swp`, `.#x`, `._x`), backups, automatic saves and locks.
# Hidden files of web servers (`.htaccess`, `.well-known`, `.nojekyll`) are not among them.
_SCRATCH = re.compile(
    r"\.[#~_].*|\..+\..*|.*~|#.*#|~\$.*|.*\.(bak|orig|rej|swp|tmp)"
    r"|\.(git|idea|vscode|DS_Store|directory)|\.(goutputstream-|nfs|fuse_hidden).*"
    r"|4913|Thumbs\.db|desktop\.ini"  # vim looks whether it can write a file named 4913
)


def is_scratch(name: str) -> bool:
    """Whether a file or folder is one that text editors and systems make and nobody wrote."""
    return _SCRATCH.fullmatch(name) is not None


def input_files(folder: Path) -> Iterator[Path]:
    """Yield all files in a folder and the folders in it, links too, without scratch files.

    A file instead of a folder is yielded itself.
    """
    if folder.is_file():
        yield folder
    for here, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not is_scratch(name)]
        yield from (Path(here, name) for name in names if not is_scratch(name))
