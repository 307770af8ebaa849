"""A second build: nothing where nothing changed, else the site of a first build; files stay."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import ROOT
from published import files

import build
from edo.core import files as writer
from edo.core.digest import digest_of_program


@dataclass(frozen=True)
class Bench:
    """A copy of the small history and the texts, built again and again into one folder."""

    events: Path
    content: Path
    out: Path
    said: Callable[[], str]

    def build(self, *more: str, out: Path | None = None) -> str:
        """Build; return what was said of it."""
        project = ["--events", str(self.events), "--content", str(self.content)]
        assert build.main([*project, "--out", str(out or self.out), *more]) == 0
        return self.said()

    def clean(self) -> Path:
        """Return what a build makes that knows of none before it."""
        out = self.out.with_name("clean")
        self.build(out=out)
        return out

    @property
    def record(self) -> Path:
        return self.out.with_name(".site.built")


@pytest.fixture
def bench(tmp_path: Path, minisite_build: Path, capsys: pytest.CaptureFixture[str]) -> Bench:
    shutil.copytree(minisite_build, tmp_path, dirs_exist_ok=True)
    names = (tmp_path / name for name in ("events", "content", "site"))
    return Bench(*names, lambda: capsys.readouterr().err)


def append(path: Path, text: str) -> None:
    path.write_text(path.read_text() + text)


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text, f"{path} has no {old!r}"
    path.write_text(text.replace(old, new, 1))


def different(folder: Path, other: Path) -> list[str]:
    """Return the paths of files that are not in both folders with the same bytes."""
    left, right = files(folder), files(other)
    return sorted(p for p in left.keys() | right.keys() if left.get(p) != right.get(p))


def inodes(folder: Path) -> dict[Path, tuple[int, int]]:
    return {p: (p.stat().st_ino, p.stat().st_mtime_ns) for p in folder.rglob("*") if p.is_file()}


def test_nothing_is_done_where_nothing_changed(bench: Bench):
    before = inodes(bench.out)
    assert bench.build().startswith("nothing changed: ")
    assert inodes(bench.out) == before


def test_a_forced_build_makes_the_same_files_and_leaves_their_times(bench: Bench):
    before = inodes(bench.out)
    assert "nothing changed" not in bench.build("--force")
    del before[bench.out / ".edo-site"]
    after = inodes(bench.out)
    assert {path: after[path] for path in before} == before
    assert {path.stat().st_nlink for path in before} == {1}


def change_a_byte(out: Path) -> None:
    """Change a byte, not the size; the time of the change is a later one."""
    path = out / "index.html"
    path.write_bytes(path.read_bytes().replace(b"</html>", b"</htmk>"))


DAMAGE: dict[str, Callable[[Path], object]] = {
    "a byte": change_a_byte,
    "a file gone": lambda out: (out / "players" / "byrd-lucy.html").unlink(),
    "a folder gone": lambda out: shutil.rmtree(out / "places"),
    "all gone": shutil.rmtree,
    "a file more": lambda out: (out / "players" / "nobody.html").touch(),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_what_somebody_did_to_the_published_folder_is_noticed(bench: Bench, name: str):
    _, states = writer.read_states(bench.record)
    assert writer.is_intact(bench.out, states, writer.MARKER)
    DAMAGE[name](bench.out)
    assert not writer.is_intact(bench.out, states, writer.MARKER)


@pytest.mark.parametrize(
    "names", [list(DAMAGE)[:3], pytest.param(["all gone"], marks=pytest.mark.slow)]
)
def test_what_somebody_did_to_the_published_folder_does_not_last(bench: Bench, names: list[str]):
    whole = files(bench.out)
    for name in names:
        DAMAGE[name](bench.out)
    bench.build()
    assert files(bench.out) == whole


def test_an_edit_makes_the_site_of_a_first_build(bench: Bench, tmp_path: Path):
    before = files(bench.out)
    note = "Both sources agree; this sentence is new."
    replace(bench.events / "players" / "b.yaml", "An invented", f"{note}\n    An invented")
    os.link(bench.out / "index.html", tmp_path / "second name")  # so it is written anew
    bench.build()
    (tmp_path / "second name").write_text("changed in place")
    after = files(bench.out)
    assert after.keys() == before.keys()
    # Nothing that stands on every page follows from the data as a whole.
    assert {path for path in after if after[path] != before[path]} == {
        *(".edo-site", "players/byrd-lucy.html"),
        *("data/index.html", "data/players.csv", "data/history.sqlite.gz"),
        "data/datapackage.json",
    }
    assert note in (bench.out / "players" / "byrd-lucy.html").read_text()

    replace(bench.events / "1881" / "castle-byrd-1881.yaml", "+7 -2 =2", "+6 -3 =2")
    bench.build("--base-url", "https://example.org/chess")
    bench.build()
    assert different(bench.out, bench.clean()) == []


def test_a_record_that_cannot_be_read_or_written_stops_no_build(bench: Bench):
    whole = files(bench.out)
    for damaged in (b"", b"[", b'["key", ["a"]]', b'["key", {"a": [1]}]'):
        bench.record.write_bytes(damaged)
        assert writer.read_states(bench.record) == ("", {})
    bench.record.unlink()
    bench.record.mkdir()
    assert not bench.build().startswith("nothing changed: ")
    assert bench.record.is_dir() and files(bench.out) == whole


def test_program_and_templates_count_but_not_what_python_leaves_there(bench: Bench, tmp_path: Path):
    program = tmp_path / "program"
    for folder in ("edo", "templates", "tests/fonts"):
        shutil.copytree(ROOT / folder, program / folder, ignore=shutil.ignore_patterns("*.pyc"))
    shutil.copy(ROOT / "build.py", program)
    command = ["build.py", "--project", str(bench.out.parent), "--out", str(tmp_path / "other")]

    def run(*command: str) -> str:
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        done = subprocess.run(
            [sys.executable, *command], cwd=program, env=environment, check=True,
            capture_output=True, text=True,
        )  # fmt: skip
        return done.stderr

    def would_build() -> bool:
        """Whether the command would build again, without doing so."""
        code = (
            "import build, sys, types; stop = lambda *_: sys.exit('built'); "
            "sys.modules['edo.commands.pipeline'] = types.SimpleNamespace(BuildOptions=stop); "
            "build.main(sys.argv[1:])"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, *command[1:]], cwd=program, check=False,
            capture_output=True, text=True,
        )  # fmt: skip
        assert done.stderr.startswith("nothing changed") != (done.stderr == "built\n"), done.stderr
        return done.returncode != 0

    run("-c", "import sys; sys.path[:0] = ['tests/fonts', 'templates']; import cut_fonts")
    (program / "templates" / "__pycache__").mkdir()
    (program / "templates" / "__pycache__" / "cut_fonts.pyc").write_bytes(b"compiled")
    run(*command)
    assert different(tmp_path / "other", bench.out) == []
    for folder in ("templates", "tests/fonts"):
        shutil.rmtree(program / folder / "__pycache__")
    assert not would_build()
    for path, line in (
        ("templates/event.html", "<!-- an edited template -->\n"),
        ("edo/core/formats.py", "# an edited program\n"),
    ):
        before = (program / path).read_text()
        append(program / path, line)
        assert would_build(), path
        (program / path).write_text(before)


def test_the_digest_of_the_program_does_not_depend_on_the_name_of_the_host(
    monkeypatch: pytest.MonkeyPatch,
):
    here = os.uname()
    renamed = os.uname_result((here.sysname, "elsewhere", here.release, here.version, here.machine))
    digest = digest_of_program.__wrapped__
    expected = digest()
    monkeypatch.setattr(os, "uname", lambda: renamed)
    assert digest() == expected
