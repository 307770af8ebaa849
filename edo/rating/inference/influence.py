"""Influence of each event on the ratings, and events that alone connect players to the network."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import numpy as np

from edo.core.scale import Floats, Ints
from edo.rating.edo import FittedNetwork
from edo.rating.inference.answers import Bridge, Influence
from edo.rating.inference.leave_one_out import LeaveOneOut

MIN_SHIFT = 1.0  # [Elo]: smaller shifts round to nothing on the pages
DIGITS = 6  # decimals of a shift that are compared; the rest is rounding noise
MAX_EVENTS = 10  # events listed per player-year, as many as a reader looks through


def influences(
    fitted: FittedNetwork, without: Iterable[LeaveOneOut]
) -> Mapping[str, tuple[Influence, ...]]:
    """Return by player the events that influence his ratings most.

    They are sorted by year. Within a year, the events without which he would have no rating are
    first, then those that move it by `MIN_SHIFT` or more beyond the median shift, by size. There
    are at most `MAX_EVENTS`.
    """
    events, nodes, shifts, median_shifts = _shifts(fitted, without)
    size = np.where(np.isnan(shifts), np.inf, np.abs(shifts - median_shifts).round(DIGITS))
    order = np.lexsort((-size, nodes))  # equals stay in order of the event's id
    place = np.arange(len(nodes)) - np.searchsorted(nodes[order], nodes[order])
    players, found = fitted.network.player_ids(), dict[str, list[Influence]]()
    for k in order[place < MAX_EVENTS].tolist():
        player, year = players[nodes[k]], int(fitted.network.year[nodes[k]])
        shift = None if math.isnan(shifts[k]) else float(shifts[k])
        one = Influence(player, year, events[k], shift, float(median_shifts[k]))
        found.setdefault(player, []).append(one)
    return {player: tuple(rows) for player, rows in found.items()}


def _shifts(
    fitted: FittedNetwork, without: Iterable[LeaveOneOut]
) -> tuple[list[str], Ints, Floats, Floats]:
    """Return event, player-year, its shift [Elo], NaN if unrated, and the median shift [Elo]."""
    events: list[str] = []
    nodes, shifts, median_shifts = [np.empty(0, np.int64)], [np.empty(0)], [np.empty(0)]
    for one in without:
        shift = np.where(one.removal.rated, one.rating - fitted.rating, np.nan)
        median = float(np.median(shift[one.removal.rated])) if one.removal.rated.any() else 0.0
        nodes.append(np.flatnonzero(~(np.abs(shift - median) < MIN_SHIFT)))
        shifts.append(shift[nodes[-1]])
        median_shifts.append(np.full(len(nodes[-1]), median))
        events += [one.removal.event] * len(nodes[-1])
    return events, np.concatenate(nodes), np.concatenate(shifts), np.concatenate(median_shifts)


def bridges(fitted: FittedNetwork, without: Iterable[LeaveOneOut]) -> tuple[Bridge, ...]:
    """Return the events without which players would have no rating, those of most players first."""
    found = [
        Bridge(one.removal.event, tuple(np.array(fitted.network.players)[one.removal.dropped]))
        for one in without
        if one.removal.dropped.any()
    ]
    return tuple(sorted(found, key=lambda bridge: (-len(bridge.players), bridge.event)))
