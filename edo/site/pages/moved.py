"""The whole input of the site in; a page that leads on for each address that is no more out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product

from edo.core import urls
from edo.core.model import Player
from edo.site.input import Link, Page, SiteInput
from edo.site.pages.index import MANY
from edo.site.pages.material import material_of


@dataclass(frozen=True, slots=True)
class MovedView:
    """Where the page is now."""

    now: Link


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield a page at every former address of a player, an event and two players' games."""
    for player in site.dataset.players.values():
        for former in player.former_ids:
            yield _page(urls.player(former), player.shown_name, urls.player(player.id))
    for event in site.dataset.events.values():
        for former in event.former_ids:
            yield _page(urls.event(former), event.name, urls.event(event.id))
    if any(player.former_ids for player in site.dataset.players.values()):
        yield from _pairs(site)


def _pairs(site: SiteInput) -> Iterator[Page]:
    """Yield the former addresses of the pages of two players."""
    index = material_of(site).index
    players = site.dataset.players
    for (one, other), games in sorted(index.games_of_pair.items()):
        if games < MANY:
            continue
        title = f"{players[one].shown_name} – {players[other].shown_name}"
        for ids in product(_all_ids(players[one]), _all_ids(players[other])):
            if ids != (one, other):
                yield _page(urls.pair(*ids), title, urls.pair(one, other))


def _all_ids(player: Player) -> tuple[str, ...]:
    return (player.id, *player.former_ids)


def _page(path: str, title: str, target: str) -> Page:
    return Page(
        path=path,
        template="moved.html",
        view=partial(MovedView, Link(title, target)),
        title=title,
        description=f"The page of {title} is at another address now.",
        moved_to=target,
    )
