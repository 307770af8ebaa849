"""The state of a preview: the site as of the files on disk now, and their errors."""

from __future__ import annotations

import gc
import os
import posixpath
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from itertools import chain, filterfalse
from pathlib import Path
from threading import Event, RLock, Thread
from typing import Any

from edo.core.files import is_scratch
from edo.core.model import Dataset
from edo.core.problems import EdoError, InputError, Problem
from edo.history.dataset import Readings
from edo.history.project import TEMPLATES, Project, SiteConfig, read_site_config
from edo.history.settings import Settings
from edo.rating import edo
from edo.rating.edo import Ratings
from edo.rating.games import Row, numbered, rows_of, with_traits
from edo.site import assets, render, urls
from edo.site.assets import LazyFile
from edo.site.input import Page, SiteInput, read_site_input
from edo.site.preview.background import BackgroundTask
from edo.systems import leading

POLL_INTERVAL = 0.2  # [s] from one look at all files to the next, which takes a tenth of it
GARBAGE = 200_000  # objects after which unused ones are looked for, as in worker processes

FIRST = "Probabilities, influences and other systems are being computed …"
OUTDATED = (
    "Probabilities and influences are still those before your change; new ones are being computed …"
)
SYSTEMS = "The ratings by other systems are those before your change; being computed …"


class LazySite:
    """Makes each file of a site at the first request for it; threads may share it."""

    def __init__(self, site: SiteInput) -> None:
        self._site = site
        self._renderer, self._copies = render.Renderer(site), assets.copies(site)
        self._views, self._pages = [*render.VIEWS], dict[str, Page]()
        self._folders: dict[str, Iterator[LazyFile]] = {}
        self._assets: dict[str, Callable[[], bytes]] = {}
        self._made: dict[str, bytes] = {}
        self._lock = RLock()

    def file(self, path: str) -> bytes | None:
        """Return the file at a path from the root of the site, None where there is none."""
        if (made := self._made.get(path)) is not None:  # no wait for a page that is being made
            return made
        with self._lock:
            if path not in self._made:
                page = self._listed(path)
                if page is None:
                    return self._copy_or_asset(path)
                self._made[path] = self._renderer.render(page)[1]
            return self._made[path]

    def not_found(self, address: str) -> bytes:
        """Return the page for missing addresses, of a site at this address."""
        with self._lock:
            page = self._listed(urls.NOT_FOUND)
            there = replace(self._site, base_url=address)
            return b"" if page is None else next(render.render([page], there))[1]

    def list_pages(self) -> Iterator[None]:
        """List one kind of pages after the other, so that requests need not wait for all."""
        with suppress(Exception):  # the next request meets the error again
            while self._views:
                with self._lock:
                    self._list_next()
                yield

    def _list_next(self) -> None:
        if self._views:
            self._pages |= {page.path: page for page in self._views[0](self._site)}
            del self._views[0]  # not where it failed: the next request meets the error again

    def _listed(self, path: str) -> Page | None:
        """Return the page at a path; kinds of pages are listed only as far as needed."""
        while path not in self._pages and self._views:
            self._list_next()
        return self._pages.get(path)

    def _copy_or_asset(self, path: str) -> bytes | None:
        """Return another file; those of its folder are listed only as far as needed."""
        with suppress(KeyError, OSError):  # a file to copy may have been deleted since
            return self._copies[path].read_bytes()
        folder = posixpath.dirname(path)
        if folder not in self._folders:
            self._folders[folder] = assets.files_in(folder, self._site)
        while path not in self._assets:
            listed = next(self._folders[folder], None)
            if listed is None:
                return None
            self._assets[listed[0]] = listed[1]
        return self._made.setdefault(path, self._assets[path]())


@dataclass(frozen=True, slots=True)
class State:
    """What the preview shows at one moment.

    Each state has a `version` of its own. `bare` is the site without answers and other systems, for
    pages where those from before an edit do not fit it; `waiting` says which of them are being
    computed, and is empty when all are there. `problems` are errors and warnings; the files are
    refused where a site cannot be made of them, and it is that of before. `failure` is any error
    that is not in a file of the history.
    """

    version: str
    site: LazySite | None = None
    bare: LazySite | None = None
    problems: tuple[Problem, ...] = ()
    is_refused: bool = False
    failure: str | None = None
    waiting: str = ""


