"""Reading the folder of events: one immutable, sorted Dataset, or all errors of all files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from types import MappingProxyType

from edo.core import parallel, yaml
from edo.core.digest import digest, digest_of_folders
from edo.core.files import LINKED, PUT_HERE, is_scratch
from edo.core.model import Citation, Dataset, DateSpan, Event, Mark, PartialDate, Result, Total
from edo.core.problems import InputError, Problem, printable
from edo.history import published_ids
from edo.history.events import event_of
from edo.history.fields import REGISTRIES
from edo.history.reading import Known
from edo.history.registries import Registries, RegistryFile, read_registries
from edo.history.settings import Settings
from edo.history.values import YEAR_PATTERN, YEARS, shown

_FILES = {f"{kind}.yaml": kind for kind in REGISTRIES if kind != "players"}
MAX_FILES = 20_000  # more than twenty times those of the history so far
MANY, PART = 1000, 100  # files from which workers are worth starting, and that one reads at a time
_TOO_MANY = (f"more than {MAX_FILES:,} files", "take away what is no event")
parallel.send_by_fields(Citation, DateSpan, Event, Mark, PartialDate, Result, Total)
_INITIAL = re.compile(r"[a-z0-9]\.yaml")

Read = tuple[Event | None, list[Problem]]


@dataclass(slots=True)
class _Folder:
    """The files found, and problems with others."""

    registries: list[RegistryFile] = field(default_factory=list)
    events: list[tuple[Path, str]] = field(default_factory=list)
    published_ids: Path | None = None
    problems: list[Problem] = field(default_factory=list)

    def refuse(self, shown_path: str, message: str, hint: str) -> None:
        """Add an error about a file or folder as a whole."""
        self.problems.append(Problem(shown_path, 1, "", message, hint))


def load(folder: Path) -> Dataset:
    """Return the dataset of a folder laid out like `events/`.

    Raises InputError with all errors of all files.
    """
    dataset, problems = read_all(folder)
    if dataset is None:
        raise InputError(problem for problem in problems if problem.severity == "error")
    return dataset


@dataclass(frozen=True, slots=True)
class Reading:
    """What could be read of a folder of `n_files`; `problems` are errors and warnings, sorted.

    Records with errors are missing in the dataset.
    """

    dataset: Dataset
    problems: tuple[Problem, ...]
    n_files: int

    @property
    def is_whole(self) -> bool:
        """Whether nothing is missing in the dataset."""
        return all(problem.severity != "error" for problem in self.problems)


def read_all(
    folder: Path, readings: Readings | None = None
) -> tuple[Dataset | None, tuple[Problem, ...]]:
    """Return the dataset, None where there is an error, and errors and warnings, sorted."""
    reading = read_partially(folder, readings)
    return reading.dataset if reading.is_whole else None, reading.problems


def without_draws(dataset: Dataset) -> Dataset:
    """Return the history of a game that cannot be drawn: scores tell the games won and lost."""
    events = {
        id_: replace(event, results=tuple(map(_undrawn, event.results)))
        for id_, event in dataset.events.items()
    }
    return replace(dataset, events=MappingProxyType(events))


def _undrawn(result: Result) -> Result:
    is_whole = result.points_first.is_integer() and result.points_second.is_integer()
    is_known = result.soft is not None or result.tally is not None
    return result if is_known or not is_whole else replace(result, draws=0.0)


def read_partially(folder: Path, readings: Readings | None = None) -> Reading:
    """Return the records that could be read, and the problems of the others.

    Of `readings` from before come the event files that did not change since.
    """
    found = _find(folder)
    readings = readings or Readings()
    registries, known, wrong_records = readings.registries(found.registries)
    problems = [*wrong_records, *found.problems]
    events: list[Event] = []
    for event, wrong in _read_events(found.events, known, readings):
        problems += wrong
        if event is not None:
            events.append(event)
    ordered = sorted(events, key=lambda event: (event.year, event.id))
    dataset = Dataset(
        events=MappingProxyType({event.id: event for event in ordered}),
        **{kind: MappingProxyType(dict(sorted(registries[kind].items()))) for kind in REGISTRIES},
    )
    is_whole = all(problem.severity != "error" for problem in problems)
    if found.published_ids is not None and is_whole:
        shown_path = f"events/{published_ids.FILE}"
        problems += published_ids.vanished(dataset, found.published_ids, shown_path)
    n_files = len(found.registries) + len(found.events)
    return Reading(dataset, tuple(sorted(set(problems))), n_files)


def _read_events(
    files: Sequence[tuple[Path, str]], known: Known, readings: Readings
) -> Iterator[Read]:
    """Yield what each file holds, in order; many are read in parallel, but only the first time.

    Later the process has threads, and must not be forked.
    """
    is_large = len(files) >= MANY and readings.is_empty
    changed = [file for file in files if readings.event(file[0]) is None]
    parts = [changed[start : start + PART] for start in range(0, len(changed), PART)]
    tasks = [partial(_read_part, part, known) for part in parts]
    fresh: dict[Path, Read] = {}
    for path, state, read in chain.from_iterable(parallel.run_parallel("reading", tasks, is_large)):
        fresh[path] = read
        readings.keep(path, state, read)
    for path, _ in files:
        yield fresh.get(path) or readings.event(path) or (None, [])


def _read_part(
    files: Sequence[tuple[Path, str]], known: Known
) -> list[tuple[Path, _FileState, Read]]:
    """Return each file with its state before it was read, and what it holds."""
    return [(path, _state_of(path), _read(path, shown_path, known)) for path, shown_path in files]


def _read(path: Path, shown_path: str, known: Known) -> Read:
    text, problems = yaml.read_text(path, shown_path)
    if text is None:
        return None, problems
    return event_of(yaml.parse(text, shown_path), path, shown_path, known)


def _find(folder: Path) -> _Folder:
    found = _Folder()
    if not folder.is_dir():
        hint = (
            "make it, if this is a project without events; else name the project by `--project`, "
            "or its events by `--events`"
        )
        found.refuse("events", f"there is no folder {shown(str(folder))}", hint)
        return found
    if folder.is_symlink():
        found.refuse("events", LINKED, PUT_HERE)
        return found
    for path in _entries(found, folder, "events"):
        if path.is_dir():
            _find_in(found, path)
        elif path.name in _FILES:
            found.registries.append(RegistryFile(_FILES[path.name], path, f"events/{path.name}"))
        elif path.name == published_ids.FILE:
            found.published_ids = path
        else:
            hint = "move it into the folder of its year, or away"
            found.refuse(f"events/{path.name}", "a file that does not belong here", hint)
    if len(found.events) > MAX_FILES:
        found.refuse("events", *_TOO_MANY)
        found.events.clear()
    first: dict[str, str] = {}
    for path, shown_path in found.events:
        other = first.setdefault(path.stem, shown_path)
        if other != shown_path:
            message = f"the id {shown(path.stem)} is also that of {other}"
            found.refuse(shown_path, message, "rename one of the two files")
    return found


def _entries(found: _Folder, folder: Path, shown_path: str) -> Sequence[Path]:
    """Return the contents of a folder, sorted, without scratch files, links and special files."""
    kept: list[Path] = []
    try:
        paths = sorted(path for path in folder.iterdir() if not is_scratch(path.name))
    except OSError as error:
        found.refuse(shown_path, f"the folder cannot be read ({error.strerror})", "check it")
        return kept
    if len(paths) > MAX_FILES:
        found.refuse(shown_path, *_TOO_MANY)
        return kept
    for path in paths:
        if path.is_symlink() or not (path.is_dir() or path.is_file()):
            message = "not an ordinary file or folder"
            found.refuse(f"{shown_path}/{path.name}", message, "put the file itself here")
        else:
            kept.append(path)
    return kept


def _find_in(found: _Folder, folder: Path) -> None:
    shown_path, is_players = f"events/{folder.name}", folder.name == "players"
    if not is_players and not re.fullmatch(YEAR_PATTERN, folder.name):
        message = f"a folder that is neither a year {YEARS} nor `players`"
        found.refuse(shown_path, message, "move its files into the folder of their year")
        return
    for path in _entries(found, folder, shown_path):
        shown_file = f"{shown_path}/{path.name}"
        if path.is_dir():
            found.refuse(shown_file, "a folder inside a folder", "move its files up")
        elif path.suffix != ".yaml":
            found.refuse(shown_file, "not a `.yaml` file", "rename it or move it away")
        elif not is_players:
            found.events.append((path, printable(shown_file)))
        elif _INITIAL.fullmatch(path.name):
            found.registries.append(RegistryFile("players", path, shown_file))
        else:
            hint = "name it by the first letter of its ids, like `a.yaml`"
            found.refuse(shown_file, "not named by an initial", hint)


class Readings:
    """Files as they were read, so that a preview reads only those again that changed since.

    The event of a file depends on its text, on the odds that are not rated, and on whether the ids
    that it names are known. Only files without errors are kept, and none where a registry has lost
    an id or the odds have changed.
    """

    def __init__(self) -> None:
        self._events: dict[Path, tuple[_FileState, Read]] = {}
        self._registry_files: list[tuple[RegistryFile, _FileState]] = []
        self._registries: tuple[Registries, Known, list[Problem]] | None = None

    def registries(self, files: Sequence[RegistryFile]) -> tuple[Registries, Known, list[Problem]]:
        """Return what `read_registries` does, read anew where one of the files changed."""
        states = [(file, _state_of(file.path)) for file in files]
        if self._registries is None or states != self._registry_files:
            before, self._registries = self._registries, read_registries(files)
            self._registry_files = states
            if before is not None and _has_lost(before[1], self._registries[1]):
                self._events.clear()
        return self._registries

    @property
    def is_empty(self) -> bool:
        """Whether no event was read yet."""
        return not self._events

    def event(self, path: Path) -> Read | None:
        """Return the event of a file and its warnings; None where it has to be read."""
        state, read = self._events.get(path, (None, None))
        return read if state is not None and state == _state_of(path) else None

    def keep(self, path: Path, state: _FileState, read: Read) -> None:
        """Keep what was read of a file in that state, where it had no errors."""
        if state is not None and read[0] is not None:
            self._events[path] = state, read


_FileState = tuple[int, int, int] | None
"""Number, size [bytes] and time of the last change [ns] of a file; None where it is gone."""


def _state_of(path: Path) -> _FileState:
    try:
        about = path.lstat()
    except OSError:
        return None
    return about.st_ino, about.st_size, about.st_mtime_ns


def _has_lost(before: Known, now: Known) -> bool:
    """Whether an id is no longer known, or the odds that are not rated are others.

    Also where one of the registries could not be read.
    """
    ids = [(known, now.ids[kind]) for kind, known in before.ids.items()]
    return before.unrated_odds != now.unrated_odds or any(
        known is None or left is None or not set(known) <= set(left) for known, left in ids
    )


FINGERPRINT_LENGTH = 12  # [hex digits] enough to tell any two states of the data apart


def fingerprint(events: Path, settings: Settings) -> str:
    """Return the hash of the data: of event files, registries and the settings of the method."""
    return digest(digest_of_folders(events), asdict(settings))[:FINGERPRINT_LENGTH]
