"""What building says and leaves behind when it succeeds, fails, or is asked for nonsense."""

from __future__ import annotations

import argparse
import io
import shutil
from pathlib import Path

import pytest
from conftest import small_content
from published import files

import build
from edo import __version__
from edo.commands import cli
from edo.commands.build import web_address
from edo.commands.progress import Progress


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("1882/shelbyville-1882.yaml", "place: shelbyville", "place: shelbyvile", ":3: place: "),
        ("1884/byrd-dunn-1884.yaml", "springfield-1880.html", "springfeld-1880.html",
         ":8: notes: the link `/events/springfeld-1880.html` leads to no page of the site; "
         "did you mean `springfield-1880`?"),
    ],
    ids=["an unknown place", "a link to nowhere"],
)  # fmt: skip
def test_broken_input_leaves_the_site_as_it_was(
    minisite_build: Path, tmp_path: Path, capsys, name: str, old: str, new: str, message: str
):
    project = Path(shutil.copytree(minisite_build, tmp_path / "project"))
    before = files(project / "site")
    file = project / "events" / name
    file.write_text(file.read_text().replace(old, new))
    assert build.main(["--project", str(project)]) == 1
    said = capsys.readouterr().err
    assert f"{file}{message}" in said and "1 error: nothing was written" in said
    assert "Traceback" not in said
    assert files(project / "site") == before


def test_check_writes_nothing(events: Path, tmp_path: Path, capsys):
    out = tmp_path / "site"
    assert build.main(["--only", "check", "--events", str(events), "--out", str(out)]) == 0
    assert "\nno errors, 1 warning in 30 files, " in capsys.readouterr().out
    assert not out.exists()
    assert cli.main(["check", "--events", str(events)]) == 0


def test_check_says_everything_at_once(events: Path, capsys):
    for name in ("1882/shelbyville-1882", "1884/byrd-dunn-1884", "players/d"):
        file = events / f"{name}.yaml"
        file.write_text(file.read_text() + "colour: red\n")
    assert build.main(["--only", "check", "--events", str(events)]) == 1
    assert len([line for line in capsys.readouterr().out.splitlines() if "colour" in line]) >= 3


def test_a_missing_folder_is_an_error_for_people(tmp_path: Path, capsys):
    assert build.main(["--events", str(tmp_path / "nowhere"), "--out", str(tmp_path / "site")]) == 1
    said = capsys.readouterr().err
    assert "there is no folder" in said and "Traceback" not in said


def test_a_folder_that_is_no_site_is_not_replaced(events: Path, tmp_path: Path, capsys):
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "thesis.txt").write_text("years of work")
    arguments = [
        "--events",
        str(events),
        "--content",
        str(small_content()),
        "--out",
        str(precious),
    ]
    assert build.main(arguments) == 1
    assert "contains files that this program did not make" in capsys.readouterr().err
    assert files(precious) == {"thesis.txt": b"years of work"}


def test_nonsense_arguments_exit_with_2(capsys):
    with pytest.raises(SystemExit) as stopped:
        build.main(["--only", "dream"])
    assert stopped.value.code == 2
    assert "check" in capsys.readouterr().err


def test_hostile_notes_are_text(minisite: Path):
    page = (minisite / "events" / "springfield-1880.html").read_text()
    assert all(text not in page for text in ("<script>", "alert(", "onload"))


def test_pages_say_what_made_them(minisite: Path):
    home = (minisite / "index.html").read_text()
    assert __version__ in home


def test_an_id_that_is_a_page_of_its_own_is_refused(events: Path, capsys):
    file = events / "1884" / "byrd-dunn-1884.yaml"
    file.rename(file.with_name("index.yaml"))
    assert build.main(["--only", "check", "--events", str(events)]) == 1
    assert "`index` is the page of the whole list" in capsys.readouterr().out


@pytest.mark.parametrize("address", ["javascript:alert(1)", "foo bar", ""])
def test_a_base_url_is_an_address_of_the_web(address: str, capsys):
    with pytest.raises(SystemExit) as stopped:
        build.main(["--base-url", address])
    assert stopped.value.code == 2
    assert "is not a web address" in capsys.readouterr().err


def test_an_interrupted_run_says_so_in_a_line(capsys):
    def interrupted() -> None:
        raise KeyboardInterrupt

    assert cli.run_guarded(interrupted) == 130
    assert capsys.readouterr().err == "interrupted; the published site is unchanged\n"


def test_texts_that_cannot_be_read_are_errors_for_people(events: Path, tmp_path: Path, capsys):
    content = tmp_path / "content"
    out = ["--events", str(events), "--out", str(tmp_path / "site"), "--content", str(content)]
    (tmp_path / "site.yaml").write_text("name: A\n")
    assert build.main(out) == 1
    assert "content:1: there is no such folder; make it, or name another" in capsys.readouterr().err
    content.mkdir()
    (content / "home.md").write_bytes(b"\xff\xfe")
    assert build.main(out) == 1
    assert "the text is not UTF-8" in capsys.readouterr().err


def test_folders_of_others_beside_the_site_are_left_alone(events: Path, tmp_path: Path, capsys):
    for name in (".site.old", ".site.fresh"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "mine").write_text("mine")
    arguments = ["--events", str(events), "--content", str(small_content())]
    assert build.main([*arguments, "--out", str(tmp_path / "site")]) == 1
    assert "contains files that this program did not make" in capsys.readouterr().err
    assert files(tmp_path / ".site.old") == files(tmp_path / ".site.fresh") == {"mine": b"mine"}


@pytest.mark.parametrize("out", ["/", "/.", "//"])
def test_the_root_of_all_folders_is_refused(out: str, events: Path, capsys):
    arguments = ["--events", str(events), "--content", str(small_content()), "--out", out]
    assert build.main(arguments) == 1
    said = capsys.readouterr().err
    assert said.startswith("error: ") and said.count("\n") == 1


@pytest.mark.parametrize(
    "address",
    [
        *("https://example.org:99999999", "https://example.org:0", "https://:80", "https://%"),
        *("https://example..org", "https://example.org/%zz", "https://example.org//a"),
        *("https://example.org/../a", "https://example.org/a/..", "https://example.org/./a/"),
        *("https://example.org/\n", "https://user:word@example.org", "https://example.org/é"),
        *("http://", "https://x y", "https://x?y", "https://x#y", "https://x/'", "https://x/<b>"),
        *("//x", "https://x/\x01", "https://x/\udcff", "https://[", "file:///etc", "x" * 99),
        "data:text/html,x",
    ],
)
def test_addresses_that_lead_nowhere_are_refused(address: str):
    with pytest.raises(argparse.ArgumentTypeError, match="is not a web address"):
        web_address(address)


@pytest.mark.parametrize(
    "address",
    [
        *("http://localhost:8000", "https://example.org/", "https://example.org/~me/a.b/"),
        *("https://xn--exmple-cua.org", "http://127.0.0.1:65535/x", "https://x.org/caf%C3%A9/.a"),
    ],
)
def test_addresses_with_ports_and_folders_are_taken(address: str):
    assert web_address(address) == address


class Broken(io.StringIO):
    """A pipe whose reader is gone."""

    def write(self, text: str) -> int:
        raise BrokenPipeError


def test_a_build_that_nobody_listens_to_goes_on():
    progress = Progress(Broken())
    with progress.step("reading") as say:
        say("done")
    progress.show("whole")
    assert list(progress.counted([1, 2], 2, "page")) == [1, 2]
