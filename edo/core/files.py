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
import re
import shutil
import stat
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from edo.core.problems import EdoError

MAX_BYTES = 1_000_000  # [bytes] seventy times the largest file of the first 800

_OF_SYSTEM = re.compile(r"\._.*|\.DS_Store|\.directory|Thumbs\.db|desktop\.ini")
# Hidden files named after others (`.x.yaml.swp`, `.#x`), backups, automatic saves and locks.
# Hidden files of web servers (`.htaccess`, `.well-known`, `.nojekyll`) are not among them.
_OF_EDITORS = re.compile(
    r"\.[#~].*|\..+\..*|.*~|#.*#|~\$.*|.*\.(bak|orig|rej|swp|tmp)|\.(git|idea|vscode)"
    r"|\.(goutputstream-|nfs|fuse_hidden).*|4913"  # vim tries whether it can write a file 4913
    r"|__pycache__"  # Python puts it beside every module that somebody imports
)
LINKED, PUT_HERE = "a link to a folder", "put the folder itself here"
_CONFLICT = re.compile(rb"^(<{7}|>{7}) ", re.MULTILINE)


def is_scratch(name: str) -> bool:
    """Whether a file or folder is one that text editors and systems make and nobody wrote."""
    return _OF_EDITORS.fullmatch(name) is not None or is_of_system(name)


def is_of_system(name: str) -> bool:
    """Whether a file is one that systems put into folders that somebody looks at."""
    return _OF_SYSTEM.fullmatch(name) is not None


def input_files(folder: Path) -> Iterator[Path]:
    """Yield all files in a folder and the folders in it, links too, without scratch files.

    A file instead of a folder is yielded itself, and so is a link to a folder, which is not
    entered: `ordinary` refuses it.
    """
    if folder.is_file() or folder.is_symlink():
        yield folder
        return
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not is_scratch(name)]
        links = (name for name in folders if Path(parent, name).is_symlink())
        yield from (Path(parent, name) for name in (*names, *links) if not is_scratch(name))


def ordinary(path: Path) -> Path:
    """Return a path; raises EdoError where it is not that of an ordinary file."""
    if path.is_symlink() and path.is_dir():
        raise EdoError(f"{path}: {LINKED}; {PUT_HERE}")
    if path.is_symlink() or not path.is_file():
        raise EdoError(f"{path}: not an ordinary file; put the file itself here")
    return path


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
            message = f"the file is larger than {MAX_BYTES:,} bytes"
            raise Unreadable(1, message, "split it into several files")
        raw = path.read_bytes()
    except OSError as error:
        raise Unreadable(1, f"the file cannot be read ({error.strerror})", "check it") from None
    if conflict := _CONFLICT.search(raw):
        hint = "keep what is right of both versions, and delete the lines that git added"
        raise Unreadable(
            raw.count(b"\n", 0, conflict.start()) + 1, "an unresolved merge conflict", hint
        )
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


def is_unchanged(path: Path, state: FileState, content: bytes) -> bool:
    """Whether a file is as it was in that state, with these bytes."""
    if state.size != len(content) or state.sha256 != hashlib.sha256(content).hexdigest():
        return False
    try:
        about = path.lstat()
    except OSError:
        return False
    return _is_untouched(about, state)


def _is_untouched(about: os.stat_result, state: FileState) -> bool:
    """Whether a file is unchanged; never so for one with several hard links."""
    same = (about.st_size, about.st_mtime_ns) == (state.size, state.changed)
    return same and stat.S_ISREG(about.st_mode) and about.st_nlink == 1


def is_intact(out: Path, states: Mapping[str, FileState], marker: str) -> bool:
    """Whether a folder has exactly these files, unchanged, and the marker."""
    missing = dict(states)
    for path, entry in _files(out, ""):
        state = missing.pop(path, None)
        about = entry.stat(follow_symlinks=False)
        if path != marker and (state is None or not _is_untouched(about, state)):
            return False
    return not missing and (out / marker).is_file()


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


MARKER, DRAFTS_MARKER = ".edo-site", ".edo-drafts"
"""The files that mark a site and a folder of drafts; no other folder is ever replaced.

Each lists the files that the program wrote there, as `sha256sum` does, so that those of a person
are known from them. An empty one says that everything may be replaced.
"""

_MADE = {
    MARKER: (
        "a site",
        "files that no build made",
        "move them into `static/` of the project, which is copied into the site, or away",
    ),
    DRAFTS_MARKER: (
        "drafts",
        "drafts that were edited or added since the import",
        "move them away, or give another folder",
    ),
}
_NAMED = 5  # files that a message names

