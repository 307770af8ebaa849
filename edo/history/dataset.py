"""The folder of events comes in; one immutable, sorted Dataset goes out, or all its errors."""

from __future__ import annotations

import hashlib
import os
import pickle
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from edo.core import cache, yaml
from edo.core.cache import NO_SECTION, Section, pickled
from edo.core.model import Dataset, Event
from edo.core.problems import InputError, Problem, printable
from edo.history import checks
from edo.history.events import event_of
from edo.history.field_types import Registry
from edo.history.reading import Known
from edo.history.registries import Registries, RegistryFile, read_registries
from edo.history.values import YEAR_PATTERN, shown

_FILES: dict[str, Registry] = {
    "places.yaml": "places",
    "sources.yaml": "sources",
    "odds.yaml": "odds",
    "series.yaml": "series",
}
MAX_FILES = 20_000  # more than twenty times those of the history so far
_PLAYERS = "players"
_INITIAL = re.compile(r"[a-z0-9]\.yaml")

V = TypeVar("V")


@dataclass(slots=True)
class _Folder:
    """The files found, each where it belongs, and what does not belong there."""

    registries: list[RegistryFile] = field(default_factory=list)
    events: list[tuple[Path, str]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def load(folder: Path) -> Dataset:
    """Return the dataset of a folder laid out like `events/`.

    Raises InputError with all errors of all files.
    """
    return load_with_warnings(folder)[0]


def load_with_warnings(folder: Path) -> tuple[Dataset, tuple[Problem, ...]]:
    """Return the dataset and the doubtful findings; raises InputError with all errors."""
    dataset, problems = read_all(folder)
    errors = [problem for problem in problems if problem.severity == "error"]
    if dataset is None or errors:
        raise InputError(errors)
    return dataset, problems


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
    reading = read_what_can_be(folder, readings)
    return reading.dataset if reading.is_whole else None, reading.problems


def read_what_can_be(folder: Path, readings: Readings | None = None) -> Reading:
    """Return the records that could be read, and all that is wrong with the others.

    `readings` know what was read before of event files that did not change.
    """
    readings = readings or Readings(NO_SECTION)
    found = _find(folder)
    registries, problems = read_registries(found.registries)
    problems += found.problems
    events: list[Event] = []
    for path, shown_path in found.events:
        event, wrong = readings.read(path, shown_path, registries.known)
        problems += wrong
        if event is not None:
            events.append(event)
    dataset = _dataset(events, registries)
    problems += checks.run(dataset)
    n_files = len(found.registries) + len(found.events)
    return Reading(dataset, tuple(sorted(set(problems))), n_files)


def _dataset(events: Iterable[Event], registries: Registries) -> Dataset:
    ordered = sorted(events, key=lambda event: (event.year, event.id))
    return Dataset(
        events=MappingProxyType({event.id: event for event in ordered}),
        players=_sorted(registries.players),
        places=_sorted(registries.places),
        sources=_sorted(registries.sources),
        odds=_sorted(registries.odds),
        series=_sorted(registries.series),
    )


def _sorted(records: Mapping[str, V]) -> Mapping[str, V]:
    return MappingProxyType(dict(sorted(records.items())))


def _find(folder: Path) -> _Folder:
    found = _Folder()
    if not folder.is_dir():
        found.problems.append(
            Problem(
                "events",
                1,
                "",
                f"there is no folder {shown(str(folder))}",
                "name the folder of the events with `--events`",
            )
        )
        return found
    for path in _entries(found, folder, "events"):
        if path.is_dir():
            _find_in(found, path)
        elif path.name in _FILES:
            found.registries.append(RegistryFile(_FILES[path.name], path, f"events/{path.name}"))
        else:
            _stray(
                found,
                f"events/{path.name}",
                "a file that does not belong here",
                "move it into the folder of its year, or away",
            )
    if len(found.events) > MAX_FILES:
        _stray(found, "events", f"more than {MAX_FILES:,} files", "take away what is no event")
        found.events.clear()
    _check_twice(found)
    return found


def _entries(found: _Folder, folder: Path, shown_path: str) -> Sequence[Path]:
    """Return what the folder holds, sorted; symbolic links and special files are noted."""
    kept: list[Path] = []
    try:
        paths = sorted(folder.iterdir())
    except OSError as error:
        _stray(found, shown_path, f"the folder cannot be read ({error.strerror})", "check it")
        return kept
    if len(paths) > MAX_FILES:
        _stray(found, shown_path, f"more than {MAX_FILES:,} files", "take away what is no event")
        return kept
    for path in paths:
        if path.is_symlink() or not (path.is_dir() or path.is_file()):
            _stray(
                found,
                f"{shown_path}/{path.name}",
                "not an ordinary file or folder",
                "put the file itself here",
            )
        else:
            kept.append(path)
    return kept


def _find_in(found: _Folder, folder: Path) -> None:
    shown_path = f"events/{folder.name}"
    if folder.name != _PLAYERS and not re.fullmatch(YEAR_PATTERN, folder.name):
        _stray(
            found,
            shown_path,
            "a folder that is neither a year nor `players`",
            "move its files into the folder of their year",
        )
        return
    for path in _entries(found, folder, shown_path):
        shown_file = f"{shown_path}/{path.name}"
        if path.is_dir():
            _stray(found, shown_file, "a folder inside a folder", "move its files up")
        elif path.suffix != ".yaml":
            _stray(found, shown_file, "not a `.yaml` file", "rename it or move it away")
        elif folder.name != _PLAYERS:
            found.events.append((path, printable(shown_file)))
        elif _INITIAL.fullmatch(path.name):
            found.registries.append(RegistryFile("players", path, shown_file))
        else:
            _stray(
                found,
                shown_file,
                "not named by an initial",
                "name it by the first letter of its ids, like `a.yaml`",
            )


def _stray(found: _Folder, shown_path: str, message: str, hint: str) -> None:
    found.problems.append(Problem(shown_path, 1, "", message, hint))


def _check_twice(found: _Folder) -> None:
    first: dict[str, str] = {}
    for path, shown_path in found.events:
        other = first.setdefault(path.stem, shown_path)
        if other != shown_path:
            _stray(
                found,
                shown_path,
                f"the id {shown(path.stem)} is also that of {other}",
                "rename one of the two files",
            )


Read = tuple[Event | None, list[Problem]]


class _Asked(Collection[str]):
    """Ids of a registry that remember which of them a file named."""

    def __init__(self, ids: Collection[str]) -> None:
        self.ids = ids
        self.named: set[str] = set()
        self.is_simple = True
        """Whether all ids that were asked for are there, and nothing else was asked."""

    def __contains__(self, id_: object) -> bool:
        if id_ not in self.ids:
            self.is_simple = False
        self.named.add(str(id_))
        return id_ in self.ids

    def __iter__(self) -> Iterator[str]:
        self.is_simple = False
        return iter(self.ids)

    def __len__(self) -> int:
        self.is_simple = False
        return len(self.ids)


@dataclass(slots=True)
class Readings:
    """Reads event files, and keeps on a shelf what it read.

    What is read of a file follows from its name, its text, the program, the reasons why odds are
    unrated, and from whether the ids that it names are known. Of ids, only files all of whose are
    known are kept; they are read again once one is no more.
    """

    section: Section
    files: int = 0
    """How many files were asked for."""

    def read(self, path: Path, shown_path: str, known: Known) -> Read:
        """Return the event of a file and the problems found, as `events.read_event` does."""
        self.files += 1
        text, problems = yaml.read_text(path, shown_path)
        if text is None:
            return None, problems
        where = (path.parent.name, path.name, shown_path)
        key = cache.digest(where, text, sorted(known.unrated_odds.items()))
        kept = self.section.get(key)
        if kept is not None:
            named, found = pickle.loads(kept)
            if all(_are_known(known, registry, ids) for registry, ids in named.items()):
                return found  # type: ignore[no-any-return]
        return self._read(key, text, path, shown_path, known)

    def _read(self, key: str, text: str, path: Path, shown_path: str, known: Known) -> Read:
        self.section.count_miss()
        asked = {kind: _Asked(ids) for kind, ids in known.ids.items() if ids is not None}
        watched = Known({**known.ids, **asked}, known.unrated_odds)
        found = event_of(yaml.parse(text, shown_path), path, shown_path, watched)
        if len(asked) == len(known.ids) and all(one.is_simple for one in asked.values()):
            named = {kind: sorted(one.named) for kind, one in asked.items() if one.named}
            self.section.put(key, pickled((named, found)))
        return found


def _are_known(known: Known, registry: Registry, named: list[str]) -> bool:
    ids = known.ids[registry]
    return ids is not None and all(id_ in ids for id_ in named)


_PART = 1 << 20  # [bytes] read at a time: a folder may hold files of any size
LENGTH = 12  # [hex digits] enough to tell any two states of the data apart


def fingerprint(folders: Iterable[Path]) -> str:
    """Return the hash of every file's path and bytes, the same in whatever order they are read."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(p for p in folder.rglob("*") if p.is_file() and not p.is_symlink()):
            name = os.fsencode(path.relative_to(folder).as_posix())
            digest.update(len(name).to_bytes(8, "big") + name)
            digest.update(path.stat().st_size.to_bytes(8, "big"))
            with path.open("rb") as file:
                while part := file.read(_PART):
                    digest.update(part)
    return digest.hexdigest()[:LENGTH]
