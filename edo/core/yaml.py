"""Strict YAML: parsing with line numbers, canonical output, and the blocks of a file with comments.

This is done by hand on PyYAML's parser events, because `yaml.safe_load` reads `10:5` as 605, `012`
as 10, `no` as False and `1851-05-27` as a date, and of a repeated key silently takes the last
value. Here scalars stay text, to be converted by the field they belong to, and repeated keys are
errors.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from edo.core import files
from edo.core.files import Unreadable
from edo.core.problems import Problem

MAX_NODES = 50_000  # [values and keys] thirty times those of the largest of the first 800 files
MAX_KEY = 80  # [characters] of a repeated key in a message
MAX_REPEATED = 100  # [repeated keys] after which reading stops
MAX_DEPTH = 12  # [levels] the deepest field of an event file is at 5


class ScalarNode(NamedTuple):
    """A scalar and the line where it starts; for a block of text, that of its first row.

    `is_block` says that it stands below `|` or `>`.
    """

    value: str
    line: int
    is_block: bool = False


@dataclass(frozen=True, slots=True)
class ListNode:
    """A list."""

    values: tuple[Node, ...]
    line: int


@dataclass(frozen=True, slots=True)
class MappingNode:
    """A mapping; `lines` are those of the keys."""

    values: Mapping[str, Node]
    lines: Mapping[str, int]
    line: int


Node = ScalarNode | ListNode | MappingNode


def read(path: Path, shown_path: str) -> tuple[MappingNode | None, list[Problem]]:
    """Return the mapping in a file, None if it is invalid, and all problems.

    `shown_path` is the path in messages. Repeated keys are problems, but do not stop reading.
    """
    text, problems = read_text(path, shown_path)
    return (None, problems) if text is None else parse(text, shown_path)


def read_text(path: Path, shown_path: str) -> tuple[str | None, list[Problem]]:
    """Return the text of a file, or None and the reason why it cannot be read."""
    try:
        return files.read_text(path), []
    except Unreadable as refused:
        return None, [_problem(shown_path, refused)]


def parse(text: str, shown_path: str) -> tuple[MappingNode | None, list[Problem]]:
    """Return the mapping in the text of a file, None if it is invalid, and all problems."""
    problems: list[Problem] = []
    try:
        node = _parse(text, shown_path, problems)
        if not isinstance(node, MappingNode):
            raise Unreadable(1, "the file is not a mapping of fields", "start with `name: ...`")
    except Unreadable as refused:
        return None, [*problems, _problem(shown_path, refused)]
    return node, problems


def _problem(shown_path: str, refused: Unreadable) -> Problem:
    return Problem(shown_path, refused.line, "", refused.message, refused.hint)


def _parse(text: str, shown_path: str, problems: list[Problem]) -> Node:
    # Lazily, so that too deep nesting is refused early: libyaml's time grows with depth squared.
    events = _limited(iter(yaml.CBaseLoader(text).get_event, None))
    try:
        return _document(events, shown_path, problems)
    except yaml.MarkedYAMLError as error:
        raise _not_yaml(error, text) from None
    except yaml.YAMLError as error:
        line = _bad_character_line(text)
        raise Unreadable(line, "a character that YAML does not allow", "remove it") from error


_SYNTAX_HINTS = (
    ("tab character", "indent with spaces, not with tabs"),
    ("mapping values", "quote text that contains a colon, or indent the line like its neighbours"),
    ("simple key", "put a colon and a space after a key, and indent all lines below `|`"),
    ("quoted scalar", "close the quotes"),
    ("flow", "close the brackets, put commas between the items, and quote text with a colon"),
    ("sequence entries", "start the list on a line of its own"),
    ("block scalar", "start the text on the line below the `|`"),
    ("cannot start", "put the text in quotes"),
    (
        "expected key",
        "indent the line like its neighbours, and write nothing after closing quotes or brackets",
    ),
)
"""Hints by a part of libyaml's message; the first match counts."""
_STARTED_EARLIER = ("while scanning a simple key", "while scanning a quoted scalar")


def _not_yaml(error: yaml.MarkedYAMLError, text: str) -> Unreadable:
    """Return the error for a syntax error, with its line and a hint."""
    earlier = error.context in _STARTED_EARLIER  # libyaml notices the error only lines later
    mark = (error.context_mark if earlier else error.problem_mark) or error.context_mark
    message = f"{error.context} {error.problem}"
    if mark is not None and text[mark.index : mark.index + 1] == "\t":
        message = "tab character"
    hint = next((hint for part, hint in _SYNTAX_HINTS if part in message), "check the layout")
    return Unreadable(mark.line + 1 if mark else 1, f"not valid YAML: {error.problem}", hint)


