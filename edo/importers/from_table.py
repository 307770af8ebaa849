"""Import of tables of results and standings: a draft of each event, and a report."""

from __future__ import annotations

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
from edo.history.reading import Known, ProblemLog
from edo.importers.compose import NewEvent, PairScore
from edo.importers.drafts import Drafts, Import
from edo.importers.known import span_of, years_in
from edo.importers.people import Mention, entry_name
from edo.importers.points import as_games, without_totals
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
    players: Sequence[PlayerRow] = ()
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
    log = ProblemLog(results.as_posix(), Known({}))
    games = {key: as_games(log, known[key], own, ask=False) for key, own in rows.items()}
    log.refuse()
    warnings = {key: without_totals(own, games[key]) for key, own in rows.items()}
    return Tables(results, games, known, names, warnings)


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
        flaws = []
        if events and key not in known:
            flaws.append(("the event is not in the table of events", "add it there"))
        elif not events and not _year(key, own):
            hint = "write it into `date`, or give a table of events"
            flaws.append(("the event has no year", hint))
        number = len({player for row in own for player in row.players})
        if key in known and known[key].kind == "match" and number != 2:
            flaws.append((f"a match of {number} players", "correct the kind or the names"))
        yield from (Problem(path.as_posix(), own[0].line, key, *each) for each in flaws)


def _year(key: str, rows: Sequence[ResultRow]) -> int | None:
    dated = [int(row.date[:4]) for row in rows if row.date]
    return max(dated or years_in(key)[-1:], default=None)


def _event_of(key: str, rows: Sequence[ResultRow]) -> EventRow:
    """Return what the results alone say of their event."""
    year = _year(key, rows) or 0
    known_dates = [row.date for row in rows if row.date]
    dates = span_of(known_dates, year) if known_dates else None
    return EventRow(rows[0].line, key, key, "", year, dates, text=rows[0].text)


def import_table(tables: Tables, dataset: Dataset, title: str = "Import of a table") -> Import:
    """Return all files of the import, and the counts.

    Every event is drafted, unless it is in the history and nothing differs, or its file could not
    be read; the report says so. One that the history has with other results is drafted under the
    same id, to be compared with its file.
    """
    settled = {id_: id_ for id_ in dataset.players} | {row.name: row.id for row in tables.players}
    drafts = Drafts(dataset)
    people = drafts.recognize((
        Mention(name, event.year, f"{tables.path.name}:{row.line}", key, key,
                event.surname_first, event.likely_first)
        for key, rows in tables.results.items()
        for event in (tables.events[key],)
        for row in rows
        for name in row.players
    ), settled)  # fmt: skip
    for each in people.known:
        if not each.match.reason:
            drafts.note("exact", each.place, f"`{each.text}` is {each.match.player}")
    for player in tables.players:
        if player.id not in dataset.players:
            drafts.propose("players", player.name, player.entry, player.id)
    for key, event in tables.events.items():
        _EventDraft(tables, drafts, event).add(tables.results.get(key, ()))
    rows = sum(map(len, tables.results.values()))
    about = f"{tables.path.name}: {counted(rows, 'row')}, {counted(len(tables.results), 'event')}"
    return drafts.files(title, [about], {"rows": rows})


