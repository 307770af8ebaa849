"""The dataset and its ratings in; the page of each event, and the list of all events, out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from markupsafe import Markup

from edo.core import formats, urls
from edo.core.model import Completeness, Dataset, Event
from edo.rating.edo import Ratings, why_unrated
from edo.rating.pairings import Pairing, is_totals_only
from edo.site import markup, metadata
from edo.site.input import Link, Page, SiteInput
from edo.site.pages import event_list
from edo.site.pages.crosstable import Crosstable, crosstable
from edo.site.pages.deduced import deduced_games
from edo.site.pages.doubted import Doubted, doubted
from edo.site.pages.event_list import place_link
from edo.site.pages.follow import Thread, Threads
from edo.site.pages.marks import EventData
from edo.site.pages.match import Match, match
from edo.site.pages.material import Material, material_of
from edo.site.pages.remarks import Cited, Remark, cited
from edo.site.pages.rounds import (
    PairingRow,
    RoundTable,
    TeamScore,
    pairing_rows,
    round_tables,
    team_score,
)
from edo.site.pages.rules import Rule, rules
from edo.site.pages.score_rows import ScoreTable, score_table

MAX_CROSSTABLE = 30
"""The most players [players] whose pairings are still laid out as a crosstable."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What heads the page of an event; `rated` says how many of the `games` entered the fit."""

    kind: str
    year: Link
    place: Link | None
    series: Link | None
    dates: str | None
    players: str
    games: str
    rated: str
    completeness: Completeness
    missing: Markup | None
    unrated: Markup | None


