"""Games grouped into events by their headers: event, site and time; duplicates dropped."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from edo.importers.known import event_key, season_of, site_key, years_in
from edo.importers.pgn.read import PgnGame

PAUSE = datetime.timedelta(days=120)  # within one event: championships took up to three months
NEW_YEAR = datetime.timedelta(days=45)  # between the games before and after it


class Played(NamedTuple):
    """A game with the ids of its players and the year that it belongs to.

    `in_question`: it has no moves, though most games of the collection do.
    """

    white: str
    black: str
    year: int
    game: PgnGame
    in_question: bool = False

    def __str__(self) -> str:
        """Return the game for people."""
        game = self.game
        return f"{game.white} - {game.black} ({game.event}, {game.date or self.year})"

    @property
    def pair(self) -> frozenset[str]:
        """Return the two players."""
        return frozenset((self.white, self.black))

    def points(self, player: str) -> float:
        """Return the points [points] of one of the two."""
        score = self.game.score or 0.0
        return score if player == self.white else 1.0 - score


Pair = tuple[Played, Played]


class Group(NamedTuple):
    """The games of one event; `year` is that in which it finished."""

    games: tuple[Played, ...]
    year: int
    warnings: tuple[str, ...] = ()

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


class _Key(NamedTuple):
    event: str
    site: str
    season: int


def year_of(game: PgnGame) -> int | None:
    """Return the year of the game: that of its date, else of the event, None if nothing has one."""
    for date in (game.date, game.event_date):
        if date:
            return int(date[:4])
    named = set(years_in(f"{game.event} {game.site}"))
    return named.pop() if len(named) == 1 else None


def grouped(games: Iterable[Played]) -> list[Group]:
    """Return the events, sorted by name, place and time."""
    by_key: dict[_Key, list[Played]] = defaultdict(list)
    for each in games:
        by_key[_key(each)].append(each)
    places: dict[_Key, list[_Key]] = defaultdict(list)
    for key in by_key:
        places[key._replace(site="")] += [key] if key.site else []
    for siteless, others in places.items():
        if len(others) == 1 and siteless in by_key:  # the only place of that name and year
            by_key[others[0]] += by_key.pop(siteless)
    groups = []
    for key, season in _over_new_year(by_key):
        for part, warnings in _parts(season):
            year = max(key.season, *(each.year for each in part))
            groups.append(Group(tuple(part), year, warnings))
    return groups


def _key(each: Played) -> _Key:
    game = each.game
    begun = int(game.event_date[:4]) if game.event_date else None
    seasons = (
        season_of(game.event, each.year),
        begun,
    )  # an event's date may have nothing to do with it
    near = (season for season in seasons if season and abs(each.year - season) <= 1)
    return _Key(event_key(game.event), site_key(game.site), next(near, each.year))


def _over_new_year(by_key: dict[_Key, list[Played]]) -> list[tuple[_Key, list[Played]]]:
    """Return the games of each event; those of December and January after it are one event."""
    gone: set[_Key] = set()
    seasons = []
    for key in sorted(by_key):
        later = key._replace(season=key.season + 1)
        if key in gone:
            continue
        if later in by_key and _follows(by_key[key], by_key[later]):
            gone.add(later)
            seasons.append((later, [*by_key[key], *by_key[later]]))
        else:
            seasons.append((key, by_key[key]))
    return seasons


def _follows(before: Sequence[Played], after: Sequence[Played]) -> bool:
    first, second = _days(before), _days(after)
    all_known = len(first) == len(before) and len(second) == len(after)
    return all_known and min(second) - max(first) <= NEW_YEAR


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
        gap = f"{(after - before).days} days without a game, from {before} to {after}"
        first = [each for each in games if each.game.date <= before.isoformat()]
        rest = [each for each in games if each.game.date > before.isoformat()]
        here, there = ({player for each in part for player in each.pair} for part in (first, rest))
        if len(_days(games)) < len(games) or 2 * len(here & there) >= min(len(here), len(there)):
            return [(games, (gap,))]
        why = (f"divided from games of the same headers: {gap}",)
        return [(first, why), *((part, (*why, *more)) for part, more in _parts(rest))]
    return [(games, ())]


def deduplicated(games: Iterable[Played]) -> tuple[list[Played], list[Pair], list[Pair]]:
    """Return the games without repetitions, each repetition with the game that it repeats, and
    the pairs of games that contradict each other, of which neither is kept.

    A game is the same where the players, the colours, the year, the result and the moves are, or
    the players, the event, the day and the round. Without moves and without a day two games of one
    match may look the same and are both kept.
    """
    by_moves: dict[tuple[object, ...], Played] = {}
    by_round: dict[tuple[object, ...], Played] = {}
    kept: dict[str, Played] = {}
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
                kept.pop(earlier.game.place, None)
            continue
        if moves:
            by_moves.setdefault(moves, each)
        if number:
            by_round[number] = each
        kept[each.game.place] = each
    return list(kept.values()), twice, conflicts


def _moves_key(each: Played) -> tuple[object, ...] | None:
    if each.game.bare:
        return None
    return each.white, each.black, each.year, each.game.score, each.game.moves


def _round_key(each: Played) -> tuple[object, ...] | None:
    game = each.game
    if len(game.date) < 10 or not game.round:
        return None
    return each.pair, event_key(game.event), game.date, game.round


def _may_be_one(each: Played, other: Played) -> bool:
    """Whether neither rounds nor days say that two games with the same moves are two."""
    first, second = each.game, other.game
    if first.round and second.round and first.round != second.round:
        return event_key(first.event) != event_key(second.event)
    return first.date.startswith(second.date) or second.date.startswith(first.date)
