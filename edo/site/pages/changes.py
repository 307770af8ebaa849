"""The whole input of the site in, the page of what changed out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from markupsafe import Markup

from edo.core import formats, urls
from edo.core.model import Dataset, PartialDate
from edo.history.change_list import Change, Moved
from edo.site import markup
from edo.site.input import Link, Page, SiteInput
from edo.site.pages.material import player_link


@dataclass(frozen=True, slots=True)
class MoveRow:
    """A rating that moved; `event` is the one that moved it most, None where none is named."""

    player: Link
    year: Link
    old: str
    new: str
    change: str
    event: Link | None


@dataclass(frozen=True, slots=True)
class Entry:
    """One change; `touched` are the events and players that it touches, `moves` what moved."""

    anchor: str
    date: str
    machine_date: str
    title: str
    text: Markup
    touched: tuple[Link, ...]
    moves: tuple[MoveRow, ...]


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
        view=partial(_view, site),
        title="What changed",
        description="Corrections and additions to the results and ratings, the newest first.",
    )


def _view(site: SiteInput) -> ChangesView:
    entries = tuple(_entry(change, site) for change in site.changes)
    return ChangesView(entries, Link("Atom feed", urls.FEED))


def _entry(change: Change, site: SiteInput) -> Entry:
    day, dataset = change.date, site.dataset
    return Entry(
        anchor=change.id,
        date=formats.date(PartialDate(day.year, day.month, day.day)),
        machine_date=day.isoformat(),
        title=change.title,
        text=markup.block(change.text, urls.CHANGES),
        touched=(*_events(change, dataset), *_players(change, dataset)),
        moves=tuple(_move(move, site) for move in change.moves),
    )


def _move(move: Moved, site: SiteInput) -> MoveRow:
    """Return a move as it was told then; what has no page any more is named by its id."""
    player = site.dataset.players.get(move.player)
    event = None if move.event is None else site.dataset.events.get(move.event)
    no_event = None if move.event is None else Link(move.event)
    return MoveRow(
        player=Link(move.player) if player is None else player_link(player),
        year=Link(
            str(move.year), urls.year(move.year) if move.year in site.ratings.years else None
        ),
        old=formats.rating(move.old),
        new=formats.rating(move.new),
        change=formats.signed(move.new - move.old),
        event=no_event if event is None else Link(event.name, urls.event(event.id)),
    )


def _events(change: Change, dataset: Dataset) -> Iterator[Link]:
    for event in change.events:
        if event in dataset.events:  # another history may be built with these texts
            yield Link(dataset.events[event].name, urls.event(event))


def _players(change: Change, dataset: Dataset) -> Iterator[Link]:
    for player in change.players:
        if player in dataset.players:
            yield player_link(dataset.players[player])
