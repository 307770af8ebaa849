"""Pictures (PNG) for shared links: curves of the site and of players, leaders of a year.

The only module that uses Pillow. Text and curves are drawn in grey, the curves at twice their size,
and laid on a canvas of sixteen colours.
"""

from __future__ import annotations

import io
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from math import dist

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageColor, ImageDraw, ImageFont

from edo.core import formats, urls
from edo.core.model import Dataset, Player
from edo.history.project import SiteConfig
from edo.rating.edo import PlayerYear, Ratings, number_ones
from edo.site.charts import figures
from edo.site.charts.figures import INKS
from edo.site.charts.leading import leading
from edo.site.charts.rating_curve import is_lone
from edo.site.charts.timeline import leading_players

Bytes = NDArray[np.uint8]
Box = tuple[int, int, int, int]  # [px] left, top, right, bottom
Point = tuple[float, float]

WIDTH, HEIGHT = 1200, 630  # [px] the size that social networks ask for
MARGIN = 64  # [px]
FRAME = (140, 236, WIDTH - MARGIN, 516)  # [px] left, top, right, bottom of a curve
DRAWN = (FRAME[0] - MARGIN, FRAME[1] - 8, WIDTH, FRAME[3] + 8)  # [px] where lines can be
FINER = 2  # lines are drawn so many times larger, which smooths their edges
SMALLEST = 18  # [px] of letters
SQUARE = 9  # [px] of the chequered rule

RUNS = 3  # zlib's run-length strategy: half the time, a tenth larger

PAPER = "#faf6ec"
NONE, GAP, WHOLE = 0, 1, 2  # the bands behind a curve
BANDS = {NONE: 0.0, GAP: 0.1, WHOLE: 0.26}  # how much they have of its ink
# The numbers of the colours. Three times three with each band behind: nothing, a line of the grid,
# the edge of a curve; the curve itself; and what is written, its edge, within, whole.
PLAIN, GRID, EDGE, CURVE, INK, SOFT = 0, 3, 6, 9, 10, 13
COLOURS = 16
_GREY, _WHOLE_LINE = 255, 4 * COLOURS  # of letters, and of curves before they are reduced


@dataclass(frozen=True, slots=True)
class Lettering:
    """How words are written; `anchor` is Pillow's, `size` [px]."""

    size: int
    ink: int
    style: str = ""
    anchor: str = "lm"


LEAST_YEARS, LEAST_ELO = 6, 300  # what the frame of a curve shows at least
LEADERS = 12  # players whose curves stand out in the picture of the site

SITE_NAME, SITE_MOTTO = Lettering(66, INK, "", "mm"), Lettering(34, SOFT, "Italic", "mm")
HEAD, NAME, SUBTITLE = Lettering(26, SOFT, "Italic"), Lettering(62, INK), Lettering(34, SOFT)
ROW_NAME = Lettering(22, INK)
OF_YEAR = 10  # players in the picture of a year
DOTS_FROM = 560  # [px] from the left, behind the longest names
RATING, YEAR = Lettering(24, SOFT, "", "rm"), Lettering(24, SOFT, "", "mm")


@dataclass(frozen=True, slots=True)
class Scale:
    """Where years and ratings [Elo] lie in the frame."""

    first: float
    last: float
    lowest: float
    highest: float

    def at(self, year: float, rating: float) -> Point:
        """Return the place [px] on the picture."""
        left, top, right, bottom = FRAME
        x = left + (year - self.first) / (self.last - self.first) * (right - left)
        y = bottom - (rating - self.lowest) / (self.highest - self.lowest) * (bottom - top)
        return x, y

    def around(self, years: Sequence[PlayerYear]) -> Box:
        """Return where the band of consecutive years is, and their dots."""
        left, bottom = self.at(years[0].year, min(y.rating - y.deviation for y in years))
        right, top = self.at(years[-1].year, max(y.rating + y.deviation for y in years))
        return int(left) - 8, int(top) - 8, int(right) + 9, int(bottom) + 9


def files(dataset: Dataset, ratings: Ratings, config: SiteConfig) -> Iterator[tuple[str, bytes]]:
    """Yield path and PNG of the site, of players with a curve and of years; same input, same bytes.

    Others share the picture of the site: of one year there is only a dot to see.
    """
    leaders = leading_players(ratings, LEADERS)
    yield urls.SITE_PICTURE, _site(config.name, config.motto, ratings.players, leaders)
    for player in filter(ratings.has_curve, ratings.players):
        record, years = dataset.players[player], _as_printed(ratings.players[player])
        words = config.name, record.shown_name, _subtitle(record, ratings.peak(player))
        yield urls.picture(player), _player(*words, years)

    for number in number_ones(ratings):
        first = _as_printed(leading(ratings, number)[:OF_YEAR])
        names = tuple(dataset.players[one.player].shown_name for one in first)
        yield urls.year_picture(number), _year(config.name, number, first, names)


