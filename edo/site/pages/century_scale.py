"""Ratings and the shape of a screen in, where years and ratings lie in a drawing out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from edo.rating.edo import PlayerYear, Ratings

FLOOR = 2250  # [Elo] below which nothing is drawn
ROOM = 60  # [Elo] above the highest curve, for its name


@dataclass(frozen=True, slots=True)
class Shape:
    """How large a drawing is, in units of its view box; `letters` is the size of its words."""

    name: str
    leaders: int
    width: float
    left: float
    right: float
    top: float
    bottom: float
    letters: float
    strip: float
    year_step: int

    @property
    def base(self) -> float:
        """Return the y on which the number ones stand."""
        return self.bottom + 3.6 * self.letters + self.strip

    @property
    def height(self) -> float:
        """Return the height of the whole."""
        return self.base + 1.6 * self.letters


WIDE = Shape("wide", 16, 1040.0, 48.0, 992.0, 8.0, 440.0, 16.0, 44.0, 10)
TALL = Shape("tall", 8, 340.0, 38.0, 310.0, 6.0, 330.0, 13.0, 36.0, 20)


@dataclass(frozen=True, slots=True)
class Scale:
    """Where years and ratings lie in a drawing."""

    shape: Shape
    first_year: int
    last_year: int
    lowest: float  # [Elo]
    highest: float  # [Elo]

    @property
    def year_width(self) -> float:
        """Return the room of a year."""
        return (self.shape.right - self.shape.left) / (self.last_year + 1 - self.first_year)

    def x(self, year: float) -> float:
        """Return the middle of a year."""
        return round(self.shape.left + (year + 0.5 - self.first_year) * self.year_width, 1)

    def y(self, rating: float) -> float:
        """Return the height of a rating [Elo], that of the floor for all below it."""
        share = (self.highest - max(rating, self.lowest)) / (self.highest - self.lowest)
        return round(self.shape.top + share * (self.shape.bottom - self.shape.top), 1)

    def point(self, year: PlayerYear) -> str:
        """Return the place of a player-year as paths write it."""
        return f"{self.x(year.year):g} {self.y(year.rating):g}"


def scale_of(careers: Sequence[Sequence[PlayerYear]], ratings: Ratings, shape: Shape) -> Scale:
    """Return a scale from the decade of the first curve to the last year of all."""
    heights = [year.rating for years in careers for year in years]
    begin = min(years[0].year for years in careers) // 10 * 10
    return Scale(
        shape,
        max(begin, min(ratings.years)),
        max(ratings.years),
        min(FLOOR, min(heights) - 30),
        max(heights) + ROOM,
    )
