"""The teams of a team match: who played for which, and what each team scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from edo.core.model import Event, Result, Team
from edo.history.notation import TOLERANCE, number_text
from edo.history.reading import Entry, ProblemLog


def read_teams(log: ProblemLog, entry: Entry, results: Sequence[Result]) -> tuple[Team, ...]:
    """Return the teams of an event, checked against its results."""
    teams = tuple(
        Team(one.get("name") or "", one.all("players"), one.get("points"))
        for one in entry.all("teams")
    )
    if not teams:
        return ()
    line = entry.line_of("teams")
    if entry.get("kind") != "team match":
        message = "teams in an event that is no team match"
        log.error(line, "teams", message, "make the kind `team match` or delete the teams")
    if len(teams) == 1:
        log.error(line, "teams", "a single team", "name the others too")
    before = log.mark()
    _check_players(log, entry, results)
    if log.failed_since(before):
        return ()
    team_of = team_by_player(teams)
    for result in results:
        team = team_of.get(result.first)
        if team is not None and team == team_of.get(result.second):
            message = f"`{result.first}` and `{result.second}` both play for {team}"
            log.error(result.line, "teams", message, "correct the teams or the players")
    if not log.failed_since(before):
        _check_points(log, entry, teams, results)
    return teams


def _check_players(log: ProblemLog, entry: Entry, results: Sequence[Result]) -> None:
    """Check that every team has a name of its own, and every player one team and a result."""
    names: dict[str, int] = {}
    first: dict[str, int] = {}
    there = {player for result in results for player in (result.first, result.second)}
    there |= set(entry.all("players"))
    for group in entry.all("teams"):
        at, hint = (group.line, "teams"), "name it otherwise"
        log.check_once(names, group.get("name") or "", at, f"the team {group.get('name')}", hint)
        for item in group.get("players") or ():
            at = item.line, group.place
            log.check_once(first, item.value, at, f"`{item.value}`", "keep one of the two")
            if item.value not in there:
                hint = log.suggest(item.value, there, "correct the name or add the results")
                log.error(*at, f"`{item.value}` is not in the event", hint)


def _check_points(
    log: ProblemLog, entry: Entry, teams: Sequence[Team], results: Sequence[Result]
) -> None:
    """Check published scores: the sums of the results where all are there, else no less."""
    made = sums(teams, results)
    is_whole = entry.get("completeness") in (None, "complete")
    everybody = team_by_player(teams).keys()
    is_whole &= all({result.first, result.second} <= everybody for result in results)
    for team, group in zip(teams, entry.all("teams"), strict=True):
        if team.points is None:
            continue
        known = made[team.name]
        is_wrong = abs(team.points - known) > TOLERANCE if is_whole else team.points < known
        if is_wrong:
            points = number_text(team.points)
            message = f"{points} points, but the results make {number_text(known)}"
            log.error(group.line, group.place, message, "correct the points, a result or a team")


def sums(teams: Sequence[Team], results: Sequence[Result]) -> Mapping[str, float]:
    """Return the points [points] of each team in the results that count, by its name."""
    team_of = team_by_player(teams)
    made = {team.name: 0.0 for team in teams}
    for result in results:
        if result.uncounted is None:
            for player, points in _sides(result):
                if player in team_of:
                    made[team_of[player]] += points
    return made


def team_by_player(teams: Sequence[Team]) -> Mapping[str, str]:
    """Return the name of the team of each player whose team is known."""
    return {player: team.name for team in teams for player in team.players}


def _sides(result: Result) -> tuple[tuple[str, float], tuple[str, float]]:
    return (result.first, result.points_first), (result.second, result.points_second)


def final_scores(event: Event) -> Mapping[str, float] | None:
    """Return the final points [points] of each team by its name, None where they are not known.

    They are as published or, of two teams, the sums of the results where all are here.
    """
    published = {team.name: team.points for team in event.teams if team.points is not None}
    if event.teams and len(published) == len(event.teams):
        return published
    everybody = team_by_player(event.teams).keys()
    is_whole = event.completeness == "complete" and everybody == set(event.players)
    return sums(event.teams, event.results) if is_whole and len(event.teams) == 2 else None
