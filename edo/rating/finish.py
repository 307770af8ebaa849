"""Who won an event, and where its players finished, as far as what is known decides it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from edo.core import formats
from edo.core.model import Event, OddsKind
from edo.history.final_table import final_points, points_of
from edo.rating.meetings import meetings

FINAL = "Final"
"""The name of a round that decides a knock-out."""


@dataclass(frozen=True, slots=True)
class Finish:
    """Who won: nobody where a match was drawn, several where the first place was shared.

    `score` is that of a match, both sides, or the points of the first place, or empty. `places` are
    the first and the last of the places that each player shared, of those whose place is known.
    They are places among so many players, None where it is not known how many there were.
    """

    winners: tuple[str, ...]
    score: tuple[float, ...] = ()
    places: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    among: int | None = None


def finish(event: Event, odds: Mapping[str, OddsKind]) -> Finish | None:
    """Return how an event ended, or None where what is known does not decide it.

    An editor's `winner` goes before everything else. In a match the higher score wins; in a
    tournament those of most points share the first place, where its final table is known
    (`final_points`); in a knock-out the winner is the one who stands first in the file's own list
    of players, or else the only one who lost to nobody, or else who won a final of two. Of a match
    that is not known whole, both totals decide it, or a lead that nobody can lose in the games that
    are missing.
    """
    if event.kind == "tournament":
        return _of_tournament(event, odds)
    if event.kind == "match" and len(event.players) == 2:
        return _of_match(event)
    return None if event.winner is None else Finish((event.winner,))


def _of_tournament(event: Event, odds: Mapping[str, OddsKind]) -> Finish | None:
    points = final_points(event)
    if points:
        best = max(points.values())
        winners = tuple(player for player in event.players if points.get(player) == best)
        if event.winner is not None:
            winners = (event.winner,)
        score = {points[winner] for winner in winners if winner in points}
        return Finish(winners, tuple(score), _places(points, event.winner), len(points))
    first: tuple[str, ...] = () if event.winner is None else (event.winner,)
    is_known = event.completeness == "complete" and not event.unknown_games
    final = _final(event)
    is_in_rounds = event.rounds or "knock-out" in (event.format or "").casefold()
    if not first and is_in_rounds and is_known:
        is_listed = event.rounds and "players" in event.lines
        first = event.players[:1] if is_listed else _unbeaten(event, odds)
    if len(first) != 1 and (not final or len({*final.values()}) == 1):
        return None
    winner = first[0] if len(first) == 1 else max(final, key=lambda player: final[player])
    places = {winner: (1, 1)}
    if winner in final:
        places |= {player: (2, 2) for player in final if player != winner}
    return Finish((winner,), (), places, len(event.players) if is_known else event.players_in_all)


def _places(points: Mapping[str, float], winner: str | None) -> Mapping[str, tuple[int, int]]:
    """Return the places by points; a winner by tie-break or play-off stands before the others."""
    made = sorted((score for player, score in points.items() if player != winner), reverse=True)
    ahead = 0 if winner is None else 1
    found = {} if winner is None else {winner: (1, 1)}
    for player, score in points.items():
        if player != winner:
            first = made.index(score) + 1 + ahead
            found[player] = (first, first + made.count(score) - 1)
    return found


def _of_match(event: Event) -> Finish | None:
    has_soft = any(result.soft is not None for result in event.results)
    has_totals = {total.player for total in event.totals} == set(event.players)
    is_whole = event.completeness == "complete" and not event.unknown_games
    points = dict.fromkeys(event.players, 0.0) | points_of(event)
    best, other = sorted(event.players, key=lambda player: -points[player])
    is_known = not has_soft and (has_totals or is_whole) and points[best] > 0
    score = (points[best], points[other]) if is_known else ()
    if event.winner is not None:
        return Finish((event.winner,), score if event.winner == best else score[::-1])
    if is_known:
        return Finish(() if points[best] == points[other] else (best,), score)
    if has_soft or event.games_per_pair is None or event.totals:
        return None
    missing = event.games_per_pair - sum(points.values())
    return Finish((best,)) if points[best] - points[other] > missing else None


def _final(event: Event) -> Mapping[str, float]:
    """Return the points of the two players of the last round, if it is a final of two players."""
    if not event.rounds or event.rounds[-1].name != FINAL:
        return {}
    points: defaultdict[str, float] = defaultdict(float)
    for one in event.results:
        if one.round == len(event.rounds) - 1:
            points[one.first] += one.points_first
            points[one.second] += one.points_second
    return points if len(points) == 2 else {}


def _unbeaten(event: Event, odds: Mapping[str, OddsKind]) -> tuple[str, ...]:
    """Return those whose points against every opponent are more than the opponent's."""
    beaten = {
        meeting.player
        for by_opponent in meetings(event, odds).values()
        for meeting in by_opponent.values()
        if meeting.results and meeting.score[0] <= meeting.score[1]
    }
    return tuple(player for player in event.players if player not in beaten)


def place_text(found: Finish | None, event: Event, player: str) -> str | None:
    """Return how a player finished: `won`, `drawn` or `lost` a match, else `2–3 of 12`."""
    if found is None:
        return None
    if event.kind == "match":
        return "drawn" if not found.winners else "won" if player in found.winners else "lost"
    if player not in found.places:
        return None
    first, last = found.places[player]
    shared = str(first) if first == last else f"{first}{formats.DASH}{last}"
    return shared if found.among is None else f"{shared} of {found.among}"
