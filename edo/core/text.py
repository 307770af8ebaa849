"""Text folding: plain letters for sorting, searching and ids, from names in any Latin script."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

LETTERS = {
    "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ß": "ss", "æ": "ae", "œ": "oe", "ı": "i",
}  # fmt: skip
"""Letters that Unicode does not decompose into a base letter and an accent."""
TWINS = {"ae": "a", "oe": "o", "ue": "u"}
"""Spellings of `ä`, `ö`, `ü`, from which `fold` removes the accent."""
APOSTROPHES = "'’ʼ‘`´"

_PLAIN_WORD = re.compile("[a-z0-9]+")
_LETTERS = str.maketrans(LETTERS)
_SPELT_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_APOSTROPHES = str.maketrans(dict.fromkeys(APOSTROPHES))


def fold(text: str) -> str:
    """Return the text in lower case without accents: `Löwenthal` as `lowenthal`."""
    if text.isascii():  # most names, and much faster
        return text.lower()
    decomposed = unicodedata.normalize("NFD", text.lower().translate(_LETTERS))
    return "".join(c for c in decomposed if not unicodedata.category(c).startswith("M"))


@lru_cache(maxsize=2**16)
def index_key(name: str) -> tuple[str, str]:
    """Return the key that sorts names as an English index does, without accents and marks."""
    return "".join(c for c in fold(name) if c.isalnum() or c in " ,"), name


def kebab(text: str) -> str:
    """Return the id for a text: lower-case words without accents, joined by hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", fold(text)).strip("-")


def person_kebab(name: str) -> str:
    """Return the id for `Surname, First names`: the surname and the first of the first names.

    `ä`, `ö`, `ü` are spelt out, as in the ids of most players, unlike in those of places.
    """
    surname, _, first = unicodedata.normalize("NFC", name.lower()).partition(",")
    return kebab(" ".join([surname, *first.split()[:1]]).translate(_SPELT_OUT))


def words(text: str) -> list[str]:
    """Return the words by which a search finds the text, with `ö`, `oe` and `o` all as `o`.

    Double letters become single ones, as few people remember how many there are in `Anderssen`.
    `static/folding.js` does the same in the browser, with the tables of this module.
    """
    plain = fold(text.translate(_APOSTROPHES))
    if plain.isascii():
        return [_single(word) for word in _PLAIN_WORD.findall(plain)]
    spaced = "".join(c if unicodedata.category(c)[0] in "LN" else " " for c in plain)
    return [_single(word) for word in spaced.split()]


@lru_cache(maxsize=2**16)
def _single(word: str) -> str:
    for pair, letter in TWINS.items():
        word = word.replace(pair, letter)
    neighbours = zip(word, " " + word, strict=False)
    return "".join(c for c, before in neighbours if c != before or not c.isalpha())
