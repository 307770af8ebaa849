"""The figures of the method pages, drawn with matplotlib as SVG.

Each figure is drawn twice, for wide and for narrow screens, with text of the same size. Its
colours are CSS variables defined inside the file, with one set for light and one for dark mode.
"""

from __future__ import annotations

import io
import re
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from edo.core import urls
from edo.rating.edo import Ratings, levels

if TYPE_CHECKING:  # slow to import, and not needed if no figure has changed
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
Sizes = Mapping[str, tuple[int, int]]
Canvas: TypeAlias = "Axes"
"""The axes on which a figure is drawn."""

Draw = Callable[..., None]
"""A function that draws one figure on the axes, given its `shape`, wide or narrow."""

SIZES = {"wide": (600, 290), "narrow": (400, 300)}  # [px], 72 to the inch as in SVG

# matplotlib knows only colours, so each variable has a stand-in that is replaced in the file:
# stand-in, name, colour on light, colour on dark.
INKS = {
    "#010101": ("ink", "#211c15", "#ece4d4"),
    "#020202": ("soft", "#5b5143", "#b5a993"),
    "#030303": ("rule", "#cfc3a9", "#4a4237"),
    "#040404": ("faint", "#a89a7c", "#766a57"),
    "#060606": ("a", "#8c1f1f", "#f0947c"),
    "#070707": ("b", "#1f5578", "#85bfe6"),
    "#080808": ("c", "#3d6127", "#a5cc86"),
    "#090909": ("d", "#8a5a00", "#e5bb62"),
    "#0a0a0a": ("e", "#6a3273", "#d7a6e0"),
    "#0b0b0b": ("f", "#0f6660", "#7fd0c6"),
}
_BY_NAME = {name: stand_in for stand_in, (name, _, _) in INKS.items()}
INK, SOFT, RULE, FAINT = (_BY_NAME[n] for n in ("ink", "soft", "rule", "faint"))
LINES = tuple(_BY_NAME[name] for name in "abcdef")
_FONT = "'Iowan Old Style','Palatino Linotype',Palatino,P052,Georgia,'DejaVu Serif',serif"

