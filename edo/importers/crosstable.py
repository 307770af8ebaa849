"""Printed crosstables, as pasted from the web or a spreadsheet, as rows of results to import.

A crosstable stands in HTML, in CSV or in columns of text: a row a player, a cell for each row in
the same order, the player's own blank, `X` or `*`. The cells begin where most rows have their own
at its place; in text without any such mark, behind the name, if the total behind them is their sum.
Ranks, countries, titles and ratings before them are left aside; the first number behind them is the
total. Cells hold games (`1`, `½`, `0`, `=`, `.5`, `10`; `+` and `-` by default) or the points of
several; blank, `-` or `?` is not known.
"""

from __future__ import annotations

import re
from calendar import month_abbr
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from edo.core.text import fold
from edo.history import values
from edo.history.crosstable import MAX_ROWS
from edo.history.notation import Cell, mirrors, opposite, parse_cell
from edo.history.reading import Known, ProblemLog
from edo.history.values import InvalidValue, number, shown
from edo.importers import swiss
from edo.importers.from_table import Tables
from edo.importers.grid import (
    BEFORE_NAME,
    BESIDE_NAME,
    HEADS,
    MAX_TOTAL,
    NAME_HEADS,
    Grid,
    GridRow,
    bare_name,
    read_grids,
)
from edo.importers.people import is_same, nobody
from edo.importers.points import as_games, without_totals
from edo.importers.table import EventRow, ResultRow, Status

LEAST = 3  # [players] two make a match, which is a line of a list
MANY = 20  # [games] of a pair, from which a table with other numbers for most pairs is refused
MOST_POINTS = 100  # [points] of a cell; more is a rating

NO_CELLS = HEADS | {
    "mms", "mm", "sos", "sosos", "sodos", "sosm", "nbw", "sb", "s-b", "sonneborn", "berger",
    "sonneborn-berger", "buchholz", "buch", "bh", "bhz", "med", "median", "tb", "tb1", "tb2", "tb3",
    "tb4", "tb5", "tpr", "perf", "performance", "rp", "rtg", "elo", "rtgi", "rtgn", "we", "w-we",
    "k", "krtg", "+/-", "prog", "progress", "koya", "wins", "mp", "bp",
    "gp", "pkt", "wtg", "wert", "fed", "club", "str", "cl", "grade", "strength", "title", "age",
    "born",
}  # fmt: skip
"""Words of a heading above what is no cell: totals, ratings, tie-breaks."""

_OWN = re.compile(r"[x×✕✖*#■█▪◼⬛▓░◆●•·\\╲_.-]*", re.I)
_OPEN = re.compile(r"[?_.-]*")
_NUMBER = values.NUMBER_PATTERN.replace("(", "(?:")
_RESULT = re.compile(r"[^\W\d]{2}.* [-–] .*[^\W\d]{2}.* [\d½]")
_DATE = re.compile(rf"\b\d\d?-({'|'.join(month_abbr[1:])})\b")
_ONE_SCORE = rf"(?:{_NUMBER})[-:](?:{_NUMBER})"
_GAMES = {1.0: parse_cell("1"), 0.5: parse_cell("½"), 0.0: parse_cell("0")}
_WORDS = {"w": "1", "l": "0", "d": "½"}


class _Cut(NamedTuple):
    """A row cut into what stands before the cells, the cells, and the rest; or what is wrong."""

    left: Sequence[str]
    cells: Sequence[str]
    behind: Sequence[str]
    flaw: str = ""


class _Read(NamedTuple):
    """What a printed cell can say: games one by one, or the points [points] of several, of both.

    `scores` are those of several matches, `counts` three numbers: won, lost and drawn, or drawn and
    lost.
    """

    games: Cell | None
    points: float | None
    against: float | None = None
    scores: tuple[tuple[float, float], ...] = ()
    counts: tuple[int, ...] = ()

    @property
    def made(self) -> float:
        """Return what the cell adds to the total [points]."""
        if self.games is not None:
            return sum(mark.points for mark in self.games.marks)
        return self.points or 0.0


class _Line(NamedTuple):
    """A player's row: the name, a cell for each row (none where they cannot be told), the total."""

    name: str
    cells: Sequence[str]
    total: float | None
    line: int

    @property
    def place(self) -> str:
        return f"row {shown(self.name).strip('`')}"


