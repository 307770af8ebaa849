"""Import of PGN: small collections to drafts, warnings and reports, each rule once."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import shutil
import sys
import zipfile
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace

import pytest
from conftest import MINISITE, ROOT

from edo.commands.cli import main
from edo.history.dataset import load, read_all
from edo.importers.people import garbled, nobody
from edo.importers.pgn import draft
from edo.importers.pgn.draft import TooMany, apart_by_name, import_pgn
from edo.importers.pgn.read import (
    Reading,
    UnreadableCollection,
    batches,
    clean,
    read_date,
    read_round,
)

SAMPLES = ROOT / "tests/pgn"
PLAYERS = ["Byrd, Lucy", "Dunn, George", "Eames, Walter", "Grey, Iván"]


def game(**given: str) -> str:
    """One game; `moves` go below the headers, a header of None is left out."""
    plain = {"Event": "Ogdenville", "Site": "Ogdenville", "Date": "1893.07.11", "Round": "1",
             "White": "Byrd, Lucy", "Black": "Dunn, George", "Result": "1-0"}  # fmt: skip
    moves = given.pop("moves", f"1. e4 {len(str(given))} {given}".replace("{", "").replace("}", ""))
    headers = {**plain, **given}
    return "".join(f'[{key} "{value}"]\n' for key, value in headers.items()) + f"\n{moves}\n\n"


def round_robin(players: list[str], **given: str) -> str:
    """Everybody with everybody once, the first-named winning, a pair a round."""
    return "".join(
        game(White=a, Black=b, Round=str(n), moves=f"1. e4 e5 {n}. {a} {b}", **given)
        for n, (a, b) in enumerate(combinations(players, 2), start=1)
    )


@pytest.fixture(scope="module")
def history():
    return load(MINISITE / "events")


@pytest.fixture
def imported(history, tmp_path):
    """Import texts, one file each; return the files, and the report's findings by section."""

    def run(*texts: str | bytes):
        paths = []
        for number, text in enumerate(texts):
            paths.append(tmp_path / f"c{number}.pgn")
            paths[-1].write_bytes(text.encode() if isinstance(text, str) else text)
        made = import_pgn(paths, history)
        report = json.loads(made.files["report.json"])
        found = {
            name: [each["text"] for each in section["findings"]]
            for name, section in report["sections"].items()
        }
        yamls = {path: text.decode() for path, text in made.files.items() if path[0].isdigit()}
        return SimpleNamespace(files=made.files, drafts=yamls, found=found, counts=made.counts)

    return run


def adopt(drafts: Path, events: Path) -> None:
    """Move drafts and registry entries into the history as an editor does."""
    for path in drafts.glob("[0-9]*/*.yaml"):
        target = events / path.parent.name / path.name
        assert not target.exists()
        target.parent.mkdir(exist_ok=True)
        shutil.copy(path, target)
    for name in ("players.yaml", "places.yaml", "sources.yaml"):
        text = (drafts / name).read_text() if (drafts / name).exists() else ""
        target = events / name
        for line in text.splitlines(keepends=True):
            if name == "players.yaml" and not line.startswith(" "):
                initial = line.strip("'")[0]
                target = events / "players" / f"{initial}.yaml"
            with target.open("a") as file:
                file.write(line)


CONGRESS = """name: Ogdenville Congress 1893
kind: tournament
dates: 1893-07-11/1893-07-13
year: 1893
format: Single-round all-play-all
crosstable: |
  zukertort-johannes  .   1w  1w  1b
  byrd-lucy           0b  .   1w  1b
  castle-hugo         0b  0b  .   =w
  dunn-george         0w  0w  =b  .
sources:
- {source: pgn-congress, where: games headed "Ogdenville Congress" (Ogdenville)}
"""


