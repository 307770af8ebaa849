"""Registries of players, places, sources, odds and series: reading and checking their files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from edo.core import yaml
from edo.core.model import Coordinates, OddsKind, PartialDate, Place, Player, Series, Source
from edo.core.problems import Problem
from edo.core.yaml import MappingNode
from edo.history.fields import RECORDS, REGISTRIES, Registry
from edo.history.notation import first_day, last_day
from edo.history.reading import (
    Entry,
    Known,
    ProblemLog,
    acknowledged,
    check_acknowledged,
    citations,
    plain_fields,
    read_group,
)
from edo.history.values import identifier, shown

MOST_ODDS = 2_000  # [Elo] twice the largest of the first 25 kinds; beyond it scores are 0 and 1


@dataclass(frozen=True, slots=True)
class RegistryFile:
    """A file of one of the registries; `shown_path` is its path as messages name it."""

    registry: Registry
    path: Path
    shown_path: str


Registries = dict[Registry, dict[str, Any]]
"""The records of all registries by id."""


def read_registries(files: Iterable[RegistryFile]) -> tuple[Registries, Known, list[Problem]]:
    """Return what the files of all registries hold, what event files may name, and the problems.

    Ids whose records are wrong are known too, so that naming them is no second error.
    """
    opened: list[tuple[RegistryFile, MappingNode | None]] = []
    problems: list[Problem] = []
    for file in files:
        node, found = yaml.read(file.path, file.shown_path)
        opened.append((file, node))
        problems += found
    ids: dict[Registry, set[str] | None] = {kind: set() for kind in REGISTRIES}
    for file, node in opened:
        there = ids[file.registry]
        ids[file.registry] = None if node is None or there is None else there | node.values.keys()
    records: Registries = {kind: {} for kind in REGISTRIES}
    for file, node in opened:
        if node is not None:
            of_file, found = read_registry(file, node, Known(ids))
            records[file.registry] |= of_file
            problems += found
    odds: dict[str, OddsKind] = records["odds"]
    unrated = {id_: kind.unrated for id_, kind in odds.items() if kind.unrated is not None}
    names: dict[Registry, dict[str, tuple[str, ...]]] = {
        "players": {p.id: (p.name, *p.spellings) for p in records["players"].values()},
        "places": {p.id: (p.name,) for p in records["places"].values()},
    }
    return records, Known(ids, unrated, names), problems


def read_registry(
    file: RegistryFile, node: MappingNode, known: Known
) -> tuple[dict[str, Any], list[Problem]]:
    """Return the records that one file holds, by id, and the problems found."""
    log = ProblemLog(file.shown_path, known)
    records: dict[str, Any] = {}
    group, check = RECORDS[file.registry], _CHECK.get(file.registry)
    previous = ""
    for id_, value in node.values.items():
        before = log.mark()
        _check_id(log, file, id_, node.lines[id_], previous)
        entry = read_group(log, group, value, shown(id_).strip("`"))
        if entry is not None and check is not None:
            check(log, id_, entry)
        if entry is not None and not log.failed_since(before):
            fields = plain_fields(entry, group)
            if file.registry != "odds":
                fields["line"] = node.lines[id_]
            if file.registry == "players":
                fields |= {"sources": citations(entry), "acknowledged": acknowledged(entry)}
                identified = tuple((entry.get("identified") or {}).items())
                fields["identified"] = identified
                if countries := entry.get("countries"):
                    fields["country"] = "/".join(dict.fromkeys(countries.values()))
                    fields["countries"] = tuple(countries.items())
            if file.registry == "places" and (at := entry.get("coordinates")) is not None:
                fields["coordinates"] = Coordinates(**at.values)
            records[id_] = _RECORD[file.registry](id_, **fields)
        previous = id_
    return records, log.problems


def _check_id(log: ProblemLog, file: RegistryFile, id_: str, line: int, previous: str) -> None:
    if log.value(identifier, id_, line, "") is None:
        return
    if file.registry == "players" and id_[0] != file.path.stem:
        message = f"the id stands in the file `{file.path.name}`"
        log.error(line, id_, message, f"move it to `{id_[0]}.yaml`")
    if id_ < previous:
        message = f"the id stands behind `{shown(previous).strip('`')}`"
        log.warning(line, id_, message, "sort the ids of the file")


def _check_player(log: ProblemLog, id_: str, entry: Entry) -> None:
    check_acknowledged(log, entry)
    born: PartialDate | None = entry.get("born")
    died: PartialDate | None = entry.get("died")
    if born is not None and died is not None and first_day(born) > last_day(died):
        note = log.warning if born.approximate or died.approximate else log.error
        message = f"{died} is before the birth on {born}"
        note(entry.line_of("died"), f"{id_}, died", message, "correct one of the dates")
    _check_countries(log, id_, entry)
    if entry.get("offhand_of") == id_:
        hint = "name the person whose casual results it holds"
        place = f"{id_}, offhand_of"
        log.error(entry.line_of("offhand_of"), place, "the identity names itself", hint)


def _check_countries(log: ProblemLog, id_: str, entry: Entry) -> None:
    countries: dict[int, str] = entry.get("countries") or {}
    born: PartialDate | None = entry.get("born")
    died: PartialDate | None = entry.get("died")
    if list(countries) != sorted(countries):
        message, hint = "the years are not in order", "put the earliest year first"
        log.error(entry.line_of("countries"), f"{id_}, countries", message, hint)
    for year in countries:
        for date, wrong, when in (
            (born, born is not None and year < born.year, "before the birth on"),
            (died, died is not None and year > died.year, "after the death on"),
        ):
            if wrong:
                message, hint = f"{year} is {when} {date}", "correct the year or the date"
                log.error(entry.line_of("countries"), f"{id_}, countries", message, hint)
    for (_, before), (year, code) in pairwise(countries.items()):
        if code == before:
            message = f"{year} changes nothing: `{code}` stands before it, too"
            hint = "delete the year, or correct the country"
            log.error(entry.line_of("countries"), f"{id_}, countries", message, hint)


def _check_odds(log: ProblemLog, id_: str, entry: Entry) -> None:
    if (entry.get("points") or 0) > MOST_ODDS:
        message = f"odds of more than {MOST_ODDS:,} points"
        log.error(entry.line_of("points"), f"{id_}, points", message, "correct the points")


_RECORD: dict[Registry, Callable[..., Any]] = {
    "players": Player,
    "places": Place,
    "sources": Source,
    "odds": OddsKind,
    "series": Series,
}
_CHECK: dict[Registry, Callable[[ProblemLog, str, Entry], None]] = {
    "players": _check_player,
    "odds": _check_odds,
}
