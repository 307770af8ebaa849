"""Influence of each event on the ratings, and events that alone connect players to the network."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isnan

import numpy as np

from edo.core.scale import Floats, Ints
from edo.rating.edo import RatedNetwork
from edo.rating.inference.answers import Bridge, Influence
from edo.rating.inference.leave_one_out import LeaveOneOut

MIN_SHIFT = 1.0  # [Elo]: smaller shifts round to nothing on the pages
DIGITS = 6  # decimals of a shift that are compared; the rest is rounding noise
AT_A_TIME = 200_000  # shifts in memory beyond those listed: with fewer they are sorted more often
MAX_EVENTS = 10  # events listed per player-year, as many as a reader looks through


@dataclass(frozen=True, slots=True, eq=False)
class Influences(Mapping[tuple[str, int], tuple[Influence, ...]]):
    """The influences by player and year, as arrays: as records they would take ten times as much.

    The columns, all (m,): `event`, an index of `events`; `shift` [Elo], NaN if unrated; `median`
    shift [Elo]. `rows` says where those of each player and year begin and end.
    """

    rows: Mapping[tuple[str, int], tuple[int, int]]
    events: tuple[str, ...]
    event: Ints
    shift: Floats
    median: Floats

    def __getitem__(self, player_year: tuple[str, int]) -> tuple[Influence, ...]:
        span = slice(*self.rows[player_year])
        columns = (self.event, self.shift, self.median)
        return tuple(
            Influence(*player_year, self.events[event], None if isnan(shift) else shift, median)
            for event, shift, median in zip(*(c[span].tolist() for c in columns), strict=True)
        )

    def __iter__(self) -> Iterator[tuple[str, int]]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)


def influences(fitted: RatedNetwork, without: Iterable[LeaveOneOut]) -> Influences:
    """Return by player and year the events that influence the rating most.

    The events without which there would be no rating are first, then those that move it by
    `MIN_SHIFT` or more beyond the median shift, by size. There are at most `MAX_EVENTS`.
    """
    events: list[str] = []
    rows, number = [_Shifts.none()], 0
    for without_event in without:
        rows.append(_shifts(fitted, without_event, len(events)))
        events.append(without_event.removal.event)
        number += len(rows[-1].node)
        if number > 2 * len(rows[0].node) + AT_A_TIME:  # what is not listed is not kept
            rows, number = [_most(rows, events)], 0
    most, net = _most(rows, events), fitted.network
    nodes, begin = np.unique(most.node, return_index=True)
    player = np.searchsorted(net.start, nodes, side="right") - 1
    rows_of = {
        (net.players[p], year): span
        for p, year, span in zip(
            player.tolist(),
            net.year[nodes].tolist(),
            pairwise([*begin.tolist(), len(most.node)]),
            strict=True,
        )
    }
    return Influences(rows_of, tuple(events), most.event, most.shift, most.median)


@dataclass(frozen=True, slots=True)
class _Shifts:
    """Player-years, numbers of events, shifts [Elo], NaN if unrated, median shifts, all (m,)."""

    node: Ints
    event: Ints
    shift: Floats
    median: Floats

    @staticmethod
    def none() -> _Shifts:
        return _Shifts(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0), np.empty(0))


def _shifts(fitted: RatedNetwork, without_event: LeaveOneOut, event: int) -> _Shifts:
    """Return the shifts of an event that may be listed."""
    rated = without_event.removal.rated
    shift = np.where(rated, without_event.rating - fitted.rating, np.nan)
    median = float(np.median(shift[rated])) if rated.any() else 0.0
    # negated, as a comparison with NaN is false: who is unrated without the event is listed
    node = np.flatnonzero(~(np.abs(shift - median) < MIN_SHIFT))
    count = len(node)
    return _Shifts(node, np.full(count, event), shift[node], np.full(count, median))


def _most(rows: Sequence[_Shifts], events: Sequence[str]) -> _Shifts:
    """Return the shifts that are listed, in order; equals are in order of the event's id."""
    columns = [np.concatenate([getattr(r, name) for r in rows]) for name in _Shifts.__slots__]
    node, event, shift, median = columns
    place = np.empty(len(events), np.int64)
    place[np.argsort(events)] = np.arange(len(events))
    size = np.where(np.isnan(shift), np.inf, np.abs(shift - median).round(DIGITS))
    order = np.lexsort((place[event], -size, node))
    within = np.arange(len(node)) - np.searchsorted(node[order], node[order])
    return _Shifts(*(column[order[within < MAX_EVENTS]] for column in columns))


def bridges(fitted: RatedNetwork, without: Iterable[LeaveOneOut]) -> tuple[Bridge, ...]:
    """Return the events without which players would have no rating, those of most players first."""
    players = fitted.network.players
    of_events = [
        Bridge(without_event.removal.event, tuple(players[k] for k in dropped.tolist()))
        for without_event in without
        if len(dropped := np.flatnonzero(without_event.removal.dropped))
    ]
    return tuple(sorted(of_events, key=most_players))


def most_players(bridge: Bridge) -> tuple[int, str]:
    """Return the sort key of bridges."""
    return -len(bridge.players), bridge.event