def test_a_whole_table_is_drafted_and_passes_the_check(tmp_path, capsys):
    events = Path(shutil.copytree(MINISITE / "events", tmp_path / "events"))
    out = tmp_path / "drafts"
    call = ["import", "pgn", str(SAMPLES / "congress.pgn"), str(SAMPLES / "latin.pgn")]
    assert main([*call, "--events", str(events), "--out", str(out)]) == 0
    assert "events drafted: 2" in capsys.readouterr().out
    assert (out / "1893/ogdenville-congress-1893.yaml").read_text() == CONGRESS
    match = (out / "1892/grey-finch-springfield-1892.yaml").read_text()
    assert "name: Grey – Finch, Springfield 1892\n" in match
    assert "place: springfield\n" in match
    assert "- {players: [grey-ivan, finch-ada], games: 1w =b}\n" in match
    assert 'where: games headed "Café Grün m" (Springfield SPR)' in match
    report = (out / "REPORT.md").read_text()
    assert "latin.pgn: 2 games" in report
    assert "4 lines are not UTF-8 and read as Windows-1252" in report
    assert "Ada Finch` (1892, 1 game) is finch-ada: the same name in another spelling" in report
    assert "Castle, Hugo` (1893, 3 games) is castle-hugo" in report
    adopt(out, events)
    dataset, problems = read_all(events)
    assert [problem for problem in problems if problem.severity == "error"] == []
    assert dataset is not None
    assert len(dataset.events["ogdenville-congress-1893"].results) == 6


def test_the_same_collections_give_the_same_bytes(history):
    paths = [SAMPLES / "latin.pgn", SAMPLES / "congress.pgn"]
    assert import_pgn(paths, history).files == import_pgn(paths, history).files


def test_drafts_are_not_replaced_unless_forced_and_never_lie_in_the_history(tmp_path, capsys):
    call = ["import", "pgn", str(SAMPLES / "congress.pgn"), "--events", str(MINISITE / "events")]
    out = tmp_path / "drafts"
    assert main([*call, "--out", str(out)]) == 0
    draft = out / "1893/ogdenville-congress-1893.yaml"
    draft.write_text("edited")
    assert main([*call, "--out", str(out)]) == 1
    assert draft.read_text() == "edited"
    assert main([*call, "--out", str(out), "--force"]) == 1
    assert draft.read_text() == "edited"
    draft.write_text(CONGRESS)
    assert main([*call, "--out", str(out)]) == 1
    assert main([*call, "--out", str(out), "--force"]) == 0
    assert main([*call, "--out", str(MINISITE / "events/1893"), "--force"]) == 1
    assert not (MINISITE / "events/1893").exists()
    other = tmp_path / "other"
    other.mkdir()
    (other / "mine.txt").write_text("mine")
    assert main([*call, "--out", str(other), "--force"]) == 1
    assert (other / "mine.txt").read_text() == "mine"
    errors = capsys.readouterr().err
    edited = "has drafts that were edited or added since the import, and they would be lost"
    assert f"{out} {edited}: 1893/ogdenville-congress-1893.yaml; move them away" in errors
    assert "holds drafts already; move them, or replace them by --force" in errors
    assert "drafts are kept apart" in errors


def test_a_file_that_is_not_there_is_an_error(tmp_path, capsys):
    call = ["import", "pgn", str(tmp_path / "no.pgn"), "--events", str(MINISITE / "events")]
    assert main([*call, "--out", str(tmp_path / "drafts")]) == 1
    assert "no.pgn: cannot be read" in capsys.readouterr().err
    assert not (tmp_path / "drafts").exists()


@pytest.mark.parametrize("kind", ["gz", "bz2", "zip", "-"])
def test_packed_collections_and_standard_input_are_read(kind, tmp_path, monkeypatch):
    text = (SAMPLES / "congress.pgn").read_bytes()
    path = tmp_path / f"c.pgn.{kind}"
    if kind == "gz":
        path.write_bytes(gzip.compress(text))
    elif kind == "bz2":
        path.write_bytes(bz2.compress(text))
    elif kind == "zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("readme.txt", "[not games]")
            archive.writestr("congress.PGN", text)
    else:
        path = Path("-")
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(text)))
    assert sum(map(len, batches(path, Reading("c")))) == 6


