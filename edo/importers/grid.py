"""Pasted text: tables in HTML, CSV or columns as rows of cells, and what stands with names."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass, field
from functools import partial
from html.parser import HTMLParser

from edo.core.countries import NAMES
from edo.history.values import HYPHENS

MAX_SPAN = 100  # [cells] of one cell; nobody prints wider ones, and some pages claim millions
MAX_CELLS = 100_000  # of one table: three hundred players against each other

Grid = list["GridRow"]

MAX_TOTAL = 500  # [points] of a total; more is a rating or a year
_BRACKETS = re.compile(
    rf" *[(\[](?!II|JR|SR|[IV]+[)\]])([A-Z]{{2,3}}|2?\d{{3}}|{'|'.join(NAMES.values())})[)\]]"
)  # father and son, and numbered namesakes, are no countries
_TITLE = r"W?[GIFCN]M|A[GIFC]M"
BEFORE_NAME = re.compile(rf"[=T]?\d{{1,3}}\.?(-\d{{1,3}})?[.):=]*|{_TITLE}")  # rank and title
BESIDE_NAME = re.compile(rf"\d{{1,4}}([.,]\d+|½)?|[A-Z]{{3}}|[mwf]?[gmfc]|{_TITLE}|[-=.]+")
NAME_HEADS = frozenset(("name", "names", "player", "players", "spieler", "joueur", "jugador"))
HEADS = NAME_HEADS | {
    "pts", "points", "total", "score", "rank", "rating", "punkte", "country", "sum",
}  # fmt: skip
"""Words of a heading, of which those of `NAME_HEADS` stand above the names."""

_DELIMITERS = "\t;|,"
_MARKUP = re.compile(r"<\s*(table|tr|td)\b", re.I)
_UNFINISHED = re.compile(r"<(?=[a-zA-Z/!?])[^<>]*(?=<|\Z)")
_LIST_OF_SCORES = re.compile(r"(?<=\d)([,;]) (?=\d{1,3}[-–:]\d)")
_RULE = re.compile(r"[\s|+:=─━│┼-]*")
_NOTE = re.compile("\x01(?:([^\x01\x02]*)\x02(⁄)|[^\x01\x02]*\x02)")  # a fraction, or a note
_HALF = re.compile(r"(?<![\d/])(?:(\d+)[\s+]?)?1\s?/?[/⁄]\s?2(?![\d/])")
_PARTS = ("tr", "td", "th")
_UNSEEN = re.compile(r"(display\s*:\s*none|visibility\s*:\s*hidden)", re.I)
_SIGNS = {"sup": "\x01", "br": " ", "p": " ", "div": " ", "li": " "}


@dataclass(frozen=True, slots=True)
class GridRow:
    """The cells of a row as text, and its line in the input; `text` where it has no columns."""

    line: int
    cells: tuple[str, ...]
    aligned: bool = True
    """Whether columns stand below each other, so that an empty cell is seen."""


def plain(text: str) -> str:
    """Return a cell with single blanks, halves as `½`, plain hyphens and no footnote marks."""
    text = _HALF.sub(r"\1½", " ".join(text.translate(HYPHENS).split()))
    return re.sub(r"\s*(\[[^\]]{1,8}\]|[†‡§¹²³]){1,5}$", "", text).strip()


def bare_name(text: str) -> str:
    """Return a name without rank, title, country and rating; `(2)` and `(Leeds)` are kept."""
    words = re.sub(r",(?=[^\W\d])", ", ", _BRACKETS.sub("", text)).split()
    while len(words) > 1 and (BEFORE_NAME.fullmatch(words[0]) or words[0] in NAMES):
        words.pop(0)
    while len(words) > 1 and _is_beside(words):
        words.pop()
    is_title = [re.fullmatch(_TITLE, word) and 0 < at < len(words) - 1
                for at, word in enumerate(words)]  # fmt: skip
    kept = [word for word, title in zip(words, is_title, strict=True) if not title]
    return " ".join(kept).strip("* ").rstrip(",")


def _is_beside(words: list[str]) -> bool:
    """Whether the last word is no part of the name; what stands behind the only comma is."""
    last = words[-1]
    if re.fullmatch(r"\d{1,2}", last):  # may tell namesakes apart
        return False
    if not BESIDE_NAME.fullmatch(last) or (words[-2][-1] == "," and "," not in words[-2][:-1]
                                           and "," not in " ".join(words[:-2])):  # fmt: skip
        return False
    is_code = re.fullmatch("[A-Z]{3}", last) and not re.fullmatch(_TITLE, last)
    if not is_code or last in NAMES:
        return True
    return len(words) > 2 and any("," in word for word in words) and not words[-2].isupper()


def read_grids(text: str) -> list[Grid]:
    """Return the tables that the text holds, without empty rows; [] where there is none."""
    if "{|" in text and re.search(r"(?m)^\|-", text):
        text = _from_wikitext(text)
    if _MARKUP.search(text):
        reader = _Tables()
        whole = _UNFINISHED.sub("", text)  # each would be read to the end of the page
        reader.feed(re.sub(r"<!\[[^>]*>?", "", whole))  # marks of word processors raise errors
        reader.close()
        return [rows for table in reader.tables if (rows := _repeated(table.rows))]
    lines = [line for line in text.splitlines() if line.strip() and not _RULE.fullmatch(line)]
    for delimiter in _DELIMITERS:
        if lines and 3 * sum(line.count(delimiter) > 1 for line in lines) > 2 * len(lines):
            return _separated(text, delimiter)
    joined = _LIST_OF_SCORES.sub(r"\1", text)
    numbered = enumerate(map(partial(_HALF.sub, r"\1½"), joined.splitlines()), 1)
    rows = [GridRow(n, tuple(plain(line).split()), aligned=False) for n, line in numbered
            if line.strip() and not _RULE.fullmatch(line)]  # fmt: skip
    return [rows] if rows else []


def _from_wikitext(text: str) -> str:
    """Return the tables of a wiki page as HTML with the same lines; links are their words."""
    text = re.sub(r"<ref[^<>]*/>|<ref[^<>]*>[^<]*</ref>|'{2,}", "", text)
    text = re.sub(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]", r"\1", text)
    text = re.sub(r"\{\{(?:frac|fraction|sfrac)\|(?:(\d+)\|)?1\|2\}\}", r"\g<1>½", text, flags=re.I)
    text = re.sub(r"\{\{(?:half|½)\}\}", "½", text, flags=re.I)
    text = re.sub(
        r"\{\{(?:sortname|sort ?name)\|([^{}|]*)\|([^{}|]*)[^{}]*\}\}", r"\1 \2", text, flags=re.I
    )
    text = re.sub(r"\{\{(?:flag\w*|[A-Z]{3})(?:\|[^{}]*)?\}\}", "", text)
    lines, in_table = [], False
    for line in text.splitlines():
        mark = line.strip()
        in_table = in_table or mark.startswith("{|")
        if mark.startswith("{|"):
            lines.append("<table>")
        elif mark.startswith("|}"):
            lines.append("</table>")
            in_table = False
        elif in_table and mark.startswith("|-"):
            lines.append("<tr>")
        elif in_table and mark.startswith("|+"):
            lines.append("")
        elif in_table and mark[:1] in ("|", "!"):
            cells = re.split(r"\|\||!!", mark[1:])
            lines.append("".join(map(_wiki_cell, cells)))
        else:
            lines.append(line if in_table else "")
    return "\n".join(lines)


def _wiki_cell(text: str) -> str:
    """Return a cell of a wiki table as HTML; what stands before a stroke are its attributes."""
    attributes, stroke, content = text.partition("|")
    if not stroke or "=" not in attributes:
        return f"<td>{text}"
    return f"<td {attributes}>{content}"


def _separated(text: str, delimiter: str) -> list[Grid]:
    reader = csv.reader(io.StringIO(text), delimiter=delimiter)
    rows = []
    try:
        for cells in reader:
            if any(cells) and not _RULE.fullmatch("".join(cells)):
                framed = delimiter == "|" and not cells[0].strip() and not cells[-1].strip()
                kept = cells[1:-1] if framed else cells
                rows.append(GridRow(reader.line_num, tuple(map(plain, kept))))
    except csv.Error:  # a field without end
        return []
    return [rows] if rows else []


@dataclass(slots=True)
class _Cell:
    """A cell as it is written: its text in pieces, and how many rows and columns it spans."""

    down: int
    across: int
    pieces: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Row:
    line: int
    cells: list[_Cell] = field(default_factory=list)


@dataclass(slots=True)
class _Table:
    """A table that is being read, with its open row and cell."""

    rows: list[_Row] = field(default_factory=list)
    row: _Row | None = None
    cell: _Cell | None = None


class _Tables(HTMLParser):
    """Collects the tables of a page, whatever they leave unclosed, without hidden text."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tables: list[_Table] = []
        self._open: list[_Table] = []
        self._unseen: list[str] = []  # what hides text, and the same tags within it

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open a table, a row or a cell, whatever before it was not closed."""
        attributes = dict(attrs)
        if tag in ("table", *_PARTS):
            self._unseen = []
        elif tag in (self._unseen or ("script", "style")) or (
            tag == "span" and not self._unseen and _UNSEEN.search(attributes.get("style") or "")
        ):
            self._unseen.append(tag)
        if tag == "table" or (tag in _PARTS and not self._open):
            self._open.append(_Table())
            self.tables.append(self._open[-1])
        table = self._open[-1] if self._open else _Table()
        if tag in _PARTS and (tag == "tr" or table.row is None):
            table.row, table.cell = _Row(self.getpos()[0]), None
            table.rows.append(table.row)
        if tag in ("td", "th") and table.row:
            down, across = (_span(attributes.get(name)) for name in ("rowspan", "colspan"))
            table.cell = _Cell(down, across)
            table.row.cells.append(table.cell)
        elif tag in _SIGNS:
            self.handle_data(_SIGNS[tag])

    def handle_endtag(self, tag: str) -> None:
        """Close a cell, a row or a table."""
        if tag in self._unseen[-1:]:
            self._unseen.pop()
        if tag == "sup":
            self.handle_data("\x02")
        elif self._open and tag in ("table", *_PARTS):
            table = self._open[-1]
            table.cell = None
            table.row = table.row if tag in ("td", "th") else None
            if tag == "table":
                self._open.pop()

    def handle_data(self, data: str) -> None:
        """Add text to the open cell, unless it is hidden."""
        if self._open and self._open[-1].cell and not self._unseen:
            self._open[-1].cell.pieces.append(data)


def _repeated(rows: list[_Row]) -> Grid:
    """Return the rows with each cell repeated in all rows and columns that it spans."""
    grid: Grid = []
    number = 0
    hanging: dict[int, tuple[int, str]] = {}  # by column: rows still to fill, and the text
    for row in rows:
        texts: list[str] = []
        begun: dict[int, tuple[int, str]] = {}
        for cell in [*row.cells, None]:
            while len(texts) in hanging and number <= MAX_CELLS:
                number += 1
                texts.append(hanging[len(texts)][1])
            if cell is None:
                break
            text = plain(_NOTE.sub(r"\1\2", "".join(cell.pieces)))
            number += cell.across
            for _ in range(cell.across if number <= MAX_CELLS else 0):
                if cell.down > 1:
                    begun[len(texts)] = cell.down - 1, text
                texts.append(text)
        hanging = {at: (left - 1, text) for at, (left, text) in hanging.items() if left > 1} | begun
        if any(texts):
            grid.append(GridRow(row.line, tuple(texts)))
    return grid


def _span(text: str | None) -> int:
    number = text or ""
    return min(max(int(number), 1), MAX_SPAN) if re.fullmatch("[0-9]{1,9}", number) else 1
