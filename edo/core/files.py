"""Reading input files, and replacing the published folder in one step: the only code that writes.

Links, pipes and devices are refused unopened: a link could publish what lies outside the input
folders, and a pipe never ends. The swap of folders is written here because no library does it
safely: a build that fails or is killed leaves the published folder as it was.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import hashlib
import json
import os
import shutil
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import NamedTuple

from edo.core.cache import Section
from edo.core.problems import EdoError

MAX_BYTES = 1_000_000  # [bytes] seventy times the largest file of the first 800


class Unreadable(ValueError):
    """A file that cannot be read: the line, a message and a hint."""

    def __init__(self, line: int, message: str, hint: str) -> None:
        super().__init__(f"{message}; {hint}")
        self.line, self.message, self.hint = line, message, hint


def read_text(path: Path) -> str:
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


class FileState(NamedTuple):
    """Size [bytes], time of the last change [ns] and SHA-256 of a published file."""

    size: int
    changed: int
    sha256: str


def file_state(path: Path, content: bytes) -> FileState:
    """Return the state of a file that was just written."""
    return FileState(len(content), path.stat().st_mtime_ns, hashlib.sha256(content).hexdigest())


def is_unchanged(path: Path, known: FileState, content: bytes) -> bool:
    """Whether a file is as it was in that state, with these bytes."""
    if known.size != len(content) or known.sha256 != hashlib.sha256(content).hexdigest():
        return False
    try:
        about = path.lstat()
    except OSError:
        return False
    return _is_untouched(about, known)


def _is_untouched(about: os.stat_result, known: FileState) -> bool:
    """Whether a file is unchanged; never so for one with several hard links."""
    same = (about.st_size, about.st_mtime_ns) == (known.size, known.changed)
    return same and stat.S_ISREG(about.st_mode) and about.st_nlink == 1


def is_intact(out: Path, states: Mapping[str, FileState], marker: str) -> bool:
    """Whether a folder has exactly these files, unchanged, and the marker."""
    left = dict(states)
    for path, entry in _files(out, ""):
        known = left.pop(path, None)
        about = entry.stat(follow_symlinks=False)
        is_marker = path == marker and about.st_size == 0
        if not is_marker and (known is None or not _is_untouched(about, known)):
            return False
    return not left and (out / marker).is_file()


def _files(folder: Path, prefix: str) -> Iterator[tuple[str, os.DirEntry[str]]]:
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                path = prefix + entry.name
                if entry.is_dir(follow_symlinks=False):
                    yield from _files(folder / entry.name, path + "/")
                else:
                    yield path, entry
    except OSError:
        return


def load_manifest(section: Section) -> tuple[str, dict[str, FileState]]:
    """Return the digest of the last build's input, and the states of the files it published."""
    kept = section.get("last")
    if kept is None:
        return "", {}
    digest_of_input, states = json.loads(kept)
    return digest_of_input, {path: FileState(*each) for path, each in states.items()}


def save_manifest(section: Section, digest_of_input: str, states: Mapping[str, FileState]) -> None:
    """Keep what `load_manifest` returns for the next build."""
    section.put("last", json.dumps([digest_of_input, states]).encode())


MARKER = ".edo-site"
"""The empty file that marks a folder made by this program; no other folder is ever replaced."""

CACHE_MARKER = "CACHEDIR.TAG"
"""The file that marks a cache folder; backup programs leave such folders out."""

_CACHE_TAG = b"Signature: 8a477f597d28d172789f06886806bc55\n"
"""Source: Cache Directory Tagging Specification, https://bford.info/cachedir/."""

_AT_FDCWD = -100  # from linux/fcntl.h: paths are relative to the working folder
_RENAME_EXCHANGE = 2  # from linux/fs.h


class WriteRefused(EdoError):
    """Writing would destroy something or leave the output folder; nothing was changed."""


