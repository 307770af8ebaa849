"""The page of disputed results: events whose sources contradict each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import groupby

from edo.core import formats
from edo.core.model import Event
from edo.site import markup, urls
from edo.site.input import Link, Page, SiteInput


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the page, without a list where nothing is disputed."""
    yield Page(
        path=urls.DISPUTED,
        template="disputed.html",
        view=partial(disputed_view, site),
        title="Disputed results",
        description="Events whose sources contradict each other: what each says, and what was "
        "taken.",
    )


def disputed_view(site: SiteInput) -> Mapping[str, object]:
    """Return the events by year, each with what its sources say, and what was taken."""
    events = [event for event in site.dataset.events.values() if event.disputed is not None]
    decades = groupby(events, lambda event: event.year // 10 * 10)
    return {
        "count": len(events),
        "decades": [(decade, [_shown(event, site) for event in of]) for decade, of in decades],
    }


def _shown(event: Event, site: SiteInput) -> Mapping[str, object]:
    cited = dict.fromkeys(one.source for one in event.sources)
    return {
        "event": event,
        "said": markup.block(event.disputed or "", urls.DISPUTED),
        "taken": taken(event, site),
        "sources": [Link(site.dataset.sources[id_].title, urls.source(id_)) for id_ in cited],
    }


def taken(event: Event, site: SiteInput) -> str | None:
    """Return the score of two players that is on record; None for more, which the text tells."""
    results = [one for one in event.results if one.unrated is None and one.odds is None]
    pairs = {frozenset((one.first, one.second)) for one in results}
    if event.kind == "tournament" or len(pairs) != 1:
        return None
    first, second = results[0].first, results[0].second
    points = [
        sum(one.points_first if one.first == side else one.points_second for one in results)
        for side in (first, second)
    ]
    names = [site.dataset.players[one].surname for one in (first, second)]
    shown = f"{formats.score(points[0])}–{formats.score(points[1])}"
    tallies = [one.tally if one.first == first else (one.tally or ())[::-1] for one in results]
    if all(tallies):
        won, drawn, lost = (sum(column) for column in zip(*filter(None, tallies), strict=True))
        shown += f" (+{won:g} −{lost:g} ={drawn:g})"
    return f"{names[0]} – {names[1]} {shown}"
