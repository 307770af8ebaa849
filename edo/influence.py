"""The ratings without each event in; which events carry a rating, and which hold players, out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from edo.answers import Bridge, Influence
from edo.rating import Pass
from edo.without import Without

SMALLEST = 1.0  # [Elo]: what the pages print as nothing is not worth a row
MOST = 10  # events of one player-year: more than a reader looks through


def influences(done: Pass, without: Iterable[Without]) -> Mapping[str, tuple[Influence, ...]]:
    """Return by player what the events that matter most do to his ratings.

    By year; in each first the events without which he would have no rating there, then those that
    move it by `SMALLEST` or more, by size; `MOST` in all.
    """
    found: dict[int, list[Influence]] = {}
    players = _player_of_each_node(done)
    for one in without:
        shift = one.rating - done.rating
        rated = one.removal.rated
        for node in np.flatnonzero(~rated | (np.abs(shift) >= SMALLEST)).tolist():
            found.setdefault(node, []).append(
                Influence(
                    players[node],
                    int(done.network.year[node]),
                    one.removal.event,
                    float(shift[node]) if rated[node] else None,
                )
            )
    of_player: dict[str, list[Influence]] = {}
    for node in sorted(found):
        of_player.setdefault(players[node], []).extend(sorted(found[node], key=_weight)[:MOST])
    return {player: tuple(rows) for player, rows in of_player.items()}


def bridges(done: Pass, without: Iterable[Without]) -> tuple[Bridge, ...]:
    """Return the events without which players would have no rating, those of most players first."""
    found = [
        Bridge(one.removal.event, tuple(np.array(done.network.players)[one.removal.dropped]))
        for one in without
        if one.removal.dropped.any()
    ]
    return tuple(sorted(found, key=lambda bridge: (-len(bridge.players), bridge.event)))


def _player_of_each_node(done: Pass) -> list[str]:
    return [str(p) for p in np.repeat(np.array(done.network.players), np.diff(done.network.start))]


def _weight(influence: Influence) -> tuple[bool, float, str]:
    return influence.shift is not None, -abs(influence.shift or 0.0), influence.event