_STYLE: dict[Any, Any] = {
    "svg.hashsalt": "edo",  # otherwise the ids differ from run to run
    "svg.fonttype": "none",
    "font.family": "DejaVu Serif",
    "font.size": 12,
    "text.color": INK,
    "axes.edgecolor": SOFT,
    "axes.labelcolor": SOFT,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.axisbelow": True,
    "grid.color": RULE,
    "grid.linewidth": 0.8,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "ytick.major.size": 0,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "axes.titlelocation": "left",
    "axes.titlesize": 12,
    "axes.titlecolor": SOFT,
}


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure as pages show it: the two files, their sizes [px] and the text alternative."""

    target: str
    narrow: str
    alt: str
    width: str
    height: str
    narrow_width: str
    narrow_height: str


def files(ratings: Ratings) -> Iterator[tuple[str, bytes]]:
    """Yield path and SVG of every figure; the same ratings give the same bytes."""
    for name, (draw, _) in FIGURES.items():
        yield from drawn(name, SIZES, partial(draw, ratings=ratings))


def drawn(name: str, sizes: Sizes, draw: Callable[..., None]) -> Iterator[tuple[str, bytes]]:
    """Yield path and SVG of a figure in each shape; `draw` takes the axes and the `shape`."""
    for shape, size in sizes.items():
        yield path(name, shape), _svg(partial(draw, shape=shape), size)


def drawing(name: str) -> Drawing:
    """Return what a page needs to show a figure. Raises KeyError if there is none of this name."""
    return described(name, SIZES, FIGURES[name][1])


def described(name: str, sizes: Sizes, alt: str) -> Drawing:
    """Return what a page needs to show a figure of these sizes [px]."""
    wide, narrow = (path(name, shape) for shape in ("wide", "narrow"))
    return Drawing(wide, narrow, alt, *map(str, (*sizes["wide"], *sizes["narrow"])))


def font_file(name: str) -> str:
    """Return the path of a font that comes with matplotlib, such as `DejaVuSerif.ttf`."""
    import matplotlib as mpl  # noqa: PLC0415

    return f"{mpl.get_data_path()}/fonts/ttf/{name}"


def _draw_top_ten(axes: Axes, ratings: Ratings, shape: str) -> None:
    years = levels(ratings)
    means = ([y.top5 for y in years], [y.top10 for y in years], [y.top20 for y in years])
    for name, values, colour in zip(("5", "10", "20"), means, LINES[:3], strict=True):
        shown = [(y.year, mean) for y, mean in zip(years, values, strict=True) if mean is not None]
        if shown:
            axes.plot(*zip(*shown, strict=True), color=colour, linewidth=1.8)
            axes.text(shown[-1][0] + 1, shown[-1][1], name, color=colour, va="center")
    axes.set_xlim(years[0].year - 1, years[-1].year + 6)


def _draw_below(axes: Axes, ratings: Ratings, shape: str) -> None:
    years = [year for year in levels(ratings) if year.top10 is not None]
    if years:
        shares = [100 * y.share_below for y in years]
        axes.bar([y.year for y in years], shares, width=1.05, color=LINES[0], linewidth=0)
        axes.set_xlim(years[0].year - 1, years[-1].year + 1)


def _draw_rated(axes: Axes, ratings: Ratings, shape: str) -> None:
    years = sorted(ratings.years)
    everyone = [len(ratings.years[year]) for year in years]
    active = [sum(not p.is_gap for p in ratings.years[year]) for year in years]
    axes.fill_between(years, active, everyone, color=FAINT, alpha=0.45, linewidth=0, step="mid")
    axes.fill_between(years, 0, active, color=LINES[0], linewidth=0, step="mid")
    axes.set_xlim(years[0] - 1, years[-1] + 1)
    axes.set_ylim(0, max(everyone) * 1.05)


def _draw_unrated(axes: Axes, ratings: Ratings, shape: str) -> None:
    counts = sorted(Counter(ratings.unrated.values()).items(), key=lambda item: (item[1], item[0]))
    numbers = [number for _, number in counts] or [0]
    axes.barh(range(len(numbers)), numbers, height=0.32, color=LINES[0])
    width = {"wide": 84, "narrow": 46}[shape]
    for k, (reason, number) in enumerate(counts):
        words = textwrap.fill(reason.partition(", so that")[0].rstrip("."), width)
        axes.text(0, k + 0.24, words, color=INK, va="bottom", fontsize=11)
        axes.text(number + max(numbers) * 0.01, k, str(number), color=INK, va="center")
    axes.set_yticks([])
    axes.set_ylim(-0.4, len(numbers) - 0.1)
    axes.grid(visible=False)
    axes.spines["bottom"].set_visible(False)
    axes.set_xticks([])


def _draw_deviations(axes: Axes, ratings: Ratings, shape: str) -> None:
    years = [year for years in ratings.players.values() for year in years]
    steps = int(max(year.deviation for year in years) // 10) + 1
    edges = [10.0 * k for k in range(steps + 1)]
    played = [year.deviation for year in years if not year.is_gap]
    gaps = [year.deviation for year in years if year.is_gap]
    axes.hist([played, gaps], edges, stacked=True, color=[LINES[0], FAINT], rwidth=0.9)
    axes.set_xlim(0, edges[-1])
    axes.set_xlabel("rating deviation, in steps of 10 points")


FIGURES: Mapping[str, tuple[Draw, str]] = {
    "top-ten": (
        _draw_top_ten,
        "Three curves through the years: the mean ratings of the top five, ten and twenty of each "
        "year's list. The file consistency.csv has the numbers.",
    ),
    "below": (
        _draw_below,
        "The share of each year's rated players, in per cent, who are rated below 2200, in years "
        "with at least ten rated players. The file consistency.csv has the numbers.",
    ),
    "rated": (
        _draw_rated,
        "The number of rated players in each year, with those who have results in that year below "
        "and those in a gap between two results above.",
    ),
    "unrated": (
        _draw_unrated,
        "A bar for each reason: the number of players who could not be rated.",
    ),
    "deviations": (
        _draw_deviations,
        "A histogram of the deviations of all player-years, with years with results below and "
        "years in gaps above.",
    ),
}
"""By name: the function that draws it, and its text alternative."""


def path(name: str, shape: str) -> str:
    """Return the path of a figure in one of its shapes."""
    return urls.figure(name if shape == "wide" else f"{name}-{shape}")


def _svg(draw: Callable[[Axes], None], size: tuple[int, int]) -> bytes:
    """Return the file of one figure of `size` [px]."""
    import matplotlib as mpl  # noqa: PLC0415
    from matplotlib.figure import Figure  # noqa: PLC0415

    width, height = size
    file = io.BytesIO()
    with mpl.rc_context():
        mpl.rcdefaults()  # a user's own settings must not change the figures
        mpl.rcParams.update(_STYLE)
        figure = Figure(figsize=(width / 72, height / 72), dpi=72)
        draw(figure.add_axes((48 / width, 42 / height, 1 - 58 / width, 1 - 54 / height)))
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    return themed(file.getvalue().decode()).encode()


def themed(svg: str) -> str:
    """Return the SVG with its colours as variables, light and dark, and fewer decimals."""
    light = ";".join(f"--{name}:{colour}" for name, colour, _ in INKS.values())
    dark = ";".join(f"--{name}:{colour}" for name, _, colour in INKS.values())
    style = f"<style>:root{{{light}}}@media (prefers-color-scheme:dark){{:root{{{dark}}}}}</style>"
    for stand_in, (name, _, _) in INKS.items():
        svg = svg.replace(stand_in, f"var(--{name})")
    svg = re.sub(r' d="[^"]*"', lambda path: re.sub(r"(\.\d\d)\d+", r"\1", path[0]), svg)
    svg = svg.replace("'DejaVu Serif'", _FONT)
    return re.sub(r"(<svg [^>]*>)", lambda tag: tag[1] + style, svg, count=1)