_AT_FDCWD = -100  # from linux/fcntl.h: paths are relative to the working folder
_RENAME_EXCHANGE = 2  # from linux/fs.h


_REASONS = {
    errno.ENOSPC: ("the disk is full", "free some space, or write to another disk"),
    errno.EROFS: ("the disk is read-only", "write to another folder"),
    errno.EACCES: ("you have no permission", "ask for it, or write to another folder"),
    errno.EFBIG: ("the file is larger than the limit", "raise it (`ulimit -f unlimited`)"),
}
"""Why files cannot be written, and what helps."""


class WriteRefused(EdoError):
    """Writing would destroy something or leave the output folder; nothing was changed."""


class WriteFailed(EdoError):
    """The system cannot write; what was there before is unchanged."""


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Raise WriteFailed, with the path, the reason and a remedy, for an error of the system."""
    try:
        yield
    except OSError as error:
        reason, remedy = _REASONS.get(
            error.errno or 0, (error.strerror or str(error), "give another path")
        )
        raise WriteFailed(f"{path} cannot be written: {reason}; {remedy}") from error


def publish(
    files: Iterable[tuple[str, bytes | FileState]],
    out: Path,
    before: Mapping[str, FileState] = MappingProxyType({}),
    marker: str = MARKER,
) -> dict[str, FileState]:
    """Write all files into a new folder, then swap it with `out`; return the files' states.

    A file comes with its state instead of its bytes where `writer` wrote it already, in this or
    another process. Files that `out` has already, according to the states of `before`, are not
    written again. Paths are relative, with `/`. Any failure before the swap leaves `out` as it was.
    Raises WriteRefused for a path outside `out` or given twice (also if only upper and lower case
    differ), for an `out` that exists and has anything that this program did not write there under
    the same `marker`, and while another build writes to the same `out`; WriteFailed where the
    system cannot write.
    """
    _check_place(out, marker)
    out = out.absolute()
    with _writing(out):
        out.parent.mkdir(parents=True, exist_ok=True)
    fresh, old = _fresh(out), out.with_name(f".{out.name}.old")
    with _only_writer(out):
        for folder in (out, fresh, old):
            _refuse_foreign(folder, marker)
        _refuse_others(out, marker)
        with _writing(out):
            _clear_up(out, fresh, old, marker)
        try:
            with _writing(out):
                fresh.mkdir()
                (fresh / marker).touch()
            written = _write_all(files, writer(out, before))
            _refuse_others(out, marker)  # perhaps saved there meanwhile
            with _writing(out):
                (fresh / marker).write_bytes(os.fsencode(_listed(written)))
                _put_in_place(fresh, out, old)
        finally:
            if isinstance(files, Generator):
                files.close()
            _remove(fresh, marker)
            _remove(old, marker)
    return written


def check_output(out: Path, *inputs: Path, marker: str = MARKER) -> None:
    """Raise WriteRefused where `publish` would, before a long calculation begins.

    Also where `out` is one of the input folders, lies in one, or contains one.
    """
    _refuse_overlap(out.absolute(), inputs)
    _check_place(out, marker)
    _refuse_others(out, marker)


def _check_place(out: Path, marker: str) -> None:
    out = out.absolute()
    if out.name in ("", "..") or (out.parent.exists() and not out.parent.is_dir()):
        raise WriteRefused(f"{out} cannot be made; give the name of a folder")
    if out.is_mount():
        raise WriteRefused(f"{out} is mounted and cannot be replaced; give a folder in it")
    _refuse_foreign(out, marker)


def check_writable(out: Path) -> None:
    """Raise WriteFailed where `out` cannot be replaced, before a long calculation begins."""
    parent = next(folder for folder in out.absolute().parents if folder.is_dir())
    inside = (Path(here, name) for here, names, _ in os.walk(out) for name in ("", *names))
    for path, folder in ((out, parent), *((path_inside, path_inside) for path_inside in inside)):
        if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
            read_only = os.statvfs(folder).f_flag & os.ST_RDONLY
            with _writing(path):
                raise OSError(errno.EROFS if read_only else errno.EACCES, "")


def _refuse_overlap(folder: Path, inputs: Iterable[Path]) -> None:
    for input_folder in inputs:
        output, source = folder.resolve(), input_folder.resolve()
        if output.is_relative_to(source) or source.is_relative_to(output):
            raise WriteRefused(
                f"{folder} and the input in {input_folder} overlap; give another folder"
            )


def write_file(path: Path, content: bytes) -> None:
    """Write one file atomically, and make the folders above it; raises WriteFailed."""
    write_files({path: content})


def write_files(files: Mapping[Path, bytes]) -> None:
    """Write files, each atomically and none before there is room for all; raises WriteFailed."""
    with _beside(files) as fresh:
        for path in files:
            with _writing(path):
                fresh[path].replace(path)


@contextmanager
def _beside(files: Mapping[Path, bytes]) -> Iterator[Mapping[Path, Path]]:
    """Write files beside those that they will replace, and remove those that were not used."""
    fresh = {path: path.with_name(f".{path.name}.fresh") for path in files}
    try:
        for path, content in files.items():
            with _writing(path):
                path.parent.mkdir(parents=True, exist_ok=True)
                fresh[path].write_bytes(content)
        yield fresh
    finally:
        for path in fresh.values():
            with suppress(OSError):
                path.unlink(missing_ok=True)


class Replacement(NamedTuple):
    """What a file said when it was read, and what it is to say; None where there is no file."""

    before: str | None
    after: str | None


class SavedMeanwhile(EdoError):
    """Somebody saved a file after it was read; the file is as it was saved."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} was saved by somebody else meanwhile; run the command again")


