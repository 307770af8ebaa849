"""The text of a YAML file in; where its keys, items and comments stand out, and comments put back.

A comment on lines of its own belongs to what follows it, one behind a value to that value, and what
a blank line parts from the first key to the file. So each finds its place again in another layout
of the same data.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

Path = tuple[str | int, ...]
"""Keys and numbers of items, from the outermost inwards."""

_BREAK = re.compile(r"\r\n|[\n\r\x85\u2028\u2029]")  # the line breaks of YAML 1.1


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a key or an item begins; lines and columns count from 0.

    `last` is the line on which a value of one scalar ends, or on which it says that a block of text
    follows; for everything else the line on which the key or item begins.
    """

    path: Path
    line: int
    column: int
    last: int


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment from its `#` on, what it belongs to, and whether it stands behind that.

    The path () is the file: above it or, behind it, at its end.
    """

    text: str
    path: Path
    behind: bool


@dataclass(frozen=True, slots=True)
class _Scalar:
    """From where to where a scalar stands, with the `|` of a block; the end is not part of it."""

    start: tuple[int, int]
    end: tuple[int, int]
    block: bool


@dataclass(frozen=True, slots=True)
class Layout:
    """The lines of a text, its keys and items in order, and its scalars in order."""

    lines: tuple[str, ...]
    spots: tuple[Spot, ...]
    scalars: tuple[_Scalar, ...]

    def inside(self, line: int) -> bool:
        """Whether a scalar goes on from the line before, and is no block that only begins here."""
        before = bisect_left(self.scalars, (line, 0), key=lambda scalar: scalar.start) - 1
        scalar = self.scalars[before] if before >= 0 else None
        if scalar is None or (line, 0) >= scalar.end:
            return False
        return not (scalar.block and line == scalar.start[0] + 1)


def lay_out(text: str) -> Layout:
    """Return the layout of a text that is sound YAML without anchors and tags."""
    spots: list[Spot] = []
    scalars: list[_Scalar] = []
    events = iter(yaml.parse(text, Loader=yaml.CBaseLoader))
    next(events), next(events)  # the beginnings of the stream and of the document
    _walk(next(events), events, (), spots, scalars)
    return Layout(tuple(_BREAK.split(text)), tuple(spots), tuple(scalars))


def _walk(
    event: Any, events: Iterator[Any], path: Path, spots: list[Spot], scalars: list[_Scalar]
) -> int | None:
    """Note what stands in a value; return the line behind which a scalar's comment can stand."""
    if isinstance(event, yaml.ScalarEvent):
        scalar = _scalar(event)
        scalars.append(scalar)
        return scalar.start[0] if scalar.block else scalar.end[0]
    number = 0
    listed = isinstance(event, yaml.SequenceStartEvent)
    ends = yaml.SequenceEndEvent if listed else yaml.MappingEndEvent
    while not isinstance(event := next(events), ends):
        line, column = event.start_mark.line, event.start_mark.column
        place = len(spots)
        if listed:
            own: Path = (*path, number)
            value = event
        else:
            scalars.append(_scalar(event))
            own = (*path, event.value)
            value = next(events)
        spots.append(Spot(own, line, column, line))
        last = _walk(value, events, own, spots, scalars)
        if last is not None:
            spots[place] = Spot(own, line, column, last)
        number += 1
    return None


def _scalar(event: Any) -> _Scalar:
    start, end = event.start_mark, event.end_mark
    return _Scalar((start.line, start.column), (end.line, end.column), event.style in ("|", ">"))


def comments(layout: Layout) -> list[Comment]:
    """Return all comments of a text, in order, each with what it belongs to."""
    found = []
    begins = [(spot.line, spot.column) for spot in layout.spots]
    first = begins[0][0] if begins else 0
    head = max((n for n in range(first) if not layout.lines[n].strip()), default=0)
    for number, line in enumerate(layout.lines):
        column = _comment_column(layout, number, line)
        if column is None:
            continue
        text = line[column:].rstrip()
        before = bisect_left(begins, (number, column))
        if line[:column].strip() and before > 0:
            found.append(Comment(text, layout.spots[before - 1].path, behind=True))
        else:
            at_end = before == len(begins)
            above = () if at_end or number < head else layout.spots[before].path
            found.append(Comment(text, above, behind=at_end))
    return found


def _comment_column(layout: Layout, number: int, line: str) -> int | None:
    """Return where the comment of a line begins: at the first `#` that is in no scalar."""
    column = line.find("#")
    while column >= 0:
        before = bisect_right(layout.scalars, (number, column), key=lambda s: s.start) - 1
        scalar = layout.scalars[before] if before >= 0 else None
        heads = scalar is not None and scalar.block and scalar.start[0] == number
        if scalar is None or heads or (number, column) >= scalar.end:
            return column
        end_line, end_column = scalar.end
        column = line.find("#", end_column) if end_line == number else -1
    return None


def with_comments(text: str, kept: Sequence[Comment]) -> str:
    """Return a canonical text with comments of another layout of the same data put in place."""
    layout = lay_out(text)
    spots = {spot.path: spot for spot in layout.spots}
    above: dict[int, list[str]] = {}
    behind: dict[int, list[str]] = {}
    for comment in kept:
        if not comment.path:
            above.setdefault(len(layout.lines) - 1 if comment.behind else 0, []).append(
                comment.text
            )
        elif comment.behind and not layout.inside(spots[comment.path].last + 1):
            behind.setdefault(spots[comment.path].last, []).append(comment.text)
        else:
            above.setdefault(_free(layout, spots[comment.path].line), []).append(comment.text)
    return "\n".join(_merged(layout, above, behind))


def _free(layout: Layout, line: int) -> int:
    """Return the nearest line from here upwards above which a comment can stand."""
    while layout.inside(line):
        line -= 1
    return line


def _merged(
    layout: Layout, above: Mapping[int, Sequence[str]], behind: Mapping[int, Sequence[str]]
) -> Iterator[str]:
    columns: dict[int, int] = {}
    for spot in layout.spots:
        columns.setdefault(spot.line, _indent(layout.lines[spot.line]))
    for number, line in enumerate(layout.lines):
        indent = " " * columns.get(number, 0)
        own, after = list(above.get(number, ())), behind.get(number, ())
        if len(after) > 1:  # only one fits behind a line
            own, after = [*own, *after], ()
        for comment in own:
            yield indent + comment
        yield line + "".join(f"  {comment}" for comment in after)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
