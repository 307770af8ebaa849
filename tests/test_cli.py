"""The command line itself: files that cannot be written, and readers that go away."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import MINISITE, ROOT

from edo import cli


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path, capsys):
    (tmp_path / "there").write_text("")
    guide = tmp_path / "there" / "fields.md"
    assert cli.main(["schema", "--out", str(guide), "--guide", str(guide)]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"error: {tmp_path / 'there'}")
    assert "Errno" not in said and said.count("\n") == 1


@pytest.mark.parametrize("verb", [["check", "--format", "json"], ["explain", "castle-byrd-1881"]])
def test_a_reader_may_go_away(verb: list[str]):
    command = [sys.executable, "-m", "edo", *verb, "--events", str(MINISITE / "events")]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as started:
        assert started.stdout is not None and started.stderr is not None
        started.stdout.close()
        said = started.stderr.read()
        assert started.wait() == cli.NOT_READ
    assert "Errno" not in said and "Traceback" not in said and "Broken" not in said


def test_the_help_names_each_verb_with_what_it_does(capsys):
    with pytest.raises(SystemExit) as left:
        cli.main(["--help"])
    said = " ".join(capsys.readouterr().out.split())
    assert left.value.code == 0
    for verb, sentence in cli.VERBS.items():
        assert f"{verb} {sentence}" in said
