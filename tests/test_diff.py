"""The command `diff`: folders and git revisions, two formats, the list of changes."""

from __future__ import annotations

import datetime
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import edited_minisite
import pytest
from conftest import ROOT, real_settings, small_content
from markdown import markdown

from edo.commands import cli
from edo.commands.diff import read_edition
from edo.history.content_files import read_changes

MATCH = "1884/byrd-dunn-1884.yaml"
LED = real_settings()


def git(place: Path, *arguments: str) -> None:
    identity = [
        f"GIT_{one}_{what}" for one in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
    ]
    no_config = dict.fromkeys(("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"), os.devnull)
    environment = {**os.environ, **no_config, **dict.fromkeys(identity, "a@example.org")}
    subprocess.run(
        ["git", "-C", str(place), *arguments], check=True, capture_output=True, env=environment
    )


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with two revisions of the events."""
    place = tmp_path_factory.mktemp("repository")
    git(place, "init", "-q", "-b", "main")
    events = edited_minisite.copy(place / "events")
    git(place, "add", "events")
    git(place, "commit", "-q", "-m", "One")
    git(place, "tag", "v1")
    edited_minisite.replace(events, MATCH, ("games: 101=", "games: 111="))
    git(place, "commit", "-q", "-a", "-m", "Two")
    shutil.copytree(small_content(), place / "content")
    shutil.copy(ROOT / "site.yaml", place)
    return place


@pytest.fixture(autouse=True)
def _working_directory(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place)


def diff(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert cli.main(["diff", *arguments]) == code
    captured = capsys.readouterr()
    return captured.out if code == 0 else captured.err


@pytest.mark.parametrize(("old", "new"), [("v1", "main"), ("HEAD~1", "events")])
def test_folders_and_revisions_give_the_same_report(
    old: str, new: str, capsys: pytest.CaptureFixture[str]
):
    report = diff(capsys, old, new, "--all").partition("\n")
    assert report[0] == f"{old} → {new}"
    assert report[2] == diff(capsys, "v1", "HEAD", "--all").partition("\n")[2]


def test_the_text_names_the_event_and_the_number_of_hidden_rows(capsys: pytest.CaptureFixture[str]):
    text = diff(capsys, "v1", "main", "--most", "1")
    assert text.startswith("v1 → main\n1 event changed.\n")
    assert re.search(r"match \(byrd-dunn-1884\)\n +results\n +on its own it changes 22", text)
    assert re.search(r"^  (Byrd|Dunn).* 188\d  .*Byrd – Dunn match [+−]\d", text, re.M)
    assert "more; --all shows them" in text
    assert "more; --all" not in diff(capsys, "v1", "main", "--all")


def test_no_differences(capsys: pytest.CaptureFixture[str]):
    assert diff(capsys, "v1", "v1") == "v1 → v1\nThere are no differences.\n"


def test_the_report_is_reproducible(capsys: pytest.CaptureFixture[str]):
    assert diff(capsys, "v1", "main") == diff(capsys, "v1", "main")


def test_markdown_in_names_is_escaped(events: Path, capsys: pytest.CaptureFixture[str]):
    odd = "Byrd | *Lu* <b>`x`</b> & @all [a](b) #12 http://a.b www.a.b ~~c~~"
    edited_minisite.replace(events, "players/b.yaml", ("name: Byrd, Lucy\n", f"name: '{odd}'\n"))
    edited_minisite.replace(events, MATCH, ("games: 101=", "games: 111="))
    text = diff(capsys, "v1", str(events), "--format", "markdown")
    row = next(line for line in text.splitlines() if line.startswith("| Byrd") and "188" in line)
    assert len(re.findall(r"(?<!\\)\|", row)) == 7  # six cells, none added by the name
    html = markdown(text, extensions=["tables"])
    assert "<b>" not in html
    assert "<code>" not in html
    assert "<em>" not in html
    assert "<a " not in html
    assert not re.search(r"@all|#12|://|www\.", text)  # GitHub makes links of them
    shown = "Byrd | *Lu* &lt;b&gt;`x`&lt;/b&gt; &amp; @all [a](b) #12 http://a.b www.a.b"
    assert shown in html.replace("\u2060", "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["v9", "main"], "'v9' is neither a folder of events nor a git rev"),
        (["--events", "nowhere", "v1", "main"], "the revision 'v1' has no folder"),
        (["content", "main"], "'content' is neither"),
    ],
)
def test_unknown_folders_and_revisions_are_reported(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
):
    assert message in diff(capsys, *arguments, code=1)


def test_no_option_can_be_passed_to_git(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as left:
        cli.main(["diff", "--output=/tmp/x", "main"])
    assert left.value.code == 2
    capsys.readouterr()
    diff(capsys, "--", "--output=x", "main", code=1)
    assert not Path("x").exists()


@pytest.mark.parametrize(
    "arguments",
    [["v1"], ["v1", "main", "--format", "json"], ["v1", "main", "--most", "-1"],
     ["v1", "main", "--date", "soon"]],
)  # fmt: skip
def test_invalid_arguments_exit_with_status_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
):
    with pytest.raises(SystemExit) as left:
        cli.main(["diff", *arguments])
    assert left.value.code == 2
    assert "usage:" in capsys.readouterr().err


def test_outside_a_repository_only_folders_can_be_compared(
    tmp_path: Path,
    place: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert "there is no git repository here" in diff(capsys, "v1", "main", code=1)
    events = str(place / "events")
    assert "There are no differences" in diff(capsys, events, events)


def test_errors_in_events_are_reported(events: Path, capsys: pytest.CaptureFixture[str]):
    edited_minisite.replace(events, MATCH, ("kind: match", "kind: mach"))
    message = diff(capsys, "v1", str(events), code=1)
    assert "have errors:\n" in message
    assert "byrd-dunn-1884.yaml:2: kind: `mach`" in message


def test_links_out_of_a_revision_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    git(tmp_path, "init", "-q", "-b", "main")
    events = edited_minisite.copy(tmp_path / "events")
    (events / "1884" / "secret.yaml").symlink_to("/etc/passwd")
    git(tmp_path, "add", "events")
    git(tmp_path, "commit", "-q", "-m", "One")
    monkeypatch.chdir(tmp_path)
    message = diff(capsys, "main", "main", code=1)
    assert "'events/1884/secret.yaml' is a link to an absolute path" in message


def test_uncommitted_changes_are_not_part_of_head(place: Path, capsys: pytest.CaptureFixture[str]):
    stray = place / "events/1884/notes.yaml"
    stray.write_text("name: x\n")
    assert cli.main(["diff", "v1", "HEAD"]) == 0
    assert capsys.readouterr().err == "notice: events has changes that are not in HEAD\n"
    stray.unlink()


@pytest.fixture
def content(place: Path, tmp_path: Path) -> Path:
    shutil.copy(place / "site.yaml", tmp_path)
    return Path(shutil.copytree(place / "content", tmp_path / "content"))


def record(content: Path, title: str, date: str = "2030-01-02") -> list[str]:
    return ["v1", "main", "--record", title, "--date", date, "--content", str(content)]


def test_a_comparison_is_recorded_as_an_entry(content: Path, capsys: pytest.CaptureFixture[str]):
    before = (content / "changes.yaml").read_text()
    old = read_changes(content)
    diff(capsys, *record(content, "Byrd – Dunn: “one” game, #2"))
    new = read_changes(content)
    entry = new[0]
    assert new[1:] == old
    assert (entry.id, entry.title) == ("byrd-dunn-one-game-2", "Byrd – Dunn: “one” game, #2")
    assert entry.date == datetime.date(2030, 1, 2)
    assert entry.events == ("byrd-dunn-1884",)
    assert entry.players == ()
    assert entry.text.startswith("1 event changed.\nThe median change of all ratings")
    old_edition, new_edition = (read_edition(name, Path("events"), LED) for name in ("v1", "main"))
    for move in entry.moves:
        was, now = (one.ratings[move.player, move.year] for one in (old_edition, new_edition))
        assert (move.old, move.new) == (round(was.rating), round(now.rating))
        assert move.event == "byrd-dunn-1884"
    assert len({move.player for move in entry.moves}) == len(entry.moves)
    after = (content / "changes.yaml").read_text()
    head, _, tail = before.partition("changes:\n")
    assert after.startswith(head)
    assert after.endswith(tail)


def test_ids_of_entries_are_unique_and_dates_in_order(
    content: Path, capsys: pytest.CaptureFixture[str]
):
    for _ in range(2):
        diff(capsys, *record(content, "Again"))
    assert [change.id for change in read_changes(content)[:2]] == ["again-2", "again"]
    message = diff(capsys, *record(content, "Before", "2029-12-31"), code=1)
    assert "the newest entry is dated 2030-01-02, later than 2029-12-31" in message
    assert "the title: nothing stands here" in diff(capsys, *record(content, "  "), code=1)
    unchanged = ["v1", "v1", *record(content, "Nothing")[2:]]
    assert "there are no differences to record" in diff(capsys, *unchanged, code=1)
    assert len(read_changes(content)) == len(read_changes(ROOT / "content")) + 2


def test_the_entry_is_on_the_page_and_in_the_feed(
    content: Path, place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    diff(capsys, *record(content, "A <game> less"))
    import build

    out = tmp_path / "site"
    given = ["--events", str(place / "events"), "--content", str(content), "--out", str(out)]
    assert build.main(given) == 0
    page = (out / "changes.html").read_text()
    move = read_changes(content)[0].moves[0]
    section = page[page.index('id="a-game-less"') :]
    section = section[: section.index("</section>")]
    assert "A &lt;game&gt; less" in section
    assert f"<a href=players/{move.player}.html>" in section
    assert f"<td class=num>{move.old}<td class=num>{move.new}" in section
    assert "<a href=events/byrd-dunn-1884.html>Byrd – Dunn match</a>" in section
    feed = (out / "changes.xml").read_text()
    assert f"{move.player}, {move.year}: {move.old} → {move.new} (byrd-dunn-1884)" in feed


def test_check_lists_only_the_warnings_that_a_revision_did_not_have(
    place: Path, capsys: pytest.CaptureFixture[str]
):
    def warnings(*more: str) -> list[dict[str, object]]:
        cli.main(["check", "--format", "json", "--all", *more])
        found: list[dict[str, object]] = json.loads(capsys.readouterr().out)
        return found

    assert warnings("--since", "HEAD") == []
    sources = place / "events" / "sources.yaml"
    before = sources.read_text()
    sources.write_text(f"{before}unused-book:\n  title: Of no use\n")
    try:
        (new,) = warnings("--since", "HEAD")
        assert (new["path"], new["place"]) == ("events/sources.yaml", "unused-book")
        assert len(warnings()) > 1
    finally:
        sources.write_text(before)