def publish(
    files: Iterable[tuple[str, bytes]],
    out: Path,
    before: Mapping[str, FileState] = MappingProxyType({}),
) -> dict[str, FileState]:
    """Write all files into a new folder, then swap it with `out`; return the files' states.

    Files that `out` has already, according to the states of `before`, are not written again. Paths
    are relative, with `/`. Any failure before the swap leaves `out` as it was.
    Raises WriteRefused for a path outside `out` or given twice (also if only upper and lower case
    differ), for an `out` that exists and was not made by this program, and while another build
    writes to the same `out`.
    """
    check_output(out)
    out = out.absolute()
    out.parent.mkdir(parents=True, exist_ok=True)
    fresh, old = out.with_name(f".{out.name}.fresh"), out.with_name(f".{out.name}.old")
    with _only_writer(out):
        for folder in (out, fresh, old):
            _refuse_foreign(folder)
        _clear_up(out, fresh, old)
        try:
            fresh.mkdir()
            (fresh / MARKER).touch()
            written = _write_all(files, fresh, out, before)
            _put_in_place(fresh, out, old)
        finally:
            _remove(fresh)
            _remove(old)
    return written


def check_output(out: Path, *inputs: Path) -> None:
    """Raise WriteRefused where `publish` would, before a long calculation begins.

    Also where `out` is one of the input folders, lies in one, or contains one.
    """
    out = out.absolute()
    _refuse_overlap(out, inputs)
    if out.name in ("", "..") or (out.parent.exists() and not out.parent.is_dir()):
        raise WriteRefused(f"{out} cannot be made; give the name of a folder")
    if out.is_mount():
        raise WriteRefused(f"{out} is mounted and cannot be replaced; give a folder in it")
    _refuse_foreign(out)


def check_cache(folder: Path, *inputs: Path) -> None:
    """Raise WriteRefused where `folder` is not a cache, or overlaps the input."""
    _refuse_overlap(folder.absolute(), inputs)
    if not folder.exists() or (folder / CACHE_MARKER).is_file():
        return
    if not folder.is_dir() or any(folder.iterdir()):
        raise WriteRefused(f"{folder} contains something that is not a cache; give another folder")


def _refuse_overlap(folder: Path, inputs: Iterable[Path]) -> None:
    for each in inputs:
        here, there = folder.resolve(), each.resolve()
        if here.is_relative_to(there) or there.is_relative_to(here):
            raise WriteRefused(f"{folder} and the input in {each} overlap; give another folder")


