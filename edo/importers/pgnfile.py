"""Collections of games in PGN in, the headers of each game out, a megabyte at a time."""

from __future__ import annotations

import bz2
import gzip
import sys
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TextIO, cast

import chess.pgn

from edo.core.problems import EdoError

STDIN = "-"
BATCH = 1_000_000  # [bytes] between two words on how far the reading is
PIECE = 65_536  # [bytes] of a line that are looked at together: no line is held as a whole
MAX_VALUE = 500  # [characters] of a header that are kept, as in the files of events
_ROSTER = ("Event", "Site", "Date", "EventDate", "Round", "White", "Black", "Result")
WANTED = frozenset((*_ROSTER, "WhiteTeam", "BlackTeam", "FEN", "SetUp", "Variant", "Mode", "Odds"))
_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_NO_HEADERS = chess.pgn.Headers({})  # stays empty: what we want of a game is kept in a plain dict


class NoCollection(EdoError):
    """The file cannot be read as a collection of games."""


@dataclass(frozen=True, slots=True)
class RawGame:
    """The headers of one game as they stand, where they stand, and a checksum of its moves.

    `line` is that of the first header. `moves` is 0 where nothing stands below the headers.
    """

    file: str
    line: int
    number: int
    headers: dict[str, str]
    moves: int
    length: int

    @property
    def place(self) -> str:
        """Return where the game stands, for people."""
        return f"{self.file}:{self.line} (game {self.number})"


@dataclass(slots=True)
class Reading:
    """How the reading of one collection goes; complete at its end."""

    file: str
    size: int = 0
    lines: int = 0
    games: int = 0
    foreign: int = 0
    """Lines that are not UTF-8, read as Windows-1252 instead."""
    bom: bool = False

    @property
    def encoding(self) -> str:
        """Return a word on how the letters were read."""
        if self.foreign:
            lines = "1 line is" if self.foreign == 1 else f"{self.foreign} lines are"
            return f"{lines} not UTF-8 and read as Windows-1252"
        return "UTF-8 with a byte order mark" if self.bom else "UTF-8"


class _Headers(chess.pgn.BaseVisitor[dict[str, str]]):
    """Keeps the headers that are wanted and has the moves skipped."""

    def begin_headers(self) -> chess.pgn.Headers:
        self.found: dict[str, str] = {}
        return _NO_HEADERS

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        if tagname in WANTED:
            value = tagvalue[:MAX_VALUE].replace('\\"', '"').replace("\\\\", "\\")
            self.found.setdefault(tagname, sys.intern(value))

    def end_headers(self) -> chess.pgn.SkipType:
        return chess.pgn.SKIP

    def result(self) -> dict[str, str]:
        return self.found


@dataclass(slots=True)
class _Lines:
    """What python-chess reads lines from: counts them, divides long ones, ends at each game.

    A game whose comment is never closed would otherwise take all games after it for the comment.
    """

    raw: IO[bytes]
    reading: Reading
    ended: bool = False
    first: int = 0
    moves: int = 0
    length: int = 0
    _next: bytes | None = None
    _fresh: bool = field(default=True)

    def begin(self) -> None:
        self.first, self.moves, self.length = 0, 0, 0

    def readline(self) -> str:
        raw = self._next
        if raw is None:
            raw = self.raw.readline(PIECE)
            if not raw:
                self.ended = True
                return ""
            raw = self._counted(raw)
        else:
            self._next = None
        if raw[:1] == b"[":
            if self.length and raw[:7] == b"[Event ":
                self._next = raw
                return ""
            self.first = self.first or self.reading.lines
        elif len(raw) > 2:
            self.moves = zlib.crc32(raw.rstrip(), self.moves)
            self.length += len(raw)
        return self._decoded(raw)

    def _counted(self, raw: bytes) -> bytes:
        reading = self.reading
        if not reading.size:
            if raw[:2] in _UTF16:
                raise NoCollection(f"{reading.file}: the text is UTF-16; save the file as UTF-8")
            if raw.count(b"\r") > 2:
                raise NoCollection(f"{reading.file}: its lines end in CR alone; save it with LF")
            reading.bom = raw.startswith(_BOM)
            reading.size += 3 * reading.bom
            raw = raw[3 * reading.bom :] or b"\n"
        reading.size += len(raw)
        reading.lines += self._fresh
        self._fresh = raw[-1:] == b"\n"
        return raw

    def _decoded(self, raw: bytes) -> str:
        try:
            return raw.decode()
        except UnicodeDecodeError:
            self.reading.foreign += 1
        try:
            return raw.decode("cp1252")
        except UnicodeDecodeError:  # five of its bytes mean nothing
            return raw.decode("latin-1")


def batches(path: Path, reading: Reading) -> Iterator[list[RawGame]]:
    """Yield the games of a collection, those of about a megabyte at a time.

    `path` may be gzip, bzip2 or zip by its ending, or `-` for what comes in on standard input.
    `reading` is kept up to date. Raises NoCollection where the file cannot be read.
    """
    try:
        with _opened(path) as streams:
            for raw in streams:
                yield from _of_stream(raw, reading)
    except (OSError, EOFError, zipfile.BadZipFile, zlib.error, RuntimeError) as error:
        raise NoCollection(f"{reading.file}: cannot be read ({error})") from None


def _of_stream(raw: IO[bytes], reading: Reading) -> Iterator[list[RawGame]]:
    lines = _Lines(raw, reading)
    batch: list[RawGame] = []
    due = reading.size + BATCH
    while not lines.ended:
        lines.begin()
        # python-chess asks nothing of a handle but `readline`
        found = chess.pgn.read_game(cast(TextIO, lines), Visitor=_Headers)
        if found is not None:
            reading.games += 1
            line = lines.first or reading.lines
            batch.append(
                RawGame(reading.file, line, reading.games, found, lines.moves, lines.length)
            )
        if reading.size >= due:
            due = reading.size + BATCH
            yield batch
            batch = []
    yield batch


@contextmanager
def _opened(path: Path) -> Iterator[Iterator[IO[bytes]]]:
    if str(path) == STDIN:
        yield iter([sys.stdin.buffer])
    elif path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if name.casefold().endswith(".pgn")]
            yield (archive.open(name) for name in names)
    else:
        with _plain(path) as raw:
            yield iter([raw])


def _plain(path: Path) -> IO[bytes]:
    if path.suffix == ".gz":
        return cast(IO[bytes], gzip.open(path))
    return bz2.open(path) if path.suffix == ".bz2" else path.open("rb")
