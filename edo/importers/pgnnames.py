"""Names of players as collections spell them in, the players of the history they mean out.

A name is mapped only where one player can be meant. All other names are players not yet known, and
those whom they might mean are listed for an editor to decide: nothing is merged on a likeness.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from edo.core.model import Dataset, Player
from edo.core.text import words
from edo.history.dates import first_day, last_day

YOUNGEST = 8  # [years] the age of the youngest prodigy of the period at his first event
NEARBY = 15  # [years] from a player's known events, in which initials may still mean him
FAMILIAR = 5  # [events] from which a player is so well known that initials are enough for him
MANY = 5  # candidates that are listed

_PARTICLES = frozenset(
    ("von", "van", "de", "der", "den", "da", "di", "du", "del", "la", "le", "ter", "zu", "zur")
)
_TITLES = re.compile(
    r"\((?:[a-z]{1,3})\)|\b(?:dr|prof|rev|sir|mr|mrs|miss|ms|jr|sr)\b\.?|[,\s](?:jr|sr|ii|iii)\.?$",
    re.I,
)
_SOUNDS = (
    ("tsch", "c"), ("tch", "c"), ("cz", "c"), ("sch", "s"), ("sh", "s"), ("sz", "s"), ("ch", "c"),
    ("kh", "h"), ("ks", "x"), ("tz", "z"), ("ts", "z"), ("th", "t"), ("ph", "f"), ("ck", "k"),
    ("wicz", "vic"), ("w", "v"), ("y", "i"), ("j", "i"), ("ie", "e"), ("ii", "i"), ("ff", "f"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Name:
    """A name come apart: the words of the surname, and the given names or their initials."""

    surname: tuple[str, ...]
    given: tuple[str, ...]
    particles: frozenset[str] = frozenset()

    @property
    def initials_only(self) -> bool:
        """Whether every given name is one letter."""
        return all(len(word) == 1 for word in self.given)


@dataclass(frozen=True, slots=True)
class Meant:
    """Who a name means: a known player with the reason (`` for a known spelling), or nobody yet.

    `candidates` are those whom a name that was not mapped might mean, each with a word on why not.
    """

    player: str | None
    reason: str = ""
    candidates: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class _Known:
    player: Player
    years: tuple[int, ...]
    """Of each of his known events, sorted."""

    @property
    def dated(self) -> bool:
        """Whether it is known when he lived."""
        return None not in (self.player.born, self.player.died)

    @property
    def active(self) -> str:
        """Return when his known events were, in words."""
        return f"from {self.years[0]} to {self.years[-1]}" if self.years else "none"

    def lived(self, start: int, end: int) -> bool:
        """Whether the player can have played in these years."""
        born, died = self.player.born, self.player.died
        return not (
            (born is not None and first_day(born).year + YOUNGEST > start)
            or (died is not None and last_day(died).year < end)
        )

    def was_about(self, start: int, end: int) -> bool:
        """Whether the years lie near the player's known events."""
        if not self.years:
            return False
        return self.years[0] - NEARBY <= start and end <= self.years[-1] + NEARBY


class KnownNames:
    """The players of the history by every way to write their names."""

    def __init__(self, dataset: Dataset) -> None:
        years: dict[str, list[int]] = defaultdict(list)
        for event in dataset.events.values():
            for player in event.players:
                years[player].append(event.year)
        self._exact: dict[str, list[_Known]] = defaultdict(list)
        self._surnames: dict[str, list[tuple[Name, _Known]]] = defaultdict(list)
        self._sounds: dict[str, list[tuple[Name, _Known]]] = defaultdict(list)
        for one in dataset.players.values():
            if one.offhand_of is None:
                self._add(_Known(one, tuple(sorted(years.get(one.id, ())))))

    def _add(self, known: _Known) -> None:
        spellings = dict.fromkeys((known.player.name, *known.player.spellings))
        for spelling in spellings:
            self._exact[spelling].append(known)
            for name in readings(spelling):
                surname = " ".join(name.surname)
                self._surnames[surname].append((name, known))
                self._sounds[sound(surname)].append((name, known))

    def meant(self, text: str, start: int, end: int) -> Meant:
        """Return whom the name means in games of the years from `start` to `end`."""
        exact = {known.player.id: known for known in self._exact.get(text, ())}
        if len(exact) == 1:
            (known,) = exact.values()
            if known.lived(start, end) and _is_sure(known, _FULL, start, end):
                return Meant(known.player.id)
        found = self._alike(text)
        fitting = {id_: why for id_, (known, why) in found.items() if known.lived(start, end)}
        sure = [id_ for id_, why in fitting.items() if _is_sure(found[id_][0], why, start, end)]
        if len(exact) <= 1 and len(fitting) == 1 and sure:
            return Meant(sure[0], fitting[sure[0]])
        listed = sorted(found, key=lambda id_: (id_ not in fitting, id_))[:MANY]
        return Meant(
            None,
            "",
            tuple((id_, _why_not(*found[id_], start, end, len(fitting))) for id_ in listed),
        )

    def _alike(self, text: str) -> dict[str, tuple[_Known, str]]:
        """Return everyone whose name could be meant, with how the names agree."""
        found: dict[str, tuple[_Known, str]] = {}
        for known in self._exact.get(text, ()):
            found[known.player.id] = known, _FULL
        for name in readings(text):
            surname = " ".join(name.surname)
            pairs = [(pair, True) for pair in self._surnames.get(surname, ())]
            pairs += [(pair, False) for pair in self._sounds.get(sound(surname), ())]
            for (other, known), same in pairs:
                how = _agreement(name, other, same)
                before = found.get(known.player.id)
                if how and (before is None or _RANK[how] < _RANK[before[1]]):
                    found[known.player.id] = known, how
        return found


