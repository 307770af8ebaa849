"""A site whose files are made when they are first asked for, for the preview."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from threading import RLock

from edo.core import urls
from edo.core.cache import Cache
from edo.site import assets, render
from edo.site.input import Page, SiteInput
from edo.site.render import File


class LazySite:
    """Makes each file of a site when it is first asked for; threads may share it."""

    def __init__(self, site: SiteInput, cache: Cache) -> None:
        self._site, self._cache = site, cache
        self._pages: dict[str, Page] = {}
        self._to_list = self._all_pages()
        self._assets: dict[str, Iterator[File]] = {}
        self._made: dict[str, bytes] = {}
        self._lock = RLock()

    def file(self, path: str) -> bytes | None:
        """Return the file at a path from the root of the site, None where there is none."""
        with self._lock:
            if path not in self._made:
                made = self._page(path) or self._other(path)
                if made is None:
                    return None
                self._made[path] = made
            return self._made[path]

    def not_found(self, address: str) -> bytes:
        """Return the page for missing addresses, of a site at this address."""
        with self._lock:
            page = self._listed(urls.NOT_FOUND)
            there = replace(self._site, base_url=address)
            return b"" if page is None else next(render.render([page], there))[1]

    def _all_pages(self) -> Iterator[Page]:
        return chain.from_iterable(view(self._site) for view in render.VIEWS)

    def _page(self, path: str) -> bytes | None:
        page = self._listed(path)
        return None if page is None else next(render.render([page], self._site))[1]

    def _listed(self, path: str) -> Page | None:
        """Return the page at a path; kinds of pages are listed only as far as needed."""
        while path not in self._pages:
            try:
                page = next(self._to_list, None)
            except Exception:
                self._to_list = self._all_pages()  # the next request meets the error again
                raise
            if page is None:
                return None
            self._pages[page.path] = page
        return self._pages[path]

    def _other(self, path: str) -> bytes | None:
        """Return another file; those of its folder are made up to it, and kept."""
        folder = posixpath.dirname(path)
        if folder not in self._assets:
            self._assets[folder] = assets.files_in(folder, self._site, self._cache)
        for other, content in self._assets[folder]:
            self._made[other] = content
            if other == path:
                return content
        return None
