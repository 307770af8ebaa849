"""The whole input of the site in, a page for every two players who met often out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial

from edo.core import formats, urls
from edo.core.model import Citation, Player
from edo.rating.pairings import Pairing
from edo.site.input import Link, Page, SiteInput
from edo.site.pages import pair_list
from edo.site.pages.index import MANY
from edo.site.pages.lead import LeadChart, lead_chart
from edo.site.pages.marks import EventData
from edo.site.pages.material import Material, material_of, player_link, shown_score
from edo.site.pages.meetings import Met, Tally, all_met, tally
from edo.site.pages.pair_events import PairEvent, pair_event, stretches
from edo.site.pages.pair_years import PairYear, pair_years
from edo.site.pages.sourced import SourceRow, source_rows
from edo.site.pages.standings import expected_of


@dataclass(frozen=True, slots=True)
class Rated:
    """What of the games was rated: points [points] of games of the first, as the others below."""

    score: str
    expected: str


@dataclass(frozen=True, slots=True)
class PairView:
    """The page of two players, everything from the side of the first.

    `tally` is that of all games that the files do not set aside; `rated` of those that entered the
    fit, None where none did. `silent` are the events in which both took part and no game of theirs
    is known. `kin` are the games of the same persons under another identity.
    """

    first: Link
    second: Link
    names: tuple[str, str]
    persons: tuple[tuple[Link, Link], ...]
    games: str
    tally: Tally
    result: str
    rated: Rated | None
    compare: Link | None
    all: str
    lead: LeadChart | None
    lead_words: str
    events: tuple[PairEvent, ...]
    years: tuple[PairYear, ...]
    has_chances: bool
    kinds: frozenset[str]
    silent: tuple[Link, ...]
    kin: tuple[Link, ...]
    sources: tuple[SourceRow, ...]


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the list of all pairs and the page of each."""
    material = material_of(site)
    often = sorted(pair for pair, n in material.index.games_of_pair.items() if n >= MANY)
    firsts = dict.fromkeys(first for first, _ in often)
    met = {first: all_met(site.dataset.players[first], material) for first in firsts}

    @cache  # players of one event may have many pages of pairs
    def event_data(event_id: str) -> EventData:
        return EventData.of(site.dataset.events[event_id], site.dataset, site.ratings)

    yield pair_list.page({pair: met[pair[0]][pair[1]] for pair in often}, material)
    for first, second in often:
        both = met[first][second]
        games, result = formats.counted(round(both.games, 9), "game"), _result(both, material)
        score = "none of them counted" if result == formats.DASH else f"score {result}"
        title = " – ".join(site.dataset.players[one].shown_name for one in (first, second))
        description = f"{title}: all known games, {games}, {score}."
        view = partial(_view, (first, second), both, event_data, material)
        yield Page(urls.pair(first, second), "pair.html", view, title, description)


def _view(
    pair: tuple[str, str], met: Met, event_data: Callable[[str], EventData], material: Material
) -> PairView:
    players = material.dataset.players
    first, second = (players[one] for one in pair)
    pairings = _pairings(pair, material)
    sums = tally(met, material.dataset.odds)
    events = tuple(
        pair_event(event_data(event.id), pair, met.at(event), material) for event in met.events
    )
    years = pair_years(pair, met, pairings, material)
    steps = stretches(met, material.dataset.odds)
    names = _names(first, second)
    return PairView(
        first=player_link(first),
        second=player_link(second),
        names=names,
        persons=tuple(_persons((first, second), material)),
        games=formats.counted(round(met.games, 9), "game"),
        tally=sums,
        result=_result(met, material),
        rated=_rated(pair[0], pairings, material),
        compare=_compare(pair, material),
        all=urls.PAIRS,
        lead=lead_chart(steps),
        lead_words=_lead_words(sum(one.lead for one in steps), names),
        events=events,
        years=years,
        has_chances=any(row.chance is not None for row in years),
        kinds=frozenset(kind for event in events for kind in event.kinds),
        silent=tuple(_silent(pair, met, material)),
        kin=tuple(_kin(pair, material)),
        sources=source_rows(_citing(pair, met), material.dataset.sources),
    )


