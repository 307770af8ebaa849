"""The names of a collection's games in, an id for each player and how it was found out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from edo.core.text import kebab, person_kebab
from edo.history.values import MAX_ID, RESERVED_ID
from edo.importers.pgnheaders import PgnGame
from edo.importers.pgnnames import KnownNames, Meant, Name, entry_name, readings

Sitting = tuple[str, int]
"""A name as the headers have it, and the year in which it stands there."""


@dataclass(slots=True)
class Spelling:
    """A spelling that means one player: in which years it stands, and where first."""

    text: str
    meant: Meant
    place: str
    years: list[int] = field(default_factory=list)
    games: int = 0

    @property
    def when(self) -> str:
        """Return the years in words."""
        first, last = min(self.years), max(self.years)
        return str(first) if first == last else f"{first} to {last}"


@dataclass(frozen=True, slots=True)
class NewPlayer:
    """A proposed player: nobody of the history was certainly meant by these spellings."""

    id: str
    name: str
    spellings: tuple[Spelling, ...]

    @property
    def candidates(self) -> Mapping[str, str]:
        """Return the players that may be meant all the same, each with the reason for the doubt."""
        return dict(pair for each in self.spellings for pair in each.meant.candidates)


@dataclass(frozen=True, slots=True)
class Cast:
    """Everybody who plays in a collection; `mapped` are spellings that no file knew before."""

    ids: Mapping[Sitting, str]
    mapped: tuple[Spelling, ...]
    new: tuple[NewPlayer, ...]
    known: int


def cast(games: Iterable[tuple[PgnGame, int]], names: KnownNames, taken: Iterable[str]) -> Cast:
    """Return who plays in the games, each with its year; `taken` are the ids in use."""
    spellings, ids = _spellings(games, names)
    known = [each for (_, player), each in spellings.items() if player is not None]
    unknown = [(sort, each) for (sort, player), each in spellings.items() if player is None]
    new = _new_players([each for _, each in unknown], dict.fromkeys(taken, 1))
    id_of = {each.text: player.id for player in new for each in player.spellings}
    return Cast(
        {sitting: player or id_of[sitting[0]] for sitting, player in ids.items()},
        tuple(each for each in known if each.meant.reason),
        tuple(new),
        len({each.meant.player for each in known}),
    )


def _spellings(
    games: Iterable[tuple[PgnGame, int]], names: KnownNames
) -> tuple[dict[tuple[str, str | None], Spelling], dict[Sitting, str | None]]:
    found: dict[tuple[str, str | None], Spelling] = {}
    ids: dict[Sitting, str | None] = {}
    meant: dict[Sitting, Spelling] = {}
    for game, year in games:
        for text in (game.white, game.black):
            spelling = meant.get((text, year))
            if spelling is None:
                who = names.meant(text, year, year)
                ids[text, year] = who.player
                spelling = found.setdefault((text, who.player), Spelling(text, who, game.place))
                spelling.years.append(year)
                meant[text, year] = spelling
            spelling.games += 1
    return found, ids


def _new_players(spellings: Sequence[Spelling], taken: dict[str, int]) -> list[NewPlayer]:
    """Return a player for each name; `Ada Finch` is `Finch, Ada` where both spellings stand."""
    sorted_out: dict[Name | str, list[Spelling]] = {}
    ordered = sorted(spellings, key=lambda each: ("," not in each.text, each.text))
    for each in ordered:
        ways: list[Name] = [way for way in readings(each.text) if way.given]
        key: Name | str = each.text
        if "," in each.text and ways:
            key = ways[0]
        elif len(fitting := [way for way in ways if way in sorted_out]) == 1:
            key = fitting[0]
        sorted_out.setdefault(key, []).append(each)
    return [_new_player(each, taken) for each in sorted_out.values()]


def _new_player(spellings: Sequence[Spelling], taken: dict[str, int]) -> NewPlayer:
    name = entry_name(spellings[0].text)
    return NewPlayer(free_id(person_kebab(name), "player", taken), name, tuple(spellings))


def free_id(text: str, otherwise: str, taken: dict[str, int]) -> str:
    """Return an id that the text makes and nobody has, and take it.

    `taken` holds the ids in use, each with the last number that was put behind it.
    """
    base = kebab(text)[: MAX_ID - 8].rstrip("-") or otherwise  # room for a number behind
    found, number = base, taken.get(base, 1)
    while found in taken or found == RESERVED_ID:
        number += 1
        found = f"{base}-{number}"
    taken[base] = number
    taken[found] = taken.get(found, 1)
    return found
