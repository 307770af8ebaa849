"""Nothing is lost that an editor saves while a command rewrites the same files."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import MINISITE

from edo.commands.cli import main
from edo.core import files
from edo.core.files import Replacement, SavedMeanwhile, replace_files

TABLE = "Castle, Hugo . 1 1 | 2\nNewcome, Nell 0 . = | ½\nByrd, Lucy 0 = . | ½\n"
SEEDS = [
    *range(10),
    *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(10, 100)),
]


class Editor:
    """Saves files at random moments while a command reads; `saved` holds what has to be left."""

    def __init__(self, seed: int, n_reads: int, paths: list[Path], line: str) -> None:
        self.rng, self.paths, self.line = random.Random(seed), paths, line
        self.moments = set(self.rng.sample(range(n_reads), 3))
        self.reads = 0
        self.saved: dict[Path, str] = {}
        self.read = files.read_text

    def read_text(self, path: Path) -> str:
        text = self.read(path)
        self.reads += 1
        if self.reads in self.moments:
            there = [one for one in (*self.paths, path) if one.exists()]
            # Often the file that was just read: the one that the command may be about to replace.
            chosen = path if self.rng.random() < 0.5 else self.rng.choice(there)
            mark = f"{self.line}{len(self.saved)}"
            chosen.write_text(f"{chosen.read_text()}{mark}\n")
            self.saved[chosen] = mark
        return text

    def nothing_is_lost(self, moved: Path = Path()) -> bool:
        """Whether each save is in its file, or in that to which a draft was moved."""
        return all(
            mark in (path if path.exists() else moved).read_text()
            for path, mark in self.saved.items()
        )


@pytest.fixture
def events(tmp_path: Path) -> Path:
    return Path(shutil.copytree(MINISITE / "events", tmp_path / "events"))


@pytest.mark.parametrize("seed", SEEDS)
def test_saves_during_fmt(seed: int, events: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = sorted(events.rglob("*.yaml"))
    for path in paths:
        path.write_text(f"\n{path.read_text()}\n")  # not in canonical form
    editor = Editor(seed, len(paths), paths, "# saved ")
    monkeypatch.setattr(files, "read_text", editor.read_text)
    code = main(["fmt", "--events", str(events)])
    assert editor.saved and editor.nothing_is_lost()
    monkeypatch.undo()
    assert main(["fmt", "--events", str(events)]) == 0
    assert editor.nothing_is_lost()
    untidy = [path for path in paths if path.read_text().startswith("\n")]
    assert not untidy
    assert code in (0, 1)


@pytest.mark.parametrize("seed", SEEDS)
def test_saves_during_accept(seed: int, events: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drafts, table = events.parent / "drafts", events.parent / "table.txt"
    table.write_text(TABLE)
    folders = ["--events", str(events), "--out", str(drafts)]
    about = ["--name", "Hull 1893", "--place", "Hull", "--source", "A new book"]
    assert main(["import", "crosstable", str(table), *about, *folders]) == 0
    draft = drafts / "1893/hull-1893.yaml"
    paths = [*sorted(events.rglob("*.yaml")), draft]
    # Every third editor saves what the check refuses, so that all is put back.
    line = "wrong: [" if seed % 3 == 0 else "# saved "
    editor = Editor(seed, 2 * len(paths) + 3, paths, line)
    monkeypatch.setattr(files, "read_text", editor.read_text)
    code = main(["import", "--accept", "hull-1893", *folders])
    event = events / "1893/hull-1893.yaml"
    assert editor.saved and editor.nothing_is_lost(event)
    assert event.exists() == (code == 0)
    assert draft.exists() == (code != 0)


def test_fmt_says_which_file_it_left(events: Path, monkeypatch, capsys) -> None:
    path = events / "1880/springfield-1880.yaml"
    path.write_text(f"\n{path.read_text()}")
    read = files.read_text

    def read_and_save(read_path: Path) -> str:
        text = read(read_path)
        path.write_text(f"{text}# saved\n")
        return text

    monkeypatch.setattr(files, "read_text", read_and_save)
    assert main(["fmt", str(path)]) == 1
    said = f"error: {path} was saved by somebody else meanwhile; run the command again\n"
    assert capsys.readouterr().err == said


def replaced(path: Path, change: Callable[[], object]) -> None:
    """Replace a file whose check fails after a change."""

    def check() -> None:
        change()
        raise RuntimeError

    with pytest.raises(RuntimeError):
        replace_files({path: Replacement("before", "after")}, check)


def test_what_was_saved_during_a_check_that_fails_is_not_put_back(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("before")
    replaced(path, lambda: None)
    assert path.read_text() == "before"
    replaced(path, lambda: path.write_text("saved"))
    assert path.read_text() == "saved"


def test_one_file_saved_meanwhile_leaves_all_as_they_are(tmp_path: Path) -> None:
    first, second, new = (tmp_path / name for name in ("a.yaml", "b.yaml", "c/d.yaml"))
    first.write_text("1")
    second.write_text("saved")
    changes = {new: Replacement(None, "3"), first: Replacement("1", None),
               second: Replacement("2", "")}  # fmt: skip
    with pytest.raises(SavedMeanwhile, match=r"b\.yaml was saved by somebody else meanwhile"):
        replace_files(changes)
    assert (first.read_text(), second.read_text()) == ("1", "saved")
    assert sorted(tmp_path.iterdir()) == [first, second]
