"""Import of tables of results and standings: small tables to exact drafts, names and reports."""

from __future__ import annotations

import csv
import io
import json
import shutil
from collections import defaultdict
from pathlib import Path
from types import SimpleNamespace

import pytest
from conftest import MINISITE
from test_import_pgn import adopt

from edo.commands.cli import main
from edo.core.problems import InputError
from edo.history.dataset import load, read_all
from edo.importers.from_table import import_table, read_tables
from edo.importers.table import read_results

PAIRS = """event,player,opponent,points,opponent_points,colour,note,status
Leeds 1893,"Byrd, Lucy","Dunn, George",1,0,w,,
Leeds 1893,Walter Eames,"Byrd, Lucy",½,½,,,
Leeds 1893,"Grey, Iván","Byrd, Lucy",0,1,b,Adjourned.,
Leeds 1893,"Dunn, George",Walter Eames,1,0,,Eames was ill.,default
Leeds 1893,"Dunn, George","Grey, Iván",1/2,1/2,,,
Leeds 1893,"Grey, Iván",Walter Eames,1,0,,,
"""
ABOUT = """event,name,kind,place,start,end,completeness,source,where
Leeds 1893,Leeds 1893,tournament,"Leeds, England",3 July 1893,8 Jul. 1893,yes,gazette,p. 5
"""
LEEDS = """name: Leeds 1893
kind: tournament
place: leeds
dates: 1893-07-03/1893-07-08
year: 1893
format: Single-round all-play-all
crosstable: |
  byrd-lucy     .   1w  1w  =
  dunn-george   0b  .   =   +
  grey-ivan     0b  =   .   1
  eames-walter  =   -   0   .
remarks:
- {players: [byrd-lucy, grey-ivan], note: Adjourned.}
- {players: [dunn-george, eames-walter], default: Eames was ill.}
sources:
- {source: gazette, where: p. 5}
"""


@pytest.fixture(scope="module")
def history():
    return load(MINISITE / "events")


@pytest.fixture
def imported(history, tmp_path):
    """Import tables given as text; return the drafts, all files, and the findings by section."""

    def run(results: str, about: str | None = None, players: str | None = None):
        paths = []
        for name, text in (("results", results), ("events", about), ("players", players)):
            paths.append(tmp_path / f"{name}.csv" if text is not None else None)
            if text is not None:
                paths[-1].write_text(text, encoding="utf-8")
        made = import_table(read_tables(*paths), history)
        files = {path: text.decode() for path, text in made.files.items()}
        report = json.loads(files["report.json"])
        found = {
            name: [each["text"] for each in section["findings"]]
            for name, section in report["sections"].items()
        }
        drafts = {path: text for path, text in files.items() if path[0].isdigit()}
        return SimpleNamespace(files=files, drafts=drafts, found=found, counts=made.counts)

    return run


@pytest.fixture
def accepted(history, tmp_path):
    """Put drafts into a copy of the history and return it; the check must find no error."""

    def run(files: dict[str, str]):
        events = Path(shutil.copytree(MINISITE / "events", tmp_path / "events"))
        for path, text in files.items():
            target = tmp_path / "drafts" / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
            if path[0].isdigit():
                (events / path).unlink(missing_ok=True)
        adopt(tmp_path / "drafts", events)
        dataset, problems = read_all(events)
        assert [problem for problem in problems if problem.severity == "error"] == []
        return dataset

    return run


def squeezed(text: str) -> str:
    return "\n".join(" ".join(line.split()) for line in text.splitlines())


def test_pairs_of_an_event_become_its_crosstable(imported, accepted):
    made = imported(PAIRS, ABOUT)
    (text,) = made.drafts.values()
    assert text == LEEDS
    assert made.files["places.yaml"] == "leeds:\n  name: Leeds\n"
    event = accepted(made.files).events["leeds-1893"]
    assert [r.default for r in event.results if r.default] == ["Eames was ill."]


STANDINGS = """event,player,opponent,points,games,rank
Bath 1890,"Dunn, George",,2.5,4,2
Bath 1890,"Byrd, Lucy",,3.5,4,1
Bath 1890,castle-hugo,,2,4,3
Bath 1890,"Grey, Iván",,½,4,5
Bath 1890,"Vale, Bo",,1.5,4,4
"""


