"""A kind of mark in, the word on it and what it means out; and the marks of a page, as drawn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a mark says: `word` stands on it where it stands, `text` explains it."""

    kind: str
    word: str
    text: str

    @property
    def anchor(self) -> str:
        """Return the id of the explanation, on a page with the mark and on that of all marks."""
        return f"mark-{self.kind}"


MARKS: tuple[Meaning, ...] = (
    Meaning(
        "soft",
        "soft",
        "A representative score made up by the editor, because the source only describes the "
        "outcome; rated like any score, with the few games the editor chose.",
    ),
    Meaning(
        "odds",
        "odds",
        "One of the two gave odds; expected scores and performances take them into account.",
    ),
    Meaning(
        "proportion",
        "proportion",
        "The source gives a share of the games, not their number; rated as the few games that the "
        "editor chose.",
    ),
    Meaning(
        "split",
        "split",
        "Games of one event that count for several years, each with the ratings of its year.",
    ),
    Meaning("default", "default", "Decided without play; shown, never rated."),
    Meaning(
        "unrated",
        "unrated",
        "Not rated. The reason stands with the result or event, and of a player on the player’s "
        "own page.",
    ),
    Meaning("uncounted", "uncounted", "Rated, but not counted in the event’s own totals."),
    Meaning(
        "totals",
        "from totals",
        "Games without known results; their scores are solved from the final totals of all "
        "players, known games first, and rated.",
    ),
    Meaning(
        "guess",
        "guess",
        "Games without known results; how they were played and ended is a guess that keeps the "
        "final totals; rated.",
    ),
    Meaning("classes", "classes", "A handicap by classes; only games within a class are rated."),
    Meaning("incomplete", "incomplete", "Some results of the event are missing."),
    Meaning(
        "unverified",
        "unverified",
        "The source does not say whether these are all the results.",
    ),
    Meaning(
        "gap",
        "no rated results",
        "A year without rated results between two that have some; the rating lies on the straight "
        "line between these.",
    ),
    Meaning("new", "new", "Rated here for the first time: no rated result of an earlier year."),
)
"""Every mark that may stand beside a result, an event, a year or a player."""

_OF_KIND = {meaning.kind: meaning for meaning in MARKS}


def word(kind: str) -> str:
    """Return the word on a mark. Raises KeyError for a kind that is none of the marks."""
    return _OF_KIND[kind].word


class Legend:
    """The marks of one page, noted while it is drawn, so that its foot explains these alone."""

    def __init__(self) -> None:
        self._used: set[str] = set()

    def mark(self, kind: str) -> Meaning:
        """Note a mark and return its meaning. Raises KeyError for a kind that is none of them."""
        self._used.add(kind)
        return _OF_KIND[kind]

    def __iter__(self) -> Iterator[Meaning]:
        """Yield the meanings of the marks noted so far, in the order of the list of all."""
        return (meaning for meaning in MARKS if meaning.kind in self._used)
