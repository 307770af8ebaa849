"""Streaming reader of PGN files: the headers of each game, cleaned."""

from __future__ import annotations

import bz2
import calendar
import gzip
import re
import sys
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import IO, cast

from edo.core.formats import counted
from edo.core.problems import EdoError
from edo.history.values import HYPHENS
from edo.importers.grid import bare_name
from edo.importers.known import years_in

STDIN = "-"
PIECE = 65_536  # [bytes] of a line that are read at a time: no line is held whole
MAX_VALUE = 500  # [characters] of a header that are kept, as in the files of events
_ROSTER = ("Event", "Site", "Date", "EventDate", "Round", "White", "Black", "Result")
WANTED = frozenset((*_ROSTER, "WhiteTeam", "BlackTeam", "FEN", "SetUp", "Variant", "Mode", "Odds",
                     "Termination"))  # fmt: skip
_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_TAG = re.compile(r'\[([A-Za-z0-9][\w+#=:-]*)\s+"(.*)"\s*\]\s*')

MAX_NAME = 120  # [characters] twice the longest name of an event in the first 500 files
MAX_WORD = 60  # [characters] of one word; the format refuses words of more than 100

SCORES = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5, "1/2": 0.5, "½-½": 0.5}
"""White's points [points]."""
NO_MOVES = 12  # [bytes] below the headers: no more than the result stands there

_DATE = re.compile(r"([12]\d{3})(?:[.\-/](\d{1,2}|\?+)(?:[.\-/](\d{1,2}|\?+))?)?")
_NO_DATE = re.compile(r"[?.\-/ ]*")
_ROUND = re.compile(r"\d{1,4}(\.\d{1,4}){0,2}")
_UNPLAYED = re.compile(r"unplayed|forfeit|default|walk-?over|bye|no ?show", re.I)
_START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq"
_FAR = re.compile(r"\b(paper|email|e-mail|em|postal|pm|sm|corr)", re.I)


class UnreadableCollection(EdoError):
    """The file cannot be read as a collection of games."""


@dataclass(frozen=True, slots=True)
class PgnGame:
    """One game: names as the headers have them, White's score [points], the date in EDTF or ``.

    `white` and `black` are ids as soon as the players are recognised; `printed` are the names
    without titles and countries.
    `year` is 0 where no header has one. `round` of `3.1` is (3, 1), () where it is not a number.
    `apart` says why the game cannot count for a rating, `warning` what is wrong with its date.
    `moves` is a checksum; `bare`: no moves, `in_question`: none, though most other games have some;
    `unplayed`: the headers say that it was won without play.
    """

    file: str
    place: str
    event: str
    site: str
    date: str
    event_date: str
    year: int
    round: tuple[int, ...]
    white: str
    black: str
    printed: tuple[str, str]
    score: float | None
    teams: tuple[str, str]
    apart: str
    warning: str
    moves: int
    bare: bool
    unplayed: bool = False
    in_question: bool = False

    def __str__(self) -> str:
        """Return the game for people."""
        return f"{' - '.join(self.printed)} ({self.event}, {self.date or self.year})"

    @property
    def pair(self) -> frozenset[str]:
        """Return the two players."""
        return frozenset((self.white, self.black))

    def points(self, player: str) -> float:
        """Return the points [points] of one of the two."""
        score = self.score or 0.0
        return score if player == self.white else 1.0 - score


@dataclass(slots=True)
class Reading:
    """What was read of one file so far."""

    file: str
    size: int = 0
    lines: int = 0
    games: int = 0
    foreign: int = 0
    """Lines that are not UTF-8, read as Windows-1252 instead."""
    bom: bool = False

    @property
    def encoding(self) -> str:
        """Return how the text was decoded, for people."""
        if self.foreign:
            lines = counted(self.foreign, "line is", "lines are")
            return f"{lines} not UTF-8 and read as Windows-1252"
        return "UTF-8 with a byte order mark" if self.bom else "UTF-8"

    def __str__(self) -> str:
        """Return what was read, for people."""
        none = 'no games (each begins with headers such as `[Event "London"]`)'
        games = counted(self.games, "game") if self.games else none
        return f"{self.file}: {games} in {self.size} bytes, {self.encoding}"


