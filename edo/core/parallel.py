"""Worker processes: tasks run in parallel, with their results in order.

On pipes of `multiprocessing` rather than `concurrent.futures`, whose pool hangs where a worker is
killed while it sends a result (seen with Python 3.11.7).
"""

from __future__ import annotations

import copyreg
import ctypes
import gc
import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import fields
from functools import partial
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from operator import attrgetter
from types import GeneratorType, MappingProxyType
from typing import Any

from edo.core.problems import EdoError

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

_MAX_PROCESSES = 4  # each takes memory, and this process must keep up with their results
_AHEAD = 2  # small tasks that a worker is given at a time, so that it need not wait for the next
_GARBAGE = 200_000  # objects after which a worker looks for unused ones: 50,000 took 3 % longer
_PR_SET_PDEATHSIG = 1  # from linux/prctl.h

Task = Callable[[], Any]


def _read_only(mapping: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(mapping)


# Events have read-only mappings, which pickle cannot send by itself.
copyreg.pickle(MappingProxyType, lambda mapping: (_read_only, (dict(mapping),)))


def send_by_fields(*kinds: type) -> None:
    """Let workers send records of these dataclasses by their fields, of which each has several.

    What pickle does by itself takes twice as long: it looks up the names of the fields every time.
    """
    for kind in kinds:
        names = [field.name for field in fields(kind)]
        copyreg.pickle(kind, partial(_by_fields, kind, attrgetter(*names)))


def _by_fields(
    kind: type, values: Callable[[Any], tuple[Any, ...]], record: Any
) -> tuple[type, tuple[Any, ...]]:
    return kind, values(record)


class Stopped(BaseException):
    """A signal asked the program to stop."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def worker_count(is_large: bool, processes: int | None = None) -> int:
    """Return how many processes to use: those asked for, or one a processor for a large job."""
    if sys.platform != "linux":  # elsewhere forking can leave locks held by libraries
        return 1
    if processes is not None:
        return processes
    return min(_MAX_PROCESSES, len(os.sched_getaffinity(0))) if is_large else 1


def run_parallel(
    name: str, tasks: Sequence[Task], is_large: bool = True, processes: int | None = None
) -> Generator[Any, None, None]:
    """Return an iterator over the result of each task, in order; put the longest first.

    With one process the tasks run here, when their results are asked for. Otherwise they start at
    once, in processes forked from this one, which see its memory as it is now; none is left when
    the iterator ends or is closed. Raises what a task raises, and EdoError where a process was
    killed.
    """
    number = min(len(tasks), worker_count(is_large, processes))
    if number < 2:
        return (task() for task in tasks)
    results = _in_order(name, tasks, number)
    next(results)
    return results


def _in_order(name: str, tasks: Sequence[Task], number: int) -> Generator[Any, None, None]:
    """Yield None when the first tasks are handed out, then the result of each task."""
    with _started(tasks, number) as workers:
        results = _results(name, workers, len(tasks), ahead=1)
        yield None
        outcomes: dict[int, list[Any]] = {}
        next_due = 0
        for k, _, *outcome in results:
            outcomes[k] = outcome
            while next_due in outcomes:
                error, result = outcomes.pop(next_due)
                if error is not None:
                    raise error
                yield result
                next_due += 1


def stream_parallel(name: str, tasks: Sequence[Task], processes: int) -> Iterator[Any]:
    """Yield what the tasks, which are generators, yield, as soon as it is there.

    So nothing waits for a slow task, here or in a process. Errors as in `run_parallel`.
    """
    if min(len(tasks), processes) < 2:
        for task in tasks:
            yield from task()
        return
    with _started(tasks, processes) as workers:
        for _, is_last, error, part in _results(name, workers, len(tasks), _AHEAD):
            if error is not None:
                raise error
            if not is_last:
                yield part


@contextmanager
def _started(tasks: Sequence[Task], number: int) -> Iterator[Iterable[Connection]]:
    """Start so many worker processes; none is left at the end."""
    context = multiprocessing.get_context("fork")
    workers: dict[Connection, BaseProcess] = {}
    was_frozen = gc.get_freeze_count() > 0
    gc.freeze()  # collecting what all share would copy its pages of memory, here and there
    try:
        for _ in range(number):
            ours, theirs = context.Pipe()
            process = context.Process(target=_work, args=(theirs, tasks, os.getpid()), daemon=True)
            process.start()
            theirs.close()  # so that the end of the worker is the end of the pipe
            workers[ours] = process
        yield workers
    finally:
        for pipe, worker in workers.items():
            worker.kill()
            worker.join()
            pipe.close()
        if not was_frozen:
            gc.unfreeze()


def _results(
    name: str, workers: Iterable[Connection], number: int, ahead: int
) -> Iterator[tuple[int, bool, Exception | None, Any]]:
    """Hand out the first tasks, `ahead` to each worker; return an iterator over what they send.

    That is the number of a task, whether it is the last of it, an error and a value.
    """
    pending = iter(range(number))
    running: dict[Connection, deque[int]] = {pipe: deque() for pipe in workers}

    def assign(pipe: Connection) -> None:
        for k in islice(pending, 1):
            running[pipe].append(k)
            with suppress(ConnectionError):  # its end is noticed when its result is due
                pipe.send(k)

    def received() -> Iterator[tuple[int, bool, Exception | None, Any]]:
        while busy := [pipe for pipe, tasks_of_pipe in running.items() if tasks_of_pipe]:
            for ready in wait(busy):
                if isinstance(ready, Connection):
                    try:
                        is_last, error, result = ready.recv()
                    except (EOFError, ConnectionError):
                        raise EdoError(
                            f"a {name} process was killed; check that there is enough memory"
                        ) from None
                    yield running[ready][0], is_last, error, result
                    if is_last:
                        running[ready].popleft()
                        assign(ready)

    for pipe in [*running] * ahead:
        assign(pipe)
    return received()


def _work(pipe: Connection, tasks: Sequence[Task], parent: int) -> None:
    """Run the tasks whose numbers come through the pipe; send each result, or the error.

    What a generator yields is sent part by part, None after the last.
    """
    _start_worker(parent)
    with suppress(EOFError, ConnectionError):
        while True:
            task = tasks[pipe.recv()]
            try:
                result = task()
                if isinstance(result, GeneratorType):
                    for part in result:
                        pipe.send((False, None, part))
                    result = None
                pipe.send((True, None, result))
            except (EOFError, ConnectionError):
                raise
            except Exception as error:
                pipe.send((True, error, None))


def _start_worker(parent: int) -> None:
    """Leave signals to the parent, and end with it."""
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to parent and worker
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it ended before the line above
        os._exit(1)
    gc.enable()
    gc.set_threshold(_GARBAGE, 20, 20)
