"""Check that every link between the pages of a site leads to one of its files."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterable, Iterator
from urllib.parse import unquote

from edo.core.problems import EdoError

_HREF = re.compile(rb'\s(?:href|src|srcset|action|data-names|data-find)="([^"#?]+)')
_ELSEWHERE = re.compile(r"[a-z]+:|/")
MOST = 20  # links that one message names


def checked(
    files: Iterable[tuple[str, bytes]], others: Collection[str] = ()
) -> Iterator[tuple[str, bytes]]:
    """Yield path and bytes unchanged; `others` are files to which pages may link too.

    Raises EdoError, after the last file, that names the links that lead nowhere.
    """
    paths = set(others)
    wanted: dict[str, str] = {}
    for path, content in files:
        paths.add(path)
        if path.endswith(".html"):
            for target in _targets(path, content):
                wanted.setdefault(target, path)
        yield path, content
    dead = sorted((page, target) for target, page in wanted.items() if target not in paths)
    if dead:
        listed = "\n".join(f"  {page}: {target}" for page, target in dead[:MOST])
        raise EdoError(
            f"{len(dead)} links lead nowhere; correct them in the notes and texts:\n{listed}"
        )


def _targets(page: str, content: bytes) -> set[str]:
    """Return the paths from the root of the site to which the page links."""
    hrefs = {unquote(href.decode()) for href in _HREF.findall(content)}
    folder = posixpath.dirname(page)
    return {
        posixpath.normpath(posixpath.join(folder, href))
        for href in hrefs
        if not _ELSEWHERE.match(href)
    }
