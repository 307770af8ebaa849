"""A path comes in; the text of an ordinary file of ours goes out, or why it cannot be read.

Links, pipes and devices are refused unopened: a link could publish what lies outside of our
folders, and a pipe never ends.
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
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from edo.core.cache import Shelf
from edo.core.problems import EdoError

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


_LAST = "last"


class Stamp(NamedTuple):
    """Size [bytes], time of the last change [ns] and SHA-256 of a file."""

    size: int
    changed: int
    sha256: str


def stamp(path: Path, content: bytes) -> Stamp:
    """Return the stamp of a file that was just written."""
    return Stamp(len(content), path.stat().st_mtime_ns, hashlib.sha256(content).hexdigest())


def holds(path: Path, known: Stamp, content: bytes) -> bool:
    """Whether a file is untouched since it got its stamp, and held these bytes then."""
    if known.size != len(content) or known.sha256 != hashlib.sha256(content).hexdigest():
        return False
    try:
        about = path.lstat()
    except OSError:
        return False
    return _is_untouched(about, known)


def _is_untouched(about: os.stat_result, known: Stamp) -> bool:
    """Whether this is still the file; not where more than one name leads to it."""
    same = (about.st_size, about.st_mtime_ns) == (known.size, known.changed)
    return same and stat.S_ISREG(about.st_mode) and about.st_nlink == 1


def is_whole(out: Path, stamps: Mapping[str, Stamp], marker: str) -> bool:
    """Whether a folder holds just these files, untouched, and the marker."""
    left = dict(stamps)
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


def recall(shelf: Shelf) -> tuple[str, dict[str, Stamp]]:
    """Return the digest of the input of the last build, and the stamps of what it published."""
    kept = shelf.get(_LAST)
    if kept is None:
        return "", {}
    of, stamps = json.loads(kept)
    return of, {path: Stamp(*each) for path, each in stamps.items()}


def remember(shelf: Shelf, of: str, stamps: Mapping[str, Stamp]) -> None:
    """Keep for the next build what `recall` returns."""
    shelf.put(_LAST, json.dumps([of, stamps]).encode())


MARKER = ".edo-site"
"""The empty file by which a folder of ours is known; no other folder is ever replaced."""

CACHE_MARKER = "CACHEDIR.TAG"
"""The file by which a cache of ours is known, and left out by who makes copies for safety."""

_CACHE_TAG = b"Signature: 8a477f597d28d172789f06886806bc55\n"
"""Source: Cache Directory Tagging Specification, https://bford.info/cachedir/."""

_AT_FDCWD = -100  # from linux/fcntl.h: paths are seen from the working folder
_RENAME_EXCHANGE = 2  # from linux/fs.h


class WriteRefused(EdoError):
    """Writing would lose something or leave the output folder; nothing was touched."""


def publish(files: Iterable[tuple[str, bytes]], out: Path) -> int:
    """Write all files into a fresh folder, then put it in the place of `out`; return how many.

    See `republish`.
    """
    return len(republish(files, out, {}))


def republish(
    files: Iterable[tuple[str, bytes]], out: Path, before: Mapping[str, Stamp]
) -> dict[str, Stamp]:
    """Write all files into a fresh folder, then put it in the place of `out`; return their stamps.

    What `out` holds already, by the stamps of `before`, is not written again. Paths are relative,
    with `/`. Whatever happens before the last step leaves `out` as it was.
    Raises WriteRefused for a path outside of `out` or given twice (also where only the case of
    letters differs), for an `out` that exists and is not a site of ours, and while another build
    writes to the same `out`.
    """
    refuse_foreign(out)
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


def refuse_foreign(out: Path, *inputs: Path) -> None:
    """Raise WriteRefused where `publish` would: to be asked before a long calculation.

    Also where `out` is one of the folders of the input, lies in one, or holds one.
    """
    out = out.absolute()
    _refuse_overlap(out, inputs)
    if out.name in ("", "..") or (out.parent.exists() and not out.parent.is_dir()):
        raise WriteRefused(f"{out} cannot be made; give the name of a folder")
    if out.is_mount():
        raise WriteRefused(f"{out} is mounted and cannot be replaced; give a folder in it")
    _refuse_foreign(out)


