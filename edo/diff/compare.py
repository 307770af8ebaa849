"""Comparison of two editions: edits, rating changes with their causes, ranks and number ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from edo.diff import attribution, edits
from edo.diff.attribution import Attribution
from edo.diff.edition import Edition, differences, new_ids, with_new_ids
from edo.diff.edits import Edit
from edo.history.settings import DEFAULT, Settings
from edo.rating.edo import PlayerYear
from edo.rating.inference import influence

TOP = 10  # ranks listed before all others
LARGE = 10.0  # [Elo] changes of this size are counted separately
NEGLIGIBLE = 0.0005  # [Elo] too little to be an effect


@dataclass(frozen=True, slots=True)
class Cause:
    """An event that changes a rating; `effect` [Elo] is that of its change alone."""

    event: str
    effect: float


@dataclass(frozen=True, slots=True)
class RatingChange:
    """A player's rating in a year, before and after.

    `net` [Elo] is the change relative to the median change of all ratings. `causes` are the
    events, the largest effect first. `together` [Elo] is the change less the sum of these effects,
    None if the effects are not all known.
    """

    player: str
    year: int
    old: PlayerYear
    new: PlayerYear
    net: float
    causes: tuple[Cause, ...] = ()
    together: float | None = None

    @property
    def change(self) -> float:
        """The new rating less the old one [Elo]."""
        return self.new.rating - self.old.rating


@dataclass(frozen=True, slots=True)
class RankChange:
    """A player's rank in a year's list, before and after; None where not in the list."""

    year: int
    player: str
    old: int | None
    new: int | None

    @property
    def best(self) -> int:
        """The better of the two ranks."""
        return min(rank for rank in (self.old, self.new) if rank is not None)


@dataclass(frozen=True, slots=True)
class CareerChange:
    """A player whose first or last rated year changed; None where not rated at all.

    `reason` says why a player is no longer rated, if known; `events` are those whose change alone
    makes the player rated or unrated.
    """

    player: str
    old: tuple[int, int] | None
    new: tuple[int, int] | None
    reason: str | None = None
    events: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NumberOneChange:
    """The first of a year's list, before and after; None if the year has no list."""

    year: int
    old: str | None
    new: str | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """All differences between two editions named `old` and `new`.

    `median_shift` [Elo] is the median change of the `shared` ratings, those in both editions.
    `ratings` are the changes of 1 point or more relative to it, the largest first; `large` counts
    those of 10 points or more. `ranks` has the top ranks first.
    """

    old: str
    new: str
    edits: tuple[Edit, ...]
    attribution: Attribution
    median_shift: float
    shared: int
    large: int
    ratings: tuple[RatingChange, ...]
    ranks: tuple[RankChange, ...]
    careers: tuple[CareerChange, ...]
    number_ones: tuple[NumberOneChange, ...]
    player_names: Mapping[str, str]
    event_names: Mapping[str, str]

    @property
    def is_empty(self) -> bool:
        """Whether there are no differences at all."""
        lists = (self.edits, self.ratings, self.ranks, self.careers, self.number_ones)
        return not (any(lists) or self.attribution.events or abs(self.median_shift) >= NEGLIGIBLE)

    def player(self, player: str) -> str:
        """Return the player's name, or the id if there is none."""
        return self.player_names.get(player, player)

    def event(self, event: str) -> str:
        """Return the event's name, or the id if there is none."""
        return self.event_names.get(event, event)


def compare(
    old: Edition,
    new: Edition,
    max_events: int = attribution.MAX_EVENTS,
    settings: Settings = DEFAULT,
) -> Comparison:
    """Compare two editions; up to `max_events` changed events are rated one by one."""
    ids = new_ids(old, new)
    edited = edits.edits(old, new, ids)
    old = with_new_ids(old, ids)
    by_event = attribution.attribute(old, new, max_events, settings)
    shared = sorted(old.ratings.keys() & new.ratings.keys())
    changes = {key: new.ratings[key].rating - old.ratings[key].rating for key in shared}
    median_shift = float(np.median(list(changes.values()))) if changes else 0.0
    ratings = sorted(
        _rating_changes(old, new, changes, median_shift, by_event),
        key=lambda change: (-abs(change.net), change.player, change.year),
    )
    return Comparison(
        old=old.name,
        new=new.name,
        edits=edited,
        attribution=by_event,
        median_shift=median_shift,
        shared=len(changes),
        large=sum(abs(change.net) >= LARGE for change in ratings),
        ratings=tuple(ratings),
        ranks=tuple(sorted(_rank_changes(old, new), key=_top_first)),
        careers=tuple(_career_changes(old, new, by_event)),
        number_ones=tuple(
            NumberOneChange(*change) for change in differences(*map(_number_ones, (old, new)))
        ),
        player_names=_names("players", old, new),
        event_names=_names("events", old, new),
    )


def _names(kind: str, *editions: Edition) -> dict[str, str]:
    """Return the names of the records of a kind by id, where they differ those of the last."""
    records = [entry for edition in editions for entry in edition.records(kind).items()]
    return {id_: edits.name_of(record, id_) for id_, record in records}


def _rating_changes(
    old: Edition,
    new: Edition,
    changes: Mapping[tuple[str, int], float],
    median_shift: float,
    by_event: Attribution,
) -> Iterator[RatingChange]:
    for key, change in changes.items():
        net = change - median_shift
        if abs(net) < influence.MIN_SHIFT:
            continue
        causes = sorted(
            (Cause(e.event, e.shifts[key]) for e in by_event.effects.values() if key in e.shifts),
            key=lambda cause: (-abs(cause.effect), cause.event),
        )
        all_known = len(causes) == len(by_event.events) and by_event.gap_reason is None
        together = change - sum(cause.effect for cause in causes) if all_known else None
        noticeable = tuple(cause for cause in causes if abs(cause.effect) >= NEGLIGIBLE)
        yield RatingChange(*key, old.ratings[key], new.ratings[key], net, noticeable, together)


def _rank_changes(old: Edition, new: Edition) -> Iterator[RankChange]:
    before, after = (
        {key: rating.rank for key, rating in side.ratings.items()} for side in (old, new)
    )
    for (player, year), was, now in differences(before, after):
        yield RankChange(year, player, was, now)


def _top_first(change: RankChange) -> tuple[bool, int, bool, int, str]:
    """Return the sort key of a change: by new rank within a year, unrated players at the end."""
    rank = change.new or change.old or 0
    return change.best > TOP, change.year, change.new is None, rank, change.player


def _career_changes(old: Edition, new: Edition, by_event: Attribution) -> Iterator[CareerChange]:
    for player, was, now in differences(_spans(old), _spans(new)):
        events = tuple(
            effect.event
            for effect in by_event.effects.values()
            if (was is None and player in effect.gained) or (now is None and player in effect.lost)
        )
        yield CareerChange(player, was, now, new.unrated.get(player), events)


def _spans(edition: Edition) -> dict[str, tuple[int, int]]:
    spans: dict[str, tuple[int, int]] = {}
    for player, year in edition.ratings:
        first, last = spans.get(player, (year, year))
        spans[player] = min(first, year), max(last, year)
    return spans


def _number_ones(edition: Edition) -> dict[int, str]:
    return {year: player for (player, year), rating in edition.ratings.items() if rating.rank == 1}
