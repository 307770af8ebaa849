"""What moved in; a report for the terminal, or as Markdown for a pull request, out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeVar

from edo import formats
from edo.movements import movement_words
from edo.movements.edits import Edit
from edo.movements.movement import LEADING, Move, Movement

ROWS = 20  # of each part, where not all are asked for

Item = TypeVar("Item")

_SPECIAL = re.compile(r"([\\`*_\[\]|~$])")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the report: rows of a table with their heads; `hidden` more were left out.

    Cells may hold several lines; on a terminal those of a last column stand below their row.
    """

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    hidden: int = 0


def as_text(movement: Movement, most: int | None = ROWS) -> str:
    """Return the report for a terminal: at most so many rows a part, all where None."""
    lines = [f"{movement.old} {movement_words.ARROW} {movement.new}"]
    lines += movement_words.summary(movement)
    for part in parts(movement, most):
        lines += ["", part.title]
        lines += (f"  {line}" for line in _columns(part.rows))
        lines += _rest(part, "  ")
    return "\n".join(lines) + "\n"


def as_markdown(movement: Movement, most: int | None = ROWS) -> str:
    """Return the report in GitHub's Markdown; nothing in names or notes is taken for markup."""
    arrow = movement_words.ARROW
    lines = [f"## What moved: {escaped(movement.old)} {arrow} {escaped(movement.new)}", ""]
    lines += (escaped(sentence) + "  " for sentence in movement_words.summary(movement))
    for part in parts(movement, most):
        lines += ["", f"### {escaped(part.title)}", ""]
        lines += _table(part)
        lines += ("\n" + escaped(line) for line in _rest(part, ""))
    return "\n".join(lines) + "\n"


def parts(movement: Movement, most: int | None) -> Iterator[Part]:
    """Yield the parts that have something to tell."""
    for made in _PARTS:
        for title, heads, rows in made(movement):
            if rows:
                shown = rows if most is None else rows[:most]
                yield Part(title, heads, tuple(shown), len(rows) - len(shown))


def escaped(text: str) -> str:
    """Return text that Markdown shows as it is, in a paragraph or a cell of a table."""
    flat = " ".join(text.split())
    return (
        _SPECIAL.sub(r"\\\1", flat).replace("<", "&lt;").replace(">", "&gt;").replace("@", "&#64;")
    )


Made = Iterator[tuple[str, tuple[str, ...], Sequence[tuple[str, ...]]]]


def _edits(movement: Movement) -> Made:
    for kind, of_kind in groupby(movement.edits, key=lambda edit: edit.kind):
        rows = [(e.state, movement_words.edit_line(e), _fields(e, movement)) for e in of_kind]
        yield movement_words.many(kind).capitalize(), ("", "which", "what changed"), rows
    silent = set(movement.attribution.events) - {e.id for e in movement.edits if e.kind == "events"}
    yield (
        "Events rated otherwise, though nobody changed them",
        ("event", "what it does"),
        [
            (movement.events.get(event, event), movement_words.of_event(event, movement) or "")
            for event in sorted(silent)
        ],
    )


def _fields(edit: Edit, movement: Movement) -> str:
    lines = [movement_words.field_line(field) for field in edit.fields]
    alone = movement_words.of_event(edit.id, movement) if edit.kind == "events" else None
    return "\n".join([*lines, alone] if alone else lines)


def _moves(movement: Movement) -> Made:
    """Yield the players who moved most: of each the year that moved most, and how many did."""
    most: dict[str, tuple[Move, int]] = {}
    for move in movement.moves:
        first, years = most.get(move.player, (move, 0))
        most[move.player] = first, years + 1
    yield (
        "Ratings that moved most: of each player the year that moved most",
        ("player", "year", "rating", "moved", "years moved", "which event did it"),
        [_move(move, years, movement) for move, years in most.values()],
    )


def _move(move: Move, years: int, movement: Movement) -> tuple[str, ...]:
    return (
        movement.players.get(move.player, move.player),
        str(move.year),
        movement_words.rating_change(move),
        formats.signed(move.change, 1),
        formats.counted(years, "year"),
        movement_words.causes(move, movement),
    )


def _number_ones(movement: Movement) -> Made:
    yield (
        "Number ones that changed",
        ("year", "before", "now"),
        [
            (str(n.year), *(movement_words.first(one, movement) for one in (n.old, n.new)))
            for n in movement.number_ones
        ],
    )


def _ranks(movement: Movement) -> Made:
    for title, leading in (
        (f"Ranks that changed among the first {LEADING}", True),
        ("Ranks that changed below", False),
    ):
        found = [change for change in movement.ranks if (change.best <= LEADING) == leading]
        rows = [
            (str(year), ", ".join(movement_words.rank_change(c, movement) for c in changes))
            for year, changes in groupby(found, key=lambda change: change.year)
        ]
        yield title, ("year", "who"), rows


def _careers(movement: Movement) -> Made:
    came = [c for c in movement.careers if c.old is None]
    left = [c for c in movement.careers if c.new is None]
    other = [c for c in movement.careers if c.old is not None and c.new is not None]
    for title, careers in (
        ("Players who came in", came),
        ("Players who fell out", left),
        ("Players whose rated years changed", other),
    ):
        yield title, ("who",), [(movement_words.career(c, movement),) for c in careers]


_PARTS: tuple[Callable[[Movement], Made], ...] = (_edits, _moves, _number_ones, _ranks, _careers)


def _columns(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Yield the rows in columns as wide as the widest cell.

    The last one may be of any length; where it has several lines in one row, it is put below.
    """
    below = any("\n" in row[-1] for row in rows)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row[:-1], widths[:-1], strict=True)]
        yield "  ".join(cells if below else [*cells, row[-1]]).rstrip()
        yield from (f"    {line}" for line in row[-1].splitlines() if below)


def _table(part: Part) -> Iterator[str]:
    yield _cells(part.heads)
    yield "|" + " --- |" * len(part.heads)
    for row in part.rows:
        yield _cells(row)


def _cells(row: Iterable[str]) -> str:
    cells = ("<br>".join(map(escaped, cell.splitlines())) for cell in row)
    return "| " + " | ".join(cells) + " |"


def _rest(part: Part, indent: str) -> list[str]:
    hidden = formats.count(part.hidden)
    return [f"{indent}and {hidden} more; --all shows them"] if part.hidden else []