class Preview:
    """Follows the input files in a thread, from `start` until `close`.

    `read` reads the events; it raises InputError where they have errors. `check` returns all errors
    and warnings.
    """

    def __init__(
        self,
        project: Project,
        read: Callable[[Readings], tuple[Dataset, object]],
        check: Callable[[Readings], tuple[Problem, ...]] | None = None,
    ) -> None:
        self._project, self._read, self._check = project, read, check
        self._began, self._number = f"{time.time_ns():x}", 0
        self._readings = Readings()
        self._rows: dict[str, tuple[object, object, tuple[Row, ...]]] = {}
        self._site: SiteInput | None = None
        self._late: dict[str, Any] = {}  # what the task computed for the site, by its name there
        self._task: BackgroundTask | None = None
        self._closed, self._lock = Event(), RLock()
        self.state = State(self._version())
        self._file_times: dict[str, tuple[int, int]] = {}
        self._watcher = Thread(target=self._watch, daemon=True)

    def start(self) -> None:
        """Show the site once, then follow the files."""
        gc.disable()  # nearly all that is read stays
        self._follow()
        gc.freeze()
        gc.enable()
        gc.set_threshold(GARBAGE, 20, 20)
        self._watcher.start()

    def close(self) -> None:
        """Stop following the files, and end the background task."""
        self._closed.set()
        if self._watcher.is_alive():
            self._watcher.join()
        with self._lock:
            self._stop_task()

    def _watch(self) -> None:
        is_prepared = False
        while not self._closed.wait(POLL_INTERVAL):
            if self._follow():
                is_prepared = False  # pages that are asked for at once come first
            elif not is_prepared:
                is_prepared = True
                self._prepare()

    def _follow(self) -> bool:
        """Show the files as they are now, where any has changed; return whether one has."""
        file_times = self._times()
        if file_times == self._file_times:
            return False
        self._file_times = file_times
        try:
            self._make()
        except InputError as refused:
            self._publish(problems=refused.problems, failure=None, is_refused=True)
        except (EdoError, OSError) as refused:
            self._publish(problems=(), failure=str(refused))
        except Exception as error:
            traceback.print_exc()
            self._publish(problems=(), failure=f"the program failed: {error!r}; see the terminal")
        return True

    def _times(self) -> dict[str, tuple[int, int]]:
        folders = (*self._project.inputs, TEMPLATES)
        return dict(chain.from_iterable(map(_file_times, folders)))

    def _prepare(self) -> None:
        """List the pages and the warnings, unless there is a newer edit to show."""
        for _ in () if self.state.site is None else self.state.site.list_pages():
            if self._times() != self._file_times:
                return
        if self._check is None:
            return
        try:
            problems = self._check(self._readings)
        except Exception:
            traceback.print_exc()
            return
        if self._times() != self._file_times:
            self._file_times = {}  # also where a file is as before when it is next looked at
        elif problems != self.state.problems:
            self._publish(problems=problems)

    def _make(self) -> None:
        """Read what has changed, rate the players, and show the site."""
        config = read_site_config(self._project.config_file)
        dataset, _ = self._read(self._readings)
        before = self._site
        kept = _ratings_of(before, dataset, config)
        ratings = kept or self._rate(dataset, config.settings)
        site = read_site_input(self._project, config, dataset, ratings)
        with self._lock:
            self._site, waiting = site, self.state.waiting
            problems = () if self.state.is_refused else self.state.problems
            if kept is None:
                self._stop_task()
                waiting = FIRST if before is None else OUTDATED
            self._show(problems=problems, failure=None, is_refused=False, waiting=waiting)
            if kept is None:  # after the site is shown: to start a process takes a second or two
                self._task = BackgroundTask(dataset, config)
                Thread(target=self._take_results, args=(self._task,), daemon=True).start()

    def _rate(self, dataset: Dataset, settings: Settings) -> Ratings:
        """Return the ratings of a dataset; rows of games are made only of events that changed."""
        kept, self._rows = self._rows, {}
        for event in dataset.events.values():
            read_event, odds, rows = kept.get(event.id, (None, None, ()))
            if read_event is not event or odds != dataset.odds:
                rows = rows_of(event, dataset.odds)
            self._rows[event.id] = event, dataset.odds, rows
        games = numbered(chain.from_iterable(rows for _, _, rows in self._rows.values()))
        return edo.publish(dataset, leading.run(with_traits(games, dataset), settings))

    def _show(self, **changes: Any) -> None:
        """Show the site with the latest answers and ratings by other systems."""
        if self._site is not None:
            whole = replace(self._site, **self._late)
            self._publish(site=LazySite(whole), bare=LazySite(self._site), **changes)

    def _take_results(self, task: BackgroundTask) -> None:
        """Show each result of the task when it comes, until a newer task takes its place."""
        for result in task.results():
            with self._lock:
                if self._task is not task:
                    return
                if isinstance(result, str):
                    self._show(waiting="", failure=result)
                else:
                    self._late |= result
                    self._show(waiting="" if "systems" in result else SYSTEMS)

    def _stop_task(self) -> None:
        if self._task is not None:
            self._task.stop()
            self._task = None

    def _publish(self, **changes: Any) -> None:
        with self._lock:
            self.state = replace(self.state, version=self._version(), **changes)

    def _version(self) -> str:
        self._number += 1
        return f"{self._began}-{self._number}"


_WORDS: dict[str, object] = {
    "notes": None, "disputed": None, "acknowledged": (), "lines": {}, "line": 0,
}  # fmt: skip
"""Fields of records on which no rating depends, with what stands for them in a comparison."""


def _ratings_of(site: SiteInput | None, dataset: Dataset, config: SiteConfig) -> Ratings | None:
    """Return the ratings of a site if they are those of this dataset too: only words differ."""
    if site is None or site.config.settings != config.settings:
        return None
    if site.config.question != config.question or site.config.matches != config.matches:
        return None
    for kind in ("events", "players", "odds"):
        before, now = getattr(site.dataset, kind), getattr(dataset, kind)
        if before.keys() != now.keys():
            return None
        if not all(_differ_in_words(record, now[id_]) for id_, record in before.items()):
            return None
    return site.ratings


def _differ_in_words(before: Any, now: Any) -> bool:
    """Whether two records are the same, or but for notes and the lines of their files."""
    if before is now:
        return True
    names = {field.name for field in fields(before)}
    words = {name: value for name, value in _WORDS.items() if name in names}
    return bool(replace(before, **words) == replace(now, **words))


def _file_times(folder: str | Path) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield each file in a folder, with the time of its last change [ns] and its size.

    A file instead of a folder is yielded itself.
    """
    with suppress(OSError):
        if not Path(folder).is_dir():
            status = Path(folder).stat()
            yield os.fspath(folder), (status.st_mtime_ns, status.st_size)
            return
    with suppress(OSError), os.scandir(folder) as entries:  # files may vanish meanwhile
        for entry in filterfalse(lambda entry: is_scratch(entry.name), entries):
            if entry.is_dir(follow_symlinks=False):
                yield from _file_times(entry.path)
            else:
                status = entry.stat(follow_symlinks=False)
                yield entry.path, (status.st_mtime_ns, status.st_size)
