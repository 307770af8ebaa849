"""An edition of the history, read and rated by this program, to be compared with another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, TypeVar

from edo.core.model import Dataset
from edo.rating.edo import PlayerYear, Ratings
from edo.rating.games import Row, Side, rows_of

K = TypeVar("K", int, str, tuple[str, int])
T = TypeVar("T")

RENAMED = ("players", "events")
"""The kinds of records that may list ids which they had before."""


@dataclass(frozen=True, slots=True, eq=False)
class Edition:
    """One state of the history; `name` is the folder or revision as the user named it.

    `ratings` are by player and year, `unrated` has the reason for every player left out, `rows`
    are all games that can be rated.
    """

    name: str
    dataset: Dataset
    ratings: Mapping[tuple[str, int], PlayerYear]
    unrated: Mapping[str, str]
    rows: tuple[Row, ...]

    def records(self, kind: str) -> Mapping[str, Any]:
        """Return the records of a kind by id; kinds are named as in `Dataset`."""
        records: Mapping[str, Any] = getattr(self.dataset, kind)
        return records


def edition_of(name: str, dataset: Dataset, ratings: Ratings) -> Edition:
    """Return the edition of a history and its ratings."""
    years = [year for of_player in ratings.players.values() for year in of_player]
    by_year = {(year.player, year.year): year for year in years}
    events = dataset.events.values()
    rows = tuple(chain.from_iterable(rows_of(event, dataset.odds) for event in events))
    return Edition(name, dataset, by_year, ratings.unrated, rows)


def new_ids(old: Edition, new: Edition) -> dict[str, dict[str, str]]:
    """Return by kind the new ids of records by their old ones.

    A new id is that of a record which lists the old one under `former_ids`.
    """
    return {
        kind: {
            former: id_
            for id_, record in new.records(kind).items()
            for former in record.former_ids
            if former in old.records(kind)
            and former not in new.records(kind)
            and id_ not in old.records(kind)
        }
        for kind in RENAMED
    }


def with_new_ids(old: Edition, ids: Mapping[str, Mapping[str, str]]) -> Edition:
    """Return an edition whose ratings and games have the new ids of `new_ids`."""
    players, events = ids["players"], ids["events"]

    def renamed(side: Side) -> Side:
        return replace(side, player=players.get(side.player, side.player))

    ratings = {(players.get(id_, id_), year): rated for (id_, year), rated in old.ratings.items()}
    rows = tuple(
        row._replace(
            event=events.get(row.event, row.event),
            first=renamed(row.first),
            second=renamed(row.second),
        )
        for row in old.rows
    )
    return replace(old, ratings=ratings, rows=rows)


def differences(
    before: Mapping[K, T], after: Mapping[K, T]
) -> Iterator[tuple[K, T | None, T | None]]:
    """Yield sorted keys whose values differ, with both values, None where there is none."""
    for key in sorted(before.keys() | after.keys()):
        was, now = before.get(key), after.get(key)
        if was != now:
            yield key, was, now
