"""Import of pasted crosstables and lists of results, and acceptance of drafts: exact messages."""

from __future__ import annotations

import io
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from conftest import MINISITE

from edo.commands.cli import main
from edo.core.problems import InputError
from edo.history.dataset import load
from edo.importers.crosstable import read_crosstable
from edo.importers.from_table import import_table
from edo.importers.grid import plain, read_grids
from edo.importers.results import read_results
from edo.importers.table import checked, event_row

EVENT = event_row(1, checked({"event": "Leeds 1893", "year": "1893", "source": "gazette"}))
TABLE = """\
  byrd-lucy     .  =  1  1  | 2½
  dunn-george   =  .  1  0  | 1½
  eames-walter  0  0  .  1  | 1
  grey-ivan     0  1  0  .  | 1
"""

AS_TEXT = """Leeds 1893
                            1 2 3 4
————————————————————————————————————
 1. Byrd, Lucy    g ENG 2700 • ½ 1 1  2½  1st £20
 2. Dunn, George    ENG 2650 ½ • 1 0  1½  2nd
3-4 Eames, Walter       2600 0 0 • 1  1
3-4 Grey, Iván               0 1 0 •  1
"""
OWN_LEFT_OUT = """Byrd, Lucy      ½ 1 1   2½
Dunn, George  ½   1 0   1½
Eames, Walter 0 0   1   1
Grey, Iván    0 1 0     1
"""
TOTALS_FIRST = """No Name Loc Total #1 #2 #3 #4
1 Byrd, Lucy 2479 2.5 . D W W
2 Dunn, George 2434 1.5 D . W L
3 Eames, Walter 2196 1 L L . W
4 Grey, Iván 2100 1 L W L .
"""
AS_CSV = """Platz;Name;Land;1;2;3;4;Punkte;SB
1;Byrd, Lucy;England;;0,5;1;1;2,5;3,25
2;Dunn, George;England;,5;;1;0;1,5;
3;Eames, Walter;England;0;0;;1;1;
4;Grey, Iván;England;0;1;0;;1;
"""
AS_HTML = """<p>The result was:</p><table><caption>Leeds</caption>
<tr><th>#</th><th>Player</th><th>Country</th><th colspan="4">Games</th><th>Total</th></tr>
<tr><td>1</td><td><a href="x">Lucy Byrd</a><sup class="reference">[1]</sup></td>
<td rowspan=3>England</td><td style="background:black">&nbsp;</td><td><span>1<span>/</span>&frasl;2
</span></td><td>1</td><td>1</td><td>2<sup>1</sup>⁄<sub>2</sub></td></tr>
<tr><td>2<td>George Dunn<td>½<td>–<td>1<td>0<td>1 1/2
<tr><td rowspan=2>3–4</td><td>Walter Eames<sup>a</sup></td><td>0</td><td>0</td><td>X</td><td>1<td>1
<tr><td>Iván Grey<td>Wales<td>0<td>1<td>0<td>*<td>1</tr></table>
"""


@pytest.fixture(scope="module")
def history():
    return load(MINISITE / "events")


@pytest.fixture
def drafted(history):
    """Import a pasted text; return the draft, all files, and what the report says."""

    def run(read, text: str):
        files = import_table(read(text, Path("paste.txt"), EVENT), history).files
        texts = {path: raw.decode() for path, raw in files.items()}
        report = texts["REPORT.md"]
        assert ", 1 event\n" in report
        return SimpleNamespace(event=texts["1893/leeds-1893.yaml"], report=report)

    return run


NAMES_WITH_MORE = """1. GM Byrd, Lucy (2434)\t×\t½\t1\t1\t2.5/3
2.-3. ENG George Dunn 2434\t½\t×\t1\t0\t1½/3
2–3\tWalter Eames (United States)\t0\t0\t×\t1\t1/3
4= IM Grey, Iván SCO\t0\t1\t0\t×\t1/3
""".replace("2–3\t", "2–3 ")
HALVES_APART = """Byrd, Lucy     ·  1/2  1   1   2 1/2
Dunn, George  1/2  ·   1   0   1 1/2
Eames, Walter  0   0   ·   1   1
Grey, Iván     0   1   0   ·   1
"""
HIDDEN = AS_HTML.replace("<td>", '<td><script>x = "<td>0</td>";</script>').replace(
    "</td>", '<span style="display: none">1<span>0</span></span></td>'
)


@pytest.mark.parametrize(
    "text",
    [AS_TEXT, OWN_LEFT_OUT, TOTALS_FIRST, AS_CSV, AS_CSV.replace(";", "\t"), AS_HTML,
     NAMES_WITH_MORE, NAMES_WITH_MORE.replace("\t", "  "), HALVES_APART, HIDDEN],
)  # fmt: skip
def test_a_crosstable_is_read_in_every_form(text: str, drafted):
    made = drafted(read_crosstable, text)
    assert made.event == (
        "name: Leeds 1893\nkind: tournament\nyear: 1893\nformat: Single-round all-play-all\n"
        f"crosstable: |\n{TABLE}sources:\n- {{source: gazette}}\n"
    )
    assert "cells make" not in made.report