@dataclass(frozen=True, slots=True)
class EventView:
    """The page of an event.

    At most one of `crosstable`, `match`, `rounds` and `pairings` has something to show. `table`
    holds the scores of all players, `number` in its rows the place in the file's order. `rules` say
    how the event's own rules and its gaps are dealt with. `threads` are the rows of events in which
    it stands, that of its year first, where `before` and `after` are its neighbours. `kinds` are
    all the kinds of marks and cells that occur, for the legend.
    """

    event: Event
    facts: Facts
    rules: tuple[Rule, ...]
    before: Link | None
    after: Link | None
    threads: tuple[Thread, ...]
    crosstable: Crosstable | None
    match: Match | None
    rounds: tuple[RoundTable, ...]
    teams: TeamScore | None
    pairings: tuple[PairingRow, ...]
    table: ScoreTable
    order: str
    is_totals_only: bool
    has_results: bool
    has_unknown_games: bool
    kinds: frozenset[str]
    remarks: tuple[Remark, ...]
    notes: Markup | None
    doubted: tuple[Doubted, ...]
    sources: tuple[Cited, ...]


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the list of all events and the page of each."""
    material = material_of(site)
    index = material.index
    yield from event_list.pages(site, index)
    threads = Threads.of(site.dataset, index)
    for events in index.events_of_year.values():
        for event in events:
            yield _page(event, threads, site, material)


def _page(event: Event, threads: Threads, site: SiteInput, material: Material) -> Page:
    pairings = material.index.pairings_of_event.get(event.id, ())
    title = event.name if str(event.year) in event.name else f"{event.name} ({event.year})"
    facts = _facts(event, site.dataset, site.ratings, pairings)
    description = f"{title}: {facts.kind.lower()}, {facts.players}; {facts.games}, {facts.rated}."
    place = None if event.place is None else site.dataset.places[event.place]
    about = metadata.sports_event(event, place, site.dataset.players, site.base_url)
    path = urls.event(event.id)
    table = urls.table(path) if pairings else None
    view = partial(_view, event, facts, material, threads)
    return Page(path, "event.html", view, title, description, about=about, table=table)


def _view(event: Event, facts: Facts, material: Material, threads: Threads) -> EventView:
    dataset = material.dataset
    is_rated = event.id in material.index.pairings_of_event
    data = EventData.of(event, dataset, material.ratings)
    around = tuple(threads.of_event(event))
    shape = _shape(event)
    table = crosstable(data) if shape == "crosstable" else None
    games = match(data) if shape == "match" else None
    everything = range(len(event.results))
    return EventView(
        event=event,
        facts=facts,
        rules=tuple(rules(event)),
        before=around[0].before,
        after=around[0].after,
        threads=around,
        crosstable=table,
        match=games,
        rounds=round_tables(data) if shape == "rounds" else (),
        teams=team_score(event),
        pairings=pairing_rows(data, everything) if shape == "pairings" else (),
        table=score_table(event, material.standings[event.id], dataset, data.ratings),
        order=_order(event),
        is_totals_only=is_totals_only(event),
        has_results=bool(event.results) or is_totals_only(event) or is_rated,
        has_unknown_games=bool(event.unknown_games),
        kinds=data.kinds() | (table.kinds if table is not None else frozenset()),
        remarks=data.remarks.all,
        notes=None if event.notes is None else markup.block(event.notes, urls.event(event.id)),
        doubted=tuple(doubted(event.acknowledged, dataset, urls.event(event.id))),
        sources=cited(event.sources, dataset.sources),
    )


def _shape(event: Event) -> str | None:
    """Return what the page's main table is, None where no pair's games are known."""
    if not event.results:
        return None
    if event.kind == "match":
        return "match"
    if event.rounds:
        return "rounds"
    is_small = event.kind == "tournament" and len(event.players) <= MAX_CROSSTABLE
    return "crosstable" if event.has_crosstable or is_small else "pairings"


def _facts(
    event: Event, dataset: Dataset, ratings: Ratings, pairings: tuple[Pairing, ...]
) -> Facts:
    page = urls.event(event.id)
    soft = sum(result.games for result in event.results if result.soft is not None)
    known = sum(result.games for result in event.results) - soft
    if is_totals_only(event):
        players = len(event.players)
        known = (event.games_per_pair or 0.0) * players * (players - 1) / 2
        from_totals = 0.0
    else:
        from_totals = round(deduced_games(pairings), 9)
    rated = round(sum(pairing.games for pairing in pairings), 9)
    why = None if rated else why_unrated(event, dataset, ratings)
    return Facts(
        kind=event.kind.capitalize(),
        year=Link(str(event.year), urls.year(event.year)),
        place=place_link(event, dataset),
        series=_series(event, dataset),
        dates=_dates(event),
        players=formats.counted(len(event.players), "player"),
        games=_how_many_known(known, soft, from_totals, event.rest == "best guess"),
        rated=_how_many_rated(known + soft + from_totals, rated),
        completeness=event.completeness,
        missing=None if event.missing is None else markup.inline(event.missing, page),
        unrated=None if why is None else markup.inline(why, page),
    )


def _series(event: Event, dataset: Dataset) -> Link | None:
    if event.series is None:
        return None
    return Link(dataset.series[event.series].name, urls.series(event.series))


def _dates(event: Event) -> str | None:
    """Return the dates, None where they say no more than the year does."""
    if event.dates is None or str(event.dates) == str(event.year):
        return None
    return formats.dates(event.dates)


def _how_many_known(known: float, soft: float, from_totals: float, guessed: bool) -> str:
    """Return how many games are known; those of a soft score only stand for what was played."""
    words = [f"{formats.counted(known, 'game')} known"] if known else []
    if soft:
        words.append(f"{formats.counted(soft, 'game')} of soft scores")
    if from_totals:
        how = "guessed" if guessed else "from totals"
        words.append(f"{formats.counted(from_totals, 'game')} {how}")
    return ", ".join(words) or "no result known"


def _how_many_rated(games: float, rated: float) -> str:
    if not rated:
        return "none rated"
    return "all rated" if abs(games - rated) < 1e-9 else f"{formats.score(rated)} rated"


def _order(event: Event) -> str:
    """Return how the players are ordered, as far as the file says."""
    has_order = event.has_crosstable or "players" in event.lines or is_totals_only(event)
    if has_order and event.completeness == "complete":
        return "In finishing order."
    points = {total.player: total.points for total in event.totals}
    ranking = [points[player] for player in event.players if player in points]
    if len(ranking) == len(event.players) and ranking == sorted(ranking, reverse=True):
        return "In the order of the published totals."
    if ranking and ranking == sorted(ranking, reverse=True):
        return "In the order of the published totals, as far as they are known."
    return "In the order of the event file: the final standings are not known from these results."
