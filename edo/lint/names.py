"""Warnings about players whose names are so close that they may be one person."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from edo.core.model import Dataset, Player
from edo.core.problems import Problem
from edo.core.text import words
from edo.history.checks import YOUNGEST, at_player, known_life

SHORTEST = 5  # [letters] shorter names one letter apart are too often two names: Lange, Lang
LONGEST_REST = 50  # [years] nobody comes back to the board after a longer one
DATES_DIFFER = 1  # [years] sources that mean the same life seldom differ by more


@dataclass(frozen=True, slots=True)
class _Name:
    """A player with his name in plain words, and the first and last year of his events."""

    player: Player
    surname: str
    given: tuple[str, ...]
    first: int
    last: int


def close_names(dataset: Dataset) -> Iterator[Problem]:
    """Two names that differ by a letter, by first names cut short, or by the order of the words.

    Those who met in an event or whose lives do not fit together are two persons. Who shares both
    dates with another is found by `check_lives`.
    """
    together = (combinations(event.players, 2) for event in dataset.events.values())
    met = {frozenset(pair) for pairs in together for pair in pairs}  # told apart by the source
    for one, other in _candidates(_names(dataset)):
        how = _likeness(one, other)
        first, second = one.player, other.player
        if how and frozenset((first.id, second.id)) not in met and _one_life(one, other):
            message = f"`{second.name}` is close to `{first.name}` ({first.id}): {how}"
            found = at_player(second, message, "look whether they are one person")
            yield found.as_warning("close name", first.id)


def _names(dataset: Dataset) -> list[_Name]:
    years: dict[str, list[int]] = defaultdict(list)
    for event in dataset.events.values():
        for id_ in event.players:
            years[id_].append(event.year)
    names = []
    for player in dataset.players.values():
        if player.offhand_of is None and player.id in years:  # else nothing tells when he lived
            surname, _, given = player.name.partition(",")
            own = (" ".join(words(surname)), tuple(words(given)))
            names.append(_Name(player, *own, min(years[player.id]), max(years[player.id])))
    return names


def _candidates(names: list[_Name]) -> Iterator[tuple[_Name, _Name]]:
    """Yield once each two that share a key; surnames a letter apart share one without a letter."""
    groups: dict[str, list[int]] = defaultdict(list)
    for index, name in enumerate(names):
        for key in _keys(name):
            groups[key].append(index)
    for i, j in sorted({pair for group in groups.values() for pair in combinations(group, 2)}):
        yield names[i], names[j]


def _keys(name: _Name) -> set[str]:
    surname = name.surname
    shorter = {surname[:k] + surname[k + 1 :] for k in range(len(surname))}
    return {surname, "/".join(_all_words(name)), *(shorter if len(surname) >= SHORTEST else ())}


def _all_words(name: _Name) -> list[str]:
    return sorted((*name.surname.split(), *name.given))


def _likeness(one: _Name, other: _Name) -> str | None:
    """Return in what two names are alike, None where they are too far apart."""
    if one.surname == other.surname and _fit(one.given, other.given):
        return "the surname, and first names that fit together"
    if one.surname != other.surname and _all_words(one) == _all_words(other):
        return "the same words in another order"
    fit = one.given and other.given and _fit(one.given, other.given)
    if fit and _nearly(one.surname, other.surname):
        return "surnames a letter apart, and first names that fit together"
    return None


def _fit(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether each two first names are the same, one cut short, or a letter apart."""
    pairs = zip(one, other, strict=False)
    return all(a.startswith(b) or b.startswith(a) or _nearly(a, b) for a, b in pairs)


def _nearly(one: str, other: str) -> bool:
    return min(len(one), len(other)) >= SHORTEST and one_letter_apart(one, other)


def one_letter_apart(one: str, other: str) -> bool:
    """Whether one letter more, less, other, or two neighbours exchanged make one of the other."""
    short, long = sorted((one, other), key=len)
    k = next((k for k, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if len(short) < len(long):
        return short[k:] == long[k + 1 :]
    exchanged = short[k : k + 2] == long[k : k + 2][::-1] and short[k + 2 :] == long[k + 2 :]
    return len(short) == len(long) and (short[k + 1 :] == long[k + 1 :] or exchanged)


def _one_life(one: _Name, other: _Name) -> bool:
    """Whether one person can have had both lives and both careers."""
    life = known_life(one.player)
    if life is not None and life == known_life(other.player):
        return False
    a, b = one.player, other.player
    for date, its in ((a.born, b.born), (a.died, b.died)):
        if date is not None and its is not None and abs(date.year - its.year) > DATES_DIFFER:
            return False
    rest = max(one.first, other.first) - min(one.last, other.last)
    return rest <= LONGEST_REST and _played_in(a, other) and _played_in(b, one)


def _played_in(player: Player, name: _Name) -> bool:
    """Whether the other's career lies within the player's life."""
    if player.born is not None and name.first < player.born.year + YOUNGEST:
        return False
    return player.died is None or name.last <= player.died.year