def test_what_is_packed_wrong_is_an_error(tmp_path):
    for ending in ("gz", "bz2", "zip"):
        path = tmp_path / f"c.{ending}"
        path.write_bytes(b"[Event]")
        with pytest.raises(UnreadableCollection, match="cannot be read"):
            list(batches(path, Reading("c")))


def raw(tmp_path: Path, text: bytes):
    path, reading = tmp_path / "c.pgn", Reading("c.pgn")
    path.write_bytes(text)
    return [each for batch in batches(path, reading) for each in batch], reading


def test_lines_and_numbers_of_games_are_reported(tmp_path):
    games, _ = raw(tmp_path, ("% a word\n\n" + game() + game()).encode())
    assert [each.place for each in games] == ["c.pgn:3 (game 1)", "c.pgn:13 (game 2)"]


def test_letters_are_read_in_the_encoding_that_they_are_in(tmp_path):
    name = "Grünfeld, Ernst"
    for encoding, word in (
        ("utf-8", "UTF-8"),
        ("utf-8-sig", "UTF-8 with a byte order mark"),
        ("latin-1", "1 line is not UTF-8 and read as Windows-1252"),
    ):
        games, reading = raw(tmp_path, game(White=name, moves="1-0").encode(encoding))
        assert games[0].white == name
        assert reading.encoding == word
    with pytest.raises(UnreadableCollection, match="UTF-16"):
        raw(tmp_path, game().encode("utf-16"))
    with pytest.raises(UnreadableCollection, match="CR alone"):
        raw(tmp_path, game().replace("\n", "\r").encode())


def test_a_broken_game_does_not_take_the_next_with_it(tmp_path):
    text = game(moves="1. e4 {never closed") + game(Round="2", moves="( ( 1. e4") + game(Round="3")
    games, _ = raw(tmp_path, text.encode())
    assert [each.round for each in games] == [(1,), (2,), (3,)]


def test_games_without_moves_or_results_begin_with_their_event(tmp_path):
    text = game(moves="") + game(Round="2", moves="") + "1. e4 {text\n\n[not a header]}\n1-0\n"
    games, _ = raw(tmp_path, (text + game(Round="3")).encode())
    assert [each.round for each in games] == [(1,), (2,), (3,)]
    assert [each.bare for each in games] == [True, False, False]


def test_lines_beyond_measure_are_read_in_pieces(tmp_path):
    text = f'[Event "{"x" * 3_000_000}"]\n' + game(moves="1. e4 " * 500_000) + game(Round="2")
    games, _ = raw(tmp_path, text.encode())
    assert [each.round for each in games[-2:]] == [(1,), (2,)]
    assert max(len(each.event) for each in games) <= 500


@pytest.mark.parametrize(
    ("text", "date", "warning"),
    [
        ("1883.04.26", "1883-04-26", ""),
        ("1883.04.??", "1883-04", ""),
        ("1883.??.??", "1883", ""),
        ("1883", "1883", ""),
        ("1883-4-6", "1883-04-06", ""),
        ("????.??.??", "", ""),
        ("", "", ""),
        ("1883.02.30", "1883-02", "the date `1883.02.30` never was; only its month was taken"),
        ("1883.13.01", "1883", "the date `1883.13.01` has no such month; only its year was taken"),
        ("1883.??.26", "1883", ""),
        ("next May", "", "the date `next May` cannot be read"),
    ],
)
def test_dates_are_taken_as_far_as_they_can_be(text, date, warning):
    assert read_date(text) == (date, warning)


def test_rounds_and_names_are_cleaned():
    assert read_round("3.1") == (3, 1)
    assert [read_round(text) for text in ("?", "-", "QF", "1-2")] == [()] * 4
    assert clean(" Zu\0kertort,\x1b[1m  J\u0308 ") == "Zu kertort, [1m J̈"
    assert [clean(text) for text in ("?", "", "-", "????.??.??")] == [""] * 4
    assert len(clean("é" * 900)) == 60
    assert len(clean("word " * 200)) <= 120


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        ("Washington DC sim", "a simultaneous exhibition"),
        ("Paris blindfold", "blindfold play"),
        ("Casual game", "casual games"),
        ("corr 1911", "correspondence"),
        ("Fernschach 1911", "correspondence"),
        ("Beratungspartie", "consultation"),
        ("Simpson's Divan", ""),
        ("London", ""),
    ],
)
def test_events_are_set_apart_by_their_names(event, reason):
    assert apart_by_name(event) == reason


