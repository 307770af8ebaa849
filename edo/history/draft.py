"""Drafts of new events: an event file and registry entries from an editor's answers.

Answers are checked by the same code that reads the files. Players, places and sources are looked up
by id or by name in any spelling; ids of new entries are made from names.
"""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Collection, Mapping, Set
from dataclasses import dataclass, field
from pathlib import Path

from edo.core import yaml
from edo.core.files import Replacement, read_text
from edo.core.model import Dataset, Place, Player, Series, Source
from edo.core.problems import EdoError
from edo.core.text import fold, kebab, person_kebab
from edo.core.yaml import MappingNode, ScalarNode, YamlValue
from edo.history import notation
from edo.history.crosstable import write as crosstable
from edo.history.events import event_of
from edo.history.fields import EVENT, PAIRING, RECORDS, REGISTRIES, Field, Group, Registry
from edo.history.names import PARTICLES, beginning_with, called, free_id, nearest
from edo.history.reading import Known, ProblemLog, read_group
from edo.history.values import InvalidValue, identifier, year

KINDS = ("match", "tournament")
FIELDS = {one.name: one for one in EVENT.fields}
_OF_TABLES = {"games_per_pair", "rest", "withdrew", "players_in_all", "classes", "draws_not_scored",
              "published_totals", "remarks"}  # fmt: skip
_NOT_HINTED = {"players", "crosstable", "pairings", "rounds", "totals", "former_ids",
               "acknowledged"}  # fmt: skip
ENTRY_FIELDS: Mapping[Registry, tuple[str, ...]] = {
    "players": ("name", "born", "died", "country"),
    "places": ("name", "country"),
    "sources": ("title", "author", "published", "url"),
}
"""The fields of a new entry of each registry; the first is required, the rest where known."""


SINGULAR: Mapping[Registry, str] = {
    "players": "player", "places": "place", "sources": "source", "series": "series",
    "odds": "kind of odds",
}  # fmt: skip


class DraftRefused(EdoError):
    """The draft cannot be written as requested; nothing was written."""


@dataclass(frozen=True, slots=True)
class Lookup:
    """The records that an event file can name: the history, and new entries of this draft."""

    dataset: Dataset
    added: dict[Registry, dict[str, dict[str, YamlValue]]] = field(default_factory=dict)

    def ids(self, registry: Registry) -> Set[str]:
        """Return the ids of a registry; entries that are added later are in it too."""
        added = self.added.setdefault(registry, {})
        return ChainMap(added, getattr(self.dataset, registry)).keys()

    def known(self) -> Known:
        """Return the ids of all registries, as reading takes them; later entries are in it too."""
        return Known({registry: self.ids(registry) for registry in REGISTRIES})

    def names(self, registry: Registry, id_: str) -> tuple[str, ...]:
        """Return the names of a record, first the one that pages show."""
        if id_ in self.added.get(registry, {}):
            return (str(self.added[registry][id_][ENTRY_FIELDS[registry][0]]),)
        record = getattr(self.dataset, registry)[id_]
        if isinstance(record, Player):
            return (record.name, *record.spellings)
        return (record.title, record.author or "") if isinstance(record, Source) else (record.name,)

    def label(self, registry: Registry, id_: str) -> str:
        """Return a record on one line, to tell it from others."""
        record: Player | Place | Source | Series | None = getattr(self.dataset, registry).get(id_)
        parts = [self.names(registry, id_)[0]]
        if isinstance(record, Player) and (record.born or record.died):
            parts.append(f"{record.born or '?'} – {record.died or '?'}")
        if isinstance(record, Source) and record.author:
            parts.append(record.author)
        if isinstance(record, Player | Place) and record.country:
            parts.append(record.country)
        return f"{id_} ({', '.join(parts)})"

    def every_name(self, registry: Registry) -> dict[str, tuple[str, ...]]:
        """Return the names of all records of a registry by id, in the order of the ids."""
        return {id_: self.names(registry, id_) for id_ in sorted(self.ids(registry))}

    def find(self, registry: Registry, typed: str) -> list[str]:
        """Return the ids of the records with a name that holds words beginning like these."""
        return beginning_with(typed, self.every_name(registry))

    def resolve(self, registry: Registry, typed: str) -> str:
        """Return the id of the record called so; raises InvalidValue for none or several."""
        if typed in self.ids(registry):
            return typed
        same = called(typed, self.every_name(registry))
        if len(same) == 1:
            return same[0]
        near = [self.label(registry, id_) for id_ in (same or self.find(registry, typed))[:5]]
        word = SINGULAR[registry]
        number = f"several {registry}" if same else f"no {word}"
        message = f"`{typed}` is {number}"
        if near:
            raise InvalidValue(message, f"write the id, perhaps of {'; '.join(near)}")
        hint = nearest(kebab(typed), self.ids(registry), "write the id")
        if registry not in ENTRY_FIELDS:
            raise InvalidValue(message, hint)
        joint = " else" if hint.endswith("?") else ", or"
        raise InvalidValue(message, f"{hint}{joint} make an entry with `--new-{word}`")

    def propose(self, registry: Registry, name: str, author: str = "") -> str:
        """Return a free id for a new entry with this name, or this title and author.

        Like most ids there are: surname and given name, surname of the author and title. What tells
        namesakes apart in brackets is a number in their ids.
        """
        name = re.sub(r"\s*\(.*?\)", "", name) or name
        if author:
            name = f"{author.partition(',')[0].split()[-1]} {name}"
        is_player = registry == "players"
        former = [id_ for one in self.dataset.players.values() for id_ in one.former_ids]
        taken = {*self.ids(registry), *(former if is_player else ())}
        return id_from(person_kebab(name) if is_player else kebab(name), taken)

    def add(self, registry: Registry, answers: Mapping[str, str]) -> str:
        """Make an entry of a registry of its answered fields; return its new id."""
        names = ENTRY_FIELDS[registry]
        id_ = self.propose(registry, answers[names[0]], answers.get("author", ""))
        entry: dict[str, YamlValue] = {name: answers[name] for name in names if answers.get(name)}
        if registry == "players":
            entry["name"] = answers["name"].rstrip(" ,")  # a comma says that all is surname
        self.added.setdefault(registry, {})[id_] = entry
        return id_

    def event_ids(self) -> set[str]:
        """Return the ids that events have or had: an id is an address for good."""
        events = self.dataset.events.values()
        return {*self.dataset.events, *(id_ for event in events for id_ in event.former_ids)}


