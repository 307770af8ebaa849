"""Event files: reading one file to an Event, and checking that its fields agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from types import MappingProxyType
from typing import Any

from edo.core.model import Event, Result, Total
from edo.core.problems import Problem
from edo.core.yaml import MappingNode
from edo.history import totals
from edo.history.crosstable import Row, read_crosstable
from edo.history.fields import EVENT
from edo.history.final_table import in_order
from edo.history.notation import number_text
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
from edo.history.results import (
    WON_BY_DEFAULT,
    ResultsReader,
    at_class_odds,
    check_remarks,
    class_names,
    read_class_odds,
    read_classes,
    read_remarks,
)
from edo.history.teams import read_teams
from edo.history.unknown_games import check_rest
from edo.history.values import identifier, shown

MOST_GAMES = 1_000  # [games] of two players in an event; the most of the first 800 events is 81
_RESULTS = ("crosstable", "pairings", "rounds")


@dataclass(frozen=True, slots=True)
class _Body:
    """Results, players and totals of a file, as far as they could be read."""

    rows: tuple[Row, ...]
    reader: ResultsReader
    listed: tuple[Total, ...]
    published: tuple[Total, ...]
    totals: tuple[Total, ...]
    sound: bool


def event_of(
    parsed: tuple[MappingNode | None, list[Problem]], path: Path, shown_path: str, known: Known
) -> tuple[Event | None, list[Problem]]:
    """Return the event of a parsed file and the problems found; None where there is an error.

    `shown_path` ends in `<year>/<id>.yaml`; `known` are the ids that the file may name.
    """
    node, problems = parsed
    log = ProblemLog(shown_path, known, problems)
    log.value(identifier, path.stem, 1, "file name")
    entry = read_group(log, EVENT, node) if node is not None else None
    if entry is None:
        return None, log.problems
    _check_year(log, entry, path.parent.name)
    _check_completeness(log, entry)
    _refuse_many(log, entry.line_of("games_per_pair"), "", entry.get("games_per_pair") or 0)
    body = _read_body(log, entry)
    _check_body(log, entry, body)
    if body.sound:
        _check_totals(log, entry, body)
    classes = read_classes(log, entry, _players(entry, body)) if body.sound else {}
    class_odds = read_class_odds(log, entry)
    teams = read_teams(log, entry, body.reader.results) if body.sound else ()
    check_acknowledged(log, entry)
    if log.failed:
        return None, log.problems
    event = _event(path.stem, shown_path, entry, body)
    event = replace(event, teams=teams, class_names=class_names(entry),
                    classes=MappingProxyType(dict(classes)),
                    class_odds=MappingProxyType(dict(class_odds)))  # fmt: skip
    event = replace(event, results=at_class_odds(event, known.unrated_odds))
    if not event.has_crosstable and "players" not in event.lines:
        event = replace(event, players=in_order(event))
    check_rest(log, event)
    return None if log.failed else event, log.problems


def _event(id_: str, shown_path: str, entry: Entry, body: _Body) -> Event:
    """Return the event without its classes."""
    reader = body.reader
    fields: dict[str, Any] = plain_fields(entry, EVENT) | {"players": _players(entry, body)}
    return Event(
        id=id_,
        path=shown_path,
        **fields,
        has_crosstable=bool(body.rows),
        results=tuple(reader.results),
        rounds=tuple(reader.rounds),
        totals=body.totals,
        not_played=frozenset(reader.not_played),
        unknown_games=frozenset(reader.unknown),
        sources=citations(entry),
        lines=MappingProxyType(dict(entry.lines)),
        acknowledged=acknowledged(entry),
    )


def _read_body(log: ProblemLog, entry: Entry) -> _Body:
    remarks = read_remarks(log, entry.all("remarks"))
    reader = ResultsReader(log, remarks, entry.get("year"))
    table = entry.get("crosstable")
    count = totals.counting(remarks, not entry.get("draws_not_scored"))
    rows = (read_crosstable(log, table, count) if table is not None else None) or ()
    reader.add_crosstable(rows)
    reader.add_pairings(entry.all("pairings"))
    reader.add_rounds(entry.all("rounds"))
    read = [
        rows if name == "crosstable" else entry.get(name)
        for name in _RESULTS
        if name in entry.lines
    ]
    sound = reader.sound and all(read)
    if sound:
        check_remarks(log, remarks, reader.lists)
    before = log.mark()
    block = entry.get("totals")
    in_rows = [Total(row.player, row.total, line=row.line) for row in rows if row.total is not None]
    listed = totals.read_totals(log, block) if block is not None else ()
    published = totals.read_published(log, entry.all("published_totals"))
    merged = totals.merge(log, in_rows, listed, published)
    sound = sound and not log.failed_since(before)
    return _Body(rows, reader, listed, published, merged, sound)


def _refuse_many(log: ProblemLog, line: int, place: str, games: float) -> None:
    if games > MOST_GAMES:
        message = f"{number_text(games)} games of two players, more than {MOST_GAMES:,}"
        log.error(line, place, message, "correct the number")


def _check_year(log: ProblemLog, entry: Entry, folder: str) -> None:
    year, dates = entry.get("year"), entry.get("dates")
    if year is None:
        return
    line = entry.line_of("year")
    if str(year) != folder:
        hint = "correct the year or move the file"
        log.error(line, "year", f"{year} in the folder {shown(folder)}", hint)
    if dates is not None and year - dates.end.year not in (0, 1):  # 1: in a season, as `check` says
        message = f"{year}, but the dates end in {dates.end.year}"
        log.error(line, "year", message, "write the year in which the event finished")


def _is_complete(entry: Entry) -> bool:
    """Whether the file says that all results are there, as it does where the field is absent."""
    return "completeness" not in entry.lines or entry.get("completeness") == "complete"


def _check_completeness(log: ProblemLog, entry: Entry) -> None:
    stated = entry.get("completeness")
    if stated and not _is_complete(entry) and "missing" not in entry.lines:
        message = f"the event is {stated}, but `missing` says nothing"
        log.error(entry.line_of("completeness"), "completeness", message, "say what is missing")
    if _is_complete(entry) and "missing" in entry.lines:
        hint = "write `completeness: incomplete` or `completeness: unverified`"
        message = "something is missing in a complete event"
        log.error(entry.line_of("missing"), "missing", message, hint)


def _check_totals(log: ProblemLog, entry: Entry, body: _Body) -> None:
    results = body.reader.results
    # Where results are unknown, nothing follows about what the totals should be.
    whole = _is_complete(entry) and bool(results) and not body.reader.unknown
    made = totals.sums(results, not entry.get("draws_not_scored"))
    if entry.get("draws_not_scored") and (body.listed or body.published):
        totals.check_draws(log, results)
        if log.failed:
            return
    if not body.listed or any(name in entry.lines for name in _RESULTS):
        totals.check_beside(log, body.listed, made, whole)
    elif not {"rest", "players_in_all"} & set(entry.lines) and (
        _is_complete(entry) or not entry.get("draws_not_scored")
    ):
        totals.check_alone(log, body.listed, entry)
    if (each := entry.get("games_per_pair")) is not None:
        totals.check_rows(log, body.rows, each, body.reader.remarks)
    totals.check_published(log, body.published, made, whole)


def _players(entry: Entry, body: _Body) -> tuple[str, ...]:
    """Return the players: as listed, else rows, totals and results in order of appearance."""
    return entry.all("players") or tuple(_named_in_results(body))


def _named_in_results(body: _Body) -> dict[str, int]:
    """Return all players in rows, totals and results, with the line of the first mention."""
    named: dict[str, int] = {row.player: row.line for row in body.rows}
    for total in body.totals:
        named.setdefault(total.player, total.line)
    for result in body.reader.results:
        named.setdefault(result.first, result.line)
        named.setdefault(result.second, result.line)
    return named


def _check_body(log: ProblemLog, entry: Entry, body: _Body) -> None:
    """Check the players of an event against its results, and the results for completeness."""
    _check_listed(log, entry, body)
    _check_winner(log, entry, _players(entry, body))
    _check_played(log, body.reader.results)
    if body.sound and not entry.get("players"):
        _check_published(log, body)
    for result in body.reader.results:
        _refuse_many(log, result.line, f"{result.first} - {result.second}", result.games)
    if body.sound and not ("players" in entry.lines and not entry.get("players")):
        _check_number(log, entry, _players(entry, body))
        if _is_complete(entry):
            _check_known(log, entry, body)
            _check_games_per_pair(log, entry, body)


def _check_winner(log: ProblemLog, entry: Entry, players: Sequence[str]) -> None:
    winner = entry.get("winner")
    if winner is not None and winner not in players:
        hint = log.suggest(winner, players, "name one of the players of the event")
        log.error(entry.line_of("winner"), "winner", f"`{winner}` did not take part", hint)
    if "decided_by" in entry.lines and "winner" not in entry.lines:
        hint = "say under `winner` who won"
        log.error(entry.line_of("decided_by"), "decided_by", "no winner is named", hint)


def _check_played(log: ProblemLog, results: Sequence[Result]) -> None:
    """Warn where no game was won by play, as if `+` and `-` stood for that."""
    signs = {mark.value for result in results for mark in result.marks}
    bare = [result.line for result in results if result.default == WON_BY_DEFAULT]
    if bare and signs.isdisjoint("10") and all(result.marks for result in results):
        hint = "write `1` and `0` for games that were played, or give the reason under `default`"
        log.warning(bare[0], "", "no game was won by play", hint)


def _check_listed(log: ProblemLog, entry: Entry, body: _Body) -> None:
    first: dict[str, int] = {}
    for item in entry.get("players") or ():
        at, hint = (item.line, "players"), "keep one of the two"
        log.check_once(first, item.value, at, f"`{item.value}`", hint)
    for player, line in _named_in_results(body).items() if first else ():
        if player not in first:
            hint = log.suggest(player, first, "add the player or correct the name")
            log.error(line, "players", f"`{player}` is not in the list of players", hint)
    rows = [row.player for row in body.rows if row.player in first]
    if rows != [player for player in first if player in set(rows)]:
        message = "the list and the rows of the crosstable have different orders"
        log.error(entry.line_of("players"), "players", message, "write both in finishing order")


def _check_published(log: ProblemLog, body: _Body) -> None:
    there = {row.player for row in body.rows} | {total.player for total in body.listed}
    there |= {id_ for result in body.reader.results for id_ in (result.first, result.second)}
    for total in body.published:
        if total.player not in there:
            place = f"published total {total.player}"
            hint = log.suggest(total.player, there, "correct the name or add the results")
            log.error(total.line, place, "the player is not in the results", hint)


def _check_number(log: ProblemLog, entry: Entry, named: Sequence[str]) -> None:
    if not named:
        hint = "add results, or `players` where no result is known"
        log.error(1, "", "the event names no players", hint)
    elif entry.get("kind") == "match" and len(named) != 2:
        message = f"a match has two players, not {len(named)}"
        log.error(entry.line_of("kind"), "kind", message, "name two players or correct the kind")


def _check_known(log: ProblemLog, entry: Entry, body: _Body) -> None:
    """Check that the results of a complete event are known."""
    hint = "add them, or `completeness: incomplete` with what is missing"
    for pair in sorted(map(sorted, body.reader.unknown)):
        line = min(row.line for row in body.rows if row.player in pair)
        place = f"crosstable, {' - '.join(pair)}"
        log.error(line, place, "unknown results in a complete event", hint)
    if not body.reader.results and not body.totals and _players(entry, body):
        line = entry.line_of("completeness")
        log.error(line, "completeness", "a complete event without results", hint)


def _check_games_per_pair(log: ProblemLog, entry: Entry, body: _Body) -> None:
    """Warn where the cell of a complete event has another number of games than each pair."""
    each = entry.get("games_per_pair")
    for (_, row), (j, other) in combinations(enumerate(body.rows), 2):
        cell = row.cells[j]
        if each is None or cell is None or not cell.played:
            continue
        pair = frozenset((row.player, other.player))
        games = body.reader.remarks.counted(pair, len(cell.marks))
        if games != each:
            place = f"crosstable, {row.player} - {other.player}"
            message = f"games: {games}, where each pair was to play {each}"
            hint = "look whether a game is missing or one too many"
            log.warning(row.line, place, message, hint)
