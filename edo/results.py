"""Cells of a crosstable, pairings and rounds come in; results go out, alike games in one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, groupby
from typing import Any

from edo.crosstable import Row
from edo.notation import TOLERANCE, Score, number_text
from edo.reading import Desk, Entry, Worded
from edo.records import Mark, Result, Round
from edo.remarks import (
    Pair,
    Remarks,
    Said,
    check_remarks,
    default_without_mark,
    played,
    read_pair,
    read_said,
)

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
    """

    desk: Desk
    remarks: Remarks
    results: list[Result] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)
    not_played: set[Pair] = field(default_factory=set)
    unknown: set[Pair] = field(default_factory=set)
    lists: dict[Pair, list[tuple[Mark, ...]]] = field(default_factory=dict)
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
        score: Score | None = entry.get("score")
        self.lists.setdefault(pair, []).append(marks or ())
        if marks is not None:
            if finding := default_without_mark(said, marks):
                self.desk.error(entry.line_of("default"), entry.place, *finding)
            games = [_Game(mark) for mark in marks]
            every = [self.remarks.on(pair, n).over(said) for n in range(1, len(games) + 1)]
            self.results += _split(empty, games, every)
        elif score is not None:
            self.results += self._scored(entry, score, said, empty)
        else:
            self.sound = False

    def _scored(self, entry: Entry, score: Score, said: Said, empty: Result) -> list[Result]:
        games = score.first + score.second
        if games == 0 and said.default is not None:
            return [
                replace(empty, games=1.0, marks=(Mark("-"),), default=said.default, **_words(said))
            ]
        if finding := _impossible(score, said):
            self.desk.error(entry.line_of("score"), entry.place, *finding)
            self.sound = False
            return []
        return [
            replace(
                empty,
                points_first=score.first,
                points_second=score.second,
                games=games,
                draws=score.draws,
                default=said.default,
                **_words(said),
            )
        ]

    def add_rounds(self, items: Iterable[Worded], team_match: bool) -> None:
        """Add rounds with their pairings; teams belong to a team match only."""
        sides: dict[str, str] = {}
        for index, item in enumerate(items):
            entry: Entry = item.value
            teams = self._teams(entry, team_match)
            self.rounds.append(Round(entry.get("name") or "", teams, entry.get("note")))
            pairings: tuple[Worded, ...] = entry.get("pairings") or ()
            self.sound = self.sound and bool(pairings)
            self.add_pairings(pairings, index)
            if teams is not None:
                self._check_sides(pairings, teams, sides)

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
    return replace(
        empty,
        points_first=points,
        points_second=len(games) - points - lost,
        games=float(len(games)),
        marks=tuple([game.mark for game in games]),
        number=number,
        default=default,
        **_words(said),
    )


def _words(said: Said) -> dict[str, Any]:
    """Return what is said as fields of a Result, but for the default, which the marks decide."""
    return {
        "odds": said.odds,
        "soft": said.soft,
        "unrated": said.unrated,
        "note": said.note,
        "sources": said.sources,
    }


def _default(game: _Game, said: Said) -> str | None:
    if game.both_lost:
        return said.default or BOTH_DEFAULTED
    return (said.default or WON_BY_DEFAULT) if game.mark.value in "+-" else None