def _limited(events: Iterator[Any]) -> Iterator[Any]:
    yield from islice(events, MAX_NODES + 1)
    for event in events:
        line = _line(event)
        raise Unreadable(line, f"more than {MAX_NODES:,} values", "split it into several files")


def _document(events: Iterator[Any], shown_path: str, problems: list[Problem]) -> Node:
    next(events)  # the start of the stream
    if isinstance(next(events), yaml.StreamEndEvent):
        raise Unreadable(1, "the file is empty", "fill it or delete it")
    node = _build(next(events), events, shown_path, problems, 0)
    next(events)  # the end of the document
    following = next(events)
    if not isinstance(following, yaml.StreamEndEvent):
        raise Unreadable(_line(following), "a second document starts here", "keep one in a file")
    return node


def _bad_character_line(text: str) -> int:
    bad = yaml.reader.Reader.NON_PRINTABLE.search(text)
    return text.count("\n", 0, bad.start()) + 1 if bad else 1


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 1


def _build(
    event: Any, events: Iterator[Any], path: str, problems: list[Problem], depth: int
) -> Node:
    line, kind = event.start_mark.line + 1, type(event)
    if depth > MAX_DEPTH:
        raise Unreadable(line, f"nested deeper than {MAX_DEPTH} levels", "flatten it")
    if kind is yaml.AliasEvent or event.anchor is not None:
        raise Unreadable(line, "anchors and aliases (& and *) are not used here", "write it out")
    if event.tag is not None and event.tag != "!":
        raise Unreadable(line, "tags (!) are not used here", "remove the tag")
    if kind is yaml.ScalarEvent:
        is_block = event.style in ("|", ">")
        return ScalarNode(event.value, line + is_block, is_block)
    if kind is yaml.SequenceStartEvent:
        values = []
        while type(event := next(events)) is not yaml.SequenceEndEvent:
            values.append(_build(event, events, path, problems, depth + 1))
        return ListNode(tuple(values), line)
    fields: dict[str, Node] = {}
    lines: dict[str, int] = {}
    while type(event := next(events)) is not yaml.MappingEndEvent:
        key = _build(event, events, path, problems, depth + 1)
        value = _build(next(events), events, path, problems, depth + 1)
        if not isinstance(key, ScalarNode):
            raise Unreadable(key.line, "a key is not a plain word", "write the key as one word")
        if key.value in fields:
            if len(problems) == MAX_REPEATED:
                raise Unreadable(key.line, f"{MAX_REPEATED} keys are repeated", "correct them")
            place = key.value[:MAX_KEY]
            message = f"the key is listed twice (first on line {lines[key.value]})"
            problems.append(Problem(path, key.line, place, message, "keep one of the two"))
            continue
        fields[key.value], lines[key.value] = value, key.line
    return MappingNode(fields, lines, line)


YamlValue = str | int | float | bool | None | Sequence["YamlValue"] | Mapping[str, "YamlValue"]


def dump(data: Mapping[str, YamlValue]) -> str:
    """Return nested mappings, lists and text as canonical YAML, without fields that are None.

    Text of several lines becomes a literal block. A list of scalars that fits on one line is put on
    one line, and so is a mapping within a list that fits and contains no other mapping.
    """
    text: str = yaml.serialize(
        _represent(_as_text(data)), Dumper=yaml.CBaseDumper, allow_unicode=True, width=96, indent=2
    )
    return text


TextTree = str | list["TextTree"] | dict[str, "TextTree"]


def _as_text(data: YamlValue) -> TextTree:
    """Return the data as they will be read: all scalars as text, without fields that are None."""
    if isinstance(data, Mapping):
        return {key: _as_text(value) for key, value in data.items() if value is not None}
    if isinstance(data, Sequence) and not isinstance(data, str):
        return [_as_text(value) for value in data]
    if isinstance(data, bool):
        return "true" if data else "false"
    return f"{data:g}" if isinstance(data, float) else str(data)


def _represent(data: TextTree, in_list: bool = False) -> yaml.Node:
    if isinstance(data, dict):
        pairs = [(_represent(key), _represent(value, in_list)) for key, value in data.items()]
        return yaml.MappingNode("tag:yaml.org,2002:map", pairs, flow_style=in_list and _fits(data))
    if isinstance(data, list):
        values = [_represent(value, in_list=True) for value in data]
        return yaml.SequenceNode("tag:yaml.org,2002:seq", values, flow_style=_fits(data))
    style = "|" if "\n" in data else None
    return yaml.ScalarNode("tag:yaml.org,2002:str", data, style=style)


