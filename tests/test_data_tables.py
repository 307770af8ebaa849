"""CSV and SQLite hold the same, keep their promises, and nothing that was written is lost."""

from __future__ import annotations

import csv
import io
import re
import shutil
import sqlite3
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from pathlib import Path

import minisite_data
import pytest
from conftest import real_settings

from edo.core.model import Citation, Dataset, Mark, Odds, PartialDate, Result
from edo.core.problems import Acknowledgement
from edo.export import files as data_files
from edo.export.records import CITATIONS, COLOURS, GAMES, OUTCOMES, RESULTS, round_id
from edo.export.table import History, Table, number
from edo.rating import edo
from edo.rating.edo import Ratings
from edo.rating.games import Row, Side, numbered
from edo.rating.meetings import tally
from edo.site.index import Index
from edo.site.pages.data import SNIPPETS, snippets

TABLES = pytest.mark.parametrize("table", data_files.TABLES, ids=lambda table: table.name)
NOTHING = Ratings({}, {}, {}, ())


@pytest.fixture(scope="module")
def database() -> Iterator[sqlite3.Connection]:
    opened = minisite_data.database(minisite_data.unpacked()["history.sqlite"])
    yield opened
    opened.close()


@TABLES
def test_both_forms_hold_the_same_values(table: Table, database: sqlite3.Connection):
    rows = table.rows(minisite_data.history())
    assert list(minisite_data.from_csv(table)) == rows
    kept = database.execute(f'SELECT * FROM "{table.name}"')
    assert tuple(column[0] for column in kept.description) == table.header
    assert minisite_data.in_order(kept) == minisite_data.in_order(iter(rows))


@TABLES
def test_every_row_keeps_what_its_columns_promise(table: Table):
    rows = table.rows(minisite_data.history())
    for k, column in enumerate(table.columns):
        types = {"string": str, "integer": int, "number": (int, float), "boolean": bool}
        for value in (row[k] for row in rows):
            if value is None:
                assert not column.required, column.name
                continue
            assert isinstance(value, types[column.kind]) and value != "", column.name
            assert not column.values or value in column.values
            assert column.least is None or value >= column.least
            assert column.most is None or value <= column.most
            assert column.pattern is None or re.fullmatch(column.pattern, value)
    assert set(table.key) <= {column.name for column in table.columns if column.required}
    key = [table.header.index(name) for name in table.key]
    assert not key or len({tuple(row[k] for k in key) for row in rows}) == len(rows)


def test_no_column_of_one_name_is_of_two_kinds():
    kinds = defaultdict(set)
    for table in data_files.TABLES:
        assert len(set(table.header)) == len(table.header)
        for column in table.columns:
            kinds[column.name].add(column.kind)
    assert [name for name, found in kinds.items() if len(found) > 1] == []


def test_database_is_sound(database: sqlite3.Connection):
    assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert database.execute("PRAGMA foreign_key_check").fetchall() == []
    keys = sum(len(table.references) for table in data_files.TABLES)
    found = [
        row[0]
        for table in data_files.TABLES
        for row in {r[:1] for r in database.execute(f"PRAGMA foreign_key_list('{table.name}')")}
    ]
    assert len(found) == keys > 20


def test_foreign_keys_are_there_to_be_broken(database: sqlite3.Connection):
    copy = minisite_data.database(minisite_data.unpacked()["history.sqlite"])
    copy.execute("UPDATE ratings SET player = 'nobody' WHERE player = 'castle-hugo'")
    assert copy.execute("PRAGMA foreign_key_check").fetchall()
    with pytest.raises(sqlite3.IntegrityError, match="NOT NULL"):
        copy.execute("UPDATE events SET name = NULL")
    with pytest.raises(sqlite3.IntegrityError, match="CHECK"):
        copy.execute("UPDATE events SET kind = 'lottery'")
    copy.close()


def test_database_says_what_it_is(database: sqlite3.Connection):
    meta = dict(database.execute("SELECT * FROM meta"))
    assert meta["version"] == "1.2.3+0123456789ab" and meta["licence"] == "GPL-3.0-or-later"
    assert meta["homepage"] == "https://example.org/chess/data/index.html"
    named = {row[0] for row in database.execute("SELECT name FROM meta_tables")}
    made = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')"
    assert {row[0] for row in database.execute(made)} == named | {
        "meta", "meta_tables", "meta_columns"
    }  # fmt: skip
    words = "SELECT description FROM meta_columns WHERE table_name = 'ratings' AND name = 'rank'"
    assert database.execute(words).fetchone()[0].startswith("rank in that year’s list")


