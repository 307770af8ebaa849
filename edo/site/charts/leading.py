"""The first twenty of a year as dots with intervals of one standard error on either side.

All years have the same scale, so that one picture can be turned into that of the next.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from edo.core import formats
from edo.core.model import Player
from edo.rating.edo import PlayerYear, Ratings
from edo.rating.inference.answers import RankProbabilities
from edo.site.charts.rating_curve import Tick

SHOWN = 20  # players
# Lengths in units of the view box.
WIDTH, LEFT, RIGHT = 520.0, 160.0, 510.0
TOP, ROW, BOTTOM = 6.0, 24.0, 26.0
STEP = 100  # [Elo] between the lines of the grid
SPARE = 50  # [Elo] of which the ends of the scale are multiples
LABELLED = 200  # [Elo] between those with a number


@dataclass(frozen=True, slots=True)
class Scale:
    """Between which ratings [Elo] the dots of all years lie."""

    lowest: float
    highest: float

    def holds(self, rating: float) -> bool:
        """Whether a rating [Elo] lies on the scale."""
        return self.lowest <= rating <= self.highest

    def x(self, rating: float) -> float:
        """Return where a rating [Elo] lies, at the edge where it is beyond."""
        share = (rating - self.lowest) / (self.highest - self.lowest)
        return round(LEFT + min(max(share, 0.0), 1.0) * (RIGHT - LEFT), 1)


@dataclass(frozen=True, slots=True)
class Dot:
    """A player of the year: the row, the ends of the interval, and the rating before, if any."""

    player: str
    rank: int
    label: str
    words: str
    y: float
    x: float
    left: float
    right: float
    before: float | None
    is_gap: bool


@dataclass(frozen=True, slots=True)
class Picture:
    """The drawing of a year."""

    year: int
    scale: Scale
    height: float
    ticks: tuple[Tick, ...]
    dots: tuple[Dot, ...]


def leading(ratings: Ratings, year: int) -> Sequence[PlayerYear]:
    """Return the first of those with a rank in the year."""
    return ratings.ranked(year)[:SHOWN]


def scale_of(shown: Iterable[PlayerYear], has_intervals: bool) -> Scale:
    """Return a scale that holds all dots, with their intervals or without."""
    ends = [(one.rating, one.deviation if has_intervals else 0.0) for one in shown]
    low = min(rating - around for rating, around in ends)
    high = max(rating + around for rating, around in ends)
    return Scale(math.floor(low / SPARE) * SPARE, math.ceil(high / SPARE) * SPARE)


def labels(players: Iterable[Player], short_names: Mapping[str, str]) -> dict[str, str]:
    """Return names for narrow places by id: surnames, with an initial where several share one."""
    found = {}
    for player in players:
        surname, _, first = player.name.partition(", ")
        is_alone = short_names[player.id] == surname or not first
        found[player.id] = surname if is_alone else f"{surname}, {first[0]}."
    return found


def picture(
    year: int,
    ratings: Ratings,
    scale: Scale,
    said: Mapping[str, tuple[str, str]],
    rows: int | None = None,
) -> Picture:
    """Return the picture of a year, with room for as many rows or for all that there are.

    `said` are the label and the words of each player shown.
    """
    ranking = leading(ratings, year)
    bottom = TOP + ROW * (len(ranking) if rows is None else rows)
    dots = []
    for k, one in enumerate(ranking):
        before = ratings.of(one.player, year - 1)
        dots.append(
            Dot(
                player=one.player,
                rank=one.rank or 0,
                label=said[one.player][0],
                words=said[one.player][1],
                y=TOP + ROW * (k + 0.5),
                x=scale.x(one.rating),
                left=scale.x(one.rating - one.deviation),
                right=scale.x(one.rating + one.deviation),
                before=scale.x(before.rating)
                if before is not None and scale.holds(before.rating)
                else None,
                is_gap=one.is_gap,
            )
        )
    ticks = tuple(
        Tick(scale.x(rating), "" if rating % LABELLED else str(rating))
        for rating in range(math.ceil(scale.lowest / STEP) * STEP, int(scale.highest) + 1, STEP)
    )
    return Picture(year, scale, bottom + BOTTOM, ticks, tuple(dots))


def words(one: PlayerYear, player: Player, chance: RankProbabilities | None) -> str:
    """Return what is said of a dot: `3. Tarrasch, Siegbert: 2702 (45), number one with 12%`."""
    shown = formats.rating_with_deviation(one.rating, one.deviation)
    sure = chance is not None and chance.first >= 0.01
    first = f", number one with {formats.chance(chance.first)}" if chance and sure else ""
    gap = "; no results in the year" if one.is_gap else ""
    return f"{formats.rank(one.rank or 0)}. {player.shown_name}: {shown}{first}{gap}"
