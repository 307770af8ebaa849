"""The list of changes: reading, errors, and the entries of this site."""

from __future__ import annotations

import datetime
import re
from pathlib import Path

import pytest
from conftest import ROOT

from edo.core.problems import InputError
from edo.history.content_files import Change, Moved, read_changes

ENTRY = """\
- id: first-data
  date: 2026-11-21
  title: The first data
  text: |
    All *events*.

    And more.
  events: [london-1883]
  players: [morphy-paul, bird-henry]
"""


def read(folder: Path, text: str) -> tuple[Change, ...]:
    (folder / "changes.yaml").write_text(text, encoding="utf-8")
    return read_changes(folder)


def problems(folder: Path, text: str) -> list[str]:
    with pytest.raises(InputError) as refused:
        read(folder, text)
    return [str(problem).removeprefix(f"{folder}/") for problem in refused.value.problems]


def test_an_entry_is_read_with_all_fields(tmp_path: Path) -> None:
    assert read(tmp_path, f"changes:\n{ENTRY}") == (
        Change(
            "first-data",
            datetime.date(2026, 11, 21),
            "The first data",
            "All *events*.\n\nAnd more.",
            ("london-1883",),
            ("morphy-paul", "bird-henry"),
        ),
    )


def test_changed_ratings_are_read(tmp_path: Path) -> None:
    moves = (
        "  moves:\n"
        "  - {player: morphy-paul, year: 1858, old: 2763, new: 2780, event: london-1883}\n"
        "  - {player: brodie, year: 1851, old: 12, new: -5}\n"
    )
    assert read(tmp_path, f"changes:\n{ENTRY}{moves}")[0].moves == (
        Moved("morphy-paul", 1858, 2763, 2780, "london-1883"),
        Moved("brodie", 1851, 12, -5, None),
    )
    wrong = moves.replace("2763", "2763.5").replace("year: 1851, ", "")
    assert problems(tmp_path, f"changes:\n{ENTRY}{wrong}") == [
        "changes.yaml:12: change first-data, move morphy-paul, old: `2763.5` is not a "
        "rating; write it like `2763`",
        "changes.yaml:13: change first-data, move brodie: `year` is missing; add it, like "
        "`year: 1894`",
    ]


def test_all_errors_are_reported_at_once(tmp_path: Path) -> None:
    text = (
        "changes:\n"
        "- {id: a, date: 2026-11, title: A, text: B}\n"
        "- {id: B!, date: 2026-11-21~, title: A}\n"
        "- {id: c, date: 2026-02-30, title: A, text: B, event: [x]}\n"
        "more: 1\n"
    )
    assert problems(tmp_path, text) == [
        "changes.yaml:2: change a, date: `2026-11` is not a day; write it like `2026-11-21`",
        "changes.yaml:3: change B!: `text` is missing; add it, like `text: The table is complete.`",
        "changes.yaml:3: change B!, date: `2026-11-21~` is not a day; write it like `2026-11-21`",
        "changes.yaml:3: change B!, id: `B!` is not an id; "
        "write at most 80 lower-case letters, digits and single hyphens",
        "changes.yaml:4: change c: unknown key `event`; did you mean `events`?",
        "changes.yaml:4: change c, date: `2026-02-30` is a day that never was; "
        "write a day from 01 to 28 or leave it out",
        "changes.yaml:5: unknown key `more`; the keys are changes",
    ]


def test_the_newest_comes_first_and_ids_are_unique(tmp_path: Path) -> None:
    later = ENTRY.replace("2026-11-21", "2026-12-24")
    assert problems(tmp_path, f"changes:\n{ENTRY}{later}") == [
        "changes.yaml:11: change first-data: the id stands twice (first on line 2); "
        "give each change an id of its own",
        "changes.yaml:12: change first-data: 2026-12-24 is later than the entry before it; "
        "put the newest change first",
    ]


@pytest.mark.parametrize("text", ["changes: []\n", "other: 1\n", ""])
def test_a_site_has_at_least_one_entry(tmp_path: Path, text: str) -> None:
    assert problems(tmp_path, text)


def test_without_the_file_nothing_has_changed(tmp_path: Path) -> None:
    assert read_changes(tmp_path) == ()


def test_entries_of_this_site_name_existing_records() -> None:
    events = {path.stem for path in (ROOT / "events").glob("[0-9]*/*.yaml")}
    players = {
        player
        for path in (ROOT / "events" / "players").glob("*.yaml")
        for player in re.findall(r"^([a-z0-9-]+):", path.read_text(), re.M)
    }
    changes = read_changes(ROOT / "content")
    assert {event for change in changes for event in change.events} <= events
    assert {player for change in changes for player in change.players} <= players
    assert "first-data" in {change.id for change in changes}