def _as_printed(years: Iterable[PlayerYear]) -> tuple[PlayerYear, ...]:
    """Return years with what a picture shows, in whole Elo points: at most half a pixel is lost.

    So a picture stays as it was where a rating moves by less than is printed.
    """
    return tuple(
        PlayerYear(
            one.player,
            one.year,
            rating=formats.rounded(one.rating),
            deviation=formats.rounded(one.deviation),
            raw_rating=0.0,
            raw_deviation=0.0,
            rank=one.rank,
            score=0.0,
            games=float(not one.is_gap),
        )
        for one in years
    )


def _year(head: str, year: int, first: Sequence[PlayerYear], names: Sequence[str]) -> bytes:
    """Return the leading players of a year as dots with an interval of one standard error."""
    page = Canvas()
    page.text((MARGIN, 58), head, HEAD)
    page.text((MARGIN, 118), f"The leading players of {year}", NAME)
    low = min(one.rating - one.deviation for one in first)
    high = max(one.rating + one.deviation for one in first)
    _, top, right, bottom = FRAME
    row, lines = (bottom - top) / OF_YEAR, Lines()

    def x(rating: float) -> float:
        return DOTS_FROM + (rating - low) / max(high - low, 1.0) * (right - DOTS_FROM)

    step = next(s for s in (50, 100, 200, 500, 1000) if (high - low) / s <= 8)
    for rating in range(math.ceil(low / step) * step, int(high) + 1, step):
        page.bar((round(x(rating)), top, round(x(rating)), bottom), GRID)
        page.text((x(rating), bottom + 28), str(rating), YEAR)
    for k, (one, name) in enumerate(zip(first, names, strict=True)):
        y = top + row * (k + 0.5)
        shown = formats.rating_with_deviation(one.rating, one.deviation)
        page.text((MARGIN, y), f"{one.rank}  {name}  {shown}", ROW_NAME)
        left, end = x(one.rating - one.deviation), x(one.rating + one.deviation)
        lines.fill([(left, y - 8), (end, y - 8), (end, y + 8), (left, y + 8)], WHOLE)
        lines.dot((x(one.rating), y), 4 if one.is_gap else 7)
    page.join(lines, CURVE)
    return page.png()


def _player(head: str, name: str, subtitle: str, years: Sequence[PlayerYear]) -> bytes:
    """Return name, life and peak of a player over the curve of consecutive years."""
    page = Canvas()
    scale = scale_of(years)
    page.text((MARGIN, 58), head, HEAD)
    page.text((MARGIN, 112), name, NAME)
    page.text((MARGIN, 182), subtitle, SUBTITLE)
    _axes(page, scale)
    lines = Lines(scale.around(years))
    for before, after in pairwise(years):
        _link(lines, scale, before, after)
    for k, year in enumerate(years):
        if not year.is_gap:
            if is_lone(years, k):
                _whisker(lines, scale, year)
            lines.dot(scale.at(year.year, year.rating), 6)
    page.join(lines, CURVE)
    return page.png()


def _site(
    name: str, motto: str, curves: Mapping[str, Sequence[PlayerYear]], leaders: Collection[str]
) -> bytes:
    """Return name and motto of the site over the curves of all players, the leading ones darker."""
    page = Canvas()
    page.text((WIDTH / 2, 112), name, SITE_NAME)
    page.text((WIDTH / 2, 178), motto, SITE_MOTTO)
    if leaders:
        scale = scale_of([year for player in leaders for year in curves[player]])
        others = [player for player in curves if player not in leaders]
        _axes(page, scale)
        for players, ink, width in ((others, GRID, 1.2), (leaders, CURVE, 3.0)):
            lines = Lines()
            for player in players:
                _career(lines, scale, curves[player], width)
            page.join(lines, ink)
    return page.png()


def scale_of(years: Sequence[PlayerYear]) -> Scale:
    """Return a scale that holds the band of all these years, and a little more."""
    first, last = min(y.year for y in years), max(y.year for y in years)
    low = min(y.rating - y.deviation for y in years)
    high = max(y.rating + y.deviation for y in years)
    more = max(0.0, LEAST_YEARS - (last - first)) / 2
    spare = max(20.0, (LEAST_ELO - (high - low)) / 2)
    return Scale(first - more, last + more, low - spare, high + spare)


def _subtitle(player: Player, peak: PlayerYear | None) -> str:
    """Return the line below the name: life and peak."""
    is_dated = player.born is not None or player.died is not None
    words = [formats.life(player.born, player.died)] if is_dated else []
    if peak is not None:
        words.append(f"peak {formats.rating(peak.rating)} in {peak.year}")
    return "  ·  ".join(words)


