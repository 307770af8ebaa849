"""The rules of one data set in, what becomes of each of its rows out.

A folder of small tables says what cannot be read off the results themselves; each may be absent.

- treatments.csv: `event, white, black, round, pattern, treatment, text`. A row of the results to
  which all filled fields apply (`pattern` is searched in its note) gets the treatment: `ignore`
  (the note says nothing about the game), `colours unknown`, `note`, `replay` (a note of a game that
  comes after the others of its pair), `outside table` (a game that the final table does not
  count), `unrated`, `default`, `drop`; `text` is what the event file says (of several rules of one
  treatment the first one's, but all notes). A note to which no rule applies is kept as the note of
  its game. `totals` is for the notes of published totals instead.
- defaults.csv: `event, winner, loser, text`: games won by default of which the results have no row;
  `text` says how they are known. They come after the other games of their pair.
- sources.csv: `pattern, id, where, title, author, published, url, notes` (the last five
  on the first row of a source). A row's source and note,
  as `source: note`, cite every source whose pattern is found in them (none: the
  source only enters the bibliography); `where` may use `{1}` for the
  first group of the pattern and `{headers}` for the event's headers.
- places.csv: `place, id, name, notes`: other places than the name of the table; no id: no place.
- series.csv: `id, name, notes`: the series that the field `series` of an event may name.
- events.csv: `event, field, text`: fields of the event file that the tables cannot give (`kind`,
  `series`, `dates`, `format`, `completeness`, `missing`, `games_per_pair`, `rest`, `withdrew`,
  `draws_not_scored`, `notes`; the format `Knock-out` divides the matches into rounds, and with
  `rest` the results make a crosstable however few they are). `totals` is the note of all published
  totals of the event; `source` and `where` name one more source; `by hand` says why a file that
  stands already is left alone. The event `*` has one field, `players`: the source of the players'
  dates and countries.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from edo.core.model import Citation, Place, Series, Source
from edo.core.problems import InputError, Problem
from edo.core.text import kebab
from edo.importers.table import EventRow, ResultRow, read_rows

TREATMENTS = (
    "ignore",
    "colours unknown",
    "note",
    "replay",
    "outside table",
    "unrated",
    "default",
    "drop",
    "totals",
)


@dataclass(frozen=True, slots=True)
class Treatment:
    """One rule of treatments.csv; empty fields apply to every row."""

    event: str
    white: str
    black: str
    round: str
    pattern: str
    treatment: str
    text: str

    def applies(self, row: ResultRow) -> bool:
        """Whether the rule speaks of the row."""
        return (
            self.treatment != "totals"
            and self.event in ("", row.event)
            and self.white in ("", row.white)
            and self.black in ("", row.black)
            and self.round in ("", ".".join(map(str, row.round)) or "none")
            and (not self.pattern or re.search(self.pattern, row.note) is not None)
        )


@dataclass(frozen=True, slots=True)
class Default:
    """One row of defaults.csv: a game won without play that no row of the results holds."""

    event: str
    winner: str
    loser: str
    text: str


@dataclass(frozen=True, slots=True)
class SourceRule:
    """One rule of sources.csv: texts in which `pattern` is found cite the source."""

    pattern: str
    where: str
    source: Source

    def citation(self, text: str, headers: str) -> Citation | None:
        """Return the citation that the text makes, if it names the source."""
        found = re.search(self.pattern, text) if self.pattern else None
        if found is None:
            return None
        where = "" if "{headers}" in self.where and not headers else self.where
        where = where.replace("{headers}", headers)
        for number, group in enumerate(found.groups(default=""), start=1):
            where = where.replace(f"{{{number}}}", group)
        return Citation(self.source.id, where.strip() or None)


@dataclass(frozen=True, slots=True)
class Rules:
    """All rules of a data set."""

    treatments: tuple[Treatment, ...] = ()
    defaults: tuple[Default, ...] = ()
    sources: tuple[SourceRule, ...] = ()
    places: Mapping[str, Place | None] = field(default_factory=dict)
    fields: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    series: Mapping[str, Series] = field(default_factory=dict)

    def of_event(self, event: str) -> dict[str, str]:
        """Return the fields that the rules state for the event."""
        return dict(self.fields.get(event, {}))

    def place(self, name: str) -> Place | None:
        """Return the place that the table calls by this name, if it is one."""
        if not name or name in self.places:
            return self.places.get(name)
        return Place(kebab(name), name)

    def totals_note(self, note: str) -> str:
        """Return what the event file says of published totals whose table has this note."""
        for rule in self.treatments:
            if rule.treatment == "totals" and re.search(rule.pattern, note):
                return rule.text
        return note

    def citations(self, text: str, event: EventRow | None) -> list[Citation]:
        """Return the sources that a row's source and note name, as they stand without a rule."""
        made = [rule.citation(text, _headers(event)) for rule in self.sources]
        known = [citation for citation in made if citation is not None]
        return known or [Citation(kebab(text.partition(": ")[0]) or "table-of-results")]