def replace_files(
    replacements: Mapping[Path, Replacement], check: Callable[[], object] = lambda: None
) -> None:
    """Replace files that somebody may edit, and check; if anything fails, put all back.

    Files are removed where nothing comes after. Each is compared with what was read just before it
    is replaced or put back, so that nothing is lost that was saved meanwhile. Raises
    SavedMeanwhile.
    """
    new_folders = [path.parent for path in replacements if not path.parent.exists()]
    try:
        _put(replacements)
        check()
    except BaseException:
        for path, (before, after) in replacements.items():
            with suppress(SavedMeanwhile):  # not replaced yet, or saved since
                _put({path: Replacement(after, before)})
        for folder in new_folders:
            with suppress(OSError):
                folder.rmdir()
        raise


def _put(replacements: Mapping[Path, Replacement]) -> None:
    """Replace files, none before there is room for all."""
    written = {path: one.after.encode() for path, one in replacements.items()
               if one.after is not None}  # fmt: skip
    with _beside(written) as fresh:
        for path, replaced in replacements.items():
            if _text_of(path) != replaced.before:
                raise SavedMeanwhile(path)
            with _writing(path):
                if path in fresh:
                    fresh[path].replace(path)
                else:
                    path.unlink(missing_ok=True)


def _text_of(path: Path) -> str | None:
    """Return the text of a file as `read_text` reads it, None where there is none."""
    try:
        return path.read_bytes().decode("utf-8-sig", "surrogateescape")
    except FileNotFoundError:
        return None


