"""The record by decade: how many events and games are known, how fully, and how exactly rated."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from operator import attrgetter
from pathlib import Path
from statistics import median

from edo.core import json
from edo.core.model import Dataset
from edo.rating.coverage import Coverage, coverage
from edo.rating.edo import PlayerYear, Ratings

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
    years = {event.year for event in dataset.events.values()} | ratings.years.keys()
    decades = sorted({year // 10 * 10 for year in years})
    coverages = {id_: coverage(event, dataset.odds) for id_, event in dataset.events.items()}
    return tuple(_line(decade, coverages, dataset, ratings) for decade in (*decades, None))


def _line(
    decade: int | None, coverages: Mapping[str, Coverage], dataset: Dataset, ratings: Ratings
) -> RecordLine:
    def within(year: int) -> bool:
        return decade is None or year // 10 * 10 == decade

    states = Counter(coverages[id_] for id_, event in dataset.events.items() if within(event.year))
    pairings = [pairing for pairing in ratings.pairings if within(pairing.year)]
    whole = [pairing for pairing in pairings if coverages[pairing.event] != "part"]
    lists = [rows for year, rows in ratings.years.items() if within(year)]
    return RecordLine(
        decade,
        events=states.total(),
        by_cells=states["whole by cells"],
        by_totals=states["whole by totals"],
        part=states["part"],
        games=round(sum(pairing.games for pairing in pairings), 6),
        whole_games=round(sum(pairing.games for pairing in whole), 6),
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
