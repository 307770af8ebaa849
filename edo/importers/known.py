"""Which events of an import the history has already, and where the two differ."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from edo.core.formats import counted
from edo.core.model import Dataset, Event
from edo.core.text import words
from edo.history.notation import TOLERANCE, number_text
from edo.importers.compose import NewEvent, Pair

LISTED = 12  # differences of one event that are listed
SHARED = 0.5  # share of the pairs of an import, or of its players, that the event has as well
SURE = 0.75  # share of the pairs of one with as many games in the other, if both are one event
SAME_SCORES = 0.8  # share of equal scores that shows that two places are one under two names

Tally = tuple[float, float]
"""Games [games], and points [points] of the player whose id comes first in the alphabet."""
_NOTHING: Tally = (0.0, 0.0)

_YEAR = re.compile(r"1[4-9]\d\d|20\d\d")
_SEASON = re.compile(r"(?:^|\D)(1[4-9]\d\d|20\d\d)\s?[/–-]\s?(\d\d(?:\d\d)?)(?!-?\d)")
_SHORT_SEASON = re.compile(r"(?:^|[^\d])(\d\d)(?:/|-)?(\d\d)$")


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
            event.id: _tally(
                (result.first, result.second, result.games, result.points_first)
                for result in event.results
                if result.first != result.second and result.default is None
            )
            for event in dataset.events.values()
        }
        self._by_player: dict[tuple[int, str], list[Event]] = defaultdict(list)
        for event in dataset.events.values():
            first = min(event.dates.start.year if event.dates else event.year, event.year)
            for year in range(first, event.year + 1):
                for player in event.players:
                    self._by_player[year, player].append(event)

    def find(self, new: NewEvent) -> Already | None:
        """Return the event of the history that is a new one, None where there is none."""
        tally = _tally(
            (score.first, score.second, score.games, score.points)
            for score in new.scores
            if "default" not in score.annotation
        )
        near = {
            event.id: event
            for year in new.years
            for player in new.players
            for event in self._by_player.get((year, player), ())
        }
        rated = ((self._likeness(new, tally, event), event.id) for event in near.values())
        ranked = sorted((-like, id_) for like, id_ in rated if like > 0)
        if not ranked:
            return None
        best, event = -ranked[0][0], near[ranked[0][1]]
        known = self._tallies[event.id]
        alone = len(ranked) == 1 or ranked[0][0] < ranked[1][0]
        is_compared = bool(tally or new.totals)
        covers = _covers(known, tally) or _covers(tally, known)
        sure = is_compared and alone and best > 1 and covers
        return Already(event, sure, _differences(new, tally, event, known))

    def _likeness(self, new: NewEvent, tally: Mapping[Pair, Tally], event: Event) -> float:
        """Return 0 where the event cannot be the new one, else more the more they agree."""
        has_same_name = _share_a_word(new.names, event)
        is_other_kind = (new.kind == "match") != (event.kind == "match")
        if is_other_kind and not (event.kind == "tournament" and has_same_name):
            return 0.0
        place = self._places.get(event.place or "", "")
        sites = {site_key(site) for site in new.sites} - {""}
        known = self._tallies[event.id]
        share = len(new.players & set(event.players)) / len(new.players)
        if known and tally:
            share = sum(pair in known for pair in tally) / len(tally)
        same = sum(known.get(pair) == score for pair, score in tally.items())
        same += len(new.totals) - len(_other_totals(new, event))
        agreement = same / max(len(tally) + len(new.totals), 1)  # defaults are not compared
        if share < SHARED and not (share and place in sites and has_same_name):
            return 0.0
        if place and sites and place not in sites and agreement < SAME_SCORES:
            return 0.0
        return share + agreement + (place in sites) + has_same_name


def _covers(larger: Mapping[Pair, Tally], smaller: Mapping[Pair, Tally]) -> bool:
    """Whether most pairs of the smaller have at least as many games in the larger."""
    covered = sum(each[0] <= larger.get(pair, _NOTHING)[0] for pair, each in smaller.items())
    return covered >= SURE * len(smaller)


def _share_a_word(names: Iterable[str], event: Event) -> bool:
    """Whether the names share a word that is not a year."""
    event_words = set(event_key(event.name).split()) | set(words(event.id))
    return any(set(event_key(name).split()) & event_words for name in names)


def _tally(rows: Iterable[tuple[str, str, float, float]]) -> dict[Pair, Tally]:
    """Return the score of each pair, from rows of both players, games and the first's points."""
    scores: dict[Pair, Tally] = {}
    for first, second, games, points in rows:
        pair = frozenset((first, second))
        before = scores.get(pair, _NOTHING)
        scores[pair] = before[0] + games, before[1] + (points if first < second else games - points)
    return scores


def _differences(
    new: NewEvent, tally: Mapping[Pair, Tally], event: Event, known: Mapping[Pair, Tally]
) -> tuple[str, ...]:
    differences = [*_other_scores(tally, known), *_other_totals(new, event)]
    if len(differences) > LISTED:
        return (*differences[:LISTED], f"and {len(differences) - LISTED} more differences")
    return tuple(differences)


def _other_totals(new: NewEvent, event: Event) -> list[str]:
    printed = {total.player: total.points for total in event.totals}
    made: dict[str, float] = defaultdict(float)
    for result in event.results:
        made[result.first] += result.points_first
        made[result.second] += result.points_second
    differences = []
    for total in new.totals:
        there = printed.get(total.player, made.get(total.player))
        if there is None or abs(there - total.points) > TOLERANCE:
            known = "no total" if there is None else number_text(there)
            here = number_text(total.points)
            differences.append(f"{total.player}: {known} in the file, {here} in the import")
    return differences


def _other_scores(tally: Mapping[Pair, Tally], known: Mapping[Pair, Tally]) -> list[str]:
    here, there = (sum(games for games, _ in each.values()) for each in (tally, known))
    if not tally or not known:
        return [f"the file holds no single results ({counted(here, 'game')} here)"] * bool(tally)
    differences: list[str] = []
    if here != there:
        number = counted(abs(there - here), "game")
        differences.append(f"the import has {number} {'fewer' if here < there else 'more'}")
    for pair in sorted(tally, key=sorted):
        score, in_file = tally[pair], known.get(pair)
        if in_file and (score[0] < in_file[0] or score == in_file):
            continue  # the import may have a part of the games only
        text = f"{_score(in_file)} in the file" if in_file else "not in the file"
        differences.append(f"{' - '.join(sorted(pair))}: {text}, {_score(score)} in the import")
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
    """Return a site without its country: `London` of `London ENG`, nothing of `ENG`."""
    return re.sub(r"(^|\s+)\(?[A-Z]{3}\)?$", "", site.partition(",")[0].strip())


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
