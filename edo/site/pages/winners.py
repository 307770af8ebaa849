"""An event in, who won it out, where the file leaves no doubt."""

from __future__ import annotations

from dataclasses import dataclass

from edo.core import formats, urls
from edo.core.model import Dataset, Event
from edo.site.input import Link


@dataclass(frozen=True, slots=True)
class Winner:
    """Who won, with what score; nobody where it was drawn, several where the first was shared."""

    players: tuple[Link, ...]
    words: str


def winner(event: Event, dataset: Dataset) -> Winner | None:
    """Return who won a complete event, or None where that is not beyond doubt.

    In a match the higher score wins; in an all-play-all those of most points share the first
    place; in a knock-out the winner is the one who stands first in the file's own list of players,
    or else the only one who lost to nobody.
    """
    if event.completeness != "complete" or event.kind == "team match" or event.unknown_games:
        return None
    if any(result.soft is not None for result in event.results):
        return None  # a score chosen by an editor must not be printed as one that was played
    found = _of_match(event) if event.kind == "match" else _of_tournament(event)
    if found is None:
        return None
    players, words = found
    links = (Link(dataset.players[p].shown_name, urls.player(p)) for p in players)
    return Winner(tuple(links), words)


_Found = tuple[tuple[str, ...], str]


def _of_match(event: Event) -> _Found | None:
    points = _points(event)
    if points.keys() != set(event.players):  # without any game that counts in the event
        return None
    best, other = sorted(event.players, key=lambda player: -points[player])
    score = formats.result(points[best], points[other])
    return ((), f"drawn, {score}") if points[best] == points[other] else ((best,), score)


def _of_tournament(event: Event) -> _Found | None:
    if event.rounds:
        first = event.players[:1] if "players" in event.lines else _unbeaten(event)
        return (first, "") if len(first) == 1 else None
    points = _points(event)
    if not points or not (event.has_crosstable or event.games_per_pair):
        return None
    if event.draws_not_scored and {total.player for total in event.totals} != set(event.players):
        return None
    best = max(points.values())
    first = tuple(player for player in event.players if points.get(player) == best)
    return first, formats.score(best)


def _unbeaten(event: Event) -> tuple[str, ...]:
    """Return those whose points against every opponent are more than the opponent's."""
    points: dict[tuple[str, str], float] = {}
    for result in event.results:
        for one, other, scored in (
            (result.first, result.second, result.points_first),
            (result.second, result.first, result.points_second),
        ):
            points[one, other] = points.get((one, other), 0.0) + scored
    beaten = {one for (one, other), scored in points.items() if scored <= points[other, one]}
    return tuple(player for player in event.players if player not in beaten)


def _points(event: Event) -> dict[str, float]:
    """Return everybody's points that count, defaults too; a published total goes before them."""
    points: dict[str, float] = {}
    for result in event.results:
        if result.uncounted is not None:
            continue
        points[result.first] = points.get(result.first, 0.0) + result.points_first
        points[result.second] = points.get(result.second, 0.0) + result.points_second
    points.update((total.player, total.points) for total in event.totals)
    return points
