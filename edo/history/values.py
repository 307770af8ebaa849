"""Conversion of single values: text, ids, numbers, years, country codes, web addresses."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

from edo.core.problems import printable

MAX_LINE = 500  # [characters] the longest titles of the period's books are about half of this
MAX_NOTE = 5_000  # [characters] the longest of the first 800 notes has 800
MAX_WORD = 100  # [characters] longer than any word of any language the sources are in
MAX_ID = 80  # [characters] twice the longest id of the first 2,000 players and events
_SHOWN = 60  # [characters] of foreign text that a message repeats

RESERVED_ID = "index"  # its page would be that of the list of all
ID_PATTERN = r"[a-z0-9]+(-[a-z0-9]+)*"
ONE_COUNTRY_PATTERN = r"[A-Z]{3}"
COUNTRY_PATTERN = rf"{ONE_COUNTRY_PATTERN}(/{ONE_COUNTRY_PATTERN})*"
NUMBER_PATTERN = r"[0-9]{1,6}(\.[0-9]{1,4}|½)?|½"
WHOLE_PATTERN = r"[1-9][0-9]{0,5}"
YEAR_PATTERN = r"[12][0-9]{3}"
YEARS = "from 1000 to 2999"
DEGREES_PATTERN = r"-?[0-9]{1,3}(\.[0-9]{1,5})?"
RECORD_PATTERN = r"[1-9][0-9]{0,8}"

# Letters and marks that show nothing, although Unicode counts them among those that can be shown.
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_DEVICE = re.compile(r"con|prn|aux|nul|com[0-9]|lpt[0-9]")
_ID = re.compile(ID_PATTERN)
_NUMBER = re.compile(NUMBER_PATTERN)


_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d"  # printed for `-`; `–`, `−`
HYPHENS = str.maketrans(dict.fromkeys(_DASHES, "-"))
"""Translation of dashes, as printed, into the hyphen that files have."""

V = TypeVar("V")


class InvalidValue(ValueError):
    """A value that its field cannot take; reads as `message; hint`."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(f"{message}; {hint}")
        self.message, self.hint = message, hint


class WrongDash(InvalidValue):
    """A value that would be right with the hyphen of the keyboard."""


def shown(text: str) -> str:
    """Return foreign text as messages repeat it: in backquotes, on one line, cut where long."""
    flat = printable(" ".join(text[: 4 * _SHOWN].split()))
    return f"`{flat[: _SHOWN - 1]}…`" if len(flat) > _SHOWN else f"`{flat}`"


def plain_hyphens(convert: Callable[[str], V]) -> Callable[[str], V]:
    """Return the conversion, with the dash named that only looks like the hyphen of its values."""

    @wraps(convert)
    def converted(value: str) -> V:
        try:
            return convert(value)
        except InvalidValue as error:
            dash = next((c for c in value if c in _DASHES), None)
            if dash is None:
                raise
            try:
                convert(value.translate(HYPHENS))
            except InvalidValue:
                raise error from None
            named = f"`{dash}` (U+{ord(dash):04X}, {unicodedata.name(dash).lower()})"
            raise WrongDash(error.message, f"write the hyphen `-` for {named}") from None

    return converted


def matched(pattern: str, value: str, what: str, hint: str) -> str:
    """Return the value if all of it fits the pattern; raises InvalidValue."""
    if re.fullmatch(pattern, value) is None:
        raise InvalidValue(f"{shown(value)} is not {what}", hint)
    return value


def text(value: str) -> str:
    """Return one line of text, composed (NFC) and without blanks around it."""
    value = _readable(value)
    if "\n" in value:
        raise InvalidValue("several lines of text where one is expected", "write it on one line")
    if len(value) > MAX_LINE:
        message = f"{len(value)} characters of text, more than {MAX_LINE}"
        raise InvalidValue(message, "shorten it or use the notes")
    return value


def markdown(value: str) -> str:
    """Return text of several lines."""
    if len(value) > MAX_NOTE:
        message = f"{len(value):,} characters of text, more than {MAX_NOTE:,}"
        raise InvalidValue(message, "name a source instead")
    return _readable(value)


def _readable(value: str) -> str:
    value = unicodedata.normalize("NFC", value.strip())
    if not value:
        raise InvalidValue("nothing stands here", "fill it in or delete the key")
    bare = value.replace("\n", "").replace("\u00a0", "")
    if not bare.isprintable() or _BLANK.search(bare):
        hidden = next(c for c in bare if not c.isprintable() or _BLANK.match(c))
        message = f"the text holds the invisible character U+{ord(hidden):04X}"
        raise InvalidValue(message, "remove the character")
    if "\ufffd" in value:
        message = "the text holds `\ufffd` (U+FFFD), which stands for a letter that was lost"
        raise InvalidValue(message, "write the letter that the source has")
    for word in value.split() if len(value) > MAX_WORD else ():
        if len(word) > (MAX_LINE if "://" in word else MAX_WORD):
            raise InvalidValue(f"{shown(word)} is a word of {len(word)} characters", "divide it")
    return value


