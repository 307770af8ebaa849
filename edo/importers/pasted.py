"""What pasted crosstables and lists of results have in common: names, scores, one event."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from edo.core.countries import NAMES
from edo.history.values import HYPHENS
from edo.importers.from_table import Tables
from edo.importers.table import EventRow, ResultRow, Status

MAX_TOTAL = 500  # [points] of a total; more is a rating or a year
_BRACKETS = re.compile(rf" *\(([A-Z]{{2,3}}|2?\d{{3}}|{'|'.join(NAMES.values())})\)")
BEFORE_NAME = re.compile(r"[=T]?\d{1,3}\.?(-\d{1,3})?[.):=]*|W?[GIFC]M")  # rank and title
BESIDE_NAME = re.compile(r"\d{1,4}([.,]\d+|½)?|[A-Z]{3}|[mwf]?[gmfc]|W?[GIFC]M|[-=.]+")
NAME_HEADS = frozenset(("name", "names", "player", "players", "spieler", "joueur", "jugador"))
HEADS = NAME_HEADS | {
    "pts", "points", "total", "score", "rank", "rating", "punkte", "country", "sum",
}  # fmt: skip
"""Words of a heading, of which those of `NAME_HEADS` stand above the names."""


class PrintedScore(NamedTuple):
    """Points of both [points], how the games were played, and the first one's colour."""

    points: float
    against: float
    status: str = "formal"
    colour: str = ""
    round: str = ""
    draws: int | None = None
    games: float | None = None


def result_row(
    event: EventRow, line: int, names: tuple[str, str], score: PrintedScore, rank: int = 0
) -> ResultRow:
    """Return a score, or a total where there is no second name, as a row of a table."""
    text = defaultdict(str, colour=score.colour, round=score.round)
    return ResultRow(line, event.key, *names, score.points, score.against, score.games, score.draws,
                     float(rank), "", Status(score.status), text)  # fmt: skip


def tables_of(
    path: Path, event: EventRow, rows: Sequence[ResultRow], warnings: Sequence[str], whole: bool
) -> Tables:
    """Return the rows as tables of one event; `whole` says that every pair has a result."""
    players = {name for row in rows for name in (row.player, row.opponent) if name}
    kind = event.kind or ("match" if len(players) == 2 else "tournament")
    complete = event.completeness or ("complete" if whole else "")
    about = replace(event, kind=kind, completeness=complete)
    return Tables(path, {event.key: rows}, {event.key: about}, (), {event.key: warnings})


def bare_name(text: str) -> str:
    """Return a name without rank, title, country and rating; `(2)` and `(Leeds)` are kept."""
    words = _BRACKETS.sub("", text.translate(HYPHENS)).split()
    while len(words) > 1 and (BEFORE_NAME.fullmatch(words[0]) or words[0] in NAMES):
        words.pop(0)
    while len(words) > 1 and BESIDE_NAME.fullmatch(words[-1]) and words[-2][-1] != ",":
        words.pop()
    return " ".join(words).strip("* ")
