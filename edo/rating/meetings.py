"""What any two players scored against each other in an event, from whichever side it is seen.

Whatever shows or sums the games of two players reads this table: crosstables, lists of pairings,
the opponents of a player, head-to-heads, wins and runs. How games enter the ratings is told by
`edo.rating.games`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from edo.core.model import Event, Mark, OddsKind, Result
from edo.core.scale import expected_score
from edo.history.notation import opposite
from edo.rating.coverage import left_out
from edo.rating.edo import Ratings
from edo.rating.games import Side, rows_from_totals, side

Direction = Literal["gave", "received"]
"""Whether a player gave odds or received them."""


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """A result as one of its players sees it.

    `points` and `opponent_points` [points] add up to `games` [games], except where both forfeited a
    game. `marks` are the single games, where they are known. `result` is what the file states, from
    the side of its first-named player, and `place` where it stands in the event. `year` is the one
    for which the games count, `left_out` the reason why they are not rated, None where they are;
    `odds_points` [Elo] is what odds are worth to the player, negative where he gave them.
    """

    player: str
    opponent: str
    points: float
    opponent_points: float
    games: float
    marks: tuple[Mark, ...]
    result: Result
    place: int
    year: int
    left_out: str | None
    odds_points: float

    @property
    def odds(self) -> Direction | None:
        """Return whether the player gave or received odds, None for even play."""
        if self.result.odds is None:
            return None
        return "gave" if self.result.odds.giver == self.player else "received"

    @property
    def tally(self) -> tuple[float, float, float] | None:
        """Return the games won, drawn and lost by the player, None where it is not known."""
        tally = self.result.tally
        is_second = self.player == self.result.second
        return tally[::-1] if tally is not None and is_second else tally

    @property
    def kinds(self) -> tuple[str, ...]:
        """Return how the games differ from rated games of even play."""
        result = self.result
        if self.left_out is None and result.is_ordinary:
            return ()  # as nearly all are
        kinds = {
            "default": result.default is not None,
            "unrated": self.left_out is not None and result.default is None,
            "uncounted": result.uncounted is not None,
            "soft": result.soft is not None,
            "odds": result.odds is not None,
            "split": result.year is not None,
        }
        return tuple(kind for kind, applies in kinds.items() if applies)


@dataclass(frozen=True, slots=True)
class Deduced:
    """Points [points] of a number of games [games] without results, by the totals of the event."""

    kind: Literal["totals", "guess"]
    points: float
    games: float
    odds: Direction | None = None


@dataclass(frozen=True, slots=True)
class Meeting:
    """The games of two players in an event, as `player` sees them.

    `results` are in the order of the file, which is that of the games where it is known. `deduced`
    is the score of further games that follows from the totals. There is at least one of the two.
    """

    event: Event
    player: str
    opponent: str
    results: tuple[PlayerResult, ...] = ()
    deduced: Deduced | None = None

    @property
    def score(self) -> tuple[float, float]:
        """Return the points [points] of both in the known results, defaults included."""
        return (
            sum(result.points for result in self.results),
            sum(result.opponent_points for result in self.results),
        )

    @property
    def known_games(self) -> float:
        """Return the number of games [games] with a result, defaults included."""
        return sum(result.games for result in self.results)

    @property
    def games(self) -> float:
        """Return the number of games [games], including those known only from totals."""
        return self.known_games + (0.0 if self.deduced is None else self.deduced.games)

    @property
    def years(self) -> tuple[int, ...]:
        """Return the year for which each result counts, and the deduced score."""
        years = tuple(result.year for result in self.results)
        return years if self.deduced is None else (*years, self.event.year)

    def part(self, places: Collection[int]) -> Meeting:
        """Return the meeting with only the results at some places in the event."""
        return replace(
            self,
            results=tuple(result for result in self.results if result.place in places),
            deduced=None,
        )


Meetings = Mapping[str, Mapping[str, Meeting]]
"""The meetings of an event by player and opponent, each pair from both sides."""


def meetings(event: Event, odds: Mapping[str, OddsKind]) -> Meetings:
    """Return the meetings of an event, in the order in which the opponents are first named.

    Opponents with whom no result is known follow in the order of the event's players.
    """
    results: dict[str, dict[str, list[PlayerResult]]] = {}
    reasons = left_out(event, odds)
    for place, result in enumerate(event.results):
        for seen in _both_sides(event, result, place, reasons[place], odds):
            results.setdefault(seen.player, {}).setdefault(seen.opponent, []).append(seen)
    by_totals = _deduced(event, odds)
    for player, opponent in by_totals:
        results.setdefault(player, {}).setdefault(opponent, [])
    return {
        player: {
            opponent: Meeting(
                event,
                player,
                opponent,
                tuple(seen),
                by_totals.get((player, opponent)),
            )
            for opponent, seen in by_opponent.items()
        }
        for player, by_opponent in results.items()
    }


def _both_sides(
    event: Event, result: Result, place: int, reason: str | None, odds: Mapping[str, OddsKind]
) -> tuple[PlayerResult, PlayerResult]:
    year = event.year if result.year is None else result.year
    given = side(result.first, result.odds, odds).odds_points or 0.0
    taken = side(result.second, result.odds, odds).odds_points or 0.0
    first = PlayerResult(
        result.first,
        result.second,
        result.points_first,
        result.points_second,
        result.games,
        result.marks,
        result,
        place,
        year,
        reason,
        taken - given,
    )
    second = PlayerResult(  # `replace` would take four times as long
        result.second,
        result.first,
        result.points_second,
        result.points_first,
        result.games,
        tuple([_mirrored(mark, result.points_second == 0) for mark in result.marks]),
        result,
        place,
        year,
        reason,
        given - taken,
    )
    return first, second


@cache
def _mirrored(mark: Mark, is_lost: bool) -> Mark:
    """Return the mark from the other side; a game that both forfeited stays `-`."""
    turned = opposite(mark)
    return replace(turned, value="-") if is_lost and mark.value == "-" else turned


def _deduced(event: Event, odds: Mapping[str, OddsKind]) -> dict[tuple[str, str], Deduced]:
    """Return the score of each player against each other that the totals give to unknown games.

    In the order of the event's players. Of an event with nothing but totals there is no table to
    fill, and nothing is returned.
    """
    if not event.results or event.unrated is not None:
        return {}
    scores: dict[tuple[str, str], Deduced] = {}
    for row in rows_from_totals(event, odds):
        if row.basis != "results":
            for own, other, score in (
                (row.first, row.second, row.score),
                (row.second, row.first, row.games - row.score),
            ):
                part = Deduced(row.basis, score, row.games, _direction(own, other))
                scores[own.player, other.player] = part
    pairs = ((one, other) for one in event.players for other in event.players)
    return {pair: scores[pair] for pair in pairs if pair in scores}


def _direction(own: Side, other: Side) -> Direction | None:
    if own.odds is not None:
        return "gave"
    return None if other.odds is None else "received"


@dataclass(frozen=True, slots=True)
class RatedScore:
    """What a player scored in rated games: `points` [points] of `games` [games].

    `expected` [points] are those that the ratings of each year lead to expect.
    """

    points: float
    games: float
    expected: float


def rated_score(results: Iterable[PlayerResult], ratings: Ratings) -> RatedScore | None:
    """Return the score in those of a player's results that entered the fit, None without any.

    All results of a rated player are tied together, so a result entered when both players did.
    """
    points = games = expected = 0.0
    for result in results:
        own = ratings.of(result.player, result.year)
        opponent = ratings.of(result.opponent, result.year)
        if result.left_out is None and own is not None and opponent is not None:
            points += result.points
            games += result.games
            lead = own.rating - opponent.rating + result.odds_points
            expected += result.games * expected_score(lead)
    return RatedScore(round(points, 9), round(games, 9), expected) if games else None


@dataclass(frozen=True, slots=True)
class Tally:
    """The points [points] of a player in the games with known results against one opponent.

    `won`, `drawn`, `lost` [games] are None where for some games only the common score is known, or
    none. `kinds` are those of the marks on any of the games. Games decided `by_default`, other
    `unrated` games and games known only `from_totals` [games] are counted only here.
    """

    won: float | None
    drawn: float | None
    lost: float | None
    points: float
    games: float
    kinds: tuple[str, ...]
    by_default: float
    unrated: float
    from_totals: float

    @property
    def share(self) -> float | None:
        """Return the share of the points, None without games."""
        return self.points / self.games if self.games else None


def tally(of: Iterable[Meeting]) -> Tally:
    """Return the sum of meetings, all from the same side."""
    summed = tuple(of)
    results = [result for meeting in summed for result in meeting.results]
    by_totals = [meeting.deduced for meeting in summed if meeting.deduced is not None]
    counted = [result for result in results if result.left_out is None]
    apart = [result for result in results if result.left_out is not None]
    won, drawn, lost = _wins_draws_losses(counted) or (None, None, None)
    return Tally(
        won=won,
        drawn=drawn,
        lost=lost,
        points=sum(result.points for result in counted),
        games=sum(result.games for result in counted),
        kinds=_kinds(counted, by_totals),
        by_default=sum(result.games for result in apart if result.result.default is not None),
        unrated=sum(result.games for result in apart if result.result.default is None),
        from_totals=round(sum(part.games for part in by_totals), 9),
    )


def _wins_draws_losses(counted: Sequence[PlayerResult]) -> tuple[float, float, float] | None:
    """Return wins, draws and losses, None where some score does not tell them apart."""
    tallies = [result.tally for result in counted]
    if not tallies or None in tallies:
        return None
    won, drawn, lost = (sum(column) for column in zip(*filter(None, tallies), strict=True))
    return won, drawn, lost


_KINDS = ("odds", "soft", "proportion", "split", "uncounted", "totals", "guess")


def _kinds(counted: Sequence[PlayerResult], by_totals: Sequence[Deduced]) -> tuple[str, ...]:
    kinds = {kind for result in counted for kind in result.kinds}
    if any(result.result.proportion is not None for result in counted):
        kinds.add("proportion")
    kinds |= {part.kind for part in by_totals}
    if any(part.odds is not None for part in by_totals):
        kinds.add("odds")
    return tuple(kind for kind in _KINDS if kind in kinds)