def _pairings(pair: tuple[str, str], material: Material) -> tuple[Pairing, ...]:
    """Return what of the two players' games entered the fit."""
    events = material.index.events_of_player.get(pair[0], ())
    return tuple(
        one
        for event in events
        for one in material.index.pairings_of.get((event.id, pair[0]), ())
        if {one.first.player, one.second.player} == set(pair)
        and (one.basis == "results" or event.results)
    )


def _result(met: Met, material: Material) -> str:
    """Return the points of both in the games that the files do not set aside, if there are any."""
    counted = stretches(met, material.dataset.odds)
    if not counted:
        return formats.DASH
    games, lead = sum(s.games for s in counted), sum(s.lead for s in counted)
    return formats.result(round((games + lead) / 2, 2), round((games - lead) / 2, 2))


def _rated(first: str, pairings: tuple[Pairing, ...], material: Material) -> Rated | None:
    expected = expected_of(first, pairings, material.ratings)
    if expected is None:
        return None
    points = sum(p.score if p.first.player == first else p.games - p.score for p in pairings)
    games = sum(p.games for p in pairings)
    return Rated(shown_score(round(points, 9), round(games, 9)), formats.expected(expected))


def _compare(pair: tuple[str, str], material: Material) -> Link | None:
    """Return the way to both curves, None where one of the two has none."""
    if not set(pair) <= material.ratings.players.keys():
        return None
    return Link("Both curves, one over the other", urls.compare(*pair))


def _names(first: Player, second: Player) -> tuple[str, str]:
    """Return how the two are called on their page: by surname, where that tells them apart."""
    short = first.name.partition(",")[0], second.name.partition(",")[0]
    is_clear = short[0] != short[1] and first.offhand_of is None and second.offhand_of is None
    return short if is_clear else (first.shown_name, second.shown_name)


def _lead_words(lead: float, names: tuple[str, str]) -> str:
    if abs(lead) < 1e-6:
        return "At the end both are level."
    ahead = names[0] if lead > 0 else names[1]
    return f"At the end {ahead} is ahead by {formats.counted(round(abs(lead), 2), 'point')}."


def _persons(pair: tuple[Player, Player], material: Material) -> Iterator[tuple[Link, Link]]:
    """Yield each of the two that is an offhand identity, with the person."""
    for player in pair:
        if player.offhand_of is not None:
            yield player_link(player), player_link(material.dataset.players[player.offhand_of])


def _kin(pair: tuple[str, str], material: Material) -> Iterator[Link]:
    """Yield the games of the same two persons under other identities."""
    players, index = material.dataset.players, material.index
    persons = [players[one].offhand_of or one for one in pair]
    own, other = (
        (person, *(identity.id for identity in index.identities_of.get(person, ())))
        for person in persons
    )
    for one in own:
        for two in other:
            number = index.games_of_pair.get((min(one, two), max(one, two)), 0.0)
            if number and {one, two} != set(pair):
                words = f"{players[one].shown_name} – {players[two].shown_name}"
                target = index.page_of_pair(one, two) or f"{urls.player(one)}#record"
                yield Link(f"{words}: {formats.counted(number, 'game')}", target)


def _silent(pair: tuple[str, str], met: Met, material: Material) -> Iterator[Link]:
    known = {event.id for event in met.events}
    for event in material.index.events_of_player.get(pair[0], ()):
        if pair[1] in event.players and event.id not in known:
            yield Link(event.name, urls.event(event.id))


def _citing(pair: tuple[str, str], met: Met) -> Iterator[tuple[Link, Citation]]:
    """Yield the events that cite a source, for themselves or for a result of the two."""
    of_results: defaultdict[str, list[Citation]] = defaultdict(list)
    for event, one in met.known:
        of_results[event.id] += one.result.sources
    for event in met.events:
        link = Link(event.name, urls.event(event.id))
        for citation in (*event.sources, *of_results[event.id]):
            yield link, citation
