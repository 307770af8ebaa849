"""Printed crosstables, as pasted from the web or a spreadsheet, as rows of results to import.

A crosstable stands in HTML, in CSV or in columns of text: a row a player, a cell for each row in
the same order, the player's own blank, `X` or `*`. Ranks, countries, titles and ratings before the
cells are left aside; the first number behind them is the total. Cells hold games (`1`, `½`, `0`,
`=`, `.5`, `10`; `+` and `-` by default) or the points of several; blank, `-` or `?` is not known.
"""

from __future__ import annotations

import re
from calendar import month_abbr
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from edo.core.text import fold
from edo.history import values
from edo.history.crosstable import MAX_ROWS
from edo.history.notation import (
    TOLERANCE,
    Cell,
    mirrors,
    number_text,
    opposite,
    parse_cell,
)
from edo.history.reading import Known, ProblemLog
from edo.history.values import HYPHENS, InvalidValue, number, shown
from edo.importers.from_table import Tables
from edo.importers.grid import Grid, GridRow, read_grids
from edo.importers.pasted import (
    BEFORE_NAME,
    BESIDE_NAME,
    HEADS,
    MAX_TOTAL,
    NAME_HEADS,
    PrintedScore,
    bare_name,
    result_row,
    tables_of,
)
from edo.importers.people import nobody
from edo.importers.table import EventRow

MAX_BEHIND = 8  # [columns] behind the cells: totals, tie-breaks, prizes
LEAST = 3  # [players] two make a match, which is a line of a list
MOST_POINTS = 100  # [points] of a cell; more is a rating

_OWN = re.compile(r"[x×✕✖*#■█▪◼⬛▓░◆●•·\\╲_.-]*", re.I)
_OPEN = re.compile(r"[?_.-]*")
_NUMBER = values.NUMBER_PATTERN.replace("(", "(?:")
_DATE = re.compile(rf"\b\d\d?-({'|'.join(month_abbr[1:])})\b")
_GAMES = {1.0: parse_cell("1"), 0.5: parse_cell("½"), 0.0: parse_cell("0")}

Place = tuple[int, int]


class _Cut(NamedTuple):
    """A row cut into what stands before the cells, the cells, and what stands behind them."""

    left: Sequence[str]
    cells: tuple[str, ...]
    behind: Sequence[str]

    def __bool__(self) -> bool:
        return bool(self.cells)


_NO_CUT = _Cut((), (), ())


class _Read(NamedTuple):
    """What a printed cell can say: games one by one, or the points [points] of several, of both."""

    games: Cell | None
    points: float | None
    against: float | None = None


class _Line(NamedTuple):
    """A player's row: the name, a cell for each row (none where they cannot be told), the total."""

    name: str
    cells: tuple[str, ...]
    total: float | None
    line: int

    @property
    def place(self) -> str:
        return f"row {shown(self.name).strip('`')}"


def read_crosstable(text: str, path: Path, event: EventRow) -> Tables:
    """Return the crosstable of a text as rows of results. Raises InputError with all errors."""
    log = ProblemLog(path.as_posix(), Known({}))
    tables = [lines for grid in read_grids(text) if (lines := _lines(log, grid))]
    if not tables:
        hint = "paste three rows or more: a player, a cell for each row in order, and the total"
        if date := _DATE.search(text):
            hint = f"correct `{date[0]}`, perhaps a score that a spreadsheet took for a date"
        log.error(1, "", "no crosstable is found", hint)
    for second in tables[1:]:
        log.error(second[0].line, "", "a second crosstable begins here", "paste one at a time")
    lines = tables[0] if tables else []
    _check_names(log, lines)
    pairs = _pairs(log, lines)
    log.refuse()
    rows = [
        result_row(event, lines[i].line, (lines[i].name, lines[j].name), score)
        for (i, j), games in pairs.items()
        for score in games
    ]
    for rank, line in enumerate(lines, 1):
        if line.total is not None:
            rows.append(
                result_row(event, line.line, (line.name, ""), PrintedScore(line.total, 0.0), rank)
            )
    warnings = [*_totals_that_differ(lines, pairs)]
    possible = len(lines) * (len(lines) - 1) // 2
    if unknown := possible - len(pairs):
        warnings.append(f"no result is known for {unknown} of {possible} pairs")
    return tables_of(path, event, rows, warnings, whole=not unknown)


