"""The list of published ids: none vanishes, new ones are added, and a changed id in `diff`."""

from __future__ import annotations

from pathlib import Path

import edited_minisite
import pytest

from edo.commands import cli
from edo.diff.compare import compare
from edo.history.published_ids import FILE, KINDS


@pytest.fixture
def events(tmp_path: Path) -> Path:
    events = edited_minisite.copy(tmp_path / "events")
    (events / FILE).touch()
    assert cli.main(["fmt", "--events", str(events)]) == 0
    return events


def rename_player(events: Path, old: str, new: str) -> None:
    for path in events.rglob("*.yaml"):
        path.write_text(path.read_text().replace(old, new))


def errors(events: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    capsys.readouterr()
    code = cli.main(["check", "--events", str(events)])
    lines = [line for line in capsys.readouterr().out.splitlines() if " error " in line]
    assert bool(lines) == bool(code)
    return lines


def test_every_record_with_a_page_is_listed(events: Path) -> None:
    lines = (events / FILE).read_text().splitlines()
    assert lines[1:] == sorted(lines[1:])
    assert {line.partition("/")[0] for line in lines[1:]} <= set(KINDS)
    assert f"events/{'castle-byrd-1881'}" in lines
    assert "players/castle-hugo" in lines
    assert cli.main(["fmt", "--check", "--events", str(events)]) == 0


def test_a_vanished_id_is_an_error_until_a_record_names_it(
    events: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rename_player(events, "castle-hugo", "castle-hugh")
    (error,) = errors(events, capsys)
    line = (events / FILE).read_text().splitlines().index("players/castle-hugo") + 1
    assert error.split() == [
        str(line), "error", "the", "published", "id", "`players/castle-hugo`", "has", "vanished",
    ]  # fmt: skip
    before = (events / FILE).read_bytes()
    cli.main(["fmt", "--events", str(events)])
    assert (events / FILE).read_bytes() == before  # an error would hide what else is missing
    c = events / "players" / "c.yaml"
    c.write_text(c.read_text().replace("castle-hugh:", "castle-hugh:\n  former_ids: [castle-hugo]"))
    assert errors(events, capsys) == []
    cli.main(["fmt", "--events", str(events)])
    added = (events / FILE).read_text().splitlines()
    assert {"players/castle-hugo", "players/castle-hugh"} <= set(added)


def test_a_deleted_event_and_a_line_that_is_no_id(
    events: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (events / "1884" / "finch-grey-1884.yaml").unlink()
    with (events / FILE).open("a") as file:
        file.write("persons/nobody\n\n# a remark\n")
    found = errors(events, capsys)
    assert [one.split("error")[1].strip() for one in found] == [
        "the published id `events/finch-grey-1884` has vanished",
        "`persons/nobody` is not an id with its kind",
    ]


def test_a_list_that_is_no_text(events: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (events / FILE).write_bytes(b"players/\xff\n")
    assert len(errors(events, capsys)) == 1
    assert cli.main(["fmt", "--events", str(events)]) == 1
    assert FILE in capsys.readouterr().err


def test_a_changed_id_that_no_record_names_is_a_changed_event(tmp_path: Path) -> None:
    old = edited_minisite.copy(tmp_path / "old")
    new = edited_minisite.copy(tmp_path / "new")
    rename_player(new, "castle-hugo", "castle-hugh")
    found = compare(edited_minisite.rate(old), edited_minisite.rate(new))
    assert found.attribution.events