def test_a_match_is_recognized_by_its_players_and_its_missing_games(imported):
    made = imported("".join(game(Round=str(n)) for n in (1, 2, 4)))
    (text,) = made.drafts.values()
    assert "name: Byrd – Dunn, Ogdenville 1893\nkind: match\n" in text
    assert "completeness: incomplete\nmissing: The games known are numbered 1 to 4; game 3 is missing.\n" in text  # fmt: skip  # noqa: E501
    assert "games: 1w 1w 1w}" in text
    assert any("a match because it has two players" in text for text in made.found["unsure"])
    assert any("the place `Ogdenville` is not in places.yaml" in d for d in made.found["unsure"])


def test_two_players_without_rounds_or_a_word_of_a_match_are_set_apart(imported):
    made = imported(game(Round="?") + game(Round="?", Result="0-1"))
    assert made.drafts == {}
    assert "perhaps casual games" in made.found["apart"][0]
    made = imported(game(Event="Ogdenville m", Round="?") + game(Event="Ogdenville m", Round="?", Result="0-1"))  # fmt: skip  # noqa: E501
    assert "completeness: unverified" in next(iter(made.drafts.values()))


def test_several_matches_under_one_header_are_divided(imported):
    texts = [game(White=w, Black=b, Event="Paris m", Round=str(n), moves=f"{n} {w} {b} e4 e5 Nf3")
             for w, b in (PLAYERS[:2], PLAYERS[2:]) for n in (1, 2)]  # fmt: skip
    made = imported("".join(texts))
    assert [text.partition("\n")[0] for text in made.drafts.values()] == [
        "name: Byrd – Dunn, Ogdenville 1893", "name: Eames – Grey, Ogdenville 1893",
    ]  # fmt: skip


def test_a_table_with_holes_says_what_is_missing(imported):
    rows = round_robin(PLAYERS).split("\n\n[")
    made = imported("\n\n[".join(rows[:-1]) + "\n\n")
    (text,) = made.drafts.values()
    assert "completeness: incomplete\nmissing: Games of 5 of the 6 pairs of these 4 players are known" in text  # fmt: skip  # noqa: E501
    assert "eames-walter  0b  0b  .   ?" in text


def test_a_double_all_play_all_is_recognized(imported):
    again = round_robin(PLAYERS, Date="1893.08.01").replace('Round "', 'Round "1')
    made = imported(round_robin(PLAYERS) + again)
    assert "format: Double-round all-play-all" in next(iter(made.drafts.values()))


def test_more_rounds_than_the_players_need_leave_others_out(imported):
    text = round_robin(PLAYERS).replace('Round "3"', 'Round "13"')
    made = imported(text)
    assert "The rounds are numbered up to 13, more than these 4 players need" in "".join(
        " ".join(text.split()) for text in made.drafts.values()
    )


def bracket() -> str:
    """A knock-out of eight in three rounds, the first of each pair going on."""
    eight = [*PLAYERS, "Young, A", "Vale, B", "Uhl, C", "Tarn, D"]
    rounds = [(eight[::2], eight[1::2]), (eight[::4], eight[2::4]), (eight[:1], eight[4:5])]
    return "".join(
        game(White=w, Black=b, Round=f"{n}.{k}", moves=f"{n} {w} {b} e4 e5 Nf3 Nc6")
        for n, (first, second) in enumerate(rounds, start=1)
        for k, (w, b) in enumerate(zip(first, second, strict=True), start=1)
    )


