"""Whether the links of a built site lead anywhere."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from typing import TypeVar
from urllib.parse import unquote

from edo.core.problems import EdoError

_LINKING = (b"href", b"src", b"srcset", b"action", b"data-names", b"data-find")
# What begins with `="` is found in half the time of what begins with one of the names.
_HREF = re.compile(b'="(?:%s)([^"#?]+)' % b"|".join(rb'(?<=\s%s=")' % name for name in _LINKING))
_ELSEWHERE = re.compile(r"[a-z]+:|/")
T = TypeVar("T")

MOST = 20  # links that one message names


def checked(
    made: Iterable[tuple[str, T, Iterable[str]]], others: Collection[str] = ()
) -> Iterator[tuple[str, T]]:
    """Yield path and state of each file; with them come its `targets`.

    `others` are files to which pages may link too. Raises EdoError, after the last file, that names
    the links that lead nowhere.
    """
    paths = set(others)
    wanted: dict[str, str] = {}
    for path, state, found in made:
        paths.add(path)
        for target in found:
            wanted[target] = min(path, wanted.get(target, path))
        yield path, state
    dead = sorted((page, target) for target, page in wanted.items() if target not in paths)
    if dead:
        listed = "\n".join(f"  {page}: {target}" for page, target in dead[:MOST])
        raise EdoError(
            f"{len(dead)} links lead nowhere; correct them in the notes and texts:\n{listed}"
        )


def targets(page: str, content: bytes) -> set[str]:
    """Return the paths from the root of the site to which a page links; none for another file."""
    if not page.endswith(".html"):
        return set()
    folder = posixpath.dirname(page)
    found = (_target(folder, href) for href in set(_HREF.findall(content)))
    return {target for target in found if target is not None}


@lru_cache(1 << 16)  # the pages of a folder share most of their links
def _target(folder: str, link: bytes) -> str | None:
    """Return the path from the root to which pages of a folder link, None for another site's."""
    href = unquote(link.decode())
    return None if _ELSEWHERE.match(href) else posixpath.normpath(posixpath.join(folder, href))
