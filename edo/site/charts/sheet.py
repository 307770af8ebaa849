"""Words, lines and bands in, a picture of a rating curve as PNG out: the only door to Pillow.

Words and curves are drawn in grey, the curves at twice their size, and laid on a sheet of sixteen
colours.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import dist

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageColor, ImageDraw, ImageFont

from edo.site.charts import figures
from edo.site.charts.inks import INKS

Bytes = NDArray[np.uint8]
Point = tuple[float, float]

WIDTH, HEIGHT = 1200, 630  # [px] what those who show shared pages ask for
MARGIN = 64  # [px]
FRAME = (140, 236, WIDTH - MARGIN, 516)  # [px] left, top, right, bottom of a curve
FINER = 2  # lines are drawn so many times larger, which smooths their edges
SMALLEST = 18  # [px] of letters
SQUARE = 9  # [px] of the chequered rule

RUNS = 3  # zlib's way of packing runs alone: in half the time, a tenth larger

PAPER = "#faf6ec"
NONE, GAP, WHOLE = 0, 1, 2  # the bands behind a curve
BANDS = {NONE: 0.0, GAP: 0.1, WHOLE: 0.26}  # how much they have of its ink
# The numbers of the colours. Three times three with each band behind: nothing, a line of the grid,
# the edge of a curve; the curve itself; and what is written, its edge, within, whole.
PLAIN, GRID, EDGE, CURVE, INK, SOFT = 0, 3, 6, 9, 10, 13
MUCH = bytes(0 if grey <= 40 else 16 if grey <= 160 else 32 for grey in range(256))
"""Of each grey whether it is no line, the edge of one or the line itself."""
_GREY = 255


@dataclass(frozen=True, slots=True)
class Lettering:
    """How words are written; `anchor` is Pillow's, `size` [px]."""

    size: int
    ink: int
    style: str = ""
    anchor: str = "lm"


class Lines:
    """Curves within the frame, drawn larger in grey, and their bands by number; all in px."""

    def __init__(self) -> None:
        width, height = WIDTH - FRAME[0] + MARGIN, FRAME[3] - FRAME[1] + 16
        self.ink = Image.new("L", (width * FINER, height * FINER))
        self.band = Image.new("L", (width, height))
        self._pen, self._brush = ImageDraw.Draw(self.ink), ImageDraw.Draw(self.band)

    def line(self, points: Sequence[Point], width: float) -> None:
        """Draw a line through the points."""
        self._pen.line(_moved(points, FINER), _GREY, round(width * FINER), joint="curve")

    def dotted(self, start: Point, end: Point) -> None:
        """Draw small dots, some 12 px apart, from start to end."""
        number = max(2, round(dist(start, end) / 12))
        along, down = (end[0] - start[0]) / number, (end[1] - start[1]) / number
        for k in range(number):
            self.dot((start[0] + k * along, start[1] + k * down), 2)

    def dot(self, at: Point, radius: float) -> None:
        """Draw a disc."""
        [(x, y)] = _moved([at], FINER)
        r = radius * FINER
        self._pen.ellipse((x - r, y - r, x + r, y + r), _GREY)

    def fill(self, outline: Sequence[Point], band: int) -> None:
        """Fill an outline with a band, over those that are there."""
        self._brush.polygon(_moved(outline), band)


def _moved(points: Sequence[Point], larger: int = 1) -> list[Point]:
    """Return the points [px] of the picture as those of a drawing of the frame."""
    left, top = FRAME[0] - MARGIN, FRAME[1] - 8
    return [((x - left) * larger, (y - top) * larger) for x, y in points]


class Sheet:
    """The picture as it grows: the numbers of its colours, (HEIGHT, WIDTH)."""

    def __init__(self) -> None:
        self._numbers: Bytes = _blank().copy()

    def text(self, at: Point, words: str, how: Lettering) -> None:
        """Write on one line, smaller where it is wider than the picture between its margins."""
        letters, left, top = _written(words, how)
        x, y = round(at[0]) + left, round(at[1]) + top
        under = self._numbers[y : y + letters.shape[0], x : x + letters.shape[1]]
        np.copyto(under, letters, where=letters > 0)

    def bar(self, box: tuple[int, int, int, int], number: int) -> None:
        """Fill a rectangle, its right and lower edge included."""
        left, top, right, bottom = box
        self._numbers[top : bottom + 1, left : right + 1] = number

    def join(self, lines: Lines, number: int) -> None:
        """Lay curves on the sheet in the colour of this number, their bands behind them."""
        left, top = FRAME[0] - MARGIN, FRAME[1] - 8
        under = self._numbers[top : top + lines.band.height, left : left + lines.band.width]
        under += np.asarray(lines.band)
        much = _translated(lines.ink.reduce(FINER), MUCH)
        laid = (under | much).tobytes().translate(_laid(number))
        under[:] = np.frombuffer(laid, np.uint8).reshape(much.shape)

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
    if font.getlength(words) > most:
        font = _font(max(SMALLEST, int(how.size * most / font.getlength(words))), how.style)
    left, top, right, bottom = (int(v) for v in font.getbbox(words, anchor=how.anchor))
    left = max(left, -most // 2)  # what is still too long is cut off
    grey = Image.new("L", (min(right - left + 2, most), bottom - top + 2))
    ImageDraw.Draw(grey).text((-left, -top), words, _GREY, font, how.anchor)
    return _translated(grey, _inked(how.ink)), left, top


def _translated(drawn: Image.Image, table: bytes) -> Bytes:
    """Return a drawing in grey by a table of what each grey is, (height, width)."""
    numbers = np.frombuffer(drawn.tobytes().translate(table), np.uint8)
    return numbers.reshape(drawn.height, drawn.width)


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
    """Return the colour of each colour under no line, the edge of one and the line itself.

    By MUCH of the line and the number of the colour. The edge of a line of the grid is the line
    itself.
    """
    under = np.arange(16, dtype=np.uint8)
    edged = np.where(under < EDGE, (GRID if number == GRID else EDGE) + under % 3, under)
    whole = edged if number == GRID else np.full(16, number)
    return np.concatenate([under, edged, whole]).astype(np.uint8).tobytes().ljust(256, b"\0")


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