def _word(cell: str) -> str:
    return fold(cell).strip(".#: ")


def _is_heading(row: GridRow) -> bool:
    return _numbered(row) >= LEAST or not HEADS.isdisjoint(map(_word, row.cells))


def _numbered(row: GridRow) -> int:
    """Return how many columns a row numbers from 1; none where a player's own cell is marked."""
    most = at = 0
    if any(re.fullmatch("[x×*■█•]+", cell, re.I) for cell in row.cells):
        return 0
    for word in map(_word, row.cells):
        at = at + 1 if word == str(at + 1) else int(word == "1")
        most = max(most, at)
    return most


def _is_player(row: GridRow) -> bool:
    """Whether the row names somebody and has cells."""
    named = any(sum(map(str.isalpha, cell)) > 1 for cell in row.cells)
    return named and sum(_is_cell(cell) and bool(cell) for cell in row.cells) >= LEAST - 1


def _lines(log: ProblemLog, grid: Grid) -> list[_Line]:
    """Return the players' rows of a table, [] where it is no crosstable."""
    rows = [row for row in grid if not _is_heading(row) and _is_player(row)]
    if not LEAST <= len(rows) <= MAX_ROWS:
        return []
    aligned, width = rows[0].aligned, max(len(row.cells) for row in rows)
    texts = [row.cells + ("",) * (width - len(row.cells)) * aligned for row in rows]
    cuts = _best_cuts(texts, aligned)
    if 2 * sum(map(bool, cuts)) <= len(rows):
        return []
    headings = [row for row in grid if _is_heading(row)]
    _check_numbers(log, headings, rows)
    named = _name_column(headings) if aligned else None
    has_total = [bool(cut.behind) and _points(cut.behind[0]) is not None for cut in cuts]
    totalled = 2 * sum(has_total) > len(rows)  # most rows have a total behind their cells
    start = Counter(len(cut.left) for cut in cuts if cut).most_common(1)[0][0]
    if totalled and not aligned:  # where a cell is missing, the total was taken for the last one
        cuts = [
            _NO_CUT if not total and _is_total(cut.cells[-1:]) else cut
            for cut, total in zip(cuts, has_total, strict=True)
        ]
    lines: list[_Line] = []
    for at, (row, cut) in enumerate(zip(rows, cuts, strict=True)):
        first_cell = start if aligned else _first_cell(texts[at])
        name = _name(cut.left or texts[at][:first_cell], named, aligned)
        lines.append(_Line(name, cut.cells, _total(cut), row.line))
        if not cut:
            flaw = _flaw(texts[at][first_cell:], at, len(rows), aligned, totalled)
            hint = "write a cell for every row in the same order, X for the player's own"
            log.error(row.line, lines[at].place, flaw, hint)
    return lines


def _best_cuts(texts: Sequence[Sequence[str]], aligned: bool) -> list[_Cut]:
    """Return the rows cut in the way in which the most pairs of rows agree about their games."""

    def agreement(cuts: Sequence[_Cut]) -> int:
        return sum(bool(games) - (games is None) for games in _agreed(cuts).values())

    return max(_ways(texts, aligned), key=agreement)


def _check_numbers(log: ProblemLog, headings: Sequence[GridRow], rows: Sequence[GridRow]) -> None:
    """Report a heading, the last above the rows, that numbers more columns than there are rows."""
    for heading in [heading for heading in headings if heading.line < rows[0].line][-1:]:
        if (columns := _numbered(heading)) > len(rows):
            flaw = f"{columns} columns are numbered, but {len(rows)} rows have a name and cells"
            hint = "paste the rows of all players, with all their cells"
            log.error(heading.line, "", flaw, hint)


def _name_column(headings: Sequence[GridRow]) -> int | None:
    """Return which column has the names by a heading, None where none says so."""
    columns = (at for row in headings for at, cell in enumerate(row.cells)
               if _word(cell) in NAME_HEADS)  # fmt: skip
    return next(columns, None)


def _total(cut: _Cut) -> float | None:
    """Return the total [points]: the first number behind the cells, else one right before them."""
    totals = map(_points, cut.behind or cut.left[-1:])
    return next((total for total in totals if total is not None and total <= MAX_TOTAL), None)


