"""The writer: all or nothing, never outside, never over what is not ours."""

from __future__ import annotations

import errno
import fcntl
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import pytest
from conftest import ROOT

from edo.core import files
from edo.core.files import (
    DRAFTS_MARKER,
    MARKER,
    WriteFailed,
    WriteRefused,
    check_writable,
    publish,
    write_file,
    write_files,
)

OLD = [("index.html", b"old"), ("players/a.html", b"a")]


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != MARKER
    }


@pytest.fixture
def site(tmp_path: Path) -> Path:
    out = tmp_path / "site"
    assert len(publish(OLD, out)) == 2
    return out


def assert_untouched(site: Path) -> None:
    assert contents(site) == {"index.html": b"old", "players/a.html": b"a"}
    assert [path.name for path in site.parent.iterdir()] == ["site"]


def test_publishes_into_a_folder_that_was_not_there(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "site"
    assert len(publish(OLD, out)) == 2
    assert_untouched(out)


def test_replaces_the_whole_site(site: Path) -> None:
    assert len(publish([("years/1883.html", b"new")], site)) == 1
    assert contents(site) == {"years/1883.html": b"new"}
    assert [path.name for path in site.parent.iterdir()] == ["site"]


def test_replaces_by_two_renames_where_the_system_cannot_swap(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_exchange", lambda first, second: False)
    publish([("index.html", b"new")], site)
    assert contents(site) == {"index.html": b"new"}
    assert [path.name for path in site.parent.iterdir()] == ["site"]


def test_failure_in_the_middle_leaves_the_old_site(site: Path) -> None:
    def failing() -> Iterator[tuple[str, bytes]]:
        yield "index.html", b"new"
        raise RuntimeError("a page did not render")

    with pytest.raises(RuntimeError, match="did not render"):
        publish(failing(), site)
    assert_untouched(site)


def test_failure_of_the_last_rename_puts_the_old_site_back(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rename = Path.rename

    def failing(path: Path, target: Path) -> Path:
        if path.name == ".site.fresh":
            raise OSError("disk gone")
        return rename(path, target)

    monkeypatch.setattr(files, "_exchange", lambda first, second: False)
    monkeypatch.setattr(Path, "rename", failing)
    with pytest.raises(WriteFailed, match="disk gone"):
        publish([("index.html", b"new")], site)
    assert_untouched(site)


@pytest.mark.parametrize(
    "path",
    ["../a", "a/../../b", "/etc/a", "", ".", "a//b", "a/", "./a", "a\\b", "a\0b", MARKER],
)
def test_refuses_paths_outside(site: Path, path: str) -> None:
    with pytest.raises(WriteRefused, match="not a path inside the site"):
        publish([("index.html", b"new"), (path, b"x")], site)
    assert_untouched(site)


@pytest.mark.parametrize("second", ["players/a.html", "players/A.html", "PLAYERS/a.html"])
def test_refuses_the_same_path_twice(site: Path, second: str) -> None:
    with pytest.raises(WriteRefused, match=r"would overwrite players/a\.html"):
        publish([("players/a.html", b"1"), (second, b"2")], site)
    assert_untouched(site)


def test_refuses_a_folder_that_is_not_ours(tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.txt").write_text("years of work")
    with pytest.raises(WriteRefused, match="contains files that this program did not make"):
        publish(OLD, tmp_path / "thesis")
    assert contents(tmp_path) == {"thesis/chapter.txt": b"years of work"}


def test_refuses_a_file_and_a_link(tmp_path: Path, site: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(WriteRefused, match="is a file"):
        publish(OLD, tmp_path / "file")
    (tmp_path / "link").symlink_to(site)
    with pytest.raises(WriteRefused, match="symbolic link"):
        publish([("index.html", b"new")], tmp_path / "link")
    assert contents(site)["index.html"] == b"old"


def test_refuses_a_site_that_holds_a_repository(site: Path) -> None:
    (site / ".git").mkdir()
    (site / ".git" / "HEAD").write_text("years of work")
    with pytest.raises(WriteRefused, match="contains a git repository, which would be lost"):
        publish([("index.html", b"new")], site)
    assert contents(site)["index.html"] == b"old"
    assert contents(site)[".git/HEAD"] == b"years of work"


def test_refuses_what_is_mounted(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "is_mount", lambda path: path == site)
    with pytest.raises(WriteRefused, match="is mounted and cannot be replaced; give a folder in"):
        publish([("index.html", b"new")], site)
    assert_untouched(site)


@pytest.mark.parametrize("make", [Path.mkdir, lambda path: path.write_text("mine"), os.mkfifo])
def test_refuses_what_stands_in_the_place_of_its_lock(site: Path, make) -> None:
    lock = site.with_name(".site.lock")
    make(lock)
    with pytest.raises(WriteRefused, match="is where a build puts its lock"):
        publish([("index.html", b"new")], site)
    assert contents(site)["index.html"] == b"old"
    assert lock.exists()


def test_takes_an_empty_folder(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    publish(OLD, tmp_path / "site")
    assert_untouched(tmp_path / "site")


def test_refuses_while_another_build_writes(site: Path) -> None:
    lock = os.open(site.with_name(".site.lock"), os.O_CREAT | os.O_RDWR)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(WriteRefused, match="another build"):
            publish([("index.html", b"new")], site)
    finally:
        os.close(lock)
    publish([("index.html", b"new")], site)
    assert contents(site)["index.html"] == b"new"


def test_clears_up_after_a_killed_build(site: Path) -> None:
    for name in (".site.fresh", ".site.old"):
        site.with_name(name).mkdir()
        (site.with_name(name) / "half").write_text("x")
        (site.with_name(name) / MARKER).touch()
    publish(OLD, site)
    assert_untouched(site)


def test_leaves_folders_of_others_beside_the_site(site: Path) -> None:
    for name in (".site.fresh", ".site.old"):
        other = site.with_name(name)
        other.mkdir()
        (other / "mine").write_text("x")
        with pytest.raises(WriteRefused, match="contains files that this program did not make"):
            publish(OLD, site)
        assert (other / "mine").read_text() == "x"
        shutil.rmtree(other)
    assert_untouched(site)


def test_finds_a_site_that_a_killed_build_had_moved_aside(site: Path) -> None:
    def failing() -> Iterator[tuple[str, bytes]]:
        yield "index.html", b"new"
        raise RuntimeError

    site.rename(site.with_name(".site.old"))
    with pytest.raises(RuntimeError):
        publish(failing(), site)
    assert_untouched(site)


def test_the_marker_lists_what_was_written_as_sha256sum_does(site: Path) -> None:
    done = subprocess.run(
        ["sha256sum", "--check", "--strict", MARKER], cwd=site, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert done.stdout == "index.html: OK\nplayers/a.html: OK\n"


@pytest.mark.parametrize("during", [False, True])
def test_files_that_no_build_made_are_named_and_kept(during: bool, site: Path) -> None:
    def add() -> None:
        (site / ".well-known").mkdir()
        for name in ("CNAME", ".well-known/security.txt", "players/mine.html"):
            (site / name).write_text("mine")
        (site / ".DS_Store").write_text("of the system")

    def building() -> Iterator[tuple[str, bytes]]:
        yield "index.html", b"new"
        if during:
            add()

    if not during:
        add()
    refused = (
        f"{site} has files that no build made, and they would be lost: .well-known/security.txt, "
        "CNAME, players/mine.html; move them into `static/` of the project, which is copied into "
        "the site, or away"
    )
    with pytest.raises(WriteRefused, match=re.escape(refused)):
        publish(building(), site)
    assert (site / "CNAME").read_text() == "mine" and (site / "index.html").read_text() == "old"
    assert [path.name for path in site.parent.iterdir()] == ["site"]


def test_an_empty_marker_says_that_everything_may_be_replaced(site: Path) -> None:
    (site / "CNAME").write_text("not mine")
    (site / MARKER).write_text("")
    publish([("index.html", b"new")], site)
    assert contents(site) == {"index.html": b"new"}


def test_drafts_and_sites_do_not_replace_each_other(site: Path, tmp_path: Path) -> None:
    drafts = tmp_path / "drafts"
    publish([("1893/x.yaml", b"name: X\n")], drafts, marker=DRAFTS_MARKER)
    with pytest.raises(WriteRefused, match=f"{drafts} contains drafts, not a site; give another"):
        publish(OLD, drafts)
    with pytest.raises(WriteRefused, match=f"{site} contains a site, not drafts; give another"):
        publish(OLD, site, marker=DRAFTS_MARKER)
    publish([("1893/x.yaml", b"name: Y\n")], drafts, marker=DRAFTS_MARKER)
    (drafts / "1893/x.yaml").write_text("name: edited\n")
    edited = "has drafts that were edited or added since the import, and they would be lost: 1893/x"
    with pytest.raises(WriteRefused, match=edited):
        publish(OLD, drafts, marker=DRAFTS_MARKER)
    assert (drafts / "1893/x.yaml").read_text() == "name: edited\n"


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (errno.ENOSPC, "the disk is full; free some space, or write to another disk"),
        (errno.EROFS, "the disk is read-only; write to another folder"),
        (errno.EIO, "Input/output error; give another path"),
    ],
)
def test_what_the_system_refuses_is_told_with_path_and_remedy(
    number: int, said: str, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Path.open

    def failing(path: Path, *arguments: Any, **named: Any) -> IO[Any]:
        if path.name in ("a.html", ".b.yaml.fresh"):
            raise OSError(number, os.strerror(number))
        return opened(path, *arguments, **named)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "open", failing)
        with pytest.raises(WriteFailed) as page:
            publish([("index.html", b"new"), ("players/a.html", b"new")], site)
        with pytest.raises(WriteFailed) as entry:
            write_files({site.with_name("a.yaml"): b"a", site.with_name("b.yaml"): b"b"})
    assert str(page.value) == f"{site / 'players/a.html'} cannot be written: {said}"
    assert str(entry.value) == f"{site.with_name('b.yaml')} cannot be written: {said}"
    assert_untouched(site)
    publish([("index.html", b"new")], site)
    assert contents(site) == {"index.html": b"new"}


def test_a_folder_that_cannot_be_written_to_is_told_at_once(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    said = "cannot be written: you have no permission; ask for it, or write to another folder"
    with pytest.raises(WriteFailed, match=f"{site} {said}"):
        check_writable(site)


def test_a_folder_of_the_site_that_cannot_be_replaced_is_told_at_once(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked = site / "players"
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != locked)
    with pytest.raises(WriteFailed, match=f"{locked} cannot be written: you have no permission"):
        check_writable(site)


def test_names_in_any_script_are_listed_in_any_locale(site: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from edo.core.files import publish; "
        "publish([(sys.argv[1], b'old')], Path(sys.argv[2])); "
        "publish([(sys.argv[1], b'new')], Path(sys.argv[2]))"
    )
    ascii_only = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    command = [sys.executable, "-c", program, "naïve.txt", str(site)]
    subprocess.run(command, env=os.environ | ascii_only, cwd=ROOT, check=True)
    publish([("index.html", b"old"), ("players/a.html", b"a")], site)  # knows the file as its own
    assert_untouched(site)


def test_saves_one_file(tmp_path: Path) -> None:
    write_file(tmp_path / "1851" / "london.yaml", b"name: London\n")
    write_file(tmp_path / "1851" / "london.yaml", b"name: London 1851\n")
    assert contents(tmp_path) == {"1851/london.yaml": b"name: London 1851\n"}


@pytest.mark.parametrize("last", [1, 2, 3, 4])
def test_a_folder_that_was_removed_by_half_is_still_known_as_ours(
    last: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    site = tmp_path / "site"
    publish([("a.html", b"a"), ("b.html", b"b"), ("c.html", b"c")], site)
    unlink, gone = os.unlink, []

    def killed(path, **more):
        gone.append(path)
        if len(gone) == last:
            raise KeyboardInterrupt
        unlink(path, **more)

    with monkeypatch.context() as patched:
        patched.setattr(os, "unlink", killed)
        with pytest.raises(KeyboardInterrupt):
            publish([("a.html", b"again")], site)
    assert len(publish([("a.html", b"third")], site)) == 1
    assert sorted(path.name for path in site.iterdir()) == [MARKER, "a.html"]
