"""Benchmarks: every step of a build is measured."""

import gzip
import json
import shutil
from pathlib import Path

import pytest
from bench import measure
from bench.__main__ import main
from conftest import MINISITE, small_content

from edo.history.project import Project

PROJECT = Project(small_content().parent, MINISITE / "events", small_content())


def test_each_step_of_a_build_is_measured(tmp_path):
    figures = measure.measure_site(PROJECT, tmp_path / "site")
    assert {"read the event files", "fit", "deviations", "render the pages", "write"} <= set(
        figures
    )
    assert all(step["seconds"] >= 0 and step["peak_megabytes"] > 0 for step in figures.values())


def test_the_rating_of_a_table_of_games_is_measured(tmp_path):
    header = "event,site,date,round,white,black,result,welo,belo,mlen\n"
    games = [("a", "b"), ("b", "a"), ("b", "c"), ("c", "b"), ("a", "a")]
    text = header + "".join(f"x,,1900.01.01,1,{w},{b},1-0,,,\n" for w, b in games)
    text += "x,,1901.01.01,1,a,b,*,,,\nx,,????,1,a,b,1-0,,,\n"
    with gzip.open(tmp_path / "games.csv.gz", "wt") as file:
        file.write(text)
    found = measure.measure_games(tmp_path / "games.csv.gz")
    assert (found["games"], found["player_years"]) == (4, 3)
    assert found["ratio"] > 0 and found["newton_steps"] >= 1
    assert found["ttt"]["player_years"] == 3 and found["ttt"]["sweeps"] >= 1
    assert found["ttt"]["ratio"] > 0 and found["ttt"]["peak_megabytes"] > 0


@pytest.mark.slow
def test_incremental_builds_are_measured(tmp_path):
    found = measure.measure_second_builds(PROJECT, tmp_path / "b")
    assert list(found) == ["clean build", "nothing changed", "one note edited", "one score edited"]
    assert found["clean build"]["ratio"] == 1
    assert all(each["ratio"] > 0 for each in found.values())
    clean, again, edited = (
        found[name]["processor_seconds"]
        for name in ("clean build", "nothing changed", "one score edited")
    )
    assert 0 < again < min(clean, edited)


def test_a_project_is_measured_and_left_as_it_is(tmp_path, monkeypatch):
    """`--project` says what is measured; the figures are written where the command runs."""
    project, elsewhere = tmp_path / "project", tmp_path / "elsewhere"
    shutil.copytree(small_content().parent, project)
    shutil.copytree(MINISITE / "events", project / "events")
    elsewhere.mkdir()
    before = sorted((path, path.stat().st_mtime_ns) for path in project.rglob("*"))
    monkeypatch.chdir(elsewhere)
    monkeypatch.setattr(measure, "SECOND_BUILDS", {})
    monkeypatch.setattr("sys.argv", ["bench", "--project", str(project), "--games", "none"])
    assert main() == 0
    assert set(json.loads(Path("bench.json").read_text())) == {
        "python", "machine", "site", "builds"
    }  # fmt: skip
    assert sorted((path, path.stat().st_mtime_ns) for path in project.rglob("*")) == before
