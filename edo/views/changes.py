"""The whole input of the site in, the page of what changed out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup

from edo import formats, markup, urls
from edo.changelist import Change
from edo.records import Dataset, PartialDate
from edo.views.material import player_link
from edo.views.site import Link, Page, SiteInput


@dataclass(frozen=True, slots=True)
class Entry:
    """One change; `touched` are the events and players that it touches."""

    anchor: str
    date: str
    machine_date: str
    title: str
    text: Markup
    touched: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class ChangesView:
    """What changed, the newest first, and the feed of it."""

    entries: tuple[Entry, ...]
    feed: Link


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the page of what changed."""
    yield Page(
        path=urls.CHANGES,
        template="changes.html",
        view=ChangesView(
            tuple(_entry(change, site.dataset) for change in site.changes),
            Link("Atom feed", urls.FEED),
        ),
        title="What changed",
        description="Corrections and additions to the results and ratings, the newest first.",
    )


def _entry(change: Change, dataset: Dataset) -> Entry:
    day = change.date
    return Entry(
        anchor=change.id,
        date=formats.date(PartialDate(day.year, day.month, day.day)),
        machine_date=day.isoformat(),
        title=change.title,
        text=markup.block(change.text, urls.CHANGES),
        touched=(*_events(change, dataset), *_players(change, dataset)),
    )


def _events(change: Change, dataset: Dataset) -> Iterator[Link]:
    for event in change.events:
        if event in dataset.events:  # another history may be built with these texts
            yield Link(dataset.events[event].name, urls.event(event))


def _players(change: Change, dataset: Dataset) -> Iterator[Link]:
    for player in change.players:
        if player in dataset.players:
            yield player_link(dataset.players[player])
