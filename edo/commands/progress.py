"""Progress of a long run on the terminal, a line for each step."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TextIO, TypeVar

Item = TypeVar("Item")

_REFRESH = 0.2  # [s] between updates of the count on a terminal


class Progress:
    """Shows the current step, its progress, and how long it took."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stderr
        self.live = self.stream.isatty()

    @contextmanager
    def step(self, name: str) -> Iterator[Callable[[str], None]]:
        """Time one step; the yielded function adds notes on its outcome."""
        notes: list[str] = []
        self._redraw(f"{name} ...")
        begun = time.perf_counter()
        yield notes.append
        took = time.perf_counter() - begun
        line = f"{self._clear()}{name:<24} {took:6.1f} s  {'; '.join(notes)}"
        self._write(line.rstrip() + "\n")

    def show(self, what: str) -> None:
        """Show a line that is not a step."""
        self._write(f"{what}\n")

    def counted(
        self,
        items: Iterable[Item],
        total: int,
        what: str,
        counts: Callable[[Item], bool] = lambda _: True,
    ) -> Iterator[Item]:
        """Yield the items; on a terminal, show how many of them have been processed.

        Only items for which `counts` returns True are counted.
        """
        shown, n = 0.0, 0
        for item in items:
            yield item
            n += counts(item)
            if self.live and time.perf_counter() - shown > _REFRESH:
                shown = time.perf_counter()
                self._redraw(f"{what} {n} of {total}")

    def _redraw(self, text: str) -> None:
        if self.live:
            self._write(self._clear() + text)

    def _write(self, text: str) -> None:
        """Write; a closed terminal is ignored, so that no work is lost."""
        with suppress(OSError):
            self.stream.write(text)
            self.stream.flush()

    def _clear(self) -> str:
        return "\r\x1b[K" if self.live else ""
