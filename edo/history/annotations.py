"""Annotations of games: odds, notes, sources and the reasons for a special treatment.

A pairing annotates its games itself; `remarks` annotate games of a crosstable or of a list.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from edo.core.model import Citation, Mark, Odds
from edo.history.reading import Entry, ProblemLog, citations

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
        return {name: getattr(self, name) for name in self.__slots__ if name != "default"}


NO_ANNOTATION = Annotation()


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
        for other in earlier:
            if other.game == game:
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