def read_crosstable(text: str, path: Path, event: EventRow) -> Tables:
    """Return the crosstable of a text as rows of results. Raises InputError with all errors."""
    log, grids = ProblemLog(path.as_posix(), Known({})), read_grids(text)
    if by_round := swiss.read(log, grids, text, path, event):
        return by_round
    tables = [lines for grid in grids if (lines := _lines(log, grid))]
    if not tables:
        log.error(1, "", *_what_is_seen(text, grids))
    for second in tables[1:]:
        log.error(second[0].line, "", "a second crosstable begins here", "paste one at a time")
    lines = tables[0] if tables else []
    _check_names(log, lines)
    rows = as_games(log, event, _results(log, event.key, lines), ask=True)
    log.refuse()
    possible = len(lines) * (len(lines) - 1) // 2
    unknown = possible - len({(row.player, row.opponent) for row in rows})
    totals = [
        ResultRow(line.line, event.key, line.name, "", line.total, rank=rank)
        for rank, line in enumerate(lines)
        if line.total is not None
    ]
    games = as_games(log, event, totals, ask=False)
    rows += games
    warnings = [f"no result is known for {unknown} of {possible} pairs"] if unknown else []
    warnings += without_totals(totals, games)
    if not unknown:
        event = replace(event, completeness=event.completeness or "complete")
    return Tables(path, {event.key: rows}, {event.key: event}, warnings={event.key: warnings})


def _what_is_seen(text: str, grids: Sequence[Grid]) -> tuple[str, str]:
    """Return what the text is, as far as it can be told, in place of a crosstable; and a hint."""
    cells = [cell for grid in grids for row in grid for cell in row.cells]
    lines = text.splitlines()
    if re.search(r'(?m)^\[(Event|White) "', text):
        return "these are games in PGN", "use `import pgn`"
    if 2 * sum(bool(_RESULT.search(line[:200])) for line in lines) > sum(map(bool, lines)):
        return "these are lines of results", "use `import results`"
    seen = "no crosstable is found"
    hint = "paste three rows or more: a player, a cell for each row (X: the own), the total"
    strange = (cell for cell in cells if re.search(r"\d\D", cell) and not _is_cell(cell)
               and not BEFORE_NAME.fullmatch(cell))  # fmt: skip
    if met := next(filter(swiss.is_cell, cells), ""):
        seen = f"cells with the opponents' numbers, such as {shown(met)}: a table by round"
        hint = "paste three rows or more, each with its number, a name and all rounds"
    elif date := _DATE.search(text):
        hint = f"correct `{date[0]}`, perhaps a score that a spreadsheet took for a date"
    elif odd := next(strange, ""):
        seen += f"; {shown(odd)} is no cell"
    elif "<" in text and not grids:
        hint = "save the page that shows the table, or paste the table"
    return seen, hint


def _lines(log: ProblemLog, grid: Grid) -> list[_Line]:
    """Return the players' rows of a table, [] where it is no crosstable."""
    rows = [row for row in grid if not _is_heading(row) and _is_player(row)]
    if not LEAST <= len(rows) <= MAX_ROWS:
        return []
    aligned = rows[0].aligned
    above = [row for row in grid if _is_heading(row) and row.line < rows[0].line][-1:]
    cuts = _in_columns(rows, above) if aligned else _in_words([row.cells for row in rows])
    if 2 * sum(bool(cut.flaw) for cut in cuts) >= len(rows):
        return []
    headings = [row for row in grid if _is_heading(row)]
    _check_numbers(log, headings, rows)
    named = _name_column(headings) if aligned else None
    lines: list[_Line] = []
    for row, cut in zip(rows, cuts, strict=True):
        name, total = _name(cut.left, named, aligned), _total(cut.behind or cut.left[-1:])
        lines.append(_Line(name, () if cut.flaw else cut.cells, total, row.line))
        if cut.flaw:
            hint = "write a cell for every row in the same order, X for the player's own"
            log.error(row.line, lines[-1].place, cut.flaw, hint)
    return lines


def _in_columns(rows: Sequence[GridRow], headings: Sequence[GridRow]) -> list[_Cut]:
    """Return the rows of a table with columns, cut where the most of them have their cells.

    A column of ratings, totals or tie-breaks by its heading is none of the cells.
    """
    others = {
        at for row in headings for at, cell in enumerate(row.cells) if _word(cell) in NO_CELLS
    }
    count, width = len(rows), max(len(row.cells) for row in rows)
    texts = [[*row.cells, *[""] * (width - len(row.cells))] for row in rows]
    columns = Counter(
        start
        for at, cells in enumerate(texts)
        for start in _starts(cells, at, count)
        if others.isdisjoint(range(start, start + count))
    )
    start = min(columns, key=lambda start: (-columns[start], start), default=0)
    cuts = []
    for at, row in enumerate(texts):
        cells = row[start : start + count]
        odd = next((cell for cell in cells if not _is_cell(cell)), None)
        flaw = "" if odd is None else f"{shown(odd)} is no cell"
        if odd is None and not _OWN.fullmatch(cells[at]):
            flaw = f"{shown(cells[at])} stands on the diagonal"
        cuts.append(_Cut(row[:start], cells, row[start + count :], flaw))
    return cuts