def read_rules(folder: Path | None) -> Rules:
    """Return the rules of a folder, or none at all.

    Raises InputError on an unknown treatment or series.
    """
    if folder is None:
        return Rules()
    treatments = []
    path = folder / "treatments.csv"
    for line, row in _rows(path, ("event", "pattern", "treatment", "text")):
        names = ("event", "white", "black", "round", "pattern", "treatment", "text")
        treatments.append(Treatment(*(row.get(name, "") for name in names)))
        if row["treatment"] not in TREATMENTS:
            raise InputError(
                [
                    Problem(
                        path.as_posix(),
                        line,
                        "treatment",
                        f"unknown treatment {row['treatment']!r}",
                        f"write one of {', '.join(TREATMENTS)}",
                    )
                ]
            )
    series = _series(folder)
    fields = _fields(folder, series)
    defaults = tuple(
        Default(row["event"], row["winner"], row["loser"], row["text"])
        for _, row in _rows(folder / "defaults.csv", ("event", "winner", "loser", "text"))
    )
    return Rules(tuple(treatments), defaults, _sources(folder), _places(folder), fields, series)


def _rows(path: Path, columns: tuple[str, ...]) -> list[tuple[int, dict[str, str]]]:
    return list(read_rows(path, columns)) if path.exists() else []


def _fields(folder: Path, series: Mapping[str, Series]) -> dict[str, dict[str, str]]:
    """Return what is stated of each event; raises InputError where a series is not listed."""
    fields: dict[str, dict[str, str]] = defaultdict(dict)
    path = folder / "events.csv"
    for line, row in _rows(path, ("event", "field", "text")):
        fields[row["event"]][row["field"]] = row["text"]
        if row["field"] == "series" and row["text"] not in series:
            message = f"unknown series {row['text']!r}"
            hint = "add it to series.csv or correct it"
            raise InputError([Problem(path.as_posix(), line, row["event"], message, hint)])
    return fields


def _series(folder: Path) -> dict[str, Series]:
    rows = _rows(folder / "series.csv", ("id", "name"))
    return {row["id"]: Series(row["id"], row["name"], row.get("notes") or None) for _, row in rows}


def _sources(folder: Path) -> tuple[SourceRule, ...]:
    rules = []
    known: dict[str, Source] = {}
    for _, row in _rows(folder / "sources.csv", ("pattern", "id", "where", "title")):
        about = (row.get(name) or None for name in ("author", "published", "url", "notes"))
        source = known.setdefault(row["id"], Source(row["id"], row["title"], *about))
        rules.append(SourceRule(row["pattern"], row["where"], source))
    return tuple(rules)


def _places(folder: Path) -> dict[str, Place | None]:
    rows = _rows(folder / "places.csv", ("place", "id", "name"))
    return {
        row["place"]: Place(row["id"], row["name"], None, row.get("notes") or None)
        if row["id"]
        else None
        for _, row in rows
    }


def _headers(event: EventRow | None) -> str:
    if event is None or not event.headers:
        return ""
    names = ", ".join(f'"{name}"' for name in event.headers)
    sites = [site for site in event.sites if site not in event.headers]
    return f"{names} ({', '.join(sites)})" if sites else names
