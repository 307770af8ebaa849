"""Crosstables: results as one of the two players sees them, every pair in both of its cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal, NamedTuple

from edo.core import formats
from edo.core.model import Dataset, Event, Mark, OddsKind, Result
from edo.history.notation import opposite
from edo.rating.coverage import left_out
from edo.rating.edo import Ratings
from edo.rating.games import Side, rows_from_totals
from edo.site.pages.annotations import Annotation, annotate

MANY = 7  # results with one and the same annotation, whose marks would say nothing but clutter
IN_LEGEND = ("default", "unrated", "uncounted")
"""The kinds of results that the legend explains with a remark."""

MAX_WIDTH = 18
"""The most marks [marks] side by side that leave room for the scores on a page of usual width."""


class Encounter(NamedTuple):
    """A result as one of its players sees it; `marks` are his games, where they are known.

    `kinds` say how it differs from rated games of even play: default, unrated, uncounted, soft,
    odds, split (over years). They and the annotation are only there where a page shows them.
    """

    opponent: str
    points: float
    games: float
    marks: tuple[Mark, ...]
    result: Result
    kinds: tuple[str, ...] = ()
    annotation: Annotation | None = None

    @property
    def odds(self) -> Literal["gave", "received"] | None:
        """Return whether the player gave or received odds, None for even play."""
        if self.result.odds is None:
            return None
        return "received" if self.result.odds.giver == self.opponent else "gave"

    @property
    def tally(self) -> tuple[float, float, float] | None:
        """Return the games won, drawn and lost from this side, None where it is not known."""
        tally = self.result.tally
        is_second = self.opponent == self.result.first
        return tally[::-1] if tally is not None and is_second else tally


def encounters(results: Iterable[Result], player: str, *shown: Any) -> Iterator[Encounter]:
    """Yield a player's results from his side, in order; `shown` are their kinds and annotation."""
    for one in results:
        if player == one.first:
            yield Encounter(one.second, one.points_first, one.games, one.marks, one, *shown)
        elif player == one.second:
            marks = tuple([_mirrored(mark, one.points_second == 0) for mark in one.marks])
            yield Encounter(one.first, one.points_second, one.games, marks, one, *shown)


@cache
def _mirrored(mark: Mark, is_lost: bool) -> Mark:
    """Return the mark from the other side; a game that both forfeited stays `-`."""
    turned = opposite(mark)
    return replace(turned, value="-") if is_lost and mark.value == "-" else turned


def shown_marks(marks: Iterable[Mark]) -> str:
    """Return games as a crosstable prints them: `1 ½ 0`."""
    return " ".join(formats.mark(mark) for mark in marks)


@dataclass(frozen=True, slots=True)
class Deduced:
    """Points [points] of a number of games [games] without results, by the totals of the event.

    `odds` says whether the player gave or received odds in them, None at even play.
    """

    kind: Literal["totals", "guess"]
    points: float
    games: float
    odds: Literal["gave", "received"] | None = None


def deduced(event: Event, odds: Mapping[str, OddsKind]) -> dict[tuple[str, str], Deduced]:
    """Return the score of each player against each other that the totals give to unknown games.

    Of an event with nothing but totals there is no table to fill, and nothing is returned.
    """
    if not event.results or event.unrated is not None:
        return {}
    found: dict[tuple[str, str], Deduced] = {}
    for one in rows_from_totals(event, odds):
        if one.basis != "results":
            for own, other, score in (
                (one.first, one.second, one.score),
                (one.second, one.first, one.games - one.score),
            ):
                part = Deduced(one.basis, score, one.games, _direction(own, other))
                found[own.player, other.player] = part
    return found


def _direction(own: Side, other: Side) -> Literal["gave", "received"] | None:
    if own.odds is not None:
        return "gave"
    return None if other.odds is None else "received"


@dataclass(frozen=True, slots=True)
class EventData:
    """An event with the annotations on its results, which are named by their places in it."""

    event: Event
    dataset: Dataset
    ratings: Ratings
    annotations: Mapping[int, Annotation]
    common: Mapping[str, Annotation]

    @classmethod
    def of(cls, event: Event, dataset: Dataset, ratings: Ratings) -> EventData:
        """Return the event with its annotations."""
        annotations = annotate(event, dataset)
        return cls(event, dataset, ratings, annotations, _common(annotations.values()))

    def mark(self, place: int) -> Annotation | None:
        """Return the annotation that is marked at a result; one in common is in the legend."""
        own = self.annotations.get(place)
        return None if own in self.common.values() else own

    def part(self, places: Iterable[int]) -> Event:
        """Return the event with only these results."""
        return replace(self.event, results=tuple(self.event.results[i] for i in places))

    def all(self) -> tuple[Encounter, ...]:
        """Return all results, each as its first-named player sees it."""
        results = self.event.results
        return tuple(one for i, r in enumerate(results) for one in self.seen_by(r.first, [i]))

    def seen_by(self, player: str, places: Iterable[int]) -> tuple[Encounter, ...]:
        """Return some of the player's results from his side, in the order of their games."""
        results = self.event.results
        ordered = sorted(places, key=lambda place: (results[place].number or 0, place))
        return tuple(
            seen
            for one, place in ((results[place], place) for place in ordered)
            for seen in encounters([one], player, self._kinds(one), self.mark(place))
        )

    def _kinds(self, result: Result) -> tuple[str, ...]:
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


