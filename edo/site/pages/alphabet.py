"""Names in any script of the Latin alphabet in, the place where a reader looks for them out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import TypeVar

from edo.core.text import fold

T = TypeVar("T")


def sort_key(name: str) -> tuple[str, str]:
    """Return the key that sorts names as an English index does: accents, case and marks aside."""
    kept = "".join(c for c in fold(name) if c.isalnum() or c in " ,")
    return kept, name


def letter(name: str) -> str:
    """Return the capital under which the name stands, `#` where it begins with no letter."""
    first = sort_key(name)[0][:1].upper()
    return first if first.isascii() and first.isalpha() else "#"


def by_letter(items: Iterable[T], name: Callable[[T], str]) -> list[tuple[str, list[T]]]:
    """Return the items under their letters, both in the order of the alphabet."""
    ordered = sorted(items, key=lambda item: sort_key(name(item)))
    return [(key, list(group)) for key, group in groupby(ordered, lambda item: letter(name(item)))]
