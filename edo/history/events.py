"""One event file comes in; one Event goes out, or all that is wrong with the file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from edo.core import yaml
from edo.core.model import Event, Total
from edo.core.problems import Problem
from edo.core.yaml import Fields
from edo.history import totals
from edo.history.classes import read_classes, set_apart
from edo.history.crosstable import Row, read_crosstable
from edo.history.event_rules import (
    Body,
    check_body,
    check_event,
    check_id,
    is_complete,
    named_players,
)
from edo.history.fields import EVENT
from edo.history.read_doubts import check_looked_at, looked_at
from edo.history.reading import Desk, Entry, Known, citations, read_group
from edo.history.remarks import read_remarks
from edo.history.rest_rules import check_rest
from edo.history.results import Played

_RESULTS = ("crosstable", "pairings", "rounds")


def read_event(path: Path, shown_path: str, known: Known) -> tuple[Event | None, list[Problem]]:
    """Return the event of a file and the problems found; None where there is an error.

    `shown_path` ends in `<year>/<id>.yaml`; `known` are the ids that the file may name.
    """
    return event_of(yaml.read(path, shown_path), path, shown_path, known)


def event_of(
    parsed: tuple[Fields | None, list[Problem]], path: Path, shown_path: str, known: Known
) -> tuple[Event | None, list[Problem]]:
    """Return the event of what was read of the file `path`, as `read_event` does."""
    node, problems = parsed
    desk = Desk(shown_path, known, problems)
    check_id(desk, path.stem)
    entry = read_group(desk, EVENT, node) if node is not None else None
    if entry is None:
        return None, desk.problems
    check_event(desk, entry, path.parent.name)
    body = _read_body(desk, entry)
    check_body(desk, entry, body)
    if body.sound:
        _check_totals(desk, entry, body)
    classes = read_classes(desk, entry, named_players(entry, body)) if body.sound else {}
    check_looked_at(desk, entry)
    if desk.failed:
        return None, desk.problems
    event = _event(path.stem, shown_path, entry, body, classes)
    check_rest(desk, event)
    return None if desk.failed else event, desk.problems


def _read_body(desk: Desk, entry: Entry) -> Body:
    played = Played(desk, read_remarks(desk, entry.get("remarks") or ()), entry.get("year"))
    table = entry.get("crosstable")
    count = totals.counting(played.remarks, not entry.get("draws_not_scored"))
    rows = (read_crosstable(desk, table, count) if table is not None else None) or ()
    played.add_crosstable(rows)
    played.add_pairings(entry.get("pairings") or ())
    played.add_rounds(entry.get("rounds") or (), entry.get("kind") == "team match")
    sound = played.sound and not any(_unread(entry, rows, name) for name in _RESULTS)
    if sound:
        played.check_remarks()
    before = len(desk.problems)
    block = entry.get("totals")
    listed = totals.read_totals(desk, block) if block is not None else ()
    published = totals.read_published(desk, entry.get("published_totals") or ())
    merged = totals.merge(desk, _row_totals(rows), listed, published)
    sound = sound and len(desk.problems) == before
    return Body(rows, played, listed, published, merged, sound)


def _row_totals(rows: Sequence[Row]) -> list[Total]:
    return [Total(row.player, row.total, line=row.line) for row in rows if row.total is not None]


def _unread(entry: Entry, rows: Sequence[Row], name: str) -> bool:
    """Whether the results under this key are there, but could not be read."""
    return name in entry.lines and not (rows if name == "crosstable" else entry.get(name))


def _check_totals(desk: Desk, entry: Entry, body: Body) -> None:
    results = body.played.results
    # A file with unknown results says nothing of how its totals should come out.
    whole = is_complete(entry) and bool(results) and not body.played.unknown
    made = totals.sums(results, not entry.get("draws_not_scored"))
    if entry.get("draws_not_scored") and (body.listed or body.published):
        totals.check_draws(desk, results)
        if desk.failed:
            return
    if not body.listed or any(name in entry.lines for name in _RESULTS):
        totals.check_beside(desk, body.listed, made, whole)
    elif not {"rest", "players_in_all"} & set(entry.lines) and (
        is_complete(entry) or not entry.get("draws_not_scored")
    ):
        totals.check_alone(desk, body.listed, entry)
    if (each := entry.get("games_per_pair")) is not None:
        totals.check_rows(desk, body.rows, each, body.played.remarks)
    totals.check_published(desk, body.published, made, whole)


def _event(
    id_: str, shown_path: str, entry: Entry, body: Body, classes: Mapping[str, str]
) -> Event:
    played = body.played
    return Event(
        id=id_,
        name=entry.get("name"),
        kind=entry.get("kind"),
        year=entry.get("year"),
        path=shown_path,
        place=entry.get("place"),
        series=entry.get("series"),
        dates=entry.get("dates"),
        format=entry.get("format"),
        completeness=entry.get("completeness") or "complete",
        missing=entry.get("missing"),
        players=named_players(entry, body),
        has_crosstable=bool(body.rows),
        results=set_apart(played.results, classes),
        rounds=tuple(played.rounds),
        totals=body.totals,
        games_per_pair=entry.get("games_per_pair"),
        not_played=frozenset(played.not_played),
        unknown_games=frozenset(played.unknown),
        unrated=entry.get("unrated"),
        notes=entry.get("notes"),
        sources=citations(entry),
        lines=MappingProxyType(dict(entry.lines)),
        rest=entry.get("rest"),
        withdrew=tuple(item.value for item in entry.get("withdrew") or ()),
        players_in_all=entry.get("players_in_all"),
        classes=MappingProxyType(dict(classes)),
        draws_not_scored=bool(entry.get("draws_not_scored")),
        former_ids=tuple(item.value for item in entry.get("former_ids") or ()),
        looked_at=looked_at(entry),
    )
