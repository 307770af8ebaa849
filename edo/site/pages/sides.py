"""Results in, the same results as one of the two players sees them out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from edo.core import formats
from edo.core.model import Mark, MarkValue, Result
from edo.history.notation import opposite

_SHOWN: dict[MarkValue, str] = {
    "1": "1",
    "0": "0",
    "=": formats.HALF,
    "+": "+",
    "-": formats.MINUS,
}


@dataclass(frozen=True, slots=True)
class Encounter:
    """A result from one player's side; `odds` says whether he gave or received them."""

    opponent: str
    points: float
    games: float
    marks: tuple[MarkValue, ...]
    odds: Literal["gave", "received"] | None
    result: Result

    @property
    def tally(self) -> tuple[float, float, float] | None:
        """Return the games won, drawn and lost from this side, None where it is not known."""
        tally = self.result.tally
        is_second = self.opponent == self.result.first
        return tally[::-1] if tally is not None and is_second else tally


def encounters(results: Iterable[Result], player: str) -> Iterator[Encounter]:
    """Yield the results in which the player took part, from his side, in their order."""
    for result in results:
        if player == result.first:
            marks = tuple(mark.value for mark in result.marks)
            yield _encounter(result, player, result.second, result.points_first, marks)
        elif player == result.second:
            marks = tuple(_mirrored(mark, result) for mark in result.marks)
            yield _encounter(result, player, result.first, result.points_second, marks)


def shown_marks(marks: Iterable[MarkValue]) -> str:
    """Return games as a crosstable prints them: `1 ½ 0`."""
    return " ".join(_SHOWN[mark] for mark in marks)


def _encounter(
    result: Result, player: str, opponent: str, points: float, marks: tuple[MarkValue, ...]
) -> Encounter:
    odds: Literal["gave", "received"] | None = None
    if result.odds is not None:
        odds = "gave" if result.odds.giver == player else "received"
    return Encounter(opponent, points, result.games, marks, odds, result)


def _mirrored(mark: Mark, result: Result) -> MarkValue:
    """Return the mark from the other side; a game that both forfeited stays `-`."""
    if mark.value == "-" and result.points_second == 0:
        return "-"
    return opposite(mark).value
