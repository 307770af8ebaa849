"""Which games of an event are rated, and how much of it is known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import comb
from typing import Literal

from edo.core.model import Event, OddsKind, Result
from edo.history.unknown_games import (
    Share,
    games_of_pairs,
    is_totals_only,
    open_pairs,
    shares,
)


def has_known_odds(event: Event, pairs: Iterable[Share], odds: Mapping[str, OddsKind]) -> bool:
    """Whether the classes of an event have odds of known worth between all of these pairs."""
    for pair in pairs if event.classes else ():
        pair_odds = event.odds_between(pair.first, pair.second)
        is_even = event.classes.get(pair.first) == event.classes.get(pair.second)
        if not is_even and (pair_odds is None or odds[pair_odds.kind].points is None):
            return False
    return True


def compares_all(event: Event, odds: Mapping[str, OddsKind]) -> bool:
    """Whether all games that follow from the event's totals are rated, whatever the classes."""
    return not event.classes or has_known_odds(event, shares(event), odds)


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


def left_out(event: Event, odds: Mapping[str, OddsKind]) -> tuple[str | None, ...]:
    """Return why each result of an event is not rated, or the whole event; None where it is."""
    reason = event_unrated(event)
    return tuple(reason or unrated_reason(result, odds) for result in event.results)


MOST = 0.8  # share of the known games: the few others come from the collection of another player
SELECTED = (
    "all or nearly all games known are those of one player, and it is not known whether they are "
    "all that he played"
)


def event_unrated(event: Event) -> str | None:
    """Return why nothing of an event is rated, None where its results are looked at one by one."""
    if event.unrated is not None:
        return event.unrated
    player = main_player(event)
    return SELECTED if player is not None and not _is_all_of(player, event) else None


def main_player(event: Event) -> str | None:
    """Return the player by whose games alone a tournament is known, None for other events.

    Such games come from his own collection or from that of his games. A crosstable, even with
    unknown cells, comes from the event, and the matches of a knock-out are events of their own.
    """
    is_whole = event.completeness == "complete" or event.rest is not None
    if event.kind != "tournament" or is_whole or event.rounds or event.has_crosstable:
        return None
    games: dict[str, float] = {}
    for result in event.results:
        for side in (result.first, result.second):
            games[side] = games.get(side, 0.0) + result.games
    player = max(games, key=lambda one: games[one], default=None)
    if player is None or games[player] < MOST * sum(games.values()) / 2:
        return None
    return player


def _is_all_of(player: str, event: Event) -> bool:
    """Whether the known games of a player are as many as his total says."""
    known = sum(result.games for result in event.results if player in (result.first, result.second))
    return any(total.player == player and total.games == known for total in event.totals)


Coverage = Literal["whole by cells", "whole by totals", "part"]
COVERAGES: tuple[Coverage, ...] = ("whole by cells", "whole by totals", "part")


def coverage(event: Event, odds: Mapping[str, OddsKind]) -> Coverage:
    """Return how much is known of what the ratings depend on in an event.

    It is whole by cells if it is complete with a result for every rated game; whole by totals if
    everybody's total determines the ratings, whatever the unknown results; otherwise known in part,
    as also if a rated score is an editor's estimate or the odds of games in the totals are unknown.
    """
    if event_unrated(event) is None and any(
        result.soft is not None and unrated_reason(result, odds) is None for result in event.results
    ):
        return "part"
    if event.completeness == "complete" and event.results and event.rest is None:
        return "whole by cells"
    by_totals = is_totals_only(event) or event.rest == "from totals"
    return "whole by totals" if by_totals and compares_all(event, odds) else "part"


@dataclass(frozen=True, slots=True)
class GamesOnRecord:
    """How many games of an event are on record, and how.

    `known` [games] have a result, played or not; `by_totals` follow from the totals; `estimated`
    are an editor's estimate or a guess from the totals. `missing` more are known to have been
    played, None where it is not known how many. `pairs` are those with a result, and all, in an
    all-play-all that is known in part.
    """

    known: float
    by_totals: float
    estimated: float
    missing: float | None
    pairs: tuple[int, int] | None

    @property
    def played(self) -> float | None:
        """Return how many games there were, None where it is not known."""
        if self.missing is None:
            return None
        return round(self.known + self.by_totals + self.estimated + self.missing, 9)


def games_on_record(event: Event) -> GamesOnRecord:
    """Return how many games of an event are known, follow from the totals, or are missing."""
    soft_games = sum(result.games for result in event.results if result.soft is not None)
    known_games = sum(result.games for result in event.results) - soft_games
    by_totals = sum(share.games for share in shares(event))
    guessed_games = by_totals if event.rest == "best guess" else 0.0
    pairs = games_of_pairs(event)
    is_all_play_all = event.kind == "tournament" and not event.rounds and len(event.players) > 2
    return GamesOnRecord(
        round(known_games, 9),
        round(by_totals - guessed_games, 9),
        round(soft_games + guessed_games, 9),
        _missing(event, pairs, known_games + soft_games),
        (sum(games > 0 for games in pairs.values()), comb(len(event.players), 2))
        if is_all_play_all and event.completeness == "incomplete"
        else None,
    )


def _missing(
    event: Event, pairs: Mapping[frozenset[str], float], known_games: float
) -> float | None:
    """Return how many games were played besides those known and those in the totals."""
    if event.completeness == "complete" or event.rest is not None:
        return 0.0
    if event.completeness == "unverified":
        return None
    per_pair = event.games_per_pair
    if event.players_in_all is not None:
        unlisted_pairs = comb(event.players_in_all, 2) - comb(len(event.players), 2)
        return unlisted_pairs * (per_pair or 0.0)
    counted = [total.games for total in event.totals if total.games is not None]
    if len(counted) == len(event.players):
        return max(round(sum(counted) / 2 - known_games, 9), 0.0)
    if per_pair is None and event.has_crosstable and len({*pairs.values()}) == 1:
        per_pair = next(iter(pairs.values()))  # all whose games are known met equally often
    if per_pair is None:
        return None
    return round(sum(open_pairs(event, per_pair).values()), 9)
