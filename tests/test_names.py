"""Names: spelling, hints, ids, and which player a printed name means."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from conftest import MINISITE

from edo.core.model import Dataset, PartialDate, Player
from edo.history.dataset import load
from edo.history.names import (
    KnownNames,
    Name,
    beginning_with,
    called,
    free_id,
    nearest,
    readings,
    slips,
    sound,
)
from edo.importers.people import Mention, entry_name, nobody, roster

KNOWN = {
    "verlinsky-boris": (),
    "anderssen-adolf": ("Anderssen, Adolf",),
    "chigorin-mikhail": ("Chigorin, Mikhail", "Tschigorin, Michael"),
    "gruenfeld-ernst": ("Grünfeld, Ernst",),
    "lewis-william": (),
    "hill": (),
    "smith-a": (),
    "paulsen-louis": (),
    "paulsen-lewis": (),
    "staunton-1852": (),
} | {f"number-{n}-of-many": () for n in range(100)}


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("andersen-adolf", "`anderssen-adolf`"),
        ("anderssne-adlof", "`anderssen-adolf`"),  # two slips
        ("adolf-anderssen", "`anderssen-adolf`"),
        ("Anderssen", "`anderssen-adolf`"),
        ("anderssenadolf", "`anderssen-adolf`"),
        ("tschigorin-michael", "`chigorin-mikhail`"),
        ("grünfeld-ernst", "`gruenfeld-ernst`"),
        ("grunfeld-ernst", "`gruenfeld-ernst`"),
        ("staunton", "`staunton-1852`"),
        ("paulsen-leuis", "`paulsen-lewis` or `paulsen-louis`"),
        ("paulsen", None),  # several
        ("spassky-boris", None),
        ("ellis-william", None),
        ("hall", None),
        ("smith-b", None),
        ("staunton-1853", None),
        ("", None),
        ("—", None),
    ],
)
def test_only_what_is_near_is_proposed(word: str, meant: str | None):
    hint = nearest(word, KNOWN, "no guess", KNOWN)
    assert hint == (f"did you mean {meant}?" if meant else "no guess")


@pytest.mark.parametrize(
    ("first", "second", "apart"),
    [("abc", "abc", 0), ("abc", "acb", 1), ("abc", "abcd", 1), ("abc", "xbcy", 2), ("", "abcd", 3),
     ("abcd", "dcba", 3), ("bcd", "abcd", 1), ("abcd", "badc", 2), ("abcd", "cbad", 2)],
)  # fmt: skip
def test_slips_are_counted_up_to_a_limit(first: str, second: str, apart: int):
    assert slips(first, second, 2) == slips(second, first, 2) == apart


def test_transliterations_sound_the_same():
    assert sound("tschigorin") == sound("chigorin") == sound("tchigorin")
    assert sound("bogoljubov") == sound("bogoliubow")
    assert sound("lasker") != sound("laskers")


def test_records_are_called_by_any_of_their_names():
    names = {"a-b": ("Löwe, Anna", "Loewe, A."), "c-d": ("Lowe, Ann",), "e": ("Anna",)}
    assert called("lowe, anna", names) == ["a-b"]
    assert called("Loewe Anna", names) == called("LÖWE ANNA", names) == ["a-b"]
    assert called("Nobody", names) == called("", names) == []
    assert beginning_with("low an", names) == ["a-b", "c-d"]
    assert beginning_with("", names) == []


def test_an_id_is_free_short_and_not_reserved():
    assert [free_id(wanted, {"x", "x-2"}) for wanted in ("x", "y", "index")] == [
        "x-3", "y", "index-2",
    ]  # fmt: skip
    assert free_id("y" * 500, ()) == "y" * 80
    assert len(free_id("y" * 500, {"y" * 80})) <= 80


def test_words_in_capitals_are_the_surname():
    assert readings("TARRASCH Siegbert") == readings("Siegbert TARRASCH") == (
        Name(("tarasch",), ("siegbert",)),
    )  # fmt: skip
    assert readings("EH Bird") == (
        Name(("h", "bird"), ("e",)), Name(("bird",), ("e", "h")),
    )  # fmt: skip
    assert readings("COX Ann") == (Name(("cox",), ("an",)),)
    assert readings("White A.J.")[0] == Name(("white",), ("a", "j"))


PLAYERS = {
    "r": "rubinstein-akiba:\n  name: Rubinstein, Akiba\n  born: '1880'\n  died: '1961'\n"
    "  spellings: ['Rubinsztajn, A. K.']\n"
    "rosen-a:\n  name: Rosen, Anton\nrosen-b:\n  name: Rosen, Albert\n",
    "m": "mikhailov-mikhail:\n  name: Mikhailov, Mikhail\n  born: '1850'\n  died: '1908'\n",
    "v": "von-moor-theo:\n  name: von Moor, Theo\n",
}


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> KnownNames:
    """A history with players whose names are close to each other."""
    events = Path(shutil.copytree(MINISITE / "events", tmp_path_factory.mktemp("n") / "events"))
    for letter, text in PLAYERS.items():
        (events / f"players/{letter}.yaml").write_text(text)
    for year in range(1907, 1913):
        (events / str(year)).mkdir()
        for opponent in ("rosen-a", "rosen-b", "von-moor-theo"):
            (events / str(year) / f"m-{opponent}-{year}.yaml").write_text(
                f"name: M\nkind: match\nyear: {year}\npairings:\n"
                f"- {{players: [rubinstein-akiba, {opponent}], score: 1-0}}\n"
                "sources:\n- {source: book}\n"
            )
    return KnownNames(load(events))


@pytest.mark.parametrize(
    ("text", "year", "player", "reason"),
    [
        ("Rubinstein, Akiba", 1912, "rubinstein-akiba", ""),
        ("Rubinsztajn, A. K.", 1912, "rubinstein-akiba", ""),
        ("Akiba Rubinstein", 1912, "rubinstein-akiba", "the same name in another spelling"),
        ("RUBINSTEIN, AKIBA", 1912, "rubinstein-akiba", "the same name in another spelling"),
        ("Rubinstein Akiba", 1912, "rubinstein-akiba", "the same name in another spelling"),
        ("Rosen Anton", 1912, "rosen-a", "the same name in another spelling"),  # Albert is another
        ("RUBINSTEIN Akiba", 1912, "rubinstein-akiba", "the same name in another spelling"),
        ("Rubinstein, A", 1912, "rubinstein-akiba", "the only known player of that surname"),
        ("A. Rubinstein", 1912, "rubinstein-akiba", "the only known player of that surname"),
        ("Rubinstein A.", 1912, "rubinstein-akiba", "the only known player of that surname"),
        ("Mihajlow, Mihail", 1900, "mikhailov-mikhail", "the same name in another transliter"),
        ("Rubinstein, Akiba", 1886, None, "but lived 1880 to 1961"),
        ("Rubinstein, Akiba", 1887, "rubinstein-akiba", ""),  # at the age of the youngest
        ("Rubinstein, Akiba", 1965, None, "but lived 1880 to 1961"),
        ("Rubinstein, A", 1950, None, "but known only from 1907 to 1912"),
        ("Rubinstein, S", 1912, None, ""),
        ("Rubinstein", 1912, None, "only the surname is given"),
        ("Rubinstein, Aaron", 1912, None, "another given name"),
        ("Mikhailov, M", 1900, None, "but known only from no event"),
        ("Rosen, A", 1912, None, "one of several known players with such initials"),
        ("Moor, T", 1912, None, "a name that sounds alike"),
        ("von Moor, T", 1912, "von-moor-theo", "the only known player of that surname"),
        ("Nobody, At All", 1912, None, ""),
        ("", 1912, None, ""),
    ],
)
def test_names_mean_one_player_or_nobody_yet(
    names: KnownNames, text: str, year: int, player: str | None, reason: str
):
    match = names.match(text, year)
    assert match.player == player
    if player is None:
        assert match.reason == ""
        assert (reason in str(match.candidates)) if reason else match.candidates == ()
    else:
        assert match.reason.startswith(reason)
        assert bool(match.reason) == bool(reason)


@pytest.mark.parametrize(
    ("known", "text", "player"),
    [
        (["Orr, Max Sr."], "Max Orr Jr.", None),
        (["Orr, Max Sr."], "Orr Max Sr.", "a"),
        (["Orr, Max Sr.", "Orr, Max Jr."], "Max Orr jr", "b"),
        (["Orr, Max (senior)", "Orr, Max jun."], "Orr sr., Max", "a"),
        (["Orr, Max Sr.", "Orr, Max Jr."], "Max Orr", None),
        (["Orr, Jun"], "Jun Orr", "a"),
    ],
)
def test_father_and_son_are_two(known: list[str], text: str, player: str | None):
    players = {
        id_: Player(id_, name, born=PartialDate(1900), died=PartialDate(1990))
        for id_, name in zip("ab", known, strict=False)
    }
    names = KnownNames(Dataset({}, players, {}, {}, {}))
    assert names.match(text, 1950).player == player


def test_new_names_are_written_surname_first():
    assert entry_name("Ada Finch") == "Finch, Ada"
    assert entry_name("Finch A.") == "Finch, A."
    assert entry_name("von Moor") == "von Moor"
    assert entry_name("Finch") == "Finch"
    assert entry_name("Ada Finch (2)") == "Finch, Ada (2)"
    assert entry_name("Ada Finch (Hull)") == "Finch, Ada (Hull)"
    assert entry_name("Max Finch jr.") == "Finch, Max jr."
    assert entry_name("TARRASCH Siegbert") == "Tarrasch, Siegbert"
    assert entry_name("VAN DER BERG Jan") == "van der Berg, Jan"
    assert entry_name("van der Berg Jan", surname_first=True) == "van der Berg, Jan"
    assert entry_name("Berg Jan Piet jr.", surname_first=True) == "Berg, Jan Piet jr."
    assert entry_name("Berg A.J.") == "Berg, A.J."


def test_some_names_are_nobodys():
    nobodies = ("", "NN", "NN 2", "N.N.", "Bye", "Amateur", "Two amateurs", "Byrd; Dunn", "Allies",
                "Byrd / Dunn", "Byrd and Dunn")  # fmt: skip
    assert all(map(nobody, nobodies))
    assert not any(map(nobody, ["Anderssen, Adolf", "Sandor, A", "Brand, B"]))


def together(printed: Sequence[str], known: KnownNames) -> dict[str, str]:
    """Return the ids of names that stand in one event."""
    mentions = [Mention(name, 1912, "a.csv:1", "event") for name in printed]
    ids = roster(mentions, known, ["doe", "rubinstein-akiba"]).ids
    return {name: id_ for (name, _), id_ in ids.items()}


def test_new_players_get_ids_like_those_of_the_history(names: KnownNames):
    assert together(["Jo Müller", "Grünfeld, Ernst Franz", "Doe", "日本"], names) == {
        "Jo Müller": "mueller-jo",
        "Grünfeld, Ernst Franz": "gruenfeld-ernst",
        "Doe": "doe-2",
        "日本": "player",
    }


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Bauer, Max Sr.", "Bauer, Max Jr."),
        ("Hofmann, J", "Hoffmann, J"),
        ("Müller, J", "Mueller, J"),
        ("Mrs Stevens, A", "Stevens, A"),
        ("Mann", "Man"),
        ("Rubinstein, Akiba", "Rubinstein, A"),
        ("Akiba Rubinstein", "Rubinstein, A."),
        ("A. Dale", "Ann Dale"),
        ("Müller, H", "Muller, H"),
        ("Keller, A", "Keler, A"),
        ("Finch Ada", "Ada Finch"),
        ("Bauer, Max (II)", "Bauer, Max (III)"),
        ("Rubinstein, Akiba", "Rubinsztajn, A. K."),  # both stand in the registry
    ],
)
def test_two_names_of_one_event_are_two_people(names: KnownNames, first: str, second: str):
    ids = together([first, second], names)
    assert ids[first] != ids[second]


@pytest.mark.parametrize(
    ("names_of_a_table", "id_"),
    [
        (["Alder Ann", "FINCH Ada", "Birch Ben"], "alder-ann"),
        (["Ann Alder", "Ada FINCH", "Ben Birch"], "alder-ann"),
        (["Alder Ann", "Rubinstein Akiba"], "alder-ann"),
        (["Alder Ann", "Finch B.", "Cox C. D."], "alder-ann"),
        (["Alder Anton", "Birch Theo"], "alder-anton"),  # known given names
        (["van der Alder Ann", "FINCH Ada"], "van-der-alder-ann"),
        (["Ann Alder", "Ben Birch"], "alder-ann"),  # nothing tells
    ],
)
def test_the_order_of_most_names_of_a_table_is_that_of_all(
    names: KnownNames, names_of_a_table: list[str], id_: str
):
    assert together(names_of_a_table, names)[names_of_a_table[0]] == id_


def test_the_same_words_in_another_order_are_one_name(names: KnownNames):
    assert set(together(["Ada Finch", "Finch, Ada"], names).values()) == {"finch-ada"}


def test_a_name_that_another_of_its_event_takes_says_so(names: KnownNames):
    mentions = [Mention(name, 1912, "a.csv:1", "x")
                for name in ("Rubinstein, Akiba", "Rubinstein, A")]  # fmt: skip
    made = roster(mentions, names, ["rubinstein-akiba"])
    (new,) = made.new
    assert (new.id, made.ids["Rubinstein, Akiba", 1912]) == ("rubinstein-a", "rubinstein-akiba")
    assert new.candidates == {
        "rubinstein-akiba": "the only known player of that surname with such initials, but so is "
        "`Rubinstein, Akiba`, another person"
    }


def test_the_closest_of_several_names_is_the_player(names: KnownNames):
    ids = together(["Akiba Rubinstein", "Rubinstein, A.", "Rubinstein, Akiba"], names)
    assert ids == {
        "Akiba Rubinstein": "rubinstein-akiba",
        "Rubinstein, Akiba": "rubinstein-akiba",
        "Rubinstein, A.": "rubinstein-a",
    }
    assert together(["Akiba Rubinstein", "Rubinstein, A."], names) == {
        "Akiba Rubinstein": "rubinstein-akiba",
        "Rubinstein, A.": "rubinstein-a",
    }
