"""Invented histories for the tests of systems that rate event after event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from edo.systems.games import Games

Row = tuple[str, str, float, float]  # the first, the second, the first's points, games
Event = tuple[int, Sequence[Row]]


def history(events: Sequence[Event], colour: float = 0.0) -> Games:
    """Return the events in this order; points that are no whole number hold one draw."""
    rows = [(number, year, *row) for number, (year, part) in enumerate(events) for row in part]
    event, year, one, other, score, count = zip(*rows, strict=True)
    players = tuple(sorted({*one, *other}))
    points = np.array(score, np.float64)
    draws = np.where(points % 1 == 0.5, 1.0, 0.0)
    pairs = [(e, *sorted((a, b))) for e, a, b in zip(event, one, other, strict=True)]
    numbers = {pair: k for k, pair in enumerate(dict.fromkeys(pairs))}
    return Games(
        players=players,
        events=tuple(f"event-{number}" for number in range(len(events))),
        first=np.array([players.index(name) for name in one]),
        second=np.array([players.index(name) for name in other]),
        year=np.array(year),
        month=12 * np.array(year) + 6,
        event=np.array(event),
        pairing=np.array([numbers[pair] for pair in pairs]),
        wins=points - draws / 2,
        draws=draws,
        losses=np.array(count, np.float64) - points - draws / 2,
        colour=np.full(len(rows), colour),
        odds=np.zeros(len(rows)),
        played=np.ones(len(rows), np.bool_),
    )


def random_history(seed: int, players: int = 12, events: int = 30) -> Games:
    """Return years of events in which random players play single games with random colours."""
    rng = np.random.default_rng(seed)
    names = [f"p{k:02}" for k in range(players)]
    made = []
    for number in range(events):
        rows = []
        for _ in range(int(rng.integers(1, 9))):
            a, b = rng.choice(players, 2, replace=False)
            rows.append((names[a], names[b], float(rng.integers(0, 3)) / 2, 1.0))
        made.append((1850 + 2 * (number // 3), rows))
    games = history(made)
    return replace(games, colour=rng.integers(-1, 2, len(games.first)).astype(np.float64))


def renamed(games: Games) -> Games:
    """Return the same games with the players numbered from the other end."""
    last = len(games.players) - 1
    return replace(
        games, players=games.players[::-1], first=last - games.first, second=last - games.second
    )


def swapped(games: Games) -> Games:
    """Return the same games told from the other side, in the other order within each event."""
    turned = replace(
        games, first=games.second, second=games.first, wins=games.losses, losses=games.wins,
        colour=-games.colour,
    )  # fmt: skip
    order = np.concatenate([np.arange(p.stop - 1, p.start - 1, -1) for p in games.by_event()])
    return turned.where(order)


def by_name(games: Games, player: np.ndarray, values: np.ndarray) -> dict[str, list[float]]:
    """Return each player's values, year by year."""
    return {name: values[player == number].tolist() for number, name in enumerate(games.players)}