def _common(annotations: Iterable[Annotation]) -> dict[str, Annotation]:
    """Return by kind the annotation that many results share, if it says nothing else of them.

    Their looks tell their kind, so that the legend can have the one mark for all of them.
    """
    found: dict[str, Annotation] = {}
    for one in annotations:
        (kind, _), *more = one.points or (("note", None),)
        if kind in IN_LEGEND and not more and len(one.about) >= MANY:
            found[kind] = max(one, found.get(kind, one), key=lambda one: len(one.about))
    return found


def kinds_of(shown: Sequence[Encounter]) -> frozenset[str]:
    """Return what the legend has to explain: the kinds of the results, and `coloured` games.

    `colourless` is added where the colours of some games are not known.
    """
    kinds = {kind for one in shown for kind in one.kinds}
    if any(mark.colour is not None for one in shown for mark in one.marks):
        kinds.add("coloured")
    if any(not one.marks or any(mark.colour is None for mark in one.marks) for one in shown):
        kinds.add("colourless")
    return frozenset(kinds)


@dataclass(frozen=True, slots=True)
class Cell:
    """The games of one player against another.

    `kind` is `self` on the diagonal, `games` where some are known, `unplayed` and `unknown`
    where none are, `deduced` where the totals stand in for them. `has_unknown` says that there is
    at least one more game, its result unknown; `deduced` is the score of such games by the totals.
    """

    kind: Literal["self", "games", "unplayed", "unknown", "deduced"]
    games: tuple[Encounter, ...] = ()
    has_unknown: bool = False
    deduced: Deduced | None = None


@dataclass(frozen=True, slots=True)
class Crosstable:
    """The cells by rows and columns, both in the order of the event's players, as are `names`.

    A name is cut in two: the first part suffices in this table, the other completes it. `is_wide`
    says that there is no room for the scores beside the cells. `kinds` are those of the cells, with
    `unknown` wherever a game has no known result.
    """

    names: tuple[tuple[str, str], ...]
    cells: tuple[tuple[Cell, ...], ...]
    is_wide: bool
    kinds: frozenset[str]


def crosstable(data: EventData) -> Crosstable:
    """Return the crosstable of an event with pairings, whether its file has one or not."""
    event = data.event
    places: dict[frozenset[str], list[int]] = {}
    for place, result in enumerate(event.results):
        places.setdefault(frozenset((result.first, result.second)), []).append(place)
    parts = deduced(event, data.dataset.odds)

    def cell(row: str, column: str) -> Cell:
        pair, part = frozenset((row, column)), parts.get((row, column))
        if row == column:
            return Cell("self")
        if pair in places:
            has_unknown = pair in event.unknown_games and part is None
            return Cell("games", data.seen_by(row, places[pair]), has_unknown, part)
        if part is not None:
            return Cell("deduced", deduced=part)
        return Cell("unplayed" if pair in event.not_played else "unknown")

    cells = tuple(tuple(cell(row, column) for column in event.players) for row in event.players)
    return Crosstable(
        names=split_names([data.dataset.players[player].shown_name for player in event.players]),
        cells=cells,
        is_wide=sum(max(map(_width, column)) for column in zip(*cells, strict=True)) > MAX_WIDTH,
        kinds=_kinds_of_cells([one for row in cells for one in row]),
    )


def split_names(names: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return the names cut after the surname, those of namesakes uncut."""
    surnames = [name.partition(",")[0] for name in names]
    return tuple(
        (surname, name.removeprefix(surname)) if surnames.count(surname) == 1 else (name, "")
        for name, surname in zip(names, surnames, strict=True)
    )


def _width(cell: Cell) -> int:
    """Return how many marks [marks] wide a cell is."""
    marks = sum(max(1, len(one.marks)) for one in cell.games)
    return max(1, marks + (1 if marks and cell.deduced is not None else 0))


def _kinds_of_cells(cells: Sequence[Cell]) -> frozenset[str]:
    found: set[str] = {cell.kind for cell in cells}
    found |= {cell.deduced.kind for cell in cells if cell.deduced is not None}
    if any(cell.has_unknown for cell in cells):
        found.add("unknown")
    return frozenset(found)
