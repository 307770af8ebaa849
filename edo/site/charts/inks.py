"""An SVG in stand-in colours in, the same in the colours of the site, light or dark, out."""

from __future__ import annotations

import re

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
