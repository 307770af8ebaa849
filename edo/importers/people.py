"""The players of an import: which names are those of people, and who each of them is.

Two names of one event, or of two opponents, are two people, whatever they look like: `Müller, H`
and `Muller, H`, father and son. Only with a comma are the same words in another order the same
name: `Ada Finch` and `Finch, Ada`. Without it all names of a table are read in one order, that of
most of them: by capitals (`FINCH Ada`), initials, known players, or words that are given names.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from edo.core.text import person_kebab, words
from edo.core.yaml import YamlValue
from edo.history.names import (
    PARTICLES,
    KnownNames,
    Match,
    Name,
    are_initials,
    distance,
    free_id,
    in_capitals,
    is_divided,
    readings,
    without_titles,
)

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
        if "LATIN" in alphabets and (foreign := alphabets.keys() & {"CYRILLIC", "GREEK"}):
            letter = alphabets[min(foreign)]
            called = unicodedata.name(letter).lower()
            return f"`{letter}` (U+{ord(letter):04X}, {called}) among Latin letters"
    return ""


def entry_name(text: str, surname_first: bool | None = None) -> str:
    """Return a new player's name as the registry writes it: the surname first."""
    if "," in text or " " not in text:
        return text
    if match := re.fullmatch(r"(.+) (\([^()]+\)|[JSjs]r\.?|II|III)", text):  # of namesakes
        return f"{entry_name(match[1], surname_first)} {match[2]}"
    parts = text.split()
    if capitals := in_capitals(text):
        given = " ".join(word for word in parts if word not in capitals)
        folded = (word.lower() if word.lower() in PARTICLES else word.title() for word in capitals)
        return f"{' '.join(folded)}, {given}"
    if surname_first:
        end = next((at for at, word in enumerate(parts) if word.lower() not in PARTICLES), 0) + 1
        return f"{' '.join(parts[:end])}, {' '.join(parts[end:])}".rstrip(", ")
    if parts[0].casefold() in PARTICLES:
        return text
    given, _, surname = text.rpartition(" ")
    if are_initials(surname):
        surname, _, given = text.partition(" ")
    return f"{surname}, {given}"


class Mention(NamedTuple):
    """A name as printed, the year it is printed for, and its place in the input.

    `among` is where each name is another person: an event, or a single game. In the names of one
    `table` the words stand in the same order; `surname_first` where an editor has said in which,
    `likely_first` where surnames stand first unless the names themselves tell otherwise.
    """

    name: str
    year: int
    place: str
    among: str
    table: str = ""
    surname_first: bool | None = None
    likely_first: bool = False


