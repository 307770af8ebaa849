"""Folders as they were at a git revision, in a temporary folder."""

from __future__ import annotations

import io
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from edo.core.problems import EdoError


@contextmanager
def folder_at(revision: str, folder: Path) -> Iterator[Path]:
    """Extract `folder` as of a revision to a temporary folder, deleted at the end of the block.

    Raises EdoError if there is no repository, no such revision, or no such folder in it.
    """
    commit = resolve(revision, folder)
    # Run in the parent folder, git finds the repository whatever the working directory is.
    archived = _git(["archive", "--format=tar", commit, "--", folder.name], folder.parent)
    if archived is None:
        raise EdoError(f"the revision {revision!r} has no folder {folder}; name one with --events")
    with tempfile.TemporaryDirectory(prefix="edo-") as scratch:
        try:
            with tarfile.open(fileobj=io.BytesIO(archived)) as archive:
                archive.extractall(scratch, filter="data")
        except tarfile.TarError as error:  # for example a link that leads out of the folder
            raise EdoError(f"{folder} at the revision {revision!r}: {error}") from error
        yield Path(scratch) / folder.name


def resolve(revision: str, folder: Path) -> str:
    """Return the commit hash of a revision. Raises EdoError if there is none."""
    if _git(["rev-parse", "--git-dir"], folder.parent) is None:
        raise EdoError(
            f"{revision!r} is not a folder of events, and there is no git repository here"
        )
    # Without --end-of-options a revision that starts with a hyphen would be an option.
    arguments = ["rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"]
    output = None if "\0" in revision else _git(arguments, folder.parent)
    if output is None:
        raise EdoError(
            f"{revision!r} is neither a folder of events nor a git revision; "
            "name one, like `events`, `main` or `HEAD~3`"
        )
    return output.decode().strip()


def has_uncommitted(folder: Path) -> bool:
    """Whether the folder has changes that are not committed."""
    arguments = ["status", "--porcelain", "--untracked-files=normal", "--", folder.name]
    return bool(_git(arguments, folder.parent))


def _git(arguments: Sequence[str], working_folder: Path) -> bytes | None:
    """Return the output of git, None if it fails. Raises EdoError if git is not installed."""
    try:
        finished = subprocess.run(
            ["git", "-C", str(working_folder), *arguments], capture_output=True, check=False
        )
    except FileNotFoundError:
        raise EdoError("git is not installed; name folders of events") from None
    return finished.stdout if finished.returncode == 0 else None
