"""Worker processes: tasks run in parallel, with their results in order.

On pipes of `multiprocessing` rather than `concurrent.futures`, whose pool hangs where a worker is
killed while it sends a result (seen with Python 3.11.7).
"""

from __future__ import annotations

import ctypes
import gc
import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from edo.core.problems import EdoError

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

_MAX_PROCESSES = 4  # each takes memory, and this process must keep up with their results
_AHEAD = 2  # tasks that a worker is given at a time, so that it need not wait for the next
_PR_SET_PDEATHSIG = 1  # from linux/prctl.h

Task = Callable[[], Any]


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
) -> Iterator[Any]:
    """Yield the result of each task, in order; put the longest first.

    With one process the tasks run here. Otherwise they run in processes forked from this one, which
    see its memory as it is now; none is left when the iterator ends or is closed. Raises what a
    task raises, and EdoError where a process was killed.
    """
    number = min(len(tasks), worker_count(is_large, processes))
    if number < 2:
        yield from (task() for task in tasks)
        return
    context = multiprocessing.get_context("fork")
    workers: dict[Connection, BaseProcess] = {}
    try:
        for _ in range(number):
            ours, theirs = context.Pipe()
            process = context.Process(target=_work, args=(theirs, tasks, os.getpid()), daemon=True)
            process.start()
            theirs.close()  # so that the end of the worker is the end of the pipe
            workers[ours] = process
        yield from _results(name, workers, len(tasks))
    finally:
        for pipe, worker in workers.items():
            worker.kill()
            worker.join()
            pipe.close()


def _results(name: str, workers: Iterable[Connection], number: int) -> Iterator[Any]:
    """Hand out the numbers of the tasks, and yield their results in order."""
    pending = iter(range(number))
    running: dict[Connection, deque[int]] = {pipe: deque() for pipe in workers}
    done: dict[int, tuple[bool, Any]] = {}

    def assign(pipe: Connection) -> None:
        for k in islice(pending, 1):
            running[pipe].append(k)
            with suppress(ConnectionError):  # its end is noticed when its result is due
                pipe.send(k)

    for pipe in [*running] * _AHEAD:
        assign(pipe)
    for wanted in range(number):
        while wanted not in done:
            for ready in wait([pipe for pipe, given in running.items() if given]):
                if isinstance(ready, Connection):
                    try:
                        done[running[ready].popleft()] = ready.recv()
                    except (EOFError, ConnectionError):
                        raise EdoError(
                            f"a {name} process was killed; check that there is enough memory"
                        ) from None
                    assign(ready)
        is_done, result = done.pop(wanted)
        if not is_done:
            raise result
        yield result


def _work(pipe: Connection, tasks: Sequence[Task], parent: int) -> None:
    """Run the tasks whose numbers come through the pipe; send each result, or the error."""
    _start_worker(parent)
    with suppress(EOFError, ConnectionError):
        while True:
            task = tasks[pipe.recv()]
            try:
                pipe.send((True, task()))
            except (EOFError, ConnectionError):
                raise
            except Exception as error:
                pipe.send((False, error))


def _start_worker(parent: int) -> None:
    """Leave signals to the parent, and end with it."""
    for each in STOP_SIGNALS:
        signal.signal(each, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to parent and worker
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it ended before the line above
        os._exit(1)
    gc.freeze()  # collecting what was inherited would copy its pages of memory
