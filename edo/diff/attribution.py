"""The pairings of two editions in; which events moved the ratings, each tried alone, out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from edo.core import formats
from edo.core.problems import EdoError
from edo.diff.snapshot import Edition
from edo.rating import edo
from edo.rating.pairings import Pairing

MOST = 20  # [events] tried one by one where nothing else is asked; a pass each, 0.15 s
SAME = 0.01  # [Elo] by which a site's ratings may differ from a pass over its own pairings

Ratings = Mapping[tuple[str, int], float]
"""Rating [Elo] by player and year."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What one event's change alone does to the old ratings.

    `shifts` [Elo] by player and year, of those rated with and without it; `of_all` their median;
    `came` and `left` are the players who get or lose their ratings by it.
    """

    event: str
    shifts: Ratings
    median_shift: float
    came: frozenset[str]
    left: frozenset[str]


@dataclass(frozen=True, slots=True)
class Attribution:
    """Which events have other pairings than before, and what each does.

    `effects` are of those that could be tried; `untried` says in words why others were not, None
    where all were. `by_program` [Elo] is how far the old edition's ratings lie from those that
    this program makes of its pairings, None where they are the same or nobody knows.
    """

    events: tuple[str, ...]
    effects: Mapping[str, Effect] = field(default_factory=dict)
    untried: str | None = None
    by_program: float | None = None


def attribute(
    old: Edition, new: Edition, edited: Collection[str] | None, most: int = MOST
) -> Attribution:
    """Rate the old pairings with each event's change alone, where no more than `most` changed.

    `edited` are the events of which editors changed something, None where that is not known.
    """
    if old.pairings is None or new.pairings is None:
        one = old.name if old.pairings is None else new.name
        return Attribution((), untried=f"{one} does not say what was rated")
    before, after = _sides(old, new, edited)
    events = tuple(sorted(e for e in before.keys() | after.keys() if before[e] != after[e]))
    if not events and not old.ratings:
        return Attribution(())
    try:
        start = _rate(before, {})
    except EdoError as error:
        words = f"the old results cannot be rated: {str(error).splitlines()[0]}"
        return Attribution(events, untried=words)
    program = _by_program(old, start)
    if len(events) > most:
        changed = formats.counted(len(events), "event")
        words = f"{changed} give other results to the ratings, and at most {most} are tried"
        return Attribution(events, untried=words, by_program=program)
    effects, failed = {}, []
    for event in events:
        try:
            effects[event] = _effect(event, start, _rate(before, {event: after[event]}))
        except EdoError:  # without the rest of the changes there may be no scale to stand on
            failed.append(event)
    words = f"nothing can be rated with one of these changes alone: {', '.join(failed)}"
    return Attribution(events, effects, words if failed else None, program)


def _sides(
    old: Edition, new: Edition, edited: Collection[str] | None
) -> tuple[dict[str, list[Pairing]], dict[str, list[Pairing]]]:
    """Return the pairings of both by event, alike where nobody edited anything."""
    if edited is None:
        return _by_event(old.rated_pairings()), _by_event(new.rated_pairings())
    return _common(_by_event(old.pairings or ()), _by_event(new.pairings or ()), edited)


def _by_event(pairings: Iterable[Pairing]) -> dict[str, list[Pairing]]:
    found: defaultdict[str, list[Pairing]] = defaultdict(list)
    for pairing in pairings:
        found[pairing.event].append(pairing)
    return found


def _common(
    before: dict[str, list[Pairing]],
    after: dict[str, list[Pairing]],
    edited: Collection[str],
) -> tuple[dict[str, list[Pairing]], dict[str, list[Pairing]]]:
    """Return both with the same pairings for every event that nobody edited.

    A site tells only of the pairings of players who could be rated. In an event as it was there
    are more or fewer of them as others come in or fall out elsewhere: either edition may know
    pairings that are the other's too. Where both have one and it is not the same, the worth of
    odds changed, and the event counts as changed like any other.
    """
    for event in (before.keys() | after.keys()) - set(edited):
        old, new = ({_key(p): p for p in side[event]} for side in (before, after))
        if all(old[key] == new[key] for key in old.keys() & new.keys()):
            before[event] = after[event] = list({**old, **new}.values())
    return before, after


def _key(pairing: Pairing) -> tuple[object, ...]:
    sides = ((side.player, side.odds) for side in (pairing.first, pairing.second))
    return pairing.year, pairing.basis, *sides


def _rate(
    before: Mapping[str, Sequence[Pairing]], changed: Mapping[str, Sequence[Pairing]]
) -> dict[tuple[str, int], float]:
    events = {**before, **changed}
    done = edo.run(pairing for event in sorted(events) for pairing in events[event])
    net = done.network
    players = np.repeat(np.array(net.players), np.diff(net.start)).tolist()
    return dict(
        zip(zip(players, net.year.tolist(), strict=True), done.rating.tolist(), strict=True)
    )


def _effect(event: str, start: Ratings, there: Ratings) -> Effect:
    shifts = {key: there[key] - start[key] for key in start.keys() & there.keys()}
    before, after = ({player for player, _ in ratings} for ratings in (start, there))
    median_shift = float(np.median(list(shifts.values()))) if shifts else 0.0
    return Effect(event, shifts, median_shift, frozenset(after - before), frozenset(before - after))


def _by_program(old: Edition, start: Ratings) -> float | None:
    """Return the largest difference [Elo] of the old ratings from a pass of this program."""
    shared = old.ratings.keys() & start.keys()
    largest = max((abs(old.ratings[key].rating - start[key]) for key in shared), default=0.0)
    same = largest < SAME and len(shared) == len(start) == len(old.ratings)
    return None if same else largest