def test_totals_of_an_all_play_all_are_enough(imported, accepted):
    made = imported(STANDINGS)
    (text,) = made.drafts.values()
    assert squeezed(text).startswith(squeezed(
        "name: Bath 1890\nkind: tournament\nyear: 1890\ntotals: |\n  byrd-lucy 3½/4\n"
        "  dunn-george 2½/4\n  castle-hugo 2/4\n  vale-bo 1½/4\n  grey-ivan ½/4\n"
        "games_per_pair: 1\n"
    ))  # fmt: skip
    assert [t.points for t in accepted(made.files).events["bath-1890"].totals] == [3.5, 2.5, 2, 1.5, 0.5]  # fmt: skip  # noqa: E501


def test_totals_of_some_players_say_how_many_there_were(imported, accepted):
    made = imported(STANDINGS.replace("4,4\n", "5,4\n").replace(",4,", ",5,"),
                    "event,year,players\nBath 1890,1890,6\n")  # fmt: skip
    event = accepted(made.files).events["bath-1890"]
    assert (event.players_in_all, event.games_per_pair) == (6, 1)
    assert event.missing == "The totals of 5 of the 6 players are known."


def test_totals_that_do_not_add_up_are_published_totals(imported, accepted):
    made = imported(STANDINGS.replace("3.5", "4"))
    event = accepted(made.files).events["bath-1890"]
    assert [(t.player, t.points) for t in event.totals][:2] == [
        ("byrd-lucy", 4.0), ("dunn-george", 2.5)
    ]  # fmt: skip
    assert event.completeness == "incomplete"
    assert any("the totals make 10½ points" in text for text in made.found["unsure"])


def test_known_pairs_and_totals_make_the_rest_follow_from_the_totals(imported, accepted):
    """Ten games of which seven are known; the totals determine the other three."""
    known = """Bath 1890,"Byrd, Lucy","Dunn, George",1,0,
Bath 1890,"Byrd, Lucy",castle-hugo,½,½,
Bath 1890,"Byrd, Lucy","Vale, Bo",1,0,
Bath 1890,"Dunn, George",castle-hugo,½,½,
Bath 1890,"Dunn, George","Vale, Bo",1,0,
Bath 1890,"Grey, Iván",castle-hugo,0,1,
Bath 1890,"Grey, Iván","Vale, Bo",½,½,
"""
    table = STANDINGS.replace("points,games", "points,opponent_points,games")
    rows = "".join(
        line.replace(",,", ",,", 1).replace(",4,", ",,4,") + "\n" for line in table.splitlines()
    )
    made = imported(rows + known)
    (text,) = made.drafts.values()
    assert "games_per_pair: 1\nrest: from totals\n" in text
    assert "byrd-lucy    .  1  =  1  ?  | 3½" in text
    other = imported(rows.replace("2.5,,4", "½,,4") + known)
    (text,) = other.drafts.values()
    assert "rest" not in text
    (printed,) = [total for total in accepted(other.files).events["bath-1890"].totals if total.note]
    assert (printed.player, printed.points) == ("dunn-george", 0.5)
    assert printed.note == "The results known here add up to 1½."


def test_matches_at_odds_soft_and_casual(imported, accepted):
    made = imported(
        "event,player,opponent,points,games,draws,odds_giver,odds,status,note\n"
        'm1,castle-hugo,"Byrd, Lucy",7,12,2,castle-hugo,Pawn and two moves,,\n'
        'm2,"Finch, Ada","Young, A",4,6,,"Finch, Ada",the bishop,soft: about two in three,\n'
        'm3,"Grey, Iván",Young A,1,1,,,,,\n',
        "event,year,status,note\nm1,1890,,\nm2,1891,casual,\nm3,1892,,Only one game.\n",
    )
    dataset = accepted(made.files)
    (at_odds,) = dataset.events["m1-1890"].results
    assert (at_odds.odds.giver, at_odds.odds.kind) == ("castle-hugo", "pawn-and-two-moves")
    assert at_odds.tally == (6, 2, 4)
    (soft,) = dataset.events["m2-1891"].results
    assert (soft.soft, soft.unrated) == ("about two in three", "played at odds (the bishop)")
    assert dataset.events["m2-1891"].notes == "Casual games."
    assert any(
        "odds `the bishop`, which odds.yaml does not have" in w for w in made.found["unsure"]
    )
    assert any("casual games: consider" in w for w in made.found["unsure"])


