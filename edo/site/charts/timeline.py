"""The timeline on the home page: curves of the leading players, and the number one of each year.

Coordinates for a wide and for a tall screen. Behind the curves stand the ratings of the tenth and
the thirtieth of each year; below them bars as high as the number one's probability.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from edo.core import formats
from edo.core.model import Dataset
from edo.rating.edo import PlayerYear, Ratings, number_ones
from edo.rating.inference.answers import RankProbabilities
from edo.site.charts.rating_curve import Tick, runs_of

AMONG_FIRST = 3  # the places in a year's list that make a leading player
FIELD = 6  # how many must be rated in a year for its places to count
COLOURS = "abcdefghijklmnop"  # the stylesheet's, of `.line-a` ...; neighbours differ most

FLOOR = 2250  # [Elo] below which nothing is drawn
ROOM = 60  # [Elo] above the highest curve, for its name
PLACES = ((10, "10th"), (30, "30th"))  # the ranks that represent all other players
MANY = 2  # a place is shown in years with so many times as many rated players
LETTER = 0.55  # the mean width of a letter, as a share of its size
OTHER = "other"  # the colour of a number one who has no curve


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
    def height(self) -> float:
        """Return the height of the curves with the years below them."""
        return self.bottom + 2 * self.letters

    @property
    def base(self) -> float:
        """Return the y on which the number ones stand, in the drawing of their own."""
        return 1.6 * self.letters + self.strip

    @property
    def strip_height(self) -> float:
        """Return the height of the drawing of the number ones, with names and years below."""
        return self.base + 3 * self.letters


WIDE = Shape("wide", len(COLOURS), 1040.0, 48.0, 992.0, 8.0, 440.0, 16.0, 44.0, 10)
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

    def years(self, ratings: Ratings) -> list[int]:
        """Return the years that are shown and have rated players."""
        return [y for y in range(self.first_year, self.last_year + 1) if y in ratings.years]

    def point(self, year: PlayerYear) -> str:
        """Return the place of a player-year as paths write it."""
        return f"{self.x(year.year):g} {self.y(year.rating):g}"


@dataclass(frozen=True, slots=True)
class Leader:
    """A leading player's curve: all of it, and its parts with and without results at both ends.

    `way`, `played` and `gaps` are each the `d` of an SVG path; `colour` is one of the stylesheet.
    """

    player: str
    name: str
    words: str
    colour: str
    way: str
    played: str
    gaps: str
    name_x: float
    name_y: float


@dataclass(frozen=True, slots=True)
class FirstOfYear:
    """The number one of a year: a bar as high as the probability of having been the strongest."""

    year: int
    words: str
    colour: str
    x: float
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class Timeline:
    """One drawing, ready to show; `field` is the outline of the first ten behind the leaders.

    `decades` are years on the axis, their x and whether anybody is rated then; `places` are ranks
    with path and end of their line; `reigns` are names below the years of number ones, where there
    is room, with colour and x.
    """

    shape: Shape
    year_width: float
    title_y: float
    year_y: float
    name_y: float
    first_year: int
    last_year: int
    rating_ticks: tuple[Tick, ...]
    decades: tuple[tuple[int, float, bool], ...]
    field: str
    places: tuple[tuple[str, str, float], ...]
    leaders: tuple[Leader, ...]
    firsts: tuple[FirstOfYear, ...]
    reigns: tuple[tuple[str, str, float], ...]


def timeline(
    dataset: Dataset,
    ratings: Ratings,
    chances: Mapping[tuple[str, int], RankProbabilities],
    shape: Shape,
) -> Timeline:
    """Return the drawing in one shape."""
    colours = _colours(ratings, shape)
    scale = scale_of([ratings.players[player] for player in colours], ratings, shape)
    # Both shapes show the same years.
    everyone = [ratings.players[player] for player in leading_players(ratings, WIDE.leaders)]
    scale = replace(scale, first_year=scale_of(everyone, ratings, shape).first_year)
    return Timeline(
        shape=shape,
        year_width=round(scale.year_width, 2),
        title_y=shape.letters,
        year_y=shape.bottom + 1.3 * shape.letters,
        name_y=round(shape.base + 1.2 * shape.letters, 1),
        first_year=scale.first_year,
        last_year=scale.last_year,
        rating_ticks=tuple(
            Tick(scale.y(rating), str(rating))
            for rating in range(math.ceil(scale.lowest / 100) * 100, int(scale.highest) + 1, 100)
        ),
        decades=tuple(_decades(ratings, scale)),
        field="".join(_field(ratings, scale)),
        places=tuple(_place_lines(ratings, scale)),
        leaders=tuple(_leaders(dataset, ratings, colours, scale)),
        firsts=tuple(_firsts(dataset, ratings, chances, colours, scale)),
        reigns=tuple(_reigns(dataset, ratings, colours, scale)),
    )


def _colours(ratings: Ratings, shape: Shape) -> dict[str, str]:
    """Return the colours of those who have a curve, the same in both shapes."""
    everyone = dict(zip(leading_players(ratings, len(COLOURS)), COLOURS, strict=False))
    shown = set(leading_players(ratings, shape.leaders))
    return {player: colour for player, colour in everyone.items() if player in shown}


def _decades(ratings: Ratings, scale: Scale) -> Iterator[tuple[int, float, bool]]:
    before, last = scale.first_year - 1, scale.last_year
    step = next((n for n in (scale.shape.year_step, 5, 2) if last // n - before // n > 1), 1)
    for year in range((before // step + 1) * step, last + 1, step):
        yield year, scale.x(year), year in ratings.years


def _field(ratings: Ratings, scale: Scale) -> Iterator[str]:
    """Yield the outlines between the first and the tenth of the lists."""
    for run in _runs(ratings, 10, scale):
        outline = [ranking[9] for ranking in run] + [ranking[0] for ranking in run[::-1]]
        yield f"{_way(outline, scale)}Z"


def _place_lines(ratings: Ratings, scale: Scale) -> Iterator[tuple[str, str, float]]:
    for place, name in PLACES:
        lines = [[ranking[place - 1] for ranking in run] for run in _runs(ratings, place, scale)]
        if lines:
            yield name, "".join(_way(one, scale) for one in lines), scale.y(lines[-1][-1].rating)


def _runs(ratings: Ratings, place: int, scale: Scale) -> Iterator[list[tuple[PlayerYear, ...]]]:
    """Yield the lists of neighbouring years that rate enough players for the place to count."""
    years = range(scale.first_year, scale.last_year + 1)
    rankings = [ratings.ranked(year) for year in years]
    for has_many, run in groupby(rankings, lambda ranking: len(ranking) >= MANY * place):
        if has_many:
            yield list(run)


def _way(years: Iterable[PlayerYear], scale: Scale) -> str:
    return "M" + "L".join(map(scale.point, years))


def _leaders(
    dataset: Dataset, ratings: Ratings, colours: Mapping[str, str], scale: Scale
) -> Iterator[Leader]:
    among_first = years_among_first(ratings)
    names = {player: dataset.players[player].name.partition(",")[0] for player in colours}
    places = _places(names, ratings, scale)
    for player, colour in colours.items():
        years = ratings.players[player]
        peak = max((y for y in years if not y.is_gap), key=lambda y: y.rating)
        shown = formats.rating_with_deviation(peak.rating, peak.deviation)
        yield Leader(
            player=player,
            name=names[player],
            words=f"{dataset.players[player].shown_name}: highest {shown} in {peak.year}; among "
            f"the first three in {formats.counted(among_first[player], 'year')}",
            colour=colour,
            way=_way(years, scale),
            played="".join(_way(run, scale) for is_gap, run in runs_of(years) if not is_gap)
            or "".join(f"{_way([one], scale)}m-3 0h6" for one in years if not one.is_gap),
            gaps="".join(_way(run, scale) for is_gap, run in runs_of(years) if is_gap),
            name_x=round(places[player][0], 1),
            name_y=round(places[player][1], 1),
        )


def _places(
    names: Mapping[str, str], ratings: Ratings, scale: Scale
) -> dict[str, tuple[float, float]]:
    """Return where the middle of each name's base line is."""
    shape = scale.shape
    curves: list[NDArray[np.float64]] = [
        np.array([(scale.x(y.year), -scale.y(y.rating)) for y in ratings.players[player]])
        for player in names
    ]
    widths = [LETTER * shape.letters * len(name) for name in names.values()]
    frame = Box(shape.left, -shape.bottom, shape.right, -shape.top)  # there, y goes up
    boxes = place_names(curves, widths, shape.letters, frame)
    return {
        player: ((box.left + box.right) / 2, -box.bottom - 0.2 * shape.letters)
        for player, box in zip(names, boxes, strict=True)
    }