def test_what_looks_like_a_knockout_is_drafted_as_incomplete_with_a_warning(imported):
    made = imported(bracket())
    (text,) = made.drafts.values()
    assert "kind: tournament\n" in text
    assert "format:" not in text
    assert "completeness: incomplete" in text
    assert "- {players: [byrd-lucy, young-a], games: 1w}\n" in text
    assert "notes: Looks like a knock-out; no source has confirmed it.\n" in text
    assert any("looks like a knock-out" in warning for warning in made.found["unsure"])


def test_what_looks_like_a_swiss_tournament_is_drafted_with_a_warning(imported):
    ten = [f"P{letter}, A" for letter in "abcdefghij"]
    texts = [
        game(White=ten[i], Black=ten[(2 * r + 1 - i) % 10], Round=str(r), Date="1935.07.01",
             Event="Ogdenville Open", moves=f"{r} {i} e4 e5 Nf3 Nc6")
        for r in (1, 2, 3, 4) for i in range(10) if i < (2 * r + 1 - i) % 10
    ]  # fmt: skip
    made = imported("".join(texts))
    (text,) = made.drafts.values()
    assert "format:" not in text
    assert "completeness: incomplete" in text
    assert any("looks like a Swiss tournament" in warning for warning in made.found["unsure"])


def test_a_team_match_names_its_teams(imported):
    texts = [
        game(White="Byrd, Lucy", Black="Dunn, George", WhiteTeam="Ayr", BlackTeam="Bath"),
        game(White="Eames, Walter", Black="Finch, Ada", WhiteTeam="Bath", BlackTeam="Ayr",
             Result="0-1"),
    ]  # fmt: skip
    (text,) = imported("".join(texts)).drafts.values()
    assert "kind: team match\n" in text
    assert "teams: [Ayr, Bath]\n" in text
    assert "- {players: [byrd-lucy, dunn-george], games: 1w}\n" in text
    assert "- {players: [finch-ada, eames-walter], games: 1b}\n" in text


def test_one_team_plays_no_team_match(imported):
    teams = {"WhiteTeam": "Hull", "BlackTeam": "Hull"}
    ((_, text),) = imported(round_robin(PLAYERS[:4], **teams)).drafts.items()
    assert "kind: tournament\n" in text
    assert "notes: Looks like a team event; no source has confirmed it.\n" in text


def test_matches_of_several_teams_are_one_event(imported):
    def match(white: str, black: str, teams: tuple[str, str], number: str) -> str:
        return game(White=white, Black=black, WhiteTeam=teams[0], BlackTeam=teams[1], Round=number,
                    Event="?")  # fmt: skip

    league = {"Event": "League", "Result": "1/2-1/2"}
    made = imported(
        game(White="Byrd, Lucy", Black="Dunn, George", WhiteTeam="Ayr", BlackTeam="Bath", **league)
        + game(White="Eames, Walter", Black="Finch, Ada", WhiteTeam="Cork", BlackTeam="Ayr",
               **(league | {"Round": "2"}))
        + match("Grey, Iván", "Castle, Hugo", ("Deal", "Ely"), "1")
        + match("Vale, Bo", "Dale, Una", ("Ely", "Deal"), "1")
    )  # fmt: skip
    several, two = sorted(made.drafts.values(), key=lambda text: "League" not in text)
    assert "kind: team match\n" in several
    assert "- name: 'Round 1: Ayr – Bath'\n  teams: [Ayr, Bath]\n" in several
    assert "- name: 'Round 2: Ayr – Cork'\n  teams: [Ayr, Cork]\n" in several
    assert two.startswith("name: Deal – Ely")
    assert "teams: [Deal, Ely]\n" in two