HANDICAP = """event,player,opponent,points,games,rank,class
Bath 1890,"Byrd, Lucy",,3.5,4,1,1st class
Bath 1890,"Dunn, George",,2.5,4,2,1st class
Bath 1890,castle-hugo,,2,4,3,4
Bath 1890,"Vale, Bo",,1.5,4,4,II
Bath 1890,"Grey, Iván",,½,4,5,II
"""
ODDS = "event,kind,year,class_odds\nBath 1890,handicap,1890,{}\n"


def test_a_handicap_by_classes(imported, accepted):
    """Nobody was in the third class, which counts for the odds all the same."""
    odds = "; Pawn and two moves; 3 game-of-pawns"
    made = imported(HANDICAP, ODDS.format(odds))
    (text,) = made.drafts.values()
    assert squeezed("class_odds:\n  2: pawn-and-two-moves\n  3: game-of-pawns\n") in squeezed(text)
    event = accepted(made.files).events["bath-1890"]
    assert event.class_names == ("1st class", "II", "Class 3", "4")
    assert event.classes["vale-bo"] == "II"
    assert event.class_odds == {2: "pawn-and-two-moves", 3: "game-of-pawns"}
    assert not any("without odds" in text for text in made.found["unsure"])


def test_classes_of_pairs(imported, accepted):
    rows = """event,player,opponent,points,opponent_points,class,opponent_class
Bath 1890,"Byrd, Lucy","Dunn, George",1,0,Seniors,Juniors
Bath 1890,"Byrd, Lucy",castle-hugo,1,0,,Juniors
Bath 1890,"Dunn, George",castle-hugo,1,0,Seniors,
"""
    made = imported(rows, ODDS.format("pawn and two moves; the bishop; 1 pawn and two moves"))
    event = accepted(made.files).events["bath-1890"]
    assert event.classes == {
        "byrd-lucy": "Seniors", "dunn-george": "Juniors", "castle-hugo": "Juniors"
    }  # fmt: skip
    assert {r.odds.giver for r in event.results if r.odds} == {"byrd-lucy"}
    for text in (
        "Dunn, George in class `Seniors`, before in another; the first was taken",
        "classes in the order of the rows, best first: Seniors, Juniors",
        "odds by class `the bishop`, which odds.yaml does not have; left out",
    ):
        assert any(text in found for found in made.found["unsure"]), text


@pytest.mark.parametrize(
    ("old", "new", "odds", "message"),
    [
        ("1st class", "", "pawn and two moves", "no class of byrd-lucy, dunn-george: the classes"),
        ("1st class", "", "pawn and two moves", "odds by class `pawn and two moves` without"),
        ("x", "x", "7 pawn and two moves", "`pawn and two moves`: no classes are 7 apart"),
    ],
)  # fmt: skip
def test_classes_that_do_not_fit_are_reported(imported, old, new, odds, message):
    made = imported(HANDICAP.replace(old, new), ODDS.format(odds))
    assert any(message in text for text in made.found["unsure"])


def test_a_handicap_with_unequal_numbers_of_games(imported, accepted):
    about = (
        "event,kind,year,games_per_pair,class_odds\nBath 1890,handicap,1890,2,pawn and two moves\n"
    )
    rows = HANDICAP.replace("3.5,4", "4.5,5").replace("2.5,4", "3,5").replace(",4,5,II", ",3,5,II")
    rows = rows.replace("½,3", "0,3").replace(",2,4,3", ",2,4,3").replace("1.5,4", "1.5,5")
    made = imported(rows, about)
    event = accepted(made.files).events["bath-1890"]
    assert (event.rest, event.completeness) == ("best guess", "incomplete")
    assert event.missing == "Not all games were played, and who met whom is not known."
    assert [(t.points, t.games) for t in event.totals] == [
        (4.5, 5), (3, 5), (2, 4), (1.5, 5), (0, 3)
    ]  # fmt: skip


