"""Pictures (PNG) for shared links: curves of the site and of players, leaders of a year.

The only module that uses Pillow.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise
from math import dist

from PIL import Image, ImageColor, ImageDraw, ImageFont

from edo.core import formats
from edo.core.model import Dataset, Player
from edo.history.project import SiteConfig
from edo.rating.edo import PlayerYear, Ratings, number_ones
from edo.site import urls
from edo.site.charts.axis import Axis, Point, step_of
from edo.site.charts.drawing import INKS, font_file
from edo.site.charts.leading import leading
from edo.site.charts.rating_curve import is_lone, runs_of
from edo.site.charts.timeline import leading_players

Colour = tuple[int, int, int]  # red, green, blue

# All lengths are in px.
WIDTH, HEIGHT = 1200, 630  # the size that social networks ask for
MARGIN = 64
FRAME = (140, 236, WIDTH - MARGIN, 516)  # left, top, right, bottom of a curve
PLOT = (FRAME[0] - 8, FRAME[1] - 8, FRAME[2] + 8, FRAME[3] + 10)  # the frame, with dots on its edge
FINER = 2  # plots are drawn so many times larger, which smooths the edges when they are reduced
SMALLEST = 18  # of letters
SQUARE = 9  # of the chequered rule
RUNS = 3  # zlib's strategy for runs of equal bytes: half the time, a tenth larger

LEAST_YEARS, LEAST_ELO = 6, 300  # what the frame of a curve shows at least
LEADERS = 12  # players whose curves stand out in the picture of the site
OF_YEAR = 10  # players in the picture of a year
NAMES_END = 560  # behind the longest names in the picture of a year


def _mixed(ink: Colour, paper: Colour, share: float) -> Colour:
    red, green, blue = (round(b + share * (a - b)) for a, b in zip(ink, paper, strict=True))
    return red, green, blue


def _rgb(colour: str) -> Colour:
    red, green, blue, *_ = ImageColor.getrgb(colour)
    return red, green, blue


_LIGHT = {name: _rgb(light) for name, light, _ in INKS.values()}
PAPER = _rgb("#faf6ec")
INK, SOFT, GRID, CURVE = (_LIGHT[name] for name in ("ink", "soft", "rule", "a"))
BAND, GAP_BAND = _mixed(CURVE, PAPER, 0.26), _mixed(CURVE, PAPER, 0.1)
# No more than sixteen, for a small file: those above, and what smooths edges of letters and curves.
COLOURS = (
    *(PAPER, GAP_BAND, BAND, GRID, CURVE, INK, SOFT),
    *(_mixed(ink, PAPER, share) for ink in (INK, SOFT) for share in (1 / 3, 2 / 3)),
    *(_mixed(CURVE, ground, 0.5) for ground in (PAPER, GAP_BAND, BAND)),
)


@dataclass(frozen=True, slots=True)
class Lettering:
    """How words are written; `anchor` is Pillow's."""

    size: int
    ink: Colour
    style: str = ""
    anchor: str = "lm"


SITE_NAME, SITE_MOTTO = Lettering(66, INK, "", "mm"), Lettering(34, SOFT, "Italic", "mm")
HEAD, NAME, SUBTITLE = Lettering(26, SOFT, "Italic"), Lettering(62, INK), Lettering(34, SOFT)
ROW_NAME = Lettering(22, INK)
RATING, YEAR = Lettering(24, SOFT, "", "rm"), Lettering(24, SOFT, "", "mm")


