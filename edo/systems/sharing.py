"""Pieces of work in, their results out, in order, done by several processes where there is much."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

from edo import signals
from edo.errors import EdoError

Result = TypeVar("Result")

MUCH = 2000  # rows of games from which processes are worth starting
MOST = 4  # processes


def shared(
    do: Callable[..., Result], work: Sequence[tuple[Any, ...]], size: int, processes: int | None
) -> Iterator[Result]:
    """Yield `do(*piece)` for each piece of work, in order.

    By so many `processes`, by default one a processor where the `size` of a piece is large. Raises
    what `do` raises, and EdoError where a process was killed.
    """
    number = min(len(work), _processes(size) if processes is None else processes)
    if number < 2:
        yield from (do(*piece) for piece in work)
        return
    with _Crew(number, do, work) as crew:
        yield from crew.results()


def _processes(size: int) -> int:
    if sys.platform != "linux" or size < MUCH:  # elsewhere a fork may lose what libraries hold
        return 1
    return min(MOST, len(os.sched_getaffinity(0)))


class _Crew:
    """Processes that take one piece after the other; when the block is left, none is left."""

    def __init__(self, number: int, do: Callable[..., Any], work: Sequence[tuple[Any, ...]]):
        self._pending, self._n = iter(range(len(work))), len(work)
        self._lines: dict[Connection, BaseProcess] = {}
        context = get_context("fork")
        for _ in range(number):
            ours, theirs = context.Pipe()
            inherited = [*self._lines, ours]
            process = context.Process(target=_do, args=(theirs, inherited, do, work), daemon=True)
            process.start()
            theirs.close()
            self._lines[ours] = process

    def __enter__(self) -> _Crew:
        return self

    def __exit__(self, *_: object) -> None:
        for line, process in self._lines.items():
            process.kill()
            process.join()
            line.close()

    def results(self) -> Iterator[Any]:
        """Yield the results in the order of the work."""
        busy = {line for line in self._lines if self._give(line)}
        done: dict[int, Any] = {}
        for wanted in range(self._n):
            while wanted not in done:
                for line in wait(busy):
                    if isinstance(line, Connection):
                        piece, result = _received(line)
                        done[piece] = result
                        if not self._give(line):
                            busy.discard(line)
            yield done.pop(wanted)

    def _give(self, line: Connection) -> bool:
        piece = next(self._pending, None)
        if piece is not None:
            line.send(piece)
        return piece is not None


def _do(
    line: Connection,
    inherited: Sequence[Connection],
    do: Callable[..., Any],
    work: Sequence[tuple[Any, ...]],
) -> None:
    """Send the result of each piece whose number comes in, or the error that it met."""
    for other in inherited:  # with one open here too, sending to a killed build would wait for ever
        other.close()
    signals.leave_to_the_first()
    with suppress(EOFError, ConnectionError):
        while True:
            piece = line.recv()
            result: object
            try:
                result = do(*work[piece])
            except Exception as error:
                result = error
            line.send((piece, result))


def _received(line: Connection) -> tuple[int, Any]:
    try:
        piece, result = line.recv()
    except (EOFError, ConnectionError):
        raise EdoError("a rating process was killed; look whether the memory suffices") from None
    if isinstance(result, Exception):
        raise result
    return piece, result
