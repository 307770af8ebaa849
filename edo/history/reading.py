"""A node of a YAML file and the list of fields come in; converted values with their lines go out.

What is wrong is noted, never raised: an Entry holds whatever could be read.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from edo.core.model import Citation
from edo.core.problems import LookedAt, Problem, Severity
from edo.core.yaml import Fields, Items, Node, Text
from edo.history.field_types import BLOCKS, Group, Keyed, Registry, Scalar, Several
from edo.history.values import Refused, nearest, shown

MAX_PROBLEMS = 200  # in one file: nobody mends more at a time
MAX_SUGGESTED = 20  # words of one file for which the nearest known one is looked for: it is slow

_OF_REGISTRY: dict[Registry, str] = {
    "players": "player",
    "places": "place",
    "sources": "source",
    "odds": "kind of odds",
    "series": "series",
}


@dataclass(frozen=True, slots=True)
class Known:
    """The ids that may be named; None where a registry could not be read, so any id may.

    `unrated_odds` holds the reason for each kind of odds that is not rated.
    """

    ids: Mapping[Registry, Collection[str] | None]
    unrated_odds: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Entry:
    """The values of a mapping that could be read, by key, with the line of every key."""

    values: Mapping[str, Any]
    lines: Mapping[str, int]
    line: int
    place: str

    def get(self, key: str) -> Any:
        """Return the value, or None where it is absent or was refused."""
        return self.values.get(key)

    def line_of(self, key: str) -> int:
        """Return the line of the key, or that of the mapping where it is absent."""
        return self.lines.get(key, self.line)


@dataclass(frozen=True, slots=True)
class Worded:
    """A value of a list with its line."""

    value: Any
    line: int


@dataclass(slots=True)
class Desk:
    """Where one file is read: its path as shown, the ids known, and the problems found so far."""

    path: str
    known: Known
    problems: list[Problem] = field(default_factory=list)
    _suggested: int = 0

    def error(self, line: int, place: str, message: str, hint: str) -> None:
        """Note an error; of very many only the first are kept, and a word that there were more."""
        if self.full:
            message, hint = f"more than {MAX_PROBLEMS} problems", "mend the others first"
            self.problems[MAX_PROBLEMS:] = [Problem(self.path, line, "", message, hint)]
            return
        self._note(line, place, message, hint, "error")

    @property
    def full(self) -> bool:
        """Whether so much is wrong that nothing more is noted."""
        return len(self.problems) >= MAX_PROBLEMS

    def suggest(self, word: str, known: Collection[str], otherwise: str) -> str:
        """Return the remedy for an unknown word; a few words in, the nearest is not looked for."""
        if self._suggested == MAX_SUGGESTED:
            return otherwise
        self._suggested += 1
        return nearest(word, known, otherwise)

    def notice(self, line: int, place: str, message: str, hint: str) -> None:
        """Note a doubtful finding."""
        if not self.full:
            self._note(line, place, message, hint, "notice")

    def _note(self, line: int, place: str, message: str, hint: str, severity: Severity) -> None:
        self.problems.append(Problem(self.path, line, place, message, hint, severity))

    @property
    def failed(self) -> bool:
        """Whether any error was found."""
        return any(problem.severity == "error" for problem in self.problems)

    def knows(self, registry: Registry, id_: str, line: int, place: str) -> bool:
        """Note an error unless the registry holds the id; return whether it does."""
        ids = self.known.ids.get(registry)
        if ids is None or id_ in ids:
            return True
        hint = self.suggest(id_, ids, f"add it to the {registry} or correct it")
        self.error(line, place, f"unknown {_OF_REGISTRY[registry]} {shown(id_)}", hint)
        return False


def read_group(desk: Desk, group: Group, node: Node, place: str = "") -> Entry | None:
    """Return the values of a mapping, or None where the node is no mapping."""
    if not isinstance(node, Fields):
        desk.error(node.line, place, "fields are expected here", _layout(group))
        return None
    types = {known.name: known for known in group.fields}
    found: dict[str, Any] = {}
    for key, value in node.values.items():
        where = f"{place}, {key}" if place else key
        if key not in types:
            hint = desk.suggest(key, types, "the keys are " + ", ".join(types))
            desk.error(node.lines[key], place, f"unknown key {shown(key)}", hint)
            continue
        converted = _convert(desk, types[key].type, value, where)
        if converted is not None:
            found[key] = converted
    entry = Entry(found, node.lines, node.line, place)
    _check_presence(desk, group, node, place)
    return entry


def _layout(group: Group) -> str:
    first = group.fields[0]
    return f"write keys and values, like `{first.name}: {first.example}`"


def _check_presence(desk: Desk, group: Group, node: Fields, place: str) -> None:
    for known in group.fields:
        if known.required and known.name not in node.values:
            example = known.example.replace("\n", " ")
            desk.error(
                node.line,
                place,
                f"`{known.name}` is missing",
                f"add it, like `{known.name}: {example}`",
            )
    _check_choice(desk, group.at_most_one, node, place)
    _check_choice(desk, group.exactly_one, node, place)
    if group.exactly_one and not any(name in node.values for name in group.exactly_one):
        names = _either(group.exactly_one)
        desk.error(node.line, place, f"neither {names.replace(' or ', ' nor ')}", "add one of them")


def _check_choice(desk: Desk, names: tuple[str, ...], node: Fields, place: str) -> None:
    there = [name for name in names if name in node.values]
    if len(there) > 1:
        desk.error(
            node.lines[there[1]],
            place,
            f"both `{there[0]}` and `{there[1]}` are given",
            "keep one of them",
        )


def _either(names: tuple[str, ...]) -> str:
    return " or ".join(f"`{name}`" for name in names)


def _convert(desk: Desk, type_: Scalar | Several | Keyed | Group, node: Node, place: str) -> Any:
    if isinstance(type_, Group):
        return read_group(desk, type_, node, place)
    if isinstance(type_, Keyed):
        return _convert_keyed(desk, type_, node, place)
    if isinstance(type_, Several):
        return _convert_list(desk, type_, node, place)
    if not isinstance(node, Text):
        desk.error(
            node.line,
            place,
            "a list or mapping where one value is expected",
            f"write it in quotes as one value ({type_.name})",
        )
        return None
    return _convert_text(desk, type_, node, place)


def _convert_text(desk: Desk, type_: Scalar, node: Text, place: str) -> Any:
    if not node.value.strip():
        desk.error(node.line, place, "nothing stands here", "fill it in or delete the key")
        return None
    if type_.choices and node.value not in type_.choices:
        desk.error(
            node.line,
            place,
            f"{shown(node.value)} is not one of {', '.join(type_.choices)}",
            desk.suggest(node.value, type_.choices, "write one of them"),
        )
        return None
    try:
        value = type_.convert(node.value)
    except Refused as refused:
        hint = refused.hint
        if type_.registry is not None:
            ids, otherwise = desk.known.ids.get(type_.registry), _among(type_.registry)
            hint = desk.suggest(node.value.lower(), ids or (), otherwise)
        desk.error(node.line, place, refused.message, hint)
        return None
    if type_.registry is not None:
        desk.knows(type_.registry, str(value), node.line, place)
    # A block is read line by line later and needs to know where it starts.
    return Worded(value, node.line) if type_ in BLOCKS else value


def _among(registry: Registry) -> str:
    return f"write the id that it has among the {registry}, or add it to them"


def _convert_keyed(desk: Desk, type_: Keyed, node: Node, place: str) -> Any:
    if not isinstance(node, Fields):
        desk.error(
            node.line, place, "keys and values are expected here", "write them like `{1850: 2}`"
        )
        return None
    if not node.values:
        desk.error(node.line, place, "nothing stands here", "fill it in or delete the key")
        return None
    read = {}
    for word, item in node.values.items():
        key = _convert(desk, type_.key, Text(word, node.lines[word]), place)
        value = _convert(desk, type_.value, item, f"{place}, {shown(word).strip('`')}")
        if key is None or value is None:
            return None
        read[key] = value
    return read


def _convert_list(desk: Desk, type_: Several, node: Node, place: str) -> Any:
    if not isinstance(node, Items):
        desk.error(
            node.line, place, "a list is expected here", "write `[..., ...]` or lines with `- `"
        )
        return None
    if type_.length is not None and len(node.values) != type_.length:
        desk.error(
            node.line,
            place,
            f"{len(node.values)} in the list where {type_.length} are expected",
            f"name {type_.length}",
        )
        return None
    if not node.values:
        desk.error(node.line, place, "the list is empty", "fill it in or delete the key")
        return None
    read = []
    for number, item in enumerate(node.values, 1):
        if isinstance(type_.item, Group):
            value = read_group(desk, type_.item, item, _name(type_.item, item, place, number))
        else:
            value = _convert(desk, type_.item, item, place)
        if value is not None:
            read.append(Worded(value, item.line))
    if type_.length is not None and len(read) != type_.length:
        return None
    return tuple(read)


def _name(group: Group, node: Node, place: str, number: int) -> str:
    """Return how messages name an item: `pairing anderssen-adolf - bird-henry`, else by number."""
    key = node.values.get(group.known_by or "") if isinstance(node, Fields) else None
    if isinstance(key, Items):
        words = " - ".join(item.value for item in key.values if isinstance(item, Text))
    else:
        words = key.value if isinstance(key, Text) else ""
    own = f"{group.name} {shown(words).strip('`')}" if words.strip() else f"{group.name} {number}"
    outer = place.rpartition(", ")[0]
    return f"{outer}, {own}" if outer else own


def citations(entry: Entry) -> tuple[Citation, ...]:
    """Return the sources that an entry names."""
    items: tuple[Worded, ...] = entry.get("sources") or ()
    return tuple(
        Citation(item.value.get("source"), item.value.get("where"))
        for item in items
        if item.value.get("source") is not None
    )


def looked_at(entry: Entry) -> tuple[LookedAt, ...]:
    """Return the doubts that an entry says an editor looked at, as far as they could be read."""
    return tuple(
        LookedAt(item.value.get("doubt"), item.value.get("why"), item.value.get("about") or "",
                 item.line)
        for item in entry.get("looked_at") or ()
        if {"doubt", "why"} <= item.value.values.keys()
    )  # fmt: skip


def check_looked_at(desk: Desk, entry: Entry) -> None:
    """Note an error for each doubt that an entry names twice."""
    said: set[tuple[str, str]] = set()
    for one in looked_at(entry):
        if (one.doubt, one.about) in said:
            desk.error(one.line, f"doubt {one.doubt}", "it stands twice", "keep one of them")
        said.add((one.doubt, one.about))
