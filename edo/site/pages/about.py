"""Pages about the site itself: changes, error reports, and redirects from former addresses."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from edo.site import markup, urls
from edo.site.input import Page, SiteInput, no_view
from edo.site.metadata import report_link


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the page on reports, the page of changes, and a page at every former address."""
    title, to = "Report an error", site.config.errors_to
    where = to and report_link(to, title, urls.REPORT, site.edition)
    yield Page(
        path=urls.REPORT,
        template="report.html",
        view=lambda: {"address": where},
        title=title,
        description="How to report a wrong number, name or source.",
        scripts=(urls.static("report.js"),),
    )
    yield Page(
        path=urls.CHANGES,
        template="changes.html",
        view=lambda: {
            "changes": [(one, markup.block(one.text, urls.CHANGES)) for one in site.changes]
        },
        title="What changed",
        description="Corrections and additions to the results and ratings, the newest first.",
    )
    yield from _former_addresses(site)


def _former_addresses(site: SiteInput) -> Iterator[Page]:
    """Yield a page at every former address of a player, an event and two players' games."""
    for player in site.dataset.players.values():
        for former in player.former_ids:
            yield _moved(urls.player(former), player.shown_name, urls.player(player.id))
    for event in site.dataset.events.values():
        for former in event.former_ids:
            yield _moved(urls.event(former), event.name, urls.event(event.id))
    yield from _former_pairs(site)


def _former_pairs(site: SiteInput) -> Iterator[Page]:
    """Yield the former addresses of the pages of two players."""
    players = site.dataset.players
    if not any(player.former_ids for player in players.values()):
        return
    for one, other in site.index.often():
        title = f"{players[one].shown_name} – {players[other].shown_name}"
        ids_of = [(id_, *players[id_].former_ids) for id_ in (one, other)]
        for ids in product(*ids_of):
            if ids != (one, other):
                yield _moved(urls.pair(*ids), title, urls.pair(one, other))


def _moved(path: str, title: str, target: str) -> Page:
    return Page(
        path=path,
        template="moved.html",
        view=no_view,
        title=title,
        description=f"The page of {title} is at another address now.",
        moved_to=target,
    )
