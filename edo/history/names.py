"""Names: their parts and their sound, which known one is meant, and which is near a misspelt one.

No other module compares names. Importers recognise players by it, `new` finds records, the checks
find players who may be one person, and messages propose what an editor may have meant.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from types import MappingProxyType
from typing import NamedTuple

from edo.core.model import Dataset, Player
from edo.core.text import fold, kebab, words
from edo.history.notation import first_day, last_day
from edo.history.values import MAX_ID, RESERVED_ID, shown

YOUNGEST = 7  # [years] nobody played in an event before
NEARBY = 15  # [years] from a player's known events within which initials may still match
FAMILIAR = 5  # [events] from which initials are enough to recognise a player
MAX_CANDIDATES = 5  # [players] that are listed where a name is not certain
MAX_WORDS = 8  # [words] no name has more; each further one doubles the ways to divide it

PARTICLES = frozenset(
    ("von", "van", "de", "der", "den", "da", "di", "du", "del", "della", "la", "le", "ter", "zu",
     "zur", "st", "st.")
)  # fmt: skip
"""Words that begin a surname in small letters; registries differ on whether they write them."""
_TITLES = re.compile(
    r"\((?:[a-z]{1,3})\)|\b(?:dr|prof|rev|sir|mr|mrs|miss|ms|jr|sr)\b\.?|[,\s](?:jr|sr|ii|iii)\.?$",
    re.I,
)
_OF_GENERATION = re.compile(  # without a stop `Jun` is a first name and `Sen` a surname
    r"[\s,(]((?:jr|sr|junior|senior)\b|(?:jun|sen)(?=\.))", re.I
)
_SPELT_ALIKE = (
    ("tsch|tch|tsh|cz|kh", "ch"), ("sch|sh|sz", "s"), ("ch", "h"), ("ph|ff?|w", "v"),
    ("th", "t"), ("x", "ks"), ("ck|c", "k"), ("tz|ts|z", "s"), ("[yj]", "i"), ("ie|ei", "e"),
)  # fmt: skip
"""Letters that German, English, French and Slavic sources write for the same sound, in order."""
_SPELLINGS = tuple((re.compile(letters), letter) for letters, letter in _SPELT_ALIKE)
_DOUBLED = re.compile(r"(.)\1")


def without_titles(name: str) -> str:
    """Return a name without titles and what tells father from son."""
    return _TITLES.sub(" ", name)


def other_names(player: Player) -> Iterator[str]:
    """Yield the spellings with a word that the name does not have, titles left aside."""
    return (s for s in player.spellings if has_another_word(without_titles(s), player.name))


def has_another_word(spelling: str, name: str) -> bool:
    """Whether a spelling has a word that is not the beginning of a word of the name."""
    known = words(name)
    return not all(any(own.startswith(word) for own in known) for word in words(spelling))


# Spelling: sounds and slips of the pen


@lru_cache(1 << 16)  # the same names recur in every event
def sound(text: str) -> str:
    """Return folded text with one letter for all that sources write for its sound."""
    for letters, letter in _SPELLINGS:
        text = letters.sub(letter, text)
    return _DOUBLED.sub(r"\1", text)


def slips(first: str, second: str, most: int) -> int:
    """Return how many letters to add, drop, replace or exchange with a neighbour make one of the
    other; `most` + 1 where it takes more.

    Source: the optimal string alignment distance.
    """
    if abs(len(first) - len(second)) > most:
        return most + 1
    two_above: list[int] = []
    row = list(range(len(second) + 1))
    for i, letter in enumerate(first):
        above, row = row, [i + 1]
        for j, opposite in enumerate(second):
            least = min(above[j + 1] + 1, row[j] + 1, above[j] + (letter != opposite))
            if i and j and letter == second[j - 1] and first[i - 1] == opposite:
                least = min(least, two_above[j - 1] + 1)
            row.append(least)
        if min(row) > most:
            return most + 1
        two_above = above
    return min(row[-1], most + 1)


# Hints: which known word an unknown one may stand for

MOST_SLIPS = 2  # [letters] that a word may differ from the one that is meant
MOST_NEAR = 3  # [words] equally near; beyond it none of them is proposed
_COMPARED = 80  # [characters] of a word that are compared
_FEW = 100  # [words] more than any list of keys: short ones of few are told apart well
_SHORTEST_OF_FEW = 3  # [letters] of a word in which one slip is near
_SHORTEST = 5  # [letters] the same among many: `hill` is not `hall`
_LONG = 8  # [letters] of a name in which two slips are near, if it begins with the same letter


def nearest(
    word: str,
    known: Collection[str],
    otherwise: str,
    names: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> str:
    """Return the hint for an unknown word: the known ones that are near, or `otherwise`.

    `names` are other spellings of the known ones.
    """
    proposed = _near(word[:_COMPARED], known, names)
    return f"did you mean {' or '.join(map(shown, proposed))}?" if proposed else otherwise


def _near(word: str, known: Collection[str], names: Mapping[str, Sequence[str]]) -> Sequence[str]:
    """Return the known words as near as the nearest, or the only one that begins with the word.

    Near is what differs by two slips of the pen or fewer, in any order of the parts of a name. No
    guess is better than a wrong one. Of 400 of the 4,018 players of the history, each looked up
    among the others, 5 % were taken for another; of their ids with one random slip
    89 % were found, with two 66 %.
    """
    shortest = _SHORTEST_OF_FEW if len(known) < _FEW else _SHORTEST
    wanted = _spelling(word)
    if not wanted.words:
        return ()
    distance: dict[str, float] = {}
    for id_ in sorted(known):
        apart = float(_apart(wanted, _spelling(id_), shortest))
        for name in names.get(id_, ()):  # the id counts before the names
            apart = min(apart, _apart(wanted, _spelling(name), shortest) + 0.5)
        if apart <= MOST_SLIPS:
            distance[id_] = apart
    least = min(distance.values(), default=0.0)
    near = [id_ for id_, apart in distance.items() if apart == least]
    if 0 < len(near) <= MOST_NEAR:
        return near
    length = len(wanted.words)
    begun = [id_ for id_ in known if _spelling(id_).words[:length] == wanted.words]
    return begun if len(begun) == 1 else ()


class _Spelling(NamedTuple):
    """The words of a name in plain letters; joined as they stand and in alphabetical order.

    `key` are the words by which a search finds it, `fixed` those that no slip changes: initials
    and numbers.
    """

    words: Sequence[str]
    joined: str
    in_order: str
    letters: frozenset[str]
    key: Sequence[str]
    fixed: Sequence[str]


@lru_cache(maxsize=1 << 16)
def _spelling(name: str) -> _Spelling:
    plain = [word for word in kebab(name).split("-") if word]
    joined = "".join(plain)
    fixed = [word for word in sorted(plain) if len(word) == 1 or word.isdigit()]
    return _Spelling(plain, joined, "".join(sorted(plain)), frozenset(joined),
                     sorted(words(name)), fixed)  # fmt: skip


def _apart(first: _Spelling, second: _Spelling, shortest: int) -> int:
    """Return how many slips make one name of the other, more than two where it is not near."""
    if first.key == second.key:
        return 0
    length = min(len(first.joined), len(second.joined))
    most = (length >= shortest) + (length >= _LONG)
    if len(first.letters ^ second.letters) > 2 * most or first.fixed != second.fixed:
        return MOST_SLIPS + 1
    as_written = _slips(first.joined, second.joined, most)
    return min(as_written, _slips(first.in_order, second.in_order, most))


def _slips(first: str, second: str, most: int) -> int:
    """Return how many slips make one of the other; two only where both begin alike."""
    allowed = most if first[:1] == second[:1] else min(most, 1)
    apart = slips(first, second, allowed) if allowed else MOST_SLIPS + 1
    return apart if apart <= allowed else MOST_SLIPS + 1


# Records: which one is called so

Names = Mapping[str, Sequence[str]]
"""The names of records by their ids."""


def called(typed: str, names: Names) -> list[str]:
    """Return the ids of the records with this name in any case and accents.

    Where there are none, those that a search would find by it: with other double letters.
    """
    for key in (fold, words):
        wanted = key(typed)
        if same := [id_ for id_ in names if wanted and wanted in map(key, names[id_])]:
            return same
    return []


def beginning_with(typed: str, names: Names) -> list[str]:
    """Return the ids of records with a name, or an id, that holds words beginning like these."""
    wanted = words(typed)

    def holds(name: str) -> bool:
        there = words(name)
        return all(any(word.startswith(start) for word in there) for start in wanted)

    return [id_ for id_ in names if wanted and any(map(holds, (*names[id_], id_)))]


def free_id(wanted: str, taken: Collection[str]) -> str:
    """Return the id, cut where it is too long, with the first free number where it is taken."""
    wanted = wanted[:MAX_ID].strip("-")
    if wanted not in taken and wanted != RESERVED_ID:
        return wanted
    numbered = (f"{wanted[: MAX_ID - 1 - len(number)]}-{number}" for number in map(str, count(2)))
    return next(id_ for id_ in numbered if id_ not in taken)


# People: a printed name in parts, and the known player whom it means


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


@lru_cache(maxsize=1 << 16)
def readings(text: str, surname_first: bool | None = None) -> tuple[Name, ...]:
    """Return the possible readings of a name: `Lasker, Em.`, `Em. Lasker`, `Lasker Em`.

    Where only some of the words are in capitals, these are the surname, as in `LASKER Emanuel`.
    `surname_first`: how names without comma or capitals are written, if it is known.
    """
    text = _TITLES.sub(" ", text.replace("(", " ("))
    before, comma, after = text.partition(",")
    if comma:
        return _distinct([(_name_words(before.lower()), _name_words(after))])
    if capitals := in_capitals(text):
        others = [word for word in text.split() if word not in capitals]
        return _distinct([(_name_words(" ".join(capitals).lower()), _name_words(" ".join(others)))])
    parts = _name_words(text)
    if len(parts) > MAX_WORDS:
        return ()
    if len(text.split()) == 1:
        return _distinct([(parts, [])])
    cuts = range(1, len(parts))
    initials_last = all(len(word) == 1 for word in parts[1:]) or text.rstrip().endswith(".")
    if surname_first or initials_last:
        return _distinct([(parts[:cut], parts[cut:]) for cut in cuts])
    return _distinct([(parts[cut:], parts[:cut]) for cut in cuts])


def generation(text: str) -> str:
    """Return what a name says to tell father and son apart, `s` or `j`; else nothing."""
    found = _OF_GENERATION.search(text)
    return "" if found is None else found[1][0].lower()


def in_capitals(text: str) -> list[str]:
    """Return the words of a name in capitals where the others are not; a short one is initials.

    Three capitals are a surname with a vowel, as in `LEE Ann`, and initials without.
    """
    upper = [word for word in text.split() if word.isupper() and not are_initials(word)]
    is_surname = any(len(word) > 3 or _SHORT_SURNAME.fullmatch(word) for word in upper)
    return upper if is_surname and len(upper) < len(text.split()) else []


_INITIALS_OF = re.compile(r"([^\W\d_]\.-?)+|[^\W\d_]")
_SHORT_SURNAME = re.compile(r"(?=..?[AEIOUY]|[AEIOUY])[^\W\d_]{3}")


def are_initials(word: str) -> bool:
    """Whether a word is initials: `A`, `A.` or `A.J.`."""
    return _INITIALS_OF.fullmatch(word) is not None


def is_divided(text: str) -> bool:
    """Whether a name itself says which of its words are the surname: by a comma or capitals."""
    return "," in text or " " not in text.strip() or bool(in_capitals(text))


def _distinct(divisions: Iterable[tuple[Sequence[str], Sequence[str]]]) -> tuple[Name, ...]:
    """Return the names divided into surname and given names, particles apart."""
    names = dict.fromkeys(
        Name(
            tuple(word for word in surname if word not in PARTICLES) or tuple(surname),
            tuple(word for word in given if word not in PARTICLES),
            frozenset(word for word in (*surname, *given) if word in PARTICLES),
        )
        for surname, given in divisions
    )
    return tuple(name for name in names if any(len(word) > 1 for word in name.surname))


def _name_words(text: str) -> list[str]:
    """Return the folded words; initials written together (`EH.`, `E.H.`) are separated."""
    separate: list[str] = []
    for word in re.sub(r"[.\-]", " ", text).split():
        bare = word.strip("'’")
        are_initials = 1 < len(bare) <= 3 and bare.isupper()
        separate += [part for piece in (bare if are_initials else [bare]) for part in words(piece)]
    return separate


class Match(NamedTuple):
    """The player a name means, with the reason (empty for a known spelling), or None.

    `candidates` are the players a name without a match might mean, each with why it is not certain.
    """

    player: str | None
    reason: str = ""
    candidates: tuple[tuple[str, str], ...] = ()


def distance(reason: str) -> int:
    """Return how far from a player's name one is that is matched for this reason."""
    return _RANK.get(reason, -1)


