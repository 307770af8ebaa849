"""Cells of a crosstable, pairings and rounds come in; results go out, alike games in one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, groupby

from edo.core.model import Mark, Result, Round
from edo.history.crosstable import Row
from edo.history.reading import Desk, Entry, Worded
from edo.history.remarks import (
    Pair,
    Remarks,
    Said,
    check_remarks,
    default_without_mark,
    played,
    read_pair,
    read_said,
)
from edo.history.scored import by_proportion, by_score, by_years, check_taken, words

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
