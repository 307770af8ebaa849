"""Import of tables of results and standings: a draft of each event, and a report."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar, cast

from edo.core.formats import counted
from edo.core.model import Citation, Colour, Dataset, Mark, MarkValue, Total
from edo.core.problems import InputError, Problem
from edo.core.text import fold
from edo.core.yaml import YamlValue
from edo.history.fields import REMARK
from edo.importers.compose import NewEvent, PairScore
from edo.importers.drafts import Drafts, Import
from edo.importers.known import Outline, site_key, span_of, tally, town, years_in
from edo.importers.people import Mention
from edo.importers.table import (
    EventRow,
    PlayerRow,
    ResultRow,
    Status,
    read_events,
    read_players,
    read_results,
)

Item = TypeVar("Item")

_REASONS = {
    "soft": "the table calls the score soft",
    "default": "won without play, by the table",
    "unrated": "unrated, by the table",
    "uncounted": "not counted in the final table",
}
"""Reasons of statuses for which the table gives none."""


@dataclass(frozen=True, slots=True)
class Tables:
    """What was read of all tables; the results by event, in the order of the table.

    `warnings` are about the results of an event, for the report.
    """

    path: Path
    results: Mapping[str, Sequence[ResultRow]]
    events: Mapping[str, EventRow]
    players: Sequence[PlayerRow]
    warnings: Mapping[str, Sequence[str]] = field(default_factory=dict)


def read_tables(results: Path, events: Path | None, players: Path | None) -> Tables:
    """Return all rows, checked. Raises InputError with all bad rows of all tables."""
    problems: list[Problem] = []
    rows: dict[str, list[ResultRow]] = defaultdict(list)
    for row in _collected(read_results, results, problems):
        rows[row.event].append(row)
    about = _collected(read_events, events, problems)
    names = _collected(read_players, players, problems)
    known = {row.key: row for row in about}
    if not problems:
        problems += _unmatched(results, rows, known, events)
    if problems:
        raise InputError(problems)
    known |= {key: _event_of(key, own) for key, own in rows.items() if key not in known}
    for key, event in known.items():
        kind = "match" if len(_players(rows.get(key, ()))) == 2 else "tournament"
        known[key] = replace(event, kind=event.kind or kind)
    return Tables(results, rows, known, names)


def _collected(
    read: Callable[[Path], list[Item]], path: Path | None, problems: list[Problem]
) -> list[Item]:
    """Return the rows of a table, none where there is no table or something is wrong with it."""
    try:
        return read(path) if path else []
    except InputError as error:
        problems += error.problems
        return []


def _unmatched(
    path: Path, rows: Mapping[str, Sequence[ResultRow]], known: Mapping[str, EventRow],
    events: Path | None,
) -> Iterable[Problem]:  # fmt: skip
    """Yield what is wrong with the tables together."""
    for key, own in rows.items():
        found = []
        if events and key not in known:
            found.append(("the event is not in the table of events", "add it there"))
        elif not events and not _year(key, own):
            hint = "write it into `date`, or give a table of events"
            found.append(("the event has no year", hint))
        if key in known and known[key].kind == "match" and len(_players(own)) != 2:
            text = f"a match of {len(_players(own))} players"
            found.append((text, "correct the kind or the names"))
        yield from (Problem(path.as_posix(), own[0].line, key, *each) for each in found)


def _players(rows: Iterable[ResultRow]) -> list[str]:
    return list(dict.fromkeys(p for row in rows for p in (row.player, row.opponent) if p))


def _year(key: str, rows: Sequence[ResultRow]) -> int | None:
    dated = [int(row.date[:4]) for row in rows if row.date]
    return max(dated or years_in(key)[-1:], default=None)


def _event_of(key: str, rows: Sequence[ResultRow]) -> EventRow:
    """Return what the results alone say of their event."""
    year = _year(key, rows) or 0
    given = [row.date for row in rows if row.date]
    dates = span_of(given, year) if given else None
    return EventRow(rows[0].line, key, key, "", year, dates, "", Status(), None, None,
                    rows[0].text)  # fmt: skip


def import_table(tables: Tables, dataset: Dataset, title: str = "Import of a table") -> Import:
    """Return all files of the import, and the counts.

    Every event is drafted, unless it is in the history and nothing differs, or no form of it can be
    read; the report says so. One that the history has with other results is drafted under the same
    id, to be compared with its file.
    """
    settled = {id_: id_ for id_ in dataset.players} | {row.name: row.id for row in tables.players}
    drafts = Drafts(dataset)
    people = drafts.recognize((
        Mention(name, tables.events[row.event].year, f"{tables.path.name}:{row.line}", row.event)
        for rows in tables.results.values()
        for row in rows
        for name in (row.player, row.opponent)
        if name
    ), settled)  # fmt: skip
    for each in people.exact:
        drafts.note("exact", each.place, f"`{each.text}` is {each.match.player}")
    for player in tables.players:
        if player.id not in dataset.players:
            drafts.entries["players"][player.id] = player.entry
    writer = _Writer(tables, drafts)
    for key, event in tables.events.items():
        writer.add(event, tables.results.get(key, ()))
    rows = sum(map(len, tables.results.values()))
    about = f"{tables.path.name}: {counted(rows, 'row')}, {counted(len(tables.results), 'event')}"
    details: YamlValue = {"file": tables.path.name, "rows": rows}
    left_out = drafts.number("left out")
    counts = {"rows": rows} | ({"rows left out": left_out} if left_out else {})
    return drafts.files(title, {about: details}, counts)


class _Writer:
    """Drafts of the events of tables, one at a time."""

    def __init__(self, tables: Tables, drafts: Drafts) -> None:
        self.drafts, self._tables = drafts, tables
        self._odds = {fold(one.name): one.id for one in drafts.dataset.odds.values()}

    def add(self, row: EventRow, rows: Sequence[ResultRow]) -> None:
        """Draft one event, or report why not."""
        rows = [each for each in rows if not self._is_left_out(row, each)]
        if not rows:
            self.drafts.note("refused", row.key, f"{row.name}: no results in the table")
            return
        place = f"{self._tables.path.name}:{rows[0].line}"
        warnings = [*self._tables.warnings.get(row.key, ())]
        scores = tuple(self._score(row, each, warnings) for each in rows if each.opponent)
        totals = tuple(
            Total(self._player(row, each.player), each.points, each.games)
            for each in sorted(rows, key=lambda each: each.rank)
            if not each.opponent
        )
        outline = _outline(row, scores, totals)
        found = self.drafts.events.find(outline)
        if found and (found.event.year != row.year or found.event.id in self.drafts.ids):
            found = replace(found, sure=False)
        if found and found.sure and not found.differences:
            self.drafts.note_known(place, row.name, found)
            return
        name = row.name if row.year in years_in(row.name) else f"{row.name} {row.year}"
        if found:
            same = "drafted under the same id" if found.sure else "drafted as a new event"
            self.drafts.note_known(place, row.name, found, f"; {same}")
        id_ = (
            found.event.id if found and found.sure
            else self.drafts.free_id("events", name, f"event-{row.year}")
        )  # fmt: skip
        event = self._event(id_, row, scores, totals, warnings)
        size = f"{counted(len(event.players), 'player')}, {counted(len(rows), 'row')}"
        self.drafts.add(event, size, place, warnings)

    def _is_left_out(self, event: EventRow, row: ResultRow) -> bool:
        """Whether both names of a row mean the same player; the report lists the row."""
        if not row.opponent or self._player(event, row.player) != self._player(event, row.opponent):
            return False
        id_ = self._player(event, row.player)
        text = f"{event.name}: {row.player} - {row.opponent}: both are taken for {id_}"
        self.drafts.note("left out", f"{self._tables.path.name}:{row.line}", text)
        return True

    def _event(
        self, id_: str, row: EventRow, scores: tuple[PairScore, ...], totals: tuple[Total, ...],
        warnings: list[str],
    ) -> NewEvent:  # fmt: skip
        series = row.text["series"]
        if series and series not in self.drafts.dataset.series:
            warnings.append(f"the series `{series}` is not in series.yaml")
            series = ""
        handicap = "Handicap" if row.text["kind"].lower() == "handicap" else None
        fields: dict[str, YamlValue] = {
            "name": row.name, "kind": row.kind, "series": series or None,
            "place": self._place(row.text["place"], warnings), "dates": row.dates,
            "year": row.year, "format": row.text["format"] or handicap,
            "completeness": row.completeness or None, "notes": row.text["note"] or None,
        }  # fmt: skip
        if row.text["missing"]:
            fields["missing"] = row.text["missing"]
        if row.status.word == "casual":
            warnings.append("casual games: consider the casual identities of the players")
            fields["notes"] = " ".join(filter(None, ["Casual games.", row.text["note"]]))
        players = {p for one in scores for p in one.pair} | {total.player for total in totals}
        classes = self._classes(row, players, warnings)
        in_all = row.players if row.players and row.players > len(totals) else None
        if in_all and totals and not scores and classes.get("class_odds"):
            warnings.append("the classes of the other players are not known: no odds by class")
            classes["class_odds"] = None
        fields |= classes
        at_odds = classes or any("odds" in score.annotation for score in scores)
        if handicap and not at_odds:
            warnings.append("a handicap without odds: enter them, or the classes")
        return NewEvent(
            id_, fields, scores, self._citations(row, warnings), totals, row.games_per_pair,
            in_all,
            whole=row.completeness == "complete",
        )  # fmt: skip

    def _classes(
        self, row: EventRow, players: Collection[str], warnings: list[str]
    ) -> dict[str, YamlValue]:
        """Return the classes of a handicap and their odds, as the event file has them."""
        class_of: dict[str, str] = {}
        for each in self._tables.results.get(row.key, ()):
            for name, column in ((each.player, "class"), (each.opponent, "opponent_class")):
                stated = each.text[column]
                if not name or not stated:
                    continue
                if class_of.setdefault(self._player(row, name), stated) != stated:
                    text = f"line {each.line}: {name} in class `{stated}`, before in another"
                    warnings.append(f"{text}; the first was taken")
        without = sorted(players - class_of.keys())
        if class_of and without:
            warnings.append(f"no class of {', '.join(without)}: the classes are not entered")
        if row.text["class_odds"] and (without or not class_of):
            warnings.append(f"odds by class `{row.text['class_odds']}` without everybody's class")
        if without or not class_of:
            return {}
        names, ordered = in_class_order(class_of.values())
        if not ordered:
            warnings.append(f"classes in the order of the rows, best first: {', '.join(names)}")
        groups: list[YamlValue] = [
            {"name": name, "players": [p for p in class_of if class_of[p] == name] or None}
            for name in names
        ]
        odds = self._class_odds(row, len(names), warnings)
        return {"classes": groups, "class_odds": odds or None}

    def _class_odds(self, row: EventRow, number: int, warnings: list[str]) -> dict[str, YamlValue]:
        found: dict[str, YamlValue] = {}
        for place, item in enumerate(row.text["class_odds"].split(";"), 1):
            stated = re.fullmatch(r"(?:(\d+):? )?(.*)", item.strip())
            below, name = (stated[1] or str(place), stated[2]) if stated else (str(place), "")
            id_ = self._odds_id(name)
            if name and id_ is None:
                warnings.append(f"odds by class `{name}`, which odds.yaml does not have; left out")
            elif id_ is not None and int(below) >= number:
                warnings.append(f"odds by class `{name}`: no classes are {below} apart; left out")
            elif id_ is not None:
                found[below] = id_
        return found

    def _odds_id(self, text: str) -> str | None:
        """Return the id of a kind of odds, by id or by name; None where odds.yaml has none."""
        return text if text in self.drafts.dataset.odds else self._odds.get(fold(text))

    def _player(self, row: EventRow, name: str) -> str:
        return self.drafts.people.ids[name, row.year]

    def _score(self, event: EventRow, row: ResultRow, warnings: list[str]) -> PairScore:
        status = row.status if row.status.word != "formal" else event.status
        text = row.text
        return PairScore(
            self._player(event, row.player), self._player(event, row.opponent), row.points,
            row.opponent_points, _marks(row, status), row.draws, text["round"],
            (text["team"], text["opponent_team"]), self._annotation(event, row, status, warnings),
        )  # fmt: skip

    def _annotation(
        self, event: EventRow, row: ResultRow, status: Status, warnings: list[str]
    ) -> dict[str, YamlValue]:
        """Return what the event file says of the games besides their score."""
        found: dict[str, YamlValue] = {}
        text = row.text
        if status.word in _REASONS:
            found[status.word] = status.reason or text["note"] or _REASONS[status.word]
        if text["odds"]:
            odds = text["odds"]
            id_ = self._odds_id(odds)
            if id_ and text["odds_giver"]:
                giver = self._player(event, text["odds_giver"])
                found["odds"] = {"giver": giver, "kind": id_}
            else:
                why = "which odds.yaml does not have" if not id_ else "the giver is not stated"
                warnings.append(f"line {row.line}: odds `{odds}`, {why}; entered as unrated")
                found.setdefault("unrated", f"played at odds ({odds})")
        if text["note"] and text["note"] not in found.values():
            found["note"] = text["note"]
        if text["source"] and text["source"] != event.text["source"]:
            cited = [{"source": one.source, "where": one.where}
                     for one in self._cited(text["source"], text["where"])]  # fmt: skip
            found["sources"] = cited
        return {one.name: found[one.name] for one in REMARK.fields if one.name in found}

    def _place(self, text: str, warnings: list[str]) -> str | None:
        """Return the id of a place, proposing an entry where none is called so."""
        if not text or text in self.drafts.dataset.places:
            return text or None
        key = site_key(text)
        if key not in self.drafts.places:
            self.drafts.places[key] = self.drafts.free_id("places", town(text), "place")
            self.drafts.entries["places"][self.drafts.places[key]] = {"name": town(text)}
            warnings.append(f"the place `{text}` is new; it is in places.yaml of the drafts")
        return self.drafts.places[key]

    def _citations(self, row: EventRow, warnings: list[str]) -> tuple[Citation, ...]:
        found = self._cited(row.text["source"], row.text["where"])
        for each in row.text["references"].split(" | "):
            title, _, where = each.partition(";")
            found += self._cited(title, where)
        if not found:
            warnings.append("no source is stated; the table itself is cited")
            found = self._cited(f"{self._tables.path.name} (table of results)", "")
        return tuple(dict.fromkeys(found))

    def _cited(self, text: str, where: str) -> list[Citation]:
        """Return the source of this id, title or address, proposing an entry if it is new."""
        text = text.strip()
        return [Citation(self.drafts.source(text), where.strip() or None)] if text else []


_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")
_NUMBERS = {word: n for words in (_ORDINALS, _ROMAN) for n, word in enumerate(words, 1)}


def in_class_order(names: Iterable[str]) -> tuple[list[str], bool]:
    """Return the names of classes, the best first, and whether they are numbered.

    A number that nobody's class has is filled in, for it counts for the odds. Where not all names
    hold a number, the order is that of the names given.
    """
    by_number: dict[int, str] = {}
    distinct = list(dict.fromkeys(names))
    for name in distinct:
        number = _class_number(name)
        if number is None or number in by_number:
            return distinct, len(distinct) == 1
        by_number[number] = name
    every = range(min(by_number), max(by_number) + 1)
    return [by_number.get(number) or f"Class {number}" for number in every], True


def _class_number(name: str) -> int | None:
    """Return the number in the name of a class: `2`, `2nd class`, `II` or `Second class`."""
    found = re.findall(r"[a-z]+|\d+", name.lower())
    numbers = (int(word) if word.isdigit() else _NUMBERS.get(word) for word in found)
    return next((number for number in numbers if number is not None), None)


def _marks(row: ResultRow, status: Status) -> tuple[Mark, ...]:
    """Return the games of a row one by one where the score leaves no choice."""
    points, against = row.points, row.opponent_points
    games = points + against
    colour = cast(Colour | None, row.text["colour"] or None)
    won: MarkValue = "+" if status.word == "default" else "1"
    lost: MarkValue = "-" if status.word == "default" else "0"
    if status.word == "soft" or points % 0.5 or games != int(games):
        return ()
    if games == 1 and points == against and status.word != "default":
        return (Mark("=", colour),)
    if 0 not in (points, against) or (row.draws and games > 1):
        return ()
    return (Mark(won if points else lost, colour),) * int(games)


def _outline(row: EventRow, scores: Sequence[PairScore], totals: Sequence[Total]) -> Outline:
    rows = (
        (one.first, one.second, one.games, one.points, one.points_against)
        for one in scores
        if "default" not in one.annotation
    )
    years = {row.year, *(int(date[:4]) for date in (row.dates or "").split("/") if date)}
    players = {player for one in scores for player in one.pair} | {one.player for one in totals}
    return Outline([row.name], [row.text["place"]], frozenset(years), row.kind, frozenset(players),
                   tally(rows), {one.player: one.points for one in totals})  # fmt: skip
