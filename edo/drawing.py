"""All pages laid out in, path and bytes of each out, in their order, drawn in several processes."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from edo import pages, signals
from edo.errors import EdoError
from edo.store import NO_SHELF, Shelf
from edo.views.site import Page, SiteInput

MOST = 4  # processes; each takes memory, and one more must write what they draw
FEW = 200  # pages that are drawn sooner than processes are started
PART = 16  # pages handed out at a time: little enough that all end at about the same time
AHEAD = 2  # parts that a process is given, so that it need not wait for the next

Files = list[tuple[str, bytes]]


def drawn(
    laid_out: Sequence[Page], site: SiteInput, shelf: Shelf = NO_SHELF, processes: int | None = None
) -> Iterator[tuple[str, bytes]]:
    """Yield path and bytes of each page, in the order of the pages.

    By so many `processes`, by default as many as there are processors, and one where there are few
    pages. Everything that pages share must be made before: the processes see what is there when
    they are forked. Raises what `edo.pages.render` raises, and EdoError where a process was killed.
    """
    number = _processes(len(laid_out)) if processes is None else processes
    if number < 2:
        yield from pages.render(laid_out, site, shelf=shelf)
        return
    parts = [laid_out[start : start + PART] for start in range(0, len(laid_out), PART)]
    with _Drawers(number, parts, site, shelf) as drawers:
        for part, files in zip(parts, drawers.parts(), strict=True):
            # What could not be drawn is drawn again here, where the error can say where it is.
            yield from pages.render(part, site, shelf=shelf) if files is None else files


def _processes(n_pages: int) -> int:
    if sys.platform != "linux" or n_pages < FEW:  # elsewhere a fork may lose what libraries hold
        return 1
    return min(MOST, len(os.sched_getaffinity(0)))


class _Drawers:
    """Processes that draw parts of the pages; when the block is left, none of them is left."""

    def __init__(
        self, number: int, parts: Sequence[Sequence[Page]], site: SiteInput, shelf: Shelf
    ) -> None:
        self._shelf, self._n_parts = shelf, len(parts)
        self._pending = iter(range(len(parts)))
        self._lines: dict[Connection, BaseProcess] = {}
        self._given: dict[Connection, list[int]] = {}
        context = get_context("fork")
        for _ in range(number):
            ours, theirs = context.Pipe()
            inherited = [*self._lines, ours]
            process = context.Process(
                target=_draw, args=(theirs, inherited, parts, site, shelf), daemon=True
            )
            process.start()
            theirs.close()
            self._lines[ours], self._given[ours] = process, []

    def __enter__(self) -> _Drawers:
        return self

    def __exit__(self, *_: object) -> None:
        for line, process in self._lines.items():
            process.kill()
            process.join()
            line.close()

    def parts(self) -> Iterator[Files | None]:
        """Yield the files of one part after the other, None for one that could not be drawn."""
        for line in self._lines:
            for _ in range(AHEAD):
                self._give(line)
        done: dict[int, Files | None] = {}
        for wanted in range(self._n_parts):
            while wanted not in done:
                for line in self._ready():
                    self._take(line, done)
            yield done.pop(wanted)
        for line in self._lines:
            line.send(None)
            self._shelf.take(_received(line))

    def _ready(self) -> list[Connection]:
        busy = {line for line, given in self._given.items() if given}
        return [line for line in wait(busy) if isinstance(line, Connection)]

    def _give(self, line: Connection) -> None:
        part = next(self._pending, None)
        if part is not None:
            self._given[line].append(part)
            line.send(part)

    def _take(self, line: Connection, done: dict[int, Files | None]) -> None:
        files = _received(line)
        done[self._given[line].pop(0)] = files
        self._give(line)


def _draw(
    line: Connection,
    inherited: Sequence[Connection],
    parts: Sequence[Sequence[Page]],
    site: SiteInput,
    shelf: Shelf,
) -> None:
    """Send the files of each part whose number comes in, and at the end what the shelf took.

    None for a part with a page that cannot be drawn, and for all after it.
    """
    for other in inherited:  # with one open here too, sending to a killed build would wait for ever
        other.close()
    signals.leave_to_the_first()
    shelf.made = 0  # in this process
    gc.freeze()  # what was made before stays: to look through it would copy it
    with suppress(EOFError, ConnectionError):
        try:
            _draw_parts(line, parts, site, shelf)
        except (EOFError, ConnectionError):
            raise
        except Exception:  # it is met again, and told, in the first process
            line.send(None)
            while line.recv() is not None:
                line.send(None)
        line.send(shelf.taken())


def _draw_parts(
    line: Connection, parts: Sequence[Sequence[Page]], site: SiteInput, shelf: Shelf
) -> None:
    files: Files = []

    def asked_for() -> Iterator[Page]:
        while (part := line.recv()) is not None:
            files.clear()
            yield from parts[part]
            line.send(files)

    for file in pages.render(asked_for(), site, shelf=shelf):
        files.append(file)


def _received(line: Connection) -> Any:
    try:
        return line.recv()
    except (EOFError, ConnectionError):
        raise EdoError("a drawing process was killed; look whether the memory suffices") from None
