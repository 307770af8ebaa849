"""The record by decade: how many events and games are known, how fully, and how exactly rated."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from heapq import nlargest
from operator import attrgetter
from pathlib import Path
from statistics import median
from typing import TypeVar

from edo.core import json
from edo.core.model import Dataset
from edo.rating.coverage import Coverage, coverage
from edo.rating.edo import PlayerYear, Ratings
from edo.rating.games import Pairing

T = TypeVar("T")

FILE = "record.json"  # in the folder of the texts
REMEDY = "write it again with `python -m edo record --save`"


@dataclass(frozen=True, slots=True)
class RecordLine:
    """The record of a decade, named by its first year; of all years, where `decade` is None.

    `by_cells`, `by_totals` and `part` add up to the events. `games` are those in the fit,
    `whole_games` those of them in events that are whole; `players` have such games. `first_ten`
    and `first_fifty` are the median standard errors [Elo] of those with the highest ratings of each
    year, with or without the evidence for a rank, None where nobody is rated.
    """

    decade: int | None
    events: int
    by_cells: int
    by_totals: int
    part: int
    games: float
    whole_games: float
    players: int
    first_ten: float | None
    first_fifty: float | None

    @property
    def name(self) -> str:
        """Return the decade as `1850s`, or `all`."""
        return "all" if self.decade is None else f"{self.decade}s"

    @property
    def share(self) -> float | None:
        """Return the share of the games that belong to whole events, None without games."""
        return self.whole_games / self.games if self.games else None


@dataclass(frozen=True, slots=True)
class Record:
    """The record of an edition with its name and date (`2026-11-22`); all years come last."""

    label: str
    date: str
    lines: tuple[RecordLine, ...]

    def __post_init__(self) -> None:
        """Raise ValueError unless the date is a day."""
        datetime.date.fromisoformat(self.date)

    @property
    def day(self) -> datetime.date:
        """Return the day of the edition."""
        return datetime.date.fromisoformat(self.date)

    def line(self, decade: int | None) -> RecordLine | None:
        """Return the line of a decade, or of all years; None where there is none."""
        return next((line for line in self.lines if line.decade == decade), None)


def record_lines(dataset: Dataset, ratings: Ratings) -> tuple[RecordLine, ...]:
    """Return the record of each decade with events or ratings, and of all years as the last."""
    states = [
        (event.year, id_, coverage(event, dataset.odds)) for id_, event in dataset.events.items()
    ]
    parts = frozenset(id_ for _, id_, state in states if state == "part")
    events = _by_decade((year, state) for year, _, state in states)
    pairings = _by_decade((pairing.year, pairing) for pairing in ratings.pairings)
    lists = _by_decade(ratings.years.items())
    decades = [*sorted(one for one in {*events, *lists} if one is not None), None]
    return tuple(
        _line(one, events.get(one, []), pairings.get(one, []), lists.get(one, []), parts)
        for one in decades
    )


def _by_decade(items: Iterable[tuple[int, T]]) -> dict[int | None, list[T]]:
    """Return what belongs to years by decade, and all of it at None."""
    found: dict[int | None, list[T]] = {None: []}
    for year, item in items:
        found.setdefault(year // 10 * 10, []).append(item)
        found[None].append(item)
    return found


def _line(
    decade: int | None,
    coverages: Sequence[Coverage],
    pairings: Sequence[Pairing],
    lists: Sequence[Sequence[PlayerYear]],
    parts: Collection[str],
) -> RecordLine:
    states = Counter(coverages)
    whole = [pairing.games for pairing in pairings if pairing.event not in parts]
    return RecordLine(
        decade,
        events=states.total(),
        by_cells=states["whole by cells"],
        by_totals=states["whole by totals"],
        part=states["part"],
        games=round(sum(pairing.games for pairing in pairings), 6),
        whole_games=round(sum(whole), 6),
        players=len({side.player for p in pairings for side in (p.first, p.second)}),
        first_ten=_median_error(lists, 10),
        first_fifty=_median_error(lists, 50),
    )


def _median_error(lists: Iterable[Sequence[PlayerYear]], n: int) -> float | None:
    """Return the median deviation [Elo] of the n highest ratings of each year, None without any."""
    errors = [
        row.deviation for rows in lists for row in nlargest(n, rows, key=attrgetter("rating"))
    ]
    return round(median(errors), 6) if errors else None


def read_record(content: Path) -> Record | None:
    """Return the record of the edition to compare with, None where there is none.

    Raises EdoError where the file is not what `record --save` writes.
    """
    path = content / FILE
    return json.load(path, Record, REMEDY) if path.exists() else None
