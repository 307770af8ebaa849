"""The steps of a long run in, a line for each on the terminal out."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TextIO, TypeVar

Item = TypeVar("Item")

_EVERY = 0.2  # [s] between two counts on a terminal


class Progress:
    """Says what is being done, how far it is, and how long it took."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stderr
        self.live = self.stream.isatty()

    @contextmanager
    def step(self, name: str) -> Iterator[Callable[[str], None]]:
        """Time one step; the yielded function takes what there is to say of its outcome."""
        said: list[str] = []
        self._show(f"{name} ...")
        begun = time.perf_counter()
        yield said.append
        took = time.perf_counter() - begun
        line = f"{self._clear()}{name:<24} {took:6.1f} s  {'; '.join(said)}"
        self._write(line.rstrip() + "\n")

    def tell(self, what: str) -> None:
        """Say what is no step."""
        self._write(f"{what}\n")

    def counted(
        self,
        items: Iterable[Item],
        total: int,
        what: str,
        counts: Callable[[Item], bool] = lambda _: True,
    ) -> Iterator[Item]:
        """Pass the items on, counting those that count on a terminal."""
        shown, n = 0.0, 0
        for item in items:
            yield item
            n += counts(item)
            if self.live and time.perf_counter() - shown > _EVERY:
                shown = time.perf_counter()
                self._show(f"{what} {n} of {total}")

    def _show(self, text: str) -> None:
        if self.live:
            self._write(self._clear() + text)

    def _write(self, text: str) -> None:
        """Say it, if anybody listens: no work is lost because nobody does."""
        with suppress(OSError):
            self.stream.write(text)
            self.stream.flush()

    def _clear(self) -> str:
        return "\r\x1b[K" if self.live else ""