@dataclass(slots=True)
class _Raw:
    """What was read of one game so far: its first line, headers, and checksum of its moves."""

    line: int
    headers: dict[str, str] = field(default_factory=dict)
    moves: int = 0
    length: int = 0


def _lines(raw: IO[bytes], reading: Reading) -> Iterator[bytes]:
    """Yield the lines of a file, long ones in pieces, and count them."""
    fresh = True
    while piece := raw.readline(PIECE):
        if not reading.size:
            if piece[:2] in _UTF16:
                raise UnreadableCollection(f"{reading.file}: the text is UTF-16; save it as UTF-8")
            if piece.count(b"\r") > 2:
                hint = "its lines end in CR alone; save it with LF"
                raise UnreadableCollection(f"{reading.file}: {hint}")
            reading.bom = piece.startswith(_BOM)
        reading.size += len(piece)
        reading.lines += fresh
        fresh = piece[-1:] == b"\n"
        yield piece.removeprefix(_BOM) if reading.size == len(piece) else piece


def _decoded(raw: bytes, reading: Reading) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        reading.foreign += 1
        return raw.decode("cp1252", "replace")


def _is_open(line: bytes, in_comment: bool) -> bool:
    """Whether a comment in braces is open at the end of a line of moves."""
    at = 0
    while True:
        at = line.find(b"}" if in_comment else b"{", at)
        if at < 0 or (not in_comment and b";" in line[:at].rpartition(b"}")[2]):
            return in_comment
        in_comment = not in_comment


def _games(raw: IO[bytes], reading: Reading) -> Iterator[_Raw]:
    """Yield each game; a header after moves, or a second `Event`, begins the next one.

    Moves are not parsed. In a comment a line is a header only below an empty line, as the first
    `Event` of a game is, or behind such a one; so a comment that is never closed takes no other
    game with it.
    """
    game = _Raw(0)
    in_comment = is_below_nothing = False
    for line in _lines(raw, reading):
        text = _decoded(line, reading)
        tag = _TAG.fullmatch(text) if text[:1] == "[" else None
        if tag and in_comment:
            in_comment = not (is_below_nothing and tag[1] == "Event")
            tag = None if in_comment else tag
        elif not tag:
            in_comment = _is_open(line, in_comment)
        is_below_nothing = not line.strip()
        if tag and (game.length or (tag[1] == "Event" and "Event" in game.headers)):
            if game.headers:
                yield game
            game = _Raw(0)
        if tag:
            game.line = game.line or reading.lines
            if tag[1] in WANTED:
                value = tag[2][:MAX_VALUE].replace('\\"', '"').replace("\\\\", "\\")
                game.headers.setdefault(tag[1], sys.intern(value))
        elif len(line) > 2 and line[:1] != b"[" and line[:1] != b"%":
            game.moves = zlib.crc32(line.rstrip(), game.moves)
            game.length += len(line)
    if game.headers:
        yield game


def read_games(path: Path, reading: Reading) -> Iterator[PgnGame]:
    """Yield the games of a collection, and keep `reading` up to date.

    `path` may be gzip, bzip2 or zip by its ending, or `-` for what comes in on standard input.
    Raises UnreadableCollection where the file cannot be read.
    """
    try:
        with _opened(path) as streams:
            for raw in streams:
                for game in _games(raw, reading):
                    reading.games += 1
                    yield _interpret(game, reading)
    except (OSError, EOFError, zipfile.BadZipFile, zlib.error, RuntimeError) as error:
        raise UnreadableCollection(f"{reading.file}: cannot be read ({error})") from None


