"""Two editions, both rated, in; what moved from the one to the other, and by which event, out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from edo.diff import attribution, edits
from edo.diff.attribution import Attribution
from edo.diff.edits import Edit, knows_results
from edo.diff.snapshot import Edition, Rating, with_new_ids
from edo.rating.inference import influence

LEADING = 10  # ranks that are told first
LARGE = 10.0  # [Elo] moves of this size are counted apart
NOTHING = 0.0005  # [Elo] data files keep three decimals


@dataclass(frozen=True, slots=True)
class Cause:
    """An event that moves a rating: `effect` [Elo] of its change alone."""

    event: str
    effect: float


@dataclass(frozen=True, slots=True)
class Move:
    """A player's rating of a year, before and after.

    `own` [Elo] is the change less what all ratings have in common. `causes` are the events, the
    largest first; `together` [Elo] is what is left of the change when each effect is taken off,
    None where the effects are not known.
    """

    player: str
    year: int
    old: Rating
    new: Rating
    own: float
    causes: tuple[Cause, ...] = ()
    together: float | None = None

    @property
    def change(self) -> float:
        """Return the new rating less the old one [Elo]."""
        return self.new.rating - self.old.rating


@dataclass(frozen=True, slots=True)
class RankChange:
    """A player's rank in a year's list; None in the list in which he is not."""

    year: int
    player: str
    old: int | None
    new: int | None

    @property
    def best(self) -> int:
        """Return the better of the two ranks."""
        return min(rank for rank in (self.old, self.new) if rank is not None)


@dataclass(frozen=True, slots=True)
class Career:
    """A player whose first or last rated year changed, or who came in or fell out altogether.

    `reason` says why somebody who fell out has no rating, where the edition does; `events` are
    those that bring him in or take him out alone.
    """

    player: str
    old: tuple[int, int] | None
    new: tuple[int, int] | None
    reason: str | None = None
    events: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NumberOne:
    """The first of a year's list, before and after; None where there is no list."""

    year: int
    old: str | None
    new: str | None


@dataclass(frozen=True, slots=True)
class Movement:
    """All that is different between two editions named `old` and `new`.

    `of_all` [Elo] is the median of all changes of ratings that both have, `shared` their number;
    `moved` and `far` count those that moved by 1 or 10 points beyond it. `moves` are the former,
    the largest first; `ranks` the leading places first. `players` and `events` are names by id.
    """

    old: str
    new: str
    edits: tuple[Edit, ...]
    attribution: Attribution
    median_shift: float
    shared: int
    far: int
    moves: tuple[Move, ...]
    ranks: tuple[RankChange, ...]
    careers: tuple[Career, ...]
    number_ones: tuple[NumberOne, ...]
    players: Mapping[str, str]
    events: Mapping[str, str]

    @property
    def moved(self) -> int:
        """Return how many ratings moved by 1 point or more beyond what all have in common."""
        return len(self.moves)

    @property
    def is_still(self) -> bool:
        """Whether nothing at all is different."""
        rest = (self.edits, self.attribution.events, self.moves, self.careers, self.number_ones)
        return not any(rest) and not self.ranks and abs(self.median_shift) < NOTHING


def compare(old: Edition, new: Edition, most: int = attribution.MOST) -> Movement:
    """Hold two editions to each other; up to `most` changed events are tried one by one."""
    original, old = old, with_new_ids(old, new)
    edited = edits.edits(old, new, original)
    known = {e.id for e in edited if e.kind == "events"} if knows_results(old, new) else None
    by_event = attribution.attribute(old, new, known, most)
    changes = {key: new.ratings[key].rating - old.ratings[key].rating for key in _shared(old, new)}
    median_shift = float(np.median(list(changes.values()))) if changes else 0.0
    moves = sorted(
        _moves(old, new, changes, median_shift, by_event),
        key=lambda move: (-abs(move.own), move.player, move.year),
    )
    return Movement(
        old=original.name,
        new=new.name,
        edits=edited,
        attribution=by_event,
        median_shift=median_shift,
        shared=len(changes),
        far=sum(abs(move.own) >= LARGE for move in moves),
        moves=tuple(moves),
        ranks=tuple(sorted(_ranks(old, new), key=_leading_first)),
        careers=tuple(_careers(old, new, by_event)),
        number_ones=tuple(_number_ones(old, new)),
        players={**edits.names(old, "players"), **edits.names(new, "players")},
        events={**edits.names(old, "events"), **edits.names(new, "events")},
    )


def _shared(old: Edition, new: Edition) -> Iterable[tuple[str, int]]:
    return sorted(old.ratings.keys() & new.ratings.keys())


def _moves(
    old: Edition,
    new: Edition,
    changes: Mapping[tuple[str, int], float],
    median_shift: float,
    by_event: Attribution,
) -> Iterator[Move]:
    for key, change in changes.items():
        if abs(change - median_shift) < influence.SMALLEST:
            continue
        causes = sorted(
            (Cause(e.event, e.shifts[key]) for e in by_event.effects.values() if key in e.shifts),
            key=lambda cause: (-abs(cause.effect), cause.event),
        )
        known = len(causes) == len(by_event.events) and by_event.untried is None
        together = change - sum(cause.effect for cause in causes) if known else None
        felt = tuple(cause for cause in causes if abs(cause.effect) >= NOTHING)
        yield Move(*key, old.ratings[key], new.ratings[key], change - median_shift, felt, together)


def _ranks(old: Edition, new: Edition) -> Iterator[RankChange]:
    for player, year in old.ratings.keys() | new.ratings.keys():
        was, now = (one.ratings.get((player, year)) for one in (old, new))
        before, after = (None if one is None else one.rank for one in (was, now))
        if before != after:
            yield RankChange(year, player, before, after)


def _leading_first(change: RankChange) -> tuple[bool, int, bool, int, str]:
    """Return by what changes are sorted: in a year by the new rank, who has none at the end."""
    is_out = change.new is None
    rank = change.new or change.old or 0
    return change.best > LEADING, change.year, is_out, rank, change.player


def _careers(old: Edition, new: Edition, by_event: Attribution) -> Iterator[Career]:
    before, after = _spans(old), _spans(new)
    reasons = {id_: row.get("unrated_reason") for id_, row in new.by_id("players").items()}
    for player in sorted(before.keys() | after.keys()):
        was, now = before.get(player), after.get(player)
        if was == now:
            continue
        events = tuple(
            effect.event
            for effect in by_event.effects.values()
            if (was is None and player in effect.came) or (now is None and player in effect.left)
        )
        yield Career(player, was, now, reasons.get(player) or None, events)


def _spans(edition: Edition) -> dict[str, tuple[int, int]]:
    spans: dict[str, tuple[int, int]] = {}
    for player, year in edition.ratings:
        first, last = spans.get(player, (year, year))
        spans[player] = min(first, year), max(last, year)
    return spans


def _number_ones(old: Edition, new: Edition) -> Iterator[NumberOne]:
    before, after = _firsts(old), _firsts(new)
    for year in sorted(before.keys() | after.keys()):
        if before.get(year) != after.get(year):
            yield NumberOne(year, before.get(year), after.get(year))


def _firsts(edition: Edition) -> dict[int, str]:
    return {year: player for (player, year), one in edition.ratings.items() if one.rank == 1}
