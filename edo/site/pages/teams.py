"""What a page shows of the teams of an event: their scores, and each against each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from edo.core.model import Event, Result
from edo.history.teams import final_scores, sums, team_by_player
from edo.rating.standings import Standing
from edo.site.input import Link

Score = tuple[float, float]


@dataclass(frozen=True, slots=True)
class TeamRow:
    """A team of several, with the points [points] of both sides against each, None if unknown.

    `points` are those of the table, `games` [games] the known ones of the team.
    """

    name: str
    cells: tuple[Score | None, ...]
    points: float
    games: float


@dataclass(frozen=True, slots=True)
class TeamTable:
    """The teams in the order of their final scores, or as the file has them.

    `score` is that of two teams, whose boards follow. If it or the points of the rows `is_final`,
    they are those of the whole event, else of the known games.
    """

    names: tuple[str, ...]
    score: Score | None
    rows: tuple[TeamRow, ...]
    is_final: bool


def team_table(event: Event) -> TeamTable | None:
    """Return the teams of an event, None where they are not known."""
    if not event.teams:
        return None
    final = final_scores(event)
    points = sums(event.teams, event.results) if final is None else final
    names = [team.name for team in event.teams]
    if len(names) == 2:
        return TeamTable(tuple(names), (points[names[0]], points[names[1]]), (), final is not None)
    if final is not None:
        names.sort(key=lambda name: -final[name])
    met, games = _met(event), _games(event)
    rows = (
        TeamRow(name, tuple(met.get((name, other)) for other in names), points[name], games[name])
        for name in names
    )
    return TeamTable(tuple(names), None, tuple(rows), final is not None)


def by_team(event: Event, standings: Mapping[str, Standing]) -> Mapping[str, Standing]:
    """Return the standings by player, those of a team together, in the order of `team_table`.

    Whose team is not known comes last.
    """
    table = team_table(event)
    if table is None:
        return standings
    members = {team.name: team.players for team in event.teams}
    known = [player for name in table.names for player in members[name] if player in standings]
    return {player: standings[player] for player in (*known, *standings)}


def team_winner(event: Event) -> tuple[tuple[Link, ...], tuple[float, ...]] | None:
    """Return the team of most points, which has no page of its own, and the score.

    Of a match of two the score is that of both, and nobody won if it was drawn. None where the
    scores are not known.
    """
    scores = final_scores(event)
    if scores is None:
        return None
    ordered = sorted(scores.values(), reverse=True)
    won = tuple(Link(name) for name, points in scores.items() if points == ordered[0])
    if len(scores) > 2:
        return won, (ordered[0],)
    return () if len(won) == 2 else won, tuple(ordered)


def _met(event: Event) -> dict[tuple[str, str], Score]:
    """Return the known points of each two teams against each other, from both sides."""
    team_of = team_by_player(event.teams)
    met: dict[tuple[str, str], Score] = {}
    for result in event.results:
        one, other = team_of.get(result.first), team_of.get(result.second)
        if one is None or other is None or result.uncounted is not None:
            continue
        for pair, points in _both_sides(one, other, result):
            before = met.get(pair, (0.0, 0.0))
            met[pair] = before[0] + points[0], before[1] + points[1]
    return met


def _games(event: Event) -> Mapping[str, float]:
    """Return the number of known games of each team, also against players of unknown teams."""
    team_of = team_by_player(event.teams)
    games = dict.fromkeys((team.name for team in event.teams), 0.0)
    for result in event.results:
        for player in (result.first, result.second):
            if player in team_of and result.uncounted is None:
                games[team_of[player]] += result.games
    return games


def _both_sides(one: str, other: str, result: Result) -> list[tuple[tuple[str, str], Score]]:
    points = result.points_first, result.points_second
    return [((one, other), points), ((other, one), points[::-1])]
