"""Which events of an import the history has already, and where the two differ."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from edo.core.formats import counted
from edo.core.model import Dataset, Event
from edo.core.text import words
from edo.history.notation import TOLERANCE, number_text

LISTED = 12  # differences of one event that are listed
SURE = 0.75  # share of the pairs of one with as many games in the other, if both are one event

Pair = frozenset[str]
Tally = tuple[float, float]
"""Games [games], and points [points] of the player whose id comes first in the alphabet."""
_NOTHING: Tally = (0.0, 0.0)

_YEAR = re.compile(r"1[4-9]\d\d|20\d\d")
_SEASON = re.compile(r"(?:^|\D)(1[4-9]\d\d|20\d\d)\s?[/–-]\s?(\d\d(?:\d\d)?)(?!-?\d)")
_SHORT_SEASON = re.compile(r"(?:^|[^\d])(\d\d)(?:/|-)?(\d\d)$")


@dataclass(frozen=True, slots=True)
class Outline:
    """What identifies an event: who met where and when, and the scores."""

    names: Sequence[str]
    sites: Sequence[str]
    years: frozenset[int]
    kind: str
    players: frozenset[str]
    tally: Mapping[Pair, Tally]
    totals: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Already:
    """An event of the history, and how the import differs from its file.

    `sure` is False where it may also be another event.
    """

    event: Event
    sure: bool
    differences: tuple[str, ...]


class KnownEvents:
    """The events of the history, by year and player."""

    def __init__(self, dataset: Dataset) -> None:
        self._places = {place.id: site_key(place.name) for place in dataset.places.values()}
        self._tallies = {
            event.id: tally(
                (one.first, one.second, one.games, one.points_first, one.points_second)
                for one in event.results
                if one.first != one.second and one.default is None
            )
            for event in dataset.events.values()
        }
        self._events = dataset.events
        self._by_player: dict[tuple[int, str], list[Event]] = defaultdict(list)
        for event in dataset.events.values():
            first = min(event.dates.start.year if event.dates else event.year, event.year)
            for year in range(first, event.year + 1):
                for player in event.players:
                    self._by_player[year, player].append(event)

    def find(self, outline: Outline) -> Already | None:
        """Return the event of the history that the outline describes, None where there is none."""
        near = {
            event.id: event
            for year in outline.years
            for player in outline.players
            for event in self._by_player.get((year, player), ())
        }
        rated = ((self._likeness(outline, event), event) for event in near.values())
        found = sorted((-like, event.id) for like, event in rated if like > 0)
        if not found:
            return None
        best, event = -found[0][0], near[found[0][1]]
        known, tally = self._tallies[event.id], outline.tally
        alone = len(found) == 1 or found[0][0] < found[1][0]
        sure = alone and best > 1 and (_covers(known, tally) or _covers(tally, known))
        return Already(event, sure, self._differences(outline, event))

    def with_id(self, id_: str, outline: Outline) -> Already | None:
        """Return the event with this id, which may or may not be that of the outline."""
        event = self._events.get(id_)
        return Already(event, False, self._differences(outline, event)) if event else None

    def _likeness(self, outline: Outline, event: Event) -> float:
        """Return 0 where the event cannot be that of the outline, else more the more they agree."""
        named = _share_a_word(outline.names, event)
        if (outline.kind == "match") != (event.kind == "match") and not (
            outline.kind == "match" and event.kind == "tournament" and named
        ):
            return 0.0
        place = self._places.get(event.place or "", "")
        sites = {site_key(site) for site in outline.sites} - {""}
        at_place = bool(place) and place in sites
        known, tally = self._tallies[event.id], outline.tally
        share = len(outline.players & set(event.players)) / len(outline.players)
        if known and tally:
            share = sum(pair in known for pair in tally) / len(tally)
        agreeing = sum(known.get(pair) == each for pair, each in tally.items())
        agreeing += len(outline.totals) - len(_other_totals(outline, event))
        agreement = agreeing / (len(tally) + len(outline.totals))
        if share < 0.5 and not (share and at_place and named):
            return 0.0
        if place and sites and not at_place and agreement < 0.8:
            return 0.0
        return share + agreement + at_place + named

    def _differences(self, outline: Outline, event: Event) -> tuple[str, ...]:
        found = _other_totals(outline, event)
        if outline.tally:
            found = [*_other_scores(outline.tally, self._tallies[event.id]), *found]
        if len(found) > LISTED:
            return (*found[:LISTED], f"and {len(found) - LISTED} more differences")
        return tuple(found)


def _covers(larger: Mapping[Pair, Tally], smaller: Mapping[Pair, Tally]) -> bool:
    """Whether most pairs of the smaller have at least as many games in the larger."""
    held = sum(each[0] <= larger.get(pair, _NOTHING)[0] for pair, each in smaller.items())
    return held >= SURE * len(smaller)


def _share_a_word(names: Iterable[str], event: Event) -> bool:
    """Whether the names share a word that is not a year."""
    own = set(event_key(event.name).split()) | set(words(event.id))
    return any(set(event_key(name).split()) & own for name in names)


def tally(rows: Iterable[tuple[str, str, float, float, float]]) -> dict[Pair, Tally]:
    """Return the score of each pair, from rows of both players, games and the points of both."""
    found: dict[Pair, Tally] = {}
    for first, second, games, points, other in rows:
        pair = frozenset((first, second))
        before = found.get(pair, _NOTHING)
        own = points if first == min(pair) else other
        found[pair] = before[0] + games, before[1] + own
    return found


def _other_totals(outline: Outline, event: Event) -> list[str]:
    printed = {total.player: total.points for total in event.totals}
    made: dict[str, float] = defaultdict(float)
    for result in event.results:
        made[result.first] += result.points_first
        made[result.second] += result.points_second
    found = []
    for player, points in outline.totals.items():
        there = printed.get(player, made.get(player))
        if there is None or abs(there - points) > TOLERANCE:
            known = "no total" if there is None else number_text(there)
            found.append(f"{player}: {known} in the file, {number_text(points)} in the import")
    return found


def _other_scores(tally: Mapping[Pair, Tally], known: Mapping[Pair, Tally]) -> list[str]:
    here, there = (sum(games for games, _ in each.values()) for each in (tally, known))
    if not known:
        return [f"the file holds no single results ({counted(here, 'game')} here)"]
    found: list[str] = []
    if here != there:
        number = counted(abs(there - here), "game")
        found.append(f"the import has {number} {'fewer' if here < there else 'more'}")
    for pair in sorted(tally, key=sorted):
        own, other = tally[pair], known.get(pair)
        same_games = other and abs(own[0] - other[0]) < TOLERANCE
        if other and (own[0] < other[0] or (same_games and abs(own[1] - other[1]) < TOLERANCE)):
            continue
        text = f"{_score(other)} in the file" if other else "not in the file"
        found.append(f"{' - '.join(sorted(pair))}: {text}, {_score(own)} in the import")
    return found


def _score(tally: Tally) -> str:
    games, points = tally
    return f"{number_text(points)}-{number_text(games - points)}"


@lru_cache(maxsize=65536)
def event_key(name: str) -> str:
    """Return the words of an event's name without its years."""
    bare = _SHORT_SEASON.sub("", _SEASON.sub(" ", name)) if season_of(name, None) else name
    return " ".join(word for word in words(bare) if not _YEAR.fullmatch(word))