def test_rounds_and_teams(imported, accepted):
    made = imported(
        "event,player,opponent,points,opponent_points,team,opponent_team\n"
        'Ayr 1890,"Byrd, Lucy","Dunn, George",1,0,Ayr,Bath\n'
        'Ayr 1890,"Eames, Walter","Finch, Ada",0,1,Bath,Ayr\n',
        "event,kind,year\nAyr 1890,team match,1890\n",
    )
    event = accepted(made.files).events["ayr-1890"]
    assert event.rounds[0].teams == ("Ayr", "Bath")
    assert [(r.first, r.second) for r in event.results] == [
        ("byrd-lucy", "dunn-george"), ("finch-ada", "eames-walter")
    ]  # fmt: skip
    assert "Only single boards are known (2 games)" in event.missing
    assert event.rounds[0].name == "Boards"
    made = imported(
        "event,player,opponent,points,opponent_points,round\n"
        'Ayr 1891,"Byrd, Lucy","Dunn, George",2,1,Semi-final\n'
        'Ayr 1891,"Byrd, Lucy","Finch, Ada",2,0,Final\n'
        'Ayr 1891,"Finch, Ada","Grey, Iván",2,0,Semi-final\n',
        "event,kind,year,format,completeness\nAyr 1891,tournament,1891,Knock-out,yes\n",
    )
    (text,) = made.drafts.values()
    assert text.count("- name: Semi-final\n") == text.count("- name: Final\n") == 1
    assert "completeness" not in text


def test_names_are_reported_as_known_as_candidates_or_as_new(imported):
    made = imported(PAIRS.replace("Grey, Iván", "Grey").replace("Byrd, Lucy", "Zoe Quill"))
    assert "`Dunn, George` is dunn-george" in made.found["exact"]
    assert ("`Walter Eames` (1893, 3 games) is eames-walter: the same name in another spelling "
            "or order") in made.found["mapped"]  # fmt: skip
    assert "grey: `Grey` (1893); perhaps grey-ivan: only the surname is given" in made.found["new"]
    assert "quill-zoe: `Zoe Quill` (1893)" in made.found["new"]
    assert "quill-zoe:\n  name: Quill, Zoe\n" in made.files["players.yaml"]


def test_an_editor_decides_who_a_name_means(imported):
    players = "name,id,full_name,born,country\nGrey,grey-ivan,,,\nZoe Quill,quill-z,\"Quill, Zoë\",1870,ENG\n"  # fmt: skip  # noqa: E501
    made = imported(PAIRS.replace("Grey, Iván", "Grey").replace("Byrd, Lucy", "Zoe Quill"),
                    players=players)  # fmt: skip
    assert made.files["players.yaml"] == (
        "quill-z:\n  name: Quill, Zoë\n  born: 1870\n  country: ENG\n"
    )
    assert "  quill-z       .   1w  1w  =\n" in next(iter(made.drafts.values()))
    assert made.found["new"] == []


def test_people_of_one_event_are_kept_apart_and_no_row_is_dropped_unsaid(imported):
    rows = """event,player,opponent,points,opponent_points
Ulm 1883,"Bauer, Max Sr.","Bauer, Max Jr.",3,1
Ulm 1883,"Bauer, Max Sr.","Lang, Karl",2,0
Ulm 1883,"Bauer, Max Jr.","Lang, Karl",0,2
Ulm 1883,"Dunn, George","Dun, George",1,0
Ulm 1883,"George Dunn","Dunn, George",1,0
"""
    made = imported(rows)
    (text,) = made.drafts.values()
    assert "- {players: [bauer-max-2, bauer-max], score: 3-1}\n" in text
    assert "- {players: [dunn-george, dun-george], games: 1}\n" in text
    assert made.found["left out"] == [
        "Ulm 1883: George Dunn - Dunn, George: both are taken for dunn-george"
    ]
    assert made.counts["rows left out"] == 1


def test_ambiguous_names_are_new_players_with_candidates(history, tmp_path):
    events = Path(shutil.copytree(MINISITE / "events", tmp_path / "events"))
    (events / "players/r.yaml").write_text(
        "rosen-anton:\n  name: Rosen, Anton\nrosen-albert:\n  name: Rosen, Albert\n"
    )
    (tmp_path / "t.csv").write_text("event,player,opponent,points,opponent_points\n"
                                    'x 1890,"Rosen, A","Byrd, Lucy",2,1\n')  # fmt: skip
    files = import_table(read_tables(tmp_path / "t.csv", None, None), load(events)).files
    (new,) = json.loads(files["report.json"])["sections"]["new"]["findings"]
    assert new["player"] == "rosen-a"
    assert set(new["candidates"]) == {"rosen-albert", "rosen-anton"}


