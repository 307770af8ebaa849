"""Results of an event, read from its crosstable, pairings and rounds, with their annotations.

A pairing annotates its games itself; `remarks` annotate games of a crosstable or of a list.
Neighbouring games of a pair with the same annotation make one result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, groupby
from typing import Any, NamedTuple

from edo.core.model import Citation, Event, Mark, Odds, Result, Round
from edo.history.crosstable import Row
from edo.history.notation import TOLERANCE, Proportion, Score, number_text
from edo.history.reading import Entry, ProblemLog, citations

WON_BY_DEFAULT = "won by default"
BOTH_DEFAULTED = "lost by default by both"

Pair = frozenset[str]

_TEXTS = ("soft", "unrated", "default", "note", "uncounted")


@dataclass(frozen=True, slots=True)
class Annotation:
    """What a file states of some games of a pair besides their score, as fields of a Result."""

    odds: Odds | None = None
    soft: str | None = None
    unrated: str | None = None
    default: str | None = None
    note: str | None = None
    uncounted: str | None = None
    sources: tuple[Citation, ...] = ()

    def over(self, general: Annotation) -> Annotation:
        """Return this annotation, filled up with a more general one; sources add up."""
        texts = {name: getattr(self, name) or getattr(general, name) for name in _TEXTS}
        sources = general.sources + self.sources
        return Annotation(odds=self.odds or general.odds, sources=sources, **texts)

    def result_fields(self) -> dict[str, Any]:
        """Return the fields of a Result except `default`, which the marks of the games decide."""
        if self is NO_ANNOTATION:  # nearly all are
            return _NO_FIELDS
        return {name: getattr(self, name) for name in self.__slots__ if name != "default"}


NO_ANNOTATION = Annotation()
_NO_FIELDS = {name: getattr(NO_ANNOTATION, name) for name in Annotation.__slots__}
del _NO_FIELDS["default"]


def read_annotation(log: ProblemLog, entry: Entry, players: Sequence[str]) -> Annotation:
    """Return the annotation in a pairing or remark; games at unrated odds get that reason."""
    odds = _read_odds(log, entry, players)
    texts = {name: entry.get(name) for name in _TEXTS}
    if odds is not None and texts["unrated"] is None:
        texts["unrated"] = log.known.unrated_odds.get(odds.kind)
    return Annotation(odds=odds, sources=citations(entry), **texts)


def _read_odds(log: ProblemLog, entry: Entry, players: Sequence[str]) -> Odds | None:
    odds: Entry | None = entry.get("odds")
    if odds is None or odds.get("giver") is None or odds.get("kind") is None:
        return None
    giver: str = odds.get("giver")
    if giver not in players:
        message = f"the giver `{giver}` is not one of the two players"
        log.error(*odds.at("giver"), message, f"write `{players[0]}` or `{players[1]}`")
    return Odds(giver, odds.get("kind"))


def read_pair(log: ProblemLog, entry: Entry) -> tuple[str, str] | None:
    """Return the two players of a pairing or remark, or None where they cannot be a pair."""
    if entry.get("players") is None:
        return None
    first, second = entry.all("players")
    if first == second:
        message = "a player is paired with the same player"
        log.error(*entry.at("players"), message, "name two players")
        return None
    return first, second


@dataclass(frozen=True, slots=True)
class _Remark:
    annotation: Annotation
    game: int | None
    entry: Entry


@dataclass(frozen=True, slots=True)
class Remarks:
    """The remarks of a file, by pair."""

    by_pair: Mapping[Pair, Sequence[_Remark]] = field(default_factory=dict)

    def on(self, pair: Pair, game: int) -> Annotation:
        """Return the annotation of one game of the pair; a remark on one game goes first."""
        found = NO_ANNOTATION
        if pair not in self.by_pair:
            return found
        for remark in sorted(self.by_pair.get(pair, ()), key=lambda remark: remark.game or 0):
            if remark.game in (None, game):
                found = remark.annotation.over(found)
        return found

    def counts(self, pair: Pair, game: int) -> bool:
        """Whether one game of the pair counts in the event's totals."""
        return self.on(pair, game).uncounted is None

    def counted(self, pair: Pair, games: int) -> int:
        """Return how many of the pair's first games count in the event's totals."""
        return sum([self.counts(pair, game) for game in range(1, games + 1)])


