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
                (
                    result.first,
                    result.second,
                    result.games,
                    result.points_first,
                    result.points_second,
                )
                for result in event.results
                if result.first != result.second and result.default is None
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
        ranked = sorted((-like, event.id) for like, event in rated if like > 0)
        if not ranked:
            return None
        best, event = -ranked[0][0], near[ranked[0][1]]
        known, tally = self._tallies[event.id], outline.tally
        alone = len(ranked) == 1 or ranked[0][0] < ranked[1][0]
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
        differences = _other_totals(outline, event)
        if outline.tally:
            differences = [*_other_scores(outline.tally, self._tallies[event.id]), *differences]
        if len(differences) > LISTED:
            return (*differences[:LISTED], f"and {len(differences) - LISTED} more differences")
        return tuple(differences)


def _covers(larger: Mapping[Pair, Tally], smaller: Mapping[Pair, Tally]) -> bool:
    """Whether most pairs of the smaller have at least as many games in the larger."""
    covered = sum(each[0] <= larger.get(pair, _NOTHING)[0] for pair, each in smaller.items())
    return covered >= SURE * len(smaller)


def _share_a_word(names: Iterable[str], event: Event) -> bool:
    """Whether the names share a word that is not a year."""
    event_words = set(event_key(event.name).split()) | set(words(event.id))
    return any(set(event_key(name).split()) & event_words for name in names)


def tally(rows: Iterable[tuple[str, str, float, float, float]]) -> dict[Pair, Tally]:
    """Return the score of each pair, from rows of both players, games and the points of both."""
    scores: dict[Pair, Tally] = {}
    for first, second, games, points, points_against in rows:
        pair = frozenset((first, second))
        before = scores.get(pair, _NOTHING)
        points_of_first = points if first == min(pair) else points_against
        scores[pair] = before[0] + games, before[1] + points_of_first
    return scores


def _other_totals(outline: Outline, event: Event) -> list[str]:
    printed = {total.player: total.points for total in event.totals}
    made: dict[str, float] = defaultdict(float)
    for result in event.results:
        made[result.first] += result.points_first
        made[result.second] += result.points_second
    differences = []
    for player, points in outline.totals.items():
        there = printed.get(player, made.get(player))
        if there is None or abs(there - points) > TOLERANCE:
            known = "no total" if there is None else number_text(there)
            differences.append(
                f"{player}: {known} in the file, {number_text(points)} in the import"
            )
    return differences


def _other_scores(tally: Mapping[Pair, Tally], known: Mapping[Pair, Tally]) -> list[str]:
    here, there = (sum(games for games, _ in each.values()) for each in (tally, known))
    if not known:
        return [f"the file holds no single results ({counted(here, 'game')} here)"]
    differences: list[str] = []
    if here != there:
        number = counted(abs(there - here), "game")
        differences.append(f"the import has {number} {'fewer' if here < there else 'more'}")
    for pair in sorted(tally, key=sorted):
        text = "not in the file"
        if pair in known:
            more_games, more_points = (
                here - there for here, there in zip(tally[pair], known[pair], strict=True)
            )
            same = abs(more_games) < TOLERANCE and abs(more_points) < TOLERANCE
            if more_games < 0 or same:  # the import may have a part of the games only
                continue
            text = f"{_score(known[pair])} in the file"
        names = " - ".join(sorted(pair))
        differences.append(f"{names}: {text}, {_score(tally[pair])} in the import")
    return differences


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
    text = _SEASON.sub(lambda season: f" {season_of(season[0], None) or season[0]} ", text)
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


def span_of(dates: Sequence[str], year: int) -> str:
    """Return the span of dates of an event in EDTF, as exactly as the coarsest of them.

    An event that counts for a later year than its last known date ended in that year.
    """
    known_dates = [date for date in dates if date] or [str(year)]
    length = min(map(len, known_dates))
    start, end = min(known_dates)[:length], max(known_dates)[:length]
    if int(end[:4]) < year:
        end = str(year)
    return start if start == end else f"{start}/{end}"
