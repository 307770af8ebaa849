"""New events: by flags, by questions on a terminal; what is written, proposed and refused."""

from __future__ import annotations

import io
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from edo.commands import new
from edo.commands.cli import main
from edo.commands.new import Terminal
from edo.core.yaml import dump
from edo.history import canonical
from edo.history import draft as drafts
from edo.history.dataset import load
from edo.history.draft import Lookup
from edo.history.fields import YEAR
from edo.history.values import InvalidValue
from edo.rating.games import pairings_of

MATCH = ("--name", "Castle – Byrd, Shelbyville 1883", "--players", "castle-hugo", "Byrd, Lucy",
         "--dates", "1883-09-07/1883-10", "--place", "Shelbyville", "--score", "+5 -2 =1",
         "--source", "book", "--where", "p. 115")  # fmt: skip
WRITTEN = """\
name: Castle – Byrd, Shelbyville 1883
kind: match
place: shelbyville
dates: 1883-09-07/1883-10
year: 1883
pairings:
- {players: [castle-hugo, byrd-lucy], score: +5 -2 =1}
sources:
- {source: book, where: p. 115}
"""


@pytest.fixture
def started(events: Path, monkeypatch: pytest.MonkeyPatch):
    """`python -m edo new` with flags, and on a terminal where answers are given."""
    monkeypatch.setattr("sys.stdin", io.StringIO())

    def started(*flags: str, answers: list[str] | None = None) -> int:
        if answers is not None:
            given: Iterator[str] = iter(answers)

            def read(prompt: str) -> str:
                print(prompt, end="")
                try:
                    return next(given)
                except StopIteration:
                    raise EOFError from None

            monkeypatch.setattr("sys.stdin.isatty", lambda: True)
            monkeypatch.setattr(new, "Terminal", lambda lookup: Terminal(lookup, read))
        return main(["new", *flags, "--events", str(events)])

    return started


