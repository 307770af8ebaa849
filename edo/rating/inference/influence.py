"""The ratings without each event in; which events carry a rating, and which hold players, out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from edo.core.scale import Floats
from edo.rating.edo import Pass
from edo.rating.inference.answers import Bridge, Influence
from edo.rating.inference.leave_one_out import Without

Ints = NDArray[np.int64]

SMALLEST = 1.0  # [Elo]: what the pages print as nothing is not worth a row
DIGITS = 6  # beyond which equals differ by noise of the machine
MOST = 10  # events of one player-year: more than a reader looks through


def influences(done: Pass, without: Iterable[Without]) -> Mapping[str, tuple[Influence, ...]]:
    """Return by player what the events that matter most do to his ratings.

    By year; in each first the events without which he would have no rating there, then those that
    move it by `SMALLEST` or more beyond what they do to all ratings, by size; `MOST` in all.
    """
    events, nodes, shifts, median_shift = _shifts(done, without)
    size = np.where(np.isnan(shifts), np.inf, np.abs(shifts - median_shift).round(DIGITS))
    order = np.lexsort((-size, nodes))  # of equals the events stay in order of id
    place = np.arange(len(nodes)) - np.searchsorted(nodes[order], nodes[order])
    found: dict[str, list[Influence]] = {}
    players = np.repeat(np.array(done.network.players), np.diff(done.network.start))
    kept = order[place < MOST]
    rows = (
        players[nodes[kept]],
        done.network.year[nodes[kept]],
        kept,
        shifts[kept],
        median_shift[kept],
    )
    for player, year, k, shift, common in zip(*(column.tolist() for column in rows), strict=True):
        own = None if math.isnan(shift) else shift
        found.setdefault(player, []).append(Influence(player, year, events[k], own, common))
    return {player: tuple(rows) for player, rows in found.items()}


def _shifts(done: Pass, without: Iterable[Without]) -> tuple[list[str], Ints, Floats, Floats]:
    """Return the event, the player-year, its shift, NaN for none, and that of all [Elo]."""
    events: list[str] = []
    nodes, shifts, median_shift = [np.empty(0, np.int64)], [np.empty(0)], [np.empty(0)]
    for one in without:
        shift = np.where(one.removal.rated, one.rating - done.rating, np.nan)
        common = float(np.median(shift[one.removal.rated])) if one.removal.rated.any() else 0.0
        nodes.append(np.flatnonzero(~(np.abs(shift - common) < SMALLEST)))
        shifts.append(shift[nodes[-1]])
        median_shift.append(np.full(len(nodes[-1]), common))
        events += [one.removal.event] * len(nodes[-1])
    return events, np.concatenate(nodes), np.concatenate(shifts), np.concatenate(median_shift)


def bridges(done: Pass, without: Iterable[Without]) -> tuple[Bridge, ...]:
    """Return the events without which players would have no rating, those of most players first."""
    found = [
        Bridge(one.removal.event, tuple(np.array(done.network.players)[one.removal.dropped]))
        for one in without
        if one.removal.dropped.any()
    ]
    return tuple(sorted(found, key=lambda bridge: (-len(bridge.players), bridge.event)))
