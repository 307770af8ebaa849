"""Blocks of totals and an event's results come in; checked totals go out.

An all-play-all of P players at n games each makes n P (P - 1) / 2 points, of which the k last have
at least the n k (k - 1) / 2 that they play for among themselves (Landau 1953).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from edo.core.model import Mark, Result, Total
from edo.history.annotations import Pair, Remarks
from edo.history.crosstable import Count, Row
from edo.history.notation import TOLERANCE, number_text
from edo.history.reading import Desk, Entry, Worded, citations
from edo.history.values import Refused, identifier, number, shown

Sums = tuple[Mapping[str, float], Mapping[str, float]]
"""Points [points] and games [games] by player."""


def read_totals(desk: Desk, block: Worded) -> tuple[Total, ...]:
    """Return the rows of a block of totals that could be read; the others are noted."""
    totals: dict[str, Total] = {}
    for index, text in enumerate(block.value.split("\n")):
        if not text.strip():
            continue
        line = block.line + index
        words = text.split()
        place = f"totals, row {shown(words[0]).strip('`')}"
        if len(words) != 2:
            desk.error(
                line,
                place,
                f"{len(words)} words in the row",
                "write the player's id and his total, like `bird-henry 7½/26`",
            )
            continue
        total = _read_row(desk, words[0], words[1], line, place)
        if words[0] in totals:
            desk.error(
                line,
                place,
                f"the player stands twice (first on line {totals[words[0]].line})",
                "keep one of the two rows",
            )
        elif total is not None:
            totals[words[0]] = total
    return tuple(totals.values())


def _read_row(desk: Desk, player: str, text: str, line: int, place: str) -> Total | None:
    points_text, slash, games_text = text.partition("/")
    try:
        desk.knows("players", identifier(player), line, place)
        points = number(points_text)
        games = number(games_text) if slash else None
    except Refused as refused:
        desk.error(line, place, refused.message, refused.hint)
        return None
    if games is not None and points > games + TOLERANCE:
        desk.error(
            line,
            place,
            f"{number_text(points)} points of {number_text(games)} games",
            "correct the total or the games",
        )
        return None
    return Total(player, points, games, line=line)


def read_published(desk: Desk, items: Sequence[Worded]) -> tuple[Total, ...]:
    """Return the published totals that differ from the results."""
    totals: dict[str, Total] = {}
    for entry in (item.value for item in items):
        player, points = entry.get("player"), entry.get("total")
        if player is None or points is None:
            continue
        if player in totals:
            desk.error(
                entry.line,
                entry.place,
                f"the player stands twice (first on line {totals[player].line})",
                "keep one of the two",
            )
            continue
        totals[player] = Total(
            player, points, note=entry.get("note"), sources=citations(entry), line=entry.line
        )
    return tuple(totals.values())


def merge(
    desk: Desk, rows: Iterable[Total], listed: Iterable[Total], published: Iterable[Total]
) -> tuple[Total, ...]:
    """Return one total a player: a published one wins; in two tables he must not stand."""
    merged = {total.player: total for total in rows}
    for total in listed:
        if total.player in merged:
            desk.error(
                total.line,
                f"totals, row {total.player}",
                f"the crosstable has the total on line {merged[total.player].line}",
                "keep one of the two",
            )
        merged.setdefault(total.player, total)
    for total in published:
        merged[total.player] = total
    return tuple(merged.values())


def check_alone(desk: Desk, totals: Sequence[Total], entry: Entry) -> None:
    """Check the totals of an all-play-all of which nothing else is known."""
    each = entry.get("games_per_pair")
    if each is None:
        if "games_per_pair" not in entry.lines:
            desk.error(
                entry.line_of("totals"),
                "totals",
                "totals alone without `games_per_pair`",
                "add how many games each pair played",
            )
        return
    if entry.get("draws_not_scored"):
        desk.error(
            entry.line_of("totals"),
            "totals",
            "totals alone that count draws as nothing do not tell the points",
            "add the results, or say what of them is missing",
        )
        return
    games = each * (len(totals) - 1)
    for total in totals:
        _check_share(desk, total, games)
    _check_sum(desk, totals, each, entry.line_of("totals"))


def _check_share(desk: Desk, total: Total, games: int) -> None:
    place = f"totals, row {total.player}"
    if total.games is not None and total.games != games:
        desk.error(
            total.line,
            place,
            f"{number_text(total.games)} games where an all-play-all has {games}",
            "correct the games or `games_per_pair`",
        )
    if total.points > games + TOLERANCE:
        desk.error(
            total.line,
            place,
            f"{number_text(total.points)} points where an all-play-all has {games} games",
            "correct the total or `games_per_pair`",
        )


def _check_sum(desk: Desk, totals: Sequence[Total], each: int, line: int) -> None:
    players = len(totals)
    expected, found = each * players * (players - 1) / 2, sum(total.points for total in totals)
    if abs(found - expected) > TOLERANCE:
        desk.error(
            line,
            "totals",
            f"the totals make {number_text(found)} points where {players} players at {each} "
            f"a pair play for {number_text(expected)}",
            "correct a total or `games_per_pair`",
        )
        return
    made = 0.0
    for count, total in enumerate(sorted(totals, key=lambda total: total.points), 1):
        made += total.points
        least = each * count * (count - 1) / 2
        if made < least - TOLERANCE:
            desk.error(
                line,
                "totals",
                f"the last {count} make {number_text(made)} points, but among themselves "
                f"they play for {number_text(least)}",
                "correct a total",
            )
            return


def check_beside(desk: Desk, totals: Iterable[Total], made: Sums, whole: bool) -> None:
    """Check listed totals against the results beside them; `whole`: all results are known."""
    points, games = made
    for total in totals:
        place = f"totals, row {total.player}"
        known = points.get(total.player, 0.0)
        if whole and abs(known - total.points) > TOLERANCE:
            desk.error(
                total.line,
                place,
                f"the results make {number_text(known)}, the total is {number_text(total.points)}",
                "correct one of them; a differing total that was published goes to "
                "`published_totals`",
            )
        elif known > total.points + TOLERANCE:
            desk.error(
                total.line,
                place,
                f"the known games make {number_text(known)} already, the total is "
                f"{number_text(total.points)}",
                "correct a result or the total",
            )
        played = games.get(total.player, 0.0)
        if total.games is not None and (played > total.games or (whole and played < total.games)):
            desk.error(
                total.line,
                place,
                f"the results have {number_text(played)} games, the row {number_text(total.games)}",
                "correct a result or the games",
            )


def check_rows(desk: Desk, rows: Sequence[Row], each: int, remarks: Remarks) -> None:
    """Check that the unknown games of a crosstable's rows, `each` a pair, can make the totals."""
    for row in rows:
        open_games = sum(
            max(each - remarks.counted(frozenset((row.player, other.player)), len(cell.marks)), 0)
            for cell, other in zip(row.cells, rows, strict=True)
            if cell is not None and cell.unknown
        )
        if row.has_unknown and row.total is not None and row.total > row.points + open_games:
            desk.error(
                row.line,
                f"crosstable, row {row.player}",
                f"the total is {number_text(row.total)}, but {number_text(row.points)} points are "
                f"known and at {each} a pair only {open_games} games are not",
                "correct a cell, the total or `games_per_pair`",
            )


