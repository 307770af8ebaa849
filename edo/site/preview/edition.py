"""The state of a preview: the site as of the files on disk now, and their errors."""

from __future__ import annotations

import os
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event, RLock, Thread

from edo.core import cache
from edo.core.cache import Cache, Section
from edo.core.model import Dataset
from edo.core.problems import EdoError, InputError, Problem
from edo.history.dataset import Readings
from edo.rating import edo
from edo.rating.inference.answers import Answers
from edo.rating.inference.joint import births
from edo.rating.pairings import Pairing, all_pairings
from edo.site import render
from edo.site.input import SiteInput, read_site_input
from edo.site.preview.background import BackgroundTask
from edo.site.preview.lazy_site import LazySite
from edo.systems.alongside import Alongside
from edo.systems.games import Games, games_of

POLL_INTERVAL = 0.3  # [s]

FileTimes = dict[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Edition:
    """What the preview shows at one time; each has another `version`.

    `site` is the last one that could be made, None before the first; `bare` is the same without
    answers and other systems, for pages that need newer ones than there are. `is_computing` while
    answers or systems are being computed, `is_answered` once the answers belong to these files.
    `problems` are the errors in the files as they are now; `other` is any other error.
    """

    version: str
    site: LazySite | None = None
    bare: LazySite | None = None
    problems: tuple[Problem, ...] = ()
    other: str | None = None
    is_computing: bool = False
    has_answers: bool = False
    is_answered: bool = False


class Preview:
    """Follows the input files in a thread, from `start` until `close`.

    `read` reads the events; it raises InputError where they have errors.
    """

    def __init__(
        self, events: Path, content: Path, read: Callable[[Readings], tuple[Dataset, object]]
    ) -> None:
        self._events, self._content, self._read = events, content, read
        self._began, self._number = f"{time.time_ns():x}", 0
        self._readings, self._cache = Readings(Section()), _InMemory(None)
        self._answers: Answers | None = None
        self._systems: Alongside | None = None
        self._digest: str | None = None
        self._input: SiteInput | None = None
        self._task: BackgroundTask | None = None
        self._closed, self._lock = Event(), RLock()
        self.edition = Edition(self._version())
        self._file_times: FileTimes = {}
        self._watcher = Thread(target=self._watch, daemon=True)

    def start(self) -> None:
        """Make the first edition, then follow the files."""
        self._file_times = self._look()
        self._update()
        self._watcher.start()

    def close(self) -> None:
        """Stop following the files, and end the background task."""
        self._closed.set()
        if self._watcher.is_alive():
            self._watcher.join()
        with self._lock:
            self._stop_task()

    def _watch(self) -> None:
        while not self._closed.wait(POLL_INTERVAL):
            file_times = self._look()
            if file_times != self._file_times:
                self._file_times = file_times
                self._update()

    def _look(self) -> FileTimes:
        return {
            path: time
            for top in (self._events, self._content, render.TEMPLATES)
            for path, time in _file_times(top)
        }

    def _update(self) -> None:
        """Show the files as they are now."""
        try:
            self._make()
        except InputError as refused:
            self._publish(problems=refused.problems, other=None)
        except (EdoError, OSError) as refused:
            self._publish(problems=(), other=str(refused))
        except Exception as error:
            traceback.print_exc()
            self._publish(problems=(), other=f"the program failed: {error!r}; see the terminal")

    def _make(self) -> None:
        dataset, _ = self._read(self._readings)
        pairings = all_pairings(dataset)
        done = edo.run(pairings)
        site = read_site_input(self._content, self._events, dataset, edo.publish(dataset, done))
        games = games_of(dataset)
        inputs = cache.digest(pairings, births(dataset), games)
        with self._lock:
            self._input = site
            if self._digest != inputs:
                self._digest = inputs
                self._start_task(pairings, dataset, games)
            self._show(site, problems=(), other=None)

    def _show(self, site: SiteInput, **changed: object) -> None:
        """Show a site with the latest answers and ratings by other systems."""
        answers, systems = self._answers or Answers(), self._systems or Alongside()
        self._publish(
            site=LazySite(replace(site, answers=answers, systems=systems), self._cache),
            bare=LazySite(site, self._cache),
            is_computing=self._task is not None,
            has_answers=self._answers is not None,
            **changed,
        )

    def _start_task(self, pairings: tuple[Pairing, ...], dataset: Dataset, games: Games) -> None:
        """Start a background task in place of the one before."""
        self._stop_task()
        self.edition = replace(self.edition, is_answered=False)
        self._task = BackgroundTask(pairings, births(dataset), games)
        Thread(target=self._take_results, args=(self._task,), daemon=True).start()

    def _take_results(self, task: BackgroundTask) -> None:
        with task:
            if self._take(task, task.answers()):
                self._take(task, task.systems())

    def _take(self, task: BackgroundTask, found: Answers | Alongside | str) -> bool:
        """Show a result; return whether there is another to wait for."""
        with self._lock:
            if self._task is not task or self._input is None:
                return False  # a newer task has taken its place
            if isinstance(found, Answers):
                self._answers = found
                self._show(self._input, is_answered=True)
                return True
            self._task = None
            if isinstance(found, Alongside):
                self._systems = found
                self._show(self._input)
            else:
                self._show(self._input, other=found)
            return False

    def _stop_task(self) -> None:
        if self._task is not None:
            self._task.stop()
            self._task = None

    def _publish(self, **changed: object) -> None:
        with self._lock:
            edition = replace(self.edition, version=self._version())
            self.edition = replace(edition, **changed)  # type: ignore[arg-type]

    def _version(self) -> str:
        self._number += 1
        return f"{self._began}-{self._number}"


class _InMemory(Cache):
    """A cache that lasts as long as the program."""

    def _read(self, name: str) -> Section:
        return Section()


def _file_times(folder: str | Path) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield each file in a folder, with the time of its last change [ns] and its size."""
    with suppress(OSError), os.scandir(folder) as entries:  # files may vanish meanwhile
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _file_times(entry.path)
            else:
                status = entry.stat(follow_symlinks=False)
                yield entry.path, (status.st_mtime_ns, status.st_size)