def test_clubs_and_computers_are_no_players_and_damaged_letters_are_named(imported):
    made = imported(
        game(White="Leeds Chess Club") + game(Black="Stockfish 16") + game(Black="Deep Blue")
        + game(White="LÃ¶wenthal, J.") + game(Black="Dunn, Gеorge", Round="2")
    )  # fmt: skip
    assert made.found["left out"] == [
        "`Leeds Chess Club` is not one person",
        "`Stockfish 16` is not one person",
        "`Deep Blue` is not one person",
    ]
    assert made.found["letters"] == [
        "`LÃ¶wenthal, J.`: UTF-8 that was read in another encoding; perhaps `Löwenthal, J.`",
        "`Dunn, Gеorge`: `е` (U+0435, cyrillic small letter ie) among Latin letters",
    ]
    assert not any(nobody(name) or garbled(name) for name in (
        "Fritz, Jindřich", "von Heydebrand und der Lasa, Tassilo", "Schachter, A.", "Løvenskiold",
        "Clubb, J."))  # fmt: skip


def test_drafts_are_reported_by_date(imported):
    made = imported(
        round_robin(PLAYERS, Event="Zenith", Date="1893.02.01")
        + round_robin(PLAYERS, Event="Apex", Date="1893.11.01")
        + round_robin(PLAYERS, Event="Middle", Date="1891.05.01")
    )
    assert [text.partition(",")[0] for text in made.found["drafted"]] == [
        "Middle",
        "Zenith",
        "Apex",
    ]


def test_what_is_no_measure_of_strength_is_set_apart(imported):
    made = imported(
        game(Event="?") + game(FEN="8/8/8/8/8/8/8/8 w - - 0 1", SetUp="1")
        + game(Event="Bath simul")
        + game(Variant="Crazyhouse") + game(Odds="pawn") + game(Mode="postal")
    )  # fmt: skip
    assert made.drafts == {}
    assert made.counts["games used"] == 0
    assert len(made.found["apart"]) == 6


def test_games_without_players_result_or_year_are_left_out(imported):
    made = imported(
        game(White="NN") + game(White="?") + game(Result="*") + game(Date="????.??.??")
        + game(White="George Dunn", Black="Dunn, George", Date="1884.01.01")
        + game(Date="03.07.1884")
    )  # fmt: skip
    assert made.counts["games used"] == 0
    assert made.found["left out"] == [
        "`NN` is not one person", "a player is not named", "Byrd, Lucy - Dunn, George: no result",
        "no year in any header", "the date `03.07.1884` cannot be read",
        "George Dunn - Dunn, George: both are taken for dunn-george",
    ]  # fmt: skip


def test_results_are_read_with_other_signs_between_them(imported):
    results = ("1:0", "0–1", "1/2 – 1/2", "½:½", "1-O", "+:-")
    made = imported("".join(game(Result=each, Round=str(n)) for n, each in enumerate(results)))
    assert (made.counts["games used"], made.counts["games left out"]) == (4, 2)


def test_a_game_without_a_result_leaves_its_table_open(imported):
    made = imported(round_robin(PLAYERS[:4]) + game(Result="*", Round="9"))
    assert "completeness: incomplete" in next(iter(made.drafts.values()))


def test_games_that_stand_twice_are_dropped_and_reported(imported):
    made = imported(round_robin(PLAYERS), round_robin(PLAYERS).replace("Ogdenville", "Ogdenville+"))
    assert made.counts["duplicate games"] == 6
    assert made.counts["events drafted"] == 1
    # without moves and rounds two games of a match may well be two
    bare = game(Event="Bath m", Date="1893.??.??", Round="?", moves="1-0")
    assert imported(bare + bare).counts["duplicate games"] == 0


def test_of_two_results_of_one_game_neither_is_taken(imported):
    made = imported(round_robin(PLAYERS) + game(Result="0-1", Event="Ogdenville"))
    assert made.counts["contradictions"] == 1
    (text,) = made.drafts.values()
    assert "Games of 5 of the 6 pairs" in text
    assert "Byrd, Lucy - Dunn, George (Ogdenville, 1893-07-11) has another result at" in made.found["conflicts"][0]  # fmt: skip  # noqa: E501


