"""The first twenty of a year as dots with intervals of one standard error on either side.

All years have the same scale, so that one picture can be turned into that of the next.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from edo.core import formats
from edo.core.model import Player
from edo.rating.edo import PlayerYear, Ratings
from edo.rating.inference.answers import RankProbabilities
from edo.site.charts.axis import Axis, Tick

SHOWN = 20  # players
# Lengths in units of the view box.
WIDTH, LEFT, RIGHT = 520.0, 160.0, 510.0
TOP, ROW, BOTTOM = 6.0, 24.0, 26.0
STEP = 100  # [Elo] between the lines of the grid
SPARE = 50  # [Elo] of which the ends of the scale are multiples
LABELLED = 200  # [Elo] between those with a number


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
    axis: Axis
    height: float
    ticks: tuple[Tick, ...]
    dots: tuple[Dot, ...]


def leading(ratings: Ratings, year: int) -> Sequence[PlayerYear]:
    """Return the first of those with a rank in the year."""
    return ratings.ranked(year)[:SHOWN]


def axis_of(shown: Iterable[PlayerYear], has_intervals: bool) -> Axis:
    """Return an axis of ratings [Elo] that holds all dots, with their intervals or without."""
    ends = [(year.rating, year.deviation if has_intervals else 0.0) for year in shown]
    low = min(rating - around for rating, around in ends)
    high = max(rating + around for rating, around in ends)
    return Axis(math.floor(low / SPARE) * SPARE, math.ceil(high / SPARE) * SPARE, LEFT, RIGHT)


def labels(players: Iterable[Player], short_names: Mapping[str, str]) -> dict[str, str]:
    """Return names for narrow places by id: surnames, with an initial where several share one.

    Those whose initials are the same too have their whole names.
    """
    label_of, bearers = {}, Counter[str]()
    shown = list(players)
    for player in shown:
        surname, _, first = player.name.partition(", ")
        is_alone = short_names[player.id] == surname or not first
        label_of[player.id] = surname if is_alone else f"{surname}, {first[0]}."
        bearers[label_of[player.id]] += 1
    return {
        player.id: player.name if bearers[label_of[player.id]] > 1 else label_of[player.id]
        for player in shown
    }


def picture(
    year: int,
    ratings: Ratings,
    axis: Axis,
    said: Mapping[str, tuple[str, str]],
    rows: int | None = None,
) -> Picture:
    """Return the picture of a year, with room for as many rows or for all that there are.

    `said` are the label and the words of each player shown.
    """
    ranking = leading(ratings, year)
    bottom = TOP + ROW * (len(ranking) if rows is None else rows)
    dots = []
    for k, shown in enumerate(ranking):
        before = ratings.of(shown.player, year - 1)
        label, spoken = said[shown.player]
        dots.append(
            Dot(
                player=shown.player,
                rank=shown.rank or 0,
                label=label,
                words=spoken,
                y=TOP + ROW * (k + 0.5),
                x=axis.within(shown.rating),
                left=axis.within(shown.rating - shown.deviation),
                right=axis.within(shown.rating + shown.deviation),
                before=axis.at(before.rating)
                if before is not None and axis.holds(before.rating)
                else None,
                is_gap=shown.is_gap,
            )
        )
    ticks = tuple(
        Tick(axis.at(rating), "" if rating % LABELLED else str(rating))
        for rating in axis.multiples(STEP)
    )
    return Picture(year, axis, bottom + BOTTOM, ticks, tuple(dots))


def words(shown: PlayerYear, player: Player, chance: RankProbabilities | None) -> str:
    """Return what is said of a dot: `3. Tarrasch, Siegbert: 2702 (45), number one with 12%`."""
    rating = formats.rating_with_deviation(shown.rating, shown.deviation)
    is_known = chance is not None and chance.first >= 0.01
    first = f", number one with {formats.chance(chance.first)}" if chance and is_known else ""
    gap = "; no results in the year" if shown.is_gap else ""
    return f"{formats.rank(shown.rank or 0)}. {player.shown_name}: {rating}{first}{gap}"