@contextmanager
def _opened(path: Path) -> Iterator[Iterator[IO[bytes]]]:
    if str(path) == STDIN:
        yield iter([sys.stdin.buffer])
    elif path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if name.casefold().endswith(".pgn")]
            yield (archive.open(name) for name in names)
    else:
        packed = {".gz": gzip.GzipFile, ".bz2": bz2.BZ2File}.get(path.suffix)
        with packed(path) if packed else path.open("rb") as raw:
            yield iter([cast(IO[bytes], raw)])


def _interpret(game: _Raw, reading: Reading) -> PgnGame:
    """Return the game that the headers describe; nothing in them is an error."""
    headers = game.headers
    date, warning = read_date(headers.get("Date", ""))
    event_date, _ = read_date(headers.get("EventDate", ""))
    result = headers.get("Result", "").translate(HYPHENS)
    names = ("Event", "Site", "White", "Black", "WhiteTeam", "BlackTeam")
    event, site, white, black, *teams = (clean(headers.get(name, "")) for name in names)
    printed = bare_name(white), bare_name(black)
    if all(teams):
        event = event or " – ".join(sorted(teams))
    return PgnGame(
        reading.file, f"{reading.file}:{game.line} (game {reading.games})", event, site, date,
        event_date, _year(date or event_date, event, site), read_round(headers.get("Round", "")),
        white, black, printed, SCORES.get(result.replace(" ", "").replace(":", "-")),
        (teams[0], teams[1]), _apart(headers), warning, game.moves, game.length <= NO_MOVES,
        _UNPLAYED.fullmatch(headers.get("Termination", "")) is not None,
    )  # fmt: skip


def _year(date: str, event: str, site: str) -> int:
    """Return the year of the game: that of a date, else the only one in the names; 0 for none."""
    named = {int(date[:4])} if date else set(years_in(f"{event} {site}"))
    return named.pop() if len(named) == 1 else 0


@lru_cache(maxsize=65536)
def clean(text: str) -> str:
    """Return a header as one short line that any file can hold; `?` and `-` are nothing."""
    flat = "".join(c if c.isprintable() else " " for c in unicodedata.normalize("NFC", text))
    words = [word[:MAX_WORD] for word in flat.split()]
    short = " ".join(words)[:MAX_NAME].strip()
    return "" if not short.strip("?-. *") else short


def read_date(text: str) -> tuple[str, str]:
    """Return the part of the date that is usable (EDTF), and what is wrong with the rest."""
    text = clean(text)
    match = _DATE.fullmatch(text)
    if match is None:
        return "", "" if _NO_DATE.fullmatch(text) else f"the date `{text}` cannot be read"
    year, month, day = (part if part and "?" not in part else "" for part in match.groups(""))
    if not month:
        return year, ""
    if not 1 <= int(month) <= 12:
        return year, f"the date `{text}` has no such month; only its year was taken"
    found = f"{year}-{int(month):02d}"
    if not day:
        return found, ""
    if not 1 <= int(day) <= calendar.monthrange(int(year), int(month))[1]:
        return found, f"the date `{text}` never was; only its month was taken"
    return f"{found}-{int(day):02d}", ""


def read_round(text: str) -> tuple[int, ...]:
    """Return the numbers of a round, () where it has none."""
    text = text.strip()
    return tuple(int(part) for part in text.split(".")) if _ROUND.fullmatch(text) else ()


def _apart(headers: Mapping[str, str]) -> str:
    fen = headers.get("FEN", "")
    if fen and not fen.startswith(_START):
        return "begins from a set position (odds, a fragment or a problem)"
    if headers.get("Odds", "").strip("?- "):
        return "played at odds"
    if headers.get("Variant", "").casefold() not in ("", "?", "standard", "chess", "normal"):
        return "another game than chess"
    if _FAR.search(headers.get("Mode", "")):
        return "correspondence"
    return ""
