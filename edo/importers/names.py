"""Names of players as sources print them, matched to the players of the history.

A name is matched only where a single player fits. Every other name is a player not yet known, and
the players it might mean are listed for an editor to decide: nothing is merged on a likeness.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from edo.core.model import Dataset, Player
from edo.core.text import kebab, person_kebab, words
from edo.core.yaml import YamlValue
from edo.history.notation import first_day, last_day
from edo.history.values import MAX_ID, RESERVED_ID

YOUNGEST = 8  # [years] age of the youngest prodigy of the period at a first event
NEARBY = 15  # [years] from a player's known events within which initials may still match
FAMILIAR = 5  # [events] from which initials are enough to recognize a player
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
_NOBODY = re.compile(
    r"(n\.? ?n\.?( ?\d+)?|(\w+ )?amateurs|amateur|anonymous|unknown|bye|allies"
    r"|.*([/&+;]| and | und (?!der |zu )| et ).*)", re.I
)  # fmt: skip
_CLUB = re.compile(
    r".*\b(club|verein|schach(klub|club|verein|bund|freunde|gesell)\w*|cercle|circolo|society|gesellschaft|association|academy|team"
    r"|league|university|city of|ajedrez|[ée]checs)\b.*", re.I
)  # fmt: skip
_PROGRAMS = "stockfish|rybka|houdini|komodo|crafty|hiarcs|alphazero|gnuchess|lc0|chessmaster"
_ENGINE = re.compile(
    rf"(comp|computer|engine|program)\b.*|.*\(comp(uter)?\)|(deep|cray|gnu) (?!.*,).*"
    rf"|({_PROGRAMS})\b.*|(fritz|junior|rebel|genius|belle|mephisto|shredder|kaissa) x?\d.*", re.I
)  # fmt: skip


def nobody(name: str) -> bool:
    """Whether a name as printed is not that of a single person: of several, a club, a computer."""
    return not name.strip("? ") or any(
        pattern.fullmatch(name) for pattern in (_NOBODY, _CLUB, _ENGINE)
    )


def garbled(text: str) -> str:
    """Return what is wrong with the letters of a text, `` if nothing is."""
    if "�" in text or any("\x80" <= c <= "\x9f" for c in text):
        return "a letter was lost in another encoding"
    for encoding in ("cp1252", "latin-1"):
        with suppress(UnicodeError):
            if (meant := text.encode(encoding).decode()) != text:
                return f"UTF-8 that was read in another encoding; perhaps `{meant}`"
    for word in re.findall(r"[^\W\d_]+", text):
        alphabets = {unicodedata.name(c, "?").partition(" ")[0]: c for c in word}
        if "LATIN" in alphabets and (other := alphabets.keys() & {"CYRILLIC", "GREEK"}):
            odd = alphabets[min(other)]
            named = unicodedata.name(odd).lower()
            return f"`{odd}` (U+{ord(odd):04X}, {named}) among Latin letters"
    return ""


@dataclass(frozen=True, slots=True)
class Name:
    """A name in parts: the words of the surname, and the given names or their initials."""

    surname: tuple[str, ...]
    given: tuple[str, ...]
    particles: frozenset[str] = frozenset()

    @property
    def sound(self) -> str:
        """Return the sound of the surname."""
        return sound(" ".join(self.surname))

    @property
    def initials_only(self) -> bool:
        """Whether every given name is one letter."""
        return all(len(word) == 1 for word in self.given)


class Match(NamedTuple):
    """The player a name means, with the reason (empty for a known spelling), or None.

    `candidates` are the players a name without a match might mean, each with why it is not certain.
    """

    player: str | None
    reason: str = ""
    candidates: tuple[tuple[str, str], ...] = ()


class _Known(NamedTuple):
    """A player, and the years of the known events, sorted."""

    player: Player
    years: tuple[int, ...]

    def lived(self, start: int, end: int) -> bool:
        """Whether the player can have played in these years."""
        born, died = self.player.born, self.player.died
        return not (
            (born is not None and first_day(born).year + YOUNGEST > start)
            or (died is not None and last_day(died).year < end)
        )

    def was_about(self, start: int, end: int) -> bool:
        """Whether the years lie near the player's known events."""
        years = self.years
        return bool(years) and years[0] - NEARBY <= start and end <= years[-1] + NEARBY