def test_same_input_makes_the_same_bytes():
    again = data_files.data_files(
        minisite_data.history(), minisite_data.EDITION, "https://example.org/chess/data/index.html"
    )
    assert {file.name: file.content for file in again} == minisite_data.files()


def everything_written(record: object) -> Iterator[str]:
    """Yield every text of a record, but for the lines of files and the marks of single games."""
    if isinstance(record, str):
        yield record
    elif isinstance(record, PartialDate | Acknowledgement):
        yield str(record)  # as one text
    elif is_dataclass(record) and not isinstance(record, Mark):
        for one in fields(record):
            if one.name != "lines":
                yield from everything_written(getattr(record, one.name))
    elif isinstance(record, Mapping):
        for key, value in record.items():
            if isinstance(key, int):  # how many classes apart, with the odds
                yield f"{key} {value}"
            else:
                yield key
                yield from everything_written(value)
    elif isinstance(record, tuple | frozenset):
        for value in record:
            yield from everything_written(value)


def all_cells(dataset: Dataset) -> set[str]:
    history = History(dataset, NOTHING)
    cells = {
        value
        for table in data_files.TABLES
        for row in table.rows(history)
        for value in row
        if isinstance(value, str)
    }
    joined = (cell.split(by) for cell in cells for by in ("/", "|", " | "))
    return cells.union(*joined)


def missing(dataset: Dataset) -> set[str]:
    return set(everything_written(dataset)) - all_cells(dataset)


@pytest.mark.slow
def test_no_text_that_was_written_is_lost(real_dataset: Dataset):
    assert missing(minisite_data.history().dataset) == set()
    assert missing(real_dataset) == set()


def test_a_lost_text_would_be_noticed(monkeypatch: pytest.MonkeyPatch):
    dataset = minisite_data.history().dataset
    cited = {one.where for event in dataset.events.values() for one in event.sources} - {None}
    without = tuple(table for table in data_files.TABLES if table is not CITATIONS)
    monkeypatch.setattr(data_files, "TABLES", without)
    assert cited and missing(dataset) >= cited


def recovered(history: History) -> dict[str, Result]:
    """Return every result as the tables tell it, by its id."""
    games, sources = defaultdict(list), defaultdict(list)
    values, colours = ({v: k for k, v in table.items()} for table in (OUTCOMES, COLOURS))
    for game in named(GAMES, history):
        games[game["result"]].append(Mark(values[game["outcome_a"]], colours.get(game["colour_a"])))
    for one in named(CITATIONS, history):
        sources[one["result"]].append(Citation(one["source"], one["locator"]))
    rounds = {
        round_id(event, k): k
        for event in history.dataset.events.values()
        for k in range(len(event.rounds))
    }
    found = {}
    for row in named(RESULTS, history):
        odds = None if row["odds"] is None else Odds(row["odds_giver"], row["odds"])
        year = history.dataset.events[row["event"]].year
        marks = tuple(games[row["id"]])
        found[row["id"]] = Result(
            row["player_a"], row["player_b"], row["points_a"], row["points_b"], row["games"],
            marks, None if marks else row["drawn"], row["first_game"], rounds.get(row["round"]),
            odds, row["soft"], row["unrated"], row["by_default"], row["note"],
            tuple(sources[row["id"]]), 0, row["uncounted"],
            None if row["year"] == year else row["year"], row["proportion"],
        )  # fmt: skip
    return found


def named(table: Table, history: History) -> Iterator[dict[str, object]]:
    return (dict(zip(table.header, row, strict=True)) for row in table.rows(history))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["minisite", "real"])
