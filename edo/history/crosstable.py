"""Crosstables of round-robin events, as books print them: reading, checking and writing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, zip_longest

from edo.core.model import Mark
from edo.history.notation import TOLERANCE, Cell, mirrors, number_text, parse_cell
from edo.history.reading import Located, ProblemLog
from edo.history.values import identifier, number, shown

MAX_ROWS = 250  # twice the players of the largest tournament of the period

Count = Callable[[frozenset[str], int, Mark], float]
"""How much a game of a pair, by its number, adds to its player's total [points]."""


def in_full(pair: frozenset[str], number: int, mark: Mark) -> float:
    """Return the points [points] of the game."""
    return mark.points


@dataclass(frozen=True, slots=True)
class Row:
    """One player's row; `cells` are in the order of the rows, None for himself.

    `points` [points] is what the known games, those by default included, count in the totals.
    `sound` is False where a cell could not be read; without `cells` none can be told apart.
    """

    player: str
    cells: tuple[Cell | None, ...]
    total: float | None
    line: int
    points: float
    sound: bool = True

    @property
    def has_unknown(self) -> bool:
        """Whether some game's result is not known."""
        return any(cell is not None and cell.unknown for cell in self.cells)


@dataclass(frozen=True, slots=True)
class _Line:
    """A row as it stands in the text; `place` is how messages call it."""

    player: str
    words: tuple[str, ...]
    total: str | None
    line: int
    place: str


def read_crosstable(
    log: ProblemLog, table: Located, count: Count = in_full
) -> tuple[Row, ...] | None:
    """Return the rows of a consistent table, else None with the errors logged."""
    before = log.mark()
    if table.value.count("\n") > MAX_ROWS:
        log.error(table.line, "crosstable", f"more than {MAX_ROWS} rows", "write pairings instead")
        return None
    texts = enumerate(table.value.split("\n"), table.line)
    split = [_split(log, text, line) for line, text in texts if text.strip()]
    lines = [row for row in split if row is not None]
    _check_players(log, lines)
    if len(lines) == 1:
        return None
    rows = [_read_row(log, line, index, lines, count) for index, line in enumerate(lines)]
    _check_mirrors(log, rows)
    _check_totals(log, [row for row in rows if row.sound])
    return None if log.failed_since(before) else tuple(rows)


def _split(log: ProblemLog, text: str, line: int) -> _Line | None:
    cells, bar, total = text.partition("|")
    player, *words = cells.split() or [""]
    if not player:
        log.error(line, "crosstable", "the row names no player", "begin it with the player's id")
        return None
    if player.rstrip(".").isdigit() or player.startswith("#"):
        message = f"the row begins with {shown(player)}"
        hint = "begin it with the player's id; leave places, rows of numbers and comments out"
        log.error(line, "crosstable", message, hint)
        return None
    place = f"crosstable, row {shown(player).strip('`')}"
    return _Line(player, tuple(words), total.strip() if bar else None, line, place)


def _check_players(log: ProblemLog, lines: Sequence[_Line]) -> None:
    first: dict[str, int] = {}
    for row in lines:
        at = (row.line, row.place)
        log.check_once(first, row.player, at, "the player", "keep one of the two rows")
        log.value(identifier, row.player, *at, "players")
    if len(lines) == 1:
        hint = "write it as a block of text after `|`, a row a player"
        log.error(lines[0].line, "crosstable", "a table of one row", hint)


def _read_row(log: ProblemLog, row: _Line, index: int, lines: Sequence[_Line], count: Count) -> Row:
    if len(row.words) != len(lines) and len(lines) > 1:
        message = f"{len(row.words)} cells for {len(lines)} players"
        hint = "write a cell for every row, divided by blanks, `.` for oneself, `|` before a total"
        log.error(row.line, row.place, message, hint)
        return Row(row.player, (), None, row.line, 0.0, sound=False)
    before = log.mark()
    cells = [
        _read_cell(log, row, word, lines[column].player, column == index)
        for column, word in enumerate(row.words[: len(lines)])
    ]
    points = 0.0
    for cell, other in zip(cells, lines, strict=False):
        if cell is not None and cell.marks:
            pair = frozenset((row.player, other.player))
            points += sum([count(pair, n, mark) for n, mark in enumerate(cell.marks, 1)])
    sound = not log.failed_since(before)
    total = None
    if row.total is not None:
        total = log.value(number, row.total, row.line, f"{row.place}, total")
    shifted = row.words[index] != "."
    return Row(row.player, () if shifted else tuple(cells), total, row.line, points, sound)


def _read_cell(log: ProblemLog, row: _Line, word: str, column: str, diagonal: bool) -> Cell | None:
    place = f"{row.place}, cell {column}"
    if diagonal and word != ".":
        hint = "write `.` there and look whether a cell is missing or one too many"
        log.error(row.line, row.place, f"{shown(word)} stands on the diagonal", hint)
    elif not diagonal and word == ".":
        hint = "write `_` for not played or `?` for unknown"
        log.error(row.line, place, "`.` stands outside the diagonal", hint)
    elif not diagonal:
        return log.value(parse_cell, word, row.line, place)
    return None


def _check_mirrors(log: ProblemLog, rows: Sequence[Row]) -> None:
    for (i, row), (j, other) in combinations(enumerate(rows), 2):
        if not (row.cells and other.cells):
            continue
        cell, back = row.cells[j], other.cells[i]
        if cell is not None and back is not None and not mirrors(cell, back):
            place = f"crosstable, {row.player} - {other.player}"
            both = f"`{cell}` on line {row.line} and `{back}` on line {other.line}"
            message, hint = f"{both} do not mirror each other", "correct one of the two cells"
            log.error(row.line, place, message, hint)


def _check_totals(log: ProblemLog, rows: Sequence[Row]) -> None:
    for row in rows:
        if row.total is None:
            continue
        made, total = number_text(row.points), number_text(row.total)
        at, hint = (row.line, f"crosstable, row {row.player}"), "correct a cell or the total"
        if not row.has_unknown and abs(row.total - row.points) > TOLERANCE:
            hint += "; a differing total that was published goes to `published_totals`"
            log.error(*at, f"the cells make {made}, the total is {total}", hint)
        elif row.points > row.total + TOLERANCE:
            log.error(*at, f"the known games make {made} already, the total is {total}", hint)


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