def test_cells_of_several_games_colours_defaults_and_gaps(drafted):
    text = "A. Adams  x 1w= 1+ ?  3½\nB. Brown 0b= x 10 11 3\nC. Clark 0- 01 x = 1½\nD. Dale ? 00 = x ½"  # noqa: E501
    made = drafted(read_crosstable, text)
    table = made.event.partition("crosstable: |\n")[2].splitlines()
    assert [line.split()[1:] for line in table[:4]] == [
        [".", "1w=", "1+", "?", "|", "3½"],
        ["0b=", ".", "10", "11"],
        ["0-", "01", ".", "=?", "|", "1½"],
        ["?", "00", "=?", ".", "|", "½"],
    ]
    assert "Leeds 1893: no result is known for 1 of 6 pairs" in made.report
    assert "line 2, B. Brown: the cells make 3½, the total is 3" in made.report


def test_points_of_several_games_become_scores(drafted):
    made = drafted(read_crosstable, "Adams x 1½ 2\nBrown ½ x 1\nClark 0 1 x")
    assert made.event.count("- {players: [") == 3
    assert "- {players: [adams, brown], score: 1½-½}\n" in made.event
    assert "- {players: [brown, clark], score: 1-1}\n" in made.event


@pytest.mark.parametrize(
    ("read", "text", "messages"),
    [
        (read_crosstable, "", ["1: no crosstable is found; paste three rows or more: a "
         "player, a cell for each row in order, and the total"]),
        (read_crosstable, AS_TEXT.replace("½ • 1 0  1½", "½ • 1    1½")
         .replace("0 1 0 •", "0 1 1 •"),
         ["5: row Dunn, George: 3 cells for 4 players; write a cell for every row in the same "
          "order, X for the player's own",
          "6: Eames, Walter - Grey, Iván: `1` on line 6 and `1` on line 7 do not mirror each "
          "other; correct one of the two cells"]),
        (read_crosstable, AS_CSV.replace("0,5;1;1;2,5", "0,5;won;1;2,5"),
         ["2: row Byrd, Lucy: `won` is no cell; write a cell for every row in the same order, X "
          "for the player's own"]),
        (read_crosstable, AS_CSV.replace("0;0;;1;1", "0;0;1;1;1"),
         ["4: row Eames, Walter: `1` stands on the diagonal; write a cell for every row in the "
          "same order, X for the player's own"]),
        (read_crosstable, AS_CSV.replace("Eames, Walter", "Byrd, Lucy"),
         ["4: row Byrd, Lucy: the name stands twice (first on line 2); tell the two apart"]),
        (read_crosstable, AS_CSV.replace("Eames, Walter", "Leeds Chess Club"),
         ["4: row Leeds Chess Club: `Leeds Chess Club` is not one person; write the name, or "
          "leave the row out"]),
        (read_crosstable, AS_HTML + AS_HTML.replace("<p>", "<p>\n"),
         ["12: a second crosstable begins here; paste one at a time"]),
        (read_crosstable, AS_CSV.replace("4;Grey, Iván;England;0;1;0;;1;", "4;Grey, Iván"),
         ["1: 4 columns are numbered, but 3 rows have a name and cells; paste the rows of all "
          "players, with all their cells"]),
        (read_crosstable, "Name,1,2,3\nA. A.,,2-Jan,2-0\nB. B.,1-Feb,,1-1\nC. C.,0-2,1-1,",
         ["1: no crosstable is found; correct `2-Jan`, perhaps a score that a spreadsheet took for "
          "a date"]),
        (read_results, "18 August 2012\nByrd 2479",
         ["1: `18 August 2012` is no total; leave a date or a rating out, or write `Round 1` above "
          "its results",
          "2: `Byrd 2479` is no total; leave a date or a rating out, or write `Round 1` above its "
          "results"]),
        (read_results, "# nothing", ["1: no results are found; write them like "
         "`Morphy - Paulsen 5-1`"]),
        (read_results, "Morphy beat Paulsen 1-5\nMorphy-Paulsen\nNN - Paulsen 1-0\nLasker 8/7",
         ["1: `beat`, but 1-5; correct the word or the score, the first-named's points first",
          "2: `Morphy-Paulsen` is no result; write `Morphy - Paulsen 5-1`, `Morphy beat Paulsen "
          "+5 -1 =2` or `Lasker 7½/11`",
          "3: `NN` is not one person; write one name, or leave it out",
          "4: 8 points of 7 games; correct the total or the games"]),
        (read_results, "A - B 5:1:2\nA - B 5 - 1, =2\nBoard 1: A - B 1-0\nA 1 B 0\n"
         "A 7½ 26.25\nA - bye 1-0\nTotal 28\nA - A 1-0",
         ["1: `B 5` has a number; write one score or total a line",
          "2: `B 5` has a number; write one score or total a line",
          "3: `Board 1: A` has a number; write one score or total a line",
          "4: `A 1 B` has a number; write one score or total a line",
          "5: `A 7½` has a number; write one score or total a line",
          "6: `bye` is not one person; write one name, or leave it out",
          "7: `Total` is not one person; write one name, or leave it out",
          "8: `A` plays against himself; correct one of the names"]),
    ],
)  # fmt: skip
def test_all_errors_of_a_paste_are_shown_at_once(read, text: str, messages: list[str]):
    with pytest.raises(InputError) as refused:
        read(text, Path("paste.txt"), EVENT)
    assert str(refused.value).splitlines() == [f"paste.txt:{message}" for message in messages]


