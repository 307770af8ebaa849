"""Players' totals: reading them, and checking them against the results."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from edo.core.model import Mark, Result, Total
from edo.history.crosstable import Count, Row, in_full
from edo.history.notation import TOLERANCE, number_text
from edo.history.reading import Entry, Located, ProblemLog, citations
from edo.history.results import Pair, Remarks
from edo.history.values import InvalidValue, identifier, number, shown

Sums = tuple[Mapping[str, float], Mapping[str, float]]
"""Points [points] and games [games] by player."""


def read_totals(log: ProblemLog, block: Located) -> tuple[Total, ...]:
    """Return the rows of a block of totals that could be read; the others are errors."""
    totals: list[Total] = []
    first: dict[str, int] = {}
    for line, text in enumerate(block.value.split("\n"), block.line):
        words = text.split()
        if not words:
            continue
        place = f"totals, row {shown(words[0]).strip('`')}"
        if len(words) != 2:
            hint = "write the player's id and his total, like `bird-henry 7½/26`"
            log.error(line, place, f"{len(words)} words in the row", hint)
        elif (total := _read_row(log, words[0], words[1], line, place)) or words[0] in first:
            hint = "keep one of the two rows"
            if log.check_once(first, words[0], (line, place), "the player", hint) and total:
                totals.append(total)
    return tuple(totals)


def _read_row(log: ProblemLog, player: str, text: str, line: int, place: str) -> Total | None:
    def convert(text: str) -> Total:
        points_text, slash, games_text = text.partition("/")
        points, games = number(points_text), number(games_text) if slash else None
        if games is not None and points > games + TOLERANCE:
            message = f"{number_text(points)} points of {number_text(games)} games"
            raise InvalidValue(message, "correct the total or the games")
        return Total(player, points, games, line=line)

    known = log.value(identifier, player, line, place, "players")
    total = log.value(convert, text, line, place)
    return total if known else None


def read_published(log: ProblemLog, entries: Iterable[Entry]) -> tuple[Total, ...]:
    """Return the published totals that differ from the results."""
    totals: list[Total] = []
    first: dict[str, int] = {}
    for entry in entries:
        player, points = entry.get("player"), entry.get("total")
        if player is not None and points is not None:
            at, hint = (entry.line, entry.place), "keep one of the two"
            note, sources = entry.get("note"), citations(entry)
            if log.check_once(first, player, at, "the player", hint):
                totals.append(Total(player, points, note=note, sources=sources, line=entry.line))
    return tuple(totals)


def merge(
    log: ProblemLog, rows: Iterable[Total], listed: Iterable[Total], published: Iterable[Total]
) -> tuple[Total, ...]:
    """Return one total a player, the published one first; two tables must not have the same one."""
    merged = {total.player: total for total in rows}
    for total in listed:
        if total.player in merged:
            message = f"the crosstable has the total on line {merged[total.player].line}"
            log.error(total.line, f"totals, row {total.player}", message, "keep one of the two")
        merged.setdefault(total.player, total)
    merged |= {total.player: total for total in published}
    return tuple(merged.values())


def check_alone(log: ProblemLog, totals: Sequence[Total], entry: Entry) -> None:
    """Check the totals of an all-play-all of which nothing else is known."""
    each, line = entry.get("games_per_pair"), entry.line_of("totals")
    if each is None:
        if "games_per_pair" not in entry.lines:
            hint = "add how many games each pair played"
            log.error(line, "totals", "totals alone without `games_per_pair`", hint)
        return
    if entry.get("draws_not_scored"):
        message = "totals alone that count draws as nothing do not tell the points"
        hint = "add the results, or say what of them is missing"
        log.error(line, "totals", message, hint)
        return
    games = each * (len(totals) - 1)
    for total in totals:
        place = f"totals, row {total.player}"
        if total.games is not None and total.games != games:
            message = f"{number_text(total.games)} games where an all-play-all has {games}"
            log.error(total.line, place, message, "correct the games or `games_per_pair`")
        if total.points > games + TOLERANCE:
            message = f"{number_text(total.points)} points where an all-play-all has {games} games"
            log.error(total.line, place, message, "correct the total or `games_per_pair`")
    _check_sum(log, totals, each, line)


def _check_sum(log: ProblemLog, totals: Sequence[Total], each: int, line: int) -> None:
    players = len(totals)
    expected, made = each * players * (players - 1) / 2, sum(total.points for total in totals)
    if abs(made - expected) > TOLERANCE:
        where = f"where {players} players at {each} a pair play for {number_text(expected)}"
        message = f"the totals make {number_text(made)} points {where}"
        log.error(line, "totals", message, "correct a total or `games_per_pair`")
        return
    check_reach(log, totals, each, players)


def check_reach(log: ProblemLog, totals: Sequence[Total], each: float, in_all: int) -> None:
    """Check what the last and the first k make against the least and the most that they can.

    The totals are those of some or all players of an all-play-all of `in_all`, `each` games a pair.
    With these bounds there is a table with the totals. Source: Landau's condition (1953).
    """
    ranked = sorted(totals, key=lambda total: total.points)
    hint = "correct a total or `games_per_pair`"
    if in_all > len(ranked):
        hint = "correct a total, `games_per_pair` or `players_in_all`"
    for where, people in (("last", ranked), ("first", ranked[::-1])):
        points = 0.0
        for k, total in enumerate(people, 1):
            points += total.points
            among = each * k * (k - 1) / 2
            most = among + each * k * (in_all - k)
            if where == "last" and points < among - TOLERANCE:
                bound = f"but among themselves they play for {number_text(among)}"
            elif where == "first" and points > most + TOLERANCE:
                bound = f"where at most {number_text(most)} can be made"
            else:
                continue
            message = f"the {where} {k} make {number_text(points)} points, {bound}"
            log.error(people[0].line, "totals", message, hint)
            return


def check_beside(log: ProblemLog, totals: Iterable[Total], made: Sums, whole: bool) -> None:
    """Check listed totals against the known results; `whole`: all results are known."""
    points, games = made
    for total in totals:
        place = f"totals, row {total.player}"
        known, stated = points.get(total.player, 0.0), number_text(total.points)
        if whole and abs(known - total.points) > TOLERANCE:
            message = f"the results make {number_text(known)}, the total is {stated}"
            hint = "correct one of them; a differing total that was published goes to "
            log.error(total.line, place, message, f"{hint}`published_totals`")
        elif known > total.points + TOLERANCE:
            message = f"the known games make {number_text(known)} already, the total is {stated}"
            log.error(total.line, place, message, "correct a result or the total")
        played = games.get(total.player, 0.0)
        left = math.inf if total.games is None else max(total.games - played, 0.0)
        if not whole and total.points - known > left + TOLERANCE:
            points_left = number_text(round(total.points - known, 4))
            message = f"points left: {points_left}, unknown games: {number_text(left)}"
            log.error(total.line, place, message, "correct a result, the total or the games")
        if total.games is not None and (played > total.games or (whole and played < total.games)):
            row = number_text(total.games)
            message = f"the results have {number_text(played)} games, the row {row}"
            log.error(total.line, place, message, "correct a result or the games")


def check_rows(log: ProblemLog, rows: Sequence[Row], each: int, remarks: Remarks) -> None:
    """Check that the unknown games of a crosstable's rows, `each` a pair, can make the totals."""
    for row in rows:
        open_games = sum(
            max(each - remarks.counted(frozenset((row.player, other.player)), len(cell.marks)), 0)
            for cell, other in zip(row.cells, rows, strict=True)
            if cell is not None and cell.unknown
        )
        if row.has_unknown and row.total is not None and row.total > row.points + open_games:
            total, points = number_text(row.total), number_text(row.points)
            known = (
                f"{points} points are known and at {each} a pair only {open_games} games are not"
            )
            message = f"the total is {total}, but {known}"
            hint = "correct a cell, the total or `games_per_pair`"
            log.error(row.line, f"crosstable, row {row.player}", message, hint)


