"""What a file says of games beside their score comes in; what is said of each game goes out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from edo.core.model import Citation, Mark, Odds
from edo.history.reading import Desk, Entry, Worded, citations

Pair = frozenset[str]


@dataclass(frozen=True, slots=True)
class Said:
    """What is said of some games of a pair: the fields of a Result beside its score."""

    odds: Odds | None = None
    soft: str | None = None
    unrated: str | None = None
    default: str | None = None
    note: str | None = None
    sources: tuple[Citation, ...] = ()
    uncounted: str | None = None

    def over(self, general: Said) -> Said:
        """Return this, filled up with what is said more generally; sources add up."""
        return Said(
            self.odds or general.odds,
            self.soft or general.soft,
            self.unrated or general.unrated,
            self.default or general.default,
            self.note or general.note,
            general.sources + self.sources,
            self.uncounted or general.uncounted,
        )


NOTHING = Said()


def read_said(desk: Desk, entry: Entry, players: Sequence[str]) -> Said:
    """Return what a pairing or remark says; games at unrated odds get that reason."""
    odds = _read_odds(desk, entry, players)
    unrated = entry.get("unrated")
    if odds is not None and unrated is None:
        unrated = desk.known.unrated_odds.get(odds.kind)
    return Said(
        odds,
        entry.get("soft"),
        unrated,
        entry.get("default"),
        entry.get("note"),
        citations(entry),
        entry.get("uncounted"),
    )


def _read_odds(desk: Desk, entry: Entry, players: Sequence[str]) -> Odds | None:
    odds: Entry | None = entry.get("odds")
    if odds is None or odds.get("giver") is None or odds.get("kind") is None:
        return None
    giver: str = odds.get("giver")
    if giver not in players:
        desk.error(
            odds.line_of("giver"),
            odds.place,
            f"the giver `{giver}` is not one of the two players",
            f"write `{players[0]}` or `{players[1]}`",
        )
    return Odds(giver, odds.get("kind"))


def read_pair(desk: Desk, entry: Entry) -> tuple[str, str] | None:
    """Return the two players of a pairing or remark, or None where they cannot be a pair."""
    named: tuple[Worded, ...] | None = entry.get("players")
    if named is None:
        return None
    first, second = (item.value for item in named)
    if first == second:
        desk.error(
            entry.line_of("players"),
            entry.place,
            "a player is paired with the same player",
            "name two players",
        )
        return None
    return first, second


@dataclass(frozen=True, slots=True)
class _Remark:
    said: Said
    game: int | None
    entry: Entry


@dataclass(frozen=True, slots=True)
class Remarks:
    """The remarks of a file, by pair."""

    by_pair: Mapping[Pair, Sequence[_Remark]] = field(default_factory=dict)

    def on(self, pair: Pair, game: int) -> Said:
        """Return what is said of one game of the pair; the more special remark goes first."""
        said = NOTHING
        for remark in sorted(self.by_pair.get(pair, ()), key=lambda remark: remark.game or 0):
            if remark.game in (None, game):
                said = remark.said.over(said)
        return said

    def counts(self, pair: Pair, game: int) -> bool:
        """Whether one game of the pair counts in the event's totals."""
        return self.on(pair, game).uncounted is None

    def counted(self, pair: Pair, games: int) -> int:
        """Return how many of the pair's first games count in the event's totals."""
        return sum([self.counts(pair, game) for game in range(1, games + 1)])


def read_remarks(desk: Desk, items: Iterable[Worded]) -> Remarks:
    """Return the remarks; those that say nothing or stand twice are noted."""
    by_pair: dict[Pair, list[_Remark]] = {}
    for entry in (item.value for item in items):
        pair = read_pair(desk, entry)
        if pair is None:
            continue
        said, game = read_said(desk, entry, pair), entry.get("game")
        if not set(entry.lines) - {"players", "game"}:
            desk.error(
                entry.line,
                entry.place,
                "the remark says nothing",
                "add a note, `soft`, `odds`, `unrated`, `default`, `uncounted` or sources",
            )
        earlier = by_pair.setdefault(frozenset(pair), [])
        for other in earlier:
            if other.game == game:
                desk.error(
                    entry.line,
                    entry.place,
                    f"a second remark on the same games (first on line {other.entry.line})",
                    "make one of the two",
                )
        earlier.append(_Remark(said, game, entry))
    return Remarks(by_pair)


def check_remarks(
    desk: Desk, remarks: Remarks, known: Mapping[Pair, Sequence[tuple[Mark, ...]]]
) -> None:
    """Note remarks on games that are not there; `known` holds each pair's lists of games.

    A pair of which only a score is known has an empty list.
    """
    for pair, said in remarks.by_pair.items():
        for remark in said:
            message = _misplaced(remark, known.get(pair))
            if message is not None:
                desk.error(remark.entry.line, remark.entry.place, *message)
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
        return (
            f"game {remark.game} of {len(marks)}",
            f"write a number from 1 to {len(marks)}" if len(marks) > 1 else "leave it out",
        )
    about = marks if remark.game is None else marks[remark.game - 1 : remark.game]
    return default_without_mark(remark.said, about)


def default_without_mark(said: Said, marks: Iterable[Mark]) -> tuple[str, str] | None:
    """Return finding and remedy where `default` is said of games that were all played."""
    if said.default is not None and not any(mark.value in "+-" for mark in marks):
        return (
            "`default` is said of games of which none is marked so",
            "write the game as `+` or `-`",
        )
    return None


def played(said: Said) -> Said:
    """Return what is said of those games that were played: the word on defaults is not theirs."""
    return replace(said, default=None) if said.default is not None else said
