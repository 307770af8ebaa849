"""An event and the ratings in; what its players scored and were expected to score out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from edo.core.model import Dataset, Event, Result
from edo.rating.edo import Ratings
from edo.rating.pairings import Pairing, Side, is_totals_only, pairings_of
from edo.rating.performance import expected_total, performance


@dataclass(frozen=True, slots=True)
class Standing:
    """One player's numbers in an event, or in a part of one.

    `points` [points] of `games` are all that is known, games by default and unrated ones included;
    of a table of which only totals are known, they are the totals. `uncounted` [points] of these
    stand outside the event's own totals. `rated_points` of
    `rated_games` entered the fit; `expected` [points] belongs to these. `performance` [Elo] is
    None where nothing was rated or the score was 0 % or 100 %.
    """

    player: str
    points: float
    games: float
    uncounted: float = 0.0
    rated_points: float = 0.0
    rated_games: float = 0.0
    expected: float | None = None
    performance: float | None = None

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
    outside = [result for result in event.results if result.uncounted is not None]
    known = (
        Standing(player, *_known(event, player), known_score(outside, player)[0])
        for player in event.players
    )
    return {
        standing.player: _with_rated(standing, rated.get(standing.player, []), ratings)
        for standing in known
    }


def _known(event: Event, player: str) -> tuple[float, float]:
    if is_totals_only(event):
        games = (event.games_per_pair or 0.0) * (len(event.players) - 1)
        return sum(total.points for total in event.totals if total.player == player), games
    return known_score(event.results, player)


def known_score(results: Iterable[Result], player: str) -> tuple[float, float]:
    """Return the player's points [points] and games [games] in the results."""
    points = games = 0.0
    for result in results:
        if player in (result.first, result.second):
            points += result.points_first if player == result.first else result.points_second
            games += result.games
    return points, games


def entered(event: Event, dataset: Dataset, ratings: Ratings) -> tuple[Pairing, ...]:
    """Return the pairings of an event, or of a part of one, that entered the fit.

    All results of a rated player are tied together, so a pairing entered when both players did.
    """
    return tuple(
        pairing
        for pairing in pairings_of(event, dataset.odds)
        if pairing.first.player in ratings.players and pairing.second.player in ratings.players
    )


def expected_of(first: str, pairings: Iterable[Pairing], ratings: Ratings) -> float | None:
    """Return the points [points] expected of `first`, None where nothing is rated."""
    sides = _rated_sides(pairings).get(first)
    return None if sides is None else _expected(sides, ratings)


@dataclass(frozen=True, slots=True)
class _RatedSide:
    """A pairing that entered the fit, as one player sees it."""

    year: int
    mine: Side
    theirs: Side
    score: float
    games: float


def _rated_sides(pairings: Iterable[Pairing]) -> Mapping[str, list[_RatedSide]]:
    sides: dict[str, list[_RatedSide]] = {}
    for one in pairings:
        mine = _RatedSide(one.year, one.first, one.second, one.score, one.games)
        theirs = _RatedSide(one.year, one.second, one.first, one.games - one.score, one.games)
        sides.setdefault(one.first.player, []).append(mine)
        sides.setdefault(one.second.player, []).append(theirs)
    return sides


def _with_rated(standing: Standing, rated: list[_RatedSide], ratings: Ratings) -> Standing:
    if not rated:
        return standing
    opponents = [_strength(side, ratings) for side in rated]
    games = [side.games for side in rated]
    score = _sum(side.score for side in rated)
    return replace(
        standing,
        rated_points=score,
        rated_games=_sum(games),
        expected=_expected(rated, ratings),
        performance=performance(score, opponents, games),
    )


def _sum(parts: Iterable[float]) -> float:
    """Return a sum without the last digits in which scores solved from totals are not exact."""
    return round(sum(parts), 9)


def _expected(sides: Iterable[_RatedSide], ratings: Ratings) -> float:
    """Return the points [points] expected of a player, in each game by the ratings of its year."""
    return sum(
        expected_total(
            _rating(side.mine.player, side.year, ratings), [_strength(side, ratings)], [side.games]
        )
        for side in sides
    )


def _strength(side: _RatedSide, ratings: Ratings) -> float:
    """Return the opponent's rating [Elo] as it stood against a player without odds."""
    theirs = _rating(side.theirs.player, side.year, ratings)
    return theirs - (side.theirs.odds_points or 0.0) + (side.mine.odds_points or 0.0)


def _rating(player: str, year: int, ratings: Ratings) -> float:
    own = ratings.of(player, year)
    if own is None:
        raise ValueError(f"{player} has a rated pairing but no rating of {year}")
    return own.rating
