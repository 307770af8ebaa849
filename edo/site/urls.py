"""Paths of the site's pages and files, and links from one page to another.

Those that name a page by an id raise ValueError where the id cannot be a file name.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache

HOME = "index.html"
PLAYERS = "players/index.html"
EVENTS = "events/index.html"
YEARS = "years/index.html"
PLACES = "places/index.html"
SOURCES = "sources/index.html"
LISTS = "lists/index.html"
PEAKS = "lists/peaks.html"
NUMBER_ONES = "lists/number-ones.html"
SUSPECTS = "lists/suspects.html"
BRIDGES = "lists/bridges.html"
WANTED = "lists/wanted.html"
DISPUTED = "lists/disputed.html"
THRONE = "lists/throne.html"
METHOD = "method/index.html"
DATA = "data/index.html"
COMPARE = "compare/index.html"
MATCH = "compare/match.html"
PAIRS = "pairs/index.html"
ALL_SERIES = "series/index.html"
SYSTEMS = "systems/index.html"
CONTEST = "systems/contest.html"
COMPARED = "compare/rated_players.js"  # no id has the underscore
SEARCH = "search.html"
SITE_PICTURE = "pictures/the_site.png"  # no id has the underscore
REPORT = "report.html"
CHANGES = "changes.html"
RECORD = "method/record.html"
FEED = "changes.xml"
SITEMAP = "sitemap.xml"
ROBOTS = "robots.txt"
STYLE = "static/style.css"
NOT_FOUND = "404.html"

SECTIONS: tuple[tuple[str, str], ...] = (
    ("Players", PLAYERS),
    ("Years", YEARS),
    ("Events", EVENTS),
    ("Lists", LISTS),
    ("Compare", COMPARE),
    ("Places", PLACES),
    ("Sources", SOURCES),
    ("Method", METHOD),
    ("Data", DATA),
)
"""The parts of the site in the order of the navigation: name and index page."""

_WITHIN = {"pairs": PLAYERS, "series": EVENTS, "systems": METHOD}
"""Folders beside those of the sections, and the index page of the section they belong to."""

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_FILE = re.compile(r"[a-z0-9]+([-_.][a-z0-9]+)*")
_WAYS = 1 << 16  # remembered in a process: the pages of a folder share most of theirs


def player(player_id: str) -> str:
    """Return the path of a player's page."""
    return f"players/{_page_name(player_id)}.html"


def event(event_id: str) -> str:
    """Return the path of an event's page."""
    return f"events/{_page_name(event_id)}.html"


def year(number: int) -> str:
    """Return the path of the page of a year."""
    return f"years/{number:04d}.html"


def place(place_id: str) -> str:
    """Return the path of a place's page."""
    return f"places/{_page_name(place_id)}.html"


def source(source_id: str) -> str:
    """Return the path of a source's page."""
    return f"sources/{_page_name(source_id)}.html"


def series(series_id: str) -> str:
    """Return the path of a series' page."""
    return f"series/{_page_name(series_id)}.html"


def pair(one: str, other: str) -> str:
    """Return the path of the page of two players' games, in either order."""
    first, second = sorted((one, other))
    return f"pairs/{_page_name(first)}-v-{_page_name(second)}.html"


def method(slug: str) -> str:
    """Return the path of a page on the method."""
    return f"method/{_page_name(slug)}.html"


def system(slug: str) -> str:
    """Return the path of the page of a rating system."""
    return f"systems/{_page_name(slug)}.html"


def listing(name: str) -> str:
    """Return the path of the page of a list."""
    return f"lists/{_page_name(name)}.html"


def text(slug: str) -> str:
    """Return the path of the page of a text of `content/`."""
    if slug == "contest":
        return CONTEST
    kind, _, name = slug.partition("-")
    return system(name) if kind == "system" and name else method(slug)


def data(name: str) -> str:
    """Return the path of a data file, such as `players.csv`. Raises ValueError on a bad name."""
    if _FILE.fullmatch(name) is None or name == "index.html":
        raise ValueError(f"{name!r} cannot be the name of a data file")
    return f"data/{name}"