def _in_words(texts: Sequence[Sequence[str]]) -> list[_Cut]:
    """Return rows of words, cut at the players' own cells, or behind the names if there are none.

    Where most rows have a total behind their cells, one without lacks a cell.
    """
    count = len(texts)
    cuts = [_at_own_mark(words, at, count) for at, words in enumerate(texts)]
    if 2 * sum(bool(cut.flaw) for cut in cuts) >= count:
        cuts = [_behind_name(words, at, count) for at, words in enumerate(texts)]
    totals = [bool(cut.behind) and _points(cut.behind[0]) is not None for cut in cuts]
    if 2 * sum(totals) <= count:
        return cuts
    flaw = f"{count - 1} cells for {count} players"
    return [
        cut if cut.flaw or total else cut._replace(flaw=flaw)
        for cut, total in zip(cuts, totals, strict=True)
    ]


def _at_own_mark(words: Sequence[str], at: int, count: int) -> _Cut:
    """Return a row cut where the cell `at` this number is marked; at a clear mark if there is."""
    starts = [start for start in _starts(words, at, count) if words[start + at]]
    clear = [start for start in starts if words[start + at].strip("-_. ")]
    for start in [*clear, *starts]:
        return _Cut(words[:start], words[start : start + count], words[start + count :])
    return _Cut(words[: _first_cell(words)], (), (), "the player's own cell is not found")


def _behind_name(words: Sequence[str], at: int, count: int) -> _Cut:
    """Return a row without own cell, the one `at` this number, cut behind the name.

    It is certain only where nothing follows the cells, or a total that they can make.
    """
    start = _first_cell(words)
    end = start + count - 1
    cells, total = [*words[start:end]], _total(words[end : end + 1])
    flaw = "" if len(cells) == count - 1 and all(map(_is_cell, cells)) else "a cell is missing"
    if not flaw and total is not None:
        read = [_read(cell) for cell in cells]
        made = sum(each.made for each in read)
        is_open = any(each.games is not None and not each.games.played for each in read)
        if made > total or (made < total and not is_open):
            flaw = f"the {count - 1} cells behind the name make {made:g}, and {total:g} follows"
    cells.insert(at, "")
    return _Cut(words[:start], cells, words[end:], flaw)


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


def _starts(cells: Sequence[str], at: int, count: int) -> list[int]:
    """Return where the cells of a row can begin: the one `at` this number is the player's own."""
    return [
        start
        for start in range(1, len(cells) - count + 1)
        if _OWN.fullmatch(cells[start + at]) and all(map(_is_cell, cells[start : start + count]))
    ]


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


def _total(cells: Sequence[str]) -> float | None:
    """Return the first number that can be a total [points]."""
    totals = map(_points, cells)
    return next((total for total in totals if total is not None and total <= MAX_TOTAL), None)


def _first_cell(words: Sequence[str]) -> int:
    """Return where the cells begin in a row of words: behind the name, and what is no cell."""
    named = next((at for at, word in enumerate(words) if sum(map(str.isalpha, word)) > 1), 0)
    return next((at for at in range(named + 1, len(words)) if _is_cell(words[at])), len(words))


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
            same = next((name for name in first if is_same(name, line.name)), line.name)
            log.check_once(first, same, where, "the name", "tell the two apart")


def _is_cell(text: str) -> bool:
    in_brackets = text.startswith("(")  # tells namesakes apart, or annuls a result
    is_read = _read(text) != _Read(None, None) and not in_brackets
    return is_read or _OWN.fullmatch(text) is not None


def _points(text: str) -> float | None:
    """Return the number that a cell or total (`7½/11`) is, None where it is none."""
    bare = text.partition("/")[0].replace(",", ".").replace(" ", "").strip("()")
    try:
        return number(f"0{bare}" if bare.startswith(".") else bare)
    except InvalidValue:
        return None


