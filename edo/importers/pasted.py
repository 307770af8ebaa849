"""What pasted crosstables and lists of results have in common: names and headings."""

from __future__ import annotations

import re

from edo.core.countries import NAMES

MAX_TOTAL = 500  # [points] of a total; more is a rating or a year
_BRACKETS = re.compile(rf" *\(([A-Z]{{2,3}}|2?\d{{3}}|{'|'.join(NAMES.values())})\)")
BEFORE_NAME = re.compile(r"[=T]?\d{1,3}\.?(-\d{1,3})?[.):=]*|W?[GIFC]M")  # rank and title
BESIDE_NAME = re.compile(r"\d{1,4}([.,]\d+|½)?|[A-Z]{3}|[mwf]?[gmfc]|W?[GIFC]M|[-=.]+")
NAME_HEADS = frozenset(("name", "names", "player", "players", "spieler", "joueur", "jugador"))
HEADS = NAME_HEADS | {
    "pts", "points", "total", "score", "rank", "rating", "punkte", "country", "sum",
}  # fmt: skip
"""Words of a heading, of which those of `NAME_HEADS` stand above the names."""


def bare_name(text: str) -> str:
    """Return a name without rank, title, country and rating; `(2)` and `(Leeds)` are kept."""
    words = _BRACKETS.sub("", text).split()
    while len(words) > 1 and (BEFORE_NAME.fullmatch(words[0]) or words[0] in NAMES):
        words.pop(0)
    while len(words) > 1 and BESIDE_NAME.fullmatch(words[-1]) and words[-2][-1] != ",":
        words.pop()
    return " ".join(words).strip("* ")