def town(site: str) -> str:
    """Return a site without its country: `London` of `London ENG` and `London, England`."""
    return re.sub(r"\s+\(?[A-Z]{3}\)?$", "", site.partition(",")[0].strip())


@lru_cache(maxsize=65536)
def site_key(name: str) -> str:
    """Return the words of a site's town."""
    return " ".join(words(town(name)))


def years_in(text: str) -> list[int]:
    """Return the years that occur in a text; of two with a stroke or hyphen, the later one."""
    text = _SEASON.sub(lambda found: f" {season_of(found[0], None) or found[0]} ", text)
    return [int(year) for year in _YEAR.findall(text)]


@lru_cache(maxsize=65536)
def season_of(name: str, year: int | None) -> int | None:
    """Return the later of two consecutive years in an event's name: `1926/27`, `2627`."""
    if match := _SEASON.search(name):
        later = int(match[1]) + 1
        return later if str(later).endswith(match[2]) else None
    match = _SHORT_SEASON.search(name)
    if match is None or (int(match[1]) + 1) % 100 != int(match[2]):
        return None
    later = int(match[2]) if year is None else year - year % 100 + int(match[2])
    return later if year is None or later - 1 <= year <= later else None


def span_of(found: Sequence[str], year: int) -> str:
    """Return the span of dates of an event in EDTF, as exactly as the coarsest of them.

    An event that counts for a later year than its last known date ended in that year.
    """
    given = [date for date in found if date] or [str(year)]
    length = min(map(len, given))
    start, end = min(given)[:length], max(given)[:length]
    if int(end[:4]) < year:
        end = str(year)
    return start if start == end else f"{start}/{end}"
