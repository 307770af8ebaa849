"""The headers of a game as they stand in, a game of the chess historian's words out."""

from __future__ import annotations

import calendar
import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from edo.importers.pgnfile import RawGame

MAX_NAME = 120  # [characters] twice the longest name of an event in the first 500 files
MAX_WORD = 60  # [characters] of one word; the format refuses words of more than 100

SCORES = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5, "1/2": 0.5, "½-½": 0.5}
"""White's points [points]."""
NO_MOVES = 12  # [bytes] below the headers: no more than the result stands there

_DATE = re.compile(r"([12]\d{3})(?:[.\-/](\d{1,2}|\?+)(?:[.\-/](\d{1,2}|\?+))?)?")
_NO_DATE = re.compile(r"[?.\-/ ]*")
_ROUND = re.compile(r"\d{1,4}(\.\d{1,4}){0,2}")
_START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq"
_FAR = re.compile(r"\b(paper|email|e-mail|em|postal|pm|sm|corr)", re.I)


@dataclass(frozen=True, slots=True)
class PgnGame:
    """One game: names as the headers have them, White's score [points], the date in EDTF or ``.

    `round` of `3.1` is (3, 1), () where it is not a number. `apart` says why the game is no game
    of an event that is rated, `doubt` what of its date was not usable.
    """

    place: str
    event: str
    site: str
    date: str
    event_date: str
    round: tuple[int, ...]
    white: str
    black: str
    score: float | None
    teams: tuple[str, str]
    apart: str
    doubt: str
    moves: int
    bare: bool


def understood(raw: RawGame) -> PgnGame:
    """Return the game that the headers tell of; nothing in them is an error."""
    said = raw.headers
    date, doubt = read_date(said.get("Date", ""))
    event_date, _ = read_date(said.get("EventDate", ""))
    return PgnGame(
        raw.place,
        clean(said.get("Event", "")),
        clean(said.get("Site", "")),
        date,
        event_date,
        read_round(said.get("Round", "")),
        clean(said.get("White", "")),
        clean(said.get("Black", "")),
        SCORES.get(said.get("Result", "").replace(" ", "")),
        (clean(said.get("WhiteTeam", "")), clean(said.get("BlackTeam", ""))),
        _apart(said),
        doubt,
        raw.moves,
        raw.length <= NO_MOVES,
    )


@lru_cache(maxsize=65536)
def clean(text: str) -> str:
    """Return a header as one short line that any file can hold; `?` and `-` are nothing."""
    text = unicodedata.normalize("NFC", text)
    flat = "".join(c if c.isprintable() else " " for c in text)
    words = [word[:MAX_WORD] for word in flat.split()]
    short = " ".join(words)[:MAX_NAME].strip()
    return "" if not short.strip("?-. *") else short


def read_date(text: str) -> tuple[str, str]:
    """Return the date as exactly as it is usable (EDTF), and what was wrong with the rest."""
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


def _apart(said: dict[str, str]) -> str:
    fen = said.get("FEN", "")
    if fen and not fen.startswith(_START):
        return "begins from a set position (odds, a fragment or a problem)"
    if said.get("Odds", "").strip("?- "):
        return "played at odds"
    if said.get("Variant", "").casefold() not in ("", "?", "standard", "chess", "normal"):
        return "another game than chess"
    if _FAR.search(said.get("Mode", "")):
        return "correspondence"
    return ""
