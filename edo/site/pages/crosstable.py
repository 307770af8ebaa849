"""Crosstables: every pair of players in both of its cells, as the player of the row sees it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from markupsafe import Markup

from edo.core import formats
from edo.core.model import Event, Mark, Player
from edo.rating.meetings import Meeting, Meetings, PlayerResult
from edo.site.legend import drawn_game
from edo.site.pages.annotations import Annotation

MAX_WIDTH = 18
"""The most marks [marks] side by side that leave room for the scores on a page of usual width."""


def shown_marks(marks: Iterable[Mark]) -> str:
    """Return games as a crosstable prints them: `1 ½ 0`."""
    return " ".join(formats.mark(mark) for mark in marks)


def kinds_of(results: Iterable[PlayerResult]) -> frozenset[str]:
    """Return what the legend has to explain: the kinds of the results, and `coloured` games.

    `colourless` is added where the colours of some games are not known.
    """
    kinds: set[str] = set()
    colours: set[str | None] = set()
    for result in results:
        kinds.update(result.kinds)
        colours.update([mark.colour for mark in result.marks] or (None,))
    if colours - {None}:
        kinds.add("coloured")
    if None in colours:
        kinds.add("colourless")
    return frozenset(kinds)


@dataclass(frozen=True, slots=True)
class Cell:
    """The games of one player against another.

    `kind` is `self` on the diagonal, `games` where some are known, `unplayed` and `unknown`
    where none are, `deduced` where the totals stand in for them. `has_unknown` says that there is
    at least one more game, its result unknown.
    """

    kind: Literal["self", "games", "unplayed", "unknown", "deduced"]
    meeting: Meeting | None = None
    has_unknown: bool = False


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


def crosstable(event: Event, table: Meetings, players: Mapping[str, Player]) -> Crosstable:
    """Return the crosstable of an event with pairings, whether its file has one or not."""

    def cell(row: str, column: str) -> Cell:
        pair, meeting = frozenset((row, column)), table.get(row, {}).get(column)
        if row == column:
            return Cell("self")
        if meeting is None:
            return Cell("unplayed" if pair in event.not_played else "unknown")
        if not meeting.results:
            return Cell("deduced", meeting)
        return Cell("games", meeting, meeting.deduced is not None or pair in event.unknown_games)

    cells = tuple(tuple(cell(row, column) for column in event.players) for row in event.players)
    return Crosstable(
        names=split_names([players[player].shown_name for player in event.players]),
        cells=cells,
        is_wide=sum(max(map(_width, column)) for column in zip(*cells, strict=True)) > MAX_WIDTH,
        kinds=_kinds_of_cells([cell for row in cells for cell in row]),
    )


Colours = Mapping[str | None, tuple[str, str]]
"""The colours of a game, as marks have them, each as a class and in words."""


def drawn_games(
    results: Iterable[PlayerResult],
    footnotes: Mapping[int, Annotation],
    colours: Colours,
    is_spelled: bool = False,
) -> Markup:
    """Return all games of several results; `footnotes` are by the places of the results.

    The number of an annotation stands at the last game of its result. Where games are not known one
    by one, their score stands for them.
    """
    drawn: list[str] = []
    for one in results:
        kinds, remark = one.kinds, footnotes.get(one.place)
        number = None if remark is None else remark.number
        last = len(one.marks) - 1
        for k, mark in enumerate(one.marks):
            shown, noted = formats.mark(mark), number if k == last else None
            drawn.append(drawn_game(shown, kinds, noted, is_spelled, colours.get(mark.colour)))
        if last < 0:
            drawn.append(drawn_game(_score(one), kinds, number, is_spelled, None))
    return Markup("".join(drawn))


def _score(one: PlayerResult) -> str:
    """Return the score of games that are not known one by one."""
    if one.result.draws is not None and one.tally is not None:
        return formats.tally(*one.tally)
    games = "" if one.games == 1 else f"/{formats.score(one.games)}"
    year = "" if one.result.year is None else f" ({one.result.year})"
    return f"{formats.score(one.points)}{games}{year}"


def drawn_cells(
    cells: Iterable[Cell], footnotes: Mapping[int, Annotation], colours: Colours
) -> Markup:
    """Return a row of cells as HTML. In Python, because events consist of them."""
    drawn = []
    for cell in cells:
        if cell.kind == "games" and cell.meeting is not None:
            more = "<span class=unknown>?</span>" if cell.has_unknown else ""
            games = _plain(cell, footnotes)
            if games is None:
                games = drawn_games(cell.meeting.results, footnotes, colours)
            drawn.append(f"<td>{games}{more}")
        else:
            drawn.append(_EMPTY[cell.kind])
    return Markup("".join(drawn))


def _plain(cell: Cell, footnotes: Mapping[int, Annotation]) -> str | None:
    """Return the only game of a cell, of which there is nothing to say; None of other cells."""
    if cell.meeting is None or len(cell.meeting.results) != 1:
        return None
    (one,) = cell.meeting.results
    if len(one.marks) != 1 or one.marks[0].colour or one.place in footnotes or one.kinds:
        return None
    return formats.mark(one.marks[0])


_EMPTY = {
    "self": "<td class=self>",
    "unknown": "<td class=unknown>",
    "deduced": "<td class=unknown>",
    "unplayed": f"<td class=unplayed>{formats.DASH}",
}
"""Cells without a game."""


def split_names(names: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return the names cut after the surname, those of namesakes uncut."""
    surnames = [name.partition(",")[0] for name in names]
    return tuple(
        (surname, name.removeprefix(surname)) if surnames.count(surname) == 1 else (name, "")
        for name, surname in zip(names, surnames, strict=True)
    )


def _width(cell: Cell) -> int:
    """Return how many marks [marks] wide a cell is."""
    if cell.meeting is None:
        return 1
    marks = sum(max(1, len(result.marks)) for result in cell.meeting.results)
    return max(1, marks + (1 if marks and cell.meeting.deduced is not None else 0))


def _kinds_of_cells(cells: Sequence[Cell]) -> frozenset[str]:
    kinds: set[str] = {cell.kind for cell in cells}
    for cell in cells:
        by_totals = None if cell.meeting is None else cell.meeting.deduced
        if by_totals is not None:
            kinds.add(by_totals.kind)
        elif cell.has_unknown:
            kinds.add("unknown")
    return frozenset(kinds)
