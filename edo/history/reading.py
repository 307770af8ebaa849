"""Conversion of YAML mappings to typed values, by the list of fields.

Problems are collected, not raised: an Entry holds what could be read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar

from edo.core.model import Citation
from edo.core.problems import Acknowledgement, InputError, Problem
from edo.core.yaml import ListNode, MappingNode, Node, ScalarNode
from edo.history import values
from edo.history.fields import BLOCKS, REASON, Field, Group, Keyed, Registry, Scalar, Several
from edo.history.names import nearest
from edo.history.values import InvalidValue, WrongDash, shown

MAX_PROBLEMS = 200  # in one file: nobody corrects more at a time
MAX_SUGGESTED = 20  # words of one file for which the nearest known one is searched: it is slow

_WORDS_OF_A_ROW = 2  # a player and his total; a line of more holds several rows
_SINGULAR: dict[Registry, str] = {
    "players": "player",
    "places": "place",
    "sources": "source",
    "odds": "kind of odds",
    "series": "series",
}
_TEXTS = values.text, values.markdown
_EMPTY = ("nothing stands here", "fill it in or delete the key")

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Known:
    """The ids that may be named; None where a registry could not be read, so any id may.

    `unrated_odds` holds the reason for each kind of odds that is not rated, `names` the names of
    the records, and other spellings of them, by id.
    """

    ids: Mapping[Registry, Collection[str] | None]
    unrated_odds: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[Registry, Mapping[str, Sequence[str]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Entry:
    """The values of a mapping that could be read, by key, with the line of every key."""

    values: Mapping[str, Any]
    lines: Mapping[str, int]
    line: int
    place: str

    def get(self, key: str) -> Any:
        """Return the value, or None where it is absent or invalid."""
        return self.values.get(key)

    def all(self, key: str) -> tuple[Any, ...]:
        """Return the items of a list without their lines, () where it is absent or invalid."""
        return tuple(item.value for item in self.values.get(key) or ())

    def line_of(self, key: str) -> int:
        """Return the line of the key, or that of the mapping where it is absent."""
        return self.lines.get(key, self.line)

    def at(self, key: str) -> tuple[int, str]:
        """Return line and place of the key, for a problem with its value."""
        return self.line_of(key), self.place


@dataclass(frozen=True, slots=True)
class Located:
    """An item of a list, or a block of text, with its line."""

    value: Any
    line: int


@dataclass(slots=True)
class ProblemLog:
    """Collects the problems of one file; `path` is shown in messages, `known` are the ids."""

    path: str
    known: Known
    problems: list[Problem] = field(default_factory=list)
    _errors: int = 0  # not the length of the list, which stops to grow at the limit
    _suggested: int = 0

    def mark(self) -> int:
        """Return a mark of this moment, for `failed_since`."""
        return self._errors

    def failed_since(self, mark: int) -> bool:
        """Whether an error was found since the mark, within the limit of the list or beyond it."""
        return self._errors > mark

    def error(self, line: int, place: str, message: str, hint: str) -> None:
        """Add an error; beyond the limit only one more says that there are others."""
        self._errors += 1
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(Problem(self.path, line, place, message, hint))
        else:
            message, hint = f"more than {MAX_PROBLEMS} problems", "mend the others first"
            self.problems[MAX_PROBLEMS:] = [Problem(self.path, line, "", message, hint)]

    def warning(self, line: int, place: str, message: str, hint: str) -> None:
        """Add a warning."""
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(Problem(self.path, line, place, message, hint, "warning"))

    def refuse(self) -> None:
        """Raise InputError where there are problems."""
        if self.problems:
            raise InputError(self.problems)

    @property
    def failed(self) -> bool:
        """Whether there is an error."""
        return any(problem.severity == "error" for problem in self.problems)

    def suggest(
        self, word: str, known: Collection[str], otherwise: str, registry: Registry | None = None
    ) -> str:
        """Return the hint for an unknown word: the nearest known one, within a limit per file."""
        if self._suggested == MAX_SUGGESTED:
            return otherwise
        self._suggested += 1
        names = self.known.names.get(registry, {}) if registry else {}
        return nearest(word, known, otherwise, names)

    def value(
        self,
        convert: Callable[[str], V],
        text: str,
        line: int,
        place: str,
        registry: Registry | None = None,
    ) -> V | None:
        """Return the value of the text, or None with an error; unknown ids are errors too."""
        try:
            value = convert(text)
        except InvalidValue as error:
            hint = error.hint
            if registry is not None and not isinstance(error, WrongDash):
                otherwise = f"write the id that it has among the {registry}, or add it to them"
                hint = self.suggest(text, self.known.ids.get(registry) or (), otherwise, registry)
            self.error(line, place, error.message, hint)
            return None
        if registry is not None:
            self.check_known(registry, str(value), line, place)
        return value

    def check_once(
        self, first: dict[str, int], id_: str, at: tuple[int, str], what: str, hint: str
    ) -> bool:
        """Add an error where the id stands twice; `first` keeps the line of its first mention."""
        is_new = id_ not in first
        if not is_new:
            self.error(*at, f"{what} stands twice (first on line {first[id_]})", hint)
        first.setdefault(id_, at[0])
        return is_new

    def check_known(self, registry: Registry, id_: str, line: int, place: str) -> None:
        """Add an error unless the registry has the id."""
        ids = self.known.ids.get(registry)
        if ids is not None and id_ not in ids:
            name = f"players/{id_[0]}" if registry == "players" else registry
            otherwise = f"add it to events/{name}.yaml or correct it"
            hint = self.suggest(id_, ids, otherwise, registry)
            self.error(line, place, f"unknown {_SINGULAR[registry]} {shown(id_)}", hint)


def read_group(log: ProblemLog, group: Group, node: Node, place: str = "") -> Entry | None:
    """Return the values of a mapping, or None where the node is no mapping."""
    if not isinstance(node, MappingNode):
        first = group.fields[0]
        hint = f"write keys and values, like `{first.name}: {first.example}`"
        log.error(node.line, place, "fields are expected here", hint)
        return None
    types = _types(group)
    found: dict[str, Any] = {}
    for key, value in node.values.items():
        if key in types:
            converted = _convert(log, types[key], value, f"{place}, {key}" if place else key)
            if converted is not None:
                found[key] = converted
        else:
            others = f"the keys are {', '.join(types)}"
            if isinstance(value, ScalarNode) and not value.value:
                others = "write `key: value`, and quote text that contains a comma"
            renamed = {known.formerly: f"it is called `{known.name}` now" for known in group.fields}
            hint = renamed.get(key) or log.suggest(key, types, others)
            log.error(node.lines[key], place, f"unknown key {shown(key)}", hint)
    _check_presence(log, group, node, place)
    return Entry(found, node.lines, node.line, place)


@cache
def _types(group: Group) -> Mapping[str, Scalar | Several | Keyed | Group]:
    """Return the types of a group's fields by name."""
    return {known.name: known.type for known in group.fields}