def id_from(wanted: str, taken: Collection[str]) -> str:
    """Return a free id; raises DraftRefused where the name has no letters for one."""
    if not wanted:
        raise DraftRefused("no id can be made of a name without Latin letters; give one with --id")
    return free_id(wanted, taken)


def proposed_id(name: str, counted: str, taken: Collection[str]) -> str:
    """Return a free id for an event: its name, with its year where the name does not hold it.

    `match` is left out, and 1884/85 holds the year 1885.
    """
    name = re.sub(r"\bmatch\b", "", name)
    seasons = re.findall(r"\b(\d\d)\d\d/(\d\d)\b", name)
    has_year = counted in name or any("".join(season) == counted for season in seasons)
    return id_from(kebab(name if has_year else f"{name} {counted}"), taken)


def given_first(name: str) -> str:
    """Return what is wrong with a person's name that seems to begin with the given name."""
    first, *more = name.split(" (", maxsplit=1)[0].split()
    if "," in name or not more or not first[0].isupper() or fold(first) in PARTICLES:
        return ""
    surname, given = name.rsplit(maxsplit=1)[-1], " ".join(name.split()[:-1])
    return f"the surname comes first; write `{surname}, {given}`, or `{name},` if all is surname"


def fault(field: Field, answer: str, known: Known) -> str:
    """Return what is wrong with the answer to this field, with a hint; empty where it is valid."""
    log = ProblemLog("", known)
    fields = MappingNode({field.name: ScalarNode(answer, 1)}, {field.name: 1}, 1)
    read_group(log, Group("answer", (field,)), fields)
    return next((f"{p.message}; {p.hint}" for p in log.problems if p.severity == "error"), "")


def year_of(span: str) -> str | None:
    """Return the year in which the dates end, for which an event counts."""
    try:
        return str(notation.parse_span(span).end.year)
    except InvalidValue:
        return None


