"""Pages of sources with all that cites each of them, and the bibliography."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from edo.core import formats
from edo.core.model import Citation, Event, Player, Source
from edo.site import markup, urls
from edo.site.index import chronological
from edo.site.input import Link, Page, SiteInput, link_to
from edo.site.pages.tables import Row, Table, amount, name, text

MOST = 2  # citations of one source, beyond which its own page alone lists them

COLUMNS = (
    name("source", "Source"),
    text("author", "Author"),
    text("published", "Published", hides=True),
    amount("events", "Events", "count"),
    amount("players", "Players", "count"),
)

Citing: TypeAlias = tuple[Event | Player, tuple[str, ...]]
"""An event or a player that cites a source, with all the places in it."""


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the bibliography and the page of each source."""
    dataset = site.dataset
    events: dict[str, list[Citing]] = defaultdict(list)
    for event in sorted(dataset.events.values(), key=chronological):
        for source, where in _places_in(_citations(event)).items():
            events[source].append((event, where))
    players: dict[str, list[Citing]] = defaultdict(list)
    for player in sorted(dataset.players.values(), key=lambda p: (p.name, p.id)):
        for source, where in _places_in(player.sources).items():
            players[source].append((player, where))
    sources = sorted(
        dataset.sources.values(),
        key=lambda s: (
            # A periodical known by its abbreviation alone, such as [CP], says least: it comes last.
            s.title.startswith("["),
            (s.author or s.title).casefold(),
            s.title.casefold(),
            s.id,
        ),
    )
    rows = [_row(source, len(events[source.id]), len(players[source.id])) for source in sources]
    summary = (
        f"The {formats.counted(len(rows), 'source')} of the results, with what cites each of them."
    )
    table = Table("Sources", COLUMNS, rows)
    yield Page(urls.SOURCES, "sources.html", lambda: {"table": table}, "Sources", summary)
    for cited in sources:
        view = partial(_view, cited, events[cited.id], players[cited.id])
        n_events = formats.counted(len(events[cited.id]), "event")
        n_players = formats.counted(len(players[cited.id]), "player")
        description = f"{cited.title}: cited for {n_events}, {n_players}."
        yield Page(urls.source(cited.id), "source.html", view, cited.title, description)


def _row(source: Source, n_events: int, n_players: int) -> Row:
    return Row(
        {
            "source": link_to(source),
            "author": source.author,
            "published": source.published,
            "events": n_events,
            "players": n_players,
        }
    )


def _view(source: Source, events: list[Citing], players: list[Citing]) -> Mapping[str, object]:
    notes = None if source.notes is None else markup.block(source.notes, urls.source(source.id))
    return {"source": source, "notes": notes, "events": events, "players": players}


def _citations(event: Event) -> Iterator[Citation]:
    """Yield what the event cites, for itself, for single results and for published totals."""
    yield from event.sources
    for result in event.results:
        yield from result.sources
    for total in event.totals:
        yield from total.sources


def _places_in(citations: Iterable[Citation]) -> dict[str, tuple[str, ...]]:
    """Return the places cited in each source, every one once, in order."""
    places: dict[str, dict[str, None]] = {}
    for one in citations:
        found = places.setdefault(one.source, {})
        if one.where is not None:
            found[one.where] = None
    return {source: tuple(found) for source, found in places.items()}


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A source, and where the events that it is cited for cite it.

    `places` are empty where they are so many that only the source's own page lists them.
    """

    source: Link
    summary: str
    places: tuple[tuple[Link, str | None], ...]


def source_rows(
    citing: Iterable[tuple[Link, Citation]], sources: Mapping[str, Source]
) -> tuple[SourceRow, ...]:
    """Return the cited sources by title, each with the links that cite it, once for each place."""
    places: defaultdict[str, dict[tuple[Link, str | None], None]] = defaultdict(dict)
    for link, citation in citing:
        places[citation.source][link, citation.where] = None
    return tuple(
        SourceRow(
            source=link_to(sources[source]),
            summary=formats.counted(len(places[source]), "citation"),
            places=tuple(places[source]) if len(places[source]) <= MOST else (),
        )
        for source in sorted(places, key=lambda source: (sources[source].title, source))
    )