@cache
def _required(group: Group) -> tuple[Field, ...]:
    return tuple(known for known in group.fields if known.required)


def _check_presence(log: ProblemLog, group: Group, node: MappingNode, place: str) -> None:
    for known in _required(group):
        if known.name not in node.values:
            example = known.example.replace("\n", " ")
            hint = f"add it, like `{known.name}: {example}`"
            log.error(node.line, place, f"`{known.name}` is missing", hint)
    for names in (group.at_most_one, group.exactly_one):
        there = [name for name in names if name in node.values]
        if len(there) > 1:
            message = f"both `{there[0]}` and `{there[1]}` are given"
            log.error(node.lines[there[1]], place, message, "keep one of them")
    if group.exactly_one and not any(name in node.values for name in group.exactly_one):
        none = " nor ".join(f"`{name}`" for name in group.exactly_one)
        log.error(node.line, place, f"neither {none}", "add one of them")


def _convert(
    log: ProblemLog, type_: Scalar | Several | Keyed | Group, node: Node, place: str
) -> Any:
    if isinstance(type_, Group):
        return read_group(log, type_, node, place)
    if isinstance(type_, Keyed):
        return _convert_keyed(log, type_, node, place)
    if isinstance(type_, Several):
        return _convert_list(log, type_, node, place)
    return _convert_text(log, type_, node, place)


