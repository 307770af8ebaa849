"""The whole input of the site in, the page of all that a search finds out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from edo import urls
from edo.views.site import Link, Page, SiteInput


@dataclass(frozen=True, slots=True)
class SearchView:
    """Where to look without a script: the index of each section."""

    ways: tuple[Link, ...]


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the page of the search."""
    yield Page(
        path=urls.SEARCH,
        template="search.html",
        view=SearchView(tuple(Link(name, target) for name, target in urls.SECTIONS)),
        title="Search",
        description="Find players, events, places and years by name.",
    )