class _KnownPlayer(NamedTuple):
    """A player, and the years of the known events, sorted."""

    player: Player
    years: tuple[int, ...]

    def lived(self, year: int) -> bool:
        """Whether the player can have played in this year."""
        born, died = self.player.born, self.player.died
        return not (
            (born is not None and first_day(born).year + YOUNGEST > year)
            or (died is not None and last_day(died).year < year)
        )

    def was_about(self, year: int) -> bool:
        """Whether the year lies near the player's known events."""
        years = self.years
        return bool(years) and years[0] - NEARBY <= year <= years[-1] + NEARBY


class KnownNames:
    """The players of the history, indexed by every spelling of their names."""

    def __init__(self, dataset: Dataset) -> None:
        years: dict[str, list[int]] = defaultdict(list)
        for event in dataset.events.values():
            for id_ in event.players:
                years[id_].append(event.year)
        self._names = {player.id: player.name for player in dataset.players.values()}
        self._exact: dict[str, list[_KnownPlayer]] = defaultdict(list)
        self._sounds: dict[str, list[tuple[Name, _KnownPlayer]]] = defaultdict(list)
        self._given: Counter[str] = Counter()
        """How many more players have a word as the first given name than as the surname."""
        for player in dataset.players.values():
            if player.offhand_of is None:
                known = _KnownPlayer(player, tuple(sorted(years.get(player.id, ()))))
                for spelling in dict.fromkeys((player.name, *player.spellings)):
                    self._exact[spelling].append(known)
                    for name in readings(spelling):
                        self._sounds[name.sound].append((name, known))
                for name in readings(player.name) if "," in player.name else ():
                    self._given.update(word for word in name.given[:1] if len(word) > 1)
                    self._given.subtract(name.surname[:1])

    def order(self, text: str) -> int:
        """Return 1 where the surname seems to stand first in a name, -1 where last, else 0.

        Capitals and initials say so, the name of a known player, or words that are known players'
        given names.
        """
        words_, capitals = text.split(), in_capitals(text)
        if "," in text or len(words_) < 2:
            return 0
        if capitals and len(capitals) < len(words_):
            return (words_[0] in capitals) - (words_[-1] in capitals)
        is_initial = [are_initials(word) for word in (words_[-1], words_[0])]
        known = [any(map(self._is_known, readings(text, first))) for first in (True, False)]
        parts = [word for word in _name_words(text) if word not in PARTICLES]
        given = [self._given[word] > 0 for word in (*parts[-1:], *parts[:1])]
        for first, last in (is_initial, known, given if len(given) == 2 else (False, False)):
            if first != last:
                return first - last
        return 0

    def name(self, player: str) -> str:
        """Return the name of a player, `` of one whom the history does not have."""
        return self._names.get(player, "")

    def _is_known(self, name: Name) -> bool:
        return bool(name.given) and any(
            name == known for known, _ in self._sounds.get(name.sound, ())
        )

    def match(self, text: str, year: int, surname_first: bool | None = None) -> Match:
        """Return the player a name means in games of a year.

        A name is matched only where a single player fits: nothing is merged on a likeness. Players
        with another given name, or none, do not make a full name uncertain.
        `surname_first`: the order of the words in names without comma, if it is known.
        """
        exact = self._exact.get(text, ())
        known = exact[0] if len(exact) == 1 else None
        if known and known.lived(year) and _is_sure(known, _FULL, year):
            return Match(known.player.id)
        alike = self._alike(text, surname_first)
        fitting = [id_ for id_, (known, _) in alike.items() if known.lived(year)]
        full = [id_ for id_ in fitting if alike[id_][1] == _FULL]
        if len(full) == 1 and all(alike[id_][1] in _OF_OTHERS for id_ in fitting if id_ != full[0]):
            fitting = full
        if len(exact) <= 1 and len(fitting) == 1 and _is_sure(*alike[fitting[0]], year):
            return Match(fitting[0], alike[fitting[0]][1])
        listed = sorted(alike, key=lambda id_: (id_ not in fitting, id_))[:MAX_CANDIDATES]
        why_not = ((id_, _why_not(*alike[id_], year, len(fitting))) for id_ in listed)
        return Match(None, candidates=tuple(why_not))

    def _alike(self, text: str, surname_first: bool | None) -> dict[str, tuple[_KnownPlayer, str]]:
        """Return every player the name could mean, with how the names agree."""
        alike = {known.player.id: (known, _FULL) for known in self._exact.get(text, ())}
        as_written = readings(text, surname_first)
        turned = () if is_divided(text) else readings(text, not surname_first)
        for name in (*as_written, *turned):
            for known_name, known in self._sounds.get(name.sound, ()):
                if name in as_written:
                    agreement = _agreement(name, known_name)
                elif name == known_name and name.given:
                    agreement = _FULL if surname_first is None else _TURNED
                else:
                    continue
                before = alike.get(known.player.id)
                if agreement and (before is None or _RANK[agreement] < _RANK[before[1]]):
                    alike[known.player.id] = known, agreement
        for id_, (known, _) in alike.items():
            if _is_of_another_generation(text, known.player):
                alike[id_] = known, _GENERATION
        return alike


