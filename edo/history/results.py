"""Cells of a crosstable, pairings and rounds come in; results go out, alike games in one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, groupby
from typing import Any

from edo.core.model import Mark, Result, Round
from edo.history.annotations import (
    Pair,
    Remarks,
    Said,
    check_remarks,
    default_without_mark,
    played,
    read_pair,
    read_said,
)
from edo.history.crosstable import Row
from edo.history.notation import TOLERANCE, Proportion, Score, number_text
from edo.history.reading import Desk, Entry, Worded

WON_BY_DEFAULT = "won by default"
BOTH_DEFAULTED = "lost by default by both"

_Alike = tuple[Said, str | None]
"""What is said of a game, and how it was won without play, where it was."""


@dataclass(frozen=True, slots=True)
class _Game:
    """One game of a pair; `both_lost` where both forfeited it."""

    mark: Mark
    both_lost: bool = False


@dataclass(slots=True)
class Played:
    """The results of a file as far as read, and each pair's lists of games for the remarks.

    `sound` is False where something could not be read, so that what depends on all of it waits.
    `year` is the event's.
    """

    desk: Desk
    remarks: Remarks
    year: int | None = None
    results: list[Result] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)
    not_played: set[Pair] = field(default_factory=set)
    unknown: set[Pair] = field(default_factory=set)
    lists: dict[Pair, list[tuple[Mark, ...]]] = field(default_factory=dict)
    byes: dict[str, int] = field(default_factory=dict)
    sound: bool = True

    def add_crosstable(self, rows: Sequence[Row]) -> None:
        """Add the upper triangle of a crosstable, row by row."""
        for (i, row), (j, other) in combinations(enumerate(rows), 2):
            cell, back = row.cells[j], other.cells[i]
            if cell is None or back is None:
                continue
            pair = frozenset((row.player, other.player))
            self.lists[pair] = [cell.marks]
            if not cell.played:
                self.not_played.add(pair)
                continue
            if cell.unknown:
                self.unknown.add(pair)
            games = [
                _Game(mark, mark.value == answer.value == "-")
                for mark, answer in zip(cell.marks, back.marks, strict=True)
            ]
            said = [self.remarks.on(pair, number) for number in range(1, len(games) + 1)]
            self.results += _split(_empty((row.player, other.player), None, row.line), games, said)

    def add_pairings(self, items: Iterable[Worded], round_: int | None = None) -> None:
        """Add a list of pairings, perhaps those of one round (its index)."""
        for item in items:
            entry: Entry = item.value
            players = read_pair(self.desk, entry)
            if players is None:
                self.sound = False
            else:
                self._add_pairing(entry, players, round_)

    def _add_pairing(self, entry: Entry, players: tuple[str, str], round_: int | None) -> None:
        said, empty = read_said(self.desk, entry, players), _empty(players, round_, entry.line)
        pair = frozenset(players)
        marks: tuple[Mark, ...] | None = entry.get("games")
        self.lists.setdefault(pair, []).append(marks or ())
        if marks is not None:
            if message := default_without_mark(said, marks):
                self.desk.error(entry.line_of("default"), entry.place, *message)
            games = [_Game(mark) for mark in marks]
            every = [self.remarks.on(pair, n).over(said) for n in range(1, len(games) + 1)]
            made = _split(empty, games, every)
        else:
            made = self._without_games(entry, said, empty)
        check_taken(self.desk, entry)
        divided = by_years(self.desk, entry, made, self.year) if made else []
        self.sound = self.sound and bool(divided)
        self.results += divided

    def _without_games(self, entry: Entry, said: Said, empty: Result) -> list[Result]:
        made = None
        if entry.get("score") is not None:
            made = by_score(self.desk, entry, said, empty)
        elif entry.get("proportion") is not None:
            made = by_proportion(self.desk, entry, said, empty)
        return [] if made is None else [made]

    def add_rounds(self, items: Iterable[Worded], team_match: bool) -> None:
        """Add rounds with their pairings; teams belong to a team match only."""
        sides: dict[str, str] = {}
        for index, item in enumerate(items):
            entry: Entry = item.value
            teams = self._teams(entry, team_match)
            pairings: tuple[Worded, ...] = entry.get("pairings") or ()
            byes = self._byes(entry, pairings)
            self.rounds.append(Round(entry.get("name") or "", teams, entry.get("note"), byes))
            self.sound = self.sound and bool(pairings)
            self.add_pairings(pairings, index)
            if teams is not None:
                self._check_sides(pairings, teams, sides)

    def _byes(self, entry: Entry, pairings: Iterable[Worded]) -> tuple[str, ...]:
        """Return who went on without a game; for each the line is kept where the file says so."""
        playing = {item.value for pair in pairings for item in pair.value.get("players") or ()}
        byes: tuple[Worded, ...] = entry.get("byes") or ()
        for index, item in enumerate(byes):
            self.byes.setdefault(item.value, item.line)
            if item.value in playing:
                message = f"`{item.value}` has a bye and plays in the same round"
                self.desk.error(item.line, entry.place, message, "correct one of the two")
            elif item.value in {earlier.value for earlier in byes[:index]}:
                message = f"`{item.value}` has two byes in the same round"
                self.desk.error(item.line, entry.place, message, "keep one of the two")
        return tuple(item.value for item in byes)

    def _teams(self, entry: Entry, team_match: bool) -> tuple[str, str] | None:
        named: tuple[Worded, ...] | None = entry.get("teams")
        if named is None:
            return None
        first, second = (item.value for item in named)
        if not team_match:
            self.desk.error(
                entry.line_of("teams"),
                entry.place,
                "teams in an event that is no team match",
                "make the kind `team match` or delete the teams",
            )
        if first == second:
            self.desk.error(
                entry.line_of("teams"), entry.place, "a team against itself", "name two teams"
            )
        return first, second

    def _check_sides(
        self, pairings: Iterable[Worded], teams: tuple[str, str], sides: dict[str, str]
    ) -> None:
        for entry in (item.value for item in pairings):
            for item, team in zip(entry.get("players") or (), teams, strict=False):
                if sides.setdefault(item.value, team) != team:
                    self.desk.error(
                        entry.line_of("players"),
                        entry.place,
                        f"`{item.value}` plays for {team}, before for {sides[item.value]}",
                        "exchange the two players",
                    )

    def check_remarks(self) -> None:
        """Note remarks on games that are not there."""
        check_remarks(self.desk, self.remarks, self.lists)


def _empty(players: Sequence[str], round_: int | None, line: int) -> Result:
    """Return what all results of one cell or pairing have in common, without games."""
    return Result(players[0], players[1], 0.0, 0.0, 0.0, round=round_, line=line)


def _split(empty: Result, games: Sequence[_Game], said: Sequence[Said]) -> list[Result]:
    """Return a result for each run of games of which the same is said, so that order is kept."""
    alike = [
        (played(words), _default(game, words)) for game, words in zip(games, said, strict=True)
    ]
    return [
        _sum(empty, games[run[0] : run[-1] + 1], run[0] + 1, *what) for what, run in _runs(alike)
    ]


def _runs(alike: Sequence[_Alike]) -> Iterator[tuple[_Alike, list[int]]]:
    for what, run in groupby(range(len(alike)), key=alike.__getitem__):
        yield what, list(run)


def _sum(
    empty: Result, games: Sequence[_Game], number: int, said: Said, default: str | None
) -> Result:
    points = sum([game.mark.points for game in games])
    lost = sum([game.both_lost for game in games])
    return Result(  # written out, because `replace` takes a fifth of the reading of a crosstable
        empty.first,
        empty.second,
        points,
        len(games) - points - lost,
        float(len(games)),
        tuple([game.mark for game in games]),
        number=number,
        round=empty.round,
        default=default,
        line=empty.line,
        **words(said),
    )


def _default(game: _Game, said: Said) -> str | None:
    if game.both_lost:
        return said.default or BOTH_DEFAULTED
    return (said.default or WON_BY_DEFAULT) if game.mark.value in "+-" else None


def words(said: Said) -> dict[str, Any]:
    """Return what is said as fields of a Result, but for the default, which the marks decide."""
    return {
        "odds": said.odds,
        "soft": said.soft,
        "unrated": said.unrated,
        "note": said.note,
        "sources": said.sources,
        "uncounted": said.uncounted,
    }


def by_score(desk: Desk, entry: Entry, said: Said, empty: Result) -> Result | None:
    """Return the games of a `score`, or None where it cannot be one."""
    score: Score = entry.get("score")
    if score.first + score.second == 0 and said.default is not None:
        nobody = replace(empty, games=1.0, marks=(Mark("-"),))
        return replace(nobody, default=said.default, **words(said))
    if message := _impossible(score, said):
        desk.error(entry.line_of("score"), entry.place, *message)
        return None
    return replace(
        empty,
        points_first=score.first,
        points_second=score.second,
        games=score.first + score.second,
        draws=score.draws,
        default=said.default,
        **words(said),
    )


def _impossible(score: Score, said: Said) -> tuple[str, str] | None:
    games = score.first + score.second
    made = f"{number_text(score.first)} + {number_text(score.second)} points"
    if games == 0:
        return f"{made} are no games", "write the score, or `default` and why nobody played"
    if said.soft is not None:
        return None
    if abs(games - round(games)) > TOLERANCE:
        return (f"{made} do not make a whole number of games", "correct a score or mark it soft")
    if (2 * score.first) % 1 != 0:
        return f"{made} are not in halves", "correct a score or mark it soft"
    return None


def by_proportion(desk: Desk, entry: Entry, said: Said, empty: Result) -> Result | None:
    """Return the few games that stand for a proportion, or None where they are not all stated."""
    stated: Proportion = entry.get("proportion")
    taken: int | None = entry.get("games_taken")
    line = entry.line_of("proportion")
    if said.default is not None:
        desk.error(line, entry.place, "a proportion of games by default", "keep one of the two")
    if "soft" not in entry.lines:
        hint = "say under `soft` what it rests on"
        desk.error(line, entry.place, "a proportion that is not marked soft", hint)
    if "games_taken" not in entry.lines:
        hint = "add `games_taken`, a few games that it is rated as"
        desk.error(line, entry.place, "a proportion without a number of games", hint)
    if taken is None or said.default is not None:
        return None
    points = taken * stated.share
    return replace(
        empty,
        points_first=points,
        points_second=taken - points,
        games=float(taken),
        proportion=stated.text,
        **words(said),
    )


def check_taken(desk: Desk, entry: Entry) -> None:
    """Note an error where `games_taken` stands without the proportion that it belongs to."""
    if "games_taken" in entry.lines and "proportion" not in entry.lines:
        desk.error(
            entry.line_of("games_taken"),
            entry.place,
            "`games_taken` without a proportion",
            "write the `proportion` or delete it",
        )


def by_years(
    desk: Desk, entry: Entry, results: list[Result], event_year: int | None
) -> list[Result]:
    """Return the results divided over the years of `split`, pro rata; [] where that cannot be."""
    years: dict[int, int] | None = entry.get("split")
    if years is None:
        return [] if "split" in entry.lines else results
    if message := _undivided(years, results, event_year):
        desk.error(entry.line_of("split"), entry.place, *message)
        return []
    games = sum(years.values())
    return [
        _share(result, year, years[year], games) for year in sorted(years) for result in results
    ]


def _undivided(
    years: dict[int, int], results: list[Result], event_year: int | None
) -> tuple[str, str] | None:
    games, split = sum([result.games for result in results]), sum(years.values())
    if abs(games - split) > TOLERANCE:
        return (
            f"{split} games in the years, {number_text(games)} in all",
            "correct the score or the games of a year",
        )
    if len(years) > 1 and any(result.marks for result in results):
        return (
            "single games divided over several years",
            "make a pairing for each year, with a `split` of that year alone",
        )
    if event_year is not None and max(years) > event_year:
        return (
            f"games of {max(years)} in an event that finished in {event_year}",
            "correct a year",
        )
    return None


def _share(result: Result, year: int, part: int, games: int) -> Result:
    """Return what falls to a year; how many of its games were drawn is not known."""
    if part == games:
        return replace(result, year=year)
    return replace(
        result,
        points_first=result.points_first * part / games,
        points_second=result.points_second * part / games,
        games=result.games * part / games,
        draws=None,
        year=year,
    )


def read_classes(desk: Desk, entry: Entry, players: Iterable[str]) -> Mapping[str, str]:
    """Return the class of each player; whoever is in none or in two is noted."""
    items: Sequence[Worded] = entry.get("classes") or ()
    found: dict[str, str] = {}
    names: set[str] = set()
    for group in (item.value for item in items):
        name: str = group.get("name") or ""
        if name in names:
            desk.error(group.line, group.place, "a second class of this name", "name it otherwise")
        names.add(name)
        for item in group.get("players") or ():
            if item.value in found:
                message = f"`{item.value}` is in two classes"
                desk.error(item.line, group.place, message, "keep one of the two")
            found.setdefault(item.value, name)
    _check_players(desk, entry, found, tuple(players))
    return found


def _check_players(
    desk: Desk, entry: Entry, found: Mapping[str, str], players: Sequence[str]
) -> None:
    if not found:
        return
    line = entry.line_of("classes")
    for player in players:
        if player not in found:
            desk.error(line, "classes", f"`{player}` is in no class", "add the player to one")
    for player in found:
        if player not in players:
            hint = "correct the name or add the results"
            desk.error(line, "classes", f"`{player}` is not in the event", hint)


def set_apart(results: Iterable[Result], classes: Mapping[str, str]) -> tuple[Result, ...]:
    """Return the results, those between two classes with that as the reason not to be rated.

    The handicap between classes is no odds of a known worth.
    """
    return tuple(
        result
        if result.unrated is not None or classes.get(result.first) == classes.get(result.second)
        else replace(
            result,
            unrated=f"played at a handicap between {classes[result.first]} and "
            f"{classes[result.second]}",
        )
        for result in results
    )
