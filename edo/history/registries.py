"""Files of players, places, sources, odds and series in; records out, and what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from edo.core import yaml
from edo.core.model import OddsKind, PartialDate, Place, Player, Series, Source
from edo.core.problems import Problem
from edo.core.yaml import Fields
from edo.history.field_types import REGISTRIES, Registry
from edo.history.fields import RECORDS
from edo.history.notation import first_day, last_day
from edo.history.reading import (
    Desk,
    Entry,
    Known,
    check_looked_at,
    citations,
    looked_at,
    read_group,
)
from edo.history.values import Refused, identifier, shown

MOST_ODDS = 2_000  # [Elo] twice the largest of the first 25 kinds; beyond it chances are 0 and 1

Record = Player | Place | Source | OddsKind | Series


@dataclass(frozen=True, slots=True)
class RegistryFile:
    """A file of one of the registries; `shown_path` is its path as messages name it."""

    registry: Registry
    path: Path
    shown_path: str


@dataclass(frozen=True, slots=True)
class Registries:
    """The records of all registries by id, and the ids that event files may name.

    `known` holds also the ids whose records are wrong, so that naming them is no second error.
    """

    players: Mapping[str, Player]
    places: Mapping[str, Place]
    sources: Mapping[str, Source]
    odds: Mapping[str, OddsKind]
    series: Mapping[str, Series]
    known: Known


@dataclass(frozen=True, slots=True)
class _Open:
    file: RegistryFile
    node: Fields | None


def read_registries(files: Iterable[RegistryFile]) -> tuple[Registries, list[Problem]]:
    """Return what the files of all registries hold, and the problems found."""
    opened: list[_Open] = []
    problems: list[Problem] = []
    for file in files:
        node, found = yaml.read(file.path, file.shown_path)
        opened.append(_Open(file, node))
        problems += found
    known = _known(opened)
    found_records: dict[Registry, dict[str, Record]] = {kind: {} for kind in REGISTRIES}
    for each in opened:
        if each.node is not None:
            records, found = read_registry(each.file, each.node, known)
            found_records[each.file.registry] |= records
            problems += found
    return _registries(found_records, known), problems


def _known(opened: Sequence[_Open]) -> Known:
    ids: dict[Registry, set[str] | None] = {kind: set() for kind in REGISTRIES}
    for each in opened:
        there = ids[each.file.registry]
        if each.node is None or there is None:
            ids[each.file.registry] = None
        else:
            there.update(each.node.values)
    return Known(ids)


def _registries(records: Mapping[Registry, Mapping[str, Record]], known: Known) -> Registries:
    odds = {id_: kind for id_, kind in records["odds"].items() if isinstance(kind, OddsKind)}
    unrated = {id_: kind.unrated for id_, kind in odds.items() if kind.unrated is not None}
    return Registries(
        players={id_: r for id_, r in records["players"].items() if isinstance(r, Player)},
        places={id_: r for id_, r in records["places"].items() if isinstance(r, Place)},
        sources={id_: r for id_, r in records["sources"].items() if isinstance(r, Source)},
        odds=odds,
        series={id_: r for id_, r in records["series"].items() if isinstance(r, Series)},
        known=Known(known.ids, unrated),
    )


def read_registry(
    file: RegistryFile, node: Fields, known: Known
) -> tuple[dict[str, Record], list[Problem]]:
    """Return the records that one file holds, by id, and the problems found."""
    desk = Desk(file.shown_path, known)
    records: dict[str, Record] = {}
    make, check = _MAKE[file.registry], _CHECK.get(file.registry)
    previous = ""
    for id_, value in node.values.items():
        before = len(desk.problems)
        _check_id(desk, file, id_, node.lines[id_], previous)
        entry = read_group(desk, RECORDS[file.registry], value, shown(id_).strip("`"))
        if entry is not None and check is not None:
            check(desk, id_, entry)
        if entry is not None and not any(p.severity == "error" for p in desk.problems[before:]):
            records[id_] = make(id_, entry, node.lines[id_])
        previous = id_
    return records, desk.problems


def _check_id(desk: Desk, file: RegistryFile, id_: str, line: int, previous: str) -> None:
    try:
        identifier(id_)
    except Refused as refused:
        desk.error(line, "", refused.message, refused.hint)
        return
    if file.registry == "players" and id_[0] != file.path.stem:
        desk.error(
            line,
            id_,
            f"the id stands in the file `{file.path.name}`",
            f"move it to `{id_[0]}.yaml`",
        )
    if id_ < previous:
        desk.notice(
            line,
            id_,
            f"the id stands behind `{shown(previous).strip('`')}`",
            "sort the ids of the file",
        )


def _check_player(desk: Desk, id_: str, entry: Entry) -> None:
    check_looked_at(desk, entry)
    born: PartialDate | None = entry.get("born")
    died: PartialDate | None = entry.get("died")
    if born is not None and died is not None and first_day(born) > last_day(died):
        note = desk.notice if born.approximate or died.approximate else desk.error
        note(
            entry.line_of("died"),
            f"{id_}, died",
            f"{died} is before the birth on {born}",
            "correct one of the dates",
        )
    if entry.get("offhand_of") == id_:
        desk.error(
            entry.line_of("offhand_of"),
            f"{id_}, offhand_of",
            "the identity names itself",
            "name the person whose casual results it holds",
        )


def _check_odds(desk: Desk, id_: str, entry: Entry) -> None:
    if (entry.get("points") or 0) > MOST_ODDS:
        message = f"odds of more than {MOST_ODDS:,} points"
        desk.error(entry.line_of("points"), f"{id_}, points", message, "correct the points")


def _player(id_: str, entry: Entry, line: int) -> Player:
    spellings = tuple(item.value for item in entry.get("spellings") or ())
    return Player(
        id_,
        entry.get("name"),
        entry.get("born"),
        entry.get("died"),
        entry.get("country"),
        entry.get("woman") or False,
        spellings,
        entry.get("offhand_of"),
        entry.get("notes"),
        citations(entry),
        line,
        tuple(item.value for item in entry.get("former_ids") or ()),
        looked_at(entry),
    )


def _place(id_: str, entry: Entry, line: int) -> Place:
    return Place(id_, entry.get("name"), entry.get("country"), entry.get("notes"), line=line)


def _source(id_: str, entry: Entry, line: int) -> Source:
    return Source(
        id_,
        entry.get("title"),
        entry.get("author"),
        entry.get("published"),
        entry.get("url"),
        entry.get("notes"),
        line=line,
    )


def _odds(id_: str, entry: Entry, _line: int) -> OddsKind:
    return OddsKind(
        id_, entry.get("name"), entry.get("points"), entry.get("unrated"), entry.get("notes")
    )


def _series(id_: str, entry: Entry, line: int) -> Series:
    return Series(id_, entry.get("name"), entry.get("notes"), line=line)


_MAKE: dict[Registry, Callable[[str, Entry, int], Record]] = {
    "players": _player,
    "places": _place,
    "sources": _source,
    "odds": _odds,
    "series": _series,
}
_CHECK: dict[Registry, Callable[[Desk, str, Entry], None]] = {
    "players": _check_player,
    "odds": _check_odds,
}
