"""Events in, weighted pairings out: what of an event is rated, and with which score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from edo.records import Dataset, Event, OddsKind, Result, Total


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two of a pairing: a player and the odds that he gave (None: even play)."""

    player: str
    odds: str | None = None
    odds_points: float | None = None


@dataclass(frozen=True, slots=True)
class Pairing:
    """All rated games of two sides in one event; `score` [points] is the first one's of `games`."""

    year: int
    event: str
    first: Side
    second: Side
    score: float
    games: float


def all_pairings(dataset: Dataset) -> tuple[Pairing, ...]:
    """Return the weighted pairings of all events, in the order of the dataset."""
    return tuple(
        pairing for event in dataset.events.values() for pairing in pairings_of(event, dataset.odds)
    )


def pairings_of(event: Event, odds: Mapping[str, OddsKind]) -> tuple[Pairing, ...]:
    """Return what of the event is rated, a pairing for each two sides, in order of appearance."""
    if event.unrated is not None:
        return ()
    if is_totals_only(event):
        return _from_totals(event)
    sums: dict[tuple[Side, Side], tuple[float, float]] = {}
    for result in event.results:
        if unrated_reason(result, odds) is not None:
            continue
        first, second = (_side(p, result, odds) for p in (result.first, result.second))
        score, games = result.points_first, result.games
        if (second, first) in sums:
            first, second, score = second, first, result.points_second
        before = sums.get((first, second), (0.0, 0.0))
        sums[first, second] = before[0] + score, before[1] + games
    return tuple(
        Pairing(event.year, event.id, first, second, score, games)
        for (first, second), (score, games) in sums.items()
    )


def unrated_reason(result: Result, odds: Mapping[str, OddsKind]) -> str | None:
    """Return why a single result is not rated, or None where it is."""
    if result.unrated is not None:
        return result.unrated
    if result.default is not None:
        return result.default
    if result.odds is not None and odds[result.odds.kind].points is None:
        return odds[result.odds.kind].unrated or "games at these odds are not rated"
    return None


def is_totals_only(event: Event) -> bool:
    """Whether everybody's total in a complete all-play-all is all that is known of the event."""
    return (
        not event.results
        and event.games_per_pair is not None
        and event.completeness == "complete"
        and {total.player for total in event.totals} == set(event.players)
    )


def _side(player: str, result: Result, odds: Mapping[str, OddsKind]) -> Side:
    if result.odds is None or result.odds.giver != player:
        return Side(player)
    return Side(player, result.odds.kind, odds[result.odds.kind].points)


def _from_totals(event: Event) -> tuple[Pairing, ...]:
    """Return a table with the event's totals: `n/2 + (T_i - T_j)/P` in each group of equals.

    Any crosstable with these totals has the same maximum of the likelihood. Whoever is in a lower
    group scored nothing against a higher one: the totals say so, and the network must know it.
    """
    n = event.games_per_pair or 0.0
    groups = _groups(event.totals, n)
    pairings: list[Pairing] = []
    for place, group in enumerate(groups):
        below = n * sum(len(other) for other in groups[:place])
        for a, b in combinations(group, 2):
            score = n / 2 + ((a.points - below) - (b.points - below)) / len(group)
            pairings.append(_even(event, a, b, score, n))
        for lower in groups[:place]:
            pairings += [_even(event, a, b, n, n) for a in group for b in lower]
    return tuple(pairings)


def _even(event: Event, a: Total, b: Total, score: float, games: float) -> Pairing:
    return Pairing(event.year, event.id, Side(a.player), Side(b.player), score, games)


def _groups(totals: Iterable[Total], n: float) -> Sequence[Sequence[Total]]:
    """Split the players, weakest first, wherever the weakest k have points only from each other.

    Source: Landau's condition for the scores of a tournament.
    """
    groups: list[list[Total]] = [[]]
    points = 0.0
    for k, total in enumerate(sorted(totals, key=lambda t: (t.points, t.player)), start=1):
        groups[-1].append(total)
        points += total.points
        if abs(points - n * k * (k - 1) / 2) < 1e-9:
            groups.append([])
    return [group for group in groups if group]
