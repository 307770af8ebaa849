"""One event file comes in; one Event goes out, or all that is wrong with the file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from types import MappingProxyType

from edo.core import yaml
from edo.core.model import Event, Total
from edo.core.problems import Problem
from edo.core.yaml import Fields
from edo.history import totals
from edo.history.annotations import read_remarks
from edo.history.crosstable import Row, read_crosstable
from edo.history.fields import EVENT
from edo.history.notation import number_text
from edo.history.reading import (
    Desk,
    Entry,
    Known,
    Worded,
    check_looked_at,
    citations,
    looked_at,
    read_group,
)
from edo.history.results import Played, read_classes, set_apart
from edo.history.unplayed import check_rest
from edo.history.values import Refused, identifier, shown

_RESULTS = ("crosstable", "pairings", "rounds")


def read_event(path: Path, shown_path: str, known: Known) -> tuple[Event | None, list[Problem]]:
    """Return the event of a file and the problems found; None where there is an error.

    `shown_path` ends in `<year>/<id>.yaml`; `known` are the ids that the file may name.
    """
    return event_of(yaml.read(path, shown_path), path, shown_path, known)


def event_of(
    parsed: tuple[Fields | None, list[Problem]], path: Path, shown_path: str, known: Known
) -> tuple[Event | None, list[Problem]]:
    """Return the event of what was read of the file `path`, as `read_event` does."""
    node, problems = parsed
    desk = Desk(shown_path, known, problems)
    check_id(desk, path.stem)
    entry = read_group(desk, EVENT, node) if node is not None else None
    if entry is None:
        return None, desk.problems
    check_event(desk, entry, path.parent.name)
    body = _read_body(desk, entry)
    check_body(desk, entry, body)
    if body.sound:
        _check_totals(desk, entry, body)
    classes = read_classes(desk, entry, named_players(entry, body)) if body.sound else {}
    check_looked_at(desk, entry)
    if desk.failed:
        return None, desk.problems
    event = _event(path.stem, shown_path, entry, body, classes)
    check_rest(desk, event)
    return None if desk.failed else event, desk.problems


def _read_body(desk: Desk, entry: Entry) -> Body:
    played = Played(desk, read_remarks(desk, entry.get("remarks") or ()), entry.get("year"))
    table = entry.get("crosstable")
    count = totals.counting(played.remarks, not entry.get("draws_not_scored"))
    rows = (read_crosstable(desk, table, count) if table is not None else None) or ()
    played.add_crosstable(rows)
    played.add_pairings(entry.get("pairings") or ())
    played.add_rounds(entry.get("rounds") or (), entry.get("kind") == "team match")
    sound = played.sound and not any(_unread(entry, rows, name) for name in _RESULTS)
    if sound:
        played.check_remarks()
    before = len(desk.problems)
    block = entry.get("totals")
    listed = totals.read_totals(desk, block) if block is not None else ()
    published = totals.read_published(desk, entry.get("published_totals") or ())
    merged = totals.merge(desk, _row_totals(rows), listed, published)
    sound = sound and len(desk.problems) == before
    return Body(rows, played, listed, published, merged, sound)


def _row_totals(rows: Sequence[Row]) -> list[Total]:
    return [Total(row.player, row.total, line=row.line) for row in rows if row.total is not None]


def _unread(entry: Entry, rows: Sequence[Row], name: str) -> bool:
    """Whether the results under this key are there, but could not be read."""
    return name in entry.lines and not (rows if name == "crosstable" else entry.get(name))


def _check_totals(desk: Desk, entry: Entry, body: Body) -> None:
    results = body.played.results
    # A file with unknown results says nothing of how its totals should come out.
    whole = is_complete(entry) and bool(results) and not body.played.unknown
    made = totals.sums(results, not entry.get("draws_not_scored"))
    if entry.get("draws_not_scored") and (body.listed or body.published):
        totals.check_draws(desk, results)
        if desk.failed:
            return
    if not body.listed or any(name in entry.lines for name in _RESULTS):
        totals.check_beside(desk, body.listed, made, whole)
    elif not {"rest", "players_in_all"} & set(entry.lines) and (
        is_complete(entry) or not entry.get("draws_not_scored")
    ):
        totals.check_alone(desk, body.listed, entry)
    if (each := entry.get("games_per_pair")) is not None:
        totals.check_rows(desk, body.rows, each, body.played.remarks)
    totals.check_published(desk, body.published, made, whole)


def _event(
    id_: str, shown_path: str, entry: Entry, body: Body, classes: Mapping[str, str]
) -> Event:
    played = body.played
    return Event(
        id=id_,
        name=entry.get("name"),
        kind=entry.get("kind"),
        year=entry.get("year"),
        path=shown_path,
        place=entry.get("place"),
        series=entry.get("series"),
        dates=entry.get("dates"),
        format=entry.get("format"),
        completeness=entry.get("completeness") or "complete",
        missing=entry.get("missing"),
        players=named_players(entry, body),
        has_crosstable=bool(body.rows),
        results=set_apart(played.results, classes),
        rounds=tuple(played.rounds),
        totals=body.totals,
        games_per_pair=entry.get("games_per_pair"),
        not_played=frozenset(played.not_played),
        unknown_games=frozenset(played.unknown),
        unrated=entry.get("unrated"),
        notes=entry.get("notes"),
        sources=citations(entry),
        lines=MappingProxyType(dict(entry.lines)),
        rest=entry.get("rest"),
        withdrew=tuple(item.value for item in entry.get("withdrew") or ()),
        players_in_all=entry.get("players_in_all"),
        classes=MappingProxyType(dict(classes)),
        draws_not_scored=bool(entry.get("draws_not_scored")),
        former_ids=tuple(item.value for item in entry.get("former_ids") or ()),
        looked_at=looked_at(entry),
    )


MOST_GAMES = 1_000  # [games] of two players in an event; the most of the first 800 events is 81


@dataclass(frozen=True, slots=True)
class Body:
    """What a file says of results and players, as far as it could be read."""

    rows: tuple[Row, ...]
    played: Played
    listed: tuple[Total, ...]
    published: tuple[Total, ...]
    totals: tuple[Total, ...]
    sound: bool


def check_event(desk: Desk, entry: Entry, folder: str) -> None:
    """Check what an event file says of itself; `folder` is the name of the folder it stands in."""
    _check_year(desk, entry, folder)
    _check_completeness(desk, entry)
    _refuse_many(desk, entry.line_of("games_per_pair"), "", entry.get("games_per_pair") or 0)


def check_body(desk: Desk, entry: Entry, body: Body) -> None:
    """Check the players of an event against its results, and the results for completeness."""
    _check_listed(desk, entry, body)
    for result in body.played.results:
        _refuse_many(desk, result.line, f"{result.first} - {result.second}", result.games)
    if body.sound and not ("players" in entry.lines and not entry.get("players")):
        _check_number(desk, entry, named_players(entry, body))
        _check_known(desk, entry, body)


def check_id(desk: Desk, id_: str) -> None:
    """Note an error unless the name of an event file, without `.yaml`, is an id."""
    try:
        identifier(id_)
    except Refused as refused:
        desk.error(1, "", f"the file name {refused.message}", refused.hint)


def _refuse_many(desk: Desk, line: int, place: str, games: float) -> None:
    if games > MOST_GAMES:
        message = f"{number_text(games)} games of two players, more than {MOST_GAMES:,}"
        desk.error(line, place, message, "correct the number")


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


def is_complete(entry: Entry) -> bool:
    """Whether the file says that all results are there; nothing said means so."""
    said: str = entry.get("completeness") if "completeness" in entry.lines else "complete"
    return said == "complete"


def _check_completeness(desk: Desk, entry: Entry) -> None:
    if not is_complete(entry) and entry.get("completeness") and "missing" not in entry.lines:
        desk.error(
            entry.line_of("completeness"),
            "completeness",
            f"the event is {entry.get('completeness')}, but `missing` says nothing",
            "say what is missing",
        )
    if is_complete(entry) and "missing" in entry.lines:
        desk.error(
            entry.line_of("missing"),
            "missing",
            "something is missing in a complete event",
            "write `completeness: incomplete` or `completeness: unverified`",
        )


def named_players(entry: Entry, body: Body) -> tuple[str, ...]:
    """Return the players: as listed, else rows, totals and results in order of appearance."""
    listed: tuple[Worded, ...] = entry.get("players") or ()
    if listed:
        return tuple(item.value for item in listed)
    return tuple(_named_in_results(body))


def _named_in_results(body: Body) -> dict[str, int]:
    """Return all whom rows, totals and results name, with the line where they first do."""
    named: dict[str, int] = {row.player: row.line for row in body.rows}
    for total in body.totals:
        named.setdefault(total.player, total.line)
    for result in body.played.results:
        named.setdefault(result.first, result.line)
        named.setdefault(result.second, result.line)
    for player, line in body.played.byes.items():
        named.setdefault(player, line)
    return named


def _check_listed(desk: Desk, entry: Entry, body: Body) -> None:
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
    for player, line in _named_in_results(body).items():
        if listed and player not in first:
            desk.error(
                line,
                "players",
                f"`{player}` is not in the list of players",
                desk.suggest(player, first, "add the player or correct the name"),
            )
    _check_order(desk, entry, body.rows, list(first))
    if body.sound and not listed:
        _check_published(desk, body)


def _check_published(desk: Desk, body: Body) -> None:
    there = {row.player for row in body.rows} | {total.player for total in body.listed}
    for result in body.played.results:
        there |= {result.first, result.second}
    for total in body.published:
        if total.player not in there:
            desk.error(
                total.line,
                f"published total {total.player}",
                "the player is not in the results",
                desk.suggest(total.player, there, "correct the name or add the results"),
            )


def _check_order(desk: Desk, entry: Entry, rows: Sequence[Row], listed: Sequence[str]) -> None:
    order = [row.player for row in rows if row.player in listed]
    if order != [player for player in listed if player in set(order)]:
        desk.error(
            entry.line_of("players"),
            "players",
            "the list and the rows of the crosstable have different orders",
            "write both in finishing order",
        )


def _check_number(desk: Desk, entry: Entry, named: Sequence[str]) -> None:
    if not named:
        desk.error(
            1,
            "",
            "the event names no players",
            "add results, or `players` where no result is known",
        )
    elif entry.get("kind") == "match" and len(named) != 2:
        desk.error(
            entry.line_of("kind"),
            "kind",
            f"a match has two players, not {len(named)}",
            "name two players or correct the kind",
        )


def _check_known(desk: Desk, entry: Entry, body: Body) -> None:
    """Check that a complete event knows its results, and each pair's number of games."""
    if not is_complete(entry):
        return
    hint = "add them, or `completeness: incomplete` with what is missing"
    line = entry.line_of("completeness")
    for pair in sorted(map(sorted, body.played.unknown)):
        desk.error(
            min(row.line for row in body.rows if row.player in pair),
            f"crosstable, {' - '.join(pair)}",
            "unknown results in a complete event",
            hint,
        )
    if not body.played.results and not body.totals and named_players(entry, body):
        desk.error(line, "completeness", "a complete event without results", hint)
    _check_games_per_pair(desk, entry, body)


def _check_games_per_pair(desk: Desk, entry: Entry, body: Body) -> None:
    each = entry.get("games_per_pair")
    for (_, row), (j, other) in combinations(enumerate(body.rows), 2):
        cell = row.cells[j]
        if each is None or cell is None or not cell.played:
            continue
        pair = frozenset((row.player, other.player))
        games = body.played.remarks.counted(pair, len(cell.marks))
        if games != each:
            desk.notice(
                row.line,
                f"crosstable, {row.player} - {other.player}",
                f"games: {games}, where each pair was to play {each}",
                "look whether a game is missing or one too many",
            )