def test_an_event_of_the_history_is_compared_with_its_file(imported):
    known = (
        "event,player,opponent,points,opponent_points\nFinch-Grey 1884,finch-ada,grey-ivan,3,1\n"
    )
    made = imported(known)
    assert made.drafts == {}
    assert made.found["already"] == [
        "Finch-Grey 1884: events/1884/finch-grey-1884.yaml; nothing differs"
    ]
    made = imported(known.replace("3,1", "3,2"))
    assert list(made.drafts) == ["1884/finch-grey-1884.yaml"]
    assert made.found["already"] == [
        "Finch-Grey 1884: events/1884/finch-grey-1884.yaml; the import has 1 game more; "
        "finch-ada - grey-ivan: 3-1 in the file, 3-2 in the import; drafted under the same id"
    ]


def test_sources_are_those_of_the_history_or_proposed(imported, accepted):
    about = ABOUT.replace("source,where", "source,where,references").replace(
        "gazette,p. 5",
        "https://example.org/gazette,,Field; 8 July 1893 | The Book of the Tournaments",
    )
    made = imported(PAIRS, about)
    event = accepted(made.files).events["leeds-1893"]
    assert [(one.source, one.where) for one in event.sources] == [
        ("gazette", None), ("field", "8 July 1893"), ("book", None)
    ]  # fmt: skip
    assert made.files["sources.yaml"] == "field:\n  title: Field\n"
    made = imported(PAIRS)
    assert "results-csv-table-of-results:\n" in made.files["sources.yaml"]
    assert any("no source is stated" in warning for warning in made.found["unsure"])


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("x 1900,a,b,two,0,,,,", "points `two`; write a number like 2, 2.5 or 2½"),
        ("x 1900,a,b,,0,,,,", "no points; write them, or leave the row out"),
        ("x 1900,a,b,1,,,,,", "neither the opponent's points nor enough games; add one of the two"),
        ("x 1900,a,b,1,1,3,,,", "1 and 1 points in 3 games; correct one of them"),
        ("x 1900,a,a,1,0,,,,", "`a` plays against himself; correct one of the two players"),
        ("x 1900,a,NN,1,0,,,,", "`NN` is not one person; write one id, or leave the row out"),
        ("x 1900,,b,1,0,,,,", "no player; fill it in"),
        (",a,b,1,0,,,,", "no event; fill it in"),
        ("x 1900,a\x1b[31m,b,1,0,,,,", "the text holds the invisible character U+001B; "
         "remove the character"),
        (f"x 1900,{'a' * 101},b,1,0,,,,", f"`{'a' * 59}…` is a word of 101 characters; divide it"),
        ("x 1900,a,b,1,1,,w,,", "colour `w`; write w or b, in rows of one game only"),
        ("x 1900,a,b,1,0,,,lost,", "unknown status `lost`; write one of formal, casual, soft, "
         "default, unrated, uncounted"),
        ("x 1900,a,b,1,0,,,,19th", "unknown date `19th`; write 1883, 1883-04, 1883-04-26 or "
         "26 Apr. 1883"),
    ],
)  # fmt: skip
def test_bad_rows_are_named(row: str, message: str, tmp_path: Path):
    table = tmp_path / "t.csv"
    table.write_text(
        "event,player,opponent,points,opponent_points,games,colour,status,date\n" + row
    )
    with pytest.raises(InputError) as refused:
        read_results(table)
    place = f"{row.partition(',')[0]}: " if row[0] != "," else ""
    assert str(refused.value) == f"{table.as_posix()}:2: {place}{message}"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("x,simul,,1900,", "unknown kind `simul`; write match, tournament, handicap, team match"),
        ("x,,,,", "no year; write the year in which the event ended"),
        ("x,,1901-02,1900,", "the dates end in 1901-02, but the year is 1900; correct one"),
        ("x,,,1900,perhaps", "unknown completeness `perhaps`; write yes, no or ?"),
    ],
)
def test_bad_rows_of_events_are_named(row: str, message: str, imported):
    with pytest.raises(InputError) as refused:
        imported(PAIRS, f"event,kind,end,year,completeness\n{row}\n")
    assert str(refused.value).endswith(f"events.csv:2: x: {message}")


def test_all_bad_rows_of_all_tables_are_named_at_once(imported):
    with pytest.raises(InputError) as refused:
        imported(f"{PAIRS}y,a,b,1,x,,,\ny,a,a,1,0,,,\n", f"{ABOUT}z,,cup,,,,,,\n")
    assert [problem.line for problem in refused.value.problems] == [3, 8, 9]


