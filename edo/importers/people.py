"""The players of an import: which names are those of people, and who each of them is.

Two names of one event, or of two opponents, are two people, whatever they look like. Only the same
words in another order are the same name: `Ada Finch` and `Finch, Ada`.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

from edo.core.text import fold, person_kebab
from edo.core.yaml import YamlValue
from edo.history.names import (
    PARTICLES,
    KnownNames,
    Match,
    Name,
    distance,
    free_id,
    in_capitals,
    readings,
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


def entry_name(text: str) -> str:
    """Return a new player's name as the registry writes it: the surname first."""
    if "," in text or " " not in text or text.partition(" ")[0].casefold() in PARTICLES:
        return text
    if match := re.fullmatch(r"(.+) (\([^()]+\)|[js]r\.?|II|III)", text):  # tells namesakes apart
        return f"{entry_name(match[1])} {match[2]}"
    if capitals := in_capitals(text):
        given = " ".join(word for word in text.split() if word not in capitals)
        return f"{' '.join(capitals).title()}, {given}"
    given, _, surname = text.rpartition(" ")
    if len(surname.strip(".")) == 1:
        surname, _, given = text.partition(" ")
    return f"{surname}, {given}"


class Mention(NamedTuple):
    """A name as printed, the year it is printed for, and its place in the input.

    `among` is where each name is another person: an event, or a single game.
    """

    name: str
    year: int
    place: str
    among: str


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

    `known` are the spellings of players of the history; those that no file has have a reason.
    """

    ids: Mapping[tuple[str, int], str]
    known: Sequence[Spelling]
    new: Sequence[NewPlayer]


def roster(
    mentions: Sequence[Mention],
    names: KnownNames,
    taken: Iterable[str],
    settled: Mapping[str, str] | None = None,
) -> Roster:
    """Return the players of an import; `taken` are the ids in use.

    `settled` are names whose ids an editor has decided.
    """
    apart = _Apart(mentions)
    matches = _matches(mentions, names, settled or {}, apart)
    spellings: dict[tuple[str, str | None], Spelling] = {}
    for text, year, place, _ in mentions:
        match = matches[text, year]
        key = text, match.player
        spelling = spellings.setdefault(key, Spelling(text, match, place))
        spelling.years.append(year)
        spelling.count += 1
    known = [each for each in spellings.values() if each.match.player is not None]
    unknown = [each for each in spellings.values() if each.match.player is None]
    new = _new_players(unknown, taken, apart)
    id_of = {each.text: player.id for player in new for each in player.spellings}
    return Roster(
        {key: match.player or id_of[key[0]] for key, match in matches.items()},
        known,
        new,
    )


class _Apart:
    """Which names are those of two people, because they stand in one event or one game."""

    def __init__(self, mentions: Iterable[Mention]) -> None:
        self._where: dict[str, set[str]] = defaultdict(set)
        for mention in mentions:
            self._where[mention.name].add(mention.among)

    def __call__(self, first: str, second: str) -> bool:
        return _all_words(first) != _all_words(second) and not self._where[first].isdisjoint(
            self._where[second]
        )


def _all_words(name: str) -> list[str]:
    return sorted(re.findall(r"\w+", fold(name)))


def _matches(
    mentions: Iterable[Mention],
    names: KnownNames,
    settled: Mapping[str, str],
    apart: _Apart,
) -> dict[tuple[str, int], Match]:
    """Return what each name means in each year.

    Of several names apart that seem to mean one player only the closest does, if it is single;
    and those that are known spellings, or that an editor has decided.
    """
    matches: dict[tuple[str, int], Match] = {}
    by_player: dict[str, dict[str, str]] = defaultdict(dict)
    for text, year, _, _ in mentions:
        if (text, year) not in matches:
            decided = settled.get(text)
            match = matches[text, year] = Match(decided) if decided else names.match(text, year)
            if match.player:
                by_player[match.player][text] = match.reason
    refused: dict[tuple[str, str], str] = {}
    for player, reasons in by_player.items():
        closest = min(map(distance, reasons.values()))
        best = [text for text, reason in reasons.items() if distance(reason) == closest]
        for text, reason in reasons.items():
            rivals = [each for each in reasons if apart(text, each)]
            is_closest = _all_words(text) in map(_all_words, best)
            if reason and rivals and not (is_closest and set(rivals).isdisjoint(best)):
                refused[text, player] = f"{reason}, but so is `{rivals[0]}`, another person"
    for (text, year), match in matches.items():
        why_not = refused.get((text, match.player or ""))
        if match.player and why_not:
            matches[text, year] = Match(None, candidates=((match.player, why_not),))
    return matches


def _new_players(
    spellings: Iterable[Spelling], taken: Iterable[str], apart: _Apart
) -> list[NewPlayer]:
    """Return a player for each name; `Ada Finch` is `Finch, Ada` where both spellings occur."""
    grouped: dict[Name | str, list[Spelling]] = {}
    for each in sorted(spellings, key=lambda each: ("," not in each.text, each.text)):
        ways = [way for way in readings(each.text) if way.given]
        fitting = ways[:1] if "," in each.text else [way for way in ways if way in grouped]
        key = fitting[0] if len(fitting) == 1 else each.text
        if any(apart(each.text, namesake.text) for namesake in grouped.get(key, ())):
            key = each.text
        grouped.setdefault(key, []).append(each)
    ids = set(taken)
    players = []
    for same in grouped.values():
        name = entry_name(same[0].text)
        id_ = free_id(person_kebab(name) or "player", ids)
        ids.add(id_)
        players.append(NewPlayer(id_, name, tuple(same)))
    return sorted(players, key=lambda player: player.id)
