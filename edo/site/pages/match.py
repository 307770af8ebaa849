"""A match in; its tables of games, one for each kind of play and one for all together, out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from edo.core import formats
from edo.core.model import Event, Odds
from edo.site.pages.marks import EventData, GameMark
from edo.site.pages.remarks import odds_text
from edo.site.pages.score_rows import ScoreTable, score_table
from edo.site.pages.standings import entered, known_score, standings


@dataclass(frozen=True, slots=True)
class Part:
    """Games of a match that belong together.

    `title` is None where they are all there is. `games` heads the columns of `marks`, which are
    the two players' games in order, by player; both are empty where only the score is known.
    Where games may be missing, the columns only count: `is_numbered` is False.
    """

    title: str | None
    score: str
    is_soft: bool
    table: ScoreTable
    games: tuple[str, ...]
    is_numbered: bool
    marks: tuple[tuple[GameMark, ...], ...]
    scores_only: tuple[GameMark, ...]


@dataclass(frozen=True, slots=True)
class Match:
    """The parts of a match, and all of them together where there are several."""

    parts: tuple[Part, ...]
    whole: ScoreTable | None
    score: str


_Key = tuple[int | None, Odds | None]


def match(data: EventData) -> Match:
    """Return the tables of an event of two players."""
    grouped = _grouped(data.event)
    are_several = len(grouped) > 1
    parts = tuple(_part(places, data, are_several) for places in grouped.values())
    whole = _table(data.event, data) if are_several else None
    return Match(parts, whole, _score(data.event))


def _grouped(event: Event) -> Mapping[_Key, list[int]]:
    """Return the places of the results by the pairing of the file and the odds they belong to."""
    grouped: dict[_Key, list[int]] = {}
    for place, result in enumerate(event.results):
        line = None if event.has_crosstable else result.line
        grouped.setdefault((line, result.odds), []).append(place)
    return grouped


def _part(places: list[int], data: EventData, is_one_of_several: bool) -> Part:
    part = data.part(places)
    if is_one_of_several:
        part = replace(part, totals=())
    odds = part.results[0].odds and odds_text(part.results[0], data.dataset)
    has_games = all(result.marks for result in part.results)
    marks = tuple(data.seen_by(player, places) for player in part.players)
    return Part(
        title=odds or ("Even play" if is_one_of_several else None),
        score=_score(part, None if part.results[0].odds is None else part.results[0].odds.giver),
        is_soft=any(result.soft is not None for result in part.results),
        table=_table(part, data),
        games=tuple(str(n) for n in range(1, len(marks[0]) + 1)) if has_games else (),
        marks=marks if has_games else (),
        is_numbered=part.completeness == "complete" and not part.unknown_games,
        scores_only=() if has_games else marks[0],
    )


def _table(event: Event, data: EventData) -> ScoreTable:
    ratings = data.ratings
    rated = entered(event, data.dataset, ratings)
    return score_table(event, standings(event, rated, ratings), data.dataset, ratings)


def _score(event: Event, giver: str | None = None) -> str:
    """Return the score of the two, the giver of odds before the other."""
    first, second = event.players
    if giver == second:
        first, second = second, first
    return formats.result(
        known_score(event.results, first)[0], known_score(event.results, second)[0]
    )
