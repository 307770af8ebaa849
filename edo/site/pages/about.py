"""Pages about the site itself: changes, error reports, and redirects from former addresses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product

from markupsafe import Markup

from edo.core import urls
from edo.core.model import Player
from edo.history.change_list import Change
from edo.site import markup
from edo.site.input import Page, SiteInput, no_view
from edo.site.metadata import report_link
from edo.site.pages.lookups import MANY, material_of


@dataclass(frozen=True, slots=True)
class ChangesView:
    """The changes, newest first, with their texts.

    `players` and `events` are the names of those that have a page, by id, and `years` the years
    that have one: another history may be built with these texts.
    """

    changes: tuple[tuple[Change, Markup], ...]
    players: Mapping[str, str]
    events: Mapping[str, str]
    years: frozenset[int]


@dataclass(frozen=True, slots=True)
class ReportView:
    """How to report an error; `address` is where reports are taken, None if nowhere."""

    address: str | None


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the page on reports, the page of changes, and a page at every former address."""
    title, to = "Report an error", site.config.report_to
    yield Page(
        path=urls.REPORT,
        template="report.html",
        view=partial(
            ReportView,
            None
            if to is None
            else report_link(to, title, urls.REPORT, site.fingerprint, site.version),
        ),
        title=title,
        description="How to report a wrong number, name or source.",
        scripts=(urls.static("report.js"),),
    )
    yield Page(
        path=urls.CHANGES,
        template="changes.html",
        view=partial(_changes, site),
        title="What changed",
        description="Corrections and additions to the results and ratings, the newest first.",
    )
    yield from _former_addresses(site)


def _changes(site: SiteInput) -> ChangesView:
    dataset = site.dataset
    events = {one for change in site.changes for one in change.events}
    events |= {move.event for change in site.changes for move in change.moves if move.event}
    players = {one for change in site.changes for one in change.players}
    players |= {move.player for change in site.changes for move in change.moves}
    years = {move.year for change in site.changes for move in change.moves}
    return ChangesView(
        changes=tuple((one, markup.block(one.text, urls.CHANGES)) for one in site.changes),
        players={
            one: dataset.players[one].shown_name for one in sorted(players & dataset.players.keys())
        },
        events={one: dataset.events[one].name for one in sorted(events & dataset.events.keys())},
        years=frozenset(years & site.ratings.years.keys()),
    )


def _former_addresses(site: SiteInput) -> Iterator[Page]:
    """Yield a page at every former address of a player, an event and two players' games."""
    for player in site.dataset.players.values():
        for former in player.former_ids:
            yield _moved(urls.player(former), player.shown_name, urls.player(player.id))
    for event in site.dataset.events.values():
        for former in event.former_ids:
            yield _moved(urls.event(former), event.name, urls.event(event.id))
    if any(player.former_ids for player in site.dataset.players.values()):
        yield from _former_pairs(site)


def _former_pairs(site: SiteInput) -> Iterator[Page]:
    """Yield the former addresses of the pages of two players."""
    players = site.dataset.players
    for (one, other), games in sorted(material_of(site).index.games_of_pair.items()):
        if games < MANY:
            continue
        title = f"{players[one].shown_name} – {players[other].shown_name}"
        for ids in product(_all_ids(players[one]), _all_ids(players[other])):
            if ids != (one, other):
                yield _moved(urls.pair(*ids), title, urls.pair(one, other))


def _all_ids(player: Player) -> tuple[str, ...]:
    return (player.id, *player.former_ids)


def _moved(path: str, title: str, target: str) -> Page:
    return Page(
        path=path,
        template="moved.html",
        view=no_view,
        title=title,
        description=f"The page of {title} is at another address now.",
        moved_to=target,
    )
