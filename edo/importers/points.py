"""Points of other games as points of chess: 2 a win and 1 a draw, or 3 and 1.

A crosstable of draughts with `2` and `1` looks like one of chess with two games a pair, in which
each game would count double. So where nothing tells the two apart, the editor has to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from edo.core.formats import counted
from edo.history.notation import number_text
from edo.history.reading import ProblemLog
from edo.importers.table import EventRow, ResultRow

LEAST = 3  # [pairs] whose scores look like those of single games before anybody is asked


def as_games(
    log: ProblemLog, event: EventRow, rows: Sequence[ResultRow], *, ask: bool
) -> list[ResultRow]:
    """Return the rows in points of chess; errors where the points cannot be those of games.

    `ask`: whether an error asks where the points may also be 2 or 3 for a win.
    """
    if event.win is None:
        if ask:
            _ask(log, rows)
        return list(rows)
    draw = event.draw if event.draw is not None else event.win / 2
    if event.win == 2 * draw:
        return [
            replace(row, points=row.points / event.win,
                    opponent_points=row.opponent_points / event.win)
            for row in rows
        ]  # fmt: skip
    return [_one_game(log, event, draw, row) for row in rows if row.opponent]


def without_totals(before: Sequence[ResultRow], after: Sequence[ResultRow]) -> list[str]:
    """Return a warning where totals were left out, because a win is worth more than two draws."""
    number = len(before) - len(after)
    text = f"left out, because they are no points of games: {counted(number, 'total')}"
    return [text] if number else []


def _one_game(log: ProblemLog, event: EventRow, draw: float, row: ResultRow) -> ResultRow:
    """Return the row of a game of which a win is worth more than two draws."""
    win = event.win or 1.0
    made = {(win, 0.0): 1.0, (0.0, win): 0.0, (draw, draw): 0.5}.get(
        (row.points, row.opponent_points)
    )
    if made is None:
        score = f"{number_text(row.points)}-{number_text(row.opponent_points)}"
        flaw = f"{score} is no game of {number_text(win)} points a win, {number_text(draw)} a draw"
        hint = "write each game, or a score with a point a game"
        log.error(row.line, f"{row.player} - {row.opponent}", flaw, hint)
        return row
    return replace(row, points=made, opponent_points=1 - made)


def _ask(log: ProblemLog, rows: Sequence[ResultRow]) -> None:
    """Ask what a win is worth where every score is one of single games by 2-1-0 or by 3-1-0."""
    scores = [
        (max(row.points, row.opponent_points), min(row.points, row.opponent_points))
        for row in rows
        if row.opponent and row.status.word == "formal" and row.draws is None
    ]
    for win in (2.0, 3.0):
        if len(scores) >= LEAST and {*scores} == {(win, 0.0), (1.0, 1.0)}:
            shown = f"{number_text(win)}-0 or 1-1"
            hint = (
                f"add `--win {number_text(win)} --draw 1` if these are the points of one game, "
                "`--win 1` if of several"
            )
            log.error(rows[0].line, "", f"every score is {shown}", hint)
