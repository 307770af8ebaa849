"""An event in; its crosstable, every pair in both of its cells, out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from edo.core.model import Event
from edo.site.pages.deduced import Deduced, deduced
from edo.site.pages.marks import EventData, GameMark

MARKS_OF_DEDUCED = 2
"""How many marks [marks] take the room of a score solved from totals, `0.7` or `1.3/2`."""

MAX_MARKS = 18
"""The most marks [marks] side by side that leave room for the scores on a page of usual width."""

Pair = frozenset[str]


@dataclass(frozen=True, slots=True)
class Cell:
    """What one player has against another.

    `kind` is `self` on the diagonal, `games` where some are known, `unplayed` and `unknown`
    where none are, `deduced` where the totals stand in for them. `has_unknown` says that there is
    at least one more game, its result unknown; `deduced` is what the totals say of such games.
    """

    kind: str
    marks: tuple[GameMark, ...] = ()
    has_unknown: bool = False
    deduced: Deduced | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """The head of a column: the player's number, and his name to spell it out."""

    number: str
    name: str


@dataclass(frozen=True, slots=True)
class RowName:
    """A player's name in two pieces: `short` suffices in this table, `rest` makes it whole."""

    short: str
    rest: str


@dataclass(frozen=True, slots=True)
class Crosstable:
    """The cells by rows and columns, both in the order of the event's players, as are `names`.

    `is_wide` says that the scores would not find room beside the cells. `kinds` are those of the
    cells, with `unknown` wherever a game has no known result.
    """

    columns: tuple[Column, ...]
    names: tuple[RowName, ...]
    cells: tuple[tuple[Cell, ...], ...]
    is_wide: bool
    kinds: frozenset[str]


def crosstable(data: EventData) -> Crosstable:
    """Return the crosstable of an event with pairings, whether its file has one or not."""
    event, players = data.event, data.dataset.players
    places, parts = _places(event), deduced(event, data.dataset.odds)
    cells = tuple(
        tuple(_cell(row, column, places, parts, data) for column in event.players)
        for row in event.players
    )
    columns = tuple(
        Column(str(number), players[player].shown_name)
        for number, player in enumerate(event.players, start=1)
    )
    names = _row_names([players[player].shown_name for player in event.players])
    return Crosstable(columns, names, cells, _width(cells) > MAX_MARKS, _kinds(cells))


def _row_names(names: Sequence[str]) -> tuple[RowName, ...]:
    """Return the names cut after the surname, those of namesakes uncut."""
    surnames = [name.partition(",")[0] for name in names]
    return tuple(
        RowName(surname, name.removeprefix(surname))
        if surnames.count(surname) == 1
        else RowName(name, "")
        for name, surname in zip(names, surnames, strict=True)
    )


def _width(cells: tuple[tuple[Cell, ...], ...]) -> int:
    """Return how many marks [marks] wide the cells are, column by column together."""
    return sum(max(1, *map(_marks_wide, column)) for column in zip(*cells, strict=True))


def _marks_wide(cell: Cell) -> int:
    return len(cell.marks) + (0 if cell.deduced is None else MARKS_OF_DEDUCED)


def _places(event: Event) -> Mapping[Pair, list[int]]:
    """Return the places of each pair's results among the event's."""
    places: dict[Pair, list[int]] = {}
    for place, result in enumerate(event.results):
        places.setdefault(frozenset((result.first, result.second)), []).append(place)
    return places


def _cell(
    row: str,
    column: str,
    places: Mapping[Pair, list[int]],
    parts: Mapping[tuple[str, str], Deduced],
    data: EventData,
) -> Cell:
    if row == column:
        return Cell("self")
    pair, part = frozenset((row, column)), parts.get((row, column))
    if pair in places:
        marks = data.seen_by(row, places[pair])
        return Cell("games", marks, pair in data.event.unknown_games and part is None, part)
    if part is not None:
        return Cell("deduced", deduced=part)
    return Cell("unplayed" if pair in data.event.not_played else "unknown")


def _kinds(cells: tuple[tuple[Cell, ...], ...]) -> frozenset[str]:
    found = {cell.kind for row in cells for cell in row}
    has_unknown = any(cell.has_unknown for row in cells for cell in row)
    found |= {f"{cell.deduced.kind}" for row in cells for cell in row if cell.deduced is not None}
    return frozenset(found | ({"unknown"} if has_unknown else set()))
