"""The table of scores on the page of an event: known points, totals, and what differs in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup

from edo.core.model import Citation, Event, Total
from edo.history.unknown_games import by_default
from edo.rating.meetings import Meetings
from edo.rating.standings import Standing
from edo.site import markup, urls


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A player's line in a table of an event.

    The totals of the event give the player the `deduced` points [points] where no results are
    known, and those `by_default` for games against somebody who withdrew. `note` is the number of
    the note on his published `total`.
    """

    standing: Standing
    deduced: float | None
    by_default: float | None
    total: Total | None
    note: int | None

    @property
    def score(self) -> float | None:
        """Return the score [points]: the published total, or else what is known of it."""
        if self.total is not None:
            return self.total.points
        return self.standing.counted if self.standing.games else None


@dataclass(frozen=True, slots=True)
class TotalNote:
    """Why published totals differ from the results; a reason given for several stands once."""

    players: tuple[str, ...]
    text: Markup
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """The rows of an event's players, and the notes on published totals.

    `columns` are those in which some row has something to show: classes, points, uncounted,
    totals or guess (which head the deduced points), by_default, published, rated and expected.
    """

    rows: tuple[ScoreRow, ...]
    columns: frozenset[str]
    notes: tuple[TotalNote, ...]

    @property
    def is_plain(self) -> bool:
        """Whether the points are those of the results, and all of them rated."""
        return self.columns <= {"points", "expected"}


def score_table(event: Event, standings: Mapping[str, Standing], met: Meetings) -> ScoreTable:
    """Return the rows of all players in the event's order; `met` are its meetings."""
    totals = {total.player: total for total in event.totals}
    notes, numbers = _notes(event)
    solved = {
        player: [meeting.deduced for meeting in by_opponent.values() if meeting.deduced is not None]
        for player, by_opponent in met.items()
    }
    forfeited = by_default(event)
    rows = tuple(
        ScoreRow(
            standing,
            # Sums of shares are exact but for their last digits.
            round(sum(part.points for part in solved[player]), 9) if solved.get(player) else None,
            round(forfeited[player], 9) if forfeited.get(player) else None,
            totals.get(player),
            numbers.get(player),
        )
        for player, standing in standings.items()
    )
    is_rated = any(row.standing.rated_games for row in rows)
    columns: dict[str, bool] = {
        "classes": bool(event.classes),
        "points": any(row.standing.games for row in rows),
        "uncounted": any(row.standing.uncounted for row in rows),
        "by_default": bool(forfeited),
        "published": any(row.total and _differs(row.standing, row.total) for row in rows),
        "rated": is_rated and any(row.standing.is_rated_differently for row in rows),
        "expected": is_rated,
        **{part.kind: True for parts in solved.values() for part in parts},
    }
    return ScoreTable(rows, frozenset(name for name, shown in columns.items() if shown), notes)


def _differs(standing: Standing, total: Total) -> bool:
    return total.note is not None or abs(standing.counted - total.points) > 1e-9


def _notes(event: Event) -> tuple[tuple[TotalNote, ...], Mapping[str, int]]:
    """Return the notes on published totals, and the number of the note on each player's."""
    shared: dict[tuple[str, tuple[Citation, ...]], list[str]] = {}
    for total in event.totals:
        if total.note is not None:
            shared.setdefault((total.note, total.sources), []).append(total.player)
    notes = tuple(
        TotalNote(
            tuple(players),
            markup.inline(text, urls.event(event.id)),
            sources,
        )
        for (text, sources), players in shared.items()
    )
    return notes, {p: n for n, players in enumerate(shared.values(), start=1) for p in players}