def _convert_text(log: ProblemLog, type_: Scalar, node: Node, place: str) -> Any:
    if not isinstance(node, ScalarNode):
        hint = f"write it in quotes as one value ({type_.name})"
        log.error(node.line, place, "a list or mapping where one value is expected", hint)
        return None
    if not node.value.strip():
        log.error(node.line, place, *_EMPTY)
        return None
    if type_ is REASON and node.value in ("true", "false", "yes", "no", "null", "~"):
        message = f"{shown(node.value)} where words are expected"
        log.error(node.line, place, message, "write them or delete the key")
        return None
    one_line = not node.is_block and "\n" not in node.value
    if type_ in BLOCKS and one_line and len(node.value.split()) > _WORDS_OF_A_ROW:
        message = f"the `|` behind `{type_.name}:` is missing"
        log.error(node.line, place, message, "add it, and write the rows indented below it")
        return None
    if type_.choices and node.value not in type_.choices:
        message = f"{shown(node.value)} is not one of {', '.join(type_.choices)}"
        hint = log.suggest(node.value, type_.choices, "write one of them")
        log.error(node.line, place, message, hint)
        return None
    value = log.value(type_.convert, node.value, node.line, place, type_.registry)
    if type_.convert in _TEXTS and (doubt := values.doubtful(node.value.strip())):
        log.warning(node.line, place, *doubt)
    # A block is read line by line later and needs to know where it starts.
    return Located(value, node.line) if type_ in BLOCKS and value is not None else value


def _convert_keyed(log: ProblemLog, type_: Keyed, node: Node, place: str) -> Any:
    if not isinstance(node, MappingNode):
        hint = "write them like `{1850: 2}`"
        log.error(node.line, place, "keys and values are expected here", hint)
        return None
    if not node.values:
        log.error(node.line, place, *_EMPTY)
        return None
    read = {}
    for word, item in node.values.items():
        key = _convert(log, type_.key, ScalarNode(word, node.lines[word]), place)
        value = _convert(log, type_.value, item, f"{place}, {shown(word).strip('`')}")
        if key is None or value is None:
            return None
        read[key] = value
    return read


def _convert_list(log: ProblemLog, type_: Several, node: Node, place: str) -> Any:
    if not isinstance(node, ListNode):
        hint = "write `[..., ...]` or lines with `- `"
        log.error(node.line, place, "a list is expected here", hint)
        return None
    if type_.length is not None and len(node.values) != type_.length:
        message = f"{len(node.values)} in the list where {type_.length} are expected"
        log.error(node.line, place, message, f"name {type_.length}")
        return None
    if not node.values:
        log.error(node.line, place, "the list is empty", "fill it in or delete the key")
        return None
    read = []
    for number, item in enumerate(node.values, 1):
        is_group = isinstance(type_.item, Group)
        where = _item_place(type_.item, item, place, number) if is_group else place
        value = _convert(log, type_.item, item, where)
        if value is not None:
            read.append(Located(value, item.line))
    return tuple(read) if type_.length in (None, len(read)) else None


def _item_place(group: Scalar | Group, node: Node, place: str, number: int) -> str:
    """Return how messages name an item: `pairing anderssen-adolf - bird-henry`, else by number."""
    known_by = group.known_by if isinstance(group, Group) else None
    key = node.values.get(known_by or "") if isinstance(node, MappingNode) else None
    if isinstance(key, ListNode):
        words = " - ".join(item.value for item in key.values if isinstance(item, ScalarNode))
    else:
        words = key.value if isinstance(key, ScalarNode) else ""
    own = f"{group.name} {shown(words).strip('`')}" if words.strip() else f"{group.name} {number}"
    outer = place.rpartition(", ")[0]
    return f"{outer}, {own}" if outer else own


def plain_fields(entry: Entry, group: Group) -> dict[str, Any]:
    """Return the values, and tuples of values, of the fields without structure, by name.

    A record whose attributes are called like its fields is made of them.
    """
    found = {}
    for name, type_ in _types(group).items():
        if name not in entry.values:
            continue
        if isinstance(type_, Several) and isinstance(type_.item, Scalar):
            found[name] = entry.all(name)
        elif isinstance(type_, Scalar) and type_ not in BLOCKS:
            found[name] = entry.get(name)
    return found


def citations(entry: Entry) -> tuple[Citation, ...]:
    """Return the sources that an entry names."""
    named = [one for one in entry.all("sources") if one.get("source") is not None]
    return tuple(Citation(one.get("source"), one.get("where")) for one in named)


def acknowledged(entry: Entry) -> tuple[Acknowledgement, ...]:
    """Return the warnings that an entry acknowledges, as far as they could be read."""
    return tuple(
        Acknowledgement(one.get("warning"), one.get("why"), one.get("about") or "", one.line)
        for one in entry.all("acknowledged")
        if {"warning", "why"} <= one.values.keys()
    )


def check_acknowledged(log: ProblemLog, entry: Entry) -> None:
    """Add an error for each warning that an entry acknowledges twice."""
    first: dict[str, int] = {}
    for one in acknowledged(entry):
        at, what = (one.line, f"warning {one.warning}"), f"{one.warning} {one.about}"
        log.check_once(first, what, at, "it", "keep one of them")
