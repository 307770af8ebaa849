"""Tables by round: a row a player, and in a cell for each round whom he met and how it went.

The cells of chess-results are `2w1`, `3b½` (the opponent's number, the colour, the result), with
`+` and `-` by default and `-1` for a bye; those of the United States are `W 2`, `D 3`, of a wall
list of Go `2+/w0`. The report file of FIDE (TRF16, lines that begin with `001`) says the same.
Names without comma have the surname first in these, unless most of them show that it is last.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from edo.core.formats import counted
from edo.history.notation import TOLERANCE, number_text
from edo.history.reading import ProblemLog
from edo.history.values import InvalidValue, number, shown
from edo.importers.from_table import Tables
from edo.importers.grid import MAX_TOTAL, NAME_HEADS, Grid, GridRow, bare_name
from edo.importers.known import span_of
from edo.importers.people import is_same, nobody
from edo.importers.table import EventRow, ResultRow, Status, date_in, no_text

LEAST = 3  # [players] fewer are a match

_COLOURED = re.compile(r"(?P<met>\d{1,4})(?P<colour>[wbs])(?P<result>[10½=+-])(?P<by>[fk]?)")
_LETTERED = re.compile(r"(?P<result>[wldxf])(?P<met>\d{1,4})(?P<colour>[wb]?)")
_OF_GO = re.compile(r"(?P<met>\d{1,4})(?P<result>[+=-])!?(?:/?(?P<colour>[wb])(?P<stones>\d))?")
_NOBODY = re.compile(r"-(?P<points>[10½+=-])|(?P<letter>[hbuz])-{0,3}|bye|0[+=-]|-+|spielfrei|")
_POINTS = {"1": 1.0, "+": 1.0, "w": 1.0, "x": 1.0, "½": 0.5, "=": 0.5, "d": 0.5,
           "0": 0.0, "-": 0.0, "l": 0.0, "f": 0.0}  # fmt: skip
_OF_A_BYE = {"h": 0.5, "b": 1.0, "u": 1.0, "f": 1.0}
_TITLE_OR_GRADE = re.compile(r"\S*\d\S*")


class _Cell(NamedTuple):
    """A round of a player: the number of the opponent, 0 for none, and the points [points]."""

    met: int
    points: float
    colour: str = ""
    is_default: bool = False
    stones: int = 0


class _Line(NamedTuple):
    """A player's row; `numbers` are those before the name, of which one may be the player's."""

    name: str
    numbers: Sequence[int]
    cells: Sequence[_Cell]
    total: float | None
    line: int
    rank: float = 0.0


def is_cell(text: str) -> bool:
    """Whether a text is a round of a player that names an opponent."""
    found = _cell(text)
    return found is not None and found.met > 0


def read(
    log: ProblemLog, grids: Sequence[Grid], text: str, path: Path, event: EventRow
) -> Tables | None:
    """Return the results of a table by round; None where the text holds none."""
    lines, event = _trf(log, text, event) if _is_trf(text) else ([], event)
    lines = lines or next(filter(None, map(_lines, grids)), [])
    if not lines:
        return None
    rows, byes = _results(log, event.key, lines)
    _check_names(log, lines)
    log.refuse()
    made: dict[str, float] = defaultdict(float)
    for row in rows:
        made[row.player] += row.points
        made[row.opponent] += row.opponent_points
    warnings = []
    for line in lines:
        for round_, cell in enumerate(line.cells, 1):
            if not cell.met and cell.points:
                points = number_text(cell.points)
                warnings.append(f"round {round_}: {line.name} has {points} without an opponent")
    is_sum = [line for line in lines if line.total is not None
              and abs(made[line.name] + byes[line.name] - line.total) < TOLERANCE]  # fmt: skip
    playing = {name for row in rows for name in row.players}
    absent = [line for line in lines if line.name not in playing]
    warnings += [f"{line.name} met nobody and is left out" for line in absent]
    totals = [line for line in lines if line.total is not None and line not in absent]
    if 2 * len(is_sum) > len(lines):
        rows += [
            ResultRow(line.line, event.key, line.name, "", line.total or 0.0, rank=line.rank or at)
            for at, line in enumerate(totals)
        ]
    elif totals:
        warnings.append(
            f"the numbers behind the rounds are not taken as totals: {counted(len(totals), 'row')}"
        )
    is_likely = any(_COLOURED.fullmatch(_bare(cell)) or _OF_GO.fullmatch(_bare(cell))
                    for grid in grids for row in grid for cell in row.cells)  # fmt: skip
    event = replace(event, completeness=event.completeness or "complete", likely_first=is_likely)
    return Tables(path, {event.key: rows}, {event.key: event}, warnings={event.key: warnings})


def _bare(text: str) -> str:
    return text.replace(" ", "").lower()


def _cell(text: str) -> _Cell | None:
    """Return what a printed cell says, None where it is no round of a player."""
    bare = _bare(text)
    found = _COLOURED.fullmatch(bare) or _LETTERED.fullmatch(bare) or _OF_GO.fullmatch(bare)
    if found and int(found["met"]):
        result, groups = found["result"], found.groupdict()
        is_sign = found.re is _COLOURED and result in "+-"
        is_default = is_sign or result in "xf" or bool(groups.get("by"))
        colour = (groups.get("colour") or "").replace("s", "b")
        stones = int(groups.get("stones") or 0)
        return _Cell(int(found["met"]), _POINTS[result], colour, is_default, stones)
    if nobody_met := _NOBODY.fullmatch(bare):
        letter, sign = nobody_met["letter"], nobody_met["points"]
        points = 1.0 if bare in ("bye", "spielfrei", "0+") else 0.0
        return _Cell(0, _OF_A_BYE.get(letter or "", _POINTS[sign] if sign else points))
    return None


def _lines(grid: Grid) -> list[_Line]:
    """Return the players' rows of a table by round, [] where it is none."""
    rows = [row for row in grid if any(map(is_cell, row.cells))
            and any(sum(map(str.isalpha, cell)) > 1 for cell in row.cells)]  # fmt: skip
    if len(rows) < LEAST:
        return []
    spans = [_span(row) for row in rows]
    if rows[0].aligned:
        spans = [(min(first for first, _ in spans), max(end for _, end in spans))] * len(rows)
    usual = Counter(end - first for first, end in spans).most_common(1)[0][0]
    named = next((at for row in grid for at, cell in enumerate(row.cells)
                  if cell.lower().strip(". ") in NAME_HEADS), None)  # fmt: skip
    lines = []
    for row, (first, end) in zip(rows, spans, strict=True):
        cells = [_cell(cell) for cell in row.cells[first:end]]
        cells += [_Cell(0, 0.0)] * (end - first - len(cells))
        left = row.cells[:first]
        if len(cells) != usual or None in cells:
            cells = []
        name = left[named] if row.aligned and named is not None and named < len(left) else ""
        numbers = [int(cell.strip(". ")) for cell in left if re.fullmatch(r"\d{1,4}\.?", cell)]
        behind = map(_number, row.cells[end:])
        total = next((each for each in behind if each is not None and each <= MAX_TOTAL), None)
        lines.append(_Line(bare_name(name) or _name(left), numbers, tuple(filter(None, cells)),
                           total, row.line))  # fmt: skip
    return lines


