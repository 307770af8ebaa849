"""The dataset in; the page of each source with all that cites it, and the bibliography, out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from markupsafe import Markup

from edo.core import formats, urls
from edo.core.model import Citation, Dataset, Event, Source
from edo.site import markup
from edo.site.input import Link, Page, SiteInput
from edo.site.pages.index import chronological


@dataclass(frozen=True, slots=True)
class CitingRow:
    """An event or a player that cites a source, and all the places in it, in words."""

    citing: Link
    year: Link | None
    where: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SourceView:
    """The page of a source: the whole citation, then who cites it."""

    author: str | None
    published: str | None
    url: str | None
    notes: Markup | None
    events: tuple[CitingRow, ...]
    players: tuple[CitingRow, ...]


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A source in the bibliography."""

    source: Link
    author: str | None
    published: str | None
    events: str
    players: str


@dataclass(frozen=True, slots=True)
class SourcesView:
    """The bibliography, by author and title."""

    summary: str
    rows: tuple[SourceRow, ...]


_Citing = dict[str, list[CitingRow]]


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the bibliography and the page of each source."""
    events, players = _citing_events(site.dataset), _citing_players(site.dataset)
    sources = sorted(
        site.dataset.sources.values(),
        key=lambda s: ((s.author or s.title).casefold(), s.title.casefold(), s.id),
    )
    rows = tuple(_row(s, events.get(s.id, []), players.get(s.id, [])) for s in sources)
    summary = (
        f"The {formats.counted(len(rows), 'source')} of the results, with all that rests on each."
    )
    view = partial(SourcesView, summary, rows)
    yield Page(urls.SOURCES, "sources.html", view, "Sources", summary)
    for source in sources:
        yield _page(source, events.get(source.id, []), players.get(source.id, []))


def _citing_events(dataset: Dataset) -> _Citing:
    citing: _Citing = {}
    for event in sorted(dataset.events.values(), key=chronological):
        link = Link(event.name, urls.event(event.id))
        year = Link(str(event.year), urls.year(event.year))
        for source, where in _wheres(_citations(event)).items():
            citing.setdefault(source, []).append(CitingRow(link, year, where))
    return citing


def _citations(event: Event) -> Iterator[Citation]:
    """Yield what the event cites, for itself, for single results and for published totals."""
    yield from event.sources
    for result in event.results:
        yield from result.sources
    for total in event.totals:
        yield from total.sources


def _citing_players(dataset: Dataset) -> _Citing:
    citing: _Citing = {}
    for player in sorted(dataset.players.values(), key=lambda p: (p.name, p.id)):
        link = Link(player.shown_name, urls.player(player.id))
        for source, where in _wheres(player.sources).items():
            citing.setdefault(source, []).append(CitingRow(link, None, where))
    return citing


def _wheres(citations: Iterable[Citation]) -> dict[str, tuple[str, ...]]:
    """Return the places cited in each source, every one once, in order."""
    wheres: dict[str, dict[str, None]] = {}
    for one in citations:
        found = wheres.setdefault(one.source, {})
        if one.where is not None:
            found[one.where] = None
    return {source: tuple(found) for source, found in wheres.items()}


def _row(source: Source, events: list[CitingRow], players: list[CitingRow]) -> SourceRow:
    return SourceRow(
        Link(source.title, urls.source(source.id)),
        source.author,
        source.published,
        formats.count(len(events)),
        formats.count(len(players)),
    )


def _page(source: Source, events: list[CitingRow], players: list[CitingRow]) -> Page:
    path = urls.source(source.id)
    view = partial(_view, source, events, players)
    cited_by = f"{formats.counted(len(events), 'event')}, {formats.counted(len(players), 'player')}"
    return Page(path, "source.html", view, source.title, f"{source.title}: cited for {cited_by}.")


def _view(source: Source, events: list[CitingRow], players: list[CitingRow]) -> SourceView:
    return SourceView(
        source.author,
        source.published,
        source.url,
        None if source.notes is None else markup.block(source.notes, urls.source(source.id)),
        tuple(events),
        tuple(players),
    )