def _firsts(
    dataset: Dataset,
    ratings: Ratings,
    chances: Mapping[tuple[str, int], RankProbabilities],
    colours: Mapping[str, str],
    scale: Scale,
) -> Iterator[FirstOfYear]:
    """Yield the number ones; without a known probability the bar is as high as can be."""
    firsts = number_ones(ratings)
    for number in filter(firsts.__contains__, scale.years(ratings)):
        year = firsts[number]
        chance = chances.get((year.player, number))
        height = round(scale.shape.strip * (1.0 if chance is None else chance.first), 1)
        sure = "" if chance is None else f", the strongest with {formats.chance(chance.first)}"
        shown = formats.rating_with_deviation(year.rating, year.deviation)
        yield FirstOfYear(
            year=number,
            words=f"{number}: {dataset.players[year.player].shown_name}, {shown}{sure}",
            colour=colours.get(year.player, OTHER),
            x=round(scale.x(number) - scale.year_width / 2, 1),
            y=round(scale.shape.base - height, 1),
            height=height,
        )


def _reigns(
    dataset: Dataset, ratings: Ratings, colours: Mapping[str, str], scale: Scale
) -> Iterator[tuple[str, str, float]]:
    firsts = number_ones(ratings)
    known = filter(firsts.__contains__, scale.years(ratings))
    for player, run in groupby(known, lambda year: firsts[year].player):
        years = list(run)
        name = dataset.players[player].name.partition(",")[0]
        if LETTER * scale.shape.letters * len(name) <= scale.year_width * len(years):
            middle = (scale.x(years[0]) + scale.x(years[-1])) / 2
            yield name, colours.get(player, OTHER), round(middle, 1)


