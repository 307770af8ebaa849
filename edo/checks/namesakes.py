"""Warnings about players whose names are so close that they may be one person."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from edo.checks.lives import known_life
from edo.checks.where import at_player
from edo.core.model import Dataset, Event, Player
from edo.core.problems import Problem
from edo.core.text import words
from edo.history.names import YOUNGEST, slips, sound

SHORTEST = 5  # [letters] shorter names one letter apart are too often two names: Lange, Lang
LONGEST_REST = 50  # [years] nobody comes back to the board after a longer one
LIKELY_REST = 10  # [years] a longer one is rare, and a namesake of another generation is not
DATES_DIFFER = 1  # [years] sources that mean the same life seldom differ by more


@dataclass(frozen=True, slots=True)
class _Career:
    """A player with the events that he played, by year."""

    player: Player
    events: Sequence[Event]

    @property
    def first(self) -> int:
        return self.events[0].year

    @property
    def last(self) -> int:
        return self.events[-1].year

    @property
    def years(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}–{self.last}"


@dataclass(frozen=True, slots=True)
class _Name:
    """One of the names of a player in plain words; `sound` is the surname as it is spoken."""

    career: _Career
    surname: str
    sound: str
    given: tuple[str, ...]


def close_names(dataset: Dataset) -> Iterator[Problem]:
    """Two names that differ by a letter or transliteration, by first names, or by word order.

    Those who met in an event or whose lives do not fit together are two persons. Who shares both
    dates with another is found by `same_dates`. Pairs without a common opponent or place within
    `LIKELY_REST` years are minor warnings.
    """
    found: dict[tuple[str, str], tuple[_Career, _Career, str]] = {}
    for one, other in _candidates(_names(dataset)):
        first, second = one.career, other.career
        key = first.player.id, second.player.id
        if key not in found and (how := _likeness(one, other)) and _one_life(first, second):
            found[key] = first, second, how
    for first, second, how in found.values():
        named = f"`{first.player.name}` ({first.player.id}, {first.years})"
        message = f"`{second.player.name}` ({second.years}) is close to {named}: {how}"
        hint = "look whether they are one person"
        problem = at_player(second.player, message, hint, about=first.player.id)
        yield replace(problem, minor=not _likely(first, second))


def _names(dataset: Dataset) -> list[_Name]:
    """Return the names of all players: the main one, and spellings that have first names too."""
    played: dict[str, list[Event]] = defaultdict(list)
    for event in sorted(dataset.events.values(), key=lambda event: event.year):
        for id_ in event.players:
            played[id_].append(event)
    names = []
    for player in dataset.players.values():
        if player.offhand_of is None and player.id in played:  # else nothing tells when he lived
            career = _Career(player, played[player.id])
            spellings = (spelling for spelling in player.spellings if "," in spelling)
            names += [_name(career, text) for text in dict.fromkeys((player.name, *spellings))]
    return names


def _name(career: _Career, text: str) -> _Name:
    surname, _, given = text.partition(",")
    plain = " ".join(words(surname))
    return _Name(career, plain, sound(plain), tuple(words(given)))


def _candidates(names: list[_Name]) -> Iterator[tuple[_Name, _Name]]:
    """Yield each two that share a key; surnames a letter apart share one without a letter."""
    groups: dict[str, list[int]] = defaultdict(list)
    for index, name in enumerate(names):
        for key in _keys(name):
            groups[key].append(index)
    for i, j in sorted({pair for group in groups.values() for pair in combinations(group, 2)}):
        if names[i].career is not names[j].career:
            yield names[i], names[j]


def _keys(name: _Name) -> set[str]:
    sound = name.sound
    shorter = {sound[:k] + sound[k + 1 :] for k in range(len(sound))}
    return {sound, "/".join(_all_words(name)), *(shorter if len(sound) >= SHORTEST else ())}


def _all_words(name: _Name) -> list[str]:
    return sorted((*name.surname.split(), *name.given))


def _likeness(one: _Name, other: _Name) -> str | None:
    """Return in what two names are alike, None where they are too far apart."""
    if one.surname != other.surname and _all_words(one) == _all_words(other):
        return "the same words in another order"
    if not _fit(one.given, other.given):
        return None
    if one.surname == other.surname:
        return "the surname, and first names that fit together"
    if one.sound == other.sound:
        return "the surname in another transliteration, and first names that fit together"
    apart = _nearly(one.sound, other.sound) and one.sound[0] == other.sound[0]
    if apart and (one.given or other.given):  # two bare surnames say too little
        return "surnames a letter apart, and first names that fit together"
    return None


def _fit(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether each two first names are the same, one cut short, or nearly spelt alike."""
    return all(_same_given(a, b) for a, b in zip(one, other, strict=False))


def _same_given(one: str, other: str) -> bool:
    if one.startswith(other) or other.startswith(one):
        return True
    a, b = sound(one), sound(other)
    return a == b or _nearly(a, b)


def _nearly(one: str, other: str) -> bool:
    return min(len(one), len(other)) >= SHORTEST and slips(one, other, 1) <= 1


def _one_life(one: _Career, other: _Career) -> bool:
    """Whether one person can have had both lives and both careers, which never met."""
    a, b = one.player, other.player
    life = known_life(a)
    if life is not None and life == known_life(b):
        return False
    for date, its in ((a.born, b.born), (a.died, b.died)):
        if date is not None and its is not None and abs(date.year - its.year) > DATES_DIFFER:
            return False
    fits = _rest(one, other) <= LONGEST_REST and _played_in(a, other) and _played_in(b, one)
    return fits and _ids(one.events).isdisjoint(_ids(other.events))


def _rest(one: _Career, other: _Career) -> int:
    """Return the years [years] from the end of one career to the other, 0 or less if they meet."""
    return max(one.first, other.first) - min(one.last, other.last)


def _played_in(player: Player, career: _Career) -> bool:
    """Whether the other's career lies within the player's life."""
    if player.born is not None and career.first < player.born.year + YOUNGEST:
        return False
    return player.died is None or career.last <= player.died.year


def _likely(one: _Career, other: _Career) -> bool:
    """Whether the two had an opponent or a place in common within some years."""
    countries = {career.player.country for career in (one, other)} - {None}
    if _rest(one, other) > LIKELY_REST or len(countries) > 1:
        return False
    start = max(one.first, other.first) - LIKELY_REST
    end = min(one.last, other.last) + LIKELY_REST
    near = [[e for e in career.events if start <= e.year <= end] for career in (one, other)]
    opponents, places = ([getter(events) for events in near] for getter in (_opponents, _places))
    return not opponents[0].isdisjoint(opponents[1]) or not places[0].isdisjoint(places[1])


def _ids(events: Iterable[Event]) -> set[str]:
    return {event.id for event in events}


def _opponents(events: Iterable[Event]) -> set[str]:
    return {id_ for event in events for id_ in event.players}


def _places(events: Iterable[Event]) -> set[str]:
    return {event.place for event in events if event.place is not None}
