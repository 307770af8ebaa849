"""One event file comes in; one Event goes out, or all that is wrong with the file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from types import MappingProxyType

from edo import totals, yamlfile
from edo.crosstable import Row, read_crosstable
from edo.errors import Problem
from edo.fields import EVENT
from edo.reading import Desk, Entry, Known, Worded, citations, read_group
from edo.records import Event, Total
from edo.remarks import read_remarks
from edo.results import Played
from edo.values import ID_PATTERN, MAX_ID, nearest, shown

_RESULTS = ("crosstable", "pairings", "rounds")


@dataclass(frozen=True, slots=True)
class _Body:
    """What a file says of results and players, as far as it could be read."""

    rows: tuple[Row, ...]
    played: Played
    totals: tuple[Total, ...]
    sound: bool


def read_event(path: Path, shown_path: str, known: Known) -> tuple[Event | None, list[Problem]]:
    """Return the event of a file and the problems found; None where there is an error.

    `shown_path` ends in `<year>/<id>.yaml`; `known` are the ids that the file may name.
    """
    node, problems = yamlfile.read(path, shown_path)
    desk = Desk(shown_path, known, problems)
    _check_id(desk, path.stem)
    entry = read_group(desk, EVENT, node) if node is not None else None
    if entry is None:
        return None, desk.problems
    _check_year(desk, entry, path.parent.name)
    _check_completeness(desk, entry)
    body = _read_body(desk, entry)
    _check_players(desk, entry, body)
    if desk.failed:
        return None, desk.problems
    return _event(path.stem, shown_path, entry, body), desk.problems


def _check_id(desk: Desk, id_: str) -> None:
    if not re.fullmatch(ID_PATTERN, id_) or len(id_) > MAX_ID:
        desk.error(
            1,
            "",
            f"the file name {shown(id_)} is not an id",
            f"use at most {MAX_ID} lower-case letters, digits and single hyphens",
        )


def _check_year(desk: Desk, entry: Entry, folder: str) -> None:
    year, dates = entry.get("year"), entry.get("dates")
    if year is None:
        return
    if str(year) != folder:
        desk.error(
            entry.line_of("year"),
            "year",
            f"{year} in the folder {shown(folder)}",
            "correct the year or move the file",
        )
    if dates is not None and dates.end.year != year:
        desk.error(
            entry.line_of("year"),
            "year",
            f"{year}, but the dates end in {dates.end.year}",
            "write the year in which the event finished",
        )


def _check_completeness(desk: Desk, entry: Entry) -> None:
    state = entry.get("completeness") or "complete"
    if state != "complete" and "missing" not in entry.lines:
        desk.error(
            entry.line_of("completeness"),
            "completeness",
            f"the event is {state}, but `missing` says nothing",
            "say what is missing",
        )
    if state == "complete" and "missing" in entry.lines and "completeness" not in entry.lines:
        desk.error(
            entry.line_of("missing"),
            "missing",
            "something is missing, but the event is not marked",
            "add `completeness: incomplete` or `completeness: unverified`",
        )
    elif entry.get("completeness") == "complete" and "missing" in entry.lines:
        desk.error(
            entry.line_of("missing"),
            "missing",
            "something is missing in a complete event",
            "correct `completeness`",
        )


def _read_body(desk: Desk, entry: Entry) -> _Body:
    played = Played(desk, read_remarks(desk, entry.get("remarks") or ()))
    rows: tuple[Row, ...] = ()
    if entry.get("crosstable") is not None:
        rows = read_crosstable(desk, entry.get("crosstable")) or ()
        played.add_crosstable(rows)
    played.add_pairings(entry.get("pairings") or ())
    played.add_rounds(entry.get("rounds") or (), entry.get("kind") == "team match")
    sound = played.sound and not any(_unread(entry, rows, name) for name in _RESULTS)
    if sound:
        played.check_remarks()
    return _Body(rows, played, _read_totals(desk, entry, rows, played, sound), sound)


def _unread(entry: Entry, rows: Sequence[Row], name: str) -> bool:
    """Whether the results under this key are there, but could not be read."""
    return name in entry.lines and (entry.get(name) is None or (name == "crosstable" and not rows))


def _read_totals(
    desk: Desk, entry: Entry, rows: Sequence[Row], played: Played, sound: bool
) -> tuple[Total, ...]:
    listed: tuple[Total, ...] = ()
    if (block := entry.get("totals")) is not None:
        before = len(desk.problems)
        listed = totals.read_totals(desk, block)
        sound = sound and len(desk.problems) == before
    published = totals.read_published(desk, entry.get("published_totals") or ())
    of_rows = [Total(row.player, row.total, line=row.line) for row in rows if row.total is not None]
    if sound:
        whole = _is_whole(entry, played)
        if listed and not any(name in entry.lines for name in _RESULTS):
            totals.check_alone(desk, listed, entry)
        else:
            totals.check_beside(desk, listed, played.results, whole)
        totals.check_published(desk, published, played.results, whole)
    return totals.merge(desk, of_rows, listed, published)


def _is_whole(entry: Entry, played: Played) -> bool:
    """Whether the results of the file are all that there were."""
    complete = (entry.get("completeness") or "complete") == "complete"
    return complete and bool(played.results) and not played.unknown


def _players(entry: Entry, body: _Body) -> tuple[str, ...]:
    """Return the players: as listed, else rows, totals and results in order of appearance."""
    listed: tuple[Worded, ...] = entry.get("players") or ()
    if listed:
        return tuple(item.value for item in listed)
    return tuple(_named_in_results(body))


def _named_in_results(body: _Body) -> dict[str, int]:
    """Return all whom rows, totals and results name, with the line where they first do."""
    named: dict[str, int] = {row.player: row.line for row in body.rows}
    for total in body.totals:
        named.setdefault(total.player, total.line)
    for result in body.played.results:
        named.setdefault(result.first, result.line)
        named.setdefault(result.second, result.line)
    return named


def _check_players(desk: Desk, entry: Entry, body: _Body) -> None:
    listed: tuple[Worded, ...] = entry.get("players") or ()
    first: dict[str, int] = {}
    for item in listed:
        if item.value in first:
            desk.error(
                item.line,
                "players",
                f"`{item.value}` stands twice (first on line {first[item.value]})",
                "keep one of the two",
            )
        first.setdefault(item.value, item.line)
    named = _named_in_results(body)
    for player, line in named.items():
        if listed and player not in first:
            desk.error(
                line,
                "players",
                f"`{player}` is not in the list of players",
                nearest(player, first, "add him, or correct the name"),
            )
    _check_order(desk, entry, body.rows, list(first))
    if body.sound:
        _check_number(desk, entry, _players(entry, body))
        _check_known(desk, entry, body)


def _check_order(desk: Desk, entry: Entry, rows: Sequence[Row], listed: Sequence[str]) -> None:
    order = [row.player for row in rows if row.player in listed]
    if order != [player for player in listed if player in set(order)]:
        desk.error(
            entry.line_of("players"),
            "players",
            "the list and the rows of the crosstable have different orders",
            "write both in finishing order",
        )


def _check_number(desk: Desk, entry: Entry, players: Sequence[str]) -> None:
    if "players" in entry.lines and not entry.get("players"):
        return
    if not players:
        desk.error(
            1,
            "",
            "the event names no players",
            "add results, or `players` where no result is known",
        )
    elif entry.get("kind") == "match" and len(players) != 2:
        desk.error(
            entry.line_of("kind"),
            "kind",
            f"a match of {len(players)} players",
            "name two players or correct the kind",
        )


def _check_known(desk: Desk, entry: Entry, body: _Body) -> None:
    """Check that a complete event knows its results, and each pair's number of games."""
    if (entry.get("completeness") or "complete") != "complete":
        return
    remedy = "add them, or `completeness: incomplete` with what is missing"
    line = entry.line_of("completeness")
    for pair in sorted(map(sorted, body.played.unknown)):
        desk.error(
            entry.line_of("crosstable"),
            f"crosstable, {' - '.join(pair)}",
            "unknown results in a complete event",
            remedy,
        )
    if not body.played.results and not body.totals:
        desk.error(line, "completeness", "a complete event without results", remedy)
    _check_games_per_pair(desk, entry, body.rows)


