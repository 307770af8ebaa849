"""The record by decade: by hand, again from the published CSV files, on its page and by command."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from statistics import median

import pytest
import rendered
from conftest import MINISITE, ROOT, build_site, real_settings, small_content
from published import csv_rows
from sample_datasets import EVERYBODY_RANKED, dataset, event, result

from edo.commands import cli, folder
from edo.core import json
from edo.core.model import Total
from edo.core.problems import EdoError
from edo.history.settings import Settings
from edo.rating import edo
from edo.rating.record import FILE, Record, RecordLine, read_record, record_lines
from edo.site import render, urls
from edo.site.input import SiteInput, read_texts
from edo.site.pages import record as record_page

ANCHOR = Settings(anchor_player="a", anchor_year=1850, anchor_rating=2000, **EVERYBODY_RANKED)
HISTORY = dataset(
    event("cells", 1850, result("a", "b", 3, 5), result("b", "c", 1.5, 3)),
    event("totals", 1858, players=("a", "b", "c"), games_per_pair=2,
          totals=(Total("a", 3), Total("b", 2), Total("c", 1))),
    event("partly", 1859, result("a", "c", 2, 4), completeness="incomplete", missing="the rest",
          has_crosstable=True),
    event("later", 1861, result("a", "b", 1, 2), result("b", "x", 0, 1)),
    event("nothing", 1863, players=("a",), completeness="incomplete", missing="all"),
)  # fmt: skip


def test_the_lines_of_a_small_history() -> None:
    """Who lost his only game has no rating, so that only three players have rated games."""
    ratings = edo.rate(HISTORY, ANCHOR)
    fifties, sixties, whole = record_lines(HISTORY, ratings)
    assert (fifties.decade, sixties.decade, whole.decade) == (1850, 1860, None)
    counts = [(one.events, one.by_cells, one.by_totals, one.part) for one in (fifties, sixties)]
    assert counts == [(3, 1, 1, 1), (2, 1, 0, 1)]
    assert (fifties.games, fifties.whole_games, fifties.players) == (5 + 3 + 6 + 4, 14, 3)
    assert fifties.share == pytest.approx(14 / 18)
    assert (sixties.games, sixties.whole_games, sixties.players) == (2, 2, 2)
    assert (whole.events, whole.games, whole.players) == (5, 20, 3)
    errors = [row.deviation for rows in ratings.players.values() for row in rows]
    assert whole.first_ten == whole.first_fifty == pytest.approx(median(errors), abs=1e-6)


def again(built: Path, decade: str) -> dict[str, float | None]:
    """Return a line of the record from the other tables of a site."""

    def within(row: dict[str, str]) -> bool:
        return decade in ("all", f"{int(row['year']) // 10 * 10}s")

    events = list(filter(within, csv_rows(built, "events.csv")))
    known = {row["id"]: row["coverage"] for row in csv_rows(built, "events.csv")}
    pairings = list(filter(within, csv_rows(built, "pairings.csv.gz")))
    ranked = list(filter(within, csv_rows(built, "ratings.csv")))

    def error(last: int) -> float | None:
        lists: dict[str, list[tuple[float, float]]] = {}
        for row in ranked:
            pair = -float(row["rating"]), float(row["deviation"])
            lists.setdefault(row["year"], []).append(pair)
        found = [one for of_year in lists.values() for _, one in sorted(of_year)[:last]]
        return median(found) if found else None

    def games(of: Sequence[dict[str, str]]) -> float:
        return sum(float(row["games"]) for row in of)

    states = [row["coverage"] for row in events]
    return {
        "events": len(events),
        "by_cells": states.count("whole by cells"),
        "by_totals": states.count("whole by totals"),
        "part": states.count("part"),
        "games": games(pairings),
        "whole_games": games([row for row in pairings if known[row["event"]] != "part"]),
        "players": len({row[side] for row in pairings for side in ("player_a", "player_b")}),
        "first_ten": error(10),
        "first_fifty": error(50),
    }


def check_again(built: Path) -> None:
    found = [row for row in csv_rows(built, "record.csv") if row["edition"] == "this"]
    years = {
        int(row["year"]) for name in ("events", "ratings") for row in csv_rows(built, f"{name}.csv")
    }
    assert found[-1]["decade"] == "all"
    assert {row["decade"] for row in found[:-1]} == {f"{year // 10 * 10}s" for year in years}
    for row in found:
        expected = again(built, row["decade"])
        got = {name: float(row[name]) if row[name] else None for name in expected}
        assert got == pytest.approx(expected, abs=1e-3), row["decade"]


def test_the_record_follows_from_the_other_tables(minisite: Path) -> None:
    check_again(minisite)


@pytest.mark.slow
def test_the_record_of_the_history_follows_from_its_other_tables(site: Path) -> None:
    check_again(site)
    kept = read_record(ROOT / "content")
    assert kept is not None
    before = [row for row in csv_rows(site, "record.csv") if row["edition"] == kept.label]
    assert [int(row["events"]) for row in before] == [line.events for line in kept.lines]


def line(decade: int | None, **more: float) -> RecordLine:
    numbers = {"events": 0, "by_cells": 0, "by_totals": 0, "part": 0, "players": 0}
    floats = {"games": 0.0, "whole_games": 0.0, "first_ten": 90.0, "first_fifty": None}
    return RecordLine(decade, **{**numbers, **floats, **more})  # type: ignore[arg-type]


BEFORE = Record("First edition", "2026-01-31", (
    line(1880, events=1, part=1, games=4.0, whole_games=1.0, players=2),
    line(None, events=1, part=1, games=4.0, whole_games=1.0, players=2),
))  # fmt: skip


DATASET, _ = folder.read(MINISITE / "events")
RATINGS = edo.rate(DATASET, real_settings())


def drawn(before: Record | None) -> str:
    texts = read_texts(ROOT / "content")
    site = SiteInput(DATASET, RATINGS, texts, None, "0", "0", record_before=before)
    (page,) = record_page.pages(site)
    assert page.path == urls.RECORD
    return next(iter(render.render([page], site)))[1].decode()


def test_the_page_shows_the_changes_and_the_edition_before() -> None:
    html = drawn(BEFORE)
    tables = rendered.tables(html)
    lines = record_lines(DATASET, RATINGS)
    shown = tables["The record of this edition"]
    assert [row["Decade"] for row in shown][-1] == "All"
    eighties = next(one for one in lines if one.decade == 1880)
    row = next(row for row in shown if row["Decade"] == "1880s")
    assert row["Events"] == f"{eighties.events} +{eighties.events - 1}"
    assert row["Players"].split()[0] == str(eighties.players)
    (old, _) = tables["First edition, 31 January 2026"]
    assert (old["Events"], old["Part"], old["Games"], old["Whole"]) == (
        "1",
        "1",
        "4",
        "25%",
    )
    assert (old["First ten"], old["First fifty"]) == ("90.0", "–")


def test_the_page_without_an_edition_before() -> None:
    html = drawn(None)
    assert list(rendered.tables(html)) == ["The record of this edition"]
    assert "edition before" not in html


def test_the_command_keeps_an_edition(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, events = tmp_path / FILE, ["--events", str(MINISITE / "events")]
    arguments = ["record", *events, "--save", "--label", " First ", "--out", str(out)]
    assert cli.main([*arguments, "--date", "2026-01-31"]) == 0
    kept = read_record(tmp_path)
    assert kept is not None and (kept.label, kept.date) == ("First", "2026-01-31")
    shown = capsys.readouterr().out.splitlines()
    assert len(shown) == 1 + len(kept.lines) + 1
    assert shown[-2].split()[:2] == ["all", str(kept.lines[-1].events)]
    assert cli.main(arguments) == 1
    assert "add --label and --date" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        cli.main([*arguments, "--date", "31.1.2026"])
    assert json.dump(kept) == out.read_bytes()


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    assert read_record(tmp_path) is None
    for good, bad, message in (
        (b'"players": 2', b'"players": "2"', "players is not a whole number"),
        (b"2026-01-31", b"2026-31-01", "month must be in 1..12"),
    ):
        (tmp_path / FILE).write_bytes(json.dump(BEFORE).replace(good, bad))
        with pytest.raises(EdoError, match=rf"record\.json: {message}.*; write it again with"):
            read_record(tmp_path)


@pytest.mark.slow
def test_a_site_with_an_edition_before(tmp_path: Path) -> None:
    content = Path(shutil.copytree(small_content(), tmp_path / "content"))
    shutil.copy(ROOT / "site.yaml", tmp_path)
    (content / FILE).write_bytes(json.dump(BEFORE))
    site = build_site(MINISITE / "events", tmp_path / "site", "--content", str(content))
    assert {row["edition"] for row in csv_rows(site, "record.csv")} == {"this", "First edition"}
    figure = (site / urls.figure("record")).read_text()
    assert "edition before" in figure and "whole events" in figure
    page = (site / urls.RECORD).read_text()
    assert "First edition, 31 January 2026" in page
