"""New ids for records, and two records of a player made one, in all files that name them.

Ids are replaced where the list of fields has ids, in links of notes and in the project's own texts;
all else of a file stays, in canonical form.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from edo.core import yaml
from edo.core.files import Replacement, Unreadable, input_files, read_text
from edo.core.model import Dataset
from edo.core.problems import EdoError, InputError
from edo.core.yaml import Placed, PlacedScalar, TextTree
from edo.history import canonical, published_ids
from edo.history.fields import (
    ABOUT_ID,
    BLOCKS,
    EVENT,
    MARKDOWN,
    RECORDS,
    REGISTRIES,
    Group,
    Keyed,
    Registry,
    Scalar,
    Several,
)
from edo.history.project import Project
from edo.history.values import InvalidValue, identifier

Kind = Literal["events", "players", "places", "sources", "series", "odds"]
KINDS: tuple[Kind, ...] = ("events", *REGISTRIES)
REDIRECTED = ("events", "players")  # whose former ids lead to their pages
_OWN_TEXTS = (".md", ".yaml", ".json")


class NotRenamed(EdoError):
    """Ids cannot be changed as requested; nothing was written."""


@dataclass(slots=True)
class Edit:
    """The files of a project and what they become."""

    project: Project
    before: dict[Path, str] = field(default_factory=dict)
    after: dict[Path, str | None] = field(default_factory=dict)

    @property
    def events(self) -> Path:
        """Return the folder of the history."""
        return self.project.events

    def text(self, path: Path) -> str | None:
        """Return what a file is to say, None where there is none."""
        if path not in self.before and path.exists():
            try:
                self.before[path] = read_text(path)
            except Unreadable as wrong:
                raise NotRenamed(f"{path}: {wrong}") from None
            self.after[path] = self.before[path].replace("\r\n", "\n")
        return self.after.get(path)

    def players_file(self, id_: str) -> Path:
        """Return the file that holds a player."""
        return self.events / "players" / f"{id_[0]}.yaml"

    def replacements(self) -> dict[Path, Replacement]:
        """Return the files that change, those of the history in canonical form."""
        found: dict[Path, Replacement] = {}
        problems = []
        for path, after in self.after.items():
            before = self.before.get(path)
            if after is None or after == before:
                text = after
            elif path.suffix == ".yaml" and path.is_relative_to(self.events):
                text, wrong = canonical.formed(after, path, path.as_posix())
                problems += [one for one in wrong if one.severity == "error"]
            else:
                text = after
            if text != before:
                found[path] = Replacement(before, text)
        if problems:
            raise InputError(problems)
        return found


def kind_of(dataset: Dataset, id_: str) -> Kind:
    """Return of which kind the record with an id is; raises NotRenamed for none or several."""
    kinds = [kind for kind in KINDS if id_ in getattr(dataset, kind)]
    if len(kinds) == 1:
        return kinds[0]
    if kinds:
        raise NotRenamed(f"`{id_}` is an id of {' and of '.join(kinds)}; name one by `--kind`")
    raise NotRenamed(f"there is no record `{id_}`; write the id of one")


def renamed(
    dataset: Dataset, project: Project, kind: Kind, old: str, new: str
) -> dict[Path, Replacement]:
    """Return the files that change where a record gets a new id.

    Raises NotRenamed where the new id is or was another record's.
    """
    if old not in getattr(dataset, kind):
        raise NotRenamed(f"there is no `{old}` among the {kind}")
    _check_free(dataset, kind, old, new)
    edit = Edit(project)
    _replace_everywhere(edit, dataset, kind, old, new)
    if kind == "events":
        (path,) = project.events.glob(f"[0-9]*/{old}.yaml")
        text = edit.text(path) or ""
        listed = _former(dataset.events[old].former_ids, old, new)
        edit.after[path.with_name(f"{new}.yaml")] = _with_field(text, "former_ids", listed)
        edit.after[path] = None
    elif kind == "players":
        block = _taken_out(edit, old)
        former: TextTree = list(_former(dataset.players[old].former_ids, old, new))
        _put_in(edit, new, _with_new_key(block, new), {"former_ids": former})
    else:
        path = project.events / f"{kind}.yaml"
        edit.after[path] = _with_key(edit.text(path) or "", old, new)
    _list_id(edit, kind, old, new)
    return edit.replacements()


def merged(dataset: Dataset, project: Project, player: str, into: str) -> dict[Path, Replacement]:
    """Return the files that change where a player turns out to be another one.

    Raises NotRenamed where the two played in one event, or their records contradict each other.
    """
    for id_ in (player, into):
        if id_ not in dataset.players:
            raise NotRenamed(f"there is no player `{id_}`")
    if player == into:
        raise NotRenamed("the two ids are the same")
    both = [e.id for e in dataset.events.values() if {player, into} <= {*e.players}]
    if both:
        raise NotRenamed(f"`{player}` and `{into}` are two: both are in {', '.join(both)}")
    edit = Edit(project)
    taken = _record(edit, player)
    kept = _record(edit, into)
    fields = _joined(taken, kept, player, into)
    gone = _taken_out(edit, player)
    if gone.above or gone.commented:
        where = edit.players_file(player)
        raise NotRenamed(f"{where}: take the comments out of the record of `{player}` first")
    _replace_everywhere(edit, dataset, "players", player, into)
    block = _taken_out(edit, into)
    _put_in(edit, into, block, fields)
    return edit.replacements()


def _check_free(dataset: Dataset, kind: Kind, old: str, new: str) -> None:
    try:
        identifier(new)
    except InvalidValue as wrong:
        raise NotRenamed(str(wrong)) from None
    records = getattr(dataset, kind)
    if new in records:
        hint = "; `edo merge` makes one of two players" if kind == "players" else ""
        raise NotRenamed(f"`{new}` is among the {kind} already{hint}")
    if kind in REDIRECTED:
        bearer = next((id_ for id_, record in records.items() if new in record.former_ids), old)
        if bearer != old:
            raise NotRenamed(f"`{new}` is a former id of `{bearer}`, to which its pages lead")


def _former(former: Sequence[str], old: str, new: str) -> list[str]:
    return [*(id_ for id_ in former if id_ != new), old]


def _list_id(edit: Edit, kind: Kind, old: str, new: str) -> None:
    """Put the new id on the list of published ones; the old one stays where pages lead on."""
    path = edit.events / published_ids.FILE
    if kind not in published_ids.KINDS or not path.is_file():
        return
    gone = () if kind in REDIRECTED else (f"{kind}/{old}",)
    edit.after[path] = published_ids.with_ids(edit.text(path) or "", (f"{kind}/{new}",), gone)


def _replace_everywhere(edit: Edit, dataset: Dataset, kind: Kind, old: str, new: str) -> None:
    token = re.compile(rf"(?<![\w-]){re.escape(old)}(?![\w-])")
    for path in sorted(input_files(edit.events)):
        if path.suffix != ".yaml" or path.is_symlink():
            continue
        if token.search(text := edit.text(path) or ""):
            registry = canonical.registry_of(path)
            edit.after[path] = _with_ids(text, registry, kind, old, new)
    # A page of the site, a player or his year in settings, and of players and events every mention
    # of an id of several words that no other record has.
    mentions = [rf"(?<=\b{kind}/){re.escape(old)}(?![\w-])"]
    if kind in REDIRECTED and "-" in old and sum(old in getattr(dataset, of) for of in KINDS) == 1:
        mentions.append(token.pattern)
    in_settings = [rf"{token.pattern}(?= \d{{3,4}}\b)", rf"(?<=\bplayer: ){token.pattern}"]
    for path in _own_texts(edit.project):
        is_named = kind == "players" and path.suffix == ".yaml"
        patterns = [*mentions, *(in_settings if is_named else ())]
        edit.after[path] = re.sub("|".join(patterns), new, edit.text(path) or "")


def _with_ids(text: str, registry: Registry | None, kind: Kind, old: str, new: str) -> str:
    """Return the text of a file with another id where it names the record."""
    link = re.compile(rf"(?<=/{kind}/){re.escape(old)}(?![\w-])")
    row = re.compile(rf"^(\s*){re.escape(old)}(?![\w-])", re.MULTILINE)
    parts: list[str] = []
    end = 0
    for (value, start, stop), type_ in _scalars(yaml.placed(text), registry):
        written = text[start:stop]
        if type_ in BLOCKS:
            written = row.sub(rf"\g<1>{new}", written) if kind == "players" else written
        elif type_ is MARKDOWN:
            written = link.sub(new, written)
        elif value == old and (type_.registry == kind or type_ is ABOUT_ID):
            written = new
        parts += [text[end:start], written]
        end = stop
    return "".join([*parts, text[end:]])


def _scalars(node: Placed, registry: Registry | None) -> Iterator[tuple[PlacedScalar, Scalar]]:
    """Yield all scalars of a file with their types, in the order of the text."""
    if registry is None:
        yield from _typed(node, EVENT)
    elif isinstance(node, dict):
        for record in node.values():
            yield from _typed(record, RECORDS[registry])


def _typed(
    node: Placed, type_: Scalar | Several | Keyed | Group | None
) -> Iterator[tuple[PlacedScalar, Scalar]]:
    if isinstance(type_, Group) and isinstance(node, dict):
        types = {one.name: one.type for one in type_.fields}
        for key, value in node.items():
            yield from _typed(value, types.get(key.value))
    elif isinstance(type_, Several) and isinstance(node, list):
        for item in node:
            yield from _typed(item, type_.item)
    elif isinstance(type_, Keyed) and isinstance(node, dict):
        for key, value in node.items():
            yield from _typed(key, type_.key)
            yield from _typed(value, type_.value)
    elif isinstance(type_, Scalar) and isinstance(node, PlacedScalar):
        yield node, type_


def _with_key(text: str, old: str, new: str) -> str:
    """Return the text of a registry with another id as the key of a record."""
    node = yaml.placed(text)
    key = next(key for key in node if isinstance(key, PlacedScalar) and key.value == old)
    return text[: key.start] + new + text[key.stop :]


def _with_field(text: str, name: str, value: list[str]) -> str:
    """Return the text of an event file with another value of a field, or without it if empty."""
    node, _ = yaml.parse(text, "")
    lines = yaml.dump({name: value}) if value else ""
    if node is None or name not in node.values:
        return f"{text.rstrip()}\n{lines}"
    _, blocks, _ = yaml.blocks(text, node)
    (block,) = (block for block in blocks if block.key == name)
    if block.commented:
        raise NotRenamed(f"take the comments out of `{name}` first")
    return text.replace("\n".join(block.lines) + "\n", lines, 1)


def _record(edit: Edit, id_: str) -> dict[str, TextTree]:
    path = edit.players_file(id_)
    node, _ = yaml.parse(edit.text(path) or "", path.as_posix())
    data = yaml.node_data(node.values[id_]) if node is not None else None
    if not isinstance(data, dict):
        raise NotRenamed(f"{path}: the record of `{id_}` cannot be read; run `fmt {path}` first")
    return data


def _taken_out(edit: Edit, id_: str) -> yaml.Block:
    """Take a player out of his file, which goes where it is empty then; return his lines."""
    path = edit.players_file(id_)
    text = edit.text(path) or ""
    node, _ = yaml.parse(text, path.as_posix())
    if node is None:
        raise NotRenamed(f"{path} cannot be read; run `fmt {path}` first")
    head, blocks, end = yaml.blocks(text, node)
    (block,) = (block for block in blocks if block.key == id_)
    rest = [line for one in blocks if one is not block for line in (*one.above, *one.lines)]
    lines = [*head, *([""] if head else []), *rest, *end]
    edit.after[path] = "\n".join([*lines, ""]) if rest or head or end else None
    return block


def _with_new_key(block: yaml.Block, new: str) -> yaml.Block:
    first, *more = block.lines
    lines = (new + first.removeprefix(first.partition(":")[0]), *more)
    return yaml.Block(new, block.above, lines, block.commented)


def _put_in(edit: Edit, id_: str, block: yaml.Block, fields: Mapping[str, TextTree]) -> None:
    """Put a player's lines into his file, with other values of these fields."""
    path = edit.players_file(id_)
    lines = list(block.lines)
    node, _ = yaml.parse("\n".join([*lines, ""]), path.as_posix())
    data = yaml.node_data(node.values[id_]) if node is not None else None
    if not isinstance(data, dict):
        raise NotRenamed(f"{path}: the record of `{id_}` cannot be read; run `fmt {path}` first")
    if not block.commented:
        record = {**data, **fields}
        lines = yaml.dump(
            {id_: {name: record[name] for name in record if record[name] != []}}
        ).splitlines()
    elif fields.keys().isdisjoint(data):
        lines += [f"  {line}" for line in yaml.dump(fields).splitlines()]
    else:
        raise NotRenamed(f"{path}: take the comments out of the record of `{id_}` first")
    text = edit.text(path) or ""
    edit.after[path] = "\n".join([*text.splitlines(), *block.above, *lines, ""])


