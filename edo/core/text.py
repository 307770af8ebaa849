"""Text in any Latin script in, the plain letters by which it is sorted and found out."""

from __future__ import annotations

import re
import unicodedata

LETTERS = {
    "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ß": "ss", "æ": "ae", "œ": "oe", "ı": "i",
}  # fmt: skip
"""Letters that do not come apart into a base letter and an accent."""
TWINS = {"ae": "a", "oe": "o", "ue": "u"}
"""Pairs that are also written as one letter with an accent, which `fold` takes away."""
APOSTROPHES = "'’ʼ‘`´"

_LETTERS = str.maketrans(LETTERS)
_SPELT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_APOSTROPHES = str.maketrans(dict.fromkeys(APOSTROPHES))


def fold(text: str) -> str:
    """Return the text in small letters without accents: `Löwenthal` as `lowenthal`."""
    apart = unicodedata.normalize("NFD", text.lower().translate(_LETTERS))
    return "".join(c for c in apart if not unicodedata.category(c).startswith("M"))


def kebab(text: str) -> str:
    """Return the id that a text makes: lower-case words without accents, divided by hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", fold(text)).strip("-")


def person_kebab(name: str) -> str:
    """Return the id that `Surname, First names` makes, of the surname and the first of these.

    `ä`, `ö`, `ü` are spelt out, as in the ids of most players; in those of places they are not.
    """
    surname, _, first = unicodedata.normalize("NFC", name.lower()).partition(",")
    return kebab(" ".join([surname, *first.split()[:1]]).translate(_SPELT))


def words(text: str) -> list[str]:
    """Return the words by which a search finds the text; `ö`, `oe` and `o` are the same there.

    So are one letter and two of a kind: few remember how many there are in `Anderssen`.
    `templates/static/folding.js` does the same in the browser, with the same tables.
    """
    plain = fold(text.translate(_APOSTROPHES))
    spaced = "".join(c if unicodedata.category(c)[0] in "LN" else " " for c in plain)
    return [_single(word) for word in spaced.split()]


def _single(word: str) -> str:
    for pair, letter in TWINS.items():
        word = word.replace(pair, letter)
    return "".join(c for c, before in zip(word, " " + word, strict=False) if _differs(c, before))


def _differs(letter: str, before: str) -> bool:
    return letter != before or not letter.isalpha()
