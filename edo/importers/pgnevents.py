"""The games of a collection in, grouped into events by what their headers say of event and time."""

from __future__ import annotations

import datetime
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from edo.core.text import words
from edo.importers.pgnheaders import PgnGame

PAUSE = datetime.timedelta(days=120)  # within one event: championships took up to three months
NEW_YEAR = datetime.timedelta(days=45)  # between the games before and after it

_YEAR = re.compile(r"1[4-9]\d\d|20\d\d")
_SEASON = re.compile(r"(?:^|\D)(1[4-9]\d\d|20\d\d)\s?[/-]\s?(\d\d(?:\d\d)?)(?!\d)")
_SHORT_SEASON = re.compile(r"(?:^|[^\d])(\d\d)(?:/|-)?(\d\d)$")


@dataclass(frozen=True, slots=True)
class Played:
    """A game with the ids of its players and the year that it belongs to."""

    white: str
    black: str
    year: int
    game: PgnGame

    @property
    def pair(self) -> frozenset[str]:
        """Return the two players."""
        return frozenset((self.white, self.black))

    def points(self, player: str) -> float:
        """Return the points [points] of one of the two."""
        score = self.game.score or 0.0
        return score if player == self.white else 1.0 - score


@dataclass(frozen=True, slots=True)
class Group:
    """The games of one event; `year` is that in which it finished."""

    games: tuple[Played, ...]
    year: int
    doubts: tuple[str, ...] = ()

    @property
    def events(self) -> tuple[str, ...]:
        """Return the spellings of the event's name, the first one first."""
        return tuple(dict.fromkeys(each.game.event for each in self.games if each.game.event))

    @property
    def sites(self) -> tuple[str, ...]:
        """Return the spellings of the place, the first one first."""
        return tuple(dict.fromkeys(each.game.site for each in self.games if each.game.site))

    @property
    def players(self) -> frozenset[str]:
        """Return everyone who plays."""
        return frozenset(player for each in self.games for player in each.pair)

    @property
    def place(self) -> str:
        """Return where its first game stands in the files."""
        return self.games[0].game.place

    @property
    def called(self) -> str:
        """Return a name for people."""
        return f"{self.events[0] if self.events else self.sites[0]} {self.year}"


@dataclass(frozen=True, slots=True)
class _Key:
    event: str
    site: str
    season: int


def year_of(game: PgnGame) -> int | None:
    """Return the year of the game: that of its date, else of the event, None if nothing has one."""
    for date in (game.date, game.event_date):
        if date:
            return int(date[:4])
    named = _YEAR.findall(f"{game.event} {game.site}")
    return int(named[-1]) if len(set(named)) == 1 else None


def grouped(games: Iterable[Played]) -> list[Group]:
    """Return the events, sorted by name, place and time."""
    by_key: dict[_Key, list[Played]] = defaultdict(list)
    for each in games:
        by_key[_key(each)].append(each)
    _join_siteless(by_key)
    found = []
    for key, season in _over_new_year(by_key):
        for part, doubts in _parts(season):
            year = max(key.season, *(each.year for each in part))
            found.append(Group(tuple(part), year, doubts))
    return found


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


@lru_cache(maxsize=65536)
def season_of(name: str, year: int | None) -> int | None:
    """Return the later of two following years that an event's name has: `1926/27`, `2627`."""
    match = _SEASON.search(name)
    if match:
        first, last = int(match[1]), match[2]
        later = int(last) if len(last) == 4 else int(match[1][:2] + last)
        return later if later == first + 1 else None
    match = _SHORT_SEASON.search(name)
    if match and (int(match[1]) + 1) % 100 == int(match[2]):
        if year is None:
            return int(match[2])
        century = year - year % 100
        later = century + int(match[2])
        return later if later - 1 <= year <= later else None
    return None


def _key(each: Played) -> _Key:
    game = each.game
    season = season_of(game.event, each.year)
    if season is None or not season - 1 <= each.year <= season:
        season = int(game.event_date[:4]) if game.event_date else each.year
        if not 0 <= each.year - season <= 1:  # an event's date that has nothing to do with it
            season = each.year
    return _Key(event_key(game.event), site_key(game.site), season)


def _join_siteless(by_key: dict[_Key, list[Played]]) -> None:
    """Put games without a site to those of the only event of their name and year."""
    sites: dict[tuple[str, int], list[_Key]] = defaultdict(list)
    for key in by_key:
        if key.site:
            sites[key.event, key.season].append(key)
    for key in [key for key in by_key if not key.site]:
        others = sites.get((key.event, key.season), [])
        if len(others) == 1:
            by_key[others[0]] += by_key.pop(key)


def _over_new_year(by_key: dict[_Key, list[Played]]) -> list[tuple[_Key, list[Played]]]:
    """Return the games of each event; those of December and January after it are one event."""
    gone: set[_Key] = set()
    found = []
    for key in sorted(by_key, key=lambda key: (key.event, key.site, key.season)):
        later = replace(key, season=key.season + 1)
        if key in gone:
            continue
        if later in by_key and _follows(by_key[key], by_key[later]):
            gone.add(later)
            found.append((later, [*by_key[key], *by_key[later]]))
        else:
            found.append((key, by_key[key]))
    return found


def _follows(before: Sequence[Played], after: Sequence[Played]) -> bool:
    first, second = _days(before), _days(after)
    if len(first) < len(before) or len(second) < len(after):
        return False
    turn = max(first).month >= 11 and min(second).month <= 2
    return turn and min(second) - max(first) <= NEW_YEAR


def _days(games: Sequence[Played]) -> list[datetime.date]:
    return [
        datetime.date.fromisoformat(each.game.date) for each in games if len(each.game.date) == 10
    ]


def _parts(games: list[Played]) -> list[tuple[list[Played], tuple[str, ...]]]:
    """Return the games divided where months lie between two parts with other players."""
    days = sorted(set(_days(games)))
    for before, after in pairwise(days):
        if after - before < PAUSE:
            continue
        doubt = f"{(after - before).days} days without a game, from {before} to {after}"
        if len(_days(games)) < len(games):
            return [(games, (doubt,))]
        first = [each for each in games if each.game.date <= before.isoformat()]
        rest = [each for each in games if each.game.date > before.isoformat()]
        here = {player for each in first for player in each.pair}
        there = {player for each in rest for player in each.pair}
        if 2 * len(here & there) >= min(len(here), len(there)):
            return [(games, (doubt,))]
        said = (f"divided from games of the same headers: {doubt}",)
        return [(first, said), *((part, (*said, *more)) for part, more in _parts(rest))]
    return [(games, ())]
