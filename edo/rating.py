"""The Edo pass: pairings in, ratings with deviations of every player-year out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from edo.scores import Pairing


@dataclass(frozen=True, slots=True)
class PlayerYear:
    """A player's published numbers of one year; `games` is 0 in the years of a gap.

    `rating`, `deviation` [Elo] are adjusted, the raw ones come from the fit. `rank` is among all
    rated player-years of the year, gaps included. `score` [points] and `games` are those that
    entered the fit.
    """

    player: str
    year: int
    rating: float
    deviation: float
    raw_rating: float
    raw_deviation: float
    rank: int
    score: float
    games: float

    @property
    def is_gap(self) -> bool:
        """Whether the player has no rated result in this year."""
        return self.games == 0


@dataclass(frozen=True, slots=True)
class Ratings:
    """The outcome of a pass.

    `players` holds each rated player's years, ascending; `years` each year's list, by rank;
    `unrated` the reason in words for everyone left out; `pairings` what entered the fit.
    """

    players: Mapping[str, tuple[PlayerYear, ...]]
    years: Mapping[int, tuple[PlayerYear, ...]]
    unrated: Mapping[str, str]
    pairings: tuple[Pairing, ...]

    def of(self, player: str, year: int) -> PlayerYear | None:
        """Return the player's numbers of the year, or None where he has none."""
        years = self.players.get(player)
        if years is None or not years[0].year <= year <= years[-1].year:
            return None
        return years[year - years[0].year]