def read_remarks(log: ProblemLog, entries: Iterable[Entry]) -> Remarks:
    """Return the remarks; empty and repeated ones are errors."""
    by_pair: dict[Pair, list[_Remark]] = {}
    for entry in entries:
        pair = read_pair(log, entry)
        if pair is None:
            continue
        annotation, game = read_annotation(log, entry, pair), entry.get("game")
        if not set(entry.lines) - {"players", "game"}:
            hint = "add a note, `soft`, `odds`, `unrated`, `default`, `uncounted` or sources"
            log.error(entry.line, entry.place, "the remark says nothing", hint)
        earlier = by_pair.setdefault(frozenset(pair), [])
        for other in (remark for remark in earlier if remark.game == game):
            message = f"a second remark on the same games (first on line {other.entry.line})"
            log.error(entry.line, entry.place, message, "make one of the two")
        earlier.append(_Remark(annotation, game, entry))
    return Remarks(by_pair)


def check_remarks(
    log: ProblemLog, remarks: Remarks, known: Mapping[Pair, Sequence[tuple[Mark, ...]]]
) -> None:
    """Add an error for remarks on games that are not there.

    `known` holds each pair's lists of games; a pair with a score only has an empty list.
    """
    for pair, of_pair in remarks.by_pair.items():
        for remark in of_pair:
            problem = _misplaced(remark, known.get(pair))
            if problem is not None:
                log.error(remark.entry.line, remark.entry.place, *problem)
                break


def _misplaced(remark: _Remark, lists: Sequence[tuple[Mark, ...]] | None) -> tuple[str, str] | None:
    if lists is None:
        return "the pair has no results here", "correct the names or delete the remark"
    if len(lists) > 1:
        return "the pair has several pairings", "say it in the pairing that it is about"
    marks = lists[0]
    if not marks:
        return "no single games of the pair are known", "say it in the pairing, or list the games"
    if remark.game is not None and remark.game > len(marks):
        hint = f"write a number from 1 to {len(marks)}" if len(marks) > 1 else "leave it out"
        return f"game {remark.game} of {len(marks)}", hint
    about = marks if remark.game is None else marks[remark.game - 1 : remark.game]
    return default_without_mark(remark.annotation, about)


def default_without_mark(annotation: Annotation, marks: Iterable[Mark]) -> tuple[str, str] | None:
    """Return message and hint where `default` is given for games that were all played."""
    if annotation.default is not None and not any(mark.value in "+-" for mark in marks):
        message = "`default` is given for games of which none is marked so"
        return message, "write the game as `+` or `-`"
    return None


class _Game(NamedTuple):
    """One game of a pair; `both_lost` where both forfeited it."""

    mark: Mark
    both_lost: bool = False

    def default(self, annotation: Annotation) -> str | None:
        """Return why the points were given without play, None where the game was played."""
        if self.both_lost:
            return annotation.default or BOTH_DEFAULTED
        return (annotation.default or WON_BY_DEFAULT) if self.mark.value in "+-" else None