class KnownNames:
    """The players of the history, indexed by every spelling of their names."""

    def __init__(self, dataset: Dataset) -> None:
        years: dict[str, list[int]] = defaultdict(list)
        for event in dataset.events.values():
            for id_ in event.players:
                years[id_].append(event.year)
        self._exact: dict[str, list[_Known]] = defaultdict(list)
        self._sounds: dict[str, list[tuple[Name, _Known]]] = defaultdict(list)
        for player in dataset.players.values():
            if player.offhand_of is None:
                known = _Known(player, tuple(sorted(years.get(player.id, ()))))
                for spelling in dict.fromkeys((player.name, *player.spellings)):
                    self._exact[spelling].append(known)
                    for name in readings(spelling):
                        self._sounds[name.sound].append((name, known))

    def match(self, text: str, start: int, end: int) -> Match:
        """Return the player a name means in games of the years from `start` to `end`."""
        exact = self._exact.get(text, ())
        known = exact[0] if len(exact) == 1 else None
        if known and known.lived(start, end) and _is_sure(known, _FULL, start, end):
            return Match(known.player.id)
        found = self._alike(text)
        fitting = {id_: why for id_, (known, why) in found.items() if known.lived(start, end)}
        sure = [id_ for id_, why in fitting.items() if _is_sure(found[id_][0], why, start, end)]
        if len(exact) <= 1 and len(fitting) == 1 and sure:
            return Match(sure[0], fitting[sure[0]])
        listed = sorted(found, key=lambda id_: (id_ not in fitting, id_))[:MANY]
        why_not = ((id_, _why_not(*found[id_], start, end, len(fitting))) for id_ in listed)
        return Match(None, candidates=tuple(why_not))

    def _alike(self, text: str) -> dict[str, tuple[_Known, str]]:
        """Return every player the name could mean, with how the names agree."""
        found = {known.player.id: (known, _FULL) for known in self._exact.get(text, ())}
        for name in readings(text):
            for other, known in self._sounds.get(name.sound, ()):
                how = _agreement(name, other)
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


def _agreement(name: Name, other: Name) -> str:
    """Return how two names whose surnames sound alike agree, `` if they do not."""
    same = name.surname == other.surname
    first, second = name.given, other.given
    if not first or not second:
        return _SURNAME if same else ""
    if name == other:
        return _FULL
    fit = all(a[0] == b[0] for a, b in zip(first, second, strict=False))
    if name.initials_only or other.initials_only:
        certain = same and name.particles == other.particles
        return (_INITIALS if certain else _NEAR) if fit else ""
    if fit and len(first[0]) > 1:
        if same and first[0] == second[0]:
            return _FULL
        if sound(first[0]) == sound(second[0]):
            return _SOUND
    return _OTHER if same and first[0][0] == second[0][0] else ""


def _is_sure(known: _Known, why: str, start: int, end: int) -> bool:
    if why in (_FULL, _SOUND):
        dated = None not in (known.player.born, known.player.died)
        return dated or known.was_about(start, end)
    return why == _INITIALS and len(known.years) >= FAMILIAR and known.was_about(start, end)


def _why_not(known: _Known, why: str, start: int, end: int, fitting: int) -> str:
    player = known.player
    if not known.lived(start, end):
        return f"{why}, but lived {player.born or '?'} to {player.died or '?'}"
    if why == _INITIALS and fitting > 1:
        return "one of several known players with such initials"
    if why in (_FULL, _SOUND, _INITIALS) and not known.was_about(start, end):
        years = known.years
        active = f"from {years[0]} to {years[-1]}" if years else "from no event"
        return f"{why}, but known only {active}"
    if why == _INITIALS:
        return f"{why}, but known from few events"
    return why


@lru_cache(maxsize=65536)
def readings(text: str) -> tuple[Name, ...]:
    """Return the possible readings of a name: `Lasker, Em.`, `Em. Lasker`, `Lasker Em`."""
    text = _TITLES.sub(" ", text.replace("(", " ("))
    before, comma, after = text.partition(",")
    if comma:
        return _names([(_words(before), _words(after))])
    every = _words(text)
    if len(every) > 8:
        return ()
    if len(text.split()) == 1:
        return _names([(every, [])])
    cuts = range(1, len(every))
    if all(len(word) == 1 for word in every[1:]) or text.rstrip().endswith("."):
        return _names([(every[:cut], every[cut:]) for cut in cuts])
    return _names([(every[cut:], every[:cut]) for cut in cuts])


def _names(ways: Sequence[tuple[Sequence[str], Sequence[str]]]) -> tuple[Name, ...]:
    made = dict.fromkeys(
        Name(
            tuple(word for word in surname if word not in _PARTICLES) or tuple(surname),
            tuple(word for word in given if word not in _PARTICLES),
            frozenset(word for word in (*surname, *given) if word in _PARTICLES),
        )
        for surname, given in ways
    )
    return tuple(name for name in made if any(len(word) > 1 for word in name.surname))


def _words(text: str) -> list[str]:
    """Return the folded words; initials written together (`EH.`, `E.H.`) are separated."""
    found: list[str] = []
    for word in re.sub(r"[.\-]", " ", text).split():
        bare = word.strip("'’")
        together = 1 < len(bare) <= 3 and bare.isupper()
        found += [split for part in (bare if together else [bare]) for split in words(part)]
    return found