def test_an_event_over_new_year_is_one(imported):
    early = round_robin(PLAYERS, Date="1893.12.29")
    late = round_robin([PLAYERS[0], "Finch, Ada"], Date="1894.01.02")
    made = imported(early + late)
    (text,) = made.drafts.values()
    assert "dates: 1893-12-29/1894-01-02\nyear: 1894\n" in text
    made = imported(round_robin(PLAYERS, Date="1893.??.??") + round_robin(PLAYERS, Date="1894.??.??"))  # fmt: skip  # noqa: E501
    assert sorted(made.drafts) == ["1893/ogdenville-1893.yaml", "1894/ogdenville-1894.yaml"]
    made = imported(round_robin(PLAYERS, Date="1893.??.??", Event="Ogdenville 1893/94"))
    assert list(made.drafts) == ["1894/ogdenville-1893-94.yaml"]


def test_months_without_a_game_divide_events_of_other_players(imported):
    others = ["Young, A", "Vale, B", "Uhl, C", "Tarn, D"]
    spring = round_robin(PLAYERS, Date="1893.02.01")
    made = imported(spring + round_robin(others, Date="1893.10.01"))
    assert sorted(made.drafts) == ["1893/ogdenville-1893-2.yaml", "1893/ogdenville-1893.yaml"]
    made = imported(spring + round_robin([*PLAYERS[:3], "Vale, B"], Date="1893.10.01"))
    assert list(made.drafts) == ["1893/ogdenville-1893.yaml"]
    assert any("242 days without a game" in warning for warning in made.found["unsure"])


def test_a_known_event_is_not_drafted_again(imported):
    given = {"Event": "Springfield", "Site": "Springfield", "Date": "1880.08.03"}
    pairs = [("Anchor, Test", "Byrd, Lucy", "1-0"), ("Anchor, Test", "Dunn, George", "1-0"),
             ("Byrd, Lucy", "Eames, Walter", "0-1"),
             ("Grey, Iván", "Eames, Walter", "0-1")]  # fmt: skip
    texts = [game(White=w, Black=b, Result=x, Round=str(n), **given)
             for n, (w, b, x) in enumerate(pairs, start=1)]  # fmt: skip
    made = imported("".join(texts))
    assert made.drafts == {}
    assert made.found["already"] == [
        "Springfield 1880: events/1880/springfield-1880.yaml; the import has 11 games fewer; "
        "eames-walter - grey-ivan: not in the file, 1-0 in the import"
    ]


def test_a_known_match_is_found_and_another_place_is_another_match(imported):
    given = {"White": "Finch, Ada", "Black": "Grey, Iván", "Date": "1884.05.01", "Event": "Bath m"}
    won = "".join(
        game(Round=str(n), **given, Result="1-0" if n < 4 else "0-1") for n in range(1, 5)
    )
    made = imported(won)
    assert made.found["already"] == [
        "Bath m 1884: events/1884/finch-grey-1884.yaml; nothing differs"
    ]
    given |= {"White": "Dunn, George", "Black": "Castle, Hugo", "Date": "1881.05.01"}
    assert (
        imported("".join(game(Round=str(n), **given) for n in (1, 2))).counts["events drafted"] == 1
    )


def test_new_players_are_proposed_with_those_who_may_be_meant(imported):
    made = imported(round_robin(["Byrd, Lucille", "Grey", "Vale, Bo", "Tarn, D"])
                    + game(White="Bo Vale", Black="Uhl, C", Round="7"))  # fmt: skip
    players = made.files["players.yaml"].decode()
    assert "byrd-lucille:\n  name: Byrd, Lucille\n" in players
    assert "vale-bo:\n  name: Vale, Bo\n  spellings: [Bo Vale]\n" in players
    assert "grey:\n  name: Grey\n" in players
    assert "byrd-lucille: `Byrd, Lucille` (1893); perhaps byrd-lucy: another given name" in made.found["new"]  # fmt: skip  # noqa: E501
    assert "grey: `Grey` (1893); perhaps grey-ivan: only the surname is given" in made.found["new"]


