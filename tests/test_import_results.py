"""The importer: small tables made by hand to exact files, the real ones to the real events."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from edo.commands.cli import main
from edo.core.problems import InputError
from edo.core.text import kebab
from edo.history import dataset
from edo.history.remainder import by_default
from edo.importers import knockout
from edo.importers.compose import dates
from edo.importers.inputs import Sources
from edo.importers.results import ImportRefused, import_results
from edo.importers.rules import read_rules
from edo.importers.table import EventRow, read_events, read_results
from edo.rating.pairings import pairings_of

ROOT = Path(__file__).parent.parent
RULES = ROOT / "edo/importers/facts"
FACTS = ROOT.parent / "shared/facts"

with_facts = pytest.mark.skipif(not FACTS.is_dir(), reason="the tables are not here")

RESULTS = """event_id,date,round,white_id,black_id,result,source,note
leeds-1851,1851,1,ash-a,birch-b,1,club-book,
leeds-1851,1851,2,birch-b,cole-c,0.5,club-book,
leeds-1851,1851,3,cole-c,ash-a,0,club-book,colours unknown; table: Gazette
leeds-1851,1851,,ash-a,cole-c,0.5,club-book,drawn and replayed
leeds-1851,1851,4,ash-a,dee-d,1,club-book,forfeit
leeds-1851,1851,5,birch-b,dee-d,1,club-book,stub
ash-birch-1852,1852,2,birch-b,ash-a,0,club-book,
ash-birch-1852,1852,1,ash-a,birch-b,0.5,club-book,played late at night
york-leeds-1853,1853-02-01,1,ash-a,dee-d,1,club-book,
york-leeds-1853,1853-02-01,2,dee-d,birch-b,1,club-book,
simul-1854,1854,,ash-a,dee-d,1,club-book,
"""

EVENTS = """id,kind,name,place,year,start,end,games,players,complete,header_event,header_site,note
leeds-1851,tournament,Leeds 1851,Leeds,1851,1851,1851-05,6,4,partial,Leeds Cup,Leeds ENG|?,
ash-birch-1852,match,Ash - Birch match 1852,,1852,1851,1851,2,2,full,,,
york-leeds-1853,team,York - Leeds 1853,Łódź,1853,1853-02-01,1853-02-01,2,3,partial,,,
simul-1854,simul,Ash's exhibition,Leeds,1854,1854,1854,1,2,partial,,,
"""

PLAYERS = """id,name,born,died,country,aliases
ash-a,"Ash, A.",1820,1880-01,ENG,"Ashe, A.|Ash, A."
birch-b,"Birch, B.",,,XXX,
cole-c,"Cole, C.",,,,
dee-d,Dee,,,,
"""

STANDINGS = """event_id,player_id,score,games,won,drawn,lost,source,note
leeds-1851,ash-a,3,3,,,,Gazette,total of the table
leeds-1851,birch-b,1.5,3,,,,Gazette,total of the table
"""

TREATMENTS = """event,white,black,round,pattern,treatment,text
,,,,^colours unknown; table,colours unknown,
,,,,^drawn and replayed$,outside table,Drawn and replayed.
,,,,^forfeit$,default,Dee did not appear.
,,,,^stub$,unrated,No moves.
,,,,^total of the table$,totals,
"""

SOURCE_RULES = """pattern,id,where,title,author,published,url,notes
^club-book,leeds-club,games headed {headers},Game book,"Dee, D.",1855,,
Gazette,gazette,table,The Gazette,,,,
"""

LEEDS = """name: Leeds 1851
kind: tournament
place: leeds
dates: 1851
year: 1851
completeness: incomplete
missing: Games of 5 of the 6 pairs of these 4 players are known. Rows without a published total are
  in the order of the points known here.
crosstable: |
  ash-a    .   1w  1=w  +w  | 3
  birch-b  0b  .   =w   1w  | 1½
  cole-c   0=b =b  .    ?
  dee-d    -b  0b  ?    .
