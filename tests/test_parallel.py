"""Worker processes: results in order, errors passed on, no process left."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from edo.core.parallel import run_parallel, stream_parallel
from edo.core.problems import EdoError


@pytest.fixture(autouse=True)
def no_process_is_left() -> Iterator[None]:
    yield
    assert multiprocessing.active_children() == []


def run(processes: int, tasks: int, do: Callable[[int], object]) -> list[object]:
    return list(run_parallel("counting", [partial(do, k) for k in range(tasks)], True, processes))


@pytest.mark.parametrize("processes", [1, 2, 5])
def test_results_come_in_order(processes: int):
    assert run(processes, 20, lambda k: 1 / (k + 1)) == [1 / (k + 1) for k in range(20)]
    assert run(processes, 0, lambda k: k) == []


def test_stopping_while_large_results_are_sent_leaves_no_process():
    for _ in range(20):
        results = run_parallel("counting", [partial(bytes, 9_000_000)] * 9, True, 2)
        assert len(next(results)) == 9_000_000
        results.close()


def test_other_processes_do_the_work():
    here = os.getpid()
    assert here not in run(2, 8, lambda _: os.getpid())


def test_an_error_is_raised_after_the_results_before_it():
    done: list[object] = []
    tasks = [partial(divmod, 1, k - 3) for k in range(9)]
    with pytest.raises(ZeroDivisionError):
        for quotient, _ in run_parallel("counting", tasks, True, 2):
            done.append(quotient)
    assert done == [-1, -1, -1]


def test_a_killed_process_is_reported():
    with pytest.raises(EdoError, match="a counting process was killed; check"):
        run(2, 6, lambda _: os._exit(1))


def test_stopping_half_way_leaves_no_process():
    results = run_parallel("counting", [partial(int, k) for k in range(9)], True, 2)
    assert next(results) == 0
    assert len(multiprocessing.active_children()) == 2
    results.close()


def test_tasks_start_before_their_results_are_asked_for(tmp_path: Path):
    results = run_parallel("counting", [(tmp_path / name).touch for name in "ab"], True, 2)
    wait_for(tmp_path / "a")
    wait_for(tmp_path / "b")
    results.close()


def test_a_process_is_given_its_next_task_when_it_is_done_with_one(tmp_path: Path):
    there = tmp_path / "there"
    tasks = [partial(wait_for, there), partial(int, 1), there.touch]  # the other process does two
    assert list(run_parallel("counting", tasks, True, 2)) == [None, 1, None]


def wait_for(path: Path) -> None:
    end = time.monotonic() + 60
    while not path.exists():
        assert time.monotonic() < end, f"{path} is still not there"
        time.sleep(0.01)


@pytest.mark.parametrize("processes", [1, 2])
def test_parts_come_as_soon_as_they_are_there(processes: int):
    def parts(k: int) -> Iterator[tuple[int, int]]:
        yield from ((k, part) for part in range(3))

    found = list(stream_parallel("counting", [partial(parts, k) for k in range(5)], processes))
    assert sorted(found) == [(k, part) for k in range(5) for part in range(3)]
    assert all([p for j, p in found if j == k] == [0, 1, 2] for k in range(5))


def test_an_error_between_parts_is_raised():
    def parts(k: int) -> Iterator[float]:
        yield 1 / k

    with pytest.raises(ZeroDivisionError):
        list(stream_parallel("counting", [partial(parts, 1 - k) for k in range(4)], 2))