_FULL = "the same name in another spelling or order"
_INITIALS = "the only known player of that surname with such initials"
_SOUND = "the same name in another transliteration"
_SURNAME = "only the surname is given"
_NEAR = "a name that sounds alike"
_OTHER = "another given name"
_RANK = {why: n for n, why in enumerate((_FULL, _SOUND, _INITIALS, _NEAR, _SURNAME, _OTHER))}


def _agreement(name: Name, other: Name, same_surname: bool) -> str:
    """Return how two names of one surname, or of surnames that sound alike, agree, `` if not."""
    if not name.given or not other.given:
        return _SURNAME if same_surname else ""
    if name == other:
        return _FULL
    if name.initials_only or other.initials_only:
        same = same_surname and name.particles == other.particles
        return (_INITIALS if same else _NEAR) if _initials_fit(name.given, other.given) else ""
    if same_surname and _given_fit(name.given, other.given, exact=True):
        return _FULL
    if _given_fit(name.given, other.given, exact=False):
        return _SOUND
    return _OTHER if same_surname and name.given[0][0] == other.given[0][0] else ""


def _initials_fit(first: Sequence[str], second: Sequence[str]) -> bool:
    return all(a[0] == b[0] for a, b in zip(first, second, strict=False))


def _given_fit(first: Sequence[str], second: Sequence[str], exact: bool) -> bool:
    """Whether the first given names are the same and further ones do not contradict."""
    head = first[0] == second[0] if exact else sound(first[0]) == sound(second[0])
    return head and len(first[0]) > 1 and _initials_fit(first, second)


def _is_sure(known: _Known, why: str, start: int, end: int) -> bool:
    if why in (_FULL, _SOUND):
        return known.dated or known.was_about(start, end)
    return why == _INITIALS and len(known.years) >= FAMILIAR and known.was_about(start, end)


def _why_not(known: _Known, why: str, start: int, end: int, fitting: int) -> str:
    player = known.player
    if not known.lived(start, end):
        return f"{why}, but lived {player.born or '?'} to {player.died or '?'}"
    if why == _INITIALS and fitting > 1:
        return "one of several known players with such initials"
    if why in (_FULL, _SOUND, _INITIALS) and not known.was_about(start, end):
        return f"{why}, but his known events are {known.active}"
    if why == _INITIALS:
        return f"{why}, but he is known from few events"
    return why


@lru_cache(maxsize=65536)
def readings(text: str) -> tuple[Name, ...]:
    """Return the ways to take a name apart: `Lasker, Em.`, `Em. Lasker`, `Lasker Em`."""
    text = _TITLES.sub(" ", text.replace("(", " (")) if text else text
    before, comma, after = text.partition(",")
    if comma:
        return _names([(_words(before), _words(after))])
    parts = [(word, _words(word)) for word in text.split()]
    parts = [(word, split) for word, split in parts if split]
    if not parts:
        return ()
    every = [word for _, split in parts for word in split]
    if len(parts) == 1:
        return _names([(every, [])])
    if len(every) > 8:
        return ()
    ways = [(every[cut:], every[:cut]) for cut in range(1, len(every))]
    if all(len(word) == 1 for word in every[1:]) or parts[-1][0].endswith("."):
        ways = [(every[:cut], every[cut:]) for cut in range(1, len(every))]
    return _names(ways)


def _names(ways: Sequence[tuple[Sequence[str], Sequence[str]]]) -> tuple[Name, ...]:
    made = {
        Name(
            tuple(word for word in surname if word not in _PARTICLES) or tuple(surname),
            tuple(word for word in given if word not in _PARTICLES),
            frozenset(word for word in (*surname, *given) if word in _PARTICLES),
        ): None
        for surname, given in ways
        if surname
    }
    return tuple(name for name in made if any(len(word) > 1 for word in name.surname))


def _words(text: str) -> list[str]:
    """Return the folded words; initials written together (`EH.`, `E.H.`) come apart."""
    found: list[str] = []
    for word in re.sub(r"[.\-]", " ", text).split():
        bare = word.strip("'’")
        together = 1 < len(bare) <= 3 and bare.isupper()
        found += [split for part in (bare if together else [bare]) for split in words(part)]
    return found


def sound(text: str) -> str:
    """Return the text with the letters of one sound in different transliterations made one."""
    for letters, one in _SOUNDS:
        text = text.replace(letters, one)
    return text.rstrip("e") or text


def entry_name(text: str) -> str:
    """Return a new player's name as the registry writes it: the surname first."""
    first = text.partition(" ")[0].casefold()
    if "," in text or " " not in text or first in _PARTICLES or first in ("st", "st."):
        return text
    given, _, surname = text.rpartition(" ")
    if len(surname.strip(".")) == 1:
        surname, _, given = text.partition(" ")
    return f"{surname}, {given}"