def sound(text: str) -> str:
    """Return the text with one letter for each sound that transliterations spell differently."""
    for letters, one in _SOUNDS:
        text = text.replace(letters, one)
    return text.rstrip("e") or text


def entry_name(text: str) -> str:
    """Return a new player's name as the registry writes it: the surname first."""
    first = text.partition(" ")[0].casefold()
    if "," in text or " " not in text or first in _PARTICLES or first in ("st", "st."):
        return text
    if match := re.fullmatch(r"(.+) (\([^()]+\)|[js]r\.?|II|III)", text):  # tells namesakes apart
        return f"{entry_name(match[1])} {match[2]}"
    given, _, surname = text.rpartition(" ")
    if len(surname.strip(".")) == 1:
        surname, _, given = text.partition(" ")
    return f"{surname}, {given}"


class Mention(NamedTuple):
    """A name as printed, the year it is printed for, and its place in the input."""

    name: str
    year: int
    place: str


@dataclass(slots=True)
class Spelling:
    """A printed name with one meaning: the years it occurs in, and where it occurs first."""

    text: str
    match: Match
    place: str
    years: list[int] = field(default_factory=list)
    count: int = 0

    @property
    def when(self) -> str:
        """Return the years, for people."""
        first, last = min(self.years), max(self.years)
        return str(first) if first == last else f"{first} to {last}"


class NewPlayer(NamedTuple):
    """A proposed player: no player of the history certainly has these spellings."""

    id: str
    name: str
    spellings: tuple[Spelling, ...]

    @property
    def candidates(self) -> Mapping[str, str]:
        """Return the players that may be meant all the same, each with why it is not certain."""
        return dict(pair for each in self.spellings for pair in each.match.candidates)

    @property
    def entry(self) -> dict[str, YamlValue]:
        """Return the proposed record of the registry of players."""
        others = [each.text for each in self.spellings if each.text != self.name]
        return {"name": self.name, "spellings": others or None}


class Roster(NamedTuple):
    """All players of an import: the id of each name in each year.

    `exact` are known spellings, `mapped` spellings that no file has.
    """

    ids: Mapping[tuple[str, int], str]
    exact: Sequence[Spelling]
    mapped: Sequence[Spelling]
    new: Sequence[NewPlayer]

    @property
    def known(self) -> int:
        """Return how many players of the history take part."""
        return len({each.match.player for each in (*self.exact, *self.mapped)})


def roster(
    mentions: Iterable[Mention],
    names: KnownNames,
    taken: Iterable[str],
    settled: Mapping[str, str] | None = None,
) -> Roster:
    """Return the players of an import; `taken` are the ids in use.

    `settled` are names whose ids an editor has decided.
    """
    settled = settled or {}
    found: dict[tuple[str, str | None], Spelling] = {}
    seen: dict[tuple[str, int], Spelling] = {}
    for text, year, place in mentions:
        if (text, year) not in seen:
            decided = settled.get(text)
            match = Match(decided) if decided else names.match(text, year, year)
            spelling = found.setdefault((text, match.player), Spelling(text, match, place))
            spelling.years.append(year)
            seen[text, year] = spelling
        seen[text, year].count += 1
    known = [each for each in found.values() if each.match.player is not None]
    new = _new_players([each for each in found.values() if each.match.player is None], taken)
    id_of = {each.text: player.id for player in new for each in player.spellings}
    return Roster(
        {key: each.match.player or id_of[each.text] for key, each in seen.items()},
        [each for each in known if not each.match.reason],
        [each for each in known if each.match.reason],
        new,
    )


def _new_players(spellings: Iterable[Spelling], taken: Iterable[str]) -> list[NewPlayer]:
    """Return a player for each name; `Ada Finch` is `Finch, Ada` where both spellings occur."""
    grouped: dict[Name | str, list[Spelling]] = {}
    for each in sorted(spellings, key=lambda each: ("," not in each.text, each.text)):
        ways = [way for way in readings(each.text) if way.given]
        fitting = ways[:1] if "," in each.text else [way for way in ways if way in grouped]
        key = fitting[0] if len(fitting) == 1 else each.text
        grouped.setdefault(key, []).append(each)
    players, ids = [], dict.fromkeys(taken, 1)
    for same in grouped.values():
        name = entry_name(same[0].text)
        players.append(NewPlayer(free_id(person_kebab(name), "player", ids), name, tuple(same)))
    return sorted(players, key=lambda player: player.id)


def free_id(text: str, otherwise: str, taken: dict[str, int]) -> str:
    """Return an id made from the text that is not in use, and mark it as used.

    `taken` holds the ids in use, each with the last number that was appended to it.
    """
    base = kebab(text)[: MAX_ID - 8].rstrip("-") or otherwise  # room for a number
    found, number = base, taken.get(base, 1)
    while found in taken or found == RESERVED_ID:
        number += 1
        found = f"{base}-{number}"
    taken[base] = number
    taken[found] = taken.get(found, 1)
    return found
