"""Names in any script of the Latin alphabet in, the place where a reader looks for them out."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from itertools import groupby
from typing import TypeVar

T = TypeVar("T")

# Letters that do not come apart into a base letter and an accent.
_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ß": "ss", "æ": "ae", "œ": "oe", "ı": "i"}
)


def sort_key(name: str) -> tuple[str, str]:
    """Return the key that sorts names as an English index does: accents, case and marks aside."""
    plain = unicodedata.normalize("NFD", name.casefold().translate(_LETTERS))
    kept = "".join(c for c in plain if c.isalnum() or c in " ,")
    return kept, name


def letter(name: str) -> str:
    """Return the capital under which the name stands, `#` where it begins with no letter."""
    first = sort_key(name)[0][:1].upper()
    return first if first.isascii() and first.isalpha() else "#"


def by_letter(items: Iterable[T], name: Callable[[T], str]) -> list[tuple[str, list[T]]]:
    """Return the items under their letters, both in the order of the alphabet."""
    ordered = sorted(items, key=lambda item: sort_key(name(item)))
    return [(key, list(group)) for key, group in groupby(ordered, lambda item: letter(name(item)))]
