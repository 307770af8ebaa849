"""The whole input of the site in, the page of all that a search finds out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from edo.core import urls
from edo.core.model import Dataset
from edo.site.input import Link, Page, SiteInput
from edo.site.pages.alphabet import by_letter

SCRIPTS = (urls.static("found.js"),)


@dataclass(frozen=True, slots=True)
class Way:
    """A section that can be looked through without a script: its index and places on it."""

    name: str
    index: Link
    jumps: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class SearchView:
    """Where to look without a script."""

    ways: tuple[Way, ...]
    others: tuple[Link, ...]


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the page of the search."""
    yield Page(
        path=urls.SEARCH,
        template="search.html",
        view=partial(search_view, site.dataset),
        title="Search",
        description="Find players, events, places and years by name.",
        scripts=SCRIPTS,
    )


def search_view(dataset: Dataset) -> SearchView:
    """Return the ways to all that the search finds."""
    told = {urls.PLAYERS, urls.EVENTS}
    return SearchView(
        ways=(
            Way("Players", Link("All players", urls.PLAYERS), tuple(_letters(dataset))),
            Way("Events", Link("All events", urls.EVENTS), tuple(_decades(dataset))),
        ),
        others=tuple(Link(name, index) for name, index in urls.SECTIONS if index not in told),
    )


def _letters(dataset: Dataset) -> Iterator[Link]:
    for letter, _ in by_letter(dataset.players.values(), lambda player: player.name):
        anchor = "other" if letter == "#" else letter.lower()
        yield Link(letter, f"{urls.PLAYERS}#{anchor}")


def _decades(dataset: Dataset) -> Iterator[Link]:
    for decade in sorted({event.year // 10 * 10 for event in dataset.events.values()}):
        yield Link(f"{decade}s", f"{urls.EVENTS}#d{decade}")