remarks:
- {players: [ash-a, cole-c], game: 2, uncounted: Drawn and replayed.}
- {players: [ash-a, dee-d], default: Dee did not appear.}
- {players: [birch-b, dee-d], unrated: No moves.}
sources:
- {source: leeds-club, where: games headed "Leeds Cup" (Leeds ENG)}
- {source: gazette, where: table}
"""

MATCH = """name: Ash - Birch match 1852
kind: match
dates: 1851/1852
year: 1852
pairings:
- {players: [ash-a, birch-b], games: =w 1b}
remarks:
- {players: [ash-a, birch-b], game: 1, note: played late at night}
sources:
- {source: leeds-club}
"""

TEAMS = """name: York - Leeds 1853
kind: team match
place: lodz
dates: 1853-02-01
year: 1853
completeness: incomplete
missing: Only single boards are known (2 games), not the scores of the teams.
rounds:
- name: Round 1
  pairings:
  - {players: [ash-a, dee-d], games: 1w}
- name: Round 2
  pairings:
  - {players: [dee-d, birch-b], games: 1w}
sources:
- {source: leeds-club}
"""


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    folder = tmp_path / "tables"
    (folder / "rules").mkdir(parents=True)
    for name, text in {
        "results": RESULTS, "events": EVENTS, "players": PLAYERS, "standings": STANDINGS,
        "rules/treatments": TREATMENTS, "rules/sources": SOURCE_RULES,
    }.items():  # fmt: skip
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    return folder


def squeezed(text: str) -> str:
    return "\n".join(" ".join(line.split()) for line in text.splitlines())


def test_the_files_of_small_tables(tables: Path, tmp_path: Path) -> None:
    out = tmp_path / "events"
    report = import_results(tables / "results.csv", out)
    assert squeezed((out / "1851/leeds-1851.yaml").read_text()) == squeezed(LEEDS)
    assert (out / "1852/ash-birch-1852.yaml").read_text() == MATCH
    assert (out / "1853/york-leeds-1853.yaml").read_text() == TEAMS
    assert not (out / "1854").exists()
    assert (out / "players/a.yaml").read_text() == (
        "ash-a:\n  name: Ash, A.\n  born: 1820\n  died: 1880-01\n  country: ENG\n"
        "  spellings: ['Ashe, A.']\n"
    )
    assert (out / "players/b.yaml").read_text() == "birch-b:\n  name: Birch, B.\n"
    assert (out / "places.yaml").read_text() == "leeds:\n  name: Leeds\nlodz:\n  name: Łódź\n"
    assert (
        "leeds-club:\n  title: Game book\n  author: Dee, D.\n" in (out / "sources.yaml").read_text()
    )
    assert (report.events, report.games, report.players) == (3, 10, 4)
    assert report.skipped == {"simul": 1}


def test_the_reader_accepts_what_was_written(tables: Path, tmp_path: Path) -> None:
    out = tmp_path / "events"
    import_results(tables / "results.csv", out)
    event = dataset.load(out).events["leeds-1851"]
    assert {total.player: total.points for total in event.totals} == {"ash-a": 3.0, "birch-b": 1.5}
    default = [result for result in event.results if result.default]
    assert [(result.first, result.points_first) for result in default] == [("ash-a", 1.0)]
    assert [result.second for result in event.results if result.unrated] == ["dee-d"]


def test_a_second_import_changes_nothing(tables: Path, tmp_path: Path) -> None:
    out = tmp_path / "events"
    first = import_results(tables / "results.csv", out)
    before = {path: path.read_bytes() for path in out.rglob("*.yaml")}
    second = import_results(tables / "results.csv", out)
    assert (len(first.written), first.unchanged) == (9, 0)
    assert (second.written, second.unchanged) == ((), 9)
    assert {path: path.read_bytes() for path in out.rglob("*.yaml")} == before


def test_other_content_is_refused_and_nothing_written(tables: Path, tmp_path: Path) -> None:
    out = tmp_path / "events"
    own = out / "1852/ash-birch-1852.yaml"
    own.parent.mkdir(parents=True)
    own.write_text("name: mine\n")
    with pytest.raises(ImportRefused, match=r"1852/ash-birch-1852\.yaml\nkeep one"):
        import_results(tables / "results.csv", out)
    assert list(out.rglob("*.yaml")) == [own]
    import_results(tables / "results.csv", out, overwrite=True)
    assert own.read_text() == MATCH


def test_a_file_made_by_hand_is_kept(tables: Path, tmp_path: Path) -> None:
    (tables / "rules/events.csv").write_text(
        "event,field,text\nash-birch-1852,by hand,a better source\n"
    )
    own = tmp_path / "events/1852/ash-birch-1852.yaml"
    own.parent.mkdir(parents=True)
    own.write_text("name: mine\n")
    report = import_results(tables / "results.csv", tmp_path / "events")
    assert report.kept == ("ash-birch-1852",)
    assert own.read_text() == "name: mine\n"


def test_a_series_comes_from_the_rules(tables: Path, tmp_path: Path) -> None:
    (tables / "rules/series.csv").write_text("id,name,notes\ncups,Cups,\nother,Other,Unused.\n")
    (tables / "rules/events.csv").write_text("event,field,text\nleeds-1851,series,cups\n")
    import_results(tables / "results.csv", tmp_path / "events")
    text = (tmp_path / "events/1851/leeds-1851.yaml").read_text()
    assert text.startswith("name: Leeds 1851\nkind: tournament\nseries: cups\nplace: leeds\n")
    assert (tmp_path / "events/series.yaml").read_text() == "cups:\n  name: Cups\n"
    assert dataset.load(tmp_path / "events").events["leeds-1851"].series == "cups"


def test_a_series_that_is_not_listed_is_refused(tables: Path, tmp_path: Path) -> None:
    (tables / "rules/events.csv").write_text("event,field,text\nleeds-1851,series,cups\n")
    with pytest.raises(InputError, match=r"events.csv:2: leeds-1851: unknown series 'cups'"):
        import_results(tables / "results.csv", tmp_path / "events")


def test_entries_of_the_registries_stay(tables: Path, tmp_path: Path) -> None:
    registry = tmp_path / "events/players/a.yaml"
    registry.parent.mkdir(parents=True)
    registry.write_text("ash-a:\n  name: Ash, Amy\n  woman: true\n")
    import_results(tables / "results.csv", tmp_path / "events", overwrite=True)
    assert registry.read_text() == "ash-a:\n  name: Ash, Amy\n  woman: true\n"


def test_a_default_without_a_row_comes_after_the_games(tables: Path, tmp_path: Path) -> None:
    (tables / "rules/defaults.csv").write_text(
        "event,winner,loser,text\nleeds-1851,birch-b,ash-a,Ash withdrew.\n"
    )
    report = import_results(tables / "results.csv", tmp_path / "events")
    text = squeezed((tmp_path / "events/1851/leeds-1851.yaml").read_text())
    assert "ash-a . 1w- 1=w +w | 3" in text
    assert "- {players: [ash-a, birch-b], game: 2, default: Ash withdrew.}" in text
    assert "table-of-results" not in text
    assert report.games == 10


def test_a_table_made_whole_by_its_totals(tables: Path, tmp_path: Path) -> None:
    """Ash 1 and a half, Birch 1 and a half of 3: Cole and Dee have 3 points left between them."""
    with (tables / "standings.csv").open("a") as file:
        file.write("leeds-1851,cole-c,0.5,3,,,,Gazette,\nleeds-1851,dee-d,1,3,,,,Gazette,\n")
    (tables / "rules/events.csv").write_text(
        "event,field,text\nleeds-1851,games_per_pair,1\nleeds-1851,rest,from totals\n"
    )
    import_results(tables / "results.csv", tmp_path / "events")
    text = (tmp_path / "events/1851/leeds-1851.yaml").read_text()
    assert "games_per_pair: 1\nrest: from totals\n" in text
    assert "known. What the others add up to is taken from the final totals." in " ".join(
        text.split()
    )
    assert dataset.load(tmp_path / "events").events["leeds-1851"].rest == "from totals"


def test_a_best_guess_keeps_the_games_of_the_totals(tables: Path, tmp_path: Path) -> None:
    with (tables / "standings.csv").open("a") as file:
        file.write("leeds-1851,cole-c,0.5,3,,,,Gazette,\nleeds-1851,dee-d,1,3,,,,Gazette,\n")
    (tables / "rules/events.csv").write_text(
        "event,field,text\nleeds-1851,games_per_pair,1\nleeds-1851,rest,best guess\n"
    )
    import_results(tables / "results.csv", tmp_path / "events")
    text = squeezed((tmp_path / "events/1851/leeds-1851.yaml").read_text())
    assert "ash-a . 1w 1=w +w\n" in text
    assert "totals: |\nash-a 3/3\nbirch-b 1½/3\ncole-c ½/3\ndee-d 1/3\n" in text


def test_totals_in_which_draws_count_nothing(tables: Path, tmp_path: Path) -> None:
    """Birch won one game and drew one: a total of 1, which the table can hold."""
    (tables / "standings.csv").write_text(STANDINGS.replace("birch-b,1.5,3", "birch-b,1,3"))
    (tables / "rules/events.csv").write_text("event,field,text\nleeds-1851,draws_not_scored,true\n")
    import_results(tables / "results.csv", tmp_path / "events")
    text = squeezed((tmp_path / "events/1851/leeds-1851.yaml").read_text())
    assert "birch-b 0b . =w 1w | 1\n" in text
    assert "draws_not_scored: true\n" in text


def test_a_dropped_row_is_reported(tables: Path, tmp_path: Path) -> None:
    with (tables / "rules/treatments.csv").open("a") as file:
        file.write("york-leeds-1853,dee-d,birch-b,2,,drop,stands twice\n")
    report = import_results(tables / "results.csv", tmp_path / "events")
    assert report.games == 9
    assert "york-leeds-1853: dee-d - birch-b dropped: stands twice" in str(report)
    assert "Round 2" not in (tmp_path / "events/1853/york-leeds-1853.yaml").read_text()


def test_results_alone_are_enough(tmp_path: Path) -> None:
    table = tmp_path / "games.csv"
    table.write_text(
        "event_id,date,white_id,black_id,result\n"
        "a-b-1900,1900-03,player-a,player-b,1\na-b-1900,1900,player-b,player-a,½\n"
    )
    import_results(table, tmp_path / "events")
    assert (tmp_path / "events/1900/a-b-1900.yaml").read_text() == (
        "name: a-b-1900\nkind: match\ndates: 1900\nyear: 1900\ncompleteness: unverified\n"
        "missing: 2 games are known; the source does not number all of them, so there may "
        "have been others.\npairings:\n- {players: [player-a, player-b], games: 1w =b}\n"
        "sources:\n- {source: table-of-results}\n"
    )
    dataset.load(tmp_path / "events")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("x-1,1900,,a,b,2,,", "2: x-1: unknown result '2'; write White's score: 1, 0.5 or 0"),
        ("x-1,1900,,a,a,1,,", "2: x-1: a plays against himself; correct one of the two players"),
        ("X 1,1900,,a,b,1,,", "2: event_id: 'X 1' is no id; "
         "write lower-case words divided by hyphens"),
        ("x-1,19th,,a,b,1,,", "2: x-1: unknown date '19th'; write 1883, 1883-04 or 1883-04-26"),
        ("x-1,1900,two,a,b,1,,", "2: x-1: unknown round 'two'; write a number or leave it empty"),
        ("x-1,,,a,b,1,,", "2: x-1: no game of the event has a date; write at least the year"),
        ("x-1,1900,,a,,1,,", "2: white_id: '' is no id; write lower-case words divided by hyphens"),
    ],
)  # fmt: skip
def test_bad_rows_are_named(row: str, message: str, tmp_path: Path) -> None:
    table = tmp_path / "games.csv"
    table.write_text(f"event_id,date,round,white_id,black_id,result,source,note\n{row}\n")
    with pytest.raises(InputError) as refused:
        import_results(table, tmp_path / "events")
    expected = f"{table.as_posix()}:{message}".replace("white_id: ''", "black_id: ''")
    assert str(refused.value) == expected
    assert not (tmp_path / "events").exists()


def test_all_bad_rows_are_named_at_once(tmp_path: Path) -> None:
    table = tmp_path / "games.csv"
    table.write_text("event_id,date,white_id,black_id,result\nx,1900,a,b,9\nx,1900,a,a,1\n")
    with pytest.raises(InputError) as refused:
        import_results(table, tmp_path / "events")
    assert [problem.line for problem in refused.value.problems] == [2, 3]


def test_rows_without_their_event_or_player_are_named(tables: Path, tmp_path: Path) -> None:
    with (tables / "results.csv").open("a") as file:
        file.write("nowhere-1,1851,,ash-a,elm-e,1,,\nash-birch-1852,1852,3,ash-a,cole-c,1,,\n")
    with pytest.raises(InputError) as refused:
        import_results(tables / "results.csv", tmp_path / "events")
    assert [(p.line, p.message) for p in refused.value.problems] == [
        (8, "a match of 3 players"),
        (13, "the event is not in the table of events"),
        (13, "the player elm-e is not in the table of players"),
    ]


def test_a_table_without_its_columns_is_refused(tmp_path: Path) -> None:
    table = tmp_path / "games.csv"
    table.write_text("event,white,black\n")
    with pytest.raises(InputError, match="no column event_id, date, white_id, black_id, result"):
        import_results(table, tmp_path / "events")


def test_an_unknown_treatment_is_refused(tmp_path: Path) -> None:
    (tmp_path / "treatments.csv").write_text("event,pattern,treatment,text\n,,forget,\n")
    with pytest.raises(InputError, match=r"treatments\.csv:2: treatment: unknown .*'forget'"):
        read_rules(tmp_path)


def test_the_verb(tables: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "events"
    table = str(tables / "results.csv")
    assert main(["import-results", table, "--out", str(out)]) == 0
    assert capsys.readouterr().out.startswith("3 events, 10 games, 4 players\n")
    (out / "1852/ash-birch-1852.yaml").write_text("name: mine\n")
    assert main(["import-results", table, "--out", str(out)]) == 1
    assert "import with --replace" in capsys.readouterr().err
    assert main(["import-results", table, "--out", str(out), "--replace"]) == 0


def test_ids_of_names() -> None:
    assert kebab("Łódź") == "lodz"
    assert kebab("Mährisch Ostrau") == "mahrisch-ostrau"
    assert kebab("Møller's Groß-Café") == "moller-s-gross-cafe"


@pytest.mark.parametrize(
    ("start", "end", "year", "expected"),
    [
        ("1883", "1883", 1883, "1883"),
        ("1883-04-26", "1883-06", 1883, "1883-04-26/1883-06"),
        ("1883", "1883-06-01", 1883, "1883"),
        ("1930-12-29", "1930-12-31", 1931, "1930-12-29/1931"),
        ("", "", 1883, None),
        ("1883-02", "", 1883, "1883-02"),
    ],
)
def test_dates_are_no_finer_than_known(
    start: str, end: str, year: int, expected: str | None
) -> None:
    event = EventRow("x", "match", "X", "", year, start, end, "full", (), ())
    assert dates(event) == expected


def pairs(*matches: str) -> dict[frozenset[str], str | None]:
    return {frozenset(match): match[0] for match in matches}


def test_rounds_of_a_plain_knock_out() -> None:
    found = knockout.rounds(pairs("ab", "cd", "ef", "gh", "ac", "eg", "ae"))
    assert found == [
        [frozenset("ab"), frozenset("cd"), frozenset("ef"), frozenset("gh")],
        [frozenset("ac"), frozenset("eg")],
        [frozenset("ae")],
    ]


def test_rounds_stop_where_two_ways_fit() -> None:
    """With a match for the third place, final and semi-final can change places."""
    matches = pairs("ab", "cd", "ef", "gh", "ac", "eg", "ae", "cg")
    assert knockout.rounds(matches) == [
        [frozenset("ab"), frozenset("cd"), frozenset("ef"), frozenset("gh")]
    ]


def test_a_level_match_goes_to_the_one_who_plays_on() -> None:
    level = {**pairs("cd", "ac"), frozenset("ab"): None}
    assert knockout.rounds(level) == [[frozenset("ab"), frozenset("cd")], [frozenset("ac")]]


def test_byes_leave_the_rounds_open() -> None:
    assert knockout.rounds(pairs("ab", "ac")) == []


def recounted(folder: Path) -> Counter[tuple[str, frozenset[tuple[str, float]]]]:
    """Return how often each result of each pair stands in the event files.

    Games by default that only the rules know of are left aside.
    """
    stated = {rule.text for rule in read_rules(RULES).defaults}
    games: Counter[tuple[str, frozenset[tuple[str, float]]]] = Counter()
    for event in dataset.load(folder).events.values():
        for result in event.results:
            for mark in () if result.default in stated else result.marks:
                sides = frozenset({(result.first, mark.points), (result.second, 1.0 - mark.points)})
                games[event.id, sides] += 1
    return games


@with_facts
def test_every_game_of_the_facts_is_in_the_event_files(tmp_path: Path) -> None:
    sources = Sources(*(FACTS / f"{n}.csv" for n in ("events", "players", "standings")), RULES)
    report = import_results(FACTS / "results.csv", tmp_path, sources)
    kinds = {event.id: event.kind for event in read_events(FACTS / "events.csv").values()}
    left_out = {(d.row.event, d.row.line) for d in report.dropped}
    expected = Counter(
        (row.event, frozenset({(row.white, row.score), (row.black, 1.0 - row.score)}))
        for row in read_results(FACTS / "results.csv")
        if kinds[row.event] in ("tournament", "match", "team")
        and (row.event, row.line) not in left_out
    )
    assert recounted(tmp_path) == expected
    assert (report.events, report.games, report.players) == (765, 19_694, 1_170)
    assert len(report.dropped) == 2


@with_facts
def test_the_events_of_the_project_are_those_of_the_facts() -> None:
    sources = Sources(*(FACTS / f"{n}.csv" for n in ("events", "players", "standings")), RULES)
    report = import_results(FACTS / "results.csv", ROOT / "events", sources)
    assert report.written == ()
    assert len(report.kept) == 6


@pytest.fixture(scope="module")
def history() -> dataset.Dataset:
    return dataset.load(ROOT / "events")


def points(history: dataset.Dataset, event: str, player: str) -> tuple[float, float]:
    """Return the rated points and games of a player in an event."""
    of_event = history.events[event]
    rated = [r for r in of_event.results if not (of_event.unrated or r.unrated or r.default)]
    own = sum(r.points_first for r in rated if r.first == player)
    own += sum(r.points_second for r in rated if r.second == player)
    return own, sum(r.games for r in rated if player in (r.first, r.second))


def test_there_is_as_much_as_the_tables_hold(history: dataset.Dataset) -> None:
    assert len(history.events) == 797
    assert len(history.players) >= 1_170
    assert {event.year for event in history.events.values() if event.results} <= set(
        range(1821, 1942)
    )


@pytest.mark.parametrize(
    ("event", "player", "total"),
    [
        ("london-1883", "zukertort-johannes", 22.0),
        ("hastings-1895", "pillsbury-harry", 16.5),
        ("st-petersburg-1909", "lasker-emanuel", 14.5),
        ("karlsbad-1907", "rubinstein-akiba", 15.0),
        ("frankfurt-1887", "mackenzie-george", 15.0),
        ("leipzig-1894", "tarrasch-siegbert", 13.5),
        ("warsaw-1884", "zabinski-jozef", 19.5),
    ],
)
def test_published_totals(history: dataset.Dataset, event: str, player: str, total: float) -> None:
    totals = {t.player: t.points for t in history.events[event].totals}
    assert totals[player] == total


@pytest.mark.parametrize(
    ("event", "player", "score"),
    [
        ("morphy-anderssen-paris-1858", "morphy-paul", (8.0, 11.0)),
        ("hastings-1895", "pillsbury-harry", (16.5, 21.0)),
        ("london-1851", "anderssen-adolf", (15.0, 21.0)),
        ("suhle-anderssen-berlin-1864", "suhle-berthold", (4.0, 8.0)),
        ("steinitz-blackburne-london-1876", "steinitz-william", (7.0, 7.0)),
        ("hirschfeld-anderssen-berlin-1860", "hirschfeld-philipp", (12.5, 29.0)),
        ("staunton-harrwitz-london-1846", "staunton-howard", (7.0, 7.0)),
        ("staunton-loewenthal-london-1853", "staunton-howard", (0.0, 0.0)),
        ("deschapelles-de-la-bourdonnais-1836", "deschapelles-alexandre", (0.0, 0.0)),
        ("new-york-1880", "grundy-james", (12.5, 17.0)),
    ],
)
def test_rated_scores(
    history: dataset.Dataset, event: str, player: str, score: tuple[float, float]
) -> None:
    assert points(history, event, player) == score


def test_soft_scores_reproduce_the_differences_they_rest_on(history: dataset.Dataset) -> None:
    even, odds = history.events["dubois-wyvill-1846"].results
    assert (even.points_first, even.games, odds.points_second, odds.games) == (55, 81, 30, 69)
    assert even.soft is not None and odds.soft is not None
    assert odds.odds is not None and odds.odds.giver == "dubois-serafino"


def test_forfeits_and_doubtful_games_stand_apart(history: dataset.Dataset) -> None:
    vienna = history.events["vienna-1922"].results
    assert sorted(r.first for r in vienna if r.default) == [
        "alekhine-alexander", "maroczy-geza"
    ]  # fmt: skip
    janowski = [r for r in history.events["vienna-1898"].results if r.unrated]
    assert [(r.first, r.second, r.games) for r in janowski] == [
        ("janowski-david", "walbrodt-carl", 2)
    ]
    results = [result for event in history.events.values() for result in event.results]
    reason = "The source has the result without moves: either"
    stubs = [result for result in results if (result.unrated or "").startswith(reason)]
    assert sum(r.games for r in stubs) == 20


def whole_points(history: dataset.Dataset, event: str) -> dict[str, float]:
    """Return everybody's points that the totals count: known ones, solved ones and defaults."""
    of_event = history.events[event]
    points = dict(by_default(of_event))
    for result in of_event.results:
        if result.uncounted is None:
            points[result.first] = points.get(result.first, 0.0) + result.points_first
            points[result.second] = points.get(result.second, 0.0) + result.points_second
    for pairing in pairings_of(of_event, history.odds):
        if pairing.basis != "results":
            first, second = pairing.first.player, pairing.second.player
            points[first] = points.get(first, 0.0) + pairing.score
            points[second] = points.get(second, 0.0) + pairing.games - pairing.score
    return points


