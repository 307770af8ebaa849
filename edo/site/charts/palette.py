"""Colours of the drawings, light and dark, and which players' curves are drawn in colour."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from edo.rating.edo import PlayerYear, Ratings

AMONG_FIRST = 3  # the places in a year's list that make a leading player
APART = 10  # [years] between two careers, below which one could be taken for the other
FIELD = 6  # how many must be rated in a year for its places to count
COLOURS = "abcdef"  # the stylesheet's colours of lines (`--line-a` to `--line-f`)

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


def years_among_first(ratings: Ratings) -> Counter[str]:
    """Return in how many years each player was among the first three.

    Places rather than ratings are used so that every period is represented; years with few rated
    players do not count, as a place among the first means little in them.
    """
    rankings = [ranking for ranking in ratings.years.values() if len(ranking) >= FIELD]
    return Counter(
        year.player
        for ranking in rankings or ratings.years.values()
        for year in ranking[:AMONG_FIRST]
    )


def leading_players(ratings: Ratings, n: int) -> list[str]:
    """Return the n players who were among the first three in most years, the earliest first."""
    places = years_among_first(ratings)
    longest = sorted(places, key=lambda player: (-places[player], player))[:n]
    return sorted(longest, key=lambda player: (ratings.players[player][0].year, player))


def colours_of(careers: Sequence[Sequence[PlayerYear]]) -> list[str]:
    """Return a colour for each career; careers that share one are far apart in time."""
    spans = [set(range(years[0].year - APART, years[-1].year + 1)) for years in careers]
    chosen: list[str] = []
    for k, span in enumerate(spans):
        shared = {
            colour: sum(len(span & spans[j]) for j in range(k) if chosen[j] == colour)
            for colour in COLOURS
        }
        chosen.append(min(COLOURS, key=lambda colour: (shared[colour], chosen.count(colour))))
    return chosen
