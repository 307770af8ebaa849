"""Standings of an event: what its players scored, what was expected of them, their performances."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from edo.core.model import Dataset, Event, Result
from edo.core.scale import expected_score
from edo.history.unknown_games import is_totals_only
from edo.rating.edo import Ratings
from edo.rating.games import Pairing, Side, pairings_of
from edo.rating.performance import performance, performance_deviation


@dataclass(frozen=True, slots=True)
class Standing:
    """One player's numbers in an event, or in a part of one.

    `points` [points] of `games` are all that is known, games by default and unrated ones included;
    of a table of which only totals are known, they are the totals. `uncounted` [points] of these
    stand outside the event's own totals. `rated_points` of
    `rated_games` entered the fit; `expected` [points] belongs to these, as does `opposition`, the
    mean rating [Elo] of the opponents. `performance` [Elo] is None where nothing was rated or the
    score was 0 % or 100 %; of all points, `floor` is the performance of half a point less.
    `deviation` [Elo] is the standard error of either.
    """

    player: str
    points: float
    games: float
    uncounted: float = 0.0
    rated_points: float = 0.0
    rated_games: float = 0.0
    expected: float | None = None
    performance: float | None = None
    floor: float | None = None
    deviation: float | None = None
    opposition: float | None = None

    @property
    def least(self) -> float | None:
        """Return the performance [Elo], or its floor, less its standard error."""
        found = self.floor if self.performance is None else self.performance
        return None if found is None or self.deviation is None else found - self.deviation

    @property
    def counted(self) -> float:
        """Return the points [points] that the event's own totals count."""
        return self.points - self.uncounted

    @property
    def is_rated_differently(self) -> bool:
        """Whether what entered the fit is not all that is known of the player's games."""
        score = abs(self.points - self.rated_points) > 1e-9
        return score or abs(self.games - self.rated_games) > 1e-9


def standings(event: Event, pairings: Iterable[Pairing], ratings: Ratings) -> dict[str, Standing]:
    """Return the standing of each of the event's players, in the event's order.

    `pairings` are those of the event that entered the fit.
    """
    rated = _rated_sides(pairings)
    known = _known(event)
    outside = known_scores(result for result in event.results if result.uncounted is not None)
    nothing = (0.0, 0.0)
    found = {}
    for player in event.players:
        uncounted, _ = outside.get(player, nothing)
        standing = Standing(player, *known.get(player, nothing), uncounted)
        found[player] = _with_rated(standing, rated.get(player, []), ratings)
    return found


def _known(event: Event) -> Mapping[str, tuple[float, float]]:
    if is_totals_only(event):
        games = (event.games_per_pair or 0.0) * (len(event.players) - 1)
        return {total.player: (total.points, games) for total in event.totals}
    return known_scores(event.results)


def known_scores(results: Iterable[Result]) -> Mapping[str, tuple[float, float]]:
    """Return the points [points] and games [games] of each player in the results."""
    scores: dict[str, tuple[float, float]] = {}
    for result in results:
        sides = ((result.first, result.points_first), (result.second, result.points_second))
        for player, made in sides:
            points, games = scores.get(player, (0.0, 0.0))
            scores[player] = points + made, games + result.games
    return scores


def entered(event: Event, dataset: Dataset, ratings: Ratings) -> tuple[Pairing, ...]:
    """Return the pairings of an event, or of a part of one, that entered the fit.

    All results of a rated player are tied together, so a pairing entered when both players did.
    """
    return tuple(
        pairing
        for pairing in pairings_of(event, dataset.odds)
        if pairing.first.player in ratings.players and pairing.second.player in ratings.players
    )


def _turned(one: Pairing) -> Pairing:
    """Return a pairing as its second player sees it."""
    score = one.games - one.score
    return Pairing(
        one.year, one.event, one.second, one.first, score, one.games, one.basis, one.soft
    )


def _rated_sides(pairings: Iterable[Pairing]) -> Mapping[str, list[Pairing]]:
    """Return each player's pairings, turned so that he is the first of the two."""
    sides: dict[str, list[Pairing]] = {}
    for one in pairings:
        sides.setdefault(one.first.player, []).append(one)
        sides.setdefault(one.second.player, []).append(_turned(one))
    return sides


def _with_rated(standing: Standing, rated: list[Pairing], ratings: Ratings) -> Standing:
    if not rated:
        return standing
    opponents = [_strength(one.second, one.first, one.year, ratings) for one in rated]
    games = [one.games for one in rated]
    score, total = _sum(one.score for one in rated), _sum(games)
    leads = [_rating(standing.player, one.year, ratings) - opponent
             for one, opponent in zip(rated, opponents, strict=True)]  # fmt: skip
    floor = performance(total - 0.5, opponents, games) if score == total else None
    own = performance(score, opponents, games) if floor is None else floor
    return replace(
        standing,
        rated_points=score,
        rated_games=total,
        expected=sum(n * expected_score(lead) for n, lead in zip(games, leads, strict=True)),
        performance=own if floor is None else None,
        floor=floor,
        deviation=None if own is None else performance_deviation(own, opponents, games),
        opposition=sum(r * n for r, n in zip(opponents, games, strict=True)) / total,
    )


def _sum(parts: Iterable[float]) -> float:
    """Return a sum without the last digits in which scores solved from totals are not exact."""
    return round(sum(parts), 9)


def _strength(one: Side, other: Side, year: int, ratings: Ratings) -> float:
    """Return a player's rating [Elo], corrected for the odds that either of the two gave."""
    rating = _rating(one.player, year, ratings)
    return rating - (one.odds_points or 0.0) + (other.odds_points or 0.0)


def _rating(player: str, year: int, ratings: Ratings) -> float:
    own = ratings.of(player, year)
    if own is None:
        raise ValueError(f"{player} has a rated pairing but no rating of {year}")
    return own.rating
