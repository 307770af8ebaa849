"""Descriptions of edited records and fields."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import edited_minisite
import pytest

from edo.diff.edits import Edit, FieldEdit, edits
from edo.diff.report import field_line
from edo.diff.snapshot import Snapshot


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    return edited_minisite.rate(edited_minisite.copy(tmp_path_factory.mktemp("edits") / "events"))


@pytest.fixture
def events(tmp_path: Path) -> Path:
    return edited_minisite.copy(tmp_path / "events")


def only(before: Snapshot, events: Path) -> Edit:
    (found,) = edits(before, edited_minisite.rate(events))
    return found


def lines(edit: Edit) -> list[str]:
    return [field_line(field) for field in edit.fields]


def test_a_score_is_shown_with_its_games(before: Snapshot, events: Path):
    edited_minisite.replace(events, "1884/byrd-dunn-1884.yaml", ("games: 101=", "games: 10w1=b"))
    found = only(before, events)
    assert (found.kind, found.id, found.name, found.state) == (
        *("events", "byrd-dunn-1884", "Byrd – Dunn match", "changed"),
    )
    assert lines(found) == ["Byrd, Lucy – Dunn, George: 2½ – 1½ (1 0 1 =) → 2½ – 1½ (1 0w 1 =b)"]


def test_a_result_with_the_players_swapped_is_not_an_edit(before: Snapshot, events: Path):
    edited_minisite.replace(
        events,
        "1884/byrd-dunn-1884.yaml",
        ("[byrd-lucy, dunn-george], games: 101=", "[dunn-george, byrd-lucy], games: 010="),
    )
    found = edits(before, edited_minisite.rate(events))
    assert found == ()


def test_fields_show_the_names_of_other_records(before: Snapshot, events: Path):
    edited_minisite.replace(
        events,
        "1882/shelbyville-1882.yaml",
        ("place: shelbyville\n", "place: springfield\n"),
        ("dates: 1882\n", "dates: 1882-03\n"),
        ("format: All-play-all\n", ""),
        ("where: p. 31", "where: p. 32"),
    )
    found = lines(only(before, events))
    places = {row["id"]: row["name"] for row in before.rows("places")}
    sources = {row["id"]: row["title"] for row in before.rows("sources")}
    assert found == [
        f"place: {places['shelbyville']} → {places['springfield']}",
        "dates: 1882 → 1882-03",
        "format: removed All-play-all",
        f"source: removed {sources['book']}, p. 31",
        f"source: added {sources['book']}, p. 32",
    ]


def test_changed_totals_and_rounds_are_described(before: Snapshot, events: Path):
    edited_minisite.replace(
        events,
        "1882/shelbyville-1882.yaml",
        ("byrd-lucy           2\n", "byrd-lucy           1½\n"),
        ("castle-hugo         1\n", "castle-hugo         1½\n"),
    )
    assert lines(only(before, events)) == [
        "total of Byrd, Lucy: 2 → 1½",
        "total of Castle, Hugo & Sons: 1 → 1½",
    ]
    edited_minisite.replace(
        events,
        "1882/shelbyville-1882.yaml",
        ("byrd-lucy           1½\n", "byrd-lucy           2\n"),
        ("castle-hugo         1½\n", "castle-hugo         1\n"),
    )
    edited_minisite.replace(
        events,
        "1881/springfield-1881.yaml",
        ("name: First round", "name: Semi-final"),
        ("    score: 1-0\n    default: Eames did not appear.\n", "    score: 2-0\n"),
    )
    assert lines(only(before, events)) == [
        "round 1: First round → Semi-final",
        "Castle, Hugo & Sons – Eames, Walter: 1–0 [by default: Eames did not appear.] in "
        "First round → 2–0 in Semi-final",
        "Dunn, George – Anchor, Test: 1–2 in First round → 1–2 in Semi-final",
    ]


def test_records_are_added_and_removed(before: Snapshot, events: Path):
    (events / "1882/springfield-shelbyville-1882.yaml").unlink()
    edited_minisite.replace(
        events, "places.yaml", ("springfield:", "quahog:\n  name: Quahog\nspringfield:")
    )
    after = edited_minisite.rate(events)
    found = edits(before, after)
    assert [(e.kind, e.id, e.state) for e in found] == [
        ("events", "springfield-shelbyville-1882", "removed"),
        ("places", "quahog", "added"),
    ]
    assert [e.state for e in edits(after, before)] == ["added", "removed"]


def test_computed_fields_of_players_are_not_edits(before: Snapshot, events: Path):
    edited_minisite.replace(
        events,
        "players/b.yaml",
        ("  died: 1911~\n", "  died: 1911-02-03\n"),
        ("where: p. 2}", "where: p. 4}"),
    )
    found = lines(only(before, events))
    assert found[0] == "died: 1911~ → 1911-02-03"
    assert [line[:7] for line in found[1:]] == ["source:", "source:"]


def test_tables_and_columns_missing_from_one_snapshot_are_not_compared(before: Snapshot):
    rows = {
        name: tuple({k: v for k, v in row.items() if k != "notes"} for row in rows)
        for name, rows in before.tables.items()
        if name not in ("places", "citations", "participants", "rounds", "games")
    }
    assert edits(replace(before, tables=rows), before) == ()


def test_without_results_the_rated_pairings_are_compared(before: Snapshot, events: Path):
    edited_minisite.replace(events, "1884/byrd-dunn-1884.yaml", ("games: 101=", "games: 111="))
    after = edited_minisite.rate(events)
    old = replace(before, tables={k: v for k, v in before.tables.items() if k != "results"})
    (found,) = edits(old, after)
    assert lines(found) == [
        "Byrd, Lucy – Dunn, George, as rated: 2.50 of 4 games → 3.50 of 4 games"
    ]


def test_long_texts_are_cut_to_where_they_differ():
    same = "word " * 60
    line = field_line(FieldEdit("notes", same + "old end", same + "new end"))
    assert line.startswith("notes: …")
    assert line.endswith("new end")
    assert "old end →" in line
    assert len(line) < 100
    assert len(field_line(FieldEdit("notes", "", same))) < 200