@dataclass(slots=True)
class ResultsReader:
    """Collects the results of a file, and each pair's lists of games for the remarks.

    `sound` is False where something could not be read, so that checks of the whole must wait.
    `year` is the event's.
    """

    log: ProblemLog
    remarks: Remarks
    year: int | None = None
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
            annotations = [self.remarks.on(pair, number) for number in range(1, len(games) + 1)]
            empty = Result(row.player, other.player, 0.0, 0.0, 0.0, line=row.line)
            self.results += _results_of(empty, games, annotations)

    def add_pairings(self, entries: Iterable[Entry], round_: int | None = None) -> None:
        """Add a list of pairings, perhaps those of one round (its index)."""
        first: dict[tuple[Result, ...], int] = {}
        entries = tuple(entries)
        often = {pair for pair, n in Counter(map(_players_of, entries)).items() if n > 1}
        for entry in entries:
            players, before = read_pair(self.log, entry), len(self.results)
            if players is None:
                self.sound = False
                continue
            self._add_pairing(entry, players, round_)
            if players not in often:
                continue
            made = tuple(replace(result, line=0) for result in self.results[before:])
            if made and (line := first.setdefault(made, entry.line)) != entry.line:
                message = f"the same result of the same pair as on line {line}"
                hint = "delete one of the two, or make one pairing of them"
                self.log.warning(entry.line, entry.place, message, hint)

    def _add_pairing(self, entry: Entry, players: tuple[str, str], round_: int | None) -> None:
        annotation = read_annotation(self.log, entry, players)
        empty = Result(*players, 0.0, 0.0, 0.0, round=round_, line=entry.line)
        pair = frozenset(players)
        marks: tuple[Mark, ...] | None = entry.get("games")
        self.lists.setdefault(pair, []).append(marks or ())
        made: list[Result] = []
        if marks is not None:
            if problem := default_without_mark(annotation, marks):
                self.log.error(*entry.at("default"), *problem)
            numbers = range(1, len(marks) + 1)
            every = [self.remarks.on(pair, number).over(annotation) for number in numbers]
            made = _results_of(empty, [_Game(mark) for mark in marks], every)
        elif entry.get("score") is not None:
            made = _by_score(self.log, entry, annotation, empty)
        elif entry.get("proportion") is not None:
            made = _by_proportion(self.log, entry, annotation, empty)
        if "games_taken" in entry.lines and "proportion" not in entry.lines:
            message = "`games_taken` without a proportion"
            self.log.error(*entry.at("games_taken"), message, "write the `proportion` or delete it")
        self.sound = self.sound and bool(made)
        year: int | None = entry.get("year")
        if year is not None and self.year is not None and year > self.year:
            message = f"games of {year} in an event that finished in {self.year}"
            self.log.error(*entry.at("year"), message, "correct the year")
        self.results += made if year is None else [replace(result, year=year) for result in made]

    def add_rounds(self, entries: Iterable[Entry]) -> None:
        """Add rounds with their pairings."""
        for index, entry in enumerate(entries):
            pairings: tuple[Entry, ...] = entry.all("pairings")
            self.rounds.append(Round(entry.get("name") or "", entry.get("note")))
            self.sound = self.sound and bool(pairings)
            self.add_pairings(pairings, index)


def _players_of(entry: Entry) -> tuple[str, ...]:
    return entry.all("players")


def _results_of(
    empty: Result, games: Sequence[_Game], annotations: Sequence[Annotation]
) -> list[Result]:
    """Return a result for each run of games with the same annotation, so that order is kept.

    `empty` is what all results of one cell or pairing have in common, without games.
    """
    alike = [
        (annotation.result_fields(), game.default(annotation))
        for game, annotation in zip(games, annotations, strict=True)
    ]
    if len(alike) == 1:  # most cells
        return [_result_of(empty, games, 1, *alike[0])]
    results = []
    for (fields, default), places in groupby(range(len(games)), key=alike.__getitem__):
        start, *rest = places
        run = games[start : start + 1 + len(rest)]
        results.append(_result_of(empty, run, start + 1, fields, default))
    return results


def _result_of(
    empty: Result, run: Sequence[_Game], number: int, fields: dict[str, Any], default: str | None
) -> Result:
    points = sum([game.mark.points for game in run])
    lost = sum([game.both_lost for game in run])
    return Result(  # `replace` would take a fifth of the reading of a crosstable
        empty.first,
        empty.second,
        points,
        len(run) - points - lost,
        float(len(run)),
        tuple([game.mark for game in run]),
        number=number,
        round=empty.round,
        default=default,
        line=empty.line,
        **fields,
    )


def _by_score(log: ProblemLog, entry: Entry, annotation: Annotation, empty: Result) -> list[Result]:
    """Return the games of a `score`, [] where it is impossible."""
    score: Score = entry.get("score")
    games, default = score.first + score.second, annotation.default
    made: dict[str, Any] = {"games": 1.0, "marks": (Mark("-"),)}
    if games > 0 or default is None:  # else nobody appeared
        if problem := _impossible(score, annotation):
            log.error(*entry.at("score"), *problem)
            return []
        made = {"points_first": score.first, "points_second": score.second}
        made |= {"games": games, "draws": score.draws}
    return [replace(empty, default=default, **made, **annotation.result_fields())]