def _check_games_per_pair(desk: Desk, entry: Entry, rows: Sequence[Row]) -> None:
    each = entry.get("games_per_pair")
    for (_, row), (j, other) in combinations(enumerate(rows), 2):
        cell = row.cells[j]
        if each is not None and cell is not None and cell.played and len(cell.marks) != each:
            desk.notice(
                row.line,
                f"crosstable, {row.player} - {other.player}",
                f"{len(cell.marks)} games where each pair was to play {each}",
                "look whether a game is missing or one too many",
            )


def _event(id_: str, shown_path: str, entry: Entry, body: _Body) -> Event:
    played = body.played
    return Event(
        id=id_,
        name=entry.get("name"),
        kind=entry.get("kind"),
        year=entry.get("year"),
        path=shown_path,
        place=entry.get("place"),
        dates=entry.get("dates"),
        format=entry.get("format"),
        completeness=entry.get("completeness") or "complete",
        missing=entry.get("missing"),
        players=_players(entry, body),
        has_crosstable=bool(body.rows),
        results=tuple(played.results),
        rounds=tuple(played.rounds),
        totals=body.totals,
        games_per_pair=entry.get("games_per_pair"),
        not_played=frozenset(played.not_played),
        unknown_games=frozenset(played.unknown),
        unrated=entry.get("unrated"),
        notes=entry.get("notes"),
        sources=citations(entry),
        lines=MappingProxyType(dict(entry.lines)),
    )
