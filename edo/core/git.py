"""A git revision in, the folder of events as it was then out, in a place that goes away again."""

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
    """Give what `folder` of this repository held at a revision, as long as the block runs.

    Raises EdoError where there is no repository, no such revision or no such folder in it.
    """
    commit = resolve(revision, folder)
    # With the path of a folder above it git finds the repository, wherever we were started.
    packed = _git(["archive", "--format=tar", commit, "--", folder.name], folder.parent)
    if packed is None:
        raise EdoError(f"the revision {revision!r} has no folder {folder}; name one with --events")
    with tempfile.TemporaryDirectory(prefix="edo-") as place:
        try:
            with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
                archive.extractall(place, filter="data")
        except tarfile.TarError as error:  # a link that leads out of the folder, for one
            raise EdoError(f"{folder} at the revision {revision!r}: {error}") from error
        yield Path(place) / folder.name


def resolve(revision: str, folder: Path) -> str:
    """Return the hash of the commit that a revision means. Raises EdoError for no such one."""
    if _git(["rev-parse", "--git-dir"], folder.parent) is None:
        raise EdoError(
            f"{revision!r} is neither a built site nor a folder of events, and there is no git "
            "repository here in which it could be a revision"
        )
    # What begins with a hyphen would be an option.
    asked = ["rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"]
    found = None if "\0" in revision else _git(asked, folder.parent)
    if found is None:
        raise EdoError(
            f"{revision!r} is neither a built site, nor a folder of events, nor a git revision; "
            "name one, like `site`, `events`, `main` or `HEAD~3`"
        )
    return found.decode().strip()


def has_uncommitted(folder: Path) -> bool:
    """Whether the folder holds changes that no revision has yet."""
    asked = ["status", "--porcelain", "--untracked-files=normal", "--", folder.name]
    return bool(_git(asked, folder.parent))


def _git(arguments: Sequence[str], place: Path) -> bytes | None:
    """Return what git says, None where it refuses; raises EdoError where there is no git."""
    try:
        done = subprocess.run(
            ["git", "-C", str(place), *arguments], capture_output=True, check=False
        )
    except FileNotFoundError:
        raise EdoError("git is not installed; name built sites or folders of events") from None
    return done.stdout if done.returncode == 0 else None