def state(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_a_match_by_flags_is_read_and_rated(started, events, capsys):
    assert started("match", *MATCH, "--bare") == 0
    path = events / "1883/castle-byrd-shelbyville-1883.yaml"
    assert path.read_text() == WRITTEN
    history = load(events)
    pairs = pairings_of(history.events["castle-byrd-shelbyville-1883"], history.odds)
    assert [(pair.score, pair.games) for pair in pairs] == [(5.5, 8.0)]
    told = capsys.readouterr().out
    assert f"{path}\n" in told
    assert "31 files read, errors: 0, warnings of what is new: 0\n" in told
    for step in ("check", "explain castle-byrd-shelbyville-1883", "build"):
        assert f"`python -m edo {step} --project {events.parent}`" in told


def test_the_next_steps_are_short_in_the_usual_folder(events, monkeypatch, capsys):
    monkeypatch.chdir(events.parent)
    assert main(["new", "match", *MATCH]) == 0
    said = capsys.readouterr().out.splitlines()[-1]
    assert said.endswith(
        "then `python -m edo check`; `python -m edo explain castle-byrd-shelbyville-1883` says "
        "what it gives; `python -m edo build` builds."
    )


def test_comments_show_what_else_can_be_said_and_the_form_is_canonical(started, events):
    assert started("match", *MATCH) == 0
    path = events / "1883/castle-byrd-shelbyville-1883.yaml"
    text = path.read_text()
    assert "".join(f"{line}\n" for line in text.splitlines() if line[0] != "#") == WRITTEN
    assert "\n# format: Knock-out  # How it was played, in words.\npairings:" not in text
    assert "\n# format: Knock-out  # How it was played, in words.\n" in text
    assert "games_per_pair" not in text
    assert not canonical.form(path, path.name).changes


def test_a_tournament_gets_its_empty_table_to_be_filled_in(started, events):
    players = ("zukertort-johannes", "castle-hugo", "byrd-lucy")
    flags = ("--name", "Springfield", "--year", "1883", "--source", "book", "--bare")
    assert started("tournament", *flags, "--players", *players) == 0
    path = events / "1883/springfield-1883.yaml"
    assert path.read_text() == (
        "name: Springfield\nkind: tournament\nyear: 1883\n"
        "completeness: incomplete\nmissing: the results are not entered yet\n"
        "crosstable: |\n"
        "  zukertort-johannes  .  ?  ?\n"
        "  castle-hugo         ?  .  ?\n"
        "  byrd-lucy           ?  ?  .\n"
        "sources:\n- {source: book}\n"
    )
    filled = path.read_text().replace(".  ?  ?", ".  1  = | 1½").replace("?  .  ?", "0  .  1 | 1")
    filled = filled.replace("?  ?  .", "=  0  . | ½").partition("completeness")
    path.write_text(filled[0] + "crosstable" + filled[2].partition("crosstable")[2])
    assert main(["fmt", str(path)]) == 0
    assert load(events).events["springfield-1883"].completeness == "complete"


def test_the_id_is_numbered_where_it_is_taken(started, events):
    taken = (
        "--name",
        "Springfield 1880",
        "--source",
        "book",
        "--players",
        "castle-hugo",
        "byrd-lucy",
    )
    assert started("tournament", *taken, "--year", "1880") == 0
    assert (events / "1880/springfield-1880-2.yaml").is_file()
    assert started("tournament", *taken, "--dates", "1880-12/1881") == 0
    assert (events / "1881/springfield-1880-1881.yaml").is_file()


@pytest.mark.parametrize(
    ("name", "id_"),
    [
        ("London 1883 (knock-out)", "london-1883-knock-out"),
        ("Łódź – Kraków", "lodz-krakow-1883"),
        ("L'Échiquier d'Ève", "l-echiquier-d-eve-1883"),
        ("Größe & Öl", "grosse-ol-1883"),
        ("1883", "1883"),
        ("a" * 90 + " 1883", "a" * 80),
    ],
)
def test_ids_are_made_of_names(name: str, id_: str):
    assert drafts.proposed_id(name, "1883", ()) == id_
    assert drafts.proposed_id(name, "1883", {id_}) == f"{id_[:78]}-2"


def test_what_is_missing_is_named_all_at_once(started, events, capsys):
    before = state(events)
    assert started("match") == 1
    assert capsys.readouterr().err == (
        "error: --name is missing\n--source is missing\n--year or --dates is missing\n"
        "--score or --games is missing\n--players: 0 named, a match has 2\n"
    )
    assert started("tournament", "--name", "X", "--players", "castle-hugo") == 1
    assert "--players: 1 named, a tournament has 2 or more" in capsys.readouterr().err
    assert state(events) == before


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--id", "../../evil"], "is not an id"),
        (["--id", "index"], "is the page of the whole list"),
        (["--year", "../1"], "is not a year"),
        (["--year", "1885"], "1885, but the dates end in 1883"),
        (["--dates", "1883-02-30"], "a day that never was"),
        (["--id", "springfield-1880"], "there is or was an event `springfield-1880` already"),
        (["--place", "Atlantis"], "`Atlantis` is no place"),
        (["--players", "castle-hugo", "castle-hugo"], "castle-hugo"),
        (["--players", "castle-hugo", "byrd"], "perhaps of byrd-lucy (Byrd, Lucy"),
        (["--score", "many"], "`many` is neither a score nor games in order"),
        (["--name", "<b>\u200b</b>"], "invisible character"),
        (["--games", "1w 0b"], "both --score and --games are given"),
        (["--new-player", "Doe, J.; 18"], "`18` is not a date"),
        (["--new-player", "; 1850"], "nothing stands here"),
        (["--new-place", "X; GER; 3"], "has more than name; country"),
    ],
)
def test_what_is_wrong_is_refused_and_nothing_written(more, said, started, events, capsys):
    before = state(events)
    assert started("match", *MATCH, *more) == 1
    assert said in capsys.readouterr().err
    assert state(events.parent) == {f"events/{name}": content for name, content in before.items()}


def test_nothing_is_overwritten_and_no_link_followed(started, events, tmp_path, capsys):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (events / "1883").symlink_to(elsewhere)
    before = state(events)
    assert started("match", *MATCH) == 1
    assert list(elsewhere.iterdir()) == []
    (events / "1883").unlink()
    assert state(events) == before


def test_new_entries_come_with_what_is_known_of_them(started, events):
    (events / "places.yaml").write_text(
        "# Where it was.\n\nshelbyville:\n  name: Shelbyville\n# no longer there\n"
        "springfield:\n  name: Springfield\n"
    )
    assert started(
        "match", *MATCH, "--bare", "--place", "Sandhausen",
        "--players", "Castle, Hugo & Sons", "Doe, J. P.",
        "--new-player", "Doe, J. P.; 1850~; ; USA", "--new-place", "Sandhausen; GER",
        "--source", "a chess paper", "--new-source", "A Chess Paper; ; Sandhausen 1884",
    ) == 0  # fmt: skip
    assert (
        (events / "players/d.yaml")
        .read_text()
        .startswith("doe-j:\n  name: Doe, J. P.\n  born: 1850~\n  country: USA\ndunn-")
    )
    assert (events / "places.yaml").read_text() == (
        "# Where it was.\n\nsandhausen:\n  name: Sandhausen\n  country: GER\n"
        "shelbyville:\n  name: Shelbyville\n# no longer there\nspringfield:\n  name: Springfield\n"
    )
    history = load(events)
    assert history.sources["a-chess-paper"].published == "Sandhausen 1884"
    event = history.events["castle-byrd-shelbyville-1883"]
    assert (event.players, event.place) == (("castle-hugo", "doe-j"), "sandhausen")
    assert main(["fmt", "--check", str(events / "players/d.yaml")]) == 0


