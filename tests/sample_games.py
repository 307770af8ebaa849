"""Sample games for tests of the rating systems."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from edo.core.scale import Floats
from edo.rating.games import EVEN, MID_YEAR, Games, Pairing, numbered
from edo.rating.games import Row as GamesRow
from edo.systems.base import Rated

Row = tuple[int, str, str, float, float] | tuple[int, str, str, float]
"""Year, first player, second player, points of the first, number of games (default 1)."""


def games_between(
    first: ArrayLike,
    second: ArrayLike,
    year: ArrayLike,
    score: ArrayLike,
    *,
    count: ArrayLike = 1.0,
    draws: ArrayLike | None = None,
    colour: ArrayLike = 0.0,
    odds: ArrayLike = 0.0,
    event: ArrayLike | None = None,
    players: Sequence[str] | None = None,
) -> Games:
    """Return games between numbered players, sorted by year, without months.

    A column may be a single value for all rows. By default a score with a half point holds one
    draw, the games of a year belong to one event, and the ids of players are p000, p001, ...
    """
    order = np.argsort(np.asarray(year), kind="stable")

    def column(values: ArrayLike, kind: type = float) -> np.ndarray:
        return np.broadcast_to(np.asarray(values, kind), order.shape)[order]

    one, other, when = (column(values, np.int64) for values in (first, second, year))
    part = when - when[0] if event is None else column(event, np.int64)
    points, games = column(score), column(count)
    drawn = np.where(points % 1 == 0.5, 1.0, 0.0) if draws is None else column(draws)
    worth = column(odds)
    sizes = np.unique(np.abs(worth[worth != 0]))
    pairs = np.stack([part, when, np.minimum(one, other), np.maximum(one, other)])
    return Games(
        players=tuple(players or (f"p{k:03}" for k in range(max(one.max(), other.max()) + 1))),
        events=tuple(f"event-{k}" for k in range(part.max() + 1)),
        odds_kinds=tuple(f"odds-{size:g}" for size in sizes.tolist()),
        first=one,
        second=other,
        year=when,
        month=12 * when + MID_YEAR - 1,
        event=part,
        pairing=np.unique(pairs, axis=1, return_inverse=True)[1].reshape(-1),
        wins=points - drawn / 2,
        draws=drawn,
        losses=games - points - drawn / 2,
        colour=column(colour),
        odds=worth,
        odds_kind=np.where(worth == 0, EVEN, np.searchsorted(sizes, np.abs(worth))),
        played=np.ones(len(order), np.bool_),
        basis=np.zeros(len(order), np.int64),
        soft=np.zeros(len(order)),
    )


def history(rows: Iterable[Row], **more: ArrayLike) -> Games:
    """Return the games of these rows; `more` are columns of `games_between`, in the same order."""
    full = [(*row, 1.0)[:5] for row in rows]
    year, one, other, score, count = zip(*full, strict=True)
    players = sorted({*one, *other})
    first, second = ([players.index(name) for name in side] for side in (one, other))
    return games_between(first, second, year, score, count=count, players=players, **more)


def one_event(rows: Iterable[tuple[str, str, float]], *, colours: bool = True) -> Games:
    """Return the games of one event in 1900; rows are White, Black, White's points."""
    return history([(1900, *row) for row in rows], colour=float(colours))


def network(seed: int, n: int = 6, m: int = 60, years: int = 8, *, has_draws: bool = True) -> Games:
    """Return m random games, each an event of its own; about a third are drawn if `has_draws`."""
    rng = np.random.default_rng(seed)
    first = rng.integers(0, n, m)
    second = (first + rng.integers(1, n, m)) % n
    year = 1900 + np.sort(rng.integers(0, years, m))
    score = rng.integers(0, 3, m) / 2 if has_draws else rng.integers(0, 2, m)
    return games_between(first, second, year, score, event=np.arange(m))


def random_history(seed: int, players: int = 12, events: int = 30) -> Games:
    """Return events in which random players play single games with random colours."""
    rng = np.random.default_rng(seed)
    event = np.repeat(np.arange(events), rng.integers(1, 9, events))
    first = rng.integers(0, players, len(event))
    second = (first + rng.integers(1, players, len(event))) % players
    score, colour = rng.integers(0, 3, len(event)) / 2, rng.integers(-1, 2, len(event))
    year = 1850 + 2 * (event // 3)
    return games_between(first, second, year, score, event=event, colour=colour)


def random_rows(seed: int, *, players: int = 25, years: int = 12, a_year: int = 60) -> list[Row]:
    """Return single games between players of different strength, some of whom miss years."""
    rng = np.random.default_rng(seed)
    strength = rng.normal(0.0, 1.0, players)
    rows: list[Row] = []
    for year in range(1850, 1850 + years):
        present = rng.choice(players, players * 2 // 3, replace=False)
        for _ in range(a_year):
            a, b = (int(k) for k in rng.choice(present, 2, replace=False))
            won = 1 / (1 + np.exp(strength[b] - strength[a]))
            score = float(rng.choice([1.0, 0.5, 0.0], p=[won * 0.7, 0.3, (1 - won) * 0.7]))
            rows.append((year, f"p{a:02}", f"p{b:02}", score))
    return rows


def without_event(games: Games, event_id: str) -> Games:
    """Return the games of all other events."""
    return games.where(games.event != games.events.index(event_id))


def games_of_pairings(pairings: Iterable[Pairing]) -> Games:
    """Return the games that pairings sum up, a row each."""
    return numbered(
        GamesRow(p.year, p.event, p.first, p.second, p.score, p.games, p.basis) for p in pairings
    )


def renamed(games: Games) -> Games:
    """Return the same games with the players numbered in reverse."""
    last = len(games.players) - 1
    return replace(
        games, players=games.players[::-1], first=last - games.first, second=last - games.second
    )


def swapped(games: Games) -> Games:
    """Return the same games with the two players swapped, and reversed within each event."""
    turned = replace(
        games, first=games.second, second=games.first, wins=games.losses, losses=games.wins,
        colour=-games.colour, odds=-games.odds,
    )  # fmt: skip
    order = np.concatenate([np.arange(p.stop - 1, p.start - 1, -1) for p in games.by_event()])
    return turned.where(order)


def by_name(
    games: Games, rated: Rated, values: Floats | None = None
) -> dict[tuple[str, int], float]:
    """Return the ratings, or other values, of player-years by player and year."""
    of, careers = rated.rating if values is None else values, rated.player_years
    names = [games.players[k] for k in careers.player]
    return dict(zip(zip(names, careers.year.tolist(), strict=True), of.tolist(), strict=True))