def check_published(desk: Desk, totals: Iterable[Total], made: Sums, whole: bool) -> None:
    """Notice published totals that do not differ from the results; `whole`: all are known."""
    points, _ = made
    for total in totals:
        if whole and abs(points.get(total.player, 0.0) - total.points) <= TOLERANCE:
            desk.notice(
                total.line,
                f"published total {total.player}",
                f"{number_text(total.points)} is what the results make",
                "delete it or correct it",
            )


def sums(results: Iterable[Result], draws_scored: bool = True) -> Sums:
    """Return what the results make each player in the event's totals: points and games.

    Games that stand outside the totals are left aside. Draws that scored nothing can only be taken
    off where they are known (`check_draws`).
    """
    points: dict[str, float] = defaultdict(float)
    games: dict[str, float] = defaultdict(float)
    for result in results:
        if result.uncounted is not None:
            continue
        drawn = 0.0 if draws_scored or result.tally is None else result.tally[1]
        points[result.first] += result.points_first - drawn / 2
        points[result.second] += result.points_second - drawn / 2
        games[result.first] += result.games
        games[result.second] += result.games
    return points, games


def check_draws(desk: Desk, results: Iterable[Result]) -> None:
    """Note results whose draws are not known, where the totals count draws as nothing."""
    for result in results:
        if result.uncounted is None and result.tally is None:
            desk.error(
                result.line,
                f"pairing {result.first} - {result.second}",
                "draws scored nothing in the totals, but how many there were is not said",
                "write the score like `+7 -2 =2`, or the games",
            )


def counting(remarks: Remarks, draws_scored: bool) -> Count:
    """Return how games count in the totals of a crosstable's rows."""

    def count(pair: Pair, number: int, mark: Mark) -> float:
        if not remarks.counts(pair, number):
            return 0.0
        return mark.points if draws_scored or mark.value != "=" else 0.0

    return count
