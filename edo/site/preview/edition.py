"""The folders of the input in; the site as of the files on disk now, and their errors, out."""

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
from edo.core.cache import Shelf, Store
from edo.core.model import Dataset
from edo.core.problems import EdoError, InputError, Problem
from edo.history.readings import Readings
from edo.rating import edo
from edo.rating.inference.answers import Answers
from edo.rating.inference.joint import births
from edo.rating.pairings import Pairing, all_pairings
from edo.site import content as contentfolder
from edo.site import render
from edo.site.input import SiteInput
from edo.site.lazy import LiveSite
from edo.site.preview.background import Asked
from edo.systems.alongside import Alongside
from edo.systems.games import Games, games_of

EVERY = 0.3  # [s] between two looks at the files

Stamps = dict[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Edition:
    """What is shown at a time; `version` is another whenever it is.

    `site` is the last one that could be made, None before the first; `bare` is that without
    answers and other systems, for pages to which those of before an edit do not fit any more.
    `is_asking` as long as answers or systems are being computed, `is_answered` where the answers
    are there and fit. `problems` are all that is wrong with the files as they are now; `other` is
    what else stands in the way, if anything.
    """

    version: str
    site: LiveSite | None = None
    bare: LiveSite | None = None
    problems: tuple[Problem, ...] = ()
    other: str | None = None
    is_asking: bool = False
    has_answers: bool = False
    is_answered: bool = False


class Preview:
    """Follows the files of the input, in a thread of its own, from its start until it is closed.

    `read` reads the events; it raises InputError where they have errors.
    """

    def __init__(
        self, events: Path, content: Path, read: Callable[[Readings], tuple[Dataset, object]]
    ) -> None:
        self._events, self._content, self._read = events, content, read
        self._began, self._number = f"{time.time_ns():x}", 0
        self._readings, self._store = Readings(Shelf()), _InMemory(None)
        self._answers: Answers | None = None
        self._systems: Alongside | None = None
        self._questions: str | None = None
        self._input: SiteInput | None = None
        self._asked: Asked | None = None
        self._closed, self._lock = Event(), RLock()
        self.edition = Edition(self._version())
        self._stamps: Stamps = {}
        self._watcher = Thread(target=self._watch, daemon=True)

    def start(self) -> None:
        """Make the first edition, then follow the files."""
        self._stamps = self._look()
        self._renew()
        self._watcher.start()

    def close(self) -> None:
        """Stop following the files, and whatever is being computed."""
        self._closed.set()
        if self._watcher.is_alive():
            self._watcher.join()
        with self._lock:
            self._stop_asking()

    def _watch(self) -> None:
        while not self._closed.wait(EVERY):
            stamps = self._look()
            if stamps != self._stamps:
                self._stamps = stamps
                self._renew()

    def _look(self) -> Stamps:
        return {
            path: stamp
            for top in (self._events, self._content, render.TEMPLATES)
            for path, stamp in _stamps(top)
        }

    def _renew(self) -> None:
        """Make an edition of the files as they are."""
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
        texts = contentfolder.read_folder(self._content)
        site = texts.site(self._events, dataset, edo.publish(dataset, done))
        games = games_of(dataset)
        questions = cache.of_values(pairings, births(dataset), games)
        with self._lock:
            self._input = site
            if self._questions != questions:
                self._questions = questions
                self._ask(pairings, dataset, games)
            self._show(site, problems=(), other=None)

    def _show(self, site: SiteInput, **changed: object) -> None:
        """Show a site with the answers and the other systems' ratings that there are."""
        answers, systems = self._answers or Answers(), self._systems or Alongside()
        self._publish(
            site=LiveSite(replace(site, answers=answers, systems=systems), self._store),
            bare=LiveSite(site, self._store),
            is_asking=self._asked is not None,
            has_answers=self._answers is not None,
            **changed,
        )

    def _ask(self, pairings: tuple[Pairing, ...], dataset: Dataset, games: Games) -> None:
        """Have the questions answered and the games rated, instead of any that are in the works."""
        self._stop_asking()
        self.edition = replace(self.edition, is_answered=False)
        self._asked = Asked(pairings, births(dataset), games)
        Thread(target=self._take_answers, args=(self._asked,), daemon=True).start()

    def _take_answers(self, asked: Asked) -> None:
        with asked:
            if self._take(asked, asked.answers()):
                self._take(asked, asked.systems())

    def _take(self, asked: Asked, found: Answers | Alongside | str) -> bool:
        """Show what was found; return whether there is more to come."""
        with self._lock:
            if self._asked is not asked or self._input is None:
                return False  # it is superseded
            if isinstance(found, Answers):
                self._answers = found
                self._show(self._input, is_answered=True)
                return True
            self._asked = None
            if isinstance(found, Alongside):
                self._systems = found
                self._show(self._input)
            else:
                self._show(self._input, other=found)
            return False

    def _stop_asking(self) -> None:
        if self._asked is not None:
            self._asked.stop()
            self._asked = None

    def _publish(self, **changed: object) -> None:
        with self._lock:
            edition = replace(self.edition, version=self._version())
            self.edition = replace(edition, **changed)  # type: ignore[arg-type]

    def _version(self) -> str:
        self._number += 1
        return f"{self._began}-{self._number}"


class _InMemory(Store):
    """Shelves that last as long as the program."""

    def _read(self, name: str) -> Shelf:
        return Shelf()


def _stamps(folder: str | Path) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield each file below a folder, with the time of its last change [ns] and its size."""
    with suppress(OSError), os.scandir(folder) as entries:  # what goes meanwhile is not there
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _stamps(entry.path)
            else:
                status = entry.stat(follow_symlinks=False)
                yield entry.path, (status.st_mtime_ns, status.st_size)