def test_results_can_be_recovered_whole(name: str, real_dataset: Dataset):
    dataset = real_dataset if name == "real" else minisite_data.history().dataset
    results = recovered(History(dataset, NOTHING))
    count = 0
    for event in dataset.events.values():
        for k, result in enumerate(event.results, start=1):
            found, count = results[f"{event.id}:{k}"], count + 1
            draws = result.tally[1] if result.tally and not result.marks else None
            year = None if result.year == event.year else result.year
            points = {  # proportions have digits that come from adding up
                name: pytest.approx(getattr(result, name))
                for name in ("points_first", "points_second")
            }
            expected = replace(result, line=0, draws=draws, year=year, **points)
            assert found == expected, (event.id, k)
    assert count == len(results) > 20


def test_head_to_head_is_what_the_pages_say(database: sqlite3.Connection):
    history = minisite_data.history()
    index = Index(history.dataset, history.ratings)
    kept = {row[:2]: row[2:] for row in database.execute("SELECT * FROM head_to_head")}
    compared = 0
    for player in history.dataset.players.values():
        for opponent, met in index.head_to_heads(player.id).items():
            shown = tally(met)
            if (player.id, opponent) not in kept:
                assert shown.games == 0  # none of it counts
                continue
            _, games, points, won, drawn, lost, more, _ = kept[player.id, opponent]
            compared += 1
            assert (shown.points, shown.games) == pytest.approx((points, games))
            assert shown.from_totals == pytest.approx(more)
            assert (shown.won, shown.drawn, shown.lost) == (won, drawn, lost) or not games
    assert compared == len(kept) > 20


def test_best_of_year_is_the_list(database: sqlite3.Connection):
    ratings = minisite_data.history().ratings
    kept = database.execute("SELECT year, rank, player, rating FROM best_of_year").fetchall()
    assert kept == [
        (year, one.rank, one.player, round(one.rating, 3))
        for year in sorted(ratings.years)
        for one in ratings.ranked(year)[:10]
    ]


@pytest.mark.parametrize("number", range(len(SNIPPETS)), ids=lambda k: SNIPPETS[k].title)
def test_examples_of_the_page_work(number: int, tmp_path: Path, monkeypatch, capfd):
    snippet = snippets(minisite_data.history().ratings)[number]
    if "import pandas" in snippet.code:
        pytest.importorskip("pandas")
    program = {"python": None, "sh": "sqlite3", "r": "Rscript"}[snippet.language]
    if program is not None and shutil.which(program) is None:
        pytest.skip(f"no {program} here")
    for name, content in minisite_data.files().items():
        (tmp_path / name).write_bytes(content)
    monkeypatch.chdir(tmp_path)
    code = snippet.code
    if snippet.language == "python":
        exec(compile(code, snippet.title, "exec"), {})
    else:
        command = ["sh", "-c", code] if snippet.language == "sh" else ["Rscript", "-e", code]
        subprocess.run(command, check=True)
    printed = capfd.readouterr().out
    assert len(printed.split()) >= 1 and re.search(r"\d", printed)


def test_pairings_alone_give_the_ratings_again():
    rows = csv.DictReader(io.StringIO(minisite_data.unpacked()["pairings.csv"].decode()))
    games = [
        Row(
            int(row["year"]), row["event"], side(row, "a"), side(row, "b"),
            float(row["score_a"]), float(row["games"]), row["basis"],
                soft=float(row["soft_games"]),
        )
        for row in rows
    ]  # fmt: skip
    dataset = minisite_data.history().dataset
    again = edo.publish(dataset, edo.run(numbered(games), real_settings()))
    table = next(table for table in data_files.TABLES if table.name == "ratings")
    assert (
        data_files.csv_bytes(table, table.rows(History(dataset, again)))
        == (minisite_data.files()["ratings.csv"])
    )


def side(row: dict[str, str], which: str) -> Side:
    points = row[f"odds_points_{which}"]
    return Side(
        row[f"player_{which}"], row[f"odds_{which}"] or None, float(points) if points else None
    )


def test_numbers_of_a_column_have_their_decimals_and_no_negative_zero():
    column = number("x", "invented", 2)
    table = Table("t", "T", "Invented.", (column,), lambda _: ())
    rows = [(1.005,), (None,), (-0.001,), (-0.75,), (3.0,)]
    shown = data_files.csv_bytes(table, rows).decode().splitlines()
    assert shown == ["x", "1.00", '""', "0.00", "-0.75", "3.00"]
    assert column.rounded([2.0, None, -0.001]) == [2.0, None, 0.0]
