"""Warnings about names of events, players and places that show traces of where they came from."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from edo.checks.where import at_field, at_player
from edo.core.model import Dataset, Event
from edo.core.problems import Problem
from edo.core.text import kebab, words
from edo.history.draft import given_first
from edo.history.names import sound

_REMAINS = (
    (r"\bheader\b", "a word of a database"),
    (r"[A-Z]-ch\b|\bprel\b", "an abbreviation of a database"),
    (r"\bMs\.|\bMrs\.|\bMiss\b", "a form of address"),
    (r"\bT\d\b|, [A-Z]\d\b", "a code of a table"),
    (r"\(\d{1,2}\)$", "a counter of namesakes"),
    (r"\?", "a question mark"),
    (r"_|  |^\s|\s$|[-,:;–]$|…|\.\.\.", "a stray character or a cut end"),
)
_ALL_REMAINS = tuple((re.compile(pattern), what) for pattern, what in _REMAINS)
_CUT_SHORT = re.compile(r", [B-DF-HJ-NP-TV-XZ][b-df-hj-np-tv-xz]$")  # `St`, not `Li`
_GENERATION = re.compile(r"(?:sen|jun|sr|jr|[sj]enior|junior)\.?", re.IGNORECASE)
_IN_SPELLINGS = (
    (re.compile(r"\([A-Z]{3}\b"), "a federation"),
    (re.compile(r",\S"), "no blank after the comma"),
    (re.compile(r"[A-Za-z]\d|\(\d{1,2}\)$"), "a counter of namesakes"),
)
_PATRONYMIC = re.compile(r", \S+ (?:\S+ )*\w+(?:[oe]vich?|ievi|[oe]witsch|[oe]wicz|[oe]vna)(?: |$)")
_SOVIET = frozenset(("RUS", "URS", "UKR", "BLR"))
"""Countries in which names were written in Cyrillic letters by all but some minorities."""
FIDE_LIST = 1971  # the first list of ratings, from which on players name themselves
_NOT_ENGLISH = re.compile(
    r"sch|cz|[wj](?![.]|$)|tz|ff\b|ski\b|i[yj]\b"
    r"|\b(?:Alek?sei|Alexei|Aleksande?r|Andrei|Dmitri|Evgeni|Gennadi|Georgi|Nikolai|Sergei|Valeri)\b",
    re.IGNORECASE,
)
_BRACKETS = (("(", ")"), ("[", "]"), ("“", "”"))
_FOR_WOMEN = re.compile(r"\b(?:women|ladies|girls)\b", re.IGNORECASE)


def remains_in_names(dataset: Dataset) -> Iterator[Problem]:
    """A name with what only a database or a table needs, or one that was cut short."""
    for event in dataset.events.values():
        for what in _remains(event.name):
            message, hint = f"the name has {what}", "say it in words, or in the notes"
            yield at_field(event, "name", message, hint)
    for player in dataset.players.values():
        remains = [*_remains(player.name)]
        remains += ["a first name cut short"] if _CUT_SHORT.search(player.name) else []
        remains += ["a patronymic"] if _PATRONYMIC.search(player.name) else []
        for what in remains:
            hint = "tell namesakes apart by place and year; end what is cut short with a full stop"
            hint = "put it under `spellings`" if what == "a patronymic" else hint
            yield at_player(player, f"the name has {what}", hint)
        for spelling in player.spellings:
            for pattern, what in _IN_SPELLINGS:
                if pattern.search(spelling):
                    yield at_player(player, f"`{spelling}` has {what}", "take it away")


def names_without_comma(dataset: Dataset) -> Iterator[Problem]:
    """A name of several words has a comma behind the surname, as the others have."""
    several = {id_: bare for id_, player in dataset.players.items()
               if len((bare := player.name.partition(" (")[0]).split()) > 1}  # fmt: skip
    usual = sum("," in name for name in several.values()) > len(several) / 2
    for id_, name in several.items():
        *given, last = name.split()
        if _GENERATION.fullmatch(last) or not given_first(name):
            continue
        surname = kebab(last)
        hint = f"if `{last}` is the surname, write `{last}, {' '.join(given)}`"
        if usual or (id_.startswith(f"{surname}-") and kebab(given[0]) != surname):
            yield at_player(dataset.players[id_], "no comma tells the surname", hint)


def russian_names(dataset: Dataset) -> Iterator[Problem]:
    """A Russian name is spelled the English way, unless he wrote it in Latin letters himself.

    That is so of those who lived elsewhere too, and since there are lists of FIDE.
    """
    first: dict[str, int] = {}
    for event in dataset.events.values():  # by year
        for id_ in event.players:
            first.setdefault(id_, event.year)
    for player in dataset.players.values():
        is_soviet = player.country is not None and _SOVIET.issuperset(player.country.split("/"))
        if not is_soviet or first.get(player.id, FIDE_LIST) >= FIDE_LIST:
            continue
        if (letters := _NOT_ENGLISH.search(player.name)) is not None:
            message = f"`{letters[0]}` is not the English spelling of a Russian name"
            yield at_player(player, message, "see “Names” in the guide for editors")


def remains_in_places(dataset: Dataset) -> Iterator[Problem]:
    """The same in the name of a place."""
    for place in dataset.places.values():
        for what in _remains(place.name):
            message = f"the name has {what}"
            yield Problem("events/places.yaml", place.line, place.id, message, "correct it")


def _remains(name: str) -> Iterator[str]:
    yield from (what for pattern, what in _ALL_REMAINS if pattern.search(name))
    if any(name.count(opened) != name.count(closed) for opened, closed in _BRACKETS):
        yield "a bracket without its other half"


def dashes_in_titles(dataset: Dataset) -> Iterator[Problem]:
    """Two sides that play each other are joined by an en dash, not by a hyphen."""
    for event in dataset.events.values():
        if " - " in event.name:
            message = "a hyphen stands between two sides"
            yield at_field(event, "name", message, "put an en dash, –")


def places_in_titles(dataset: Dataset) -> Iterator[Problem]:
    """A title spells the place as the record of the place does."""
    for event in dataset.events.values():
        place = dataset.places.get(event.place or "")
        if place is None or place.name in event.name:
            continue
        if f" {' '.join(words(place.name))} " in f" {' '.join(words(event.name))} ":
            message = f"the place is spelled in another way than in its record, `{place.name}`"
            yield at_field(event, "name", message, "spell it the same way in both")


def series_in_titles(dataset: Dataset) -> Iterator[Problem]:
    """An event with the name of a series in its title is in the series.

    A series with the name of a place is left out: of one place there are many events.
    """
    places = {place.name.casefold() for place in dataset.places.values()}
    names = {one.name.casefold(): one for one in dataset.series.values()}
    named = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names.keys() - places)))})\b")
    for event in dataset.events.values() if names.keys() - places else ():
        found = named.search(event.name.casefold())
        if event.series is None and found is not None:
            series = names[found[0]]
            message = f"the title names the series `{series.name}`, which the event is not in"
            yield at_field(event, "name", message, f"write `series: {series.id}`", series.id)


def spellings_in_titles(dataset: Dataset) -> Iterator[Problem]:
    """A match is named after its players as their own records spell them."""
    for event in dataset.events.values():
        if event.kind != "match":
            continue
        surnames: defaultdict[str, set[str]] = defaultdict(set)
        for player in filter(None, map(dataset.players.get, event.players)):
            surname = player.surname.partition(" (")[0]
            surnames[_sound(surname)].add(surname)
        for surname, spellings in surnames.items():
            written = event.name.casefold()
            is_named = f" {surname} " in f" {_sound(event.name)} "
            if is_named and not any(one.casefold() in written for one in spellings):
                message = "a player is spelled in another way than in the record"
                hint = f"write `{min(spellings)}`, or correct the player's name"
                yield at_field(event, "name", message, hint)


def _sound(text: str) -> str:
    return " ".join(sound(word) for word in words(text))


def women_are_marked(dataset: Dataset) -> Iterator[Problem]:
    """Who plays in an event for women is one; the tables of women are made of these marks."""
    first: dict[str, Event] = {}
    for event in dataset.events.values():
        if event.kind == "tournament" and _FOR_WOMEN.search(event.name):
            for id_ in event.players:
                first.setdefault(id_, event)
    for id_, event in first.items():
        player = dataset.players.get(id_)
        if player is not None and not player.woman:
            message = f"plays in `{event.id}`, an event for women"
            yield at_player(player, message, "add `woman: true`", about=event.id)