_LISTS = ("spellings", "former_ids", "sources", "acknowledged")


def _joined(
    taken: Mapping[str, TextTree], kept: Mapping[str, TextTree], player: str, into: str
) -> dict[str, TextTree]:
    """Return the fields that the kept record gets of the other; raises NotRenamed."""
    fields: dict[str, TextTree] = {}
    differ = [
        name for name in taken
        if name not in (*_LISTS, "name") and name in kept and taken[name] != kept[name]
    ]  # fmt: skip
    country = [name for name in ("country", "countries") if name in taken]
    if country and {"country", "countries"} & kept.keys() and not kept.keys() >= {*country}:
        differ += country
    if differ:
        names = ", ".join(f"`{name}`" for name in differ)
        raise NotRenamed(
            f"the records of `{player}` and `{into}` differ in {names}; make them the same first"
        )
    for name, value in taken.items():
        if name not in kept and name not in (*_LISTS, "name"):
            fields[name] = value
    lists = {name: [*_listed(kept.get(name)), *_listed(taken.get(name))] for name in _LISTS}
    lists["spellings"] += [] if taken["name"] == kept["name"] else [taken["name"]]
    lists["former_ids"].append(player)
    about = (player, into)
    for name, items in lists.items():
        new = [item for k, item in enumerate(items) if item not in items[:k]
               and item != kept["name"]
               and not (isinstance(item, dict) and item.get("about") in about)]  # fmt: skip
        if new != _listed(kept.get(name)):
            fields[name] = new
    return fields


def _listed(value: TextTree | None) -> list[TextTree]:
    return value if isinstance(value, list) else []


def _own_texts(project: Project) -> list[Path]:
    """Return the project's own texts that may name records."""
    found = [path for path in input_files(project.content) if path.suffix in _OWN_TEXTS]
    paths = (*found, project.config_file)
    return sorted(path for path in paths if path.is_file() and not path.is_symlink())