class _EventDraft:
    """One event of the tables: its draft, or the report why there is none.

    `warnings` collect what an editor should look at.
    """

    def __init__(self, tables: Tables, drafts: Drafts, event: EventRow) -> None:
        self._drafts, self._table_name, self._event = drafts, tables.path.name, event
        self._warnings = [*tables.warnings.get(event.key, ())]
        if text := drafts.people.undecided.get(event.key):
            self._warnings.append(
                f"nothing tells whether surnames stand first (`{text}` is drafted as "
                f"`{entry_name(text)}`); say `surname first` or `surname last` by `--names`, "
                "or by `names` in the table of events"
            )

    def add(self, rows: Sequence[ResultRow]) -> None:
        """Draft the event of these rows, unless the history has it and nothing differs."""
        event, drafts = self._event, self._drafts
        rows = self._usable(rows)
        if not rows:
            drafts.note("refused", event.key, f"{event.name}: no results in the table")
            return
        place = f"{self._table_name}:{rows[0].line}"
        new = self._outline(rows)
        known = drafts.events.find(new)
        if known and (known.event.year != event.year or known.event.id in drafts.ids):
            known = replace(known, sure=False)
        if known and known.sure and not known.differences:
            drafts.note_known(place, event.name, known)
            return
        if known:
            how = "under the same id" if known.sure else "as a new event"
            drafts.note_known(place, event.name, known, f"; drafted {how}")
        name = event.name if event.year in years_in(event.name) else f"{event.name} {event.year}"
        is_same = known is not None and known.sure
        id_ = known.event.id if known and is_same else drafts.new_event_id(name, event.year)
        size = f"{counted(len(new.players), 'player')}, {counted(len(rows), 'row')}"
        fields, sources = self._fields(new, rows), self._citations()
        drafts.add(replace(new, id=id_, fields=fields, sources=sources), size, place,
                   self._warnings)  # fmt: skip

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

    def _outline(self, rows: Sequence[ResultRow]) -> NewEvent:
        """Return the event with its results, by which the history may know it."""
        event = self._event
        scores = tuple(self._score(row) for row in rows if row.opponent)
        totals = tuple(
            Total(self._player(row.player), row.points, row.games)
            for row in sorted(rows, key=lambda row: row.rank)
            if not row.opponent
        )
        players = {self._player(name) for row in rows for name in row.players}
        kind = event.kind or ("match" if len(players) == 2 else "tournament")
        number = event.players if event.players and event.players > len(totals) else None
        years = {event.year, *(int(date[:4]) for date in (event.dates or "").split("/") if date)}
        return NewEvent(
            "", {"kind": kind}, scores, (), totals,
            (event.name,), (event.text["place"],), frozenset(years), event.games_per_pair, number,
            whole=event.completeness == "complete",
        )  # fmt: skip

    def _fields(self, new: NewEvent, rows: Sequence[ResultRow]) -> dict[str, YamlValue]:
        """Return the fields of the event file that need no computation."""
        event, text = self._event, self._event.text
        series = text["series"]
        if series and series not in self._drafts.dataset.series:
            self._warnings.append(f"the series `{series}` is not in series.yaml")
            series = ""
        place, warnings = self._drafts.place([text["place"]])
        self._warnings += warnings
        is_handicap = text["kind"].lower() == "handicap"
        notes = text["note"]
        if event.status.word == "casual":
            self._warnings.append("casual games: consider the casual identities of the players")
            notes = f"Casual games. {notes}".strip()
        if is_handicap and not any("odds" in score.annotation for score in new.scores):
            self._warnings.append("a handicap without odds: enter them, or the classes")
        if any(row.text["class"] or row.text["opponent_class"] for row in rows):
            self._warnings.append("classes are not entered: write `classes` and `class_odds`")
        fields: dict[str, YamlValue] = {
            "name": event.name, "kind": new.kind, "series": series or None,
            "place": place, "dates": event.dates, "year": event.year,
            "format": text["format"] or ("Handicap" if is_handicap else None),
            "completeness": event.completeness or None, "notes": notes or None,
        }  # fmt: skip
        return fields | ({"missing": text["missing"]} if text["missing"] else {})

    def _player(self, name: str) -> str:
        return self._drafts.people.ids[name, self._event.year]

    def _score(self, row: ResultRow) -> PairScore:
        status = row.status if row.status.word != "formal" else self._event.status
        return PairScore(
            self._player(row.player), self._player(row.opponent), row.points,
            row.opponent_points, _marks(row, status), row.draws, row.round,
            (row.text["team"], row.text["opponent_team"]), self._annotation(row, status),
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
            said["sources"] = [{"source": each.source, "where": each.where} for each in cited]
        return {field.name: said[field.name] for field in REMARK.fields if field.name in said}

    def _odds_id(self, text: str) -> str | None:
        """Return the id of a kind of odds, by id or by name; None where odds.yaml has none."""
        kinds = self._drafts.dataset.odds
        if text in kinds:
            return text
        return next((kind.id for kind in kinds.values() if fold(kind.name) == fold(text)), None)

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


def _marks(row: ResultRow, status: Status) -> tuple[Mark, ...]:
    """Return the games of a row one by one where the score leaves no choice."""
    points, against = row.points, row.opponent_points
    games = points + against
    colour = cast(Colour | None, row.colour or None)
    won: MarkValue = "+" if status.word == "default" else "1"
    lost: MarkValue = "-" if status.word == "default" else "0"
    if status.word == "soft" or points % 0.5 or games != int(games):
        return ()
    if games == 1 and points == against and status.word != "default":
        return (Mark("=", colour),)
    if 0 not in (points, against) or (row.draws and games > 1):
        return ()
    return (Mark(won if points else lost, colour),) * int(games)
