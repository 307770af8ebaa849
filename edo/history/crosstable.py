"""A crosstable as books print it, a block of text, comes in; checked cells go out, and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, zip_longest

from edo.core.model import Mark
from edo.history.notation import TOLERANCE, Cell, mirrors, number_text, parse_cell
from edo.history.reading import Desk, Worded
from edo.history.values import Refused, identifier, number, shown

MAX_ROWS = 250  # twice the players of the largest tournament of the period

Count = Callable[[frozenset[str], int, Mark], float]
"""What a game of a pair, by its number, gives its player in the event's totals [points]."""


def _in_full(pair: frozenset[str], number: int, mark: Mark) -> float:
    return mark.points


@dataclass(frozen=True, slots=True)
class Row:
    """One player's row; `cells` are in the order of the rows, None for himself.

    `points` [points] is what the known games, those by default included, count in the totals.
    """

    player: str
    cells: tuple[Cell | None, ...]
    total: float | None
    line: int
    points: float

    @property
    def has_unknown(self) -> bool:
        """Whether some game's result is not known."""
        return any(cell is not None and cell.unknown for cell in self.cells)


@dataclass(frozen=True, slots=True)
class _Line:
    """A row as it stands in the text."""

    player: str
    words: tuple[str, ...]
    total: str | None
    line: int

    @property
    def place(self) -> str:
        return f"crosstable, row {shown(self.player).strip('`')}"


def read_crosstable(desk: Desk, table: Worded, count: Count = _in_full) -> tuple[Row, ...] | None:
    """Return the rows of a table that is right in itself, else None with the errors noted."""
    before = len(desk.problems)
    if table.value.count("\n") > MAX_ROWS:
        desk.error(table.line, "crosstable", f"more than {MAX_ROWS} rows", "write pairings instead")
        return None
    lines = [
        split
        for number_, text in enumerate(table.value.split("\n"))
        if text.strip() and (split := _split(desk, text, table.line + number_))
    ]
    _check_players(desk, lines)
    if len(lines) == 1:
        return None
    rows = [_read_row(desk, line, index, lines, count) for index, line in enumerate(lines)]
    if len(desk.problems) == before:
        _check_mirrors(desk, rows)
        _check_totals(desk, rows)
    return tuple(rows) if len(desk.problems) == before else None


def _split(desk: Desk, text: str, line: int) -> _Line | None:
    cells, bar, total = text.partition("|")
    player, *words = cells.split() or [""]
    if not player:
        desk.error(line, "crosstable", "the row names no player", "begin it with the player's id")
        return None
    if player.rstrip(".").isdigit():
        desk.error(
            line,
            "crosstable",
            f"the row begins with the number {shown(player)}",
            "begin it with the player's id, without his place; leave a row of numbers out",
        )
        return None
    return _Line(player, tuple(words), total.strip() if bar else None, line)


def _check_players(desk: Desk, lines: Sequence[_Line]) -> None:
    first: dict[str, int] = {}
    for row in lines:
        if row.player in first:
            desk.error(
                row.line,
                row.place,
                f"the player stands twice (first on line {first[row.player]})",
                "keep one of the two rows",
            )
        first.setdefault(row.player, row.line)
        try:
            desk.knows("players", identifier(row.player), row.line, row.place)
        except Refused as refused:
            desk.error(row.line, row.place, refused.message, refused.hint)
    if len(lines) == 1:
        desk.error(
            lines[0].line,
            "crosstable",
            "a table of one row",
            "write it as a block of text after `|`, a row a player",
        )


def _read_row(desk: Desk, row: _Line, index: int, lines: Sequence[_Line], count: Count) -> Row:
    if len(row.words) != len(lines) and len(lines) > 1:
        desk.error(
            row.line,
            row.place,
            f"{len(row.words)} cells for {len(lines)} players",
            "write one cell for every row, divided by blanks, `.` for oneself",
        )
        return Row(row.player, (), None, row.line, 0.0)
    cells = [
        _read_cell(desk, row, word, lines[column].player, column == index)
        for column, word in enumerate(row.words[: len(lines)])
    ]
    points = sum(
        count(frozenset((row.player, other.player)), number_, mark)
        for cell, other in zip(cells, lines, strict=False)
        if cell is not None
        for number_, mark in enumerate(cell.marks, 1)
    )
    return Row(row.player, tuple(cells), _read_total(desk, row), row.line, points)


