"""README and CONTRIBUTING are correct: samples can be read, commands and files exist."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from textwrap import dedent

import pytest
from conftest import ROOT

import build
from edo import __version__
from edo.commands import cli
from edo.history.dataset import load

README = (ROOT / "README.md").read_text()
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text()


def samples(text: str) -> list[str]:
    return [dedent(block) for block in re.findall(r"^ *```yaml\n(.*?)^ *```", text, re.M | re.S)]


@pytest.mark.parametrize("sample", samples(CONTRIBUTING))
def test_samples_of_event_files_are_read(sample: str, events: Path):
    year = re.search(r"^year: (\d+)", sample, re.M)
    assert year
    (events / year[1]).mkdir(exist_ok=True)
    (events / year[1] / "the-sample.yaml").write_text(sample)
    assert load(events).events["the-sample"].results


def test_there_are_two_samples():
    assert len(samples(CONTRIBUTING)) == 2


@pytest.mark.parametrize("text", [README, CONTRIBUTING], ids=["README", "CONTRIBUTING"])
def test_every_make_target_and_local_link_exists(text: str):
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"`make ([a-z-]+)`", text):
        assert re.search(rf"^{target}:", makefile, re.M), target
    for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        assert (ROOT / link).exists(), link


def test_ci_runs_the_test_command_of_the_readme_and_then_the_long_tests():
    assert re.search(r"^make test$", README, re.M)
    commands = (ROOT / ".ci" / "run").read_text().splitlines()
    assert commands[-2:] == ["make test", "make test-slow"]


def test_constraints_pin_every_library():
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    pinned = {
        re.split("==", line)[0].lower().replace("_", "-")
        for line in (ROOT / "constraints.txt").read_text().splitlines()
    }
    required = [*project["dependencies"], *project["optional-dependencies"]["test"]]
    for requirement in required:
        assert re.split("[>=<]", requirement)[0].lower() in pinned


def test_the_program_has_the_version_after_the_last_release():
    changelog = (ROOT / "CHANGELOG.md").read_text()
    releases = re.findall(r"^## (\d+)\.(\d+)\.(\d+), (\d{4}-\d\d-\d\d): ", changelog, re.M)
    assert len(releases) == changelog.count("\n## ") - changelog.count("\n## Unreleased\n")
    versions = [tuple(map(int, release[:3])) for release in releases]
    dates = [date.fromisoformat(release[3]) for release in releases]
    assert versions == sorted(set(versions), reverse=True) and dates == sorted(dates, reverse=True)
    present = tuple(int(part) for part in __version__.split("."))
    assert present > versions[0] if "## Unreleased" in changelog else present == versions[0]


def test_every_package_is_in_the_readme_and_exists():
    named = re.findall(r"^\| `([a-z]+)/` \|", README, re.M)
    packages = {path.parent.name for path in (ROOT / "edo").glob("*/__init__.py")}
    assert len(named) == len(set(named))
    assert set(named) == packages


def test_the_commands_for_a_history_of_ones_own_work(tmp_path: Path, capsys):
    """The second is only checked here; test_project.py builds the site."""
    section = README.partition("## Your own history\n")[2].partition("\n## ")[0]
    given = re.search(r"^```\n(.*)\n(.*)\n```", section, re.M)
    assert given is not None
    first, second = (
        line.replace("../my-ratings", str(tmp_path / "new")) for line in given.groups()
    )
    assert cli.main(first.removeprefix(".venv/bin/python -m edo ").split()) == 0
    arguments = second.removeprefix(".venv/bin/python build.py ").split()
    assert build.main([*arguments, "--only", "check"]) == 0
    assert "no errors, no warnings in 18 files" in capsys.readouterr().out
