"""The search page, with indexes to look in where scripts are off."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from edo.core import urls
from edo.core.model import Dataset
from edo.site.input import Link, Page, SiteInput
from edo.site.pages.lists import letter_links


@dataclass(frozen=True, slots=True)
class SearchView:
    """The letters of the list of players, and the decades of the list of events."""

    letters: tuple[Link, ...]
    decades: tuple[Link, ...]


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the search page."""
    yield Page(
        path=urls.SEARCH,
        template="search.html",
        view=partial(search_view, site.dataset),
        title="Search",
        description="Find players, events, places and years by name.",
        scripts=(urls.static("found.js"),),
    )


def search_view(dataset: Dataset) -> SearchView:
    """Return the indexes."""
    decades = sorted({event.year // 10 * 10 for event in dataset.events.values()})
    return SearchView(
        letter_links(dataset),
        tuple(Link(f"{decade}s", f"{urls.EVENTS}#d{decade}") for decade in decades),
    )