def _read_cell(desk: Desk, row: _Line, word: str, column: str, diagonal: bool) -> Cell | None:
    if diagonal or word == ".":
        if not (diagonal and word == "."):
            _wrong_diagonal(desk, row, word, column)
        return None
    try:
        return parse_cell(word)
    except Refused as refused:
        desk.error(row.line, f"{row.place}, cell {column}", refused.message, refused.hint)
        return None


def _wrong_diagonal(desk: Desk, row: _Line, word: str, column: str) -> None:
    if word == ".":
        desk.error(
            row.line,
            f"{row.place}, cell {column}",
            "`.` stands outside the diagonal",
            "write `_` for not played or `?` for unknown",
        )
    else:
        desk.error(
            row.line,
            row.place,
            f"{shown(word)} stands on the diagonal",
            "write `.` there and look whether a cell is missing or one too many",
        )


def _read_total(desk: Desk, row: _Line) -> float | None:
    if row.total is None:
        return None
    try:
        return number(row.total)
    except Refused as refused:
        desk.error(row.line, f"{row.place}, total", refused.message, refused.hint)
        return None


def _check_mirrors(desk: Desk, rows: Sequence[Row]) -> None:
    for (i, row), (j, other) in combinations(enumerate(rows), 2):
        cell, back = row.cells[j], other.cells[i]
        if cell is not None and back is not None and not mirrors(cell, back):
            desk.error(
                row.line,
                f"crosstable, {row.player} - {other.player}",
                f"`{cell}` on line {row.line} and `{back}` on line {other.line} "
                "do not mirror each other",
                "correct one of the two cells",
            )


def _check_totals(desk: Desk, rows: Sequence[Row]) -> None:
    for row in rows:
        if row.total is None:
            continue
        place = f"crosstable, row {row.player}"
        if not row.has_unknown and abs(row.total - row.points) > TOLERANCE:
            desk.error(
                row.line,
                place,
                f"the cells make {number_text(row.points)}, the total is {number_text(row.total)}",
                "correct a cell or the total; a differing total that was published "
                "goes to `published_totals`",
            )
        elif row.points > row.total + TOLERANCE:
            desk.error(
                row.line,
                place,
                f"the known games make {number_text(row.points)} already, the total is "
                f"{number_text(row.total)}",
                "correct a cell or the total",
            )


def write(
    players: Sequence[str],
    cells: Sequence[Sequence[Cell | str | None]],
    totals: Sequence[float | None] | None = None,
) -> str:
    """Return the canonical, aligned text of a crosstable, a line a player, with a last newline.

    `cells` is square, in the order of the players; None (or `.`) stands for oneself.
    """
    rows = [
        " ".join([player, *("." if cell is None else str(cell) for cell in row)])
        for player, row in zip(players, cells, strict=True)
    ]
    for index, total in enumerate(totals or ()):
        if total is not None:
            rows[index] += f" | {number_text(total)}"
    return aligned("\n".join(rows))


def aligned(block: str) -> str:
    """Return a block of rows with its columns aligned, a line a row, with a last newline.

    What stands behind a `|` is the last column; a row need not have it, nor all the others.
    """
    rows = [text.partition("|") for text in block.split("\n") if text.strip()]
    words = [before.split() for before, _, _ in rows]
    widths = [max(map(len, filter(None, column))) for column in zip_longest(*words)]
    lines = []
    for (_, bar, total), row in zip(rows, words, strict=True):
        filled = [*row, *[""] * (len(widths) - len(row))]
        padded = [word.ljust(width) for word, width in zip(filled, widths, strict=True)]
        lines.append("  ".join([*padded, f"| {total.strip()}"] if bar else padded).rstrip())
    return "".join(f"{line}\n" for line in lines)