def scale_of(careers: Sequence[Sequence[PlayerYear]], ratings: Ratings, shape: Shape) -> Scale:
    """Return a scale from the decade of the first curve to the last year of all."""
    heights = [year.rating for years in careers for year in years]
    return Scale(
        shape,
        max(min(years[0].year for years in careers) // 10 * 10, min(ratings.years)),
        max(ratings.years),
        min(FLOOR, min(heights) - 30),
        max(heights) + ROOM,
    )


Floats = NDArray[np.float64]

GAP = 4.0  # [px] between a curve and its name
_STEP = 3.0  # [px] between the points at which curves are looked at
_OVER_NAME, _OVER_CURVE = 1000.0, 6.0  # costs: of touching a name, of covering a point of a curve
# Costs: of each px away from the highest point, of standing below, of not standing close.
_FAR, _BESIDE, _AWAY = 0.05, 2.0, 5.0


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle [px]; y goes up."""

    left: float
    bottom: float
    right: float
    top: float

    def covers(self, points: Floats) -> int:
        """Return how many points (n, 2) [px] lie inside."""
        x, y = points[:, 0], points[:, 1]
        inside = (self.left < x) & (x < self.right) & (self.bottom < y) & (y < self.top)
        return int(inside.sum())

    def overlaps(self, other: Box) -> bool:
        """Whether the two share any area."""
        is_across = self.left < other.right and other.left < self.right
        return is_across and self.bottom < other.top and other.bottom < self.top

    def is_in(self, other: Box) -> bool:
        """Whether all of it lies in the other."""
        is_within = other.left <= self.left and self.right <= other.right
        return is_within and other.bottom <= self.bottom and self.top <= other.top

    def moved_into(self, other: Box) -> Box:
        """Return the box, moved so that it lies in the other."""
        dx = max(other.left - self.left, 0.0) + min(other.right - self.right, 0.0)
        dy = max(other.bottom - self.bottom, 0.0) + min(other.top - self.top, 0.0)
        return Box(self.left + dx, self.bottom + dy, self.right + dx, self.top + dy)


def place_names(
    curves: Sequence[Floats], widths: Sequence[float], height: float, frame: Box
) -> list[Box]:
    """Return a box for the name of each curve, above or below it, as near its top as is free.

    `curves` are points (n, 2) [px] from left to right, `widths` and `height` the sizes of the
    names [px]. The names are placed one by one, that of the highest curve first.
    """
    dense = [_dense(curve) for curve in curves]
    everything = np.concatenate(dense)
    placed: dict[int, Box] = {}
    for k in sorted(range(len(curves)), key=lambda k: (-dense[k][:, 1].max(), k)):
        around = _candidates(dense[k], widths[k], height)
        inside = [(box, cost) for box, cost in around if box.is_in(frame)]
        candidates = inside or [(around[0][0].moved_into(frame), 0.0)]
        costs = [
            cost
            + _OVER_CURVE * box.covers(everything)
            + _OVER_NAME * sum(box.overlaps(other) for other in placed.values())
            for box, cost in candidates
        ]
        placed[k] = candidates[int(np.argmin(costs))][0]
    return [placed[k] for k in range(len(curves))]


def _candidates(curve: Floats, width: float, height: float) -> list[tuple[Box, float]]:
    """Return the boxes centred on, beginning at and ending at each point, with what each costs."""
    summit = curve[np.argmax(curve[:, 1])]
    found: list[tuple[Box, float]] = []
    for x, y in curve:
        away = _FAR * float(np.hypot(x - summit[0], y - summit[1]))
        for left in (x - width / 2, x + GAP, x - width - GAP):
            for bottom, extra in (
                (y + GAP, 0.0),
                (y - height - GAP, _BESIDE),
                (y + height, _AWAY),
                (y - 2 * height, _BESIDE + _AWAY),
            ):
                box = Box(left, bottom, left + width, bottom + height)
                found.append((box, away + extra))
    return found


def _dense(curve: Floats) -> Floats:
    """Return the curve with a point every few px, so that long lines count for what they cover."""
    if len(curve) == 1:
        return curve
    lengths = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(curve, axis=0).T))])
    at = np.arange(0.0, lengths[-1] + _STEP, _STEP)
    return np.column_stack([np.interp(at, lengths, curve[:, d]) for d in (0, 1)])


def years_among_first(ratings: Ratings) -> Counter[str]:
    """Return in how many years each player was among the first three.

    Places rather than ratings are used so that every period is represented; years with few ranked
    players do not count, as a place among the first means little in them.
    """
    everything = [ranked for year in ratings.years if (ranked := ratings.ranked(year))]
    rankings = [ranking for ranking in everything if len(ranking) >= FIELD]
    return Counter(
        year.player
        for ranking in rankings or everything or ratings.years.values()
        for year in ranking[:AMONG_FIRST]
    )


def leading_players(ratings: Ratings, n: int) -> list[str]:
    """Return the n players who were among the first three in most years, the earliest first."""
    places = years_among_first(ratings)
    longest = sorted(places, key=lambda player: (-places[player], player))[:n]
    return sorted(longest, key=lambda player: (ratings.players[player][0].year, player))