def result_field(text: str) -> str:
    """Return which field of a pairing a result belongs to: a score or the games in order."""
    for one in PAIRING.fields:
        if one.name in ("score", "games") and not fault(one, text, Known({})):
            return one.name
    raise InvalidValue(f"`{text}` is neither a score nor games in order",
                  "write it like `8-3`, `+7 -2 =2` or `1w 0b =w`")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Draft:
    """A new event: its id, and the fields of its file that were answered."""

    id: str
    kind: str
    answers: Mapping[str, str]
    players: tuple[str, ...]
    result: str | None
    source: str
    where: str | None

    def fields(self) -> dict[str, YamlValue]:
        """Return the fields of the file in the order of the list of fields."""
        found: dict[str, YamlValue] = {**self.answers, "kind": self.kind, **self._results()}
        found["sources"] = [{"source": self.source, "where": self.where}]
        return {one.name: found[one.name] for one in EVENT.fields if found.get(one.name)}

    def _results(self) -> dict[str, YamlValue]:
        if self.kind == "match":
            result = self.result or ""
            return {"pairings": [{"players": self.players, result_field(result): result}]}
        cells = [["." if a == b else "?" for b in self.players] for a in self.players]
        return {
            "completeness": self.answers.get("completeness") or "incomplete",
            "missing": self.answers.get("missing") or "the results are not entered yet",
            "crosstable": crosstable(self.players, cells),
        }

    def text(self, bare: bool = False) -> str:
        """Return the file, unless `bare` with what else it can say in comments."""
        fields = self.fields()
        if bare:
            return yaml.dump(fields)
        hidden = fields.keys() | _NOT_HINTED | (_OF_TABLES if self.kind == "match" else set())
        lines: list[str] = []
        for one in EVENT.fields:
            if one.name in fields:
                lines += [*_FILLING.get(one.name, ()), yaml.dump({one.name: fields[one.name]})]
            elif one.name not in hidden:
                lines.append(f"# {one.name}: {one.example}  # {one.doc}")
        return "".join(f"{line.removesuffix(chr(10))}\n" for line in lines)


_SAID = ("odds", "soft", "unrated", "note")
_FILLING = {
    "crosstable": (
        "# For each ? write 1, 0 or =, the games of a pair one behind the other, perhaps with w or",
        "# b for the colour of the row's player; _ is not played; `| 3½` at a row's end its total.",
        "# When all is there, take `completeness` and `missing` away; else say what is missing.",
    ),
    "pairings": (
        "# A pairing can say more, within its braces and behind a comma, for example one of these:",
        *(f"#   , {one.name}: {one.example}" for one in PAIRING.fields if one.name in _SAID),
    ),
}


def files(
    draft: Draft, lookup: Lookup, folder: Path, bare: bool = False
) -> dict[Path, Replacement]:
    """Return all files to write, the registries first, so that no event names what is not there.

    Raises DraftRefused where an event of this id is there already, and where reading would refuse
    a file.
    """
    try:
        path = folder / str(year(draft.answers["year"])) / f"{identifier(draft.id)}.yaml"
    except InvalidValue as refused:
        raise DraftRefused(str(refused)) from None
    text = draft.text(bare)
    found = {**registry_texts(lookup, folder), path: Replacement(None, text)}
    if draft.id in lookup.event_ids() or path.exists() or path.is_symlink():
        raise DraftRefused(f"there is or was an event `{draft.id}` already; give another id")
    for target in found:
        if target.is_symlink() or target.parent.is_symlink():
            raise DraftRefused(f"{target} is reached by a symbolic link; name the folder itself")
    parsed = yaml.parse(text, path.as_posix())
    _, problems = event_of(parsed, path, path.as_posix(), lookup.known())
    errors = [str(problem) for problem in problems if problem.severity == "error"]
    if errors:
        raise DraftRefused("\n".join(["the file would not be read:", *errors]))
    return found


def registry_texts(lookup: Lookup, folder: Path) -> dict[Path, Replacement]:
    """Return the registries with the added entries; raises DraftRefused."""
    texts: dict[Path, Replacement] = {}
    for registry, entries in lookup.added.items():
        for id_, entry in entries.items():
            path = folder / f"{registry}.yaml"
            if registry == "players":
                path = folder / "players" / f"{id_[0]}.yaml"
            if path not in texts:
                before = read_text(path) if path.exists() else None
                texts[path] = Replacement(before, (before or "").replace("\r\n", "\n"))
            names = [one.name for one in RECORDS[registry].fields if one.name in entry]
            before, text = texts[path]
            after = with_entry(text or "", id_, {name: entry[name] for name in names})
            texts[path] = Replacement(before, after)
            node, problems = yaml.parse(after, path.as_posix())
            if node is None or problems or not set(node.values) <= lookup.ids(registry):
                message = f"no entry can be put into {path} as it is; run `fmt {path}` first"
                raise DraftRefused(message)
    return texts


def with_entry(text: str, id_: str, entry: YamlValue) -> str:
    """Return the text of a registry with one more entry at its place; all else stays as it is."""
    own = yaml.dump({id_: entry})
    if not text.strip():
        return own
    node, _ = yaml.parse(text, "")
    later = [line for key, line in node.lines.items() if key > id_] if node else []
    lines = text.splitlines(keepends=True)
    at = min(later) - 1 if later else len(lines)
    while later and at > 0 and lines[at - 1].startswith("#"):
        at -= 1  # comments above an entry are about that entry
    if at == len(lines) and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    return "".join([*lines[:at], own, *lines[at:]])