def _is_total(cells: Sequence[str]) -> bool:
    """Whether a cell holds more than the points of one game."""
    return any(_points(cell) not in (None, 0, 0.5, 1) for cell in cells)


def _first_cell(words: Sequence[str]) -> int:
    """Return where the cells begin in a row of words: behind the name, and what is no cell."""
    named = next((at for at, word in enumerate(words) if sum(map(str.isalpha, word)) > 1), 0)
    return next((at for at in range(named + 1, len(words)) if _is_cell(words[at])), len(words))


def _flaw(words: Sequence[str], at: int, count: int, aligned: bool, totalled: bool) -> str:
    """Return what is wrong with the cells of a row, the one `at` this number being its own."""
    odd = next((word for word in words[:count] if not _is_cell(word)), None)
    if not aligned:
        run = next((n for n, word in enumerate(words) if not _is_cell(word)), len(words))
        return f"{run - totalled} cells for {count} players"
    return (
        f"{shown(words[at])} stands on the diagonal" if odd is None else f"{shown(odd)} is no cell"
    )


def _ways(texts: Sequence[Sequence[str]], aligned: bool) -> Iterator[list[_Cut]]:
    """Yield each way to take the cells of all rows.

    In words without columns, where each player's own mark stands. Else in front of so many columns,
    with the player's own cell or, in words, without.
    """
    count = len(texts)
    if not aligned:
        yield [_at_own_mark(words, at, count) for at, words in enumerate(texts)]
    for own in (1,) if aligned else (1, 0):
        for behind in range(MAX_BEHIND + 1):
            yield [_cut(row, at, len(row) - behind - count + 1 - own, count, own)
                   for at, row in enumerate(texts)]  # fmt: skip


def _at_own_mark(words: Sequence[str], at: int, count: int) -> _Cut:
    """Return a row cut where the cell `at` this number is a mark that can be seen, if any is."""
    for start in range(1, len(words) - count + 1):
        cut = _cut(words, at, start, count, 1)
        if cut and words[start + at].strip("-_. "):
            return cut
    return _NO_CUT


def _cut(row: Sequence[str], at: int, start: int, count: int, own: int) -> _Cut:
    """Return a row cut into name, cells and the rest, empty where the cells are not there.

    `own` is 0 where the player's own cell, the one `at` this number, is left out.
    """
    end = start + count - 1 + own
    cells = [cell.translate(HYPHENS) for cell in row[max(start, 0) : end]]
    if not own:
        cells.insert(at, "")
    if start < 1 or len(cells) != count or not _OWN.fullmatch(cells[at]):
        return _NO_CUT
    return _Cut(row[:start], tuple(cells), row[end:]) if all(map(_is_cell, cells)) else _NO_CUT


def _name(left: Sequence[str], column: int | None, aligned: bool) -> str:
    if column is not None and column < len(left):
        return bare_name(left[column])
    if aligned:
        words = [word for word in left if word and not BEFORE_NAME.fullmatch(word)] or [""]
        return bare_name(
            next((word for word in words if not BESIDE_NAME.fullmatch(word)), words[0])
        )
    return bare_name(" ".join(left))


def _check_names(log: ProblemLog, lines: Sequence[_Line]) -> None:
    first: dict[str, int] = {}
    for line in lines:
        if nobody(line.name):
            hint = "write the name, or leave the row out"
            log.error(line.line, line.place, f"{shown(line.name)} is not one person", hint)
        else:
            where = line.line, line.place
            log.check_once(first, line.name, where, "the name", "tell the two apart")


def _is_cell(text: str) -> bool:
    text = text.translate(HYPHENS)
    return _OWN.fullmatch(text) is not None or _read(text) != _Read(None, None)


def _points(text: str) -> float | None:
    """Return the number that a cell or total (`7½/11`) is, None where it is none."""
    bare = text.partition("/")[0].replace(",", ".").replace(" ", "").strip("()")
    try:
        return number(f"0{bare}" if bare.startswith(".") else bare)
    except InvalidValue:
        return None