def _span(row: GridRow) -> tuple[int, int]:
    """Return where the rounds of a row begin and end; a bye may stand at either end."""
    met = [at for at, cell in enumerate(row.cells) if is_cell(cell)]
    first, end = met[0], met[-1] + 1
    while first > 1 and row.cells[first - 1] and _is_bye(row.cells[first - 1]):
        first -= 1
    while end < len(row.cells) and row.cells[end] and _is_bye(row.cells[end]):
        end += 1
    return first, end


def _is_bye(text: str) -> bool:
    found = _cell(text)
    return found is not None and not found.met


def _name(left: Sequence[str]) -> str:
    """Return the name before the rounds: its words end where one has a digit, as a rating has."""
    words = " ".join(left).split()
    start = next((at for at, word in enumerate(words) if sum(map(str.isalpha, word)) > 1), 0)
    rest = words[start:]
    end = next((at for at, word in enumerate(rest) if _TITLE_OR_GRADE.fullmatch(word)), len(rest))
    return bare_name(" ".join(rest[: max(end, 1)]))


def _number(text: str) -> float | None:
    try:
        return number(text.replace(",", "."))
    except InvalidValue:
        return None


def _results(
    log: ProblemLog, event: str, lines: Sequence[_Line]
) -> tuple[list[ResultRow], dict[str, float]]:
    """Return the games of all rounds, and the points of each player without an opponent."""
    numbered = _numbered(lines)
    rows: list[ResultRow] = []
    byes: dict[str, float] = defaultdict(float)
    for own, line in numbered.items():
        if not line.cells:
            hint = "write a cell for every round, `-0` for one without a game"
            log.error(line.line, line.name, "a round is missing, or one too many", hint)
        for at, cell in enumerate(line.cells):
            where = f"{line.name}, round {at + 1}"
            other = numbered.get(cell.met)
            if not cell.met:
                byes[line.name] += cell.points
            elif other is None:
                log.error(line.line, where, f"no row has the number {cell.met}", "add the row")
            elif other.cells:
                facing = other.cells[at]
                is_mirrored = facing.met == own and facing.points + cell.points == 1.0
                is_unplayed = facing.met == own and cell.is_default and facing.is_default
                if not is_mirrored and not is_unplayed:
                    flaw = f"line {other.line} has no such game with {line.name}"
                    log.error(line.line, where, flaw, "correct one of the two cells")
                elif is_mirrored and own < cell.met:
                    rows.append(_row(event, at + 1, (line, other), (cell, facing)))
    rows.sort(key=lambda row: int(row.round))
    return rows, byes


