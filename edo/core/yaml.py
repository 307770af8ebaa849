"""The one door to YAML: strict text in, nodes with lines out; data in, canonical text out.

Scalars stay text: the field that a value stands in decides what it means, so `10:5`, `012`, `NO`
and `1851-05-27` are what the editor wrote.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from edo.core import files
from edo.core.files import Unreadable
from edo.core.problems import Problem

MAX_NODES = 50_000  # [values and keys] thirty times those of the largest file of the first 800
MAX_PLACE = 80  # [characters] of a repeated key that a problem names
MAX_REPEATED = 100  # [keys] that stand twice, after which the file is not read on
MAX_DEPTH = 12  # [levels] the deepest field of the format is at 5


@dataclass(frozen=True, slots=True)
class Text:
    """A scalar; `line` is where it starts (for a block of text the line of its first row)."""

    value: str
    line: int


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    values: tuple[Node, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Fields:
    """A mapping; `lines` holds the line of each key."""

    values: Mapping[str, Node]
    lines: Mapping[str, int]
    line: int


Node = Text | Items | Fields


def read(path: Path, shown_path: str) -> tuple[Fields | None, list[Problem]]:
    """Return the mapping that the file holds, or None and what is wrong with it.

    `shown_path` is the path as problems name it. Repeated keys do not stop the reading.
    """
    text, problems = read_text(path, shown_path)
    return (None, problems) if text is None else parse(text, shown_path)


def read_text(path: Path, shown_path: str) -> tuple[str | None, list[Problem]]:
    """Return the text of the file, or None and why it cannot be read."""
    try:
        return files.read_text(path), []
    except Unreadable as refused:
        return None, [_problem(shown_path, refused)]


def parse(text: str, shown_path: str) -> tuple[Fields | None, list[Problem]]:
    """Return the mapping that the text of a file holds, or None and what is wrong with it."""
    problems: list[Problem] = []
    try:
        node = _parse(text, shown_path, problems)
        if not isinstance(node, Fields):
            raise Unreadable(1, "the file is not a mapping of fields", "start with `name: ...`")
    except Unreadable as refused:
        return None, [*problems, _problem(shown_path, refused)]
    return node, problems


def _problem(shown_path: str, refused: Unreadable) -> Problem:
    return Problem(shown_path, refused.line, "", refused.message, refused.hint)


def _parse(text: str, shown_path: str, problems: list[Problem]) -> Node:
    # Lazily, so that nesting is refused at its limit: libyaml's time grows with depth squared.
    events = _counted(yaml.parse(text, Loader=yaml.CBaseLoader))
    try:
        return _document(events, shown_path, problems)
    except yaml.MarkedYAMLError as error:
        raise _not_yaml(error, text) from None
    except yaml.YAMLError as error:
        line = _bad_character_line(text)
        raise Unreadable(line, "a character that YAML does not allow", "remove it") from error


_LAYOUT = (
    ("tab character", "indent with blanks, never with tabs"),
    (
        "mapping values",
        "put a text that holds a colon in quotes, or indent the line as its neighbours are",
    ),
    ("simple key", "write a key with a colon and a blank, and indent all that stands below `|`"),
    ("quoted scalar", "close the quotes"),
    ("flow", "close the brackets, and divide by commas what stands in them"),
    ("sequence entries", "begin the list on a line of its own"),
    ("block scalar", "begin the text on the line below the `|`"),
    ("cannot start", "put the text in quotes"),
    (
        "expected key",
        "indent the line as its neighbours are; nothing stands behind closing quotes or brackets",
    ),
)
"""What libyaml says of bad layout, in part, and how that is mended; the first that fits."""
_BEGUN_BEFORE = ("while scanning a simple key", "while scanning a quoted scalar")


def _not_yaml(error: yaml.MarkedYAMLError, text: str) -> Unreadable:
    """Return what is said of a layout that is none: the line where it goes wrong, and a hint."""
    begun = error.context in _BEGUN_BEFORE  # libyaml sees it only lines later
    mark = (error.context_mark if begun else error.problem_mark) or error.context_mark
    said = f"{error.context} {error.problem}"
    if mark is not None and text[mark.index : mark.index + 1] == "\t":
        said = "tab character"
    hint = next((way for words, way in _LAYOUT if words in said), "check the layout")
    return Unreadable(mark.line + 1 if mark else 1, f"not valid YAML: {error.problem}", hint)


def _counted(events: Iterable[Any]) -> Iterator[Any]:
    for n, event in enumerate(events):
        if n > MAX_NODES:
            raise Unreadable(
                _line(event), f"more than {MAX_NODES:,} values", "split it into several files"
            )
        yield event


def _document(events: Iterator[Any], shown_path: str, problems: list[Problem]) -> Node:
    next(events)  # the start of the stream
    if isinstance(next(events), yaml.StreamEndEvent):
        raise Unreadable(1, "the file is empty", "fill it or delete it")
    node = _build(next(events), events, shown_path, problems, 0)
    next(events)  # the end of the document
    following = next(events)
    if not isinstance(following, yaml.StreamEndEvent):
        raise Unreadable(
            _line(following), "a second document begins here", "keep one document in a file"
        )
    return node


def _bad_character_line(text: str) -> int:
    allowed = yaml.reader.Reader.NON_PRINTABLE.search(text)
    return text.count("\n", 0, allowed.start()) + 1 if allowed else 1


def _line(event: Any) -> int:
    line: int = event.start_mark.line + 1
    return line


def _build(
    event: Any, events: Iterator[Any], path: str, problems: list[Problem], depth: int
) -> Node:
    line = _line(event)
    if depth > MAX_DEPTH:
        raise Unreadable(line, f"nested deeper than {MAX_DEPTH} levels", "flatten it")
    if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
        raise Unreadable(line, "anchors and aliases (& and *) are not used here", "write it out")
    if event.tag is not None and event.tag != "!":
        raise Unreadable(line, "tags (!) are not used here", "remove the tag")
    if isinstance(event, yaml.ScalarEvent):
        return Text(event.value, line + 1 if event.style in ("|", ">") else line)
    if isinstance(event, yaml.SequenceStartEvent):
        values = []
        while not isinstance(event := next(events), yaml.SequenceEndEvent):
            values.append(_build(event, events, path, problems, depth + 1))
        return Items(tuple(values), line)
    fields: dict[str, Node] = {}
    lines: dict[str, int] = {}
    while not isinstance(event := next(events), yaml.MappingEndEvent):
        key = _build(event, events, path, problems, depth + 1)
        value = _build(next(events), events, path, problems, depth + 1)
        if not isinstance(key, Text):
            raise Unreadable(key.line, "a key is not a plain word", "write the key as one word")
        if key.value in fields:
            if len(problems) == MAX_REPEATED:
                raise Unreadable(key.line, f"{MAX_REPEATED} keys stood twice before", "mend them")
            problems.append(
                Problem(
                    path,
                    key.line,
                    key.value[:MAX_PLACE],
                    f"the key stands twice (first on line {lines[key.value]})",
                    "keep one of the two",
                )
            )
            continue
        fields[key.value], lines[key.value] = value, key.line
    return Fields(fields, lines, line)


class _Dumper(yaml.CBaseDumper):
    """The canonical form: blocks of text literal, short inner lists on one line."""


Plain = str | int | float | bool | None | Sequence["Plain"] | Mapping[str, "Plain"]


def dump(data: Mapping[str, Plain]) -> str:
    """Return the canonical YAML text of nested mappings, lists and text; None fields are left out.

    Text of several lines becomes a literal block. A list of words that fits on one line becomes one
    line, and so does, within a list, a mapping that fits and holds no other mapping.
    """
    text: str = yaml.serialize(
        _represent(_worded(data)), Dumper=_Dumper, allow_unicode=True, width=96, indent=2
    )
    return text


Words = str | list["Words"] | dict[str, "Words"]


def _worded(data: Plain) -> Words:
    """Return the data as they are read back: all scalars as text, without the empty fields."""
    if isinstance(data, Mapping):
        return {key: _worded(value) for key, value in data.items() if value is not None}
    if isinstance(data, Sequence) and not isinstance(data, str):
        return [_worded(value) for value in data]
    if isinstance(data, bool):
        return "true" if data else "false"
    return f"{data:g}" if isinstance(data, float) else str(data)


def _represent(data: Words, listed: bool = False) -> yaml.Node:
    if isinstance(data, dict):
        pairs = [(_represent(key), _represent(value, listed)) for key, value in data.items()]
        return yaml.MappingNode("tag:yaml.org,2002:map", pairs, flow_style=listed and _fits(data))
    if isinstance(data, list):
        values = [_represent(value, listed=True) for value in data]
        return yaml.SequenceNode("tag:yaml.org,2002:seq", values, flow_style=_fits(data))
    style = "|" if "\n" in data else None
    return yaml.ScalarNode("tag:yaml.org,2002:str", data, style=style)


def _fits(data: list[Words] | dict[str, Words]) -> bool:
    """Whether the data is one short line: words, or a mapping of words and lists of words."""
    if isinstance(data, dict):
        inner = list(data.values())
        held = [*inner, *(entry for value in inner if isinstance(value, list) for entry in value)]
        shallow = not any(isinstance(entry, dict) for entry in held)
    else:
        inner = data
        shallow = all(isinstance(value, str) for value in inner)
    flat = str(data)
    return shallow and "\n" not in flat.replace("\\n", "\n") and len(flat) <= 96


def plain(node: Node) -> Words:
    """Return what a node holds, to be changed and dumped again."""
    if isinstance(node, Fields):
        return {key: plain(value) for key, value in node.values.items()}
    if isinstance(node, Items):
        return [plain(value) for value in node.values]
    return node.value


KeyPath = tuple[str | int, ...]
"""Keys and numbers of items, from the outermost inwards."""

_BREAK = re.compile(r"\r\n|[\n\r\x85\u2028\u2029]")  # the line breaks of YAML 1.1


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a key or an item begins; lines and columns count from 0.

    `last` is the line on which a value of one scalar ends, or on which it says that a block of text
    follows; for everything else the line on which the key or item begins.
    """

    path: KeyPath
    line: int
    column: int
    last: int


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment from its `#` on, what it belongs to, and whether it stands behind that.

    The path () is the file: above it or, behind it, at its end.
    """

    text: str
    path: KeyPath
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
    event: Any, events: Iterator[Any], path: KeyPath, spots: list[Spot], scalars: list[_Scalar]
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
            own: KeyPath = (*path, number)
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