def test_an_entry_goes_to_its_place_and_all_else_stays(events):
    entry = {"name": "M"}
    text = "# all\n\na: {name: A}  # x\n\n# of z\nz:   {name: Z}\n# end"
    assert drafts.with_entry(text, "m", entry) == text.replace("# of z", "m:\n  name: M\n# of z")
    assert drafts.with_entry(text, "zz", entry) == f"{text}\nzz:\n  name: M\n"
    assert drafts.with_entry("", "m", entry) == dump({"m": entry})


def test_questions_are_asked_and_answers_judged_at_once(started, events, capsys):
    answers = [
        "Castle – Doe", "spring", "1", "1883-02-30", "1883-02", "188", "", "",  # place to format
        "hug", "1", "nobody at all", "castle-hugo", "new", "Doe, J.", "", "18x", "", "",  # players
        "2:1", "1w 0b =w", "boo", "9", "boo", "1", "p. 3",
        "Castle Doe", "castle-byrd-1881", "", "y",
    ]  # fmt: skip
    assert started("match", "--bare", answers=answers) == 0
    assert (events / "1883/castle-doe-1883.yaml").read_text() == (
        "name: Castle – Doe\nkind: match\nplace: springfield\ndates: 1883-02\nyear: 1883\n"
        "pairings:\n- {players: [castle-hugo, doe-j], games: 1w 0b =w}\n"
        "sources:\n- {source: book, where: p. 3}\n"
    )
    assert "doe-j:\n  name: Doe, J.\ndunn" in (events / "players/d.yaml").read_text()
    told = capsys.readouterr().out
    for said in ("a day that never was", "`188` is not a year", "year [1883]: ",
                 "castle-hugo (Castle, Hugo & Sons, 1844 – ?",
                 "nothing known is called `nobody at all`", "`castle-hugo` is in the list already",
                 "`2:1` is neither a score nor games", "id [castle-doe-1883]: ",
                 "`Castle Doe` is not an id", "an event `castle-byrd-1881` already"):  # fmt: skip
        assert said in told


def test_a_search_goes_on_where_no_number_is_typed(started, events, capsys):
    flags = ("--name", "T 1883", "--year", "1883", "--source", "book", "--where", "p. 1",
             "--dates", "", "--place", "", "--format", "", "--id", "t-1883",
             "--score", "2-1")  # fmt: skip
    answers = ["g", "hug", "1", "", "byrd", "lucy", "byrd-lucy", "y"]
    assert started("match", *flags, answers=answers) == 0
    assert load(events).events["t-1883"].players == ("castle-hugo", "byrd-lucy")
    told = capsys.readouterr().out
    assert told.count("this has to be known") == 1
    assert "` `" not in told and "``" not in told


def test_a_name_that_is_none_is_answered_with_the_nearest_id(started, capsys):
    flags = ("--name", "T", "--year", "1883", "--score", "2-1", "--place", "Sprngfield")
    assert started("match", *flags, "--players", "castle-hugo", "Qqq", "--source", "book") == 1
    told = capsys.readouterr().err
    assert "did you mean `springfield`? else make an entry with `--new-place`" in told
    assert "`Qqq` is no player; write the id, or make an entry with `--new-player`" in told


def test_a_tournament_is_asked_for_until_an_empty_line(started, events):
    flags = ("--name", "T 1883", "--year", "1883", "--source", "book", "--where", "p. 1",
             "--dates", "", "--place", "", "--format", "", "--id", "t-1883")  # fmt: skip
    assert started("tournament", *flags, answers=["castle-hugo", "", "byrd-lucy", "", "n"]) == 1
    assert not (events / "1883").exists()
    assert started("tournament", *flags, answers=["castle-hugo", "", "byrd-lucy", "", ""]) == 0
    assert load(events).events["t-1883"].players == ("castle-hugo", "byrd-lucy")


def test_answers_that_end_early_leave_nothing(started, events, capsys):
    before = state(events)
    assert started("match", answers=["A name", ""]) == 1
    assert "the input ended before the last question" in capsys.readouterr().err
    assert state(events) == before


