"""Import of tables of results and standings: a draft of each event, and a report."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar, cast

from edo.core.formats import counted
from edo.core.model import Citation, Colour, Dataset, Mark, MarkValue, Total
from edo.core.problems import InputError, Problem
from edo.core.text import fold
from edo.core.yaml import YamlValue
from edo.history.fields import REMARK
from edo.history.notation import number_text
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
            drafts.propose("players", player.name, player.entry, player.id)
    for key, event in tables.events.items():
        _EventDraft(tables, drafts, event).add(tables.results.get(key, ()))
    rows = sum(map(len, tables.results.values()))
    about = f"{tables.path.name}: {counted(rows, 'row')}, {counted(len(tables.results), 'event')}"
    details: YamlValue = {"file": tables.path.name, "rows": rows}
    left_out = drafts.number("left out")
    counts = {"rows": rows} | ({"rows left out": left_out} if left_out else {})
    return drafts.files(title, {about: details}, counts)


class _EventDraft:
    """One event of the tables: its draft, or the report why there is none.

    `warnings` collect what an editor should look at.
    """

    def __init__(self, tables: Tables, drafts: Drafts, event: EventRow) -> None:
        self._drafts, self._table_name, self._event = drafts, tables.path.name, event
        self._warnings = [*tables.warnings.get(event.key, ())]

    def add(self, rows: Sequence[ResultRow]) -> None:
        """Draft the event of these rows, unless the history has it and nothing differs."""
        event, drafts = self._event, self._drafts
        rows = self._usable(rows)
        if not rows:
            drafts.note("refused", event.key, f"{event.name}: no results in the table")
            return
        place = f"{self._table_name}:{rows[0].line}"
        scores = tuple(self._score(row) for row in rows if row.opponent)
        totals = tuple(
            Total(self._player(row.player), row.points, row.games)
            for row in sorted(rows, key=lambda row: row.rank)
            if not row.opponent
        )
        name = event.name if event.year in years_in(event.name) else f"{event.name} {event.year}"
        known = drafts.events.find(_outline(event, scores, totals))
        if known and (known.event.year != event.year or known.event.id in drafts.ids):
            known = replace(known, sure=False)
        if known and known.sure:
            if not known.differences:
                drafts.note_known(place, event.name, known)
                return
            drafts.note_known(place, event.name, known, "; drafted under the same id")
            id_ = known.event.id
        else:
            if known:
                drafts.note_known(place, event.name, known, "; drafted as a new event")
            id_ = drafts.new_event_id(name, event.year)
        draft = NewEvent(
            id_, self._fields(rows, scores, totals), scores, self._citations(), totals,
            event.games_per_pair, self._players_in_all(totals),
            whole=event.completeness == "complete",
        )  # fmt: skip
        size = f"{counted(len(draft.players), 'player')}, {counted(len(rows), 'row')}"
        drafts.add(draft, size, place, self._warnings)

    def _usable(self, rows: Sequence[ResultRow]) -> list[ResultRow]:
        """Return the rows of two people and the first total of each; the report lists the rest."""
        usable: list[ResultRow] = []
        totals: dict[str, ResultRow] = {}
        for row in rows:
            player = self._player(row.player)
            if row.opponent and self._player(row.opponent) == player:
                flaw = f"{row.player} - {row.opponent}: both are taken for {player}"
            elif not row.opponent and totals.setdefault(player, row) is not row:
                first = totals[player]
                flaw = (
                    f"{row.player}, total {number_text(row.points)}: line {first.line} has the "
                    f"total {number_text(first.points)} of {player} already"
                )
            else:
                usable.append(row)
                continue
            place = f"{self._table_name}:{row.line}"
            self._drafts.note("left out", place, f"{self._event.name}: {flaw}")
        return usable

    def _players_in_all(self, totals: Sequence[Total]) -> int | None:
        number = self._event.players
        return number if number and number > len(totals) else None

    def _fields(
        self, rows: Sequence[ResultRow], scores: Sequence[PairScore], totals: Sequence[Total]
    ) -> dict[str, YamlValue]:
        """Return the fields of the event file that need no computation."""
        event, text = self._event, self._event.text
        series = text["series"]
        if series and series not in self._drafts.dataset.series:
            self._warnings.append(f"the series `{series}` is not in series.yaml")
            series = ""
        handicap = "Handicap" if text["kind"].lower() == "handicap" else None
        fields: dict[str, YamlValue] = {
            "name": event.name, "kind": event.kind, "series": series or None,
            "place": self._place(text["place"]), "dates": event.dates, "year": event.year,
            "format": text["format"] or handicap, "completeness": event.completeness or None,
            "notes": text["note"] or None,
        }  # fmt: skip
        if text["missing"]:
            fields["missing"] = text["missing"]
        if event.status.word == "casual":
            self._warnings.append("casual games: consider the casual identities of the players")
            fields["notes"] = " ".join(filter(None, ["Casual games.", text["note"]]))
        classes = self._classes(rows, {*_in_scores(scores), *(total.player for total in totals)})
        if self._players_in_all(totals) and not scores and classes.get("class_odds"):
            self._warnings.append(
                "the classes of the other players are not known: no odds by class"
            )
            classes["class_odds"] = None
        if handicap and not classes and not any("odds" in score.annotation for score in scores):
            self._warnings.append("a handicap without odds: enter them, or the classes")
        return fields | classes

    def _classes(self, rows: Sequence[ResultRow], players: set[str]) -> dict[str, YamlValue]:
        """Return the classes of a handicap and their odds, as the event file has them."""
        class_of: dict[str, str] = {}
        for row in rows:
            for name, column in ((row.player, "class"), (row.opponent, "opponent_class")):
                stated = row.text[column]
                if name and stated and class_of.setdefault(self._player(name), stated) != stated:
                    text = f"line {row.line}: {name} in class `{stated}`, before in another"
                    self._warnings.append(f"{text}; the first was taken")
        without = sorted(players - class_of.keys())
        if class_of and without:
            self._warnings.append(f"no class of {', '.join(without)}: the classes are not entered")
        class_odds = self._event.text["class_odds"]
        if without or not class_of:
            if class_odds:
                self._warnings.append(f"odds by class `{class_odds}` without everybody's class")
            return {}
        names, ordered = in_class_order(class_of.values())
        if not ordered:
            text = f"classes in the order of the rows, best first: {', '.join(names)}"
            self._warnings.append(text)
        classes: list[YamlValue] = [
            {"name": name, "players": [p for p in class_of if class_of[p] == name] or None}
            for name in names
        ]
        return {"classes": classes, "class_odds": self._class_odds(len(names)) or None}

    def _class_odds(self, classes: int) -> dict[str, YamlValue]:
        """Return the kind of odds by how many of the classes lie between giver and receiver."""
        odds: dict[str, YamlValue] = {}
        for place, item in enumerate(self._event.text["class_odds"].split(";"), 1):
            numbered = re.fullmatch(r"(\d+):? (.*)", item.strip())
            apart, name = numbered.groups() if numbered else (str(place), item.strip())
            id_ = self._odds_id(name)
            if name and id_ is None:
                text = f"odds by class `{name}`, which odds.yaml does not have; left out"
                self._warnings.append(text)
            elif id_ is not None and int(apart) >= classes:
                text = f"odds by class `{name}`: no classes are {apart} apart; left out"
                self._warnings.append(text)
            elif id_ is not None:
                odds[apart] = id_
        return odds

    def _odds_id(self, text: str) -> str | None:
        """Return the id of a kind of odds, by id or by name; None where odds.yaml has none."""
        kinds = self._drafts.dataset.odds
        if text in kinds:
            return text
        return next((kind.id for kind in kinds.values() if fold(kind.name) == fold(text)), None)

    def _player(self, name: str) -> str:
        return self._drafts.people.ids[name, self._event.year]

    def _score(self, row: ResultRow) -> PairScore:
        status = row.status if row.status.word != "formal" else self._event.status
        text = row.text
        return PairScore(
            self._player(row.player), self._player(row.opponent), row.points,
            row.opponent_points, _marks(row, status), row.draws, text["round"],
            (text["team"], text["opponent_team"]), self._annotation(row, status),
        )  # fmt: skip

    def _annotation(self, row: ResultRow, status: Status) -> dict[str, YamlValue]:
        """Return what the event file says of the games besides their score."""
        said: dict[str, YamlValue] = {}
        text = row.text
        if status.word in _REASONS:
            said[status.word] = status.reason or text["note"] or _REASONS[status.word]
        if odds := text["odds"]:
            kind = self._odds_id(odds)
            if kind and text["odds_giver"]:
                said["odds"] = {"giver": self._player(text["odds_giver"]), "kind": kind}
            else:
                why = "the giver is not stated" if kind else "which odds.yaml does not have"
                self._warnings.append(f"line {row.line}: odds `{odds}`, {why}; entered as unrated")
                said.setdefault("unrated", f"played at odds ({odds})")
        if text["note"] and text["note"] not in said.values():
            said["note"] = text["note"]
        if text["source"] and text["source"] != self._event.text["source"]:
            cited = self._cited(text["source"], text["where"])
            said["sources"] = [{"source": one.source, "where": one.where} for one in cited]
        return {field.name: said[field.name] for field in REMARK.fields if field.name in said}

    def _place(self, text: str) -> str | None:
        """Return the id of a place, proposing an entry where none is called so."""
        drafts = self._drafts
        if not text or text in drafts.dataset.places:
            return text or None
        key = site_key(text)
        if key not in drafts.places:
            drafts.places[key] = drafts.propose("places", town(text), {"name": town(text)})
            self._warnings.append(f"the place `{text}` is new; it is in places.yaml of the drafts")
        return drafts.places[key]

    def _citations(self) -> tuple[Citation, ...]:
        text = self._event.text
        citations = self._cited(text["source"], text["where"])
        for reference in text["references"].split(" | "):
            title, _, where = reference.partition(";")
            citations += self._cited(title, where)
        if not citations:
            self._warnings.append("no source is stated; the table itself is cited")
            citations = self._cited(f"{self._table_name} (table of results)", "")
        return tuple(dict.fromkeys(citations))

    def _cited(self, text: str, where: str) -> list[Citation]:
        """Return the source of this id, title or address, proposing an entry if it is new."""
        text = text.strip()
        return [Citation(self._drafts.source(text), where.strip() or None)] if text else []


def _in_scores(scores: Iterable[PairScore]) -> set[str]:
    return {player for score in scores for player in score.pair}


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


def _outline(event: EventRow, scores: Sequence[PairScore], totals: Sequence[Total]) -> Outline:
    played = (
        (score.first, score.second, score.games, score.points, score.points_against)
        for score in scores
        if "default" not in score.annotation
    )
    years = {event.year, *(int(date[:4]) for date in (event.dates or "").split("/") if date)}
    points = {total.player: total.points for total in totals}
    players = frozenset(_in_scores(scores) | points.keys())
    sites = [event.text["place"]]
    return Outline(
        [event.name], sites, frozenset(years), event.kind, players, tally(played), points
    )