def _fits(data: list[TextTree] | dict[str, TextTree]) -> bool:
    """Whether the data fits on one line: scalars, or a mapping of scalars and lists of scalars."""
    if isinstance(data, dict):
        inner = list(data.values())
        nested = [*inner, *(item for value in inner if isinstance(value, list) for item in value)]
        shallow = not any(isinstance(item, dict) for item in nested)
    else:
        inner = data
        shallow = all(isinstance(value, str) for value in inner)
    flat = str(data)
    return shallow and "\n" not in flat.replace("\\n", "\n") and len(flat) <= 96


def node_data(node: Node) -> TextTree:
    """Return the data in a node, to be edited and dumped again."""
    if isinstance(node, MappingNode):
        return {key: node_data(value) for key, value in node.values.items()}
    if isinstance(node, ListNode):
        return [node_data(value) for value in node.values]
    return node.value


class PlacedScalar(NamedTuple):
    """A scalar and the part of the text in which it stands, with its quotes."""

    value: str
    start: int
    stop: int


Placed = PlacedScalar | list["Placed"] | dict[PlacedScalar, "Placed"]


def placed(text: str) -> Placed:
    """Return what a valid file holds, each scalar with its place in the text."""
    return _placed(yaml.compose(text, Loader=yaml.CBaseLoader))


def _placed(node: Any) -> Placed:
    if isinstance(node, yaml.SequenceNode):
        return [_placed(item) for item in node.value]
    if isinstance(node, yaml.MappingNode):
        return {_placed_scalar(key): _placed(value) for key, value in node.value}
    return _placed_scalar(node)


def _placed_scalar(node: Any) -> PlacedScalar:
    return PlacedScalar(node.value, node.start_mark.index, node.end_mark.index)


_BREAK = re.compile(r"\r\n|[\n\r\x85\u2028\u2029]")  # the line breaks of YAML 1.1


@dataclass(frozen=True, slots=True)
class Block:
    """A key at the left margin of a file with its lines, and the comments above it.

    `commented` says that there are comments in the lines too.
    """

    key: str
    above: tuple[str, ...]
    lines: tuple[str, ...]
    commented: bool


def comment_lines(lines: Sequence[str]) -> tuple[str, ...]:
    """Return the lines of comments at the left margin."""
    return tuple(line for line in lines if line.startswith("#"))


def blocks(text: str, node: MappingNode) -> tuple[tuple[str, ...], list[Block], tuple[str, ...]]:
    """Return the comments at the top of a file, its blocks, and the comments at its end.

    `node` is the mapping in the text. Comments above a key are about it; those at the top are apart
    by an empty line. The text is split by lines, so whoever puts blocks together again must compare
    what they say with the original.
    """
    lines = _BREAK.split(text)
    starts = [line - 1 for line in node.lines.values()]
    if not starts:
        return comment_lines(lines), [], ()
    head = lines[: starts[0]]
    empty = max((n for n, line in enumerate(head) if not line.strip()), default=0)
    of_keys: list[Block] = []
    end = empty
    for (key, value), (start, following) in zip(
        node.values.items(), pairwise([*starts, len(lines)]), strict=True
    ):
        above = comment_lines(lines[end:start])
        end = following
        while end > start + 1 and (not lines[end - 1].strip() or lines[end - 1].startswith("#")):
            end -= 1  # comments and empty lines above what follows
        text = "\n".join(lines[start:end])
        of_keys.append(Block(key, above, tuple(lines[start:end]), _has_comment(text, key, value)))
    return comment_lines(head[:empty]), of_keys, comment_lines(lines[end:])


def _has_comment(text: str, key: str, value: Node) -> bool:
    """Whether a `#` of the text is in no key or value; an escape might stand for one."""
    n_signs = text.count("#")
    return n_signs > 0 and ("\\" in text or n_signs != key.count("#") + _signs(value))


def _signs(node: Node) -> int:
    """Return how often `#` stands in keys and values."""
    if isinstance(node, ScalarNode):
        return node.value.count("#")
    if isinstance(node, ListNode):
        return sum(map(_signs, node.values))
    return sum(key.count("#") + _signs(value) for key, value in node.values.items())
