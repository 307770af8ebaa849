"""The command line itself: files that cannot be written, and readers that go away."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import MINISITE, ROOT
from sampling import one_in

from edo.commands import cli


@pytest.mark.parametrize("inside", one_in(2, ["history/schemas", ".git"]))
def test_a_folder_named_as_the_program_does_not_hide_it(inside: str, tmp_path: Path):
    """`schema` makes such a folder, and a checkout may be cloned under this name."""
    (tmp_path / "edo" / inside).mkdir(parents=True)
    command = [sys.executable, "-m", "edo", "check", "--events", str(MINISITE / "events")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path, capsys):
    (tmp_path / "there").write_text("")
    guide = tmp_path / "there" / "fields.md"
    assert cli.main(["schema", "--out", str(guide), "--guide", str(guide)]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"error: {tmp_path / 'there'}")
    assert "Errno" not in said and said.count("\n") == 1


@pytest.mark.parametrize(
    "verb", one_in(2, [["check", "--format", "json"], ["explain", "castle-byrd-1881"]])
)
def test_a_reader_may_go_away(verb: list[str]):
    command = [sys.executable, "-m", "edo", *verb, "--events", str(MINISITE / "events")]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as started:
        assert started.stdout is not None and started.stderr is not None
        started.stdout.close()
        said = started.stderr.read()
        assert started.wait() == cli.OUTPUT_CLOSED
    assert "Errno" not in said and "Traceback" not in said and "Broken" not in said


@pytest.mark.parametrize("closed", one_in(3, [">&- 2>&-", ">&-", "2>&-"]))
def test_whoever_began_it_may_have_closed_what_it_writes_to(closed: str):
    command = f"{sys.executable} -m edo check --events {MINISITE / 'events'} {closed}"
    done = subprocess.run(
        command, shell=True, check=False, cwd=ROOT, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert ("no errors, 1 warning" in done.stdout) == (closed == "2>&-")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is full")
def test_errors_of_the_system_are_told_without_its_numbers():
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "edo", "check", "--events", str(MINISITE / "events")]
        done = subprocess.run(
            command, check=False, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert (done.returncode, done.stderr) == (1, "error: No space left on device\n")


def test_the_help_names_each_verb_with_what_it_does(capsys):
    with pytest.raises(SystemExit) as left:
        cli.main(["--help"])
    said = " ".join(capsys.readouterr().out.split())
    assert left.value.code == 0
    for verb, sentence in cli.COMMANDS.items():
        assert f"{verb} {sentence}" in said
