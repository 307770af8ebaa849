"""Warnings about events: two places at once, entered twice, no page of the source."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, combinations

from edo.core.model import Citation, Dataset, Event, Result, Total
from edo.core.problems import Problem
from edo.core.text import words
from edo.history.checks import at_event, days_between

WEEK = 7  # [days] few went from one event to the next in less
NAMED = 3  # players that a warning names


def two_places(dataset: Dataset) -> Iterator[Problem]:
    """Two events within one week at two places share a player, who may be two, or a date is wrong.

    Only events of which all dates are known to the day tell anything.
    """
    events = [event for event in dataset.events.values() if days_between(event, event) is not None]
    for first, second in combinations([event for event in events if event.place is not None], 2):
        between = days_between(first, second)
        if between is None or between >= WEEK or first.place == second.place:
            continue
        shared = _shared(dataset, first, second)
        if shared:
            when = f"{between} day{'' if between == 1 else 's'} apart"
            when = "on the same days" if between <= 0 else when
            message = f"{_listed(shared)} in two places {when}, here and in `{first.id}`"
            hint = "look for a wrong date or a namesake"
            found = at_event(second, dataset.players[shared[0]], message, hint)
            yield found.as_warning("two places", first.id)


def _shared(dataset: Dataset, first: Event, second: Event) -> list[str]:
    """Return the second event's players who, as the same person, played in the first one."""
    persons = {id_: player.offhand_of or id_ for id_, player in dataset.players.items()}
    there = {persons.get(id_) for id_ in first.players}
    return [id_ for id_ in second.players if id_ in persons and persons[id_] in there]


def _listed(ids: list[str]) -> str:
    names = ", ".join(f"`{id_}`" for id_ in ids[:NAMED])
    more = len(ids) - NAMED
    return f"{names} and {more} more" if more > 0 else names


ALIKE = 0.75  # of the players of the smaller event, a share that chance does not bring
ENOUGH = 3  # players whose points are the same; of a match both
APART = 1  # [years] sources that mean the same event seldom differ by more

Points = Mapping[str, float]
Pairs = set[tuple[int, int]]
"""Events by their places in the dataset, the earlier one first."""


def entered_twice(dataset: Dataset) -> Iterator[Problem]:
    """Two events with the same name, the same points, or the same players on the same days."""
    events = list(dataset.events.values())
    found: dict[tuple[int, int], list[str]] = {}
    for alike, what in _WAYS:
        for pair in sorted(alike(events)):
            found.setdefault(pair, []).append(what)
    for (i, j), ways in sorted(found.items()):
        first, second = events[i], events[j]
        message, line = f"{' and '.join(ways)} as in `{first.id}`", second.lines.get("name", 1)
        problem = Problem(second.path, line, "", message, "look whether they are one event")
        yield problem.as_warning("entered twice", first.id)


def _same_name(events: Sequence[Event]) -> Pairs:
    return _sharing([(*words(event.name), event.year) for event in events])


def _same_points(events: Sequence[Event]) -> Pairs:
    """Return pairs at most a year apart in which nearly all players of the smaller score alike."""
    points = [_points(event) for event in events]
    return {
        (i, j)
        for (i, j), shared in _common(events, points).items()
        if shared >= min(ENOUGH, max(len(points[i]), len(points[j])))
        and shared >= ALIKE * min(len(points[i]), len(points[j]))
    }


def _common(events: Sequence[Event], points: Sequence[Points]) -> Counter[tuple[int, int]]:
    """Count the players who score alike in each two events at most a year apart, if any do."""
    groups: dict[tuple[str, float], list[int]] = defaultdict(list)
    common: Counter[tuple[int, int]] = Counter()
    for j, event in enumerate(events):  # by year, so that those before are near the end of a group
        for one in points[j].items():
            for i in reversed(groups[one]):
                if events[i].year < event.year - APART:
                    break
                common[i, j] += 1
            groups[one].append(j)
    return common


def _points(event: Event) -> Points:
    """Return what each player scored [points], his total where the file states it."""
    points: dict[str, float] = defaultdict(float)
    for result in event.results:
        points[result.first] += result.points_first
        points[result.second] += result.points_second
    return points | {total.player: total.points for total in event.totals}


def _same_days(events: Sequence[Event]) -> Pairs:
    return {
        (i, j)
        for i, j in _sharing([frozenset(event.players) for event in events])
        if (between := days_between(events[i], events[j])) is not None and between <= 0
    }


_WAYS: tuple[tuple[Callable[[Sequence[Event]], Pairs], str], ...] = (
    (_same_name, "the same name and year"),
    (_same_points, "the same points of the same players"),
    (_same_days, "the same players on the same days"),
)


def _sharing(keys: Sequence[object]) -> Pairs:
    """Return the indices of each two keys that are the same."""
    groups: dict[object, list[int]] = defaultdict(list)
    for index, key in enumerate(keys):
        groups[key].append(index)
    return {pair for group in groups.values() for pair in combinations(group, 2)}


def no_page(dataset: Dataset) -> Iterator[Problem]:
    """An event of which no source says where in it the results are."""
    for event in dataset.events.values():
        if not any(citation.where for citation in citations_of(event)):
            message = "no source says where in it this stands"
            hint, line = "add `where`, like `where: p. 12`", event.lines.get("sources", 1)
            yield Problem(event.path, line, "sources", message, hint).as_warning("no page")


def citations_of(event: Event) -> Iterator[Citation]:
    """Yield the citations of an event, its results and its totals."""
    yield from event.sources
    for one in chain[Result | Total](event.results, event.totals):
        yield from one.sources