HOSTILE = ["../../etc/passwd", "index", "a: b", "- x", "{x: y}", "&anchor", "*alias", "!tag", "# c",
           "'q'", '\\"dq\\"', "a\0b", "\x1b[31mred", "\u202eright", "x" * 5000, "null", "1e5",
           "日本", "💥", "|", "<script>alert(1)</script>"]  # fmt: skip


def test_no_name_leaves_the_folder_or_breaks_the_files(tmp_path):
    events = Path(shutil.copytree(MINISITE / "events", tmp_path / "events"))
    out = tmp_path / "drafts"
    text = "".join(
        round_robin([f"{name} p{n}" for n in range(4)], Event=name, Site=name) for name in HOSTILE
    )
    (tmp_path / "h.pgn").write_text(text)
    call = ["import", "pgn", str(tmp_path / "h.pgn"), "--events", str(events), "--out", str(out)]
    assert main(call) == 0
    assert {path.parent.name for path in out.rglob("*.yaml")} == {"1893", "drafts"}
    assert "<script>" not in (out / "REPORT.md").read_text().replace("\\<script\\>", "")
    assert len(list((out / "1893").iterdir())) >= len(HOSTILE) - 6
    adopt(out, events)
    assert [p for p in read_all(events)[1] if p.severity == "error"] == []


def test_years_of_name_and_games_that_differ_get_a_warning(imported):
    games = round_robin(PLAYERS[:4])
    assert not [text for text in imported(games).found["unsure"] if "has the year" in text]
    made = imported(games.replace('[Event "', '[Event "1983 '))
    (text,) = (text for text in made.found["unsure"] if "has the year" in text)
    assert "the name of the event has the year 1983, its games are of 1893" in text


def test_a_file_without_games_says_what_games_begin_with(tmp_path, capsys):
    (tmp_path / "a.pgn").write_text("1. e4 e5 1-0\n")
    call = ["import", "pgn", str(tmp_path / "a.pgn"), "--events", str(MINISITE / "events")]
    assert main([*call, "--out", str(tmp_path / "drafts")]) == 0
    message = 'a.pgn: no games (each begins with headers such as `[Event "London"]`) in 13 bytes'
    assert message in capsys.readouterr().out


def test_noise_is_no_collection_and_no_traceback(imported):
    noise = (
        bytes((n * n + n // 7) % 256 for n in range(200_000)) + b'\n[Event "x\n\n*\n\n1. e4 1-0\n'
    )
    made = imported(noise.replace(b"\r", b""))
    assert made.drafts == {}
    assert made.counts["games used"] == 0


def test_more_than_is_handled_at_a_time_is_refused(history, tmp_path, monkeypatch):
    monkeypatch.setattr(draft, "MAX_DRAFTS", 1)
    with pytest.raises(TooMany, match="more than 1 events"):
        import_pgn([SAMPLES / "congress.pgn", SAMPLES / "latin.pgn"], history)


def test_games_without_moves_may_be_defaults(imported):
    text = round_robin(PLAYERS) + game(
        White="Finch, Ada", Black="Grey, Iván", Round="8", moves="1-0"
    )
    made = imported(text)
    assert made.found["bare"] == ["Finch, Ada - Grey, Iván (Ogdenville, 1893-07-11) has no moves"]
    (text,) = made.drafts.values()
    assert (
        "- players: [finch-ada, grey-ivan]\n"
        "  default: No moves in the collection; look up whether it was played.\n"
    ) in text
    assert "games without moves, drafted as defaults in question: 1" in made.found["unsure"][-1]


def test_two_tables_under_one_header_get_a_warning(imported):
    """Two groups of three met within themselves; a game between them makes one event of it."""
    groups = [["A, A", "B, B", "C, C"], ["D, D", "E, E", "F, F"]]
    texts = [round_robin(group, Event="Congress", Site="Ogdenville") for group in groups]
    warning = "2 groups of players that never met: check whether they are several events"
    assert sum(warning in one for one in imported(*texts).found["unsure"]) == 1
    bridge = game(White="A, A", Black="D, D", Event="Congress", Round="9")
    assert not [one for one in imported(*texts, bridge).found["unsure"] if "never met" in one]
