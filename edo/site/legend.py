"""The marks on results, events, years and players, and the key to them on each page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from markupsafe import Markup, escape

from edo.core import formats


@dataclass(frozen=True, slots=True)
class Meaning:
    """A mark: the `word` on it and the `text` that explains it."""

    kind: str
    word: str
    text: str

    @property
    def anchor(self) -> str:
        """Return the id of the explanation, on each page with the mark and on that of all marks."""
        return f"mark-{self.kind}"


MARKS: tuple[Meaning, ...] = (
    Meaning(
        "soft",
        "soft",
        "A representative score chosen by the editor, because the source only describes the "
        "outcome; rated like any other score, with the small number of games the editor chose.",
    ),
    Meaning(
        "odds",
        "odds",
        "One of the players gave odds; expected scores and performances take them into account.",
    ),
    Meaning(
        "proportion",
        "proportion",
        "The source gives the share of the games won, not their number; rated as the small number "
        "of games that the editor chose.",
    ),
    Meaning(
        "split",
        "split",
        "Games of one event that count in several years, each with the ratings of its year.",
    ),
    Meaning("default", "default", "Decided without play; shown but never rated."),
    Meaning(
        "unrated",
        "unrated",
        "Not rated. The reason is given with the result or event or, for a player, on the player’s "
        "page.",
    ),
    Meaning(
        "uncounted",
        "uncounted",
        "Not counted in the event’s own totals; rated, unless it is marked as unrated too.",
    ),
    Meaning(
        "totals",
        "from totals",
        "Games without known results; their scores are derived from the final totals of all "
        "players and the known games, and rated.",
    ),
    Meaning(
        "guess",
        "guess",
        "Games without known results; pairings and scores are a guess that agrees with the final "
        "totals; rated.",
    ),
    Meaning(
        "classes",
        "classes",
        "A handicap by classes: players of different classes met at odds, and where these are not "
        "known, only games within a class are rated.",
    ),
    Meaning(
        "by-totals",
        "by totals",
        "Not every result of the event is known, but the totals of all players, which determine "
        "the ratings as the results would.",
    ),
    Meaning(
        "part",
        "part",
        "Some of the rated scores are an editor’s estimates, or were made at odds that are not "
        "known.",
    ),
    Meaning(
        "one-player",
        "one player’s games",
        "All or nearly all games known of the event are those of one player; they are rated only "
        "where they are known to be all that he played there.",
    ),
    Meaning("incomplete", "incomplete", "Some results of the event are missing."),
    Meaning(
        "unverified",
        "unverified",
        "The source does not say whether the results are complete.",
    ),
    Meaning(
        "gap",
        "no rated results",
        "A year without rated results between two years with some; the rating follows from these.",
    ),
    Meaning("new", "new", "Rated here for the first time: no rated result in an earlier year."),
)
"""Every mark that a result, an event, a year or a player may have."""

_OF_KIND = {meaning.kind: meaning for meaning in MARKS}


def word(kind: str) -> str:
    """Return the word on a mark. Raises KeyError for an unknown kind."""
    return _OF_KIND[kind].word


class Legend:
    """The marks used on one page, collected while it is rendered, to be explained at its foot."""

    def __init__(self) -> None:
        self._used: set[str] = set()

    def mark(self, kind: str) -> Meaning:
        """Record a mark and return its meaning. Raises KeyError for an unknown kind."""
        self._used.add(kind)
        return _OF_KIND[kind]

    def __iter__(self) -> Iterator[Meaning]:
        """Yield the meanings of the marks used so far, in the order of `MARKS`."""
        return (meaning for meaning in MARKS if meaning.kind in self._used)


GAMES = {
    "default": "by default",
    "unrated": "not rated",
    "uncounted": "not counted in the totals",
    "soft": "soft",
    "odds": "at odds",
    "split": "counted by year",
}
"""How games differ from rated games of even play (edo.rating.meetings), in words."""

_GAMES_KEPT = 1 << 12  # drawn games remembered in a process: there are few kinds


@lru_cache(_GAMES_KEPT)
def drawn_game(
    text: str,
    kinds: tuple[str, ...],
    remark: int | None,
    is_spelled: bool,
    colour: tuple[str, str] | None,
) -> Markup:
    """Return one game, or games of which only the score is known, with what is said of them.

    `remark` is the number of the annotation on the page, `colour` that of the player, `("white",
    "White")`, as a class and in words; where `is_spelled`, all is also said to screen readers.
    Raises KeyError for an unknown kind. In Python, because crosstables consist of games.
    """
    side = () if colour is None else (colour,)
    words = ", ".join([*(f"with {one[1]}" for one in side), *(GAMES[kind] for kind in kinds)])
    if colour is not None and not kinds:
        named = f"class=g{colour[0][0]}"  # most games: as short as can be
    elif not kinds:
        named = "class=game"
    else:
        marks = [one[0] for one in side] + list(kinds)
        named = f'class="{" ".join(["game", *(f"game-{mark}" for mark in marks)])}"'
    title = f' title="{escape(words)}"' if kinds else ""
    unseen = f"<span class=unseen> {escape(words)}</span>" if is_spelled and words else ""
    drawn = f"<span {named}{title}>{escape(text)}{unseen}</span>"
    if remark is not None:
        letter = formats.footnote(remark)
        note = f'<a href="#remark-{remark}" aria-label="Remark {letter}">{letter}</a>'
        drawn = f"<span class=fixed>{drawn}<sup>{note}</sup></span>"
    return Markup(drawn)
