"""The timeline on the home page: curves of the leading players, and the number one of each year.

Coordinates for a wide and for a tall screen. Behind the curves stand the ratings of the tenth and
the thirtieth of each year; below them bars as high as the number one's probability.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from edo.core import formats
from edo.core.model import Dataset
from edo.rating.edo import PlayerYear, Ratings, number_ones
from edo.rating.inference.answers import RankProbabilities
from edo.site.charts.axis import LETTER, Axis, Point, Rectangle, Tick, path
from edo.site.charts.rating_curve import runs_of

AMONG_FIRST = 3  # the places in a year's list that make a leading player
FIELD = 6  # how many must be rated in a year for its places to count
COLOURS = "abcdefghijklmnop"  # the stylesheet's, of `.line-a` ...; neighbours differ most

DECADES = (10, 20, 50, 100)  # [years] between those on the axis
LABEL = 5  # [letters] that the room of a year on the axis has at least

FLOOR = 2250  # [Elo] below which nothing is drawn
ROOM = 60  # [Elo] above the highest curve, for its name
PLACES = ((10, "10th"), (30, "30th"))  # the ranks that represent all other players
MANY = 2  # a place is shown in years with so many times as many rated players
LOW = 0.1  # the height of a number one of too few for a probability, as a share of certainty
OTHER = "other"  # the colour of a number one who has no curve
FINGER = (
    24.0  # what a reign that leads somewhere is wide and high at least, in units of the drawing
)


@dataclass(frozen=True, slots=True)
class Shape:
    """How large a drawing is, in units of its view box; `letters` is the size of its words.

    With `has_words` each number one has a link and words of its own.
    """

    name: str
    leaders: int
    width: float
    left: float
    right: float
    top: float
    bottom: float
    letters: float
    strip: float
    has_words: bool

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


WIDE = Shape("wide", len(COLOURS), 1040.0, 48.0, 992.0, 8.0, 440.0, 16.0, 44.0, has_words=True)
TALL = Shape("tall", 8, 340.0, 38.0, 310.0, 6.0, 330.0, 13.0, 36.0, has_words=False)


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
class Reign:
    """Neighbouring years of one number one: from `left` to `right`, with the name at `x`.

    Without room for it among the other names, the name is shown only when the reign is looked at.
    """

    name: str
    words: str
    colour: str
    first_year: int
    left: float
    right: float
    x: float
    has_room: bool


@dataclass(frozen=True, slots=True)
class Timeline:
    """One drawing, ready to show; `field` is the outline of the first ten behind the leaders.

    `decades` are years on the axis, their x and whether anybody is rated then; `places` are ranks
    with path and end of their line; `reigns` are those that are long enough for a finger, on a
    row that is `row` high.
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
    reigns: tuple[Reign, ...]
    row: float = FINGER


def timeline(
    dataset: Dataset,
    ratings: Ratings,
    chances: Mapping[tuple[str, int], RankProbabilities],
    shape: Shape,
) -> Timeline:
    """Return the drawing in one shape."""
    plot = Plot(dataset, ratings, chances, shape)
    return Timeline(
        shape=shape,
        year_width=round(plot.year_width, 2),
        title_y=shape.letters,
        year_y=shape.bottom + 1.3 * shape.letters,
        name_y=round(shape.base + 1.2 * shape.letters, 1),
        first_year=plot.first_year,
        last_year=plot.last_year,
        rating_ticks=plot.y.ticks(100),
        decades=tuple(plot.decades()),
        field="".join(plot.field()),
        places=tuple(plot.place_lines()),
        leaders=tuple(plot.leaders()),
        firsts=tuple(plot.firsts()),
        reigns=tuple(plot.reigns()),
    )