def write_file(path: Path, content: bytes) -> None:
    """Write one file atomically, and make the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.fresh")
    try:
        fresh.write_bytes(content)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


def replace_files(contents: Mapping[Path, bytes | None], check: Callable[[], object]) -> None:
    """Write all files, remove those of None, and check; if anything fails, put all back."""
    before = {path: path.read_bytes() if path.exists() else None for path in contents}
    made = [path.parent for path in contents if not path.parent.exists()]
    try:
        _put(contents)
        check()
    except BaseException:
        _put(before)
        for folder in made:
            with suppress(OSError):
                folder.rmdir()
        raise


def _put(contents: Mapping[Path, bytes | None]) -> None:
    for path, content in contents.items():
        if content is None:
            path.unlink(missing_ok=True)
        else:
            write_file(path, content)


def write_cache(files: Iterable[tuple[Path, bytes]]) -> None:
    """Write each file of a cache atomically; failures are ignored, for a cache is optional."""
    for path, content in files:
        with suppress(OSError):
            if not (marker := path.with_name(CACHE_MARKER)).exists():
                write_file(marker, _CACHE_TAG)
            write_file(path, content)


def _write_all(
    files: Iterable[tuple[str, bytes]], folder: Path, old: Path, before: Mapping[str, FileState]
) -> dict[str, FileState]:
    # On file systems that ignore case, the second of two such pages would overwrite the first.
    by_folded: dict[str, str] = {}
    states: dict[str, FileState] = {}
    for path, content in files:
        _refuse_path(path)
        twin = by_folded.setdefault(path.casefold(), path)
        target = folder / path
        if twin != path or target.exists():
            raise WriteRefused(f"{path} would overwrite {twin}; give one of them another name")
        target.parent.mkdir(parents=True, exist_ok=True)
        known = before.get(path)
        if (
            known is None
            or not is_unchanged(old / path, known, content)
            or not _linked(old, folder, path)
        ):
            target.write_bytes(content)
            known = file_state(target, content)
        states[path] = known
    return states


def _linked(old: Path, folder: Path, path: str) -> bool:
    """Hard-link a file of the old folder into the new one; return False where that is impossible.

    The old folder is soon removed, so that editing a published page changes no other.
    """
    try:
        os.link(old / path, folder / path, follow_symlinks=False)
    except OSError:
        return False
    return True


def _refuse_path(path: str) -> None:
    parts = PurePosixPath(path).parts
    plain = bool(parts) and path == "/".join(parts) and not {"..", "/"} & set(parts)
    if not plain or "\\" in path or "\0" in path or path.casefold() == MARKER:
        raise WriteRefused(f"{path!r} is not a path inside the site; write it like players/a.html")


def _refuse_foreign(out: Path) -> None:
    """Refuse to replace anything but an empty folder or a folder made by this program."""
    if out.is_symlink():
        raise WriteRefused(f"{out} is a symbolic link; give the folder itself")
    if (out / ".git").exists():
        raise WriteRefused(
            f"{out} contains a git repository, which would be lost; give another folder"
        )
    if not out.exists() or (out / MARKER).is_file():
        return
    if not out.is_dir():
        raise WriteRefused(f"{out} is a file; give the name of a folder")
    if any(out.iterdir()):
        raise WriteRefused(
            f"{out} contains files that this program did not make; "
            f"give another folder, or put an empty file {MARKER} into it if it may be replaced"
        )


@contextmanager
def _only_writer(out: Path) -> Iterator[None]:
    """Hold the lock file next to `out`; the system releases it even if the build is killed."""
    path = out.with_name(f".{out.name}.lock")
    if path.exists() and (not path.is_file() or path.stat().st_size):
        raise WriteRefused(f"{path} is where a build puts its lock; move it away")
    lock = os.open(path, os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW, 0o644)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # A build that just ended may have removed the locked file.
        if not path.exists() or not os.path.samestat(os.fstat(lock), path.stat()):
            raise BlockingIOError
    except BlockingIOError:
        os.close(lock)
        raise WriteRefused(
            f"another build is writing to {out}; wait until it has finished"
        ) from None
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(lock)


def _clear_up(out: Path, fresh: Path, old: Path) -> None:
    """Undo what a killed build left: a partial site, or a site moved aside and not replaced."""
    if old.is_dir() and not out.exists():
        old.rename(out)
    _remove(fresh)
    _remove(old)


def _put_in_place(fresh: Path, out: Path, old: Path) -> None:
    """Make `fresh` the folder `out`; what was there before ends up in `fresh` or `old`."""
    if not out.exists():
        fresh.rename(out)
    elif not _exchange(fresh, out):
        out.rename(old)
        try:
            fresh.rename(out)
        except OSError:
            old.rename(out)
            raise


def _exchange(first: Path, second: Path) -> bool:
    """Swap two folders atomically; return False where this system cannot."""
    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if rename is None:
        return False
    names = (_AT_FDCWD, os.fsencode(first), _AT_FDCWD, os.fsencode(second))
    if rename(*names, _RENAME_EXCHANGE) == 0:
        return True
    error = ctypes.get_errno()
    if error in (errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP):
        return False
    raise OSError(error, os.strerror(error), str(second))


def _remove(folder: Path) -> None:
    if folder.is_symlink() or folder.is_file():
        folder.unlink()
    elif folder.exists():
        # The marker goes last, so that a half-removed folder is still recognised as removable.
        for path in folder.iterdir():
            if path.name != MARKER:
                _remove(path)
        shutil.rmtree(folder)
