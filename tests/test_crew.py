"""Work done by several processes: in order, with the errors that it meets, and nobody left."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator

import pytest

from edo.core.parallel import Crew
from edo.core.problems import EdoError


@pytest.fixture(autouse=True)
def nobody_is_left() -> Iterator[None]:
    yield
    assert multiprocessing.active_children() == []


def by(number: int, pieces: int, do: Callable[[int], object], ahead: int = 1) -> list[object]:
    with Crew("counting", number, lambda numbers: map(do, numbers), ahead) as crew:
        return list(crew.results(pieces, do))


@pytest.mark.parametrize("ahead", [1, 2, 30])
@pytest.mark.parametrize("number", [1, 2, 5])
def test_results_come_in_order(number: int, ahead: int):
    assert by(number, 20, lambda k: 1 / (k + 1), ahead) == [1 / (k + 1) for k in range(20)]
    assert by(number, 0, lambda k: k, ahead) == []


def test_others_do_the_work():
    here = os.getpid()
    assert here not in by(2, 8, lambda _: os.getpid())


def test_an_error_is_met_again_here_after_the_results_before_it():
    done: list[object] = []
    counting = Crew("counting", 2, lambda numbers: (1 // (k - 3) for k in numbers))
    with pytest.raises(ZeroDivisionError), counting as crew:
        for result in crew.results(9, lambda k: 1 // (k - 3)):
            done.append(result)
    assert done == [-1, -1, -1]


def test_a_killed_process_is_told():
    with pytest.raises(EdoError, match="a counting process was killed; look"):
        by(2, 6, lambda _: os._exit(1))


def test_each_says_farewell():
    total = 0

    def add(numbers: Iterator[int]) -> Iterator[int]:
        nonlocal total
        for number in numbers:
            total += number
            yield number

    with Crew("counting", 3, add, farewell=lambda: total) as crew:
        assert list(crew.results(50, lambda k: k)) == list(range(50))
        assert sum(crew.farewells()) == sum(range(50))
    assert total == 0, "in the other processes alone"
