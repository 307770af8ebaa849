"""Results grouped in rounds, or not at all, in; lists of pairings with their scores out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from markupsafe import Markup

from edo.core import formats, urls
from edo.core.model import Event, Odds
from edo.history.notation import TOLERANCE
from edo.site import markup
from edo.site.input import Link
from edo.site.pages.marks import EventData, GameMark
from edo.site.pages.score_rows import PlayerCell, player_cell
from edo.site.pages.standings import entered, expected_of, known_score


@dataclass(frozen=True, slots=True)
class PairingRow:
    """Two players' games; marks and `expected` [points] are the first one's.

    `expected` is None where not all of the games are rated.
    """

    first: PlayerCell
    second: PlayerCell
    score: str
    marks: tuple[GameMark, ...]
    expected: str | None


@dataclass(frozen=True, slots=True)
class RoundTable:
    """The pairings of a round; `teams` with their `score` where teams played.

    `byes` are the players who went on without a game.
    """

    name: str
    teams: tuple[str, str] | None
    score: str | None
    note: Markup | None
    rows: tuple[PairingRow, ...]
    byes: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class TeamScore:
    """What two teams scored in all rounds together."""

    teams: tuple[str, str]
    score: str


def round_tables(data: EventData) -> tuple[RoundTable, ...]:
    """Return the tables of the event's rounds, in their order."""
    event = data.event
    page = urls.event(event.id)
    tables = []
    for number, one in enumerate(event.rounds):
        places = [i for i, result in enumerate(event.results) if result.round == number]
        score = None if one.teams is None else formats.result(*_points(event, places))
        note = None if one.note is None else markup.inline(one.note, page)
        players = data.dataset.players
        byes = tuple(Link(players[p].shown_name, urls.player(p)) for p in one.byes)
        rows = pairing_rows(data, places)
        tables.append(RoundTable(one.name, one.teams, score, note, rows, byes))
    return tuple(tables)


def team_score(event: Event) -> TeamScore | None:
    """Return the score of a match of two teams over several rounds, None where there is none."""
    sides = {one.teams for one in event.rounds}
    teams = next(iter(sides), None)
    if len(event.rounds) < 2 or len(sides) != 1 or teams is None:
        return None
    return TeamScore(teams, formats.result(*_points(event, range(len(event.results)))))


def pairing_rows(data: EventData, places: Iterable[int]) -> tuple[PairingRow, ...]:
    """Return a row for each pairing among some results, at each kind of odds apart."""
    grouped: dict[tuple[str, str, Odds | None], list[int]] = {}
    for place in places:
        one = data.event.results[place]
        turned = (one.second, one.first, one.odds)
        key = turned if turned in grouped else (one.first, one.second, one.odds)
        grouped.setdefault(key, []).append(place)
    return tuple(_row(first, second, group, data) for (first, second, _), group in grouped.items())


def _row(first: str, second: str, places: list[int], data: EventData) -> PairingRow:
    event, dataset, ratings = data.event, data.dataset, data.ratings
    part = data.part(places)
    return PairingRow(
        player_cell(first, event.year, dataset, ratings),
        player_cell(second, event.year, dataset, ratings),
        formats.result(*(known_score(part.results, player)[0] for player in (first, second))),
        data.seen_by(first, places),
        _expected(first, part, data),
    )


def _expected(first: str, part: Event, data: EventData) -> str | None:
    pairings = entered(part, data.dataset, data.ratings)
    played = sum(result.games for result in part.results)
    points = expected_of(first, pairings, data.ratings)
    rated = sum(pairing.games for pairing in pairings)
    if points is None or abs(rated - played) > TOLERANCE:  # parts of a split need not add up
        return None
    return formats.expected(points)


def _points(event: Event, places: Iterable[int]) -> tuple[float, float]:
    """Return the points of the first-named and of the second-named players."""
    results = [event.results[place] for place in places]
    return sum(r.points_first for r in results), sum(r.points_second for r in results)
