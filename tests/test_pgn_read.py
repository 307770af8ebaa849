"""Reading of PGN: lines, letters, packed files, dates, rounds and names."""

from __future__ import annotations

import bz2
import gzip
import io
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest
from conftest import ROOT

from edo.importers.people import garbled, nobody
from edo.importers.pgn.draft import apart_by_name
from edo.importers.pgn.read import (
    Reading,
    UnreadableCollection,
    clean,
    read_date,
    read_games,
    read_round,
)

SAMPLES = ROOT / "tests/pgn"


def game(moves: str = "1. e4 e5 2. Nf3", **headers: str) -> str:
    """Return a game in PGN."""
    headers = {"Event": "Ogdenville", "White": "Byrd, Lucy", "Round": "1"} | headers
    return "".join(f'[{key} "{value}"]\n' for key, value in headers.items()) + f"\n{moves}\n\n"


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
    assert len(list(read_games(path, Reading("c")))) == 6


def test_what_is_packed_wrong_is_an_error(tmp_path):
    for ending in ("gz", "bz2", "zip"):
        path = tmp_path / f"c.{ending}"
        path.write_bytes(b"[Event]")
        with pytest.raises(UnreadableCollection, match="cannot be read"):
            list(read_games(path, Reading("c")))


def raw(tmp_path: Path, text: bytes):
    path, reading = tmp_path / "c.pgn", Reading("c.pgn")
    path.write_bytes(text)
    return list(read_games(path, reading)), reading


def test_lines_and_numbers_of_games_are_reported(tmp_path):
    games, _ = raw(tmp_path, ("% a word\n\n" + game() + game()).encode())
    assert [each.place for each in games] == ["c.pgn:3 (game 1)", "c.pgn:9 (game 2)"]


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


@pytest.mark.parametrize(
    "name",
    ["Fritz, Jindřich", "von Heydebrand und der Lasa, Tassilo", "Schachter, A.", "Løvenskiold",
     "Clubb, J."],
)  # fmt: skip
def test_people_are_no_clubs_and_no_computers(name):
    assert not nobody(name)
    assert not garbled(name)