@pytest.mark.parametrize(
    ("event", "known", "solved"),
    [
        ("london-1883", 203, 37),
        ("frankfurt-1887", 101, 109),
        ("leipzig-1894", 75, 70),
        ("karlsbad-1907", 155, 55),
    ],
)
def test_tables_made_whole_add_up_to_the_published_totals(
    history: dataset.Dataset, event: str, known: int, solved: int
) -> None:
    of_event = history.events[event]
    totals = {total.player: total.points for total in of_event.totals}
    assert whole_points(history, event) == pytest.approx(totals, abs=1e-9)
    rest = [p.games for p in pairings_of(of_event, history.odds) if p.basis != "results"]
    assert sum(result.games for result in of_event.results) == known
    assert sum(rest) == pytest.approx(solved, abs=1e-9)


def test_the_draw_that_only_the_totals_know(history: dataset.Dataset) -> None:
    """Winawer has 13 points: 12½ known, a default among them, and half a point for Rosenthal."""
    london = history.events["london-1883"]
    (one,) = (
        p
        for p in pairings_of(london, history.odds)
        if p.basis == "totals"
        and {p.first.player, p.second.player} == {"rosenthal-samuel", "winawer-szymon"}
    )
    assert (one.score, one.games) == (0.5, 1.0)


def test_games_of_who_withdrew_are_shared_out(history: dataset.Dataset) -> None:
    """Von Scheve played 8 games: 4 of the 12 open ones, so that 8 twelfths were defaults."""
    leipzig = history.events["leipzig-1894"]
    assert leipzig.withdrew == ("von-scheve-theodor",)
    given = by_default(leipzig)
    assert len(given) == 12
    assert list(given.values()) == pytest.approx([2 / 3] * 12)
    own = [
        p for p in pairings_of(leipzig, history.odds)
        if p.basis == "guess" and "von-scheve-theodor" in (p.first.player, p.second.player)
    ]  # fmt: skip
    assert sum(p.games for p in own) == pytest.approx(4.0)


def test_a_score_divided_over_two_years(history: dataset.Dataset) -> None:
    pairings = pairings_of(history.events["morphy-rousseau-1850"], history.odds)
    assert [(p.year, p.score, p.games) for p in pairings] == [(1849, 22.5, 25), (1850, 22.5, 25)]


def test_unknown_pairs_are_never_called_not_played(history: dataset.Dataset) -> None:
    assert not any(event.not_played for event in history.events.values())
    assert frozenset({"skipworth-arthur", "noa-josef"}) in history.events[
        "london-1883"
    ].unknown_games  # fmt: skip
