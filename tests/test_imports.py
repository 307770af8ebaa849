"""Imports: the cases of `tests/imports` to their drafts and findings, acceptance, and bad input.

A file of cases holds one rule. `files` are what is imported: `paste.txt` (of a list of texts each
has to give the same), `results.csv` with `about.csv` and `players.csv`, or collections of games.
Lines of `.games` stand for games in PGN: `White | Black | result | round`, then headers of that
game; a line of headers alone holds for all games below it. `--update-golden` writes the rest.
"""

from __future__ import annotations

import csv
import io
import json
import shutil
import sys
import time
from collections import defaultdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from conftest import MINISITE, ROOT

from edo.commands.cli import main
from edo.core.problems import InputError
from edo.history.dataset import load
from edo.importers.from_table import import_table, read_tables
from edo.importers.grid import plain, read_grids
from edo.importers.pgn import draft
from edo.importers.table import read_results

FOLDER = ROOT / "tests/imports"
OF_PASTES = ("--name", "Leeds 1893", "--source", "gazette")
HEADERS = {"Event": "Ogdenville", "Site": "Ogdenville", "Date": "1893.07.11"}
PLAYER_COLUMNS = ("White", "Black", "Result", "Round")
CONGRESS = ROOT / "tests/pgn/congress.pgn"


def headers_in(text: str) -> dict[str, str]:
    return dict(item.strip().split(": ", 1) for item in text.split(";") if item.strip())


def pgn(lines: str) -> str:
    """Return games in PGN; two of the same players and round have the same moves."""
    common, games = HEADERS, []
    for line in lines.splitlines():
        *columns, more = (f"{line} |" if line.count("|") == 3 else line).split("|")
        if not columns:
            common = common | headers_in(more)
            continue
        values = [column.strip() for column in columns]
        headers = common | dict(zip(PLAYER_COLUMNS, values, strict=True)) | headers_in(more)
        moves = headers.pop("Moves", f"1. e4 e5 {values[3]}. {values[0]} {values[1]}")
        tags = (f'[{name} "{value}"]\n' for name, value in headers.items())
        games.append(f"{''.join(tags)}\n{moves}\n\n")
    return "".join(games)


def cases_of(path: Path) -> list[dict[str, Any]]:
    """Return the cases of a file; every scalar is text."""
    return yaml.load(path.read_text(), yaml.BaseLoader)


class Dumper(yaml.SafeDumper):
    """Writes texts of several lines as they are."""


