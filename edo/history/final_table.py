"""The final table of a tournament: the points that decide it, and the order of the players."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations

from edo.core.model import Event


def final_points(event: Event) -> dict[str, float] | None:
    """Return the points of the final table of a tournament, None where it is not known.

    That is where all results are here of an all-play-all or a Swiss system, or everybody's total
    stands for those that are not, unless the table went by something else. Those without a game
    that counts are not in it.
    """
    has_all_totals = {total.player for total in event.totals} == set(event.players)
    is_whole = event.completeness == "complete" and not event.unknown_games
    if event.ranked_by is not None:
        return None
    if event.kind != "tournament" or not (is_whole or event.rest == "from totals"):
        return None
    if any(result.soft is not None for result in event.results) and not has_all_totals:
        return None  # a score chosen by an editor must not be printed as one that was played
    if event.draws_not_scored and not has_all_totals:
        return None
    return points_of(event) if has_all_totals or _is_table(event) else None


def _is_table(event: Event) -> bool:
    """Whether the points of the results decide: everybody met everybody, or it is a Swiss."""
    if event.rounds:
        return "swiss" in (event.format or "").casefold()
    if event.has_crosstable or event.games_per_pair is not None:
        return True
    games: defaultdict[frozenset[str], float] = defaultdict(float)
    for result in event.results:
        if result.uncounted is None:
            games[frozenset((result.first, result.second))] += result.games
    players = sorted({player for pair in games for player in pair})
    return len({games[frozenset(pair)] for pair in combinations(players, 2)}) == 1


def points_of(event: Event) -> dict[str, float]:
    """Return everybody's points that count, defaults too; a published total goes before them."""
    points: dict[str, float] = {}
    for result in event.results:
        if result.uncounted is not None:
            continue
        points[result.first] = points.get(result.first, 0.0) + result.points_first
        points[result.second] = points.get(result.second, 0.0) + result.points_second
    points.update((total.player, total.points) for total in event.totals)
    return points


def in_order(event: Event) -> tuple[str, ...]:
    """Return the players by their points, equals as before; whoever a tie-break put first, first.

    Those whose points are not known come last. Without a final table the order is that of the file.
    """
    points = final_points(event)
    if not points:
        return event.players
    return tuple(
        sorted(event.players, key=lambda one: (one != event.winner, -points.get(one, -1.0)))
    )
