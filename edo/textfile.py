"""A path comes in; the text of an ordinary file of ours goes out, or why it cannot be read.

Links, pipes and devices are refused unopened: a link could publish what lies outside of our
folders, and a pipe never ends.
"""

from __future__ import annotations

import stat
from pathlib import Path

MAX_BYTES = 1_000_000  # [bytes] seventy times the largest file of the first 800


class Unreadable(ValueError):
    """A file that cannot be read: the line, and `finding` and `remedy` for people."""

    def __init__(self, line: int, finding: str, remedy: str) -> None:
        super().__init__(f"{finding}; {remedy}")
        self.line, self.finding, self.remedy = line, finding, remedy


def read(path: Path) -> str:
    """Return the text of a UTF-8 file; raises Unreadable."""
    try:
        about = path.lstat()
        if not stat.S_ISREG(about.st_mode):
            raise Unreadable(1, "not an ordinary file", "put the file itself here")
        if about.st_size > MAX_BYTES:
            raise Unreadable(
                1, f"the file is larger than {MAX_BYTES:,} bytes", "split it into several files"
            )
        raw = path.read_bytes()
    except OSError as error:
        raise Unreadable(1, f"the file cannot be read ({error.strerror})", "check it") from None
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise Unreadable(line, "the text is not UTF-8", "save the file as UTF-8") from None
