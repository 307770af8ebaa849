"""What one event file says comes in; where its fields contradict each other goes to the desk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from edo.core.model import Total
from edo.history.crosstable import Row
from edo.history.notation import number_text
from edo.history.reading import Desk, Entry, Worded
from edo.history.results import Played
from edo.history.values import Refused, identifier, shown

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
