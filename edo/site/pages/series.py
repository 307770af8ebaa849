"""Pages of series: who won how often, who held a title when, and the events; the list of all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby

from edo.core import formats
from edo.core.model import Event, Series
from edo.core.text import index_key
from edo.site import markup, urls
from edo.site.index import gather
from edo.site.input import Link, Page, SiteInput, link_to
from edo.site.pages.event import Winner, winner
from edo.site.pages.events import event_row, events_table, number_and_years
from edo.site.pages.tables import Row, Table, amount, name, number, text

_STAGE = re.compile(
    r"\b(?:preliminar|qualif|quarter-?final|semi-?final|play-?off|reserves\b)", re.IGNORECASE
)
OFTEN = 2  # times first, from which a player is named
MOST = 20  # players who were first most often
HIDDEN = ("kind", "rated_games")  # columns of lists of events that a series goes without


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the list of all series, and the page of each."""
    events = site.index.events_of_series
    series = sorted(site.dataset.series.values(), key=lambda one: (index_key(one.name), one.id))
    summary = f"{formats.counted(len(series), 'series', 'series')} of recurring events."
    rows = [_index_row(one, events.get(one.id, ())) for one in series]
    table = Table("All series", SERIES, rows, "series", "series")
    yield Page(urls.ALL_SERIES, "all_series.html", lambda: {"table": table}, "Series", summary)
    for one in series:
        said = f"The series {one.name}: {number_and_years(events.get(one.id, ()))}"
        view = partial(series_view, one, site)
        yield Page(urls.series(one.id), "series.html", view, one.name, said)


SERIES = (
    name("name", "Series"),
    amount("events", "Events", "count"),
    number("first", "From"),
    number("last", "To"),
)
WINNERS = (
    name("player", "Winner"),
    amount("times", "Times", "count", "How often first, shared places included"),
    text("years", "Years"),
)
HOLDERS = (
    name("player", "Holder"),
    number("won", "Won"),
    amount("kept", "Kept", "count", "How often the title was kept in a later event"),
    number("next", "Next", full="When the next holder won it"),
)


def _index_row(series: Series, events: Sequence[Event]) -> Row:
    return Row(
        {
            "name": link_to(series),
            "events": len(events),
            "first": str(events[0].year) if events else "",
            "last": str(events[-1].year) if events else "",
        }
    )


@dataclass(frozen=True, slots=True)
class Total:
    """The score of two players in all matches of a series that is theirs alone.

    `tally` are the games won, drawn and lost by the first, None where they are not known.
    """

    players: tuple[Link, Link]
    score: tuple[float, float]
    games: float
    tally: tuple[float, float, float] | None


@dataclass(frozen=True, slots=True)
class Branch:
    """What a page shows of a series, or of one that was held beside it.

    `link` leads to the page of the other series, None for the series itself; `holders` are None
    where there is no title to hold.
    """

    id: str
    link: Link | None
    title: str | None
    holders: Table | None
    winners: Table | None
    events: Table


def series_view(series: Series, site: SiteInput) -> Mapping[str, object]:
    """Return the page of a series, with the series that were held beside it."""
    all_series = site.dataset.series
    beside = [one for one in all_series.values() if one.branch_of == series.id]
    path = urls.series(series.id)
    return {
        "summary": number_and_years(site.index.events_of_series.get(series.id, ())),
        "total": _total(site.index.events_of_series.get(series.id, ()), site),
        "notes": None if series.notes is None else markup.block(series.notes, path),
        "main": None if series.branch_of is None else link_to(all_series[series.branch_of]),
        "branches": [_branch(one, None if one is series else link_to(one), site)
                     for one in (series, *beside)],
    }  # fmt: skip


def _total(events: Sequence[Event], site: SiteInput) -> Total | None:
    """Return the score of all matches where the same two players met in every one, else None."""
    pairs = {frozenset(event.players) for event in events}
    if len(events) < 2 or len(pairs) > 1 or any(event.kind != "match" for event in events):
        return None
    first, second = sorted(next(iter(pairs)))
    results = [result for event in events
               for result in site.index.meetings_in(event)[first][second].results]  # fmt: skip
    score = sum(one.points for one in results), sum(one.opponent_points for one in results)
    tallies = [one.tally for one in results]
    known = [tally for tally in tallies if tally is not None]
    won, drawn, lost = (sum(tally[k] for tally in known) for k in range(3))
    tally = (won, drawn, lost) if len(known) == len(tallies) else None
    if score[0] < score[1]:
        first, second, score = second, first, score[::-1]
        tally = None if tally is None else tally[::-1]
    links = link_to(site.dataset.players[first]), link_to(site.dataset.players[second])
    return Total(links, score, sum(one.games for one in results), tally)


def _branch(series: Series, link: Link | None, site: SiteInput) -> Branch:
    events = site.index.events_of_series.get(series.id, ())
    won = [(event, winner(event, site.dataset)) for event in events]
    label, id_ = series.name, series.id
    rows = [event_row(event, site) for event in events]
    holders = list(_holders(won)) if series.title is not None else []
    winners = list(_winners(won)) if series.title is None else []
    return Branch(
        id_,
        link,
        series.title,
        Table(f"Holders: {label}", HOLDERS, holders, f"holders-{id_}") if holders else None,
        Table(f"Winners: {label}", WINNERS, winners, f"winners-{id_}") if winners else None,
        events_table(f"Events of the series {label}", rows, f"events-{id_}", HIDDEN),
    )


Won = Sequence[tuple[Event, Winner | None]]


def _winners(won: Won) -> Iterator[Row]:
    """Yield who was first more than once, most often first; play-offs and the like do not count."""
    years = gather(
        (player, event.year)
        for event, found in won
        if found and not _STAGE.search(event.name)
        for player in found.players
    )
    often = sorted(years.items(), key=lambda one: (-len(one[1]), one[1][0], one[0].text))
    for player, of_player in often[:MOST]:
        if len(of_player) >= OFTEN:
            shown = formats.year_runs(sorted({*of_player}))
            yield Row({"player": player, "times": len(of_player), "years": shown})


def reigns(series: str, site: SiteInput) -> list[tuple[str, list[Event]]]:
    """Return who held the title of a series one after the other, with the events of each."""
    events = site.index.events_of_series.get(series, ())
    ids = {urls.player(player): player for player in site.dataset.players}
    won = [(event, winner(event, site.dataset)) for event in events]
    return [(ids[player.target or ""], of) for player, of in _runs(won)]


def _runs(won: Won) -> list[tuple[Link, list[Event]]]:
    """Return the holders with their events; who does not lose the title in an event keeps it."""
    held: list[tuple[Link, Event]] = []
    for event, found in won:
        if found is not None and len(found.players) == 1:
            held.append((found.players[0], event))
        elif held:
            held.append((held[-1][0], event))
    return [(player, [event for _, event in run])
            for player, run in groupby(held, lambda one: one[0])]  # fmt: skip


def _holders(won: Won) -> Iterator[Row]:
    """Yield who held the title one after the other."""
    runs = _runs(won)
    after = [run[0] for _, run in runs[1:]]
    for (player, run), end in zip(runs, [*after, None], strict=False):  # nobody, or one more
        yield Row(
            {
                "player": player,
                "won": _year_link(run[0]),
                "next": "" if end is None else _year_link(end),
                "kept": len(run) - 1,
            }
        )


def _year_link(event: Event) -> Link:
    return Link(str(event.year), urls.event(event.id))
