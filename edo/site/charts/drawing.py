"""How the figures of the method pages are drawn: with matplotlib, as SVG.

Each figure is drawn twice, for wide and for narrow screens, with text of the same size. Its
colours are CSS variables defined inside the file, with one set for light and one for dark mode.
"""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from edo.core import json
from edo.site import urls
from edo.site.input import SiteInput

if TYPE_CHECKING:  # slow to import, and not needed where nothing is drawn
    from matplotlib.axes import Axes

Data = TypeVar("Data")
Sizes = Mapping[str, tuple[int, int]]
Canvas: TypeAlias = "Axes"
"""The axes on which a figure is drawn."""

SIZES: Sizes = {"wide": (600, 290), "narrow": (400, 300)}  # [px], 72 to the inch as in SVG

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


@dataclass(frozen=True, slots=True)
class Figure(Generic[Data]):
    """A figure that texts show by its name.

    `data` returns what it shows of a site, None where there is nothing to show; `draw` draws that
    on the axes, given the shape, `wide` or `narrow`; `sizes` [px] may depend on it. `alt` is the
    text alternative.
    """

    name: str
    data: Callable[[SiteInput], Data | None]
    draw: Callable[[Canvas, Data, str], None]
    alt: str
    sizes: Callable[[Data], Sizes] = lambda _: SIZES

    def files(self, data: Data, stamp: str = "") -> Iterator[tuple[str, Callable[[], bytes]]]:
        """Yield path and what draws the SVG in each shape; the same data give the same bytes.

        The `stamp` says what the figure was drawn from, see `stamp_of`.
        """
        for shape, size in self.sizes(data).items():
            draw = partial(self._draw, data=data, shape=shape)
            yield path(self.name, shape), partial(_svg, draw, size, stamp)

    def _draw(self, axes: Canvas, data: Data, shape: str) -> None:
        self.draw(axes, data, shape)

    def drawing(self, data: Data) -> Drawing:
        """Return what a page needs to show the figure."""
        sizes = self.sizes(data)
        wide, narrow = (path(self.name, shape) for shape in ("wide", "narrow"))
        return Drawing(wide, narrow, self.alt, *map(str, (*sizes["wide"], *sizes["narrow"])))


def stamp_of(measurement: object) -> str:
    """Return the comment in the figures of a measurement that says of which one they are."""
    written = hashlib.sha256(json.dump(measurement)).hexdigest()[:12]
    return f"<!-- of the measurement {written} -->"


def font_file(name: str) -> str:
    """Return the path of a font that comes with matplotlib, such as `DejaVuSerif.ttf`."""
    import matplotlib as mpl  # noqa: PLC0415

    return f"{mpl.get_data_path()}/fonts/ttf/{name}"


def path(name: str, shape: str) -> str:
    """Return the path of a figure in one of its shapes."""
    return urls.figure(name if shape == "wide" else f"{name}-{shape}")


def _svg(draw: Callable[[Axes], None], size: tuple[int, int], stamp: str) -> bytes:
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
    return themed(file.getvalue().decode(), stamp).encode()


def themed(svg: str, stamp: str = "") -> str:
    """Return the SVG with its stamp, fewer decimals, and variables for colours, light and dark."""
    light = ";".join(f"--{name}:{colour}" for name, colour, _ in INKS.values())
    dark = ";".join(f"--{name}:{colour}" for name, _, colour in INKS.values())
    style = f"<style>:root{{{light}}}@media (prefers-color-scheme:dark){{:root{{{dark}}}}}</style>"
    for stand_in, (name, _, _) in INKS.items():
        svg = svg.replace(stand_in, f"var(--{name})")
    svg = re.sub(r' d="[^"]*"', lambda path: re.sub(r"(\.\d\d)\d+", r"\1", path[0]), svg)
    svg = svg.replace("'DejaVu Serif'", _FONT)
    return re.sub(r"(<svg [^>]*>)", lambda tag: tag[1] + stamp + style, svg, count=1)