@pytest.mark.parametrize("end", ["interrupt", "end of input", "no consent"])
def test_the_command_with_the_answers_so_far_is_printed(end, started, events, capsys, monkeypatch):
    before = state(events)
    answers = ["Castle – Doe match", "spring", "1", "1883-02", "", "", "castle-hugo",
               "new", "Doe, Jo", "1850", "", "", "2-1", "book", "", "", "n"]  # fmt: skip
    typed = iter(answers if end == "no consent" else answers[:12])

    def read(prompt: str) -> str:
        try:
            return next(typed)
        except StopIteration:
            raise (KeyboardInterrupt if end == "interrupt" else EOFError) from None

    with monkeypatch.context() as patched:
        patched.setattr("sys.stdin.isatty", lambda: True)
        patched.setattr(new, "Terminal", lambda lookup: Terminal(lookup, read))
        code = main(["new", "match", "--events", str(events)])
    assert code == (130 if end == "interrupt" else 1)
    assert state(events) == before
    command = shlex.split(capsys.readouterr().out.splitlines()[-1])
    assert command[:5] == ["python", "-m", "edo", "new", "match"]
    rest = [] if end == "no consent" else ["--score", "2-1", "--source", "book"]
    assert main([*command[3:], *rest, "--yes"]) == 0
    event = load(events).events["castle-doe-1883"]
    assert event.players == ("castle-hugo", "doe-jo") and event.results[0].points_first == 2
    assert str(load(events).players["doe-jo"].born) == "1850"


def test_ids_are_written_as_those_there_are(events):
    known = Lookup(load(events))
    assert known.propose("players", "Smith, John (London 1888)") == "smith-john"
    assert known.propose("players", "Wilson (St Paul 1898)") == "wilson"
    assert known.propose("sources", "Paul Morphy", "Lawson, David") == "lawson-paul-morphy"
    assert drafts.proposed_id("Esser – Loman match, Amsterdam 1913", "1913", ()) == (
        "esser-loman-amsterdam-1913"
    )
    assert drafts.proposed_id("Hastings 1924/25, Premier", "1925", ()) == "hastings-1924-25-premier"


def test_a_given_name_in_front_is_noticed(started, events, capsys):
    flags = ("match", *MATCH, "--players", "castle-hugo", "ives-jo", "--new-player")
    assert started(*flags, "Jo Ives; 1870~") == 1
    said = "name: the surname comes first; write `Ives, Jo`, or `Jo Ives,` if all is surname"
    assert said in capsys.readouterr().err
    assert [drafts.given_first(name) for name in ("de Waal", "Wilson (Ohio)", "X, Y")] == [""] * 3
    assert Lookup(load(events)).add("players", {"name": "Belgrano Rawson,"}) == "belgrano-rawson"


def test_names_are_found_in_any_spelling(events):
    known = Lookup(load(events))
    assert known.find("players", "hugo cas") == ["castle-hugo"]
    assert known.find("players", "ZUCKER") == []
    assert known.find("players", "Zukertôrt") == ["zukertort-johannes"]
    assert known.find("players", "") == []
    assert known.resolve("players", "Byrd, Luccy") == "byrd-lucy"
    with pytest.raises(InvalidValue, match="is no player"):
        known.resolve("players", "Castle")


def test_an_error_elsewhere_is_told_and_ends_in_failure(started, events, capsys):
    """A player of whom the file itself cannot know that he is not born yet."""
    entry = ("--new-player", "Late, Ann; 1899")
    players = ("--players", "castle-hugo", "Late, Ann")
    assert started("match", *MATCH, *players, *entry) == 1
    told = capsys.readouterr().out
    assert "`late-ann` plays before" in told and "Correct these errors first." in told


def test_answers_are_judged_by_what_reads_the_files(events):
    known = Lookup(load(events)).known()
    assert drafts.fault(drafts.FIELDS["year"], "1883", known) == ""
    wrong = drafts.fault(drafts.FIELDS["year"], "883", known)
    with pytest.raises(InvalidValue) as refused:
        YEAR.convert("883")
    assert wrong == f"{refused.value.message}; {refused.value.hint}"


def test_a_score_is_of_a_match_and_named_by_its_flag(started, events, capsys):
    before = state(events)
    names = ("--name", "X 1883", "--year", "1883", "--source", "book")
    players = ("--players", "castle-hugo", "byrd-lucy")
    assert started("tournament", *names, *players, "--score", "3-2") == 1
    assert "--score and --games are of a match" in capsys.readouterr().err
    assert started("match", *names, *players, "--games", "1w 2") == 1
    assert "error: --games: `1w 2` is neither" in capsys.readouterr().err
    assert state(events) == before


def test_only_notices_of_what_is_new_are_told(started, capsys):
    """The ids of the new players stand in words of a warning of another event."""
    flags = ("--name", "X 1883", "--year", "1883", "--source", "book", "--where", "p. 1")
    added = ("--new-player", "It", "--new-player", "Says")
    assert started("tournament", *flags, *added, "--players", "It", "Says") == 0
    assert "warnings of what is new: 0\n" in capsys.readouterr().out


def test_the_help_says_where_a_team_match_is_shown(capsys):
    with pytest.raises(SystemExit):
        main(["new", "--help"])
    assert "team match" in " ".join(capsys.readouterr().out.split())
