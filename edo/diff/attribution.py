"""Attribution of rating changes to events, by rating the old results with one event changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from edo.core import formats
from edo.core.problems import EdoError
from edo.diff.edition import Edition
from edo.history.settings import DEFAULT, Settings
from edo.rating import edo
from edo.rating.games import Pairing, Row, numbered, pairings

MAX_EVENTS = 20  # [events] rated one by one by default; each takes a rating pass of 0.15 s

Ratings = Mapping[tuple[str, int], float]
"""Ratings [Elo] by player and year."""


@dataclass(frozen=True, slots=True)
class EventEffect:
    """The effect of one event's change on the old ratings, all other events being as before.

    `shifts` [Elo] are by player and year, for those rated with and without the change;
    `median_shift` is their median. `gained` and `lost` are the players who become rated or are
    no longer rated.
    """

    event: str
    shifts: Ratings
    median_shift: float
    gained: frozenset[str]
    lost: frozenset[str]


@dataclass(frozen=True, slots=True)
class Attribution:
    """The events whose pairings changed, and the effect of each.

    `gap_reason` says why some or all effects are not known, None if all are.
    """

    events: tuple[str, ...]
    effects: Mapping[str, EventEffect] = field(default_factory=dict)
    gap_reason: str | None = None


def attribute(
    old: Edition, new: Edition, max_events: int = MAX_EVENTS, settings: Settings = DEFAULT
) -> Attribution:
    """Rate the old pairings with each event's change alone, if at most `max_events` changed.

    A new value of odds is a change of all events at these odds.
    """
    before, after = _by_event(old.rows), _by_event(new.rows)
    differ = (e for e in before.keys() | after.keys() if _scores(before[e]) != _scores(after[e]))
    events = tuple(sorted(differ))
    if not events:
        return Attribution(())
    if settings.system != DEFAULT.system:
        reason = f"the effects of single changes are known for {DEFAULT.system_name} only"
        return Attribution(events, gap_reason=reason)
    try:
        start = _rate(before, settings)
    except EdoError as error:
        reason = f"the old results cannot be rated: {str(error).splitlines()[0]}"
        return Attribution(events, gap_reason=reason)
    if len(events) > max_events:
        reason = (
            f"the rated results of {formats.counted(len(events), 'event')} changed, and at most "
            f"{max_events} are rated one by one"
        )
        return Attribution(events, gap_reason=reason)
    effects, failed = {}, []
    for event in events:
        try:
            effects[event] = _effect(event, start, _rate({**before, event: after[event]}, settings))
        except EdoError:  # without the other changes the scale may not be fixed
            failed.append(event)
    reason = f"nothing can be rated with only one of these changes: {', '.join(failed)}"
    return Attribution(events, effects, reason if failed else None)


def _by_event(rows: Iterable[Row]) -> defaultdict[str, list[Row]]:
    by_event: defaultdict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_event[row.event].append(row)
    return by_event


def _scores(rows: Sequence[Row]) -> tuple[Pairing, ...]:
    """Return what the ratings know of some games: scores, not colours or draws."""
    return pairings(numbered(rows)) if rows else ()


def _rate(events: Mapping[str, Sequence[Row]], settings: Settings) -> Ratings:
    fitted = edo.run(numbered(row for event in sorted(events) for row in events[event]), settings)
    player_years = zip(fitted.network.player_ids(), fitted.network.year.tolist(), strict=True)
    return dict(zip(player_years, fitted.rating.tolist(), strict=True))


def _effect(event: str, start: Ratings, end: Ratings) -> EventEffect:
    shifts = {key: end[key] - start[key] for key in start.keys() & end.keys()}
    before, after = ({player for player, _ in ratings} for ratings in (start, end))
    median_shift = float(np.median(list(shifts.values()))) if shifts else 0.0
    return EventEffect(
        event, shifts, median_shift, frozenset(after - before), frozenset(before - after)
    )
