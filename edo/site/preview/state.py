"""The state of a preview: the site as of the files on disk now, and their errors."""

from __future__ import annotations

import os
import pickle
import posixpath
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, filterfalse
from pathlib import Path
from threading import Event, RLock, Thread

from edo.core import urls
from edo.core.files import is_scratch
from edo.core.model import Dataset
from edo.core.problems import EdoError, InputError, Problem
from edo.history.dataset import Readings
from edo.history.project import TEMPLATES, Project, read_site_config
from edo.rating import edo
from edo.rating.inference.answers import Answers
from edo.rating.inference.joint import births
from edo.rating.pairings import Pairing, all_pairings
from edo.site import assets, render
from edo.site.input import Page, SiteInput, read_site_input
from edo.site.preview.background import BackgroundTask
from edo.site.render import File
from edo.systems import leading
from edo.systems.all_ratings import AllRatings
from edo.systems.games import games_of

POLL_INTERVAL = 0.3  # [s]


class LazySite:
    """Makes each file of a site at the first request for it; threads may share it."""

    def __init__(self, site: SiteInput) -> None:
        self._site = site
        self._renderer, self._copies = render.Renderer(site), assets.copies(site)
        self._pages: dict[str, Page] = {}
        self._to_list = self._all_pages()
        self._assets: dict[str, Iterator[File]] = {}
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
                    return self._asset(path)
                self._made[path] = self._renderer.render(page)[1]
            return self._made[path]

    def not_found(self, address: str) -> bytes:
        """Return the page for missing addresses, of a site at this address."""
        with self._lock:
            page = self._listed(urls.NOT_FOUND)
            there = replace(self._site, base_url=address)
            return b"" if page is None else next(render.render([page], there))[1]

    def list_pages(self) -> Iterator[Page]:
        """List all pages, one at a time, so that requests meanwhile need not wait for all."""
        with suppress(Exception):  # the next request meets the error again
            while True:
                with self._lock:
                    page = self._next_page()
                if page is None:
                    return
                yield page

    def _all_pages(self) -> Iterator[Page]:
        return chain.from_iterable(view(self._site) for view in render.VIEWS)

    def _listed(self, path: str) -> Page | None:
        """Return the page at a path; kinds of pages are listed only as far as needed."""
        while path not in self._pages:
            if self._next_page() is None:
                return None
        return self._pages[path]

    def _next_page(self) -> Page | None:
        """List one more page and return it, None after the last."""
        try:
            page = next(self._to_list, None)
        except Exception:
            self._to_list = self._all_pages()  # the next request meets the error again
            raise
        if page is not None:
            self._pages[page.path] = page
        return page

    def _asset(self, path: str) -> bytes | None:
        """Return another file; those of its folder are made up to it, and kept."""
        with suppress(KeyError, OSError):  # a file to copy may have been deleted since
            return self._copies[path].read_bytes()
        folder = posixpath.dirname(path)
        if folder not in self._assets:
            self._assets[folder] = assets.files_in(folder, self._site)
        for other, content in self._assets[folder]:
            self._made[other] = content
            if other == path:
                return content
        return None