def as_block(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" * ("\n" in text))


Dumper.add_representer(str, as_block)


def import_case(form: str, files: dict[str, str], folder: Path, capsys) -> dict[str, Any]:
    """Return the files of drafts, the findings by section and the errors of an import."""
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(pgn(text) if name.endswith(".games") else text)
    given = [str(folder / name) for name in files]
    options = {"about.csv": "--about", "players.csv": "--players"}
    arguments = [part for path in given for part in (options.get(Path(path).name), path) if part]
    if form in ("crosstable", "results"):
        arguments += OF_PASTES
    drafts, events = folder / "drafts", MINISITE / "events"
    capsys.readouterr()
    code = main(["import", form, *arguments, "--events", str(events), "--out", str(drafts)])
    said = capsys.readouterr()
    if code:
        errors = said.err.replace(f"{folder.as_posix()}/", "").splitlines()
        return {"errors": [line for line in errors if ": " in line]}
    sections = json.loads((drafts / "report.json").read_text())["sections"]
    findings = {
        name: [
            finding["text"].replace(f"{folder.as_posix()}/", "") for finding in section["findings"]
        ]
        for name, section in sections.items()
        if section["findings"]
    }
    texts = {
        p.relative_to(drafts).as_posix(): p.read_text() for p in sorted(drafts.rglob("*.yaml"))
    }
    return {"drafts": texts, "findings": findings}


def accept_all(drafts: Path, events: Path) -> None:
    """Accept all drafts into a copy of the history; those that it has replace their files."""
    shutil.copytree(MINISITE / "events", events)
    paths = sorted(drafts.glob("[0-9]*/*.yaml"))
    for path in paths:
        (events / path.relative_to(drafts)).unlink(missing_ok=True)
    folders = ["--events", str(events), "--out", str(drafts)]
    if paths:
        assert main(["import", *folders, "--accept", *(path.stem for path in paths)]) == 0


@pytest.mark.parametrize(
    "path", sorted(FOLDER.rglob("*.yaml")), ids=lambda path: path.relative_to(FOLDER).as_posix()
)
def test_a_case_gives_its_drafts_and_findings(path, tmp_path, capsys, request):
    cases = cases_of(path)
    for number, case in enumerate(cases):
        files = case["files"]
        pastes = files.get("paste.txt")
        inputs = [{"paste.txt": text} for text in pastes] if isinstance(pastes, list) else [files]
        for at, given in enumerate(inputs):
            folder = tmp_path / f"{number}-{at}"
            made = import_case(path.parent.name, given, folder, capsys)
            if len(inputs) > 1:  # the names are spelled differently
                for section in ("exact", "mapped"):
                    made["findings"].pop(section, None)
            if request.config.getoption("--update-golden"):
                cases[number] = {"files": files, **made}
            else:
                assert made == {name: case[name] for name in case if name != "files"}
            if "drafts" in made:
                accept_all(folder / "drafts", folder / "events")
    if request.config.getoption("--update-golden"):
        path.write_text(yaml.dump(cases, Dumper=Dumper, sort_keys=False, allow_unicode=True,
                                  width=10_000))  # fmt: skip


AS_TEXT = """Leeds 1893
                            1 2 3 4
————————————————————————————————————
 1. Byrd, Lucy    g ENG 2700 • ½ 1 1  2½  1st £20
 2. Dunn, George    ENG 2650 ½ • 1 0  1½  2nd
3-4 Eames, Walter       2600 0 0 • 1  1
3-4 Grey, Iván               0 1 0 •  1
"""


@pytest.fixture(scope="module")
def history():
    return load(MINISITE / "events")


def command(form: str, *arguments: object, out: Path) -> int:
    folders = ["--events", MINISITE / "events", "--out", out]
    return main(["import", form, *map(str, (*arguments, *folders))])


def test_a_report_has_what_was_read_the_counts_and_the_advice(tmp_path, capsys):
    out = tmp_path / "drafts"
    assert command("pgn", CONGRESS, CONGRESS.with_name("latin.pgn"), out=out) == 0
    printed = capsys.readouterr().out
    report = (out / "REPORT.md").read_text().replace(f"{CONGRESS.parent.as_posix()}/", "")
    assert report == (FOLDER / "congress-and-latin.md").read_text()
    assert "events drafted: 2\n" in printed
    assert f"see {out / 'REPORT.md'}\n" in printed
    again = tmp_path / "again"
    assert command("pgn", CONGRESS, CONGRESS.with_name("latin.pgn"), out=again) == 0
    assert files(again) == files(out)


def test_drafts_are_not_replaced_unless_forced_and_never_lie_in_the_history(tmp_path, capsys):
    out = tmp_path / "drafts"
    assert command("pgn", CONGRESS, out=out) == 0
    draft_file = out / "1893/ogdenville-congress-1893.yaml"
    text = draft_file.read_text()
    draft_file.write_text("edited")
    assert command("pgn", CONGRESS, out=out) == 1
    assert command("pgn", CONGRESS, "--force", out=out) == 1
    assert draft_file.read_text() == "edited"
    draft_file.write_text(text)
    assert command("pgn", CONGRESS, out=out) == 1
    assert command("pgn", CONGRESS, "--force", out=out) == 0
    assert command("pgn", CONGRESS, "--force", out=MINISITE / "events/1893") == 1
    assert not (MINISITE / "events/1893").exists()
    (tmp_path / "other").mkdir()
    (tmp_path / "other/mine.txt").write_text("mine")
    assert command("pgn", CONGRESS, "--force", out=tmp_path / "other") == 1
    assert (tmp_path / "other/mine.txt").read_text() == "mine"
    errors = capsys.readouterr().err
    edited = "has drafts that were edited or added since the import, and they would be lost"
    assert f"{out} {edited}: 1893/ogdenville-congress-1893.yaml; move them away" in errors
    assert "holds drafts already; move them by --accept, or replace them by --force" in errors
    assert "drafts are kept apart" in errors


def test_a_file_that_is_not_there_or_has_no_games_is_named(tmp_path, capsys):
    assert command("pgn", tmp_path / "no.pgn", out=tmp_path / "drafts") == 1
    assert "no.pgn: cannot be read" in capsys.readouterr().err
    assert not (tmp_path / "drafts").exists()
    (tmp_path / "a.pgn").write_text("1. e4 e5 1-0\n")
    assert command("pgn", tmp_path / "a.pgn", out=tmp_path / "drafts") == 0
    message = 'a.pgn: no games (each begins with headers such as `[Event "London"]`) in 13 bytes'
    assert message in capsys.readouterr().out


def test_the_help_of_a_form_states_its_grammar(capsys):
    with pytest.raises(SystemExit):
        main(["import", "table", "--help"])
    assert "opponent_points: the score, like 2.5" in capsys.readouterr().out


def test_more_than_is_handled_at_a_time_is_refused(history, monkeypatch):
    monkeypatch.setattr(draft, "MAX_READ", 1)
    with pytest.raises(draft.TooMany, match="more than 1 games"):
        draft.import_pgn([CONGRESS, CONGRESS.with_name("latin.pgn")], history)


HOSTILE = ["../../etc/passwd", "index", "a: b", "- x", "{x: y}", "&anchor", "*alias", "!tag", "# c",
           "'q'", '\\"dq\\"', "a\0b", "\x1b[31mred", "\u202eright", "x" * 5000, "null", "1e5",
           "日本", "💥", "<script>alert(1)</script>"]  # fmt: skip


def test_no_name_leaves_the_folder_or_breaks_the_files(tmp_path):
    out = tmp_path / "drafts"
    lines = [
        f"{name} p{a} | {name} p{b} | 1-0 | {a}{b} | Event: {name}; Site: {name}"
        for name in HOSTILE for a in range(4) for b in range(a)
    ]  # fmt: skip
    (tmp_path / "h.pgn").write_text(pgn("\n".join(lines)))
    assert command("pgn", tmp_path / "h.pgn", out=out) == 0
    assert {path.parent.name for path in out.rglob("*.yaml")} == {"1893", "drafts"}
    assert "<script>" not in (out / "REPORT.md").read_text().replace("\\<script\\>", "")
    assert len(list((out / "1893").iterdir())) >= len(HOSTILE) - 6
    accept_all(out, tmp_path / "events")


def test_noise_is_no_collection_and_no_traceback(tmp_path, capsys):
    noise = bytes((n * n + n // 7) % 256 for n in range(200_000)).replace(b"\r", b"")
    (tmp_path / "n.pgn").write_bytes(noise + b'\n[Event "x\n\n*\n\n1. e4 1-0\n')
    assert command("pgn", tmp_path / "n.pgn", out=tmp_path / "drafts") == 0
    assert "games used: 0\n" in capsys.readouterr().out


@pytest.mark.parametrize("form", ["crosstable", "results"])
@pytest.mark.parametrize(
    "text",
    ["<td>" * 5000, "[a]" * 5000, "1 " * 5000, "<tr><td rowspan=9>1" * 900,
     'a;"b;c\n;;;;\n', "A - " * 900 + "1-0", "\x00;\x01;\x02", "<td><![foo["],
)  # fmt: skip
def test_hostile_pastes_get_a_message(form, text, tmp_path, capsys):
    made = import_case(form, {"paste.txt": text}, tmp_path / "case", capsys)
    assert made["errors"]


def test_cells_are_plain():
    assert plain(" 10\u00a01/2 [12]") == "10½"
    assert plain("Lasker†") == "Lasker"
    (rows,) = read_grids("<table><tr><td colspan=99999>a<td rowspan=x>b</table>")
    assert len(rows[0].cells) == 101


def imported(form: str, text: str, tmp_path: Path, *options: str) -> dict[str, str]:
    """Return the drafts of a paste by their names; none where it is refused."""
    (tmp_path / "paste.txt").write_text(text)
    arguments = [tmp_path / "paste.txt", *OF_PASTES, *options]
    out = tmp_path / "drafts"
    code = command(form, *arguments, "--force", out=out)
    return {} if code else {path.name: path.read_text() for path in out.rglob("*.yaml")}


@pytest.mark.parametrize(
    ("win", "text", "games"),
    [
        ("2", "A, A - B, B 2-0\nA, A - C, C 1-1\nB, B - C, C 0-2\nA, A 3\nB, B 0\nC, C 3\n", 3),
        ("3", "A, A - B, B 3-0\nA, A - C, C 1-1\nB, B - C, C 0-3\nA, A 4\nB, B 0\nC, C 4\n", 3),
        ("1", "A, A - B, B 2-0\nA, A - C, C 1-1\nB, B - C, C 0-2\n", 6),
    ],
)
def test_points_of_other_games_are_converted(win, text, games, tmp_path):
    options = ["--win", win, *(["--draw", "1"] if win != "1" else [])]
    imported("results", text, tmp_path, *options)
    shutil.copytree(MINISITE / "events", tmp_path / "events")
    accept_all(tmp_path / "drafts", tmp_path / "accepted")
    event = load(tmp_path / "accepted").events["leeds-1893"]
    assert sum(result.games for result in event.results) == games
    assert sum(result.points_first + result.points_second for result in event.results) == games


def test_scores_that_no_game_has_by_the_points_of_a_win_are_errors(tmp_path, capsys):
    assert not imported("results", "A, A - B, B 4-1", tmp_path, "--win", "3", "--draw", "1")
    assert "4-1 is no game of 3 points a win, 1 a draw" in capsys.readouterr().err


def test_an_editor_says_whether_surnames_stand_first(tmp_path, capsys):
    text = "Ann Alder - Ben Birch 1-0"
    for order, ids in (("surname first", "ann-alder"), ("surname last", "alder-ann")):
        assert f"{ids}:" in imported("results", text, tmp_path, "--names", order)["players.yaml"]
    assert not imported("results", text, tmp_path, "--names", "both")
    assert "write `surname first` or `surname last`" in capsys.readouterr().err


def test_long_lists_and_broken_pages_take_linear_time(tmp_path, capsys):
    """Two thousand results of as many pairs took a minute, a page of unfinished tags two."""
    letters = "bcdfghjklm"
    names = [f"{a}{b}o{c}{d}, Ada".title() for a in letters for b in letters for c in letters
             for d in letters[:4]]  # fmt: skip
    pairs = zip(names[::2], names[1::2], strict=True)
    before = time.process_time()
    assert imported("results", "\n".join(f"{a} - {b} 1-0" for a, b in pairs), tmp_path)
    assert not imported("crosstable", "<table>" + "<td" * 300_000, tmp_path)
    assert not imported("results", f"Finch{'.' * 480}x", tmp_path)  # never ended
    assert time.process_time() - before < 15


def test_many_errors_of_one_kind_are_counted(tmp_path, capsys):
    rows = "".join(f"x 1893,a{n},b,1,0,99/99/{n}\n" for n in range(1900, 2000))
    (tmp_path / "r.csv").write_text(f"event,player,opponent,points,opponent_points,date\n{rows}")
    assert command("table", tmp_path / "r.csv", out=tmp_path / "drafts") == 1
    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == 22
    assert errors[-2].endswith("r.csv: and 80 more of the kind")
    assert errors[-1] == "100 errors: nothing was written"


@pytest.mark.parametrize("separator", [";", "\t"])
def test_a_table_of_a_spreadsheet_in_any_country_is_read(separator, tmp_path):
    text = "Event,Player, Opponent ,Points,Opponent_points\nx,a,b,2.5,1.5\n,,,,\nx,a,c,1/2,1/2\n"
    table = tmp_path / "t.csv"
    table.write_text("\ufeff" + text.replace(",", separator).replace(".", ","))
    assert [
        (row.line, row.opponent, row.points, row.opponent_points) for row in read_results(table)
    ] == [(2, "b", 2.5, 1.5), (4, "c", 0.5, 0.5)]
    table.write_bytes("event,player,points\nx,Löwe,1\n".encode("latin-1"))
    with pytest.raises(InputError, match="save it as CSV in UTF-8"):
        read_results(table)


def exported(events) -> tuple[str, str]:
    """Return events as tables of results and of events, a row a game where the games are known."""
    columns = ("event", "player", "opponent", "points", "opponent_points", "draws", "colour",
               "round", "status", "odds_giver", "odds", "note")  # fmt: skip
    rows, about = io.StringIO(), io.StringIO()
    results, listed = csv.writer(rows), csv.writer(about)
    results.writerow(columns)
    listed.writerow(("event", "name", "kind", "place", "start", "end", "year", "format",
                     "completeness", "missing", "source"))  # fmt: skip
    for event in events:
        start, end = (event.dates.start, event.dates.end) if event.dates else ("", "")
        listed.writerow((event.id, event.name, event.kind, event.place, start, end, event.year,
                         event.format, event.completeness, event.missing,
                         event.sources[0].source))  # fmt: skip
        for result in event.results:
            odds = (result.odds.giver, result.odds.kind) if result.odds else ("", "")
            name = event.rounds[result.round].name if result.round is not None else ""
            states = ("soft", "default", "unrated", "uncounted")
            status = [f"{s}: {text}" for s in states if (text := getattr(result, s))]
            end = (name, *(status or [""]), *odds, result.note)
            games = [(mark.points, 1 - mark.points, "", mark.colour) for mark in result.marks]
            draws = "" if result.draws is None else int(result.draws)
            scores = [(result.points_first, result.points_second, draws, "")]
            for score in games or scores:
                results.writerow((event.id, result.first, result.second, *score, *end))
        for total in event.totals:
            results.writerow((event.id, total.player, "", total.points))
    return rows.getvalue(), about.getvalue()


ROUND_TRIP = ("springfield-1881", "shelbyville-1882", "castle-byrd-offhand-1881",
              "springfield-1885", "springfield-1886", "byrd-dunn-1884")  # fmt: skip


def summary(event) -> dict[str, object]:
    """Return what the ratings take from an event."""
    games = defaultdict(list)
    for result in event.results:
        games[frozenset((result.first, result.second))].append((
            {result.first: result.points_first, result.second: result.points_second}, result.games,
            result.odds, result.soft, result.unrated, result.default, result.uncounted, result.note,
        ))  # fmt: skip
    totals = {total.player: total.points for total in event.totals}
    return {"kind": event.kind, "year": event.year, "dates": event.dates, "place": event.place,
            "games": dict(games), "totals": totals, "rest": event.rest,
            "completeness": event.completeness, "missing": event.missing}  # fmt: skip


def test_exported_events_import_to_the_same_results(history, tmp_path):
    """Events of the small history leave it as tables, and come back as drafts that say the same."""
    results, about = exported(history.events[id_] for id_ in ROUND_TRIP)
    (tmp_path / "r.csv").write_text(results)
    (tmp_path / "e.csv").write_text(about)
    events = Path(shutil.copytree(MINISITE / "events", tmp_path / "events"))
    paths = {id_: history.events[id_].path.removeprefix("events/") for id_ in ROUND_TRIP}
    for path in paths.values():
        (events / path).unlink()
    tables = read_tables(tmp_path / "r.csv", tmp_path / "e.csv", None)
    files = import_table(tables, load(events)).files
    drafts = {path: text for path, text in files.items() if path[0].isdigit()}
    assert len(drafts) == len(ROUND_TRIP)
    for path, text in drafts.items():
        (events / path).write_bytes(text)
    again = {event.name: event for event in load(events).events.values()}
    for id_ in ROUND_TRIP:
        before = history.events[id_]
        assert summary(again[before.name]) == summary(before), id_


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """A copy of the history, and a draft in a folder next to it."""
    events = Path(shutil.copytree(MINISITE / "events", tmp_path / "events"))
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(AS_TEXT.replace(
        "Eames, Walter", "Newcome, Nell").encode())))  # fmt: skip
    drafts = tmp_path / "drafts"
    about = ["--name", "Hull 1893", "--place", "Hull", "--source", "A new book"]
    form = ["import", "crosstable", "-", *about]
    assert main([*form, "--events", str(events), "--out", str(drafts)]) == 0
    return events, drafts


def accept(events: Path, drafts: Path) -> int:
    return main(["import", "--accept", "hull-1893", "--events", str(events), "--out", str(drafts)])


def files(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes()
            for p in sorted(folder.rglob("*")) if p.is_file()}  # fmt: skip


def test_an_accepted_draft_takes_along_what_it_needs(folders, capsys):
    events, drafts = folders
    extra = "unneeded-una:\n  name: Unneeded, Una\n"
    (drafts / "players.yaml").write_text((drafts / "players.yaml").read_text() + extra)
    before = files(events)
    assert accept(events, drafts) == 0
    after = files(events)
    changed = {path for path, text in after.items() if before.get(path) != text}
    assert changed == {"1893/hull-1893.yaml", "players/n.yaml", "places.yaml", "sources.yaml"}
    assert after["players/n.yaml"] == b"newcome-nell:\n  name: Newcome, Nell\n"
    assert load(events).events["hull-1893"].place == "hull"
    assert not (drafts / "1893/hull-1893.yaml").exists()
    assert accept(events, drafts) == 1
    assert f"hull-1893: no draft of this id in {drafts}" in capsys.readouterr().err


def test_an_id_to_accept_is_no_pattern(folders, capsys):
    events, drafts = folders
    words = ["--events", str(events), "--out", str(drafts)]
    assert main(["import", *words, "--accept", "*", "hull-18[0-9]3", "../1893/hull-1893"]) == 1
    assert capsys.readouterr().err.count("no draft of this id") == 3
    assert (drafts / "1893/hull-1893.yaml").exists()


def test_the_next_import_needs_no_force_when_all_drafts_are_accepted(folders, tmp_path):
    events, drafts = folders
    (tmp_path / "t.txt").write_text("Byrd, Lucy - Newcome, Nell 1-0")
    form = ["import", "results", str(tmp_path / "t.txt"), "--name", "York 1893"]
    form += ["--events", str(events), "--out", str(drafts)]
    assert main(form) == 1
    assert accept(events, drafts) == 0
    assert main(form) == 0
    assert (drafts / "1893/york-1893.yaml").exists()


def test_the_results_of_a_draft_replace_those_of_a_running_event(folders, capsys):
    events, drafts = folders
    assert accept(events, drafts) == 0
    path = events / "1893/hull-1893.yaml"
    first = path.read_text()
    noted = first.replace("sources:", "notes: Seen by Byrd.\nsources:")
    drafted = drafts / "1893/hull-1893.yaml"
    won = first.replace("| 2½", "| 3").replace("| 1½", "| 1")
    drafted.write_text(won.replace("=", "1", 1).replace("=", "0", 1))
    said = "remarks:\n- {players: [byrd-lucy, dunn-george], note: Adjourned.}\nnotes:"
    path.write_text(noted.replace("notes:", said))
    folder = ["--events", str(events), "--out", str(drafts)]
    replacing = ["import", "--replace", "--accept", "hull-1893", *folder]
    assert main(["import", "--accept", "hull-1893", *folder]) == 1
    assert "take the draft's results by `--replace --accept`" in capsys.readouterr().err
    assert main(replacing) == 1
    assert "the draft lacks note of byrd-lucy - dunn-george" in capsys.readouterr().err
    path.write_text("# looked up\n" + noted)
    assert main(replacing) == 1
    assert "has comments, which would be lost" in capsys.readouterr().err
    path.write_text(noted)
    assert main(replacing) == 0
    assert "notes: Seen by Byrd." in path.read_text()
    assert path.read_text() != noted
    assert not drafted.exists()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("place: hull", "place: hell", "place: unknown place `hell`"),
        ("year", "year", None),
        ("kind: tournament", "kind: match", "kind: a match has two players, not 4"),
    ],
)
def test_a_draft_with_an_error_leaves_everything_as_it_was(folders, old, new, message, capsys):
    events, drafts = folders
    path = drafts / "1893/hull-1893.yaml"
    path.write_text(path.read_text().replace(old, new))
    if message is None:  # wrong together with the history only
        (drafts / "players.yaml").write_text("newcome-nell:\n  name: Newcome, Nell\n  born: 1999\n"
                                             "  died: 1890\n")  # fmt: skip
        message = "1890 is before the birth on 1999"
    before = files(events), files(drafts)
    assert accept(events, drafts) == 1
    assert message in capsys.readouterr().err
    assert (files(events), files(drafts)) == before


def test_folders_may_be_named_before_the_form_and_every_form_can_be_forced(tmp_path, capsys):
    shutil.copytree(MINISITE / "events", tmp_path / "events")
    (tmp_path / "t.txt").write_text(AS_TEXT)
    form = ["crosstable", str(tmp_path / "t.txt"), "--name", "Hull 1893"]
    before = ["import", "--project", str(tmp_path), "--out", str(tmp_path / "mine")]
    assert main([*before, *form]) == 0
    assert (tmp_path / "mine/1893/hull-1893.yaml").exists()
    assert main([*before, *form]) == 1
    assert "move them by --accept, or replace them by --force" in capsys.readouterr().err
    assert main([*before, *form, "--force"]) == 0
    assert main(["import", *form, "--project", str(tmp_path)]) == 0
    assert main(["import", "--project", str(tmp_path), *form, "--out", str(tmp_path / "two")]) == 0
    assert {path.name for path in tmp_path.iterdir()} == {
        "events", "t.txt", "mine", "drafts", "two"
    }  # fmt: skip
