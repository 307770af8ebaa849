"""Attribution of rating changes to events, by rating the old results with one event changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from edo.core import formats
from edo.core.problems import EdoError
from edo.core.settings import DEFAULT, Settings
from edo.diff.snapshot import PlayerYear, Snapshot
from edo.rating import edo
from edo.rating.pairings import Pairing

MAX_EVENTS = 20  # [events] rated one by one by default; each takes a rating pass of 0.15 s
TOLERANCE = 0.01  # [Elo] allowed between a site's ratings and a pass over its own pairings

Ratings = Mapping[PlayerYear, float]
"""Ratings [Elo] by player and year."""
EventPairings = dict[str, list[Pairing]]


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

    `gap_reason` says why some or all effects are not known, None if all are. `program_difference`
    [Elo] is the largest difference between the old snapshot's ratings and those that this program
    computes from its pairings, None if they agree or cannot be compared.
    """

    events: tuple[str, ...]
    effects: Mapping[str, EventEffect] = field(default_factory=dict)
    gap_reason: str | None = None
    program_difference: float | None = None


def attribute(
    old: Snapshot,
    new: Snapshot,
    edited: Collection[str] | None,
    max_events: int = MAX_EVENTS,
    settings: Settings = DEFAULT,
) -> Attribution:
    """Rate the old pairings with each event's change alone, if at most `max_events` changed.

    `edited` are the events that editors changed, None if that is not known.
    """
    if old.pairings is None or new.pairings is None:
        name = old.name if old.pairings is None else new.name
        return Attribution((), gap_reason=f"{name} has no table of rated pairings")
    before, after = _pairings_by_event(old, new, edited)
    events = tuple(sorted(e for e in before.keys() | after.keys() if before[e] != after[e]))
    if not events and not old.ratings:
        return Attribution(())
    if settings.system != DEFAULT.system:
        reason = f"the effects of single changes are known for {DEFAULT.system_name} only"
        return Attribution(events, gap_reason=reason)
    try:
        start = _rate(before, settings)
    except EdoError as error:
        reason = f"the old results cannot be rated: {str(error).splitlines()[0]}"
        return Attribution(events, gap_reason=reason)
    difference = _program_difference(old, start)
    if len(events) > max_events:
        reason = (
            f"the rated results of {formats.counted(len(events), 'event')} changed, and at most "
            f"{max_events} are rated one by one"
        )
        return Attribution(events, gap_reason=reason, program_difference=difference)
    effects, failed = {}, []
    for event in events:
        try:
            effects[event] = _effect(event, start, _rate({**before, event: after[event]}, settings))
        except EdoError:  # without the other changes the scale may not be fixed
            failed.append(event)
    reason = f"nothing can be rated with only one of these changes: {', '.join(failed)}"
    return Attribution(events, effects, reason if failed else None, difference)


def _pairings_by_event(
    old: Snapshot, new: Snapshot, edited: Collection[str] | None
) -> tuple[EventPairings, EventPairings]:
    """Return the pairings of both snapshots by event, identical for events that nobody edited.

    A site lists only the pairings of rated players, so an unedited event may have more or fewer
    pairings as players become connected through other events; it gets the union of both lists.
    If the same pairing differs, the value of its odds changed, and the event counts as changed;
    so does an event with a player who is not on record in both.
    """
    if edited is None:
        return _by_event(old.rated_pairings()), _by_event(new.rated_pairings())
    before, after = _by_event(old.pairings or ()), _by_event(new.pairings or ())
    on_record = old.by_id("players").keys() & new.by_id("players").keys()
    for event in (before.keys() | after.keys()) - set(edited):
        first, second = ({_key(p): p for p in side[event]} for side in (before, after))
        pairings = (*first.values(), *second.values())
        if any({p.first.player, p.second.player} - on_record for p in pairings):
            continue
        if all(first[key] == second[key] for key in first.keys() & second.keys()):
            before[event] = after[event] = list({**first, **second}.values())
    return before, after


def _by_event(pairings: Iterable[Pairing]) -> EventPairings:
    found: defaultdict[str, list[Pairing]] = defaultdict(list)
    for pairing in pairings:
        found[pairing.event].append(pairing)
    return found


def _key(pairing: Pairing) -> tuple[object, ...]:
    sides = ((side.player, side.odds) for side in (pairing.first, pairing.second))
    return pairing.year, pairing.basis, *sides


def _rate(events: Mapping[str, Sequence[Pairing]], settings: Settings) -> dict[PlayerYear, float]:
    done = edo.run((one for event in sorted(events) for one in events[event]), settings)
    net = done.network
    players = np.repeat(np.array(net.players), np.diff(net.start)).tolist()
    return dict(
        zip(zip(players, net.year.tolist(), strict=True), done.rating.tolist(), strict=True)
    )


def _effect(event: str, start: Ratings, end: Ratings) -> EventEffect:
    shifts = {key: end[key] - start[key] for key in start.keys() & end.keys()}
    before, after = ({player for player, _ in ratings} for ratings in (start, end))
    median_shift = float(np.median(list(shifts.values()))) if shifts else 0.0
    return EventEffect(
        event, shifts, median_shift, frozenset(after - before), frozenset(before - after)
    )


def _program_difference(old: Snapshot, start: Ratings) -> float | None:
    shared = old.ratings.keys() & start.keys()
    largest = max((abs(old.ratings[key].rating - start[key]) for key in shared), default=0.0)
    same = largest < TOLERANCE and len(shared) == len(start) == len(old.ratings)
    return None if same else largest
