"""An event of a collection in; whether the history has it already, and where they differ, out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from edo.core.model import Dataset, Event
from edo.core.text import words
from edo.history.notation import TOLERANCE, number_text
from edo.importers.pgnevents import Group, event_key, site_key

LISTED = 12  # differences of one event that are told one by one

SURE = 0.75  # of the pairs of a collection the file has as many games, if it is the event

Pair = frozenset[str]
Tally = tuple[float, float]
"""Games, and the points of the player whose id comes first in the alphabet."""
_NOTHING: Tally = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Already:
    """An event that stands in the history, and how the collection differs from its file."""

    event: Event
    sure: bool
    differences: tuple[str, ...]


class KnownEvents:
    """The events of the history by year and by the pairs that met."""

    def __init__(self, dataset: Dataset) -> None:
        self._events = dataset.events
        self._places = {place.id: site_key(place.name) for place in dataset.places.values()}
        self._tallies = {event.id: _of_event(event) for event in dataset.events.values()}
        self._years: dict[int, list[Event]] = defaultdict(list)
        for event in dataset.events.values():
            first = event.dates.start.year if event.dates else event.year
            for year in range(min(first, event.year), event.year + 1):
                self._years[year].append(event)
        self._by_player: dict[tuple[int, str], list[Event]] = defaultdict(list)
        for year, events in self._years.items():
            for event in events:
                for player in event.players:
                    self._by_player[year, player].append(event)

    def already(self, group: Group, kind: str) -> Already | None:
        """Return the event of the history that the group is, None where there is none."""
        tally = _of_group(group)
        years = {each.year for each in group.games} | {group.year}
        near = {
            event.id: event
            for year in sorted(years)
            for player in sorted(group.players)
            for event in self._by_player.get((year, player), ())
        }
        rated = [(self._likeness(group, kind, tally, event), event) for event in near.values()]
        found = sorted(
            ((like, event) for like, event in rated if like > 0),
            key=lambda each: (-each[0], each[1].id),
        )
        if not found:
            return None
        best, event = found[0]
        known = self._tallies[event.id]
        alone = len(found) == 1 or found[1][0] < best
        held = sum(each[0] <= known.get(pair, _NOTHING)[0] for pair, each in tally.items())
        sure = alone and best > 1 and (not known or held >= SURE * len(tally))
        return Already(event, sure, _differences(tally, self._tallies[event.id], event))

    def called(self, id_: str, group: Group) -> Already | None:
        """Return the event of this id, which the group may or may not be, if there is one."""
        event = self._events.get(id_)
        if event is None:
            return None
        return Already(event, False, _differences(_of_group(group), self._tallies[id_], event))

    def _likeness(
        self, group: Group, kind: str, tally: Mapping[Pair, Tally], event: Event
    ) -> float:
        """Return 0 where the event cannot be the group's, else the more the more they agree."""
        known = self._tallies[event.id]
        if (kind == "match") != (event.kind == "match") and not (
            kind == "match" and event.kind == "tournament" and self._named(group, event)
        ):
            return 0.0
        place = self._places.get(event.place or "", "")
        sites = {site_key(site) for site in group.sites}
        at_place = bool(place) and place in sites
        elsewhere = bool(place) and bool(sites) and not at_place
        if known:
            share = sum(pair in known for pair in tally) / len(tally)
        else:
            share = len(group.players & set(event.players)) / len(group.players)
        agreeing = sum(known.get(pair) == each for pair, each in tally.items()) / len(tally)
        if share < 0.5 and not (share and at_place and self._named(group, event)):
            return 0.0
        if elsewhere and agreeing < 0.8:
            return 0.0
        return share + agreeing + at_place + self._named(group, event)

    def _named(self, group: Group, event: Event) -> bool:
        """Whether the names share a word that is not a year."""
        own = set(event_key(event.name).split()) | set(words(event.id))
        return any(set(event_key(name).split()) & own for name in group.events)


def _of_event(event: Event) -> dict[Pair, Tally]:
    found: dict[Pair, Tally] = {}
    for result in event.results:
        pair = frozenset((result.first, result.second))
        if len(pair) < 2 or result.default is not None:
            continue
        games, points = found.get(pair, _NOTHING)
        own = result.points_first if result.first == min(pair) else result.points_second
        found[pair] = games + result.games, points + own
    return found


def _of_group(group: Group) -> dict[Pair, Tally]:
    found: dict[Pair, Tally] = {}
    for each in group.games:
        games, points = found.get(each.pair, _NOTHING)
        found[each.pair] = games + 1, points + each.points(min(each.pair))
    return found


def _differences(
    tally: Mapping[Pair, Tally], known: Mapping[Pair, Tally], event: Event
) -> tuple[str, ...]:
    if not known:
        return (f"the file holds no single results ({_counted(_sum(tally))} here)",)
    here, there = _sum(tally), _sum(known)
    said: list[str] = []
    if here != there:
        less = here < there
        difference = _counted(abs(there - here))
        said.append(f"the collection has {difference} {'fewer' if less else 'more'}")
    for pair in sorted(tally, key=sorted):
        said += _of_pair(pair, tally[pair], known.get(pair))
    return _cut(said)


def _of_pair(pair: Pair, here: Tally, there: Tally | None) -> list[str]:
    first, second = sorted(pair)
    if there is None:
        return [f"{first} - {second}: not in the file, {_score(here)} in the collection"]
    same_games = abs(here[0] - there[0]) < TOLERANCE
    if here[0] < there[0] or (same_games and abs(here[1] - there[1]) < TOLERANCE):
        return []
    return [f"{first} - {second}: {_score(there)} in the file, {_score(here)} in the collection"]


def _score(tally: Tally) -> str:
    games, points = tally
    return f"{number_text(points)}-{number_text(games - points)}"


def _sum(tally: Mapping[Pair, Tally]) -> float:
    return sum(games for games, _ in tally.values())


def _counted(games: float) -> str:
    return "1 game" if games == 1 else f"{number_text(games)} games"


def _cut(said: Sequence[str]) -> tuple[str, ...]:
    if len(said) <= LISTED:
        return tuple(said)
    return (*said[:LISTED], f"and {len(said) - LISTED} more differences")
