"""The rated pairings of events: which games are rated, and with which score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from edo.core.model import Dataset, Event, OddsKind, Result
from edo.history.unplayed import unknown_games
from edo.rating.from_totals import Basis, Share, from_totals, guessed, part, solved


@dataclass(frozen=True, slots=True)
class Side:
    """A player in a pairing, and the odds that he gave (None: even play) with their worth [Elo]."""

    player: str
    odds: str | None = None
    odds_points: float | None = None


@dataclass(frozen=True, slots=True)
class Pairing:
    """All rated games between two sides in one event and year, from known results or from totals.

    `score` [points] is the first one's of `games`; from totals it may lie outside 0 to `games`.
    """

    year: int
    event: str
    first: Side
    second: Side
    score: float
    games: float
    basis: Basis = "results"


def all_pairings(dataset: Dataset) -> tuple[Pairing, ...]:
    """Return the rated pairings of all events, in the order of the dataset."""
    return tuple(
        pairing for event in dataset.events.values() for pairing in pairings_of(event, dataset.odds)
    )


def pairings_of(event: Event, odds: Mapping[str, OddsKind]) -> tuple[Pairing, ...]:
    """Return the rated pairings of the event, in order of appearance."""
    if event.unrated is not None:
        return ()
    return _from_results(event, odds) + _from_totals(event)


def _from_results(event: Event, odds: Mapping[str, OddsKind]) -> tuple[Pairing, ...]:
    sums: dict[tuple[int, Side, Side], tuple[float, float]] = {}
    for result in event.results:
        if unrated_reason(result, odds) is not None:
            continue
        year = event.year if result.year is None else result.year
        first, second = (side(p, result, odds) for p in (result.first, result.second))
        score, games = result.points_first, result.games
        if (year, second, first) in sums:
            first, second, score = second, first, result.points_second
        before = sums.get((year, first, second), (0.0, 0.0))
        sums[year, first, second] = before[0] + score, before[1] + games
    return tuple(
        Pairing(year, event.id, first, second, score, games)
        for (year, first, second), (score, games) in sums.items()
    )


def _shares(event: Event) -> Iterable[Share]:
    """Return the rated pairings that follow from the totals."""
    if is_totals_only(event) or event.players_in_all is not None:
        in_all = event.players_in_all or len(event.players)
        shares = from_totals(event.totals, event.games_per_pair or 0.0, in_all)
    elif event.rest == "from totals":
        shares = solved(unknown_games(event), event.path)
    elif event.rest == "best guess":
        shares = guessed(unknown_games(event), event.path)
    else:
        return ()
    if event.players_in_all is not None or event.classes:
        return part(shares, event.classes)
    return shares


def _from_totals(event: Event) -> tuple[Pairing, ...]:
    return tuple(
        Pairing(event.year, event.id, Side(s.first), Side(s.second), s.score, s.games, s.basis)
        for s in _shares(event)
    )


def unrated_reason(result: Result, odds: Mapping[str, OddsKind]) -> str | None:
    """Return why a single result is not rated, or None where it is rated."""
    if result.unrated is None and result.default is not None:
        return result.default
    return unrated_besides_default(result, odds)


def unrated_besides_default(result: Result, odds: Mapping[str, OddsKind]) -> str | None:
    """Return why a result is not rated, except that it was a default; None without a reason."""
    if result.unrated is not None:
        return result.unrated
    if result.odds is not None and odds[result.odds.kind].points is None:
        return odds[result.odds.kind].unrated or "games at these odds are not rated"
    return None


def left_out(event: Event, result: Result, odds: Mapping[str, OddsKind]) -> str | None:
    """Return why a result, or its whole event, is not rated; None where it is."""
    return event.unrated or unrated_reason(result, odds)


def is_totals_only(event: Event) -> bool:
    """Whether only the total scores of a complete all-play-all are known."""
    return (
        not event.results
        and event.games_per_pair is not None
        and event.completeness == "complete"
        and {total.player for total in event.totals} == set(event.players)
    )


def side(player: str, result: Result, odds: Mapping[str, OddsKind]) -> Side:
    """Return a player's side in a result, with the odds where he gave them."""
    if result.odds is None or result.odds.giver != player:
        return Side(player)
    return Side(player, result.odds.kind, odds[result.odds.kind].points)
