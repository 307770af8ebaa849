"""The signals that ask a program to stop, how it hears of them, and what processes it began do."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from edo.core.problems import EdoError

STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stopped(BaseException):
    """A signal asked the program to stop."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def leave_to_the_first() -> None:
    """Forget what the process that began this one does when it is asked to stop.

    A terminal's interrupt reaches both: the first clears up, and ends this one.
    """
    for each in STOPPING:
        signal.signal(each, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)


MOST = 4  # processes; each takes memory, and one more must use what they make

Do = Callable[[Iterator[int]], Iterator[object]]
"""What a process does: of each number that comes in, the result; closed with the last one."""


def size(is_much: bool, processes: int | None = None) -> int:
    """Return how many processes to start: those asked for, or one a processor if there is much."""
    if sys.platform != "linux":  # elsewhere a fork may lose what libraries hold
        return 1
    if processes is not None:
        return processes
    return min(MOST, len(os.sched_getaffinity(0))) if is_much else 1


def side_by_side(
    name: str, tasks: Sequence[Callable[[], Any]], is_much: bool, processes: int | None = None
) -> Iterator[Any]:
    """Yield what each task makes, in order; those that take longest should come first.

    By so many `processes`, by default one a processor where there is much to do. Raises what a
    task raises, and EdoError where a process was killed.
    """
    number = min(len(tasks), size(is_much, processes))
    if number < 2:
        yield from (task() for task in tasks)
        return
    with Crew(name, number, lambda numbers: (tasks[k]() for k in numbers)) as crew:
        yield from crew.results(len(tasks), lambda k: tasks[k]())


class Crew:
    """Processes forked from this one; when the block is left, none of them is left.

    They see what is there now. `name` says what they are for; each is given `ahead` pieces at a
    time, so that it need not wait for the next; `farewell` is called in each when all is done.
    """

    def __init__(
        self,
        name: str,
        number: int,
        do: Do,
        ahead: int = 1,
        farewell: Callable[[], object] = lambda: None,
    ) -> None:
        self._name, self._ahead = name, ahead
        self._lines: dict[Connection, BaseProcess] = {}
        context = get_context("fork")
        for _ in range(number):
            ours, theirs = context.Pipe()
            inherited = [*self._lines, ours]
            process = context.Process(
                target=_work, args=(theirs, inherited, do, farewell), daemon=True
            )
            process.start()
            theirs.close()
            self._lines[ours] = process

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        for line, process in self._lines.items():
            process.kill()
            process.join()
            line.close()

    def results(self, pieces: int, again: Callable[[int], Any]) -> Iterator[Any]:
        """Yield the result of each piece, by number.

        What could not be done is done `again` here, where the error can be told. Raises EdoError
        where a process was killed.
        """
        pending = iter(range(pieces))
        given: dict[Connection, list[int]] = {line: [] for line in self._lines}
        for line in [*self._lines] * self._ahead:
            _give(line, pending, given)
        done: dict[int, tuple[bool, Any]] = {}
        for wanted in range(pieces):
            while wanted not in done:
                for ready in wait([line for line in given if given[line]]):
                    if isinstance(ready, Connection):
                        done[given[ready].pop(0)] = self._received(ready)
                        _give(ready, pending, given)
            is_done, result = done.pop(wanted)
            yield result if is_done else again(wanted)

    def farewells(self) -> Iterator[Any]:
        """Yield what each process had to say at the end, once all results were taken."""
        for line in self._lines:
            line.send(None)
            yield self._received(line)

    def _received(self, line: Connection) -> Any:
        try:
            return line.recv()
        except (EOFError, ConnectionError):
            raise EdoError(
                f"a {self._name} process was killed; look whether the memory suffices"
            ) from None


def _give(line: Connection, pending: Iterator[int], given: dict[Connection, list[int]]) -> None:
    piece = next(pending, None)
    if piece is not None:
        given[line].append(piece)
        with suppress(ConnectionError):  # whoever was killed is missed when he should answer
            line.send(piece)


def _work(
    line: Connection, inherited: list[Connection], do: Do, farewell: Callable[[], object]
) -> None:
    """Send whether each piece could be done, and its result; after one that could not, none is."""
    for other in inherited:  # with one open here too, sending to a killed build would wait for ever
        other.close()
    leave_to_the_first()
    gc.freeze()  # what was made before stays: to look through it would copy it
    with suppress(EOFError, ConnectionError):
        numbers = iter(line.recv, None)
        try:
            for result in do(numbers):
                line.send((True, result))
        except (EOFError, ConnectionError):
            raise
        except Exception:  # it is met again, and told, in the first process
            line.send((False, None))
            for _ in numbers:
                line.send((False, None))
        line.send(farewell())