def compare(*player_ids: str, by_age: bool = False, years: Sequence[int] = ()) -> str:
    """Return the path of the comparison of these players, by age or each in one of the `years`."""
    path = f"{COMPARE}?p={','.join(map(_page_name, player_ids))}"
    if years:
        return f"{path}&in={','.join(map(str, years))}"
    return path + ("&by=age" if by_age else "")


def match(first: tuple[str, int], second: tuple[str, int], games: int) -> str:
    """Return the path of a match that was never played, of two players, each in a year."""
    (one, year), (other, other_year) = first, second
    ids = f"{_page_name(one)},{_page_name(other)}"
    return f"{MATCH}?p={ids}&in={year},{other_year}&n={games}"


def compared(number: int) -> str:
    """Return the path of a script with the data of some players for comparisons, from 1."""
    return f"compare/players_{number}.js"


def static(*names: str) -> str:
    """Return the path of a file that is published as it is, such as `search.js`.

    Names of folders within `static/` go before that of the file. Raises ValueError on a bad name.
    """
    for name in names:
        if _FILE.fullmatch(name) is None:
            raise ValueError(f"{name!r} cannot be the name of a file")
    return "/".join(("static", *names))


def figure(name: str) -> str:
    """Return the path of a drawn figure. Raises ValueError on a bad name."""
    return f"figures/{_page_name(name)}.svg"


def part(index: str, name: str) -> str:
    """Return the path of the page of one part of a long list, such as one letter's players."""
    return f"{posixpath.dirname(index)}/by_{_page_name(name)}.html"  # no id has the underscore


def picture(player_id: str) -> str:
    """Return the path of the picture of a player's curve."""
    return f"pictures/{_page_name(player_id)}.png"


def year_picture(number: int) -> str:
    """Return the path of the picture of a year's leading players; no id has the underscore."""
    return f"pictures/year_{number:04d}.png"


def section(page: str) -> str | None:
    """Return the index page of the section in which `page` stands, None at the top."""
    return _section_of(posixpath.dirname(page))


@cache
def _section_of(folder: str) -> str | None:
    if folder in _WITHIN:
        return _WITHIN[folder]
    return next((path for _, path in SECTIONS if posixpath.dirname(path) == folder), None)


def relative(from_page: str, to_page: str) -> str:
    """Return the link from one page to another, both given from the root of the site.

    A fragment (`players/a.html#y1858`) is kept; a link to a place on the page itself is the
    fragment alone. Raises ValueError where a path is not one of the site's.
    """
    return linker(from_page)(to_page)


def linker(from_page: str) -> Callable[[str], str]:
    """Return what links from one page, as `relative` does, to any other."""
    folder, here, length = _folder(from_page), f"{from_page}#", len(from_page)

    def link(to_page: str) -> str:
        is_within = to_page.startswith(here) and to_page != here
        return to_page[length:] if is_within else _way(folder, to_page)

    return link


def absolute(base_url: str, path: str) -> str:
    """Return the address of a page on the web; the home page has that of the site itself."""
    return f"{base_url.rstrip('/')}/{'' if path == HOME else path}"


@cache
def _folder(path: str) -> str:
    """Return the folder of a path from the root. Raises ValueError where it is none."""
    if not path or path.startswith("/") or ":" in path or ".." in path.split("/"):
        raise ValueError(f"{path!r} is not a path from the root of the site")
    return posixpath.dirname(path)


@lru_cache(_WAYS)
def _way(folder: str, to_page: str) -> str:
    """Return the way from a folder to a page, or to a place on it."""
    path, hash_mark, fragment = to_page.partition("#")
    _folder(path)
    if "/" in folder:
        return posixpath.relpath(path, folder) + hash_mark + fragment
    inside = folder and f"{folder}/"
    return to_page.removeprefix(inside) if path.startswith(inside) else f"../{to_page}"


@cache
def _page_name(page_id: str) -> str:
    """Return an id that may name a page beside the `index.html` of its section."""
    if _ID.fullmatch(page_id) is None:
        raise ValueError(f"the id {page_id!r} cannot be a file name; write it in lower-case kebab")
    if page_id == "index":
        raise ValueError("the id 'index' is the section's own page; choose another id")
    return page_id
