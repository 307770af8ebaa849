"""What a reader's browser has to fetch, compressed as every web server does it."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

# The limits leave room for some years of additions; what exceeds one has grown for another reason.
PLAYER_PAGE = 75_000  # [bytes]; the heaviest has a career of sixty years and 1,000 games and more
FRONT = 200_000  # [bytes] with what the time machine fetches for all years from 1740 to 2023
SEARCH = 250_000  # [bytes] until the first answer: the page, and all names in one file
FETCHED = re.compile(r'<(?:script defer src|link rel="stylesheet" href)="?([^">]+)')


def weight(path: Path, level: int = 6) -> int:
    return len(gzip.compress(path.read_bytes(), level, mtime=0))


def transferred(site: Path, name: str, seen: dict[Path, int], level: int = 6) -> int:
    """Return the bytes of a page, compressed at a level, with its style and scripts."""
    page = site / name
    beside = [(page.parent / link).resolve() for link in FETCHED.findall(page.read_text())]
    assert len(beside) >= 2  # the style, the script of every page
    for path in beside:
        if path not in seen:
            seen[path] = weight(path)
    return weight(page, level) + sum(seen[path] for path in beside)


def test_every_player_page_is_light(site: Path):
    seen: dict[Path, int] = {}
    names = [p.relative_to(site).as_posix() for p in site.glob("players/*.html")]
    names.remove("players/index.html")
    assert len(names) > 1000
    may_be = [name for name in names if transferred(site, name, seen, level=1) >= PLAYER_PAGE]
    pages = {name: transferred(site, name, seen) for name in may_be}  # the others are lighter still
    heavy = {name: size for name, size in pages.items() if size >= PLAYER_PAGE}
    assert not heavy, heavy


def test_the_front_page_is_light_with_all_years(site: Path):
    scripts = [weight(path) for path in (site / "static").glob("time_data*.js")]
    assert len(scripts) > 10
    assert transferred(site, "index.html", {}) + sum(scripts) < FRONT


def test_the_first_answer_of_the_search_comes_early(site: Path):
    for name in ("index.html", "players/tartakower-savielly.html", "search.html"):
        assert transferred(site, name, {}) + weight(site / "static/names.js") < SEARCH, name