def _impossible(score: Score, annotation: Annotation) -> tuple[str, str] | None:
    games = score.first + score.second
    made = f"{number_text(score.first)} + {number_text(score.second)} points"
    if games == 0:
        return f"{made} are no games", "write the score, or `default` and why nobody played"
    if annotation.soft is not None:
        return None
    if abs(games - round(games)) > TOLERANCE:
        return f"{made} do not make a whole number of games", "correct a score or mark it soft"
    if (2 * score.first) % 1 != 0:
        return f"{made} are not in halves", "correct a score or mark it soft"
    return None


def _by_proportion(
    log: ProblemLog, entry: Entry, annotation: Annotation, empty: Result
) -> list[Result]:
    """Return the few games that stand for a proportion, [] where something is missing."""
    stated: Proportion = entry.get("proportion")
    taken: int | None = entry.get("games_taken")
    at = entry.at("proportion")
    if annotation.default is not None:
        log.error(*at, "a proportion of games by default", "keep one of the two")
    if "soft" not in entry.lines:
        hint = "say under `soft` what it rests on"
        log.error(*at, "a proportion that is not marked soft", hint)
    if "games_taken" not in entry.lines:
        hint = "add `games_taken`, a few games that it is rated as"
        log.error(*at, "a proportion without a number of games", hint)
    if taken is None or annotation.default is not None:
        return []
    points = taken * stated.share
    made: dict[str, Any] = annotation.result_fields() | {"proportion": stated.text}
    made |= {"points_first": points, "points_second": taken - points, "games": float(taken)}
    return [replace(empty, **made)]


def read_classes(log: ProblemLog, entry: Entry, players: Sequence[str]) -> Mapping[str, str]:
    """Return each player's class in a handicap; every player must be in exactly one."""
    found: dict[str, str] = {}
    names: set[str] = set()
    for group in entry.all("classes"):
        name: str = group.get("name") or ""
        if name in names:
            log.error(group.line, group.place, "a second class of this name", "name it otherwise")
        names.add(name)
        for item in group.get("players") or ():
            if item.value in found:
                message = f"`{item.value}` is in two classes"
                log.error(item.line, group.place, message, "keep one of the two")
            found.setdefault(item.value, name)
    line = entry.line_of("classes")
    if names and not found:
        log.error(line, "classes", "nobody is in a class", "name the players of each class")
    for player in players if found else ():
        if player not in found:
            log.error(line, "classes", f"`{player}` is in no class", "add the player to one")
    for player in found:
        if player not in players:
            hint = "correct the name or add the results"
            log.error(line, "classes", f"`{player}` is not in the event", hint)
    return found


def class_names(entry: Entry) -> tuple[str, ...]:
    """Return the names of all classes, the best first."""
    return tuple(group.get("name") or "" for group in entry.all("classes"))


def read_class_odds(log: ProblemLog, entry: Entry) -> Mapping[int, str]:
    """Return the kind of odds that a class gave to the one that is so many classes below it."""
    odds: Mapping[int, str] = entry.get("class_odds") or {}
    line, number = entry.line_of("class_odds"), len(class_names(entry))
    if odds and "classes" not in entry.lines:
        log.error(line, "class_odds", "odds between classes without `classes`", "add the classes")
    elif odds and entry.get("players_in_all") is not None:
        message = "the classes of the players without a total are not known"
        log.error(line, "class_odds", message, "delete it; games within a class are rated")
    for below in odds if number else ():
        if below >= number:
            message = f"odds for a difference of {below} among {number} classes"
            log.error(line, "class_odds", message, "correct the difference or add the class")
    return odds


def at_class_odds(event: Event, unrated_odds: Mapping[str, str]) -> tuple[Result, ...]:
    """Return the results, those between two classes at the odds that the classes gave.

    Where these are not known, the handicap is the reason not to be rated. A result that states its
    own odds keeps them; `unrated_odds` has the reason for each kind that is not rated.
    """
    if not event.classes:
        return event.results

    def handicapped(result: Result) -> Result:
        first, second = (event.classes.get(one) for one in (result.first, result.second))
        if result.unrated is not None or result.odds is not None or first == second:
            return result
        odds = event.odds_between(result.first, result.second)
        if odds is None:
            return replace(result, unrated=f"played at a handicap between {first} and {second}")
        return replace(result, odds=odds, unrated=unrated_odds.get(odds.kind))

    return tuple(map(handicapped, event.results))
