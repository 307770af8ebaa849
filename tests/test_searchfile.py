"""The file of names, read back as the browser reads it; and the folding of words."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st

from edo.core import text as letters
from edo.core.model import Dataset, Event, PartialDate, Place, Player, Result, Series, Source
from edo.rating.edo import PlayerYear, Ratings
from edo.site import index, search_data
from edo.site.input import SiteInput


def year_of(player: str, year: int, rating: float) -> PlayerYear:
    return PlayerYear(player, year, rating, 50.0, rating, 50.0, 1, 1.0, 2.0)


def history(players: list[Player], events: list[Event], peaks: dict[str, float]) -> Any:
    rated = {player: (year_of(player, 1851, peak),) for player, peak in peaks.items()}
    listed = {1851: tuple(years[0] for years in rated.values())}
    dataset = Dataset(
        events={event.id: event for event in events},
        players={player.id: player for player in players},
        places={"london": Place("london", "London", "England"), "pest": Place("pest", "Pest")},
        sources={"book": Source("book", "A book", "An author")},
        odds={},
        series={"cups": Series("cups", "The cups"), "bowls": Series("bowls", "The bowls")},
    )
    return dataset, Ratings(players=rated, years=listed, unrated={}, pairings=())


WORLD = history(
    [
        Player("a-b", "Able, B.", born=PartialDate(1820), spellings=("B. Able", "Abell, B.")),
        Player("loewe", "Löwe, Edward", spellings=("Loewe, Edward", "Leo, E.")),
        Player("menchik", "Menchik, Vera", woman=True),
    ],
    [
        Event("one", "Little event", "match", 1850, "x", place="london", players=("a-b", "loewe")),
        Event(
            "two",
            "London 1851",
            "tournament",
            1851,
            "x",
            place="london",
            players=("a-b", "loewe", "menchik"),
            results=(Result("a-b", "loewe", 1, 0, 1, year=1849),),
        ),
        Event("three", "Pest 1852", "tournament", 1852, "x", players=("loewe",), series="cups"),
    ],
    {"loewe": 2500.0, "a-b": 2400.0},
)


def site_of(dataset: Dataset, ratings: Ratings, content: dict[str, str] | None = None) -> SiteInput:
    return SiteInput(dataset, ratings, content or {}, None, "0", "0")


def read_back(dataset: Dataset, ratings: Ratings, content: dict[str, str]) -> Any:
    (path, script), *_ = search_data.names_files(site_of(dataset, ratings, content))
    assert path == "static/names.js"
    return handed(script)


def handed(script: bytes) -> Any:
    """Return the names as kinds with their rows, and the ids that the browser makes of them."""
    found = re.fullmatch(rb"(?s:window\.edoNames=)(.*);\n", script)
    assert found is not None
    names = json.loads(found[1])
    kinds = [
        {
            "one": one,
            "folder": folder,
            "rows": [
                [row[0], row[1] or search_data.made_id(one, row[0]), *row[2:]] for row in rows
            ],
        }
        for one, _, folder, rows in names["kinds"]
    ]
    return {**names, "kinds": kinds}


def rows(kind: str) -> list[list[str]]:
    found = read_back(*WORLD, {"odds": "# Odds\n\nWords.\n\n## Worth\n", "home": "No title\n"})
    return next(one["rows"] for one in found["kinds"] if one["one"] == kind)


def test_players_come_by_their_peaks_with_years_and_the_spellings_that_the_name_does_not_hold():
    assert rows("player") == [
        ["Löwe, Edward", "loewe", "played 1850–1852", "Leo, E."],
        ["Able, B.", "a-b", "b. 1820", "Abell, B."],
        ["Menchik, Vera", "menchik", "played 1851"],
    ]


def test_only_ids_that_do_not_follow_from_the_names_are_written():
    players = [Player("loewe-edward", "Löwe, Edward Frank"), Player("loewe-2", "Löwe, Edward")]
    match = Event("a-b-pest-1850", "A - B match, Pest 1850", "match", 1850, "x")
    (_, script), *_ = search_data.names_files(site_of(*history(players, [match], {})))
    text = script.decode()
    assert '"Löwe, Edward Frank","","' in text and '"Löwe, Edward","loewe-2",""]' in text
    assert '"A - B match, Pest 1850","",""]' in text and '"1850","",' in text


def test_events_of_as_many_players_begin_with_those_of_a_series():
    players = [Player("a", "Able"), Player("b", "Baker")]
    events = [
        Event("early", "Early", "match", 1850, "x", players=("a", "b")),
        Event("title", "Title", "match", 1890, "x", players=("a", "b"), series="cups"),
    ]
    found = search_data.kinds(site_of(*history(players, events, {})))
    matches = next(kind.rows for kind in found if kind.one == "match")
    assert [row[1] for row in matches] == ["title", "early"]


def test_places_have_their_other_names():
    dataset, ratings = history([], [], {})
    dataset.places["pest"] = Place("pest", "Pest", names=("Ofen", "Buda"))
    found = search_data.kinds(site_of(dataset, ratings))
    places = next(kind.rows for kind in found if kind.one == "place")
    assert ("Pest", "pest", "", "Ofen", "Buda") in places


def test_who_played_where_is_written_by_decade_and_by_places_in_the_lists():
    [(_, names), *played] = search_data.names_files(site_of(*WORLD))
    assert handed(names)["decades"] == [1850]
    assert played == [("static/played_1850.js", played[0][1])]
    by_year = json.loads(re.fullmatch(r"edoPlayed\((.*)\);\n", played[0][1].decode())[1])
    # Tournaments come first; of the players Löwe, Able, Menchik.
    assert by_year == {"1850": [[2, 1, 0]], "1851": [[0, 1, 0, 2]], "1852": [[1, 0]]}


def test_every_year_that_has_a_page_is_found():
    assert rows("year") == [
        ["1849", "1849", "no events"],
        ["1850", "1850", "1 event"],
        ["1851", "1851", "1 event"],
        ["1852", "1852", "1 event"],
    ]


def test_events_come_by_size_and_have_the_place_and_the_year_that_their_name_lacks():
    assert rows("tournament") == [["London 1851", "two", ""], ["Pest 1852", "three", ""]]
    assert rows("match") == [["Little event", "one", "London 1850"]]


def test_series_places_pages_and_sources():
    assert rows("series") == [["The cups", "cups", "1 event"], ["The bowls", "bowls", "0 events"]]
    assert rows("place") == [["London", "london", "England"], ["Pest", "pest", ""]]
    assert rows("page")[-1][:3] == ["Odds", "method/odds", "method"]
    assert rows("page")[-1][3:] == ["handicap games", "ghosts", "Worth"], "the headings of a text"
    assert rows("page")[0][:3] == ["Highest peaks", "lists/peaks", "list"]
    women = next(row for row in rows("page") if row[0] == "Women")
    assert women[1] == "players/index.html?women=yes"
    assert rows("source") == [["A book", "book", "An author"]]


def test_who_met_often_is_written_by_the_places_of_both_in_the_list_of_players(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(index, "MANY", 1)
    (_, script), *_ = search_data.names_files(site_of(*WORLD))
    names = handed(script)
    players = [row[1] for row in names["kinds"][0]["rows"]]
    met = [(players[int(one)], players[k]) for one, more in names["met"].items() for k in more]
    assert met == [("a-b", "loewe")]
    assert players[: names["rated"]] == ["loewe", "a-b"], "the rated players are the first"


NASTY = [
    "</script><script>",
    'a "quoted" name',
    "back\\slash",
    "line\u2028end\u2029",
    "\ud800",
    "\0",
]


@pytest.mark.parametrize("name", NASTY)
def test_names_of_any_letters_are_safe_in_a_script(name: str):
    dataset, ratings = history([Player("p", name)], [], {})
    (_, script), *_ = search_data.names_files(site_of(dataset, ratings))
    assert b"</" not in script
    assert not any(c in script.decode() for c in "\u2028\u2029\0")
    assert read_back(dataset, ratings, {})["kinds"][0]["rows"] == [[name, "p", ""]]


@given(st.text(st.characters(), min_size=1))
def test_any_name_is_read_back(name: str):
    dataset, ratings = history([Player("p", name)], [], {})
    assert read_back(dataset, ratings, {})["kinds"][0]["rows"] == [[name, "p", ""]]


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Löwenthal, J.J.", ["lowenthal", "j", "j"]),
        ("Loewenthal", ["lowenthal"]),
        ("O'Hanlon", ["ohanlon"]),
        ("O’Hanlon", ["ohanlon"]),
        ("Møller Grøn", ["moler", "gron"]),
        ("Łowcki", ["lowcki"]),
        ("Đurić", ["duric"]),
        ("Straße", ["strase"]),
        ("Anderssen", ["andersen"]),
        ("Haakon Aaaa 1911 1000", ["hakon", "a", "1911", "1000"]),
        ("Æsop Œuvre Þór", ["asop", "ouvre", "thor"]),
        ("Dus-Chotimirsky", ["dus", "chotimirsky"]),
        ("Nagy I. 1912", ["nagy", "i", "1912"]),
        ("", []),
    ],
)
def test_words_are_folded(text: str, folded: list[str]):
    assert letters.words(text) == folded


@given(st.text())
def test_folded_words_stay_as_they_are(text: str):
    assert not {c for word in letters.words(text) for c in word} & set(letters.LETTERS)


def test_the_browser_folds_by_the_same_tables():
    script = (ROOT / "templates" / "static" / "folding.js").read_text(encoding="utf-8")
    tables = dict(re.findall(r"const (LETTERS|TWINS) = \{(.*?)\};", script, re.DOTALL))
    pairs = {name: dict(re.findall(r'"?(\w+)"?: "(\w+)"', text)) for name, text in tables.items()}
    assert pairs == {"LETTERS": letters.LETTERS, "TWINS": letters.TWINS}
    apostrophes = re.search(r"const APOSTROPHES = /\[(.*?)\]/gu", script)
    assert apostrophes is not None and apostrophes[1] == letters.APOSTROPHES


def test_everything_that_is_found_has_a_page_of_that_title(minisite: Path):
    names = handed((minisite / "static" / "names.js").read_bytes())
    assert [kind["one"] for kind in names["kinds"]][:3] == ["player", "year", "place"]
    for kind in names["kinds"]:
        assert kind["rows"]
        for name, page, beside, *_ in kind["rows"]:
            file, _, asked = page.partition(".html?")
            html = (minisite / f"{kind['folder']}{file}.html").read_text(encoding="utf-8")
            title = _plain(html.partition("<title>")[2].partition(" · ")[0])
            year = beside.rpartition(" ")[2]
            assert asked or title in (name, f"{name} ({year})"), page
            if asked:
                key, _, value = asked.partition("=")
                assert f'data-key="{key}"' in html and value == "yes", "a tick of the table"


def _plain(html: str) -> str:
    from html import unescape

    return unescape(html)