def _row(
    event: str, round_: int, sides: tuple[_Line, _Line], cells: tuple[_Cell, _Cell]
) -> ResultRow:
    (line, other), (cell, facing) = sides, cells
    text = no_text()
    if stones := cell.stones:
        text["odds"] = counted(stones, "stone")
        text["odds_giver"] = line.name if cell.colour == "w" else other.name
    status = Status("default" if cell.is_default or facing.is_default else "formal")
    colour = "" if status.word == "default" else cell.colour
    return ResultRow(
        line.line, event, line.name, other.name, cell.points, facing.points, status=status,
        colour=colour, round=str(round_), text=text,
    )  # fmt: skip


def _numbered(lines: Sequence[_Line]) -> dict[int, _Line]:
    """Return the rows by the numbers under which the cells name them: most games are mirrored."""
    most = max(len(line.numbers) for line in lines)
    ways: Iterator[list[int]] = (
        [line.numbers[at] if at < len(line.numbers) else -n for n, line in enumerate(lines, 1)]
        for at in range(most)
    )
    candidates = [*ways, [*range(1, len(lines) + 1)]]
    tables = [
        dict(zip(numbers, lines, strict=True))
        for numbers in candidates
        if len({*numbers}) == len(lines)
    ]
    return max(tables, key=_mirrored)


def _mirrored(numbered: dict[int, _Line]) -> int:
    """Return how many cells name a row that names theirs in the same round."""
    return sum(
        cell.met in numbered
        and at < len(numbered[cell.met].cells)
        and numbered[cell.met].cells[at].met == own
        for own, line in numbered.items()
        for at, cell in enumerate(line.cells)
    )


def _check_names(log: ProblemLog, lines: Sequence[_Line]) -> None:
    seen: dict[str, _Line] = {}
    for line in lines:
        twice = seen.setdefault(line.name, line) is not line
        if nobody(line.name):
            hint = "write the name, or leave the row out"
            log.error(line.line, "", f"{shown(line.name)} is not one person", hint)
        elif twice or any(is_same(line.name, name) for name in seen if name != line.name):
            log.error(line.line, line.name, "the name stands twice", "tell the two apart")


def _is_trf(text: str) -> bool:
    return len(re.findall(r"(?m)^001 [ \d]{4} ", text)) >= LEAST


def _of_trf(text: str) -> _Cell | None:
    """Return a round of ten columns: the opponent, the colour, the result; None for others."""
    met, colour, result = text[:4].strip(), text[5:6].strip("- ").lower(), text[7:8].lower().strip()
    points = _POINTS.get(result, _OF_A_BYE.get(result, 0.0))
    if not re.fullmatch("[0-9]{0,4}", met) or colour not in ("", "w", "b"):
        return None
    if result not in {*_POINTS, *_OF_A_BYE, "z", ""} or (text + " " * 10)[4:9:2].strip():
        return None
    if int(met or 0):
        return _Cell(int(met), points, colour, bool(result) and result in "+-wdl")
    return _Cell(0, _OF_A_BYE.get(result, points))


def _trf(log: ProblemLog, text: str, event: EventRow) -> tuple[list[_Line], EventRow]:
    """Return the players of a report file of FIDE, and the event with its town and days.

    Source: FIDE Handbook C.04.A, Tournament Report File, version 16: columns of fixed width.
    """
    lines: list[_Line] = []
    said: dict[str, str] = {}
    for at, line in enumerate(text.splitlines(), 1):
        if line[:3] != "001":
            said.setdefault(line[:3], line[4:].strip())
            continue
        cells = [_of_trf(line[start : start + 10]) for start in range(91, len(line.rstrip()), 10)]
        number_ = line[4:8].strip()
        if not re.fullmatch("[0-9]{1,4}", number_) or None in cells:
            hint = "save the file as the pairing program wrote it: columns of fixed width"
            log.error(at, line[14:47].strip(), "the row is no row of TRF16", hint)
            number_ = "0"
        rank = _number(line[85:89].strip()) or 0.0
        total = _number(line[80:84].strip())
        known = [cell for cell in cells if cell]
        lines.append(_Line(bare_name(line[14:47]), [int(number_)], known, total, at, rank))
    log.refuse()
    most = max(len(line.cells) for line in lines)
    lines = [line._replace(cells=(*line.cells, *[_Cell(0, 0.0)] * (most - len(line.cells))))
             for line in lines]  # fmt: skip
    days = [date_in(said.get(code, "").replace("/", "-")) for code in ("042", "052")]
    found = [day for day in days if day]
    if found and not event.dates and int(max(found)[:4]) == event.year:
        event = replace(event, dates=span_of(found, event.year))
    if said.get("022") and not event.text["place"]:
        text_of_event = no_text()
        text_of_event.update({**event.text, "place": said["022"]})
        event = replace(event, text=text_of_event)
    return lines, event