# Bytes of UTF-8 that a program took for letters of Western Europe: `é` has become `Ã©`.
_MISREAD = re.compile(
    "[\u00c2-\u00df]{0}|[\u00e0-\u00ef]{0}{{2}}|[\u00f0-\u00f4]{0}{{3}}".format(
        "[\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]"
    )
)
_FORMULA = re.compile(r"[=+@-](?! )")  # `- ` begins a list


def doubtful(value: str) -> tuple[str, str] | None:
    """Return what is probably wrong with a text, and what to do; None where nothing is."""
    if _FORMULA.match(value):
        message = f"spreadsheets take a text that begins with `{value[0]}` for a formula"
        return message, "begin with a word"
    misread = None if value.isascii() else _MISREAD.search(value)
    if misread is None:
        return None
    raw = b"".join(bytes([ord(c)]) if ord(c) < 256 else c.encode("cp1252") for c in misread[0])
    try:
        letter = raw.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return f"`{misread[0]}` looks like a damaged `{letter}`", "write the letter that the source has"


@lru_cache(maxsize=2**15)  # files name the same players again and again
@plain_hyphens
def identifier(value: str) -> str:
    """Return an id: lower-case kebab."""
    if not _ID.fullmatch(value) or len(value) > MAX_ID:
        hint = f"write at most {MAX_ID} lower-case letters, digits and single hyphens"
        raise InvalidValue(f"{shown(value)} is not an id", hint)
    if value == RESERVED_ID:
        raise InvalidValue(f"{shown(value)} is the page of the whole list", "choose another id")
    if _DEVICE.fullmatch(value):
        raise InvalidValue(f"{shown(value)} cannot be the name of a file on Windows", "add to it")
    return value


@plain_hyphens
def number(value: str) -> float:
    """Return a number that is not negative: `2`, `2.5` or `2½`."""
    if value.startswith("-") and _NUMBER.fullmatch(value[1:]):
        raise InvalidValue(f"{shown(value)} is negative", "write a number from 0")
    if not _NUMBER.fullmatch(value):
        message = f"{shown(value)} is not a number" if value else "a number is missing"
        raise InvalidValue(message, "write it like `2`, `2.5` or `2½`")
    return float(value.rstrip("½") or 0) + (0.5 if value.endswith("½") else 0.0)


def positive(value: str) -> float:
    """Return a number above 0."""
    found = number(value)
    if found == 0:
        raise InvalidValue("0 is too small", "write a number above 0")
    return found


@plain_hyphens
def whole(value: str) -> int:
    """Return a whole number from 1."""
    return int(matched(WHOLE_PATTERN, value, "a whole number from 1", "write it like `2`"))


@plain_hyphens
def record_number(value: str) -> int:
    """Return the number of a record of a gazetteer."""
    return int(matched(RECORD_PATTERN, value, "a record number", "write it like `3081368`"))


@plain_hyphens
def latitude(value: str) -> float:
    """Return degrees north of the equator, negative in the south."""
    return _degrees(value, 90)


@plain_hyphens
def longitude(value: str) -> float:
    """Return degrees east of Greenwich, negative in the west."""
    return _degrees(value, 180)


def _degrees(value: str, most: int) -> float:
    hint = f"write degrees from -{most} to {most}, like `51.103` or `-0.126`"
    degrees = float(matched(DEGREES_PATTERN, value, "a number of degrees", hint))
    if abs(degrees) > most:
        raise InvalidValue(f"{shown(value)} is beyond {most} degrees", hint)
    return degrees + 0.0  # no negative zero


@plain_hyphens
def year(value: str) -> int:
    """Return a year from 1000 to 2999."""
    what = f"a year {YEARS}" if value.isdigit() else "a year"
    return int(matched(YEAR_PATTERN, value, what, "write four digits, like `1851`"))


def flag(value: str) -> bool:
    """Return the truth of `true` or `false`."""
    if value not in ("true", "false"):
        raise InvalidValue(f"{shown(value)} is neither true nor false", "write `true` or `false`")
    return value == "true"


@plain_hyphens
def country(value: str) -> str:
    """Return a country code or several, joined by `/` where a player changed federation."""
    return matched(COUNTRY_PATTERN, value, "a country code", "write it like `GER` or `GER/USA`")


@plain_hyphens
def one_country(value: str) -> str:
    """Return the code of one country."""
    return matched(ONE_COUNTRY_PATTERN, value, "the code of one country", "write it like `GER`")


def url(value: str) -> str:
    """Return a web address."""
    what, hint = "a web address", "write it like `https://example.org/`"
    if len(value) > MAX_LINE or not value.isprintable():
        raise InvalidValue(f"{shown(value)} is not {what}", hint)
    return matched(r"https?://[^\s<>\"]+", value, what, hint)
