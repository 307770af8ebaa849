"""Canonical form of event files and registries: order, layout, quotes, columns.

The form is that of `edo.core.yaml.dump`, with the fields in the order of the list of fields, the
ids of a registry in alphabetical order, and tables with aligned columns. Comments are kept.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from edo.core import yaml
from edo.core.problems import Problem
from edo.core.yaml import TextTree
from edo.history.crosstable import aligned
from edo.history.events import event_of
from edo.history.fields import (
    BLOCKS,
    EVENT,
    MARKDOWN,
    RECORDS,
    REGISTRIES,
    TEXT,
    Group,
    Keyed,
    Registry,
    Scalar,
    Several,
)
from edo.history.reading import Known
from edo.history.registries import RegistryFile, read_registry
from edo.history.values import YEAR_PATTERN

_ANY_ID = Known(dict.fromkeys(REGISTRIES))  # the form does not depend on which ids exist


@dataclass(frozen=True, slots=True)
class Formed:
    """A file as it is and in canonical form; with problems it is left as it is."""

    before: str
    after: str
    problems: tuple[Problem, ...] = ()

    @property
    def changes(self) -> bool:
        """Whether the file is not in canonical form yet."""
        return self.before != self.after


def registry_of(path: Path) -> Registry | None:
    """Return which registry the file is of by its name and folder, None for an event file."""
    if path.parent.name == "players":
        return "players"
    own: dict[str, Registry] = {name: name for name in REGISTRIES if name != "players"}
    return None if _in_year(path) else own.get(path.stem)


def _in_year(path: Path) -> bool:
    return re.fullmatch(YEAR_PATTERN, path.parent.name) is not None


def form(path: Path, shown_path: str) -> Formed:
    """Return the file in canonical form, or as it is with what is wrong with it.

    The result has been read again: its records are those of the file, and no comment is lost.
    """
    if path.suffix != ".yaml" or not (_in_year(path) or registry_of(path)):
        message = "neither an event file nor a registry"
        hint = "name files like `events/1883/london-1883.yaml` or `events/places.yaml`"
        return Formed("", "", (Problem(shown_path, 1, "", message, hint),))
    text, problems = yaml.read_text(path, shown_path)
    if text is None:
        return Formed("", "", tuple(problems))
    after, problems = formed(text, path, shown_path)
    errors = tuple(problem for problem in problems if problem.severity == "error")
    return Formed(text, text if errors else after, errors)


def formed(text: str, path: Path, shown_path: str) -> tuple[str, list[Problem]]:
    """Return the canonical form of a file's text, and what is wrong with it."""
    node, problems = yaml.parse(text, shown_path)
    if node is None or problems:
        return text, problems
    ordered = _in_order(yaml.node_data(node), registry_of(path))
    after = _with_comments(text, node, ordered) if "#" in text else yaml.dump(ordered)
    if after == text:
        return text, []
    records, problems = _records(text, path, shown_path)
    if any(problem.severity == "error" for problem in problems):
        return text, problems
    again, _ = _records(after, path, shown_path)
    if again != records or after.count("#") != text.count("#"):
        refused = "the canonical form would not say the same"
        problems.append(Problem(shown_path, 1, "", refused, "lay the file out by hand"))
    return after, problems


def _with_comments(text: str, node: yaml.MappingNode, ordered: dict[str, TextTree]) -> str:
    """Return the canonical form with all comments.

    Those above a field of an event, or above a record of a registry, stay above it. Where there
    are comments within a field or a record, it keeps the layout that it has.
    """
    head, blocks, end = yaml.blocks(text, node)
    by_key = {block.key: block for block in blocks}
    lines = [*head, ""] if head else []
    for key, value in ordered.items():
        block = by_key[key]
        dumped = yaml.dump({key: value}).splitlines()
        lines += [*block.above, *(block.lines if block.commented else dumped)]
    return "\n".join([*lines, *end, ""])


def _records(text: str, path: Path, shown_path: str) -> tuple[Any, list[Problem]]:
    """Return what the text says as records that do not know their lines, and its problems."""
    parsed = yaml.parse(text, shown_path)
    registry = registry_of(path)
    if registry is None:
        event, problems = event_of(parsed, path, shown_path, _ANY_ID)
        return _without_lines(event), problems
    node, problems = parsed
    if node is None:
        return None, problems
    records, found = read_registry(RegistryFile(registry, path, shown_path), node, _ANY_ID)
    return {key: _without_lines(record) for key, record in records.items()}, [*problems, *found]


def _without_lines(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_without_lines, value))
    if not is_dataclass(value) or isinstance(value, type):
        return value
    found = {field.name: _without_lines(getattr(value, field.name)) for field in fields(value)}
    nowhere = {"line": 0, "lines": {}}
    return replace(value, **{**found, **{key: nowhere[key] for key in nowhere if key in found}})


def _in_order(data: TextTree, registry: Registry | None) -> dict[str, TextTree]:
    if not isinstance(data, dict):
        return {}
    if registry is None:
        return _ordered(data, EVENT)
    return {key: _arranged(data[key], RECORDS[registry]) for key in sorted(data)}


def _ordered(data: dict[str, TextTree], group: Group) -> dict[str, TextTree]:
    known = {field.name: field.type for field in group.fields if field.name in data}
    ordered = {name: _arranged(data[name], type_) for name, type_ in known.items()}
    return ordered | {name: data[name] for name in data if name not in known}  # refused later


def _arranged(data: TextTree, type_: Scalar | Several | Keyed | Group) -> TextTree:
    if isinstance(type_, Group):
        return _ordered(data, type_) if isinstance(data, dict) else data
    if isinstance(type_, Several):
        return [_arranged(item, type_.item) for item in data] if isinstance(data, list) else data
    if not isinstance(data, str):
        return data
    if type_ in BLOCKS:
        return aligned(data)
    if type_ not in (TEXT, MARKDOWN):
        return data
    bare = data.strip()  # as reading does
    return f"{bare}\n" if "\n" in bare else bare