@dataclass(slots=True)
class Spelling:
    """A printed name with one meaning: the years it occurs in, and where it occurs first."""

    text: str
    match: Match
    place: str
    surname_first: bool | None = None
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

    `known` are the spellings of players of the history; those that no file has have a reason.
    `alike` are names of one event that may be two spellings of one, each pair with its place.
    `undecided` are the tables in which nothing tells whether surnames stand first, with a name.
    """

    ids: Mapping[tuple[str, int], str]
    known: Sequence[Spelling]
    new: Sequence[NewPlayer]
    alike: Sequence[tuple[str, str, str]]
    undecided: Mapping[str, str]


def roster(
    mentions: Sequence[Mention],
    names: KnownNames,
    taken: Iterable[str],
    settled: Mapping[str, str] | None = None,
) -> Roster:
    """Return the players of an import; `taken` are the ids in use.

    `settled` are names whose ids an editor has decided.
    """
    apart, orders = _Apart(mentions), _orders(mentions, names)
    matches = _matches(mentions, names, settled or {}, apart, orders)
    spellings: dict[tuple[str, str | None], Spelling] = {}
    undecided: dict[str, str] = {}
    for mention in mentions:
        text, year, order = mention.name, mention.year, orders[mention.table]
        match = matches[text, year]
        key = text, match.player
        spelling = spellings.setdefault(key, Spelling(text, match, mention.place, order))
        spelling.years.append(year)
        spelling.count += 1
        if order is None and match.player is None and not is_divided(text):
            undecided.setdefault(mention.table, text)
    known = [each for each in spellings.values() if each.match.player is not None]
    unknown = [each for each in spellings.values() if each.match.player is None]
    new = _new_players(unknown, taken, apart)
    id_of = {each.text: player.id for player in new for each in player.spellings}
    ids = {key: match.player or id_of[key[0]] for key, match in matches.items()}
    alike = [pair for pair in _alike(mentions) if len({ids[n, y] for n, y in pair[:2]}) == 2]
    shown = [(first, second, place) for (first, _), (second, _), place in alike]
    return Roster(ids, known, new, shown, undecided)


def _orders(mentions: Sequence[Mention], names: KnownNames) -> dict[str, bool | None]:
    """Return whether surnames stand first in the names of each table, as most of them show."""
    decided: dict[str, bool] = {}
    likely = {mention.table for mention in mentions if mention.likely_first}
    texts: dict[str, dict[str, None]] = defaultdict(dict)
    for mention in mentions:
        texts[mention.table][mention.name] = None
        if mention.surname_first is not None:
            decided[mention.table] = mention.surname_first
    orders: dict[str, bool | None] = {}
    for table, in_table in texts.items():
        votes = sum(map(names.order, in_table))
        orders[table] = decided.get(table, votes > 0 if votes else table in likely or None)
    return orders


def _alike(
    mentions: Iterable[Mention],
) -> Iterator[tuple[tuple[str, int], tuple[str, int], str]]:
    """Yield names of one event that differ in accents, titles or double letters only."""
    first: dict[tuple[str, str], Mention] = {}
    listed: set[tuple[str, str]] = set()
    for mention in mentions:
        key = mention.among, " ".join(sorted(words(without_titles(mention.name))))
        earlier = first.setdefault(key, mention)
        pair = earlier.name, mention.name
        if pair[0] != pair[1] and pair not in listed:
            listed.add(pair)
            yield (earlier.name, earlier.year), (mention.name, mention.year), mention.place


class _Apart:
    """Which names are those of two people, because they stand in one event or one game."""

    def __init__(self, mentions: Iterable[Mention]) -> None:
        self._where: dict[str, set[str]] = defaultdict(set)
        for mention in mentions:
            self._where[mention.name].add(mention.among)

    def __call__(self, first: str, second: str) -> bool:
        return not is_same(first, second) and not self._where[first].isdisjoint(self._where[second])


def is_same(first: str, second: str) -> bool:
    """Whether two names have the same words, in another order only if one says how to read it."""
    ours, theirs = _all_words(first), _all_words(second)
    return ours == theirs or (
        sorted(ours) == sorted(theirs) and is_divided(first) != is_divided(second)
    )


@lru_cache(maxsize=65536)
def _all_words(name: str) -> list[str]:
    """Return the words with their accents: `Müller` and `Muller` may be two people."""
    return re.findall(r"\w+", unicodedata.normalize("NFC", name).casefold())


def _matches(
    mentions: Iterable[Mention],
    names: KnownNames,
    settled: Mapping[str, str],
    apart: _Apart,
    orders: Mapping[str, bool | None],
) -> dict[tuple[str, int], Match]:
    """Return what each name means in each year.

    Of several names apart that seem to mean one player only the closest does, if it is single;
    and those that an editor has decided.
    """
    matches: dict[tuple[str, int], Match] = {}
    by_player: dict[str, dict[str, int]] = defaultdict(dict)
    for mention in mentions:
        text, year = mention.name, mention.year
        if (text, year) in matches:
            continue
        order = None if is_divided(text) else orders[mention.table]
        decided = settled.get(text)
        match = Match(decided) if decided else names.match(text, year, order)
        matches[text, year] = match
        if match.player:
            is_name = text == names.name(match.player)
            away = -3 if decided else -2 if is_name else distance(match.reason)
            by_player[match.player][text] = away
    refused: dict[tuple[str, str], str] = {}
    for player, texts in by_player.items():
        closest = min(texts.values())
        best = [text for text, away in texts.items() if away == closest]
        for text in texts:
            rivals = [each for each in texts if apart(text, each)]
            is_closest = any(is_same(text, each) for each in best)
            if text not in settled and rivals and not (is_closest and set(rivals).isdisjoint(best)):
                refused[text, player] = f"but so is `{rivals[0]}`, another person"
    for (text, year), match in matches.items():
        why_not = refused.get((text, match.player or ""))
        if match.player and why_not:
            reason = match.reason or "a spelling of the name"
            matches[text, year] = Match(None, candidates=((match.player, f"{reason}, {why_not}"),))
    return matches


def _new_players(
    spellings: Iterable[Spelling], taken: Iterable[str], apart: _Apart
) -> list[NewPlayer]:
    """Return a player for each name; `Ada Finch` is `Finch, Ada` where both spellings occur."""
    grouped: dict[Name | str, list[Spelling]] = {}
    for each in sorted(spellings, key=lambda each: ("," not in each.text, each.text)):
        ways = [way for way in readings(each.text, each.surname_first) if way.given]
        fitting = ways[:1] if "," in each.text else [way for way in ways if way in grouped]
        key = fitting[0] if len(fitting) == 1 else each.text
        if any(apart(each.text, namesake.text) for namesake in grouped.get(key, ())):
            key = each.text
        grouped.setdefault(key, []).append(each)
    ids = set(taken)
    players = []
    for same in grouped.values():
        name = entry_name(same[0].text, same[0].surname_first)
        id_ = free_id(person_kebab(name) or "player", ids)
        ids.add(id_)
        players.append(NewPlayer(id_, name, tuple(same)))
    return sorted(players, key=lambda player: player.id)