def check_published(log: ProblemLog, totals: Iterable[Total], made: Sums, whole: bool) -> None:
    """Warn of published totals that do not differ from the results; `whole`: all are known."""
    points, _ = made
    for total in totals:
        if whole and abs(points.get(total.player, 0.0) - total.points) <= TOLERANCE:
            message = f"{number_text(total.points)} is what the results make"
            place = f"published total {total.player}"
            log.warning(total.line, place, message, "delete it or correct it")


def sums(results: Iterable[Result], draws_scored: bool = True) -> Sums:
    """Return what the results make each player in the event's totals: points and games.

    Uncounted games are left out. Draws that scored nothing can only be subtracted where they are
    known (`check_draws`).
    """
    points: dict[str, float] = defaultdict(float)
    games: dict[str, float] = defaultdict(float)
    for result in results:
        if result.uncounted is None:
            drawn = 0.0 if draws_scored or result.tally is None else result.tally[1]
            points[result.first] += result.points_first - drawn / 2
            points[result.second] += result.points_second - drawn / 2
            games[result.first] += result.games
            games[result.second] += result.games
    return points, games


def check_draws(log: ProblemLog, results: Iterable[Result]) -> None:
    """Check that the draws are known, where the totals count draws as nothing."""
    for result in results:
        if result.uncounted is None and result.tally is None:
            place = f"pairing {result.first} - {result.second}"
            message = "draws scored nothing in the totals, but their number is not given"
            hint = "write the score like `+7 -2 =2`, or the games"
            log.error(result.line, place, message, hint)


def counting(remarks: Remarks, draws_scored: bool) -> Count:
    """Return how games count in the totals of a crosstable's rows."""
    if draws_scored and not remarks.by_pair:
        return in_full

    def count(pair: Pair, number: int, mark: Mark) -> float:
        if not remarks.counts(pair, number):
            return 0.0
        return mark.points if draws_scored or mark.value != "=" else 0.0

    return count
