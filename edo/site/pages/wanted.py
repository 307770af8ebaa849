"""The page of what is wanted most: missing tables, by the uncertainty that they would remove."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from edo.core import formats
from edo.rating.inference.added_games import FIRST
from edo.rating.wanted import FEW, GAMES, Wanted, still_missing
from edo.site import urls
from edo.site.input import Link, Page, SiteInput, link_to
from edo.site.pages.tables import Row, Table, amount, name, number, text

TABLES, GAPS = 100, 40  # rows of the two lists
EVENTS = (
    name("event", "Event"),
    number("year", "Year"),
    text("missing", "Missing"),
    amount("gain", "Gain", "rating", f"Sum of the falls of the standard errors [Elo] of the first "
           f"{FIRST} of all years, if these games were known"),
    text("most", "Gain most", full="Of those who played, who would gain most", hides=True),
    text("where", "Known from", full="What the event cites today", hides=True),
)  # fmt: skip
PLAYERS = (
    name("player", "Player"),
    text("years", "Years", css="fixed"),
    text("missing", "On record"),
    number("error", "Error", "deviation", "Largest standard error in these years, in Elo points"),
    amount("gain", "Gain", "rating", f"The same sum, if {GAMES:.0f} games were known"),
)


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the page, also where nothing was computed."""
    yield Page(
        path=urls.WANTED,
        template="wanted.html",
        view=partial(wanted_view, site),
        title="Most wanted",
        description="Missing tables and games, by how much surer the ratings would be with them.",
    )


def wanted_view(site: SiteInput) -> Mapping[str, object]:
    """Return the events of which something is still missing, and the players with few games.

    What each would gain was computed by the command `wanted` and kept, as it takes too long for a
    page; what is missing is that of today.
    """
    events = [row for one in site.wanted if (row := _event_row(one, site)) is not None]
    players = [row for one in site.wanted if (row := _player_row(one, site)) is not None]
    return {
        "first": FIRST,
        "few": FEW,
        "games": GAMES,
        "events": Table("Missing tables", EVENTS, events[:TABLES], "tables", "events"),
        "players": Table("Missing games", PLAYERS, players[:GAPS], "players", "players"),
    }


def _event_row(one: Wanted, site: SiteInput) -> Row | None:
    """Return the line of an event, None for a player, and where nothing is missing any more."""
    event = site.dataset.events.get(one.id)
    missing = None if event is None or one.kind != "event" else still_missing(event)
    if event is None or missing is None:
        return None
    cited = dict.fromkeys(citation.source for citation in event.sources)
    return Row(
        {
            "event": link_to(event),
            "year": Link(str(event.year), urls.year(event.year))
            if event.year in site.ratings.years
            else str(event.year),
            "missing": missing,
            "gain": one.gain,
            "most": [
                link_to(site.dataset.players[player])
                for player, _ in one.gain_most
                if player in event.players
            ],
            "where": [Link(site.dataset.sources[id_].title, urls.source(id_)) for id_ in cited],
        }
    )


def _player_row(one: Wanted, site: SiteInput) -> Row | None:
    """Return the line of a player, None for an event and for who is not on record any more."""
    player = site.dataset.players.get(one.id)
    if player is None or one.kind != "player":
        return None
    first, last = one.years
    return Row(
        {
            "player": link_to(player, f"#y{first}" if site.ratings.of(one.id, first) else ""),
            "years": formats.years(first, last),
            "missing": one.missing,
            "error": one.standard_error,
            "gain": one.gain,
        }
    )