def files(
    dataset: Dataset, ratings: Ratings, config: SiteConfig
) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Yield paths and what draws the PNG: of the site, of players with a picture, and of years.

    All other pages share the picture of the site. The same ratings give the same bytes.
    """
    leaders = leading_players(ratings, LEADERS)
    yield urls.SITE_PICTURE, partial(_of_site, config, ratings.players, leaders)
    for player in filter(ratings.has_picture, ratings.players):
        subtitle = _subtitle(dataset.players[player], ratings.peak(player))
        words = config.name, dataset.players[player].shown_name, subtitle
        yield urls.picture(player), partial(_of_player, *words, ratings.players[player])
    for year in number_ones(ratings):
        first = leading(ratings, year)[:OF_YEAR]
        names = [dataset.players[player_year.player].shown_name for player_year in first]
        yield urls.year_picture(year), partial(_of_year, config.name, year, first, names)


def _of_year(head: str, year: int, first: Sequence[PlayerYear], names: Sequence[str]) -> bytes:
    """Return the leading players of a year as dots with an interval of one standard error."""
    sheet = Sheet(head)
    sheet.text((MARGIN, 118), f"The leading players of {year}", NAME)
    _, top, right, bottom = FRAME
    low = min(player_year.rating - player_year.deviation for player_year in first)
    high = max(player_year.rating + player_year.deviation for player_year in first)
    x = Axis(low, max(high, low + 1.0), NAMES_END, right)
    row, plot = (bottom - top) / OF_YEAR, Plot()
    for k, player_year in enumerate(first):
        left, end = (x.exact(player_year.rating + way * player_year.deviation) for way in (-1, 1))
        plot.bar(left, top + row * (k + 0.5) - 8, end - left, 17, BAND)
    ticks = x.multiples(step_of(high - low, (50, 100, 200, 500, 1000), 8))
    for rating in ticks:
        plot.bar(round(x.exact(rating)), top, 1, bottom - top, GRID)
    for k, player_year in enumerate(first):
        radius = 4 if player_year.is_gap else 7
        plot.dot((x.exact(player_year.rating), top + row * (k + 0.5)), radius)
    sheet.put(plot)
    for rating in ticks:
        sheet.text((x.exact(rating), bottom + 28), str(rating), YEAR)
    for k, (player_year, name) in enumerate(zip(first, names, strict=True)):
        shown = formats.rating_with_deviation(player_year.rating, player_year.deviation)
        words = f"{player_year.rank}  {name}  {shown}"
        sheet.text((MARGIN, top + row * (k + 0.5)), words, ROW_NAME)
    return sheet.png()


def _of_player(head: str, name: str, subtitle: str, years: Sequence[PlayerYear]) -> bytes:
    """Return name, life and peak of a player over the curve of consecutive years."""
    sheet, plot, (x, y) = Sheet(head), Plot(), axes_of(years)
    sheet.text((MARGIN, 112), name, NAME)
    sheet.text((MARGIN, 182), subtitle, SUBTITLE)

    def at(year: PlayerYear, way: int = 0) -> Point:
        """Return where a rating is, or one standard error above or below."""
        return x.exact(year.year), y.exact(year.rating + way * year.deviation)

    runs = list(runs_of(years))
    played = [(k, year) for k, year in enumerate(years) if not year.is_gap]
    for is_gap, run in runs:
        band = [at(year, 1) for year in run] + [at(year, -1) for year in reversed(run)]
        plot.area(band, GAP_BAND if is_gap else BAND)
    for k, year in played:
        if is_lone(years, k):
            (middle, top), (_, bottom) = at(year, 1), at(year, -1)
            plot.bar(middle - 7, top, 14, bottom - top, BAND)
    plot.grid(x, y)
    for is_gap, run in runs:
        (plot.dotted if is_gap else plot.line)(list(map(at, run)))
    for _, year in played:
        plot.dot(at(year), 6)
    sheet.put(plot)
    sheet.labels(x, y)
    return sheet.png()


def _of_site(
    config: SiteConfig, careers: Mapping[str, Sequence[PlayerYear]], leaders: Collection[str]
) -> bytes:
    """Return name and motto of the site over the curves of all players, the leading ones darker."""
    sheet = Sheet()
    sheet.text((WIDTH / 2, 112), config.name, SITE_NAME)
    sheet.text((WIDTH / 2, 178), config.motto, SITE_MOTTO)
    if leaders:
        plot, (x, y) = Plot(), axes_of([year for player in leaders for year in careers[player]])
        plot.grid(x, y)
        others = [player for player in careers if player not in leaders]
        for players, colour, width in ((others, GRID, 1.5), (leaders, CURVE, 3.0)):
            for player in players:
                # What lies below the frame is drawn at its lower edge.
                points = [
                    (x.exact(year.year), y.exact(max(year.rating, y.low)))
                    for year in careers[player]
                    if x.holds(year.year)
                ]
                plot.line(points, colour, width)
        sheet.put(plot)
        sheet.labels(x, y)
    return sheet.png()


def axes_of(years: Sequence[PlayerYear]) -> tuple[Axis, Axis]:
    """Return axes of years and ratings that hold the bands of all these, and a little more."""
    left, top, right, bottom = FRAME
    first, last = min(year.year for year in years), max(year.year for year in years)
    low = min(year.rating - year.deviation for year in years)
    high = max(year.rating + year.deviation for year in years)
    more = max(0.0, LEAST_YEARS - (last - first)) / 2
    spare = max(20.0, (LEAST_ELO - (high - low)) / 2)
    return (
        Axis(first - more, last + more, left, right),
        Axis(low - spare, high + spare, bottom, top),
    )


def _rating_ticks(y: Axis) -> range:
    return y.multiples(step_of(y.high - y.low, (100, 200, 500, 1000), 6))


def _year_ticks(x: Axis) -> range:
    return x.multiples(step_of(x.high - x.low, (1, 2, 5, 10, 20, 50, 100, 1000), 9))


def _subtitle(player: Player, peak: PlayerYear | None) -> str:
    """Return the line below the name: life and peak."""
    is_dated = player.born is not None or player.died is not None
    words = [formats.life(player.born, player.died)] if is_dated else []
    if peak is not None:
        words.append(f"peak {formats.rating(peak.rating)} in {peak.year}")
    return "  ·  ".join(words)


class Plot:
    """Curves and their bands, drawn larger; all places are those of the whole picture."""

    def __init__(self) -> None:
        left, top, right, bottom = PLOT
        self._image = Image.new("RGB", ((right - left) * FINER, (bottom - top) * FINER), PAPER)
        self._pen = ImageDraw.Draw(self._image)

    def reduced(self) -> Image.Image:
        """Return the plot in the size of the picture."""
        return self._image.reduce(FINER)

    def area(self, outline: Iterable[Point], colour: Colour) -> None:
        """Fill an outline."""
        self._pen.polygon(self._moved(outline), colour)

    def bar(self, left: float, top: float, width: float, height: float, colour: Colour) -> None:
        """Fill a rectangle."""
        (x, y), (right, bottom) = self._moved([(left, top), (left + width, top + height)])
        self._pen.rectangle((x, y, right - 1, bottom - 1), colour)

    def line(self, points: Iterable[Point], colour: Colour = CURVE, width: float = 4) -> None:
        """Draw a line through the points."""
        self._pen.line(self._moved(points), colour, round(width * FINER), joint="curve")

    def dotted(self, points: Sequence[Point]) -> None:
        """Draw small dots, some 12 px apart, through the points."""
        for start, end in pairwise(points):
            number = max(2, round(dist(start, end) / 12))
            along, down = (end[0] - start[0]) / number, (end[1] - start[1]) / number
            for k in range(number):
                self.dot((start[0] + k * along, start[1] + k * down), 2)

    def dot(self, at: Point, radius: float) -> None:
        """Draw a disc."""
        [(x, y)] = self._moved([at])
        r = radius * FINER
        self._pen.ellipse((x - r, y - r, x + r, y + r), CURVE)

    def grid(self, x: Axis, y: Axis) -> None:
        """Draw the lines of the ratings, and the axis of the years."""
        left, _, right, bottom = FRAME
        for rating in _rating_ticks(y):
            self.bar(left, round(y.exact(rating)), right - left, 1, GRID)
        self.bar(left, bottom, right - left, 2, SOFT)
        for year in _year_ticks(x):
            self.bar(round(x.exact(year)), bottom, 2, 9, SOFT)

    def _moved(self, points: Iterable[Point]) -> list[Point]:
        """Return points of the picture as those of the plot."""
        return [((x - PLOT[0]) * FINER, (y - PLOT[1]) * FINER) for x, y in points]


class Sheet:
    """The picture as it grows."""

    def __init__(self, head: str = "") -> None:
        self._image = _sheet(head).copy()
        self._pen = ImageDraw.Draw(self._image)

    def text(self, at: Point, words: str, how: Lettering) -> None:
        """Write on one line, smaller or cut off where it is wider than between the margins."""
        font, most = _font(how.size, how.style), WIDTH - 2 * MARGIN
        if len(words) * how.size > most and (length := font.getlength(words)) > most:
            font = _font(max(SMALLEST, int(how.size * most / length)), how.style)
            if (length := font.getlength(words)) > most:
                words = f"{words[: int(len(words) * most / length) - 4]}…"
        self._pen.text(at, words, how.ink, font, how.anchor)

    def labels(self, x: Axis, y: Axis) -> None:
        """Write the numbers of the ratings and years beside the frame."""
        left, _, _, bottom = FRAME
        for rating in _rating_ticks(y):
            self.text((left - 14, y.exact(rating)), str(rating), RATING)
        for year in _year_ticks(x):
            self.text((x.exact(year), bottom + 28), str(year), YEAR)

    def put(self, plot: Plot) -> None:
        """Put a plot in its place."""
        self._image.paste(plot.reduced(), PLOT[:2])

    def png(self) -> bytes:
        """Return the picture as a file."""
        file = io.BytesIO()
        image = self._image.quantize(palette=_palette(), dither=Image.Dither.NONE)
        image.save(file, "PNG", compress_type=RUNS)
        return file.getvalue()


@cache
def _sheet(head: str) -> Image.Image:
    """Return a sheet with its head and its rule."""
    image = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    pen = ImageDraw.Draw(image)
    pen.text((MARGIN, 58), head, HEAD.ink, _font(HEAD.size, HEAD.style), HEAD.anchor)
    for row in range(2):
        y = HEIGHT - (2 - row) * SQUARE
        for x in range(row * SQUARE, WIDTH, 2 * SQUARE):
            pen.rectangle((x, y, x + SQUARE - 1, y + SQUARE - 1), INK)
    return image


@cache
def _palette() -> Image.Image:
    image = Image.new("P", (1, 1))
    image.putpalette([part for colour in COLOURS for part in colour])
    return image


@cache
def _font(size: int, style: str) -> ImageFont.FreeTypeFont:
    file = font_file(f"DejaVuSerif{'-' + style if style else ''}.ttf")
    return ImageFont.truetype(file, size, layout_engine=ImageFont.Layout.BASIC)