_FULL = "the same name in another spelling or order"
_SOUND = "the same name in another transliteration"
_INITIALS = "the only known player of that surname with such initials"
_NEAR = "a name that sounds alike"
_SURNAME = "only the surname is given"
_OTHER = "another given name"
_TURNED = "the same words in another order than that of the other names"
_GENERATION = "the father or the son of that name"
_OF_OTHERS = (_SURNAME, _OTHER, _TURNED, _GENERATION)  # they do not make a full name uncertain
_RANK = {
    why: n
    for n, why in enumerate(
        (_FULL, _SOUND, _INITIALS, _NEAR, _SURNAME, _OTHER, _TURNED, _GENERATION)
    )
}
"""How two names agree, the closest agreement first."""


def _is_of_another_generation(text: str, player: Player) -> bool:
    """Whether a printed name says senior or junior, and the player's own says another of these."""
    said, known = generation(text), generation(player.name)
    return bool(said and known) and said != known


def _agreement(name: Name, known: Name) -> str:
    """Return how two names whose surnames sound alike agree, `` if they do not."""
    same_surname = name.surname == known.surname
    first, second = name.given, known.given
    if not first or not second:
        return _SURNAME if same_surname else ""
    if name == known:
        return _FULL
    initials_fit = all(a[0] == b[0] for a, b in zip(first, second, strict=False))
    if name.initials_only or known.initials_only:
        certain = same_surname and name.particles == known.particles
        return (_INITIALS if certain else _NEAR) if initials_fit else ""
    if initials_fit and len(first[0]) > 1:
        if same_surname and first[0] == second[0]:
            return _FULL
        if sound(first[0]) == sound(second[0]):
            return _SOUND
    return _OTHER if same_surname and first[0][0] == second[0][0] else ""


def _is_sure(known: _KnownPlayer, agreement: str, year: int) -> bool:
    if agreement in (_FULL, _SOUND):
        has_dates = None not in (known.player.born, known.player.died)
        return has_dates or known.was_about(year)
    return agreement == _INITIALS and len(known.years) >= FAMILIAR and known.was_about(year)


def _why_not(known: _KnownPlayer, agreement: str, year: int, fitting: int) -> str:
    """Return why an agreement is not certain; `fitting` players lived at the time."""
    player = known.player
    if not known.lived(year):
        return f"{agreement}, but lived {player.born or '?'} to {player.died or '?'}"
    if agreement == _INITIALS and fitting > 1:
        return "one of several known players with such initials"
    if agreement in (_FULL, _SOUND, _INITIALS) and not known.was_about(year):
        years = known.years
        active = f"from {years[0]} to {years[-1]}" if years else "from no event"
        return f"{agreement}, but known only {active}"
    if agreement == _INITIALS:
        return f"{agreement}, but known from few events"
    return agreement
