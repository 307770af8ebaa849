"""An event in; what its totals say of games that nobody recorded, pair by pair, out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from edo.core import formats
from edo.core.model import Event, OddsKind
from edo.rating.pairings import Pairing, is_totals_only, pairings_of

Kind = Literal["totals", "guess"]

WORDS: Mapping[str, str] = {"totals": "from the totals", "guess": "a guess"}
"""What is said of scores of either kind."""


@dataclass(frozen=True, slots=True)
class Deduced:
    """The points [points] of so many games [games] that one player is taken to have made."""

    kind: Kind
    points: float
    games: float

    @property
    def text(self) -> str:
        """Return the score with one decimal, `1.3/2`; of a single game the points alone."""
        points = formats.fixed(self.points, 1)
        if abs(self.games - 1) < 1e-9:
            return points
        is_whole = abs(self.games - round(self.games)) < 1e-9
        return f"{points}/{formats.fixed(self.games, 0 if is_whole else 1)}"

    @property
    def words(self) -> str:
        """Return how the score came about."""
        return WORDS[self.kind]


def deduced(event: Event, odds: Mapping[str, OddsKind]) -> dict[tuple[str, str], Deduced]:
    """Return what each player is taken to have made against each other, where results are missing.

    Of an event with nothing but totals there is no table to fill, and nothing is returned.
    """
    if not event.results or is_totals_only(event):
        return {}
    found: dict[tuple[str, str], Deduced] = {}
    for one in pairings_of(event, odds):
        if one.basis != "results":
            first, second = one.first.player, one.second.player
            found[first, second] = Deduced(one.basis, one.score, one.games)
            found[second, first] = Deduced(one.basis, one.games - one.score, one.games)
    return found


def deduced_games(pairings: Iterable[Pairing]) -> float:
    """Return how many games [games] of an event that entered the fit are not results."""
    return sum(one.games for one in pairings if one.basis != "results")
