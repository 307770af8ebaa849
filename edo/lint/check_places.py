"""A dataset comes in; players who were in two places within one week go out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations

from edo.core.model import Dataset, Event
from edo.core.problems import Problem
from edo.history.checks import at_event, days_between

WEEK = 7  # [days] few went from one event to the next in less
NAMED = 3  # players that a notice names


def two_places(dataset: Dataset) -> Iterator[Problem]:
    """Two events within one week at two places share a player, who may be two, or a date is wrong.

    Only events of which all dates are known to the day tell anything.
    """
    for first, second in combinations(_dated_and_placed(dataset), 2):
        between = days_between(first, second)
        if between is None or between >= WEEK or first.place == second.place:
            continue
        shared = _shared(dataset, first, second)
        if shared:
            yield at_event(
                second,
                dataset.players[shared[0]],
                f"{_listed(shared)} in two places {_when(between)}, here and in `{first.id}`",
                "look for a wrong date or a namesake",
            ).as_doubt("two places", first.id)


def _dated_and_placed(dataset: Dataset) -> list[Event]:
    return [
        event
        for event in dataset.events.values()
        if event.place is not None and days_between(event, event) is not None
    ]


def _shared(dataset: Dataset, first: Event, second: Event) -> list[str]:
    """Return the second event's players who, as the same person, played in the first one."""
    persons: dict[str, str] = defaultdict(str)
    persons.update((id_, player.offhand_of or id_) for id_, player in dataset.players.items())
    there = {persons[id_] for id_ in first.players} - {""}
    return [id_ for id_ in second.players if persons[id_] in there]


def _listed(ids: list[str]) -> str:
    names = ", ".join(f"`{id_}`" for id_ in ids[:NAMED])
    more = len(ids) - NAMED
    return f"{names} and {more} more" if more > 0 else names


def _when(between: int) -> str:
    if between <= 0:
        return "on the same days"
    return f"{between} day{'' if between == 1 else 's'} apart"
