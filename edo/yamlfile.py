"""The one door to YAML: strict text in, nodes with lines out; data in, canonical text out.

Scalars stay text: the field that a value stands in decides what it means, so `10:5`, `012`, `NO`
and `1851-05-27` are what the editor wrote.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from edo import textfile
from edo.errors import Problem
from edo.textfile import Unreadable

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
        return textfile.read(path), []
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
    return Problem(shown_path, refused.line, "", refused.finding, refused.remedy)


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
    """Return what is said of a layout that is none: the line where it goes wrong, and a remedy."""
    begun = error.context in _BEGUN_BEFORE  # libyaml sees it only lines later
    mark = (error.context_mark if begun else error.problem_mark) or error.context_mark
    said = f"{error.context} {error.problem}"
    if mark is not None and text[mark.index : mark.index + 1] == "\t":
        said = "tab character"
    remedy = next((way for words, way in _LAYOUT if words in said), "check the layout")
    return Unreadable(mark.line + 1 if mark else 1, f"not valid YAML: {error.problem}", remedy)


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