def read_states(record: Path) -> tuple[str, dict[str, FileState]]:
    """Return the key of the last build and the states of the files that it published.

    An empty key and no files where there is no record, or only a damaged one.
    """
    try:
        key, states = json.loads(record.read_bytes())
        return str(key), {path: FileState(*state) for path, state in states.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return "", {}


def write_states(record: Path, key: str, states: Mapping[str, FileState]) -> None:
    """Write what `read_states` returns; a failure is ignored, for the next build can do without."""
    with suppress(WriteFailed):
        write_file(record, json.dumps([key, states]).encode())


def _fresh(out: Path) -> Path:
    return out.with_name(f".{out.name}.fresh")


def _write_all(
    files: Iterable[tuple[str, bytes | FileState]], write: Callable[[str, bytes], FileState]
) -> dict[str, FileState]:
    # On file systems that ignore case, the second of two such pages would overwrite the first.
    by_folded: dict[str, str] = {}
    states: dict[str, FileState] = {}
    for path, content in files:
        twin = by_folded.setdefault(path.casefold(), path)
        if twin != path:
            raise WriteRefused(f"{path} would overwrite {twin}; give one of them another name")
        states[path] = content if isinstance(content, FileState) else write(path, content)
    return states


def writer(
    out: Path, before: Mapping[str, FileState] = MappingProxyType({})
) -> Callable[[str, bytes], FileState]:
    """Return what writes a file of the folder that `publish`, meanwhile, prepares for `out`."""
    old = out.absolute()
    folder = _fresh(old)
    folders: set[Path] = set()

    def write(path: str, content: bytes) -> FileState:
        check_path(path)
        state, target = before.get(path), folder / path
        with _writing(old / path):
            if target.parent not in folders:
                target.parent.mkdir(parents=True, exist_ok=True)
                folders.add(target.parent)
            if (
                state is None
                or not is_unchanged(old / path, state, content)
                or not _linked(old, folder, path)
            ):
                state = _written(target, path, content)
        return state

    return write


def _written(target: Path, path: str, content: bytes) -> FileState:
    """Write a new file; return its state."""
    try:
        file = target.open("xb")
    except FileExistsError:  # perhaps a link to a file of the old folder
        raise WriteRefused(
            f"{path} would overwrite {path}; give one of them another name"
        ) from None
    with file:
        file.write(content)
        file.flush()
        changed = os.fstat(file.fileno()).st_mtime_ns
    return FileState(len(content), changed, hashlib.sha256(content).hexdigest())


def _linked(old: Path, folder: Path, path: str) -> bool:
    """Hard-link a file of the old folder into the new one; return False where that is impossible.

    The old folder is soon removed, so that editing a published page changes no other.
    """
    try:
        os.link(old / path, folder / path, follow_symlinks=False)
    except OSError:
        return False
    return True


def check_path(path: str) -> None:
    """Raise WriteRefused for what is not a path inside a site."""
    plain = {"", ".", ".."}.isdisjoint(path.split("/"))
    if not plain or not {"\\", "\0", "\n"}.isdisjoint(path) or path.casefold() in _MADE:
        raise WriteRefused(f"{path!r} is not a path inside the site; write it like players/a.html")


def _refuse_foreign(out: Path, marker: str) -> None:
    """Refuse to replace anything but an empty folder or one made by this program as such."""
    if out.is_symlink():
        raise WriteRefused(f"{out} is a symbolic link; give the folder itself")
    if (out / ".git").exists():
        raise WriteRefused(
            f"{out} contains a git repository, which would be lost; give another folder"
        )
    for other_marker in _MADE.keys() - {marker}:
        if (out / other_marker).is_file():
            contained, expected = _MADE[other_marker][0], _MADE[marker][0]
            raise WriteRefused(f"{out} contains {contained}, not {expected}; give another folder")
    if not out.exists() or (out / marker).is_file():
        return
    if not out.is_dir():
        raise WriteRefused(f"{out} is a file; give the name of a folder")
    if any(out.iterdir()):
        raise WriteRefused(
            f"{out} contains files that this program did not make; "
            f"give another folder, or put an empty file {marker} into it if it may be replaced"
        )


def _listed(states: Mapping[str, FileState]) -> str:
    """Return the list of files and their hashes that a marker holds."""
    return "".join(f"{state.sha256}  {path}\n" for path, state in sorted(states.items()))


def _refuse_others(out: Path, marker: str) -> None:
    """Refuse to replace a folder with files of a person: not listed, and of drafts also edited."""
    hashes: dict[str, str] | None = None
    while (listed := _listing(out, marker)) != hashes:  # again if another build put a new one there
        if not listed:
            return
        hashes, foreign = listed, []
        for path, entry in _files(out, ""):
            edited = marker == DRAFTS_MARKER and hashes.get(path, "") != _sha256(entry)
            if path != marker and not is_of_system(entry.name) and (edited or path not in hashes):
                foreign.append(path)
        if not foreign:
            return
    named = ", ".join(sorted(foreign)[:_NAMED])
    more = f" and {len(foreign) - _NAMED} more" if len(foreign) > _NAMED else ""
    _, what, hint = _MADE[marker]
    raise WriteRefused(f"{out} has {what}, and they would be lost: {named}{more}; {hint}")


def _listing(out: Path, marker: str) -> dict[str, str]:
    """Return the hashes of the files that a marker lists, by path."""
    try:
        lines = os.fsdecode((out / marker).read_bytes()).splitlines()
    except FileNotFoundError:
        return {}
    return {path: sha256 for sha256, _, path in (line.partition("  ") for line in lines)}


def _sha256(entry: os.DirEntry[str]) -> str:
    return "" if entry.is_symlink() else hashlib.sha256(Path(entry).read_bytes()).hexdigest()


@contextmanager
def _only_writer(out: Path) -> Iterator[None]:
    """Hold the lock file next to `out`; the system releases it even if the build is killed."""
    path = out.with_name(f".{out.name}.lock")
    if path.exists() and (not path.is_file() or path.stat().st_size):
        raise WriteRefused(f"{path} is where a build puts its lock; move it away")
    with _writing(out):
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


def _clear_up(out: Path, fresh: Path, old: Path, marker: str) -> None:
    """Undo what a killed build left: a partial site, or a site moved aside and not replaced."""
    if old.is_dir() and not out.exists():
        old.rename(out)
    _remove(fresh, marker)
    _remove(old, marker)


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


def _remove(folder: Path, marker: str) -> None:
    if folder.is_symlink() or folder.is_file():
        folder.unlink()
    elif folder.exists():
        # The marker goes last, so that a half-removed folder is still recognised as removable.
        for path in folder.iterdir():
            if path.name != marker:
                _remove(path, marker)
        shutil.rmtree(folder)
