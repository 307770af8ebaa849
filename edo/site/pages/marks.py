"""The results of two players in; their games as one of them sees them, mark by mark, out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from edo.core import formats
from edo.core.model import Colour, Dataset, Event
from edo.rating.edo import Ratings
from edo.rating.pairings import left_out
from edo.site.pages.remarks import Remark, Remarks, remarks
from edo.site.pages.sides import Encounter, encounters, shown_marks


@dataclass(frozen=True, slots=True)
class GameMark:
    """One game, or games of which only the score is known, from one player's side.

    `kinds` say how it differs from a rated game of even play, and the colour the player had:
    `white`, `black`, `default`, `unrated`, `uncounted`, `soft`, `odds`, `split` (over years).
    `remark` is what is said of it; of several games that share it, the last one has it.
    """

    text: str
    kinds: tuple[str, ...] = ()
    remark: Remark | None = None

    @property
    def words(self) -> str | None:
        """Return the kinds in words, None where there is nothing to say."""
        return ", ".join(_WORDS[kind] for kind in self.kinds) or None


_WORDS = {
    "white": "with White",
    "black": "with Black",
    "default": "by default",
    "unrated": "not rated",
    "uncounted": "not counted in the totals",
    "soft": "soft",
    "odds": "at odds",
    "split": "counted apart by year",
}


@dataclass(frozen=True, slots=True)
class EventData:
    """An event and all that its tables are made from; results are named by their places in it."""

    event: Event
    dataset: Dataset
    ratings: Ratings
    remarks: Remarks

    @classmethod
    def of(cls, event: Event, dataset: Dataset, ratings: Ratings) -> EventData:
        """Return an event with what is said of its results."""
        return cls(event, dataset, ratings, remarks(event, dataset))

    def part(self, places: Iterable[int]) -> Event:
        """Return the event with these results alone."""
        return replace(self.event, results=tuple(self.event.results[i] for i in places))

    def kinds(self) -> frozenset[str]:
        """Return all the kinds of marks in the event, `colourless` where a game has no colour."""
        places = range(len(self.event.results))
        marks = [m for i in places for m in self._marks(self.event.results[i].first, i)]
        has_colourless = any(not {"white", "black"} & set(mark.kinds) for mark in marks)
        kinds = frozenset(kind for mark in marks for kind in mark.kinds)
        return kinds | {"colourless"} if has_colourless else kinds

    def seen_by(self, player: str, places: Iterable[int]) -> tuple[GameMark, ...]:
        """Return the player's marks of some results, in their order."""
        ordered = sorted(places, key=lambda place: (self.event.results[place].number or 0, place))
        return tuple(mark for place in ordered for mark in self._marks(player, place))

    def _marks(self, player: str, place: int) -> Iterator[GameMark]:
        remark = self.remarks.of_result.get(place)
        for encounter in encounters([self.event.results[place]], player):
            kinds = self._kinds(encounter)
            shown = _shown(encounter, player)
            for number, (text, colour) in enumerate(shown, start=1):
                is_last = number == len(shown)
                yield GameMark(text, colour + kinds, remark if is_last else None)

    def _kinds(self, encounter: Encounter) -> tuple[str, ...]:
        result = encounter.result
        is_default = result.default is not None
        reason = left_out(self.event, result, self.dataset.odds)
        kinds = {
            "default": is_default,
            "unrated": reason is not None and not is_default,
            "uncounted": result.uncounted is not None,
            "soft": result.soft is not None,
            "odds": result.odds is not None,
            "split": result.year is not None,
        }
        return tuple(kind for kind, applies in kinds.items() if applies)


def _shown(encounter: Encounter, player: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return text and colour of each game; a score without games is a single text."""
    if not encounter.marks:
        return [(_score_alone(encounter), ())]
    is_first = player == encounter.result.first
    return [
        (shown_marks([value]), _colour(mark.colour, is_first))
        for value, mark in zip(encounter.marks, encounter.result.marks, strict=True)
    ]


def _score_alone(encounter: Encounter) -> str:
    points, games = formats.score(encounter.points), encounter.games
    if encounter.result.draws is not None and encounter.tally is not None:
        return formats.tally(*encounter.tally)
    year = "" if encounter.result.year is None else f" ({encounter.result.year})"
    return f"{points if games == 1 else f'{points}/{formats.score(games)}'}{year}"


def _colour(first_had: Colour | None, is_first: bool) -> tuple[str, ...]:
    if first_had is None:
        return ()
    return ("white",) if (first_had == "w") == is_first else ("black",)
