"""Worker processes: tasks run in parallel, with their results in order."""

from __future__ import annotations

import ctypes
import gc
import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from edo.core.problems import EdoError

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

_MAX_PROCESSES = 4  # each takes memory, and this process must keep up with their results
_MAX_WAITING = 200  # results that may wait for their turn
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
    before = set(multiprocessing.active_children())
    _tasks[name] = tasks
    executor = ProcessPoolExecutor(
        number, multiprocessing.get_context("fork"), _start_worker, (os.getpid(),)
    )
    try:
        waiting: deque[Future[Any]] = deque()
        for k in range(len(tasks)):
            waiting.append(executor.submit(_run, name, k))
            if len(waiting) > _MAX_WAITING:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool:
        raise EdoError(f"a {name} process was killed; check that there is enough memory") from None
    finally:
        for process in set(multiprocessing.active_children()) - before:
            process.kill()
        executor.shutdown(cancel_futures=True)
        del _tasks[name]


_tasks: dict[str, Sequence[Task]] = {}
"""The tasks of each running pool. Forked processes inherit it, so that tasks need no pickling."""


def _run(name: str, k: int) -> Any:
    return _tasks[name][k]()


def _start_worker(parent: int) -> None:
    """Leave signals to the parent, and end with it."""
    for each in STOP_SIGNALS:
        signal.signal(each, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to parent and worker
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it ended before the line above
        os._exit(1)
    gc.freeze()  # collecting what was inherited would copy its pages of memory