@dataclass(frozen=True, slots=True)
class State:
    """What the preview shows at one time; each has another `version`.

    `site` is the last one that could be made, None before the first; `bare` is the same without
    answers and other systems, for pages that need newer ones than there are. `is_computing` while
    answers or systems are being computed, `is_answered` once the answers belong to these files.
    `problems` are the errors and warnings in the files as they are now, `is_refused` says that the
    site is one of before the errors; `other` is any other error.
    """

    version: str
    site: LazySite | None = None
    bare: LazySite | None = None
    problems: tuple[Problem, ...] = ()
    is_refused: bool = False
    other: str | None = None
    is_computing: bool = False
    has_answers: bool = False
    is_answered: bool = False


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
        self._answers: Answers | None = None
        self._systems: AllRatings | None = None
        self._inputs: object = None
        self._input: SiteInput | None = None
        self._pairings: tuple[Pairing, ...] = ()
        self._task: BackgroundTask | None = None
        self._closed, self._lock = Event(), RLock()
        self.state = State(self._version())
        self._file_times: dict[str, tuple[int, int]] = {}
        self._watcher = Thread(target=self._watch, daemon=True)

    def start(self) -> None:
        """Show the site once, then follow the files."""
        self._follow()
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
            self._follow()

    def _follow(self) -> None:
        """Show the files as they are now, where any has changed."""
        file_times = self._times()
        if file_times == self._file_times:
            return
        self._file_times = file_times
        try:
            self._make()
        except InputError as refused:
            self._publish(problems=refused.problems, other=None, is_refused=True)
        except (EdoError, OSError) as refused:
            self._publish(problems=(), other=str(refused))
        except Exception as error:
            traceback.print_exc()
            self._publish(problems=(), other=f"the program failed: {error!r}; see the terminal")
        try:
            self._prepare()
        except Exception:
            traceback.print_exc()
        if self._times() != file_times:  # also if they are as before when it next looks
            self._file_times = {}

    def _times(self) -> dict[str, tuple[int, int]]:
        folders = (*self._project.inputs, TEMPLATES)
        return dict(chain.from_iterable(map(_file_times, folders)))

    def _prepare(self) -> None:
        """List the pages and the warnings, unless there is a newer edit to show."""
        looked = time.monotonic()
        for _ in () if self.state.site is None else self.state.site.list_pages():
            if time.monotonic() > looked + POLL_INTERVAL:
                if self._times() != self._file_times:
                    return
                looked = time.monotonic()
        if (
            self._check is not None
            and (found := self._check(self._readings)) != self.state.problems
        ):
            self._publish(problems=found)

    def _make(self) -> None:
        config = read_site_config(self._project.config_file)
        dataset, _ = self._read(self._readings)
        pairings, games = all_pairings(dataset), games_of(dataset)
        done = leading.run(pairings, games, config.settings)
        site = read_site_input(self._project, config, dataset, edo.publish(dataset, done))
        of_task = pairings, config.settings, births(dataset), games
        inputs = pickle.dumps(of_task)  # arrays are among them, which `==` does not compare
        with self._lock:
            self._input, self._pairings = site, pairings
            is_new, self._inputs = self._inputs != inputs, inputs
            is_answered = self.state.is_answered and not is_new
            errors = () if self.state.is_refused else self.state.problems
            if is_new:
                self._stop_task()
            self._show(site, is_new, is_answered=is_answered, problems=errors, other=None,
                       is_refused=False)  # fmt: skip
            if is_new:  # after the site is shown: to start a process takes a second or two
                self._task = BackgroundTask(*of_task)
                Thread(target=self._take_results, args=(self._task,), daemon=True).start()

    def _show(self, site: SiteInput, is_starting: bool = False, **changed: object) -> None:
        """Show a site with the latest answers and ratings by other systems."""
        answers, systems = self._answers or Answers(), self._systems or AllRatings()
        pairings = () if self._systems is None else self._pairings
        other = leading.other_ratings(site.dataset, pairings, systems, site.config.settings)
        whole = replace(site, answers=answers, systems=systems, other=other)
        self._publish(
            site=LazySite(whole),
            bare=LazySite(site),
            is_computing=is_starting or self._task is not None,
            has_answers=self._answers is not None,
            **changed,
        )

    def _take_results(self, task: BackgroundTask) -> None:
        """Show each result of the task when it comes, until a newer task takes its place."""
        for found in task.results():
            with self._lock:
                if self._task is not task or self._input is None:
                    return
                if isinstance(found, Answers):
                    self._answers = found
                    self._show(self._input, is_answered=True)
                    continue
                self._task = None
                if isinstance(found, AllRatings):
                    self._systems = found
                    self._show(self._input)
                else:
                    self._show(self._input, other=found)

    def _stop_task(self) -> None:
        if self._task is not None:
            self._task.stop()
            self._task = None

    def _publish(self, **changed: object) -> None:
        with self._lock:
            state = replace(self.state, version=self._version())
            self.state = replace(state, **changed)  # type: ignore[arg-type]

    def _version(self) -> str:
        self._number += 1
        return f"{self._began}-{self._number}"


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
        for entry in filterfalse(lambda one: is_scratch(one.name), entries):
            if entry.is_dir(follow_symlinks=False):
                yield from _file_times(entry.path)
            else:
                status = entry.stat(follow_symlinks=False)
                yield entry.path, (status.st_mtime_ns, status.st_size)