def test_rows_without_their_event_and_matches_of_three_are_named(imported):
    rows = "event,player,opponent,points,opponent_points\nx,a,b,1,0\nx,a,c,1,0\ny,a,b,1,0\n"
    with pytest.raises(InputError) as refused:
        imported(rows, "event,kind,year\nx,match,1900\n")
    assert [(p.line, p.message) for p in refused.value.problems] == [
        (2, "a match of 3 players"), (4, "the event is not in the table of events"),
    ]  # fmt: skip
    with pytest.raises(InputError, match="x: the event has no year"):
        imported(rows)


@pytest.mark.parametrize(
    ("name", "year"),
    [
        ("Leeds 1893/94", 1894),
        ("Leeds 1893–1894", 1894),
        ("Leeds 1899/00", 1900),
        ("Leeds 1893 - 1896", 1896),
        ("The 2000 guineas, Leeds 1893", 1893),
        ("Leeds 1893-05-01", 1893),
    ],
)
def test_the_year_in_a_name_is_that_of_the_end(name: str, year: int, imported):
    rows = f'event,player,opponent,points,opponent_points\n"{name}",a,b,2,1\n'
    for about in (None, f'event\n"{name}"\n'):
        ((path, text),) = imported(rows, about).drafts.items()
        assert f"\nyear: {year}\n" in text
        assert path.startswith(f"{year}/")
        assert path.count(str(year)) <= 2


@pytest.mark.parametrize("separator", [";", "\t"])
def test_a_table_of_a_spreadsheet_in_any_country_is_read(separator: str, tmp_path: Path):
    text = "Event,Player, Opponent ,Points,Opponent_points\nx,a,b,2.5,1.5\n,,,,\nx,a,c,1/2,1/2\n"
    table = tmp_path / "t.csv"
    table.write_text("\ufeff" + text.replace(",", separator).replace(".", ","))
    assert [
        (row.line, row.opponent, row.points, row.opponent_points) for row in read_results(table)
    ] == [(2, "b", 2.5, 1.5), (4, "c", 0.5, 0.5)]


def test_a_table_without_its_columns_or_not_in_utf_8_is_refused(tmp_path: Path):
    table = tmp_path / "t.csv"
    table.write_text("event,white,black\n")
    with pytest.raises(InputError, match="no column player, points; add it to the header row"):
        read_results(table)
    table.write_bytes("event,player,points\nx,Löwe,1\n".encode("latin-1"))
    with pytest.raises(InputError, match="save it as CSV in UTF-8"):
        read_results(table)


def test_the_command_never_overwrites(tmp_path, capsys):
    (tmp_path / "r.csv").write_text(PAIRS)
    (tmp_path / "e.csv").write_text(ABOUT)
    out = tmp_path / "drafts"
    call = ["import", "table", str(tmp_path / "r.csv"), "--about", str(tmp_path / "e.csv"),
            "--events", str(MINISITE / "events"), "--out", str(out)]  # fmt: skip
    assert main(call) == 0
    assert "events drafted: 1\n" in capsys.readouterr().out
    draft = out / "1893/leeds-1893.yaml"
    assert squeezed(draft.read_text()).startswith("name: Leeds 1893\n")
    draft.write_text("edited")
    assert main(call) == 1
    assert draft.read_text() == "edited"
    assert "drafts that were edited or added since the import" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["import", "table", "--help"])
    assert "opponent_points: the score, like 2.5" in capsys.readouterr().out


def test_the_same_tables_give_the_same_bytes(imported):
    assert imported(PAIRS, ABOUT).files == imported(PAIRS, ABOUT).files


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


def test_two_events_of_a_table_never_share_a_draft(imported):
    """Both agree with the one match of the history; the second is drafted as a new event."""
    rows = "".join(
        f"Finch-Grey 1884 {part},finch-ada,grey-ivan,{score}\n"
        for part, score in (("a", "3,2"), ("b", "4,2"))
    )
    made = imported(f"event,player,opponent,points,opponent_points\n{rows}")
    assert sorted(made.drafts) == ["1884/finch-grey-1884-b.yaml", "1884/finch-grey-1884.yaml"]
    assert "drafted as a new event" in made.found["perhaps"][0]