class Plot:
    """Where everything of a drawing lies.

    It shows the years from the first that has an order, or the first curve if that is earlier, to
    the last of all, the same in both shapes. A year is as wide as `year_width`; `x` gives its
    middle.
    """

    def __init__(
        self,
        dataset: Dataset,
        ratings: Ratings,
        chances: Mapping[tuple[str, int], RankProbabilities],
        shape: Shape,
    ) -> None:
        self._dataset, self._ratings, self._chances = dataset, ratings, chances
        self._firsts = number_ones(ratings)
        self.shape = shape
        everybody = leading_players(ratings, len(COLOURS))
        shown = set(leading_players(ratings, shape.leaders))
        # The same colours in both shapes.
        colours = zip(everybody, COLOURS, strict=False)
        self.colours = {player: colour for player, colour in colours if player in shown}
        careers = ratings.players
        self.first_year = min(*(careers[player][0].year for player in everybody), *self._firsts)
        self.last_year = max(ratings.years)
        self.x = Axis(self.first_year - 0.5, self.last_year + 0.5, shape.left, shape.right)
        heights = [year.rating for player in self.colours for year in careers[player]]
        self.y = Axis(min(FLOOR, min(heights) - 30), max(heights) + ROOM, shape.bottom, shape.top)

    @property
    def year_width(self) -> float:
        """Return the room of a year."""
        return (self.shape.right - self.shape.left) / (self.last_year + 1 - self.first_year)

    def decades(self) -> Iterator[tuple[int, float, bool]]:
        """Yield the years on the axis, at least two if there are so many."""
        before, last = self.first_year - 1, self.last_year
        room = LABEL * LETTER * self.shape.letters
        fits = next((n for n in DECADES if n * self.year_width >= room), DECADES[-1])
        step = next((n for n in (fits, 5, 2) if last // n - before // n > 1), 1)
        for year in range((before // step + 1) * step, last + 1, step):
            yield year, self.x.at(year), year in self._ratings.years

    def field(self) -> Iterator[str]:
        """Yield the outlines between the first and the tenth of the lists."""
        for run in self._runs(10):
            outline = [ranking[9] for ranking in run] + [ranking[0] for ranking in run[::-1]]
            yield f"{self._way(outline)}Z"

    def place_lines(self) -> Iterator[tuple[str, str, float]]:
        """Yield the ranks that represent all other players, with path and end of their line."""
        for place, name in PLACES:
            lines = [[ranking[place - 1] for ranking in run] for run in self._runs(place)]
            if lines:
                yield name, "".join(map(self._way, lines)), self._height(lines[-1][-1])

    def _runs(self, place: int) -> Iterator[list[tuple[PlayerYear, ...]]]:
        """Yield the lists of neighbouring years that rate enough players for the place to count."""
        rankings = map(self._ratings.ranked, range(self.first_year, self.last_year + 1))
        for has_many, run in groupby(rankings, lambda ranking: len(ranking) >= MANY * place):
            if has_many:
                yield list(run)

    def _height(self, year: PlayerYear) -> float:
        """Return the y of a rating, that of the floor for all below it."""
        return self.y.at(max(year.rating, self.y.low))

    def _points(self, years: Iterable[PlayerYear]) -> list[Point]:
        return [(self.x.at(year.year), self._height(year)) for year in years]

    def _way(self, years: Iterable[PlayerYear]) -> str:
        return path(self._points(years))

    def _surname(self, player: str) -> str:
        return self._dataset.players[player].name.partition(",")[0]

    def leaders(self) -> Iterator[Leader]:
        """Yield the curves of the leading players, with their names where there is room."""
        among_first = years_among_first(self._ratings)
        careers = [self._ratings.players[player] for player in self.colours]
        letters, shape = self.shape.letters, self.shape
        places = place_names(
            [np.array(self._points(years)) for years in careers],
            [LETTER * letters * len(self._surname(player)) for player in self.colours],
            letters,
            Rectangle(shape.left, shape.top, shape.right, shape.bottom),
        )
        for (player, colour), years, place in zip(
            self.colours.items(), careers, places, strict=True
        ):
            peak = max((year for year in years if not year.is_gap), key=lambda year: year.rating)
            shown = formats.rating_with_deviation(peak.rating, peak.deviation)
            yield Leader(
                player=player,
                name=self._surname(player),
                words=f"{self._dataset.players[player].shown_name}: highest {shown} in {peak.year};"
                f" among the first three in {formats.counted(among_first[player], 'year')}",
                colour=colour,
                way=self._way(years),
                played="".join(self._way(run) for is_gap, run in runs_of(years) if not is_gap)
                or "".join(f"{self._way([year])}m-3 0h6" for year in years if not year.is_gap),
                gaps="".join(self._way(run) for is_gap, run in runs_of(years) if is_gap),
                name_x=round((place.left + place.right) / 2, 1),
                name_y=round(place.bottom - 0.2 * letters, 1),
            )

    def _years_with_first(self) -> list[int]:
        return [y for y in range(self.first_year, self.last_year + 1) if y in self._firsts]

    def firsts(self) -> Iterator[FirstOfYear]:
        """Yield the number ones; without a known probability the bar is as high as can be."""
        unknown = LOW if self._chances else 1.0
        for number in self._years_with_first():
            year = self._firsts[number]
            chance = self._chances.get((year.player, number))
            share = unknown if chance is None else chance.first
            height = round(self.shape.strip * share, 1)
            sure = "" if chance is None else f", the strongest with {formats.chance(chance.first)}"
            shown = formats.rating_with_deviation(year.rating, year.deviation)
            name = self._dataset.players[year.player].shown_name
            yield FirstOfYear(
                year=number,
                words=f"{number}: {name}, {shown}{sure}",
                colour=self.colours.get(year.player, OTHER),
                x=self.x.at(number - 0.5),
                y=round(self.shape.base - height, 1),
                height=height,
            )

    def reigns(self) -> Iterator[Reign]:
        """Yield the reigns long enough for a finger; the longest have room for their names."""
        runs = [
            (player, list(run))
            for player, run in groupby(
                self._years_with_first(), lambda year: self._firsts[year].player
            )
        ]
        wide = [run for run in runs if self.year_width * len(run[1]) >= FINGER]
        named: list[tuple[float, float]] = []
        made: dict[int, Reign] = {}
        for player, years in sorted(wide, key=lambda run: (-len(run[1]), run[1])):
            name = self._surname(player)
            half = LETTER * self.shape.letters * len(name) / 2
            left, right = self.x.at(years[0] - 0.5), self.x.at(years[-1] + 0.5)
            middle = (left + right) / 2
            x = min(max(middle, self.shape.left + half), self.shape.right - half)
            has_room = all(x + half < begin or end < x - half for begin, end in named)
            if has_room:
                named.append((x - half - GAP, x + half + GAP))
            made[years[0]] = Reign(
                name=name,
                words=f"{self._dataset.players[player].shown_name}: number one "
                f"{formats.years(years[0], years[-1])}",
                colour=self.colours.get(player, OTHER),
                first_year=years[0],
                left=left,
                right=right,
                x=round(x, 1),
                has_room=has_room,
            )
        yield from (made[year] for year in sorted(made))


Floats = NDArray[np.float64]

# Of names at curves, in units of the view box.
GAP = 4.0  # between a curve and its name
_STEP = 3.0  # between the points at which curves are looked at
# What a place for a name costs, chosen by eye: covering another name, or a point of a curve; each
# unit away from the highest point of its curve; standing below the curve; not standing close.
_OVER_NAME, _OVER_CURVE, _FAR, _BELOW, _AWAY = 1000.0, 6.0, 0.05, 2.0, 5.0


def place_names(
    curves: Sequence[Floats], widths: Sequence[float], height: float, frame: Rectangle
) -> list[Rectangle]:
    """Return the room for the name of each curve, as near its top as is free.

    `curves` are points (n, 2) from left to right, `widths` and `height` the sizes of the names.
    The names are placed one by one, that of the highest curve first.
    """
    dense = [_dense(curve) for curve in curves]
    everything = np.concatenate(dense)
    placed: dict[int, Rectangle] = {}
    for k in sorted(range(len(curves)), key=lambda k: (dense[k][:, 1].min(), k)):
        around = _candidates(dense[k], widths[k], height)
        inside = [(place, cost) for place, cost in around if place.is_in(frame)]
        candidates = inside or [(around[0][0].moved_into(frame), 0.0)]
        costs = [
            cost
            + _OVER_CURVE * _covered(place, everything)
            + _OVER_NAME * sum(map(place.overlaps, placed.values()))
            for place, cost in candidates
        ]
        placed[k] = candidates[int(np.argmin(costs))][0]
    return [placed[k] for k in range(len(curves))]


def _covered(place: Rectangle, points: Floats) -> int:
    """Return how many points (n, 2) lie inside."""
    x, y = points.T
    inside = (place.left < x) & (x < place.right) & (place.top < y) & (y < place.bottom)
    return int(np.count_nonzero(inside))


def _candidates(curve: Floats, width: float, height: float) -> list[tuple[Rectangle, float]]:
    """Return rooms centred on, beginning at and ending at each point, with what each costs."""
    summit = curve[np.argmin(curve[:, 1])]
    candidates: list[tuple[Rectangle, float]] = []
    for x, y in curve:
        away = _FAR * float(np.hypot(x - summit[0], y - summit[1]))
        for left in (x - width / 2, x + GAP, x - width - GAP):
            for bottom, extra in (
                (y - GAP, 0.0),
                (y + height + GAP, _BELOW),
                (y - height, _AWAY),
                (y + 2 * height, _BELOW + _AWAY),
            ):
                place = Rectangle(left, bottom - height, left + width, bottom)
                candidates.append((place, away + extra))
    return candidates


def _dense(curve: Floats) -> Floats:
    """Return the curve with a point every few units, so that long lines count for their length."""
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