def refuse_foreign_cache(folder: Path, *inputs: Path) -> None:
    """Raise WriteRefused where `folder` is a file or holds no cache, or overlaps the input."""
    _refuse_overlap(folder.absolute(), inputs)
    if not folder.exists() or (folder / CACHE_MARKER).is_file():
        return
    if not folder.is_dir() or any(folder.iterdir()):
        raise WriteRefused(f"{folder} holds something that is not a cache; give another folder")


def _refuse_overlap(folder: Path, inputs: Iterable[Path]) -> None:
    for each in inputs:
        here, there = folder.resolve(), each.resolve()
        if here.is_relative_to(there) or there.is_relative_to(here):
            raise WriteRefused(f"{folder} and the input in {each} overlap; give another folder")


def save(path: Path, content: bytes) -> None:
    """Write one file at once or not at all, making the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.fresh")
    try:
        fresh.write_bytes(content)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


def keep(files: Iterable[tuple[Path, bytes]]) -> None:
    """Write each file of a cache at once or not at all, if possible: a build can do without."""
    for path, content in files:
        with suppress(OSError):
            if not (marker := path.with_name(CACHE_MARKER)).exists():
                save(marker, _CACHE_TAG)
            save(path, content)


def _write_all(
    files: Iterable[tuple[str, bytes]], folder: Path, old: Path, before: Mapping[str, Stamp]
) -> dict[str, Stamp]:
    # Some file systems fold case: there the second of two such pages would overwrite the first.
    by_folded: dict[str, str] = {}
    stamps: dict[str, Stamp] = {}
    for path, content in files:
        _refuse_path(path)
        twin = by_folded.setdefault(path.casefold(), path)
        target = folder / path
        if twin != path or target.exists():
            raise WriteRefused(f"{path} would overwrite {twin}; give one of them another name")
        target.parent.mkdir(parents=True, exist_ok=True)
        known = before.get(path)
        if known is None or not holds(old / path, known, content) or not _linked(old, folder, path):
            target.write_bytes(content)
            known = stamp(target, content)
        stamps[path] = known
    return stamps


def _linked(old: Path, folder: Path, path: str) -> bool:
    """Give a file of the old folder a second name in the new one; False where that cannot be.

    The first name soon goes with its folder, so nobody who changes a page changes two.
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
    """Refuse to replace anything but nothing, an empty folder or a site of ours."""
    if out.is_symlink():
        raise WriteRefused(f"{out} is a symbolic link; give the folder itself")
    if (out / ".git").exists():
        raise WriteRefused(f"{out} holds a repository, which would be lost; give another folder")
    if not out.exists() or (out / MARKER).is_file():
        return
    if not out.is_dir():
        raise WriteRefused(f"{out} is a file; give the name of a folder")
    if any(out.iterdir()):
        raise WriteRefused(
            f"{out} holds something that is not a site of ours; "
            f"give another folder, or put an empty file {MARKER} into it if it may be replaced"
        )


@contextmanager
def _only_writer(out: Path) -> Iterator[None]:
    """Hold the lock file beside `out`; the system lets go of it even where a build is killed."""
    path = out.with_name(f".{out.name}.lock")
    if path.exists() and (not path.is_file() or path.stat().st_size):
        raise WriteRefused(f"{path} stands where a build puts its lock; move it away")
    lock = os.open(path, os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW, 0o644)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # A build that just ended may have removed the file which this lock is on.
        if not path.exists() or not os.path.samestat(os.fstat(lock), path.stat()):
            raise BlockingIOError
    except BlockingIOError:
        os.close(lock)
        raise WriteRefused(f"another build writes to {out}; wait until it is done") from None
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(lock)


def _clear_up(out: Path, fresh: Path, old: Path) -> None:
    """Undo what a killed build left: half a site, or the site moved aside and not yet replaced."""
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
    """Swap two folders in one step; return False where this system cannot."""
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
        # The marker goes last: what a killed build left half removed is still known as ours.
        for path in folder.iterdir():
            if path.name != MARKER:
                _remove(path)
        shutil.rmtree(folder)