def test_results_are_read_line_by_line(drafted):
    text = """Round 1
    Lucy Byrd–George Dunn 1–0
    3. Walter Eames (USA) vs. GM Grey, Iván  1/2-1/2
    Round 2
    Byrd, Lucy beat Walter Eames +3 −1 =2
    George Dunn lost to Grey, Iván 0-1
    """
    made = drafted(read_results, text)
    assert made.event.partition("pairings:\n")[2].partition("sources")[0] == (
        "- {players: [byrd-lucy, eames-walter], score: +3 -1 =2}\n"
        "- {players: [byrd-lucy, dunn-george], games: 1}\n"
        "- {players: [eames-walter, grey-ivan], games: =}\n"
        "- {players: [grey-ivan, dunn-george], games: 1}\n"
    )


@pytest.mark.parametrize("heading", ["Round 16", "Week 16:", "Matchday 16", "Last 16"])
def test_a_heading_is_a_round_and_never_a_player(heading):
    (row,) = read_results(f"{heading}\nA - B 1-0", Path("paste.txt"), EVENT).results["Leeds 1893"]
    assert (row.player, row.text["round"]) == ("A", heading.removeprefix("Round ").strip(":"))


def test_cells_may_hold_the_points_of_both(drafted):
    text = "Adams x 1:0 ½:½ 1½\nBrown 0:1 x 2:1 2\nClark ½:½ 1:2 x 1½"
    made = drafted(read_crosstable, text.replace("2:1 2", "1:0 1").replace("1:2", "0:1"))
    assert "adams  .  1  =  | 1½\n" in made.event
    made = drafted(read_crosstable, text)
    assert "- {players: [brown, clark], score: 2-1}\n" in made.event
    with pytest.raises(InputError, match="`2:1` on line 2 and `0:2` on line 3 do not mirror"):
        read_crosstable(text.replace("1:2", "0:2"), Path("paste.txt"), EVENT)


def test_a_row_of_rising_points_is_no_heading(drafted):
    text = "Name 1 2 3 4 Pts\nAdams x 1 2 3 6\nBrown 3 x 2 2 7\nClark 2 2 x 1 5\nDale 1 2 3 x 6"
    made = drafted(read_crosstable, text)
    assert "- {players: [adams, dale], score: 3-1}\n" in made.event


def test_what_tells_namesakes_apart_is_kept(drafted):
    text = "Hugo Vale (Hull 1858) x 1 1 2\nA. Vale (2) 0 x 1 1\nVale (Leeds) 0 0 x 0"
    made = drafted(read_crosstable, text)
    for name in ("vale-hugo: `Hugo Vale (Hull 1858)`", "vale-a: `A. Vale (2)`", "`Vale (Leeds)`"):
        assert name in made.report
    made = drafted(read_results, "Hugo Vale (Hull 1858) - A. Vale (2) 2-1")
    assert "vale-hugo: `Hugo Vale (Hull 1858)`" in made.report


def test_a_list_of_totals_gives_the_totals(drafted):
    text = "1. Byrd, Lucy 3½/4\n2. Dunn, George ... 2.5 of 4\n3-4 Castle, Hugo 2/4\nGrey, Iván 2/4\nA. B. Cole 0/4"  # noqa: E501
    made = drafted(read_results, text)
    assert "\n  dunn-george  2½/4\n" in made.event
    assert "games_per_pair: 1\n" in made.event


def test_cells_are_plain():
    assert plain(" 10\u00a01/2 [12]") == "10½"
    assert plain("Lasker†") == "Lasker"
    (rows,) = read_grids("<table><tr><td colspan=99999>a<td rowspan=x>b</table>")
    assert len(rows[0].cells) == 101


@pytest.mark.parametrize(
    "text",
    ["<td>" * 5000, "[a]" * 5000, "1 " * 5000, "<tr><td rowspan=9>1" * 900,
     'a;"b;c\n;;;;\n', "A - " * 900 + "1-0", "\x00;\x01;\x02", "<td><![foo["],
)  # fmt: skip
def test_hostile_pastes_get_a_message(text: str):
    for read in (read_crosstable, read_results):
        with pytest.raises(InputError):
            read(text, Path("paste.txt"), EVENT)


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
    assert "move them, or replace them by --force" in capsys.readouterr().err
    assert main([*before, *form, "--force"]) == 0
    assert main(["import", *form, "--project", str(tmp_path)]) == 0
    assert main(["import", "--project", str(tmp_path), *form, "--out", str(tmp_path / "two")]) == 0
    assert {path.name for path in tmp_path.iterdir()} == {
        "events", "t.txt", "mine", "drafts", "two"
    }  # fmt: skip