def _axes(page: Canvas, scale: Scale) -> None:
    """Draw the grid of ratings with its labels, and the years below."""
    left, _, right, bottom = FRAME
    step = next(s for s in (100, 200, 500, 1000) if (scale.highest - scale.lowest) / s <= 6)
    for rating in range(int(-(-scale.lowest // step)) * step, int(scale.highest) + 1, step):
        y = scale.at(0, rating)[1]
        page.bar((left, round(y), right, round(y)), GRID)
        page.text((left - 14, y), str(rating), RATING)
    span = scale.last - scale.first
    step = next(s for s in (1, 2, 5, 10, 20, 50, 100, 1000) if span / s <= 9)
    page.bar((left, bottom, right, bottom + 1), SOFT + 2)
    for year in range(int(-(-scale.first // step)) * step, int(scale.last) + 1, step):
        x = scale.at(year, 0)[0]
        page.bar((round(x), bottom, round(x) + 1, bottom + 8), SOFT + 2)
        page.text((x, bottom + 28), str(year), YEAR)


def _link(lines: Lines, scale: Scale, before: PlayerYear, after: PlayerYear) -> None:
    """Draw what leads from one year to the next: whole, or broken where it is a gap."""
    is_gap = before.is_gap or after.is_gap
    outline = [scale.at(y.year, y.rating + y.deviation) for y in (before, after)]
    outline += [scale.at(y.year, y.rating - y.deviation) for y in (after, before)]
    lines.fill(outline, GAP if is_gap else WHOLE)
    start, end = (scale.at(y.year, y.rating) for y in (before, after))
    if is_gap:
        lines.dotted(start, end)
    else:
        lines.line([start, end], 4)


def _whisker(lines: Lines, scale: Scale, year: PlayerYear) -> None:
    """Draw the error bar of a year that has no neighbours with results."""
    x, top = scale.at(year.year, year.rating + year.deviation)
    bottom = scale.at(year.year, year.rating - year.deviation)[1]
    lines.fill([(x - 7, top), (x + 7, top), (x + 7, bottom), (x - 7, bottom)], WHOLE)


def _career(lines: Lines, scale: Scale, years: Sequence[PlayerYear], width: float) -> None:
    """Draw what of a curve lies in the frame; below it, its lower edge."""
    shown = [year for year in years if scale.first <= year.year <= scale.last]
    if shown:
        heights = [max(year.rating, scale.lowest) for year in shown]
        places = [scale.at(y.year, height) for y, height in zip(shown, heights, strict=True)]
        lines.line(places, width)


class Lines:
    """Curves within a box, drawn larger in grey, and their bands by number; all in px."""

    def __init__(self, box: Box = DRAWN) -> None:
        self.left, self.top, right, bottom = box
        width, height = right - self.left, bottom - self.top
        self.ink = Image.new("L", (width * FINER, height * FINER))
        self.band = Image.new("L", (width, height))
        self._pen, self._brush = ImageDraw.Draw(self.ink), ImageDraw.Draw(self.band)

    def line(self, points: Sequence[Point], width: float) -> None:
        """Draw a line through the points."""
        self._pen.line(self._moved(points, FINER), _WHOLE_LINE, round(width * FINER), joint="curve")

    def dotted(self, start: Point, end: Point) -> None:
        """Draw small dots, some 12 px apart, from start to end."""
        number = max(2, round(dist(start, end) / 12))
        along, down = (end[0] - start[0]) / number, (end[1] - start[1]) / number
        for k in range(number):
            self.dot((start[0] + k * along, start[1] + k * down), 2)

    def dot(self, at: Point, radius: float) -> None:
        """Draw a disc."""
        [(x, y)] = self._moved([at], FINER)
        r = radius * FINER
        self._pen.ellipse((x - r, y - r, x + r, y + r), _WHOLE_LINE)

    def fill(self, outline: Sequence[Point], band: int) -> None:
        """Fill an outline with a band, over those that are there."""
        self._brush.polygon(self._moved(outline), band)

    def _moved(self, points: Sequence[Point], larger: int = 1) -> list[Point]:
        """Return the points of the picture as those of the drawing."""
        return [((x - self.left) * larger, (y - self.top) * larger) for x, y in points]


class Canvas:
    """The picture as it grows: the numbers of its colours, (HEIGHT, WIDTH)."""

    def __init__(self) -> None:
        self._numbers: Bytes = _blank().copy()

    def text(self, at: Point, words: str, how: Lettering) -> None:
        """Write on one line, smaller where it is wider than the picture between its margins."""
        letters, left, top = _written(words, how)
        x, y = round(at[0]) + left, round(at[1]) + top
        under = self._numbers[y : y + letters.shape[0], x : x + letters.shape[1]]
        np.maximum(under, letters, out=under)

    def bar(self, box: Box, number: int) -> None:
        """Fill a rectangle, its right and lower edge included."""
        left, top, right, bottom = box
        self._numbers[top : bottom + 1, left : right + 1] = number

    def join(self, lines: Lines, number: int) -> None:
        """Lay curves on the sheet in the colour of this number, their bands behind them."""
        left, top, (width, height) = lines.left, lines.top, lines.band.size
        under = self._numbers[top : top + height, left : left + width]
        under += np.asarray(lines.band)
        covered = (under + np.asarray(lines.ink.reduce(FINER))).tobytes()
        laid = np.frombuffer(covered.translate(_laid(number)), np.uint8)
        under[:] = laid.reshape(under.shape)

    def png(self) -> bytes:
        """Return the picture as a file."""
        image = Image.fromarray(self._numbers)
        image.putpalette(_palette())
        file = io.BytesIO()
        image.save(file, "PNG", bits=4, compress_type=RUNS)
        return file.getvalue()


@lru_cache(maxsize=4096)  # the same years and ratings stand on many pictures
def _written(words: str, how: Lettering) -> tuple[Bytes, int, int]:
    """Return the words as numbers of colours, 0 around them, and their left and top [px]."""
    font, most = _font(how.size, how.style), WIDTH - 2 * MARGIN
    left, top, right, bottom = map(int, font.getbbox(words, anchor=how.anchor))
    if right - left > most:
        font = _font(max(SMALLEST, how.size * most // (right - left)), how.style)
        left, top, right, bottom = map(int, font.getbbox(words, anchor=how.anchor))
    left = max(left, -most // 2)  # what is still too long is cut off
    grey = Image.new("L", (min(right - left + 2, most), bottom - top + 2))
    ImageDraw.Draw(grey).text((-left, -top), words, _GREY, font, how.anchor)
    numbers = np.frombuffer(grey.tobytes().translate(_inked(how.ink)), np.uint8)
    return numbers.reshape(grey.height, grey.width), left, top


@cache
def _inked(ink: int) -> bytes:
    """Return the colour of each grey of letters, 0 around them."""
    levels = ((grey + 42) // 85 for grey in range(256))  # 0 to 3
    return bytes(ink - 1 + level if level else 0 for level in levels)


@cache
def _blank() -> Bytes:
    """Return the numbers of a sheet with its rule alone, (HEIGHT, WIDTH)."""
    numbers = np.zeros((HEIGHT, WIDTH), np.uint8)
    squares = np.indices((2, WIDTH // SQUARE + 1)).sum(axis=0) % 2 == 0
    rule = np.kron(squares, np.ones((SQUARE, SQUARE), bool))[:, :WIDTH]
    numbers[-2 * SQUARE :][rule] = INK + 2
    return numbers


@cache
def _laid(number: int) -> bytes:
    """Return what each colour becomes under no line, the edge of a line and the line itself.

    Indexed by COLOURS times the quarters of a pixel that a line covers, plus the number of the
    colour. A grid line has no edge of its own.
    """
    under = np.arange(COLOURS, dtype=np.uint8)
    edged = np.where(under < EDGE, (GRID if number == GRID else EDGE) + under % 3, under)
    whole = edged if number == GRID else np.full(COLOURS, number)
    table = np.concatenate([under, edged, edged, whole, whole]).astype(np.uint8)
    return table.tobytes().ljust(256, b"\0")


@cache
def _palette() -> bytes:
    """Return red, green and blue of the sixteen colours."""
    inks = {name: light for name, light, _ in INKS.values()} | {"paper": PAPER}
    rgb = {name: np.array(ImageColor.getrgb(colour), float) for name, colour in inks.items()}
    curve, rule, paper = rgb["a"], rgb["rule"], rgb["paper"]
    behind = [paper + much * (curve - paper) for much in BANDS.values()]
    colours = [*behind, *((rule + ground) / 2 if k else rule for k, ground in enumerate(behind))]
    colours += [(curve + ground) / 2 for ground in behind] + [curve]
    colours += [paper + k / 3 * (rgb[ink] - paper) for ink in ("ink", "soft") for k in (1, 2, 3)]
    return np.array(colours).round().astype(np.uint8).tobytes()


@cache
def _font(size: int, style: str) -> ImageFont.FreeTypeFont:
    file = figures.font_file(f"DejaVuSerif{'-' + style if style else ''}.ttf")
    return ImageFont.truetype(file, size, layout_engine=ImageFont.Layout.BASIC)