@lru_cache(maxsize=4096)
def _read(text: str) -> _Read:
    bare = text.translate(HYPHENS).replace(" ", "").lower()
    bare = {"w": "1", "l": "0", "d": "½"}.get(bare, bare)
    if _OPEN.fullmatch(bare):
        return _Read(Cell(played=False), None)
    if score := re.fullmatch(rf"({_NUMBER})[-:]({_NUMBER})", bare):
        first, second = map(number, score.groups())
        return _Read(_GAMES.get(first) if first + second == 1 else None, first, second)
    points = _points(bare)
    points = None if points is not None and (points > MOST_POINTS or "/" in bare) else points
    try:
        return _Read(parse_cell(bare), points)
    except InvalidValue:
        return _Read(_GAMES[0.5] if points == 0.5 else None, points)


def _agreed(rows: Sequence[_Cut | _Line]) -> dict[Place, list[PrintedScore] | None]:
    """Return the games of each pair of rows, None where their cells contradict each other."""
    read = [[_read(cell) for cell in row.cells] for row in rows]
    both = {(i, j): (read[i][j], read[j][i]) for i, j in combinations(range(len(rows)), 2)
            if read[i] and read[j]}  # fmt: skip
    sums = Counter(a.points + b.points for a, b in both.values()
                   if a.points is not None and b.points is not None)  # fmt: skip
    several = max(sums, key=lambda games: (sums[games], games), default=1.0) > 1
    return {pair: _games(*cells, several or cells[0].against is not None)
            for pair, cells in both.items()}  # fmt: skip


def _pairs(log: ProblemLog, lines: Sequence[_Line]) -> dict[Place, list[PrintedScore]]:
    """Return the games of each pair that has some; cells that contradict are errors."""
    pairs: dict[Place, list[PrintedScore]] = {}
    for (i, j), games in _agreed(lines).items():
        upper, lower = lines[i], lines[j]
        if games is None:
            cells = (
                f"{shown(upper.cells[j])} on line {upper.line} and {shown(lower.cells[i])} on line "
                f"{lower.line} do not mirror each other"
            )
            place = f"{upper.name} - {lower.name}"
            log.error(upper.line, place, cells, "correct one of the two cells")
        elif games:
            pairs[i, j] = games
    return pairs


def _games(upper: _Read, lower: _Read, several: bool) -> list[PrintedScore] | None:
    """Return the games of two cells, [] where none is known, None where they contradict.

    Where one of the two is open, the other tells; so a dash that faces a plus was a default.
    `several`: these cells, or most, hold the points of several games.
    """
    for cell, facing in ((upper, lower), (lower, upper)):
        if None not in (cell.against, facing.points) and cell.against != facing.points:
            return None
    games, mirrored = upper.games, lower.games
    if games is not None and mirrored is not None and games.played != mirrored.played:
        if games.played:
            mirrored = _turned(games)
        else:
            games = _turned(mirrored)
    if games is not None and mirrored is not None and mirrors(games, mirrored):
        return [
            PrintedScore(mark.points, opposite(mark).points,
                   "default" if mark.value in "+-" else "formal", mark.colour or "")
            for mark in games.marks
        ]  # fmt: skip
    if upper.points is None or lower.points is None or not several:
        return None
    number = upper.points + lower.points
    if number % 1:
        return None
    return [PrintedScore(upper.points, lower.points)] if number else []


def _turned(cell: Cell) -> Cell:
    return Cell(tuple(map(opposite, cell.marks)), cell.unknown)


def _totals_that_differ(
    lines: Sequence[_Line], pairs: Mapping[Place, list[PrintedScore]]
) -> Iterator[str]:
    """Yield the totals that the cells do not make; unknown results may still add to the cells."""
    made, met = [0.0] * len(lines), [0] * len(lines)
    for (i, j), games in pairs.items():
        made[i] += sum(score.points for score in games)
        made[j] += sum(score.against for score in games)
        met[i] += 1
        met[j] += 1
    for line, points, opponents in zip(lines, made, met, strict=True):
        total = points if line.total is None else line.total
        if abs(points - total) > TOLERANCE and (opponents == len(lines) - 1 or points > total):
            sums = f"the cells make {number_text(points)}, the total is {number_text(total)}"
            yield f"line {line.line}, {line.name}: {sums}"