@lru_cache(maxsize=4096)
def _read(text: str) -> _Read:
    bare = text.replace(" ", "").lower()
    bare = _WORDS.get(bare, bare)
    if _OPEN.fullmatch(bare):
        return _Read(Cell(played=False), None)
    if re.fullmatch(r"(\d{1,3}-){2}\d{1,3}", bare):
        return _Read(None, None, counts=tuple(map(int, bare.split("-"))))
    scores = re.findall(rf"({_NUMBER})[-:]({_NUMBER})", bare)
    if len(scores) > 1 and re.fullmatch(rf"{_ONE_SCORE}([,;/]{_ONE_SCORE})+", bare):
        sides = tuple((number(first), number(second)) for first, second in scores)
        return _Read(None, sum(a for a, _ in sides), sum(b for _, b in sides), sides)
    if score := re.fullmatch(rf"({_NUMBER})[-:]({_NUMBER})", bare):
        first, second = map(number, score.groups())
        return _Read(_GAMES.get(first) if first + second == 1 else None, first, second)
    points = _points(bare)
    points = None if points is not None and (points > MOST_POINTS or "/" in bare) else points
    try:
        return _Read(parse_cell(bare), points)
    except InvalidValue:
        return _Read(_GAMES[0.5] if points == 0.5 else None, points)


def _results(log: ProblemLog, event: str, lines: Sequence[_Line]) -> list[ResultRow]:
    """Return the games of each pair that has some; cells that contradict are errors."""
    read = _counted([[_read(cell) for cell in line.cells] for line in lines])
    both = [(i, j, read[i][j], read[j][i]) for i, j in combinations(range(len(lines)), 2)
            if read[i] and read[j]]  # fmt: skip
    sums = Counter(a.points + b.points for _, _, a, b in both
                   if a.points is not None and b.points is not None)  # fmt: skip
    if max(sums, default=0.0) >= MANY and 2 * max(sums.values()) < sums.total():
        hint = "leave ratings and tie-breaks out, so that only the cells of pairs are left"
        log.error(lines[0].line, "", "each pair has another number of games", hint)
    several = max(sums, key=lambda games: (sums[games], games), default=1.0) > 1
    rows: list[ResultRow] = []
    for i, j, cell, facing in both:
        upper, lower = lines[i], lines[j]
        row = ResultRow(upper.line, event, upper.name, lower.name, 0.0)
        games = _games(row, cell, facing, several or cell.against is not None)
        rows += games or []
        if games is None:
            flaw = (
                f"{shown(upper.cells[j])} on line {upper.line} and {shown(lower.cells[i])} on line "
                f"{lower.line} do not mirror each other"
            )
            place = f"{upper.name} - {lower.name}"
            log.error(upper.line, place, flaw, "correct one of the two cells")
    return rows


def _counted(read: list[list[_Read]]) -> list[list[_Read]]:
    """Return the cells with points for `2-1-1`: games won, lost and drawn, or drawn and lost.

    The cell that faces it tells which: the number that stays in its place is that of the draws.
    """
    pairs = [(cells[j].counts, read[j][i].counts) for i, cells in enumerate(read)
             for j in range(min(len(cells), len(read))) if j < len(cells) and i < len(read[j])
             and cells[j].counts and read[j][i].counts]  # fmt: skip
    drawn_last = sum(a == (b[1], b[0], b[2]) for a, b in pairs)
    drawn_within = sum(a == (b[2], b[1], b[0]) for a, b in pairs)
    drawn = 2 if drawn_last >= drawn_within else 1
    return [[_of_counts(cell, drawn) if cell.counts else cell for cell in cells] for cells in read]


def _of_counts(cell: _Read, drawn: int) -> _Read:
    won, lost = cell.counts[0], cell.counts[3 - drawn]
    half = cell.counts[drawn] / 2
    return _Read(None, won + half, lost + half, counts=(won, lost, cell.counts[drawn]))


def _games(row: ResultRow, upper: _Read, lower: _Read, several: bool) -> list[ResultRow] | None:
    """Return the games of two cells as rows, [] where none is known, None where they contradict.

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
            replace(row, points=mark.points, opponent_points=opposite(mark).points,
                    status=Status("default" if mark.value in "+-" else "formal"),
                    colour=mark.colour or "")
            for mark in games.marks
        ]  # fmt: skip
    if upper.scores:
        return [replace(row, points=a, opponent_points=b) for a, b in upper.scores]
    if upper.points is None or lower.points is None or not several:
        return None
    if (upper.points + lower.points) % 1:
        return None
    played = upper.points + lower.points > 0
    draws = upper.counts[2] if upper.counts else None
    return [replace(row, points=upper.points, opponent_points=lower.points, draws=draws)] * played


def _turned(cell: Cell) -> Cell:
    return Cell(tuple(map(opposite, cell.marks)), cell.unknown)
