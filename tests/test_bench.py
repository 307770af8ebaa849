"""Benchmarks: whole builds are measured."""

import pytest
from conftest import MINISITE, small_content

from edo.commands import bench
from edo.history.project import Project

PROJECT = Project(small_content().parent, MINISITE / "events", small_content())


@pytest.mark.slow
def test_incremental_builds_are_measured(tmp_path):
    found = bench.measure_second_builds(PROJECT, tmp_path / "b")
    assert list(found) == ["clean build", "nothing changed", "one note edited", "one score edited"]
    assert found["clean build"]["ratio"] == 1
    assert all(each["ratio"] > 0 for each in found.values())
    clean, again, edited = (
        found[name]["processor_seconds"]
        for name in ("clean build", "nothing changed", "one score edited")
    )
    assert 0 < again < min(clean, edited)
