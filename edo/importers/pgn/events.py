"""Games grouped into events by their headers: event, site and time; duplicates dropped."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from edo.importers.known import event_key, season_of, site_key
from edo.importers.pgn.read import PgnGame

PAUSE = datetime.timedelta(days=120)  # within one event: championships took up to three months
NEW_YEAR = datetime.timedelta(days=45)  # between the games before and after it


Pair = tuple[PgnGame, PgnGame]


class Group(NamedTuple):
    """The games of one event; `year` is that in which it finished."""

    games: tuple[PgnGame, ...]
    year: int
    warnings: tuple[str, ...] = ()

    @property
    def events(self) -> tuple[str, ...]:
        """Return the spellings of the event's name, the first one first."""
        return tuple(dict.fromkeys(each.event for each in self.games if each.event))

    @property
    def sites(self) -> tuple[str, ...]:
        """Return the spellings of the place, the first one first."""
        return tuple(dict.fromkeys(each.site for each in self.games if each.site))

    @property
    def players(self) -> frozenset[str]:
        """Return everyone who plays."""
        return frozenset(player for each in self.games for player in each.pair)

    @property
    def teams(self) -> frozenset[str]:
        """Return the teams that the headers name."""
        return frozenset(team for each in self.games for team in each.teams if team)

    @property
    def kind(self) -> str:
        """Return the kind of event; a single game may be a part of anything."""
        if all(all(each.teams) and each.teams[0] != each.teams[1] for each in self.games):
            return "team match"
        return "match" if len(self.players) == 2 and len(self.games) > 1 else "tournament"

    @property
    def place(self) -> str:
        """Return where its first game stands in the files."""
        return self.games[0].place

    @property
    def called(self) -> str:
        """Return a name for people."""
        return f"{self.events[0] if self.events else self.sites[0]} {self.year}"


class _Key(NamedTuple):
    event: str
    site: str
    season: int


def grouped(games: Iterable[PgnGame]) -> list[Group]:
    """Return the events, sorted by name, place and time."""
    by_key: dict[_Key, list[PgnGame]] = defaultdict(list)
    for each in games:
        by_key[_key(each)].append(each)
    places: dict[_Key, list[_Key]] = defaultdict(list)
    for key in by_key:
        places[key._replace(site="")] += [key] if key.site else []
    for siteless, others in places.items():
        if len(others) == 1 and siteless in by_key:  # the only place of that name and year
            by_key[others[0]] += by_key.pop(siteless)
    groups = []
    for key, season in _over_new_year(by_key).items():
        for part, warnings in _parts(season):
            year = max(key.season, *(each.year for each in part))
            groups.append(Group(tuple(part), year, warnings))
    return groups


def _key(each: PgnGame) -> _Key:
    begun = int(each.event_date[:4]) if each.event_date else None
    seasons = (
        season_of(each.event, each.year),
        begun,
    )  # an event's date may have nothing to do with it
    near = (season for season in seasons if season and abs(each.year - season) <= 1)
    return _Key(event_key(each.event), site_key(each.site), next(near, each.year))


def _over_new_year(by_key: Mapping[_Key, list[PgnGame]]) -> dict[_Key, list[PgnGame]]:
    """Return the games of each event; those of December and January after it are one event."""
    events: dict[_Key, list[PgnGame]] = {}
    for key in sorted(by_key):
        year_before = key._replace(season=key.season - 1)
        earlier = events.get(year_before, [])
        is_one_year = bool(earlier) and earlier is by_key.get(year_before)
        if is_one_year and _follows(earlier, by_key[key]):
            events[key] = [*events.pop(year_before), *by_key[key]]
        else:
            events[key] = by_key[key]
    return events


def _follows(before: Sequence[PgnGame], after: Sequence[PgnGame]) -> bool:
    first, second = _days(before), _days(after)
    all_known = len(first) == len(before) and len(second) == len(after)
    return all_known and min(second) - max(first) <= NEW_YEAR


def _days(games: Sequence[PgnGame]) -> list[datetime.date]:
    return [datetime.date.fromisoformat(each.date) for each in games if len(each.date) == 10]


def _parts(games: list[PgnGame]) -> list[tuple[list[PgnGame], tuple[str, ...]]]:
    """Return the games divided where months lie between two parts with other players."""
    days = sorted(set(_days(games)))
    for before, after in pairwise(days):
        if after - before < PAUSE:
            continue
        gap = f"{(after - before).days} days without a game, from {before} to {after}"
        first = [each for each in games if each.date <= before.isoformat()]
        rest = [each for each in games if each.date > before.isoformat()]
        here, there = ({player for each in part for player in each.pair} for part in (first, rest))
        if len(_days(games)) < len(games) or 2 * len(here & there) >= min(len(here), len(there)):
            return [(games, (gap,))]
        why = (f"divided from games of the same headers: {gap}",)
        return [(first, why), *((part, (*why, *more)) for part, more in _parts(rest))]
    return [(games, ())]


def deduplicated(games: Iterable[PgnGame]) -> tuple[list[PgnGame], list[Pair], list[Pair]]:
    """Return the games without repetitions, each repetition with the game that it repeats, and
    the pairs of games that contradict each other, of which neither is kept.

    A game is the same where the players, the colours, the year, the result and the moves are, or
    the players, the event, the day and the round. Without moves and without a day two games of one
    match may look the same and are both kept.
    """
    by_moves: dict[tuple[object, ...], PgnGame] = {}
    by_round: dict[tuple[object, ...], PgnGame] = {}
    kept: dict[str, PgnGame] = {}
    twice: list[Pair] = []
    conflicts: list[Pair] = []
    for each in games:
        moves, number = _moves_key(each), _round_key(each)
        earlier = by_moves.get(moves) if moves else None
        if earlier is not None and _may_be_one(each, earlier):
            twice.append((each, earlier))
            continue
        earlier = by_round.get(number) if number else None
        if earlier is not None:
            same = each.points(earlier.white) == earlier.points(earlier.white)
            (twice if same else conflicts).append((each, earlier))
            if not same:
                kept.pop(earlier.place, None)
            continue
        if moves:
            by_moves.setdefault(moves, each)
        if number:
            by_round[number] = each
        kept[each.place] = each
    return list(kept.values()), twice, conflicts


def _moves_key(each: PgnGame) -> tuple[object, ...] | None:
    if each.bare:
        return None
    return each.white, each.black, each.year, each.score, each.moves


def _round_key(each: PgnGame) -> tuple[object, ...] | None:
    if len(each.date) < 10 or not each.round:
        return None
    return each.pair, event_key(each.event), each.date, each.round


def _may_be_one(first: PgnGame, second: PgnGame) -> bool:
    """Whether neither rounds nor days say that two games with the same moves are two."""
    if first.round and second.round and first.round != second.round:
        return event_key(first.event) != event_key(second.event)
    return first.date.startswith(second.date) or second.date.startswith(first.date)
